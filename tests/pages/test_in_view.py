"""What is in view is worked out once in a run of a page, and not again in a run that changes nothing of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from metrics.data.ratings import Ratings
from pages.shared import state
from pages.shared.page_records import PAGES
from tests.pages.conftest import Open
from tests.pages.test_data_page import upload, use
from tests.pages.test_scales_of_criteria import MIXED


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each part of what is in view was worked out."""
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            calls[name] += 1
            return function(*args)

        return call

    for name in ("_of_sample", "_on", "_choices"):
        monkeypatch.setattr(state, name, counted(name, getattr(state, name)))
    return calls


@pytest.mark.parametrize("page", [page.file for page in PAGES])
def test_a_page_works_out_what_is_in_view_once(visit: Open, made: Counter[str], page: str) -> None:
    app = visit(f"pages/{page}.py", data="support_answers", panel="majority")
    assert made["_of_sample"] == 1
    assert max(made.values()) == 1, made
    app.run()
    assert max(made.values()) == 1, "a run that changes nothing works out nothing"


def test_a_choice_changes_what_rests_on_it_alone(visit: Open, made: Counter[str]) -> None:
    app = visit("pages/judge/agreement.py")
    before = Counter(made)
    app.radio(key="mode").set_value("as_unmet").run()
    assert made - before == Counter({"_choices": 1})
    app.selectbox(key="data").set_value("rao_two_criteria").run()
    assert made - before == Counter({"_of_sample": 1, "_on": 1, "_choices": 2})


def test_criteria_of_one_scale_are_taken_once(visit: Open, made: Counter[str]) -> None:
    app = use(upload(visit("pages/data/data.py"), "mixed.csv", MIXED))
    made.clear()
    for page in ("pages/judge/agreement.py", "pages/judge/scores.py"):
        app.switch_page(page).run()
        assert (made.pop("_on"), made.pop("_choices")) == (1, 1)
        assert not made


def test_the_same_ratings_are_handed_to_every_part_of_a_page(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[Ratings] = []
    dataset = state.dataset

    def seen() -> state.Dataset | None:
        its = dataset()
        if its is not None:
            handed.append(its.ratings)
        return its

    monkeypatch.setattr(state, "dataset", seen)
    visit("pages/judge/agreement.py", data="support_answers", panel="majority")
    assert len(handed) > 1
    assert all(one is handed[0] for one in handed)
