"""Every choice: the page shows the package's numbers, a click declares, and no data make it fail."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import metrics
from metrics.analyses.multiverse.compute import evaluated, space_of
from metrics.analyses.multiverse.pooling import influence_reading, influences, levels_reading, pooling, pooling_reading
from metrics.analyses.multiverse.result import multiverse, reading
from metrics.analyses.settings import settings_of
from metrics.figures.specification_curve import alt
from metrics.results.words import bounds, number, printed
from pages.shared import screen
from pages.shared.choices import every
from pages.shared.plain import emphasis, escape
from tests.pages.own_file import opened, rows
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/judge/choices.py"
SHOW, METRIC, VARY, HUMANS = "choices.show", "choices.metric", "choices.vary", "choices.humans"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def expected(ratings, metric="kappa", level="micro", held=(), every_human=False, **choices):
    judge = choices.pop("judge", ratings.judges[0])
    space = space_of(ratings, judge, settings_of(ratings, judges=[judge], **choices), level, every_human=every_human).held(held)
    return multiverse(space, {s: evaluated(ratings, judge, s) for s in set(map(space.settings, space.analyses))}, metric)


def levels(app):
    app.segmented_control(key=SHOW).set_value("levels").run()
    assert not app.exception
    return app


def at_levels(visit, **query: str):
    return visit(PAGE, **{SHOW: "Aggregation"}, **query)


def columns_of(chart) -> int:
    return next(len(trace["customdata"]) for trace in chart["data"] if trace["type"] == "bar")


def test_headline_reading_and_figure_are_the_multiverse(visit, sample, monkeypatch):
    app = visit(PAGE, judge="cautious")
    found = expected(sample, judge="cautious")
    shown, declared = numbers_of(app), found.columns[found.declared_place]
    assert shown["Declared κ"] == number(declared.value)
    assert shown["Lowest κ"] == number(found.columns[0].value)
    assert shown["Highest κ"] == number(found.columns[-1].value)
    assert shown["Moves it most"] == found.most.dimension.name.capitalize()
    assert bounds(declared.ends) in [metric.delta for metric in app.metric]
    assert escape(reading(found)) in text_of(app)
    assert columns_of(figure(app, "choices.every")) == 36
    assert f"declared {number(declared.value)}" in words_in(figure(app, "choices.every"))
    assert [chart.proto.alt for chart in app.get("plotly_chart")] == [alt(found)]
    monkeypatch.setattr(screen, "_of_telephone", lambda: True)
    assert columns_of(figure(app.run(), "choices.turned")) == 36
    assert [chart.proto.alt for chart in app.get("plotly_chart")] == [alt(found)]


def test_another_declaration_is_another_column(visit, sample):
    app = visit(PAGE, interval="none", mode="as_category", level="item", reference="ben", rule="threshold")
    app.slider(key="threshold").set_value(0.8).run()
    assert not app.exception
    report = metrics.agreement(sample, abstention="as_category", reference="ben", item_rule="threshold", threshold=0.8)
    assert numbers_of(app)["Declared κ"] == number(report.judges[sample.judges[0]].item.values["kappa"])
    assert columns_of(figure(app, "choices.every")) == 45


@pytest.mark.parametrize("metric", ["phi", "kappa_within", "mcc_multiclass"])
def test_other_metrics(visit, sample, metric):
    app = visit(PAGE, interval="none")
    app.selectbox(key=METRIC).set_value(metric).run()
    assert not app.exception
    found = expected(sample, metric, interval="none")
    assert escape(reading(found)) in text_of(app)
    if found.absent:
        assert f"does not exist in {found.absent} further sets of choices" in text_of(app).replace("\\", "")


def test_what_is_switched_off_stays_declared(visit, sample):
    app = visit(PAGE, interval="none")
    app.pills(key=VARY).set_value(["level"]).run()
    assert not app.exception
    found = expected(sample, held=["mode", "rule", "reference"], interval="none")
    assert columns_of(figure(app, "choices.every")) == len(found.columns) == 3
    assert escape(reading(found)) in text_of(app)
    app.pills(key=VARY).set_value([]).run()
    assert columns_of(figure(app, "choices.every")) == 1
    assert "there is one defensible analysis" in text_of(app)


def test_the_only_choice_of_another_data_set_is_not_switched_off(visit):
    app = visit(PAGE, interval="none", **{VARY: "Count by"})
    assert columns_of(figure(app, "choices.every")) == 3
    app.selectbox(key="data").set_value("rao_abstention").run()
    assert not app.exception
    assert columns_of(figure(app, "choices.every")) == 3
    assert "Keep as a class" in words_in(figure(app, "choices.every"))


def test_a_click_declares_the_choices_of_a_column(sample, monkeypatch):
    found = expected(sample, judge="cautious")
    for spot in range(0, 36, 5):
        held: dict[str, object] = {}
        monkeypatch.setattr(every.parts, "clicked", lambda *_, place=spot: (place,))
        monkeypatch.setattr(every.st, "session_state", held)
        every.choose(found, "choices.every")
        choices = {"abstention": held["mode"], "reference": held["reference"], "item_rule": held.get("rule", "all")}
        threshold = held.get("threshold") if choices["item_rule"] == "threshold" else None
        report = metrics.agreement(sample, judges=["cautious"], threshold=threshold, interval="none", **choices)
        value = report.judges["cautious"].level(held["level"]).values["kappa"]
        assert value == pytest.approx(found.columns[spot].value, abs=1e-12)
        assert ("rule" in held) == (held["level"] == "item")


def test_table_and_download(visit, sample):
    app = visit(PAGE, interval="none")
    table = app.dataframe[0].value
    found = expected(sample)
    assert list(table["value"]) == [printed(column.value, 3) for column in found.columns]
    assert list(table["declared"]).index("yes") == found.declared_place
    assert [button.label for button in app.get("download_button")] == ["How far each moves it (CSV)", "Every analysis (CSV)"]


def test_two_published_criteria_with_the_paper_put_right(visit):
    app = at_levels(visit, data="rao_two_criteria")
    shown = numbers_of(app)
    assert (shown["Micro"], shown["Macro"], shown["Item"]) == ("0.89", "0.55", "0.19")
    said = text_of(app).replace("\\", "")
    assert "near 0.85" in said
    assert "micro κ is 0.890 on these tables (κ 0.90 and 0.20 by criterion)" in said
    assert "Micro κ is lifted by pooling" in said
    assert {"0.89", "0.74", "0.55", "0.19"} <= set(words_in(figure(app, "choices.levels")).split())
    assert "near 0.85" not in text_of(at_levels(visit))
    assert "near 0.85" in text_of(visit(PAGE, data="rao_two_criteria")).replace("\\", "")


def test_chance_that_pools_to_agreement(visit):
    app = at_levels(visit, data="pooled_at_chance")
    assert (numbers_of(app)["Micro"], numbers_of(app)["Macro"]) == ("0.58", "0.00")
    said = text_of(app).replace("\\", "")
    assert "0.58 higher than κ within criteria, 0.00" in said
    assert "made-up verdicts" in said


@pytest.mark.parametrize(("level", "metric"), [("micro", "kappa"), ("macro", "accuracy"), ("item", "kappa_within")])
def test_aggregation_is_the_report(visit, sample, level, metric):
    app = at_levels(visit, judge="cautious", level=level)
    app.selectbox(key=METRIC).set_value(metric).run()
    assert not app.exception
    report = metrics.agreement(sample, judges=["cautious"]).judges["cautious"]
    moved = influences(report, metric)
    said = text_of(app)
    assert escape(levels_reading(report, metric)) in said
    assert influence_reading(moved, metric, report.micro.values[metric], name=emphasis) in said
    pooled = pooling(sample, "cautious", settings_of(sample, judges=["cautious"]), report)
    assert pooling_reading(pooled, name=emphasis) in said
    assert bool(app.warning) == (pooled.verdict in ("lifted", "lowered"))


def test_no_warning_without_a_difference(visit):
    verdicts = []
    for c in "xy":
        for n, human, judge in ((40, "MET", "MET"), (10, "MET", "UNMET"), (12, "UNMET", "MET"), (38, "UNMET", "UNMET")):
            verdicts += [(f"{c}{human}{judge}{i}", c, human, judge) for i in range(n)]
    app = levels(opened(visit, PAGE, rows(verdicts)))
    assert not app.warning
    assert "pooling makes no difference that shows" in text_of(app)


def test_the_address_opens_the_view(visit):
    app = visit(PAGE, **{SHOW: "Aggregation", METRIC: "Accuracy"})
    assert {"Micro", "Macro", "Item"} <= set(numbers_of(app))
    assert numbers_of(app)["Micro"].endswith("%")


def test_a_bootstrap_is_not_run_for_every_analysis(visit):
    app = visit(PAGE)
    app.selectbox(key="interval").set_value("bootstrap").run()
    assert not app.exception
    assert "default rules" in text_of(app)


def test_seldom_humans_are_asked_for(visit):
    base = [(f"i{i}", "c", who, "human", "MET" if (i + len(who)) % 2 else "UNMET") for i in range(40) for who in ("ann", "bob")]
    base += [(f"i{i}", "c", "few", "human", "MET" if i % 3 else "UNMET") for i in range(7)]
    base += [(f"i{i}", "c", "j", "judge", "MET" if i % 2 else "UNMET") for i in range(40)]
    content = pd.DataFrame(base, columns=["item", "criterion", "rater", "role", "label"]).to_csv(index=False).encode()
    app = opened(visit, PAGE, content)
    before = columns_of(figure(app, "choices.every"))
    assert "‘few’ labelled less than" in text_of(app)
    app.toggle(key=HUMANS).set_value(True).run()
    assert not app.exception
    assert columns_of(figure(app, "choices.every")) > before
    assert "‘few’" not in text_of(app)


def test_one_analysis_only(visit):
    app = visit(PAGE, data="rao_balanced")
    said = text_of(app)
    assert "there is one defensible analysis, and in it κ is 0.40" in said.replace("\\", "")
    assert "all modes are one" in said
    assert numbers_of(app)["Moves it most"] == "Nothing"
    assert "There is one criterion" in text_of(levels(app))
    assert len(app.get("plotly_chart")) == 1


def test_table_of_counts_with_abstentions(visit):
    app = visit(PAGE, data="rao_abstention")
    assert columns_of(figure(app, "choices.every")) == 3
    assert {"0.42", "<b>0.42</b>", "0.39", "0.37"} & set(words_in(figure(app, "choices.every")).split()) >= {"0.39", "0.37"}


def test_one_criterion_of_counts_has_two_levels(visit):
    app = visit(PAGE, data="rao_abstention", interval="none")
    assert "so micro and macro are one." in text_of(app).replace("\\", "")
    app = at_levels(visit, data="rao_abstention")
    said = text_of(app).replace("\\", "")
    assert "There is one criterion, so micro and macro are the same number" in said
    assert "Item is undefined: a table of counts has no items." in said
    assert "1 criterion" in [metric.delta for metric in app.metric]
    assert "1 criteria" not in said


def test_one_criterion_of_items_has_three_levels(visit):
    verdicts = [(f"i{i}", "c", "MET" if i % 2 else "UNMET", "MET" if i % 3 else "UNMET") for i in range(30)]
    said = text_of(levels(opened(visit, PAGE, rows(verdicts)))).replace("\\", "")
    assert "There is one criterion, so micro, macro and item are the same number" in said


DEGENERATE = {
    "always the same": [(f"i{i}", c, "MET", "MET") for i in range(20) for c in "xy"],
    "one item": [("i", "c", "MET", "MET"), ("i", "d", "UNMET", "MET")],
    "nobody decides": [(f"i{i}", c, "CANNOT_ASSESS", "MET" if i % 2 else "UNMET") for i in range(20) for c in "xy"],
    "markup": [
        (f"i{i}", f"<b>$x$*{c}", "MET" if i % 2 else "UNMET", "MET" if i % 3 else "UNMET") for i in range(20) for c in "xy"
    ],
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data(visit, name):
    app = opened(visit, PAGE, rows(DEGENERATE[name]))
    app.selectbox(key=METRIC).set_value("phi").run()
    assert not app.exception
    assert "Read this as" in text_of(app)
    levels(app)
    app.radio(key="mode").set_value("as_category").run()
    assert not app.exception
    app.selectbox(key=METRIC).set_value("accuracy").run()
    assert not app.exception


def test_undefined_has_no_number_and_says_why(visit):
    app = opened(visit, PAGE, rows(DEGENERATE["always the same"]))
    assert numbers_of(app) == {"Declared κ": "–"}
    assert "κ is undefined under all 4 defensible analyses" in text_of(app)
    assert "both sides give only MET" in text_of(levels(app))


def test_a_metric_that_the_declared_mode_lacks(visit):
    app = visit(PAGE, interval="none")
    app.selectbox(key=METRIC).set_value("phi").run()
    app.radio(key="mode").set_value("as_category").run()
    assert "under the declared choices there is no φ" in text_of(app)
    assert numbers_of(app)["Declared φ"] == "–"
    assert "φ needs two classes" in text_of(levels(app))


def test_no_data(visit):
    app = visit(PAGE, data="deadbeef")
    assert "deadbeef" in text_of(app)
    assert not app.metric


def test_room_view_shows_one_part_at_a_time(visit):
    app = visit(PAGE, view="room", interval="none")
    assert len(app.metric) == 4
    for _ in range(2):
        app.button(key="room.right").click().run()
        assert len(app.get("plotly_chart")) == 1
    app = visit(PAGE, view="room", **{SHOW: "Aggregation"})
    for _ in range(2):
        assert len(app.get("plotly_chart")) == 1
        app.button(key="room.right").click().run()
        assert not app.exception
    assert "How pooling changes κ" in text_of(app)


def test_intervals_fill_in_without_changing_the_values(visit, sample, monkeypatch):
    """Before its interval is there, a column already stands at its value."""
    from pages.shared.choices import filling

    seen = []
    monkeypatch.setattr(filling, "SLICE", 0.0)
    plain = filling.filled
    monkeypatch.setattr(filling, "filled", lambda *args: seen.append(plain(*args)) or seen[-1])
    monkeypatch.setattr(filling, "AT_ONCE", 5.0)
    app = visit(PAGE)
    assert len(seen) > 2
    assert len(seen[0].results) == len(seen[-1].results) == 18
    assert len(seen[0].missing) > len(seen[1].missing) > len(seen[-1].missing) == 0
    for settings, blocks in seen[0].results.items():
        final = seen[-1].results[settings]
        assert all(
            (math.isnan(block.values["kappa"]) and math.isnan(final[level].values["kappa"]))
            or block.values["kappa"] == final[level].values["kappa"]
            for level, block in blocks.items()
        )
    assert escape(reading(expected(sample))) in text_of(app)


def test_a_click_while_intervals_fill_in_loses_none_of_them(visit, monkeypatch):
    from pages.shared import job
    from pages.shared.choices import filling

    filling_run, counts = filling.evaluated, []

    def progress(self, value, text=None, **more):
        return st.stop() if value >= 3 / 18 else self

    monkeypatch.setattr(job, "EVERY", 0)
    monkeypatch.setattr(filling, "evaluated", lambda *args: counts.append(args[2]) or filling_run(*args))
    monkeypatch.setattr(filling, "AT_ONCE", 5.0)
    with monkeypatch.context() as cut:
        cut.setattr(DeltaGenerator, "progress", progress)
        app = visit(PAGE)
    assert len(counts) == 18 + 3
    app.run()
    assert not app.exception
    assert len(counts) == len(set(counts)) == 36


def test_what_cannot_be_evaluated_is_worded(visit, monkeypatch):
    from pages.shared.choices import filling

    def refusing(*_):
        raise metrics.InputError("These labels cannot be counted.")

    monkeypatch.setattr(filling, "evaluated", refusing)
    app = visit(PAGE)
    for _ in range(2):
        assert not app.exception
        assert [error.value for error in app.error] == ["These labels cannot be counted\\."]
        app.run()


def test_quadratic_kappa_says_why_it_does_not_exist_with_a_class_of_abstentions(visit):
    rows = b"item,human,verdict\n" + b"".join(b"q%d,%d,%d\n" % (n, n % 4 + 1, n // 2 % 4 + 1) for n in range(12))
    app = opened(visit, PAGE, rows + b"q12,NA,2\nq13,3,NA\n")
    assert "does not exist in 1 further set of choices. A class of abstentions has no place in an order." in unescaped(app)
    assert "It needs" not in unescaped(app)
    two = visit(PAGE, interval="none")
    two.selectbox(key=METRIC).set_value("mcc_multiclass").run()
    assert "no place in an order" not in unescaped(two)
    assert "It needs more than two classes." in unescaped(two)
