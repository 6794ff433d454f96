"""The report as one HTML file that asks for nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from metrics.figures import theme
from metrics.figures.theme import DARK, LIGHT
from metrics.report import drawn, texts
from metrics.report.document import Document, Figure, Part
from metrics.results import tables
from metrics.results.tables import Table

TEMPLATES = Path(__file__).parent / "templates"
# Letters of a cell that stays on one line.
SHORT = 16
OPENED = {"\u003c": "\\u003c", "\u003e": "\\u003e", "&": "\\u0026"}
"""Letters that would end a data block, as JSON writes them otherwise."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def write(document: Document) -> bytes:
    """Return the report as a page: figures can be pointed at, nothing is loaded, and it prints on A4.

    UTF-8, the same for the same document.
    """
    scripts = [*([_plotly()] if any(document.figures()) else []), _template_text("report.js")]
    page = _environment().get_template("report.html.j2")
    text = page.render(
        document=document,
        numbers=_numbers(document),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(scripts),
        style=Markup(_template_text("report.css")),
        light=LIGHT,
        dark=DARK,
    )
    return text.encode("utf-8")


def _policy(scripts: list[str]) -> str:
    """Return what the page may do: run these very scripts, and nothing else."""
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    # Control characters stand in its strings only. HTML has none, and would read \r as \n, which changes the digest.
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", str(get_plotlyjs()))


@cache
def _template_text(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["shown"] = text_markup
    made.filters["spoken"] = texts.line
    made.filters["figure"] = _figure
    made.filters["id"] = id
    made.globals.update(kind=_part_kind, rows=_rows, mark=texts.MARKS.__getitem__)
    return made


def text_markup(text: str) -> Markup:
    """Return a text of the report: no part of it is markup, and what is read from the right does not turn what stands beside
    it.
    """
    turned = Markup("<bdi>{}</bdi>")
    return Markup("").join(turned.format(piece) if from_right else escape(piece) for piece, from_right in texts.runs(text))


def _part_kind(part: Part) -> str:
    return type(part).__name__.lower()


def _rows(table: Table) -> list[list[tuple[str, str]]]:
    """Return the cells as text, each with its class."""
    numbers = [column.format != "text" for column in table.columns]
    return [
        [(cell, "number" if number else _width(cell)) for cell, number in zip(row, numbers, strict=True)]
        for row in tables.texts(table)
    ]


def _width(cell: str) -> str:
    """Return the class of a cell: "short" where it needs little room and stays on one line, as an interval or a word does."""
    return "short" if len(cell) <= SHORT else "text"


def _numbers(document: Document) -> dict[int, str]:
    """Return a name for the place of each table and figure on the page."""
    numbered = {id(table): f"table-{name.replace(' ', '-')}" for name, table in texts.named_tables(document)}
    return numbered | {id(figure): f"figure-{place}" for place, figure in enumerate(document.figures(), start=1)}


def _figure(figure: Figure) -> Markup:
    """Return the drawings of a figure in both themes, as a block of data."""
    name = texts.line(figure.key)
    both: dict[str, Any] = {side: json.loads(drawn.plot(figure, side).to_json()) for side in ("light", "dark")}
    data = json.dumps(both | {"config": theme.config(name) | {"responsive": True}}, ensure_ascii=True, sort_keys=True)
    for letter, written in OPENED.items():
        data = data.replace(letter, written)
    return Markup(data)
