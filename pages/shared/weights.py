"""What each criterion weighs in an item, as the user sets it."""

from __future__ import annotations

import streamlit as st

from pages.shared import state


def editor(dataset: state.Dataset) -> None:
    """A weight for each criterion; the last ones that can be used are kept for the session."""
    given = state.weights_of(dataset)
    criteria = dataset.ratings.criteria
    start = {"criterion": list(criteria), "weight": [given.get(name, 1.0) for name in criteria]}
    key = f"weights {dataset.id} {hash(dataset.ratings.criteria)}"
    base = st.session_state.setdefault(f"{key} base", start)
    edited = st.data_editor(
        base,
        key=key,
        hide_index=True,
        disabled=["criterion"],
        column_config={
            "criterion": st.column_config.TextColumn("criterion", width=125),
            "weight": st.column_config.NumberColumn("weight", required=True, step=0.1, width=65),
        },
        alt="Weight of each criterion",
    )
    weights = {str(name): float(weight) for name, weight in zip(edited["criterion"], edited["weight"], strict=True)}
    if max(weights.values(), default=1.0) <= 0:
        st.error("At least one criterion needs a weight above 0. The last weights still count.")
        return
    state.set_weights(dataset, weights)
    st.write("A criterion of negative weight counts against the item.")
