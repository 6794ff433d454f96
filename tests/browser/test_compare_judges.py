"""Two judges compared, from one file and from two; all of them against one."""

from __future__ import annotations

import csv
import io
import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.analyses.comparison.joining import join
from metrics.analyses.comparison.readings import unit_of
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import count, p3
from tests.browser import tables
from tests.browser.driver import FOREST, SAMPLE, Dashboard, Opener


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def expect_comparison(dashboard: Dashboard, found: metrics.Comparison) -> None:
    question = f"Is {found.b.name} better than {found.a.name}, or is it noise?"
    expect(dashboard.main.get_by_text(question, exact=True)).to_be_visible()
    dashboard.settle()
    dashboard.expect_metric(f"Difference in {BY_KEY[found.metric].symbol}", words.value(found.difference.value, unit_of(found)))
    dashboard.expect_metric("p, permutation", p3(found.permutation.p))
    expect(dashboard.main.get_by_text(found.reading)).to_be_visible()


def test_two_versions_of_one_judge_from_two_files(visit: Opener) -> None:
    first = tables.verdicts(judge="gpt", answer="the answer")
    second = tables.verdicts(judge="gpt", answer="the answer").replace(b"i007,right", b"i907,right")
    second = second.replace(b"i003,right,gpt,MET,MET", b"i003,right,gpt,MET,UNMET").replace(
        b"gpt,UNMET,MET", b"gpt,UNMET,UNMET", 4
    )
    dashboard = visit().open_file("prompt 1.csv", first).go("Compare judges")
    expect(dashboard.main.get_by_text("This file has one judge.")).to_be_visible()
    dashboard.give("prompt 2.csv", second)
    joined = join(named(first, "prompt 1.csv"), named(second, "prompt 2.csv"))
    found = metrics.compare(joined.ratings, "prompt 1", "prompt 2")
    expect_comparison(dashboard, found)
    expect(
        dashboard.main.get_by_text("without a partner in the other file: 1 of prompt 1.csv and 1 of prompt 2.csv")
    ).to_be_visible()
    for letter, other in (("B", "only_b"), ("A", "only_a")):
        dashboard.main.get_by_test_id("stMarkdownContainer").get_by_text(f"Only {letter} is right", exact=True).click()
        dashboard.settle()
        number = found.outcomes[other]
        button = f"^These {count(number)} decisions" if number > 1 else "^This decision "
        head, *rows = csv.reader(io.StringIO(dashboard.download(re.compile(button))))
        assert len(rows) == number > 0
        judges = head.index("judge: prompt 1"), head.index("judge: prompt 2")
        assert all(row[judges[0]] != row[judges[1]] for row in rows)
        assert {row[head.index("outcome")] for row in rows} == {f"only prompt {1 + (letter == 'B')} right"}
        assert {"answer", "row", "row of B"} <= set(head)
    dashboard.expect_nothing_broken()


def named(data: bytes, name: str) -> metrics.Ratings:
    file = io.BytesIO(data)
    file.name = name
    return metrics.read(file)


def test_back_leaves_both_names_in_their_lists_and_a_row_of_the_forest_is_the_next_comparison(
    visit: Opener, sample: metrics.Ratings
) -> None:
    dashboard = visit().open().go("Compare judges").go("Scores")
    there = dashboard.title("Compare judges")
    for _ in range(3):
        dashboard.page.go_back()
        dashboard.settle()
        if there.is_visible():
            break
    dashboard.expect_title("Compare judges")
    for letter, name in zip(("A", "B"), sample.judges[:2], strict=True):
        expect(dashboard.chosen(letter)).to_have_value(name)
    expect_comparison(dashboard, metrics.compare(sample, *sample.judges[:2]))
    forest = metrics.compare_all(sample)
    for place in (0, 1):
        dashboard.click_mark(FOREST, [place])
        b = forest.against[place].b.name
        expect_comparison(dashboard, metrics.compare(sample, forest.baseline, b))
        assert (dashboard.chosen("B").input_value(), dashboard.chosen("A").input_value()) == (b, forest.baseline)
        assert dashboard.marked(FOREST) == [[place]]
    again = visit().open(dashboard.page.url.removeprefix(dashboard.address), "Compare judges")
    expect_comparison(again, metrics.compare(sample, forest.baseline, b))
    assert (again.chosen("B").input_value(), again.chosen("A").input_value()) == (b, forest.baseline)
    again.expect_nothing_broken()
    dashboard.expect_nothing_broken()
