"""Does this installation still compute the published numbers, and with what?"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np

from metrics.analyses.agreement.compute import agreement
from metrics.analyses.kappa_phi.variances import kappa_variance, phi_variance
from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.coefficients import fleiss_kappa
from metrics.analyses.raters.compute import raters
from metrics.analyses.records import JudgeReport
from metrics.content.selftest.published import OTHERS, TABLES, Number, Published
from metrics.measures.catalogue import BY_KEY
from metrics.readers import read
from metrics.version import __version__

CLOSE = 1e-12
"""How far a computed number may lie from the exact one."""
LABELS = ("MET", "UNMET", "CANNOT_ASSESS")
CRITERIA = {"first": "A", "second": "B"}
LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "narwhals", "plotly", "typst", "xlsxwriter", "streamlit")
OPTIONAL = {
    "duckdb": "counts tables larger than memory", "polars": "counts Polars frames", "dask": "counts on several processes",
    "pyspark": "counts on a cluster",
}  # fmt: skip
"""What the package does without: what is missing where it is not there."""


@dataclass(frozen=True)
class Check:
    """One number: what the table gives exactly, what was computed, and what the source has.

    Attributes
    ----------
    exact : str
        The expected value as a fraction or its root; empty where it is undefined.
    expected, got, difference : float
        NaN where undefined; a difference of two undefined numbers is 0.
    as_printed : bool or None
        Whether the source has what its table gives; None where it has nothing.
    """

    table: str
    key: str
    name: str
    exact: str
    expected: float
    got: float
    difference: float
    agrees: bool
    printed: str
    as_printed: bool | None


@dataclass(frozen=True)
class SelfTest:
    """All checks, the versions they were computed with, and which optional parts are there."""

    checks: tuple[Check, ...]
    versions: Mapping[str, str]
    optional: Mapping[str, bool]

    @property
    def wrong(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.agrees)

    @property
    def agrees(self) -> bool:
        return not self.wrong

    def of(self, table: Published) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.table == table.name)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; undefined is null."""
        checks = [{key: _plain(value) for key, value in asdict(check).items()} for check in self.checks]
        environment = {"versions": dict(self.versions), "optional": dict(self.optional)}
        return {"agrees": self.agrees, "numbers": len(self.checks), "wrong": len(self.wrong), **environment, "checks": checks}


def self_test(tables: Iterable[Published] = TABLES) -> SelfTest:
    """Compute the numbers of all published tables, as a file with one row per decision would give them."""
    checks = tuple(check for table in tables for check in _checked(table))
    return SelfTest(checks, versions(), {name: find_spec(name) is not None for name in OPTIONAL})


def versions() -> dict[str, str]:
    """Return the versions of Python, this package, and the libraries it stands on; “not installed” where one is missing."""
    return {"python": platform.python_version(), "kappascope": __version__, **{name: _version(name) for name in LIBRARIES}}


def exactly(text: str) -> float:
    """Return the value of `Number.exact`."""
    if not text:
        return math.nan
    return math.sqrt(Fraction(text[1:])) if text.startswith("√") else float(Fraction(text))


def _checked(table: Published) -> list[Check]:
    if table.units:
        letters = sorted(set("".join(table.units)))
        ratings = read(_ratings(table).encode(), labels=dict.fromkeys(letters, "class" if len(letters) > 1 else "positive"))
        block = raters(ratings, interval="none").pooled
        return [_check(table, number, float(block.values[number.key])) for number in table.numbers]
    whole = read(_rows(table).encode())
    judge = agreement(whole, abstention=table.mode, interval="none").judges["judge"]
    return [_check(table, number, _got(table, number, judge)) for number in table.numbers]


def _check(table: Published, number: Number, got: float) -> Check:
    expected = exactly(number.exact)
    both_undefined = math.isnan(expected) and math.isnan(got)
    difference = 0.0 if both_undefined else got - expected
    agrees = both_undefined or abs(difference) <= CLOSE
    key = number.key if number.level == "micro" else f"{number.key} {number.level}"
    name = _name(number)
    return Check(
        table.name, key, name, number.exact, expected, got, difference, agrees, number.printed, _as_printed(number, expected)
    )


def _name(number: Number) -> str:
    name = OTHERS.get(number.key) or BY_KEY[number.key].name
    level = {"micro": "", "macro": ", mean of the criteria", "first": ", criterion A", "second": ", criterion B"}[number.level]
    return f"{name}{level}"


def _as_printed(number: Number, expected: float) -> bool | None:
    """Return whether the value rounds to what is printed; a half may go either way."""
    if not number.printed:
        return None
    if math.isnan(expected):
        return number.printed == "undefined"
    digits = len(number.printed.partition(".")[2])
    return bool(abs(float(number.printed) - expected) <= 0.5 * 0.1**digits + CLOSE)


def _got(table: Published, number: Number, judge: JudgeReport) -> float:
    counts = np.asarray(table.counts[0], float)
    if number.key in ("fleiss", "alpha"):
        function = {"fleiss": fleiss_kappa, "alpha": krippendorff_alpha}[number.key]
        return float(function(_votes(table)))
    if number.key in ("n_var_kappa", "n_var_phi"):
        return float({"n_var_kappa": kappa_variance, "n_var_phi": phi_variance}[number.key](counts) * counts.sum())
    if number.key in ("coverage", "judge_coverage"):
        return float(getattr(judge.coverage, number.key))
    criterion = CRITERIA.get(number.level)
    block = judge.criteria[criterion] if criterion else judge.macro if number.level == "macro" else judge.micro
    return float(block.n or 0) if number.key == "n" else float(block.values[number.key])


def _votes(table: Published) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return how many of two raters gave either label, by item."""
    (tp, fn), (fp, tn) = table.counts[0]
    return np.repeat([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]], [tp, fn + fp, tn], axis=0)


def _rows(table: Published) -> str:
    """Return the table as a file: one row per decision, the criteria of one item side by side."""
    lines = ["item,criterion,judge,human,verdict"]
    for criterion, counts in zip("AB", table.counts, strict=False):
        pairs = [(h, j, n) for h, row in enumerate(counts) for j, n in enumerate(row)]
        decided = [f"{criterion},judge,{LABELS[h]},{LABELS[j]}" for h, j, n in pairs for _ in range(n)]
        lines += [f"i{place},{decision}" for place, decision in enumerate(decided)]
    return "\n".join(lines)


def _ratings(table: Published) -> str:
    """Return the labels of people as a file: one row per rating."""
    rows = [f"i{n},r{place},human,{label}" for n, unit in enumerate(table.units) for place, label in enumerate(unit)]
    return "\n".join(["item,rater,role,label", *rows])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
