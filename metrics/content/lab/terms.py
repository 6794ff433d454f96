"""Numbers and labels of one table as its sentences write them.

As few digits as do: whoever works out what is printed gets the result that is printed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from metrics.content.lab.pictures import Picture
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

NEAR = 1e-6
"""A percentage so near to a whole one is written as such."""
SAME = 1e-12
"""Numbers that differ by less are one number."""
EDGES = (0, 100)
PRICE = 10
"""A false pass in missed passes, in the lesson on costs."""
CELL_NAMES = {(0, 0): "TP", (0, 1): "FN", (1, 0): "FP", (1, 1): "TN"}
FEWEST, MOST = 3, 6
"""Decimals of a share in a formula; beyond the most, there is no such formula."""
HALF = Fraction(1, 200)
"""Of the last place of a result in two decimals."""
# What a float may add to the value of a fraction.
NOISE = Fraction(1, 10**9)

Printed = tuple[str, Fraction | None]
"""What is printed, and what it gives, None where it divides by 0."""


def part(x: float) -> str:
    """Return a share: 90 %, with a decimal where it is not whole: 82.4 %. What is not quite 0 or 1 does not read as 0 % or 100
    %.
    """
    whole = round(100 * x) if math.isfinite(x) else 0
    if math.isnan(x) or abs(100 * x - whole) < (NEAR if whole not in EDGES else SAME):
        return words.percent(x if math.isnan(x) else whole / 100)
    return words.percent(x) if round(100 * x, 1) in EDGES else words.percent1(x)


def in_points(x: float) -> str:
    """Return a difference of two shares without its sign and unit: 40, 9.5."""
    return part(abs(x)).split(words.HARD_SPACE)[0]


def counted(x: float, unit: str) -> str:
    """Return decisions, false passes with their number: 1 decision, 1 000 decisions."""
    one = unit.removesuffix("es" if unit.endswith("passes") else "s")
    return f"{words.amount(x)} {one if words.amount(x) == '1' else unit}"


def short_labels(picture: Picture) -> list[str]:
    """Return the labels of a table, shortened."""
    return [words.shorten(label) for label in picture.labels]


def unmoved(now: Picture, before: Picture) -> list[str]:
    """Return bars that are the same number in two tables, κ and φ first."""
    pairs = [(key, now.values[key], before.values.get(key, math.nan)) for key in reversed(now.bars)]
    return [key for key, x, y in pairs if abs(x - y) < SAME or (math.isnan(x) and math.isnan(y))]


FACTS: dict[str, Callable[[Picture], str]] = {
    "positive": lambda p: short_labels(p)[0],
    "negative": lambda p: short_labels(p)[1],
    # What giving no verdict is called.
    "third": lambda p: words.shorten(p.words[2]),
    "seen": lambda p: part(p.values["accuracy"]),
    "chance": lambda p: part(p.values["expected_agreement"]),
    # Points of agreement beyond chance, and those that chance leaves to earn.
    "earned": lambda p: in_points(p.values["accuracy"] - p.values["expected_agreement"]),
    "left": lambda p: in_points(1 - p.values["expected_agreement"]),
    # How often human and judge say the positive label, and the human the negative one.
    "human": lambda p: part(p.values["prevalence"]),
    "judge": lambda p: part(p.values["predicted_prevalence"]),
    "negatives": lambda p: part(1 - p.values["prevalence"]),
    # What κ keeps of φ.
    "ratio": lambda p: words.percent(BY_KEY["kappa_phi_ratio"].function(p.counts)),
    "n": lambda p: words.amount(p.n),
    "agreed": lambda p: words.amount(p.counts.trace()),
    "positives": lambda p: words.amount(p.counts[0].sum()),
    "found": lambda p: words.amount(p.counts[0, 0]),
    "spared": lambda p: words.amount(p.counts[1, 1]),
    "missed": lambda p: counted(p.counts[0, 1], "missed passes"),
    "alarms": lambda p: counted(p.counts[1, 0], "false passes"),
    "missed_n": lambda p: words.amount(p.counts[0, 1]),
    "alarms_n": lambda p: words.amount(p.counts[1, 0]),
    "price": lambda p: words.amount(PRICE),
    "cost": lambda p: words.amount(p.counts[0, 1] + PRICE * p.counts[1, 0]),
    "wrong": lambda p: words.amount(p.n - p.counts.trace()),
    # Decisions, those without a verdict too.
    "all": lambda p: words.amount(p.table.n),
    "silent": lambda p: words.amount(sum(p.table.silent)),
    "coverage": lambda p: part(p.table.coverage),
}
"""What a sentence may name beside metrics."""


class Facts:
    """The numbers of one table as text, for the sentences of the lessons.

    Those of `FACTS`; `recall`, `kappa`, `f1` and so on are metrics in two decimals, `kappa3` in three, `recall_share` as shares.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __getattr__(self, name: str) -> str:
        if name in FACTS:
            return FACTS[name](self.picture)
        key = name.removesuffix("_share").removesuffix("3")
        if key not in self.picture.values:
            raise AttributeError(name)
        x = self.picture.values[key]
        if name.endswith("_share"):
            return part(x)
        return words.three(x) if name.endswith("3") else words.number(x)


