"""What the rate is asked for: the golden set, the measured rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import Header, citation, header
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import Corrected, at_every_rate, correct_prevalence
from metrics.analyses.true_rate.golden import Golden, golden_rates, golden_set
from metrics.analyses.true_rate.measured import Measured, measured
from metrics.analyses.true_rate.readings import Origin
from metrics.data.labels import DEFAULT_POSITIVE
from metrics.results.words import shorten
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.plain import escape

FROM, CRITERION, SOURCE = "rate_from", "rate_criterion", "rate_measured"
POSITIVE, ANSWERS = "rate_positive", "rate_answers"
CELLS = {"rate_tp": ("TP", 63), "rate_fn": ("FN", 20), "rate_fp": ("FP", 133), "rate_tn": ("TN", 784)}
CELL_WORDS = {
    "TP": "both positive", "FN": "the human positive, the judge negative", "FP": "the human negative, the judge positive",
    "TN": "both negative",
}  # fmt: skip
RATES = {
    "rate_tpr": ("TPR, %", 76.0, "Of the golden positives, the share the judge finds."),
    "rate_fpr": ("FPR, %", 15.0, "Of the golden negatives, the share the judge calls positive."),
}
SIZES = {
    "rate_positives": ("Golden positives", 83, "Golden items the human calls positive: how well TPR is known."),
    "rate_negatives": ("Golden negatives", 917, "Golden items the human calls negative: how well FPR is known."),
}
MEASURED, SETTLED, RATES_CALLED = map(as_lines.named, (measured, settings_of, golden_rates))
BY_HAND = {"typed": "Counts", "rates": "Rates"}
HOW = "What is known of the judge: its decisions in this file, or what you type: counts, or rates with the items behind them."
SOURCES = {"file": "Rest of the file", "typed": "By hand"}
SOURCE_HELP = "Answers of the file that the judge has judged and no human has, or a rate from elsewhere."
SHORT = 18
"""Letters of a judge's name on a button that has to stand beside others on a phone."""
MOST = 10_000_000
TYPED = (340, 1000)
"""A measured rate as an example, where the golden set is no file's."""
CELL_HELP = "Golden items by what the human and the judge said: {}."


@dataclass(frozen=True, eq=False)
class RateView:
    """The corrected rate and what it rests on.

    Attributes
    ----------
    measured : Measured or None
        None where the golden set is typed.
    golden : Origin
        Where the golden set comes from; `judge` where it is the file's.
    rate : Origin
        Where the measured rate comes from.
    """

    corrected: Corrected
    measured: Measured | None
    golden: Origin
    rate: Origin
    judge: str
    positive: str
    header: Header | None
    citation: str

    @property
    def refusal(self) -> str:
        """Return why the golden set allows no correction, whatever was measured; empty where it does."""
        return (self.measured.verification.refusal() if self.measured else "") or self.corrected.golden.refusal()

    @property
    def same(self) -> bool:
        """Whether the rate was measured on the golden set itself."""
        return self.rate == "judge"

    @property
    def example(self) -> bool:
        """Whether a number on the page comes neither from the file nor from the user."""
        return "example" in (self.golden, self.rate)


def golden_from(dataset: state.Dataset | None, chosen: state.Choices | None) -> str:
    """Return `judge`, how the golden set is typed, or `none` where the file in view has no golden set."""
    held = st.session_state.get(FROM)
    if held in BY_HAND:
        return str(held)
    if dataset is None:
        return "typed"
    return "none" if chosen is None or not state.two_labels(dataset) else "judge"


