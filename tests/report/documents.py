"""Reports for the tests of the writers: one as they are, one that holds whatever a hostile file may hold, one of nothing."""

from __future__ import annotations

import math

from metrics.figures import confusion, dots
from metrics.report.document import Document, Figure, Part, Section, Verdict, Verdicts
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Column, Table
from tests.figures.drawn import estimate

LONG = "x" * 5_000
HOSTILE = (
    "<script>window.pwned=1;alert(1)</script>",
    "</script><img src=x onerror=window.pwned=1>",
    "<!--<script>",
    '" onmouseover="window.pwned=1',
    "{{7*7}} {% raw %} ${7*7}",
    r"\input{/etc/passwd} \write18{id} \end{document}",
    "$x^2$ 100% a_b a&b #1 ~ ^ {open",
    r"C:\temp\new \\ \\*[3pt]",
    '#let x = read("/etc/passwd") #x',
    '=HYPERLINK("http://example.com","go")',
    "+1+1", "-2+3", "@SUM(1)", "\tTAB", "'quoted",
    "a|b", "`code` ``` fence", "*bold* _it_ __b__ ~~no~~",
    "[link](javascript:alert(1))", "javascript:alert(1)", "https://example.com/a_b", "www.example.com", "me@example.com",
    "# heading", "> quote", "- point", "1. first", "1) first", "---", "***", "===", "+ plus", "    indented",
    "&lt;b&gt; &amp; &#60;",
    "![i](http://example.com/i.png)", "<http://example.com>", ":smile: @someone #12",
    "x\\", "[ ] task", "[^1]: note", "\\(x\\) \\[y\\]",
    LONG, "long words " * 900,
    "עברית מימין לשמאל 12", "العربية من اليمين", "\u202eturned\u202c",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈 ⚖️", "漢字かな交じり", "देवनागरी", "e\u0301 π̂ κ φ α ß “q” ‘q’ … – — − ≥ ✓ ¿",
    "two\nlines\r\nthree\u2028four", "nul\x00 bell\x07 esc\x1b[31m \x7f \x85",
    "half \ud83d pair", "none \ufffe\U0001ffff", "\ufeffmark", "",
)  # fmt: skip
"""Texts a file may hold; each may stand wherever a text stands."""

COLUMNS = (
    Column("Criterion"),
    Column("n", "count"),
    Column("κ", "number"),
    Column("Interval"),
    Column("Prevalence", "percent"),
    Column("Change", "points"),
    Column("p", "p"),
    Column("Note"),
)
ROWS = (
    ("Cites a source", 226, 0.6412345678901234, "[0.43, 0.81]", 0.62, 0.015, 0.0004, ""),
    ("States the dose", 1_226, -0.04, "[−0.10, 0.02]", 0.031, -0.17, 0.3333333333333333, "drifts"),
    ("Never rude", 180, None, "–", 1.0, None, None, "undefined: judge says MET only"),
)
COUNTS = ([[412, 55], [30, 633]], ["MET", "UNMET"])
THREE = ([[412, 55, 4], [30, 633, 9], [11, 3, 7]], ["MET", "UNMET", "CANNOT_ASSESS"])


def matrix(counts: list[list[int]], labels: list[str], abstention: int | None = None, key: str = "confusion") -> Figure:
    return Figure(
        key,
        "confusion",
        "Where judge and human part",
        confusion.alt(counts, labels, abstention=abstention),
        {"counts": counts, "labels": labels, "abstention": abstention},
    )


def criteria(names: tuple[str, ...], reason: str = "judge says MET only", key: str = "criteria") -> Figure:
    shown = [
        (name, 0.9 - 0.1 * (i % 12), 0.8 - 0.1 * (i % 12), 0.95 - 0.1 * (i % 12), 200 + i, 0.3, False, None)
        for i, name in enumerate(names)
    ]
    shown[-1] = (names[-1], math.nan, None, None, 180, 1.0, True, reason)
    rows = [dots.DotRow(name, estimate(*ends), *rest) for name, *ends, rest in ((*row[:4], row[4:]) for row in shown)]
    return Figure(key, "criteria", "κ by criterion", dots.alt(rows), {"symbol": "κ", "rows": shown})


def usual() -> Document:
    """A report without anything odd, with a part of every kind."""
    judge = Section(
        "judge-gpt",
        "Judge gpt-large against human",
        (
            Paragraph("Micro over 3 criteria; abstentions excluded."),
            matrix(*COUNTS),
            Table("levels", "κ by criterion; item jackknife 95 %", COLUMNS, ROWS, ("Never rude: the judge says MET only.",)),
            criteria(tuple(row[0] for row in ROWS)),
            matrix(*THREE, abstention=2, key="confusion-three"),
            Paragraph("One criterion is degenerate.", "warning"),
            Paragraph("φ stands beside κ.", "note"),
        ),
    )
    declared = "κ = 0.64 [0.43, 0.81] (binary; abstentions excluded, coverage 93 %; n = 1 130)"
    methods = "We report Cohen’s κ, “micro” over 3 criteria (α = 0.05; x̂ ≥ 0)."
    return Document(
        "Agreement report",
        (Paragraph(declared, "declaration"), Paragraph("Read this first.")),
        (
            Section("file", "The file", (Listing(("sample.csv", "1 130 decisions of 226 items")),)),
            judge,
            Section("checklist", "Checklist", (Verdicts(VERDICTS),)),
            Section("methods", "Methods", (Paragraph(methods, "methods"),)),
        ),
        "Kappascope 0.0",
    )


VERDICTS = (
    Verdict(1, "Report the confusion matrix", "met", "met", ("shown for 1 judge", "2 × 2"), ""),
    Verdict(2, "Give an interval", "missed", "not met", ("no interval asked for",), "Choose an interval."),
    Verdict(3, "Weigh the costs", "none", "not applicable", (), ""),
)


def hostile(texts: tuple[str, ...] = HOSTILE) -> Document:
    """Each of the texts wherever a text may stand."""
    first = texts[0]
    columns = (Column(first), Column("value", "number"), Column(texts[1 % len(texts)]), Column("value", "count"))
    table = Table("names", first, columns, tuple((text, 0.5, text, 3) for text in texts), texts)
    parts: tuple[Part, ...] = (
        *(Paragraph(text) for text in texts),
        Paragraph("; ".join(text for text in texts if len(text) < 200), "methods"),
        Listing(texts),
        table,
        criteria(texts, reason=first),
        *(matrix([[5, 2], [1, 7]], [text, f"not {text}"], key=f"m{i}") for i, text in enumerate(texts[:6])),
    )
    rows = tuple(Verdict(i, text, "missed", text, (text, first), text) for i, text in enumerate(texts, start=1))
    sections = (Section("all", first, parts), Section("checklist", texts[-1] or "Checklist", (Verdicts(rows),)))
    return Document(first, (Paragraph(first, "declaration"), Paragraph(texts[-1], "warning")), sections, first)


def empty() -> Document:
    """Tables without rows, figures without anything to draw, no section."""
    return Document(
        "Nothing",
        (),
        (
            Section("none", "None", ()),
            Section(
                "some",
                "Some",
                (
                    Listing(()),
                    Verdicts(()),
                    Table("none", "No rows", COLUMNS, ()),
                    matrix([[0, 0], [0, 0]], ["a", "b"]),
                    Figure("c", "criteria", "None", "No criterion to show.", {"symbol": "κ", "rows": []}),
                ),
            ),
        ),
        "Kappascope",
    )
