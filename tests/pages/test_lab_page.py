from __future__ import annotations

import json

import pytest

from metrics.content.lab import bets
from metrics.content.lab.formulas import worked
from metrics.content.lab.lessons import LESSONS, STEPS, step_name
from metrics.content.lab.pictures import BARS, Picture
from metrics.content.lab.scenes import FIRST, at_step
from metrics.content.lab.tables import ConfusionTable, Rates, read
from metrics.content.lab.tasks import TASKS_BY_KEY
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import number
from pages.shared.lab import held
from tests.pages.seen import figure, unescaped, words_in

PAGE = "pages/learn/lab.py"


def full(visit, **asked):
    """The whole laboratory, and not a lesson alone."""
    return visit(PAGE, **{"lab_view": "full"} | asked)


def shown(app) -> str:
    return unescaped(app).replace("**", "")


def seen(widgets, name: str):
    """The widget that shows a value now; its key ends with how many gave way before it."""
    return next(widget for widget in widgets if widget.key.rpartition(" ")[0] == name)


def lesson(app):
    return seen(app.selectbox, "lab lesson")


def test_the_steps_are_walked_and_each_says_what_its_table_shows(visit) -> None:
    app = full(visit)
    assert app.button(key="lab.previous").disabled
    for key, step in STEPS.items():
        scene = at_step(key)
        assert step_name(key) in shown(app)
        assert step.title(scene.picture, scene.other) in shown(app)
        assert step.sentence(scene.picture, scene.other) in shown(app)
        assert lesson(app).value == str(next(one.number for one in LESSONS if step in one.steps))
        words = words_in(figure(app, "lab.bars_broad"))
        assert not [metric for metric in scene.picture.bars if worked(metric, scene.picture).result not in words]
        if not app.button(key="lab.next").disabled:
            app.button(key="lab.next").click().run()
    assert step_name(list(STEPS)[-1]) in shown(app)
    app.button(key="lab.previous").click().run()
    assert step_name(list(STEPS)[-2]) in shown(app)


def test_a_link_opens_its_step_and_a_number_the_lesson_s_first(visit) -> None:
    app = full(visit, lab_step="4c")
    assert "step 9c" in shown(app)
    lesson(app).set_value("8").run()
    assert "step 8a" in shown(app)


def places(block, wanted: tuple[str, ...], path: tuple[int, ...] = ()) -> dict[str, tuple[int, ...]]:
    """Where the widgets of these names stand, counted from the top of the page."""
    found: dict[str, tuple[int, ...]] = {}
    for place, child in block.children.items():
        if hasattr(child, "children"):
            found |= places(child, wanted, (*path, place))
        elif (name := str(getattr(child, "key", "")).rpartition(" ")[0]) in wanted:
            found[name] = (*path, place)
    return found


@pytest.mark.parametrize("room", [False, True])
def test_what_is_driven_stands_at_one_place_whatever_the_words_above_it(visit, room) -> None:
    """The browser builds what has moved anew; a slider under a finger or with the focus would let go."""
    asked = {"view": "room"} if room else {}
    app = full(visit, lab_step="2b", **asked)
    wanted = ("lab drive a", "lab a prevalence", "lab a tpr", "lab a n")
    before = places(app.main, wanted)
    assert set(before) == set(wanted)
    seen(app.slider, "lab a prevalence").set_value(20.0).run()
    assert ("started from step" in shown(app)) != room
    assert (STEPS["2b"].title(at_step("2b").picture) in shown(app)) == room
    assert places(app.main, wanted) == before
    assert places(full(visit, lab_a="r20_90_90_1000", **asked).main, wanted) == before


def test_a_control_made_new_is_sent_until_the_browser_must_have_it(visit, monkeypatch) -> None:
    """Two whole answers may reach a browser before it shows the first; the later one then counts."""
    app = full(visit, lab_step="2a")
    for share in (49.0, 48.0):
        seen(app.slider, "lab a prevalence").set_value(share).run()
        assert lesson(app).value == "custom"
        assert lesson(app).proto.set_value
    assert not seen(app.slider, "lab a prevalence").proto.set_value
    monkeypatch.setattr(held, "MOUNTED", 0.0)
    for share in (47.0, 46.0):
        seen(app.slider, "lab a prevalence").set_value(share).run()
    assert not lesson(app).proto.set_value


