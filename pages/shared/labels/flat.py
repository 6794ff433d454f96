"""Decisions taken as independent beside whole items: how much wider the truth is."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics.analyses.planning.independence import Spread, spread_reading, spreads, why_alike
from metrics.figures.spreads import alt, flat_beside_items
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, number, percent, shorten, value
from pages.shared import cached, intervals, parts, sheets, state
from pages.shared.plain import escape, short

TITLE = "Flat or clustered?"


def section(dataset: state.Dataset, chosen: state.Choices, metric: str) -> None:
    """The two intervals of every metric that is mostly asked for; one sentence where they are the same."""
    settings = replace(chosen.settings(), confidence=intervals.jackknifed(dataset).confidence)
    why = why_alike(dataset.ratings, chosen.judge, settings, chosen.level)
    what = "flat: every decision on its own · items: all decisions on an item together"
    what += f" · {percent(settings.confidence)} intervals, both by jackknife"
    parts.lone_heading(TITLE, f"{shorten(chosen.judge)} · {what}" if len(dataset.ratings.judges) > 1 else what)
    if why:
        st.markdown(escape(why))
        return
    metric_spreads = cached.once(spreads, dataset, chosen.judge, settings, chosen.level)
    parts.drawing("labels.flat", flat_beside_items, alt, metric_spreads)
    parts.reading(
        escape(spread_reading(metric_spreads, metric if any(spread.metric == metric for spread in metric_spreads) else "kappa"))
    )
    if not state.in_room_view():
        with st.expander("The same as a table: both intervals, design effect"):
            sheets.show(
                _table(metric_spreads), "Both intervals (CSV)", "flat_or_clustered.csv", "labels.flat_csv", alt="Both intervals"
            )
            st.markdown(
                "Design effect: variance with whole items over variance with independent decisions. "
                f"Above 1, intervals of {short(chosen.judge)} that take decisions as independent are too narrow. "
                "Where a cell is small, the intervals of the other pages are wider still."
            )


def _table(metric_spreads: tuple[Spread, ...]) -> dict[str, list[str]]:
    units = [BY_KEY[spread.metric].unit for spread in metric_spreads]
    return {
        "metric": [BY_KEY[spread.metric].symbol.replace("_", "\\_") for spread in metric_spreads],
        "value": [value(spread.flat.value, unit) for spread, unit in zip(metric_spreads, units, strict=True)],
        "flat": [escape(bounds(spread.flat.ends, unit)) for spread, unit in zip(metric_spreads, units, strict=True)],
        "items": [escape(bounds(spread.clustered.ends, unit)) for spread, unit in zip(metric_spreads, units, strict=True)],
        "flat is × as wide": [number(spread.times) for spread in metric_spreads],
        "design effect": [number(spread.effect) for spread in metric_spreads],
    }
