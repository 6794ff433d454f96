"""The choices and the data behind the numbers of a report, as every export carries them."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.cautions import tuned_items
from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.records import Declaration
from metrics.analyses.settings import Settings
from metrics.data.pairs import one_human_each
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.version import __version__


def weighted_declaration(ratings: Ratings, settings: Settings) -> Declaration:
    """Return the declaration of numbers beside which those by the weights of items stand, where the file has any."""
    used = "" if item_weights(ratings) is None else column_of(ratings)
    declared = declaration_of(ratings, settings)
    return replace(declared, weights=used, weights_unused="" if used else declared.weights_unused)


def declaration_of(ratings: Ratings, settings: Settings) -> Declaration:
    """Return the choices and the data behind every number of a report in which every decision counts once."""
    ratings = settings.on(ratings)
    scales, tuned = scales_of(ratings).declaration(), tuned_items(ratings)
    return Declaration(
        file=ratings.source.name,
        sha256=ratings.source.sha256,
        metrics_version=__version__,
        scale=ratings.scheme.scale,
        abstention=settings.abstention,
        labels=ratings.scheme.to_dict(),
        n_items=ratings.n_items if ratings.has_items else None,
        criteria=ratings.criteria,
        judges=settings.judges,
        reference=settings.reference,
        item_rule=settings.item_rule.to_dict(),
        interval=settings.interval_record(ratings),
        rows_read=ratings.source.rows,
        rows_used=ratings.rows_used,
        left_out=ratings.left_out.counts(),
        handling=dict(ratings.scheme.handling),
        panels={panel.name: panel.declaration() for panel in ratings.source.panels if panel.name in settings.judges},
        runs=ratings.source.runs,
        tally={"kinds": ratings.n_unique, "items": ratings.n_items} if ratings.source.tallied else {},
        one_human_each=one_human_each(ratings, settings.reference),
        joined={} if ratings.source.join is None else ratings.source.join.to_dict(),
        weights_unused=column_of(ratings),
        tuning={} if tuned is None else tuned.to_dict(),
        where=ratings.source.how.where,
        threshold=ratings.source.how.threshold_words,
        scales={} if set(scales.values()) <= {ratings.scheme.scale} else scales,
    )
