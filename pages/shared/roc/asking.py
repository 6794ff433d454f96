"""What the ROC page is asked: which criterion, which way the scores point, what is held out, which cut, which grey lines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from metrics.analyses.agreement.compute import Settings
from metrics.analyses.roc.compute import cut_at, roc_of
from metrics.analyses.roc.cuts import Cut
from metrics.analyses.roc.held_out import Method
from metrics.analyses.roc.provenance import NONE_BETTER, positive_of
from metrics.analyses.roc.result import Curve, JudgeRoc, RocBlock, RocReport
from metrics.analyses.roc.tallies import Direction
from metrics.figures.roc import Lines
from metrics.results.words import percent, shorten
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.plain import escape, short

CRITERION, LINES, PREVALENCE, CUT, TRAIL = "roc.criterion", "roc.lines", "roc.prevalence", "roc.cut", "roc.trail"
DIRECTION, HELD = "roc.direction", "roc.held"
LINE_NAMES: dict[Lines, str] = {"j": "Equal J", "accuracy": "Equal accuracy"}
DIRECTION_NAMES: dict[Direction, str] = {"higher": "Higher score", "lower": "Lower score"}
HELD_NAMES: dict[Method, str] = {"split": "One split", "cross": "5-fold"}
NAMES = {LINES: LINE_NAMES, DIRECTION: DIRECTION_NAMES, HELD: HELD_NAMES}
DIRECTION_HELP = (
    "Declared by you, never found from the data: an AUC below 0.5 stays there. It counts for the scores of all judges."
)
HELD_HELP = (
    "One split: half of the items choose the threshold, the other half test it. 5-fold: each fold tests the threshold that the "
    "other four chose, so every item is a test item once. The result depends less on the split."
)
SHARES = tuple(range(1, 100))
MOST_TRAIL = 8
NO_CUT = "This judge gives no scores here, so there is no threshold to validate."


@dataclass(frozen=True, eq=False)
class RocView:
    """Everything the parts of the page are drawn from."""

    dataset: state.Dataset
    chosen: state.Choices
    report: RocReport
    criterion: str | None

    @property
    def judge(self) -> JudgeRoc:
        return self.report.judges[self.chosen.judge]

    @property
    def block(self) -> RocBlock:
        return self.judge.block(self.criterion)

    @property
    def place(self) -> str:
        """What a cut and its trail belong to."""
        return repr((self.dataset.key, self.chosen.judge, self.chosen.reference, self.criterion, self.report.direction))


def report(dataset: state.Dataset, chosen: state.Choices) -> RocReport:
    """Return all judges, because each has its point in the same square."""
    return _report(dataset, _settings(dataset, chosen), *_ways())


def call(asked: RocView) -> as_lines.Call:
    """Return the call that gives the report."""
    direction, holding_out = _ways()
    settings = _settings(asked.dataset, asked.chosen)
    return as_lines.call("roc", settings, asked.dataset, direction=direction, holding_out=holding_out)


def _settings(dataset: state.Dataset, chosen: state.Choices) -> Settings:
    return replace(intervals.jackknife_settings(dataset, chosen), judges=())


def _ways() -> tuple[Direction, Method]:
    """Return which way the scores point, and how a cut is held out."""
    direction = asking.held_or_linked(DIRECTION, DIRECTION_NAMES) or "higher"
    return direction, asking.held_or_linked(HELD, HELD_NAMES) or "split"


@cached.of_file(max_entries=8, show_spinner="Reading all judges")
def _report(dataset: state.Dataset, settings: Settings, direction: Direction, holding_out: Method) -> RocReport:
    return roc_of(dataset.ratings, settings, direction=direction, holding_out=holding_out)


def cut(asked: RocView, threshold: float) -> Cut:
    """Return what a cut is worth; with intervals unless these decisions chose it."""
    curve = asked.block.curve
    if curve is not None and curve.best is not None and curve.tally.same(threshold, curve.best.threshold):
        return replace(curve.best, threshold=threshold)
    report = asked.report
    where = asked.chosen.judge, report.settings, threshold, asked.criterion, report.direction
    return cached.once(cut_at, asked.dataset, *where)


def choosers(dataset: state.Dataset, chosen: state.Choices, roc_report: RocReport) -> RocView:
    """Above the figures. What is asked is read after the criterion is drawn, so that a link counts."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asking.criterion(dataset.ratings.criteria, CRITERION, 260, every="Every criterion, pooled")
        asked = RocView(dataset, chosen, roc_report, asking.chosen_criterion(dataset.ratings.criteria, CRITERION))
        if any(judge.pooled.scored for judge in roc_report.judges.values()):
            asking.one_of(
                f"{escape(shorten(positive_of(roc_report), 12))} means a", DIRECTION_NAMES, DIRECTION, help=DIRECTION_HELP
            )
            none = asked.block.curve is None
            asking.one_of("Validation", HELD_NAMES, HELD, help=NO_CUT if none else HELD_HELP, disabled=none)
        asking.one_of("Grey lines", LINE_NAMES, LINES)
        if lines() == "accuracy":
            _prevalence(asked)
    return asked


