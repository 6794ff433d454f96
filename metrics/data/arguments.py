"""Arguments of public functions against their type hints: a wrong type is refused in a sentence before it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from inspect import signature, unwrap
from numbers import Real
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np

from metrics.errors import InputError

T = TypeVar("T")
LONGEST = 60
"""Letters of an argument that a message repeats."""
_SHARE = ("a number between 0 and 1", lambda value: 0 < value < 1)
RANGES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "confidence": _SHARE, "power": _SHARE, "rng": ("a whole number from 0, or a generator", lambda value: value >= 0),
}  # fmt: skip
"""Numbers that mean the same in every function."""
_MAPPINGS, _LISTS = (dict, Mapping), (list, tuple, set, Sequence, Iterable)
_NO_LISTS = (bytes, Mapping, np.ndarray)
"""What can be gone through and is no list of names: an array is neither true nor false."""
OF_JUDGES = frozenset({"a", "b", "judge", "judges", "other"})
"""Names of judges, who may be called by numbers: `metrics.data.ratings.named_judges` refuses those that nobody has."""


def check_arguments(function: Callable[..., Any], given: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Refuse the first argument that is of none of the types that the function says.

    Texts, numbers, mappings, lists and our own records are checked; arrays, and whatever else a hint may be, are not.

    Parameters
    ----------
    function : callable
    given : sequence
        Arguments by place.
    keywords : mapping of str to Any

    Raises
    ------
    InputError
        With the name of the argument and what it takes.
    """
    hints = _hints(function)
    for name, value in (*zip(signature(function).parameters, given, strict=False), *keywords.items()):
        hint = hints.get(name, Any) if name not in OF_JUDGES else Any
        fits = _fits(value, hint) and (name not in RANGES or not isinstance(value, Real) or RANGES[name][1](value))
        if not fits:
            shown = repr(value)
            shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
            if choices := _choices(hint):
                raise InputError(f"Unknown {name} {shown}. Use one of: {', '.join(map(str, choices))}.")
            takes = RANGES[name][0] if name in RANGES else _words(hint)
            raise InputError(f"{name} must be {takes}, not {shown} ({function.__name__}).")


def one_of(what: str, given: str, known: tuple[T, ...], of: str = "") -> T:
    """Return a choice, which must be one of those that are known.

    Parameters
    ----------
    what : str
        What is chosen, in a word.
    given : str
    known : tuple of str
    of : str
        What it is chosen of, where a message must say so.

    Raises
    ------
    InputError
        For another one.
    """
    for choice in known:
        if choice == given:
            return choice
    raise InputError(f"Unknown {what} {given!r}{of}. Use one of: {', '.join(map(str, known))}.")


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters, but for those that type checkers alone know."""
    scope, hints = unwrap(function).__globals__, {}
    for name, written in function.__annotations__.items():
        try:
            hints[name] = eval(written, scope) if isinstance(written, str) else written  # the source of the function itself
        except NameError:
            continue
    return hints


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, tuple({type(one) for one in inner})) and value in inner
    if origin in _MAPPINGS:
        plain = not isinstance(value, Mapping) or all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
        return hasattr(value, "keys") and plain
    if origin in _LISTS:
        if isinstance(value, str):
            return inner[0] is str  # one name; its letters are no list
        fits = _is_name if inner[0] is str else lambda one: _fits(one, inner[0])
        plain = not isinstance(value, list | tuple) or origin is tuple or all(map(fits, value))
        return hasattr(value, "__iter__") and not isinstance(value, _NO_LISTS) and plain
    if origin is Callable:
        return callable(value)
    if hint in (int, float):
        number = isinstance(value, Real | Decimal) and not isinstance(value, bool)
        return number and (hint is float or float(value).is_integer())
    if hint in (str, NoneType):
        return isinstance(value, hint)
    return not _is_record(hint) or isinstance(value, hint)


def _is_name(value: Any) -> bool:
    """Return whether a value may name a judge or a criterion: they may be called by numbers."""
    return isinstance(value, str) or (isinstance(value, Real) and not isinstance(value, bool))


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the values of a hint that is nothing but those, or None."""
    ways = [one for one in get_args(hint) if one is not NoneType] if get_origin(hint) in (Union, UnionType) else [hint]
    return get_args(ways[0]) if len(ways) == 1 and get_origin(ways[0]) is Literal else ()


def _is_record(hint: Any) -> bool:
    """Return whether a hint is a class of this package, or a generator."""
    return hint is np.random.Generator or (isinstance(hint, type) and hint.__module__.startswith("metrics."))


def _words(hint: Any) -> str:
    """Return what a hint takes, in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_words(one) for one in inner if one is not NoneType))
    if origin is Literal:
        return f"one of {', '.join(map(repr, inner))}"
    if origin in _MAPPINGS:
        return f"a mapping of {_words(inner[0])} to {_words(inner[1])}"
    if origin is tuple and inner == (float, float):
        return "two numbers"
    if origin in _LISTS:
        return f"a list, each {_words(inner[0])}"
    if origin is Callable:
        return "a function"
    known = {int: "a whole number", float: "a number", str: "a text"}
    return known[hint] if hint in known else str(getattr(hint, "__name__", "another thing"))
