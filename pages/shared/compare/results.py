"""Comparisons of judges, kept for this session: what comes from an upload stays with the person who sent it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from metrics import Comparison, InputError, Ratings, compare, compare_all
from metrics.aggregation import Level
from metrics.figures.forest import ForestRow
from metrics.judging import Settings
from pages.shared import state


@dataclass(frozen=True)
class Asked:
    """What is compared; with the data set and the settings, all that a comparison rests on."""

    a: str
    b: str
    metric: str
    level: Level
    criterion: str | None


@dataclass(frozen=True, eq=False)
class Against:
    """All judges against a baseline, without the decisions behind them."""

    baseline: str
    best: bool
    reading: str
    rows: tuple[ForestRow, ...]
    frame: Any


def pair(its: state.Dataset, settings: Settings, asked: Asked) -> Comparison | InputError:
    return _pair(its.key, settings, asked, _ratings=its.ratings)


def against(its: state.Dataset, settings: Settings, asked: Asked, baseline: str | None) -> Against | InputError:
    """Every judge against the baseline; None takes the best on these data. `asked` gives metric, level and criterion."""
    every = Asked("", "", asked.metric, asked.level, asked.criterion)
    return _against(its.key, settings, every, baseline, _ratings=its.ratings)


@st.cache_resource(show_spinner=False, max_entries=24, scope="session", hash_funcs={Settings: repr, Asked: repr})
def _pair(key: tuple[str, object], settings: Settings, asked: Asked, _ratings: Ratings) -> Comparison | InputError:
    try:
        return compare(
            _ratings, asked.a, asked.b, asked.metric, level=asked.level, criterion=asked.criterion, **_options(settings)
        )
    except InputError as error:
        return error


@st.cache_resource(show_spinner=False, max_entries=24, scope="session", hash_funcs={Settings: repr, Asked: repr})
def _against(
    key: tuple[str, object], settings: Settings, asked: Asked, baseline: str | None, _ratings: Ratings
) -> Against | InputError:
    try:
        found = compare_all(_ratings, baseline, asked.metric, level=asked.level, criterion=asked.criterion, **_options(settings))
    except InputError as error:
        return error
    different = set(found.different())
    rows = tuple(
        ForestRow(
            one.b.name,
            one.difference,
            *(one.ends or (None, None)),
            value=one.b.value,
            p=holm if found.best else one.permutation.p,
            n=one.n_items,
            apart=one.b.name in different,
            reason=one.undefined or one.no_interval,
        )
        for one, holm in zip(found.against, found.holm, strict=True)
    )
    return Against(found.baseline, found.best, found.reading, rows, found.to_frame())


def _options(settings: Settings) -> dict[str, Any]:
    rule = settings.item_rule
    return {
        "abstention": settings.abstention,
        "reference": settings.reference,
        "item_rule": rule.rule,
        "threshold": rule.threshold,
        "weights": dict(rule.weights) or None,
        "confidence": settings.confidence,
    }
