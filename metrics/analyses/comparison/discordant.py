"""The decisions one judge gets right and the other wrong: which they are, and what the file says about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import decision_frame, item_verdicts_of, refuse_tally
from metrics.analyses.comparison.result import OUTCOMES, Comparison, Outcome
from metrics.data.abstention import mode_labels
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings

LOST_AND_WON: tuple[Outcome, ...] = ("only_a", "only_b")


def outcome_words(comparison: Comparison) -> dict[Outcome, str]:
    """Return each outcome with the judges' names."""
    a, b = comparison.a.name, comparison.b.name
    return {
        "both": "both right", "only_a": f"only {a} right", "only_b": f"only {b} right", "neither": "neither right",
        "open": "left open",
    }  # fmt: skip


def contest_frame(
    ratings: Ratings,
    comparison: Comparison,
    outcomes: tuple[Outcome, ...] = LOST_AND_WON,
    texts: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return one row per decision (item at item level) with one of the outcomes.

    Decisions carry ids, the reference, labels and reasons of each human and both judges, and the file's other columns at A's row;
    `row` and `row of B` count the header as row 1. Items carry the three item verdicts.

    Parameters
    ----------
    ratings : Ratings
    comparison : Comparison
        Of two judges of these ratings.
    outcomes : tuple of {"both", "only_a", "only_b", "neither", "open"}
        Outcomes that have rows; default: one judge right, the other wrong.
    texts : sequence of str, optional
        Which of the file's other columns, in their order; default all.

    Returns
    -------
    DataFrame
        In the order of the outcomes' words.

    Raises
    ------
    InputError
        For a tally.
    """
    refuse_tally(ratings)
    chosen = np.isin(comparison.outcome, [OUTCOMES.index(key) for key in outcomes])
    places = comparison.places[chosen]
    names = np.array([outcome_words(comparison)[key] for key in OUTCOMES], dtype=object)
    by_item = comparison.level == "item"
    frame = _items(ratings, comparison, places) if by_item else _decisions(ratings, comparison, places, texts)
    frame.insert(0, "outcome", names[comparison.outcome[chosen]])
    return frame.sort_values("outcome", kind="stable", ignore_index=True)


def _decisions(ratings: Ratings, comparison: Comparison, places: NDArray[np.int64], texts: Sequence[str] | None) -> pd.DataFrame:
    frame = decision_frame(ratings, comparison.a.name, comparison.settings, places, texts, (comparison.b.name,))
    rows = decision_frame(ratings, comparison.b.name, comparison.settings, places, ())["row"]
    frame.insert(list(frame.columns).index("row") + 1, "row of B", rows)
    return frame


def _items(ratings: Ratings, comparison: Comparison, places: NDArray[np.int64]) -> pd.DataFrame:
    settings = comparison.settings
    labels = mode_labels(ratings.scheme, "as_category")
    verdicts = np.array([*labels, "", ""], dtype=object)
    frame = pd.DataFrame({"item": ratings.items.take(pa.array(places)).to_pylist()})
    for name in (comparison.a.name, comparison.b.name):
        decided, of_item = item_verdicts_of(ratings, name, settings), patterns_of(ratings, name, settings.reference).of_item
        frame["reference"] = verdicts[decided.reference[of_item[places]]]
        frame[f"judge: {name}"] = verdicts[decided.judge[of_item[places]]]
    return frame
