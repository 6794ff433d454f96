"""Agreement among raters: alpha and its interval against the package krippendorff, all pairs of raters against scikit-learn.

Same labels on both sides, in one process, one after the other in turn, on a single thread; results are compared before times,
and the median of processor seconds counts. Loops of the peers are run in part and scaled. With --coverage: do the intervals of
small samples cover?
Run: python benchmarks/bench_raters.py [--coverage]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.raters.alpha import alpha_left_out, alpha_of, coincidences
from metrics.analyses.raters.compute import block_of
from metrics.analyses.raters.gate import Bands
from metrics.analyses.raters.pairwise import pairs_of
from metrics.analyses.raters.tally import tally_of
from metrics.analyses.raters.units import Units
from metrics.data.order import MEASUREMENTS, Measurement

UNITS, RATERS, CLASSES, MISSING, JUDGES = 100_000, 5, 4, 0.1, 65
ROUNDS, REPLICATES, REPLICATES_RUN, PAIRS_RUN = 7, 1000, 10, 20
WANTED = {"alpha": 1.5, "interval": 1000.0, "pairs": 50.0}
SIMULATIONS, LARGE = 400, 400_000


def labels(
    rng: np.random.Generator, n: int, raters: int, k: int, missing: float, knows: float = 0.6, common: float = 0.0
) -> np.ndarray:
    """Codes of labels: the truth where the rater knows it, else a guess at the same rates; the last class `common` more often."""

    def drawn(*shape: int) -> np.ndarray:
        return np.where(rng.random(shape) < common, k - 1, rng.integers(0, k, shape))

    found = np.where(rng.random((n, raters)) < knows, drawn(n, 1), drawn(n, raters))
    found[rng.random((n, raters)) < missing] = -1
    return found[(found >= 0).any(1)].astype(np.int16)


def units_of(own: np.ndarray, k: int) -> Units:
    n, raters = own.shape
    names = tuple(f"r{place}" for place in range(raters))
    return Units(own, tuple(map(str, range(1, k + 1))), names, np.arange(n, dtype=np.int32), np.zeros(n, np.int32), "human")


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turn(ours: Callable[[], object], theirs: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """Median CPU seconds of both."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return statistics.median(first for first, _ in pairs), statistics.median(second for _, second in pairs)


def told(what: str, ours: float, theirs: float, wanted: float) -> int:
    print(
        f"{what}: {ours * 1000:.1f} ms against {theirs * 1000:,.0f} ms, {theirs / ours:,.1f} times as fast (wanted: {wanted:,})"
    )
    return int(theirs / ours < wanted)


def our_alpha(units: Units, level: Measurement) -> float:
    tally = tally_of(units)
    return float(alpha_of(coincidences(tally.votes, tally.times), None, level))


def a_loop(votes: np.ndarray, level: str, rng: np.random.Generator) -> None:
    for _ in range(REPLICATES_RUN):
        drawn = votes[rng.integers(0, len(votes), len(votes))]
        krippendorff.alpha(value_counts=drawn, value_domain=range(1, CLASSES + 1), level_of_measurement=level)


def alphas() -> int:
    units = units_of(labels(np.random.default_rng(1), UNITS, RATERS, CLASSES, MISSING), CLASSES)
    data, votes, missed = np.where(units.labels >= 0, units.labels + 1.0, np.nan).T, units.votes, 0
    for level in MEASUREMENTS:
        peer = partial(krippendorff.alpha, data, level_of_measurement=level)
        counted = partial(krippendorff.alpha, value_counts=votes, value_domain=range(1, CLASSES + 1), level_of_measurement=level)
        assert abs(our_alpha(units, level) - peer()) < 1e-9
        missed += told(f"α, {level}, from labels", *in_turn(partial(our_alpha, units, level), peer), WANTED["alpha"])
        # The peer is spared the counting, we are not.
        missed += told(f"α, {level}, the peer from counts", *in_turn(partial(our_alpha, units, level), counted), WANTED["alpha"])
        ours, loop = in_turn(
            lambda level=level: (our_alpha(units, level), alpha_left_out(tally_of(units), None, level)),
            partial(a_loop, votes, level, np.random.default_rng(2)),
            3,
        )
        scaled = loop * REPLICATES / REPLICATES_RUN
        missed += told(f"interval of α, {level}, against {REPLICATES:,} replicates from counts", ours, scaled, WANTED["interval"])
    return missed


def pairs() -> int:
    missed = 0
    for k, missing in ((2, 0.0), (3, 0.1)):
        own = labels(np.random.default_rng(3), UNITS, JUDGES, k, missing)
        found = pairs_of(own, k)
        some = np.random.default_rng(4).choice(len(found), PAIRS_RUN, replace=False)

        def peer(own: np.ndarray = own, some: np.ndarray = some, found=found) -> list[float]:
            out = []
            for a, b in zip(found.a[some], found.b[some], strict=True):
                shared = (own[:, a] >= 0) & (own[:, b] >= 0)
                out.append(cohen_kappa_score(own[shared, a], own[shared, b]))
            return out

        assert np.abs(found.kappa[some] - peer()).max() < 1e-9
        ours, loop = in_turn(lambda own=own, k=k: pairs_of(own, k).kappa, peer, 3)
        what = f"κ of {len(found):,} pairs of {JUDGES} judges, {k} classes, {missing:.0%} missing"
        missed += told(what, ours, loop * len(found) / PAIRS_RUN, WANTED["pairs"])
        whole = partial(block_of, units_of(own, k), np.arange(1.0, k + 1), "nominal", Bands())
        print(f"  all statistics of these judges with their intervals: {seconds(whole):.2f} s")
    return missed


def coverage() -> None:
    """Share of samples whose interval holds the value of a sample of 400,000 items, given that there is an interval."""
    rng, rows = np.random.default_rng(5), {}
    settings = ((0.7, 0.0), (0.9, 0.0), (0.98, 0.0), (0.9, 0.8))
    for n, raters, k, (knows, common) in product((20, 50, 200), (2, 4), (2, 4), settings):
        level: Measurement = "nominal" if k == 2 else "ordinal"
        values, missing = np.arange(1.0, k + 1), 0.15 if raters > 2 else 0.0
        large = units_of(labels(rng, LARGE, raters, k, missing, knows, common), k)
        truth = block_of(large, values, level, Bands(), interval="none").values
        hits = {key: [] for key in truth}
        for _ in range(SIMULATIONS):
            block = block_of(units_of(labels(rng, n, raters, k, missing, knows, common), k), values, level, Bands())
            for key, found in block.intervals.items():
                hits[key].append(found.low <= truth[key] <= found.high)
        for key, own in hits.items():
            rows.setdefault((key, n), []).append(100 * statistics.mean(own))
    for (key, n), shares in rows.items():
        mean = statistics.mean(shares)
        print(f"{key}, {n} items: {len(shares)} cells, {min(shares):.1f} – {max(shares):.1f} ({mean:.1f}) % covered")


if __name__ == "__main__":
    if "--coverage" in sys.argv:
        coverage()
    else:
        sys.exit(alphas() + pairs())
