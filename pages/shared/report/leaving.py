"""How a report leaves the page: a paragraph to paste, and files made when they are clicked."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.report.making import Report
from metrics.report.writing import FORMATS, file_name, today, write
from pages.shared import parts
from pages.shared.copying import copy_button
from pages.shared.plain import escape


def downloads(report: Report) -> None:
    with st.container(horizontal=True, gap="small", key="report_downloads"):
        for suffix, file_format in FORMATS.items():
            name = file_name(report, suffix)
            parts.download(file_format.name, partial(write, report, suffix, today()), name, f"report{suffix}", file_format.mime)


def methods(report: Report) -> None:
    """The paragraph of methods, true for what is shown now."""
    parts.headed("Methods, ready to paste", "It follows every choice and every field above")
    with st.container(border=True, key="report_methods"):
        st.markdown(escape(report.methods))
        copy_button("Copy the paragraph", "copy_methods", report.methods)
