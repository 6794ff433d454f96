"""Which number a scale is read by first: κ, and for ordered labels κ that counts how far apart two labels are."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.evaluation import Family
from metrics.analyses.ordered_blocks import blocks_of, rules_of
from metrics.analyses.ordered_catalogue import QUADRATIC, why_undefined
from metrics.analyses.ordered_coding import tables_of
from metrics.analyses.records import Block, JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Mode
from metrics.data.memo import memoised
from metrics.data.order import Order, order_of
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import words


def leading(ratings: Ratings, mode: Mode = "exclude") -> str:
    """Return key of the metric that a page or a command shows first.

    Quadratic-weighted κ where every criterion is ordinal, all on one order of three or more labels, and abstentions are left
    out, as they have no place in an order; else κ.
    """
    return "kappa" if mode != "exclude" or _order(ratings) is None else QUADRATIC_KAPPA.key


def in_order(ratings: Ratings, labels: tuple[str, ...], mode: Mode, level: str = "micro") -> bool:
    """Return whether the labels of a table go from low to high.

    Not those of items, and not where one of them stands for an abstention.
    """
    order = _order(ratings)
    return order is not None and order.classes == labels and mode == "exclude" and level != "item"


def read_first(report: JudgeReport) -> str:
    """Return the same of a report, whose blocks have that metric; also at item level, whose verdicts have no order."""
    return QUADRATIC_KAPPA.key if QUADRATIC_KAPPA.key in report.micro.values else "kappa"


def with_distances(report: JudgeReport, ratings: Ratings, settings: Settings) -> JudgeReport:
    """Return the report with quadratic-weighted κ first in every block, where labels are ordered.

    The number of `metrics.scores`.

    Parameters
    ----------
    report : JudgeReport
        Unchanged where the criteria have no common order, or abstentions are not left out.
    ratings : Ratings
        Those the report was made of.
    settings : Settings
        Those of the report.
    """
    order = _order(ratings)
    if order is None or settings.abstention != "exclude":
        return report
    unit = settings.unit if settings.by_column else None
    tables = tables_of(ratings, report.name, settings.reference, order, unit=unit)
    blocks = blocks_of(tables, _family(order), settings.asked_confidence)
    return replace(
        report,
        micro=_with_quadratic_kappa(report.micro, blocks.pooled),
        macro=_with_quadratic_kappa(report.macro, blocks.mean),
        criteria={name: _with_quadratic_kappa(block, blocks.criteria[name]) for name, block in report.criteria.items()},
    )


def plain_words(block: Block, why: str) -> str:
    """Return which number ordered labels are read by, and why a page shows another; empty where κ is that number.

    Parameters
    ----------
    why : str
        Why κ takes all disagreements alike here.
    """
    key = QUADRATIC_KAPPA.key
    if key not in block.values:
        return ""
    value_text = f"undefined: {block.undefined[key]}" if key in block.undefined else words.estimate(block[key])
    return (
        f"These labels are ordered: {QUADRATIC_KAPPA.symbol} is {value_text}. The "
        f"κ below takes all disagreements alike, as {why}."
    )


def _with_quadratic_kappa(block: Block, quadratic_block: Block) -> Block:
    """Return a block with quadratic-weighted κ of the same decisions before its other numbers."""
    return replace(block, estimates={QUADRATIC.key: quadratic_block[QUADRATIC.key], **block.estimates})


def _family(order: Order) -> Family:
    return Family(
        functions={QUADRATIC.key: QUADRATIC_KAPPA.function},
        with_interval=(QUADRATIC.key,),
        why=lambda key, counts: why_undefined(QUADRATIC, counts, order),
        labels=order.classes,
        rules=rules_of(order),
    )


def _order(ratings: Ratings) -> Order | None:
    """Return the order of the labels where all criteria have one and the same."""
    return memoised(ratings, ("leading order",), lambda: _common_order(ratings))


def _common_order(ratings: Ratings) -> Order | None:
    if ratings.scheme.scale == "binary" or scales_of(ratings).used != ("ordinal",):
        return None
    try:
        order = order_of(ratings.scheme)
    except InputError:
        return None
    rubric = [criterion for criterion in ratings.source.rubric if criterion.name in ratings.criteria and criterion.options]
    listed = [{label for label, _ in criterion.options} for criterion in rubric]
    of_one = all(labels & other for labels in listed for other in listed)
    in_place = ratings.scheme.classes in (order.classes, order.classes[::-1])
    return order if order.k > 2 and of_one and in_place else None
