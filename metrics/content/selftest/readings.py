"""What a self-test found, in sentences and as text for the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping

from metrics.content.selftest.checking import OPTIONAL, Check, SelfTest
from metrics.content.selftest.published import TABLES, Published
from metrics.results import words

AGREES, DIFFERS = "✓ agrees", "✗ differs"
NOT_COUNTED = (
    "The third table of the second paper is a simulation and follows from no counts; the page Simulation and the "
    "command select draw it anew."
)
EXPLAINED = (
    "Every published table is written out as a file with one row per decision, read, and computed in the way of any other file. "
    "What is expected is the exact fraction that follows from the table. Where a source has something else, that stands beside "
    "it with the reason, and the fraction counts."
)


def verdict(self_test: SelfTest) -> str:
    """Return a sentence: all published numbers agree; or how many do not, and which."""
    n = words.count(len(self_test.checks))
    if self_test.agrees:
        return f"All {n} published numbers agree."
    named = words.listed([f"{check.name} of “{check.table}”" for check in self_test.wrong], 6)
    return f"{words.count(len(self_test.wrong))} of {n} published numbers differ: {named}."


def outcome(check: Check) -> str:
    return AGREES if check.agrees else DIFFERS


def exact(check: Check) -> str:
    """Return the expected value with its fraction, 0.416667 = 5/12; or that it is undefined."""
    if math.isnan(check.expected):
        return "undefined"
    plain = check.exact.lstrip("√").replace("-", words.MINUS)
    fraction = f" = {f'√({plain})' if check.exact.startswith('√') else plain}" if "/" in plain and len(plain) < 9 else ""
    return f"{number(check.expected)}{fraction}"


def number(x: float) -> str:
    if math.isnan(x):
        return "undefined"
    return words.count(x) if x == round(x) else f"{x:.6f}".replace("-", words.MINUS)


def difference(check: Check) -> str:
    """Return 0, or the difference with its power of ten."""
    if not check.difference:
        return "0"
    return f"{check.difference:.0e}".replace("-", words.MINUS) if not math.isnan(check.difference) else "one is undefined"


def printed(check: Check) -> str:
    """Return what the source has, and whether its table gives that."""
    if not check.printed:
        return "not printed"
    return check.printed if check.as_printed else f"{check.printed}, not what its table gives"


def heading(table: Published) -> str:
    return f"{table.name}: {table.place}"


def counts(table: Published) -> str:
    """Return the counts, TP 40, FN 10, FP 20, TN 30; of three labels row by row."""
    if table.units:
        return f"Labels of each item, a letter per rating: {', '.join(table.units)}."
    if len(table.counts[0]) == 3:
        rows = "; ".join(", ".join(map(str, row)) for row in table.counts[0])
        return f"Human in rows, judge in columns; MET, UNMET, no verdict: {rows}."
    named = [
        ", ".join(f"{name} {n}" for name, n in zip(("TP", "FN", "FP", "TN"), (*a, *b), strict=True)) for a, b in table.counts
    ]
    return (
        f"{named[0]}."
        if len(named) == 1
        else " ".join(f"Criterion {name}: {text}." for name, text in zip("AB", named, strict=True))
    )


def parts(optional: Mapping[str, bool]) -> dict[str, str]:
    """Return optional parts and whether they are there, with what each is for."""
    return {name: f"{'✓ there' if there else '– not there'}; {OPTIONAL[name]}" for name, there in optional.items()}


def summary(self_test: SelfTest) -> str:
    """Return the whole self-test as text."""
    lines = [verdict(self_test), EXPLAINED]
    for table in TABLES:
        lines += ["", f"{heading(table)} ({table.paper}). {counts(table)}", *([f"  {table.why}"] if table.why else [])]
        for check in self_test.of(table):
            comparison = f"expected {exact(check)}, got {number(check.got)}, difference {difference(check)}"
            lines.append(f"  {outcome(check)}  {check.name}: {comparison}; printed: {printed(check)}")
    lines += ["", NOT_COUNTED, "", *(f"{name} {version}" for name, version in self_test.versions.items())]
    lines += [f"{name}: {status}" for name, status in parts(self_test.optional).items()]
    return "\n".join(lines)
