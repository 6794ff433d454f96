"""Criteria on different scales: which of them a page counts, and what it says about the others."""

from __future__ import annotations

import streamlit as st

from metrics import Ratings
from metrics.analyses.leading import leading
from metrics.data.labels import Scale
from metrics.data.scale_words import SCALE_NAMES, order_words, part_words
from metrics.data.scales import SCALES, TWO_SIDED, scales_of
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results.words import count
from pages.shared.page_records import page_of

SCALE = "scale"
"""In the address: the scale of the criteria in view, where a data set has several."""


def scales(ratings: Ratings) -> tuple[Scale, ...]:
    """Return scales in use, where there are several."""
    scale_set = scales_of(ratings)
    return tuple(scale for scale in SCALES if scale in scale_set.used) if scale_set.mixed else ()


def taken(ratings: Ratings, name: str) -> tuple[str, ...]:
    """Return the criteria of a data set that a page counts."""
    scale_set, takes = scales_of(ratings), page_of(name).criteria
    if takes == "whole file" or not scale_set.mixed:
        return ratings.criteria
    asked = None if takes == "report" else st.session_state.get(SCALE)
    if asked in scale_set.used:
        return scale_set.of(asked)
    if takes == "one by one":
        return ratings.criteria
    if takes == "labels":
        return tuple(name for name in ratings.criteria if name not in scale_set.of("continuous"))
    wanted = SCALES if takes == "every scale" else TWO_SIDED
    labels = tuple(scale for scale in SCALES if scale != "continuous")
    return scale_set.of(*wanted) or scale_set.of(*labels) or ratings.criteria


def scale_note(ratings: Ratings, name: str) -> str:
    """Return one line about the criteria that a page counts, or what it makes of their scale.

    Empty where nothing is to be said.
    """
    page = page_of(name)
    if page.criteria in ("whole file", "report"):
        return ""
    line = part_words(scales_of(ratings), taken(ratings, name))
    if line or not ratings.judges or page.says_scale_itself:
        return line
    return order_words(scales_of(ratings), weighted=page.ordered_first and leading(ratings) == QUADRATIC_KAPPA.key)


def nothing_to_count(ratings: Ratings, name: str) -> bool:
    """Return whether a page that counts labels has only scores before it."""
    return page_of(name).counts_labels and scales_of(ratings).used == ("continuous",)


def names_in_links() -> dict[str, dict[str, str]]:
    """Return scales by the names of `metrics`, as the words that stand in the sidebar."""
    return {SCALE: {str(scale): name for scale, name in SCALE_NAMES.items()}}


def chooser(ratings: Ratings, no_effect: str) -> None:
    """The criteria of one scale, where the data set has several."""
    scale_set = scales_of(ratings)
    if scale_set.mixed:
        st.selectbox(
            "Criteria",
            scales(ratings),
            index=None,
            format_func=lambda scale: f"{SCALE_NAMES[scale]}",
            placeholder="Those that fit the page",
            key=SCALE,
            help=no_effect or _help(ratings),
            disabled=bool(no_effect),
            bind="query-params",
            persist_state="session",
        )


def _help(ratings: Ratings) -> str:
    scale_set = scales_of(ratings)
    counts = ", ".join(f"{count(len(scale_set.of(scale)))} {scale}" for scale in scales(ratings))
    return f"The criteria are on different scales ({counts}). One number of all would mix them."
