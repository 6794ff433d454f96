r"""What sways a judge of two answers more than it sways people: the longer answer, and the answer of its own family.

The effect is the slope of :math:`j - h`, the judge's answer less that of people on the same decision, on the property of one
answer against the other. It is 0 where both lean to a property alike, whatever that property has to do with quality. At one
answer of people the judge would lean to whatever goes with quality, for a single vote says little of it: of files in which judge
and people see the same quality alike (300 items), 89 % would be told an effect, against 5 % of differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.biases.measured import NOTHING, family_of, measured
from metrics.analyses.biases.result import Bias
from metrics.analyses.biases.within_labels import Decisions, slope
from metrics.analyses.preferences.compute import CODES
from metrics.analyses.preferences.positions import answers_of
from metrics.analyses.preferences.systems import named_systems, system_columns
from metrics.analyses.settings import Settings
from metrics.data.item_columns import encoded_column, kind_of_column
from metrics.data.item_texts import free_columns
from metrics.data.pairs import cell_ratings, cells_of, reference_states
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray

ENDS = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))
"""What the names of two columns end with that say the same of both answers."""
SIZE = re.compile(r"(.*[^a-z])?(len|length|tokens?|words?|chars?|characters)([^a-z].*)?", re.IGNORECASE)
"""What a column of numbers is called that says how long an answer is."""
CALL = re.compile(r"prompt|completion|input|total|usage|reason|judge|llm|cost", re.IGNORECASE)
"""What is said of a judge's call in such a name, and not of an answer."""


@dataclass(frozen=True)
class AnswerPair:
    """Two columns that say the same of both answers."""

    first: str
    second: str

    @property
    def title(self) -> str:
        return f"{self.first} / {self.second}"


def length_columns(ratings: Ratings) -> tuple[AnswerPair, ...]:
    """Return the columns with the texts of both answers, or with how long they are."""
    return tuple(pair for pair in _pairs(ratings) if _sized(ratings, pair.first) and _sized(ratings, pair.second))


def biases_of_pairs(ratings: Ratings, judge: str, settings: Settings) -> tuple[Bias, ...]:
    """Return how length and kinship sway a judge of two answers, in shares of decisions, a tie counting one half to each.

    Parameters
    ----------
    ratings : Ratings
        With one label for the first answer, one for the second, and ties or none.
    judge : str
    settings : Settings

    Returns
    -------
    tuple of Bias
        How much more often than people the judge prefers an answer: for each doubling of its length against the other one, and
        an answer of its own family against one of another. People's own preference stands beside each.
    """
    decisions = decisions_of_pairs(ratings, judge, settings)
    rows = ratings.row[decisions.rating]
    found: dict[str, tuple[Bias, FloatArray]] = {}
    for pair in length_columns(ratings):
        first, second = (_sizes(ratings, column, rows) for column in (pair.first, pair.second))
        there = (first > 0) & (second > 0)
        x = np.log2(np.where(there, first, 1.0) / np.where(there, second, 1.0))
        found[f"length of {pair.title}"] = Bias("length", pair.title, "", NOTHING, NOTHING), np.where(there, x, np.nan)
    found |= {bias.column: (bias, x) for bias, x in _kinship(ratings, judge, rows)}
    return tuple(_of_pair(ratings, decisions, title, found, settings) for title in found)


def decisions_of_pairs(ratings: Ratings, judge: str, settings: Settings) -> Decisions:
    """Return decisions that judge and reference both answered, each as how much of a win it is for the first answer."""
    places = cell_ratings(ratings, judge, "judge")
    cell = np.flatnonzero(places >= 0)
    verdict = answers_of(ratings.scheme, ratings.state[places[cell]])
    truth = answers_of(ratings.scheme, reference_states(ratings, settings.reference)[cell])
    kept = np.flatnonzero((verdict >= 0) & (truth >= 0))
    cell, sides = cell[kept], (CODES[verdict[kept]], CODES[truth[kept]])
    return Decisions.of(ratings, settings, cell, places[cell], sides, cells_of(ratings).criterion[cell].astype(np.int64))


def _of_pair(
    ratings: Ratings, decisions: Decisions, title: str, found: dict[str, tuple[Bias, FloatArray]], settings: Settings
) -> Bias:
    bias, x = found[title]
    there = np.isfinite(x)
    part = decisions.at(there)
    beside = {name: _steps(other)[there] for name, (_, other) in found.items() if name != title}
    made = measured(ratings, part, x[there], beside, settings, bias, part.judge - part.reference.astype(np.float64))
    people = slope(part, part.reference, x[there], settings.confidence)
    # Both answers have one share of errors: which of the two the judge leans to says nothing of it.
    return replace(made, people=people, errors=NOTHING, pairwise=True)


def _steps(x: FloatArray) -> NDArray[np.int64]:
    """Return a property in few steps, so that it can be held: whole doublings of length, or whose answer is kin; -1 for none."""
    known = np.where(np.isfinite(x), x, 0.0)
    return np.where(np.isfinite(x), np.clip(np.rint(known), -3, 3) + 3, -1).astype(np.int64)


def _kinship(ratings: Ratings, judge: str, rows: NDArray[np.int64]) -> Iterator[tuple[Bias, FloatArray]]:
    columns, family = system_columns(ratings), family_of(judge)
    if columns is None or not family:
        return
    names, first, second = named_systems(ratings, columns, rows)
    own = np.array([*(family_of(name) == family for name in names), False], np.float64)
    if not 0 < own.sum() < len(names):
        return
    x = np.where((first >= 0) & (second >= 0), own[first] - own[second], np.nan)
    yield Bias("kinship", " / ".join(columns), family, NOTHING, NOTHING), x


def _pairs(ratings: Ratings) -> Iterator[AnswerPair]:
    names = free_columns(ratings) if ratings.has_rows else []
    lower = {name.strip().lower(): name for name in reversed(names)}
    for name, column in lower.items():
        for first, second in ENDS:
            for before, after in ((name.removesuffix(first), ""), ("", name.removeprefix(first))):
                stem = before or after
                other = lower.get(f"{before}{second}" if before else f"{second}{after}")
                marked = stem[-1:] in ("_", "-", " ") or stem[:1] in ("_", "-", " ") or first.isdigit()
                if stem != name and stem and marked and other is not None:
                    yield AnswerPair(column, other)


def _sized(ratings: Ratings, column: str) -> bool:
    """Return whether a column says how long an answer is: by its texts, or by its name and its numbers."""
    kind = kind_of_column(ratings, column)
    return kind == "length" or (kind == "numbers" and SIZE.fullmatch(column.strip()) is not None)


def _sizes(ratings: Ratings, column: str, rows: NDArray[np.int64]) -> FloatArray:
    """Return the number of each row, or how long its text is; 0 where there is none."""
    codes, values = encoded_column(ratings, column)
    long = kind_of_column(ratings, column) == "length"
    known = np.array([len(value) if long else float(value or 0) for value in values], np.float64)
    return np.asarray(known[codes[rows]], np.float64)
