"""The user's own numbers beside the guide, where the data set has criteria on the scale in view."""

from __future__ import annotations

from dataclasses import dataclass, replace

import metrics
from metrics import InputError, ItemRule
from metrics.analyses.provenance import Header, citation, header
from metrics.analyses.records import Block
from metrics.analyses.scores import provenance
from metrics.analyses.scores.result import ScoresReport
from metrics.content.scale_guide.fitting import Guide
from metrics.data.labels import Scale
from metrics.data.scale_words import MOST_NAMES, SCALE_NAMES
from metrics.data.scales import scales_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import UNDEFINED, estimate, named, value
from pages.shared import as_lines, cached, state

MEAN = "; mean over criteria "
"""Between a pooled number and the mean of those of the criteria."""


@dataclass(frozen=True, eq=False)
class GuideNumbers:
    """Numbers of one judge.

    Attributes
    ----------
    lacking : str
        Why there are none; empty where there are.
    texts : mapping of key to text
    reasons : mapping of key to reason
        Of what is undefined.
    part, view
        The criteria on the scale, and the call that gives the first number.
    """

    lacking: str = ""
    head: Header | None = None
    citation: str = ""
    texts: dict[str, str] | None = None
    reasons: dict[str, str] | None = None
    judge: str = ""
    warnings: tuple[str, ...] = ()
    part: state.Dataset | None = None
    view: as_lines.View | None = None


def own_scale(dataset: state.Dataset | None) -> Scale:
    """Return the scale of the data set in view, the first where it has several."""
    return scales_of(dataset.ratings).used[0] if dataset is not None else "binary"


def guide_numbers(dataset: state.Dataset | None, chosen: state.Choices | None, guide: Guide) -> GuideNumbers:
    """Return every number of the guide that the data set in view has."""
    if dataset is None or chosen is None:
        return GuideNumbers("Open a file with a human and a judge to see its numbers here.")
    names = _criteria(dataset.ratings, guide)
    if not names:
        scales = scales_of(dataset.ratings)
        have = named([SCALE_NAMES[scale].lower() for scale in scales.used], MOST_NAMES)
        return GuideNumbers(f"No criterion of this data set is {SCALE_NAMES[guide.scale].lower()}; its criteria are {have}.")
    try:
        part = replace(dataset, ratings=dataset.ratings.on_criteria(names))
        judge = chosen.judge if chosen.judge in part.ratings.judges else part.ratings.judges[0]
        choices = replace(chosen, judge=judge, rule=ItemRule())
        return _scores(part, choices, guide) if guide.source == "scores" else _agreement(part, choices, guide)
    except (InputError, IndexError) as error:
        return GuideNumbers(str(error) or "No judge rated these criteria.")


def _criteria(ratings: metrics.Ratings, guide: Guide) -> tuple[str, ...]:
    """Return criteria on the scale; those with two sides have a third class where someone abstains."""
    scales = scales_of(ratings)
    names = scales.of(guide.scale)
    if names or guide.source != "third class":
        return names
    return scales.of("binary")


def _agreement(part: state.Dataset, chosen: state.Choices, guide: Guide) -> GuideNumbers:
    third = guide.source == "third class" and part.ratings.scheme.scale == "binary"
    mode = "as_category" if third else chosen.two_class_mode if guide.source == "agreement" else chosen.mode
    report = cached.report(part, replace(chosen, mode=mode))
    block = report.judges[chosen.judge].micro
    where = report, chosen.judge, "micro", "kappa"
    macro = report.judges[chosen.judge].macro if len(part.ratings.criteria) > 1 else None
    shown = {fit.key: _value(block, macro, fit.key) for fit in guide.fits if fit.key in block.values}
    place = as_lines.path("judges", [chosen.judge], "micro", [next(iter(shown))])
    view = as_lines.View(as_lines.call("agreement", chosen.settings(mode), part), place)
    return GuideNumbers("", header(*where), citation(*where), shown, dict(block.undefined), chosen.judge, (), part, view)


def _value(block: Block, macro: Block | None, key: str) -> str:
    unit = BY_KEY[key].unit
    text = estimate(block[key], unit)
    return text if macro is None or key not in macro.values else f"{text}{MEAN}{value(macro.values[key], unit)}"


def _scores(part: state.Dataset, chosen: state.Choices, guide: Guide) -> GuideNumbers:
    report = _report(part, chosen.judge, chosen.reference)
    scores, key = report.judges[chosen.judge], guide.fits[0].key
    block, many = scores.pooled, len(scores.criteria) > 1
    shown = {
        fit.key: provenance.estimate_text(block, fit.key)
        + (f"{MEAN}{provenance.estimate_text(scores.mean, fit.key)}" if many else "")
        for fit in guide.fits
        if fit.key in block.values
    }
    head = provenance.header(report, chosen.judge, None, key)
    warnings = tuple(warning.message for warning in report.warnings)
    asked = as_lines.call("scores", chosen.settings("exclude"), part)
    view = as_lines.View(asked, as_lines.path("judges", [chosen.judge], "pooled", [next(iter(shown))]))
    quoted = provenance.citation(report, chosen.judge, key)
    return GuideNumbers("", head, quoted, shown, dict(block.undefined), chosen.judge, warnings, part, view)


@cached.of_file(max_entries=8, show_spinner="Counting")
def _report(dataset: state.Dataset, judge: str, reference: str) -> ScoresReport:
    return metrics.scores(dataset.ratings, judges=[judge], reference=reference)


def cell(guide_values: GuideNumbers, key: str) -> str:
    """Return a number as the table shows it."""
    return (guide_values.texts or {}).get(key, UNDEFINED)
