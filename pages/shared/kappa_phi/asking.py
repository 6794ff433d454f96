"""What the page on κ and φ is asked: which rows, which view, and which row to look at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from metrics.analyses.agreement.compute import Settings
from metrics.analyses.kappa_phi.rows import GapRow, by_criterion, by_judge, pooled
from metrics.analyses.records import AgreementReport
from pages.shared import asking, cached, state

Rows = Literal["criterion", "judge"]
Show = Literal["surface", "cause", "names", "variance"]
ROWS, SHOW, SUBJECT = "gap_rows", "gap_show", "kappa_phi.subject"
ROW_NAMES: dict[Rows, str] = {"criterion": "Criteria", "judge": "Judges"}
SHOW_NAMES: dict[Show, str] = {
    "surface": "Surface",
    "cause": "Which rate causes it",
    "names": "Five names, one number",
    "variance": "Variance",
}
NO_TABLE = "A mean over criteria has no table of its own. Choose Micro or Item, or one row per criterion."


@dataclass(frozen=True, eq=False)
class GapView:
    """Everything the parts of the page are drawn from."""

    dataset: state.Dataset
    chosen: state.Choices
    report: AgreementReport
    """Of the chosen judge; of all judges where each is a row."""
    what: Rows
    rows: tuple[GapRow, ...]
    pooled: GapRow | None

    @property
    def every(self) -> tuple[GapRow, ...]:
        """All rows, all criteria together first."""
        return (*((self.pooled,) if self.pooled else ()), *self.rows)

    @property
    def with_table(self) -> tuple[GapRow, ...]:
        return tuple(row for row in self.every if row.has_table)

    @property
    def positive(self) -> str:
        """The user's word for the positive label."""
        return self.every[0].block.labels[0]

    @property
    def subject(self) -> GapRow | None:
        """The row looked at: as chosen, before that as the address says, else the usual one."""
        wanted = st.session_state.get(SUBJECT) or st.query_params.get(SUBJECT)
        return next((row for row in self.with_table if row.name == wanted), self.usual)

    @property
    def usual(self) -> GapRow | None:
        """The chosen judge, or the criterion that drifts most; None without a table."""
        gap_rows = {row.name: row for row in self.with_table}
        if self.what == "judge" and self.chosen.judge in gap_rows:
            return gap_rows[self.chosen.judge]
        tables = [row for row in self.rows if row.has_table]
        return next((row for row in tables if row.state != "undefined"), tables[0] if tables else None)

    def unit_of(self, row: GapRow) -> str:
        """Return what a row counts: a criterion has decisions at every level."""
        whole = row.pooled or self.what == "judge"
        return "items" if whole and self.chosen.level == "item" else "decisions"

    def judge_of(self, row: GapRow) -> str:
        return row.name if self.what == "judge" else self.chosen.judge


def gap_view(dataset: state.Dataset, chosen: state.Choices, report: AgreementReport) -> GapView:
    by_judges = len(dataset.ratings.judges) > 1 and asking.held_or_linked(ROWS, ROW_NAMES) == "judge"
    what: Rows = "judge" if by_judges else "criterion"
    if what == "judge":
        everyone = _everyone(dataset, replace(chosen.settings(), judges=()), _chosen=chosen)
        return GapView(dataset, chosen, everyone, what, by_judge(everyone, chosen.level), None)
    judge = report.judges[chosen.judge]
    return GapView(dataset, chosen, report, what, by_criterion(judge), pooled(judge, chosen.level))


@cached.of_file(max_entries=8, show_spinner="Reading all judges")
def _everyone(dataset: state.Dataset, settings: Settings, _chosen: state.Choices) -> AgreementReport:
    return cached.whole_report(dataset, _chosen)


def rows_chooser(dataset: state.Dataset) -> None:
    """Criteria of the chosen judge, or all judges; nothing where there is one judge."""
    if len(dataset.ratings.judges) > 1:
        asking.one_of("Rows", ROW_NAMES, ROWS, bare=True)


def show_chooser() -> Show:
    return asking.one_of("Show", SHOW_NAMES, SHOW)


def subject_chooser(request: GapView) -> None:
    """The row that the view is about, also chosen by a click in a figure."""
    names = [row.name for row in request.with_table]
    st.session_state[SUBJECT] = request.subject.name if request.subject else None
    st.selectbox(
        "Criterion" if request.what == "criterion" else "Judge looked at", names, key=SUBJECT, persist_state="session", width=320
    )


def write_link(request: GapView) -> None:
    """The row looked at in the address, where it is not the usual one.

    Written by hand, because a click in a figure chooses it too where its widget is not drawn.
    """
    subject = request.subject
    if subject is None or subject is request.usual:
        asking.write(SUBJECT, None)
        return
    st.session_state[SUBJECT] = subject.name
    asking.write(SUBJECT, subject.name)
