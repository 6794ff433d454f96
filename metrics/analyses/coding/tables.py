"""Codes of disagreements as tables and files: counts by criterion, and each coded decision with what the file says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pandas as pd

from metrics.analyses.agreement.decisions import decision_frame
from metrics.analyses.coding.codes import ALL, CODES, UNSURE, Coding
from metrics.analyses.coding.compute import CodingReport, Counted, key_of
from metrics.analyses.disagreements.listing import Ints, Listing
from metrics.data.pairs import cell_ratings
from metrics.results.tables import ENDS, Cell, Column, Table

EVERY = "All criteria"
HEAD = (Column("criterion"), Column("disagreements", "count"), Column("coded", "count"))
UNSURE_HEAD = Column(UNSURE["unsure"].lower(), "count")
SHARE = Column("judge wrong, share of coded", "percent", ENDS)


def counts_table(report: CodingReport) -> Table:
    """Return disagreements and their codes, a row to a criterion, then all together where there are several."""
    parts = list(report.criteria.items())
    if len(parts) > 1:
        parts.append((EVERY, report.overall))
    columns = (*HEAD, *(Column(name.lower(), "count") for name in CODES.values()), UNSURE_HEAD, SHARE)
    rows = tuple(_row(name, counted) for name, counted in parts if counted.n)
    return Table("codes", "Why judge and reference differ", columns, rows)


def _row(name: str, counted: Counted) -> tuple[Cell, ...]:
    codes = (counted.codes[code] for code in CODES)
    return name, counted.n, counted.n_coded, *codes, counted.n_unsure, counted.share("judge")


def coded_cells(listing: Listing, coding: Coding) -> Ints:
    """Return decisions with a code, tags, a note or a place in the meeting, in the order of the file, shape (n,)."""
    candidates = np.flatnonzero(listing.differs | listing.checked)
    return np.array([cell for cell in candidates.tolist() if not coding.of(key_of(listing, cell)).empty], np.int64)


def coded_frame(listing: Listing, coding: Coding) -> pd.DataFrame:
    """Return every coded disagreement, a row each: code, tags and note, labels and reasons of both sides, the file's columns.

    Raises
    ------
    InputError
        For a tally.
    """
    assert listing.judge is not None
    cells = coded_cells(listing, coding)
    frame = decision_frame(listing.ratings, listing.judge.name, listing.settings, cells)
    coded = [coding.of(key_of(listing, cell)) for cell in cells.tolist()]
    ours: dict[str, list[object]] = {
        "code": [ALL.get(one.code, "") for one in coded],
        "tags": [", ".join(one.tags) for one in coded],
        "note": [one.note for one in coded],
        "meeting": ["yes" if one.meeting else "" for one in coded],
    }
    if any(one.own for one in coded):
        ours["own label"] = [one.own for one in coded]
    for place, (name, values) in enumerate(ours.items(), 2):
        frame.insert(place, f"{name} (code)" if name in frame else name, values)
    return frame


def right_labels(listing: Listing, coding: Coding) -> dict[tuple[str, str], str]:
    """Return item and criterion of every decision on which people were found wrong, with the label that is right.

    That is the judge's where it was coded so; where both were wrong, the label that the reader gave before either was shown.
    """
    if listing.judge is None:
        return {}
    ratings, of_judge = listing.ratings, cell_ratings(listing.ratings, listing.judge.name, "judge")
    out = {}
    for cell in coded_cells(listing, coding).tolist():
        item, criterion, _ = key = key_of(listing, cell)
        coded = coding.of(key)
        if coded.code == "human":
            out[item, criterion] = ratings.labels[int(ratings.label[of_judge[cell]])]
        elif coded.code == "wrong" and coded.own in ratings.labels:
            out[item, criterion] = coded.own
    return out


def as_json_lines(listing: Listing, coding: Coding) -> str:
    """Return every coded disagreement as an object on a line of its own: examples for a prompt.

    What is empty is left out; keys are those of `coded_frame`.
    """
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in _records(coded_frame(listing, coding)))


def as_markdown(listing: Listing, coding: Coding) -> str:
    """Return the coded disagreements as Markdown, a heading to each; texts of the file stand as quoted code."""
    lines = ["# Coded disagreements", ""]
    for record in _records(coded_frame(listing, coding)):
        lines += [f"## {_inline(record.pop('item'))} · {_inline(record.pop('criterion'))}", ""]
        for name, value in record.items():
            lines += _quoted(name, str(value))
        lines.append("")
    return "\n".join(lines)


def _records(frame: pd.DataFrame) -> Iterator[dict[str, object]]:
    for row in frame.to_dict("records"):
        yield {str(name): value for name, value in row.items() if not (pd.isna(value) or value == "")}


def _inline(value: object) -> str:
    text = " ".join(str(value).split()).replace("`", "ˋ")
    return f"`{text}`"


def _quoted(name: str, value: str) -> list[str]:
    if "\n" not in value and len(value) <= 120:
        return [f"- {_inline(name)}: {_inline(value)}"]
    fence = "`" * max(3, *(len(run) + 1 for run in ["``", *_runs(value)]))
    return [f"- {_inline(name)}:", "", f"{fence}text", value, fence, ""]


def _runs(value: str) -> list[str]:
    """Return runs of backquotes in a text: its fence is longer than each."""
    return [run for run in "".join(letter if letter == "`" else " " for letter in value).split() if run]
