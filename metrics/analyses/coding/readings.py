"""What codes of disagreements say, in tables and sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import decision_frame
from metrics.analyses.coding.codes import ALL, CODES, UNSURE, Code, Coding
from metrics.analyses.coding.compute import OVERALL, Checked, CodingReport, Counted, Recount, key_of
from metrics.analyses.disagreements.listing import Ints, Listing
from metrics.data.pairs import cell_ratings
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa
from metrics.results import words
from metrics.results.tables import ENDS, Cell, Column, Table

FLATTERS = (
    "Only disagreements were looked at, so the corrected number flatters the judge: where people and judge are wrong together, "
    "nothing was corrected."
)
EVERY = "All criteria"
HEAD = (Column("criterion"), Column("disagreements", "count"), Column("coded", "count"))
UNSURE_HEAD = Column(UNSURE["unsure"].lower(), "count")
SHARE = Column("judge wrong, share of coded", "percent", ENDS)


def progress_words(counted: Counted) -> str:
    """Return how many disagreements are coded and with what: "3 of 40 disagreements coded: 2 judge wrong, 1 human wrong".

    Those on which the reader cannot tell stand behind.
    """
    by = ", ".join(f"{words.count(n)} {CODES[code].lower()}" for code, n in counted.codes.items() if n)
    of = words.several(counted.n, "disagreements")
    unsure = f"; cannot tell on {words.count(counted.n_unsure)}" if counted.n_unsure else ""
    return f"{words.count(counted.n_coded)} of {of} coded{f': {by}' if by else ''}{unsure}"


def blind_words(listing: Listing, coding: Coding, cells: NDArray[np.int64]) -> str:
    """Return how many decisions of a list the reader labelled without seeing the others: "3 of 40 decisions labelled blind".

    Those on which the reader cannot tell, and gave no label, stand behind.
    """
    each = [coding.of(key_of(listing, cell)) for cell in cells.tolist()]
    n, n_unsure = sum(bool(one.own) for one in each), sum(one.code == "unsure" and not one.own for one in each)
    unsure = f"; cannot tell on {words.count(n_unsure)}" if n_unsure else ""
    return f"{words.count(n)} of {words.several(len(cells), 'decisions')} labelled blind{unsure}"


def own_reading(coding: Coding, judge: str) -> str:
    """Return whose label the reader gave without seeing either; empty where none was given so.

    Disagreements and agreements apart: of an agreement a label can only be that of both or of neither.
    """
    codes = [coded.code for key, coded in coding.codes.items() if coded.own and coded.code != "unsure" and key[2] == judge]
    differ = [code for code in codes if code not in ("right", "wrong")]
    agree = [code for code in codes if code in ("right", "wrong")]
    parts = []
    if differ:
        sides = [(differ.count("judge"), "that of the people"), (differ.count("human"), "the judge’s")]
        rest = len(differ) - sum(n for n, _ in sides)
        shown = [f"{words.count(n)} {whose}" for n, whose in [*sides, (rest, "neither or coded otherwise since")] if n]
        parts.append(f"Of {words.several(len(differ), 'disagreements')} labelled blind the label is {words.listed(shown)}.")
    if agree:
        same = words.count(agree.count("right"))
        parts.append(f"Of {words.several(len(agree), 'agreements')} labelled blind it is that of both on {same}.")
    return " ".join(parts)


def code_reading(counted: Counted) -> str:
    """Return which code is the commonest, with its share; no claim where its interval does not leave half of them."""
    if not counted.n_coded:
        return "No disagreement is coded yet."
    most: Code = max(counted.codes, key=lambda code: counted.codes[code])
    alike = [CODES[code].lower() for code, n in counted.codes.items() if n == counted.codes[most]]
    if len(alike) > 1:
        return f"No code is the commonest: {words.listed(alike)}, {words.count(counted.codes[most])} each."
    share = counted.share(most)
    of = f"{words.count(counted.codes[most])} of {words.count(counted.n_coded)} coded"
    if counted.n_coded == counted.n or share.ends is None:
        return f"{CODES[most]}: {of} ({words.percent(share.value)})."
    rest = words.several(counted.n - counted.n_coded, "disagreements")
    sure = "" if share.ends[0] > 0.5 else " No code is shown to be that of most disagreements."
    return f"{CODES[most]}: {of}, {words.estimate(share, '%')} if the {rest} without a code are like these.{sure}"


def recount_reading(recount: Recount) -> str:
    """Return one number as labelled and with people's errors corrected, and why the second flatters."""
    symbol = BY_KEY[recount.metric].symbol
    labels = "label" if recount.n_corrected == 1 else "labels"
    return (
        f"{symbol} is {words.estimate(recount.as_labelled)} as labelled and {words.estimate(recount.corrected)} with "
        f"{words.count(recount.n_corrected)} {labels} of people corrected. {FLATTERS}"
    )


