from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
Open = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def visit() -> Open:
    """The app as a visitor meets it: an address, then a page."""

    def start(page: str | None = None, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if page is not None:
            app.switch_page(page).run()
        assert not app.exception
        return app

    return start
