"""The report of the data set in view: computed once for each choice of numbers, said anew for each word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from metrics import Ratings
from metrics.analyses.review.decisions import read_review
from metrics.data.aggregation import Level
from metrics.report.checklist.contents import Contents
from metrics.report.making import Report, report_of, with_other_contents
from metrics.report.writing import today, write
from metrics.results.words import count
from pages.shared import as_lines, intervals, panels, parts, state
from pages.shared.disagreements import coding
from pages.shared.report import asking
from pages.shared.review import again, saving

QUICK = 20_000_000
"""Rows times draws of all judges that take a few seconds."""
ASKED = "report.drawn"
REPORT_OF, WRITE, CONTENTS, READ_REVIEW = map(as_lines.named, (report_of, write, Contents, read_review))


@dataclass(frozen=True, eq=False)
class Wanted:
    """The numbers that are asked for.

    Attributes
    ----------
    whole : Ratings
        All criteria, with the panel of the data set.
    choices : mapping
        As `metrics.agreement` takes them.
    waiting : int
        Replicates of a bootstrap that would take long, and that nobody has asked for yet; 0 where none waits.
    """

    dataset: state.Dataset
    whole: Ratings
    choices: Mapping[str, Any]
    level: Level
    waiting: int = 0

    @property
    def key(self) -> str:
        panels_made = self.whole.source.panels
        return repr(
            (self.dataset.key, self.whole.criteria, self.whole.scheme.scales, panels_made, dict(self.choices), self.level)
        )


def wanted(dataset: state.Dataset, chosen: state.Choices | None, level: Level) -> Wanted:
    """Return the numbers of the sidebar; a bootstrap that takes long waits to be asked for."""
    scored = state.dataset_of_the_file()
    whole = panels.joined((scored or dataset).ratings, dataset.id)
    its_intervals = intervals.chosen(dataset)
    asked = Wanted(dataset, whole, asking.choices(dataset, chosen, its_intervals), level)
    if not its_intervals.drawn or _quick(whole, its_intervals) or st.session_state.get(ASKED) == asked.key:
        return asked
    plain = asking.choices(dataset, chosen, its_intervals.without_draws())
    return replace(asked, choices=plain, waiting=its_intervals.replicates)


def _quick(whole: Ratings, drawn: intervals.Intervals) -> bool:
    return len(whole.item) * drawn.replicates * max(len(whole.criteria), 1) <= QUICK


def report(asked: Wanted, contents: Contents, answers: Mapping[str, str], chosen: state.Choices | None) -> Report:
    """Return the report with what was said, with a second file beside which it stands, and with coded disagreements."""
    dataset = asked.dataset
    with st.spinner("Computing every number of the report…", show_time=True):
        base = _base(asked.key, _asked=asked)
    known = contents if contents.judge in _compared(base) else replace(contents, judge="")
    changes = None if chosen is None else again.paired_files(dataset, chosen)
    coded = coding.of_judge(dataset, chosen, known.judge or base.material.contents.judge)
    review = asking.review(dataset)
    return with_other_contents(base, contents=known, answers=answers, review=review, changes=changes, coding=coded)


def _compared(report: Report) -> set[str]:
    """Return judges beside a reference; a panel is none where it cannot be made of all criteria."""
    material = report.material
    return {
        name
        for judge_report in (material.agreement, *material.scored)
        if judge_report is not None
        for name in judge_report.judges
    }


@st.cache_resource(show_spinner=False, max_entries=4, scope="session")
def _base(key: str, _asked: Wanted) -> Report:
    return report_of(_asked.whole, contents=Contents(level=_asked.level), **_asked.choices)


def view(asked: Wanted, chosen: state.Choices | None, contents: Contents, answers: Mapping[str, str]) -> as_lines.View:
    """Return the call that writes the report."""
    dataset, whole, review = asked.dataset, replace(asked.dataset, ratings=asked.whole), asking.review(asked.dataset)
    first = next(iter(asked.whole.judges), "")
    shown = as_lines.Call(CONTENTS, vars(contents) | {"judge": "" if contents.judge == first else contents.judge}, ())
    own: dict[str, Any] = {"contents": shown} if shown.settled() else {}
    own |= {"answers": dict(answers) or None, "handling": asked.choices["handling"] or None}
    if review is not None:
        saved = as_lines.Name(f"Path({saving.NAME!r}).read_bytes()")
        own["review"] = as_lines.Call(READ_REVIEW, {}, (saved, saving.NAME))
    if chosen is None:
        call = as_lines.call(REPORT_OF, None, whole, **{**asked.choices, **own})
    else:
        drawn = intervals.chosen(dataset)
        settings = (drawn.without_draws() if asked.waiting else drawn).added_to(chosen.settings())
        settings = replace(settings, judges=(), cost=asked.choices["cost"])
        call = as_lines.call(REPORT_OF, settings, whole, **own)
    written = as_lines.Call(WRITE, {}, (replace(call, name="report"), ".html", today()))
    options = {} if review is None else {"review": saving.NAME}
    return as_lines.View(written, command="report", file="report.html", options=options)


def waits(dataset: state.Dataset, chosen: state.Choices | None, asked: Wanted) -> None:
    """Where a bootstrap waits: what is shown meanwhile, and the button that draws."""
    if not asked.waiting:
        return
    drawn = replace(asked, choices=asking.choices(dataset, chosen, intervals.chosen(dataset)), waiting=0)
    text = (
        f"A bootstrap of {count(asked.waiting)} replicates takes a while here. The report has the intervals of the default rules."
    )
    parts.line_with_button(text, "Draw for the report", "report.draw", _draw, drawn.key)


def _draw(key: str) -> None:
    st.session_state[ASKED] = key
