"""Who thinks alike: the map of κ of every two, and the list of groups on a telephone."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.analyses.ensembles.cluster_judges import JudgeClusters
from metrics.figures import agreement_heatmap as alike_figure
from metrics.figures import agreement_heatmap_list
from metrics.figures.agreement_heatmap_parts import AgreementHeatmap as Drawn
from metrics.figures.agreement_heatmap_parts import Group, WithReference
from pages.shared import parts, state


def figure(
    heatmap: JudgeClusters, who: str, key: str, reference: Sequence[WithReference] | None = None, against: str = "human"
) -> None:
    """The map; `who` are raters or judges, `reference` stands in the order of `heatmap`."""
    groups = [
        Group(group.start, group.stop - 1, group.mean_kappa.value, tuple(f"{n} × {name}" for name, n in group.shared))
        for group in heatmap.groups
    ]
    drawn = Drawn(heatmap.judges, heatmap.kappa, heatmap.n, groups, reference, against, heatmap.symbol, who)
    alt = alike_figure.alt(drawn)
    look = {"theme": parts.theme(), "scale": parts.scale()}
    with st.container(key=f"only_broad_{key}"):
        parts.figure(
            alike_figure.agreement_heatmap(drawn, **look), f"{key}.alike", alt, broadest=alike_figure.broadest(drawn, **look)
        )
    if not state.in_room_view():
        with st.container(key=f"only_narrow_{key}"):
            parts.figure(
                agreement_heatmap_list.alike_list(drawn, **look), f"{key}.alike_narrow", agreement_heatmap_list.alt(drawn)
            )
