"""A cut is chosen on some items and judged on others: on the items that chose it, the best J is too good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from metrics.kinds import kind_of_each
from metrics.ranking.area import Scores
from metrics.ranking.cuts import Cut, best_cut, cells_at, with_intervals
from metrics.ranking.tallies import Bools, Ints, reaches

Method = Literal["split", "cross"]
FEWEST = 4


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
        return self.in_sample_j - self.cut.value("youden_j")


def held_out(scores: Scores, seed: int, confidence: float | None, method: Method = "split", folds: int = 5) -> HeldOut | str:
    """One half of the units chooses and the other judges, or every fold is judged by the cut of the others.

    Returns a reason where a part lacks a class.
    """
    n_parts = 2 if method == "split" else folds
    n_used = int((scores.per_unit > 0).sum())
    if n_used < max(FEWEST, n_parts):
        few = f"1 {scores.word.removesuffix('s')} is" if n_used == 1 else f"{n_used} {scores.word} are"
        return f"{few} too few to hold some out"
    part = parts(scores, n_parts, seed)
    if method == "split":
        return _split(scores, part, seed, confidence)
    return _crossed(scores, part, folds, seed, confidence)


def parts(scores: Scores, n_parts: int, seed: int) -> Ints:
    """Part of every decision: whole units at random, with all-positive, mixed and all-negative ones spread evenly.

    Units are drawn in the order of what they hold, so that their order in the file is of no matter.
    """
    ups = np.bincount(scores.unit[scores.positive], minlength=scores.n_units)
    kind = (ups > 0).astype(np.int64) + (ups == scores.per_unit)
    used = np.flatnonzero(scores.per_unit)
    alike = kind_of_each(scores.unit, scores.which * 2 + scores.positive, scores.n_units)
    shuffled = np.random.default_rng(seed).permutation(used[np.argsort(alike[used], kind="stable")])
    order = shuffled[np.argsort(kind[shuffled], kind="stable")]
    of_unit = np.zeros(scores.n_units, np.int64)
    of_unit[order] = np.arange(len(order)) % n_parts
    found: Ints = of_unit[scores.unit]
    return found


def _split(scores: Scores, part: Ints, seed: int, confidence: float | None) -> HeldOut | str:
    choosing, judging = scores.part(part == 0), scores.part(part == 1)
    tally = choosing.tally()
    best = best_cut(tally)
    if best is None:
        return "the items that choose the cut lack a class"
    if not (judging.positive.any() and not judging.positive.all()):
        return "the items held out lack a class"
    cut = _judged(judging, _called(judging, best.threshold), best.threshold, confidence)
    chosen = Cut(best.threshold, tally.table(best.threshold), {})
    return HeldOut("split", cut, chosen.value("youden_j"), (best.threshold,), seed, tally.n)


def _crossed(scores: Scores, part: Ints, folds: int, seed: int, confidence: float | None) -> HeldOut | str:
    called, thresholds = np.zeros(len(part), bool), []
    for fold in range(folds):
        best = best_cut(scores.part(part != fold).tally())
        if best is None:
            return "the items that choose a cut lack a class"
        called[part == fold] = _called(scores.part(part == fold), best.threshold)
        thresholds.append(best.threshold)
    tally = scores.tally()
    best = best_cut(tally)
    if best is None:
        return "a class is empty"
    everywhere = Cut(best.threshold, tally.table(best.threshold), {})
    cut = _judged(scores, called, best.threshold, confidence)
    return HeldOut("cross", cut, everywhere.value("youden_j"), tuple(thresholds), seed, tally.n)


def _called(scores: Scores, threshold: float) -> Bools:
    return reaches(scores.level, threshold, scores.direction)[scores.which]


def _judged(scores: Scores, called: Bools, threshold: float, confidence: float | None) -> Cut:
    return with_intervals(threshold, cells_at(scores.positive, called), scores.unit, confidence, scores.word)
