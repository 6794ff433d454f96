"""The filter of the whole dashboard: on every page, in the address, said where numbers stand, and taken off by one click."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.results.words import number
from pages.shared.page_records import PAGES
from tests.pages.conftest import ROOT, Open
from tests.pages.seen import unescaped

SAMPLE = ROOT / "assets" / "support_answers.csv"
AGREEMENT = "pages/judge/agreement.py"


def kappa(**how: Any) -> str:
    report = metrics.agreement(metrics.read(SAMPLE, **how))
    return number(report.judges["strict"].micro.values["kappa"])


def filtered(app: AppTest, *values: str) -> AppTest:
    next(box for box in app.selectbox if box.label == "Only where").set_value("prompt").run()
    next(box for box in app.multiselect if box.label == "prompt is").set_value(list(values)).run()
    assert not app.exception
    return app


def shown_kappa(app: AppTest) -> str:
    return next(metric.value for metric in app.metric if metric.label == "Cohen’s κ")


def test_numbers_are_those_of_the_items_alone_and_say_so(visit: Open) -> None:
    app = visit(AGREEMENT)
    assert shown_kappa(app) == kappa()
    filtered(app, "p1")
    assert shown_kappa(app) == kappa(where="prompt=p1")
    said = unescaped(app).replace("\u00a0", " ")
    assert "Only items where prompt = p1" in said
    assert "118 of 226 items" in said
    assert "only items where prompt = p1" in said


def test_one_click_takes_it_off(visit: Open) -> None:
    app = filtered(visit(AGREEMENT), "p2")
    app.button(key="where.off").click().run()
    assert shown_kappa(app) == kappa()
    assert "Only items where" not in unescaped(app)


def test_a_link_brings_it_back(visit: Open) -> None:
    app = visit(AGREEMENT, where="prompt", **{"is": "p1"})
    assert shown_kappa(app) == kappa(where="prompt=p1")
    assert next(box for box in app.multiselect if box.label == "prompt is").value == ["p1"]


@pytest.mark.parametrize("link", [{"where": "nothing", "is": "p1"}, {"where": "prompt", "is": "p9"}, {"where": "prompt"}])
def test_a_link_that_fits_no_column_or_value_filters_nothing(visit: Open, link: dict[str, str]) -> None:
    assert shown_kappa(visit(AGREEMENT, **link)) == kappa()


def test_all_values_are_all_items(visit: Open) -> None:
    app = filtered(visit(AGREEMENT), "p1", "p2")
    assert shown_kappa(app) == kappa(where="prompt=p1|p2")


@pytest.mark.parametrize("page", [page for page in PAGES if page.why_not("data") == ""], ids=lambda page: page.name)
def test_every_page_takes_it(visit: Open, page: Any) -> None:
    app = filtered(visit(AGREEMENT), "p1")
    app.switch_page(f"pages/{page.file}.py").run()
    assert not app.exception


def test_a_file_without_a_grouping_column_has_no_filter(visit: Open) -> None:
    app = visit(AGREEMENT, data="rao_balanced")
    assert not [box for box in app.selectbox if box.label == "Only where"]
