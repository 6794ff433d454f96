"""Numbers and names as they are written on screen, in figures and in reports."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import SupportsFloat

from metrics.results.estimate import Estimate

UNDEFINED = "–"
MINUS = "\u2212"
THIN_SPACE = "\u202f"
HARD_SPACE = "\u00a0"
ELLIPSIS = "…"
NOISE = 1e-9
"""How far arithmetic leaves a whole number from itself, as a share of it."""
EXACT, MOST_EXACT = 14, 1e12
"""Digits to which arithmetic is exact, and the number above which none of them is a decimal."""
NEEDS_ROWS = "A tally has no single items. Use the table that was counted."
"""Where something needs the rows behind a number."""
MOST_NAMED = 3
"""Names in a sentence: of more a reader wants a list, or how many they are."""
DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

FINE = "0.001"
"""Unit of a number that two decimals would hide."""
TENTHS = "0.1 %"
"""Unit of shares that lie close together."""

Value = SupportsFloat | None


def _float(value: Value) -> float:
    return math.nan if value is None else float(value)


def _decimals(value: Value, digits: int) -> str:
    x = _float(value)
    if math.isnan(x):
        return UNDEFINED
    if math.isinf(x):
        return "∞" if x > 0 else f"{MINUS}∞"
    text = _half_up(abs(x), digits)
    return f"{MINUS}{text}" if x < 0 and float(text) else text


@lru_cache(maxsize=1 << 14)
def _half_up(x: float, digits: int) -> str:
    """Return a number with a half going up, so that one value reads alike in percent and with decimals.

    `format` makes 98 % and 0.97 of 0.975.
    """
    if x >= MOST_EXACT:
        return f"{x:.{digits}f}"
    return f"{Decimal(f'{x:.{EXACT}g}').quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"


def number(value: Value) -> str:
    """Return two decimals with the zero: 0.81, −0.04."""
    return _decimals(value, 2)


def three(value: Value) -> str:
    """Return three decimals, for what two would hide: −0.004."""
    return _decimals(value, 3)


def p3(value: Value) -> str:
    """Return three decimals, for p values and for κ/φ: 0.040; what is not quite 0 does not read as 0."""
    return "<0.001" if 0 < _float(value) < 0.0005 else _decimals(value, 3)


def p_value(value: Value) -> str:
    """Return a p value with three decimals; one too small to be told from 0 is not 0."""
    return "<0.001" if value == 0 else p3(value)


def signed(value: Value, digits: int) -> str:
    """Return a difference with its sign: +0.0047, −1.2; 0 has none."""
    text = _decimals(value, digits)
    return f"+{text}" if _float(value) > 0 and float(text) else text


def tick(value: Value) -> str:
    """Return a number on an axis, without the zero: .8, −.4, 0, 1."""
    x = _float(value)
    if math.isnan(x):
        return UNDEFINED
    text = f"{round(abs(x), 2):g}"
    sign = MINUS if x < 0 and text != "0" else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def count(value: Value) -> str:
    """Return a whole number with thin spaces between thousands: 1 130."""
    x = _float(value)
    if not math.isfinite(x):
        return UNDEFINED
    return f"{round(x):,}".replace(",", THIN_SPACE).replace("-", MINUS)


def amount(value: Value) -> str:
    """Return a count that may be one on average: 1 234.5 where it has a decimal, else as `count`; never 0 for what is not."""
    x = _float(value)
    if not math.isfinite(x) or abs(x - round(x)) <= NOISE * max(abs(x), 1.0):
        return count(x)
    if 0 < x < 0.05:
        return "<0.1"
    whole, _, tenth = _half_up(abs(x), 1).partition(".")
    text = count(int(whole)) + (f".{tenth}" if tenth != "0" else "")
    return f"{MINUS}{text}" if x < 0 and text != "0" else text


def several(n: int, units: str) -> str:
    """Return a number of things in words: 1 item, 1 criterion, 20 groups by ‘prompt’."""
    return f"{count(n)} {one_of(units) if n == 1 else units}"


def one_of(units: str) -> str:
    """Return what one of several things is called: item, criterion, group by ‘prompt’."""
    first, *rest = units.split(" ", 1)
    return " ".join(["criterion" if first == "criteria" else first.removesuffix("s"), *rest])


def out_of(n: int | None, total: int, units: str) -> str:
    """Return a part of a number of things: 666 of 910 items; all of them, or of an unknown part: 910 items.

    Parameters
    ----------
    n : int or None
        The part; None where it is unknown.
    total : int
    units : str
        What is counted, in the plural.
    """
    return f"{'' if n in (None, total) else f'{count(n)} of '}{several(total, units)}"


def corrected(n: int, what: str) -> str:
    """Return what was done about the number of tests, for the end of a clause; empty where there is one."""
    return f", Holm’s correction for {several(n, what)}" if n > 1 else ""


def often(n: int) -> str:
    """Return how many times: once, 20 times."""
    return "once" if n == 1 else f"{count(n)} times"


def percent(value: Value) -> str:
    """Return a share in whole percent: 80 %. What is not quite 0 or 1 does not read as 0 % or 100 %."""
    x = _float(value)
    if not math.isfinite(x):
        return UNDEFINED
    if 0 < x < 0.005:
        return f"<1{HARD_SPACE}%"
    if 0.995 <= x < 1:
        return f">99{HARD_SPACE}%"
    return f"{_decimals(100 * x, 0)}{HARD_SPACE}%"


def halves(value: Value) -> str:
    """Return a share of a whole beside its rest: in whole percent, or with the half of one that both have, 42.5 % and 57.5 %."""
    twice = 200 * _float(value)
    half = math.isfinite(twice) and round(twice) % 2 and abs(twice - round(twice)) < NOISE * 200
    return percent1(value) if half else percent(value)


def percent1(value: Value) -> str:
    """Return a share with one decimal, for rates that lie close together: 3.4 %."""
    x = _float(value)
    return f"{_decimals(100 * x, 1)}{HARD_SPACE}%" if math.isfinite(x) else UNDEFINED


def points(value: Value) -> str:
    """Return a signed difference of two shares in percentage points: +1.5 points, −17 points."""
    x = 100 * _float(value)
    if not math.isfinite(x):
        return UNDEFINED
    text = _decimals(x, 1 if abs(x) < 9.95 else 0)
    if not float(text.replace(MINUS, "-")):
        return f"0{HARD_SPACE}points"
    return f"{'+' if x > 0 else ''}{text}{HARD_SPACE}points"


def side_of_0(ends: Sequence[Value] | None) -> int:
    """Return 1 where an interval as printed lies above 0, −1 below it, 0 where an end reads 0.00 or the two lie on both sides."""
    if ends is None:
        return 0
    low, high = (printed(end) for end in ends)
    return int(low > 0) - int(high < 0)


def printed(value: Value, digits: int = 2) -> float:
    """Return a number as `number` and `three` show it, for what writes numbers by itself; what reads 0 has no sign."""
    x = _float(value)
    return math.copysign(float(_half_up(abs(x), digits)), x) + 0.0 if math.isfinite(x) else x


def plain(text: object) -> str:
    """Return text from a file on one line, without control characters and without marks that turn the reading direction."""
    # The two spaces are kept, but Python does not call them printable.
    if isinstance(text, str) and text.replace(THIN_SPACE, "").replace(HARD_SPACE, "").isprintable():
        return text.strip()
    kept = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in str(text))
    return "".join(letter for letter in kept if letter not in DIRECTION).strip()


def shorten(text: object, limit: int = 28) -> str:
    """Return at most `limit` characters; what is left out is left out in the middle, once also of a name that was cut before."""
    whole = plain(text)
    if len(whole) <= limit:
        return whole
    keep = max(limit - 1, 1)
    cut = f" {ELLIPSIS}"
    head = whole[: keep - keep // 2].rstrip(cut)
    return head + ELLIPSIS + (whole[-(keep // 2) :].lstrip(cut) if keep // 2 else "")


def shorten_all(texts: Sequence[object], limit: int = 28) -> list[str]:
    """Return shortened names that stay as many as they were: equal short forms of different names are numbered."""
    seen: dict[str, list[str]] = {}
    result = []
    for text in texts:
        short, whole = shorten(text, limit), str(text)
        names = seen.setdefault(short, [])
        if whole not in names:
            names.append(whole)
        mark = f" ({names.index(whole) + 1})" if names.index(whole) else ""
        result.append(shorten(text, limit - len(mark)) + mark)
    return result


def joined(parts: Sequence[str], between: str = "and") -> str:
    """Return parts in a sentence as they are: “a, b and c”."""
    return f" {between} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Return names in a sentence: “a, b and c”; of more than `most`, the first and how many more, never one."""
    one_more = most is not None and len(names) == most + 1 > 2
    shown = [plain(name) for name in (names if one_more else names[:most])]
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {count(more)} more"
    return joined(shown)


