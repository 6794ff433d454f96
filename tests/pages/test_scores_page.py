"""The page of scores: ordered labels, score columns and item scores, each as the package computes it."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

import metrics
from metrics.analyses.scores import readings as said
from metrics.analyses.scores import readings_items, readings_numbers
from metrics.analyses.scores.binarised import cut_sweep
from metrics.analyses.scores.provenance import estimate_text, header
from metrics.figures.theme import TEXT, text_width
from metrics.readers import combine_files
from metrics.results.words import count, percent, signed, value
from tests.pages import own_file
from tests.pages.seen import figure, numbers_of, unescaped, words_in

PAGE = "pages/judge/scores.py"


def grades(seed: int = 2, *, numbers: bool = False) -> str:
    rng = np.random.default_rng(seed)
    lines = ["item,criterion,judge,human,verdict" + (",human_score,score" if numbers else "")]
    for item in range(70):
        for criterion in ("style", "facts"):
            human = int(rng.integers(1, 5))
            judge = int(np.clip(human + rng.integers(-1, 2), 1, 4))
            said_by_human = "NA" if item % 9 == 0 else human
            more = f",{human + rng.random():.3f},{judge + rng.random():.3f}" if numbers else ""
            lines.append(f"i{item},{criterion},j,{said_by_human},{judge}{more}")
    return "\n".join(lines)


def read(text: str) -> metrics.Ratings:
    return metrics.read(io.BytesIO(text.encode()), scale="ordinal")


@pytest.fixture
def opened(visit):
    return own_file.opened(visit, PAGE, grades().encode())


def test_the_page_says_what_the_package_computes(opened) -> None:
    report = metrics.scores(read(grades()))
    block = report.judges["j"].pooled
    assert numbers_of(opened) == {
        "κ quadratic": value(block.values["weighted_kappa_quadratic"]),
        "Exact agreement": percent(block.values["exact_agreement"]),
        "At most one off": percent(block.values["adjacent_agreement"]),
        "Bias": signed(block.values["bias"], 2),
    }
    assert header(report, "j").bold in unescaped(opened)
    for reading in (said.near_reading, said.bias_reading, said.rank_reading, said.matrix_reading, said.chance_reading):
        assert reading(report, "j") in unescaped(opened)
    table = next(frame.value for frame in opened.dataframe if "Criterion" in frame.value.columns)
    widths = json.loads(next(frame.proto.columns for frame in opened.dataframe if "Criterion" in frame.value.columns))
    assert widths["Criterion"]["width"] > text_width("Mean over criteria", TEXT) + 16
    assert list(table["Criterion"]) == ["All, pooled", "Mean over criteria", "style", "facts"]
    assert list(table["ρ"]) == [
        estimate_text(one, "spearman") for one in (block, report.judges["j"].mean, *report.judges["j"].criteria.values())
    ]
    assert str(int(block.confusion[0, 0])) in words_in(figure(opened, "scores.matrix"))


def test_one_criterion_and_another_number(opened) -> None:
    opened.selectbox(key="scores.criterion").select("facts").run()
    opened.selectbox(key="scores.metric").select("mae").run()
    report = metrics.scores(read(grades()))
    assert numbers_of(opened)["κ quadratic"] == value(report.judges["j"].criteria["facts"].values["weighted_kappa_quadratic"])
    assert value(report.judges["j"].mean.values["mae"]) in words_in(figure(opened, "scores.by_criterion"))


def test_what_options_are_worth(opened) -> None:
    opened.text_input(key="scores.values").set_value("1=0, 2=1, 3=10, 4=100").run()
    report = metrics.scores(read(grades()), values={"1": 0, "2": 1, "3": 10, "4": 100})
    assert numbers_of(opened)["Bias"] == signed(report.judges["j"].pooled.values["bias"], 2)
    assert "Values: 1 = 0, 2 = 1, 3 = 10, 4 = 100" in unescaped(opened)
    opened.text_input(key="scores.values").set_value("1=low").run()
    assert "gives no option its worth" in unescaped(opened)
    opened.text_input(key="scores.values").set_value("").run()
    assert numbers_of(opened)["Bias"] == signed(metrics.scores(read(grades())).judges["j"].pooled.values["bias"], 2)


def test_weights_of_ones_own(opened) -> None:
    opened.text_input(key="scores.cost").set_value("0,1,1,9; 1,0,1,1; 1,1,0,1; 9,1,1,0").run()
    opened.selectbox(key="scores.metric").select("weighted_kappa").run()
    cost = [[0, 1, 1, 9], [1, 0, 1, 1], [1, 1, 0, 1], [9, 1, 1, 0]]
    report = metrics.scores(read(grades()), cost=cost)
    assert value(report.judges["j"].mean.values["weighted_kappa"]) in words_in(figure(opened, "scores.by_criterion"))
    opened.text_input(key="scores.cost").set_value("0,1;1").run()
    assert "is no table of numbers" in unescaped(opened)
    opened.text_input(key="scores.cost").set_value("0,1;1,0").run()
    assert "The cost matrix of 1 < 2 < 3 < 4" in unescaped(opened)


def test_an_abstention_as_the_lowest_option(opened) -> None:
    opened.segmented_control(key="scores.open").select("as_unmet").run()
    report = metrics.scores(read(grades()), abstention="as_unmet")
    assert numbers_of(opened)["Exact agreement"] == percent(report.judges["j"].pooled.values["exact_agreement"])
    assert opened.radio(key="mode").disabled


def test_every_cut(opened) -> None:
    report = metrics.scores(read(grades()))
    sweep = cut_sweep(read(grades()), report, "j")
    shown_words = words_in(figure(opened, "scores.cuts"))
    assert all(value(cut.block(None).values["kappa"]) in shown_words for cut in sweep.cuts)
    best = sweep.best()
    assert f"κ is largest at {best.label} or above" in unescaped(opened).replace("*", "")
    assert figure(opened, "scores.cut_table")["data"]
    other = next(cut for cut in sweep.cuts if cut is not best)
    opened.selectbox(key="scores.cut").select(other.label).run()
    assert not opened.exception
    assert f"{other.label} or above" in unescaped(opened)
    assert count(int(other.block(None).confusion[0, 0])) in words_in(figure(opened, "scores.cut_table"))


def test_cuts_that_are_largest_alike_are_all_named(visit) -> None:
    same = "item,judge,human,verdict\n" + "".join(f"i{i},j,{1 + i % 3},{1 + i % 3}\n" for i in range(30))
    said = unescaped(own_file.opened(visit, PAGE, same.encode())).replace("*", "")
    assert "κ is largest at 2 or above and 3 or above, 1.00 at each. Chosen on the same decisions, it is optimistic." in said
    other = "".join(f"j{i},j,{1 + i % 2},{2 - i % 2}\n" for i in range(4))
    said = unescaped(own_file.opened(visit, PAGE, (same + other).encode())).replace("*", "")
    assert "κ is largest at 3 or above, 1.00, where 29 % are positive." in said.replace("\u00a0", " ")


def test_score_columns(visit) -> None:
    text = grades(numbers=True)
    app = own_file.opened(visit, PAGE, text.encode())
    app.segmented_control(key="scores.on").select("score").run()
    assert not app.exception
    report = metrics.scores(read(text), on="score")
    block = report.judges["j"].pooled
    shown_numbers = numbers_of(app)
    assert shown_numbers["Pearson’s r"] == value(block.values["pearson"])
    assert shown_numbers["Bias"] == signed(block.values["bias"], 2)
    assert readings_numbers.limits_reading(report, "j") in unescaped(app)
    assert figure(app, "scores.plane")["data"]
    assert figure(app, "scores.differences")["data"]


def test_item_scores_and_their_weights(visit) -> None:
    app = visit(PAGE)
    sample = metrics.read("assets/support_answers.csv")
    judge = sample.judges[0]
    report = metrics.item_scores(sample, judges=judge)
    assert numbers_of(app)["RMSE"] == value(report.judges[judge].all.measures["rmse"].value)
    assert readings_items.reading(report, judge) in unescaped(app)
    assert readings_items.header(report, judge).bold in unescaped(app)
    weights = dict.fromkeys(sample.criteria, 1.0) | {sample.criteria[0]: -2.0}
    app.session_state["weights"] = {app.selectbox(key="data").value: weights}
    app.run()
    weighted = metrics.item_scores(sample, judges=judge, weights=weights)
    assert numbers_of(app)["RMSE"] == value(weighted.judges[judge].all.measures["rmse"].value)


def test_item_scores_take_the_weights_of_the_files_rubric(visit) -> None:
    rubric = [{"name": name, "weight": weight, "requirement": name} for name, weight in (("right", 10.0), ("invents", -5.0))]
    truths, verdicts = np.array(["MET", "UNMET"])[np.random.default_rng(4).integers(0, 2, (2, 30, 2))].tolist()
    items = [{"submission": "s", "description": "d", "ground_truth": truth} for truth in truths]
    reports = [[{**one, "verdict": said} for one, said in zip(rubric, row, strict=True)] for row in verdicts]
    lines = [
        json.dumps({"item_idx": place, "report": {"report_type": "single", "criterion_reports": its}})
        for place, its in enumerate(reports)
    ]
    dataset = json.dumps({"rubric": rubric, "items": items}).encode()
    archive = combine_files([("dataset.json", dataset), ("items.jsonl", "\n".join(lines).encode())])
    app = own_file.opened(visit, PAGE, archive).run()
    report = metrics.item_scores(metrics.read(archive))
    assert report.worth.weights.tolist() == [10, -5]
    assert readings_items.header(report, "judge").bold in unescaped(app)
    assert numbers_of(app)["RMSE"] == value(report.judges["judge"].all.measures["rmse"].value)


def test_room_view_shows_one_figure_at_a_time(visit) -> None:
    app = visit(PAGE, view="room")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1


def test_one_warning_paragraph_however_many_criteria(visit) -> None:
    rows = [f"i{i},{name},j,{1 + i % 4},{3 if name < 'g' else 1 + i % 3}" for i in range(20) for name in "abcdefghij"]
    app = own_file.opened(visit, PAGE, "\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    warned = [one.value for one in app.markdown if one.value.startswith(":small[j")]
    assert len(warned) == 1
    assert "on a, b, c, d and 2 more the judge says only 3" in unescaped(app)


def test_labels_without_an_order_are_not_a_dead_end(visit) -> None:
    rows = [f"i{i},c,j,{'red blue green'.split()[i % 3]},{'red blue green'.split()[i % 2]}" for i in range(30)]
    app = own_file.opened(visit, PAGE, "\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    assert not app.exception
    assert not app.error
    assert "Say on the Data page that they are ordinal" in unescaped(app)
    assert any(button.label == "Give the order of the labels" for button in app.button)


def test_a_reversed_scale_can_be_turned_on_the_page(visit) -> None:
    lines = grades().splitlines()
    flipped = [lines[0], *(f"{line[:-1]}{5 - int(line[-1])}" for line in lines[1:])]
    app = own_file.opened(visit, PAGE, "\n".join(flipped).encode())
    (toggle,) = [one for one in app.toggle if "Turn the scale" in one.label]
    toggle.set_value(True).run()
    assert not app.exception
    found = metrics.scores(read("\n".join(flipped)), turn=["j"]).judges["j"].pooled
    assert numbers_of(app)["κ quadratic"] == value(found.values["weighted_kappa_quadratic"])
    assert "Reversed" in unescaped(app)


def test_a_scale_that_runs_the_same_way_is_not_offered_for_turning(opened) -> None:
    assert not [one for one in opened.toggle if "Turn the scale" in one.label]


def test_where_no_criterion_is_in_one_unit_none_is_to_be_chosen(visit) -> None:
    rows = [f"{i},{c},j,{(i * 7) % 11 / 10},{(i * 5) % 11}.5" for i in range(60) for c in ("one", "two")]
    app = own_file.opened(visit, PAGE, ("item,criterion,judge,human,verdict\n" + "\n".join(rows)).encode())
    assert "so a difference of them says nothing." in unescaped(app)
    assert "Choose a criterion where they are" not in unescaped(app)
