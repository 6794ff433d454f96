"""Numbers of the page on κ and φ that stand in tables."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.kappa_phi import readings, variances
from metrics.analyses.kappa_phi.five import ROUTES, five_names
from metrics.analyses.kappa_phi.rows import DECLARED, GapRow, frame, heads
from metrics.results.words import bounds, count, number, p3, points
from pages.shared import parts, sheets, state
from pages.shared.copying import copy_button
from pages.shared.kappa_phi import asking
from pages.shared.plain import emphasis, escape

COLLAPSE = (
    "Rao and Callison-Burch let six numbers collapse to four: accuracy, F1, φ and κ. Three are enough, because φ follows from "
    "the other three."
)
FORMULAS = "Textbook: value ± z standard errors; of κ after Fleiss, Cohen and Everitt (1969), of φ by the delta method."
GRADIENTS = (
    "Rao and Callison-Burch (Appendix C) give the difference of the two gradients as 5/6 in every cell. That holds only if "
    "1 − π is written out in both formulas; with their Eqs. 4 and 5 as printed it is 0, with four free margins 55/72. "
    "What counts is that it is the same in every cell."
)


def five(asked: asking.GapView, row: GapRow) -> None:
    coefficients = five_names(row.block.confusion if row.block.confusion is not None else [[0, 0], [0, 0]])
    columns = {
        "coefficient": [escape(name) for name in ROUTES],
        "route": [escape(route) for route in ROUTES.values()],
        "value": [readings.all_digits(value) for value in coefficients.values.values()],
    }
    sheets.show(columns, "Five routes (CSV)", "five_routes.csv", "kappa_phi.five_csv", alt="Five coefficients by five routes")
    parts.reading(readings.five_reading(coefficients))
    text = readings.paper_sentence(asked.report, asked.judge_of(row), asked.chosen.level, row)
    st.markdown("**What to write instead of five numbers**")
    with st.container(border=True):
        st.markdown(escape(text))
        copy_button("Copy the sentence", "kappa_phi.copy", text)
    if not state.in_room_view():
        st.markdown(f":small[{COLLAPSE}]")


def variance(asked: asking.GapView, row: GapRow) -> None:
    confidence = asked.report.declaration.confidence
    variance_pair = variances.variances_of(row, confidence)
    both = (variance_pair.kappa, variance_pair.phi)
    columns = {
        "of": ["κ", "φ"],
        "value": [number(error.shown.value) for error in both],
        "s.e.": [p3(error.error) for error in both],
        "N·Var": [p3(error.times_n) for error in both],
        "textbook": [escape(bounds(error.flat.ends)) for error in both],
        "shown elsewhere": [escape(bounds(error.shown.ends)) for error in both],
        "× as wide": [number(error.times) for error in both],
    }
    alt = "Standard errors and intervals of κ and φ"
    sheets.show(columns, "These two (CSV)", "standard_errors_row.csv", "kappa_phi.variance_csv", alt=alt)
    st.markdown(f":small[{FORMULAS}]")
    parts.reading(readings.variance_reading(variance_pair, name=emphasis, why=escape))
    if state.in_room_view():
        return
    with st.expander("Every row: standard errors and intervals"):
        _every_variance(asked, confidence)
    with st.expander("Checked against a published example, and how the gap of the variances grows"):
        _check()


def _every_variance(asked: asking.GapView, confidence: float) -> None:
    decompositions = variances.of_rows(asked.every, confidence)
    shown = variances.frame(decompositions, asked.report.declaration, asked.what)
    _undeclared(shown, "kappa_phi.variances", f"Standard errors of {count(len(decompositions))} rows")
    sheets.download("Standard errors (CSV)", lambda: shown, "standard_errors.csv", "kappa_phi.variances_csv")


def _check() -> None:
    rows = [(f"N·Var {name}, {whose}", place, whose) for place, name in enumerate("κφ") for whose in ("published", "here")]
    columns = {"TP, FN, FP, TN": [label for label, _, _ in rows]}
    for check in variances.checks():
        cells = [
            str(check.published[at]) if whose == "published" else readings.all_digits(check.computed[at], 6)
            for _, at, whose in rows
        ]
        columns[", ".join(f"{share:g}" for share in check.shares)] = cells
    alt = "Variances of Appendix C, published and computed"
    sheets.show(columns, "The published example (CSV)", "appendix_c.csv", "kappa_phi.check_csv", alt=alt)
    grown = variances.second_order()
    shown = {
        "drift": [points(drift) for drift in grown["drift"]],
        "N·(Var φ − Var κ)": [readings.all_digits(gap, 5) for gap in grown["gap"]],
        "over drift²": [number(over) for over in grown["over"]],
    }
    st.markdown(
        "The second of these tables with its errors moved from one side to the other, so that only the label-rate bias changes:"
    )
    sheets.show(
        shown,
        "The gap by label-rate bias (CSV)",
        "gap_by_drift.csv",
        "kappa_phi.gap_csv",
        alt="Gap of the variances by label-rate bias",
    )
    parts.reading(readings.order_reading(grown["drift"], grown["gap"]))
    st.markdown(f":small[{GRADIENTS}]")


def table(asked: asking.GapView) -> None:
    """All rows as a table, and as a file with what gives the numbers their meaning."""
    level = "criterion" if asked.what == "criterion" else asked.chosen.level
    columns = frame(asked.every, asked.report.declaration, asked.what, asked.chosen.judge, level)
    with st.expander("Table: counts, coefficients, rates and label-rate bias"):
        _undeclared(columns, "kappa_phi.table", f"Numbers of {count(len(asked.every))} rows")
    sheets.download("κ, φ and label-rate bias (CSV)", lambda: columns, "kappa_phi.csv", "kappa_phi.csv")


def _undeclared(columns: dict[str, list[object]], key: str, alt: str) -> None:
    """A table without the columns that say the same in every row."""
    named = heads(name for name in columns if name not in DECLARED)
    shown = {head: columns[name] for name, head in named.items()}
    st.dataframe(**sheets.numbers(shown, 3), key=key, alt=alt)
