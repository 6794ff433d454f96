"""Who thinks alike: the map of κ of every two, and the list of groups on a telephone."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.ensembles.cluster_judges import JudgeClusters
from metrics.figures import agreement_heatmap as alike_figure
from metrics.figures import agreement_heatmap_list
from metrics.figures.agreement_heatmap_parts import AgreementHeatmap as Drawn
from metrics.figures.agreement_heatmap_parts import Group
from metrics.results.estimate import Estimate
from pages.shared import parts, screen


def figure(
    heatmap: JudgeClusters, who: str, key: str, reference: Sequence[Estimate] | None = None, against: str = "human"
) -> None:
    """The map; `who` are raters or judges, `reference` stands in the order of `heatmap`."""
    drawn = of_clusters(heatmap, who, reference, against)
    look = {"theme": parts.theme(), "scale": parts.scale()}
    if screen.narrow():
        if agreement_heatmap_list.lists_every_pair(drawn):
            listed(drawn, key)
        parts.figure(agreement_heatmap_list.alike_list(drawn, **look), f"{key}.alike_narrow", agreement_heatmap_list.alt(drawn))
    else:
        alt, broadest = alike_figure.alt(drawn), alike_figure.broadest(drawn, **look)
        parts.figure(alike_figure.agreement_heatmap(drawn, **look), f"{key}.alike", alt, broadest=broadest)


def of_clusters(heatmap: JudgeClusters, who: str, reference: Sequence[Estimate] | None = None, against: str = "human") -> Drawn:
    """Return what is drawn of every two."""
    groups = [
        Group(group.start, group.stop - 1, group.mean_kappa.value, tuple(f"{n} × {name}" for name, n in group.shared))
        for group in heatmap.groups
    ]
    return Drawn(heatmap.judges, heatmap.kappa, heatmap.n, groups, reference, against, heatmap.symbol, who)


def listed(drawn: Drawn, key: str) -> None:
    """The pairs that share most, where a map of all would be all but empty."""
    look = {"theme": parts.theme(), "scale": parts.scale()}
    figure, alt = agreement_heatmap_list.pair_list(drawn, **look), agreement_heatmap_list.pairs_alt(drawn)
    parts.figure(figure, f"{key}.pairs", alt, broadest=640)
