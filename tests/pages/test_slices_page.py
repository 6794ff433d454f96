"""Slices: the page shows the package's numbers, leads to the decisions, and says what a file without columns needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics.analyses.biases import readings as bias_readings
from metrics.analyses.slices import readings
from metrics.results.words import capital, number
from pages.shared.plain import escape
from tests.biases.test_of_pairs import pairs
from tests.pages.own_file import opened
from tests.pages.seen import figure, text_of, unescaped, words_in
from tests.slices.made import failing, versions

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
    assert "p within" not in text_of(app)
    assert "worst first · grey: too small to be tested · " in unescaped(app)
    assert "grey" not in text_of(own(visit, language=["en", "de", "ja"] * 100))


def test_p_within_is_explained_where_several_criteria_make_its_column(visit: Any) -> None:
    made = failing(300)
    both = pd.concat([made.assign(criterion="a"), made.assign(criterion="b")])
    assert "p within: the same of κ within criteria" in text_of(opened(visit, PAGE, both.to_csv(index=False).encode()))


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
    assert "×" in words_in(figure(app, "slices.groups"))


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


def test_biases_are_those_of_the_package(visit: Any) -> None:
    app = own(visit)
    report = metrics.biases(metrics.read(failing(300)))
    assert report.judges["judge"]
    for bias in report.judges["judge"]:
        assert escape(capital(bias_readings.sentence(bias, report))) in text_of(app)


def test_versions_stand_beside_the_one_before(visit: Any) -> None:
    frame = versions()
    app = opened(visit, PAGE, frame.rename(columns={"prompt": "run"}).to_csv(index=False).encode())
    app.selectbox(key=BY).set_value("run").run()
    assert not app.exception
    report = metrics.slices(metrics.read(frame.rename(columns={"prompt": "run"})), "run")
    assert escape(readings.steps_reading(report, report.judges["judge"])) in text_of(app)
    assert "First runs" in words_in(figure(app, "slices.groups"))


def test_batches_over_time_have_their_chart(visit: Any) -> None:
    app = own(visit)
    app.selectbox(key=BY).set_value("day").run()
    assert not app.exception
    judge = metrics.slices(metrics.read(failing(300)), "day").judges["judge"]
    assert "batches, earliest first" in words_in(figure(app, "slices.over_time"))
    assert escape(readings.chart_reading(judge)) in text_of(app)


def test_a_file_of_two_answers_shows_what_sways_the_judge_more_than_people(visit: Any) -> None:
    frame = pairs(longer=0.8)
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    labels = {"A": "positive", "B": "negative", "tie": "tie"}
    report = metrics.biases(metrics.read(frame, labels=labels))
    for bias in report.judges["gpt-4-judge"]:
        assert escape(capital(bias_readings.sentence(bias, report))) in text_of(app)
    assert "how much more often than people" in text_of(app)
