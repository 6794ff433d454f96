"""What a notebook shows of a report: all its sentences and tables, no markup of the file, and colours of the page around it."""

from __future__ import annotations

import csv
import io
import math
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import metrics
from metrics.analyses.agreement.tables import MOST_JUDGES
from metrics.analyses.overview.tables import passages
from metrics.results.estimate import Estimate
from metrics.results.notebook import html_of, html_of_text
from metrics.results.prose import Listing, Paragraph
from metrics.results.report import Report
from metrics.results.tables import Column, Table
from tests.report.conftest import ratings_named
from tests.report.documents import HOSTILE

VOID = {"br", "hr", "img"}
ALLOWED = {
    "div": {"style"}, "p": {"dir", "style"}, "pre": {"style"}, "ul": {"style"}, "li": {"dir"}, "table": {"style"},
    "caption": {"style"}, "thead": set(), "tbody": set(), "tr": {"style"}, "th": {"scope", "dir", "style"},
    "td": {"dir", "style"},
}  # fmt: skip


class Page(HTMLParser):
    """The texts of a page by the element that they stand in; any tag, attribute or nesting that is not ours is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.styles: set[str] = set()
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= ALLOWED[tag], (tag, attrs)
        self.styles |= {value or "" for name, value in attrs if name == "style"}
        self.open.append(tag)
        if tag in ("td", "th", "p", "li", "caption", "pre"):
            self.texts.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        tag, text = self.texts[-1]
        assert self.open[-1] == tag
        self.texts[-1] = tag, text + data

    def of(self, tag: str) -> list[str]:
        return [text for kind, text in self.texts if kind == tag]


DRAWN = {"svg", "rect", "line", "circle", "polygon", "text", "tspan"}


def page(report: Report) -> Page:
    """What is written, and that the figure behind it holds shapes and texts alone."""
    html, svg, _ = report._repr_html_().partition("<svg ")
    if svg:
        root = ElementTree.fromstring(report._repr_html_().removeprefix(html))
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= DRAWN
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
        assert root.attrib["aria-label"].strip()
    return Page(html)


def hostile_file() -> bytes:
    names, made = HOSTILE[:4], io.StringIO()
    rows = csv.writer(made)
    rows.writerow(("item", "criterion", "judge", "human", "verdict"))
    for n, item in enumerate(text for text in HOSTILE if text.strip() and "\x00" not in text and len(text) < 500):
        for k, criterion in enumerate(names):
            human, verdict = (("yes", "no")[(n // step + k) % 2] for step in (1, 3))
            for judge, label in ((names[1], verdict), (names[0], human)):
                cells = (item, criterion, judge, human, label)
                rows.writerow([text.encode("utf-8", "replace").decode() for text in cells])
    return made.getvalue().encode()


def test_the_overview_is_its_verdict_and_its_tables() -> None:
    report = metrics.overview(ratings_named("support_answers.csv"))
    shown = page(report)
    said = [statement.text for statement in report.verdict]
    assert [text for text in shown.of("p") if text in said] == said
    assert shown.of("caption") == [part.caption for part in passages(report) if isinstance(part, Table)]
    assert {"cautious", "strict", "lenient", report.items[0].item, "0.75 [0.70, 0.79]"} <= set(shown.of("td"))
    assert len(shown.of("li")) == len(report.next)
    assert "reference: majority of the humans" in shown.of("p")[0]


@pytest.mark.parametrize(
    "name", ["support_answers.csv", "rao_abstention.csv", "rao_always_negative.csv", "several", "pairwise", "humans"]
)
def test_every_kind_of_overview_parses(name: str) -> None:
    shown = page(metrics.overview(ratings_named(name)))
    assert shown.of("p")
    assert "nan" not in " ".join(text for _, text in shown.texts).split()


def test_other_reports_show_their_tables() -> None:
    ratings = ratings_named("support_answers.csv")
    agreement, people, forest = metrics.agreement(ratings), metrics.raters(ratings, role="human"), metrics.compare_all(ratings)
    assert {"Accuracy", "Cohen’s κ", "Polite tone", "MET"} <= set(page(agreement).of("td") + page(agreement).of("th"))
    assert {"Krippendorff's α", "Polite tone"} <= set(page(people).of("td"))
    assert page(forest).of("p")[0] == forest.reading
    assert {"strict", "lenient"} <= set(page(forest).of("td"))


def test_a_report_without_tables_of_its_own_shows_its_summary() -> None:
    report = metrics.compare(ratings_named("support_answers.csv"), "strict", "lenient")
    (text,) = page(report).of("pre")
    assert text == report.summary()


def test_many_judges_are_not_all_shown_in_full() -> None:
    rows = [f"i{n},j{k},{'yes' if n % 2 else 'no'},{'yes' if (n + k) % 3 else 'no'}" for n in range(30) for k in range(6)]
    shown = page(metrics.agreement(metrics.read("\n".join(["item,judge,human,verdict", *rows]).encode())))
    assert "2 judges more: see `judges`." in shown.of("p")
    assert sum(text.startswith("Confusion matrix") for text in shown.of("caption")) == MOST_JUDGES


def test_no_letter_of_a_file_is_markup() -> None:
    ratings = metrics.read(hostile_file(), labels={"yes": "positive", "no": "negative"})
    reports: tuple[Report, ...] = (metrics.overview(ratings), metrics.agreement(ratings), metrics.compare_all(ratings))
    for report in (*reports, metrics.raters(ratings, role="judge"), metrics.compare(ratings, HOSTILE[0], HOSTILE[1])):
        shown = page(report)
        assert any("<script>" in text for _, text in shown.texts)
        report._repr_html_().encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_a_text_wherever_it_stands(text: str) -> None:
    table = Table("t", text, (Column(text), Column(text, "number")), ((text, 0.5),), (text,))
    shown = Page(html_of([*(Paragraph(text, kind) for kind in ("plain", "verdict", "declaration")), Listing((text,)), table]))
    assert len(shown.of("td")) == len(shown.of("th")) == 2
    assert shown.of("p")[0] == shown.of("td")[0] == shown.of("li")[0]
    Page(html_of_text(f"  {text}\n{text}"))


def test_an_undefined_number_is_a_dash_and_two_columns_may_share_a_name() -> None:
    columns = (Column("κ", "number", ("low", "high")), Column("κ", "number"), Column("κ"))
    shown = Page(html_of([Table("t", "", columns, ((Estimate(math.nan, why="no decision"), None, "a"),))]))
    assert shown.of("td") == ["–", "–", "a"]
    assert not shown.of("caption")


def test_no_colour_is_set_that_one_theme_could_not_read() -> None:
    styles = " ".join(page(metrics.overview(ratings_named("support_answers.csv"))).styles)
    colours = {part.split(":")[1].strip() for part in styles.split(";") if part.strip().startswith(("color:", "background:"))}
    assert colours == {"inherit", "transparent"}
