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
from metrics.measures.arrays import FloatArray

T = TypeVar("T")
LONGEST = 60
"""Letters of an argument that a message repeats."""
EXAMPLES = {
    "columns": '{"item": "id", "human": "gold"}', "labels": '{"yes": "positive", "no": "negative"}',
    "roles": '{"ana": "human", "gpt": "judge"}', "order": '["low", "high"]', "criteria": '["tone"]',
}  # fmt: skip
"""What messages show of an argument that is easily written in another way."""


def _share(value: FloatArray) -> Any:
    return (value > 0) & (value < 1)


def _closed(value: FloatArray) -> Any:
    return (value >= 0) & (value <= 1)


_OF_SHARES, _UP_TO_1 = ("a number between 0 and 1", _share), "a number between 0 and 1, both included"
RANGES: dict[str, tuple[str, Callable[[FloatArray], Any]]] = {
    "confidence": _OF_SHARES, "power": _OF_SHARES, "rng": ("a whole number from 0, or a generator", lambda value: value >= 0),
    **dict.fromkeys(("tpr", "fpr"), (_UP_TO_1, lambda value: np.isnan(value) | _closed(value))),  # undefined without a decision
    **dict.fromkeys(("x1", "x2", "prevalence"), (_UP_TO_1, _closed)),
    "answered": ("a number above 0 and up to 1", lambda value: (value > 0) & (value <= 1)),
    "least": ("a number from −1 to 1", lambda value: (value >= -1) & (value <= 1)),
}  # fmt: skip
"""Numbers that mean the same in every function, alone or many at once."""
_MAPPINGS, _LISTS = (dict, Mapping), (list, tuple, set, Sequence, Iterable)
_NO_LISTS = (str, bytes, Mapping)
"""What can be gone through and is no list of names."""
OF_JUDGES = frozenset({"a", "b", "judge", "judges", "other"})
"""Names of judges, who may be called by numbers: `metrics.data.ratings.named_judges` refuses those that nobody has."""


