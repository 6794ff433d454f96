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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dataclasses import replace

from bench_coverage import ratings_of

import metrics
from metrics.analyses.agreement.compute import agreement_of, judge_report
from metrics.analyses.settings import Settings, settings_of
from metrics.analyses.slices.compute import on_metric, slices_of
from metrics.analyses.slices.grouping import By, proposed
from metrics.analyses.slices.parts import units_by_item
from metrics.analyses.slices.searching import search
from metrics.data.filtering import only_where
from metrics.data.item_columns import values_to_filter_by
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


def csv_of(n_items: int, criteria: int, columns: int, values: int) -> bytes:
    """Return decisions of one judge and one human as CSV, a row each, with columns that say something of the item."""
    rng = np.random.default_rng(0)
    labels = np.array(["MET", "UNMET"])
    reference = np.where(rng.random((n_items, criteria)) < 0.6, 0, 1)
    judge = np.where(rng.random(reference.shape) < 0.12, 1 - reference, reference)
    names = np.array([f"v{value:02d}" for value in range(values)])
    table = {
        "item": np.repeat([f"i{item}" for item in range(n_items)], criteria),
        "criterion": np.tile([f"c{criterion}" for criterion in range(criteria)], n_items),
        "human": labels[reference.ravel()],
        "verdict": labels[judge.ravel()],
    }
    table |= {f"m{place}": names[np.repeat(rng.integers(0, values, n_items), criteria)] for place in range(columns)}
    buffer = pa.BufferOutputStream()
    pa_csv.write_csv(pa.table(table), buffer)
    return buffer.getvalue().to_pybytes()


def speed(n_items: int = 200_000, criteria: int = 5, columns: int = 20, values: int = 20) -> None:
    """Print what each part of a first visit to the page takes of the processor, beside one report of the same file.

    Modules are loaded before, by a small file. Of the large one nothing is: "cold" is the first time in the file just read.
    """
    visit(csv_of(200, criteria, columns, values), lambda name, seconds: None)
    took: dict[str, float] = {}
    visit(csv_of(n_items, criteria, columns, values), took.__setitem__)
    page = sum(took[name] for name in PAGE)
    cold, from_bytes = took["one report, cold"], took["reading"] + took["one report, cold"]
    for name, seconds in took.items():
        print(f"{name}: {seconds:.3f} s")
    print(f"the page: {page:.3f} s, {page / cold:.1f} cold reports, {page / from_bytes:.2f} of a report from bytes", flush=True)


PAGE = ("what the columns hold", "slices of a column", "search")


def visit(data: bytes, told: Callable[[str, float], object]) -> None:
    """Tell the seconds of the processor that each part takes, in the order of a visit."""
    ratings = timed("reading", told, lambda: metrics.read(data))
    settings = settings_of(ratings)
    judge = settings.judges[0]
    report = timed("one report, cold", told, lambda: agreement_of(ratings, settings))
    timed("one report, again", told, lambda: agreement_of(ratings, settings))
    timed(PAGE[0], told, lambda: (values_to_filter_by(ratings), proposed(ratings)))
    timed(PAGE[1], told, lambda: slices_of(ratings, settings, [By("m0")], report=report))
    timed(PAGE[2], told, lambda: search(ratings, settings, judge))
    timed("slices of the next column", told, lambda: slices_of(ratings, settings, [By("m1")], report=report))
    timed("a filter", told, lambda: only_where(ratings, ["m3=v04"]))


def timed(name: str, told: Callable[[str, float], object], part: Callable[[], Any]) -> Any:
    begun = time.process_time()
    made = part()
    told(name, time.process_time() - begun)
    return made


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
