"""Two pages of nothing but the choices of the dashboard: what Streamlit takes by itself. Served by bench_clicks.py."""

import streamlit as st


def chosen() -> None:
    with st.container(horizontal=True, key="tabs"):
        for one in pages:
            st.page_link(one)
    st.title(page.title)
    st.markdown(" · ".join(str(st.session_state[key]) for key in ("mode", "level", "judge")))


@st.fragment
def moved() -> None:
    st.markdown(st.slider("Nothing", 0.0, 1.0, 0.5, 0.005))


def sliding() -> None:
    chosen()
    moved()


pages = [st.Page(chosen, title="Overview", url_path="overview"), st.Page(sliding, title="Agreement", default=True)]
page = st.navigation(pages, position="top")
with st.sidebar:
    st.radio("Mode", ["Exclude", "Count as negative"], key="mode")
    st.segmented_control("Level", ["Decisions (micro)", "Items"], default="Items", key="level")
    st.selectbox("Judge", ["first", "second"], key="judge")
page.run()
