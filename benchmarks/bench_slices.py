"""What slices promise, by simulation: level of the tests between groups, false discoveries of the search, coverage, pooling.

Items have an effect of their own: a fifth of them are hard, with three times the errors. Groups are of unequal size. In cells
`same` no group differs; in `prevalence` groups differ in how often people say yes, TPR and TNR do not; in `errors` the judge errs
more in some groups. The search has eight columns of two to ten values that mean nothing, two of them nearly alike.
Run: python benchmarks/bench_slices.py [simulations] [start of a cell's name ...]; with the word speed, what a page takes.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dataclasses import replace

from bench_coverage import ratings_of

from metrics.analyses.agreement.compute import agreement_of, judge_report
from metrics.analyses.settings import Settings, settings_of
from metrics.analyses.slices.compute import on_metric, slices_of
from metrics.analyses.slices.grouping import By, proposed
from metrics.analyses.slices.parts import units_by_item
from metrics.analyses.slices.searching import search
from metrics.data.filtering import only_where
from metrics.data.ratings import Ratings

METRICS = ("kappa", "recall", "specificity")
PERMUTATIONS = 199
BIG = 400_000
LEVEL = 0.05


@dataclass(frozen=True)
class Cell:
    """Sizes of the groups, their prevalences, the judge's error rates, and the criteria of an item."""

    name: str
    sizes: tuple[int, ...]
    prevalence: tuple[float, ...]
    error: tuple[float, ...]
    criteria: int = 1

    @property
    def null(self) -> tuple[str, ...]:
        """Metrics in which no group differs."""
        if len(set(self.error)) > 1:
            return ()
        return METRICS if len(set(self.prevalence)) == 1 else METRICS[1:]


def cells() -> Iterator[Cell]:
    sizes = (100, 60, 30, 20, 12)
    for criteria in (1, 4):
        for error in (0.05, 0.15):
            name = f"{error:.0%} errors, {criteria} criteria"
            yield Cell(f"same: {name}", sizes, (0.6,) * 5, (error,) * 5, criteria)
            yield Cell(f"prevalence: {name}", sizes, (0.3, 0.5, 0.6, 0.7, 0.85), (error,) * 5, criteria)
    yield Cell("same: 15% errors, 12 small groups", (15,) * 12, (0.5,) * 12, (0.15,) * 12)
    yield Cell("errors: 1 criteria", (60,) * 6, (0.6,) * 6, (0.05, 0.1, 0.15, 0.15, 0.2, 0.3))
    yield Cell("errors: 4 criteria", (40,) * 6, (0.6,) * 6, (0.05, 0.1, 0.15, 0.15, 0.2, 0.3), 4)


