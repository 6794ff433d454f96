from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.sweeping import said as sweeping_said
from metrics.sweeping.power import rates_of
from metrics.sweeping.sweeps import sweep
from metrics.words import number, percent
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
    assert numbers["Accuracy at 5\u00a0%"] == percent(there["accuracy"])
    assert numbers["Youden’s J"] == number(block.values["youden_j"])
    assert sweeping_said.reading(one, 0.05, here) in plain(app)
    assert sweeping_said.zone_reading(one, 0.05) in plain(app)
    assert f"deployed 5\u00a0%</b>: κ {number(there['kappa'])}" in words_in(figure(app, "sweep.lines"))


def test_rates_by_hand_and_another_deployment(visit) -> None:
    app = visit(PAGE)
    app.segmented_control(key="sweep_from").set_value("typed").run()
    app.slider(key="sweep_at").set_value(20).run()
    app.slider(key="sweep_tnr").set_value(80).run()
    assert not app.exception
    assert numbers_of(app)["κ at 20\u00a0%"] == number(sweep(0.9, 0.2).at(0.2)["kappa"])
    assert "typed by hand" in plain(app)


def test_the_address_restores_the_question(visit) -> None:
    app = visit(PAGE, sweep_at="30", sweep_golden="500")
    assert "κ at 30\u00a0%" in numbers_of(app)
    assert "golden sets of 500" in plain(app)


def test_groups_of_metrics_can_be_changed(visit) -> None:
    app = visit(PAGE)
    pills = [widget for widget in app.get("button_group") if "sweep_metrics_moves" in str(widget.proto.id)]
    assert len(pills) == 1
    assert figure(app, "sweep.lines")["data"]


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
    assert "## Read this as" in text_of(app)


def test_without_data_the_rates_are_typed(visit) -> None:
    app = visit(PAGE, data="gone")
    assert "κ at 5\u00a0%" in numbers_of(app)
    assert numbers_of(app)["κ at 5\u00a0%"] == "0.43"
