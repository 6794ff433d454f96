"""The filter of the sidebar: which items every page is about, said beside its title, in the address, and gone with one click."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import metrics
from pages.shared.filters import COLUMN, VALUES
from pages.shared.page_records import PAGES
from pages.shared.plain import escape
from pages.shared.report import numbers
from tests.pages.lines import lines_of
from tests.pages.own_file import opened
from tests.pages.seen import copies_of, text_of

AGREEMENT = "pages/judge/agreement.py"
OFF = "filter.off"
SAMPLE = "assets/support_answers.csv"


def frame() -> pd.DataFrame:
    """The judge is right in German but for one item in six, and guesses elsewhere."""
    rows = []
    for place in range(120):
        language = ("de", "*en*", "fr", "fr", "de")[place % 5]
        human = place % 3 != 1
        right = place % 6 != 0 if language == "de" else place % 4 < 2
        labels = ["MET" if met else "UNMET" for met in (human, human == right)]
        rows.append((f"i{place}", *labels, language))
    return pd.DataFrame(rows, columns=["item", "human", "verdict", "language"])


def own(visit: Any, page: str = AGREEMENT, table: pd.DataFrame | None = None) -> Any:
    content = (frame() if table is None else table).to_csv(index=False).encode()
    return opened(visit, page, content)


def filtered(visit: Any, *values: str, page: str = AGREEMENT) -> Any:
    app = own(visit, page)
    app.selectbox(key=COLUMN).set_value("language").run()
    app.multiselect(key=VALUES).set_value(list(values)).run()
    assert not app.exception
    return app


def kappa(table: pd.DataFrame) -> str:
    return f"{metrics.agreement(metrics.read(table)).judges['judge'].micro.values['kappa']:.2f}"


def test_numbers_are_those_of_the_file_with_these_rows_alone(visit: Any) -> None:
    app = filtered(visit, "de")
    assert escape("Only items where language = de: 48 of 120 items.") in text_of(app)
    whole, part = frame(), frame()[frame()["language"] == "de"]
    assert kappa(whole) != kappa(part)
    assert kappa(part) in text_of(app)


def test_values_stand_in_the_address_and_one_click_takes_them_off(visit: Any) -> None:
    app = filtered(visit, "de", "*en*")
    assert app.query_params["where"] in ("language=de|*en*", ["language=de|*en*"])
    assert escape("language = de or *en*: 72 of 120") in text_of(app)
    app.button(key=OFF).click().run()
    assert not app.exception
    assert "where" not in app.query_params
    assert "Only items where" not in text_of(app)
    assert app.selectbox(key=COLUMN).value is None


def test_a_column_alone_filters_nothing_yet(visit: Any) -> None:
    app = own(visit)
    app.selectbox(key=COLUMN).set_value("language").run()
    assert "where" not in app.query_params
    assert "Only items where" not in text_of(app)


def test_the_copied_lines_read_the_same_items(visit: Any) -> None:
    app = filtered(visit, "de")
    python, commands = lines_of(app)
    assert 'where=["language=de"]' in python
    assert any("--where language=de" in line for line in commands)


def test_without_a_column_of_groups_there_is_no_control(visit: Any) -> None:
    app = own(visit, table=frame().drop(columns="language"))
    assert not [element for element in app.selectbox if element.key == COLUMN]


def test_a_link_brings_the_filter_and_one_that_fits_nothing_is_left_aside(visit: Any) -> None:
    app = visit(AGREEMENT, where="prompt=p1")
    assert escape("Only items where prompt = p1:") in text_of(app)
    for wrong in ("prompt=p9", "answer=p1", "nothing", "prompt>p1"):
        app = visit(AGREEMENT, where=wrong)
        assert "Only items where" not in text_of(app)


@pytest.mark.parametrize("page", [page.path for page in PAGES if not page.why_not("where") and page.criteria != "whole file"])
def test_it_holds_on_every_page_that_counts(visit: Any, page: str) -> None:
    app = visit(page, where="prompt=p1")
    assert not app.exception
    assert escape("Only items where prompt = p1:") in text_of(app)
    for _, quoted in copies_of(app):
        assert "only items where prompt = p1" in quoted.lower()


def test_a_filter_that_leaves_nothing_on_a_criterion_takes_the_others(visit: Any) -> None:
    rows = [
        (f"i{place}", criterion, "yes" if place % 2 else "no", "yes" if place % 3 else "no", "de" if place % 4 else "en")
        for place in range(60)
        for criterion in (("tone", "facts") if place % 4 else ("tone",))
    ]
    app = own(visit, table=pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict", "language"]))
    app.selectbox(key=COLUMN).set_value("language").run()
    app.multiselect(key=VALUES).set_value(["en"]).run()
    assert not app.exception
    assert escape("language = en: 15 of 60 items.") in text_of(app)


def test_the_report_counts_these_items(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    counted, make = [], numbers._base

    def seen(key: str, _asked: numbers.Wanted) -> Any:
        counted.append(_asked.whole)
        return make(key, _asked=_asked)

    monkeypatch.setattr(numbers, "_base", seen)
    visit("pages/report/report.py", where="prompt=p1")
    part = metrics.read(SAMPLE, where="prompt=p1")
    assert {(ratings.n_items, ratings.source.how.where) for ratings in counted} == {(part.n_items, ("prompt=p1",))}
