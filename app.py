"""The dashboard: page configuration, navigation and the sidebar that every page shares."""

import streamlit as st

from pages.shared import exporting, page_records, selftest, session_cache, sidebar, state, style
from pages.shared.data import named_file
from pages.shared.keeping import again
from pages.shared.watch import runs

runs.begin()
pages = session_cache.memoised_last("pages", None, page_records.entries)
page = st.navigation(pages, position="hidden" if state.in_room_view() else "top")
record = page_records.page_of(page.url_path)
st.set_page_config(
    page_title=f"{record.title} · Kappascope",
    layout="wide",
    initial_sidebar_state="collapsed" if state.in_room_view() else "auto",
    menu_items={"about": "Kappascope: how far an LLM judge agrees with people."},
)
style.apply(record, room=state.in_room_view())
exporting.save_figures()
with runs.run(page.url_path):
    if selftest.is_requested():
        selftest.page()
    else:
        named_file.open_once()
        again.restore()
        sidebar.draw(page.url_path)
        again.show(page.run)
