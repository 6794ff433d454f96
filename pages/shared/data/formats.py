"""The exports of tools that are read as they are, and how to make each of them there."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from metrics.readers.formats.record import Format
from metrics.readers.formats.registry import FORMATS
from pages.shared.plain import escape


def listed() -> None:
    """One line for each export, with those that cannot be used and what to make instead."""
    with st.expander("Exports of tools that open as they are"):
        for tool, formats in groupby(sorted(FORMATS, key=lambda form: form.tool.casefold()), key=lambda form: form.tool):
            lines = [f"- {escape(_line(form))}" for form in sorted(formats, key=lambda form: not form.usable)]
            st.markdown(f"**{escape(tool)}**\n" + "\n".join(lines))


def _line(form: Format) -> str:
    what = f"{form.what[:1].upper()}{form.what[1:]}"
    return f"{what}. {form.how}" if form.usable else f"{what} cannot be used. {form.why} {form.how}"
