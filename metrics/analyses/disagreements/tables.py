"""A list of items as tables: the items on the screen, and every decision of the list with reasons and texts for a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.agreement.decisions import any_row, decision_frame, free_texts, state_names
from metrics.analyses.disagreements.listing import Ints, Listing, Mask, Rows
from metrics.analyses.disagreements.query import Matches, Query
from metrics.analyses.review.tables import AGAINST
from metrics.data.item_texts import item_texts
from metrics.data.pairs import reference_states, verdicts
from metrics.results import words

SNIPPET = 160
"""Letters of a text beside its item."""
WHY, JUDGES_WRONG = "why", "judges wrong"


def listed(
    listing: Listing, matches: Matches, query: Query, first: int, last: int, *, blind: bool = False
) -> dict[str, list[object]]:
    """Return the items of a list from one place to another, a row each, with its clearest decision there.

    Parameters
    ----------
    listing : Listing
    matches : Matches
    query : Query
        Whose list it is.
    first, last : int
        Places in the list; the last is not included.
    blind : bool
        Without what anybody says of the decisions.
    """
    ratings = listing.ratings
    places = range(first, min(last, len(matches.items)))
    clearest = matches.decisions[matches.starts[list(places)]] if places else np.zeros(0, np.int64)
    columns: dict[str, list[object]] = {"item": [words.plain(str(ratings.items[int(matches.items[place])])) for place in places]}
    if len(ratings.criteria) > 1 and listing.numbers is None:
        disputed = listing.disputed(query.rows)
        columns["criteria"] = [_named(listing, matches.of(place), disputed) for place in places]
    elif len(ratings.criteria) > 1:
        columns["criterion"] = [ratings.criteria[place] for place in listing.cells.criterion[clearest]]
    alone = "criteria" not in columns or bool((np.diff(matches.starts)[list(places)] == 1).all())
    if listing.judge is not None and alone and not blind:
        columns["reference"], columns["judge"] = _both(listing, clearest)
    whom = _whom(listing, query.rows)
    columns[whom or WHY] = [] if blind else [text.removeprefix(f"{whom}: ") for text in why(listing, query.rows, clearest)]
    if texts := item_texts(ratings)[:1]:
        snippets = free_texts(ratings, any_row(ratings)[clearest], texts)[texts[0]]
        columns[texts[0] if texts[0] not in columns else f"{texts[0]} (file)"] = [cut(text) for text in snippets]
    return {name: cells for name, cells in columns.items() if any(cells) or name == "item"}


def _named(listing: Listing, decisions: Ints, disputed: Mask) -> str:
    """Return the criteria for which an item is on a list; of an item that is there as a whole, the disputed ones."""
    decisions = decisions[disputed[decisions]] if listing.by_item else decisions
    names = [words.shorten(listing.ratings.criteria[place]) for place in listing.cells.criterion[decisions]]
    return words.listed(names, words.MOST_NAMED)


def cut(text: object) -> str:
    """Return a text on one line, cut to `SNIPPET` letters."""
    shown = words.plain("" if text is None else text)
    return shown if len(shown) <= SNIPPET else f"{shown[: SNIPPET - 1].rstrip()}{words.ELLIPSIS}"


def _both(listing: Listing, cells: Ints) -> tuple[list[object], list[object]]:
    """Return what reference and judge say, as they stand in the file."""
    assert listing.judge is not None
    if listing.numbers is not None:
        sides = listing.numbers.reference[cells], listing.numbers.judge[cells]
        return [words.number(x) for x in sides[0]], [words.number(x) for x in sides[1]]
    names = state_names(listing.ratings)
    states = reference_states(listing.ratings, listing.settings.reference), verdicts(listing.ratings, listing.judge.name, "judge")
    return names[states[0][cells]].tolist(), names[states[1][cells]].tolist()


def why(listing: Listing, rows: Rows, cells: Ints) -> list[str]:
    """Return what makes each decision a clear disagreement, in a few words; empty where there is nothing to say.

    Parameters
    ----------
    listing : Listing
    rows : Rows
        What the list is about.
    cells : ndarray of int64, shape (n,)
    """
    votes = listing.votes(rows)
    if votes is not None:
        return [_votes(votes[cell], listing.labels) for cell in cells]
    if listing.numbers is not None:
        return [_apart(listing, rows, int(cell)) for cell in cells]
    if rows == "most":
        of, wrong = (counts[cells].tolist() for counts in listing.n_answered)
        return [f"{words.count(n)} of {words.several(m, 'judges')} wrong" if m else "" for n, m in zip(wrong, of, strict=True)]
    speaks = listing.speaks(rows)
    if speaks is None:
        return [""] * len(cells)
    rows_of = np.searchsorted(speaks.place, cells)
    there = np.append(speaks.place, -1)[rows_of] == cells
    texts = (speaks.telling(row).why if known else "" for row, known in zip(rows_of.tolist(), there.tolist(), strict=True))
    return [f"{_whom(listing, rows)}: {text}" if text else "" for text in texts]


def _whom(listing: Listing, rows: Rows) -> str:
    """Return against whom that speaks which makes a disagreement clear; empty where it is votes or a distance."""
    if listing.numbers is not None or listing.votes(rows) is not None or rows == "most":
        return ""
    return "against the other judge" if rows == "only_judge" else AGAINST


def _votes(votes: Ints, labels: tuple[str, ...]) -> str:
    given = sorted(((int(n), name) for n, name in zip(votes, labels, strict=True) if n), reverse=True)
    return " · ".join(f"{words.count(n)} × {words.shorten(name)}" for n, name in given)


def _apart(listing: Listing, rows: Rows, cell: int) -> str:
    assert listing.numbers is not None
    numbers = listing.numbers
    if rows == "people" or listing.judge is None:
        return f"people from {words.number(numbers.lowest[cell])} to {words.number(numbers.highest[cell])}"
    distance = float(numbers.distance[cell])
    if distance < 0:
        return ""
    return f"{words.percent(distance)} of the ranks apart" if numbers.by_rank else f"{words.number(distance)} apart"


def listed_frame(listing: Listing, matches: Matches, query: Query) -> pd.DataFrame:
    """Return every decision of a list, a row each, in its order: labels and reasons of everybody, and the file's other columns.

    Where several judges give labels, a column counts the judges that are wrong.

    Parameters
    ----------
    listing : Listing
    matches : Matches
    query : Query
        Whose list it is.

    Raises
    ------
    InputError
        For a tally.
    """
    ratings = listing.ratings
    name = "" if listing.judge is None else listing.judge.name
    others = [judge for judge in ratings.judges if judge != name]
    frame = decision_frame(ratings, name, listing.settings, matches.decisions, None, others)
    disputed = (listing.differs if query.rows == "most" else listing.disputed(query.rows))[matches.decisions]
    ours: dict[str, Any] = {
        "disagreement": ["yes" if there else "no" for there in disputed],
        WHY: why(listing, query.rows, matches.decisions),
    }
    if name and listing.numbers is not None:
        frame["reference"] = listing.numbers.reference[matches.decisions]
        frame[f"judge: {name}"] = listing.numbers.judge[matches.decisions]
    elif name and others:
        ours[JUDGES_WRONG] = listing.n_answered[1][matches.decisions]
    for place, (name, cells) in enumerate(ours.items(), 2):
        frame.insert(place, f"{name} (list)" if name in frame else name, cells)
    return frame
