"""Score columns: one side over the other, their differences, and one number by criterion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.paired_numbers import Paired, measures
from metrics.analyses.scores import readings, readings_numbers
from metrics.analyses.scores.density import plane_of_differences, plane_of_pairs, share_between
from metrics.analyses.scores.scored import numbered_of, scored_part
from metrics.figures import bland_altman, scatter
from metrics.results.estimate import Estimate
from pages.shared import cached, parts, state
from pages.shared.plain import escape
from pages.shared.scores import asking, options


def section(asked: asking.ScoresView) -> None:
    judge, criterion = asked.chosen.judge, asked.criterion
    if criterion in asked.judge.two_units:
        st.info(escape(asked.judge.two_units[criterion]), icon=":material/info:")
    parts.side_by_side({"wide_scores_plane": lambda: pairs(asked), "wide_scores_difference": lambda: differences(asked)})
    for text in (readings_numbers.people_reading(asked.judge, criterion), readings.bias_reading(asked.report, judge, criterion)):
        if text:
            st.markdown(escape(text))
    parts.side_by_side({"wide_scores_criteria": lambda: options.criteria(asked)})


def drawings(asked: asking.ScoresView) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    return [lambda: pairs(asked), lambda: differences(asked), lambda: options.criteria(asked)]


def pairs(asked: asking.ScoresView) -> None:
    """The judge's number over the reference's."""
    paired, estimates = _numbers(asked)
    plane = plane_of_pairs(paired, same_unit=not asked.judge.has_two_units(asked.criterion))
    diagonal = "" if asked.judge.has_two_units(asked.criterion) else " · diagonal: equal"
    parts.headed("Judge against reference", f"a mark: one pair, or all pairs of a field, larger for more{diagonal}")
    parts.drawing("scores.plane", scatter.score_scatter, scatter.alt, plane, estimates, names=_names(asked))
    parts.reading(escape(readings_numbers.concordance_reading(asked.report, asked.chosen.judge, asked.criterion)))


def differences(asked: asking.ScoresView) -> None:
    """Judge less reference over the mean of both, after Bland and Altman."""
    paired, estimates = _numbers(asked)
    parts.headed(
        "How far apart", "judge minus reference over the mean of both · lines: bias and limits of agreement, bands: 95 %"
    )
    if asked.judge.has_two_units(asked.criterion):
        elsewhere = "" if set(asked.judge.criteria) <= set(asked.judge.two_units) else " Choose a criterion where they are."
        st.markdown(f"The two sides are not in one unit, so a difference of them says nothing.{elsewhere}")
        return
    plane = plane_of_differences(paired)
    within = share_between(paired, estimates["loa_low"].value, estimates["loa_high"].value)
    alt = partial(bland_altman.alt, within=within)
    parts.drawing("scores.differences", bland_altman.bland_altman, alt, plane, estimates, names=_names(asked))
    parts.reading(escape(readings_numbers.limits_reading(asked.report, asked.chosen.judge, asked.criterion)))


def _names(asked: asking.ScoresView) -> tuple[str, str]:
    return asked.report.declaration.the_reference(), asked.chosen.judge


def _numbers(asked: asking.ScoresView) -> tuple[Paired, dict[str, Estimate]]:
    settings = asked.report.settings
    how = settings.reference, settings.unit, settings.confidence
    return _kept(asked.dataset, asked.chosen.judge, *how, asked.criterion)


@cached.of_file(max_entries=32)
def _kept(
    dataset: state.Dataset, judge: str, reference: str, unit: str, confidence: float, criterion: str | None
) -> tuple[Paired, dict[str, Estimate]]:
    part = scored_part(dataset.ratings, "score")
    numbered = numbered_of(part, judge, reference, unit)
    paired = (numbered if criterion is None else numbered.on(part.criteria.index(criterion))).paired
    return paired, measures(paired, confidence=confidence)
