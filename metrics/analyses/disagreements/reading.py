"""One item in full: its texts, and what everybody said of it, the disputed criteria first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.analyses.agreement.decisions import free_texts, state_names
from metrics.analyses.disagreements.listing import Ints, Listing, Rows
from metrics.analyses.disagreements.tables import why
from metrics.data.abstention import on_axis
from metrics.data.item_texts import item_texts
from metrics.data.pairs import reference_states
from metrics.data.ratings import Ratings
from metrics.results import words

MOST_TEXTS = 20
"""Different texts of one column that are shown of an item."""


@dataclass(frozen=True)
class Answer:
    """What one rater said on one criterion: the label, or the number in its place, the reason and the score.

    Attributes
    ----------
    differs : bool
        Whether it is the verdict of a judge that differs from that of the reference, in the mode.
    """

    rater: str
    is_judge: bool
    label: str
    differs: bool = False
    reason: str = ""
    score: float = math.nan


@dataclass(frozen=True)
class CriterionRead:
    """A criterion of an item.

    Attributes
    ----------
    disputed : bool
        Whether the sides that the list is about differ on it.
    listed : bool
        Whether it is for this criterion that the item is on the list; of an item that is there as a whole, for the disputed ones.
    reference : str
        What the people's labels come to; empty without a judge.
    why : str
        What makes it a clear disagreement, in a few words.
    answers : tuple of Answer
        People first; of the judges first the one in view and the one it is compared with; else in the order of the file.
    """

    criterion: str
    disputed: bool
    listed: bool
    reference: str
    why: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class ItemRead:
    """An item as it stands in the file.

    Attributes
    ----------
    texts : tuple of (str, tuple of str)
        Columns that hold texts of the item, and the different texts there.
    facts : tuple of (str, tuple of str)
        The other columns without a role, in the same way.
    rows : tuple of int
        Record numbers of its ratings.
    verdicts : (str, str) or None
        Item verdicts of the reference and of the judge, empty where there is none; None where decisions are counted.
    """

    item: str
    texts: tuple[tuple[str, tuple[str, ...]], ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    criteria: tuple[CriterionRead, ...]
    rows: tuple[int, ...]
    verdicts: tuple[str, str] | None = None


def item_read(listing: Listing, place: int, rows: Rows, decisions: Ints, columns: Sequence[str] | None = None) -> ItemRead:
    """Return one item of a list in full: criteria of the list first, then other disputed ones, then those agreed on.

    Parameters
    ----------
    listing : Listing
    place : int
        In `Ratings.items`.
    rows : Rows
        What the list is about.
    decisions : ndarray of int64, shape (n,)
        Cells for which the item is on the list, in their order.
    columns : sequence of str, optional
        Which of the file's other columns, in their order; default all.
    """
    ratings, cells = listing.ratings, listing.cells
    of_item = np.flatnonzero(ratings.item == place)
    its_cells = np.unique(cells.of_rating[of_item])
    disputed, rank = listing.disputed(rows)[its_cells], listing.rank(rows)[its_cells]
    listed = np.isin(its_cells, decisions) & (disputed | (not listing.by_item))
    order = np.lexsort((rank, ~disputed, ~listed))
    its_cells, reasons = its_cells[order], why(listing, rows, its_cells[order])
    texts, facts = _columns(ratings, of_item, columns)
    facts_of = zip(its_cells.tolist(), reasons, disputed[order].tolist(), listed[order].tolist(), strict=True)
    return ItemRead(
        str(ratings.items[place]),
        texts,
        facts,
        tuple(_criterion(listing, of_item, *own) for own in facts_of),
        tuple(np.unique(ratings.record_numbers(ratings.row[of_item])).tolist()),
        _verdicts(listing, int(its_cells[0])) if listing.by_item else None,
    )


def _verdicts(listing: Listing, cell: int) -> tuple[str, str]:
    assert listing.judge is not None
    names = (*listing.labels, "")
    reference, judge = (names[int(side[cell])] for side in listing.judge.counted)
    return reference, judge


def _criterion(listing: Listing, of_item: Ints, cell: int, reason: str, disputed: bool, listed: bool) -> CriterionRead:
    ratings = listing.ratings
    places = of_item[listing.cells.of_rating[of_item] == cell]
    places = np.array(sorted(places, key=lambda place: _turn(listing, int(ratings.rater[place]))), np.int64)
    return CriterionRead(
        ratings.criteria[listing.cells.criterion[cell]],
        disputed,
        listed,
        _reference(listing, cell),
        reason if disputed else "",
        tuple(_answer(listing, int(place), cell, reason) for place, reason in zip(places, ratings.reasons(places), strict=True)),
    )


def _turn(listing: Listing, code: int) -> tuple[bool, bool, bool, int]:
    """Return what raters are sorted by, see `CriterionRead.answers`."""
    rater = listing.ratings.raters[code]
    in_view = [side is not None and side.name == rater.name for side in (listing.judge, listing.other)]
    return rater.role == "judge", not in_view[0], not in_view[1], code


def _reference(listing: Listing, cell: int) -> str:
    if listing.numbers is not None:
        return words.number(listing.numbers.reference[cell]) if np.isfinite(listing.numbers.reference[cell]) else ""
    if listing.judge is None:
        return ""
    ratings = listing.ratings
    return str(state_names(ratings)[reference_states(ratings, listing.settings.reference)[cell]])


def _answer(listing: Listing, place: int, cell: int, reason: str | None) -> Answer:
    ratings = listing.ratings
    rater = ratings.raters[ratings.rater[place]]
    score = math.nan if ratings.score is None else float(ratings.score[place])
    is_judge = rater.role == "judge"
    if listing.numbers is not None:
        return Answer(rater.name, is_judge, words.number(score), reason=reason or "")
    differs = is_judge and _differs(listing, place, cell)
    return Answer(rater.name, is_judge, ratings.labels[ratings.label[place]], differs, reason or "", score)


def _differs(listing: Listing, place: int, cell: int) -> bool:
    scheme, mode = listing.ratings.scheme, listing.settings.abstention
    verdict = int(on_axis(listing.ratings.state[place : place + 1], scheme, mode)[0])
    reference = int(listing.reference[cell])
    return verdict >= 0 and reference >= 0 and verdict != reference


def _columns(
    ratings: Ratings, of_item: Ints, columns: Sequence[str] | None
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    """Return the different texts in each of the file's other columns at the rows of an item: of texts, and of other columns."""
    frame = free_texts(ratings, np.unique(ratings.row[of_item]), columns)
    long = item_texts(ratings)
    found: dict[str, tuple[str, ...]] = {}
    for name in map(str, frame.columns):
        given = dict.fromkeys(str(text) for text in frame[name] if text is not None and str(text).strip())
        if given:
            found[name] = tuple(given)[:MOST_TEXTS]
    texts = tuple((name, found[name]) for name in long if name in found)
    return texts, tuple((name, those) for name, those in found.items() if name not in long)
