from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest

import metrics
from metrics.analyses.prevalence import readings as prevalence_readings
from metrics.analyses.prevalence.compute import sweep
from metrics.analyses.prevalence.power import rates_of
from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import read
from metrics.measures.catalogue import BY_KEY, applicable
from metrics.results.words import number, percent
from tests.pages.files import upload
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/learn/prevalence.py"


def plain(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


@pytest.fixture(scope="module")
def block():
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    return metrics.agreement(ratings).judges[ratings.judges[0]].micro


def test_the_page_says_what_the_package_computes(visit, block) -> None:
    app = visit(PAGE)
    one = sweep(*map(float, rates_of(block.confusion)))
    here, there = block.values["prevalence"], one.at(0.05)
    numbers = numbers_of(app)
    assert numbers[f"κ at your {percent(here)}"] == number(block.values["kappa"])
    assert numbers["κ at 5\u00a0%"] == number(there["kappa"])
    spread = next(metric for metric in app.metric if metric.label == "κ at 5\u00a0%")
    assert " to " in spread.delta
    assert "[" not in spread.delta
    assert "in 95 % of golden sets of 200" in spread.proto.delta_description
    assert numbers["Accuracy at 5\u00a0%"] == percent(there["accuracy"])
    assert numbers["Youden’s J"] == number(block.values["youden_j"])
    assert prevalence_readings.reading(one, 0.05, here) in plain(app)
    assert prevalence_readings.zone_reading(one, 0.05) in plain(app)
    assert f"deployed 5\u00a0%</b>: κ {number(there['kappa'])}" in words_in(figure(app, "sweep.lines"))


def test_rates_by_hand_and_another_deployment(visit) -> None:
    app = visit(PAGE)
    app.segmented_control(key="sweep_from").set_value("typed").run()
    assert "Example: these rates, TPR 90 % and TNR 90 %, come from no data." in plain(app)
    assert "typed by hand" not in plain(app)
    assert "a judge with these rates has κ 0.80 at your" in plain(app)
    assert "the same judge has" not in plain(app), "the judge of the file has another κ there"
    app.session_state["sweep_at"] = 20.0
    app.run()
    app.slider(key="sweep_tnr").set_value(80).run()
    assert not app.exception
    assert numbers_of(app)["κ at 20\u00a0%"] == number(sweep(0.9, 0.2).at(0.2)["kappa"])
    assert "typed by hand" in plain(app)
    assert "Example: these rates" not in plain(app)


def test_the_address_restores_the_question(visit) -> None:
    app = visit(PAGE, sweep_at="30", sweep_golden="500")
    assert "κ at 30\u00a0%" in numbers_of(app)
    assert "golden sets of 500" not in plain(app)
    app.toggle(key="sweep_band").set_value(True).run()
    assert "golden sets of 500" in plain(app)
    assert "golden sets of 500" in plain(visit(PAGE, sweep_golden="500", sweep_band="true"))


def test_the_sweep_opens_with_two_lines(visit) -> None:
    lines = [trace for trace in figure(visit(PAGE), "sweep.lines")["data"] if trace.get("hovertemplate")]
    assert [trace["hovertemplate"].split()[0] for trace in lines] == ["<b>κ", "<b>accuracy"]


def test_the_address_restores_rates_by_hand(visit) -> None:
    app = visit(PAGE, sweep_from="typed", sweep_tpr="80", sweep_tnr="95.5", sweep_at="0.5")
    assert numbers_of(app)["κ at 0.5\u00a0%"] == number(sweep(0.8, 0.045).at(0.005)["kappa"])
    assert "TPR 80\u00a0%, TNR 95.5\u00a0%" in plain(app)


@pytest.mark.parametrize(("tpr", "tnr"), [(88.4, 91.2), (88.8889, 99.95), (88.888888888, 99.9999), (0, 100)])
def test_the_address_brings_rates_between_the_steps_as_they_are(visit, tpr, tnr) -> None:
    app = visit(PAGE, sweep_from="typed", sweep_tpr=str(tpr), sweep_tnr=str(tnr))
    assert [app.slider(key=key).value for key in ("sweep_tpr", "sweep_tnr")] == [tpr, tnr]
    assert numbers_of(app)["κ at 5\u00a0%"] == number(sweep(tpr / 100, (100 - tnr) / 100).at(0.05)["kappa"])
    assert f"TPR {tpr:.4g}\u00a0%, TNR {tnr:g}\u00a0%" in plain(app)


LAB = "pages/learn/lab.py"


def to_the_sweep(app) -> dict[str, str]:
    """What the lab's link to the sweep carries."""
    (link,) = [one.proto for one in app.get("page_link") if one.proto.label == "This judge at every prevalence"]
    return {key: values[0] for key, values in parse_qs(link.query_string).items()}


TABLES = ["45_5_95_855", "975_171_308_24_0_0_242_64_0", "r12.3456_85.0785_7.22892_1000", "1_2_300_400"]


@pytest.mark.parametrize("table", TABLES)
def test_the_judge_of_the_lab_has_in_the_sweep_the_numbers_it_has_there_and_the_way_back(visit, table) -> None:
    here = Picture(read(table))
    app = visit(LAB, lab_a=table)
    carried = to_the_sweep(app)
    app.query_params.clear()
    for key, value in carried.items():
        app.query_params[key] = value
    app.switch_page(PAGE).run()
    assert not app.exception
    at = max(here.values["prevalence"], 0.005)
    assert app.session_state["sweep_at"] == pytest.approx(100 * at, abs=1e-9)
    there = sweep(*here.rates).at(at)["kappa"]
    assert there == pytest.approx(here.values["kappa"], abs=1e-9) or at == 0.005
    assert numbers_of(app)[f"κ at {prevalence_readings.share(at)}"] == number(there)
    assert numbers_of(app)["Youden’s J"] == number(here.values["youden_j"])
    assert "rates of the table in the paradox lab" in plain(app)
    assert "Back to the lab" in [one.proto.label for one in app.get("page_link")]
    app.query_params.clear()
    app.switch_page(LAB).run()
    assert to_the_sweep(app) == carried
    app.switch_page(PAGE).run()
    app.slider(key="sweep_tnr").set_value(33.3).run()
    assert "typed by hand" in plain(app)
    assert "Back to the lab" not in [one.proto.label for one in app.get("page_link")]


def test_a_prevalence_beyond_the_sweep_stands_at_its_end() -> None:
    assert Picture(read("1_1_5000_5000")).in_percent == ("50", "50", "0.5")
    assert Picture(read("5000_5000_1_1")).in_percent == ("50", "50", "99.5")


def groups(app):
    """The pills of what moves and of what stays."""
    return [widget for widget in app.get("button_group") if "sweep_metrics" in str(widget.proto.id)]


def test_every_metric_stands_in_one_of_two_groups(visit, block) -> None:
    app = visit(PAGE)
    one = sweep(*map(float, rates_of(block.confusion)))
    moves, stays = groups(app)
    assert list(moves.options) == [BY_KEY[key].symbol for key in one.moving]
    assert list(stays.options) == [BY_KEY[key].symbol for key in one.still]
    assert {*one.moving, *one.still} == {metric.key for metric in applicable(2, "table")}


def test_a_chosen_metric_is_drawn_and_stands_in_the_address(visit) -> None:
    app = visit(PAGE)
    groups(app)[0].set_value(["kappa", "f1"]).run()
    groups(app)[1].set_value(["youden_j"]).run()
    assert not app.exception
    drawn = words_in(figure(app, "sweep.lines"))
    assert "<b>F1</b>" in drawn
    assert "accuracy" not in drawn
    assert "<b>J</b>" in drawn
    assert {"kappa", "f1"} <= set("".join(app.query_params["sweep_metrics"]).split(","))
    again = visit(PAGE, sweep_metrics="f1,recall,nonsense")
    names = words_in(figure(again, "sweep.lines"))
    assert "<b>F1</b>" in names
    assert "<b>TPR</b>" in names
    assert "<b>κ</b>" not in names
    groups(again)[0].set_value([]).run()
    groups(again)[1].set_value([]).run()
    assert not again.exception
    assert "None of these metrics" in words_in(figure(again, "sweep.lines"))


def test_the_choice_of_metrics_outlives_another_judge(visit) -> None:
    app = visit(PAGE, sweep_from="typed", sweep_metrics="accuracy,kappa")
    assert [list(group.value) for group in groups(app)] == [["kappa"], ["accuracy"]]
    app.slider(key="sweep_tnr").set_value(80.0).run()
    assert not app.exception
    assert [list(group.value) for group in groups(app)] == [["kappa", "accuracy"], []]


def test_a_judge_without_negatives_is_told_what_to_do(visit) -> None:
    rows = "".join(f"q{i},j,yes,{('yes', 'no')[i % 3 == 0]}\n" for i in range(30))
    app = upload(visit("pages/data/data.py"), "given.csv", f"item,judge,human,verdict\n{rows}".encode())
    app.switch_page(PAGE).run()
    assert "no TPR and TNR here: the reference never says no. Set them by hand." in plain(app)
    app.segmented_control(key="sweep_from").set_value("typed").run()
    assert not app.exception
    assert "κ at your 100\u00a0%" in numbers_of(app)


@pytest.mark.parametrize("sample", ["rao_always_negative", "collot_table2_b", "rao_abstention", "pooled_at_chance"])
@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_every_sample_is_drawn(visit, sample, mode) -> None:
    app = visit(PAGE, data=sample, mode=mode)
    assert "Read this as" in text_of(app)
    assert "paradox zone" in text_of(app).lower() or "At no prevalence" in plain(app)


def test_every_level_and_room_view(visit) -> None:
    for level in ("macro", "item"):
        app = visit(PAGE, level=level)
        assert "Read this as" in text_of(app)
    app = visit(PAGE, view="room")
    app.button(key="room.right").click().run()
    assert not app.exception
    assert "**Read this as:**" in text_of(app)


def test_without_data_the_rates_are_typed(visit) -> None:
    app = visit(PAGE, data="gone")
    assert "κ at 5\u00a0%" in numbers_of(app)
    assert numbers_of(app)["κ at 5\u00a0%"] == "0.43"
