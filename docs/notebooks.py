"""Notebooks as pages: every cell is run, and what it shows stands below it, a figure as SVG."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from plotly.basedatatypes import BaseFigure

from metrics.figures import svg
from metrics.figures.of_reports import WIDE, NamedFigure, figures_of
from metrics.report.as_markdown import escaped, written
from metrics.results.report import Report


def cells(path: Path) -> list[tuple[str, str]]:
    """Kind and text of every cell of a notebook."""
    return [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(path.read_text("utf-8"))["cells"]]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return what its last line is, as a kernel shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@dataclass
class Page:
    """A notebook as Markdown, and the pictures that it shows, by file name."""

    name: str
    parts: list[str] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)

    def show(self, value: Any, source: str, names: dict[str, Any]) -> None:
        if isinstance(value, BaseFigure):
            self.draw(_named(source, names))
        elif isinstance(value, pd.DataFrame):
            named = not isinstance(value.index, pd.RangeIndex)
            self.parts.append(table(value.rename_axis(value.index.name or "row").reset_index() if named else value))
        elif isinstance(value, Report):
            self.report(value)
        elif value is not None:
            self.parts.append(fenced(value if isinstance(value, str) else repr(value)))

    def report(self, report: Report) -> None:
        passages = getattr(report._text, "passages", None)
        if passages is None:
            self.parts.append(fenced(report.summary()))
        else:
            self.parts += [block for passage in passages(report) for block in written(passage)]
        headline = next((figure for figure in figures_of(report).values() if figure.flat), None)
        if headline is not None:
            self.draw(headline)

    def draw(self, figure: NamedFigure) -> None:
        file = f"{self.name}-{len(self.pictures) + 1}.svg"
        self.pictures[file] = svg.svg_of(figure.draw(theme="light", width=WIDE), figure.alt)
        self.parts.append(f"![{escaped(figure.alt)}]({file})")


def _named(source: str, names: dict[str, Any]) -> NamedFigure:
    """The figure that the last line of a cell draws: `report.plot(…)`, with its text alternative."""
    call = ast.parse(source).body[-1].value
    report = eval(ast.unparse(call.func.value), names)
    words = [ast.literal_eval(word) for word in call.args]
    judge = next((ast.literal_eval(one.value) for one in call.keywords if one.arg == "judge"), "")
    figures = figures_of(report, judge)
    return figures[words[0] if words else next(iter(figures))]


def fenced(text: str, kind: str = "text") -> str:
    return f"```{kind}\n{text.rstrip()}\n```"


def table(frame: pd.DataFrame) -> str:
    """A frame as a table of Markdown."""
    rows = [list(frame.columns), *frame.itertuples(index=False)]
    lines = [f"| {' | '.join(escaped(str(cell)) for cell in row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * len(frame.columns)}", *lines[1:]])


def page(path: Path) -> Page:
    """Run a notebook in its own folder, and return it as a page."""
    made, names = Page(path.stem), {"__name__": "__main__"}
    with _within(path.parent):
        for kind, source in cells(path):
            if kind == "markdown":
                made.parts.append(source)
                continue
            made.parts.append(fenced(source, "python"))
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                value = run(source, names)
            if said.getvalue():
                made.parts.append(fenced(said.getvalue()))
            made.show(value, source, names)
    return made


@contextlib.contextmanager
def _within(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
