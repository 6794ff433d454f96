"""One system: its facts, what the checklist would add, where its labels lie and how to load them."""

from __future__ import annotations

import streamlit as st

from metrics.content.audit.adding import STATES, Addition, State, additions
from metrics.content.audit.readings import CATEGORY_NAMES, NO_DATA, reports_of, scales_of
from metrics.content.audit.sources import SOURCES
from metrics.content.audit.systems import System
from pages.shared.page_records import page_of
from pages.shared.plain import escape

MARKS: dict[State, str] = {"said": "✓", "otherwise": "✕", "not said": "?"}


def facts(system: System) -> None:
    """What the table codes."""
    st.header(system.name, anchor=False)
    paper = f"{escape(system.authors)} {system.year}, [{escape(system.reference)}]({system.link})"
    lines = {
        "Category": CATEGORY_NAMES[system.category],
        "Judged output": system.output,
        "Scale": scales_of(system),
        "Reports": reports_of(system),
        "Ties, no verdict": system.nonresponse or f"{STATES['not said']}.",
        "Note": system.note,
    }
    listing = "\n".join(f"- **{name}:** {escape(text)}" for name, text in lines.items() if text)
    st.markdown(f"{paper}\n{listing}")


def added(system: System) -> None:
    """The eleven practices, and the pages that do what is asked."""
    st.header("What the checklist would add", anchor=False)
    whole = additions(system)
    asked = [addition for addition in whole if addition.state != "not asked"]
    st.table(
        {
            "Practice": [f"{MARKS[addition.state]} {addition.number}. {escape(addition.name)}" for addition in asked],
            "What it would add": [_text(addition) for addition in asked],
        },
        hide_index=True,
    )
    met = " · ".join(
        f"{mark} {STATES[state].lower()}" for state, mark in MARKS.items() if any(addition.state == state for addition in asked)
    )
    rest = [f"{addition.number}: {addition.text}" for addition in whole if addition.state == "not asked"]
    st.markdown(f":small[{escape(met)}. {escape('Not asked of it: ' + ' '.join(rest)) if rest else ''}]")
    _pages(asked)


def _text(addition: Addition) -> str:
    """Return what the table says, and below it what would be added, a line for each scale."""
    added = [ask.text for ask in addition.requirements] or ["Nothing to add."]
    return "  \n".join(escape(text) for text in (addition.known, *added) if text)


def _pages(asked: list[Addition]) -> None:
    """A link to each page that does something of it, with the practices."""
    numbers: dict[str, list[str]] = {}
    for addition in asked:
        for page in addition.pages:
            numbers.setdefault(page, []).append(str(addition.number))
    with st.container(horizontal=True, gap="medium"):
        for page, practice_numbers in numbers.items():
            record = page_of(page)
            st.page_link(record.path, label=f"{record.title} ({', '.join(practice_numbers)})", icon=":material/arrow_forward:")


def data(system: System) -> None:
    """Where the labels lie, under which licence, and the line that loads them."""
    st.header("Where its labels are", anchor=False)
    source = SOURCES[system.key]
    if not source.place:
        st.markdown(NO_DATA)
        return
    st.markdown(
        f"[{escape(source.place)}]({source.link}) · licence: **{escape(source.licence)}**  \n"
        f":small[Read for it: {escape(source.checked)}.]\n\n{escape(source.holds)}"
    )
    if source.loads:
        st.markdown(escape(source.layout))
        st.code(source.command, language="sh", wrap_lines=True)
