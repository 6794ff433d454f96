"""Ratings as a table again: one row per rating in the long form that every reader takes; and every run as an item of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.checks import takes_ratings
from metrics.data.item_columns import encoded_column
from metrics.data.item_texts import free_columns, has_own_prompts
from metrics.data.labels import NUMBER, SCORE_ALONE
from metrics.data.memo import memoised
from metrics.data.part import taken
from metrics.data.ratings import Ratings, written_out
from metrics.readers.formats.canonical import COLUMNS, FAILED, SKIPPED, iso, safe_name
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief, refuse
from metrics.readers.table import unguarded
from metrics.results.safe_csv import safe_csv

STAND_INS = (NUMBER, SCORE_ALONE, FAILED, SKIPPED)
"""Labels that stand for an empty cell of a file."""
STATUS = {"error": "error", "abstention": "abstain"}
"""Kind of a label to what the column `status` says of it; every other one is ok."""
EARLIEST = 1e8
"""Seconds since 1970 from which a plain number is a time; smaller ones count."""
SUFFIXES = (".csv", ".parquet", ".jsonl")
OF_JUDGE = ("prompt", "run", "confidence")
"""What a row of pairs says of the judge's rating alone."""
EXTRA = ("weight", "confidence")
"""Columns with a role that the long form has no place for; they ride along under the name of their role."""


@takes_ratings
def ratings_table(ratings: Ratings) -> pd.DataFrame:
    """Return what was read, one row per rating, whatever the file looked like.

    Labels are those of the file; one that stands for an empty cell is empty, and `status` says what that is. Every run of a
    repeated decision has its row. A time that can be read is UTC to the second, another one as in the file.

    Returns
    -------
    DataFrame
        `item, criterion, rater, role, label, score, timestamp, prompt, run, reason, status`, then the columns of the file that
        carry no role, `file.NAME` where a name means something here. `metrics.read` takes it without questions about columns.

    Raises
    ------
    InputError
        For a table of counts and for a tally, which have no single ratings.
    """
    if not ratings.has_rows or ratings.table is None:
        what = "a tally: items that are alike were merged" if ratings.source.tallied else "a table of counts"
        refuse(f"{brief(ratings.source.name)} is {what}, so it holds no single ratings to write. Take the file with the rows.")
    every = with_every_run(ratings)
    return pd.DataFrame({**_cells(every, ratings.table), **_riders(every, ratings.table)})


def write_ratings(ratings: Ratings, path: str) -> int:
    """Write what was read to a file by its suffix: .csv, .parquet or .jsonl; return the number of ratings.

    Raises
    ------
    InputError
        As `write_rows`, and where there is nothing to write.
    """
    return write_rows(ratings_table(ratings), path)


def write_rows(frame: pd.DataFrame, path: str) -> int:
    """Write a table to a file by its suffix: .csv, .parquet or .jsonl; return the number of rows.

    Raises
    ------
    InputError
        For another suffix, and where the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        refuse(f"{brief(path)} must end in one of {', '.join(SUFFIXES)}.")
    try:
        if suffix == ".parquet":
            frame.to_parquet(path, index=False)
        else:
            text = safe_csv(frame) if suffix == ".csv" else "".join(_json_lines(frame))
            Path(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        refuse(f"{brief(path)} cannot be written: {error.strerror or error}.")
    return len(frame)


def _json_lines(frame: pd.DataFrame) -> Iterator[str]:
    for record in frame.to_dict("records"):
        line = {name: cell for name, cell in record.items() if name != "score" or not np.isnan(cell)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def with_every_run(ratings: Ratings) -> Ratings:
    """Return the ratings with all runs of those that have several, in the order of the file."""
    runs, score = ratings.runs, ratings.score
    key: list[NDArray[np.int32]] = [ratings.item, ratings.criterion, ratings.rater]
    label, row = ratings.label, ratings.row
    if runs is not None:
        several = [runs.item, runs.criterion, runs.rater]
        sizes = ratings.n_unique, len(ratings.criteria), len(ratings.raters)
        alone = ~np.isin(np.ravel_multi_index(tuple(key), sizes), np.ravel_multi_index(tuple(several), sizes))
        key = [np.concatenate([codes[alone], other]) for codes, other in zip(key, several, strict=True)]
        label, row = np.concatenate([label[alone], runs.label]), np.concatenate([row[alone], runs.row])
        score = None if score is None else np.concatenate([score[alone], _scores(ratings, runs.rater, runs.row)])
    item, criterion, rater = key
    order = np.lexsort((rater, criterion, row))
    return replace(
        ratings, item=item[order], criterion=criterion[order], rater=rater[order], label=label[order], row=row[order],
        score=None if score is None else score[order], runs=None, memo={},
    )  # fmt: skip


def _scores(ratings: Ratings, rater: NDArray[np.int32], row: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the numbers of rows that are no verdicts, from the column of scores, else from that of labels."""
    numbers = np.full(len(row), np.nan)
    for code, who in enumerate(ratings.raters):
        where = np.flatnonzero(rater == code)
        role = "human_score" if ratings.source.shape == "pairs" and who.role == "human" else "score"
        column = dict(ratings.columns).get(role) or ratings.naming.label(who.name, who.role, "")
        if len(where) and ratings.table is not None:
            numbers[where] = numbers_of(_texts(ratings.table, column, row[where]))
    return numbers


