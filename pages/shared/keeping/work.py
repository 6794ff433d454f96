"""What a visitor has done with a data set, as JSON: answers about its file, decisions, settled labels, weights, report fields.

What the address holds is no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.analyses.coding.codes import Coded, Key, coding_of
from metrics.analyses.review.decisions import Decision, review_of
from metrics.data.item_texts import shown_first
from metrics.report.checklist.contents import MOST_LETTERS, QUESTIONS
from metrics.report.recipe import reading_dict
from metrics.results.words import listed, several
from pages.shared import session_cache, state, texts
from pages.shared.data import pending
from pages.shared.disagreements import coding
from pages.shared.history import History
from pages.shared.keeping import device
from pages.shared.raters import disagreements
from pages.shared.report import asking as report
from pages.shared.review import held as review

WEIGHTS = "weights"
TYPED, PACKED = "keep.typed", "keep.packed"
"""Counts and labels of the tables that were typed; and what was last packed."""


def of(dataset: state.Dataset) -> dict[str, Any]:
    """Return what was done with a data set, JSON-ready, without what is empty; a sample that nothing was done with is empty."""
    return {what: value for what, value in (_opened(dataset) | _made(dataset)).items() if value}


def is_any(dataset: state.Dataset) -> bool:
    """Return whether anything was done with a data set beside opening it."""
    return any(_made(dataset).values())


def _made(dataset: state.Dataset) -> dict[str, Any]:
    name = dataset.id
    settled = disagreements.HISTORY.of(name)
    decisions, codes = review.review_of(dataset), coding.coding_of(dataset)
    return {
        "review": decisions.to_dict() if decisions.decisions else None,
        "codes": codes.to_dict() if codes.codes else None,
        "settled": [[*key, label] for key, label in settled.items()],
        "weights": _weights(dataset),
        "fields": {key: text for key in _fields(name) if (text := st.session_state.get(key))},
        "texts": _texts(dataset),
    }


def text(dataset: state.Dataset) -> str | None:
    """Return the same, packed; None where it is too much to be kept."""
    content = of(dataset)
    return session_cache.memoised_last(PACKED, content, lambda: device.packed(content))


def _opened(dataset: state.Dataset) -> dict[str, Any]:
    if dataset.kind != "upload":
        return {}
    second = device.beside(dataset.id)
    return {
        "title": dataset.title,
        "sent": device.sent(dataset.id),
        **reading(dataset),
        "beside": second.to_dict() if second is not None else None,
        "typed": session_cache.held(TYPED).get(dataset.id),
    }


def reading(dataset: state.Dataset) -> dict[str, Any]:
    """Return how the files of a data set were read, JSON-ready; nothing where it was made of others."""
    how = dataset.ratings.source.how
    return {"reading": reading_dict(how) if dataset.table is not None else None, "sheets": pending.sheets(dataset.id)}


def _weights(dataset: state.Dataset) -> dict[str, float]:
    """Return those that are not as the file has them: the editor states all of them as soon as it is seen."""
    given: dict[str, float] = st.session_state.get(WEIGHTS, {}).get(dataset.id, {})
    usual = dataset.ratings.rubric_weights
    return {name: weight for name, weight in given.items() if weight != usual.get(name, 1.0)}


def _texts(dataset: state.Dataset) -> list[str]:
    """Return the columns beside the labels, where they are not those of a data set that nobody has chosen for."""
    shown: list[str] | None = st.session_state.get(f"{texts.SHOWN} {dataset.id}")
    return [] if shown is None or shown == shown_first(dataset.ratings)[1] else shown


def _fields(name: str) -> Iterator[str]:
    return (report.field_key(question, name) for question in QUESTIONS)


def put(name: str, content: dict[str, Any]) -> None:
    """Take what was done before; where something has been done since, that counts."""
    for what, take in TAKES.items():
        if content.get(what):
            try:
                take(name, content[what])
            except (InputError, KeyError, TypeError, ValueError, AttributeError):
                continue


def merge(name: str, theirs: dict[str, Any], base: dict[str, Any]) -> None:
    """Put what another tab of the browser wrote beside what was done here since: of one entry the later counts."""
    for what, (history, entries) in HISTORIES.items():
        try:
            history.merge(name, entries(theirs.get(what)), entries(base.get(what)), ELSEWHERE)
        except (InputError, KeyError, TypeError, ValueError, AttributeError):
            continue


def kept_words(content: dict[str, Any]) -> str:
    """Return how much work is kept, in words; empty where there is none."""
    words = {"review": "decisions", "codes": "codes", "settled": "labels decided"}
    counted = {noun: len(HISTORIES[what][1](content.get(what))) for what, noun in words.items()}
    return listed([several(n, noun) for noun, n in counted.items() if n])


def _decisions(content: Any) -> Mapping[str, Decision]:
    return review_of(content).decisions if content else {}


def _codes(content: Any) -> Mapping[Key, Coded]:
    return coding_of(content).codes if content else {}


def _settled(content: Any) -> dict[tuple[str, str], str]:
    return {(str(item), str(criterion)): str(label) for item, criterion, label in content or ()}


def _take_review(name: str, content: Any) -> None:
    review.HISTORY.begin(name, _decisions(content))


def _take_codes(name: str, content: Any) -> None:
    coding.HISTORY.begin(name, _codes(content))


def _take_settled(name: str, content: Any) -> None:
    disagreements.HISTORY.begin(name, _settled(content))


def _take_weights(name: str, content: Any) -> None:
    weights = {str(criterion): float(weight) for criterion, weight in content.items() if math.isfinite(weight)}
    session_cache.held(WEIGHTS)[name] = session_cache.held(WEIGHTS).get(name, {}) | weights
    for key in [key for key in st.session_state if key.startswith(f"weights {name} ") and key.endswith(" base")]:
        del st.session_state[key]  # the editor begins with these


def _take_fields(name: str, content: Any) -> None:
    for key in _fields(name):
        if key in content:
            st.session_state.setdefault(key, str(content[key])[:MOST_LETTERS])


def _take_texts(name: str, content: Any) -> None:
    st.session_state.setdefault(f"{texts.SHOWN} {name}", [str(column) for column in content])


HISTORIES: dict[str, tuple[History[Any, Any], Callable[[Any], Mapping[Any, Any]]]] = {
    "review": (review.HISTORY, _decisions), "codes": (coding.HISTORY, _codes), "settled": (disagreements.HISTORY, _settled),
}  # fmt: skip
"""What is kept entry by entry, and how it is read."""
ELSEWHERE = "what another tab of this browser changed"
TAKES = {
    "review": _take_review, "codes": _take_codes, "settled": _take_settled, "weights": _take_weights, "fields": _take_fields,
    "texts": _take_texts,
}  # fmt: skip
