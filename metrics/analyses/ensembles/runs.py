r"""Repeated runs of one judge: does it agree with itself, and how much of its disagreement with the reference is that?

On a decision, let p be the shares of the labels that the judge would give if asked for ever, h the reference's label and Y one
run. As vectors of zeros and a one, :math:`1[Y \ne h] = \tfrac12 \lVert Y - h \rVert^2`, so over runs

.. math:: P(Y \ne h) = \tfrac12 \lVert p - h \rVert^2 + \tfrac12 \Bigl(1 - \sum_k p_k^2\Bigr).

The first part is what the judge means, held against the reference; it stays however often the judge is asked, and holds the noise
of the humans too. The second is the judge's own noise: half the probability :math:`1 - \sum_k p_k^2` that two runs differ. From n
runs of which :math:`n_k` say k, the share of pairs of runs that differ, :math:`1 - \sum_k n_k (n_k - 1) / (n (n - 1))`, is an
unbiased estimate of that probability, whatever n; so are the share of runs that differ from h, and the means of both over
decisions. The noise of a decision is never larger than its disagreement, so the share lies in [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.panel import labels_of, with_abstention_label
from metrics.analyses.ensembles.verdict_matrix import without_one
from metrics.analyses.leading import leading
from metrics.analyses.raters.pairwise import quadratic
from metrics.analyses.raters.units import cell_of_unit
from metrics.data.abstention import Mode, class_of_state, mode_labels
from metrics.data.checks import takes_ratings
from metrics.data.pairs import cells_of, reference_states
from metrics.data.ratings import Ratings, Role, one_or_several
from metrics.data.scales import refuse_scores
from metrics.data.unique_items import kinds_of
from metrics.data.votes import majority_vote
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results.estimate import Estimate

_Items = tuple[NDArray[np.int32], FloatArray]
"""Item of each decision, and how often the decision counts."""
NO_RUNS = "no decision has two runs with a verdict"
ONE_LABEL = "all runs give the same label"
NO_DISAGREEMENT = "no run differs from the reference"


@dataclass(frozen=True, eq=False)
class SelfAgreement:
    """What the runs of one rater say about it.

    Attributes
    ----------
    name, role : str
    n_runs : int
        Most runs of a decision.
    n_decisions, n_items : int
        Decisions, and items, with two or more runs that gave a verdict.
    agreement : Estimate
        Probability that two different runs of a decision give the same label, every decision counting once.
    never : int
        Decisions of them on which not all runs give the same label.
    kappa : Estimate
        Agreement of two runs beyond what the label shares of all runs give: 1 − D_o / D_e with D_e = Σ w_kl q_k q_l,
        q the mean over decisions of the shares of the labels and w_kl = 1 for two labels; Fleiss' kappa where all decisions have
        the same number of runs. Undefined where one label only was given.
    n_compared : int
        Decisions of them on which the reference has a verdict.
    disagreement : Estimate
        Probability that a run differs from the reference there.
    noise : Estimate
        Part of that disagreement, in the same unit, that is the rater's own noise: half the share of differing pairs of runs.
    share : Estimate
        `noise` over `disagreement`; undefined where no run differs from the reference.
    by_majority : float
        Probability that the majority of the runs differs from the reference there, ties broken at random.
    weighted : bool
        Whether `kappa` has quadratic weights: w_kl is the square of the places between two labels in their order.
    """

    name: str
    role: Role
    n_runs: int
    n_decisions: int
    n_items: int
    agreement: Estimate
    never: int
    kappa: Estimate
    n_compared: int
    disagreement: Estimate
    noise: Estimate
    share: Estimate
    by_majority: float
    weighted: bool = False


@dataclass(frozen=True, eq=False)
class RunVotes:
    """Verdicts of the runs of one rater.

    Attributes
    ----------
    votes : ndarray of int64, shape (n, K)
        Runs per class, a row to a decision with two or more runs that gave a verdict.
    reference : ndarray of int64, shape (n,)
        Class of the reference, -1 where it gave no verdict.
    item : ndarray of int32, shape (n,)
    weight : ndarray of int64, shape (n,), optional
        Decisions that each row stands for; default 1.
    penalty : ndarray, shape (K, K), optional
        How far two classes are apart where their order is what κ is read by (`metrics.analyses.leading`).
    """

    votes: NDArray[np.int64]
    reference: NDArray[np.int64]
    item: NDArray[np.int32]
    weight: NDArray[np.int64] | None = None
    penalty: FloatArray | None = None

    @property
    def times(self) -> NDArray[np.int64]:
        """Decisions that each row stands for, shape (n,)."""
        return np.ones(len(self.votes), np.int64) if self.weight is None else self.weight

    @property
    def n_items(self) -> int:
        _, first = np.unique(self.item, return_index=True)
        return int(self.times[first].sum())


def raters_with_runs(ratings: Ratings, role: Role = "judge") -> tuple[str, ...]:
    """Return raters of a role that the file has repeated runs of."""
    runs = ratings.runs
    if runs is None:
        return ()
    there = np.bincount(runs.rater, minlength=len(ratings.raters)) > 0
    return tuple(r.name for r, repeated in zip(ratings.raters, there, strict=True) if repeated and r.role == role)


def run_votes(ratings: Ratings, name: str, *, role: Role = "judge", mode: Mode = "exclude", reference: str = "auto") -> RunVotes:
    """Return the runs of one rater by decision; failed calls, and in mode `exclude` answers without a verdict, are no runs.

    Parameters
    ----------
    ratings : Ratings
    name : str
        Of the rater.
    role : {"judge", "human"}
        Humans have no reference here.
    mode : str
        Abstention mode.
    reference : str
        As in `metrics.analyses.ensembles.verdict_matrix.verdict_matrix_of`.

    Raises
    ------
    InputError
        Where the file has no repeated runs of this rater, and for scores and an unknown reference.
    """
    refuse_scores(ratings)
    if name not in raters_with_runs(ratings, role):
        raise InputError(f"{ratings.source.name}: there are no repeated runs of {name!r}. A column run tells runs apart.")
    ratings = kinds_of(ratings)
    runs = ratings.runs
    assert runs is not None
    place = class_of_state(ratings.scheme, mode)
    run_class = place[ratings.scheme.states(ratings.labels)[runs.label]]
    mask = (runs.rater == ratings.code(name, role)) & (run_class >= 0)
    cell = cell_of_unit(ratings, runs)
    k = len(mode_labels(ratings.scheme, mode))
    votes = np.bincount(cell[mask] * k + run_class[mask], minlength=len(cells_of(ratings)) * k).reshape(-1, k)
    several = np.flatnonzero(votes.sum(1) > 1)
    truth = np.full(len(cells_of(ratings)), -1, np.int64)
    if ratings.humans and role == "judge":
        truth = place[reference_states(ratings, reference)]
    item = cells_of(ratings).item[several]
    ordered = leading(ratings, mode) == QUADRATIC_KAPPA.key
    return RunVotes(votes[several], truth[several], item, ratings.weight[item], quadratic(np.arange(k)) if ordered else None)


@takes_ratings
def self_agreement(
    ratings: Ratings,
    *,
    judges: Sequence[str] | None = None,
    role: Role = "judge",
    abstention: Mode = "exclude",
    reference: str = "auto",
    confidence: float = 0.95,
) -> tuple[SelfAgreement, ...]:
    """Return how far each rater with repeated runs agrees with itself, and what share of its disagreement is its own noise.

    The runs of a decision count as drawn alike: their order does not matter. Intervals by jackknife over the items, on the
    logit scale.

    Parameters
    ----------
    judges : sequence of str, optional
        Default: all raters of the role that have repeated runs.
    role : {"judge", "human"}
        Humans have no reference here but themselves.

    Raises
    ------
    InputError
        Where the file has no repeated runs of such a rater.
    """
    names = raters_with_runs(ratings, role) if judges is None else one_or_several(judges)
    if not names:
        raise InputError(f"{ratings.source.name}: no {role} was asked twice. A column run tells repeated runs apart.")
    return tuple(
        self_agreement_of(
            run_votes(ratings, name, role=role, mode=abstention, reference=reference), name, role=role, confidence=confidence
        )
        for name in names
    )


def self_agreement_of(runs: RunVotes, name: str, *, role: Role = "judge", confidence: float = 0.95) -> SelfAgreement:
    """Return how far one rater agrees with itself, from the counts of its runs.

    Parameters
    ----------
    runs : RunVotes
    name : str
    role : {"judge", "human"}
        As in `run_votes`; both are for the report alone.
    confidence : float
        In (0, 1).

    Returns
    -------
    SelfAgreement
        Its estimates are undefined, with a reason, where no decision has two runs with a verdict.
    """
    votes, n = runs.votes.astype(np.float64), runs.votes.sum(1).astype(np.float64)
    differ = 1 - (votes * (votes - 1)).sum(1) / (n * (n - 1))
    compared = runs.reference >= 0
    right = votes[np.arange(len(votes)), np.maximum(runs.reference, 0)] / n
    wrong, noise = (1 - right)[compared], differ[compared] / 2
    times = runs.times.astype(np.float64)
    every, item = (runs.item, times), (runs.item[compared], times[compared])
    ones = np.ones(len(wrong))
    nothing = NO_RUNS if not compared.any() else ""
    return SelfAgreement(
        name, role, int(n.max(initial=0)), int(runs.times.sum()), runs.n_items,
        _ratio(1 - differ, np.ones(len(differ)), every, confidence, NO_RUNS if not len(votes) else ""),
        int(runs.times @ (differ > 0)), _kappa(votes, every, runs.penalty, confidence), int(item[1].sum()),
        _ratio(wrong, ones, item, confidence, nothing),
        _ratio(noise, ones, item, confidence, nothing),
        _ratio(noise, wrong, item, confidence, nothing or NO_DISAGREEMENT),
        _by_majority(runs.votes[compared], runs.reference[compared], item[1]), runs.penalty is not None,
    )  # fmt: skip


@takes_ratings
def majority_of_runs(ratings: Ratings) -> Ratings:
    """Return the ratings with the majority of its runs as the verdict of every rater that has several on a decision.

    A tie is an abstention; a failed call does not count, and a decision on which all calls failed stays failed. Scores and
    rows stay those of the first run.

    Raises
    ------
    InputError
        Where the file has no repeated runs, and where a panel was made of the first ones.
    """
    runs = ratings.runs
    if runs is None:
        raise InputError(f"{ratings.source.name}: nobody was asked twice. A column run tells repeated runs apart.")
    if ratings.source.panels:
        raise InputError("A panel was made of the first runs. Take the majority of the runs first, then make the panel.")
    r, width = ratings.scheme.n_states, len(ratings.raters)
    states = ratings.scheme.states(ratings.labels)
    key = cells_of(ratings).of_rating * width + ratings.rater
    order = np.argsort(key, kind="stable")
    place = order[np.searchsorted(key[order], cell_of_unit(ratings, runs) * width + runs.rater)]
    votes = np.bincount(place * r + states[runs.label], minlength=len(key) * r).reshape(-1, r)
    majority = majority_vote(votes.astype(np.int32), ratings.scheme, unanimous=False)
    settled = majority != ratings.scheme.state("missing")
    spoken = with_abstention_label(ratings) if (majority[settled] == ratings.scheme.state("abstention")).any() else ratings
    # a label that already says what the majority says is kept, in its own spelling
    changed = settled & (majority != ratings.state)
    label = np.where(changed, labels_of(spoken, np.where(changed, majority, ratings.state)), ratings.label).astype(np.int32)
    note = "Where a rater was asked more than once, its verdict is that of most of its runs; a tie is no verdict."
    source = replace(spoken.source, runs="majority", notes=(*spoken.source.notes, note))
    return replace(spoken, source=source, label=label, memo={})


def _kappa(votes: FloatArray, item: _Items, penalty: FloatArray | None, confidence: float) -> Estimate:
    """Return kappa of two runs from votes of shape (n, K), under the penalty of two labels, by default 1 for any two."""
    if not len(votes):
        return Estimate(math.nan, why=NO_RUNS)
    apart = 1 - np.eye(votes.shape[1]) if penalty is None else penalty
    n = votes.sum(1)
    differ = (votes * (votes @ apart)).sum(1) / (n * (n - 1))
    parts = np.column_stack([np.ones(len(votes)), differ, votes / n[:, None]])
    value = float(_beyond_chance(item[1] @ parts, apart))
    if math.isnan(value):
        return Estimate(value, why=ONE_LABEL)
    left, weight = _left_out(parts, item)
    return without_one(value, _beyond_chance(left, apart), weight, "fisher", confidence)


def _beyond_chance(sums: FloatArray, apart: FloatArray) -> FloatArray:
    """Return kappa from the decisions, the penalties of pairs of runs and the label shares, summed, shape (..., 2 + K)."""
    share = safe_ratio(sums[..., 2:], sums[..., :1])
    by_chance = np.where(share.max(-1) >= 1, 0.0, ((share @ apart) * share).sum(-1))
    return 1 - safe_ratio(safe_ratio(sums[..., 1], sums[..., 0]), by_chance)


def _by_majority(votes: NDArray[np.int64], reference: NDArray[np.int64], times: FloatArray) -> float:
    if not len(votes):
        return math.nan
    top = votes == votes.max(1, keepdims=True)
    right = top[np.arange(len(votes)), reference]
    return float(times @ (1 - right / top.sum(1)) / times.sum())


def _ratio(above: FloatArray, below: FloatArray, item: _Items, confidence: float, undefined: str) -> Estimate:
    """Return quotient of two sums over decisions, one item left out at a time for its interval."""
    value = float(safe_ratio(item[1] @ above, item[1] @ below))
    if math.isnan(value):
        return Estimate(value, why=undefined)
    left, weight = _left_out(np.column_stack([above, below]), item)
    return without_one(value, safe_ratio(left[:, 0], left[:, 1]), weight, "logit", confidence)


def _left_out(parts: FloatArray, item: _Items) -> tuple[FloatArray, FloatArray]:
    """Return sums over the decisions without those of one item of each kind, shape (G, M), and the items of each, shape (G,)."""
    of, times = item
    _, first, code = np.unique(of, return_index=True, return_inverse=True)
    sums = np.zeros((int(code.max()) + 1, parts.shape[1]))
    np.add.at(sums, code, parts)
    left: FloatArray = times @ parts - sums
    return left, times[first]
