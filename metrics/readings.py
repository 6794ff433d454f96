"""What a figure says, in a sentence computed from the numbers drawn.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from metrics import words
from metrics.abstention import Coverage
from metrics.catalogue import BY_KEY
from metrics.results import Block

Name = Callable[[str], str]
RARE = 0.2
"""Share of a label below which a reading calls it rare."""
NOISE = 3.84
"""Critical value of McNemar's chi-square at 5 %."""


def plain_name(text: str) -> str:
    return text


def confusion_reading(block: Block, *, unit: str = "decisions", name: Name = plain_name) -> str:
    """Which errors the judge makes, and to which side."""
    if block.confusion is None or not block.n:
        return "no decision is left."
    if len(block.labels) == 2:
        return _two_by_two(block, unit, name)
    return _many(block, unit, name)


def _two_by_two(block: Block, unit: str, name: Name) -> str:
    (tp, fn), (fp, tn) = np.asarray(block.confusion).tolist()
    positive, negative = (name(label) for label in block.labels)
    missed = f"of {words.count(tp + fn)} {unit} the human called {positive} the judge missed {words.count(fn)}"
    passed = f"of {words.count(fp + tn)} called {negative} it passed {words.count(fp)}"
    if not fp + fn:
        return f"{missed}; {passed}. The two never differ."
    if (fp - fn) ** 2 <= NOISE * (fp + fn):
        return f"{missed}; {passed}. The two errors are alike within the noise."
    return f"{missed}; {passed}. It errs to the {positive if fp > fn else negative} side."


def _many(block: Block, unit: str, name: Name) -> str:
    table = np.asarray(block.confusion)
    off = table * (1 - np.eye(len(table), dtype=np.int64))
    differ = int(off.sum())
    start = f"of {words.count(block.n)} {unit} judge and human give different answers on {words.count(differ)}"
    if not differ:
        return f"{start}."
    row, column = np.unravel_index(int(off.argmax()), off.shape)
    human, judge = name(block.labels[row]), name(block.labels[column])
    return f"{start}; most often the human says {human} and the judge {judge} ({words.count(int(off[row, column]))} times)."


def grid_reading(values: Sequence[Sequence[float]], metric: str, coverage: Coverage) -> str:
    """How far a number moves over abstention mode (rows) and aggregation (columns)."""
    grid = np.asarray(values, dtype=np.float64)
    record = BY_KEY[metric]
    defined = grid[~np.isnan(grid)]
    if not defined.size:
        return f"{record.symbol} is undefined under every choice."
    if coverage.n_covered == coverage.n_total and np.ptp(defined) == 0:
        return f"nobody abstained here. All choices give the same number, {words.value(defined[0], record.unit)}."
    low, high = words.value(defined.min(), record.unit), words.value(defined.max(), record.unit)
    missing = grid.size - defined.size
    gaps = f" {missing} of the {grid.size} {'is' if missing == 1 else 'are'} undefined." if missing else ""
    if low == high:
        return f"{record.symbol} is {low} under every choice. The outlined cell is the one declared.{gaps}"
    by_mode, by_level = _widest(grid.T), _widest(grid)
    most = (
        f"The {'mode' if by_mode >= by_level else 'level'} moves it most, by {_difference(max(by_mode, by_level), record.unit)}."
    )
    return f"the same verdicts give {record.symbol} from {low} to {high}. The outlined cell is the one declared. {most}{gaps}"


def _widest(grid: np.ndarray) -> float:
    """Largest range within a row, of rows with at least two values."""
    spans = [float(np.nanmax(row) - np.nanmin(row)) for row in grid if (~np.isnan(row)).sum() > 1]
    return max(spans, default=0.0)


def _difference(value: float, unit: str) -> str:
    return words.points(value).lstrip("+") if unit == "%" else words.number(value)


def criteria_reading(criteria: Mapping[str, Block], metric: str, *, name: Name = plain_name) -> str:
    """Where the metric is lowest, and what that criterion looks like."""
    record = BY_KEY[metric]
    values = {key: block.values[metric] for key, block in criteria.items()}
    defined = {key: value for key, value in values.items() if not np.isnan(value)}
    undefined = [key for key in values if key not in defined]
    if not defined:
        return f"{record.symbol} is undefined on every criterion: {criteria[undefined[0]].undefined[metric]}."
    if len(values) == 1:
        only = next(iter(defined))
        return f"there is one criterion, {name(only)}; {_equals(metric, defined[only])}."
    worst = min(defined, key=lambda key: defined[key])
    text = f"{_end(metric)} on {name(worst)} ({_equals(metric, defined[worst], ' ')}), {_why(criteria[worst], name)}."
    return text + _undefined(undefined, criteria, metric)


def _equals(metric: str, value: float, between: str = " is ") -> str:
    return f"{BY_KEY[metric].symbol}{between}{words.value(value, BY_KEY[metric].unit)}"


def _end(metric: str) -> str:
    group = BY_KEY[metric].group
    return "agreement is weakest" if group in ("beyond chance", "agreement") else f"{BY_KEY[metric].name} is lowest"


def _why(block: Block, name: Name) -> str:
    table = np.asarray(block.confusion)
    rows, n = table.sum(1), words.count(table.sum())
    rarest = int(np.where(rows > 0, rows, rows.max() + 1).argmin())
    if rows[rarest] <= RARE * rows.sum() and rows[rarest] < rows.sum():
        return f"where the human said {name(block.labels[rarest])} only {words.count(rows[rarest])} times in {n}"
    if len(rows) == 2:
        return f"where the judge missed {words.count(table[0, 1])} and passed {words.count(table[1, 0])} of {n} decisions"
    return f"where {words.count(table.sum() - np.trace(table))} of {n} answers differ"


def _undefined(undefined: Sequence[str], criteria: Mapping[str, Block], metric: str) -> str:
    if not undefined:
        return ""
    reasons = "; ".join(dict.fromkeys(criteria[key].undefined[metric] for key in undefined))
    if len(undefined) == 1:
        return f" One criterion is undefined: {reasons}."
    return f" {words.count(len(undefined))} criteria are undefined: {reasons}."


def drift_words(drift: float, positive: str) -> str:
    """Drift as a judge's habit."""
    if np.isnan(drift):
        return "undefined"
    if drift == 0:
        return f"says {positive} as often"
    return f"says {positive} {'more' if drift > 0 else 'less'}"


def one_sided_words(block: Block) -> str:
    """Why a criterion's coefficients say little, beside its dot: "judge says only MET"; empty where both sides vary."""
    return "{} says only {}".format(*block.one_sided) if block.one_sided else ""
