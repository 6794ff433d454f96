"""The ROC page: it shows what the package computes, follows the cut, and says what it cannot draw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import metrics
from metrics.analyses.roc import provenance, readings
from metrics.analyses.roc.compute import cut_at
from metrics.results.words import bounds, number, percent
from pages.shared import parts
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
DATA, PAGE = "pages/data/data.py", "pages/judge/roc.py"
SAMPLE = ROOT / "assets/support_answers.csv"
SQUARE, MOSAIC, DIAGRAM = "roc.space_broad", "roc.mosaic", "roc.reliability"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def unescaped(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


def upload(app, text: str, name: str = "given.csv"):
    app.file_uploader(key="data.upload").upload(name, text.encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def put(app, threshold: float) -> None:
    """What the mark on the curve does when it is let go."""
    app.session_state["roc.cut"] = threshold
    app.run()


def has_figure(app, key: str) -> bool:
    return any(key in chart.proto.id for chart in app.get("plotly_chart"))


@pytest.mark.parametrize("judge", [0, 2])
def test_the_page_says_what_the_package_computes(visit, sample, judge) -> None:
    app = visit(PAGE)
    name = sample.judges[judge]
    app.selectbox(key="judge").select(name).run()
    assert not app.exception
    report = metrics.roc(sample)
    its = report.judges[name]
    curve = its.pooled.curve
    assert numbers_of(app) == {
        "J of the verdicts": number(its.pooled.verdict["youden_j"].value),
        "AUC": number(curve.area.value),
        "Held-out J": number(curve.held_out.cut["youden_j"].value),
        "Best threshold": provenance.short_cut(curve.best.threshold, curve.tally),
    }
    assert readings.reading(report, name, None) in unescaped(app)
    assert readings.area_reading(report, name, None)[1:] in unescaped(app)
    assert provenance.header(report, name, None).bold in unescaped(app)


def test_a_pooled_area_has_the_mean_over_criteria_beside_it(visit, sample) -> None:
    app = visit(PAGE)
    mean = metrics.roc(sample).judges[sample.judges[0]].mean.area.value
    area = next(metric for metric in app.metric if metric.label == "AUC")
    assert f"mean over criteria {number(mean)}" in str(area.proto)
    app.selectbox(key="roc.criterion").select(sample.criteria[1]).run()
    area = next(metric for metric in app.metric if metric.label == "AUC")
    assert "mean over criteria" not in str(area.proto)


def test_one_criterion_is_read_alone(visit, sample) -> None:
    app = visit(PAGE)
    app.selectbox(key="roc.criterion").select(sample.criteria[0]).run()
    assert not app.exception
    block = metrics.roc(sample).judges[sample.judges[0]].criteria[sample.criteria[0]]
    assert numbers_of(app)["AUC"] == number(block.curve.area.value)
    assert sample.criteria[0] in unescaped(app)


def test_every_judge_has_its_point_and_the_chosen_one_its_curve(visit, sample) -> None:
    app = visit(PAGE)
    told = words_in(figure(app, SQUARE))
    curve = metrics.roc(sample).judges[sample.judges[0]].pooled.curve
    assert f"<b>{sample.judges[0]}</b>" in told
    for name in sample.judges[1:]:
        assert f"{name}\u00a0J\u00a0" in told
        assert f"<b>{name}</b>" not in told
    assert f"AUC {number(curve.area.value)}" in told
    assert "held-out" not in told, "a held-out J is of other thresholds than the ring"


def test_the_cut_moves_table_and_numbers_and_leaves_a_trail(visit, sample) -> None:
    app = visit(PAGE)
    report = metrics.roc(sample)
    tally = report.judges[sample.judges[0]].pooled.curve.tally
    assert "small rings" not in unescaped(app)
    for threshold in (0.6, 0.9):
        put(app, threshold)
        assert not app.exception
        cut = cut_at(sample, sample.judges[0], report.settings, threshold)
        assert readings.cut_reading(report, cut, tally) in unescaped(app)
        drawn = figure(app, MOSAIC)
        assert all(str(count) in str(drawn) for count in cut.table.ravel())
        assert f"threshold {provenance.short_cut(threshold, tally)}" in words_in(figure(app, SQUARE))
    trail = [trace for trace in figure(app, SQUARE)["data"] if trace.get("mode") == "markers" and len(trace["x"]) == 2]
    assert len(trail) == 1
    assert "small rings: thresholds before" in unescaped(app)
    metrics_table = next(table.value for table in app.table if "metric" in table.value)
    assert number(cut["kappa"].value) in list(metrics_table["value"])
    assert bounds(cut["youden_j"].ends, "") in "".join(metrics_table["interval"]).replace("\\", "")


def test_the_best_cut_is_one_click_away(visit, sample) -> None:
    app = visit(PAGE)
    start = app.session_state["roc.cut"]
    put(app, 0.9)
    app.button(key="roc.best").click().run()
    assert app.session_state["roc.cut"] == start
    assert start == metrics.roc(sample).judges[sample.judges[0]].pooled.curve.best.threshold


def test_another_judge_starts_at_its_own_best_cut(visit, sample) -> None:
    app = visit(PAGE)
    put(app, 0.9)
    app.selectbox(key="judge").select(sample.judges[1]).run()
    assert app.session_state["roc.cut"] == metrics.roc(sample).judges[sample.judges[1]].pooled.curve.best.threshold


def test_lines_of_equal_accuracy_at_a_chosen_prevalence(visit) -> None:
    app = visit(PAGE)
    app.segmented_control(key="roc.lines").set_value("accuracy").run()
    app.select_slider(key="roc.prevalence").set_value(20).run()
    assert not app.exception
    assert f"equal accuracy at {percent(0.2)}" in words_in(figure(app, SQUARE))


def test_the_prevalence_of_the_lines_is_each_criterions_own_until_one_is_chosen(visit) -> None:
    rows = [
        f"{i},{criterion},j,{'MET' if i % 10 < n else 'UNMET'},{'MET' if i % 3 else 'UNMET'},0.{i % 10}"
        for criterion, n in (("often", 7), ("seldom", 3)) for i in range(40)
    ]  # fmt: skip
    app = upload(visit(DATA), "item,criterion,judge,human,verdict,score\n" + "\n".join(rows))
    app.segmented_control(key="roc.lines").set_value("accuracy").run()
    shown = []
    for name in ("often", "seldom"):
        app.selectbox(key="roc.criterion").select(name).run()
        assert not app.exception
        shown.append(app.select_slider(key="roc.prevalence").value)
        assert "roc.prevalence" not in app.query_params
    assert shown == [70, 30]
    app.select_slider(key="roc.prevalence").set_value(20).run()
    assert app.query_params["roc.prevalence"] == percent(0.2)
    app.selectbox(key="roc.criterion").select("often").run()
    assert app.select_slider(key="roc.prevalence").value == 20
    app.select_slider(key="roc.prevalence").set_value(70).run()
    assert "roc.prevalence" not in app.query_params


def test_a_link_brings_the_prevalence_of_the_lines(visit) -> None:
    app = visit(PAGE, **{"roc.lines": "Equal accuracy", "roc.prevalence": percent(0.2)})
    assert app.select_slider(key="roc.prevalence").value == 20
    assert f"equal accuracy at {percent(0.2)}" in words_in(figure(app, SQUARE))


def test_the_curves_of_all_judges_are_drawn_each_with_both_areas(visit, sample) -> None:
    app = visit(PAGE)
    report, drawn = metrics.roc(sample), figure(app, SQUARE)
    first, *rest = sample.judges
    assert f"AUC {provenance.area_words(report, first, None)}" in words_in(drawn)
    (grey,) = [trace for trace in drawn["data"] if trace["mode"] == "lines+markers"]
    assert set(grey["hovertext"]) == {f"<b>{name}</b><br>AUC {provenance.area_words(report, name, None)}" for name in rest}
    assert "grey: the other judges; a click chooses" in unescaped(app)


def test_a_click_in_the_square_chooses_the_judge_of_the_point_or_the_curve(monkeypatch) -> None:
    names, held = ["strict", "lenient", "cautious"], {"judge": "strict"}
    monkeypatch.setattr(parts.st, "session_state", held)
    held["roc.space_broad"] = {"selection": {"points": [{"customdata": [2]}]}}
    parts.take_click("roc.space_broad", "here", names, "judge")
    assert held["judge"] == "cautious"


def test_more_judges_than_can_be_named_are_grey_and_the_page_says_so(visit) -> None:
    rows = [
        f"{i},judge {j},{'MET' if i % 3 else 'UNMET'},{'MET' if (i + j) % 4 else 'UNMET'},{(i * (j + 7)) % 11}"
        for i in range(40) for j in range(12)
    ]  # fmt: skip
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    assert "grey: 11 other judges, named under the pointer; a click chooses" in unescaped(app)
    assert "AUC" not in words_in(figure(app, SQUARE)).replace("scores of judge 0</b><br>AUC", "")


def test_scores_that_no_threshold_lifts_above_chance_have_no_best_one(visit) -> None:
    rows = [f"{i},j,{'MET' if i % 2 else 'UNMET'},MET,{0.9 - 0.4 * (i % 2) - i / 100:.2f}" for i in range(40)]
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    told = unescaped(app)
    assert numbers_of(app)["Best threshold"] == "none"
    assert "∞" not in told + words_in(figure(app, SQUARE))
    assert app.button(key="roc.best").disabled


def test_every_item_may_judge_once(visit, sample) -> None:
    app = visit(PAGE)
    app.segmented_control(key="roc.held").set_value("cross").run()
    assert not app.exception
    report = metrics.roc(sample, holding_out="cross")
    curve = report.judges[sample.judges[0]].pooled.curve
    held = curve.held_out
    assert numbers_of(app)["Held-out J"] == number(held.cut["youden_j"].value)
    assert readings.held_out_note(held, curve.tally) in unescaped(app)
    assert readings.reading(report, sample.judges[0], None) in unescaped(app)
    assert "Held out: 5 folds of the items in turn" in unescaped(app)


def test_lower_scores_may_mean_positive_if_declared(visit, sample) -> None:
    app = visit(PAGE)
    app.segmented_control(key="roc.direction").set_value("lower").run()
    assert not app.exception
    report = metrics.roc(sample, direction="lower")
    curve = report.judges[sample.judges[0]].pooled.curve
    assert numbers_of(app)["AUC"] == number(curve.area.value)
    assert numbers_of(app)["AUC"] == number(1 - metrics.roc(sample).judges[sample.judges[0]].pooled.curve.area.value)
    assert "where score ≤ threshold" in unescaped(app)
    assert readings.area_reading(report, sample.judges[0], None)[1:] in unescaped(app)
    assert "declare it" in unescaped(app)
    put(app, 0.6)
    cut = cut_at(sample, sample.judges[0], report.settings, 0.6, direction="lower")
    assert readings.cut_reading(report, cut, curve.tally) in unescaped(app)
    assert readings.cut_reading(report, cut, curve.tally).startswith("score ≤ 0.6 finds")


@pytest.mark.parametrize(("key", "words"), [("roc.direction", "lower"), ("roc.direction", "Lower score")])
def test_a_link_declares_the_direction(visit, sample, key, words) -> None:
    app = visit()
    app.query_params[key] = words
    app.query_params["roc.held"] = "cross"
    app.switch_page(PAGE).run()
    curve = metrics.roc(sample, direction="lower", holding_out="cross").judges[sample.judges[0]].pooled.curve
    assert numbers_of(app)["AUC"] == number(curve.area.value)
    assert numbers_of(app)["Held-out J"] == number(curve.held_out.cut["youden_j"].value)


@pytest.mark.parametrize(("given", "at"), [("0.61", 0.61), ("7", None), ("x", None)])
def test_a_link_brings_the_cut(visit, sample, given, at) -> None:
    app = visit()
    app.query_params["roc.cut"] = given
    app.switch_page(PAGE).run()
    assert not app.exception
    best = metrics.roc(sample).judges[app.session_state["judge"]].pooled.curve.best.threshold
    assert app.session_state["roc.cut"] == (at or best)
    app.selectbox(key="judge").select(sample.judges[1]).run()
    assert app.session_state["roc.cut"] == metrics.roc(sample).judges[sample.judges[1]].pooled.curve.best.threshold


def test_the_cut_is_still_there_after_another_page(visit) -> None:
    app = visit(PAGE)
    put(app, 0.61)
    app.switch_page("pages/judge/agreement.py").run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert app.session_state["roc.cut"] == 0.61


def test_a_cut_chosen_by_these_decisions_has_no_interval_here(visit) -> None:
    app = visit(PAGE)
    table = next(table.value for table in app.table if "metric" in table.value)
    assert set(table["interval"]) == {""}
    assert readings.CHOSEN_HERE in unescaped(app)
    put(app, 0.6)
    assert readings.CHOSEN_HERE not in unescaped(app)


def test_a_link_restores_criterion_and_lines(visit, sample) -> None:
    app = visit()
    app.query_params["roc.criterion"] = sample.criteria[2]
    app.query_params["roc.lines"] = "Equal accuracy"
    app.switch_page(PAGE).run()
    assert not app.exception
    assert app.selectbox(key="roc.criterion").value == sample.criteria[2]
    block = metrics.roc(sample).judges[sample.judges[0]].criteria[sample.criteria[2]]
    assert numbers_of(app)["AUC"] == number(block.curve.area.value)
    assert "equal accuracy" in words_in(figure(app, SQUARE))


def test_scores_as_probabilities_have_a_reliability_diagram_and_others_none(visit) -> None:
    app = visit(PAGE)
    assert has_figure(app, DIAGRAM)
    rows = [f"{i},j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'},{i % 7}" for i in range(40)]
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    assert not has_figure(app, DIAGRAM)
    assert has_figure(app, SQUARE)


def test_judges_without_scores_are_points(visit) -> None:
    rows = [f"{i},j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'}" for i in range(40)]
    app = upload(visit(DATA), "item,judge,human,verdict\n" + "\n".join(rows))
    assert readings.POINTS_ONLY in "".join(str(info.value) for info in app.info)
    assert set(numbers_of(app)) == {"J of the verdicts", "True positives, TPR", "False positives, FPR", "Decisions"}
    assert "roc.cut" not in app.session_state
    assert "<b>j</b>" in words_in(figure(app, SQUARE))


def test_one_class_alone_is_said(visit) -> None:
    rows = [f"{i},j,MET,{'MET' if i % 4 else 'UNMET'},{i / 50}" for i in range(40)]
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    assert numbers_of(app)["AUC"] == "–"
    assert "the reference has no negative among the scored decisions" in unescaped(app)


def test_a_single_score_level_is_drawn(visit) -> None:
    rows = [f"{i},j,{'MET' if i % 3 else 'UNMET'},MET,0.5" for i in range(30)]
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    assert numbers_of(app)["AUC"] == "0.50"
    assert not app.exception


def test_names_from_the_file_are_plain_text(visit) -> None:
    rows = [f"{i},*j* <b>$x$</b> :smile:,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'},{i % 7}" for i in range(40)]
    app = upload(visit(DATA), "item,judge,human,verdict,score\n" + "\n".join(rows))
    assert ":smile:" not in text_of(app)
    assert "<b>$x$</b>" not in words_in(figure(app, SQUARE))


def test_choices_without_effect_are_greyed(visit) -> None:
    app = visit(PAGE)
    assert app.radio(key="mode").disabled
    assert app.segmented_control(key="level").disabled
    assert not app.selectbox(key="judge").disabled


def test_confidence_and_groups_of_items_count_here(visit) -> None:
    rows = [f"{i},j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'},{(i * 7) % 11},p{i // 4}" for i in range(80)]
    text = "item,judge,human,verdict,score,prompt\n" + "\n".join(rows)
    app = upload(visit(DATA), text)
    app.segmented_control(key="confidence").set_value(80).run()
    app.selectbox(key="unit").set_value("prompt").run()
    assert not app.exception
    curve = metrics.roc(metrics.read(text.encode()), confidence=0.8, unit="prompt").judges["j"].pooled.curve
    area = next(metric for metric in app.metric if metric.label == "AUC")
    assert area.delta == bounds(curve.area.interval.ends, "")


def test_the_table_repeats_every_criterion(visit, sample) -> None:
    app = visit(PAGE)
    shown = next(table.value for table in app.table if "J of verdicts" in table.value)
    names = [str(name).replace("\\", "") for name in shown["criterion"]]
    assert names == ["pooled", *sample.criteria, f"mean over {len(sample.criteria)} of {len(sample.criteria)} criteria"]
    mean = metrics.roc(sample).judges[sample.judges[0]].mean
    assert list(shown["J there"])[-1].replace("\\", "") == number(mean.youden_j)
    told = readings.in_sample(metrics.roc(sample).judges[sample.judges[0]])
    assert told.endswith(", and so is its mean; held-out J is not.")
    assert told in unescaped(app)


def test_judges_without_scores_have_no_cut_of_their_own_choice(visit) -> None:
    app = visit(PAGE, data="rao_two_criteria")
    assert any("J of verdicts" in table.value for table in app.table)
    assert "on the decisions that chose it, hence too good" not in unescaped(app)


def test_a_cut_that_calls_the_same_scores_positive_as_the_best_has_no_interval_either(visit, sample) -> None:
    app = visit(PAGE)
    curve = metrics.roc(sample).judges[sample.judges[0]].pooled.curve
    below = max(level for level in curve.tally.level if level < curve.best.threshold)
    between = (3 * curve.best.threshold + below) / 4
    put(app, between)
    assert not app.exception
    assert readings.CHOSEN_HERE in unescaped(app)
    assert readings.cut_reading(metrics.roc(sample), replace(curve.best, threshold=between), curve.tally) in unescaped(app)


def test_room_view_shows_one_figure_at_a_time(visit) -> None:
    app = visit(PAGE, view="room")
    seen = []
    while True:
        seen.append([key for key in (SQUARE, MOSAIC, DIAGRAM) if has_figure(app, key)])
        following = app.button(key="room.right")
        if following.disabled:
            break
        following.click().run()
        assert not app.exception
    assert seen == [[], [SQUARE], [MOSAIC], [DIAGRAM]]


def verdicts(first: str, second: str) -> str:
    """Twelve items, eight of them met alike, without scores."""
    sides = [(first, first), (second, second), (first, first), (second, second), (first, second), (second, first)]
    return "item,human,verdict\n" + "".join(f"q{n},{h},{v}\n" for n, (h, v) in enumerate(sides * 4))


def test_two_answers_to_choose_from_are_not_found_or_missed(visit) -> None:
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload("pairs.csv", verdicts("A", "B").encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    shown = numbers_of(app)
    assert {"A called A, TPR", "B called A, FPR"} <= set(shown)
    assert "missed" not in words_in(figure(app, MOSAIC))
    assert "false pass" not in words_in(figure(app, MOSAIC))
    met = upload(visit(DATA), verdicts("MET", "UNMET"))
    assert {"True positives, TPR", "False positives, FPR"} <= set(numbers_of(met))
    assert "missed" in words_in(figure(met, MOSAIC))


def test_the_question_names_no_label_that_the_file_lacks(visit) -> None:
    assert "separate **MET** from **UNMET**" in unescaped(visit(PAGE))
    rows = "item,human,verdict\n" + "".join(f"q{n},{n % 4 + 1},{n // 2 % 4 + 1}\n" for n in range(12))
    app = upload(visit(DATA), rows)
    assert "separate one label from another" in unescaped(app)
    assert "MET" not in unescaped(app)


def test_ordered_labels_lead_to_their_thresholds_and_are_not_to_be_recoded(visit) -> None:
    said = "item,human,verdict\n" + "".join(f"q{n},{n % 4 + 1},{n // 2 % 4 + 1}\n" for n in range(12))
    ordered = text_of(upload(visit(DATA), said))
    assert "They have an order: *Scores* takes each of them as the threshold." in ordered
    assert "Say on the Data page" not in ordered
