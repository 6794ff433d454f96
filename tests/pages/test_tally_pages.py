"""A tally on the pages: the numbers of its rows, and a sentence where single items are asked for."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from metrics.engines import count_frame
from metrics.results.words import NEEDS_ROWS
from tests.pages.conftest import Open

SAYS = ("MET", "UNMET")
ROWS = [
    (f"i{item}", criterion, name, role, SAYS[(item // part + (criterion == "tone")) % 2])
    for item in range(60)
    for criterion in ("tone", "length")
    for name, role, part in (("h", "human", 3), ("a", "judge", 4), ("b", "judge", 2))
]
FRAME = pd.DataFrame(ROWS, columns=["item", "criterion", "rater", "role", "label"])


def opened(visit: Open, name: str, content: bytes) -> AppTest:
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload(name, content, "application/octet-stream").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    return app


@pytest.fixture
def tallied(visit: Open) -> AppTest:
    tally = count_frame(FRAME, name="rows.csv").to_bytes()
    assert len(pd.read_parquet(io.BytesIO(tally))) < len(FRAME) / 2
    return opened(visit, "own.parquet", tally)


def said(app: AppTest) -> list[str]:
    assert not app.exception
    return [shown.value for shown in app.markdown]


def test_lists_of_items_are_replaced_by_a_sentence(tallied: AppTest) -> None:
    tallied.switch_page("pages/judge/agreement.py").run()
    tallied.session_state["agreement.cell"] = (0, 1)
    shown = said(tallied.run())
    place = shown.index(NEEDS_ROWS)
    behind = int(shown[place - 1].split()[0].removeprefix("**"))
    rows = FRAME.pivot(index=["item", "criterion"], columns="rater", values="label")
    assert behind == ((rows["h"] == "MET") & (rows["a"] == "UNMET")).sum()
    for page, times in (("judge/compare", 2), ("rubric/review", 2)):
        shown = said(tallied.switch_page(f"pages/{page}.py").run())
        assert sum(NEEDS_ROWS in text for text in shown) == times
        assert not any("item" in frame.value.columns for frame in tallied.dataframe)


def test_other_pages_say_what_they_say_of_the_rows(tallied: AppTest, visit: Open) -> None:
    rows = opened(visit, "own.csv", FRAME.to_csv(index=False).encode())
    for page in ("judge/kappa_phi", "judge/abstention", "choose/choose", "choose/rate", "learn/prevalence"):
        both = []
        for app in (rows, tallied):
            app.switch_page(f"pages/{page}.py").run()
            both.append([text for text in said(app) if "own" not in text and "ally" not in text])
        assert any(sign.isdigit() for text in both[0] for sign in text)
        assert both[0] == both[1]
