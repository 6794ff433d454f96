"""Which intervals the page shows: the sidebar's choice as a record, and what can be chosen for a data set."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from metrics.analyses.settings import DRAWN, Settings
from metrics.data.abstention import Mode
from metrics.intervals.cluster import grouping_columns
from metrics.results.words import count
from pages.shared.view import Choices, Dataset

METHODS = {
    "auto": "Default rules",
    "jackknife": "Jackknife",
    "bootstrap": "Bootstrap, percentile",
    "bca": "Bootstrap, BCa",
    "none": "None",
}
UNITS = {"item": "Items", "decision": "Single decisions", "criterion": "Criteria", "hierarchical": "Items and criteria"}
CONFIDENCES, REPLICATES = (80, 90, 95, 99), (500, 1000, 2000, 5000)
MOST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Intervals:
    """The interval part of `metrics.agreement`."""

    method: str = "auto"
    unit: str = "item"
    replicates: int = 2000
    seed: int = 0
    confidence: float = 0.95

    @property
    def drawn(self) -> bool:
        return self.method in DRAWN

    def without_draws(self) -> Intervals:
        """Return what is shown until a bootstrap has run: the default rules, by the same groups where there are any."""
        if not self.drawn:
            return self
        return Intervals("auto", "item" if self.unit in UNITS else self.unit, confidence=self.confidence)

    def added_to(self, settings: Settings) -> Settings:
        return replace(
            settings,
            interval=self.method,
            unit=self.unit,
            replicates=self.replicates,
            seed=self.seed,
            confidence=self.confidence,
        )


def units_for(dataset: Dataset, method: str) -> tuple[str, ...]:
    """Return what may be drawn or left out with a method, on this data set."""
    if method == "none" or not dataset.ratings.has_items:
        return ("item",)
    above = group_columns(dataset)
    if method not in DRAWN:
        return ("item", *above)
    many = len(dataset.ratings.criteria) > 1
    return ("item", "decision", *(("criterion", "hierarchical") if many else ()), *above)


def group_columns(dataset: Dataset) -> tuple[str, ...]:
    """Return columns above the item: one value in each item, and fewer values than items."""
    return tuple(grouping_columns(dataset.ratings))


def chosen(dataset: Dataset) -> Intervals:
    """Return the sidebar's choice, as far as it fits this data set."""
    held = st.session_state
    method = held.get("interval")
    method = method if method in METHODS else "auto"
    unit, replicates, seed, confidence = (held.get(key) for key in ("unit", "replicates", "seed", "confidence"))
    intervals = Intervals(
        method,
        unit if unit in units_for(dataset, method) else "item",
        confidence=(confidence if confidence in CONFIDENCES else 95) / 100,
    )
    if not intervals.drawn:
        return intervals
    return replace(intervals, replicates=replicates if replicates in REPLICATES else 2000, seed=int(seed or 0))


def jackknifed(dataset: Dataset) -> Intervals:
    """Return the sidebar's choice on pages with one method: confidence, and groups of items where they can be left out."""
    intervals = chosen(dataset)
    unit = st.session_state.get("unit")
    return Intervals("auto", unit if unit in group_columns(dataset) else "item", confidence=intervals.confidence)


def jackknife_settings(dataset: Dataset, choices: Choices, mode: Mode | None = None) -> Settings:
    """Return all choices on pages with one method, in the chosen mode or another."""
    return jackknifed(dataset).added_to(choices.settings(mode))


def unit_name(unit: str) -> str:
    """As it stands in the sidebar and in the address."""
    return UNITS.get(unit) or f"Groups: {unit}"


def names_in_links(dataset: Dataset | None) -> dict[str, dict[str, str]]:
    """Return choices by the names of `metrics`, as the words that stand in the sidebar."""
    columns = dataset.ratings.source.columns if dataset is not None else ()
    return {
        "interval": METHODS,
        "unit": {name: unit_name(name) for name in (*UNITS, *columns)},
        "replicates": {str(n): count(n) for n in REPLICATES if str(n) != count(n)},
        "confidence": {text: str(level) for level in CONFIDENCES for text in (f"0.{level}", f".{level}", f"{level / 100:g}")},
    }
