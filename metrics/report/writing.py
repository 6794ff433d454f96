"""Formats of a report, by the suffix of the file it is written to."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath

from metrics.errors import InputError
from metrics.extras import missing
from metrics.report.making import Report


@dataclass(frozen=True)
class Format:
    """A format that a report can be written in.

    Attributes
    ----------
    name : str
        As a button shows it.
    mime : str
    module : str
        Of `metrics.report`; its `write` takes a document. Empty where the report itself is written.
    needs : tuple of str
        Libraries of the extra `report` without which it cannot be written.
    """

    name: str
    mime: str
    module: str = ""
    needs: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    ".html": Format("HTML", "text/html", "as_html", ("jinja2", "plotly")),
    ".pdf": Format("PDF", "application/pdf", "as_pdf", ("typst", "plotly")),
    ".md": Format("Markdown", "text/markdown", "as_markdown", ("plotly",)),
    ".tex": Format("LaTeX", "application/x-tex", "as_latex", ("plotly",)),
    ".xlsx": Format(
        "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "as_sheets", ("xlsxwriter", "plotly")
    ),
    ".csv": Format("CSV", "text/csv"),
    ".json": Format("JSON", "application/json"),
}
ALIKE = {".htm": ".html"}


def format_of(path: str) -> str:
    """Return the format that the name of a file asks for.

    Raises
    ------
    InputError
        For a suffix that is none of these.
    """
    suffix = PurePath(path).suffix.lower()
    format_name = ALIKE.get(suffix, suffix)
    if format_name not in FORMATS:
        ending = f"ends in {suffix!r}" if suffix else "has no suffix"
        raise InputError(f"{path} {ending}, which is not a format of a report. Formats: {', '.join((*FORMATS, *ALIKE))}.")
    return format_name


def require_libraries(format_name: str) -> None:
    """Check that the libraries of a format are installed, before anything is worked out for it.

    Raises
    ------
    InputError
        With the line that installs the first that is not.
    """
    for library in FORMATS[format_name].needs:
        if find_spec(library) is None:
            raise missing(ModuleNotFoundError(name=library))


def file_name(report: Report, suffix: str) -> str:
    """Return what a report is called when it is saved: after its file."""
    stem = PurePath(report.material.recipe.file).stem
    kept = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in stem)[:60].strip("-")
    return f"{kept or 'labels'}-report{suffix}"


def today() -> str:
    """Return the date to put on a report, as 2026-03-04; where SOURCE_DATE_EPOCH is set, its date, so that it can be repeated."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (dt.datetime.fromtimestamp(int(fixed), dt.UTC).date() if fixed.isdecimal() else dt.date.today()).isoformat()


def write(report: Report, suffix: str, date: str = "") -> bytes:
    """Return a report in a format; the same report gives the same bytes on the same date.

    Parameters
    ----------
    report : Report
    suffix : str
        Of the format.
    date : str
        On which it is made, for its first page; empty for none. CSV and JSON hold what can be computed again, and no date.

    Raises
    ------
    InputError
        For an unknown format.
    """
    format_name = format_of(f"report{suffix}")
    if format_name == ".json":
        return report.to_json().encode()
    if format_name == ".csv":
        from metrics.report.as_csv import write as numbers

        return numbers(report)
    # the writers bring libraries that nobody needs who asks for another format
    written: bytes = import_module(f"metrics.report.{FORMATS[format_name].module}").write(report.document(date))
    return written
