"""Decisions taken as independent beside whole items: how much wider the truth is."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics import Ratings
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.planning.independence import Spread, spread_reading, spreads, why_alike
from metrics.data.aggregation import Level
from metrics.figures.spreads import alt, flat_beside_items
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, number, percent, shorten, value
from pages.shared import intervals, parts, sheets, state
from pages.shared.plain import escape, short

TITLE = "Flat or clustered?"


def section(its: state.Dataset, chosen: state.Choices, metric: str) -> None:
    """The two intervals of every metric that is mostly asked for; one sentence where they are the same."""
    settings = replace(chosen.settings(), confidence=intervals.jackknifed(its).confidence)
    why = why_alike(its.ratings, chosen.judge, settings, chosen.level)
    what = "flat: every decision on its own · items: all decisions on an item together"
    what += f" · {percent(settings.confidence)} intervals, both by jackknife"
    with parts.heading(TITLE, f"{shorten(chosen.judge)} · {what}" if len(its.ratings.judges) > 1 else what):
        pass
    if why:
        st.markdown(escape(why))
        return
    found = _spreads(its.key, settings, chosen.level, _ratings=its.ratings)
    parts.figure(flat_beside_items(found, theme=parts.theme(), scale=parts.scale()), "labels.flat", alt(found))
    parts.reading(escape(spread_reading(found, metric if any(one.metric == metric for one in found) else "kappa")))
    if not state.in_room_view():
        with st.expander("The same as a table: both intervals, design effect"):
            sheets.show(_table(found), "Both intervals (CSV)", "flat_or_clustered.csv", "labels.flat_csv", alt="Both intervals")
            st.markdown(
                "Design effect: variance with whole items over variance with independent decisions. "
                f"Above 1, intervals of {short(chosen.judge)} that take decisions as independent are too narrow. "
                "Where a cell is small, the intervals of the other pages are wider still."
            )


def _table(found: tuple[Spread, ...]) -> dict[str, list[str]]:
    units = [BY_KEY[one.metric].unit for one in found]
    return {
        "metric": [BY_KEY[one.metric].symbol.replace("_", "\\_") for one in found],
        "value": [value(one.flat.value, unit) for one, unit in zip(found, units, strict=True)],
        "flat": [escape(bounds(one.flat.ends, unit)) for one, unit in zip(found, units, strict=True)],
        "items": [escape(bounds(one.clustered.ends, unit)) for one, unit in zip(found, units, strict=True)],
        "flat is × as wide": [number(one.times) for one in found],
        "design effect": [number(one.effect) for one in found],
    }


@st.cache_resource(show_spinner=False, max_entries=24, scope="session", hash_funcs={Settings: repr})
def _spreads(key: tuple[str, object], settings: Settings, level: Level, _ratings: Ratings) -> tuple[Spread, ...]:
    return spreads(_ratings, settings.judges[0], settings, level)
