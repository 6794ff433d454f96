"""The view *Every choice*: one figure, its reading, and the table of all analyses."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics.analyses.multiverse.compute import Space
from metrics.analyses.multiverse.result import Column, Multiverse, how_far, reading, unsigned_difference
from metrics.analyses.provenance import Header, citation_line
from metrics.analyses.records import Declaration
from metrics.figures import specification_curve, specification_rows
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.results.words import apart, count, estimate, value
from pages.shared import parts, screen, sheets, state
from pages.shared.plain import escape, unescaped

BROAD, NARROW = "choices.every", "choices.turned"
MOVES_HELP = (
    "For each choice: the range of the value over its answers while all other choices stay, at its largest over every way to "
    "hold them. The table below also gives the mean range."
)
SHORT = {"tie": "ties", "invalid": "invalid"}
"""Choices whose name is too long for a large number's place."""
NO_ENDS = {True: "no interval", False: "interval to come"}
DRAWN = "Intervals are those of the default rules: a bootstrap is not run for every analysis."


def drawings(multiverse: Multiverse, above: Header, *, ready: bool = True) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    return [
        lambda: parts.headline(headline(multiverse, above, ready=ready)),
        lambda: figure(multiverse, bare=True),
        lambda: figure(multiverse),
    ]


def headline(multiverse: Multiverse, above: Header, *, ready: bool = True) -> list[parts.Headline]:
    """Return the declared analysis, the lowest, the highest, and what moves it most.

    Not `ready` while intervals are to come.
    """
    place = multiverse.declared_place
    declared = multiverse.columns[place] if place is not None else None
    if not multiverse.defined:
        return [_headline_of(multiverse, "Declared", declared, ready, above)]
    ends = [("Lowest", multiverse.defined[0]), ("Highest", multiverse.defined[-1])]
    most = multiverse.most
    low, high = (value(column.value, BY_KEY[multiverse.metric].unit) for _, column in ends)
    name, far = "nothing", "all values alike" if low == high else "no choice alone"
    if most and low != high:
        name, far = (
            escape(SHORT.get(most.dimension.key, most.dimension.name)),
            escape(how_far(multiverse, most)),
        )
    text = citation_line(
        f"moves {BY_KEY[multiverse.metric].symbol} most", unescaped(name), _sets(multiverse, above), beside=unescaped(far)
    )
    moves = parts.Headline("Moves it most", name.capitalize(), far, MOVES_HELP, citation=text)
    return [
        _headline_of(multiverse, "Declared", declared, ready, above),
        *(_headline_of(multiverse, label, column, ready, above) for label, column in ends),
        moves,
    ]


def _sets(multiverse: Multiverse, above: Header) -> tuple[str, ...]:
    """Return what a number of all analyses rests on: how many there are, then what is declared."""
    sets = "set" if len(multiverse.columns) == 1 else "sets"
    declared, *rest = above.provenance()
    return (f"over {count(len(multiverse.columns))} {sets} of choices", f"declared: {declared}", *rest)


def _headline_of(multiverse: Multiverse, label: str, column: Column | None, ready: bool, above: Header) -> parts.Headline:
    record = BY_KEY[multiverse.metric]
    title, name = f"{label} {record.symbol}", f"{label.lower()} {record.symbol}"
    if column is None:
        why = "not computed" if multiverse.n else "does not exist"
        text = citation_line(name, "", _sets(multiverse, above), reason=f"it {'is ' if multiverse.n else ''}{why}")
        return parts.Headline(title, "–", why, "Under the declared choices.", citation=text)
    names = ", ".join(specification_curve.choices(multiverse, column)) or "no choice"
    shown = apart(column, record.unit, NO_ENDS[ready or not column.defined])
    text = citation_line(name, estimate(column, record.unit), (names, *_sets(multiverse, above)), reason=column.why)
    return parts.Headline(title, *shown, f"{escape(names)}.", column.why, citation=text)


