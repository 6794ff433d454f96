"""Whether the judge is kinder to long answers, or to models of its own family, with the items that show it."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.biases import readings
from metrics.analyses.biases.compute import Bias, biases, is_possible
from pages.shared import parts, state
from pages.shared.disagreements import presets
from pages.shared.plain import escape, short
from pages.shared.session_cache import memoised_last
from pages.shared.slices import asking

HEADING = "Is the judge kinder to long answers, or to its own family?"


def section(dataset: state.Dataset, chosen: state.Choices) -> None:
    ratings = dataset.ratings
    if not is_possible(ratings):
        return
    asked = asking.settings(dataset, chosen)
    key = (dataset.key, repr(asked), chosen.judge)
    found: tuple[Bias, ...] = memoised_last("biases", key, lambda: biases(ratings, asked, chosen.judge))
    parts.headed(HEADING, "difference of two groups of items, with its interval over items")
    if not found:
        st.markdown(readings.NONE)
    for bias in found:
        st.markdown(f"- {escape(readings.reading(bias, ratings.scheme.classes[0]))} {readings.means(bias)}")
        if bias.items and readings.means(bias):
            with st.container(horizontal=True, gap="small"):
                for item in bias.items:
                    presets.link(short(item), item=item, judge=chosen.judge)
