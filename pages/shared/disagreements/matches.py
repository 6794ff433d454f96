"""What a list is chosen from, the list itself, and what its numbers rest on: worked out once for the choices in view."""

from __future__ import annotations

from dataclasses import replace

import metrics
from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.disagreements.listing import Listing, listing_of
from metrics.analyses.disagreements.query import Matches, Query, find
from metrics.analyses.provenance import Header
from metrics.analyses.provenance import header as of_labels
from metrics.analyses.raters.provenance import header as of_raters
from metrics.analyses.scores import provenance as of_numbers
from metrics.analyses.scores.compute import scores_of
from metrics.analyses.settings import Settings
from metrics.analyses.settings import settings_of as settled
from metrics.data.aggregation import Level
from metrics.data.labels import NUMBER
from pages.shared import as_lines, cached, session_cache, state
from pages.shared.raters import asking as raters

MATCHES = "disagreements.matches"
SETTINGS, SETTLED, LISTING, QUERY, FIND = map(as_lines.named, (Settings, settled, listing_of, Query, find))


def settings_of(dataset: state.Dataset, chosen: state.Choices | None) -> Settings:
    """Return the choices of the sidebar; without a judge beside a human the mode alone."""
    return Settings(raters.mode(dataset)) if chosen is None else chosen.settings()


def listing(dataset: state.Dataset, chosen: state.Choices | None, other: str) -> Listing:
    """Return what lists are chosen from.

    Raises
    ------
    InputError
        As `metrics.analyses.disagreements.listing.listing_of`.
    """
    level: Level = "micro" if chosen is None else chosen.level
    return _listing(dataset, settings_of(dataset, chosen), level, other)


@cached.of_file(max_entries=8)
def _listing(dataset: state.Dataset, settings: Settings, level: Level, other: str) -> Listing:
    return listing_of(dataset.ratings, settings, level=level, other=other)


def items(dataset: state.Dataset, listing_in_view: Listing, query: Query) -> Matches:
    """Return the list that is asked for."""
    return session_cache.memoised_last(MATCHES, (id(listing_in_view), query), lambda: find(listing_in_view, query))


def view(dataset: state.Dataset, chosen: state.Choices | None, other: str, query: Query) -> as_lines.View:
    """Return the call that finds the list, and where the number of its decisions is."""
    asked = settings_of(dataset, chosen)
    if chosen is None:
        settings = as_lines.Call(SETTINGS, {"abstention": asked.abstention}, ())
    else:
        settings = as_lines.call(SETTLED, asked, dataset, scores=dataset.ratings.scheme.classes == (NUMBER,))
    own = {"settings": settings, "level": "micro" if chosen is None else chosen.level, "other": other}
    listing = as_lines.Call(LISTING, own, name="listing")
    call = as_lines.Call(FIND, {"query": as_lines.Call(QUERY, vars(query), ())}, (listing,), name="matches")
    return as_lines.View(call, as_lines.path("n"), estimate=False)


def header(dataset: state.Dataset, chosen: state.Choices | None) -> Header:
    """Return what counts of disagreements rest on.

    Raises
    ------
    InputError
        As `metrics.agreement`, of numbers `metrics.scores`, of raters alone `metrics.raters`.
    """
    level: Level = "micro" if chosen is None else chosen.level
    settings = replace(settings_of(dataset, chosen), interval="none")
    return _header(dataset, settings, level)


@cached.of_file(max_entries=8)
def _header(dataset: state.Dataset, settings: Settings, level: Level) -> Header:
    ratings = dataset.ratings
    if not settings.judges:
        return of_raters(metrics.raters(ratings, abstention=settings.abstention, interval="none"))
    if ratings.scheme.classes == (NUMBER,):
        return of_numbers.header(scores_of(ratings, settings), settings.judges[0])
    return of_labels(agreement_of(ratings, settings), settings.judges[0], level)
