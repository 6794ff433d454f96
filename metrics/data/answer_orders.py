"""Columns that hold what a judge says of the same two answers in the other order, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from metrics.data.vocabulary import normalise

OTHER_ORDER = ("verdict_swapped", "swapped_verdict", "verdict_reversed")
"""Names of the column with the verdict of the other order, beside the only one of verdicts."""
_SWAPPED = re.compile(r"(?P<one>.+?) (swapped|swap|reversed|flipped|inverted)|(swapped|reversed|flipped|inverted) (?P<other>.+)")
_ORDERS = re.compile(r"(?P<one>.+) ba")
"""As `gpt4_ba` beside `gpt4_ab`: the order in which the answers are shown."""
_RUNS = re.compile(r"(?P<order>forward|backward) (?P<one>.+?)(?P<place> raw)?")
"""As `forward_winner` beside `backward_winner`; what is called raw names the place of an answer, and not the answer."""
_TURNS = re.compile(r"run ?\d+ (?P<one>.+)")
_AFTER = re.compile(r"(?P<one>.+) after (the )?swap(ping)?")
"""As `run1_winner` and `run2_winner` beside `winner_after_swap`: what the judge says in either order, and what it comes to."""


def other_orders(columns: Iterable[str]) -> dict[str, str]:
    """Return the columns of a judge's verdicts in the other order, each with the column of its verdicts as they are.

    Parameters
    ----------
    columns : iterable of str
        All names of a table, or those among which both are to be.
    """
    by_name = {normalise(column): column for column in columns}
    bases = {column: _base(name) for name, column in by_name.items()}
    return {column: by_name[base] for column, base in bases.items() if base in by_name}


def _base(name: str) -> str:
    """Return the folded name of the column in the order of the file; empty where a name says nothing of orders."""
    if match := _SWAPPED.fullmatch(name):
        return match["one"] or match["other"]
    if match := _ORDERS.fullmatch(name):
        return f"{match['one']} ab"
    match = _RUNS.fullmatch(name)
    return f"forward {match['one']}" if match and match["order"] == "backward" and not match["place"] else ""


def single_orders(columns: Iterable[str]) -> set[str]:
    """Return the columns of verdicts in one of two orders, where those of both are there: `forward_winner, backward_winner_raw`.

    Runs are such orders where a column says what they come to after the answers were swapped.

    Parameters
    ----------
    columns : iterable of str
    """
    names = {column: normalise(column) for column in columns}
    runs = {column: match for column, name in names.items() if (match := _RUNS.fullmatch(name))}
    made = {match["one"] for name in names.values() if (match := _AFTER.fullmatch(name))}
    turns = {column for column, name in names.items() if (match := _TURNS.fullmatch(name)) and match["one"] in made}
    orders: dict[str, set[str]] = {}
    for match in runs.values():
        orders.setdefault(match["one"], set()).add(match["order"])
    return turns | {column for column, match in runs.items() if len(orders[match["one"]]) > 1}
