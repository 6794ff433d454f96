"""The report as PDF: the same bytes each time, every text on the page, figures drawn where their numbers say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from metrics.figures.theme import LIGHT, blend
from metrics.report import as_pdf, drawn, texts
from metrics.report.document import Document, Section
from metrics.results.prose import Paragraph
from metrics.results.tables import Column, Table
from tests.report import documents

EXAMPLES = {"usual": documents.usual, "hostile": documents.hostile, "empty": documents.empty}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_the_same_each_time_and_tells_no_date(name: str) -> None:
    made = as_pdf.write(EXAMPLES[name]())
    assert made.startswith(b"%PDF-1.")
    assert made == as_pdf.write(EXAMPLES[name]())
    assert b"CreationDate" not in made
    assert b"ModDate" not in made
    assert b"/JavaScript" not in made


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc")
def test_what_was_worked_out_of_a_document_can_be_let_go() -> None:
    """A server would otherwise hold the texts of the last documents, whoever they were made for.

    A process of its own is measured: one that has done much has room left over, which it fills first.
    """
    root = Path(__file__).parents[2]
    told = subprocess.run([sys.executable, "-c", LET_GO], cwd=root, check=True, capture_output=True, text=True).stdout
    before, made, after = json.loads(told)
    assert made - before > 5 << 20
    assert after - before < (made - before) / 2


LET_GO = """
import ctypes, json, os, random
from pathlib import Path
from metrics.report import as_pdf
from metrics.report.document import Document
from metrics.results.prose import Paragraph

def resident():
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")