def draw(cell: Cell, group: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return reference and judge codes, shape (n, C)."""
    shape = (len(group), cell.criteria)
    reference = np.where(rng.random(shape) < np.array(cell.prevalence)[group][:, None], 0, 1)
    hard = rng.random((len(group), 1)) < 0.2
    rate = np.array(cell.error)[group][:, None] / 1.4 * np.where(hard, 3.0, 1.0)
    return reference, np.where(rng.random(shape) < np.minimum(rate, 0.9), 1 - reference, reference)


def made(cell: Cell, rng: np.random.Generator) -> Ratings:
    """Return one file: the column `group`, and eight that mean nothing."""
    group = np.repeat(np.arange(len(cell.sizes)), cell.sizes)
    ratings = ratings_of(*draw(cell, group, rng))
    columns = {"group": [f"g{code}" for code in np.repeat(group, cell.criteria)]}
    values = rng.integers(0, 10, (8, len(group)))
    values[1] = np.where(rng.random(len(group)) < 0.9, values[0], values[1])
    for place, (own, many) in enumerate(zip(values, (5, 5, 2, 3, 4, 6, 8, 10), strict=True)):
        columns[f"c{place}"] = [f"v{code}" for code in np.repeat(own % many, cell.criteria)]
    return replace(ratings, table=pa.table(columns))


def truth(cell: Cell) -> list[dict[str, float]]:
    """Return every metric of every group in the population."""
    out = []
    for place in range(len(cell.sizes)):
        report = judge_report(
            ratings_of(*draw(cell, np.full(BIG // cell.criteria, place), np.random.default_rng(7))), "judge", NONE
        )
        out.append({key: report.micro[key].value for key in METRICS})
    return out


NONE = Settings(interval="none", judges=("judge",), reference="human")


def run(cell: Cell, simulations: int) -> dict[str, list[float]]:
    """Return everything that is counted, a list to a name."""
    true, out = truth(cell), defaultdict(list)
    for seed in range(simulations):
        rng = np.random.default_rng([seed, len(cell.sizes), cell.criteria])
        ratings = made(cell, rng)
        settings = settings_of(ratings)
        report = slices_of(ratings, settings, [By("group")]).judges["judge"]
        for each in report.slices:
            at = int(each.value[1:])
            for key in METRICS:
                if each.small[key] or not each[key].ends:
                    continue
                low, high = each[key].ends
                out[f"covered {key}"].append(low <= true[at][key] <= high)
            if not each.small["kappa"]:
                out["raw error"].append(each["kappa"].value - true[at]["kappa"])
                out["pooled error"].append(each.pooled["kappa"] - true[at]["kappa"])
        units, items = units_by_item(ratings, "judge", settings)
        group = np.repeat(np.arange(len(cell.sizes)), cell.sizes)[items]
        for key in METRICS:
            _, result = on_metric(units.each(), group, len(cell.sizes), key, replicates=PERMUTATIONS, seed=seed)
            out[f"Q {key}"].append(result.test.p <= LEVEL)
            out[f"Holm {key}"].append(bool(np.nanmin(result.p, initial=1.0) <= LEVEL))
        searched = replace(ratings, table=ratings.table.drop_columns(["group"]), memo={})
        out["search"].append(bool(search(searched, settings, "judge", replicates=PERMUTATIONS, seed=seed).departing))
    return out


def speed(n_items: int = 200_000, criteria: int = 5, columns: int = 20, values: int = 20) -> None:
    """Print what each part of the page takes of the processor, beside one report."""
    rng = np.random.default_rng(0)
    reference = np.where(rng.random((n_items, criteria)) < 0.6, 0, 1)
    judge = np.where(rng.random(reference.shape) < 0.12, 1 - reference, reference)
    table = pa.table(
        {
            f"c{place}": [f"v{code:02d}" for code in np.repeat(rng.integers(0, values, n_items), criteria)]
            for place in range(columns)
        }
    )
    ratings = replace(ratings_of(reference, judge), table=table)
    settings, condition = settings_of(ratings), "c3=v04"
    # What is loaded late is loaded before.
    slices_of(replace(ratings, memo={}), settings, [By("c9")])
    ratings = replace(ratings, memo={})
    parts = {
        "one report": lambda: agreement_of(ratings, settings),
        "what the columns hold, once a file": lambda: proposed(ratings),
        "slices of a column": lambda: slices_of(ratings, settings, [By("c0")]),
        "search": lambda: search(ratings, settings, "judge"),
        "a filter": lambda: only_where(ratings, [condition]),
    }
    for name, part in parts.items():
        begun, on_clock = time.process_time(), time.perf_counter()
        part()
        print(f"{name}: {time.process_time() - begun:.2f} s, {time.perf_counter() - on_clock:.2f} s on the clock", flush=True)


def main() -> None:
    if sys.argv[1:] == ["speed"]:
        speed()
        return
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    starts = sys.argv[2:]
    for cell in cells():
        if starts and not any(cell.name.startswith(start) for start in starts):
            continue
        found = run(cell, simulations)
        shown = {name: f"{100 * np.mean(values):.1f}" for name, values in found.items() if "error" not in name}
        errors = {name: f"{np.sqrt(np.mean(np.square(found[name]))):.3f}" for name in ("raw error", "pooled error")}
        print(f"{cell.name} (no difference in {', '.join(cell.null) or 'none'}; {simulations} files)", shown | errors, flush=True)


if __name__ == "__main__":
    main()
