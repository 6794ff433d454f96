"""The question of the page: a metric above a line, or two judges apart by so much."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from metrics import InputError
from metrics.analyses.comparison.compute import askable
from metrics.analyses.comparison.margin_plan import plan_margin
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.planning.compute import Plan, plan_difference, plan_floor
from metrics.analyses.planning.independence import groups_behind
from metrics.analyses.provenance import Header, citation, citation_line, header
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import estimate, shorten
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.compare import provenance, results

Question = Literal["above", "apart", "margin"]
QUESTION, METRIC, LINE, MARGIN, A, B = (f"labels.{name}" for name in ("question", "metric", "line", "margin", "a", "b"))
QUESTIONS: dict[Question, str] = {"above": "Above a line?", "apart": "Two judges apart?", "margin": "No worse by a margin?"}
LINE_HELP = "The value asked about; a share is written as a number, 0.80 for 80 %."
MARGIN_HELP = {
    "apart": "The difference to be found; of shares, 0.05 is 5 points.",
    "margin": "How much worse B may be than A; of shares, 0.05 is 5 points. It is planned for judges that are equally good.",
}
LEAST, MOST = 0.01, 0.99
DEFAULT_LINE, DEFAULT_MARGIN = 0.6, 0.05


@dataclass(frozen=True, eq=False)
class Answer:
    """The plan, and what stands above it."""

    plan: Plan
    header: Header
    citation: str
    who: str
    """The judge, or the two of them, whose number it is."""
    call: as_lines.Call


def question() -> Question:
    return asking.held(QUESTION, list(QUESTIONS))


def of_two() -> bool:
    """Return whether two judges are asked about."""
    return question() != "above"


def choosers(dataset: state.Dataset, chosen: state.Choices) -> None:
    """The parts of the question, each of which can be changed and stands in the address."""
    state.translate({QUESTION: QUESTIONS, METRIC: {key: record.name for key, record in BY_KEY.items()}})
    _take_line()
    with st.container(horizontal=True, key="labels_choices"):
        asking.one_of("Question", QUESTIONS, QUESTION)
        if of_two():
            _judges(dataset, chosen)
        _metric(dataset, chosen)
        _value(dataset, chosen)


def _take_line() -> None:
    """Ask about the line that a link asks about, whatever was asked before."""
    linked = st.query_params.get(LINE)
    if state.arriving() and linked is not None:
        with suppress(ValueError):
            st.session_state[LINE] = float(linked)


def _judges(dataset: state.Dataset, chosen: state.Choices) -> None:
    judges = dataset.ratings.judges
    if len(judges) < 2:
        return
    for key, name in zip((A, B), pair(dataset, chosen), strict=True):
        st.session_state[key] = name
        # Without a default of its own the name is always in the address, where the sidebar's judge could mean another.
        st.selectbox("A" if key == A else "B", judges, None, key=key, width=asking.width_of(judges, 165), **asking.BOUND)


def _metric(dataset: state.Dataset, chosen: state.Choices) -> None:
    st.session_state[METRIC] = metric(dataset, chosen)
    asking.metric(metrics_here(dataset, chosen), METRIC, 180)


def _value(dataset: state.Dataset, chosen: state.Choices) -> None:
    if question() == "above":
        least = _least(metric(dataset, chosen))
        st.session_state[LINE] = max(line(), least)
        _number("Line", least, DEFAULT_LINE, 0.05, LINE, LINE_HELP)
    else:
        st.session_state[MARGIN] = margin()
        label = "Difference" if question() == "apart" else "Margin"
        _number(label, LEAST, DEFAULT_MARGIN, 0.01, MARGIN, MARGIN_HELP[question()])


def _number(label: str, least: float, start: float, step: float, key: str, help_text: str) -> None:
    """A number with a start of its own: the browser's Back turns a field that stands in no address into its start."""
    st.number_input(label, least, MOST, start, step=step, key=key, help=help_text, width=125, **asking.BOUND)


def _least(key: str) -> float:
    return -MOST if BY_KEY[key].low < 0 else LEAST


