"""Files in which a guesser or a silent judge would win: no page names a better judge; where one is better, it is named."""

from __future__ import annotations

import pandas as pd
import pytest

import metrics
from metrics.analyses.comparison.joining import join
from metrics.analyses.judge_selection import readings as said
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.report.making import report_of
from metrics.report.writing import write
from tests.made_files import OTHER, better, by_judge, guesser_and_seer, silent
from tests.pages.files import second, upload
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in

DATA, COMPARE, CHOOSE = "pages/data/data.py", "pages/judge/compare.py", "pages/choose/choose.py"
REPORT = "pages/report/report.py"
ABOVE = {"guesses": (guesser_and_seer, better, "sees"), "silence": (silent, lambda: silent(open_=5, worse=40), "B")}


def both(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def alt(app, key: str) -> str:
    return next(str(chart.proto.alt) for chart in app.get("plotly_chart") if key in chart.proto.id)


@pytest.mark.parametrize("case", ABOVE)
@pytest.mark.parametrize("agree", [False, True])
def test_compare_judges_on_two_files(visit, case, agree) -> None:
    misleads, honest, winner = ABOVE[case]
    (name, first), (other, next_) = by_judge((honest if agree else misleads)()).items()
    app = upload(visit(DATA), name, first)
    app.switch_page(COMPARE).run()
    second(app, other, next_)
    one = metrics.compare(
        join(metrics.read(first), metrics.read(next_)).ratings, *(n.removesuffix(".csv") for n in (name, other))
    )
    assert unescaped(app).count(one.reading) == 1
    assert one.winner == (winner if agree else None)
    _stands_above_the_cards(app, agree)
    assert (f"{winner} beats " in unescaped(app)) == agree
    assert ("chosen as the best on these data" in text_of(app)) == agree
    assert ("readings disagree" in alt(app, "compare.forest")) == (not agree)
    assert ("readings<br>disagree" in words_in(figure(app, "compare.forest"))) == (not agree)
    forest = words_in(figure(app, "compare.forest"))
    assert all(reading in forest for reading in one.others)
    table = next(frame.value for frame in app.dataframe if "readings" in frame.value.columns)
    assert list(table["readings"]) == ["agree" if agree else "disagree"]


def _stands_above_the_cards(app, agree: bool) -> None:
    """Where readings disagree that is said before any number."""
    seen = list(app.main)
    said = next(n for n, element in enumerate(seen) if "Read this as:" in str(getattr(element, "value", "")))
    cards = next(n for n, element in enumerate(seen) if element.type == "metric")
    assert (cards < said) == agree


@pytest.mark.parametrize("agree", [False, True])
def test_choose_a_judge_names_whom_compare_judges_names(visit, agree) -> None:
    data = both((better if agree else guesser_and_seer)())
    app = upload(visit(DATA), "both.csv", data)
    app.switch_page(CHOOSE).run()
    assert numbers_of(app)["First"] == ("sees" if agree else "\u2013")
    shown = text_of(app)
    assert said.reading(rank_judges(metrics.read(data)), lambda name: f"*{name}*") in shown
    assert ("the readings disagree on *guesses*" in shown or "the readings disagree on *sees*" in shown) == (not agree)
    assert ("pooled over criteria, *sees* differs significantly from every other judge." in shown) == agree
    assert "pooled over criteria" in shown


@pytest.mark.parametrize("agree", [False, True])
def test_the_report_page_and_its_file_name_no_winner(visit, agree) -> None:
    data = both((better if agree else guesser_and_seer)())
    app = upload(visit(DATA), "both.csv", data)
    app.switch_page(REPORT).run()
    assert not app.exception
    for text in (unescaped(app), write(report_of(metrics.read(data)), ".html").decode()):
        assert "beats" not in text
        assert "better judge" not in text


@pytest.mark.parametrize("page", [CHOOSE, "pages/learn/prevalence.py", "pages/choose/rate.py"])
@pytest.mark.parametrize("kind", ["guesses", "credited", "one criterion"])
def test_pages_of_pooled_rates_say_once_what_pooling_credits(visit, page, kind) -> None:
    frame = guesser_and_seer()
    if kind == "credited":
        right = frame["item"] % 5 > 0
        frame = frame.assign(verdict=frame["human"].where(right, frame["human"].map(OTHER)))
    rest = frame[frame["criterion"] == "easy"] if kind == "one criterion" else frame
    app = upload(visit(DATA), "rates.csv", both(rest))
    app.switch_page(page).run()
    if not app.selectbox(key="judge").disabled:
        app.selectbox(key="judge").set_value("guesses").run()
    assert not app.exception
    shown = unescaped(app)
    assert ("credit the judge for knowing which criterion is common" in shown) == (kind == "credited")
    assert ("within criteria" in shown) == (kind != "one criterion")
