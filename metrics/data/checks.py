"""The check that a public function was given ratings, and not what ratings are read from, and else what its hints say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from metrics.data.arguments import checked_arguments
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import BadCounts

Given = ParamSpec("Given")
Result = TypeVar("Result")
MAKES = "metrics.read(…)"
"""What makes ratings, as messages write it."""
_ABSENT = object()
"""Stands for an argument that was not given; Python itself names it then."""


def takes_ratings(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Return a function that refuses anything but `Ratings` where its signature has them, with how they are made, and any other
    argument of a wrong type.

    Raises
    ------
    InputError
        From the function that is returned.
    """
    names = list(signature(function).parameters)
    of_ratings = [(place, name) for place, name in enumerate(names) if function.__annotations__.get(name) == Ratings.__name__]

    @wraps(function)
    def checked(*args: Given.args, **keywords: Given.kwargs) -> Result:
        for place, name in of_ratings:
            source = args[place] if place < len(args) else keywords.get(name, _ABSENT)
            if not isinstance(source, Ratings) and source is not _ABSENT:
                raise InputError(refused(source, function.__name__))
        return _called(function, args, keywords)

    return checked


checks_arguments = takes_ratings
"""The same of a function that takes no ratings."""


def _called(function: Callable[..., Result], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Result:
    """Return what a function gives for arguments that are checked; counts that are none are refused by its name."""
    taken, by_name = checked_arguments(function, args, keywords)
    try:
        return function(*taken, **by_name)
    except BadCounts as problem:
        raise InputError(f"{function.__name__}: {problem}.") from None


def one_given(**given: Any) -> Any:
    """Return what was given under one of several names, or None.

    Raises
    ------
    InputError
        Where it was given under more than one.
    """
    stated = {name: value for name, value in given.items() if value is not None}
    if len(stated) > 1:
        raise InputError(f"{' and '.join(f'{name}=' for name in stated)} are two names of the same. Give one of them.")
    return next(iter(stated.values()), None)


def refused(source: object, function: str) -> str:
    """Return why something else than ratings is refused, and how ratings are made.

    Parameters
    ----------
    source : object
        What was given.
    function : str
        Name of the function that takes ratings.
    """
    if within := ratings_within(source, function):
        return f"{function} takes ratings, not {named(source)}{within}"
    return (
        f"{function} takes ratings, not {named(source)}. Read it first: metrics.{function}({MAKES}), where metrics.read takes a "
        "path, bytes, a file object, a pandas, Polars or PyArrow table, or a list of dicts."
    )


def ratings_within(source: object, function: str) -> str:
    """Return how ratings are taken out of what holds them, such as two files that were joined; empty for anything else."""
    return f". It has some: metrics.{function}(….ratings)." if isinstance(getattr(source, "ratings", None), Ratings) else ""


def named(source: object) -> str:
    """Return what a thing is, with its article: "a DataFrame", "None"."""
    if source is None:
        return "None"
    kind = type(source).__name__
    return f"{'an' if kind[0] in 'aeioAEIO' else 'a'} {kind}"