def _texts(table: pa.Table, column: str | None, row: NDArray[np.int64]) -> list[str]:
    """Return the cells of a column, trimmed; empty ones without a column."""
    if column is None or column not in table.column_names:
        return [""] * len(row)
    cells = table[column].take(pa.array(row)).cast(pa.string()).to_pylist()
    return [(cell or "").strip() for cell in cells]


def _cells(every: Ratings, table: pa.Table) -> dict[str, object]:
    roles, raters = dict(every.columns), every.raters
    judged = np.array([rater.role == "judge" for rater in raters])[every.rater]
    by_judge = judged if every.source.shape == "pairs" else np.ones(len(judged), bool)
    of_judge = set(OF_JUDGE) - ({"prompt"} if has_own_prompts(every) else set())

    def said(role: str) -> list[str]:
        texts = _texts(table, roles.get(role), every.row)
        return [text if role not in of_judge or mine else "" for text, mine in zip(texts, by_judge, strict=True)]

    labels, status = _labels(every, table)
    cells: dict[str, object] = {
        "item": every.items.take(pa.array(every.item)).to_pylist(),
        "criterion": np.array(every.criteria, object)[every.criterion],
        "rater": np.array([rater.name for rater in raters], object)[every.rater],
        "role": np.array([rater.role or "" for rater in raters], object)[every.rater],
        "label": labels,
        "score": np.full(len(every.row), np.nan) if every.score is None else every.score,
        "timestamp": [moment(text) for text in said("timestamp")],
        "prompt": said("prompt"),
        "run": said("run"),
        "reason": _plain([reason or "" for reason in every.reasons(np.arange(len(every.row)))]),
        "status": status,
    }
    assert tuple(cells) == COLUMNS
    # Criteria of single items are written as the file has them, and so read as such again.
    of_file = dict(every.source.columns_of_file)
    cells |= {role: _texts(table, of_file[role], every.row) for role in ("item", "criterion") if of_file}
    return cells | {role: said(role) for role in EXTRA if role in roles}


def _labels(every: Ratings, table: pa.Table) -> tuple[list[str], NDArray[np.object_]]:
    """Return the label of each rating as the file spells it, and its status."""
    of_label = [STATUS.get(every.scheme.kind_of(label), "ok") for label in every.labels]
    plain = ["" if label in STAND_INS else label for label in every.labels]
    labels = np.array(plain, object)[every.label]
    if every.scheme.scale == "nominal" or every.score is not None:
        labels = _as_spelled(every, table, labels)
    return labels.tolist(), np.array(of_label, object)[every.label]


