"""A part of a page that JavaScript draws or hears, from the data that Python gives it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st


def mount(name: str, *scripts: str | Path, key: str, data: object, html: str = "", css: str = "", **more: Any) -> None:
    """Put the component of a name on the page.

    Parameters
    ----------
    name : str
    scripts : str or Path
        JavaScript, or files of it, one behind the other.
    key : str
    data : object
        What the script is given in every run.
    html, css : str
    more
        What Streamlit calls when the script says something, and the width.
    """
    _known(name, scripts, html, css)(key=key, data=data, height="content", **more)


@st.cache_resource(show_spinner=False, max_entries=32)  # more than there are components
def _known(name: str, _scripts: tuple[str | Path, ...], _html: str, _css: str) -> Any:
    js = "".join(script.read_text("utf-8") if isinstance(script, Path) else script for script in _scripts)
    return st.components.v2.component(name, html=_html or None, css=_css or None, js=js)
