"""Table of the levels side by side, and of the pooled number without each criterion."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.multiverse.pooling import Influence
from metrics.analyses.records import JudgeReport
from metrics.data.aggregation import LEVELS
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.tables import ENDS, Cell, Column, Table, form_of


def levels_table(report: JudgeReport, metric: str, moved: Sequence[Influence]) -> Table:
    """Return the levels with their intervals, κ within criteria beside κ, then micro without each criterion.

    Parameters
    ----------
    report : JudgeReport
    metric : str
        Key of the catalogue.
    moved : sequence of Influence
        As `influences` returns them.

    Where a number is undefined its reason stands in the column “undefined”.
    """
    numbers: list[tuple[str, Estimate, int | None]] = []
    for level in LEVELS:
        block = report.level(level)
        within = {"kappa_within": "κ within criteria"} if metric == "kappa" and level == "micro" else {}
        numbers += [(name, block[key], block.n) for key, name in ({metric: level} | within).items() if key in block.values]
    total = report.micro.n or 0
    numbers += [
        (f"micro without {influence.criterion}", Estimate(influence.without, why=influence.reason), total - influence.n)
        for influence in moved
    ]
    rows: tuple[tuple[Cell, ...], ...] = tuple((name, metric, estimate, n, estimate.undefined) for name, estimate, n in numbers)
    value = Column("value", form_of(BY_KEY[metric]), ENDS)
    return Table("aggregation", "", (Column("what"), Column("metric"), value, Column("n", "count"), Column("undefined")), rows)
