"""Pages that carry pooled rates on, with a judge whose criteria contradict them, and with one whose do not."""

from __future__ import annotations

import pytest

from tests.made_files import better, guesser_and_seer
from tests.metrics.test_pooled_j import GUESS, SEES, of_tables
from tests.pages.own_file import opened
from tests.pages.seen import numbers_of, unescaped

CHOOSE, RATE, PREVALENCE = "pages/choose/choose.py", "pages/choose/rate.py", "pages/learn/prevalence.py"


def content(tables: list[list[list[int]]]) -> bytes:
    return of_tables(tables).to_csv(index=False).encode()


@pytest.mark.parametrize(("frame", "named"), [(guesser_and_seer(), False), (better(), True)])
def test_no_card_has_a_number_of_a_judge_that_is_not_named(visit, frame, named) -> None:
    app = opened(visit, CHOOSE, frame.to_csv(index=False).encode())
    numbers = numbers_of(app)
    for label in ("First", "BA of the first", "Answers needed", "Not told apart from it"):
        assert (numbers[label] == "–") is not named
    (pairs,) = (table.value for table in app.dataframe if "p, Holm" in table.value.columns)
    assert ("significant" in pairs.columns) is named
    last = pairs[pairs.columns[-1]].tolist()
    assert last == (["yes"] if named else ["readings disagree"])
    assert ("within criteria" in unescaped(app)) is True
    assert ("differs significantly" in unescaped(app)) is named


@pytest.mark.parametrize(("tables", "refused"), [(GUESS, True), (SEES, False)])
def test_measured_rate_corrects_by_no_rate_that_criteria_contradict(visit, tables, refused) -> None:
    app = opened(visit, RATE, content(tables))
    assert (numbers_of(app)["True rate"] == "–") is refused
    assert ("Choose one criterion." in unescaped(app)) is refused
    app.selectbox(key="rate_criterion").select("c0").run()
    assert "Choose one criterion." not in unescaped(app)


@pytest.mark.parametrize(("tables", "pooled"), [(GUESS, True), (SEES, False)])
def test_the_sweep_says_first_that_its_curve_is_pooled(visit, tables, pooled) -> None:
    app = opened(visit, PREVALENCE, content(tables))
    text = unescaped(app)
    assert ("The curve is that of decisions pooled over criteria." in text) is pooled
    assert ("Nothing about the judge changed" in text) is not pooled
    app.button_group(key="sweep_from").select("By hand").run()
    assert "pooled over criteria" not in unescaped(app)
