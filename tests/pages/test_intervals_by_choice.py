"""Intervals chosen in the sidebar: what the page shows is what the package computes with the same arguments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import streamlit as st

import metrics
from metrics.data.abstention import MODES
from metrics.data.aggregation import LEVELS
from metrics.results.words import bounds
from pages.shared import bootstrap_job, job
from tests.pages.seen import figure, text_of, unescaped, words_in

AGREEMENT = "pages/judge/agreement.py"

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets/support_answers.csv"
CHOICES = [
    ({"confidence": "80"}, {"confidence": 0.8}),
    ({"confidence": "0.9"}, {"confidence": 0.9}),
    ({"interval": "jackknife", "confidence": "99"}, {"interval": "jackknife", "confidence": 0.99}),
    ({"interval": "Jackknife", "unit": "Groups: prompt"}, {"interval": "jackknife", "unit": "prompt"}),
    ({"unit": "prompt"}, {"unit": "prompt"}),
    ({"interval": "Bootstrap, percentile", "replicates": "500"}, {"interval": "bootstrap", "replicates": 500}),
    ({"interval": "bca", "seed": "7"}, {"interval": "bca", "rng": 7}),
    ({"interval": "bootstrap", "unit": "decision"}, {"interval": "bootstrap", "unit": "decision"}),
    ({"interval": "bca", "unit": "Criteria"}, {"interval": "bca", "unit": "criterion"}),
    ({"interval": "bootstrap", "unit": "hierarchical"}, {"interval": "bootstrap", "unit": "hierarchical"}),
    ({"interval": "bootstrap", "unit": "prompt"}, {"interval": "bootstrap", "unit": "prompt"}),
]  # fmt: skip


def kappa_shown(app) -> str:
    return next(metric.delta for metric in app.metric if metric.label == "Cohen’s κ")


def expected(choices, mode="exclude", level="micro", source=SAMPLE) -> str:
    ratings = metrics.read(source)
    judge = ratings.judges[0]
    block = metrics.agreement(ratings, judges=[judge], abstention=mode, **choices).judges[judge].level(level)
    return bounds(block["kappa"].ends)


@pytest.fixture
def slow(monkeypatch):
    """Every bootstrap counts as one to wait for."""
    monkeypatch.setattr(bootstrap_job, "QUICK", 0)


@pytest.mark.parametrize(("link", "choices"), CHOICES)
def test_a_link_shows_what_the_package_computes(visit, link, choices):
    assert kappa_shown(visit(AGREEMENT, **link)) == expected(choices)


@pytest.mark.parametrize("kind", ["jackknife", "bca"])
def test_all_nine_cells_carry_the_method(visit, kind):
    shown = words_in(figure(visit(AGREEMENT, interval=kind), "agreement.grid"))
    for mode in MODES:
        for level in LEVELS:
            assert expected({"interval": kind}, mode, level) in shown


def test_choices_of_the_sidebar_change_the_intervals(visit):
    app = visit(AGREEMENT)
    app.selectbox(key="interval").set_value("bootstrap").run()
    app.selectbox(key="unit").set_value("decision").run()
    app.selectbox(key="replicates").set_value(1000).run()
    app.number_input(key="seed").set_value(3).run()
    app.segmented_control(key="confidence").set_value(90).run()
    assert not app.exception
    wanted = {"interval": "bootstrap", "unit": "decision", "replicates": 1000, "rng": 3, "confidence": 0.9}
    assert kappa_shown(app) == expected(wanted)
    assert "flat bootstrap, assumes independent decisions, 1\u202f000 replicates, seed 3" in text_of(app).replace("\\", "")
    app.selectbox(key="interval").set_value("jackknife").run()
    assert kappa_shown(app) == expected({"interval": "jackknife", "confidence": 0.9})
    app.selectbox(key="interval").set_value("none").run()
    assert kappa_shown(app) == "no interval"
    assert "No intervals" in text_of(app)


def test_a_column_with_two_values_in_an_item_is_not_offered(visit):
    options = visit(AGREEMENT, interval="bootstrap").selectbox(key="unit").options
    assert "Groups: prompt" in options
    assert not {"Groups: order", "Groups: rater", "Groups: label"} & set(options)


def test_a_long_bootstrap_waits_for_its_button(visit, slow):
    app = visit(AGREEMENT, interval="bca")
    assert kappa_shown(app) == expected({})
    assert "The bootstrap has not run. The page shows the intervals of the default rules." in text_of(app)
    app.button(key="bootstrap.button").click().run()
    assert not app.exception
    assert kappa_shown(app) == expected({"interval": "bca"})
    assert "bootstrap.button" not in [button.key for button in app.button]
    app.radio(key="mode").set_value("as_category").run()
    assert kappa_shown(app) == expected({"interval": "bca"}, "as_category")


def test_a_finished_bootstrap_survives_other_pages_and_choices(visit, slow, monkeypatch):
    app = visit(AGREEMENT, interval="bootstrap")
    app.button(key="bootstrap.button").click().run()
    monkeypatch.setattr(bootstrap_job, "judge_report", None)
    app.switch_page("pages/data/data.py").run()
    app.switch_page("pages/judge/agreement.py").run()
    assert kappa_shown(app) == expected({"interval": "bootstrap"})
    app.selectbox(key="interval").set_value("auto").run()
    app.selectbox(key="interval").set_value("bootstrap").run()
    assert not app.exception
    assert kappa_shown(app) == expected({"interval": "bootstrap"})


def test_stopping_keeps_the_default_intervals(visit, slow, monkeypatch):
    def cut_off(*_: object) -> None:
        st.stop()

    app = visit(AGREEMENT, interval="bootstrap")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(bootstrap_job, "judge_report", cut_off)
        app.button(key="bootstrap.button").click().run()
        assert "Until it is done, the page shows the intervals of the default rules" in text_of(app)
        app.button(key="bootstrap.button").click().run()
    assert "The bootstrap was stopped. The page shows the intervals of the default rules." in text_of(app)
    assert kappa_shown(app) == expected({})
    app.button(key="bootstrap.button").click().run()
    assert kappa_shown(app) == expected({"interval": "bootstrap"})


def test_stopping_keeps_the_replicates_done(visit, slow, monkeypatch):
    real = bootstrap_job.status

    def status(*arguments):
        real(*arguments)
        shares = []

        def tell(share, text):
            shares.append(share)
            if len(shares) == 4:
                st.stop()

        return tell

    app = visit(AGREEMENT, interval="bootstrap")
    monkeypatch.setattr(job, "EVERY", 0)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(bootstrap_job, "status", status)
        app.button(key="bootstrap.button").click().run()
    app.button(key="bootstrap.button").click().run()
    assert not app.exception
    said = text_of(app).replace("\\", "").replace("\u2060", "")
    assert "was stopped after 400 of 2\u202f000 replicates in Exclude, which are kept." in said
    assert "Rows without a bootstrap show the intervals of the default rules." in said
    assert "item bootstrap, 400 replicates, seed 0" in said
    assert "Exclude: bootstrap, percentile; other rows: default rules" in said
    assert kappa_shown(app) not in (expected({}), "no interval")
    app.button(key="bootstrap.button").click().run()
    assert kappa_shown(app) == expected({"interval": "bootstrap"})
    assert "was stopped" not in text_of(app)


def test_rows_of_two_kinds_are_told_apart(visit, slow, monkeypatch):
    real, seen = bootstrap_job.judge_report, []

    def once(*arguments: object) -> object:
        seen.append(arguments)
        return real(*arguments) if len(seen) == 1 else st.stop()

    app = visit(AGREEMENT, interval="bootstrap")
    monkeypatch.setattr(bootstrap_job, "judge_report", once)
    app.button(key="bootstrap.button").click().run()
    app.button(key="bootstrap.button").click().run()
    assert kappa_shown(app) == expected({"interval": "bootstrap"})
    assert "Exclude: bootstrap, percentile; other rows: default rules" in text_of(app).replace("\\", "").replace("\u2060", "")
    shown = words_in(figure(app, "agreement.grid"))
    assert expected({"interval": "bootstrap"}, "exclude", "macro") in shown
    assert expected({}, "as_category", "macro") in shown


def test_kept_results_are_bounded(visit):
    app = visit(AGREEMENT, interval="bootstrap", replicates="500")
    for seed in range(job.MOST_KEPT // 3 + 2):
        app.number_input(key="seed").set_value(seed).run()
    assert len(app.session_state[bootstrap_job.JOBS]) == job.MOST_KEPT


def test_undefined_replicates_are_counted(visit):
    app = visit(AGREEMENT, interval="bootstrap")
    ratings = metrics.read(SAMPLE)
    judge = ratings.judges[0]
    report = metrics.agreement(ratings, judges=[judge], interval="bootstrap").judges[judge]
    table = next(frame.value for frame in app.dataframe if "undefined" in frame.value.columns)
    wanted = [n for _, _, block in report.blocks() for n in block.more["undefined_replicates"].values()]
    assert sorted(table["undefined"]) == sorted(wanted)
    assert not [frame for frame in visit(AGREEMENT).dataframe if "undefined" in frame.value.columns]


def test_counts_have_no_items_to_draw(visit):
    app = visit(AGREEMENT, data="rao_balanced", interval="bootstrap", unit="decision")
    assert "A table of counts has no items to draw" in text_of(app)
    assert kappa_shown(app) == expected({"interval": "bootstrap"}, source=ROOT / "assets/rao_balanced.csv")
    assert "decision bootstrap" in text_of(app)


def test_many_classes_with_a_bootstrap(visit):
    rng = np.random.default_rng(2)
    app = visit("pages/data/data.py")
    labels = np.array(["red", "green", "blue"])
    human = rng.integers(0, 3, 60)
    judge = np.where(rng.random(60) < 0.7, human, rng.integers(0, 3, 60))
    rows = "item,human,verdict\n" + "\n".join(
        f"q{i},{labels[h]},{labels[j]}" for i, (h, j) in enumerate(zip(human, judge, strict=True))
    )
    app.file_uploader(key="data.upload").upload("colours.csv", rows.encode(), "text/csv").run()
    for label in labels:
        {box.label: box for box in app.selectbox}[f"Meaning of {label}"].set_value("class").run()
    app.button(key="data.use").click().run()
    app.switch_page("pages/judge/agreement.py").run()
    app.selectbox(key="interval").set_value("bootstrap").run()
    assert not app.exception
    assert kappa_shown(app).startswith("[")
    assert "item bootstrap" in text_of(app)


def opened(visit, rows):
    app = visit("pages/data/data.py")
    data = "item,criterion,human,verdict\n" + "\n".join(",".join(row) for row in rows)
    app.file_uploader(key="data.upload").upload("few.csv", data.encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception
    return app


def test_small_cells_are_said_once(visit):
    rows = [(f"q{i}", "tone", human(i), human(i + (i < 2))) for i in range(60)]
    rows += [(f"q{i}", "source", human(i + 1), human(i + 1)) for i in range(60)]
    said = unescaped(opened(visit, rows))
    assert (
        said.count("Small cell, 2 items with a disagreement: the intervals of κ, accuracy and label-rate bias are made wide") == 1
    )


def test_few_items_are_said_once(visit):
    rows = [(f"q{i}", "tone", human(i), human(i + (i % 3 == 0))) for i in range(8)]
    said = unescaped(opened(visit, rows))
    assert said.count("Only 8 items behind the intervals of κ, φ, accuracy and label-rate bias.") == 1


def human(i: int) -> str:
    return ("MET", "UNMET")[i % 2]


def test_an_interval_that_cannot_be_says_why(visit):
    app = visit(AGREEMENT, interval="bootstrap", unit="criterion", level="Item")
    said = unescaped(app)
    assert (
        said.count(
            "No interval of κ, φ, accuracy and label-rate bias: an item verdict needs the whole rubric; draw items instead."
        )
        == 1
    )


def test_intervals_by_choice_have_no_effect_elsewhere(visit):
    app = visit("pages/data/data.py", interval="bootstrap")
    assert app.selectbox(key="interval").disabled
    assert "Intervals by choice are shown on the Agreement page" in text_of(app)


def test_ties_and_invalid_answers_are_named(visit):
    rows = "item,human,verdict\n" + "".join(
        f"q{i},{'MET' if i % 2 else 'UNMET'},{'MET' if i % 3 else 'UNMET'}\n" for i in range(20)
    )
    rows += "q20,TIE,MET\nq21,MET,INVALID\nq22,MET,INVALID\n"
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("ties.csv", rows.encode(), "text/csv").run()
    for label, kind in (("TIE", "tie"), ("INVALID", "invalid")):
        boxes = {box.label: box for box in app.selectbox}
        if f"Meaning of {label}" in boxes:
            boxes[f"Meaning of {label}"].set_value(kind).run()
    app.button(key="data.use").click().run()
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception
    assert "1 tie and 2 invalid answers in this file count as no verdict." in text_of(app)
    assert "count as no verdict." not in text_of(visit(AGREEMENT))


def test_an_unknown_unit_in_a_link_gives_way_to_items(visit):
    assert kappa_shown(visit(AGREEMENT, interval="bootstrap", unit="no such column")) == expected({"interval": "bootstrap"})
