"""The checklist as a whole: eleven verdicts on any data, and what becomes of them."""

from __future__ import annotations

import json

import pytest

import metrics
from metrics.report.checklist.contents import QUESTION_BY_KEY, SWITCHES, Contents
from metrics.report.checklist.gathering import findings
from metrics.report.checklist.practice import NAMES
from pages.shared.page_records import PAGES
from tests.checklist.opened import NAMES as FILES
from tests.checklist.opened import opened

STATES = {"met", "not met", "not applicable"}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("abstention", ["exclude", "as_category"])
def test_eleven_verdicts_on_any_data(name: str, abstention: str) -> None:
    ratings = opened(name)
    found = metrics.checklist(findings(ratings, abstention=abstention, interval="none"))
    assert [one.number for one in found.practices] == list(range(1, 12))
    for one in found.practices:
        assert one.name == NAMES[one.number]
        assert one.state in STATES
        assert one.evidence
        assert all(text.endswith((".", "!", "?")) and "nan" not in text.lower().split() for text in one.evidence)
        assert bool(one.action) == (one.state == "not met")
        assert not one.page or one.page in {page.name for page in PAGES}
        assert set(one.asks) <= set(QUESTION_BY_KEY)
    assert sum(found.to_dict()["counts"].values()) == 11


@pytest.mark.parametrize("name", FILES)
def test_a_report_that_shows_nothing_meets_less(name: str) -> None:
    found = findings(opened(name), interval="none")
    everything = metrics.checklist(found)
    nothing = metrics.checklist(found, contents=Contents(without=frozenset(SWITCHES), associations=(), inter_judge=()))
    order = {"not met": 0, "met": 1, "not applicable": 2}
    for more, less in zip(everything.practices, nothing.practices, strict=True):
        assert order[less.state] <= order[more.state]
        assert (less.state == "not applicable") == (more.state == "not applicable")
    assert all(one.state != "met" for one in nothing.practices if one.number in (3, 4, 6, 7, 8, 11))


def test_a_checklist_goes_out_as_json_table_and_text() -> None:
    found = metrics.checklist(findings(opened("support_answers")))
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [one["state"] for one in told["practices"]] == [one.state for one in found.practices]
    assert told["counts"]["met"] == len(found.of("met"))
    frame = found.to_frame()
    assert list(frame["number"]) == list(range(1, 12))
    text = found.summary()
    assert found.count_words in text
    for one in found.practices:
        assert one.name in text
        assert all(sentence in text for sentence in one.evidence)
        assert one.action in text


def test_a_report_alone_is_judged_by_what_it_has() -> None:
    ratings = opened("support_answers")
    alone = metrics.checklist(metrics.agreement(ratings))
    whole = metrics.checklist(findings(ratings))
    for one, other in zip(alone.practices, whole.practices, strict=True):
        if one.number in (2, 3, 4, 5, 7, 9):
            assert (one.state, one.action) == (other.state, other.action)
    states = {one.number: one.state for one in alone.practices}
    assert states[8] == states[11] == "not met"


def test_scores_alone_are_judged_too() -> None:
    ratings = metrics.read(
        b"item,judge,human,verdict\n" + b"\n".join(b"%d,j,%d,%d" % (i, i % 4, (i + i % 2) % 4) for i in range(20)),
        scale="ordinal",
    )
    found = {one.number: one.state for one in metrics.checklist(metrics.scores(ratings)).practices}
    assert found[1] == found[3] == found[9] == "met"
    assert found[2] == "not applicable"


def test_the_judge_in_front_can_be_chosen_and_must_be_there() -> None:
    found = findings(opened("support_answers"))
    assert metrics.checklist(found).judge == "strict"
    lenient = metrics.checklist(found, contents=Contents(judge="lenient"))
    assert lenient.judge == "lenient"
    block = found.agreement.judges["lenient"].micro  # type: ignore[union-attr]
    assert f"κ {metrics.results.words.number(block.values['kappa'])}" in lenient.practices[2].evidence[0]
    with pytest.raises(metrics.InputError, match="nobody"):
        metrics.checklist(found, contents=Contents(judge="nobody"))
    with pytest.raises(metrics.InputError, match="shoe_size"):
        metrics.checklist(found, answers={"shoe_size": "43"})
