from __future__ import annotations

import json
from pathlib import Path

import pytest

import metrics
from metrics.data.abstention import MODES
from metrics.data.aggregation import LEVELS
from metrics.results import words
from metrics.results.words import number, percent, points
from pages.shared.plain import escape
from tests.pages.own_file import opened, rows
from tests.pages.seen import figure, numbers_of, text_of, words_in

AGREEMENT = "pages/judge/agreement.py"

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = {record["id"]: record["file"] for record in json.loads((ROOT / "assets/samples.json").read_text("utf-8"))}


def test_every_sample_opens(visit):
    for name in SAMPLES:
        app = visit(AGREEMENT, data=name)
        assert "Cohen’s κ" in numbers_of(app)
        same = "the same number" in text_of(app)
        assert len(app.get("plotly_chart")) == 3 - same


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", LEVELS)
def test_headline_is_what_the_package_computes(visit, mode, level):
    app = visit(AGREEMENT)
    app.selectbox(key="judge").set_value("cautious").run()
    app.radio(key="mode").set_value(mode).run()
    app.segmented_control(key="level").set_value(level).run()
    assert not app.exception
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    block = metrics.agreement(ratings, abstention=mode, judges=["cautious"]).judges["cautious"].level(level)
    shown = numbers_of(app)
    assert shown["Cohen’s κ"] == number(block.values["kappa"])
    assert shown["Accuracy"] == percent(block.values["accuracy"])
    if mode == "as_category":
        assert shown.get("R_K", shown["Cohen’s κ"]) == number(block.values["mcc_multiclass"])
        assert "φ" not in shown
        assert "Label-rate bias" not in shown
    else:
        assert shown.get("φ", shown["Cohen’s κ"]) == number(block.values["phi"])
        assert shown["Label-rate bias"] == points(block.values["drift"])


def test_phi_stands_beside_kappa_only_where_the_two_differ_as_shown(visit):
    report = metrics.agreement(metrics.read(ROOT / "assets/support_answers.csv"))
    for name, alike in (("cautious", True), ("strict", False)):
        app, values = visit(AGREEMENT, judge=name), report.judges[name].micro.values
        assert (number(values["kappa"]) == number(values["phi"])) is alike
        assert numbers_of(app).get("φ") == (None if alike else number(values["phi"]))
        (beside,) = [metric.proto.delta_description for metric in app.metric if metric.label == "Cohen’s κ"]
        within = f"within criteria {number(values['kappa_within'])}"
        assert beside == (within if alike else f"{within} · κ − φ {words.signed(values['kappa_phi_gap'], 2)}")


def test_one_number_stands_for_nine_that_are_the_same(visit):
    app = visit(AGREEMENT, data="rao_balanced")
    ratings = metrics.read(ROOT / "assets/rao_balanced.csv")
    (judge,) = metrics.agreement(ratings).judges.values()
    assert not [chart for chart in app.get("plotly_chart") if "agreement.grid" in chart.proto.id]
    assert f"**κ {words.estimate(judge.micro['kappa'])}**" in [text.value.replace("\\", "") for text in app.markdown]
    assert "gives the same number, 0.40" in text_of(app)


def test_grid_shows_all_nine(visit):
    app = visit(AGREEMENT)
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    judge = ratings.judges[0]
    shown = words_in(figure(app, "agreement.grid"))
    for mode in MODES:
        report = metrics.agreement(ratings, abstention=mode, judges=[judge]).judges[judge]
        for level in LEVELS:
            assert number(report.level(level).values["kappa"]) in shown


def test_mosaic_holds_the_counts(visit):
    app = visit(AGREEMENT, data="rao_abstention")
    shown = words_in(figure(app, "agreement.mosaic"))
    for cell in ("30", "10", "20"):
        assert cell in shown