def line() -> float:
    return float(st.session_state.get(LINE, DEFAULT_LINE))


def margin() -> float:
    return float(st.session_state.get(MARGIN, DEFAULT_MARGIN))


def pair(dataset: state.Dataset, chosen: state.Choices) -> tuple[str, str]:
    """Return a and B as chosen here; at first the sidebar's judge and the one after it."""
    judges = dataset.ratings.judges
    a, b = (st.session_state.get(key) for key in (A, B))
    first = a if a in judges else chosen.judge
    return first, b if b in judges else judges[(judges.index(first) + 1) % len(judges)]


def metrics_here(dataset: state.Dataset, chosen: state.Choices) -> tuple[str, ...]:
    """Return metrics of which more is better and which have an interval at this level.

    First the one that judges are compared by.
    """
    return tuple(key for key in askable(dataset.ratings, chosen.level, mode=chosen.mode) if direction(key) > 0)


def metric(dataset: state.Dataset, chosen: state.Choices) -> str:
    return asking.held(METRIC, metrics_here(dataset, chosen))


def answer(dataset: state.Dataset, chosen: state.Choices) -> Answer | InputError:
    """Return the plan for the question as it stands, or why there is none."""
    try:
        return _difference_answer(dataset, chosen) if of_two() else _above(dataset, chosen)
    except InputError as error:
        return error


def _above(dataset: state.Dataset, chosen: state.Choices) -> Answer:
    wanted = intervals.jackknifed(dataset)
    report, key = cached.report(dataset, chosen, intervals=wanted), metric(dataset, chosen)
    groups = groups_behind(dataset.ratings, chosen.judge, wanted.added_to(chosen.settings()), chosen.level)
    floor = max(line(), _least(key))
    judge = report.judges[chosen.judge]
    plan = plan_floor(judge, key, floor, level=chosen.level, confidence=wanted.confidence, groups=groups)
    where = report, chosen.judge, chosen.level, key
    own = {"metric": key, "line": floor, "level": chosen.level, "confidence": wanted.confidence, "groups": groups}
    behind = as_lines.call("agreement", wanted.added_to(chosen.settings()), dataset)
    behind = replace(behind, name="agreement", part=as_lines.path("judges", [chosen.judge]))
    quoted = _quoted(plan, header(*where), chosen.judge) or citation(*where)
    return Answer(plan, header(*where), quoted, chosen.judge, as_lines.Call("plan_floor", own, (behind,)))


def _quoted(plan: Plan, rests: Header, who: str) -> str:
    """Return the number of a plan by weights, to quote; empty where every item counts once."""
    if not plan.weights:
        return ""
    shown = estimate(plan.today, plan.unit)
    name = f"{'difference in ' if plan.difference else ''}{BY_KEY[plan.metric].symbol} by ‘{shorten(plan.weights)}’"
    return citation_line(name, shown, (who, *rests.provenance()), reason=plan.today.undefined)


def _difference_answer(dataset: state.Dataset, chosen: state.Choices) -> Answer:
    a, b = pair(dataset, chosen)
    settings = replace(intervals.jackknife_settings(dataset, chosen), judges=())
    asked = results.ComparisonRequest(a, b, metric(dataset, chosen), chosen.level, None)
    comparison: Comparison | InputError = results.pair(dataset, settings, asked)
    if isinstance(comparison, InputError):
        raise comparison
    of_margin = question() == "margin"
    name = "plan_margin" if of_margin else "plan_difference"
    plan = (plan_margin if of_margin else plan_difference)(comparison, margin(), confidence=settings.confidence)
    own = {"margin": margin(), "confidence": settings.confidence}
    call = as_lines.Call(name, own, (replace(results.call(dataset, settings, asked), name="comparison"),))
    who = f"{shorten(b)} less {shorten(a)}"
    quoted = _quoted(plan, provenance.header(comparison), who) or provenance.citation(comparison)
    return Answer(plan, provenance.header(comparison), quoted, who, call)


def same_judge(dataset: state.Dataset, chosen: state.Choices) -> bool:
    a, b = pair(dataset, chosen)
    return of_two() and a == b
