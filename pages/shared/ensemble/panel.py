"""A panel as a judge of its own: put beside the judges of the data set, and taken away again."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ensembles.panel import panel_judges
from metrics.analyses.ensembles.readings import panel_reading
from metrics.data.ratings import Panel, PanelRule
from metrics.results.words import count
from pages.shared import panels, parts, state
from pages.shared.ensemble import asking
from pages.shared.plain import emphasis

JUDGES = "ensemble.panel_judges"
RULE = "ensemble.panel_rule"
LACKING = "A panel needs two judges or more."
ABOUT = "It becomes the judge in view, and stands beside the others on every page until you remove it."


def section(dataset: state.Dataset) -> None:
    panel = panels.panel(dataset.ratings)
    if panel is None:
        _adder(dataset)
    else:
        _there(dataset, panel)


def _adder(dataset: state.Dataset) -> None:
    with st.popover("Add a panel to the judges", icon=":material/groups:"):
        st.markdown(ABOUT)
        rule = st.segmented_control(
            "Its verdict", asking.rules(dataset), default="majority", required=True, key=f"{RULE} {dataset.id}",
            format_func=lambda rule: asking.RULE_NAMES.get(rule, rule), help=asking.RULE_HELP,
        )  # fmt: skip
        free = panel_judges(dataset.ratings, None)
        chosen = st.multiselect("Judges", free, key=f"{JUDGES} {dataset.id}", placeholder=f"All {count(len(free))} judges")
        lacking = LACKING if len(chosen) == 1 else None
        st.button(
            "Add the panel", key="ensemble.add_panel", type="primary", on_click=_add, args=(dataset.id, rule, tuple(chosen)),
            disabled=lacking is not None, help=lacking,
        )  # fmt: skip


def _there(dataset: state.Dataset, panel: Panel) -> None:
    with st.container(border=True, key="ensemble_panel"):
        st.markdown(panel_reading(panel, emphasis))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Remove the panel", key="ensemble.remove_panel", on_click=panels.remove, args=(dataset.id,))
            if not dataset.ratings.humans:
                return
            if st.session_state.get("judge") == panel.name:
                parts.agreement_link()
            else:
                st.button("Take it as the judge", key="ensemble.judge_panel", on_click=_take)


def _add(data: str, rule: PanelRule, judges: tuple[str, ...]) -> None:
    panels.add(data, rule, judges)
    _take()


def _take() -> None:
    """The panel becomes the judge in view, before the sidebar is drawn."""
    dataset = state.dataset()
    panel = panels.panel(dataset.ratings) if dataset is not None else None
    if panel is not None:
        st.session_state["judge"] = panel.name
