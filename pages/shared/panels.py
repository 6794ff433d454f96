"""A panel of judges that stands beside the judges of a data set, on every page, for the session."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import InputError, Ratings, with_panel
from metrics.analyses.ensembles.panel import RULES
from metrics.data.ratings import Panel, PanelRule
from pages.shared import session_cache

RULE, OF = "panel", "panel_of"
"""In the address: the rule, and the judges where it is not all of them."""
ASKED, MADE = "panel.asked", "panel.made"
MOST_KEPT = 4


@dataclass(frozen=True)
class PanelRequest:
    """A panel as it was asked for; without judges it is made of all."""

    rule: PanelRule
    judges: tuple[str, ...] = ()


def panel_request(data: str) -> PanelRequest | None:
    """Return the panel of a data set."""
    request: PanelRequest | None = session_cache.held(ASKED).get(data)
    return request


def add(data: str, rule: PanelRule, judges: tuple[str, ...] = ()) -> None:
    """Put a panel beside the judges, in the place of the one before; for callbacks."""
    session_cache.held(ASKED)[data] = PanelRequest(rule, judges)


def remove(data: str) -> None:
    """Take it away again; for callbacks."""
    session_cache.held(ASKED).pop(data, None)


def joined(ratings: Ratings, data: str) -> Ratings:
    """Return the ratings with the panel of their data set.

    As they are where there is none, or none can be made of these judges.
    """
    wanted = panel_request(data)
    if wanted is None:
        return ratings
    scheme, known = ratings.scheme, session_cache.held(MADE)
    source = ratings.source
    rests_on = source.sha256, source.how.where, ratings.columns, scheme.kinds, scheme.order, ratings.judges, ratings.criteria
    key = repr((data, rests_on, wanted))
    if key not in known:
        try:
            made = with_panel(ratings, wanted.rule, wanted.judges or None)
        except InputError:
            return ratings
        session_cache.put(known, key, made, MOST_KEPT)
    panel_ratings: Ratings = known[key]
    return panel_ratings


def panel(ratings: Ratings) -> Panel | None:
    """Return the panel among the judges."""
    return next(iter(ratings.source.panels), None)


def restore(data: str) -> None:
    """Take the panel of a data set from the address."""
    rule = next((known for known in RULES if known == st.query_params.get(RULE, "").lower()), None)
    if rule is not None:
        add(data, rule, tuple(st.query_params.get_all(OF)))


def write(data: str) -> None:
    """Put the panel of the data set in view into the address."""
    request = panel_request(data)
    _put(RULE, [request.rule] if request else [])
    _put(OF, list(request.judges) if request else [])


def _put(name: str, wanted: list[str]) -> None:
    if st.query_params.get_all(name) == wanted:
        return
    if wanted:
        st.query_params[name] = wanted
    else:
        del st.query_params[name]
