"""The cost matrix of the Abstention page: what it shows is what the package computes, and every way to set it works."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.data.aggregation import LEVELS
from metrics.results.words import bounds, number
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/judge/abstention.py"
SHOW = {"abstention_show": "Cost matrix"}
NO_ABSTENTION = "item,human,verdict\n" + "".join(
    f"q{i},{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'}\n" for i in range(40)
)
ABSTAINING = (
    NO_ABSTENTION + "q90,MET,CANNOT_ASSESS\nq91,CANNOT_ASSESS,UNMET\nq92,CANNOT_ASSESS,CANNOT_ASSESS\nq93,UNMET,CANNOT_ASSESS\n"
)


def expected(cost: str, level: str = "micro") -> tuple[str, str]:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    judge = ratings.judges[0]
    report = metrics.agreement(ratings, abstention="as_category", cost=cost, judges=[judge])
    block = report.judges[judge].level(level)
    return number(block.values["weighted_kappa"]), bounds(block["weighted_kappa"].ends)


def shown(app) -> tuple[str, str]:
    return next((metric.value, metric.delta) for metric in app.metric if metric.label == "Weighted κ")


def opened(visit, text: str):
    app = visit("pages/data/data.py", **SHOW)
    app.file_uploader(key="data.upload").upload("labels.csv", text.encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    app.segmented_control(key="abstention_show").set_value("cost").run()
    assert not app.exception
    return app


@pytest.mark.parametrize("level", LEVELS)
def test_the_first_matrix_at_every_level(visit, level):
    assert shown(visit(PAGE, level=level, **SHOW)) == expected("halfway", level)


@pytest.mark.parametrize("name", ["nominal", "as-negative", "as-positive"])
def test_presets_fill_the_matrix(visit, name):
    app = visit(PAGE, **SHOW)
    app.pills(key="cost.preset").set_value(name).run()
    assert not app.exception
    assert shown(app) == expected(name)
    cells = [[app.number_input(key=f"cost.{row}{column}").value for column in range(3)] for row in range(3)]
    assert cells == [list(row) for row in metrics.measures.cost_matrices.cost_of(name)]


def test_a_cell_changes_the_number_at_once(visit):
    app = visit(PAGE, **SHOW)
    app.number_input(key="cost.02").set_value(2.0).run()
    assert shown(app) == expected("0,1,2;1,0,0.5;0.5,0.5,0")
    assert app.text_input(key="cost").value == "0,1,2;1,0,0.5;0.5,0.5,0"
    assert app.number_input(key="cost.00").disabled
    assert "which is not on this line" in text_of(app)


def test_a_link_carries_the_matrix(visit):
    app = visit(PAGE, cost="0,1,1;1,0,0;1,0,0", **SHOW)
    assert shown(app) == expected("as-negative")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0,0,0;0,0,0;0,0,0", "not all zero"),
        ("0,-1,1;1,0,1;1,1,0", "not negative"),
        ("rubbish", "Unknown cost"),
        ("", "Unknown cost"),
    ],
)
def test_what_is_no_matrix_is_refused_and_the_last_one_counts(visit, text, said):
    app = visit(PAGE, **SHOW)
    app.text_input(key="cost").set_value(text).run()
    assert not app.exception
    assert said in app.error[0].value
    assert "The last matrix still counts." in app.error[0].value
    assert shown(app) == expected("halfway")


def test_the_figure_and_the_readings_have_the_numbers(visit):
    app = visit(PAGE, **SHOW)
    said = text_of(app).replace("\\", "")
    drawn = words_in(figure(app, "cost.slide"))
    assert f"chosen {' '.join(expected('halfway'))}" in drawn
    assert f"nominal {expected('nominal')[0]}" in drawn
    assert f"κ_w is {expected('as-negative')[0]} when *CANNOT_ASSESS* is as good as *UNMET*" in said
    assert "with three answers they differ, because the human says *MET* 600 times" in said
    assert "R_K 0.632: κ is lower" in said
    assert list(app.table[-1].value.columns) == ["answers", "n", "Pearson", "Spearman"]


@pytest.mark.parametrize("level", LEVELS)
def test_no_abstention_is_a_plain_sentence(visit, level):
    app = opened(visit, NO_ABSTENTION)
    app.segmented_control(key="level").set_value(level).run()
    kappa = number(metrics.agreement(metrics.read(NO_ABSTENTION.encode()), interval="none").judges["judge"].micro.values["kappa"])
    assert f"so the cost of giving no verdict changes nothing: κ is {kappa} under all presets." in text_of(app)
    assert "Weighted κ" not in numbers_of(app)


def test_undefined_is_said(visit):
    app = opened(visit, "item,human,verdict\n" + "".join(f"q{i},MET,MET\n" for i in range(5)) + "q9,UNMET,\n")
    assert "κ is undefined: both sides give only MET." in text_of(app).replace("\\", "")


def test_one_criterion_at_macro_level_reads_its_own_table(visit):
    app = opened(visit, ABSTAINING)
    app.segmented_control(key="level").set_value("macro").run()
    assert "averaged over the criteria" not in text_of(app)
    assert "pools the decisions" not in text_of(app)


def test_classes_have_no_cost_matrix(visit):
    rows = "item,human,verdict\n" + "".join(f"q{i},{'abc'[i % 3]},{'abc'[i % 2]}\n" for i in range(12))
    app = visit("pages/data/data.py", **SHOW)
    app.file_uploader(key="data.upload").upload("classes.csv", rows.encode(), "text/csv").run()
    for label in "abc":
        box = next((box for box in app.selectbox if box.label == f"Meaning of {label}"), None)
        if box is not None:
            box.set_value("class").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    app.segmented_control(key="abstention_show").set_value("cost").run()
    assert not app.exception
    assert "The labels of this file are classes of their own." in text_of(app)


def test_the_room_shows_the_line_and_the_correlations(visit):
    app = visit(PAGE, view="room", cost="0,1,1;1,0,0;1,0,0", **SHOW)
    seen = []
    for _ in range(12):
        seen.append(text_of(app))
        button = app.button(key="room.right")
        if button.disabled:
            break
        button.click().run()
        assert not app.exception
    assert any("κ_w is" in text for text in seen)
    assert any("Pearson is" in text for text in seen)
    assert any(f"The chosen matrix gives {' '.join(expected('as-negative'))}" in text.replace("\\", "") for text in seen)
