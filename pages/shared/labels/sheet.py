"""What to label next: the items, and the blind sheet to take away."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError, LabelPlan, label_next
from metrics.analyses.sampling.readings import blind_words, drawn_words, spared_words, strata
from metrics.report.label_sheet import FORMS, sheet_file
from metrics.results.tables import as_text
from pages.shared import asking, cached, parts, sheets, state
from pages.shared.plain import escape, sentence

N, PURPOSE, CRITERION = "labels.next_n", "labels.next_for", "labels.next_criterion"
PURPOSES = {"kappa": "Narrower κ", "rare": "The rarer label", "difference": "Two judges apart"}
MIMES = {
    "csv": "text/csv", "html": "text/html",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
NAMES = {"csv": "Sheet (CSV)", "xlsx": "Sheet with a list of labels (Excel)", "html": "Sheet to print (HTML)"}
N_HELP = "They are drawn from those that the judge answered and nobody labelled."
START, MOST = 100, 5000


def section(dataset: state.Dataset, chosen: state.Choices) -> None:
    """The questions, the strata, what they spare and the sheets; where there is nothing to draw, why."""
    parts.lone_heading("What to label next", "items that nobody labelled yet · drawn by what judges say of them")
    purposes = [key for key in PURPOSES if key != "difference" or len(dataset.ratings.judges) > 1]
    with st.container(horizontal=True, key="labels_next"):
        asking.one_of("For", {key: PURPOSES[key] for key in purposes}, PURPOSE)
        asking.criterion(dataset.ratings.criteria, CRITERION, 180)
        n = int(st.number_input("Items", 10, MOST, START, step=10, key=N, help=N_HELP, width=125, **asking.BOUND))
    purpose, criterion = asking.held(PURPOSE, purposes), asking.chosen_criterion(dataset.ratings.criteria, CRITERION)
    wanted = {"purpose": purpose, "judge": chosen.judge, "criterion": criterion, "reference": chosen.reference}
    try:
        plan = _plan(dataset, n, tuple(wanted.items()))
    except InputError as error:
        st.markdown(sentence(str(error)))
        return
    _show(plan)


@cached.of_file(max_entries=8, show_spinner="Drawing items")
def _plan(dataset: state.Dataset, n: int, wanted: tuple[tuple[str, str | None], ...]) -> LabelPlan:
    return label_next(dataset.ratings, n, **dict(wanted))  # type: ignore[arg-type]


def _show(plan: LabelPlan) -> None:
    parts.reading(escape(drawn_words(plan)))
    st.markdown(escape(spared_words(plan)))
    parts.rows(as_text(strata(plan)), len(plan.strata), "strata", "labels.next_strata", height="content")
    if state.in_room_view():
        return
    with st.container(horizontal=True, gap="small", key="labels_next_sheets"):
        for form in FORMS:
            sheets.button(NAMES[form], partial(sheet_file, plan, form), f"label_next.{form}", f"labels.next_{form}", MIMES[form])
    parts.notes([blind_words()])
