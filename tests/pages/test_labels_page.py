"""How many labels: every number on the page is one of the package, and no data make it fail."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.analyses.planning.compute import SIZES, Plan, plan_difference, plan_floor
from metrics.analyses.planning.independence import ITEM_LEVEL, ONE_EACH, groups_behind, spread_reading, spreads
from metrics.analyses.planning.sizes import about
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.data.aggregation import LEVELS
from metrics.figures import theme as style
from metrics.figures.theme import text_width
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, count, number, percent, points
from pages.shared import asking
from pages.shared.plain import escape
from tests.made_files import lines
from tests.pages.own_file import opened, rows
from tests.pages.seen import copies_of, figure, numbers_of, text_of, unescaped, words_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/judge/labels.py"
FIRST = {"micro": "kappa_within", "macro": "kappa", "item": "kappa"}
"""The metric taken until another is chosen: that of Compare judges on the same file."""
QUESTION, METRIC, LINE, MARGIN = "labels.question", "labels.metric", "labels.line", "labels.margin"


def _needed(plan: Plan, what: str = "Items") -> str:
    """What the card is called: nothing is needed where the question is decided today."""
    return f"{what} for a repeat study" if plan.settled and plan.needed.n is not None else f"{what} needed"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def segment(app, key):
    return app.segmented_control(key=key)


def test_items_that_do_not_count_are_not_called_without_a_label(visit) -> None:
    content = rows((f"q{i}", "tone", "MET" if i % 3 else "UNMET", "MET" if i % 4 else "CANNOT_ASSESS") for i in range(40))
    (card,) = [metric for metric in opened(visit, PAGE, content).metric if metric.label == "Items today"]
    assert (card.value, card.delta) == ("30", "that count here")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", LEVELS)
def test_headline_and_sentence_are_the_plan(visit, sample, mode, level):
    app = visit(PAGE)
    app.selectbox(key="judge").set_value("strict")
    app.radio(key="mode").set_value(mode)
    segment(app, "level").set_value(level)
    app.number_input(key=LINE).set_value(0.7).run()
    assert not app.exception
    report = metrics.agreement(sample, abstention=mode, judges=["strict"])
    plan = plan_floor(report.judges["strict"], FIRST[level], 0.7, level=level)
    shown = numbers_of(app)
    assert shown[BY_KEY[FIRST[level]].name] == number(plan.today.value)
    assert shown["Items today"] == count(plan.n_now)
    assert shown[_needed(plan)] == ("–" if plan.needed.n is None else about(plan.needed.n))
    assert shown["Width today"] == number(plan.today.ends[1] - plan.today.ends[0])
    assert bounds(plan.today.ends) in [metric.delta for metric in app.metric]
    assert escape(plan.sentence) in text_of(app)
    assert len(app.get("plotly_chart")) == (1 if level == "item" else 2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("metric", ["kappa", "accuracy"])
def test_two_judges_apart(visit, sample, mode, level, metric):
    app = visit(PAGE, **{QUESTION: "apart"})
    app.selectbox(key=METRIC).set_value(metric)
    app.selectbox(key="labels.b").set_value("cautious")
    app.radio(key="mode").set_value(mode)
    segment(app, "level").set_value(level)
    app.number_input(key=MARGIN).set_value(0.03).run()
    assert not app.exception
    plan = plan_difference(metrics.compare(sample, "strict", "cautious", metric, level=level, abstention=mode), 0.03)
    shown = numbers_of(app)
    write = points if metric == "accuracy" else number
    symbol = "accuracy" if metric == "accuracy" else "κ"
    assert shown[f"Difference in {symbol}"] == write(plan.today.value)
    assert shown["Width today"] == write(plan.today.width).lstrip("+")
    assert shown[_needed(plan)] == about(plan.needed.n)
    assert escape(plan.sentence) in text_of(app)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("link", "choices"), [({"confidence": "80"}, {"confidence": 0.8}), ({"unit": "prompt"}, {"unit": "prompt"})]
)
def test_confidence_and_groups_act_on_a_line(visit, sample, link, choices, level):
    app = visit(PAGE, level=level, **link)
    judge = sample.judges[0]
    report = metrics.agreement(sample, judges=[judge], **choices)
    settings = settings_of(sample, judges=[judge], **choices)
    groups = groups_behind(sample, judge, settings, level)
    plan = plan_floor(
        report.judges[judge], FIRST[level], 0.6, level=level, confidence=choices.get("confidence", 0.95), groups=groups
    )  # fmt: skip
    shown, share = numbers_of(app), percent(plan.confidence)
    what = "Groups" if groups else "Items"
    assert shown[f"{what} today"] == count(plan.n_now)
    assert shown[_needed(plan, what)] == ("–" if plan.needed.n is None else about(plan.needed.n))
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert (deltas[BY_KEY[FIRST[level]].name], deltas["Width today"]) == (bounds(plan.today.ends), f"{share} interval")
    assert escape(plan.sentence) in text_of(app)
    assert f"band\\: {escape(share)} interval to expect" in text_of(app)
    assert f"Intervals {share}" in text_of(app).replace("\\", "")
    assert next(iter(app.table[0].value.columns)) == escape(plan.counted)
    assert plan.counted in next(chart.proto.alt for chart in app.get("plotly_chart") if "widths" in chart.proto.id)


@pytest.mark.parametrize(
    ("link", "choices"), [({"confidence": "0.9"}, {"confidence": 0.9}), ({"unit": "prompt"}, {"unit": "prompt"})]
)
def test_confidence_and_groups_act_on_two_judges(visit, sample, link, choices):
    app = visit(PAGE, **link)
    segment(app, QUESTION).set_value("apart").run()
    found = metrics.compare(sample, *sample.judges[:2], **choices)
    plan = plan_difference(found, 0.05, confidence=found.settings.confidence)
    shown = numbers_of(app)
    what = "Groups" if "unit" in choices else "Items"
    assert shown[f"{what} today"] == count(plan.n_now)
    assert (plan.needed.n is None) == ("unit" in choices), "two groups cannot tell two judges apart, so none are planned from"
    assert shown[_needed(plan, what)] == ("–" if plan.needed.n is None else about(plan.needed.n))
    below = next(metric.delta for metric in app.metric if metric.label == "Difference in κ within")
    assert below == bounds(found.difference.ends)
    assert escape(plan.sentence) in text_of(app)


def test_the_method_is_greyed_and_says_why(visit):
    app = visit(PAGE)
    assert app.selectbox(key="interval").disabled
    assert "default rules" in app.selectbox(key="interval").help
    assert not app.segmented_control(key="confidence").disabled


@pytest.mark.parametrize(("line", "settled"), [(0.3, True), (0.55, False)])
def test_what_is_settled_today_asks_for_no_items(visit, line, settled):
    app = visit(PAGE)
    app.number_input(key=LINE).set_value(line).run()
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert ("Items needed" in deltas) == (not settled)
    assert deltas.get("Items for a repeat study") == ("decided today" if settled else None)
    quotes = [text for _, text in copies_of(app)]
    assert any(text.startswith("items for a repeat study = ") for text in quotes) == settled
    assert any(text.startswith("items needed = ") for text in quotes) == (not settled)


def test_the_figure_is_the_plan(visit, sample):
    app = visit(PAGE)
    app.number_input(key=LINE).set_value(0.5).run()
    chart = figure(app, "labels.widths")
    plan = plan_floor(metrics.agreement(sample).judges[sample.judges[0]], "kappa_within", 0.5)
    assert chart["data"][0]["y"] == pytest.approx(plan.low)
    assert chart["data"][1]["y"] == pytest.approx(plan.high)
    assert [round(10**x) for x in chart["data"][0]["x"]] == list(SIZES)
    assert plan.settled
    assert {f"{count(plan.n_now)} today", f"{about(plan.needed.n)} for a repeat study"} <= {
        note["text"] for note in chart["layout"]["annotations"]
    }
    assert "0.50 asked" in words_in(chart)


def test_several_criteria_are_planned_on_kappa_within_and_the_plan_says_so(visit, sample):
    app = visit(PAGE)
    assert app.selectbox(key=METRIC).options[0] == BY_KEY["kappa_within"].name
    assert f"Is κ within of {sample.judges[0]} above 0.60?" in unescaped(app)
    assert "on 226 items κ within is " in unescaped(app)
    one = opened(visit, PAGE, rows((f"q{i}", "tone", "yes" if i % 2 else "no", "yes" if i % 3 else "no") for i in range(30)))
    assert "Is κ of j above 0.60?" in unescaped(one)
    assert "κ within" not in unescaped(one)


def test_table_and_download_hold_the_round_sizes(visit, sample):
    app = visit(PAGE)
    plan = plan_floor(metrics.agreement(sample).judges[sample.judges[0]], "kappa_within", 0.6)
    columns = plan.expected()
    table = app.table[0].value
    assert list(table["items"]) == [count(n) for n in (25, 50, 100, 200, 500, 1000, 2000, 5000)]
    assert list(table["width"]) == [number(width) for width in columns["width"]]
    assert [button.label for button in app.get("download_button")] == ["Widths to expect (CSV)", "Both intervals (CSV)"]


def test_shares_are_in_percent_and_points(visit, sample):
    app = visit(PAGE)
    app.selectbox(key=METRIC).set_value("accuracy").run()
    plan = plan_floor(metrics.agreement(sample).judges[sample.judges[0]], "accuracy", 0.6)
    assert numbers_of(app)["Accuracy"] == percent(plan.today.value)
    assert numbers_of(app)["Width today"] == points(plan.today.width).lstrip("+")
    assert "60\u00a0% asked" in words_in(figure(app, "labels.widths"))


def test_a_line_outside_the_next_metric_is_moved_into_it(visit):
    app = visit(PAGE)
    app.number_input(key=LINE).set_value(-0.4).run()
    app.selectbox(key=METRIC).set_value("accuracy").run()
    assert not app.exception
    assert not app.error
    assert app.number_input(key=LINE).value == 0.01


def test_a_metric_of_another_mode_or_level_gives_way(visit):
    app = visit(PAGE)
    app.selectbox(key=METRIC).set_value("kappa_within").run()
    app.segmented_control(key="level").set_value("macro").run()
    assert app.selectbox(key=METRIC).value == "kappa"
    app.selectbox(key=METRIC).set_value("phi").run()
    app.radio(key="mode").set_value("as_category").run()
    assert not app.exception
    assert app.selectbox(key=METRIC).value == "kappa"


def test_a_link_restores_the_question(visit, sample):
    link = {"labels.question": "apart", "labels.a": "cautious", "labels.b": "strict", "labels.metric": "accuracy"}
    for more in ({}, {"view": "room"}):
        app = visit(PAGE, **link, **{"labels.margin": "0.03"}, **more)
        plan = plan_difference(metrics.compare(sample, "cautious", "strict", "accuracy"), 0.03)
        assert numbers_of(app)[_needed(plan)] == about(plan.needed.n)
        assert numbers_of(app)["Difference in accuracy"] == points(plan.today.value)
    app = visit(PAGE, **{"labels.line": "0.75", "labels.metric": "φ"})
    plan = plan_floor(metrics.agreement(sample).judges[sample.judges[0]], "phi", 0.75)
    assert escape(plan.sentence) in text_of(app)


def test_choices_stay_when_one_comes_back(visit):
    app = visit(PAGE)
    app.number_input(key=LINE).set_value(0.75).run()
    app.selectbox(key=METRIC).set_value("phi").run()
    app.switch_page("pages/judge/agreement.py").run()
    app.switch_page(PAGE).run()
    assert app.number_input(key=LINE).value == 0.75
    assert app.selectbox(key=METRIC).value == "phi"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro"])
def test_flat_beside_items(visit, sample, mode, level):
    app = visit(PAGE)
    app.radio(key="mode").set_value(mode)
    segment(app, "level").set_value(level).run()
    found = spreads(sample, sample.judges[0], settings_of(sample, abstention=mode), level)
    drawn = words_in(figure(app, "labels.flat"))
    for spread in found:
        assert number(spread.times) in drawn
        assert number(spread.effect) in drawn
    assert escape(spread_reading(found)) in text_of(app)


def test_flat_at_item_level_says_so(visit):
    app = visit(PAGE, level="Item")
    assert escape(ITEM_LEVEL) in text_of(app)


def test_no_data(visit):
    app = visit(PAGE, data="deadbeef")
    assert "deadbeef" in text_of(app)
    assert not app.metric


def test_table_of_counts(visit):
    app = visit(PAGE, data="rao_balanced")
    assert "table of counts" in text_of(app)
    assert not app.metric


def test_one_judge_has_nobody_to_differ_from(visit):
    app = opened(visit, PAGE, rows([(f"i{i}", "c", "MET" if i % 2 else "UNMET", "MET" if i % 3 else "UNMET") for i in range(40)]))
    assert numbers_of(app)["Items today"] == "40"
    assert escape(ONE_EACH) in text_of(app)
    segment(app, QUESTION).set_value("apart").run()
    assert not app.exception
    assert "This file has one judge" in text_of(app)
    assert not app.metric


def test_the_same_judge_twice(visit):
    app = visit(PAGE)
    segment(app, QUESTION).set_value("apart").run()
    app.selectbox(key="labels.b").set_value(app.selectbox(key="labels.a").value).run()
    assert "the same judge" in text_of(app)
    assert not app.exception


DEGENERATE = {
    "always the same": [(f"i{i}", "c", "MET", "MET") for i in range(30)],
    "all right": [(f"i{i}", f"c{i % 2}", label, label) for i in range(30) for label in (("MET", "UNMET")[i % 2],)],
    "all wrong": [(f"i{i}", "c", "MET" if i % 2 else "UNMET", "UNMET" if i % 2 else "MET") for i in range(30)],
    "one item": [("i", "c", "MET", "MET"), ("i", "d", "UNMET", "MET")],
    "judge constant": [(f"i{i}", f"c{c}", "MET" if i % 3 else "UNMET", "MET") for i in range(20) for c in range(3)],
    "nobody decides": [(f"i{i}", "c", "CANNOT_ASSESS", "MET" if i % 2 else "UNMET") for i in range(20)],
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data(visit, name):
    app = opened(visit, PAGE, rows(DEGENERATE[name]))
    for level in LEVELS:
        segment(app, "level").set_value(level).run()
        for metric in app.selectbox(key=METRIC).options:
            app.selectbox(key=METRIC).select(metric).run()
            assert not app.exception
        assert len(app.metric) == 4
        for mode in MODES[1:]:
            app.radio(key="mode").set_value(mode).run()
            assert not app.exception
        app.radio(key="mode").set_value(MODES[0]).run()


def test_undefined_has_no_number_and_says_why(visit):
    app = opened(visit, PAGE, rows(DEGENERATE["always the same"]))
    assert numbers_of(app)["Cohen’s κ"] == "–"
    assert numbers_of(app)["Items needed"] == "–"
    assert not app.get("plotly_chart")
    assert "has no interval on these items" in text_of(app)


def test_room_view_shows_one_part_at_a_time(visit):
    app = visit(PAGE, view="room")
    assert len(app.metric) == 4
    for _ in range(2):
        app.button(key="room.right").click().run()
        assert len(app.get("plotly_chart")) == 1
        assert not app.exception


def test_figures_say_their_numbers(visit):
    app = visit(PAGE)
    for chart in app.get("plotly_chart"):
        assert "226" in chart.proto.alt or "design effect" in chart.proto.alt


def test_judges_that_begin_alike_can_be_told_apart_in_their_lists(visit):
    """At 165 px "gpt-3.5-turbo-16k" and "gpt-3.5-turbo-16k sampled" read the same."""
    assert asking.width_of(["strict", "lenient"], 165) == 165
    long = ["gpt-3.5-turbo-16k", "gpt-3.5-turbo-16k sampled"]
    assert text_width(long[1], style.TEXT) < asking.width_of(long, 165) - asking.BESIDE
    assert asking.width_of(["x" * 500], 165) == asking.BROADEST


def test_the_overview_asks_about_chance_whatever_line_was_asked_about_before(visit) -> None:
    rows = [(f"q{k}", ("yes", "no")[k % 2], ("yes", "no")[(k + (k in (0, 5, 8, 11))) % 2]) for k in range(12)]
    app = visit()
    app.file_uploader(key="landing.upload").upload("few.csv", lines("item,human,verdict", rows).encode(), "text/csv").run()
    (link,) = [link for link in app.get("page_link") if "labels.line=0" in link.proto.query_string]
    assert "judge=judge" in link.proto.query_string
    step = unescaped(app)
    app.switch_page(PAGE).run()
    app.number_input(key=LINE).set_value(0.7).run()
    app.switch_page("pages/judge/overview.py").run()
    app.query_params[LINE] = "0"
    app.switch_page(PAGE).run()
    assert app.number_input(key=LINE).value == 0
    (needed,) = [text for name, text in numbers_of(app).items() if name.startswith("Items needed")]
    assert f"Label {needed} items in all" in step
