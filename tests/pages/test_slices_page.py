"""Slices: the page shows the package's numbers, leads to the decisions, and says what a file without columns needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.analyses.slices import readings
from metrics.results.words import number
from pages.shared.plain import escape
from tests.pages.own_file import opened
from tests.pages.seen import figure, text_of, unescaped, words_in
from tests.slices.made import failing

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/judge/slices.py"
BY, CROSS, CUTS = "slices.by", "slices.cross", "slices.cuts"


def own(visit: Any, **columns: Any) -> Any:
    return opened(visit, PAGE, failing(300).assign(**columns).to_csv(index=False).encode())


def test_the_figure_and_the_sentences_are_those_of_the_report(visit: Any) -> None:
    app = own(visit)
    report = metrics.slices(metrics.read(failing(300)), "language", find=True)
    judge = report.judges["judge"]
    assert app.selectbox(key=BY).value == "language"
    shown = words_in(figure(app, "slices.groups"))
    for each in judge.slices:
        assert each.value in shown
    assert number(judge["ja"]["kappa"].value) in shown
    assert escape(readings.headline(report, judge)) in text_of(app)
    for sentence in readings.found_sentences(report.searches["judge"]):
        assert escape(sentence) in text_of(app)


def test_a_column_of_numbers_asks_where_bins_end_and_a_wrong_answer_is_refused(visit: Any) -> None:
    app = own(visit)
    app.selectbox(key=BY).set_value("tokens").run()
    assert not app.exception
    app.text_input(key=CUTS).set_value("100, 500").run()
    assert "above 100 to 500" in words_in(figure(app, "slices.groups"))
    app.text_input(key=CUTS).set_value("100, many").run()
    assert not app.exception
    assert "numbers between commas" in text_of(app)


def test_two_columns_are_crossed(visit: Any) -> None:
    app = own(visit)
    app.selectbox(key=CROSS).set_value("tokens").run()
    assert not app.exception
    assert any("×" in text for text in words_in(figure(app, "slices.groups")).split("\n")) or "×" in words_in(
        figure(app, "slices.groups")
    )


def test_a_file_without_columns_says_what_to_add(visit: Any) -> None:
    frame = failing(60)[["item", "human", "verdict"]]
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    assert not app.get("plotly_chart")
    assert any("language, topic, model" in info.value for info in app.info)


@pytest.mark.parametrize("value", ["<b>x</b>", "[a](https://b.c)", "*de*", ":red[x]"])
def test_values_of_the_file_are_shown_as_typed(visit: Any, value: str) -> None:
    frame = failing(300)
    frame["language"] = frame["language"].replace("ja", value)
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    texts = [markdown.value for markdown in app.markdown]
    assert not [text for text in texts if value in text]


def test_a_slice_that_departs_is_a_line_of_the_overview(visit: Any) -> None:
    app = opened(visit, "pages/judge/overview.py", failing(300).to_csv(index=False).encode())
    report = metrics.slices(metrics.read(failing(300)), find=True)
    assert escape(readings.found_sentences(report.searches["judge"])[0]) in text_of(app)


def test_the_sample_has_slices(visit: Any) -> None:
    app = visit(PAGE)
    assert not app.exception
    assert "prompt" in app.selectbox(key=BY).options


def test_the_page_says_whether_the_judge_is_kinder_to_long_answers(visit) -> None:
    app = visit(PAGE)
    said = unescaped(app)
    assert "Is the judge kinder to long answers, or to its own family?" in said
    assert "No significant effect of length (answer)" in said
