"""Disagreements coded on the page: kept per data set, undone, counted, and put together with those of another person."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.coding.codes import CODES, UNSURE, Coded, Coding
from metrics.analyses.disagreements.listing import listing_of
from metrics.analyses.settings import Settings
from tests.pages.conftest import ROOT, Open
from tests.pages.seen import unescaped

PAGE = "pages/disagreements/disagreements.py"
SAMPLE = "support_answers"


def held(app: AppTest) -> dict:
    return dict(app.session_state["coding.decided"].get(SAMPLE, {})) if "coding.decided" in app.session_state else {}


def codes(app: AppTest) -> list:
    return [group for group in app.get("button_group") if group.label == "Whose error is it?"]


def choose(app: AppTest, code: str, place: int = 0) -> AppTest:
    codes(app)[place].set_value(code).run()
    assert not app.exception
    return app


def test_a_code_is_given_counted_and_taken_back(visit: Open) -> None:
    app = choose(visit(PAGE), "judge")
    ((key, coded),) = held(app).items()
    assert coded == Coded("judge")
    assert key[2] == "strict"
    assert "1 of" in unescaped(app)
    assert "1 judge wrong" in unescaped(app)
    choose(app, "rubric")
    assert held(app) == {key: Coded("rubric")}
    app.button(key="coding.undo").click().run()
    assert held(app) == {key: Coded("judge")}
    app.button(key="coding.undo").click().run()
    assert held(app) == {}
    app.button(key="coding.redo").click().run()
    assert held(app) == {key: Coded("judge")}


def test_tags_a_note_and_the_meeting_go_with_it(visit: Open) -> None:
    app = choose(visit(PAGE), "both")
    (key,) = held(app)
    next(box for box in app.text_input if box.label == "Note").set_value("*bold* <b>").run()
    next(box for box in app.toggle if box.label == "Take into the meeting").set_value(True).run()
    assert held(app) == {key: Coded("both", (), "*bold* <b>", True)}
    assert not app.exception


def test_codes_of_another_person_replace_none_and_are_compared(visit: Open) -> None:
    listing = listing_of(metrics.read(ROOT / "assets" / f"{SAMPLE}.csv"), Settings("exclude", judges=("strict",)))
    assert listing.judge is not None
    app = choose(visit(PAGE), "judge")
    (key,) = held(app)
    other = ("q-none", key[1], key[2])
    theirs = Coding("a.csv", "ff" * 32, {key: Coded("human"), other: Coded("both")})
    app.file_uploader(key="coding.load").upload("c.json", theirs.to_json().encode(), "application/json").run()
    assert not app.exception
    assert held(app) == {key: Coded("judge"), other: Coded("both")}
    said = unescaped(app)
    assert "Of 1 decision that both coded, 0 have the same code" in said.replace("\u00a0", " ")
    assert "another file than the one in view" in said
    app.button(key="coding.undo").click().run()
    assert held(app) == {key: Coded("judge")}


def test_a_file_that_holds_no_codes_changes_nothing(visit: Open) -> None:
    app = choose(visit(PAGE), "human")
    before = held(app)
    app.file_uploader(key="coding.load").upload("c.json", b'{"kind": "rubric review"}', "application/json").run()
    assert held(app) == before
    assert "holds no coded disagreements" in " ".join(error.value for error in app.error)


def test_what_is_offered_is_what_there_is(visit: Open) -> None:
    app = visit(PAGE)
    assert [option.content for option in codes(app)[0].proto.options] == [
        f"{place} {name}" for place, name in enumerate((CODES | UNSURE).values(), 1)
    ]
    assert "Nothing is coded yet" in unescaped(app)
    app = choose(app, "human")
    assert "with 1 label of people corrected" in unescaped(app).replace("\u00a0", " ")


def test_the_review_says_what_is_coded_of_its_criterion_alone(visit: Open) -> None:
    app = choose(visit(PAGE), "judge")
    ((_, criterion, _),) = held(app)
    app.switch_page("pages/rubric/review.py").run()
    assert not app.exception
    app.session_state["review.at"] = {SAMPLE: criterion}
    app.run()
    assert "Coded." in unescaped(app)
    assert "1 judge wrong" in unescaped(app)
    app.session_state["review.at"] = {SAMPLE: "Polite tone" if criterion != "Polite tone" else "Cites a source"}
    app.run()
    assert "Coded." not in unescaped(app)


def test_agreements_are_mixed_in_on_request_and_give_an_estimate(visit: Open) -> None:
    app = visit(PAGE, rows="Disagreements and some agreements")
    assert "choose Disagreements and some agreements above" in unescaped(visit(PAGE)).replace("*", "")
    questions = {group.label for group in app.get("button_group")}
    place = 0
    while "Are both right?" not in questions:
        app.button(key="disagreements.next").click().run()
        questions, place = {group.label for group in app.get("button_group")}, place + 1
        assert place < 60
    group = next(group for group in app.get("button_group") if group.label == "Are both right?")
    group.set_value("wrong").run()
    assert not app.exception
    assert [one.code for one in held(app).values()] == ["wrong"]
    assert "On 1 criterion with a coded agreement too few kinds of decisions are coded" in unescaped(app)


def own(app: AppTest) -> list:
    return [group for group in app.get("button_group") if group.label == "Your label"]


def test_a_blind_reader_sees_nothing_of_others_until_a_label_is_given(visit: Open) -> None:
    plain = visit(PAGE)
    open_said = unescaped(plain)
    assert "People" in open_said
    app = visit(PAGE, blind="true")
    assert codes(app) == []
    assert "What people and judge say is shown once you have given your label." in unescaped(app)
    said = unescaped(app).count("reference:")
    assert said < open_said.count("reference:")
    assert "labelled blind" in unescaped(app)
    frames = [list(frame.value.columns) for frame in app.dataframe]
    assert not {"reference", "judge", "why", "against the judge"} & set(frames[0])
    assert "against the judge" in plain.dataframe[0].value.columns
    hidden = len(own(app))
    assert hidden
    own(app)[0].set_value("MET").run()
    assert not app.exception
    ((_, coded),) = held(app).items()
    assert coded.own == "MET"
    assert coded.code in ("judge", "human")
    assert len(own(app)) == hidden - 1
    assert "Your label, given blind: **MET**" in unescaped(app)
    assert unescaped(app).count("reference:") == said + 1
    app.button(key="coding.undo").click().run()
    assert held(app) == {}
    assert len(own(app)) == hidden


def test_a_blind_reader_who_cannot_tell_gives_no_label_and_changes_no_number(visit: Open) -> None:
    app = visit(PAGE, blind="true")
    hidden = len(own(app))
    assert own(app)[0].options[-1] == f"{len(own(app)[0].options)} Cannot tell"
    own(app)[0].set_value("").run()
    assert not app.exception
    ((_, coded),) = held(app).items()
    assert (coded.code, coded.own) == ("unsure", "")
    assert len(own(app)) == hidden - 1
    assert "Your label, given blind" not in unescaped(app)
    assert "0 of" in unescaped(app)
    assert "labelled blind; cannot tell on 1" in unescaped(app)
    assert "Nothing is coded yet" in unescaped(app)
    app.button(key="coding.undo").click().run()
    assert held(app) == {}


def test_reasons_of_the_judge_are_hidden_from_a_blind_reader(visit: Open) -> None:
    listing = listing_of(metrics.read(ROOT / "assets" / f"{SAMPLE}.csv"), Settings("exclude", judges=("strict",)))
    judge_says = "strict: **"
    assert listing.judge is not None
    assert judge_says in unescaped(visit(PAGE))
    app = visit(PAGE, blind="true")
    shown = unescaped(app)
    listed = shown.count("What people and judge say")
    assert shown.count(judge_says) <= len(listing.ratings.criteria) - listed
