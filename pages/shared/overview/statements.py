"""The overview in words: what was understood, the verdict, items to read first, and what to do next."""

from __future__ import annotations

from typing import Any

import streamlit as st

from metrics import Overview
from metrics.analyses.cautions import TUNING_ITEMS
from metrics.analyses.overview import tables
from metrics.analyses.overview.items import TWO_UNITS
from metrics.analyses.overview.result import in_first_look
from metrics.analyses.provenance import columns_of
from metrics.readers.import_text import understood_line
from metrics.results.tables import in_full
from metrics.results.words import several
from pages.shared import parts, sheets, state
from pages.shared.disagreements import presets
from pages.shared.keeping import asking
from pages.shared.labels.asking import LINE
from pages.shared.page_records import DATA, DISAGREEMENTS, LABELS, page_of
from pages.shared.plain import escape, short


def declare(overview: Overview) -> None:
    """What the tables of the overview rest on; they take all judges, so none is named."""
    coverage = next((row.coverage for row in overview.judges), "")
    columns = columns_of(overview.declaration, level=overview.level, coverage=coverage)
    sheets.declare({**columns, "declaration": tables.declared(overview)})


def understood(dataset: state.Dataset) -> None:
    """One line on what the file was taken for, and the way to change it."""
    if dataset.kind == "sample":
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="understood"):
        st.markdown(f":small[{escape(understood_line(dataset.ratings))}]", width="content")
        st.page_link(DATA.path, label="Change")
        asking.offer()


def verdict(overview: Overview) -> None:
    """The statements, the first of them large; what is beyond a first look stands behind a click."""
    # What stands at the head of the page is not said twice.
    said = [statement for statement in overview.verdict if statement.kind != TUNING_ITEMS]
    held = [True] * len(said) if state.in_room_view() else in_first_look(said)
    first, *others = (statement.text for statement, at_once in zip(said, held, strict=True) if at_once)
    rest = [statement.text for statement, at_once in zip(said, held, strict=True) if not at_once]
    with st.container(border=True, key="verdict"):
        st.markdown(f"## {escape(first)}", anchors=False)
        for text in others:
            st.markdown(escape(text))
        if rest:
            with st.expander(f"{several(len(rest), 'more findings') if len(rest) > 1 else '1 more finding'}"):
                for text in rest:
                    st.markdown(escape(text))


def items(dataset: state.Dataset, overview: Overview) -> None:
    """The items to read first, and why."""
    declare(overview)
    parts.headed("Read these first", tables.chosen(overview) if overview.items else "none")
    if not overview.items:
        st.markdown(escape(tables.no_item(overview)))
        if overview.no_items == TWO_UNITS:
            presets.link("Read them by their ranks", judge=overview.leader)
        return
    listed = _their_list(overview)
    # The reason of an item lies nearer to it than the next item, also below it on a telephone.
    with st.container(gap="small", key="overview_items"):
        for row in overview.items:
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                presets.link(short(row.item), item=row.item, **listed)
                st.markdown(escape(row.why), width="stretch")
    table = in_full(tables.items(overview))
    sheets.download("Items to read first (CSV)", lambda: table, "items.csv", "overview.items_csv")


def _their_list(overview: Overview) -> dict[str, Any]:
    """The list of *Disagreements* that holds the items named here, in their order where it has that order."""
    several_judges = len(overview.judges) > 1
    if overview.correlated is not None or overview.answers != "judge":
        return {"judge": overview.leader, "rows": "all" if several_judges else None}
    sort = "most" if len(overview.criteria) > 1 else "file" if overview.in_file_order and not several_judges else None
    return {"judge": overview.leader, "sort": sort, "rows": "most" if several_judges else None}


def steps(dataset: state.Dataset, overview: Overview) -> None:
    """What to do next, each with the page that does it."""
    if not overview.next:
        return
    st.header("What to do next", anchor=False)
    for step in overview.next:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"- {escape(step.text)}", width="content")
            page = page_of(step.key)
            if page is DISAGREEMENTS:
                # Of several judges the step is on the leader, the items above on what most of them err.
                presets.link(page.title, **(_their_list(overview) if len(overview.judges) == 1 else {"judge": overview.leader}))
                continue
            asked = {LINE: "0", "judge": overview.leader or ""} if page is LABELS else None  # the step is on chance
            st.page_link(page.path, label=page.label, icon=":material/arrow_forward:", query_params=asked)
