"""Tables of agreement among raters: statistics of all criteria together, and every criterion by its need for attention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.reliability.report import STATISTICS, RaterBlock, RatersReport
from metrics.tables import ENDS, Cell, Column, Table, by_metric, form_of


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
    rows = [(name, own, form_of(STATISTICS[own])) for name, own in names]
    return by_metric(key, caption, Column("statistic"), rows, [(Column(value, "number", ENDS), report.pooled)], notes)


def by_need(report: RatersReport, units: str, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion with its units and the statistic that the gate is on; `units` is their heading."""
    blocks: dict[str, RaterBlock] = {name: report.criteria[name] for name in report.by_need()}
    head = (Column("criterion"), Column(units, "count"), Column(report.gate_symbol, "number", ENDS))
    rows: list[tuple[Cell, ...]] = [(name, block.n_pairable, block[block.judged]) for name, block in blocks.items()]
    return Table("gate", caption, head, tuple(rows), tuple(notes))
