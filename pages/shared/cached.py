"""Cached calls. What comes from an upload stays in its session; global caches hold bundled samples only."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

import metrics
from metrics.analyses.agreement.compute import Settings, agreement_of
from metrics.data.abstention import Mode
from metrics.readers.opening import open_table
from metrics.readers.table import TextTable
from pages.shared.intervals import Intervals
from pages.shared.view import Choices, Dataset

Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., object])
ASSETS = Path(__file__).resolve().parents[2] / "assets"


def of_file(max_entries: int, show_spinner: bool | str = False) -> Callable[[Function], Function]:
    """Keep in the session what a function makes of a data set, known by its `key`, and of other arguments."""
    known_by = {Dataset: lambda dataset: repr(dataset.key), Settings: repr}  # one text: Streamlit hashes a tuple part by part
    return st.cache_resource(show_spinner=show_spinner, max_entries=max_entries, scope="session", hash_funcs=known_by)


def once(function: Callable[..., Value], dataset: Dataset, *asked: object, **named: object) -> Value:
    """Return what a function makes of the ratings of a data set and of what is asked, worked out once in the session."""
    value: Value = _once(f"{function.__module__}.{function.__qualname__}", dataset, asked, named, function)
    return value


@of_file(max_entries=128)
def _once(name: str, dataset: Dataset, asked: tuple[Any, ...], named: dict[str, Any], _function: Callable[..., Any]) -> Any:
    return _function(dataset.ratings, *asked, **named)


@cache
def samples() -> dict[str, dict[str, str]]:
    """Return records of the bundled samples by id."""
    return {record["id"]: record for record in json.loads((ASSETS / "samples.json").read_text("utf-8"))}


@st.cache_resource(show_spinner=False, max_entries=32, scope="session")
def sample(name: str) -> metrics.Ratings:
    # What is worked out from the choices of one session is kept with its ratings, and goes with them.
    return replace(_sample(name), memo={})


@st.cache_resource(show_spinner=False, max_entries=32)
def _sample(name: str) -> metrics.Ratings:
    return metrics.read(ASSETS / samples()[name]["file"])


def is_bundled(dataset: Dataset) -> bool:
    """Return whether a data set is a sample as it comes: with all its items, no panel beside its judges, no handling chosen."""
    return dataset.kind == "sample" and dataset.ratings is sample(dataset.id)


@st.cache_resource(show_spinner=False, max_entries=64, hash_funcs={Settings: repr})
def of_sample(name: str, settings: Settings, what: str, _compute: Callable[[metrics.Ratings, Settings], Value]) -> Value:
    """Return what is worked out of a sample as it comes, once for everybody who opens it.

    Parameters
    ----------
    name : str
    settings : Settings
    what : str
        Names what is worked out.
    """
    return _compute(replace(_sample(name), memo={}), settings)


@st.cache_resource(show_spinner=False, max_entries=32, scope="session")
def sample_table(name: str) -> TextTable:
    return replace(_sample_table(name), memo={})


@st.cache_resource(show_spinner=False, max_entries=32)
def _sample_table(name: str) -> TextTable:
    path = ASSETS / samples()[name]["file"]
    return open_table(path.read_bytes(), path.name)


@st.cache_data(show_spinner=False, max_entries=1)
def template() -> bytes:
    return (ASSETS / "template.csv").read_bytes()


def report(
    dataset: Dataset, choices: Choices, mode: Mode | None = None, intervals: Intervals | None = None
) -> metrics.AgreementReport:
    """Return agreement of the chosen judge, in the chosen mode or another, with default intervals or others."""
    settings = choices.settings(mode)
    return _report(dataset, intervals.added_to(settings) if intervals else settings)


def whole_report(dataset: Dataset, choices: Choices, intervals: Intervals | None = None) -> metrics.AgreementReport:
    """Return agreement of every judge, for downloads."""
    settings = choices.settings()
    return _compute(dataset.ratings, intervals.added_to(settings) if intervals else settings, dataset.ratings.judges)


@of_file(max_entries=64)
def _report(dataset: Dataset, settings: Settings) -> metrics.AgreementReport:
    return _compute(dataset.ratings, settings, settings.judges)


def _compute(ratings: metrics.Ratings, settings: Settings, judges: tuple[str, ...]) -> metrics.AgreementReport:
    return agreement_of(ratings, replace(settings, judges=judges))
