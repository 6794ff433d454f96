"""Tables of agreement among raters: statistics of all criteria together, every criterion by its need, every two raters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.analyses.raters.result import STATISTICS, RaterBlock, RatersReport
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results.tables import ENDS, Cell, Column, Table, by_metric, form_of


def statistics(
    report: RatersReport,
    names: Sequence[tuple[str, str]],
    value: str,
    key: str = "statistics",
    caption: str = "",
    notes: Iterable[str] = (),
) -> Table:
    """Return statistics of all criteria together.

    Parameters
    ----------
    names : sequence of (str, str)
        What each statistic is called, and its key.
    value : str
        Heading of the values.
    """
    rows = [(name, statistic, form_of(STATISTICS[statistic])) for name, statistic in names]
    return by_metric(key, caption, Column("statistic"), rows, [(Column(value, "number", ENDS), report.pooled)], notes)


def by_need(report: RatersReport, units: str, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion with its units and the statistic that the gate is on.

    Parameters
    ----------
    report : RatersReport
    units : str
        Heading of the number of units.
    caption : str
    notes : iterable of str
        Below the table.
    """
    blocks: dict[str, RaterBlock] = {name: report.criteria[name] for name in report.by_need()}
    head = (Column("criterion"), Column(units, "count"), Column(report.gate_symbol, "number", ENDS))
    rows: list[tuple[Cell, ...]] = [(name, block.n_pairable, block[block.judged]) for name, block in blocks.items()]
    return Table("gate", caption, head, tuple(rows), tuple(notes))


def pairs(report: RatersReport, criterion: str | None = None) -> Table:
    """Return every two raters that share a unit of a criterion, or of any."""
    block = report.block(criterion)
    weighted = [] if block.pairs.penalty is None else [Column(QUADRATIC_KAPPA.key, "number")]
    head = (
        Column("a"), Column("b"), Column("n", "count"), *weighted, Column("kappa", "number"), Column("phi", "number"),
        Column("percent_agreement", "percent"),
    )  # fmt: skip
    return Table("pairs", "", head, tuple(tuple(pair.values()) for pair in block.pair_rows()))