def checked_arguments(
    function: Callable[..., Any], given: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments as a function takes them, and refuse the first that is of none of the types that it says, or out of range.

    Texts, numbers, mappings, lists and our own records are checked, and whether None may stand there; whatever else a hint may
    be is not. An array or a Series becomes the list or mapping that it stands for.

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
    hints, names = _hints(function), list(signature(function).parameters)
    taken = [_plain(value, hints.get(name, Any)) for name, value in zip(names, given, strict=False)]
    named = {name: _plain(value, hints.get(name, Any)) for name, value in keywords.items()}
    for name, value in (*zip(names, taken, strict=False), *named.items()):
        hint = hints.get(name, Any) if name not in OF_JUDGES else Any
        if name in RANGES and get_origin(hint) is tuple:  # of a range its function says itself what it takes
            continue
        if name == "human" and isinstance(value, int | np.integer) and not isinstance(value, bool):  # a column that is a number
            continue
        if not (_fits(value, hint) and _in_range(name, value)):
            raise InputError(_refused(function, name, value, hint))
    return [*taken, *given[len(taken) :]], named


def _refused(function: Callable[..., Any], name: str, value: Any, hint: Any) -> str:
    """Return why a value is refused, and what is taken in its place."""
    shown = " ".join(repr(value).split())
    shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
    if choices := _choices(hint):
        return f"Unknown {name} {shown}. Use one of: {', '.join(filter(None, map(str, choices)))}."
    if name in EXAMPLES and function.__name__ == "read":
        return f"{name}= takes a {'dict' if EXAMPLES[name][0] == '{' else 'list'} such as {EXAMPLES[name]}, not {shown}."
    takes = RANGES[name][0] if name in RANGES else _words(hint)
    return f"{name} must be {takes}, not {shown} ({function.__name__}).{_one_within(function, value, hint)}"


def _one_within(function: Callable[..., Any], value: Any, hint: Any) -> str:
    """Return how what is taken is got out of a report of several judges; empty for anything else."""
    judges = getattr(value, "judges", None)
    if not isinstance(hint, type | ClassName) or not isinstance(judges, Mapping):
        return ""
    fitting = [name for name, one in judges.items() if _fits(one, hint)]
    return f" Take one of its judges: metrics.{function.__name__}(….judges[{fitting[0]!r}], …)." if fitting else ""


def _plain(value: Any, hint: Any) -> Any:
    """Return a value as the hint has it: a Series as a mapping, an array or a Series as a list, and numbers in the place of names
    as texts; anything else as it is.
    """
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    of_mapping = next((get_args(one) for one in hints if get_origin(one) in _MAPPINGS), None)
    of_list = next((get_args(one) for one in hints if get_origin(one) in _LISTS), None)
    if of_mapping is not None and hasattr(value, "items") and hasattr(value, "keys"):
        return {_name(key, of_mapping[0]): _name(inner, of_mapping[1]) for key, inner in value.items()}
    if of_list is None or isinstance(value, _NO_LISTS) or not hasattr(value, "__iter__") or np.ndim(value) != 1:
        return value
    if isinstance(value, tuple):
        return tuple(_name(one, of_list[0]) for one in value)
    made = value.tolist() if hasattr(value, "tolist") else list(value)
    return value if isinstance(value, set | frozenset) else [_name(one, of_list[0]) for one in made]


def _name(value: Any, hint: Any) -> Any:
    """Return a name that is a number as its text."""
    return str(value) if hint is str and not isinstance(value, bool) and isinstance(value, Real) else value


def _in_range(name: str, value: Any) -> bool:
    """Return whether a number, or every one of several, lies where numbers of this name do."""
    if name not in RANGES or value is None or isinstance(value, np.random.Generator):
        return True
    try:
        return bool(np.all(RANGES[name][1](np.asarray(value, np.float64))))
    except (TypeError, ValueError):
        return False


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


class ClassName(str):
    """Name of a class that is not loaded here."""


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of the parameters; of a class that type checkers alone know its name."""
    scope, hints = unwrap(function).__globals__, {}
    for name, written in function.__annotations__.items():
        try:
            hints[name] = eval(written, scope) if isinstance(written, str) else written  # the source of the function itself
        except NameError:
            if written.isidentifier():
                hints[name] = ClassName(written)
    return hints


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if value is None:
        return _may_be_none(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if isinstance(hint, ClassName):
        return any(base.__name__ == hint for base in type(value).__mro__)
    if origin is Literal:
        return isinstance(value, tuple({type(one) for one in inner})) and value in inner
    if origin in _MAPPINGS:
        plain = not isinstance(value, Mapping) or all(_fits(v, inner[1]) for v in value.values())
        return hasattr(value, "keys") and plain
    if origin in _LISTS:
        return _fits_list(value, origin, inner)
    if origin is Callable:
        return callable(value)
    if hint in (int, float):
        number = isinstance(value, Real | Decimal) and not isinstance(value, bool)
        return number and (hint is float or float(value).is_integer())
    if hint is bool:
        return isinstance(value, bool | np.bool_) or (isinstance(value, Real) and value in (0, 1))
    if hint in (str, NoneType):
        return isinstance(value, hint)
    return not _is_record(hint) or isinstance(value, hint)


def _fits_list(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    """Return whether a value is a list of what fits, or a tuple of as many values as its hint has, or one name for several."""
    if origin is tuple and inner[-1] is not Ellipsis:
        return isinstance(value, list | tuple) and len(value) == len(inner) and all(map(_fits, value, inner))
    if isinstance(value, str):
        return inner[0] is str and origin is not tuple  # one name; its letters are no list
    plain = not isinstance(value, list | tuple) or all(_fits(one, inner[0]) for one in value)
    return hasattr(value, "__iter__") and not isinstance(value, (*_NO_LISTS, np.ndarray)) and plain


def _may_be_none(hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(map(_may_be_none, get_args(hint)))
    return hint in (Any, object, None, NoneType) or (get_origin(hint) is Literal and None in get_args(hint))


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
    known = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    if isinstance(hint, ClassName):
        return str(hint)
    return known[hint] if hint in known else str(getattr(hint, "__name__", "another thing"))
