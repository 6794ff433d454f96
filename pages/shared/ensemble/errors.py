"""Are the judges wrong on the same items? How many err at once, and which two err together."""

from __future__ import annotations

import math

import streamlit as st

from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.readings import errors_reading, worth_words
from metrics.analyses.ensembles.tables import Row, pair_rows
from metrics.analyses.provenance import Header, citation_line
from metrics.figures import joint_errors
from metrics.results.words import UNDEFINED, amount, count, plain, three
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking

ROWS, PAIRS = 14, 12
"""Rows of the figure, and pairs of judges in the table, at most."""
WORTH = (
    "So many judges who erred independently of each other would be as reliable together. From the mean correlation of their "
    "errors (Kish’s effective number): fewer than there are where they err on the same decisions, more where on different ones. "
    "Undefined where no judge is wrong on a decision that another one answered too."
)
PHI = "Correlation of the errors of the two: 1, wrong on the same items; 0, as independent judges; below 0, on different ones."


def section(dataset: state.Dataset) -> None:
    shared_errors = asking.errors(dataset)
    n = len(shared_errors.judges)
    parts.headed(
        "Are they wrong on the same items?",
        f"{count(shared_errors.n_together)} decisions that all answered, by how many "
        f"of {count(n)} judges differ from the reference, "
        f"{asking.chosen_reference_phrase(dataset)}, beside what independent errors would give at the rates of each label"
        f"{asking.over(dataset)}",
    )
    rows = shared_errors.runs(ROWS)
    units = "decisions" if len(dataset.ratings.criteria) > 1 else "items"
    parts.drawing("ensemble.together", joint_errors.wrong_together, joint_errors.alt, rows, n, units=units)
    parts.reading(errors_reading(shared_errors))
    if not state.in_room_view():
        _pairs(dataset, shared_errors)


def _pairs(dataset: state.Dataset, shared_errors: SharedErrors) -> None:
    rows = asking.memoised(dataset, "pairs", "", lambda: sorted(pair_rows(shared_errors), key=_far_from_one))
    n = len(rows)
    parts.headed("Which two judges make the same mistakes?", _pairs_caption(n))
    top = rows[:PAIRS]
    st.dataframe(
        {
            "judge": [plain(row["a"]) for row in top],
            "and": [plain(row["b"]) for row in top],
            "decisions": [row["n"] for row in top],
            "both wrong": [row["both_wrong"] for row in top],
            "if independent": [amount(row["both_if_independent"]) for row in top],
            "φ of errors": [three(row["phi"]) for row in top],
        },
        hide_index=True, key="ensemble.pairs", placeholder=UNDEFINED, alt="Pairs of judges whose errors go together most",
        column_config={"φ of errors": st.column_config.TextColumn("φ of errors", help=PHI)},
    )  # fmt: skip
    sheets.download("All pairs of judges (CSV)", lambda: rows, "shared_errors.csv", "ensemble.pairs_csv")


def _pairs_caption(n: int) -> str:
    if n > PAIRS:
        return f"the {count(PAIRS)} of {count(n)} pairs whose errors go together most"
    return "the one pair there is" if n == 1 else f"all {count(n)} pairs, those whose errors go together most first"


def _far_from_one(row: Row) -> tuple[bool, float, int]:
    return math.isnan(row["phi"]), -row["phi"], -row["both_wrong"]


def worth(shared_errors: SharedErrors, above: Header) -> parts.Headline:
    """Return how many independent judges the panel is worth."""
    (value, ends), why = worth_words(shared_errors), shared_errors.correlation.undefined
    of = f"from {count(len(shared_errors.judges))} judges"
    text = citation_line(
        "effective judges",
        f"{value} {ends}".strip(),
        (f"{of}, by the correlation of their errors", *above.provenance()),
        reason=why,
    )
    return parts.Headline("Effective judges", value, ends or "no interval", WORTH, why, of, text)
