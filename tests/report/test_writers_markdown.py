"""The report as Markdown, read by a parser of it."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from metrics.report import as_markdown, texts
from metrics.report.document import Document, Section
from metrics.results import tables
from metrics.results.prose import Paragraph
from tests.report import documents

PLAIN = {"text", "text_special", "softbreak", "strong_open", "strong_close"}
ISOLATES = str.maketrans("", "", "\u2068\u2069")


def read(document: Document) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(as_markdown.write(document).decode("utf-8"))


def letters(token: Token) -> str:
    return "".join(child.content for child in token.children or []).translate(ISOLATES)


def cells(document: Document) -> list[str]:
    tokens = read(document)
    return [letters(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "td_open"]


@pytest.mark.parametrize("text", documents.HOSTILE)
def test_a_text_is_shown_letter_by_letter(text: str) -> None:
    document = Document("Report", (Paragraph(text),), (), "Made")
    tokens = read(document)
    assert [token.type for token in tokens if token.nesting == 1] == ["heading_open", *["paragraph_open"] * (1 + bool(text))]
    wanted = ["Report", *[texts.line(text)] * bool(text), "Made"]
    assert [letters(token) for token in tokens if token.type == "inline"] == wanted


def test_hostile_texts_make_neither_links_nor_html_nor_headings() -> None:
    document = documents.hostile()
    tokens = read(document)
    assert not [token.type for token in tokens if token.type in {"html_block", "fence", "code_block", "hr"}]
    assert {child.type for token in tokens for child in token.children or []} <= PLAIN
    assert sum(token.type == "heading_open" for token in tokens) == 1 + len(document.sections)
    shown = cells(document)
    assert shown[::4] == [texts.line(text) for text in documents.HOSTILE]
    assert "https\\://" in as_markdown.write(document).decode("utf-8")


def test_tables_hold_what_the_report_holds() -> None:
    document = documents.usual()
    table = next(document.tables())
    assert cells(document) == [cell for row in tables.texts(table) for cell in row]
    whole = as_markdown.write(document).decode("utf-8")
    assert whole == as_markdown.write(document).decode("utf-8")
    assert all(as_markdown.escaped(figure.alt) in whole for figure in document.figures())
    assert "1. ✓ **Report the confusion matrix** – met\n   - shown for 1 judge" in whole


def test_an_empty_report_is_a_heading_for_each_section() -> None:
    assert sum(token.type == "heading_open" for token in read(documents.empty())) == 3
    bare = as_markdown.write(Document("", (), (Section("s", "", ()),), ""))
    assert bare.decode("utf-8") == "# \n\n## \n"
