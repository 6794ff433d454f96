"""How well can the judge tell the positive from the negative label, and at which cut?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.roc.provenance import citation, header
from metrics.analyses.roc.readings import weighted_notes
from metrics.data.labels import DEFAULT_NEGATIVE, DEFAULT_POSITIVE
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared.plain import escape, short
from pages.shared.roc import asking, numbers, plot
from pages.shared.scores.asking import ordered


def page() -> None:
    opening.page(_question(state.dataset()), answer)


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    if dataset.ratings.scheme.scale != "binary":
        _classes(dataset)
        return
    state.translate(asking.NAMES)
    report = asking.report(dataset, chosen)
    parts.sample_note_at_desk(dataset)
    with opening.choosers():
        asked = asking.choosers(dataset, chosen, report)
    show(asked)


def _question(dataset: state.Dataset | None) -> str:
    if dataset is not None and dataset.ratings.scheme.scale != "binary":
        return "How well does the judge separate one label from another, and at which threshold?"
    yes, no = (DEFAULT_POSITIVE, DEFAULT_NEGATIVE) if dataset is None else dataset.ratings.scheme.classes
    return f"How well does the judge separate **{short(yes)}** from **{short(no)}**, and at which threshold?"


def _classes(dataset: state.Dataset) -> None:
    parts.sample_note(dataset)
    classes = len(dataset.ratings.scheme.classes)
    why = f"A ROC curve separates one positive from one negative label, and {escape(dataset.title)} has {classes} classes."
    if ordered(dataset.ratings) is not None:
        st.info(f"{why} They have an order: *Scores* takes each of them as the threshold.", icon=":material/info:")
        parts.scores_link()
        return
    parts.lacking(f"{why} Say on the Data page which label is positive and which is negative.", "Say what the labels mean")


def show(asked: asking.RocView) -> None:
    where = asked.report, asked.chosen.judge, asked.criterion
    parts.declaration(header(*where), citation(*where))
    if asked.judge.refused:
        parts.refused(InputError(asked.judge.refused))
        return
    headline = partial(parts.headline, numbers.headline(asked))
    if state.in_room_view():
        stage.one_at_a_time([headline, *plot.drawings(asked)])
        return
    headline()
    parts.notes(weighted_notes(*where))
    plot.section(asked, plot.everyone(asked))
    plot.calibration(asked)
    numbers.table(asked)
    as_lines.section(asked.dataset, numbers.view(asked))


page()
