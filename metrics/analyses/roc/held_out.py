"""A cut is chosen on some items and judged on others: on the items that chose it, the best J is too good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from metrics.analyses.roc.area import Scores
from metrics.analyses.roc.cuts import Cut, best_cut, cells_at, with_intervals
from metrics.analyses.roc.tallies import Bools, Ints, reaches
from metrics.data.patterns import dense_rank_of_rows
from metrics.results import words

Method = Literal["split", "cross"]
FEWEST, SHUFFLED, MOST = 4, 1_000_000, 999_999_999
"""Units that are needed; that are shuffled one by one; and that NumPy can draw from."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the chosen cut is worth on items that had no part in choosing it.

    Attributes
    ----------
    cut : Cut
        On the held-out decisions. Cross-fitting: every item under the cut the other items chose; its threshold is the one
        all items choose together.
    in_sample_j : float
        J on the items that chose the cut; cross-fitting: on all items.
    thresholds : tuple of float
        Every cut that was chosen.
    """

    method: Method
    cut: Cut
    in_sample_j: float
    thresholds: tuple[float, ...]
    seed: int
    n_chosen_on: int

    @property
    def loss(self) -> float:
        """How much of J was luck."""
        return self.in_sample_j - self.cut["youden_j"].value


def held_out(scores: Scores, seed: int, confidence: float | None, method: Method = "split", folds: int = 5) -> HeldOut | str:
    """Return what the best cut is worth on units that had no part in choosing it.

    Parameters
    ----------
    scores : Scores
    seed : int
    confidence : float or None
        In (0, 1); None for no intervals.
    method : {"split", "cross"}
        One half of the units chooses and the other judges; or every fold is judged by the cut of the others.
    folds : int
        Parts of the units; only for "cross".

    Returns
    -------
    HeldOut or str
        The reason where there are too few units or too many, or a part lacks a class.
    """
    n_parts, n = 2 if method == "split" else folds, int(scores.multiplicity.sum())
    if n < max(FEWEST, n_parts):
        few = f"1 {scores.word.removesuffix('s')} is" if n == 1 else f"{n} {scores.word} are"
        return f"{few} too few to hold some out"
    if n > MOST:
        return f"{words.count(n)} {scores.word} are more than can be drawn from to hold some out: {words.count(MOST)} can"
    parts = dealt(scores, n_parts, seed)
    if method == "split":
        return _split(scores, parts, seed, confidence)
    return _crossed(scores, parts, seed, confidence)


def dealt(scores: Scores, n_parts: int, seed: int) -> Ints:
    """Return units of each kind in every part.

    They are drawn at random, with all-positive, mixed and all-negative ones spread evenly, in the order of what they hold, so
    that their order in the file is of no matter. Up to `SHUFFLED` units are shuffled one by one; of more, the number of each
    kind is drawn, which is as likely and costs no more than there are kinds.

    Parameters
    ----------
    scores : Scores
    n_parts, seed : int

    Returns
    -------
    ndarray of int64, shape (n_parts, n_units)
        How many units like each are in a part; the parts together have all.
    """
    ups = scores.counted(scores.positive)
    stratum = (ups > 0).astype(np.int64) + (ups == scores.per_unit)
    used = np.flatnonzero(scores.multiplicity)
    used = used[np.argsort(rank_of_units(scores)[used], kind="stable")]
    rng, n = np.random.default_rng(seed), int(scores.multiplicity.sum())
    if n > SHUFFLED:
        return _drawn(rng, scores.multiplicity, [used[stratum[used] == place] for place in range(3)], n_parts)
    shuffled = rng.permutation(np.repeat(used, scores.multiplicity[used]))
    order = shuffled[np.argsort(stratum[shuffled], kind="stable")]
    return np.bincount(np.arange(n) % n_parts * scores.n_units + order, minlength=n_parts * scores.n_units).reshape(n_parts, -1)


def _drawn(rng: np.random.Generator, alike: Ints, strata: list[Ints], n_parts: int) -> Ints:
    out, start = np.zeros((n_parts, len(alike)), np.int64), 0
    for units in strata:
        left = alike[units]
        n = int(left.sum())
        for part in range(n_parts):
            part_size = len(range((part - start) % n_parts, n, n_parts))
            out[part, units] = rng.multivariate_hypergeometric(left, part_size, method="marginals") if len(units) else 0
            left = left - out[part, units]
        start += n
    return out


def rank_of_units(scores: Scores) -> Ints:
    """Return dense rank of units by what they hold: by how many decisions, then as a sorted list of them, shape (n_units,)."""
    most = 2 * max(1, len(scores.level))
    key, place = np.unique(scores.unit * most + scores.level_index * 2 + scores.positive, return_inverse=True)
    times = np.bincount(place, weights=scores.each).astype(np.int64)
    # of two lists of one length that are alike so far, the one with more of a decision goes first
    token = np.unique(key % most * (int(times.max(initial=0)) + 1) - times, return_inverse=True)[1] + 1
    size, n_tokens = scores.per_unit, np.bincount(key // most, minlength=scores.n_units)
    start = np.cumsum(n_tokens) - n_tokens
    n_ranked, rank = 0, np.zeros(scores.n_units, np.int64)
    by_size = np.argsort(size, kind="stable")
    for group in np.split(by_size, np.flatnonzero(np.diff(size[by_size])) + 1):
        column = np.arange(int(n_tokens[group].max(initial=0)))
        at = np.minimum(start[group][:, None] + column, len(token) - 1)
        held = np.where(column < n_tokens[group][:, None], token[at], 0)
        rank[group] = n_ranked + dense_rank_of_rows(held, int(token.max(initial=0)) + 1)
        n_ranked += len(group)
    return rank


def _split(scores: Scores, parts: Ints, seed: int, confidence: float | None) -> HeldOut | str:
    choosing, judging = (scores.with_copies(part) for part in parts)
    tally = choosing.tally()
    best = best_cut(tally)
    if best is None:
        return "the items that choose the threshold lack a class"
    if not (judging.positive.any() and not judging.positive.all()):
        return "the held-out items lack a class"
    cut = _judged([(judging, best.threshold)], best.threshold, confidence)
    chosen = Cut(best.threshold, tally.table(best.threshold), {})
    return HeldOut("split", cut, chosen["youden_j"].value, (best.threshold,), seed, tally.n)


def _crossed(scores: Scores, parts: Ints, seed: int, confidence: float | None) -> HeldOut | str:
    judged: list[tuple[Scores, float]] = []
    for part in parts:
        best = best_cut(scores.with_copies(scores.multiplicity - part).tally())
        if best is None:
            return "the items that choose a threshold lack a class"
        judged.append((scores.with_copies(part), best.threshold))
    tally = scores.tally()
    best = best_cut(tally)
    if best is None:
        return "a class is empty"
    everywhere = Cut(best.threshold, tally.table(best.threshold), {})
    cut, thresholds = _judged(judged, best.threshold, confidence), tuple(threshold for _, threshold in judged)
    return HeldOut("cross", cut, everywhere["youden_j"].value, thresholds, seed, tally.n)


def _judged(parts: list[tuple[Scores, float]], threshold: float, confidence: float | None) -> Cut:
    """Return the cut under which every part is judged by its own threshold; alike units of two parts are told apart."""
    cells = [cells_at(scores.positive, _called(scores, cut)) for scores, cut in parts]
    units = [scores.unit + place * scores.n_units for place, (scores, _) in enumerate(parts)]
    multiples = [
        np.concatenate(each)
        for each in zip(*((scores.each, scores.multiplicity[scores.unit]) for scores, _ in parts), strict=True)
    ]
    return with_intervals(threshold, np.concatenate(cells), np.concatenate(units), confidence, parts[0][0].word, *multiples)


def _called(scores: Scores, threshold: float) -> Bools:
    return reaches(scores.level, threshold, scores.direction)[scores.level_index]