def test_declaration_names_the_choices(visit):
    app = visit(AGREEMENT)
    assert "abstentions excluded" in text_of(app)
    assert "micro over 5 criteria" in text_of(app)
    app.segmented_control(key="level").set_value("item").run()
    assert "item level" in text_of(app)


def test_link_restores_the_view(visit):
    app = visit(AGREEMENT, data="support_answers", judge="lenient", mode="Keep as a class", level="Macro", reference="ana")
    assert app.selectbox(key="judge").value == "lenient"
    assert app.radio(key="mode").value == "as_category"
    assert app.segmented_control(key="level").value == "macro"
    assert app.selectbox(key="reference").value == "ana"
    assert "Reference\\: ana" in text_of(app)


@pytest.mark.parametrize(("rule", "threshold"), [("enough of the weight is met", "0.8")])
def test_link_restores_the_item_rule(visit, rule, threshold):
    app = visit(AGREEMENT, level="Item", rule=rule, threshold=threshold)
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    report = metrics.agreement(ratings, item_rule="threshold", threshold=0.8, judges=[ratings.judges[0]])
    assert numbers_of(app)["Cohen’s κ"] == number(report.judges[ratings.judges[0]].item.values["kappa"])


def test_unknown_data_set_in_a_link(visit):
    app = visit(AGREEMENT, data="deadbeef")
    assert "deadbeef" in app.info[0].value
    assert "which is not open here" in app.info[0].value
    assert "Uploaded files stay with the person who uploaded them" in app.info[0].value
    assert not app.metric
    next(button for button in app.button if button.label == "Open the sample").click().run()
    assert "Cohen’s κ" in numbers_of(app)


def test_choosing_in_the_sidebar_ends_the_unknown_link(visit):
    app = visit(AGREEMENT, data="deadbeef")
    app.selectbox(key="data").set_value("rao_balanced").run()
    assert not app.info
    assert numbers_of(app)["Cohen’s κ"] == "0.40"


def test_undefined_says_why(visit):
    app = visit(AGREEMENT, data="rao_always_negative")
    assert numbers_of(app)["φ"] == "–"
    assert "φ is undefined" in text_of(app)
    assert "MET" in text_of(app)


def test_a_cell_lists_its_decisions(visit):
    app = visit(AGREEMENT)
    app.selectbox(key="agreement.cell").set_value((0, 1)).run()
    assert not app.exception
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    block = metrics.agreement(ratings, judges=[ratings.judges[0]]).judges[ratings.judges[0]].micro
    rows = next(frame.value for frame in app.dataframe if "reference" in frame.value.columns)
    assert len(rows) == min(200, block.confusion[0, 1])
    assert set(rows["reference"]) == {"MET"}
    assert set(rows[f"judge: {ratings.judges[0]}"]) == {"UNMET"}
    assert {"question", "answer"} <= set(rows.columns)


def test_a_criterion_lists_its_decisions(visit):
    app = visit(AGREEMENT)
    app.selectbox(key="agreement.criterion").set_value("Polite tone").run()
    rows = next(frame.value for frame in app.dataframe if "reference" in frame.value.columns)
    assert set(rows["criterion"]) == {"Polite tone"}


def test_a_cell_of_the_item_table_lists_items(visit):
    app = visit(AGREEMENT)
    app.segmented_control(key="level").set_value("item").run()
    app.selectbox(key="agreement.cell").set_value((1, 1)).run()
    assert not app.exception
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    block = metrics.agreement(ratings, judges=[ratings.judges[0]]).judges[ratings.judges[0]].item
    assert f"**{block.confusion[1, 1]} items**" in text_of(app)


def test_counts_have_no_items_behind_them(visit):
    app = visit(AGREEMENT, data="rao_balanced")
    assert "no items behind its cells" in text_of(app)
    assert app.segmented_control(key="level").options == ["Decisions (micro)", "Criteria (macro)"]


