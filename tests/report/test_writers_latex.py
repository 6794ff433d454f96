"""The report as LaTeX: no text is a command, and it compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from metrics.report import as_latex, texts
from metrics.report.document import Document, Section
from metrics.results.prose import Paragraph
from metrics.results.tables import Column, Table
from tests.report import documents

COMPILERS = ("pdflatex", "xelatex")
OWN = {
    "textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "textquotedbl",
    "textquotesingle", "textasciigrave", "textendash", "textemdash", "textquoteleft", "textquoteright", "textquotedblleft",
    "textquotedblright", "ldots", "textperiodcentered", "ensuremath", "hspace", "uni", "fromright", "hat", "surd", "geq",
    "pi", "kappa", "varphi", "alpha",
}  # fmt: skip
PRINTED = (r"\input{/etc/passwd} $x^2$ 100% a_b&c #1 ~", "{{7*7}} <b>|'q'|</b> -- ?`x !`y ,,z", "=HYPERLINK(“x”)")


def read(shown: str) -> str:
    """Letters of a text, from how LaTeX is told to set it."""
    back = {written: letter for letter, written in as_latex.SPECIAL.items()}
    shown = re.sub(r"\\uni\{([0-9A-F]+)\}\{(.)\}", lambda found: chr(int(found[1], 16)), shown.replace(as_latex.BREAK, ""))
    shown = re.sub(r"\\fromright\{([^}]*)\}", r"\1", shown)
    shown = re.sub(r"^\{([*[])\}|(?<=[-,])\{\}(?=[-,])", r"\1", shown)
    longest = sorted(back, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest)), lambda found: back[found[0]], shown)


@pytest.mark.parametrize("text", documents.HOSTILE)
def test_a_text_is_letters_and_nothing_else(text: str) -> None:
    shown = as_latex.escaped(text)
    assert set(re.findall(r"\\([A-Za-z]+)", shown)) <= OWN
    assert set(re.findall(r"\\([^A-Za-z])", shown)) <= set("{}$&#%_,")
    assert not re.search(r"(?<!\\)[$&#%_^]", shown)
    bare = re.sub(r"\\[{}]", "", shown)
    assert bare.count("{") == bare.count("}")
    if "\u0301" not in text and "\u0302" not in text:
        assert read(shown) == texts.line(text)


def test_tables_stand_between_lines_to_copy_them_from() -> None:
    whole = as_latex.write(documents.usual()).decode("utf-8")
    assert whole == as_latex.write(documents.usual()).decode("utf-8")
    table = whole.split("% ---- table levels: from here ----")[1].split("% ---- table levels: to here ----")[0]
    assert r"Cites a source & 226 & 0.64 & {[}0.43, 0.81] & 62~\% & +1.5~points & \textless{}0.001 &  \\" in table
    assert all(rule in table for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\endhead", r"\begin{longtable}"))


def test_a_long_cell_goes_on_in_rows_below() -> None:
    table = Table("t", "", (Column("a"), Column("n", "count")), ((documents.LONG, 7),))
    whole = as_latex.write(Document("", (), (Section("s", "", (table,)),), "")).decode("utf-8").split(r"\endlastfoot")[1]
    assert whole.replace(as_latex.BREAK, "").count("x") == len(documents.LONG)
    lines = [line for line in whole.splitlines() if line.endswith(r"\\")]
    assert [line.endswith(r"& 7 \\") for line in lines] == [True, *[False] * (len(lines) - 1)]
    assert max(line.count("x") for line in lines) <= as_latex.TALLEST


@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_compiles_and_prints_what_it_was_given(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    hostile = tuple(text for text in documents.HOSTILE if len(text) < 5_000)
    document = documents.hostile((*PRINTED, documents.LONG, *hostile))
    bare = Document("All", tuple(map(Paragraph, PRINTED)), document.sections, "")
    (tmp_path / "report.tex").write_bytes(as_latex.write(bare))
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    log = run.stdout.decode("utf-8", "replace")
    assert run.returncode == 0, log[-2000:]
    assert "Missing character" not in (tmp_path / "report.log").read_text(encoding="utf-8", errors="replace")
    if shutil.which("pdftotext") is None:
        return
    subprocess.run(["pdftotext", "-l", "1", "-layout", "report.pdf"], cwd=tmp_path, check=True)
    printed = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert [text for text in PRINTED if text not in printed] == []
