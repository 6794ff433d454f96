"""Beside the corrected rate: a random labelled part, two models, and what the judge costs."""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.correcting.correction import RateDifference, compare_rates
from metrics.correcting.labelled_part import prediction_powered
from metrics.correcting.said import difference_reading, ends1, needed_reading, percent1, powered_reading
from metrics.words import bounds, count, p3, percent, points
from pages.shared import parts, state
from pages.shared.plain import emphasis, escape, sentence
from pages.shared.rate.asking import MOST, Asked, from_file

SHOW = "rate_show"
NAMES = {"models": "Two models", "needed": "Answers needed", "part": "A random part is labelled"}
FIRST, SECOND = "model 1", "model 2"
NO_REST = (
    "This file has no answers that only the judge has judged. Where it has, and the labelled ones are a random part, the human "
    "labels and the judge’s verdicts together give a narrower interval that assumes nothing about the judge."
)
MODELS = {"rate_k1": ("Model 1: positive", 120), "rate_n1": ("Model 1: answers", 500), "rate_k2": ("Model 2: positive", 170),
          "rate_n2": ("Model 2: answers", 500)}  # fmt: skip


def section(one: Asked) -> None:
    state.translate({SHOW: NAMES})
    st.segmented_control(
        "Show", list(NAMES), default="models", required=True, format_func=lambda name: NAMES.get(name, name), key=SHOW,
        bind="query-params", persist_state="session",
    )  # fmt: skip
    {"models": _models, "needed": _needed, "part": _part}[shown()](one)


def shown() -> str:
    held = st.session_state.get(SHOW)
    return held if held in NAMES else "models"


def _number(label: str, low: int, start: int, key: str, most: int = MOST) -> int:
    held = st.number_input(label, low, most, start, key=key, bind="query-params", persist_state="session", width=150)
    return int(held)


def _models(one: Asked) -> None:
    with parts.heading(
        "Two models, one judge", "true rate of model 2 less that of model 1, with what the golden set leaves open"
    ):
        pass
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_models"):
        k1, n1, k2, n2 = (_number(name, int("answers" in name), start, key) for key, (name, start) in MODELS.items())
        same = st.checkbox("Same prompts", key="rate_same", bind="query-params", persist_state="session")
        both = _number("Both positive", 0, 100, "rate_both") if same else None
    try:
        found = compare_rates((k1, n1), (k2, n2), one.found.golden, both=both, confidence=one.found.confidence)
    except InputError as error:
        st.error(sentence(str(error)), icon=":material/error:")
        return
    _difference(found)


def _difference(found: RateDifference) -> None:
    test = "McNemar, exact" if found.paired else "two shares, pooled"
    columns = {
        "": ["as measured", "true, corrected"],
        "difference": [points(found.raw), points(found.difference)],
        "interval": ["–", escape(bounds(found.ends, "points"))],
        "p of no difference": [f"{escape(p3(found.p))} ({test})", "the same"],
    }
    st.table(columns, hide_index=True, alt="Difference of two models")
    parts.reading(escape(difference_reading(found, FIRST, SECOND)))


def _needed(one: Asked) -> None:
    with parts.heading("What this judge costs", "answers per model that tell two true rates apart, independent answers"):
        pass
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_needed"):
        low, high = _number("First true rate, %", 0, 15, "rate_x1", 100), _number("Second true rate, %", 0, 25, "rate_x2", 100)
    if low == high:
        st.info("Two equal rates cannot be told apart. Choose two.", icon=":material/info:")
    elif one.found.golden.refusal():
        st.error(sentence(one.found.golden.refusal()), icon=":material/error:")
    else:
        parts.reading(escape(needed_reading(one.found.golden, low / 100, high / 100, one.found.confidence)))


def _part(one: Asked) -> None:
    with parts.heading("Where the labelled items are a random part", "prediction-powered estimate beside the corrected rate"):
        pass
    own = one.measured
    if own is None or not from_file(own):
        st.info(NO_REST, icon=":material/info:")
        return
    found = prediction_powered(own.golden.counts, own.alone_positive, own.alone, confidence=one.found.confidence)
    refused = bool(one.found.refused)
    columns = {
        "estimate": ["human labels alone", "human labels and judge", "judge alone, corrected"],
        "rate": [percent1(found.labels_alone), percent1(found.value), percent1(one.found.value)],
        f"{percent(found.confidence)} interval": [
            escape(ends1(found.labels_ends)), escape(ends1(found.ends)), "refused" if refused else escape(ends1(one.found.ends)),
        ],
        "rests on": [f"{count(found.n_labelled)} labels", "a random labelled part", "TPR and FPR that carry over"],
    }  # fmt: skip
    st.table(columns, hide_index=True, alt="Three estimates of the rate")
    parts.reading(powered_reading(found, one.positive, name=emphasis))
