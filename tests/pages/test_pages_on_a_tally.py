"""Pages of raters, ensembles, curves, scores and preferences with a tally: no exception, and the numbers of the rows."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from metrics.results.words import NEEDS_ROWS
from pages.shared.state import Dataset
from tests.metrics.test_tallied_reports import both
from tests.pages.conftest import ROOT
from tests.pages.seen import every_number_can_be_quoted

IDS = ("rows", "tally")


@pytest.fixture
def on_both(registered: dict[str, Any]) -> Any:
    """A page with the rows of a sample, and with a tally of it."""

    def start(page: str, **query: str) -> tuple[AppTest, ...]:
        return tuple(_opened(registered, page, name, query) for name in IDS)

    return start


def _opened(registered: dict[str, Any], page: str, name: str, query: dict[str, str]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    ratings = both("support_answers")[IDS.index(name)]
    app.session_state["uploads"] = {name: Dataset(name, "Answers", "upload", ratings)}
    app.session_state["data"] = name
    for key, value in query.items():
        app.query_params[key] = value
    app._registered_pages = registered
    app.switch_page(page)
    app.run()
    assert not app.exception
    assert every_number_can_be_quoted(app)
    return app


OWN = ("support_answers.csv", "tally", "**Fatigue:**", "the download holds all")
"""What is of the rows alone: the declaration names a tally as one, lists and the order of rows are not there."""


def said(app: AppTest) -> list[str]:
    return [one.value for one in (*app.main.metric, *app.main.markdown) if not any(own in one.value for own in OWN)]


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("pages/rubric/raters.py", {"raters_show": "Rater × rater"}),
        ("pages/rubric/raters.py", {"raters_show": "Human ceiling"}),
        ("pages/rubric/ensemble.py", {}),
        ("pages/judge/roc.py", {}),
        ("pages/judge/scores.py", {}),
        ("pages/judge/preferences.py", {}),
    ],
)
def test_a_page_says_of_a_tally_what_it_says_of_its_rows(on_both: Any, page: str, query: dict[str, str]) -> None:
    rows, tally = on_both(page, **query)
    assert said(rows) == said(tally)


@pytest.mark.parametrize(
    ("page", "query"),
    [("pages/rubric/raters.py", {"raters_show": "Disagreements"}), ("pages/rubric/ensemble.py", {})],
)
def test_a_list_of_items_says_that_it_needs_the_rows(on_both: Any, page: str, query: dict[str, str]) -> None:
    rows, tally = on_both(page, **query)
    assert NEEDS_ROWS in [one.value for one in tally.info]
    assert NEEDS_ROWS not in [one.value for one in rows.info]
