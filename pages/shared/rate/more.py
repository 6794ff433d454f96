"""Beside the corrected rate: two models, what the judge costs, a random labelled part."""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.judge_selection.readings import answers_words
from metrics.analyses.labelling import Verification
from metrics.analyses.true_rate.compute import RateDifference, compare_rates
from metrics.analyses.true_rate.measured import prediction_powered
from metrics.analyses.true_rate.readings import difference_reading, needed, needed_reading, powered_reading
from metrics.results.words import TENTHS, bounds, count, estimate, percent, percent1
from pages.shared import asking, parts, sheets
from pages.shared.plain import emphasis, escape, sentence
from pages.shared.rate.asking import RateView, number

SHOW = "rate_show"
NAMES = {"models": "Two models", "needed": "Answers needed", "part": "A random part is labelled"}
FIRST, SECOND = "model 1", "model 2"
MADE_UP = "Example: the counts of both models come from no data. Type your own."
NO_REST = (
    "This file has no answers that only the judge has judged, and no measured rate is typed. With either, and golden items that "
    "are a random part of the same answers, human labels and verdicts together give a narrower interval that assumes nothing "
    "about the judge."
)
MODELS = {"rate_k1": ("Model 1: positive", 120), "rate_n1": ("Model 1: answers", 500), "rate_k2": ("Model 2: positive", 170),
          "rate_n2": ("Model 2: answers", 500)}  # fmt: skip


def section(request: RateView) -> None:
    asking.one_of("Show", NAMES, SHOW)
    {"models": _models, "needed": _needed, "part": _part}[asking.held(SHOW, tuple(NAMES))](request)


def _heading(text: str, below: str) -> None:
    parts.lone_heading(text, below)


def _refused(why: str) -> None:
    st.error(sentence(why), icon=":material/block:")


def _models(request: RateView) -> None:
    _heading("Two models, one judge", "each model’s rate as measured and as it is, and their difference")
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_models"):
        k1, n1, k2, n2 = (number(name, int("answers" in name), start, key) for key, (name, start) in MODELS.items())
        same = st.checkbox("Same prompts", key="rate_same", **asking.BOUND)
        both = number("Both positive", 0, 100, "rate_both") if same else None
    made_up = all(st.session_state.get(key, start) == start for key, (_, start) in MODELS.items())
    if made_up:
        st.markdown(MADE_UP)
    names = (f"example {FIRST}", f"example {SECOND}") if made_up else (FIRST, SECOND)
    labelled = request.measured.verification if request.measured else None
    confidence = request.corrected.confidence
    try:
        rate_difference = compare_rates(
            (k1, n1), (k2, n2), request.corrected.golden, both=both, confidence=confidence, labelled=labelled
        )
    except InputError as error:
        st.error(sentence(str(error)), icon=":material/error:")
        return
    _difference(rate_difference, names)


def _difference(rate_difference: RateDifference, names: tuple[str, str]) -> None:
    level = f"{percent(rate_difference.confidence)} interval"
    columns = {
        "model": [*names, "difference"],
        f"as measured, {level}": [
            *(escape(estimate(model.raw, TENTHS)) for model in rate_difference.models),
            escape(estimate(rate_difference.raw, "points")),
        ],
        f"true, {level}": [
            *(escape(estimate(model, TENTHS)) for model in rate_difference.models),
            escape(estimate(rate_difference.difference, "points")),
        ],
    }  # fmt: skip
    sheets.show(
        columns, "The two models (CSV)", "two_models.csv", "rate.models_csv", alt="Rates of two models and their difference"
    )
    parts.reading(escape(difference_reading(rate_difference, *names)))


def _needed(request: RateView) -> None:
    _heading(
        "What this judge costs",
        "answers per model that distinguish two true rates with power 80 %, independent answers, TPR and FPR taken as exact",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_needed"):
        low, high = (
            number("First true rate, %", 0, 15, "rate_x1", most=100),
            number("Second true rate, %", 0, 25, "rate_x2", most=100),
        )
    golden = request.corrected.golden
    if low == high:
        st.info("Two equal rates cannot be distinguished. Choose two.", icon=":material/info:")
        return
    if request.refusal:
        _refused(request.refusal)
        return
    answers = needed(golden, low / 100, high / 100, request.corrected.confidence)
    columns = {"judge": ["this judge", "one that never errs"], "answers per model": [answers_words(each) for each in answers]}
    sheets.show(columns, "Answers needed (CSV)", "answers_needed.csv", "rate.needed_csv", alt="Answers per model")
    parts.reading(escape(needed_reading(golden, low / 100, high / 100, request.corrected.confidence)))


def _part(request: RateView) -> None:
    _heading(
        "Where the golden items are a random part of the same answers",
        "prediction-powered estimate, which then takes the place of the corrected rate",
    )
    if request.rate in ("judge", "example") and request.measured is not None:
        st.info(NO_REST, icon=":material/info:")
        return
    corrected = request.corrected
    labelled = Verification.of(corrected.golden.counts, corrected.judge_positive, corrected.n)
    try:
        powered = prediction_powered(
            corrected.golden, corrected.judge_positive, corrected.n, confidence=corrected.confidence, labelled=labelled
        )
    except InputError as error:
        _refused(str(error))
        return
    estimates = (powered.labels_alone, powered, corrected)
    columns = {
        "estimate": ["human labels alone", "human labels and judge", "judge alone, corrected"],
        "rate": [percent1(rate_estimate.value) for rate_estimate in estimates],
        f"{percent(powered.confidence)} interval": [
            escape(bounds(rate_estimate.ends, TENTHS, without="refused")) for rate_estimate in estimates],
        "assumes": ["a random labelled part", "a random labelled part", "TPR and FPR that carry over"],
        "rests on": [
            f"{count(powered.n_labelled)} labels",
            f"{count(powered.n_labelled)} labels and {count(powered.n_unlabelled)} verdicts",
            f"{count(powered.n_unlabelled)} verdicts and the golden set",
        ],
    }  # fmt: skip
    sheets.show(columns, "Three estimates (CSV)", "estimates.csv", "rate.part_csv", alt="Three estimates of the rate")
    parts.reading(powered_reading(powered, request.positive, name=emphasis))
    if request.measured and request.measured.note:
        st.markdown(escape(request.measured.note))
