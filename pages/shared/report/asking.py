"""What is asked for a report: what it leaves out, under which names it reports, and what no file can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from metrics.analyses.review.decisions import Review
from metrics.data.abstention import Mode
from metrics.data.nonverdicts import modes_of
from metrics.measures.cost_matrices import Cost
from metrics.report.checklist.contents import ASSOCIATIONS, INTER_JUDGE, MOST_LETTERS, QUESTIONS, SWITCHES, Contents, Question
from pages.shared import asking, intervals, state
from pages.shared.abstention import cost
from pages.shared.review import held

WITHOUT, ASSOCIATION, JUDGES = "left_out", "association", "among_judges"
WITHOUT_HELP = "A part that is left out may keep a practice from being met."
ASSOCIATION_HELP = "On two labels all five are one number; under more than one name it only looks like more evidence."
JUDGES_HELP = "They answer one question. Which of them is reported should not depend on which is highest."


def contents(dataset: state.Dataset, chosen: state.Choices | None) -> Contents:
    """Return the controls of what is reported, and what they say with the sidebar’s judge and level."""
    st.multiselect(
        "Left out of the report",
        list(SWITCHES),
        format_func=lambda part: SWITCHES.get(part, part),
        key=WITHOUT,
        placeholder="Nothing",
        help=WITHOUT_HELP,
        **asking.BOUND,
    )
    _names("Association is called", ASSOCIATIONS, ASSOCIATION, "phi", ASSOCIATION_HELP)
    if len(dataset.ratings.judges) > 1:
        _names("Agreement of judges is given as", INTER_JUDGE, JUDGES, "alpha", JUDGES_HELP)
    return held_contents(chosen)


def held_contents(chosen: state.Choices | None) -> Contents:
    """Return what the controls say, drawn or not."""
    session_state_proxy = st.session_state
    names, among = session_state_proxy.get(ASSOCIATION, ["phi"]), session_state_proxy.get(JUDGES, ["alpha"])
    return Contents(
        judge="" if chosen is None else chosen.judge,
        level="micro" if chosen is None else chosen.level,
        associations=tuple(key for key in ASSOCIATIONS if key in names),
        inter_judge=tuple(key for key in INTER_JUDGE if key in among),
        without=frozenset(session_state_proxy.get(WITHOUT, ())),
    )


def _names(label: str, known: Mapping[Any, str], key: str, usual: str, help_text: str) -> None:
    st.multiselect(
        label,
        list(known),
        default=[usual],
        format_func=lambda name: known.get(name, name),
        key=key,
        placeholder="None",
        help=help_text,
        **asking.BOUND,
    )


def answers(dataset: state.Dataset) -> dict[str, str]:
    """Return a field for each thing that no file of labels can tell; kept for the session, by data set."""
    for question in QUESTIONS:
        _field(dataset, question)
    return held_answers(dataset)


def held_answers(dataset: state.Dataset) -> dict[str, str]:
    """Return what the fields say, drawn or not."""
    answer_by_question = {
        question.key: str(st.session_state.get(field_key(question, dataset.id)) or "").strip() for question in QUESTIONS
    }
    return {key: text for key, text in answer_by_question.items() if text}


def field_key(question: Question, data: str) -> str:
    """Where the session keeps a field of a data set."""
    return f"tell {question.key} {data}"


def _field(dataset: state.Dataset, question: Question) -> None:
    asks = f"Asked by practice {' and '.join(map(str, question.practices))}. " if question.practices else ""
    st.text_input(
        question.label,
        key=field_key(question, dataset.id),
        max_chars=MOST_LETTERS,
        placeholder=question.hint,
        help=f"{asks}For example: {question.hint}",
        persist_state="session",
        live=asking.WHILE_TYPING,
    )


def review(dataset: state.Dataset) -> Review | None:
    """Return the decisions of the rubric review, where some were made."""
    rubric_review = held.review_of(dataset)
    return rubric_review if any(not decision.empty for decision in rubric_review.decisions.values()) else None


def choices(dataset: state.Dataset, chosen: state.Choices | None, wanted: intervals.Intervals) -> dict[str, Any]:
    """Return the sidebar’s choices, as `metrics.agreement` takes them."""
    handling = {str(kind): str(how) for kind, how in dataset.ratings.scheme.handling}
    common = {"confidence": wanted.confidence, "handling": handling}
    if chosen is None:
        return common | {
            "abstention": asking.held("mode", modes_of(dataset.ratings)),
            "interval": "none" if wanted.method == "none" else "auto",
        }
    rule = chosen.rule
    return common | {
        "abstention": chosen.mode,
        "interval": wanted.method,
        "unit": wanted.unit,
        "replicates": wanted.replicates,
        "rng": wanted.seed,
        "reference": chosen.reference,
        "item_rule": rule.rule,
        "threshold": rule.threshold,
        "weights": dict(rule.weights) or None,
        "cost": _cost(dataset, chosen.mode),
    }


def _cost(dataset: state.Dataset, mode: Mode) -> Cost | None:
    """Return the matrix of the page Abstention, once it was looked at there; else nobody has stated one."""
    stated = cost.TEXT in st.session_state or cost.TEXT in st.query_params
    return cost.held() if stated and mode == "as_category" and dataset.ratings.scheme.scale == "binary" else None
