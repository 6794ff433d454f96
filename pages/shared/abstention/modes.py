"""The three modes side by side: the question each answers, its table and its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses import provenance
from metrics.analyses.abstention import provenance as abstention_provenance
from metrics.analyses.abstention import readings, readings_costs
from metrics.analyses.abstention.bounds import NO_ITEMS
from metrics.analyses.abstention.tables import counts_table, coverage_columns, f1_of, modes_table
from metrics.analyses.records import Block
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.labels import DEFAULT_NEGATIVE
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.tables import CORNER, as_text, in_full, matrix, selected
from metrics.results.words import apart, bounds, count, number, several, shorten
from pages.shared import as_lines, documents, parts, sheets, state, to_lab
from pages.shared.abstention.answers import ModeReports, together_of
from pages.shared.copying import copy_numbers
from pages.shared.plain import emphasis, escape, escaped, short

HEADS = {"mode": "mode", "n": "N", "accuracy": "accuracy", "kappa": "κ", "f1": "F1", "f1_is": "F1 is"}
LONGEST = {2: 13, 3: 9}
"""Letters of a label, by number of labels; further ones get as few."""
SAME_F1 = (
    "F1 of one label against the rest is, on every table, the F1 with no verdict counted as the other label: merging these two "
    "is what “against the rest” means. Rao and Callison-Burch (Appendix B) call it a coincidence; it is an identity. The κ of "
    "0.416 in their example is cut off, not rounded: 5/12 is 0.417."
)


def section(asked: ModeReports) -> None:
    """Three columns; on a phone three rows, κ first."""
    parts.apart_from_order(asked.blocks["exclude"], "an answer without a verdict has no place in an order")
    with st.container(horizontal=True, gap="small", key="modes"):
        for mode, block in asked.blocks.items():
            with st.container(border=True, height="stretch", key=f"third_mode_{mode}"):
                _column(asked, mode, block)
    nobody = readings.nobody(asked.reported.coverage, list(asked.blocks.values()), shorten(asked.judge))
    if nobody:
        st.info(escape(nobody), icon=":material/info:")
    else:
        parts.reading(readings_costs.modes_reading(asked.blocks))
    if not state.in_room_view():
        _table(asked)


def views(asked: ModeReports) -> list[as_lines.View]:
    """Return the call of each mode, and where its κ is."""
    place = as_lines.path("judges", [asked.judge], asked.level, ["kappa"])
    request = asked.request
    calls = [as_lines.call("agreement", request.settings(mode), request.dataset) for mode in asked.reports]
    return [as_lines.View(call, place) for call in calls]


def _column(asked: ModeReports, mode: Mode, block: Block) -> None:
    classes = asked.ratings.scheme.classes
    negative = emphasis(classes[1]) if asked.ratings.scheme.scale == "binary" else DEFAULT_NEGATIVE
    st.markdown(f"**{MODE_NAMES[mode]}.** {readings_costs.mode_question(mode, negative)}")
    with st.container(horizontal=True, gap="small", key=f"mode_{mode}"):
        _number(block, "kappa", "κ")
        _number(block, "accuracy", "Accuracy")
        name, estimate = f1_of(block, mode)
        st.metric(
            name.split(",")[0],
            number(estimate.value),
            delta=bounds(estimate.ends) if estimate.ends else _none(block, estimate),
            delta_color="off",
            delta_arrow="off",
            help=_f1_help(name),
        )
        copy_numbers(f"mode_{mode}", _citations(asked, mode, name))
    against = " · F1 vs rest" if "," in name else ""
    st.markdown(f"{_rests_on(asked, block)}{against}")
    if state.in_room_view():
        return
    if block.confusion is not None and block.n:
        _confusion(block.labels, block.confusion.tolist())
        to_lab.open_choices(asked.request.dataset, replace(asked.request.chosen, mode=mode))
    elif block.undefined:
        st.markdown(f"No table: {escape(next(iter(block.undefined.values())))}.")


def _citations(asked: ModeReports, mode: Mode, f1_name: str) -> list[tuple[str, str]]:
    where = asked.reports[mode], asked.judge, asked.level
    names, of = {"kappa": "κ", "accuracy": "accuracy"}, MODE_NAMES[mode]
    quotes = [(f"{symbol}, {of}", provenance.citation(*where, key)) for key, symbol in names.items()]
    return [*quotes, (f"{f1_name.split(',', maxsplit=1)[0]}, {of}", abstention_provenance.f1(*where))]


def _number(block: Block, key: str, label: str) -> None:
    record = BY_KEY[key]
    estimate = block[key]
    shown, ends = apart(estimate, record.unit, "")
    reason = f"\n\n**Undefined here:** {escape(estimate.undefined)}." if estimate.undefined else ""
    st.metric(
        label,
        shown,
        delta=ends or None,
        delta_color="off",
        delta_arrow="off",
        help=documents.help_of(record, record.answers + reason),
    )


def _none(block: Block, estimate: Estimate) -> str | None:
    """Return what stands in place of an interval where the numbers beside have one."""
    return "no interval" if block["accuracy"].ends and estimate.defined else None


def _f1_help(name: str) -> str:
    return {"F1": documents.help_of(BY_KEY["f1"]), "Macro-F1": documents.help_of(BY_KEY["macro_f1"])}.get(name, SAME_F1)


def _rests_on(asked: ModeReports, block: Block) -> str:
    if block.n is None:
        defined, of = block["kappa"].of or (0, 0)
        return f"Mean over {several(of, 'criteria')}, κ defined in {count(defined)}."
    if asked.level == "item" and not asked.ratings.has_items:
        return f"No N: {NO_ITEMS}."
    return f"N = {several(block.n, asked.unit)}"


def _confusion(labels: Sequence[str], counts: list[list[int]]) -> None:
    """Counts alone: shares stand on the Agreement page."""
    longest = LONGEST.get(len(labels), LONGEST[3])
    shown = as_text(matrix([shorten(label, longest) for label in labels], counts))
    st.table(escaped({"human ▾ judge ▸": shown.pop(CORNER)} | shown), hide_index=True)


def _table(asked: ModeReports) -> None:
    table = modes_table(asked.blocks)
    shown = as_text(selected(table, HEADS)) | {"mode": [MODE_NAMES[mode] for mode in asked.blocks]}
    with st.expander("The same as a table: three decimals, with intervals"):
        st.table(escaped(shown), hide_index=True)
        st.markdown(f":small[{SAME_F1}]" if "F1, one-vs-rest" in shown["F1 is"] else f"Of {short(asked.judge)}.")
        frame = in_full(table) | coverage_columns(together_of(asked), len(table.rows))
        with st.container(horizontal=True):
            sheets.download(
                "The modes side by side (CSV)", lambda: frame, "modes.csv", "abstention.modes_csv", extra_columns=asked.provenance
            )
            counts = partial(counts_table, asked.blocks)
            sheets.download(
                "Their tables (CSV)", counts, "mode_tables.csv", "abstention.tables_csv", extra_columns=asked.provenance
            )
