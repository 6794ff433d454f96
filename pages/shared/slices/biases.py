"""What sways the judge where the human label is the same: each property in a sentence, with the items that show it."""

from __future__ import annotations

import streamlit as st

from metrics import BiasReport
from metrics.analyses.biases import readings
from metrics.analyses.biases.compute import biases_of
from metrics.analyses.settings import Settings
from metrics.data.scales import scales_of
from metrics.results.words import capital
from pages.shared import cached, intervals, parts, state
from pages.shared.disagreements import presets
from pages.shared.page_records import PREFERENCES
from pages.shared.plain import escape, short


def report(dataset: state.Dataset, chosen: state.Choices) -> BiasReport:
    return _report(dataset, intervals.jackknife_settings(dataset, chosen))


@cached.of_file(max_entries=4)
def _report(dataset: state.Dataset, asked: Settings) -> BiasReport:
    return biases_of(dataset.ratings, asked)


def section(dataset: state.Dataset, chosen: state.Choices) -> None:
    """Length, source and kinship, or why they are not measured."""
    found = report(dataset, chosen)
    parts.headed("Does length, source or family sway the judge?", f"{readings.what_changes(found)} · intervals over items")
    parts.reading(escape(readings.headline(found, chosen.judge)))
    for bias in found.judges.get(chosen.judge, ()):
        st.markdown(f"- {escape(capital(readings.sentence(bias, found)))}")
        if bias.told and bias.items:
            with st.container(horizontal=True, gap="small"):
                for item in bias.items:
                    presets.link(short(item), item=item, judge=chosen.judge)
    parts.notes(readings.notes_on_weights(found))
    if "pairwise" in scales_of(dataset.ratings).used:
        st.page_link(PREFERENCES.path, label="Does the place of an answer decide?", query_params={"judge": chosen.judge})
