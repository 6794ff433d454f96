"""The first page of a report can be forwarded alone: number, what follows, decisions with owner and date, before and after."""

from __future__ import annotations

import re

import pytest

import metrics
from metrics.analyses.review.decisions import Decision, Review
from metrics.analyses.review.readings import SOURCE, band_words, reads
from metrics.report.checklist.contents import Contents
from metrics.report.document import Figure, Section
from metrics.report.making import Report, report_of
from metrics.report.writing import write
from metrics.results.prose import Paragraph
from metrics.results.tables import Table, texts
from tests.report.conftest import plain_report, ratings_named
from tests.review.made import drawn

DECISIONS = {
    "Polite tone": Decision("keep"),
    "No invented facts": Decision("judge", "Ivo", due="2026-12-10"),
    "Right length": Decision("sharpen", "Mara"),
    "Cites a source": Decision(note="to be talked about"),
}


def page(report: Report) -> Section:
    return report.document().sections[0]


def tables(report: Report) -> dict[str, Table]:
    return {part.key: part for part in page(report).parts if isinstance(part, Table)}


def told(report: Report) -> list[str]:
    return [part.text for part in page(report).parts if isinstance(part, Paragraph)]


def decided(decisions: dict[str, Decision]) -> Report:
    return report_of(ratings_named("support_answers.csv"), review=Review("a.csv", "", decisions))


def test_it_opens_with_the_verdict_and_what_follows_from_it() -> None:
    report = plain_report("support_answers.csv")
    overview = report.material.overview
    assert overview is not None
    number = next(statement.text for statement in overview.verdict if statement.kind == "agreement")
    assert told(report)[:2] == [f"{overview.verdict[0].text} {number}", f"What follows: {overview.next[0].text}"]
    assert re.search(r"κ within criteria 0\.\d\d \[", number)
    assert page(report).own_page
    assert told(report)[-1].startswith("All that follows is the appendix")
    assert "met" not in re.findall(r"\d+ of \d+ (\w+)", " ".join(told(report)))


def test_kappa_stands_on_its_band_with_the_numbers_of_the_agreement() -> None:
    report = plain_report("support_answers.csv")
    (figure,) = (part for part in page(report).parts if isinstance(part, Figure))
    judge = metrics.agreement(ratings_named("support_answers.csv")).judges[report.material.overview.leader]
    expected = [judge.micro["kappa"], judge.macro["kappa"], judge.micro["kappa_within"]]
    assert [row[1:4] for row in figure.shows["rows"]] == [(one.value, *one.ends) for one in expected]
    assert figure.title == f"κ of {judge.name} on the bands of {SOURCE}"
    for one in expected:
        assert band_words(one.value, one.ends) in figure.alt


def test_only_criteria_to_change_stand_there_with_owner_and_date() -> None:
    shown = tables(decided(DECISIONS))["to_change"]
    names = [column.name for column in shown.columns]
    assert names == ["criterion", "decision", "owner", "due", "κ"]
    assert [row[:4] for row in shown.rows] == [
        ("No invented facts", "Change the judge", "Ivo", "2026-12-10"),
        ("Right length", "Sharpen the wording", "Mara", ""),
    ]
    without_dates = tables(decided({"Right length": Decision("split")}))["to_change"]
    assert [column.name for column in without_dates.columns] == ["criterion", "decision", "κ"]


def test_where_every_criterion_is_kept_there_is_no_table() -> None:
    report = decided({"Polite tone": Decision("keep")})
    assert not tables(report)
    assert "The rubric review keeps every criterion that it decided on." in told(report)
    assert not tables(decided({"Polite tone": Decision(note="later")}))


def test_before_and_after_is_one_sentence_and_the_criteria_that_moved() -> None:
    first, second = metrics.read(drawn(1)), metrics.read(drawn(101, wrong=0.1))
    report = report_of(first, after=second)
    both = report.material.before_after
    moved = [change for change in both.changes if change.difference.value]
    assert [row[0] for row in tables(report)["changed"].rows] == [change.criterion for change in moved]
    assert [row[-1] for row in tables(report)["changed"].rows] == list(map(reads, moved))
    assert any(text.startswith("Before and after: Of ") for text in told(report))
    unmoved = report_of(first, after=metrics.read(drawn(1)))
    assert "changed" not in tables(unmoved)
    behind = next(section for section in unmoved.document().sections if section.key == "before_after")
    assert [part.text for part in behind.parts][1:] == [
        f"Nothing changed on {metrics.results.words.listed([one.criterion for one in both.changes])}: no label, and no number."
    ]


def test_without_kappa_or_the_review_neither_is_on_it() -> None:
    ratings = ratings_named("support_answers.csv")
    without = Contents(without=frozenset({"kappa", "review"}))
    report = report_of(ratings, contents=without, review=Review("a.csv", "", DECISIONS), interval="none")
    assert [type(part) for part in page(report).parts] == [Paragraph] * len(page(report).parts)


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex", ".pdf", ".xlsx"])
def test_every_writer_has_it(suffix: str) -> None:
    report = decided(DECISIONS)
    written = write(report, suffix)
    if suffix in (".html", ".md", ".tex"):
        text, last = written.decode(), {".html": '<section id="rows"'}.get(suffix, "Rows and warnings")
        assert text.index("What follows:") < text.index("2026-12-10") < text.index(last)


@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_name_and_digest_of_the_file_are_copied_as_they_are(suffix: str) -> None:
    report = decided(DECISIONS)
    text = write(report, suffix).decode()
    assert report.material.recipe.sha256 in text
    main = text.split("<main>")[-1].split("<script")[0]
    assert not re.findall("[\u200b-\u200d\u2060\ufeff\u00ad]", main)


@pytest.mark.parametrize("name", ["support_answers.csv", "rao_abstention.csv", "several", "mixed", "humans"])
def test_no_table_of_the_report_is_empty_and_no_row_is_dead(name: str) -> None:
    for table in plain_report(name).document().tables():
        assert table.rows, table.key
        for row in texts(table) if table.key == "silence" else ():
            assert "–" not in row[3]
