"""Do the human raters agree well enough to serve as a reference; or how far judges agree with each other."""

from __future__ import annotations

from functools import partial
from typing import get_args

import streamlit as st

from metrics.analyses.raters.provenance import citation, header
from metrics.analyses.raters.result import RatersReport
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared import asking as questions
from pages.shared.plain import escape
from pages.shared.raters import asking, ceiling, disagreements, gate, numbers, pairs

HEADS = {
    "human": ("Do the human raters agree well enough to serve as a reference?",),
    "judge": ("How far do the judges agree with each other?", "Agreement among judges"),
}
VIEWS = {"pairs": "Rater × rater", "ceiling": "Human ceiling", "disagreements": "Disagreements"}
ALONE = (
    "Agreement among raters needs two people or more on the same items, or two judges. Open a file with the columns item, "
    "criterion, rater and label, a row for every label."
)


def page() -> None:
    dataset = state.dataset()
    question, *name = HEADS[asking.role(asking.roles_of(dataset.ratings) if dataset is not None else [])]
    opening.page(question, answer, *name, of_one_side=True)


def answer(dataset: state.Dataset, _: state.Choices | None) -> None:
    roles = asking.roles_of(dataset.ratings)
    if not roles:
        parts.lacking(f"{escape(dataset.title)}: {ALONE}", "Open a file")
        return
    parts.sample_note_at_desk(dataset)
    with opening.choosers():
        asking.choosers(dataset, roles)
    show(dataset, asking.raters_report(dataset, roles))


def show(dataset: state.Dataset, report: RatersReport) -> None:
    parts.declaration(header(report), citation(report, report.pooled.judged))
    if not report.pooled.n_pairable:
        st.info(pairs.NOTHING_SHARED, icon=":material/info:")
        as_lines.section(dataset, numbers.view(dataset, report))
        return
    headline = partial(parts.headline, numbers.headline(report))
    evidence = gate.gate_evidence(dataset, report)
    drawings = [headline, partial(gate.figure, report, evidence)]
    views = {
        "pairs": partial(pairs.section, dataset, report),
        "ceiling": partial(ceiling.section, dataset, report),
        "disagreements": partial(disagreements.section, dataset, report),
    }
    if state.in_room_view():
        halves = [partial(pairs.section, dataset, report, shown=(half,)) for half in get_args(pairs.Half)]
        stage.one_at_a_time([*drawings, *halves, views["ceiling"]])
        return
    numbers.warnings(report)
    for draw in drawings:
        draw()
    numbers.same(report)
    gate.evidence(dataset, report, evidence)
    questions.one_of("Show", VIEWS, asking.SHOW)
    views[questions.held(asking.SHOW, tuple(VIEWS))]()
    numbers.downloads(report)
    as_lines.section(dataset, numbers.view(dataset, report))


page()