def test_sorting_changes_the_order_of_criteria(visit):
    app = visit(AGREEMENT)
    before = words_in(figure(app, "agreement.criteria"))
    app.selectbox(key="agreement.sort").set_value("As in the file").run()
    assert words_in(figure(app, "agreement.criteria")) != before


def test_a_link_brings_the_coefficient_and_the_order_of_criteria(visit):
    app = visit(AGREEMENT, **{"agreement.metric": "Accuracy", "agreement.sort": "As in the file"})
    assert app.selectbox(key="agreement.metric").value == "accuracy"
    assert app.selectbox(key="agreement.sort").value == "As in the file"
    titles = [heading.value for heading in app.header]
    assert any(title.startswith("accuracy by criterion") for title in titles), titles
    linked = words_in(figure(app, "agreement.criteria"))
    app = visit(AGREEMENT)
    app.selectbox(key="agreement.metric").set_value("accuracy").run()
    assert words_in(figure(app, "agreement.criteria")) != linked
    app.selectbox(key="agreement.sort").set_value("As in the file").run()
    assert words_in(figure(app, "agreement.criteria")) == linked


@pytest.mark.parametrize("metric", ["phi", "accuracy", "mcc_multiclass", "drift", "gwet_ac1", "f1"])
@pytest.mark.parametrize("mode", MODES)
def test_every_coefficient_draws(visit, metric, mode):
    app = visit(AGREEMENT)
    app.radio(key="mode").set_value(mode).run()
    app.selectbox(key="agreement.metric").set_value(metric).run()
    assert not app.exception


def test_another_coefficient_in_the_grid_leaves_the_headline(visit):
    app = visit(AGREEMENT)
    headline = numbers_of(app)
    app.selectbox(key="agreement.metric").set_value("gwet_ac1").run()
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    shown = words_in(figure(app, "agreement.grid"))
    for mode in MODES:
        judge = metrics.agreement(ratings, abstention=mode, judges=[ratings.judges[0]], interval="none").judges[ratings.judges[0]]
        for level in LEVELS:
            assert number(judge.level(level).values.get("gwet_ac1")) in shown
    assert any(heading.value.startswith("AC1 by criterion") for heading in app.header)
    assert numbers_of(app) == headline


def test_reference_and_item_rule_are_chosen(visit):
    app = visit(AGREEMENT)
    app.selectbox(key="reference").select("ana").run()
    app.segmented_control(key="level").set_value("item").run()
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    judge = ratings.judges[0]
    alone = metrics.agreement(ratings, judges=[judge], reference="ana", interval="none").judges[judge].item
    assert numbers_of(app)["Cohen’s κ"] == number(alone.values["kappa"])
    app.selectbox(key="rule").set_value("threshold").run()
    choices = {"reference": "ana", "item_rule": "threshold", "threshold": 0.5, "interval": "none"}
    ruled = metrics.agreement(ratings, judges=[judge], **choices).judges[judge].item
    assert numbers_of(app)["Cohen’s κ"] == number(ruled.values["kappa"]) != number(alone.values["kappa"])


def test_room_view_shows_one_figure_at_a_time(visit):
    app = visit(AGREEMENT, view="room")
    assert len(app.metric) == 4
    assert not app.get("plotly_chart")
    for _ in range(3):
        app.button(key="room.right").click().run()
        assert len(app.get("plotly_chart")) == 1
    assert app.button(key="room.right").disabled
    app.button(key="room.leave").click().run()
    assert len(app.get("plotly_chart")) == 3


def test_figures_say_their_numbers(visit):
    app = visit(AGREEMENT)
    for chart in app.get("plotly_chart"):
        assert "0." in chart.proto.alt or "MET" in chart.proto.alt


@pytest.mark.parametrize("reference", ["unanimous", "ana"])
def test_a_link_names_the_reference_as_the_command_line_does(visit, reference) -> None:
    assert visit(AGREEMENT, data="support_answers", reference=reference).session_state["reference"] == reference


