"""The dashboard: page configuration, navigation and the sidebar that every page shares."""

import streamlit as st

from pages.shared import cached, sidebar, state, style

st.set_page_config(
    page_title="Kappascope",
    layout="wide",
    initial_sidebar_state="collapsed" if state.in_room_view() else "auto",
    menu_items={"about": "Kappascope: how far an LLM judge agrees with people."},
)
cached.settle_memory()
page = st.navigation(
    {
        "Your data": [st.Page("pages/data/data.py", title="Data", url_path="data")],
        "The judge": [
            st.Page("pages/judge/agreement.py", title="Agreement", url_path="agreement", default=True),
            st.Page("pages/judge/compare.py", title="Compare judges", url_path="compare"),
            st.Page("pages/judge/labels.py", title="How many labels", url_path="labels"),
        ],
    },
    position="hidden" if state.in_room_view() else "top",
)
style.apply(room=state.in_room_view())
sidebar.draw(page.url_path)
page.run()
