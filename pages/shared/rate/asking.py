"""What the rate is asked for: the golden set, the measured rate, two models."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import InputError, Ratings
from metrics.choices import Settings
from metrics.correcting.correction import Corrected, correct_prevalence
from metrics.correcting.golden import golden_set
from metrics.correcting.measured import Measured, measured
from metrics.declaration import Header, copied, header
from metrics.labels import DEFAULT_POSITIVE
from pages.shared import asking, cached, intervals, state
from pages.shared.plain import short

FROM, CRITERION, POSITIVE, ANSWERS = (f"rate_{name}" for name in ("from", "criterion", "positive", "answers"))
CELLS = {"rate_tp": ("TP", 63), "rate_fn": ("FN", 20), "rate_fp": ("FP", 133), "rate_tn": ("TN", 784)}
MOST = 10_000_000
ENOUGH = 30
"""Fewer unlabelled answers than this are no evaluation set."""
TYPED = (340, 1000)
"""A measured rate to start from where the file holds no unlabelled answers."""
CELL_HELP = "Golden items by what the human and the judge said: {}."
CELL_WORDS = {
    "TP": "both positive", "FN": "the human positive, the judge negative", "FP": "the human negative, the judge positive",
    "TN": "both negative",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """The corrected rate and what it rests on.

    Attributes
    ----------
    measured : Measured or None
        None where the golden set is typed.
    """

    found: Corrected
    measured: Measured | None
    judge: str
    positive: str
    header: Header | None
    copied: str


def usable(its: state.Dataset | None) -> bool:
    return its is not None and len(its.ratings.scheme.classes) == 2


def typed(its: state.Dataset | None, chosen: state.Choices | None) -> bool:
    return chosen is None or not usable(its) or st.session_state.get(FROM) == "typed"


def choosers(its: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Where the golden set comes from, and the measured rate; the numbers stand in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="rate_choices"):
        if its is not None and chosen is not None and usable(its):
            names = {"judge": f"From {short(chosen.judge)}", "typed": "By hand"}
            st.segmented_control(
                "Golden set", list(names), default="judge", required=True, format_func=lambda name: names.get(name, name),
                key=FROM, persist_state="session",
            )  # fmt: skip
        if typed(its, chosen):
            for key, (name, start) in CELLS.items():
                _number(name, 0, start, key, CELL_HELP.format(CELL_WORDS[name]), 115)
        elif its is not None:
            help_text = "On one criterion every item counts once, as the interval assumes."
            asking.criterion(its.ratings.criteria, CRITERION, 200, help_text=help_text)
        own = data(its, chosen)
        if not (isinstance(own, Measured) and from_file(own)):
            _number("Judge said positive", 0, TYPED[0], POSITIVE, "Answers without human labels that the judge called positive.")
            _number("Answers judged", 1, TYPED[1], ANSWERS, "Answers without human labels that the judge has judged.")


def _number(label: str, low: int, start: int, key: str, help_text: str, width: int = 150) -> None:
    st.number_input(
        label, low, MOST, start, key=key, help=help_text, bind="query-params", persist_state="session", width=width
    )  # fmt: skip


def criterion(its: state.Dataset) -> str | None:
    held = st.session_state.get(CRITERION)
    return held if held in its.ratings.criteria and len(its.ratings.criteria) > 1 else None


def example(one: Asked) -> bool:
    """Whether the measured rate is still the one the page starts from."""
    return (one.found.judge_positive, one.found.n) == TYPED and not (one.measured is not None and from_file(one.measured))


def from_file(own: Measured) -> bool:
    """Whether the file itself holds the answers whose rate is asked for."""
    return own.alone >= ENOUGH


def data(its: state.Dataset | None, chosen: state.Choices | None) -> Measured | InputError | None:
    """Golden and unlabelled answers of the file; None where the golden set is typed."""
    if its is None or chosen is None or typed(its, chosen):
        return None
    settings = intervals.jackknifed(its).added_to(chosen.settings())
    try:
        return _measured(its.key, settings, criterion(its), _ratings=its.ratings)
    except InputError as error:
        return error


@st.cache_resource(show_spinner=False, max_entries=16, scope="session", hash_funcs={Settings: repr})
def _measured(key: tuple[str, object], settings: Settings, criterion: str | None, _ratings: Ratings) -> Measured:
    return measured(_ratings, settings.judges[0], settings, criterion)


def asked(its: state.Dataset | None, chosen: state.Choices | None) -> Asked | InputError:
    """The corrected rate, or why nothing can be said."""
    own = data(its, chosen)
    if isinstance(own, InputError):
        return own
    held = st.session_state
    k, n = int(held.get(POSITIVE, TYPED[0])), int(held.get(ANSWERS, TYPED[1]))
    try:
        if own is None:
            cells = [int(held.get(key, start)) for key, (_, start) in CELLS.items()]
            word = its.ratings.scheme.classes[0] if its is not None and usable(its) else DEFAULT_POSITIVE
            found = correct_prevalence(k, n, golden_set([cells[:2], cells[2:]]))
            return Asked(found, None, "in question", word, None, "")
        if from_file(own):
            k, n = own.alone_positive, own.alone
        confidence = intervals.jackknifed(its).confidence if its is not None else 0.95
        found = correct_prevalence(k, n, own.golden, confidence=confidence, labelled=own.verification)
    except InputError as error:
        return error
    return _with_header(its, chosen, own, found)


def _with_header(its: state.Dataset | None, chosen: state.Choices | None, own: Measured, found: Corrected) -> Asked:
    if its is None or chosen is None:
        return Asked(found, own, own.judge, own.labels[0], None, "")
    report = cached.report(its, chosen, chosen.two_class_mode, intervals.jackknifed(its))
    where = report, chosen.judge, "micro", "youden_j"
    return Asked(found, own, own.judge, own.labels[0], header(*where), copied(*where))
