"""What the ROC page is asked: which criterion, which cut, which grey lines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

import metrics
from metrics.figures.roc import Lines
from metrics.judging import Settings
from metrics.ranking.curves import JudgeRoc, RocBlock, RocReport
from metrics.ranking.cuts import Cut
from metrics.ranking.saying import positive_of
from metrics.ranking.scoring import cut_at
from metrics.words import percent
from pages.shared import asking, intervals, state

CRITERION, LINES, PREVALENCE, CUT, TRAIL = "roc.criterion", "roc.lines", "roc.prevalence", "roc.cut", "roc.trail"
LINE_NAMES: dict[Lines, str] = {"j": "Equal J", "accuracy": "Equal accuracy"}
SHARES = tuple(range(1, 100))
MOST_TRAIL, STEPS = 8, 200


@dataclass(frozen=True, eq=False)
class Asked:
    """Everything the parts of the page are drawn from."""

    its: state.Dataset
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
        return repr((self.its.key, self.chosen.judge, self.chosen.reference, self.criterion))


def report(its: state.Dataset, chosen: state.Choices) -> RocReport:
    """All judges, because each has its point in the same square."""
    settings = replace(intervals.jackknifed(its).added_to(Settings(reference=chosen.reference)), judges=())
    return _report(its.key, settings, _ratings=its.ratings)


@st.cache_resource(show_spinner="Reading all judges", max_entries=8, scope="session", hash_funcs={Settings: repr})
def _report(key: tuple[str, object], settings: Settings, _ratings: metrics.Ratings) -> RocReport:
    return metrics.roc(
        _ratings,
        reference=settings.reference,
        interval=settings.interval,
        unit=settings.unit,
        confidence=settings.confidence,
    )


@st.cache_resource(show_spinner=False, max_entries=64, scope="session", hash_funcs={Settings: repr})
def _cut(
    key: tuple[str, object], judge: str, settings: Settings, threshold: float, criterion: str | None, _ratings: metrics.Ratings
) -> Cut:
    return cut_at(_ratings, judge, settings, threshold, criterion)


def cut(asked: Asked, threshold: float) -> Cut:
    """What a cut is worth, with intervals."""
    its = asked.its
    return _cut(its.key, asked.chosen.judge, asked.report.settings, threshold, asked.criterion, _ratings=its.ratings)


def criterion(its: state.Dataset) -> str | None:
    wanted = st.session_state.get(CRITERION)
    return wanted if wanted in its.ratings.criteria and len(its.ratings.criteria) > 1 else None


def choosers(its: state.Dataset, chosen: state.Choices, found: RocReport) -> Asked:
    """Above the figures: criterion and grey lines. What is asked is read after the criterion is drawn, so that a link counts."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asking.criterion(its.ratings.criteria, CRITERION, 260, every="Every criterion, pooled")
        asked = Asked(its, chosen, found, criterion(its))
        asking.one_of("Grey lines", LINE_NAMES, LINES)
        if lines() == "accuracy":
            _prevalence(asked)
    return asked


def _prevalence(asked: Asked) -> None:
    st.select_slider(
        f"{positive_of(asked.report)} in use",
        SHARES,
        value=_own(asked),
        format_func=lambda share: percent(share / 100),
        key=PREVALENCE,
        help="How common the positive label is where the judge will be used; it tilts the lines of equal accuracy.",
        bind="query-params",
        persist_state="session",
        width=220,
    )


def _own(asked: Asked) -> int:
    """The data's own prevalence in percent."""
    block = asked.block
    share = round(100 * block.n_positive / block.n) if block.n else 50
    return min(max(share, SHARES[0]), SHARES[-1])


def lines() -> Lines:
    return "accuracy" if st.session_state.get(LINES) == "accuracy" else "j"


def prevalence(asked: Asked) -> float:
    wanted = st.session_state.get(PREVALENCE)
    return (wanted if wanted in SHARES else _own(asked)) / 100


def cut_chooser(asked: Asked) -> float | None:
    """The slider; None where there is no best cut to start from."""
    curve = asked.block.curve
    if curve is None or curve.best is None:
        return None
    low, high = curve.tally.ends
    if st.session_state.get(f"{CUT} place") != asked.place:
        st.session_state[f"{CUT} place"], st.session_state[TRAIL] = asked.place, []
        st.session_state[CUT] = curve.start
    with st.container(horizontal=True, vertical_alignment="bottom"):
        found: float = st.slider(
            "Cut: positive where the score is at least",
            low,
            high,
            step=curve.tally.step(STEPS),
            format="%.4g",
            key=CUT,
        )
        st.button("Best cut", key="roc.best", on_click=_back, args=(curve.start,), help="Back to the cut with the largest J.")
    _remember(found)
    return found


def _back(threshold: float) -> None:
    st.session_state[CUT] = threshold


def _remember(threshold: float) -> None:
    seen: list[float] = st.session_state.setdefault(TRAIL, [])
    if not seen or seen[-1] != threshold:
        seen.append(threshold)
    del seen[: max(0, len(seen) - MOST_TRAIL)]


def trail() -> list[float]:
    """Cuts looked at before the present one, oldest first."""
    return list(st.session_state.get(TRAIL, []))[:-1]
