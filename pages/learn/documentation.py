"""Where it is explained: the documentation, as the server of the dashboard gives it out."""

from __future__ import annotations

import streamlit as st

from pages.shared import documents, parts

ASKS = "Where is it explained?"


def page() -> None:
    parts.title(ASKS)
    lacking = documents.lacking()
    if lacking:
        st.info(lacking, icon=":material/info:")
        return
    st.markdown(f"[Open it from its beginning]({documents.address('index.html')}). It needs no network.")
    for heading, entries in documents.CONTENTS.items():
        links = (f"- [{name}]({documents.address(f'{place}.html')})" for name, place in entries.items())
        st.markdown(f"**{heading}**\n" + "\n".join(links))


page()
