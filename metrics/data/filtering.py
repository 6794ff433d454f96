"""Only the items that meet conditions on columns that ride along; and conditions as typed, as kept, and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.item_columns import (
    Spread,
    are_times,
    column_spread,
    columns_beside,
    day_of,
    encoded_column,
    named_column,
    numbers_in,
)
from metrics.data.pairs import cells_of
from metrics.data.part import on_ratings
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.results import words
from metrics.results.words import shorten

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
OPERATORS: tuple[Operator, ...] = ("!=", "<=", ">=", "=", "<", ">")
"""The longer ones first, so that none is taken for its beginning."""
EQUAL: tuple[Operator, ...] = ("=", "!=")
Value = str | float | bool | None
Where = str | Sequence[str] | Mapping[str, "Value | Sequence[Value]"]
"""Conditions as `metrics.read` takes them."""
MOST_NAMED = 5
"""Values that a condition names in words."""
_NEEDS_QUOTES = re.compile(r'[|"]')
_NAME_NEEDS_QUOTES = re.compile(r'[=<>!"]')
_WORDS = {"=": "=", "!=": "is not", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}


@dataclass(frozen=True)
class Condition:
    """One condition.

    Attributes
    ----------
    column : str
        By its name in the file, as far as it is known.
    operator : str
    values : tuple of str
        Any of which is meant; an empty one stands for no value.
    """

    column: str
    operator: Operator
    values: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it is typed: `language=de|fr`."""
        return f"{_quoted(self.column, _NAME_NEEDS_QUOTES)}{self.operator}" + "|".join(
            _quoted(value, _NEEDS_QUOTES) for value in self.values
        )

    def words(self) -> str:
        """Return it in words: language = de or fr."""
        values = [shorten(value) if value else "(none)" for value in self.values]
        more = len(values) - MOST_NAMED if len(values) > MOST_NAMED + 1 else 0
        shown = [*values[: len(values) - more], *([f"{more} more"] if more else [])]
        either = " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
        return f"{shorten(self.column)} {_WORDS[self.operator]} {either}"


def conditions(where: Where | None) -> tuple[Condition, ...]:
    """Return what was asked for; several of a column all have to hold.

    Parameters
    ----------
    where : str, sequence of str, mapping, or None
        As on the command line (`language=de|fr`, `tokens>=100`), or column to its value or values.

    Raises
    ------
    InputError
        For a text that is no condition.
    """
    if where is None:
        return ()
    if isinstance(where, str):
        return (_parsed(where),)
    if isinstance(where, Mapping):
        return tuple(Condition(str(column), "=", _values(given)) for column, given in where.items())
    return tuple(dict.fromkeys(_parsed(text) for text in where))


def conditions_words(texts: Sequence[str]) -> str:
    """Return conditions as they are kept, in words: only items where language = de and topic = law; empty without any."""
    return f"only items where {' and '.join(_parsed(text).words() for text in texts)}" if texts else ""


def _values(given: object) -> tuple[str, ...]:
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return tuple(dict.fromkeys(_value(value) for value in several))


