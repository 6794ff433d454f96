"""What judges are chosen for: where they come from, the benchmark, the difference to detect, the metric they are ranked by."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics import InputError, Ratings
from metrics.choices import Settings
from metrics.choosing.candidates import BA, NAMES, RANKED, SNR
from metrics.choosing.ranking import Ranking, rank_judges, rank_tables, reports_of
from metrics.correcting.measured import measured
from metrics.results import JudgeReport
from pages.shared import asking, cached, intervals, state

JUDGES, AT, APART, BY, CRITERION = (f"choose_{name}" for name in ("judges", "at", "apart", "by", "criterion"))
TABLES = {"table1": "Collot et al., Table 1", "table2": "Collot et al., Table 2"}
HERE = "This file"
START = 10.0


def usable(its: state.Dataset | None, chosen: state.Choices | None) -> bool:
    return its is not None and chosen is not None and len(its.ratings.scheme.classes) == 2


def source(its: state.Dataset | None, chosen: state.Choices | None) -> str:
    """`file`, or the published table the judges come from."""
    held = st.session_state.get(JUDGES)
    if held in TABLES:
        return str(held)
    return "file" if usable(its, chosen) else "table2"


def choosers(its: state.Dataset | None, chosen: state.Choices | None) -> None:
    """The parts of the question; each stands in the address."""
    names = ({"file": HERE} if usable(its, chosen) else {}) | TABLES
    state.translate({JUDGES: names, BY: NAMES})
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose_choices"):
        st.selectbox(
            "Judges from", list(names), format_func=lambda name: names.get(name, name), key=JUDGES,
            bind="query-params", persist_state="session", width=220,
        )  # fmt: skip
        st.number_input(
            "Benchmark prevalence, %", 1.0, 99.0, None, step=1.0, format="%g", key=AT, placeholder="golden set’s", width=190,
            help="How common the positive label is where models will be compared. Once stated, judges are ranked by SNR there.",
            bind="query-params", persist_state="session",
        )  # fmt: skip
        st.number_input(
            "Difference to detect, points", 1.0, 50.0, START, step=1.0, format="%g", key=APART, width=190,
            help="How far apart two models’ true rates are that should be told from each other with power 80 %.",
            bind="query-params", persist_state="session",
        )  # fmt: skip
        st.selectbox(
            "Ranked by", list(RANKED), None, format_func=lambda key: NAMES.get(key, key), key=BY,
            placeholder=NAMES[SNR] if prevalence() is not None else NAMES[BA],
            help="Signal to noise where the benchmark’s prevalence is stated, else balanced accuracy.",
            bind="query-params", persist_state="session", width=190,
        )  # fmt: skip
        if its is not None and source(its, chosen) == "file":
            asking.criterion(its.ratings.criteria, CRITERION, 180)


def prevalence() -> float | None:
    held = st.session_state.get(AT)
    return None if held is None else float(held) / 100


def asked(its: state.Dataset | None, chosen: state.Choices | None) -> Ranking | InputError:
    """The ranking as it is asked for, or why there is none."""
    by = st.session_state.get(BY)
    by = by if by in RANKED else None
    apart = float(st.session_state.get(APART) or START) / 100
    where = source(its, chosen)
    try:
        if where in TABLES or its is None or chosen is None:
            return _published(where, prevalence(), apart, by)
        settings = intervals.jackknifed(its).added_to(replace(chosen.settings(), judges=its.ratings.judges))
        if settings.abstention == "as_category":
            settings = replace(settings, abstention="exclude")
        held = st.session_state.get(CRITERION)
        criterion = held if held in its.ratings.criteria and len(its.ratings.criteria) > 1 else None
        return _ranked(its.key, settings, prevalence(), apart, by, criterion, _ratings=its.ratings)
    except InputError as error:
        return error


@st.cache_resource(show_spinner=False, max_entries=24, scope="session", hash_funcs={Settings: repr})
def _ranked(
    key: tuple[str, object], settings: Settings, at: float | None, apart: float, by: str | None, criterion: str | None,
    _ratings: Ratings,
) -> Ranking:  # fmt: skip
    reports = _reports(key, settings, _ratings=_ratings)
    return rank_judges(_ratings, settings, prevalence=at, difference=apart, by=by, criterion=criterion, reports=reports)


@st.cache_resource(show_spinner=False, max_entries=8, scope="session", hash_funcs={Settings: repr})
def _reports(key: tuple[str, object], settings: Settings, _ratings: Ratings) -> dict[str, JudgeReport]:
    return reports_of(_ratings, settings)


@st.cache_resource(show_spinner=False, max_entries=24)
def _published(where: str, at: float | None, apart: float, by: str | None) -> Ranking:
    found = {}
    for letter in ("a", "b"):
        ratings = cached.sample(f"collot_{where}_{letter}")
        found[f"Judge {letter.upper()}"] = measured(ratings, ratings.judges[0], Settings()).golden.counts
    return rank_tables(found, prevalence=at, difference=apart, by=by, labels=("violation", "no violation"))