def test_the_majority_of_the_others_of_a_human_is_a_reference(visit) -> None:
    lines = ["item,rater,label,role", *(f"{item},bot,MET,judge" for item in range(4))]
    lines += [f"{item},{human},{'MET' if item < n else 'UNMET'},human" for n, human in enumerate("abc", 1) for item in range(4)]
    app = opened(visit, "pages/judge/agreement.py", "\n".join(lines).encode())
    app.selectbox(key="reference").select("majority without c").run()
    assert "majority of the humans without c" in text_of(app)
    expected = metrics.agreement(metrics.read("\n".join(lines).encode()), reference="majority without c")
    assert percent(expected.judges["bot"].micro.values["accuracy"]) in [metric.value for metric in app.metric]


def test_the_item_table_is_said_to_count_items(visit):
    alt = next(
        chart.proto.alt for chart in visit(AGREEMENT, level="Item").get("plotly_chart") if "agreement.mosaic" in chart.proto.id
    )
    assert alt.startswith("Confusion matrix of 207 items: ")
    alt = next(
        chart.proto.alt
        for chart in visit(AGREEMENT, mode="Keep as a class").get("plotly_chart")
        if "agreement.mosaic" in chart.proto.id
    )
    assert alt.endswith("CANNOT_ASSESS means that no verdict was given.")


def test_nothing_is_missed_of_two_answers_and_an_error_of_yes_and_no_is(visit) -> None:
    def mosaic(one: str, other: str) -> str:
        rows = [f"i{i},j,{one if i % 2 else other},{one if i % 3 else other}" for i in range(60)]
        app = opened(visit, "pages/judge/agreement.py", "\n".join(["item,judge,human,verdict", *rows]).encode())
        return words_in(figure(app, "agreement.mosaic"))

    assert "missed" in mosaic("MET", "UNMET")
    assert "missed" not in mosaic("A", "B")
    assert "false pass" not in mosaic("A", "B")


@pytest.mark.parametrize(("cells", "there"), [((30, 35, 18, 17), True), ((40, 25, 12, 23), False)])
def test_a_judge_below_the_commoner_label_is_told_beside_the_first_numbers(visit, cells, there):
    pairs = [("MET", "MET"), ("MET", "UNMET"), ("UNMET", "MET"), ("UNMET", "UNMET")]
    every = [pair for pair, n in zip(pairs, cells, strict=True) for _ in range(n)]
    text = "item,criterion,judge,human,verdict\n" + "".join(f"i{i},c,j,{h},{v}\n" for i, (h, v) in enumerate(every))
    app = opened(visit, "pages/judge/agreement.py", text.encode())
    assert any("always answering MET would be right significantly more often" in one.value for one in app.warning) == there


@pytest.mark.parametrize("each", [1, 2])
def test_the_question_names_no_majority_of_one(visit, each):
    rows = ["item,rater,role,label"]
    for n in range(24):
        rows += [
            f"i{n},{name},human,{'MET' if n % 2 else 'UNMET'}" for k, name in enumerate(("ana", "bo")) if each == 2 or n % 2 == k
        ]
        rows.append(f"i{n},j,judge,{'MET' if n % 3 else 'UNMET'}")
    app = opened(visit, "pages/judge/agreement.py", "\n".join(rows).encode())
    assert ("agree with the one human for each decision, beyond chance?" in text_of(app)) == (each == 1)
    assert ("agree with the majority of the humans, beyond chance?" in text_of(app)) == (each == 2)


def test_the_label_that_is_counted_stands_as_it_is_in_the_file(visit):
    labels = ("it *is*_so", "no_it-is-not")
    verdicts = [(f"q{i}", "ab"[i % 2], labels[i % 3 == 0], labels[i % 4 == 0]) for i in range(80)]
    text = text_of(opened(visit, AGREEMENT, rows(verdicts)))
    assert escape(f"π share that the human calls {labels[0]}") in text
