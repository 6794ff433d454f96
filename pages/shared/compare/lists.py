"""What one judge gets right and the other wrong: counts, rows, downloads."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from metrics import Comparison
from metrics.analyses.comparison.discordant import contest_frame
from metrics.analyses.comparison.result import OUTCOMES, Outcome
from metrics.results.words import NEEDS_ROWS, count
from pages.shared import asking, parts, sheets, state, texts
from pages.shared.compare import provenance
from pages.shared.disagreements import presets
from pages.shared.plain import short

LIST = "compare.list"
MOST_ROWS = 200
FILES = {"only_b": "b_right_a_wrong", "only_a": "a_right_b_wrong"}


def two_by_two(comparison: Comparison) -> None:
    """Who is right, as a table of four counts."""
    counts = {key: count(n) for key, n in comparison.outcomes.items()}
    sheets.show(
        {
            "decisions": ["A right", "A wrong"],
            "B right": [counts["both"], counts["only_b"]],
            "B wrong": [counts["only_a"], counts["neither"]],
        },
        "Who is right (CSV)", "who_is_right.csv", "compare.right_csv",
    )  # fmt: skip
    judge_names = short(comparison.a.name), short(comparison.b.name)
    names = "" if judge_names == ("A", "B") else "A is {}, B is {}. ".format(*judge_names)
    parts.reading(
        f"{names}Only A is right {counts['only_a']} times, only B {counts['only_b']} times; "
        f"both {counts['both']} times, neither {counts['neither']} times."
    )


def section(dataset: state.Dataset, comparison: Comparison) -> None:
    """Two counters, and the rows behind the one that is chosen."""
    unit = "items" if comparison.level == "item" else "decisions"
    parts.lone_heading("Where only one judge is right", f"{unit} that one judge gets right and the other wrong")
    a, b = short(comparison.a.name), short(comparison.b.name)
    card_by_outcome: dict[Literal["only_b", "only_a"], tuple[str, str]] = {
        "only_b": ("B right where A is wrong", b), "only_a": ("A right where B is wrong", a),
    }  # fmt: skip
    headlines = [
        parts.Headline(
            label, count(comparison.outcomes[which]), name, "", citation=provenance.discordant_citation(comparison, which)
        )
        for which, (label, name) in card_by_outcome.items()
    ]
    parts.headline(headlines, "headline_lists")
    _rest(comparison, unit)
    if not dataset.ratings.has_rows:
        st.markdown(NEEDS_ROWS)
        return
    words: dict[Outcome, str] = {"only_b": "Only B is right", "only_a": "Only A is right"}
    shown = asking.one_of("Show", words, LIST, bare=True)
    if not comparison.outcomes[shown]:
        st.markdown(f"There are no such {unit}.")
        return
    n = comparison.outcomes[shown]
    columns = texts.chosen(dataset) if comparison.level != "item" else None
    frame = contest_frame(dataset.ratings, _first(comparison, shown), texts=columns)
    parts.rows(frame.drop(columns="outcome"), n, unit, "compare.rows")
    a_right: presets.Rows = "only_judge" if shown == "only_a" else "only_other"
    presets.link(rows=a_right, judge=comparison.a.name, other=comparison.b.name, criterion=comparison.criterion or "")
    sheets.download(
        sheets.these(n, unit),
        lambda: contest_frame(dataset.ratings, comparison, (shown,)),
        f"{FILES[shown]}.csv",
        f"compare.{shown}_csv",
    )


def _first(comparison: Comparison, outcome: Outcome) -> Comparison:
    """Return the comparison with no more places than the page shows."""
    chosen = (comparison.outcome == OUTCOMES.index(outcome)).nonzero()[0][:MOST_ROWS]
    return replace(comparison, places=comparison.places[chosen], outcome=comparison.outcome[chosen])


def _rest(comparison: Comparison, unit: str) -> None:
    open_ = comparison.outcomes["open"]
    left = f" On {count(open_)} somebody gave no verdict that counts." if open_ else ""
    st.markdown(
        f"Both are right on {count(comparison.outcomes['both'])} {unit}, neither "
        f"on {count(comparison.outcomes['neither'])}.{left}"
    )
