"""Leaderboard, four numbers, the table of errors and the criteria, by the scale of the data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Overview
from metrics.analyses.overview import tables
from metrics.analyses.provenance import citation, header
from metrics.analyses.raters.provenance import citation as citation_of_raters
from metrics.analyses.raters.provenance import header as header_of_raters
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.scores.provenance import citation as citation_of_scores
from metrics.analyses.scores.provenance import header as header_of_scores
from metrics.figures import dots
from metrics.results.tables import in_full
from metrics.results.words import several
from pages.shared import as_lines, cached, drilldown, interval_notes, intervals, parts, sheets, state
from pages.shared.agreement import figures, numbers
from pages.shared.disagreements import presets
from pages.shared.overview import asking, statements
from pages.shared.raters import asking as of_raters
from pages.shared.raters import gate
from pages.shared.raters import numbers as numbers_of_raters
from pages.shared.scores import asking as of_scores
from pages.shared.scores import numbers as numbers_of_scores
from pages.shared.scores import options, paired

MOST_JUDGES = 12
"""Judges in the figure; the table holds all."""
BELOW = {"macro": "means over the criteria", "item": "on whole items"}
"""What the numbers are on the levels that the verdict does not take."""
Drawings = Mapping[str, Callable[[], None]]
"""Figures by the keys of their containers."""


def show(dataset: state.Dataset, overview: Overview) -> None:
    """The verdict and all that stands between it and the items."""
    if len(overview.judges) > 1:
        parts.side_by_side(
            {"most_verdict": partial(statements.verdict, overview), "third_leaderboard": partial(_board, overview)}
        )
    else:
        statements.verdict(overview)
    _level_note(dataset, overview)
    _numbers(dataset, overview)
    parts.side_by_side(_figures(dataset, overview))
    _of_selection(dataset, overview)


def _level_note(dataset: state.Dataset, overview: Overview) -> None:
    """Where the numbers below are on another level than the counts of the verdict."""
    chosen = asking.chosen(overview)
    if chosen is not None and not overview.correlated and chosen.level in BELOW and len(dataset.ratings.criteria) > 1:
        st.markdown(f":material/info: The numbers below are {BELOW[chosen.level]}; *Average over* leaves the verdict as it is.")


def drawings(dataset: state.Dataset, overview: Overview) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    boards = [partial(leaderboard, overview)] if len(overview.judges) > 1 else []
    return [*boards, partial(_numbers, dataset, overview), *_figures(dataset, overview).values()]


def _board(overview: Overview) -> None:
    leaderboard(overview)
    asking.judge(overview)


def leaderboard(overview: Overview) -> None:
    """All judges, best first, and how each stands to the leader."""
    stand = {row.relation for row in overview.judges[:MOST_JUDGES]}
    against = " · below: significantly below the leader" if "behind" in stand else ""
    against += " · unmarked: not told apart from the leader" if "tied" in stand else ""
    n = len(overview.judges)
    against += f" · the first {MOST_JUDGES} of {n}" if n > MOST_JUDGES else ""
    parts.headed(f"{overview.symbol} of {n} judges", f"value and interval · n decisions{against}")
    rows = [dots.DotRow(tables.named_relation(row), row.shown.estimate, row.n) for row in overview.judges]
    limits = dots.limits_of(rows) if state.in_room_view() else dots.close_limits(rows)
    shown, symbol = rows[:MOST_JUDGES], overview.criterion_symbol
    parts.drawing("overview.leaderboard", dots.criteria_dots, dots.alt, shown, look={"limits": limits}, symbol=symbol)
    if not state.in_room_view():
        with sheets.unfolded(f"All {len(rows)} judges as a table", "overview.judges") as seen:
            if seen:
                frame = in_full(tables.leaderboard(overview))
                st.dataframe(**sheets.numbers(frame), key="overview.judges", alt="All judges")
                sheets.download("All judges (CSV)", lambda: frame, "judges.csv", "overview.judges_csv")


def _numbers(dataset: state.Dataset, overview: Overview) -> None:
    """What the numbers rest on, and the four that say most."""
    chosen = asking.chosen(overview)
    if chosen is None:
        report = _raters(dataset)
        parts.declaration(header_of_raters(report), citation_of_raters(report, report.pooled.judged))
        parts.headline(numbers_of_raters.headline(report))
    elif overview.correlated:
        asked = _correlated(dataset, chosen, overview)
        where, of_mean = (asked.report, chosen.judge), _of_mean(asked, overview)
        parts.declaration(
            header_of_scores(*where, asked.criterion, asked.key, mean=of_mean),
            citation_of_scores(*where, asked.key, asked.criterion, mean=of_mean),
        )
        parts.headline(numbers_of_scores.headline(asked, of_mean=of_mean))
    else:
        report = cached.report(dataset, chosen, intervals=intervals.jackknifed(dataset))
        metric, block = numbers.metric_of(dataset), report.judges[chosen.judge].level(chosen.level)
        where = report, chosen.judge, chosen.level, metric
        parts.declaration(header(*where), citation(*where))
        lead = overview.metric, overview.level
        parts.headline(numbers.headline(report, chosen, lead))
        cards = numbers.cards(report.judges[chosen.judge], chosen, lead)
        interval_notes.interval_notes(block, [key for key, level in cards if level == chosen.level])


def lines(dataset: state.Dataset, overview: Overview) -> None:
    """The verdict, and the report whose numbers stand below it."""
    asked, chosen = asking.settings(dataset), asking.chosen(overview)
    if chosen is None:
        plain = {"abstention": asked.abstention, "confidence": asked.confidence}
        verdict, below = as_lines.call("overview", None, dataset, **plain), numbers_of_raters.view(dataset, _raters(dataset))
    else:
        verdict = as_lines.call("overview", asked, dataset)
        if overview.correlated:
            correlated = _correlated(dataset, chosen, overview)
            below = numbers_of_scores.view(correlated, of_mean=_of_mean(correlated, overview))
        else:
            wanted = intervals.jackknifed(dataset)
            judge = cached.report(dataset, chosen, intervals=wanted).judges[chosen.judge]
            below = numbers.view(dataset, judge, chosen, wanted.added_to(chosen.settings()), (overview.metric, overview.level))
    as_lines.section(dataset, as_lines.View(replace(verdict, name="overview")), below)


def _figures(dataset: state.Dataset, overview: Overview) -> Drawings:
    chosen = asking.chosen(overview)
    if chosen is None:
        report = _raters(dataset)
        return {"wide_gate": lambda: gate.figure(report, gate.gate_evidence(dataset, report))}
    if overview.correlated:
        asked = _correlated(dataset, chosen, overview)
        both = partial(paired.pairs if asked.on == "score" else options.matrix, asked)
        return {"wide_plane": both, "wide_criteria": lambda: options.criteria(asked, of_mean=_of_mean(asked, overview))}
    judge = cached.report(dataset, chosen, intervals=intervals.jackknifed(dataset)).judges[chosen.judge]
    return {
        "wide_mosaic": lambda: figures.mosaic(dataset, chosen, judge),
        "wide_criteria": lambda: figures.criteria(dataset, chosen, judge, numbers.metric_of(dataset)),
    }


def _of_selection(dataset: state.Dataset, overview: Overview) -> None:
    """The way to the decisions behind the cell or the criterion that is selected in a figure."""
    chosen, cell, criterion = asking.chosen(overview), drilldown.selected_cell(), st.session_state.get(drilldown.CRITERION)
    if chosen is None or overview.correlated or (cell is None and criterion is None):
        return
    judge = cached.report(dataset, chosen, intervals=intervals.jackknifed(dataset)).judges[chosen.judge]
    labels, block = judge.level(chosen.level).labels, judge.criteria.get(criterion or "", judge.micro)
    named = None if cell is None or max(cell) >= len(labels) else (labels[cell[0]], labels[cell[1]])
    counts = block.confusion
    shown = cell is not None and counts is not None and block.labels == labels and max(cell) < len(counts)
    which = f"these {several(int(counts[cell]), 'decisions')}" if shown and counts is not None else "the selected decisions"
    presets.link(f"Read {which}", cell=named, criterion=criterion or "", judge=chosen.judge)


def _correlated(dataset: state.Dataset, chosen: state.Choices, overview: Overview) -> of_scores.ScoresView:
    """Return what is drawn where the verdict is by a correlation."""
    return replace(of_scores.scores_view(dataset, chosen, overview.correlated or "score"), key=overview.metric)


def _of_mean(asked: of_scores.ScoresView, overview: Overview) -> bool:
    """Whether the numbers in view are the mean over criteria, as in the verdict."""
    return overview.level == "macro" and asked.criterion is None and asked.many


def _raters(dataset: state.Dataset) -> RatersReport:
    return of_raters.raters_report(dataset, of_raters.roles_of(dataset.ratings))
