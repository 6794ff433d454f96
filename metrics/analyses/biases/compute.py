"""Which biases a file can show, each as an effect with its interval, and what else could explain it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import any_row
from metrics.analyses.biases.difference import Ints, stratified_difference
from metrics.analyses.comparison.shared_decisions import on_axis
from metrics.analyses.settings import Settings
from metrics.analyses.slices.grouping import By, grouping, proposed
from metrics.data.item_texts import item_texts
from metrics.data.pairs import cells_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.results.estimate import Estimate

Kind = Literal["length", "family"]
FAMILIES = {
    "GPT": r"gpt|davinci|chatgpt|\bo[134](-|\b)",
    "Claude": r"claude",
    "Gemini": r"gemini|palm|bard",
    "Llama": r"llama|vicuna|alpaca",
    "Mistral": r"mistral|mixtral",
    "Qwen": r"qwen",
    "DeepSeek": r"deepseek",
    "Command": r"command-?r|cohere",
    "Grok": r"grok",
    "Phi": r"\bphi-?\d",
}
"""Family of models and what their names hold; Vicuna and Alpaca are tuned Llamas."""
TIED_TO = 0.3
"""Cramér's V from which another column is named as a rival explanation: what Cohen (1988) calls medium of two values."""
MOST_ITEMS = 5
MOST_RIVALS = 3


@dataclass(frozen=True)
class Rival:
    """Another column that goes with the groups, and the judge's difference within its values.

    Attributes
    ----------
    tie : float
        Cramér's V of the column and the groups, over items.
    """

    column: str
    tie: float
    within: Estimate


