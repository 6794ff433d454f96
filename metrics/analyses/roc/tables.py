"""Table of a ROC report: the area, the best cut and J of every criterion, pooled and as a mean."""

from __future__ import annotations

from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.provenance import short_cut
from metrics.analyses.roc.result import JudgeRoc, MeanCurve, RocBlock
from metrics.results.tables import Cell, Column, Table, cell

COLUMNS = (
    Column("criterion"), Column("n", "count"), Column("AUC", "number"), Column("best threshold"), Column("J there", "number"),
    Column("held-out J", "number"), Column("J of verdicts", "number"),
)  # fmt: skip


def by_criterion(curve: JudgeRoc) -> Table:
    """Return a row to a criterion; of several, the pooled one above and the mean over them below where there are scores."""
    many = len(curve.criteria) > 1
    blocks = [*([("pooled", curve.pooled)] if many else []), *curve.criteria.items()]
    rows: list[tuple[Cell, ...]] = [(name, block.n, *_cells(block)) for name, block in blocks]
    if many and curve.pooled.scored:
        rows.append(_mean(curve.mean))
    return Table("roc", "", COLUMNS, tuple(rows))


def _cells(block: RocBlock) -> tuple[Cell, ...]:
    curve, point = block.curve, block.verdict
    verdict_j = None if point is None else point["youden_j"]
    if curve is None:
        return None, None, None, None, verdict_j
    if curve.best is None:
        return curve.area, None, None, None, verdict_j
    held = curve.held_out.cut["youden_j"] if isinstance(curve.held_out, HeldOut) else None
    best = "none" if curve.best_spot is None else short_cut(curve.best.threshold, curve.tally)
    return curve.area, best, cell(curve.best["youden_j"].value), held, verdict_j


def _mean(mean: MeanCurve) -> tuple[Cell, ...]:
    defined, of = mean.area.of or (0, 0)
    return f"mean over {defined} of {of} criteria", "", mean.area, "", cell(mean.youden_j), "", ""
