"""The page of the checklist and the report: the rows, the fields, the paragraph, and what goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

import metrics
from metrics.analyses.coding.compute import CodingReport
from metrics.analyses.review.decisions import Decision, Review
from metrics.report.checklist.contents import QUESTIONS, Contents
from metrics.report.making import Report, report_of
from metrics.report.writing import FORMATS
from pages.shared.report import numbers
from tests.pages.own_file import opened, rows
from tests.pages.seen import text_of, unescaped

PAGE, DATA = "pages/report/report.py", "pages/data/data.py"
SAMPLE = "assets/support_answers.csv"
TWO = ("ana", "ben")
PAIRS = "item,criterion,judge,human,verdict"


def lines(head: str, made: Iterable[str]) -> bytes:
    return "\n".join([head, *made]).encode()


GRADES = lines(PAIRS, (f"i{i},{name},j,{1 + i % 4},{1 + (i + i % 3 % 2) % 4}" for i in range(20) for name in ("depth", "tone")))
SCORES = lines("item,judge,human,verdict", (f"i{i},j,{i / 7:.3f},{(i * i % 23) / 5:.3f}" for i in range(60)))
PEOPLE = lines(
    "item,rater,role,label",
    (
        f"i{i},{name},human,{('MET', 'UNMET')[(i + k * (i % 5 == 0)) % 2]}"
        for i in range(30)
        for k, name in enumerate(("ana", "ben"))
    ),
)
SOME = rows(
    (f"i{i}", c, ("MET", "UNMET", "CANNOT_ASSESS")[i % 3], ("MET", "UNMET")[i % 2]) for i in range(24) for c in ("a", "b")
)


def states(app: Any) -> list[str]:
    """States of the rows in their order, read from their headings."""
    found = re.findall(r"\[\*\*. (met|not met|not applicable)\*\*\] · \*\*(\d+) ", text_of(app))
    assert [int(number) for _, number in found] == list(range(1, 12))
    return [state for state, _ in found]


def report(**how: Any) -> Any:
    contents = how.pop("contents", Contents())
    return report_of(metrics.read(SAMPLE), contents=contents, answers=how.pop("answers", None), **how)


def check(app: Any, made: Any) -> None:
    assert not app.exception
    found = made.material.checklist
    assert states(app) == [one.state for one in found.practices]
    assert found.count_words in text_of(app)
    shown = unescaped(app)
    assert made.material.overview is None or made.material.overview.verdict[0].text in shown
    assert made.methods in shown
    for one in found.practices:
        assert all(sentence in shown for sentence in one.evidence), one.number
        assert one.on_screen in shown


def test_rows_and_paragraph_are_those_of_the_package(visit) -> None:
    app = visit(PAGE)
    check(app, report(contents=Contents(judge="strict")))
    assert [button.label for button in app.get("download_button")] == [its.name for its in FORMATS.values()]


@pytest.mark.parametrize(
    ("link", "contents", "choices"),
    [
        ({"judge": "lenient", "level": "macro"}, Contents(judge="lenient", level="macro"), {}),
        ({"mode": "as_unmet", "reference": "ana"}, Contents(judge="strict"), {"abstention": "as_unmet", "reference": "ana"}),
        (
            {"mode": "as_category", "cost": "0,1,1;1,0,0;1,0,0"}, Contents(judge="strict"),
            {"abstention": "as_category", "cost": "as-negative"},
        ),
        ({"mode": "as_category"}, Contents(judge="strict"), {"abstention": "as_category"}),
        ({"interval": "none"}, Contents(judge="strict"), {"interval": "none"}),
        ({"confidence": "90", "level": "item"}, Contents(judge="strict", level="item"), {"confidence": 0.9}),
    ],
)  # fmt: skip
def test_the_sidebar_feeds_the_report(visit, link: dict[str, str], contents: Contents, choices: dict[str, Any]) -> None:
    check(visit(PAGE, **link), report(contents=contents, **choices))


def test_what_is_left_out_is_missed(visit) -> None:
    app = visit(PAGE)
    app.multiselect(key="left_out").set_value(["kappa", "coverage"]).run()
    app.multiselect(key="association").set_value(["phi", "mcc"]).run()
    app.multiselect(key="among_judges").set_value(["alpha", "fleiss_kappa"]).run()
    wanted = Contents(
        judge="strict",
        associations=("phi", "mcc"),
        inter_judge=("alpha", "fleiss_kappa"),
        without=frozenset(("kappa", "coverage")),
    )
    check(app, report(contents=wanted))
    assert [states(app)[place - 1] for place in (2, 3, 7, 8, 11)] == ["not met"] * 5


def test_answers_meet_a_practice_and_stay(visit) -> None:
    app = visit(PAGE)
    assert states(app)[5] == "not met"
    field = next(box for box in app.text_input if box.label == "How abstentions were asked for")
    said = "Both could *say* <b>so</b>; nobody was pressed"
    field.set_value(said).run()
    assert states(app)[5] == "met"
    check(app, report(contents=Contents(judge="strict"), answers={"abstentions": said}))
    app.switch_page(DATA).run()
    app.switch_page(PAGE).run()
    assert states(app)[5] == "met"
    app.selectbox(key="data").set_value("rao_abstention").run()
    assert states(app)[5] == "not met"
    app.selectbox(key="data").set_value("support_answers").run()
    assert states(app)[5] == "met"


def test_every_question_has_a_field(visit) -> None:
    app = visit(PAGE)
    assert [box.label for box in app.text_input] == [question.label for question in QUESTIONS]
    assert [box.placeholder for box in app.text_input] == [question.hint for question in QUESTIONS]


@pytest.mark.parametrize(("data", "says"), [(GRADES, "Ordinal"), (SCORES, "Continuous"), (PEOPLE, "2 humans"), (SOME, "Binary")])
def test_every_kind_of_data_has_a_checklist(visit, data: bytes, says: str) -> None:
    app = opened(visit, PAGE, data)
    assert len(states(app)) == 11
    assert says in unescaped(app)
    assert states(app)[0] == "met"


def test_a_mixed_rubric_reports_every_scale(visit) -> None:
    made = [f"i{i},met,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 2 else 'UNMET'}" for i in range(16)]
    made += [f"i{i},grade,{1 + i % 4},{1 + i % 3}" for i in range(16)]
    app = opened(visit, PAGE, lines("item,criterion,human,verdict", made))
    app.radio(key="mode").set_value("as_unmet").run()
    said = unescaped(app)
    assert "1 criterion is binary: MET and UNMET." in said
    assert "1 criterion is ordinal: 1, 2, 3 and 4." in said
    assert "On ordered options exact" in said
    assert app.radio(key="mode").value == "as_unmet"


def test_names_of_a_file_stay_text(visit) -> None:
    nasty = "<img src=x>*bold*[a](b)"
    data = rows((f"i{i}", nasty, "MET", ("MET", "UNMET")[i % 2]) for i in range(10))
    app = opened(visit, PAGE, data)
    assert nasty not in text_of(app)
    assert nasty in unescaped(app)


def test_scores_of_people_alone_have_no_report(visit) -> None:
    made = (f"i{i},{name},human,{i / 7 + k:.3f}" for i in range(60) for k, name in enumerate(TWO))
    app = opened(visit, PAGE, lines("item,rater,role,label", made))
    assert "there is nothing to report" in unescaped(app)


def test_decisions_of_the_review_are_in_the_report(visit, monkeypatch) -> None:
    given: list[Review | None] = []
    said = numbers.with_other_contents

    def heard(found: Report, **how: Any) -> Report:
        given.append(how["review"])
        return said(found, **how)

    monkeypatch.setattr(numbers, "with_other_contents", heard)
    app = visit(PAGE)
    assert given[-1] is None
    app.session_state["review.decided"] = {"support_answers": {"Cites a source": Decision("sharpen", "Ana", "")}}
    app.run()
    assert not app.exception
    assert given[-1] is not None
    assert given[-1].of("Cites a source").owner == "Ana"


def test_codes_of_the_judge_in_view_are_in_the_report(visit, monkeypatch) -> None:
    given: list[CodingReport | None] = []
    said = numbers.with_other_contents

    def heard(found: Report, **how: Any) -> Report:
        given.append(how["coding"])
        return said(found, **how)

    monkeypatch.setattr(numbers, "with_other_contents", heard)
    desk = visit("pages/disagreements/disagreements.py")
    next(group for group in desk.get("button_group") if group.label == "Whose error is it?").set_value("human").run()
    app = desk.switch_page(PAGE).run()
    assert not app.exception
    assert given[-1] is not None
    assert (given[-1].judge, given[-1].overall.n_coded) == ("strict", 1)
    assert given[-1].overall.codes["human"] == 1


def test_room_view_shows_one_practice_at_a_time(visit) -> None:
    app = visit(PAGE, view="room")
    assert "1 of 13" in text_of(app)
    assert "8 of 11 reporting practices met" in text_of(app)
    app.button(key="room.right").click().run()
    assert "The scale is named" in unescaped(app)
    assert "Association under one name" not in unescaped(app)


def test_nothing_open(visit) -> None:
    assert "not open here" in text_of(visit(PAGE, data="0123abcd"))


def test_a_long_bootstrap_waits(visit, monkeypatch) -> None:
    monkeypatch.setattr(numbers, "QUICK", 0)
    app = visit(PAGE, interval="bootstrap", replicates="500")
    assert "takes a while here" in unescaped(app)
    assert "bootstrap" not in unescaped(app).split("Computed with")[0].split("We compared")[1]
    app.button(key="report.draw").click().run()
    assert "takes a while here" not in unescaped(app)
    check(app, report(contents=Contents(judge="strict"), interval="bootstrap", replicates=500))
