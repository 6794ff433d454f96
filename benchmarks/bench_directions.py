"""How often a direction is said where there is none: label-rate bias, strict or lenient, and below the baseline."""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.directions import Directions, directions_of
from metrics.results.estimate import Estimate


def sample(rng: np.random.Generator, n: int, criteria: int, share: float, fnr: float, fpr: float, together: float) -> Directions:
    """One data set: an item's errors hang together with the intraclass correlation `together`."""
    human = rng.random((n, criteria)) < share
    rates = [rng.beta(r * (1 / together - 1), (1 - r) * (1 / together - 1), (n, 1)) if together else r for r in (fnr, fpr)]
    wrong = rng.random((n, criteria)) < np.where(human, *rates)
    return found(human, human ^ wrong)


def found(human: NDArray[np.bool_], judge: NDArray[np.bool_]) -> Directions:
    cells = np.stack([human & judge, human & ~judge, ~human & judge, ~human & ~judge], -1).sum(1)
    tables, units = np.unique(cells, axis=0, return_counts=True)
    its = directions_of(
        tables.reshape(-1, 2, 2).astype(float),
        units.astype(float),
        word="items",
        binary=True,
        confidence=0.95,
        drift=Estimate(0.0),
    )
    assert its is not None
    return its


def one_way(rng: np.random.Generator, n: int, criteria: int) -> Directions:
    """Errors of an item all go one way, either way alike."""
    human = rng.random((n, criteria)) < 0.5
    wrong = rng.random((n, criteria)) < rng.beta(0.3, 2.7, (n, 1))
    return found(human, np.where(wrong, rng.random((n, 1)) < 0.5, human))


def percent(said: list[int]) -> str:
    return f"{100 * sum(map(bool, said)) / len(said):.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1000)
    n_samples, rng = parser.parse_args().samples, np.random.default_rng(0)
    print("label-rate bias said without one, errors of an item one way")
    for n, criteria in ((20, 10), (50, 10), (200, 4)):
        its = [one_way(rng, n, criteria).label_rates for _ in range(n_samples)]
        print(f"  {n:4} items, {criteria:2} criteria: {percent([one.sign for one in its if one])}")
    print("strict or lenient said at equal error rates")
    for n, criteria, share, rate, together in (
        (60, 1, 0.83, 0.125, 0.0), (240, 1, 0.83, 0.125, 0.0), (50, 4, 0.5, 0.3, 0.0), (50, 10, 0.83, 0.125, 0.3),
        (100, 4, 0.83, 0.125, 0.7), (200, 4, 0.95, 0.125, 0.3),
    ):  # fmt: skip
        every = [sample(rng, n, criteria, share, rate, rate, together) for _ in range(n_samples)]
        said = percent([one.error_rates.sign for one in every if one.error_rates])
        bias = percent([one.label_rates.sign for one in every if one.label_rates])
        print(f"  {n:4} items, {criteria:2} criteria, {share:.0%} positive, errors {rate}, {together}: {said} (bias {bias})")
    print("below the baseline said of a judge as often right as it")
    for n, share in ((50, 0.5), (100, 0.5), (100, 0.55), (30, 0.7)):
        every = [sample(rng, n, 1, share, 1 - share, 1 - share, 0.0).baseline.sign < 0 for _ in range(n_samples)]
        print(f"  {n:4} items, {share:.0%} positive: {percent([int(one) for one in every])}")
    every = [sample(rng, 100, 1, 0.65, 0.53, 0.53, 0.0).baseline.sign < 0 for _ in range(n_samples)]
    print(f"  of one right on 47 % where the commoner label is 65 %, 100 items: {percent([int(one) for one in every])}")


if __name__ == "__main__":
    main()
