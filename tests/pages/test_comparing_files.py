"""A second file beside the first on Compare judges, and comparisons that take long."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import metrics
from metrics.analyses.comparison.compute import Contest
from metrics.analyses.comparison.readings import unit_of
from metrics.results import words
from metrics.results.words import p3
from pages.shared import job
from pages.shared.compare import results
from tests.pages.files import FIRST, SECOND, second, upload, uploaded
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in

ROOT = Path(__file__).resolve().parents[2]
DATA, COMPARE = "pages/data/data.py", "pages/judge/compare.py"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def test_one_judge_asks_for_a_second_file(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    assert "This file has one judge. Add a second file with the same items to compare them." in text_of(app)
    second(app, "new.csv", SECOND)
    assert "Is **new** better than **old**" in text_of(app)
    assert "1 of *old\\.csv* and 1 of *new\\.csv*" in text_of(app)
    from metrics.analyses.comparison.joining import join

    joined = join(metrics.read(FIRST), metrics.read(SECOND))
    found = metrics.compare(joined.ratings, "old", "new")
    assert numbers_of(app)["Difference in κ"] == words.value(found.difference.value, unit_of(found))
    app.switch_page(DATA).run()
    assert not app.exception
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception


def test_two_versions_of_one_judge_are_named_after_their_files(visit):
    app = upload(visit(DATA), "v1.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "v2.csv", FIRST.replace(b"note 3", b"note x").replace(b"q3,tone,old,UNMET,UNMET", b"q3,tone,old,UNMET,MET"))
    assert "Is **v2** better than **v1**" in text_of(app)
    assert "every row of a judge has a partner" in text_of(app)


def test_differing_human_labels_are_refused(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", SECOND.replace(b"q4,tone,new,MET", b"q4,tone,new,UNMET"))
    assert "about item ‘q4’" in unescaped(app)
    assert "This file has one judge" in text_of(app)


def test_a_file_in_doubt_is_sent_to_the_data_page(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", SECOND.replace(b"new,MET,MET", b"new,MET,maybe"))
    assert "Open this file on the Data page" in app.error[0].value


@pytest.mark.parametrize("data", [b"", b"item,human\n", b"PK\x03\x04"])
def test_a_broken_second_file_leaves_the_page(visit, data):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", data)
    assert app.error
    assert "This file has one judge" in text_of(app)


def test_a_file_open_already_can_be_the_second(visit):
    app = upload(uploaded(visit(DATA), "old.csv", FIRST), "new.csv", SECOND)
    app.switch_page(COMPARE).run()
    app.button(key="compare.add").click().run()
    assert not app.exception
    assert "Is **old** better than **new**" in text_of(app)


def test_a_stopped_test_says_what_is_done(visit, sample, monkeypatch):
    real = results.comparison_of

    def interrupted(*arguments, progress, **choices):
        def told(so_far):
            parts.append(replace(so_far, replicates=1200, asked=10_000, p=0.0125))
            progress(parts[0])
            slow.setattr(DeltaGenerator, "progress", lambda *_, **__: st.stop())
            return progress(parts[0])

        parts = []
        found = real(*arguments, **choices, progress=told)
        slow.undo()
        return replace(found, permutation=parts[0])

    monkeypatch.setattr(job, "SLOW", 0)
    monkeypatch.setattr(job, "EVERY", 0)
    with monkeypatch.context() as slow:
        slow.setattr(results, "comparison_of", interrupted)
        app = visit(COMPARE)
        assert "The permutation test is running." in text_of(app)
        next(button for button in app.button if button.label == "Stop").click().run()
        assert not app.exception
    assert numbers_of(app)["p, permutation"] == p3(0.0125)
    assert "The permutation test was stopped after 1\u202f200 of 10\u202f000 swaps; p rests on these." in unescaped(app)
    app.button(key="compare.again").click().run()
    assert not app.exception
    assert numbers_of(app)["p, permutation"] == p3(metrics.compare(sample, *sample.judges[:2]).permutation.p)
    assert "compare.again" not in [button.key for button in app.button]


def test_stopping_keeps_the_judges_that_are_done(visit, monkeypatch):
    rows = "item,criterion,judge,human,verdict\n" + "".join(
        f"q{i},c,j{place},{('yes', 'no')[i % 2]},{('yes', 'no')[(i * place) % 5 < 2]}\n"
        for place in range(1, 7)
        for i in range(40)
    )
    monkeypatch.setattr(job, "SLOW", 0)
    monkeypatch.setattr(job, "EVERY", 0)
    real = Contest.meet

    def slow(self, place, progress=None):
        return st.stop() if place == 3 else real(self, place, progress)

    app = upload(visit(DATA), "six.csv", rows.encode())
    with monkeypatch.context() as cut:
        cut.setattr(Contest, "meet", slow)
        app.switch_page(COMPARE).run()
        app.selectbox(key="compare.baseline").set_value("j1").run()
        assert "Comparing all judges." in text_of(app)
        next(button for button in app.button if button.label == "Stop").click().run()
        assert not app.exception
    ratings = metrics.read(rows.encode())
    assert "Stopped before the other 2 judges." in unescaped(app)
    whole = metrics.compare_all(ratings, "j1")
    shown = figure(app, "compare.forest")
    assert sum(one.b.name in words_in(shown) for one in whole.against) == 3
    app.button(key="compare.others").click().run()
    assert not app.exception
    assert whole.reading in unescaped(app)
    assert sum(one.b.name in words_in(figure(app, "compare.forest")) for one in whole.against) == 5


def test_what_is_kept_is_bounded(visit, monkeypatch):
    monkeypatch.setattr(job, "MOST_KEPT", 3)
    app = visit(COMPARE)
    for metric in app.selectbox(key="compare.metric").options[:3]:
        app.selectbox(key="compare.metric").select(metric).run()
    assert not app.exception
    assert len(app.session_state[results.JOBS]) == 3


def test_a_second_file_of_verdicts_alone_takes_the_humans_of_the_first(visit):
    app = upload(visit(DATA), "v1.csv", FIRST)
    app.switch_page(COMPARE).run()
    rows = [line.split(",") for line in FIRST.decode().splitlines()]
    bare = "\n".join(",".join([*row[:3], row[4]]) for row in rows).replace("q3,tone,old,UNMET", "q3,tone,old,MET")
    second(app, "v2.csv", bare.encode())
    assert not app.error
    assert "Is **v2** better than **v1**" in text_of(app)


def test_labels_that_mean_two_things_are_told_in_words_of_the_page(visit):
    app = upload(visit(DATA), "one.csv", FIRST)
    turned = FIRST.replace(b",old,", b",new,")
    app.switch_page(DATA).run()
    app.file_uploader(key="data.upload").upload("two.csv", turned, "text/csv").run()
    next(button for button in app.button if button.label == "Swap positive and negative").click().run()
    app.button(key="data.use").click().run()
    app.switch_page(COMPARE).run()
    app.button(key="compare.add").click().run()
    said = app.error[0].value.replace("\\", "")
    assert "‘MET’ is negative in two.csv, and ‘MET’ is positive in one.csv." in said
    assert "Open one of them on the Data page, change the meaning there, and add it here again." in said
    assert "--" not in said


@pytest.mark.parametrize("data", [FIRST + b"q1,tone\n", FIRST + b"q1,to\0ne,new,MET,MET,x\n", SECOND.replace(b"MET,MET", b"3,4")])
def test_no_message_speaks_of_options_of_the_command(visit, data):
    app = upload(visit(DATA), "one.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "two.csv", data)
    said = app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert "--" not in said
    assert "Data page" in said
    assert said.rstrip().endswith("choose the file here.") or "then choose it here" in said