def _as_spelled(every: Ratings, table: pa.Table, labels: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return labels as the file spells them, where ratings hold one word for several, or a label for a number alone."""
    spelled, class_of = labels.copy(), every.scheme.class_of
    numbered = np.zeros(len(labels), bool) if every.score is None else ~np.isnan(every.score)
    pairs, of = np.unique(every.rater.astype(np.int64) * len(every.criteria) + every.criterion, return_inverse=True)
    raters = [every.raters[pair // len(every.criteria)] for pair in pairs]
    criteria = [every.criteria[pair % len(every.criteria)] for pair in pairs]
    names = [every.naming.label(who.name, who.role, on) for who, on in zip(raters, criteria, strict=True)]
    for name in dict.fromkeys(names):
        where = np.flatnonzero(np.array([other == name for other in names])[of])
        for place, text in zip(where, _texts(table, name, every.row[where]), strict=True):
            if text and class_of(text) == class_of(labels[place]):
                spelled[place] = text
            elif not text and numbered[place]:
                spelled[place] = ""
    return spelled


def moment(text: str) -> str:
    """Return a time as UTC to the second; a text that is none, and a number that only counts, as it is."""
    if text.replace(".", "", 1).isdigit() and float(text) < EARLIEST:
        return text
    return iso(text) or text


def _riders(every: Ratings, table: pa.Table) -> dict[str, object]:
    """Return the columns of the file that carry no role, under names that mean nothing here."""
    names: dict[str, str] = {}
    of_file = set(dict(every.source.columns_of_file).values())
    made = of_file | {every.source.together} if of_file else of_file
    for name in free_columns(every):
        if (name == "status" and every.source.format) or name in made:
            continue
        new = safe_name(name)
        while new in names.values():
            new += "_"
        names[name] = new
    rows = written_out(table.select(list(names)).take(pa.array(every.row)))
    return {names[name]: _plain(rows[name].to_pylist()) for name in names}


def _plain(texts: list[str]) -> list[str]:
    """Return texts without the apostrophe that a spreadsheet's export put before them; `safe_csv` puts it there again."""
    plain: list[str] = unguarded(pa.array(texts, pa.string())).to_pylist()
    return plain


@dataclass(frozen=True, eq=False)
class RunsApart:
    """Ratings with an item for every item and run.

    Attributes
    ----------
    ratings : Ratings
    item : ndarray of int64, shape (n_unique,)
        Of each of their items, the item of the file.
    """

    ratings: Ratings
    item: NDArray[np.int64]


def run_column(ratings: Ratings) -> str | None:
    """Return the column that tells repeated runs apart; None where nobody was asked twice."""
    return None if ratings.runs is None else dict(ratings.columns).get("run")


def runs_apart(ratings: Ratings) -> RunsApart:
    """Return every run of every decision, each beside the human labels of the decision.

    A human who was asked in several runs too is held against the judges of the same run.

    Parameters
    ----------
    ratings : Ratings
        With repeated runs.
    """
    return memoised(ratings, ("runs apart",), lambda: _runs_apart(ratings))


def _runs_apart(ratings: Ratings) -> RunsApart:
    runs, column = ratings.runs, run_column(ratings)
    assert runs is not None
    assert column is not None
    every = with_every_run(ratings)
    codes, values = encoded_column(ratings, column)
    own, n_runs = codes[every.row], len(values)
    repeated = np.zeros(len(ratings.raters), bool)
    repeated[runs.rater] = True
    human = np.array([rater.role == "human" for rater in ratings.raters], bool)
    in_run = (repeated | ~human)[every.rater]
    decision = every.item.astype(np.int64) * len(ratings.criteria) + every.criterion
    there, first = np.unique(decision[in_run] * n_runs + own[in_run], return_index=True)
    asked, others = np.flatnonzero(in_run), np.flatnonzero(~in_run)
    low, high = (np.searchsorted(there, decision[others] * n_runs + end) for end in (0, n_runs))
    n = high - low
    place = np.concatenate([asked, np.repeat(others, n)])
    # The runs that a human label stands beside are a range of those that are there, one range behind the other.
    beside = np.arange(n.sum()) + np.repeat(low - (np.cumsum(n) - n), n)
    run = np.concatenate([own[asked], there[beside] % n_runs])
    row = np.concatenate([every.row[asked], every.row[asked[first[beside]]]])
    pair, item = np.unique(every.item[place].astype(np.int64) * n_runs + run, return_inverse=True)
    of_file = pair // n_runs
    ids, named = ratings.items.take(pa.array(of_file)), pa.array(values, pa.string()).take(pa.array(pair % n_runs))
    names = pc.binary_join_element_wise(ids.cast(pa.string()), named, " · ")
    times = None if ratings.multiplicity is None else ratings.multiplicity[of_file]
    apart = taken(every, place, items=names, item=item.astype(np.int32), row=row, multiplicity=times, memo={})
    return RunsApart(apart, of_file)
