"""The page behind `?selftest` in the address: are the published numbers still computed here, and with what?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from metrics.content.selftest import readings
from metrics.content.selftest.checking import SelfTest, self_test
from metrics.content.selftest.published import TABLES, Published
from pages.shared import parts, sheets, sidebar
from pages.shared.plain import escape

ASKED = "selftest"
KEPT = 60
"""Seconds for which everybody is shown the same: asked again and again, it takes no time from the other visitors."""
TITLE, ASKS = "Self-test", "Does this installation still compute the published numbers?"


def is_requested() -> bool:
    """Return whether the address asks for it, whatever else it says."""
    return ASKED in st.query_params


@st.cache_resource(show_spinner=False, ttl=KEPT, max_entries=1)
def _computed() -> tuple[SelfTest, datetime]:
    return self_test(), datetime.now(UTC)


def page() -> None:
    """Instead of the page in view. It takes no data and changes no choice."""
    sidebar.draw(ASKED)
    sheets.declare({})
    st.title(TITLE, anchor=False)
    st.markdown(ASKS)
    with st.spinner("Computing"):
        test_report, at = _computed()
    if test_report.agrees:
        st.success(f"**{escape(readings.verdict(test_report))}**", icon=":material/check_circle:")
    else:
        st.error(f"**{escape(readings.verdict(test_report))}**", icon=":material/error:")
    st.markdown(escape(readings.EXPLAINED))
    st.markdown(f"Computed at {at:%H:%M:%S} UTC. It is computed at most once in {KEPT} seconds, for all who ask.")
    with st.container(horizontal=True):
        st.button("Back to the dashboard", key="selftest_back", on_click=_back, icon=":material/arrow_back:")
        parts.download(
            "Self-test (JSON)", lambda: json.dumps(test_report.to_dict(), ensure_ascii=False, indent=1), "selftest.json",
            "selftest_json", "application/json",
        )  # fmt: skip
    for paper in dict.fromkeys(table.paper for table in TABLES):
        _paper(test_report, paper, [table for table in TABLES if table.paper == paper])
    st.markdown(escape(readings.NOT_COUNTED))
    st.header("Computed with", anchor=False)
    versions = {"Part": list(test_report.versions), "Version": list(test_report.versions.values())}
    st.table(versions, hide_index=True, width="content", alt="Versions")
    presence_by_part = readings.parts(test_report.optional)
    optional = {"Optional part": list(presence_by_part), "Whether it is there": list(presence_by_part.values())}
    st.table(optional, hide_index=True, width="content", alt="Optional parts")


def _paper(test_report: SelfTest, paper: str, tables: Sequence[Published]) -> None:
    st.header(escape(paper), anchor=False)
    for table in tables:
        why = f"  \n{escape(table.why)}" if table.why else ""
        st.markdown(f"**{escape(readings.heading(table))}**  \n{escape(readings.counts(table))}{why}")
        st.table(
            {
                "Number": [escape(check.name) for check in test_report.of(table)],
                "Outcome": [readings.outcome(check) for check in test_report.of(table)],
                "Expected": [escape(readings.exact(check)) for check in test_report.of(table)],
                "Computed": [escape(readings.number(check.got)) for check in test_report.of(table)],
                "Difference": [escape(readings.difference(check)) for check in test_report.of(table)],
                "Printed": [escape(readings.printed(check)) for check in test_report.of(table)],
            },
            hide_index=True,
            alt=readings.heading(table),
        )


def _back() -> None:
    del st.query_params[ASKED]