def test_a_touch_makes_it_custom_and_back_returns_to_the_step(visit) -> None:
    app = full(visit, lab_step="2b")
    seen(app.slider, "lab a prevalence").set_value(20.0).run()
    assert lesson(app).value == "custom"
    assert "started from step 2b" in shown(app)
    moved = Picture(ConfusionTable.of_rates(Rates(0.2, 0.9, 0.9, 1000)))
    assert f"= {worked('kappa', moved).result}" in shown(app)
    app.button(key="lab.back").click().run()
    assert lesson(app).value == "2"
    assert STEPS["2b"].title(at_step("2b").picture) in shown(app)
    app.button(key="lab.undo").click().run()
    assert seen(app.slider, "lab a prevalence").value == 20.0


def test_counts_and_rates_drive_each_other(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    seen(app.segmented_control, "lab drive a").set_value("rates").run()
    assert [seen(app.slider, f"lab a {name}").value for name in ("prevalence", "tpr", "tnr")] == [50.0, 80.0, 60.0]
    assert seen(app.number_input, "lab a n").value == 100
    seen(app.slider, "lab a tpr").set_value(90.0).run()
    seen(app.segmented_control, "lab drive a").set_value("counts").run()
    assert [seen(app.number_input, f"lab a {cell} typed").value for cell in ("TP", "FN", "FP", "TN")] == [45, 5, 20, 30]
    seen(app.slider, "lab a FN slider").set_value(15).run()
    assert seen(app.number_input, "lab a FN typed").value == 15
    seen(app.number_input, "lab a FP typed").set_value(70).run()
    assert seen(app.slider, "lab a FP slider").value == 70
    assert worked("kappa", Picture(ConfusionTable((45, 15, 70, 30)))).result in shown(app)


EMPTY_ROWS = (
    "0_0_0_0", "0_0_5_5", "5_5_0_0", "0_5_0_5", "5_0_5_0", "10_0_0_0", "0_0_0_10", "r0_90_90_100", "r100_90_90_100",
)  # fmt: skip


@pytest.mark.parametrize("text", EMPTY_ROWS)
def test_undefined_is_shown_as_undefined(visit, text: str) -> None:
    app = full(visit, lab_a=text, lab_lit="phi")
    picture = Picture(read(text))
    reason = worked("phi", picture).reason
    assert reason
    assert f"undefined: {reason}" in shown(app)
    words = words_in(figure(app, "lab.bars_broad"))
    if not picture.n:
        assert words == "No decision to show"
        return
    for metric in BARS:
        assert worked(metric, picture).result in words


def test_a_thousand_million_in_each_cell(visit) -> None:
    app = full(visit, lab_a="1000000000_1000000000_1000000000_1000000000", lab_lit="phi")
    assert f"= {number(0)}" in shown(app)
    seen(app.segmented_control, "lab drive a").set_value("rates").run()
    assert seen(app.number_input, "lab a n").value == 10**9
    assert not app.exception


def test_the_formula_follows_the_metric_chosen(visit) -> None:
    app = full(visit, lab_step="2b")
    picture = at_step("2b").picture
    for metric in BARS:
        seen(app.segmented_control, "lab lit").set_value(metric).run()
        own = worked(metric, picture)
        assert f"{BY_KEY[metric].symbol} = {own.general}" in shown(app)
        assert own.substituted in shown(app)


def test_a_second_table_with_controls_of_its_own(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    seen(app.toggle, "lab second").set_value(True).run()
    seen(app.number_input, "lab b TP typed").set_value(20).run()
    seen(app.number_input, "lab b FN typed").set_value(30).run()
    first, other = Picture(ConfusionTable((40, 10, 20, 30))), Picture(ConfusionTable((20, 30, 20, 30)))
    table = app.table[0].value
    row = table[table["metric"].str.contains("κ")].iloc[0]
    assert [row[side].replace("\\", "") for side in "AB"] == [number(one.values["kappa"]) for one in (first, other)]
    app.button(key="lab.swap").click().run()
    assert seen(app.number_input, "lab a TP typed").value == 20
    app.button(key="lab.turn").click().run()
    assert [seen(app.number_input, f"lab b {cell} typed").value for cell in ("FN", "FP")] == [20, 30]
    seen(app.toggle, "lab second").set_value(False).run()
    assert not app.table


def test_no_verdict_counts_as_asked(visit) -> None:
    app = full(visit, lab_a="30_10_10_20_5_5_5_5_10")
    for mode, kappa in (("exclude", "0.42"), ("as_unmet", "0.39"), ("as_category", "0.37")):
        seen(app.radio, "lab mode").set_value(mode).run()
        assert f"= {kappa}" in shown(app)
    seen(app.number_input, "lab a silent 4").set_value(0).run()
    assert not app.exception


def test_a_task_notices_when_it_is_solved(visit) -> None:
    app = full(visit, lab_a="400_100_100_400", lab_task="below-zero")
    assert not app.success
    for cell, n in (("TP", 0), ("TN", 800)):
        seen(app.number_input, f"lab a {cell} typed").set_value(n).run()
    assert "Solved" in app.success[0].value


TAKEN_FROM = dict(zip(TASKS_BY_KEY, ("asleep", "2b", "3b", "7c", "4a", "5c", "minus"), strict=True))


@pytest.mark.parametrize(("task", "step"), list(TAKEN_FROM.items()))
def test_a_task_leads_back_to_the_step_it_was_taken_from(visit, task, step) -> None:
    task = TASKS_BY_KEY[task]

    def title(key: str) -> str:
        scene = at_step(key)
        return STEPS[key].title(scene.picture, scene.other)

    app = full(visit, lab_step=step)
    seen(app.pills, "lab task").set_value(task.key).run()
    assert f"Task: {task.title}" in shown(app)
    assert task.text in shown(app)
    assert task.state(Picture(task.start), task.second_table and Picture(task.second_table)) in shown(app)
    assert title(step) not in shown(app)
    app.button(key="lab.leave").click().run()
    assert title(step) in shown(app)
    assert step_name(step) in shown(app)
    seen(app.pills, "lab task").set_value(task.key).run()
    assert app.button(key="lab.back").label == "Back to the step"
    app.button(key="lab.back").click().run()
    assert title(step) in shown(app)
    seen(app.pills, "lab task").set_value(task.key).run()
    seen(app.pills, "lab task").set_value(None).run()
    assert title(step) in shown(app)
    assert not seen(app.pills, "lab task").value
    seen(app.pills, "lab task").set_value(task.key).run()
    app.button(key="lab.next").click().run()
    assert title(list(STEPS)[list(STEPS).index(step) + 1]) in shown(app)


def test_a_solved_task_says_why_and_offers_the_next(visit) -> None:
    first, second = list(TASKS_BY_KEY.values())[:2]
    app = full(visit, lab_a="0_100_100_800", lab_task=first.key)
    assert first.why in app.success[0].value.replace("\\", "")
    app.button(key="lab.next_task").click().run()
    assert f"Task: {second.title}" in shown(app)
    assert not app.success
    assert all(hint in shown(app) for hint in second.hints)


def of_figure(app) -> dict[str, object]:
    """What the browser is given to draw the figure from."""
    (data,) = [one for one in (json.loads(own.proto.json) for own in app.get("bidi_component")) if "tables" in one]
    return data


def test_a_lesson_alone_has_its_words_its_figure_and_no_more(visit) -> None:
    app = visit(PAGE)
    for step in LESSONS[0].steps:
        assert step.title(step.picture()) in shown(app)
        assert step.sentence(step.picture()) in shown(app)
        assert of_figure(app)["shows"] == list(step.shows)
        assert [table["counts"] for table in of_figure(app)["tables"]] == [[[10, 0], [10, 80]], [[0, 10], [0, 90]]]
        assert not app.get("plotly_chart")
        app.button(key="lab.next").click().run()
    assert LESSONS[1].steps[0].title(LESSONS[1].steps[0].picture()) in shown(app)
    app.button(key="lab.full").click().run()
    assert app.get("plotly_chart")
    app.button(key="lab.alone").click().run()
    assert not app.get("plotly_chart")


def test_a_bet_is_placed_once_and_says_what_the_next_step_shows(visit) -> None:
    app = visit(PAGE)
    assert bets.why("ship") not in shown(app)
    seen_bet = next(one for one in app.segmented_control if one.key == "lab bet ship")
    seen_bet.set_value(2).run()
    assert f"Judge A. {bets.why('ship')}" in shown(app)
    assert "0 of 1 right" in shown(app)
    assert next(one for one in app.segmented_control if one.key == "lab bet ship").disabled
    app.button(key="lab.next").click().run()
    app.button(key="lab.previous").click().run()
    assert bets.why("ship") in shown(app)


FORMERLY = {
    "1a": "450_50_50_450", "1b": "0_50_50_900", "1c": "250_250_250_250", "1d": "5_95_95_1805", "2b": "45_5_95_855", "7c": None,
}  # fmt: skip


@pytest.mark.parametrize(("step", "table"), FORMERLY.items())
def test_an_older_address_leads_to_the_same_table(visit, step, table) -> None:
    (shown_table, *_) = of_figure(visit(PAGE, lab_step=step))["tables"]
    if table is None:
        assert shown_table["counts"] == STEPS[step].picture().counts.tolist()
    else:
        assert "_".join(str(n) for row in shown_table["counts"] for n in row) == table
    own = [table["counts"] for table in of_figure(visit(PAGE, lab_step="1e"))["tables"]]
    assert own == [[[450, 50], [50, 450]], [[0, 50], [50, 900]]]


def test_what_has_no_verdict_walks_into_the_table(visit) -> None:
    shelves = [of_figure(visit(PAGE, lab_step=key))["tables"][0] for key in ("7a", "7b", "7c", "7d")]
    assert [table["shelf"] for table in shelves] == [0, 30, 0, 0]
    assert [table["held"] for table in shelves] == [True, True, False, False]
    assert [sum(map(sum, table["counts"])) + table["shelf"] for table in shelves] == [70, 100, 100, 100]
    assert shelves[3]["values"]["kappa"] == pytest.approx(0.370, abs=5e-4)


def test_a_task_gives_back_the_table_it_was_taken_from_and_a_link_with_one_its_step(visit) -> None:
    app = full(visit, lab_a="63_20_133_784")
    seen(app.pills, "lab task").set_value("below-zero").run()
    seen(app.pills, "lab task").set_value("f1-flatters").run()
    seen(app.number_input, "lab a TP typed").set_value(7).run()
    app.button(key="lab.leave").click().run()
    assert [seen(app.number_input, f"lab a {cell} typed").value for cell in ("TP", "FN", "FP", "TN")] == [63, 20, 133, 784]
    linked = full(visit, lab_a="45_5_5_45", lab_step="2b", lab_task="below-zero")
    assert "Task: κ below zero" in shown(linked)
    linked.button(key="lab.leave").click().run()
    assert "step 2b" in shown(linked)
    old = full(visit, lab_a="400_100_100_400", lab_task="below-zero")
    old.button(key="lab.leave").click().run()
    assert "step 1a" in shown(old)


def test_a_link_that_cannot_be_read_says_why_and_shows_the_first_step(visit) -> None:
    app = full(visit, lab_a="1_2_3")
    assert "1_2_3" in app.error[0].value.replace("\\", "")
    assert STEPS[FIRST].title(at_step(FIRST).picture) in shown(app)


def test_words_of_a_link_are_plain_text(visit) -> None:
    app = full(visit, lab_a="40_10_20_30", lab_words="**bold**~<b>x</b>")
    assert not any("**bold**" in str(element.value) for element in app.markdown)
    assert "bold" in words_in(figure(app, "lab.mosaic_a"))
    assert "<b>x</b>" not in words_in(figure(app, "lab.mosaic_a"))


@pytest.mark.parametrize("table", ["40_20_5_35", "50_20_5_25", "60_20_5_15", "70_20_2_8"])
def test_in_the_room_a_low_row_of_two_tables_has_its_label_whole(visit, table) -> None:
    words = words_in(figure(full(visit, view="room", lab_step="5c", lab_a=table, lab_beside="Coefficients"), "lab.mosaic_a"))
    assert "<b>MET</b>" in words
    assert "<b>UNMET</b>" in words


def test_room_view_turns_the_steps(visit) -> None:
    app = full(visit, view="room")
    assert "step 1a" in shown(app)
    assert not app.get("plotly_chart")
    assert len(of_figure(app)["tables"]) == 2
    app.button(key="lab.next").click().run()
    assert "step 1b" in shown(app)
    app.segmented_control(key="lab_beside").set_value("space").run()
    assert figure(app, "lab.space")


def test_a_table_from_elsewhere_leads_to_the_first_step(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    assert app.button(key="lab.previous").disabled
    app.button(key="lab.next").click().run()
    assert "step 1a" in shown(app)


def test_rates_that_no_decision_shows_are_said_to_be_set(visit) -> None:
    app = full(visit, lab_a="0_0_0_5")
    seen(app.segmented_control, "lab drive a").set_value("rates").run()
    assert "TPR 50 % is as set: no decision of this table is MET" in shown(app).replace("\u00a0", " ")


def test_the_sliders_reach_as_far_as_the_table_again_after_undo(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    seen(app.number_input, "lab a TP typed").set_value(10**6).run()
    assert seen(app.slider, "lab a FN slider").max == 2 * 10**6
    app.button(key="lab.undo").click().run()
    assert seen(app.slider, "lab a FN slider").max == 100


def test_nothing_but_words_stands_on_the_page(visit) -> None:
    assert "None" not in [str(element.value) for element in full(visit).markdown]


def test_a_link_that_cannot_be_read_says_why_in_the_room_too(visit) -> None:
    assert "1_2_3" in full(visit, view="room", lab_a="1_2_3").error[0].value.replace("\\", "")


def test_a_rare_row_of_the_table_is_as_thin_as_it_is_rare(visit) -> None:
    def rows(address: str) -> list[float]:
        (bars,) = figure(full(visit, lab_a=address), "lab.mosaic_a")["data"]
        tall = {place[0]: height for place, height in zip(bars["customdata"], bars["y"], strict=True)}
        return [tall[0], tall[1]]

    twentieth, fiftieth = rows("45_5_95_855"), rows("18_2_98_882")
    assert twentieth[0] / sum(twentieth) == pytest.approx(0.05)
    assert fiftieth[0] / sum(fiftieth) == pytest.approx(0.02)
    assert sum(twentieth) == pytest.approx(sum(fiftieth))


def test_the_half_of_a_percent_that_a_slider_sets_is_shown(visit) -> None:
    app = full(visit, lab_a="r12.5_87.5_62.5_1000")
    mosaic = words_in(figure(app, "lab.mosaic_a")).replace("\u00a0", " ")
    for rate in ("MET</b> 12.5 %", "87.5 %", "62.5 % of human UNMET", "missed passes, 12.5 %", "false passes, 37.5 %"):
        assert rate in mosaic
    told = " ".join(chart.proto.alt for chart in app.get("plotly_chart")).replace("\u00a0", " ")
    assert "TPR 87.5 %, TNR 62.5 %" in told
    assert "TPR 87.5 %, FPR 37.5 %" in told


def counted(app) -> dict[str, object]:
    """What the browser is told of the steps, to count presses by itself."""
    (data,) = [one for one in (json.loads(own.proto.json) for own in app.get("bidi_component")) if "arrows" in one]
    return data


@pytest.mark.parametrize("view", [{}, {"view": "room"}])
def test_presses_are_counted_from_the_step_in_view_on_to_the_last(visit, view) -> None:
    place = list(STEPS).index("2b")
    app = full(visit, lab_step="2b", **view)
    told = {"place": place, "last": len(STEPS) - 1, "heard": 0, "arrows": bool(view), "backs": True, "letters": False}
    told |= {"marks": 0, "open": {}}
    assert counted(app) == told | {"buttons": ["st-key-lab-previous", "st-key-lab-next"]}
    app.button(key="lab.next").click().run()
    assert counted(app)["place"] == place + 1
    assert counted(full(visit, lab_a="40_10_20_30", **view))["place"] == -1


def alt(app, key: str) -> str:
    return next(chart.proto.alt for chart in app.get("plotly_chart") if key in chart.proto.id)


def drawn(app) -> set[str]:
    return {
        key
        for key in ("mosaic_a", "mosaic_b", "split", "lines", "space")
        for c in app.get("plotly_chart")
        if f"lab.{key}" in c.proto.id
    }


@pytest.mark.parametrize(
    ("lit", "uses"),
    [("kappa", "κ uses all four cells."), ("f1", "F1 uses TP, FN and FP."), ("accuracy", "accuracy uses TP and TN.")],
)
def test_the_table_s_text_names_the_cells_that_are_lit(visit, lit, uses) -> None:
    assert alt(full(visit, lab_a="40_10_20_30", lab_lit=lit), "lab.mosaic_a").endswith(f"Outlined: {uses}")


def test_the_third_class_of_one_table_is_a_class_of_the_other(visit) -> None:
    for a, b in (("100_20_5_5_10_0_0_0_0", "80_40_5_5"), ("80_40_5_5", "100_20_5_5_10_0_0_0_0")):
        app = full(visit, lab_a=a, lab_b=b, lab_mode="as_category", lab_lit="accuracy")
        for side in "ab":
            assert alt(app, f"lab.mosaic_{side}").endswith(
                "accuracy uses the 3 cells in which human and judge give the same label."
            )
        assert drawn(app) == {"mosaic_a", "mosaic_b", "split"}
        assert (
            shown(app).count("there is no line: TPR and FPR need two labels, and CANNOT_ASSESS is a class of its own here.") == 1
        )
        assert (
            shown(app).count("there is no point: TPR and FPR need two labels, and CANNOT_ASSESS is a class of its own here.") == 1
        )
        assert "abstentions kept as a class, none here" in shown(app)
        assert not app.exception
    assert drawn(full(visit, lab_a="80_40_5_5", lab_b="70_50_5_5", lab_mode="as_category")) >= {"lines", "space"}


def test_a_view_that_is_defined_for_b_alone_is_drawn_of_b(visit) -> None:
    app = full(visit, lab_a="0_0_5_5", lab_b="40_10_20_30")
    assert drawn(app) == {"mosaic_a", "mosaic_b", "split", "lines", "space"}
    assert "A: there is no point: the human never says MET, so there is no TPR. B: TPR 80" in shown(app).replace("\u00a0", " ")
    assert "nothing" not in words_in(figure(app, "lab.space")).lower()
    assert drawn(full(visit, lab_a="0_0_5_5")) == {"mosaic_a", "split"}


def test_a_link_restores_how_far_the_sliders_reach(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    seen(app.slider, "lab a TP slider").set_value(100).run()
    seen(app.slider, "lab a TP slider").set_value(40).run()
    assert seen(app.slider, "lab a FN slider").max == 200
    again = full(visit, lab_a="40_10_20_30", lab_top="200")
    assert seen(again.slider, "lab a FN slider").max == 200
    assert seen(again.slider, "lab a FN slider").step == seen(app.slider, "lab a FN slider").step
    two = full(visit, lab_a="40_10_20_30", lab_b="4_1_2_3", lab_top="200_500")
    assert [seen(two.slider, f"lab {side} TP slider").max for side in "ab"] == [200, 500]
    assert seen(full(visit, lab_a="4000_1_1_1", lab_top="200").slider, "lab a TP slider").max == 5000


@pytest.mark.parametrize("n", [10**9, 999_999_937])
def test_a_link_with_the_largest_counts_has_sliders_that_hold_them(visit, n) -> None:
    app = full(visit, lab_a=f"{n}_1_1_1")
    slider = seen(app.slider, "lab a TP slider")
    assert (slider.value, slider.max) == (n, 10**9)
    assert not app.error


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"lab_a": "r101_50_50_10"}, "prevalence lies between 0 % and 100 %, not 101 %."),
        ({"lab_a": "r50_90_90_1e12"}, "N lies between 0 and 1 000 000 000, not 1 000 000 000 000."),
        ({"lab_top": "5"}, "‘5’ cannot be how far the sliders reach: write a whole number from 100 to 1 000 000 000."),
        ({"lab_mode": "guess", "lab_unit": "apples"}, "write decisions or items."),
        ({"lab_a": "1_2_3", "lab_top": "5"}, "‘5’ cannot be how far the sliders reach"),
    ],
)
def test_what_a_link_may_say_is_told_in_the_units_of_the_page(visit, told, says) -> None:
    app = full(visit, **told)
    error = app.error[0].value.replace("\\", "").replace("\u202f", " ").replace("\u00a0", " ").replace("\u2060", "")
    assert error.count("cannot be") == len(told)
    assert says in error
    assert not {"e+", "-"} & set(error)
    assert STEPS[FIRST].title(at_step(FIRST).picture) in shown(app)


def test_sliders_that_reach_farther_still_show_the_table(visit) -> None:
    app = full(visit, lab_a="40_10_20_30")
    before = {slider.key for slider in app.slider}
    seen(app.slider, "lab a TP slider").set_value(100).run()
    sliders = [seen(app.slider, f"lab a {cell} slider") for cell in ("TP", "FN", "FP", "TN")]
    assert [(slider.max, slider.value) for slider in sliders] == [(200, 100), (200, 10), (200, 20), (200, 30)]
    # Of another reach it is another widget to the browser, which would show it at its start.
    assert not before & {slider.key for slider in sliders}
    kept = {slider.key for slider in sliders}
    sliders[1].set_value(15).run()
    assert {seen(app.slider, f"lab a {cell} slider").key for cell in ("TP", "FN", "FP", "TN")} == kept
