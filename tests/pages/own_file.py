"""A file of one's own, made of verdicts, and the page it is opened on."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Open
from tests.pages.seen import every_number_can_be_quoted


def rows(verdicts: Iterable[tuple[str, str, str, str]]) -> bytes:
    """Item, criterion, human's and judge's label as a file."""
    long = [
        (item, criterion, name, role, label)
        for item, criterion, human, judge in verdicts
        for name, role, label in (("h", "human", human), ("j", "judge", judge))
    ]
    return pd.DataFrame(long, columns=["item", "criterion", "rater", "role", "label"]).to_csv(index=False).encode()


def opened(visit: Open, page: str, content: bytes) -> AppTest:
    """The page with a file of one's own, confirmed as it is proposed."""
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("own.csv", content, "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    app.switch_page(page).run()
    assert app.selectbox(key="data").value not in ("support_answers", None)
    assert not app.exception
    assert every_number_can_be_quoted(app)
    return app
