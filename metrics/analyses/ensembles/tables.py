"""Tables of several judges; of those that are files alone one mapping to a row, NaN where undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metrics.analyses.ensembles.cluster_judges import JudgeClusters
from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.growth import Growth
from metrics.analyses.ensembles.runs import SelfAgreement
from metrics.results.estimate import Estimate
from metrics.results.tables import Cell, Column, Format, Table, cell

Row = dict[str, Any]
NOWHERE = (math.nan, math.nan)
OF_RUNS: dict[str, Format] = {
    "agreement": "tenth", "kappa": "number", "disagreement": "tenth", "noise": "tenth", "share": "tenth",
}  # fmt: skip


def growth_rows(growth: Growth) -> list[Row]:
    """Return one row per size of the panel."""
    return [
        {
            "rule": growth.rule, "size": size.size, "panels": size.n_panels, "all panels": size.exact,
            growth.metric: size.kappa.value, "low": (size.kappa.ends or NOWHERE)[0], "high": (size.kappa.ends or NOWHERE)[1],
            "monte_carlo_error": size.error,
            "tenth_of_panels_below": size.low, "tenth_of_panels_above": size.high, "undefined": size.undefined,
            "coverage": size.coverage, "kappa_if_independent": size.independent, "seed": growth.seed,
        }
        for size in growth.sizes
    ]  # fmt: skip


def pair_rows(errors: SharedErrors) -> list[Row]:
    """Return one row per pair of judges."""
    names = errors.judges
    return [
        {
            "a": names[a], "b": names[b], "n": int(errors.n[a, b]), "a_wrong": int(errors.wrong[a, b]),
            "b_wrong": int(errors.wrong[b, a]), "both_wrong": int(errors.both[a, b]),
            "same_wrong": int(errors.same_wrong_class[a, b]),
            "both_if_independent": float(errors.expected[a, b]), "phi": float(errors.phi[a, b]),
        }
        for a in range(len(names))
        for b in range(a + 1, len(names))
    ]  # fmt: skip


def alike_rows(alike: JudgeClusters) -> list[Row]:
    """Return one row per judge in the order shown: its group, κ with the reference, and with every other judge."""
    group = {name: place for place, group in enumerate(alike.groups, start=1) for name in group.judges}
    return [
        {"judge": name, "group": group.get(name, ""), f"{alike.metric}_with_reference": alike.with_reference[place].value}
        | {key: (alike.with_reference[place].ends or NOWHERE)[at] for at, key in enumerate(("reference_low", "reference_high"))}
        | {f"{alike.metric}: {other}": float(alike.kappa[place, column]) for column, other in enumerate(alike.judges)}
        for place, name in enumerate(alike.judges)
    ]


def runs(raters: Sequence[SelfAgreement], *, reasons: bool = False) -> Table:
    """Return what the runs of each rater say about it; with `reasons` they stand where a number is undefined."""
    head = (
        Column("rater"), Column("role"), Column("most_runs", "count"), Column("decisions", "count"), Column("items", "count"),
        Column("not_always_the_same", "count"), Column("compared", "count"), Column("kappa_weights"),
        *(Column(key, form, (f"{key}_low", f"{key}_high")) for key, form in OF_RUNS.items()),
        Column("disagreement_of_majority", "tenth"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for rater in raters:
        counts = rater.n_runs, rater.n_decisions, rater.n_items, rater.never, rater.n_compared
        estimates: list[Estimate] = [getattr(rater, key) for key in OF_RUNS]
        cells = ((estimate.undefined if reasons else "") or estimate for estimate in estimates)
        rows.append((rater.name, rater.role, *counts, "quadratic" if rater.weighted else "none", *cells, cell(rater.by_majority)))
    return Table("runs", "", head, tuple(rows))
