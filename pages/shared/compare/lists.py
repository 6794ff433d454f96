"""What one judge gets right and the other wrong: counts, rows, downloads."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from metrics import Comparison
from metrics.analyses.comparison.discordant import contest_frame
from metrics.analyses.comparison.result import OUTCOMES, Outcome
from metrics.results.words import NEEDS_ROWS, count
from pages.shared import asking, parts, sheets, state
from pages.shared.compare import provenance
from pages.shared.plain import short

LIST = "compare.list"
MOST_ROWS = 200
FILES = {"only_b": "b_right_a_wrong", "only_a": "a_right_b_wrong"}


def two_by_two(one: Comparison) -> None:
    """Who is right, as a table of four counts."""
    counts = {key: count(n) for key, n in one.outcomes.items()}
    sheets.show(
        {
            "decisions": ["A right", "A wrong"],
            "B right": [counts["both"], counts["only_b"]],
            "B wrong": [counts["only_a"], counts["neither"]],
        },
        "Who is right (CSV)", "who_is_right.csv", "compare.right_csv",
    )  # fmt: skip
    own = short(one.a.name), short(one.b.name)
    names = "" if own == ("A", "B") else "A is {}, B is {}. ".format(*own)
    parts.reading(
        f"{names}Only A is right {counts['only_a']} times, only B {counts['only_b']} times; "
        f"both {counts['both']} times, neither {counts['neither']} times."
    )


def section(its: state.Dataset, one: Comparison) -> None:
    """Two counters, and the rows behind the one that is chosen."""
    unit = "items" if one.level == "item" else "decisions"
    with parts.heading("Lost and won", f"{unit} that one judge gets right and the other wrong"):
        pass
    a, b = short(one.a.name), short(one.b.name)
    told: dict[Literal["only_b", "only_a"], tuple[str, str]] = {
        "only_b": ("B right where A is wrong", b), "only_a": ("A right where B is wrong", a),
    }  # fmt: skip
    headlines = [
        parts.Headline(label, count(one.outcomes[which]), name, "", copied=provenance.only_copied(one, which))
        for which, (label, name) in told.items()
    ]
    parts.headline(headlines, "headline_lists")
    _rest(one, unit)
    if not its.ratings.has_rows:
        st.markdown(NEEDS_ROWS)
        return
    words: dict[Outcome, str] = {"only_b": "Won by B", "only_a": "Won by A"}
    shown = asking.one_of("Show", words, LIST, bare=True)
    if not one.outcomes[shown]:
        st.markdown(f"There are no such {unit}.")
        return
    n = one.outcomes[shown]
    parts.rows(contest_frame(its.ratings, _first(one, shown)).drop(columns="outcome"), n, unit, "compare.rows")
    sheets.download(
        f"These {count(n)} {unit} (CSV)",
        lambda: contest_frame(its.ratings, one, (shown,)),
        f"{FILES[shown]}.csv",
        f"compare.{shown}_csv",
    )


def _first(one: Comparison, outcome: Outcome) -> Comparison:
    """Return the comparison with no more places than the page shows."""
    chosen = (one.outcome == OUTCOMES.index(outcome)).nonzero()[0][:MOST_ROWS]
    return replace(one, places=one.places[chosen], outcome=one.outcome[chosen])


def _rest(one: Comparison, unit: str) -> None:
    open_ = one.outcomes["open"]
    left = f" On {count(open_)} somebody gave no verdict that counts." if open_ else ""
    st.markdown(f"Both are right on {count(one.outcomes['both'])} {unit}, neither on {count(one.outcomes['neither'])}.{left}")