def named(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return names in a sentence, each cut to a length that can be read; of more than `most`, the first and how many more."""
    return listed([shorten(name) for name in names], most)


def marked(label: str) -> str:
    """Return a label in a sentence; one with a number in it stands in quotation marks, so that nobody reads it as a count."""
    return f"‘{label}’" if re.search(r"(^|\s)[+−-]?\d", label) else label


def either(labels: Sequence[str], most: int = 3) -> str:
    """Return labels of one class in a sentence: “‘8’, ‘9’ or ‘10’”, numbers in their order; of many the first."""
    number_like = all(re.fullmatch(r"-?\d+(\.\d+)?", label) for label in labels)
    shown = [marked(label) for label in (sorted(labels, key=float) if number_like else labels)]
    if len(shown) > most:
        shown = [*shown[: most - 1], f"{count(len(shown) - most + 1)} others"]
    return joined(shown, "or")


def capital(text: str) -> str:
    """Return a sentence with a capital; a Greek letter stays as it is: κ is no Κ."""
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def uncapital(text: str) -> str:
    """Return a sentence as the end of another."""
    return text[:1].lower() + text[1:]


def quoted(name: str) -> str:
    """Return a name or a value of a file in quotation marks, cut to a length that can be read."""
    return f"‘{shorten(name)}’"


def are(n: int) -> str:
    """Return "is" of one thing, "are" of several."""
    return "is" if n == 1 else "are"


def value(x: Value, unit: str = "") -> str:
    """Return a metric's value in its own unit: 0.81, 91 %, +1.5 points; 0.004 in `FINE`, 3.4 % in `TENTHS`."""
    return {"%": percent, "points": points, FINE: three, TENTHS: percent1}.get(unit, number)(x)


def unit_of_difference(unit: str) -> str:
    """Return the unit of a difference of two values in a unit: two percentages differ by points."""
    return "points" if unit else ""


def estimate(quantity: Estimate, unit: str = "") -> str:
    """Return a number and, behind it, its interval: 0.81 [0.77, 0.84], 91 % [89, 93 %], 95.3 % [95.2, 95.4 %]."""
    return " ".join(filter(None, apart(quantity, unit, "")))


def apart(quantity: Estimate, unit: str = "", without: str = UNDEFINED) -> tuple[str, str]:
    """Return a number and its interval for two places, with the decimals that `estimate` gives both.

    Parameters
    ----------
    quantity : Estimate
        Nothing reads as if it lay on the other side of its `line`.
    unit, without : str
        As `bounds` takes them.
    """
    line = quantity.line
    shown = value(quantity.value, _unit_of(quantity.ends, unit)) if line is None else on_its_side(quantity.value, line)
    return shown, bounds(quantity.ends, unit, without, line)


def on_its_side(x: Value, line: float, digits: int = 2) -> str:
    """Return two decimals, or as many as keep a number on its side of a line: 0.666 beside 0.667."""
    above = _float(x) >= line
    return _decimals(x, next((n for n in range(digits, EXACT) if (printed(x, n) >= line) == above), digits))


def behind(ends: Sequence[Value] | None, unit: str = "") -> str:
    """Return an interval behind its value, after a blank; nothing where there is none."""
    return "" if ends is None else f" {bounds(ends, unit)}"


def _end(end: Value, unit: str, line: float | None) -> str:
    """Return an end of an interval; one that rounds to 0 and is not 0 has a third decimal, for it decides on a direction."""
    text, finer = value(end, unit) if line is None else on_its_side(end, line), three(end)
    return finer if text == number(0.0) and finer != three(0.0) and not unit else text


def _unit_of(ends: Sequence[Value] | None, unit: str) -> str:
    """Return the unit of an interval: percent have a decimal where two ends read alike that are not, unless it reads 0 or 100."""
    if unit != "%" or ends is None or len(set(map(percent, ends))) > 1:
        return unit
    finer = set(map(percent1, ends))
    return TENTHS if len(finer) > 1 and not finer & {percent1(0), percent1(1)} else unit


def bounds(ends: Sequence[Value] | None, unit: str = "", without: str = UNDEFINED, line: float | None = None) -> str:
    """Return an interval in a metric's own unit, the unit said once: [0.77, 0.84], [89, 93 %], [−2.1, +4.0 points].

    Parameters
    ----------
    ends : sequence of two numbers, or None
    unit : str
        Of the metric, as `value` takes it.
    without : str
        What is said where there is no interval.
    line : float, optional
        What it is compared with: no end reads as if it lay on the other side.
    """
    if ends is None:
        return without
    low, high = (_end(end, _unit_of(ends, unit), line) for end in ends)
    if UNDEFINED in (low, high):
        return without
    return f"[{low.split(HARD_SPACE)[0]}, {high}]"
