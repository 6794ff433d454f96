"""What items have to be to stay: a column, a comparison and values, as typed, as kept, and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from metrics.asker import worded
from metrics.errors import InputError
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
