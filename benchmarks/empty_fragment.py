"""A fragment of nothing but a slider: what Streamlit and the browser take by themselves. Served by bench_slider.py."""

import streamlit as st


@st.fragment
def moved() -> None:
    st.slider("Nothing", 0.0, 1.0, 0.5, 0.005)


moved()
