"""Criteria on different scales: which of them a page counts, and what it says about the others."""

from __future__ import annotations

import streamlit as st

from metrics import Ratings
from metrics.catalogue import QUADRATIC_KAPPA
from metrics.labels import Scale
from metrics.scales.leading import leading
from metrics.scales.proposing import SCALES, TWO_SIDED, scales_of
from metrics.scales.said_scales import SCALE_NAMES, order_words, part_words
from metrics.words import count

SCALE = "scale"
"""In the address: the scale of the criteria in view, where a data set has several."""
WHOLE = ("data", "scales", "lab", "simulation", "audit")
"""Pages that take a data set as it is, or none."""
REPORT = "report"
"""The page that reports every criterion; its sidebar is that of the criteria counted together."""
LABELS = ("raters", "ensemble")
"""Pages that take every criterion with labels, one by one."""
EVERY = ("review",)
"""Pages that take every criterion, one by one, and say themselves what they make of each."""
TAKES: dict[str, tuple[Scale, ...]] = {"scores": SCALES}
"""Scales that a page takes; the others take criteria with a positive side. Scores says itself which it counts."""
SCORES = "scores"
AGREEMENT = ""
"""The first page has no name in its address."""
WEIGHTED = (AGREEMENT, "choices", "compare", "labels", "choose")
"""Pages that show the number of ordered labels, κ with quadratic weights, first."""
OF_TWO = ("roc", "preferences", "rate", "prevalence")
"""Pages that need two labels, and say so themselves where there are more."""


def scales(ratings: Ratings) -> tuple[Scale, ...]:
    """Return scales in use, where there are several."""
    found = scales_of(ratings)
    return tuple(scale for scale in SCALES if scale in found.used) if found.mixed else ()


def taken(ratings: Ratings, page: str) -> tuple[str, ...]:
    """Return the criteria of a data set that a page counts."""
    found = scales_of(ratings)
    if page in WHOLE or not found.mixed:
        return ratings.criteria
    asked = None if page == REPORT else st.session_state.get(SCALE)
    if asked in found.used:
        return found.of(asked)
    if page in EVERY:
        return ratings.criteria
    if page in LABELS:
        return tuple(name for name in ratings.criteria if name not in found.of("continuous"))
    wanted = TAKES.get(page, TWO_SIDED)
    labels = tuple(scale for scale in SCALES if scale != "continuous")
    return found.of(*wanted) or found.of(*labels) or ratings.criteria


def said(ratings: Ratings, page: str) -> str:
    """Return one line about the criteria that a page counts, or what it makes of their scale.

    Empty where nothing is to be said.
    """
    if page in (*WHOLE, REPORT):
        return ""
    line = part_words(scales_of(ratings), taken(ratings, page))
    if line or not ratings.judges or page in (SCORES, *LABELS, *EVERY, *OF_TWO):
        return line
    return order_words(scales_of(ratings), weighted=page in WEIGHTED and leading(ratings) == QUADRATIC_KAPPA.key)


def nothing_to_count(ratings: Ratings, page: str) -> bool:
    """Return whether a page that counts labels has only scores before it."""
    return page not in (SCORES, REPORT, *WHOLE, *EVERY) and scales_of(ratings).used == ("continuous",)


def names_in_links() -> dict[str, dict[str, str]]:
    """Return scales by the names of `metrics`, as the words that stand in the sidebar."""
    return {SCALE: {str(scale): name for scale, name in SCALE_NAMES.items()}}


def chooser(ratings: Ratings, no_effect: str) -> None:
    """The criteria of one scale, where the data set has several."""
    found = scales_of(ratings)
    if found.mixed:
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
    found = scales_of(ratings)
    counts = ", ".join(f"{count(len(found.of(scale)))} {scale}" for scale in scales(ratings))
    return f"The criteria are on different scales ({counts}). One number of all would mix them."