def _prevalence(asked: RocView) -> None:
    """The data's own until another is chosen; like the cut no bound widget, which would keep the first data's own."""
    data_share, before = _data_prevalence(asked), st.session_state.get(f"{PREVALENCE} own")
    if PREVALENCE not in st.session_state:
        st.session_state[PREVALENCE] = _linked_share() or data_share
    elif st.session_state[PREVALENCE] == before:
        st.session_state[PREVALENCE] = data_share
    st.session_state[f"{PREVALENCE} own"] = data_share
    chosen_share: int = st.select_slider(
        f"{short(positive_of(asked.report))} in use",
        SHARES,
        format_func=_share_words,
        key=PREVALENCE,
        help="How common the positive label is where the judge will be used; it tilts the lines of equal accuracy.",
        persist_state="session",
        width=220,
    )
    asking.write(PREVALENCE, None if chosen_share == data_share else _share_words(chosen_share))


def _share_words(share: int) -> str:
    return percent(share / 100)


def _linked_share() -> int | None:
    """Return the prevalence that the address brought."""
    shown = st.query_params.get(PREVALENCE)
    return next((share for share in SHARES if _share_words(share) == shown), None)


def _data_prevalence(asked: RocView) -> int:
    """Return the data's own prevalence in percent."""
    block = asked.block
    share = round(100 * block.n_positive / block.n) if block.n else 50
    return min(max(share, SHARES[0]), SHARES[-1])


def lines() -> Lines:
    return "accuracy" if st.session_state.get(LINES) == "accuracy" else "j"


def prevalence(asked: RocView) -> float:
    wanted = st.session_state.get(PREVALENCE)
    return (wanted if wanted in SHARES else _data_prevalence(asked)) / 100


def threshold(asked: RocView) -> float | None:
    """Return the threshold looked at, which stands in the address; None where there is no best one to start from."""
    curve = asked.block.curve
    if curve is None or curve.best is None:
        return None
    if st.session_state.get(f"{CUT} place") != asked.place or CUT not in st.session_state:
        linked = asking.linked_number(CUT, *curve.tally.ends) if f"{CUT} place" not in st.session_state else None
        st.session_state[f"{CUT} place"], st.session_state[TRAIL] = asked.place, []
        st.session_state[CUT] = curve.start if linked is None else linked
    threshold: float = st.session_state[CUT]
    _remember(threshold)
    asking.write(CUT, in_address(curve, threshold))
    return threshold


def in_address(curve: Curve, threshold: float) -> str | None:
    """Return a threshold as the address has it; None for the one that the page begins with."""
    return None if threshold == curve.start else repr(threshold)


def best_button(asked: RocView, curve: Curve) -> None:
    """Back to the threshold that the page begins with."""
    none = curve.best_spot is None
    there = none or st.session_state.get(CUT) == curve.start
    help_text = f"There is none: {NONE_BETTER}." if none else "Back to the threshold with the largest J."
    st.button("Best threshold", key="roc.best", on_click=put, args=(curve.start,), help=help_text, disabled=there)


def put(threshold: float) -> None:
    """Look at a threshold; for callbacks."""
    st.session_state[CUT] = threshold


def _remember(threshold: float) -> None:
    seen: list[float] = st.session_state.setdefault(TRAIL, [])
    if not seen or seen[-1] != threshold:
        seen.append(threshold)
    del seen[: max(0, len(seen) - MOST_TRAIL)]


def trail() -> list[float]:
    """Return cuts looked at before the present one, oldest first."""
    return list(st.session_state.get(TRAIL, []))[:-1]
