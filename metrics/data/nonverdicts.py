"""Ties, invalid answers and failed calls that do not follow the abstentions: what becomes of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import numpy as np

from metrics.data.abstention import MODES, Mode, mode_map
from metrics.data.arguments import one_of
from metrics.data.labels import HANDLED, Handling, Scheme
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.data.vocabulary import Kind
from metrics.errors import InputError

Handlings = tuple[tuple[Kind, Handling], ...]
KIND_WORDS: dict[Kind, str] = {"tie": "ties", "invalid": "invalid answers", "error": "failed calls"}


def recodable(ratings: Ratings) -> bool:
    """Return whether the negative label says that something is missing, which no second of two answers does."""
    return ratings.scheme.scale == "binary" and "pairwise" not in scales_of(ratings).used


def modes_of(ratings: Ratings) -> tuple[Mode, ...]:
    """Return the modes that mean something: only a label that says no can take what was left open."""
    return tuple(mode for mode in MODES if mode != "as_unmet" or recodable(ratings))


def refuse_recoding(ratings: Ratings, mode: Mode) -> None:
    """Raise where every answer left open is to count as a negative label and there is none."""
    if mode == "as_unmet" and ratings.scheme.scale != "binary":
        raise InputError("as_unmet needs a negative label; these labels are classes. Use exclude or as_category.")


def handling_of(given: Mapping[str, str] | None, scheme: Scheme, mode: Mode) -> Handlings:
    """Return a checked handling, without what is so anyway; None keeps the one of the scheme.

    Parameters
    ----------
    given : mapping of kind to handling, or None
    scheme : Scheme
    mode : Mode

    Raises
    ------
    InputError
        For an unknown kind or handling, and one that the mode or the scale does not have.
    """
    for kind, how in (given or {}).items():
        if kind not in HANDLED:
            raise InputError(_unknown_kind(kind))
        one_of("handling", how, get_args(Handling), f" of {kind}")
    wanted = given or {}
    pairs = tuple((kind, how) for kind, usual in HANDLED.items() for how in get_args(Handling) if wanted.get(kind, usual) == how)
    handlings = scheme.handling if given is None else tuple(pair for pair in pairs if pair not in HANDLED.items())
    mode_map(replace(scheme, handling=handlings), mode)
    return handlings


def _unknown_kind(kind: str) -> str:
    if kind == "abstention":
        return "An abstention follows the abstention mode. A handling of its own can be given to tie, invalid and error."
    return f"No handling can be given to {kind!r}. Use one of: {', '.join(HANDLED)}."


def handled(ratings: Ratings, handling: Handlings | None) -> Ratings:
    """Return the same ratings with another handling; what was tallied from them stays, because it rests on the labels alone."""
    if handling is None or handling == ratings.scheme.handling:
        return ratings
    return replace(ratings, scheme=replace(ratings.scheme, handling=handling))


def handling_words(kind: Kind, how: Handling, negative: str) -> str:
    """Return a handling in a sentence: "ties left out".

    Parameters
    ----------
    kind : Kind
    how : Handling
    negative : str
        Name of the negative label.
    """
    words_by_handling = {
        "abstention": "as abstentions", "exclude": "left out", "as_unmet": f"counted as {negative}",
        "as_category": "in the class of abstentions",
    }  # fmt: skip
    return f"{KIND_WORDS[kind]} {words_by_handling[how]}"


def answers_of_kind(ratings: Ratings, kind: Kind) -> int:
    """Return answers of all raters together; `kind` is one that is not a class.

    In a table of counts and a tally each counts as often as it occurred.
    """
    return memoised(ratings, ("answers", kind), lambda: _answers(ratings, kind))


def _answers(ratings: Ratings, kind: Kind) -> int:
    mask = ratings.state == ratings.scheme.state(kind)
    return int(ratings.weight[ratings.item[np.flatnonzero(mask)]].sum())
