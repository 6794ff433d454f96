"""The order of classes, and the number each of them stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.asker import by
from metrics.data.arguments import one_of
from metrics.data.labels import Scheme
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]
MEASUREMENTS: tuple[Measurement, ...] = get_args(Measurement)


@dataclass(frozen=True)
class Order:
    """Classes from the lowest to the highest: their places, for weights and ranks, and their values, for distances.

    Attributes
    ----------
    classes : tuple of str
        As they stand in the file, low to high.
    values : tuple of float
        What each class is worth.
    source : {"labels", "places", "given"}
        Where the values come from: the labels are numbers; they are not, so that places count from 1; or they were given.
    """

    classes: tuple[str, ...]
    values: tuple[float, ...]
    source: Literal["labels", "places", "given"]

    @property
    def k(self) -> int:
        return len(self.classes)

    @property
    def array(self) -> FloatArray:
        """The values, shape (K,)."""
        return np.array(self.values)

    @property
    def rises(self) -> bool:
        """Whether the values rise, or stay, from class to class."""
        return all(low <= high for low, high in pairwise(self.values))

    @property
    def reversed(self) -> bool:
        """Whether the values fall from class to class, as where 1 is the best grade."""
        return not self.rises and all(low >= high for low, high in pairwise(self.values))

    def missing_numbers(self) -> tuple[int, ...]:
        """Return whole numbers between two classes that are whole numbers: without them the places of the two are too near."""
        if self.source != "labels" or not all(value == int(value) for value in self.values):
            return ()
        steps = [sorted((int(low), int(high))) for low, high in pairwise(self.values)]
        return tuple(number for low, high in steps for number in range(low + 1, min(high, low + 50)))

    def place(self, name: str) -> int:
        """Return place of a class, 0 the lowest.

        Raises
        ------
        InputError
            When there is no such class.
        """
        index = next((i for i, class_name in enumerate(self.classes) if normalise(class_name) == normalise(str(name))), None)
        if index is None:
            raise InputError(f"No class is called {str(name)!r}. The order is {' < '.join(self.classes)}.")
        return index


def order_of(
    scheme: Scheme, order: Sequence[str] | None = None, values: Mapping[str, float] | None = None, file: str = ""
) -> Order:
    """Return order and values of the classes of a scheme; never alphabetical.

    Parameters
    ----------
    scheme : Scheme
    order : sequence of str, optional
        Low to high, with every class that occurs; others stand for options nobody chose. Default: the order of the scheme,
        else by the numbers that the labels are, else by the given values; of two labels the negative one is lower.
    values : mapping of class to number, optional
        What classes are worth. Default: the numbers that the labels are, else their places from 1.
    file : str
        Name in front of every error.

    Raises
    ------
    InputError
        For classes without an order, an order that lacks a class or names one twice, values that lack one or are no numbers,
        and fewer than two classes.
    """
    start = f"{file}: " if file else ""
    used = [name for name in scheme.classes if scheme.scale == "binary" or name not in scheme.unused or name in scheme.order]
    given = tuple(map(str, order or scheme.order))
    stated = {normalise(str(name)): worth for name, worth in (values or {}).items()}
    if given:
        classes = _complete(given, used, start)
    elif (numbers := numbers_of(tuple(used))) is not None:
        classes = tuple(np.array(used, dtype=object)[np.argsort(numbers, kind="stable")])
    elif used and all(normalise(name) in stated for name in used):
        classes = tuple(sorted(used, key=lambda name: float(stated[normalise(name)])))
    elif scheme.scale == "binary":
        classes = scheme.classes[::-1]
    else:
        raise InputError(f"{start}{_name_list(used)} have no order. Give it {by('--order')}, low to high.")
    if len(classes) < 2:
        raise InputError(
            f"{start}every label is {_name_list(used) or 'missing'}: nothing to tell "
            f"apart. Name the whole scale {by('--order')}, "
            f"low to high."
        )
    return Order(classes, *_values(classes, stated, start))


def _complete(given: tuple[str, ...], used: Sequence[str], start: str) -> tuple[str, ...]:
    """Return a given order under the spellings of the file."""
    by_name = {normalise(name): name for name in used}
    if len({normalise(name) for name in given}) < len(given):
        raise InputError(f"{start}the order names a class twice: {', '.join(given)}.")
    lacking = [name for name in used if normalise(name) not in {normalise(label) for label in given}]
    if lacking:
        raise InputError(f"{start}the order {', '.join(given)} lacks {_name_list(lacking)}. Name every label, low to high.")
    return tuple(by_name.get(normalise(name), name) for name in given)


def _values(
    classes: tuple[str, ...], stated: Mapping[str, float], start: str
) -> tuple[tuple[float, ...], Literal["labels", "places", "given"]]:
    if stated:
        lacking = [name for name in classes if normalise(name) not in stated]
        unknown = set(stated) - {normalise(name) for name in classes}
        if lacking or unknown:
            what = f"lack {_name_list(lacking)}" if lacking else f"name {_name_list(sorted(unknown))}, which is no class"
            raise InputError(f"{start}the values {what}. Give one for each of {', '.join(classes)}.")
        values = tuple(float(stated[normalise(name)]) for name in classes)
        if not np.isfinite(values).all():
            raise InputError(f"{start}every value must be a number.")
        return values, "given"
    numbers = numbers_of(classes)
    if numbers is None:
        return tuple(float(place) for place in range(1, len(classes) + 1)), "places"
    return tuple(numbers.tolist()), "labels"


def worth_of_states(scheme: Scheme, order: Order) -> FloatArray:
    """Return what each state of the verdict axis is worth, shape (S,); NaN for what is no class of the order.

    Parameters
    ----------
    scheme : Scheme
    order : Order
        Of its classes.
    """
    worth = np.full(scheme.n_states, np.nan)
    worth[[scheme.classes.index(name) for name in order.classes]] = order.array
    return worth


def values_of(classes: tuple[str, ...], level: Measurement, *, ordered: bool = False) -> NDArray[np.float64]:
    """Return the number each class stands for, shape (K,).

    Interval and ratio take the numbers of the labels, an ordinal level their given order; each falls back on the other, and
    places count from 1. For the ordinal level only the order of the numbers matters, for the nominal one nothing.

    Parameters
    ----------
    classes : tuple of str, length K
    level : {"nominal", "ordinal", "interval", "ratio"}
    ordered : bool
        Whether the order of the classes was given (low to high).

    Raises
    ------
    InputError
        For an unknown level; above nominal, for classes that are neither numbers nor in a given order; for the ratio level,
        for negative numbers.
    """
    one_of("level", level, MEASUREMENTS)
    places, numbers = np.arange(1.0, len(classes) + 1), numbers_of(classes)
    if level == "nominal" or (ordered and (level == "ordinal" or numbers is None)):
        return places
    if numbers is None:
        raise InputError(
            f"The level {level} needs labels with an order; {_name_list(classes)} "
            f"have none. Give it {by('--order')}, low to high."
        )
    if level == "ratio" and (numbers < 0).any():
        raise InputError("The level ratio needs labels of zero and more. Use interval.")
    return numbers


def levels_of(classes: tuple[str, ...], *, ordered: bool = False) -> tuple[Measurement, ...]:
    """Return levels that `values_of` knows for the classes; the nominal one alone for two, where all levels are one."""
    levels: list[Measurement] = ["nominal"]
    for level in MEASUREMENTS[1:] if len(classes) > 2 else ():
        try:
            values_of(classes, level, ordered=ordered)
        except InputError:
            continue
        levels.append(level)
    return tuple(levels)


def numbers_of(classes: tuple[str, ...]) -> NDArray[np.float64] | None:
    """Return the classes as numbers, shape (K,); None where one is none."""
    try:
        numbers = np.array([float(normalise(name).replace(",", ".")) for name in classes])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _name_list(names: Sequence[str]) -> str:
    return ", ".join(f"‘{name}’" for name in names[:6])