def choosers(dataset: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Where the golden set comes from, and the measured rate; each answer stands in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_choices"):
        named = "This file" if chosen is None or not state.two_labels(dataset) else f"From {escape(shorten(chosen.judge, SHORT))}"
        file_options = {} if dataset is None else {"none" if named == "This file" else "judge": named}
        state.translate({FROM: file_options | BY_HAND, SOURCE: SOURCES})
        asking.one_of("Golden set", file_options | BY_HAND, FROM, help=HOW)
        match golden_from(dataset, chosen):
            case "none":
                return
            case "typed":
                for key, (name, start) in CELLS.items():
                    number(name, 0, start, key, CELL_HELP.format(CELL_WORDS[name]), 115)
            case "rates":
                _rates()
            case _ if dataset is not None:
                help_text = "On one criterion every item counts once, as the interval assumes."
                asking.criterion(dataset.ratings.criteria, CRITERION, 200, help_text=help_text)
        golden_data = data(dataset, chosen)
        rest = isinstance(golden_data, Measured) and golden_data.has_rest
        if rest:
            asking.one_of("Measured rate", SOURCES, SOURCE, help=SOURCE_HELP)
        if not rest or asking.held(SOURCE, tuple(SOURCES)) == "typed":
            k, n = golden_data.start if isinstance(golden_data, Measured) else TYPED
            _counted("Judge said positive", 0, k, POSITIVE, "Answers without human labels that the judge called positive.")
            _counted("Answers judged", 1, n, ANSWERS, "Answers without human labels that the judge has judged.")


def _counted(label: str, low: int, start: int, key: str, help_text: str) -> None:
    """A count that stays empty until it is typed, so that it never carries over from one file to the next."""
    st.number_input(
        label, low, MOST, None, step=1, key=key, help=help_text, width=150, placeholder=str(start), **asking.BOUND
    )  # fmt: skip


def number(label: str, low: int, start: int, key: str, help_text: str | None = None, width: int = 150, most: int = MOST) -> int:
    """Return a whole number that stands in the address."""
    held = st.number_input(label, low, most, start, key=key, help=help_text, width=width, **asking.BOUND)
    return int(held)


def _rates() -> None:
    for key, (name, share, help_text) in RATES.items():
        st.number_input(
            name, 0.0, 100.0, share, step=1.0, format="%g", key=key, help=help_text, width=115, **asking.BOUND
        )  # fmt: skip
    for key, (name, start, help_text) in SIZES.items():
        number(name, 1, start, key, help_text)


def data(dataset: state.Dataset | None, chosen: state.Choices | None) -> Measured | InputError | None:
    """Return golden and unlabelled answers of the file; None where the golden set is typed."""
    if dataset is None or chosen is None or golden_from(dataset, chosen) != "judge":
        return None
    settings = intervals.jackknife_settings(dataset, chosen)
    try:
        criterion = asking.chosen_criterion(dataset.ratings.criteria, CRITERION)
        return cached.once(measured, dataset, chosen.judge, settings, criterion)
    except InputError as error:
        return error


def rate_view(dataset: state.Dataset | None, chosen: state.Choices | None) -> RateView | InputError:
    """Return the corrected rate, or why nothing can be said."""
    golden_data = data(dataset, chosen)
    if isinstance(golden_data, InputError):
        return golden_data
    k, n, rate = _rate(golden_data)
    confidence = intervals.jackknifed(dataset).confidence if dataset is not None else 0.95
    try:
        if golden_data is None:
            word = dataset.ratings.scheme.classes[0] if dataset is not None and state.two_labels(dataset) else DEFAULT_POSITIVE
            how = golden_from(dataset, chosen)
            corrected = correct_prevalence(k, n, _typed(how, confidence), confidence=confidence)
            return RateView(corrected, None, "example" if _untouched(how) else "typed", rate, "in question", word, None, "")
        corrected = correct_prevalence(k, n, golden_data.golden, confidence=confidence, labelled=golden_data.verification)
    except InputError as error:
        return error
    return RateView(
        corrected,
        golden_data,
        "judge",
        rate,
        golden_data.judge,
        golden_data.labels[0],
        *_provenance(dataset, chosen, golden_data),
    )


def view(dataset: state.Dataset | None, chosen: state.Choices | None, request: RateView) -> as_lines.View:
    """Return the call that corrects the rate, and where the measured one is."""
    corrected = request.corrected
    own = {"judge_positive": corrected.judge_positive, "n": corrected.n, "confidence": corrected.confidence}
    if dataset is None or chosen is None or request.measured is None:
        own["golden"] = _golden_call(golden_from(dataset, chosen), corrected.confidence)
    else:
        settings = as_lines.call(SETTLED, intervals.jackknife_settings(dataset, chosen), dataset)
        given = {"judge": chosen.judge, "settings": settings, "criterion": request.measured.criterion}
        own["golden"] = as_lines.Call(MEASURED, given, name="known", part=".golden")
        own["labelled"] = as_lines.Name("known.verification")
    return as_lines.View(as_lines.Call("correct_prevalence", own, ()), as_lines.path("raw"))


def every_rate(request: RateView) -> list[Corrected]:
    """Return what stands behind each rate that the judge can measure on these answers."""
    corrected, labelled = request.corrected, request.measured.verification if request.measured else None
    return at_every_rate(corrected.n, corrected.golden, corrected.confidence, labelled, also=corrected.judge_positive)


def in_address(request: RateView, rates: Sequence[Corrected]) -> dict[str, list[str]]:
    """Return what the address calls each rate that is typed."""
    counts = {POSITIVE: [str(rate.judge_positive) for rate in rates], ANSWERS: [str(rate.n) for rate in rates]}
    return counts | ({SOURCE: [SOURCES["typed"]] * len(rates)} if _has_rest(request) else {})


def _has_rest(request: RateView) -> bool:
    return request.measured is not None and request.measured.has_rest


def put(request: RateView, rate: Corrected) -> None:
    """Take a rate as if it were typed; for callbacks."""
    if _has_rest(request):
        st.session_state[SOURCE] = "typed"
    st.session_state.update({POSITIVE: rate.judge_positive, ANSWERS: rate.n})


def put_back() -> None:
    """Take the rate that the page begins with; for callbacks."""
    st.session_state.update({POSITIVE: None, ANSWERS: None})
    if st.session_state.get(SOURCE) is not None:
        st.session_state[SOURCE] = "file"


def _golden_call(how: str, confidence: float) -> object:
    """Return a typed golden set as it stands in a call."""
    if how == "rates":
        names = ("tpr", "fpr", "positives", "negatives")
        return as_lines.Call(RATES_CALLED, dict(zip(names, _typed_rates(), strict=True)) | {"confidence": confidence}, ())
    tp, fn, fp, tn = _typed_counts()
    return [[tp, fn], [fp, tn]]


def _rate(estimate: Measured | None) -> tuple[int, int, Origin]:
    """Return the measured rate and where it comes from: typed where somebody typed a part of it."""
    start, begun = (TYPED, "example") if estimate is None else (estimate.start, "rest" if estimate.has_rest else "judge")
    held = [st.session_state.get(key) for key in (POSITIVE, ANSWERS)]
    if (begun == "rest" and asking.held(SOURCE, tuple(SOURCES)) == "file") or held == [None, None]:
        return *start, begun
    k, n = (first if typed is None else int(typed) for typed, first in zip(held, start, strict=True))
    return k, n, "typed"


def _untouched(how: str) -> bool:
    """Return whether a typed golden set is still the one the page starts from."""
    starts = {key: start for key, (_, start, *_) in (RATES | SIZES if how == "rates" else CELLS).items()}
    return all(st.session_state.get(key, start) == start for key, start in starts.items())


def _typed(how: str, confidence: float) -> Golden:
    if how == "rates":
        return golden_rates(*_typed_rates(), confidence)
    tp, fn, fp, tn = _typed_counts()
    return golden_set([[tp, fn], [fp, tn]], confidence)


def _typed_rates() -> tuple[float, float, int, int]:
    """Return TPR, FPR, and the golden items of each class behind them."""
    held = st.session_state
    tpr, fpr = (float(held.get(key, start)) / 100 for key, (_, start, _) in RATES.items())
    positives, negatives = (int(held.get(key, start)) for key, (_, start, _) in SIZES.items())
    return tpr, fpr, positives, negatives


def _typed_counts() -> tuple[int, int, int, int]:
    tp, fn, fp, tn = (int(st.session_state.get(key, start)) for key, (_, start) in CELLS.items())
    return tp, fn, fp, tn


def _provenance(dataset: state.Dataset | None, chosen: state.Choices | None, estimate: Measured) -> tuple[Header | None, str]:
    if dataset is None or chosen is None:
        return None, ""
    report = cached.report(dataset, chosen, chosen.two_class_mode, intervals.jackknifed(dataset))
    where = report, chosen.judge, "micro", "youden_j", estimate.criterion
    return header(*where), citation(*where)