def figure(multiverse: Multiverse, *, bare: bool = False) -> None:
    """Draw the analyses, sorted; `bare` without the squares of their choices, for the room."""
    record = BY_KEY[multiverse.metric]
    many = len(multiverse.columns)
    sets = "set" if many == 1 else "sets"
    line = "dot and line: value and interval · sorted · each one is an analysis"
    line += " with its choices" if 1 < many <= specification_curve.MOST and not bare else ""
    parts.lone_heading(f"{record.symbol} under {count(many)} defensible {sets} of choices", line)
    key, draw = (NARROW, specification_rows.turned_choices) if screen.narrow() else (BROAD, specification_curve.every_choice)
    look = {"bare": True} if bare else {}
    parts.drawing(key, draw, specification_curve.alt, multiverse, look=look, on_select=lambda: choose(multiverse, key))
    hint = "" if state.in_room_view() or many < 2 else " Select one to declare its choices."
    parts.reading(escape(reading(multiverse)) + hint)


def choose(multiverse: Multiverse, key: str) -> None:
    """A click on an analysis makes its choices those of the sidebar."""
    spot = parts.clicked(key, repr((multiverse.space.declared_analysis, multiverse.metric)))
    if spot is None:
        return
    space: Space = multiverse.space
    analysis = multiverse.columns[spot[0]].analysis
    for dimension in space.varied:
        answer = space.answer(analysis, dimension.key)
        if answer is None:
            continue
        if dimension.key == "rule":
            st.session_state["rule"] = answer.key.rule
            if answer.key.threshold is not None:
                st.session_state["threshold"] = answer.key.threshold
        else:
            st.session_state[dimension.key] = answer.key


def remarks(multiverse: Multiverse, whole: Space, *, drawn: bool) -> None:
    """What is not among the analyses, and why."""
    record = BY_KEY[multiverse.metric]
    sentences = list(whole.remarks)
    if multiverse.absent:
        need = {"two": "It needs two classes.", "many": "It needs more than two classes."}.get(record.classes, "")
        need = "It is a number of pooled criteria." if record.takes == "criteria" else need
        need = "A class of abstentions has no place in an order." if multiverse.metric == QUADRATIC_KAPPA.key else need
        sets = "set" if multiverse.absent == 1 else "sets"
        sentences.append(
            f"{record.symbol} does not exist in {count(multiverse.absent)} further {sets} of choices. {need}".strip()
        )
    if drawn:
        sentences.append(DRAWN)
    for sentence in sentences:
        st.markdown(f"- {escape(sentence)}")


def tables(multiverse: Multiverse, header: Header, declaration: Declaration) -> None:
    record = BY_KEY[multiverse.metric]
    if multiverse.spreads:
        with st.expander("How far each choice moves it, the others held"):
            sheets.show(
                {
                    "choice": [spread.dimension.name for spread in multiverse.spreads],
                    "largest range": [escape(unsigned_difference(spread.largest,
                    multiverse.metric)) for spread in multiverse.spreads],
                    "mean range": [escape(unsigned_difference(spread.mean, multiverse.metric)) for spread in multiverse.spreads],
                    "ways to hold the others": [count(spread.n) for spread in multiverse.spreads],
                },
                "How far each moves it (CSV)", "choices_move.csv", "choices.spreads_csv",
            )  # fmt: skip
    table = multiverse.table()
    with st.expander(f"The same as a table: {specification_curve.TABLE}"):
        shown = {name: column for name, column in table.items() if name not in ("metric", "interval")}
        st.dataframe(**sheets.numbers(shown, 3), key="choices.table", alt=f"{record.name} by analysis")
    extra_columns = {
        "judge": multiverse.space.judge,
        "declared_choices": header.text(),
        **declaration.file_columns(),
    }
    sheets.download("Every analysis (CSV)", lambda: table, "every_choice.csv", "choices.csv", extra_columns=extra_columns)