@dataclass(frozen=True)
class Bias:
    """One effect on one judge.

    Attributes
    ----------
    kind : {"length", "family"}
        Longer texts against shorter ones, or models of the judge's own family against others.
    column : str
        Of the file.
    what : str
        Length: letters that the longer texts have more than; family: its name.
    n : (int, int)
        Items of the group looked at, and of the other one.
    judge : Estimate
        Length: difference of the judge's positive rate within criterion and reference label; family: difference of the
        judge's positive verdicts less those of the reference, within criterion.
    reference : Estimate
        Difference of the reference's positive rate, within criterion.
    rivals : tuple of Rival
        Strongest tie first.
    items : tuple of str
        Items that show it: wrong in the direction of the effect, longest first.
    """

    kind: Kind
    column: str
    what: str
    n: tuple[int, int]
    judge: Estimate
    reference: Estimate
    rivals: tuple[Rival, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Decisions:
    """Decisions on which both sides give a verdict."""

    item: Ints
    criterion: Ints
    judge: NDArray[np.float64]
    reference: NDArray[np.float64]


def biases(ratings: Ratings, settings: Settings, judge: str) -> tuple[Bias, ...]:
    """Return the biases that a file of yes and no can show: of each column of texts, and of columns that name models.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
    judge : str

    Raises
    ------
    InputError
        Where the labels are not of two opposite sides, or no row is an item.
    """
    if not is_possible(ratings):
        raise InputError(f"{ratings.source.name}: biases are looked at on items with labels of two opposite sides.")
    decisions = _decisions(ratings, settings, judge)
    return (*_lengths(ratings, decisions, settings), *_families(ratings, decisions, settings, judge))


def is_possible(ratings: Ratings) -> bool:
    """Return whether every criterion is yes or no, on items with rows of their own."""
    return ratings.scheme.scale == "binary" and scales_of(ratings).used == ("binary",) and ratings.has_rows


def family_of(name: str) -> str:
    """Return the family of a model by its name; empty where it is not known."""
    found = [family for family, pattern in FAMILIES.items() if re.search(pattern, name, re.IGNORECASE)]
    return found[0] if len(found) == 1 else ""


def _decisions(ratings: Ratings, settings: Settings, judge: str) -> _Decisions:
    scheme, cells = ratings.scheme, cells_of(ratings)
    sides = reference_states(ratings, settings.reference), verdicts(ratings, judge, "judge")
    reference, said = (on_axis(states, scheme, "exclude") for states in sides)
    both = (reference >= 0) & (said >= 0)
    return _Decisions(
        cells.item[both].astype(np.int64),
        cells.criterion[both].astype(np.int64),
        (said[both] == 0).astype(np.float64),
        (reference[both] == 0).astype(np.float64),
    )


def _lengths(ratings: Ratings, decisions: _Decisions, settings: Settings) -> Iterator[Bias]:
    for column in item_texts(ratings):
        lengths = _length_of_item(ratings, column)
        seen = lengths[np.unique(decisions.item)]
        if not len(seen) or seen.min() == seen.max():
            continue
        middle = float(np.median(seen))
        longer = (lengths > middle).astype(np.int64)
        stratum = decisions.criterion * 2 + decisions.reference.astype(np.int64)
        yield _bias("length", column, str(int(middle)), ratings, decisions, settings, longer, stratum, decisions.judge, lengths)


def _families(ratings: Ratings, decisions: _Decisions, settings: Settings, judge: str) -> Iterator[Bias]:
    own = family_of(judge)
    if not own:
        return
    for title, by in proposed(ratings).items():
        if by.kind != "values":
            continue
        groups = grouping(ratings, [by])
        families = np.array([family_of(value) for value in groups.values] + [""])
        if groups.of_item is None or not (families == own).any() or not ((families != "") & (families != own)).any():
            continue
        of_item = np.where(groups.of_item < 0, -1, families[groups.of_item] == own).astype(np.int64)
        outcome = decisions.judge - decisions.reference
        yield _bias("family", title, own, ratings, decisions, settings, of_item, decisions.criterion, outcome, None)


def _bias(
    kind: Kind,
    column: str,
    what: str,
    ratings: Ratings,
    decisions: _Decisions,
    settings: Settings,
    of_item: Ints,
    stratum: Ints,
    outcome: NDArray[np.float64],
    lengths: Ints | None,
) -> Bias:
    group = of_item[decisions.item]
    kept = group >= 0

    def difference(values: NDArray[np.float64], strata: Ints) -> Estimate:
        return stratified_difference(values[kept], group[kept], strata[kept], decisions.item[kept], settings.confidence)

    items = np.unique(decisions.item[kept])
    n = int((of_item[items] == 1).sum()), int((of_item[items] == 0).sum())
    effect = difference(outcome, stratum)
    rivals = []
    for title, places, n_places in _other_columns(ratings, column):
        tie = _cramers_v(of_item[items], places[items])
        if tie >= TIED_TO:
            rivals.append(Rival(title, tie, difference(outcome, stratum * (n_places + 1) + places[decisions.item] + 1)))
    rivals.sort(key=lambda rival: -rival.tie)
    shown = _showing(ratings, decisions, group, effect.value, lengths)
    return Bias(
        kind, column, what, n, effect, difference(decisions.reference, decisions.criterion), tuple(rivals[:MOST_RIVALS]), shown
    )


def _other_columns(ratings: Ratings, column: str) -> Iterator[tuple[str, Ints, int]]:
    for title, by in proposed(ratings).items():
        if column in (title, by.column) or by.kind == "length":
            continue
        groups = grouping(ratings, [by])
        if groups.of_item is not None:
            yield title, groups.of_item, len(groups.values)


def _cramers_v(group: Ints, values: Ints) -> float:
    """Return Cramér's V of two groups and the values of a column; 0 where one of both is constant."""
    kept = (group >= 0) & (values >= 0)
    if not kept.any():
        return 0.0
    table = np.zeros((2, int(values.max()) + 1))
    np.add.at(table, (group[kept], values[kept]), 1.0)
    table = table[:, table.sum(0) > 0]
    if table.shape[1] < 2 or (table.sum(1) == 0).any():
        return 0.0
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    return float(np.sqrt((((table - expected) ** 2) / expected).sum() / table.sum()))


def _showing(ratings: Ratings, decisions: _Decisions, group: Ints, effect: float, lengths: Ints | None) -> tuple[str, ...]:
    """Return items of the group looked at on which the judge is wrong in the direction of the effect."""
    wrong = decisions.judge - decisions.reference
    if not np.isfinite(effect) or effect == 0:
        return ()
    there = np.unique(decisions.item[(group == 1) & (wrong == np.sign(effect))])
    order = there if lengths is None else there[np.argsort(-lengths[there], kind="stable")]
    return tuple(str(ratings.items[int(place)]) for place in order[:MOST_ITEMS])


def _length_of_item(ratings: Ratings, column: str) -> Ints:
    """Return letters of a text of every item, shape (n_unique,): of the row that stands first in the file's cells."""
    assert ratings.table is not None
    item, first = np.unique(cells_of(ratings).item, return_index=True)
    texts = ratings.table[column].take(pa.array(any_row(ratings)[first])).cast(pa.string())
    lengths = np.zeros(ratings.n_unique, np.int64)
    lengths[item] = pc.fill_null(pc.utf8_length(texts), 0).to_numpy()
    return lengths


def by_of(ratings: Ratings, bias: Bias) -> By:
    """Return the column of a bias as slices take it."""
    return By(bias.column, "length") if bias.kind == "length" else proposed(ratings)[bias.column]
