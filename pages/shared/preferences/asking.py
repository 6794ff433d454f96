"""What the page of preferences is asked: how a tie counts, and on which criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

import metrics
from metrics.analyses.preferences.compute import Convention, Preference, Preferences, preferences
from metrics.analyses.preferences.positions import Positions, positions, swapped_column
from metrics.analyses.preferences.readings import NAMES as CONVENTION_NAMES
from metrics.analyses.preferences.systems import System, system_columns, systems
from metrics.data.vocabulary import is_preference
from pages.shared import asking, cached, state
from pages.shared.page_records import AGREEMENT

TIES, CRITERION = "preferences.ties", "preferences.criterion"
NAMES = {TIES: CONVENTION_NAMES}
TIES_HELP = (
    "Left out: only decisions on which neither side says tie. Third answer: a tie is right where both say it. "
    "Half a win: a tie beside a win is half right. Three different numbers; state which."
)
NO_PREFERENCE = (
    "These labels read like verdicts on one answer, not like a choice between two. The numbers below take the first label as "
    f"“the first is better”; the page *{AGREEMENT.title}* is made for verdicts."
)


@dataclass(frozen=True, eq=False)
class PreferencesView:
    """Everything the parts of the page are drawn from."""

    dataset: state.Dataset
    chosen: state.Choices
    report: Preferences
    convention: Convention
    criterion: str | None

    @property
    def block(self) -> Preference:
        return self.report.on(self.convention, self.criterion)

    @property
    def preference(self) -> bool:
        """The labels say which of two is better."""
        return reads_as_preference(self.dataset.ratings)

    @property
    def orders(self) -> Positions | None:
        swapped = swapped_column(self.dataset.ratings, self.chosen.judge)
        return None if swapped is None else _of_judge(positions, self.dataset, self.chosen)

    @property
    def systems(self) -> tuple[System, ...]:
        """Empty where no columns name them."""
        if system_columns(self.dataset.ratings) is None:
            return ()
        return _of_judge(systems, self.dataset, self.chosen)


def reads_as_preference(ratings: metrics.Ratings) -> bool:
    return bool(ratings.scheme.of("tie")) or is_preference(ratings.scheme.classes)


def preferences_view(dataset: state.Dataset, chosen: state.Choices) -> PreferencesView:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        convention = asking.one_of("How a tie counts", CONVENTION_NAMES, TIES, help=TIES_HELP)
        asking.criterion(dataset.ratings.criteria, CRITERION, 260, every="Every criterion, pooled")
    criterion = asking.chosen_criterion(dataset.ratings.criteria, CRITERION)
    return PreferencesView(dataset, chosen, _of_judge(preferences, dataset, chosen), convention, criterion)


def _of_judge(function: Callable[..., cached.Value], dataset: state.Dataset, chosen: state.Choices) -> cached.Value:
    settings = chosen.settings("exclude")
    return cached.once(function, dataset, chosen.judge, reference=settings.reference, confidence=settings.confidence)
