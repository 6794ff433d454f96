"""A file that waits asks one question at a time; all else that can be changed lies below, closed."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from pages.shared.data import pending
from pages.shared.data.questions import NEXT, REST
from tests.pages.test_data_page import upload, use_ratings

DATA = "pages/data/data.py"
LONG = "\n".join(
    [
        "item,criterion,rater,label",
        *(
            f"q{i},{criterion},{rater},{label}"
            for i in range(12)
            for criterion, labels in (("tone", "345"), ("colour", ("red", "blue", "green")))
            for rater, label in (("ana", labels[i % 3]), ("ben", labels[i * i % 3]))
        ),
    ]
).encode()
"""Raters without a role, numbers that could be labels or scores, and words that nobody knows."""


def below(app: AppTest) -> set[str]:
    """Labels of what lies in the closed part."""
    (rest,) = [part for part in app.expander if part.label == REST]
    return {part.label for kind in ("selectbox", "multiselect", "checkbox") for part in rest.get(kind)}


def asked(app: AppTest) -> set[str]:
    every = {part.label for part in (*app.selectbox, *app.multiselect, *app.checkbox, *app.radio)}
    return every - below(app)


def following(app: AppTest) -> list:
    return [button for button in app.button if button.label == NEXT]


def test_one_question_after_the_other_and_an_answered_one_goes(visit) -> None:
    app = upload(visit(DATA), "march.csv", LONG)
    assert "All others are" in asked(app)
    assert {"Each row is", "Item", "Meaning of red", "Scale of tone"} <= below(app)
    assert not app.button(key="data.use").disabled
    seen = []
    while following(app):
        seen.append(asked(app))
        following(app)[0].click().run()
        assert not app.exception
    seen.append(asked(app))
    assert len(seen) >= 2
    for earlier, later in pairwise(seen):
        assert earlier != later
    assert "All others are" in below(app)
    assert "Meaning of red" in asked(app)


def test_what_was_answered_counts_after_its_question_has_gone(visit) -> None:
    app = upload(visit(DATA), "march.csv", LONG)
    next(box for box in app.selectbox if box.label == "All others are").set_value("judge").run()
    following(app)[0].click().run()
    assert not app.exception
    assert next(box for box in app.selectbox if box.label == "All others are").value == "judge"


def test_numbers_are_one_question_for_all_criteria(visit) -> None:
    rows = [f"q{i},c{k},{1 + i % 4},{1 + (i + k) % 4}" for i in range(12) for k in range(3)]
    app = upload(visit(DATA), "steps.csv", "\n".join(["item,criterion,human,verdict", *rows]).encode())
    (kind,) = [radio for radio in app.radio if "What kind of numbers?" in radio.label]
    assert "(3 criteria)" in kind.label
    assert kind.value == "ordinal"
    kind.set_value("nominal").run()
    assert {box.value for box in app.selectbox if box.label.startswith("Scale of c")} == {"nominal"}
    assert metrics.data.scales.scales_of(use_ratings(app)).used == ("nominal",)


@pytest.mark.parametrize("head", ["item,human,verdict", "id,gold,pred"])
def test_a_file_that_leaves_nothing_open_asks_nothing(visit, head: str) -> None:
    rows = [f"q{i},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(12)]
    app = upload(visit(DATA), "plain.csv", "\n".join([head, *rows]).encode())
    assert not following(app)
    assert not [label for label in asked(app) if label.startswith(("Meaning", "Scale", "Each row"))]
    assert not app.button(key="data.use").disabled


def test_a_switch_that_was_lost_is_made_again(visit) -> None:
    app = visit(DATA)
    app.session_state[pending.OPENED] = time.monotonic()
    app.run()
    assert [title.value for title in app.title] == ["Kappascope"]
    assert pending.OPENED not in app.session_state
    assert not app.exception
    app.session_state[pending.ASKS] = True
    app.run()
    assert [title.value for title in app.title] == ["Data"]
    assert pending.ASKS not in app.session_state


SCORED = "\n".join(
    ["item,human,verdict", *(f"q{i},{('fail', 'pass')[i % 2]},{1 + 2 * (i % 2) + i % 3}" for i in range(30))]
).encode()
"""People say pass or fail, the judge a number from 1 to 5."""


def test_a_threshold_is_asked_where_the_judge_gives_numbers_and_counts_as_it_is_set(visit) -> None:
    app = upload(visit(DATA), "scored.csv", SCORED)
    (at,) = [part for part in app.number_input if part.label == "The judge’s answer is positive at"]
    assert at.value == 3
    at.set_value(4.0).run()
    assert not app.exception
    ratings = use_ratings(app)
    assert ratings.source.how.threshold_words == "4 or more"
    want = metrics.read(SCORED, labels={">=4": "positive"})
    assert (
        metrics.agreement(ratings).judges["judge"].micro["kappa"].value
        == metrics.agreement(want).judges["judge"].micro["kappa"].value
    )


def test_who_comes_back_later_stays(visit) -> None:
    app = visit(DATA)
    app.session_state[pending.OPENED] = time.monotonic() - pending.SHOWN_WITHIN
    app.run()
    assert [title.value for title in app.title] == ["Data"]
