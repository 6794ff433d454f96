"""Do the judges agree, and do they make the same mistakes?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.provenance import Header, citation_line
from metrics.analyses.raters.provenance import citation, header
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.raters.tables import pairs
from metrics.results.tables import in_full
from metrics.results.words import several
from pages.shared import as_lines, opening, parts, sheets, stage, state
from pages.shared import asking as questions
from pages.shared.compare import second
from pages.shared.ensemble import alike, asking, errors, growing, matrices, panel, runs, split
from pages.shared.plain import escape
from pages.shared.raters import asking as raters
from pages.shared.raters import numbers

ASKS = "Do the judges agree, and do they make the same mistakes?"
VIEWS = {
    "alike": "Which judges agree", "errors": "Wrong on the same items", "growth": "Panel size", "matrices": "Matrices",
    "runs": "Repeated runs",
}  # fmt: skip
SECTIONS = {
    "alike": alike.section, "errors": errors.section, "growth": growing.section, "matrices": matrices.section,
    "runs": runs.section,
}  # fmt: skip
NO_JUDGE = "No judge is among the raters of this file. The page needs two judges or more on the same items."
COUNTS = "This is a table of counts: it does not say which items the judges saw. Open a file with one row per verdict."
NO_REFERENCE = "This file has no human label, so nothing here says who is right. What the judges share is below."
NONE_HERE = "No decision of these judges has a label of the reference, {}, so nothing here says who is right."
COSTS = " Any two of the three answers count as equally far apart; with other costs: Matrices."
ALPHA = "How far the judges agree beyond chance. It is no sign that they are right: judges can share their errors."


def answer(dataset: state.Dataset, _: state.Choices | None) -> None:
    parts.sample_note_at_desk(dataset)
    if not dataset.ratings.has_items:
        parts.lacking(COUNTS, "Open a file")
    elif not dataset.ratings.judges:
        parts.lacking(f"{escape(dataset.title)}: {NO_JUDGE}", "Assign roles")
    elif len(dataset.ratings.judges) > 1:
        show(dataset)
    else:
        second.needed(dataset)
        if runs.there(dataset):
            runs.section(dataset)


def show(dataset: state.Dataset) -> None:
    if not state.in_room_view():
        panel.section(dataset)
    with opening.choosers(), st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        questions.criterion(dataset.ratings.criteria, asking.CRITERION, 280, every=asking.EVERY, help_text=asking.CRITERION_HELP)
        raters.level(dataset)
    criterion, whole, by_scale = asking.criterion(dataset), asking.report(dataset), asking.by_scale(dataset)
    file_dataset, dataset, report = dataset, asking.dataset_on_criterion(dataset), whole.only(criterion)
    above = header(report, criterion)
    costs = COSTS if matrices.third(dataset) else ""
    against = f" Errors: against the reference, {asking.chosen_reference_phrase(dataset)}." if asking.judged(dataset) else ""
    above = replace(above, rest=f"{above.rest}{costs}{against}")
    parts.declaration(above, citation(report, "alpha", criterion))
    headline = partial(parts.headline, _headline(dataset, report, by_scale.only(criterion), above))
    known = _views(dataset)
    if state.in_room_view():
        stage.one_at_a_time([headline, *(partial(SECTIONS[name], dataset) for name in known)])
        return
    headline()
    numbers.same(report)
    if not asking.judged(dataset):
        lacking = NONE_HERE.format(escape(asking.chosen_reference_phrase(dataset))) if dataset.ratings.humans else NO_REFERENCE
        st.info(lacking, icon=":material/info:")
    questions.one_of("Show", VIEWS, asking.SHOW, options=known)
    view = st.container()
    split.section(dataset)
    _downloads(whole)
    as_lines.section(file_dataset, as_lines.View(asking.call(file_dataset), as_lines.path(*_where(criterion), ["alpha"])))
    # what may take seconds comes last, into its place above
    with view:
        SECTIONS[questions.held(asking.SHOW, known)](dataset)


def _where(criterion: str | None) -> tuple[str | list[str], ...]:
    return ("pooled",) if criterion is None else ("criteria", [criterion])


def _views(dataset: state.Dataset) -> list[str]:
    """Return what these data can show: without humans nobody errs, and without repeated runs nobody is asked twice."""
    judged = asking.judged(dataset)
    return [
        name for name in VIEWS
        if (judged or name in ("alike", "runs")) and (name != "runs" or runs.there(dataset))
    ]  # fmt: skip


def _headline(dataset: state.Dataset, report: RatersReport, by_scale: RatersReport, above: Header) -> list[parts.Headline]:
    block = report.pooled
    headlines = [
        replace(numbers.number_of(report, "alpha"), help=ALPHA, third=""),
        numbers.number_of(by_scale, by_scale.pooled.mean_kappa),
        parts.Headline(
            "Judges", f"{block.n_raters}", several(block.n_items, "decisions"), "Judges of the file; a panel of them is none.",
            third="" if block.n_pairable == block.n_items else f"{several(block.n_pairable, 'with two or more')}",
            citation=citation_line("judges", f"{block.n_raters}", above.provenance()),
        ),
    ]  # fmt: skip
    return [*headlines, errors.worth(asking.errors(dataset), above)] if asking.judged(dataset) else headlines


def _downloads(report: RatersReport) -> None:
    with st.container(horizontal=True):
        sheets.download("All numbers (CSV)", report.to_frame, "judges.csv", "ensemble.csv")
        sheets.download("κ of all pairs (CSV)", lambda: in_full(pairs(report)), "judge_pairs.csv", "ensemble.kappa_csv")


opening.page(ASKS, answer, of_one_side=True)
