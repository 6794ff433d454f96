"""The report as LaTeX: a whole document for pdfLaTeX, XeLaTeX and LuaLaTeX, with tables that can be taken out of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from metrics.report import document as model
from metrics.report import texts
from metrics.report.document import Document, Figure, Part, Verdicts
from metrics.results import tables
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Table

TEMPLATE = Path(__file__).parent / "templates" / "report.tex"
BODY = "%%BODY%%"
BREAK = r"\hspace{0pt plus 1pt}"
STRETCH = 10
"""Letters without a space after which a line may end."""
TALLEST = 500
"""Letters of a cell after which it goes on in a row below: a row cannot be broken over two pages."""
SIZES = ((6, r"\small"), (9, r"\footnotesize"), (99, r"\scriptsize"))
"""Type by the number of columns."""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "\u00a0": "~", "\u202f": r"\,", "–": r"\textendash{}", "—": r"\textemdash{}", "−": r"\ensuremath{-}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}", "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "…": r"\ldots{}", "·": r"\textperiodcentered{}", "×": r"\ensuremath{\times}", "±": r"\ensuremath{\pm}",
    "≥": r"\ensuremath{\geq}", "≤": r"\ensuremath{\leq}", "≠": r"\ensuremath{\neq}", "≈": r"\ensuremath{\approx}",
    "→": r"\ensuremath{\rightarrow}", "∞": r"\ensuremath{\infty}", "²": r"\ensuremath{^2}", "°": r"\ensuremath{^\circ}",
    "✓": r"\ensuremath{\surd}", "✕": r"\ensuremath{\times}", "▲": r"\ensuremath{\blacktriangle}", "√": r"\ensuremath{\surd}",
    "½": r"\ensuremath{\frac12}",
}  # fmt: skip
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi o pi rho varsigma sigma tau upsilon varphi chi psi omega"
).split()
SPECIAL |= {chr(0x3B1 + place): rf"\ensuremath{{\{name}}}" for place, name in enumerate(GREEK) if name != "o"}
SPECIAL |= {
    "Δ": r"\ensuremath{\Delta}",
    "Σ": r"\ensuremath{\Sigma}",
    "Φ": r"\ensuremath{\Phi}",
    "Π": r"\ensuremath{\Pi}",
}
KNOWN = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ§¶©®ĀāĂăĄąĆćČčĎďĒēĘęĚěĞğĪīŁłŃńŇňŌōŐőŒœŘřŚśŠšŤťŪūŮůŰűŸŹźŻżŽž"
"""Letters that every one of the compilers sets as they are."""
HATTED = {"π": r"\pi", "x": "x", "p": "p"}
_LETTER = re.compile(f"(?s)[{''.join(HATTED)}]\u0302|.")


def write(document: Document) -> bytes:
    """Return the report as LaTeX; what a compiler's typefaces lack is set as its number, U+1F600.

    UTF-8, the same for the same document.
    """
    lines = [rf"\title{{{escaped(document.title)}}}", r"\begin{document}", r"\maketitle", ""]
    lines += [line for part in document.lead for line in (*_written(part, "lead"), "")]
    names = {id(table): name for name, table in texts.named_tables(document)}
    for section in document.sections:
        lines += [rf"\section{{{escaped(section.title)}}}", ""]
        for part in section.parts:
            lines += [*_written(part, names.get(id(part), "")), ""]
        lines += [r"\clearpage", ""] if section.own_page else []
    lines += [rf"\bigskip\noindent {escaped(document.made_with)}", r"\end{document}", ""]
    return _template().replace(BODY, "\n".join(lines)).encode("utf-8")


@cache
def _template() -> str:
    return TEMPLATE.read_text(encoding="utf-8")


def escaped(text: str) -> str:
    """Return a text no letter of which is a command, with places where a long word may be broken."""
    runs = ((_run(piece), turned) for piece, turned in texts.runs(unicodedata.normalize("NFC", text)))
    shown = "".join(rf"\fromright{{{piece}}}" if turned else piece for piece, turned in runs)
    # At the start of a row either would belong to the command that ended the row above.
    return f"{{{shown[0]}}}{shown[1:]}" if shown.startswith(("[", "*")) else shown


def _run(text: str) -> str:
    return " ".join(map(_word, text.split(" ")))


def _word(word: str) -> str:
    """Return breakable without a hyphen, which would read as a letter of it."""
    letters = [_letter(letter) for letter in _LETTER.findall(word)]
    for place in range(1, len(letters)):
        # Two of them would become one sign.
        if letters[place] == letters[place - 1] and letters[place] in "-,":
            letters[place] = f"{{}}{letters[place]}"
    if len(letters) <= 2 * STRETCH:
        return "".join(letters)
    return BREAK.join("".join(letters[at : at + STRETCH]) for at in range(0, len(letters), STRETCH))


def _letter(letter: str) -> str:
    if len(letter) == 2:
        return rf"\ensuremath{{\hat{{{HATTED[letter[0]]}}}}}"
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter.isascii() or letter in KNOWN:
        return letter
    return rf"\uni{{{ord(letter):04X}}}{{{letter}}}"


def _written(part: Part, name: str) -> Iterator[str]:
    match part:
        case Paragraph():
            yield from _paragraph(part)
        case Listing():
            yield from _items([escaped(point) for point in part.points])
        case Table():
            yield from _table(part, name)
        case Figure():
            yield rf"\paragraph{{{escaped(part.title)}}} {escaped(part.alt)}"
        case Verdicts():
            yield from (line for row in part.rows for line in _verdict(row))


def _paragraph(part: Paragraph) -> Iterator[str]:
    text = escaped(part.text)
    if part.kind in ("declaration", "methods"):
        yield from (rf"% {part.kind}", r"\begin{quote}", text, r"\end{quote}")
    else:
        yield {
            "verdict": rf"{{\large {text}\par}}",
            "note": rf"{{\small {text}\par}}",
            "warning": rf"\textbf{{Note.}} {text}",
        }.get(part.kind, text)


def _items(items: Sequence[str]) -> Iterator[str]:
    if items:
        yield from (r"\begin{itemize}", *(rf"\item {{}}{item}" for item in items), r"\end{itemize}")


def _verdict(row: model.Verdict) -> Iterator[str]:
    mark = SPECIAL.get(texts.MARKS[row.mark], "")
    yield rf"\paragraph{{{row.number}. {mark} {escaped(row.name)}}} {escaped(row.state)}"
    yield from _items([escaped(line) for line in row.evidence])
    if row.action:
        yield rf"\noindent To do: {escaped(row.action)}"
        yield ""


def _table(table: Table, name: str) -> Iterator[str]:
    """Yield a longtable between two lines of comment, to be taken to another document."""
    heads = " & ".join(rf"\bfseries {escaped(column.name)}" for column in table.columns) + r" \\"
    shape, size = _shape(table), next(size for most, size in SIZES if len(table.columns) <= most)
    yield f"% ---- table {name}: from here ----"
    yield f"{{{size}\\setlength{{\\tabcolsep}}{{3pt}}"
    yield rf"\begin{{longtable}}{{{shape}}}"
    yield rf"\caption{{{escaped(table.caption)}}}\label{{tab:{name}}}\\"
    yield from (r"\toprule", heads, r"\midrule", r"\endfirsthead", r"\toprule", heads, r"\midrule", r"\endhead")
    yield from (r"\bottomrule", r"\endlastfoot")
    for row in tables.texts(table):
        yield from (" & ".join(line) + r" \\" for line in _lines(row))
    yield r"\end{longtable}"
    yield from (rf"\noindent {escaped(note)}\par" for note in table.notes)
    yield "}"
    yield f"% ---- table {name}: to here ----"


def _lines(row: Sequence[str]) -> Iterator[list[str]]:
    """Yield a row, and the rows below it in which long cells go on."""
    cells = [texts.chunks(texts.line(cell), TALLEST) for cell in row]
    for at in range(max(map(len, cells), default=0)):
        yield [escaped(cell[at]) if at < len(cell) else "" for cell in cells]


def _shape(table: Table) -> str:
    kinds = [r"\raggedright" if column.format == "text" else r"\raggedleft" for column in table.columns]
    widths = [f"\\dimexpr {share:.4f}\\linewidth-2\\tabcolsep\\relax" for share in texts.widths(table)]
    return "".join(rf">{{{kind}\arraybackslash}}p{{{width}}}" for kind, width in zip(kinds, widths, strict=True))
