"""What is asked about two judges, and what they say on the decisions they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.paired import Paired
from metrics.analyses.comparison.shared_decisions import Shared, shared_decisions, shared_items
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels
from metrics.data.aggregation import Level
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import Clusters, clusters_of

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Question:
    """What is compared, and by how much the second judge may be worse where somebody stated it."""

    metric: str
    level: Level = "micro"
    criterion: str | None = None
    margin: float | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """What reference and judges say on the shared decisions, on the axis of the mode.

    Attributes
    ----------
    cells : (ndarray, ndarray)
        Reference · K + judge, K² where the decision does not count for that judge.
    """

    shared: Shared
    labels: tuple[str, ...]
    cells: tuple[Ints, Ints]
    clusters: Clusters | None
    n_unique: int
    multiplicity: Ints | None

    @staticmethod
    def of(ratings: Ratings, settings: Settings, asked: Question) -> Sheet:
        item = asked.level == "item"
        shared = shared_items(ratings, settings) if item else shared_decisions(ratings, settings, asked.criterion)
        labels = mode_labels(settings.on(ratings).scheme, settings.abstention)
        k = len(labels)
        a, b = (
            np.where((shared.reference >= 0) & (verdict >= 0), shared.reference * k + verdict, k * k)
            for verdict in shared.verdicts
        )
        clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
        return Sheet(shared, labels, (a, b), clusters, ratings.n_unique, ratings.multiplicity)

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def common(self) -> tuple[Ints, Ints]:
        """The cells of the decisions that count for both judges."""
        both = (self.cells[0] < self.k**2) & (self.cells[1] < self.k**2)
        a, b = (np.where(both, side, self.k**2) for side in self.cells)
        return a, b

    def paired(self, cells: tuple[Ints, Ints]) -> Paired:
        n = len(self.shared.criteria)
        return Paired.of(
            self.shared.item, self.shared.criterion, *cells, k=self.k, n_items=self.n_unique, n_criteria=n, apart=n > 1,
            cluster=None if self.clusters is None else self.clusters.of_item, multiplicity=self.multiplicity,
        )  # fmt: skip