def _value(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _quoted(text: str, needs: re.Pattern[str]) -> str:
    plain = text == text.strip() and not needs.search(text)
    return text if plain else '"' + text.replace('"', '""') + '"'


def _parsed(text: object) -> Condition:
    if not isinstance(text, str):
        raise InputError(f"‘{shorten(str(text))}’ is no condition. Write column=value, or a mapping of column to values.")
    outside = _outside(text)
    for place, letter in enumerate(text):
        sign = next((sign for sign in OPERATORS if outside[place] and text.startswith(sign, place)), None)
        if sign is not None and letter in "=<>!":
            name, values = _bare(text[:place]), _split(text[place + len(sign) :])
            if name and (sign in EQUAL or (len(values) == 1 and values[0])):
                return Condition(name, sign, values)
            break
    option = worded("--where: ", "where: ", "")
    raise InputError(
        f"{option}‘{shorten(text)}’ is no condition. Write column=value, column!=value, column>=3 or column=this|that; "
        "a name that holds one of these marks goes in double quotes."
    )


def _split(text: str) -> tuple[str, ...]:
    outside, parts, start = _outside(text), list[str](), 0
    for place, letter in enumerate(text):
        if letter == "|" and outside[place]:
            parts.append(text[start:place])
            start = place + 1
    return tuple(dict.fromkeys(_bare(part) for part in [*parts, text[start:]]))


def _outside(text: str) -> list[bool]:
    """Return of each letter whether it stands outside double quotes."""
    inside, out = False, []
    for letter in text:
        inside ^= letter == '"'
        out.append(not inside)
    return out


def _bare(text: str) -> str:
    text = text.strip()
    whole = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if whole else text


FILTERED = "filtered"
"""Reason under which rows that were not asked for are left out."""
SHOWN = 12
"""Values that a refusal lists."""
DAY = 10
"""Letters of a date without a time, as in 2026-01-31."""
Mask = NDArray[np.bool_]


def only_where(ratings: Ratings, where: Where | None) -> Ratings:
    """Return only the items that meet conditions, as if the file held no others.

    What labels mean, their order and the scale of each criterion stay as the whole file has them. A rating without a value
    goes with its item. Where an item has several values, the decisions whose value holds stay; where the raters of a decision
    have several, the ratings whose value holds, and with them those of the decision that have no value, and in a table of pairs
    the human label that they were given beside.

    Parameters
    ----------
    ratings : Ratings
    where : str, sequence of str, mapping, or None
        As on the command line (`language=de|fr`, `tokens>=100`), or column to its value or values. All have to hold. Texts are
        compared trimmed, numbers and times (`day<2026-02-01`, `quarter>=2026-Q3`) by value; an empty value stands for none.

    Raises
    ------
    InputError
        For an unknown column, one that says who rated what, a value that no row has, values that do not compare, and
        conditions that nothing meets.
    """
    asked = tuple(_settled(ratings, condition) for condition in conditions(where))
    if not asked:
        return ratings
    kept, runs_kept = np.ones(len(ratings.item), bool), None if ratings.runs is None else np.ones(len(ratings.runs.item), bool)
    for condition in asked:
        mask, runs_mask = _kept(ratings, condition)
        kept &= mask
        if runs_kept is not None:
            runs_kept &= runs_mask
    if not kept.any():
        both = " and ".join(condition.words() for condition in asked)
        raise InputError(f"{ratings.source.name}: no item has {both}, so nothing is left.", column=asked[0].column)
    part = _with_scales(ratings, _merged_reason(on_ratings(ratings, kept, runs_kept, FILTERED)))
    texts = tuple(dict.fromkeys((*ratings.source.how.where, *(condition.text for condition in asked))))
    how = replace(ratings.source.how, where=texts)
    return replace(part, source=replace(part.source, how=how), memo=_known(ratings))


def _known(ratings: Ratings) -> dict[object, object]:
    """Return what holds of the whole file, whichever of its ratings are taken."""
    return {key: value for key, value in ratings.memo.items() if key[0] in ("encoded column", "kind of column")}


def _settled(ratings: Ratings, condition: Condition) -> Condition:
    """Return a condition with the column and the values as the file has them."""
    column = named_column(ratings, condition.column, "filter by")
    if column not in columns_beside(ratings) and column in {name for _, name in ratings.columns}:
        known = words.listed([words.shorten(name) for name in columns_beside(ratings)], SHOWN) or "none"
        raise InputError(
            f"{ratings.source.name}: ‘{words.shorten(column)}’ says who rated what, and a filter goes by what an item is. "
            f"Columns to filter by: {known}.",
            column=column,
        )
    values = tuple(value.strip() for value in condition.values)
    return Condition(column, condition.operator, values)


def _kept(ratings: Ratings, condition: Condition) -> tuple[Mask, Mask]:
    """Return which ratings stay, and which of the repeated runs."""
    values, spread = column_spread(ratings, condition.column)
    holds = _holding(ratings, condition, values, bool((spread.of_rating < 0).any()))
    kept = holds[spread.of_rating]
    if spread.within == "rating":
        kept = _by_rating(ratings, spread, kept)
    if ratings.runs is None:
        return kept, np.empty(0, bool)
    return kept, _runs_kept(ratings, condition, spread, holds)


def _by_rating(ratings: Ratings, spread: Spread, holds: Mask) -> Mask:
    """Return which ratings stay where those of one decision have different values."""
    cells = cells_of(ratings)
    given = spread.of_rating >= 0
    there = np.zeros((2, len(cells)), bool)
    there[0, cells.of_rating[given]] = True
    there[1, cells.of_rating[given & holds]] = True
    follows = ~given & there[0, cells.of_rating]
    if ratings.source.shape == "pairs":
        follows |= ratings.by_role("human")
    return np.where(follows, there[1, cells.of_rating], holds)


def _runs_kept(ratings: Ratings, condition: Condition, spread: Spread, holds: Mask) -> Mask:
    runs = ratings.runs
    assert runs is not None
    codes, distinct = encoded_column(ratings, condition.column)
    given = codes[runs.row] - (1 if distinct and distinct[0] == "" else 0)
    value = np.full((ratings.n_unique, len(ratings.criteria)), -1, np.int64)
    value[ratings.item, ratings.criterion] = spread.of_rating
    of_run = value[runs.item, runs.criterion]
    if spread.within == "rating" or ((given >= 0) & (given != of_run)).any():
        raise InputError(
            f"{ratings.source.name}: ‘{words.shorten(condition.column)}’ differs between the runs or the raters of one decision, "
            "so that it cannot filter them. Leave the other rows out of the file.",
            column=condition.column,
        )
    return holds[of_run]


def _holding(ratings: Ratings, condition: Condition, values: list[str], some_without: bool) -> Mask:
    """Return which values meet a condition; the last place is for no value."""
    if condition.operator in EQUAL:
        meant = np.zeros(len(values) + 1, bool)
        for value in condition.values:
            meant[_places(ratings, condition, values, value, some_without)] = True
        return meant if condition.operator == "=" else ~meant
    keys, limit = _comparable(ratings, condition, values)
    compared = {
        "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    }[condition.operator](keys, limit)  # fmt: skip
    return np.append(compared.astype(bool), False)


def _places(ratings: Ratings, condition: Condition, values: list[str], value: str, some_without: bool) -> list[int]:
    """Return the values that are meant by one: as it stands, else of the same number, else whatever their case."""
    if not value:
        if some_without:
            return [len(values)]
        _refuse_value(ratings, condition, values, value)
    if value in values:
        return [values.index(value)]
    number, numbers = numbers_in([value]), numbers_in(values)
    if number is not None and numbers is not None and (numbers == number[0]).any():
        return np.flatnonzero(numbers == number[0]).tolist()
    alike = [place for place, name in enumerate(values) if name.casefold() == value.casefold()]
    if not alike:
        _refuse_value(ratings, condition, values, value)
    return alike


def _refuse_value(ratings: Ratings, condition: Condition, values: list[str], value: str) -> NoReturn:
    known = words.listed([words.shorten(name) for name in values], SHOWN) or "none"
    what = f"‘{words.shorten(value)}’" if value else "no value"
    raise InputError(
        f"{ratings.source.name}: no row has {what} in ‘{words.shorten(condition.column)}’. Values: {known}.",
        column=condition.column,
    )


def _comparable(ratings: Ratings, condition: Condition, values: list[str]) -> tuple[NDArray[np.float64], float]:
    """Return values, and the one they are compared with, as numbers; times by their seconds, or by days, months or quarters."""
    limit = condition.values[0]
    numbers, number = numbers_in(values), numbers_in([limit])
    if numbers is not None and number is not None:
        return numbers, float(number[0])
    if are_times(values) and are_times([limit]):
        try:
            return np.array([_since(value, limit) for value in values]), _since(limit, limit)
        except ValueError:
            pass
    raise InputError(
        f"{ratings.source.name}: ‘{words.shorten(condition.column)}’ cannot be compared with ‘{words.shorten(limit)}’: both have "
        "to be numbers, or times such as 2026-01-31, 2026-01 or 2026-Q1. Use = with the values that are meant.",
        column=condition.column,
    )


def _since(time: str, limit: str) -> float:
    """Return the quarters, months or seconds up to a time, whichever the time that it is compared with is given in."""
    day = day_of(time)
    if day_of(limit) == limit[:DAY]:
        return _seconds(time if time[:DAY] == day and len(limit) > DAY else day)
    months = 12 * int(day[:4]) + int(day[5:7]) - 1
    return months // 3 if "q" in limit.lower() else months


def _seconds(text: str) -> float:
    """Return seconds of a date, or of a date with a time; without a zone, of UTC."""
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()


def _with_scales(whole: Ratings, part: Ratings) -> Ratings:
    """Return a part whose criteria have the scales of the whole, where the labels that are left would say another."""
    before, bare = dict(part.scheme.scales), replace(part, scheme=replace(part.scheme, scales=()), memo={})
    stated = {}
    for left in scales_of(bare).criteria:
        scale = scales_of(whole).on(left.criterion).scale
        if (scale != left.scale or left.criterion in before) and (scale in left.possible or not left.classes):
            stated[left.criterion] = scale
    return replace(part, scheme=replace(part.scheme, scales=tuple(stated.items())), memo={})


def _merged_reason(part: Ratings) -> Ratings:
    """Return ratings whose rows that were filtered before and now have one reason."""
    left_out = part.left_out
    first = left_out.names.index(FILTERED)
    if first == len(left_out.names) - 1:
        return part
    reasons = np.where(left_out.reasons == len(left_out.names) - 1, first, left_out.reasons).astype(np.int16)
    return replace(part, left_out=replace(left_out, names=left_out.names[:-1], reasons=reasons), memo={})
