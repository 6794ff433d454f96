"""Decisions on which the judges split, most divided first: a queue for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import MAX_RATERS, any_row, free_texts, labels_and_reasons
from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix, verdict_matrix_of
from metrics.data.abstention import Mode
from metrics.data.checks import takes_ratings
from metrics.data.pairs import cells_of
from metrics.data.ratings import Rater, Ratings, Role
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.results.report import Short
from metrics.results.words import NEEDS_ROWS

DIGITS = 12
"""Shares that differ by rounding only are ties."""


@dataclass(frozen=True, eq=False)
class Queue(Short):
    """Decisions that two judges or more gave different classes, most divided first, then in the order of the file.

    In a tally each stands for the decisions of all items of its kind.

    Attributes
    ----------
    verdict_matrix : VerdictMatrix
        The decisions of the queue, in its order.
    votes : ndarray of int64, shape (n, K)
        Judges per class.
    disagreement : ndarray, shape (n,)
        Probability that two of the judges who answered, drawn without putting back, differ: 1 − Σ n_k(n_k − 1)/(n(n − 1)).
    silent, missing : ndarray of int64, shape (n,)
        Judges without a verdict, and without an answer.
    majority : ndarray of int64, shape (n,)
        Class most judges gave; -1 for a tie.
    unlabelled : ndarray of bool, shape (n,)
        No human gave it any label; a split vote and an abstention are labels.
    n_agreed, n_alone : int
        Decisions on which all judges who gave a class agree, two or more; and those with fewer than two.
    """

    verdict_matrix: VerdictMatrix
    votes: NDArray[np.int64]
    disagreement: FloatArray
    silent: NDArray[np.int64]
    missing: NDArray[np.int64]
    majority: NDArray[np.int64]
    unlabelled: NDArray[np.bool_]
    n_agreed: int
    n_alone: int

    def __len__(self) -> int:
        return len(self.disagreement)

    @property
    def n(self) -> int:
        """Decisions."""
        return self.verdict_matrix.n

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """Decisions without a verdict of the reference: nobody labelled them, or the labels give none, shape (n,)."""
        return np.asarray(self.verdict_matrix.reference < 0)

    @property
    def n_unlabelled(self) -> int:
        """Decisions that no human labelled."""
        return int(self.verdict_matrix.times @ self.unlabelled)

    @property
    def wrong_majority(self) -> NDArray[np.bool_]:
        """Decisions on which most judges that answered differ from the reference, whatever each says instead, shape (n,)."""
        reference = self.verdict_matrix.reference
        agree = self.votes[np.arange(len(self)), np.maximum(reference, 0)]
        return np.asarray((reference >= 0) & (2 * agree < self.votes.sum(1)))

    @property
    def n_wrong(self) -> int:
        """Decisions on which most judges differ from the reference."""
        return int(self.verdict_matrix.times @ self.wrong_majority)

    def at(self, places: NDArray[np.int64]) -> Queue:
        """Return some of the decisions of the queue.

        Parameters
        ----------
        places : ndarray of int64, shape (m,)
            Of the decisions, in their new order.
        """
        return replace(
            self, verdict_matrix=self.verdict_matrix.at(places), votes=self.votes[places], disagreement=self.disagreement[places],
            silent=self.silent[places], missing=self.missing[places], majority=self.majority[places],
            unlabelled=self.unlabelled[places],
        )  # fmt: skip

    def first(self, n: int) -> Queue:
        """Return the most divided of them."""
        return self.at(np.arange(min(n, len(self))))

    def without_reference(self) -> Queue:
        """Return those without a verdict of the reference."""
        return self.at(np.flatnonzero(self.undecided))

    def columns(self, ratings: Ratings) -> dict[str, list[object]]:
        """Return the queue as columns of a table: ids, judges per class, the majority, the reference.

        Raises
        ------
        InputError
            For a tally, which has no ids.
        """
        if not ratings.has_rows:
            raise InputError(f"{ratings.source.name}: {NEEDS_ROWS}")
        verdict_matrix, names = self.verdict_matrix, np.array([*self.verdict_matrix.classes, ""], dtype=object)
        ids = ratings.items.take(verdict_matrix.item.tolist()).to_pylist()
        columns: dict[str, list[object]] = {
            "item": list(ids),
            "criterion": [ratings.criteria[place] for place in verdict_matrix.criterion],
        }
        columns |= {f"judges: {name}": self.votes[:, place].tolist() for place, name in enumerate(verdict_matrix.classes)}
        columns |= {"no verdict": self.silent.tolist(), "no answer": self.missing.tolist(), "apart": self.disagreement.tolist()}
        columns |= {"majority": names[self.majority].tolist(), "reference": names[verdict_matrix.reference].tolist()}
        return columns


def with_reasons(ratings: Ratings, queue: Queue, texts: Sequence[str] | None = None) -> dict[str, list[object]]:
    """Return the columns of the queue, then the label and the reason of each judge and human, then the file's other columns.

    Labels and texts stand as in the file. Of more than 12 raters of one role the votes, or the reference, stand alone.

    Parameters
    ----------
    ratings : Ratings
        Those of the queue.
    queue : Queue
    texts : sequence of str, optional
        Which of the file's other columns, in their order; default all.

    Raises
    ------
    InputError
        For a tally, which has no ids.
    """
    columns, cells = queue.columns(ratings), cells_of(ratings)
    known, wanted = (
        decisions.item.astype(np.int64) * len(ratings.criteria) + decisions.criterion
        for decisions in (cells, queue.verdict_matrix)
    )
    places = np.searchsorted(known, wanted)
    humans, judges = ratings.humans, queue.verdict_matrix.judges
    sides: tuple[tuple[Role, Sequence[str], bool], ...] = (("judge", judges, True), ("human", humans, len(humans) > 1))
    for role, names, label in sides:
        if len(names) <= MAX_RATERS:
            columns |= labels_and_reasons(ratings, [Rater(name, role) for name in names], places, label=label)
    beside = free_texts(ratings, any_row(ratings)[places], texts).to_dict("list")
    return columns | {f"{name} (file)" if name in columns else str(name): list(said) for name, said in beside.items()}


@takes_ratings
def split_decisions(
    ratings: Ratings, *, judges: Sequence[str] | None = None, reference: str = "auto", abstention: Mode = "exclude"
) -> Queue:
    """Return the decisions the judges split on; a file of judges alone will do.

    Parameters
    ----------
    ratings, judges, reference, abstention
        As in `metrics.analyses.ensembles.verdict_matrix.verdict_matrix_of`.

    Raises
    ------
    InputError
        As `verdict_matrix_of`.
    """
    verdict_matrix = verdict_matrix_of(ratings, judges=judges, reference=reference, abstention=abstention, by_kind=False)
    k = len(verdict_matrix.classes)
    votes = np.stack([(verdict_matrix.labels == place).sum(1) for place in range(k)], axis=1).astype(np.int64)
    answers = votes.sum(1)
    pairs = answers * (answers - 1)
    apart = 1 - safe_ratio((votes * (votes - 1)).sum(1), pairs)
    divided = (votes > 0).sum(1) > 1
    order = np.flatnonzero(divided)[np.argsort(-np.round(apart[divided], DIGITS), kind="stable")]
    top = votes.max(1, keepdims=True)
    majority = np.where((votes == top).sum(1) == 1, votes.argmax(1), -1)
    silent, missing = (
        (verdict_matrix.options == k - (verdict_matrix.mode == "as_category")).sum(1),
        (verdict_matrix.options < 0).sum(1),
    )
    return Queue(
        verdict_matrix.at(order), votes[order], apart[order], silent[order], missing[order], majority[order],
        _unlabelled(ratings, verdict_matrix)[order], int(verdict_matrix.times @ ((answers > 1) & ~divided)),
        int(verdict_matrix.times @ (answers < 2)),
    )  # fmt: skip


def _unlabelled(ratings: Ratings, verdict_matrix: VerdictMatrix) -> NDArray[np.bool_]:
    """Return decisions of the verdict matrix that no human gave any label, shape (n,)."""
    given = ratings.by_role("human") & (ratings.state < ratings.scheme.state("error"))
    n_criteria = len(ratings.criteria)
    labelled = np.unique(ratings.item[given].astype(np.int64) * n_criteria + ratings.criterion[given])
    return ~np.isin(verdict_matrix.item.astype(np.int64) * n_criteria + verdict_matrix.criterion, labelled)