class Compared:
    """Facts of a table by name, and under `was` those of the table it is read against."""

    def __init__(self, now: Picture, before: Picture | None) -> None:
        self.now, self.before = now, before

    def __getitem__(self, name: str) -> object:
        if name == "was":
            return Facts(self.before) if self.before is not None else None
        if name == "stay" and self.before is not None:
            return words.listed([BY_KEY[key].symbol for key in unmoved(self.now, self.before)])
        return getattr(Facts(self.now), name)


def fewest(
    printed: Callable[[int], Printed | None], right: Callable[[Fraction], bool], digits: Iterable[int]
) -> tuple[int, str] | None:
    """Return the first number of digits with which what is printed gives what is right, and it; None where none does.

    Parameters
    ----------
    printed : callable
        By digits; None where a number cannot be printed with so few.
    """
    for n in digits:
        printout = printed(n)
        if printout is not None and printout[1] is not None and right(printout[1]):
            return n, printout[0]
    return None


def gives(value: float) -> Callable[[Fraction], bool]:
    """Return a check whether a result is a value as it is printed, in two decimals; half-way may be rounded either way."""
    shown, exact = Fraction(words.number(value).replace(words.MINUS, "-")), Fraction(value)
    return lambda fraction: abs(fraction - shown) < HALF - NOISE or abs(fraction - exact) <= NOISE


def of_split(seen: float, chance: float, kappa: float, most: int = MOST) -> int | None:
    """Return decimals of the shares of an agreement with which what is earned, over what chance leaves, is κ.

    Parameters
    ----------
    seen, chance : float
        Observed and expected agreement, in [0, 1].
    kappa : float
        NaN where it is undefined.
    most : int
        Decimals that are tried at most.

    Returns
    -------
    int or None
        None where κ is undefined, or chance so near to all that even the most do not do.
    """
    if math.isnan(kappa):
        return None
    earned, left = seen - chance, 1 - chance

    def quotient(n: int) -> Printed | None:
        if any(says_other(x, n) for x in (earned, left, chance)):
            return None
        above, below = (Fraction(f"{x:.{n}f}") for x in (earned, left))
        return "", above / below if below else None

    digits_and_text = fewest(quotient, gives(kappa), range(FEWEST, most + 1))
    return None if digits_and_text is None else digits_and_text[0]


def says_other(x: float, digits: int) -> bool:
    """Return whether so few digits make 0 or 1 of what is neither."""
    shown = float(f"{x:.{digits}f}")
    return shown in (0.0, 1.0) and not math.isclose(x, shown, rel_tol=0, abs_tol=1e-12)
