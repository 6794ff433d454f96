"""What the page of scores is asked: labels or score columns, which criterion, which number, what the options are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

import metrics
from metrics import InputError
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import Block
from metrics.analyses.scores.compute import scores_of
from metrics.analyses.scores.item_totals import worth_of
from metrics.analyses.scores.provenance import HEADLINE
from metrics.analyses.scores.readings import ON_SCORES, turnable
from metrics.analyses.scores.result import JudgeScores, On, ScoresReport
from metrics.analyses.scores.scored import has_numbers, scored_part
from metrics.analyses.settings import Settings
from metrics.data import typed_values
from metrics.data.abstention import Mode
from metrics.data.labels import Scale
from metrics.data.order import Order, order_of
from metrics.data.scales import scales_of
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.plain import short

ON, CRITERION, VALUES, COST, OPEN = (f"scores.{name}" for name in ("on", "criterion", "values", "cost", "open"))
Way = Literal["label", "score", "item"]
METRIC: dict[On, str] = {"label": "scores.metric", "score": "scores.score metric"}
ON_NAMES: dict[Way, str] = {"label": "Labels", "score": "Score columns", "item": "Item scores"}
OPEN_NAMES: dict[Mode, str] = {"exclude": "Left out", "as_unmet": "Lowest option"}
NAMES = {ON: ON_NAMES, OPEN: OPEN_NAMES}
ON_HELP = (
    "Labels: the options in order. Score columns: the numbers that stand beside the labels, on both sides. Item scores: one "
    "number an item on each side, the weighted mean of what its criteria are worth."
)
LABELLED: tuple[Scale, ...] = ("binary", "pairwise", "ordinal", "nominal")
VALUES_HELP = (
    "What each option is worth, for distances and for r. Weighted κ and rank correlations take only the order. Empty: the "
    "numbers that the options are, else their places from 1."
)
OPEN_HELP = (
    "Left out, or counted as the lowest option (on a criterion of negative weight the highest). A class of its own is refused: "
    "an abstention has no place in an order, and no distance from the other options."
)
COST_HELP = (
    "What each confusion costs, for one more weighted κ: a row an option of the reference, from low to high, rows between "
    "semicolons. Linear and quadratic costs are there anyway."
)
TURN_HELP = "For a judge whose lowest option means the best: on every criterion the lowest option counts as the highest."
OWN = "weighted_kappa"
FIRST: dict[On, str] = {"label": HEADLINE, "score": "pearson"}


@dataclass(frozen=True, eq=False)
class ScoresView:
    """Everything the parts of the page are drawn from."""

    dataset: state.Dataset
    chosen: state.Choices
    report: ScoresReport
    on: On
    criterion: str | None
    key: str

    @property
    def judge(self) -> JudgeScores:
        return self.report.judges[self.chosen.judge]

    @property
    def block(self) -> Block:
        return self.judge.block(self.criterion)

    @property
    def where(self) -> tuple[str | list[str], ...]:
        """Where the block is in the report of the judge."""
        return ("pooled",) if self.criterion is None else ("criteria", [self.criterion])

    @property
    def many(self) -> bool:
        return len(self.judge.criteria) > 1

    @property
    def place(self) -> tuple[object, ...]:
        """What a click in a figure belongs to."""
        return self.dataset.key, self.chosen.judge, self.on, self.criterion, self.key


def ways(ratings: metrics.Ratings) -> tuple[Way, ...]:
    """Return what can be compared in a file."""
    options: list[Way] = []
    if ordered(ratings) is not None:
        options.append("label")
    if has_numbers(ratings):
        options.append("score")
    if ratings.has_items and scales_of(ratings).of(*LABELLED):
        options.append("item")
    return tuple(options)


def scorable(ratings: metrics.Ratings) -> bool:
    """Return whether labels of some criterion stand for numbers, so that an item can have a score."""
    try:
        worth_of(ratings, dict.fromkeys(ratings.criteria, 1.0), None)
    except InputError:
        return False
    return True


def ordered(ratings: metrics.Ratings) -> Order | None:
    """Return the order of the labels, where there are some and they have one."""
    if ratings.scheme.scale == "binary" or not scales_of(ratings).of(*LABELLED):
        return None
    try:
        return order_of(scored_part(ratings, "label").scheme)
    except InputError:
        return None


def choosers(dataset: state.Dataset, chosen: state.Choices) -> Way:
    """Above the figures."""
    known = ways(dataset.ratings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(known) > 1:
            asking.one_of("Compare", ON_NAMES, ON, options=known, help=ON_HELP)
        on = asking.held(ON, known)
        if on == "item":
            return on
        asking.criterion(scored_part(dataset.ratings, on).criteria, CRITERION, 240, every="Every criterion, pooled")
        st.selectbox("Number", _keys(on), format_func=lambda key: RECORDS[key].name, key=METRIC[on], width=240, **asking.BOUND)
        if on == "label" and abstains(dataset.ratings):
            asking.one_of("An abstention", OPEN_NAMES, OPEN, help=OPEN_HELP)
        if on == "label":
            placeholder = ", ".join(f"{name}=…" for name in (ordered(dataset.ratings) or _nothing()).classes[:3])
            st.text_input("Worth of options", key=VALUES, placeholder=placeholder, help=VALUES_HELP, width=200, **asking.BOUND)
            st.text_input(
                "Own weights of κ", key=COST, placeholder="0,1,4; 1,0,1; 4,1,0", help=COST_HELP, width=200, **asking.BOUND
            )
    return on


def _keys(on: On) -> list[str]:
    """Return numbers with an interval, the usual one first; κ of one's own weights once they are typed."""
    has_typed_costs = on == "label" and bool(_typed(COST))
    keys = [
        key for key, record in RECORDS.items() if record.has_interval and (_belongs(key, on) or (has_typed_costs and key == OWN))
    ]
    return sorted(keys, key=FIRST[on].__ne__)


