"""Abstention: every number on the page is one of the package, and no data make it fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.abstention import readings, readings_tradeoff
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.nonresponse import by_criterion, by_judge, by_label, decisions_of
from metrics.analyses.abstention.relation import joint_abstention, relation
from metrics.analyses.abstention.selective import risk_coverage, tradeoff
from metrics.analyses.abstention.tables import f1_of
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.data.aggregation import LEVELS
from metrics.results.words import bounds as ends_in
from metrics.results.words import count, number, percent
from pages.shared.plain import emphasis, escape
from tests.pages.own_file import opened, rows
from tests.pages.seen import figure, text_of, unescaped, words_in
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/judge/abstention.py"
SHOW, BY = "abstention_show", "abstention_by"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def columns_of(app) -> list[dict[str, tuple[str, str]]]:
    """The three columns: label to value and interval."""
    found: list[dict[str, tuple[str, str]]] = []
    for one in app.metric:
        if one.label == "κ":
            found.append({})
        if found and one.label in ("κ", "Accuracy", "F1", "Macro-F1") and one.label not in found[-1]:
            found[-1][one.label] = (one.value, one.delta)
    return found


def test_three_columns_are_three_reports(visit, sample):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("cautious").run()
    for level in LEVELS:
        app.segmented_control(key="level").set_value(level).run()
        assert not app.exception
        three_columns(app, sample, level)


def three_columns(app, sample, level):
    shown = columns_of(app)
    assert len(shown) == 3
    for mode, column in zip(MODES, shown, strict=True):
        block = metrics.agreement(sample, abstention=mode, judges=["cautious"]).judges["cautious"].level(level)
        assert column["κ"] == (number(block.values["kappa"]), ends_in(block["kappa"].ends))
        assert column["Accuracy"] == (percent(block.values["accuracy"]), ends_in(block["accuracy"].ends, "%"))
        name, own = f1_of(block, mode)
        assert column[name.split(",")[0]][0] == number(own.value)
        if block.n is not None:
            assert f"N = {count(block.n)} {'items' if level == 'item' else 'decisions'}" in text_of(app)


def test_each_mode_says_its_question(visit):
    text = text_of(visit(PAGE))
    for question in ("How good where both answer?", "How good if no verdict means *UNMET*?", "an answer of its own?"):
        assert question in text


def test_the_published_table_to_three_decimals(visit):
    app = visit(PAGE, data="rao_abstention")
    table = next(table.value for table in app.table if "F1 is" in table.value.columns)
    assert [cell.split(" ")[0] for cell in table["accuracy"]] == ["0.714", "0.700", "0.600"]
    assert [cell.split(" ")[0] for cell in table["κ"]] == ["0.417", "0.394", "0.370"]
    assert [cell.split(" ")[0] for cell in table["F1"]] == ["0.750", "0.667", "0.667"]
    assert list(table["N"]) == ["70", "100", "100"]
    assert [column["κ"][0] for column in columns_of(app)] == ["0.42", "0.39", "0.37"]
    counts = [table.value for table in app.table if "human ▾ judge ▸" in table.value.columns]
    assert [list(map(list, its.iloc[:, 1:].values.tolist())) for its in counts] == [
        [["30", "10"], ["10", "20"]],
        [["30", "15"], ["15", "40"]],
        [["30", "10", "5"], ["10", "20", "5"], ["5", "5", "10"]],
    ]
    assert "it is an identity" in text_of(app)
    assert "0.60" in words_in(figure(app, "abstention.bounds"))
    assert "−0.01" in words_in(figure(app, "abstention.bounds"))


def test_a_number_without_an_interval_says_so_beside_those_that_have_one(visit):
    excluded, recoded, third = columns_of(visit(PAGE))
    assert third["F1"][1] == "no interval"
    assert all(ends.startswith("[") for column in (excluded, recoded) for _, ends in column.values())


def test_coverage_and_why(visit, sample):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("cautious").run()
    found = joint_abstention(sample, "cautious", settings_of(sample))
    shown = {one.label: one for one in app.metric}
    assert shown["Joint coverage"].value == percent(found.joint)
    assert shown["Judge coverage"].value == percent(found.judge)
    assert shown["Human coverage"].value == percent(found.human)
    assert (shown["Abstention κ"].value, shown["Abstention κ"].delta) == (number(found.kappa.value), ends_in(found.kappa.ends))
    assert readings.coverage_reading(found) in text_of(app)


@pytest.mark.parametrize("silent", ["j", "both"])
def test_a_kappa_that_one_side_alone_makes_has_no_interval(visit, silent):
    made = [(f"i{n}", "c", "MET" if n % 3 else "UNMET", "MET" if n % 4 else "UNMET") for n in range(30)]
    open_by = {"j": ((0, 0), (0, 1), (0, 2)), "both": ((1, 0), (0, 1), (1, 1))}[silent]
    for n, (human, judge) in enumerate(open_by):
        item, criterion, said, verdict = made[n]
        made[n] = item, criterion, "CANNOT_ASSESS" if human else said, "CANNOT_ASSESS" if judge else verdict
    made[3] = (*made[3][:3], "CANNOT_ASSESS")
    app = opened(visit, PAGE, rows(made))
    shown = next(one for one in app.metric if one.label == "Abstention κ")
    fixed = "0 by construction: only the judge abstains"
    assert (shown.value, shown.delta) == ("0.00", "no interval") if silent == "j" else shown.delta.startswith("[")
    assert (fixed in text_of(app)) == (silent == "j")
    app.switch_page("pages/judge/agreement.py").run()
    app.radio(key="mode").set_value("as_category").run()
    assert not app.exception
    told = str(next(one for one in app.metric if one.label == "Abstention κ").proto)
    assert (fixed in told) == (silent == "j")


def test_bands_are_the_bounds(visit, sample):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("cautious").run()
    for level in LEVELS:
        app.segmented_control(key="level").set_value(level).run()
        bands_of(app, sample, level)


def bands_of(app, sample, level):
    found = bounds(sample, "cautious", settings_of(sample), level)
    chart = figure(app, "abstention.bounds")
    bands = [(shape["x0"], shape["x1"]) for shape in chart["layout"]["shapes"] if shape["type"] == "rect"]
    wanted = [found.by_metric[key].ends for key in ("accuracy", "f1", "kappa", "phi")]
    assert np.array(bands) == pytest.approx(np.array(wanted))
    block = metrics.agreement(sample, judges=["cautious"]).judges["cautious"].level(level)
    unit = "items" if level == "item" else "decisions"
    assert escape(readings.bounds_reading(found, "kappa", block, unit)) in text_of(app)
    table = next(table.value for table in app.table if "worst case" in table.value.columns)
    assert len(table) == len(found.by_metric)


def test_what_abstaining_buys(visit, sample):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("cautious").run()
    chosen = settings_of(sample)
    points, curve = tradeoff(sample, chosen), risk_coverage(sample, "cautious", chosen)
    line, others, own = figure(app, "abstention.trade")["data"]
    assert (own["x"], own["y"]) == ([points[2].coverage], [points[2].accuracy])
    assert others["x"] == [point.coverage for point in points[:2]]
    assert line["y"][-1] == pytest.approx(curve.accuracy[-1])
    assert readings_tradeoff.tradeoff_reading(points, "cautious", curve, name=emphasis) in text_of(app)
    assert escape(readings_tradeoff.curve_note(curve, "MET")) in text_of(app)


def test_item_level_shows_who_survives(visit, sample):
    app = visit(PAGE, level="Item")
    app.selectbox(key="judge").set_value("cautious").run()
    more = metrics.agreement(sample, judges=["cautious"]).judges["cautious"].item.more
    assert "Which items have verdicts on both sides?" in unescaped(app)
    shown = {one.label: one for one in app.metric}
    assert shown["Item coverage"].value == percent(more["coverage"]["coverage"])
    assert shown["Human: MET"].value == percent(more["coverage"]["by_reference"]["MET"])
    assert shown["Human: UNMET"].value == percent(more["coverage"]["by_reference"]["UNMET"])
    assert shown["κ, complete items"].value == number(more["complete"]["kappa"])
    assert shown["κ, complete items"].delta == f"{more['complete']['n']} items"
    assert readings.item_reading(more, "all", ("MET", "UNMET"), criteria=len(sample.criteria), name=emphasis) in text_of(app)
    app.segmented_control(key="level").set_value("micro").run()
    assert "Item coverage" not in {one.label for one in app.metric}


def test_one_of_a_thing_is_no_plural(visit):
    app = opened(visit, PAGE, rows([("i1", "c", "MET", "MET"), ("i2", "c", "MET", "CANNOT_ASSESS")]))
    assert "N = 1 decision" in text_of(app)
    assert "N = 1 decisions" not in text_of(app)
    assert "N = 2 decisions" in text_of(app)
    app.segmented_control(key="level").set_value("item").run()
    assert "N = 1 items" not in text_of(app)
    app.segmented_control(key="level").set_value("macro").run()
    assert "Mean over 1 criterion, κ defined in" in text_of(app)


def test_who_abstains_and_on_what(visit, sample):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("cautious").run()
    app.segmented_control(key=SHOW).set_value("who").run()
    assert not app.exception
    chosen = settings_of(sample)
    decisions = decisions_of(sample, "cautious", chosen.reference)
    criteria = by_criterion(sample, decisions)
    _, judge, human = figure(app, "abstention.groups")["data"]
    assert judge["x"] == pytest.approx([group.judge.value for group in criteria])
    assert human["x"] == pytest.approx([group.human.value for group in criteria])
    assert readings.groups_reading(criteria, "criterion", name=emphasis) in text_of(app)
    own, others = by_label(sample.scheme, decisions)
    for side, groups in (("judge", own), ("human", others)):
        said = readings.relation_sentence(relation(sample, "cautious", chosen, side), groups, "cautious", name=emphasis)
        assert said[1:] in text_of(app)
    app.segmented_control(key=BY).set_value("judge").run()
    _, judges = figure(app, "abstention.groups")["data"]
    assert judges["x"] == pytest.approx([group.judge.value for group in by_judge(sample, chosen)])
    app.segmented_control(key=BY).set_value("prompt").run()
    assert "p1" in words_in(figure(app, "abstention.groups"))


def test_the_confidence_is_chosen(visit, sample):
    app = visit(PAGE, confidence="80")
    found = joint_abstention(sample, "strict", settings_of(sample, confidence=0.8))
    shown = {one.label: one for one in app.metric}
    assert shown["Abstention κ"].delta == ends_in(found.kappa.ends)
    block = metrics.agreement(sample, judges=["strict"], confidence=0.8).judges["strict"].micro
    assert columns_of(app)[0]["κ"][1] == ends_in(block["kappa"].ends)


def test_intervals_by_choice_count_here(visit, sample):
    app = visit(PAGE, interval="bootstrap", replicates="500")
    blocks = [
        metrics.agreement(sample, abstention=mode, judges=["strict"], interval="bootstrap", replicates=500).judges["strict"].micro
        for mode in MODES
    ]
    assert [column["κ"][1] for column in columns_of(app)] == [ends_in(block["kappa"].ends) for block in blocks]
    none = visit(PAGE, interval="none")
    assert {column["κ"][1] for column in columns_of(none)} == {""}


def test_mode_is_greyed_and_the_view_is_in_the_address(visit):
    app = visit(PAGE, abstention_show="Who abstains, and on what")
    assert app.radio(key="mode").disabled
    assert "all three at once" in app.radio(key="mode").help
    assert app.segmented_control(key=SHOW).value == "who"


def test_every_table_can_be_downloaded(visit):
    app = visit(PAGE)
    assert {"The modes side by side (CSV)", "Bounds (CSV)", "Judges (CSV)", "Curve (CSV)"} <= {
        button.label for button in app.get("download_button")
    }
    app.segmented_control(key=SHOW).set_value("who").run()
    assert "Rates (CSV)" in {button.label for button in app.get("download_button")}


def test_nobody_abstained(visit):
    app = visit(PAGE, data="rao_balanced")
    assert escape("Neither judge nor the human abstained. All three modes give the same number, 0.40.") in "\n".join(
        info.value for info in app.info
    )
    assert not [chart for chart in app.get("plotly_chart") if "abstention.bounds" in chart.proto.id]
    app.segmented_control(key=SHOW).set_value("who").run()
    assert "Nobody abstained here, so there is nothing to ask about." in text_of(app)


def test_who_abstained_is_named_where_another_judge_did(visit):
    lines = [f"i{i},c,{judge},{'MET' if i % 2 else 'UNMET'},{'CANNOT_ASSESS' if judge == 'shy' and i < 9 else 'MET'}"
             for judge in ("bold", "shy") for i in range(40)]  # fmt: skip
    app = opened(visit, PAGE, "\n".join(["item,criterion,judge,human,verdict", *lines]).encode())
    assert "Neither bold nor the human abstained" in unescaped(app)
    app.segmented_control(key=SHOW).set_value("who").run()
    assert "there is nothing to ask about" not in text_of(app)
    assert "neither the judge nor the human abstained on any criterion" in text_of(app)
    app.selectbox(key="judge").set_value("shy").run()
    assert "the human abstained" not in text_of(app)
    assert "obody abstained" not in text_of(app)


def test_no_data(visit):
    app = visit(PAGE, data="deadbeef")
    assert "deadbeef" in text_of(app)
    assert not app.metric


def test_table_of_counts_has_no_items(visit):
    app = visit(PAGE, data="rao_abstention", level="Item")
    assert not app.exception
    assert app.segmented_control(key="level").value == "micro", "a link to a level that there is not leads to the first"
    assert "N = 70 decisions" in text_of(app)
    for words in ("No N: a table", "a table of counts has none", "N = 0", "of – items"):
        assert words not in text_of(app).replace("\\", "")


YES, NO, OPEN = "MET", "UNMET", "CANNOT_ASSESS"
SILENCE = {
    "only the judge": [(f"i{i}", "c", (YES, NO)[i % 2], (YES, NO, OPEN)[i % 3]) for i in range(30)],
    "only the human": [(f"i{i}", "c", (YES, NO, OPEN)[i % 3], (YES, NO)[i % 2]) for i in range(30)],
    "everything open": [("a", "c", OPEN, YES), *((f"i{i}", "c", OPEN, OPEN) for i in range(9))],
    "judge all open": [(f"i{i}", f"c{i % 2}", (YES, NO)[i % 2], OPEN) for i in range(20)],
    "one item": [("i", "c", YES, OPEN), ("i", "d", NO, NO)],
    "always the same": [(f"i{i}", "c", YES, (YES, OPEN)[i % 5 == 0]) for i in range(30)],
    "long names": [
        (f"i{i}", f"A criterion <b>whose</b> name takes forty $letters$ {i % 3}", (YES, NO)[i % 2], (YES, NO, OPEN)[i % 3])
        for i in range(30)
    ],
}


@pytest.mark.parametrize("name", SILENCE)
def test_every_kind_of_silence(visit, name):
    app = opened(visit, PAGE, rows(SILENCE[name]))
    for level in LEVELS:
        app.segmented_control(key="level").set_value(level).run()
        assert not app.exception
        assert len(columns_of(app)) == 3
    app.segmented_control(key=SHOW).set_value("who").run()
    assert not app.exception
    text = text_of(app)
    assert "nan" not in text.lower().replace("cannot", "")
    if name in ("only the judge", "only the human"):
        app.segmented_control(key=SHOW).set_value("price").run()
        who = name.split()[-1]
        assert f"only the {who} abstains, on 10 of 30 decisions; joint coverage is the {who}’s own." in text_of(app)


def test_classes_have_two_modes_and_bounds_of_accuracy_alone(visit):
    verdicts = [(f"i{i}", "c", "rgb"[i % 3], ["r", "g", "b", "CANNOT_ASSESS"][i % 4]) for i in range(48)]
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("own.csv", rows(verdicts), "text/csv").run()
    for label in "rgb":
        {box.label: box for box in app.selectbox}[f"Meaning of {label}"].set_value("class").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert [sorted(column) for column in columns_of(app)] == [["Accuracy", "Macro-F1", "κ"]] * 2
    bands = [shape for shape in figure(app, "abstention.bounds")["layout"]["shapes"] if shape["type"] == "rect"]
    assert [(band["x0"], band["x1"]) for band in bands] == [pytest.approx((12 / 48, 24 / 48))]
    assert "With more than two labels only accuracy has bounds" in text_of(app)
    app.segmented_control(key=SHOW).set_value("who").run()
    assert not app.exception
    assert "label" in text_of(app)


def test_room_view_shows_one_part_at_a_time(visit):
    app = visit(PAGE, view="room")
    assert len(columns_of(app)) == 3
    for _ in range(4):
        app.button(key="room.right").click().run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == 1


def test_figures_say_their_numbers(visit):
    app = visit(PAGE)
    for view, wanted in (("price", ("coverage", "open decisions")), ("who", ("No verdict by",))):
        app.segmented_control(key=SHOW).set_value(view).run()
        spoken = [chart.proto.alt for chart in app.get("plotly_chart")]
        assert len(spoken) == 2
        for word in wanted:
            assert any(word in text for text in spoken)


REAL = {
    "pandalm_pairwise.csv": {"1": "positive", "2": "negative", "tie": "tie", "INVALID": "invalid"},
    "mtbench_gpt4_pairwise.csv": {"A": "positive", "B": "negative", "tie": "tie"},
    "llmrubric_real_binary.csv": None,
}


@pytest.mark.parametrize("name", REAL)
def test_real_tables(name):
    """Ties and abstentions of published data: bounds hold the measured accuracy, rates add up."""
    ratings = metrics.read(data(name), labels=REAL[name])
    chosen = settings_of(ratings)
    for judge in ratings.judges:
        report = metrics.agreement(ratings, judges=[judge], interval="none").judges[judge]
        found = bounds(ratings, judge, chosen)
        assert found.n_open == report.coverage.n_total - report.coverage.n_covered > 0
        assert found.by_metric["accuracy"].low <= report.micro.values["accuracy"] <= found.by_metric["accuracy"].high
        own, others = by_label(ratings.scheme, decisions_of(ratings, judge, chosen.reference))
        silent = sum(group.judge.count for group in own)
        assert silent == round(report.coverage.judge_abstention_rate * report.coverage.n_total)
        assert sum(group.human.count for group in others) == round(
            report.coverage.human_abstention_rate * report.coverage.n_total
        )