def checked_reading(checked: Checked) -> str:
    """Return what a random part of the agreements adds: agreement with people's errors corrected on both sides of the table."""
    name, n = words.shorten(checked.criterion), words.several(checked.n_agreements, "agreements")
    found = f"{words.count(checked.n_coded)} of {n} on {name} coded: {words.count(checked.n_wrong)} wrong on both sides."
    if not checked.estimate.defined:
        return f"{found} {BY_KEY[checked.metric].symbol} with people’s errors corrected is not estimated: {checked.estimate.why}."
    return (
        f"{found} With people’s errors corrected {BY_KEY[checked.metric].symbol} is estimated at "
        f"{words.estimate(checked.estimate)}, unbiased where the coded decisions are a random part of their kind."
    )


def criterion_reading(report: CodingReport, criterion: str) -> str:
    """Return what the codes of one criterion say."""
    counted = report.criteria[criterion]
    parts = [f"{progress_words(counted)}."]
    if counted.n_coded > 1:
        parts.append(code_reading(counted))
    if criterion in report.recounts:
        parts.append(recount_reading(report.recounts[criterion]))
    if criterion in report.checked:
        parts.append(checked_reading(report.checked[criterion]))
    return " ".join(parts)


def report_reading(report: CodingReport) -> str:
    """Return what the codes of a judge's disagreements say."""
    parts = [code_reading(report.overall)]
    if OVERALL in report.recounts:
        parts.append(recount_reading(report.recounts[OVERALL]))
    known = [checked for checked in report.checked.values() if checked.estimate.defined]
    parts += map(checked_reading, known)
    if len(known) < len(report.checked):
        without = words.several(len(report.checked) - len(known), "criteria")
        parts.append(f"On {without} with a coded agreement too few kinds of decisions are coded for an estimate.")
    return " ".join(parts)


def loaded_words(before: Coding, other: Coding, counts: np.ndarray, sha256: str) -> str:
    """Return what was taken from a file of codes, and how far both people agree.

    Parameters
    ----------
    before, other : Coding
        The codes held so far, and those of the file.
    counts : ndarray of int64, shape (4, 4)
        Decisions that both coded, as `both_coded` gives them.
    sha256 : str
        Digest of the file in view.
    """
    new = sum(bool(coded.code) and not before.of(key).code for key, coded in other.codes.items())
    parts = [f"{words.several(new, 'codes')} taken over; nothing that was coded here is replaced."]
    n = int(counts.sum())
    if n:
        same, kappa = int(np.trace(counts)), float(cohen_kappa(counts))
        agree = "κ is undefined: both give one code only" if np.isnan(kappa) else f"κ {words.number(kappa)}"
        parts.append(f"Of {words.several(n, 'decisions')} that both coded, {words.count(same)} have the same code ({agree}).")
    if other.sha256 and other.sha256 != sha256:
        parts.append(f"They were made on {words.shorten(other.file)}, another file than the one in view.")
    return " ".join(parts)


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