def _belongs(key: str, on: On) -> bool:
    numbers = RECORDS[key].takes == "pairs"
    return key != OWN and (not numbers if on == "label" else numbers or key in ON_SCORES)


def _nothing() -> Order:
    return Order((), (), "places")


def scores_view(dataset: state.Dataset, chosen: state.Choices, on: On) -> ScoresView:
    """Return the numbers.

    Raises
    ------
    InputError
        For values that are none, and labels without an order.
    """
    settings = intervals.jackknife_settings(dataset, chosen, _open(dataset) if on == "label" else "exclude")
    labels = on == "label"
    values, cost = (typed_values.worth(_typed(VALUES)), typed_values.matrix(_typed(COST))) if labels else (None, None)
    weights = tuple(sorted(state.weights_of(dataset).items()))
    values_and_cost = None if values is None else tuple(values.items()), None if cost is None else tuple(map(tuple, cost))
    turn = (chosen.judge,) if labels and st.session_state.get(turn_key(dataset, chosen)) else ()
    report = _report(dataset, settings, on, values_and_cost, weights, turn)
    criterion = asking.chosen_criterion(report.judges[chosen.judge].criteria, CRITERION)
    key = str(st.session_state.get(METRIC[on]) or FIRST[on])
    return ScoresView(dataset, chosen, report, on, criterion, key if key in report.keys else report.keys[0])


def call(asked: ScoresView) -> as_lines.Call:
    """Return the call that gives the numbers."""
    dataset, labels = asked.dataset, asked.on == "label"
    mode = _open(dataset) if labels else "exclude"
    settings = intervals.jackknife_settings(dataset, asked.chosen, mode)
    values, cost = (typed_values.worth(_typed(VALUES)), typed_values.matrix(_typed(COST))) if labels else (None, None)
    return as_lines.call(
        "scores",
        settings,
        dataset,
        on=None if labels else "score",
        values=values,
        cost=cost,
        weights=as_lines.weights(dataset) if mode != "exclude" else None,
        turn=asked.report.turned,
    )


def turn_key(dataset: state.Dataset, chosen: state.Choices) -> str:
    """Return whether the scale of the judge in view is turned round; held for each judge of each file."""
    return f"scores.turn {dataset.id} {chosen.judge}"


def turning(asked: ScoresView) -> None:
    """Offer to turn the judge's scale where it seems reversed, and to turn it back."""
    key = turn_key(asked.dataset, asked.chosen)
    if asked.report.turned or turnable(asked.report, asked.chosen.judge, asked.criterion):
        st.toggle(f"Turn the scale of {short(asked.chosen.judge)} round", key=key, help=TURN_HELP)


def _typed(key: str) -> str:
    return str(st.session_state.get(key) or "")


def abstains(ratings: metrics.Ratings) -> bool:
    """Some answer is no verdict."""
    scheme = ratings.scheme
    return any(label not in scheme.unused for label in scheme.of("abstention"))


def _open(dataset: state.Dataset) -> Mode:
    return asking.held(OPEN, tuple(OPEN_NAMES)) if abstains(dataset.ratings) else "exclude"


@cached.of_file(max_entries=16, show_spinner="Reading the scores")
def _report(
    dataset: state.Dataset,
    settings: Settings,
    on: On,
    values_and_cost: tuple[tuple[tuple[str, float], ...] | None, tuple[tuple[float, ...], ...] | None],
    weights: tuple[tuple[str, float], ...],
    turn: tuple[str, ...],
) -> ScoresReport:
    values, cost = values_and_cost
    return scores_of(
        dataset.ratings,
        settings,
        values=None if values is None else dict(values),
        on=on,
        cost=cost,
        weights=dict(weights) or None,
        turn=turn,
    )
