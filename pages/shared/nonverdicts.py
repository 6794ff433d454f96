"""Ties, invalid answers and failed calls of the data set in view, and what the sidebar makes of each."""

from __future__ import annotations

import streamlit as st

from metrics import Ratings
from metrics.data.abstention import MODE_NAMES
from metrics.data.labels import HANDLED, Handling
from metrics.data.nonverdicts import Handlings, answers_of_kind, handled, recodable
from metrics.data.vocabulary import Kind

HOW: dict[Handling, str] = {"abstention": "Like an abstention", "exclude": "Leave out", "as_unmet": MODE_NAMES["as_unmet"]}
"""As they stand in the sidebar and in the address. A class of its own is what an abstention becomes in the third mode."""


def present(ratings: Ratings) -> dict[Kind, int]:
    """Return answers of each kind that can be handled on its own, where there are any."""
    count_by_kind = {kind: answers_of_kind(ratings, kind) for kind in HANDLED}
    return {kind: n for kind, n in count_by_kind.items() if n}


def options(ratings: Ratings, kind: Kind) -> list[Handling]:
    """Return what can be chosen for a kind, the usual one first."""
    usual = HANDLED[kind]
    return [usual, *(how for how in HOW if how != usual and (how != "as_unmet" or recodable(ratings)))]


def picked() -> dict[Kind, Handling]:
    """Return the sidebar's choice for each kind."""
    return {kind: st.session_state.get(kind, usual) for kind, usual in HANDLED.items()}


def chosen(ratings: Ratings) -> Handlings:
    """Return the sidebar's choices that differ from the usual, as far as they fit the data set."""
    asked = picked()
    if asked == HANDLED:
        return ()
    there = present(ratings)
    return tuple((kind, how) for kind in HANDLED if kind in there for how in options(ratings, kind)[1:] if how == asked[kind])


def treated(ratings: Ratings) -> Ratings:
    """Return the ratings as the sidebar has them."""
    return handled(ratings, chosen(ratings))


def names_in_links() -> dict[str, dict[str, str]]:
    """Return choices by the names of `metrics`, as the words that stand in the sidebar."""
    return {kind: dict(HOW) for kind in HANDLED}


def back() -> None:
    """Every kind as usual again; for callbacks."""
    st.session_state.update({kind: usual for kind, usual in HANDLED.items() if kind in st.session_state})
