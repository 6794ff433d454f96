"""The blind sheet of what to label next: CSV, a workbook with a list of labels in each cell, and a page to print."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path
from typing import Literal

from metrics.analyses.sampling.result import LABEL, WEIGHT, LabelPlan
from metrics.errors import InputError
from metrics.extras import load
from metrics.results.safe_csv import safe_csv

Form = Literal["csv", "xlsx", "html"]
FORMS: tuple[Form, ...] = ("csv", "xlsx", "html")
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
LONGEST_LIST = 255
"""Letters of all labels together, above which a workbook takes no list of them."""
WIDE = {"item": 14, "criterion": 22, LABEL: 18, WEIGHT: 9}
LOOK = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111}"
    "section{border-top:1px solid #999;padding:.7rem 0;break-inside:avoid}h2{font-size:1rem;margin:0 0 .3rem}"
    "p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}.what{color:#555}"
    ".choice{display:inline-block;margin:.3rem 1.2rem .1rem 0}.choice::before{content:'\\2610';margin-right:.35rem}"
)


def sheet_file(plan: LabelPlan, form: str) -> bytes:
    """Return the sheet as a file.

    Parameters
    ----------
    plan : LabelPlan
    form : {"csv", "xlsx", "html"}
        The page to print has no weights: they are in the other two.

    Raises
    ------
    InputError
        For another form.
    """
    if form == "csv":
        return safe_csv(plan.to_frame()).encode()
    if form == "xlsx":
        return _workbook(plan)
    if form == "html":
        return _page(plan).encode()
    raise InputError(f"A sheet is a file that ends in .csv, .xlsx or .html, not .{form}.")


def write_sheet(plan: LabelPlan, path: Path) -> None:
    """Write the sheet to a file, whose ending says in which form.

    Raises
    ------
    InputError
        For another ending, and where the file cannot be written.
    """
    data = sheet_file(plan, path.suffix.lower().lstrip("."))
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}.") from None


def _workbook(plan: LabelPlan) -> bytes:
    """Return a workbook whose labels are chosen from a list; its column of weights is hidden, for they hint at the judge."""
    frame, out = plan.to_frame(), io.BytesIO()
    with load("xlsxwriter").Workbook(out, OPTIONS) as book:
        sheet, bold, wrapped = book.add_worksheet("labels"), book.add_format({"bold": True}), book.add_format({"text_wrap": True})
        sheet.freeze_panes(1, 1)
        for place, name in enumerate(frame.columns):
            sheet.write_string(0, place, str(name), bold)
            sheet.set_column(place, place, WIDE.get(str(name), 60), wrapped, {"hidden": name == WEIGHT})
            for row, cell in enumerate(frame[name].tolist(), 1):
                (sheet.write_number if name == WEIGHT else sheet.write_string)(row, place, cell)
            if name == LABEL and len(",".join(plan.labels)) <= LONGEST_LIST and not any("," in label for label in plan.labels):
                choice = {"validate": "list", "source": list(plan.labels), "error_title": "Another label is meant?"}
                choice["error_message"] = f"Labels: {', '.join(plan.labels)}."[:LONGEST_LIST]
                sheet.data_validation(1, place, len(frame), place, choice)
    return out.getvalue()


def _page(plan: LabelPlan) -> str:
    """Return a page to print: the texts of every item, and a box for each label on each criterion."""
    boxes = "".join(f'<span class="choice">{escape(label)}</span>' for label in plan.labels)
    parts = []
    for place, item in enumerate(plan.items):
        texts = "".join(
            f'<p><span class="what">{escape(name)}:</span> {escape(texts[place])}</p>' for name, texts in plan.texts.items()
        )
        asked = "".join(f'<p><span class="what">{escape(criterion)}:</span> {boxes}</p>' for criterion in plan.criteria)
        parts.append(f"<section><h2>{place + 1}. {escape(item)}</h2>{texts}{asked}</section>")
    title = escape(f"Labels for {plan.file}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{LOOK}</style></head><body>'
        f"<h1>{title}</h1><p>{len(plan.items)} items. By: ____________________ Date: __________</p>"
        f"{''.join(parts)}</body></html>\n"
    )
