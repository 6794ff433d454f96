"""Level and coverage of the effect of a property at the same human label, by simulation.

The human label depends on the property, the judge on the label, on the item, and in some cells on the property; n items with one
or five criteria. `length` is normal with spread 1, `group` has 30 % of the items.

Of two answers: people and judge see the quality of one against the other, each with noise of its own, and quality goes with the
property. The effect is the slope of judge less people; beside it the slope of the judge at one answer of people.
Run: python benchmarks/bench_biases.py [simulations]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.biases.within_labels import Decisions, Effect, slope


def effect(n: int, criteria: int, pull: float, kind: str, rng: np.random.Generator) -> Effect:
    """Return the effect measured in one file."""
    x = rng.normal(6, 1, n) if kind == "length" else (rng.random(n) < 0.3).astype(np.float64)
    far = (x - x.mean())[:, None]
    positive = rng.random((n, criteria)) < 1 / (1 + np.exp(-far / 2))
    share = np.where(positive, 0.85, 0.15) + pull * far + 0.12 * np.tanh(rng.normal(size=(n, 1)) / 2)
    judge = rng.random((n, criteria)) < np.clip(share, 0.01, 0.99)
    item = np.repeat(np.arange(n), criteria)
    stratum = np.tile(np.arange(criteria), n) * 2 + positive.ravel()
    decisions = Decisions(item, stratum, judge.ravel(), positive.ravel(), item, np.ones(n * criteria))
    return slope(decisions, decisions.judge, np.repeat(x, criteria), 0.95)


def of_pairs(n: int, criteria: int, pull: float, noise: tuple[float, float], rng: np.random.Generator) -> tuple[Effect, Effect]:
    """Return the slope of judge less people in one file, and that of the judge at one answer of people."""
    x = rng.normal(size=n)
    quality = (0.5 * x + rng.normal(size=n))[:, None] + 0.3 * rng.normal(size=(n, criteria))
    votes = []
    for lean, spread in zip((0.0, pull), noise, strict=True):
        seen = quality + lean * x[:, None] + spread * rng.normal(size=quality.shape) + 0.5 * spread * rng.normal(size=(n, 1))
        votes.append(np.where(np.abs(seen) < 0.3, 0.5, seen > 0).ravel())
    people, judge = votes
    item, criterion, weight = np.repeat(np.arange(n), criteria), np.tile(np.arange(criteria), n), np.ones(n * criteria)
    within = criterion * 3 + (2 * people).astype(np.int64)
    far = np.repeat(x, criteria)
    plain, held = (Decisions(item, stratum, judge, people, item, weight) for stratum in (criterion, within))
    return slope(plain, judge - people, far, 0.95), slope(held, judge, far, 0.95)


def main() -> None:
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for n, criteria in ((20, 1), (30, 1), (60, 1), (200, 1), (30, 5), (100, 5)):
        for kind, pull in (("length", 0.0), ("length", 0.03), ("group", 0.0)):
            found = [effect(n, criteria, pull, kind, np.random.default_rng(seed)) for seed in range(simulations)]
            known = [each for each in found if each.estimate.ends is not None]
            told = 100 * np.mean([each.p <= 0.05 for each in known])
            held = 100 * np.mean([each.estimate.ends[0] <= pull <= each.estimate.ends[1] for each in known])
            print(f"{n} items × {criteria}, {kind}, pull {pull}: told {told:.1f} %, covered {held:.1f} %", flush=True)
    for n, criteria in ((30, 1), (100, 1), (300, 1), (100, 4)):
        for pull, noise in ((0.0, (1.0, 1.0)), (0.3, (1.0, 1.0)), (0.0, (1.5, 0.7))):
            made = [of_pairs(n, criteria, pull, noise, np.random.default_rng(seed)) for seed in range(simulations)]
            less, held = (100 * np.mean([each[at].p <= 0.05 for each in made]) for at in (0, 1))
            print(f"{n} pairs × {criteria}, pull {pull}, noise {noise}: told {less:.1f} %, at one label {held:.1f} %", flush=True)


if __name__ == "__main__":
    main()
