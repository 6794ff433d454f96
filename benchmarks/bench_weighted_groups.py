"""How often weighted intervals that leave out whole groups of items cover, and how often whole groups swapped reject.

Groups, such as prompts, hold 2 to 11 items whose errors and labels go together. Groups with many hard items are drawn about three
times as often as others, and so are hard items inside them; weights are one over the chance of both. The agreement of a judge is
that of `metrics.analyses.weighing`, beside its jackknife alone; the difference of two judges and its permutation test are of
`metrics.analyses.comparison.weighted`, for judges that differ and for judges alike.
Run: python benchmarks/bench_weighted_groups.py [replicates]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.comparison.permutation import permutation_tests
from metrics.analyses.comparison.weighted import as_pairs, difference_by_weight, drawn_pairs
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.weighing import Together, Weighing, grouped, small_cells
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY

KEYS, GROUPS = ("kappa", "accuracy", "recall", "f1"), (20, 40, 60)
SCENES = {
    "errors of a group alike": (1.0, -0.5, -2.2),
    "very much alike": (1.5, 0.0, -3.0),
    "not alike": (0.0, -0.5, -2.2),
    "few errors": (1.0, -1.0, -3.5),
}
"""Spread of the log odds of an error over groups, and these log odds of a hard item and of another one."""
RARER, FEW_HARD, CONFIDENCE, SWAPS, POPULATION = 0.35, 0.3, 0.95, 299, 200_000
LEAST = 0.92
Sample = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def logistic(odds: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-odds)))


def population(rng: np.random.Generator, n: int, scene: str, better: float) -> tuple[np.ndarray, ...]:
    """Return of every item its group, whether it is hard, what people say, and what two judges say."""
    spread, hard_odds, easy_odds = SCENES[scene]
    group = np.repeat(np.arange(n), rng.integers(2, 12, n))
    own, tempt, apart = (rng.normal(0, sd, n)[group] for sd in (spread, 0.8, 0.7))
    hard, human = (rng.random(len(group)) < logistic(middle + tempt) for middle in (-1.0, 0.0))
    odds = np.where(hard, hard_odds, easy_odds) + own
    a, b = (human ^ (rng.random(len(group)) < logistic(odds + more)) for more in (apart, -apart - better))
    return group, hard, human, a, b


def sample(rng: np.random.Generator, n: int, scene: str, better: float) -> Sample:
    """Return group, people, both judges and weight of items drawn as they are hard."""
    group, hard, human, a, b = population(rng, int(1.6 * n), scene, better)
    easy = (np.bincount(group, hard) / np.bincount(group) <= FEW_HARD)[group]
    of_group = rng.random(group.max() + 1)[group] < np.where(easy, RARER, 1)
    kept = of_group & (rng.random(len(group)) < np.where(hard, 1, RARER))
    weight = np.where(easy, 1 / RARER, 1) * np.where(hard, 1, 1 / RARER)
    return group[kept], human[kept], a[kept], b[kept], weight[kept]


def cells(human: np.ndarray, judge: np.ndarray) -> np.ndarray:
    return ((~human) * 2 + (~judge)).astype(np.int64)


def whole(human: np.ndarray, judge: np.ndarray) -> FloatArray:
    return np.bincount(cells(human, judge), minlength=4).reshape(2, 2).astype(float)


def agreement(scene: str, n: int, replicates: int) -> dict[str, tuple[float, float]]:
    """Return by metric how often the interval covers, and the jackknife alone."""
    rng, family = np.random.default_rng(n), catalogue_family(("yes", "no"), keys=KEYS)
    _, _, human, judge, _ = population(rng, POPULATION, scene, 0.0)
    true = {key: float(function(whole(human, judge))) for key, function in family.functions.items()}
    asked = Weighing("weight", family, CONFIDENCE, small_cells), Weighing("weight", family, CONFIDENCE, lambda _: "", heavy=False)
    hits = {key: np.zeros(2) for key in KEYS}
    for _ in range(replicates):
        group, human, judge, _, weight = sample(rng, n, scene, 0.0)
        one = np.ones(len(group), np.int64)
        items = grouped(np.eye(4).reshape(4, 2, 2), cells(human, judge), weight, one, Together(group, "groups")).items
        for place, each in enumerate(asked):
            for key, estimate in each.numbers(items).estimates.items():
                hits[key][place] += estimate.ends is not None and estimate.ends[0] <= true[key] <= estimate.ends[1]
    return {key: (float(made), float(alone)) for key, (made, alone) in ((key, hits[key] / replicates) for key in KEYS)}


def difference(key: str, n: int, replicates: int) -> tuple[float, float, float]:
    """Return how often the interval of a difference covers it, and 0 of judges alike, and how often their swaps reject."""
    rng, scene, statistic = np.random.default_rng(n), next(iter(SCENES)), Statistic(BY_KEY[key].function, "pooled")
    _, _, human, a, b = population(rng, POPULATION, scene, 0.7)
    true = float(statistic.function(whole(human, b)) - statistic.function(whole(human, a)))
    hits = np.zeros(3)
    for _ in range(replicates):
        for place, (better, value) in enumerate(((0.7, true), (0.0, 0.0))):
            group, human, a, b, weight = sample(rng, n, scene, better)
            item, one = np.arange(len(group)), np.ones(len(group), np.int64)
            sides = cells(human, a), cells(human, b)
            drawn = drawn_pairs(item, 0 * item, sides, weight, one, (1, 2), Together(group, "groups"))
            ends = difference_by_weight(drawn, statistic, CONFIDENCE, 2.0)[2].ends
            hits[place] += ends is not None and ends[0] <= value <= ends[1]
        hits[2] += permutation_tests(as_pairs(drawn), [statistic], SWAPS, rng)[0].p <= 1 - CONFIDENCE
    covered, of_none, rejected = (hits / replicates).tolist()
    return covered, of_none, rejected


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print(f"interval, jackknife alone, of {replicates}")
    least = 1.0
    for scene in SCENES:
        for n in GROUPS:
            found = agreement(scene, n, replicates)
            least = min(least, *(made for made, _ in found.values()))
            shown = "   ".join(f"{key} {made:.1%} {alone:.1%}" for key, (made, alone) in found.items())
            print(f"{scene:24} {n:3} groups   {shown}", flush=True)
    for key in ("kappa", "accuracy"):
        for n in GROUPS:
            covered, of_none, rejected = difference(key, n, replicates)
            print(f"difference in {key:9} {n:3} groups   {covered:.1%}   alike {of_none:.1%}   swaps {rejected:.1%}", flush=True)
    assert least >= LEAST, least


if __name__ == "__main__":
    main()
