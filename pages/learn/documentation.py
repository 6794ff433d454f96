"""Where it is explained: the documentation, as the server of the dashboard gives it out."""

from __future__ import annotations

import streamlit as st

from pages.shared import documents, parts

TITLE, ASKS = "Documentation", "Where is it explained?"
CONTENTS = {
    "From a file to a verdict": {
        "Check a judge": "tutorials/check_a_judge", "Teach the paradox": "tutorials/teach_the_paradox",
        "Review a rubric": "tutorials/review_a_rubric", "Compare two prompts": "tutorials/compare_two_prompts",
    },
    "Files": {"Exports of tools": "formats/index", "A table of your own": "tables"},
    "Numbers": {
        "Every number": "metrics/index", "How an interval is chosen, and how well it covers": "intervals",
        "Glossary": "glossary", "Errata of the papers": "errata",
    },
    "Without the dashboard": {
        "Every public name": "python/index", "Every command": "commands", "In a pipeline": "pipeline", "Coding agents": "agents",
    },
}  # fmt: skip
"""Heading to the name and the page of what stands under it."""


def page() -> None:
    parts.title(TITLE, ASKS)
    lacking = documents.lacking()
    if lacking:
        st.info(lacking, icon=":material/info:")
        return
    st.markdown(f"[Open it from its beginning]({documents.address('index.html')}). It needs no network.")
    for heading, entries in CONTENTS.items():
        links = (f"- [{name}]({documents.address(f'{place}.html')})" for name, place in entries.items())
        st.markdown(f"**{heading}**\n" + "\n".join(links))


page()
