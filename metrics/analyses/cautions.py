"""What must be known of a file before its numbers: scores alone, labels of a part, items tuned on, labels in two units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.item_weights import column_of, why_unused, without_weight
from metrics.analyses.records import Block, Warn
from metrics.asker import worded
from metrics.data.abstention import Mode
from metrics.data.filtering import Condition
from metrics.data.item_columns import column_spread, columns_beside
from metrics.data.labels import NO_NUMBER, NOT_READ
from metrics.data.nonverdicts import recodable
from metrics.data.order import numbers_of
from metrics.data.ratings import Ratings
from metrics.data.similar_names import alike_sentences
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.measures.units import MIXED, other_ends, two_units
from metrics.results import words
from metrics.results.words import several, shorten

TUNING_ITEMS, WEIGHT_UNUSED, CELLS_LEFT_OUT = "tuning_items", "weight_unused", "cells_left_out"
"""Codes of the warnings of items for tuning that count, and of weights that do not."""
LABELS_UNREAD = "labels_unread"
"""Code of the warning of labels that the file holds and nothing counts."""
SPLIT = "split"
"""Column that says on which items a judge may have been tuned."""
TUNING = ("train", "training", "dev", "development", "tune", "tuning", "val", "valid", "validation", "calibration", "fewshot")
TEST = ("test", "testing", "heldout", "holdout", "eval", "evaluation")
"""Values of that column, whatever their case, blanks, - and _."""
MIXED_LABELS = "κ, exact agreement, bias, RMSE and MAE mix them; correlations stand."
"""What they do to labels that are numbers."""
FEWEST_OPTIONS = 3
"""Labels that are numbers from which they can be two scales; two are two answers."""


def cautions(
    ratings: Ratings, *, of_labels: bool = True, role: str | None = None, mode: Mode = "exclude", weighted: bool = False
) -> list[Warn]:
    """Warn of what a reader must know of the file: names, scores without labels, items for tuning, weights that are not used.

    Names are warned of that are probably one, labels that are not read, and cells that hold no number; where labels are counted,
    ratings that have a score and no label.

    Parameters
    ----------
    role : {"human", "judge"}, optional
        Whose ratings; default all.
    mode : {"exclude", "as_unmet", "as_category"}
        Warned of where it takes a tie, or no answer, for the second of two answers, which no page offers.
    weighted : bool
        Whether the numbers count items by their weights, and so say themselves how.
    """
    warns = [Warn("alike_names", text) for text in alike_sentences(ratings)]
    warns += [Warn(CELLS_LEFT_OUT, note) for note in ratings.source.notes if NO_NUMBER in note]
    warns += [Warn(LABELS_UNREAD, note) for note in ratings.source.notes if note.startswith(NOT_READ)]
    if mode == "as_unmet" and ratings.scheme.scale == "binary" and not recodable(ratings):
        second = shorten(ratings.scheme.classes[1])
        text = f"as_unmet counts a tie, and no answer, as {second}. Neither is a win of {second}: take exclude or as_category."
        warns.append(Warn("tie_as_negative", text))
    if (tuned := tuned_items(ratings)) is not None:
        warns.append(Warn(TUNING_ITEMS, tuned.words()))
    warns += _of_weights(ratings) if weighted else []
    if not weighted and (column := column_of(ratings)):
        warns.append(Warn(WEIGHT_UNUSED, weights_unused_words(column)))
    return warns + [Warn("score_alone", text) for text in scores_alone(ratings, role) if of_labels]


def told_of(code: str, warnings: Iterable[Warn]) -> str:
    """Return what warnings of one code say; empty without one."""
    return " ".join(warning.message for warning in warnings if warning.code == code)


def _of_weights(ratings: Ratings) -> list[Warn]:
    """Warn, where numbers by weights are made, of weights that are none of items, and of items without one."""
    warns = []
    if unused := why_unused(ratings):
        column = column_of(ratings)
        warns.append(Warn(WEIGHT_UNUSED, f"The column ‘{column}’ is not used, {unused}: every decision counts once."))
    if alone := without_weight(ratings):
        each = "has no weight and stands for itself" if alone == 1 else "have no weight and stand for themselves"
        warns.append(Warn("weight_of_some", f"{several(alone, 'labelled items')} {each}."))
    return warns


def weights_unused_words(column: str, where: str = "here") -> str:
    """Return that a column of weights changes no number, here or elsewhere."""
    of_two = "comparisons of two judges"
    used = "Agreement", "Slices", "agreement among raters", of_two, "ROC curves", "Scores", "biases", "How many labels"
    return (
        f"The column ‘{shorten(column)}’ is not used {where}: every item counts once. {words.listed(used)} have weighted numbers."
    )


def scores_alone(ratings: Ratings, role: str | None = None) -> list[str]:
    """Return for each rater whose score stands alone how often it does, and what takes it."""
    rows = np.flatnonzero(ratings.state == ratings.scheme.state("missing"))
    times = np.bincount(ratings.rater[rows], weights=ratings.weight[ratings.item[rows]], minlength=len(ratings.raters))
    return [
        f"{shorten(rater.name)}: {several(int(n), 'ratings')} with a score and without a label "
        f"{'gives no verdict and counts' if n == 1 else 'give no verdict and count'} as not rated. ROC curves take the scores."
        for rater, n in zip(ratings.raters, times.tolist(), strict=True)
        if n and role in (None, rater.role)
    ]


@dataclass(frozen=True)
class Tuned:
    """Items that count though a judge may have been tuned on them.

    Attributes
    ----------
    column : str
    values : tuple of str
        Of tuning, as the file has them.
    n, of : int
        Items with one of them, and all.
    test : tuple of str
        Values of the items that count for a test; empty where the file has none.
    """

    column: str
    values: tuple[str, ...]
    n: int
    of: int
    test: tuple[str, ...]

    @property
    def mend(self) -> str:
        """The condition that leaves the items for a test alone, as it is typed; empty where there are none."""
        return Condition(self.column, "=", self.test).text if self.test else ""

    def what(self) -> str:
        """Return how many items a judge may have been tuned on."""
        which = words.either([shorten(value) for value in self.values])
        text = (
            f"{words.count(self.n)} of {several(self.of, 'items')} {words.are(self.n)} {which} by ‘{self.column}’: "
            "a judge that was tuned on them agrees better on them than on new ones."
        )
        return text if self.mend else f"{text} No item is for a test: label new ones."

    def words(self) -> str:
        """Return the same, and how to count the others alone."""
        text = self.what()
        if not self.mend:
            return text
        where = worded(f"--where {self.mend}", f"where={self.mend!r} of metrics.read", f"Only where {self.mend} in the sidebar")
        return f"{text} To count test items alone: {where}."

    def to_dict(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {"column": self.column, "values": list(self.values), "items": self.n, "of": self.of}


def split_column(ratings: Ratings) -> str | None:
    """Return the column that says on which items a judge may have been tuned; None where there is none."""
    return next((name for name in columns_beside(ratings) if name.strip().casefold() == SPLIT), None)


def tuned_items(ratings: Ratings) -> Tuned | None:
    """Return the items that a column `split` gives to tuning; None without such a column, or where it names none.

    Here they are counted as all others are, since a number of some of the rows is one that was asked for. A page opens a file
    with the items for a test alone, and shows that it does.
    """
    column = split_column(ratings)
    if column is None:
        return None
    values, made = column_spread(ratings, column)
    used = {values[code] for code in np.unique(made.of_rating[made.of_rating >= 0]).tolist()}
    tuning = tuple(value for value in values if value in used and _bare(value) in TUNING)
    if not tuning:
        return None
    places = [values.index(value) for value in tuning]
    items = np.unique(ratings.item[np.isin(made.of_rating, places)])
    test = tuple(value for value in values if _bare(value) in TEST)
    return Tuned(column, tuning, int(ratings.weight[items].sum()), ratings.n_items, test)


def _bare(value: str) -> str:
    return "".join(letter for letter in value.casefold() if letter.isalnum())


def labels_in_two_units(block: Block) -> str:
    """Return why κ of ordered labels that are numbers means nothing, as `two_units` does; empty otherwise.

    Parameters
    ----------
    block : Block
        With a table of labels. Labels in no order, or that are no numbers, are not asked, nor a side that gives one label only.
    """
    numbers = _numbers(block)
    return "" if numbers is None else two_units(*numbers, MIXED_LABELS)


def labels_of_other_ends(block: Block) -> str:
    """Return that ordered labels that are numbers may be on two scales, as `other_ends` does; empty otherwise.

    Parameters
    ----------
    block : Block
        As in `labels_in_two_units`.
    """
    numbers = _numbers(block)
    return "" if numbers is None else other_ends(*numbers)


def _numbers(block: Block) -> tuple[FloatArray, FloatArray, NDArray[np.int64]] | None:
    """Return pairs of numbers and how often each occurs; None of other labels, and where a side gives one only."""
    if QUADRATIC_KAPPA.key not in block.values or block.confusion is None:
        return None
    table = np.asarray(block.confusion)
    places = [place for place, label in enumerate(block.labels) if numbers_of((label,)) is not None]
    numbers = numbers_of(tuple(block.labels[place] for place in places))
    if len(places) < FEWEST_OPTIONS or numbers is None:
        return None
    worth, counts = np.array(numbers), table[np.ix_(places, places)]
    if min((counts.sum(axis) > 0).sum() for axis in (0, 1)) < 2:
        return None
    human, judge = np.nonzero(counts)
    return worth[human], worth[judge], counts[human, judge]


def two_units_words(apart: Mapping[str, str], n_criteria: int, mixed: str = MIXED) -> str:
    """Return one sentence on the criteria whose sides are in two units, however many there are.

    Parameters
    ----------
    apart : mapping
        Criterion to the reason, as `two_units` returns it; one at least.
    n_criteria : int
        Of the judge.
    mixed : str
        As in `two_units`.
    """
    (criterion, why), *more = apart.items()
    if not more:
        return f"{words.shorten(criterion)}: {why}" if n_criteria > 1 else why
    named = words.named(list(apart))
    where = "every criterion" if len(apart) == n_criteria else named
    return f"on {where} half of one side's numbers lie well outside all that the other says, so they are in two units. {mixed}"


def on_criterion(apart: Mapping[str, str], n_criteria: int) -> str:
    """Return the first of the reasons, with its criterion where there are several; empty without one."""
    if not apart:
        return ""
    criterion, why = next(iter(apart.items()))
    more = f" The same shows on {words.count(len(apart) - 1)} more." if len(apart) > 1 else ""
    return f"on {words.shorten(criterion)}, {why}{more}" if n_criteria > 1 else why