as_pdf.write(Document("", (), (), ""))
as_pdf.forget()
sizes = [resident()]
rng = random.Random(1)
words = ["".join(rng.choices("abcdefghijklmn ", k=600)) for _ in range(60)]
as_pdf.write(Document("", tuple(map(Paragraph, words)), (), ""))
sizes.append(resident())
as_pdf.forget()
print(json.dumps([*sizes, resident()]))
"""
"""Prints the bytes in memory before a long document is made, with it, and once it is let go."""


def printed(document: Document, folder: Path) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext on this machine")
    (folder / "report.pdf").write_bytes(as_pdf.write(document))
    subprocess.run(["pdftotext", "-layout", "report.pdf"], cwd=folder, check=True, capture_output=True)
    return (folder / "report.txt").read_text(encoding="utf-8")


def test_texts_are_printed_letter_by_letter(tmp_path: Path) -> None:
    ascii_texts = [text for text in documents.HOSTILE if text.isascii() and len(text) < 90]
    told = printed(Document("All", tuple(map(Paragraph, ascii_texts)), (), "made"), tmp_path)
    lines = {" ".join(line.split()) for line in told.splitlines()}
    assert [text for text in ascii_texts if " ".join(texts.line(text).split()) not in lines] == []


def test_nothing_of_a_long_name_or_a_table_is_cut(tmp_path: Path) -> None:
    table = Table("t", "", (Column("a"), Column("n", "count")), ((documents.LONG, 7),))
    long = Document("", (Paragraph(documents.LONG),), (Section("s", "", (table,)),), "")
    assert printed(long, tmp_path).count("x") == 2 * len(documents.LONG)
    usual = printed(documents.usual(), tmp_path)
    for said in (
        "Cites a source",
        "0.64",
        "[0.43, 0.81]",
        "κ",
        "φ",
        "α = 0.05",
        "x̂",
        "✓",
        "✕",
        "Choose an interval.",
        "412",
        "both say MET",
    ):
        assert said in usual, said


def test_a_long_word_can_be_broken_and_is_copied_as_it_stands() -> None:
    """A sign without width between every two letters of a digest went with it into the clipboard."""
    digest = "324d0507c120fc09e24023671491bbbfd92d2872879abbe6cedad7969f31c2e8"
    for text in (f"SHA-256 {digest}; used", *documents.HOSTILE):
        assert "".join(as_pdf.pieces(text)) == texts.line(text)
    assert as_pdf.pieces(f"SHA-256 {digest}")[0] == "SHA-256 3"
    assert f"{digest}.csv".encode() in as_pdf.write(Document(f"{digest}.csv", (Paragraph(digest),), (), ""))


def test_the_template_is_handed_data_only() -> None:
    template = as_pdf.TEMPLATE.read_text(encoding="utf-8")
    assert not re.search(r"\b(eval|read|plugin|include|import)\b", template)
    told = as_pdf._document(documents.hostile())
    assert "".join(json.loads(json.dumps(told, allow_nan=False))["title"]) == documents.HOSTILE[0]


def test_a_mosaic_on_paper_has_the_shares_of_its_table() -> None:
    counts, labels = documents.COUNTS
    (drawing,) = drawn.on_paper(documents.matrix(counts, labels))
    boxes = {box["fill"]: box for box in drawing["boxes"] if box["fill"] != LIGHT.correct_fill}
    calm = [box for box in drawing["boxes"] if box["fill"] == LIGHT.correct_fill]
    missed, false = boxes[LIGHT.false_negative], boxes[LIGHT.false_positive]
    assert missed["width"] / (missed["width"] + calm[0]["width"]) == pytest.approx(55 / 467)
    assert false["width"] / (false["width"] + calm[1]["width"]) == pytest.approx(30 / 663)
    assert calm[1]["height"] / calm[0]["height"] == pytest.approx(663 / 467)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= drawing["width"] for box in drawing["boxes"])
    said = ["".join(run["text"] for run in line) for text in drawing["texts"] for line in text["lines"]]
    assert {"412", "633", "55", "MET"} <= set(said)


def test_no_verdict_has_a_colour_and_a_word_of_its_own_on_paper() -> None:
    counts, labels = documents.THREE
    (drawing,) = drawn.on_paper(documents.matrix(counts, labels, abstention=2))
    shares = [n / sum(row) for row in counts for n in row]
    grey = {blend(LIGHT.page, LIGHT.abstention, 0.15 + 0.85 * shares[place]) for place in (2, 5, 6, 7)}
    fills = [box["fill"] for box in drawing["boxes"]]
    assert (len(fills), len(grey), len(set(fills) & grey)) == (9, 4, 4)
    runs = [run for text in drawing["texts"] for line in text["lines"] for run in line]
    marks = [(run["colour"], after["text"].strip(" \u00a0")) for run, after in pairwise(runs) if run["text"] == "■"]
    assert [colour for colour, _ in marks] == [LIGHT.correct, LIGHT.false_positive, LIGHT.abstention]
    assert [said.split("\u00a0")[0].split()[0] for _, said in marks] == ["equal", "different", "CANNOT_ASSESS"]


def test_the_steps_of_ordered_labels_are_on_paper_over_the_cells() -> None:
    counts, _ = documents.THREE
    ordered = documents.matrix(counts, ["1", "2", "3"])
    assert not drawn.on_paper(ordered)[0]["above"]
    (drawing,) = drawn.on_paper(replace(ordered, shows=ordered.shows | {"ordered": True}))
    assert len(drawing["above"]) == 2 * 2
    corners = {box["x"] for box in drawing["boxes"]} | {box["x"] + box["width"] for box in drawing["boxes"]}
    assert all(min(abs(line[end] - x) for x in corners) < 0.01 for line in drawing["above"] for end in ("x0", "x1"))


def test_dots_on_paper_stand_on_one_axis_over_all_pieces() -> None:
    names = tuple(f"criterion {place}" for place in range(31))
    drawings = drawn.on_paper(documents.criteria(names, reason="<b>never</b> $x$"))
    assert len(drawings) == 3
    assert sum(len(drawing["dots"]) for drawing in drawings) == 30
    first = drawings[0]["dots"]
    per_unit = (first[0]["x"] - first[8]["x"]) / 0.8
    whisker = next(line for line in drawings[0]["lines"] if line["y0"] == first[0]["y"])
    assert (whisker["x1"] - first[0]["x"]) / per_unit == pytest.approx(0.05)
    assert (first[0]["x"] - whisker["x0"]) / per_unit == pytest.approx(0.1)
    assert drawings[2]["dots"][0]["x"] == pytest.approx(first[0]["x"] - per_unit * 0.1 * (28 % 12))
    said = " ".join("".join(run["text"] for run in line) for text in drawings[2]["texts"] for line in text["lines"])
    assert "<b>never</b> $x$" in said


def test_nothing_to_draw_is_said() -> None:
    for figure in documents.empty().figures():
        (drawing,) = drawn.on_paper(figure)
        assert next(run["text"] for text in drawing["texts"] for line in text["lines"] for run in line).startswith("No ")
