"""What the order of the two answers does, where the file has both."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.abstention.shares import Share
from metrics.analyses.preferences import readings, tables
from metrics.analyses.preferences.compute import TIE
from metrics.analyses.preferences.positions import Positions
from metrics.data.answer_orders import OTHER_ORDER
from metrics.figures import error_table
from metrics.results.words import apart, p3, several
from pages.shared import parts, sheets
from pages.shared.plain import emphasis
from pages.shared.preferences import asking

HEADING = "Does the order of the answers decide?"
NONE = (
    "The file has one order only. Ask every pair a second time with the answers swapped, and put what the judge then says, "
    f"named by the answer and not by its place, into a column `{OTHER_ORDER[0]}`, or beside a column `gpt4` into `gpt4_swapped`."
)
SAME_HELP = "Decisions on which both orders name the same answer, or both say tie."
FIRST_HELP = "Of the decisions whose winner changes with the order. 50 % is no leaning; more, the answer shown first gains."


def section(asked: asking.PreferencesView) -> None:
    positions = asked.orders
    if positions is None:
        parts.headed(HEADING, "needs the verdicts of both orders")
        st.markdown(NONE)
        return
    parts.headed(
        HEADING, f"the judge in both orders · {several(positions.n, 'decisions')}{_left_out(positions)} · every criterion"
    )
    quote = partial(readings.order_citation, asked.report, positions)
    headlines = [replace(_same(positions), citation=quote("same")), replace(_first(positions), citation=quote("first"))]
    parts.headline(headlines, key="preferences_order")
    parts.reading(readings.order_reading(positions, emphasis))
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_preferences_orders"):
            _matrix(positions)
        with st.container(key="wide_preferences_right"):
            _right(positions)


def drawings(asked: asking.PreferencesView) -> list[Callable[[], None]]:
    positions = asked.orders
    return [] if positions is None else [lambda: _matrix(positions)]


def _left_out(positions: Positions) -> str:
    return f", {several(positions.n_left_out, 'decisions')} without an answer in both left out" if positions.n_left_out else ""


def _same(positions: Positions) -> parts.Headline:
    return _headline("Same answer in both orders", positions.consistent, SAME_HELP)


def _first(positions: Positions) -> parts.Headline:
    test = "" if math.isnan(positions.p) else f"p {p3(positions.p)}"
    return _headline("Changed to the answer shown first", positions.first_place, FIRST_HELP, test)


def _headline(label: str, share: Share, help_text: str, third: str = "") -> parts.Headline:
    shown = apart(share, "%", "no interval")
    reason = "" if share.total else "no decision changes with the order"
    return parts.Headline(label, *shown, help_text, reason, third or several(share.total, "decisions"))


def _matrix(positions: Positions) -> None:
    size = TIE + 1 if positions.counts[TIE].any() or positions.counts[:, TIE].any() else TIE
    counts, labels = positions.counts[:size, :size], positions.labels[:size]
    tie = TIE if size > TIE else None
    swapped = f"{error_table.judge_place(labels)}s: the swapped order"
    parts.headed("One order against the other", f"rows: the file’s order · {swapped} · named by the answer")
    look = {"reference": "file", "judge": "swapped"}
    alone = {"abstention": tie, "named": True}
    parts.drawing("preferences.orders", error_table.error_table, error_table.alt, counts, labels, look=alone, **look)


def _right(positions: Positions) -> None:
    parts.headed("Which order to take", "agreement with the reference · a tie is a third answer")
    sheets.show(
        tables.order_table(positions), "Which order (CSV)", "orders.csv", "preferences.orders_csv", alt="Agreement by order"
    )
