"""What became of a file: what it is, which rows count, who rated what, what the labels mean, and who said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.checks import takes_ratings
from metrics.data.filtering import conditions_words
from metrics.data.labels import AFTER_CLASSES, EMPTY_CELL
from metrics.data.ratings import Ratings, Shape
from metrics.data.vocabulary import Kind, meaning, normalise
from metrics.readers.names import exact
from metrics.readers.read_lines import command_line, completed, files_of, python_line
from metrics.results.report import VERSION, Json, Report

By = Literal["file", "vocabulary", "user"]
"""Who settled a question: the names and words of the file, the list of known words, or somebody who was asked."""
EXAMPLES = 3
"""Rows that stand for all that were left out for one reason."""


@dataclass(frozen=True)
class Example:
    """A row that was left out: its number in the file, and the item it names; empty where it names none."""

    row: int
    item: str


@dataclass(frozen=True)
class Reason:
    """Why rows were left out, how many, and the first of them."""

    reason: str
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class RaterCount:
    """Ratings of one rater, and how many of them are abstentions and failed calls."""

    rater: str
    role: str | None
    ratings: int
    abstentions: int
    errors: int


@dataclass(frozen=True)
class ItemCount:
    """Items that people rated, that judges rated, and that both did."""

    human: int
    judge: int
    both: int


@dataclass(frozen=True)
class LabelCount:
    """What a label is taken to mean, and how often people and others gave it."""

    label: str
    kind: Kind
    human: int
    judge: int


@dataclass(frozen=True)
class Answer:
    """A question about the file, what the answer is, and who gave it."""

    question: str
    answer: str
    by: By


@dataclass(frozen=True)
class ImportReport(Report):
    """What became of a file.

    Attributes
    ----------
    file, sha256 : str
    what : str
        The export of a tool, or the shape of a table, in words that follow "is".
    read, used : int
        Rows.
    left_out : tuple of Reason
    raters : tuple of RaterCount
    items : ItemCount, or None
        None for a table of counts, which has no items.
    labels : tuple of LabelCount
    assumptions : tuple of str
        What was assumed while reading, one sentence each.
    answers : tuple of Answer
    command, python : str
        How to read the file the same way; of a table in memory the command is empty.
    """

    TEXT: ClassVar[str] = "readers.import_text"
    OF: ClassVar[str] = "an import"

    file: str
    sha256: str
    what: str
    shape: Shape
    read: int
    used: int
    left_out: tuple[Reason, ...]
    raters: tuple[RaterCount, ...]
    items: ItemCount | None
    labels: tuple[LabelCount, ...]
    assumptions: tuple[str, ...]
    answers: tuple[Answer, ...]
    command: str
    python: str

    def to_dict(self) -> Json:
        """Return the JSON object of the command line."""
        left_out = [asdict(one) | {"examples": [vars(example) for example in one.examples]} for one in self.left_out]
        return {
            "version": VERSION,
            "file": self.file,
            "sha256": self.sha256,
            "what": self.what,
            "shape": self.shape,
            "rows": {"read": self.read, "used": self.used, "left_out": left_out},
            "raters": [vars(rater) for rater in self.raters],
            "items": None if self.items is None else vars(self.items),
            "labels": [vars(label) for label in self.labels],
            "assumptions": list(self.assumptions),
            "answers": [vars(answer) for answer in self.answers],
            "again": {"command": self.command, "python": self.python},
        }


@takes_ratings
def import_report(ratings: Ratings, files: Sequence[str] = ()) -> ImportReport:
    """Return what became of the file that ratings were read from.

    Parameters
    ----------
    ratings : Ratings
    files : sequence of str, optional
        Where the file lies, and those that were read with it, for the lines that read it again; default its name.
    """
    source = ratings.source
    files = files or (() if source.first_row == 0 else files_of(source))
    how = completed(ratings)
    return ImportReport(
        source.name,
        source.sha256,
        _what(ratings),
        source.shape,
        source.rows,
        ratings.rows_used,
        tuple(_reasons(ratings)),
        tuple(_raters(ratings)),
        _items(ratings),
        tuple(_labels(ratings)),
        source.notes,
        tuple(_answers(ratings)),
        command_line(files, how) if files else "",
        python_line(files, how),
    )


SHAPES: dict[Shape, str] = {
    "pairs": "a table of pairs, a human's and a judge's verdict on one item in each row",
    "raters": "a long table, one rating in each row",
    "wide": "a wide table, one item in each row and a column for each rater",
    "counts": "a table of counts",
}


def _what(ratings: Ratings) -> str:
    source = ratings.source
    return source.format or (f"a tally of {SHAPES[source.shape]}" if source.tallied else SHAPES[source.shape])


def _reasons(ratings: Ratings) -> Iterator[Reason]:
    left, table, column = ratings.left_out, ratings.table, dict(ratings.columns).get("item")
    named = table is not None and column in table.column_names and not ratings.source.tallied
    numbers = ratings.record_numbers(np.arange(table.num_rows)) if table is not None and named else np.empty(0, np.int64)
    counts = left.counts()
    for place, reason in enumerate(left.names):
        if reason not in counts:
            continue
        rows = left.rows[left.reasons == place][:EXAMPLES] if left.times is None else left.rows[:0]
        examples = []
        for row in rows.tolist():
            at = int(np.searchsorted(numbers, row))
            there = table is not None and at < len(numbers) and numbers[at] == row
            examples.append(Example(row, str(table[column][at].as_py()) if table is not None and there else ""))
        yield Reason(reason, counts[reason], tuple(examples))


def _raters(ratings: Ratings) -> Iterator[RaterCount]:
    weight, scheme = ratings.weight[ratings.item], ratings.scheme

    def number(of: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(ratings.rater[of], weights=weight[of], minlength=len(ratings.raters)).astype(np.int64)

    everything = number(np.ones(len(weight), bool))
    silent, failed = (number(ratings.state == scheme.state(kind)) for kind in ("abstention", "error"))
    for place, rater in enumerate(ratings.raters):
        yield RaterCount(rater.name, rater.role, int(everything[place]), int(silent[place]), int(failed[place]))


def _items(ratings: Ratings) -> ItemCount | None:
    if not ratings.has_items:
        return None
    human, judge = np.zeros((2, ratings.n_unique), bool)
    human[ratings.item[ratings.by_role("human")]] = True
    judge[ratings.item[ratings.by_role("judge")]] = True
    return ItemCount(*(int(ratings.weight[side].sum()) for side in (human, judge, human & judge)))


def _labels(ratings: Ratings) -> Iterator[LabelCount]:
    weight = ratings.weight[ratings.item]
    human = ratings.by_role("human")
    by_human, by_judge = (
        np.bincount(ratings.label[side], weights=weight[side], minlength=len(ratings.labels)).astype(int)
        for side in (human, ~human)
    )
    rows = [
        LabelCount(label, ratings.scheme.kind_of(label), int(by_human[place]), int(by_judge[place]))
        for place, label in enumerate(ratings.labels)
        if by_human[place] + by_judge[place]
    ]
    yield from sorted(rows, key=lambda row: (row.kind in AFTER_CLASSES, -row.human - row.judge))


def _answers(ratings: Ratings) -> Iterator[Answer]:
    """Yield the questions that every file raises, with who answered them."""
    source, how = ratings.source, ratings.source.how
    said, named = dict(how.columns), exact(source.columns)
    for role, column in ratings.columns_of_file:
        by_file = role not in said and (source.format or column in named.get(role, ()) or column.startswith("#"))
        yield Answer(f"column of {role}", column, "file" if by_file else "user")
    for column in () if ratings.reason_columns is None else ratings.reason_columns.names:
        if column not in said.values():
            yield Answer("column of reasons", column, "file")
    for place, rater in enumerate(ratings.raters):
        if rater.role is not None:
            yield Answer(f"role of {rater.name}", rater.role, "user" if _role_said(ratings, place, said) else "file")
    told = {normalise(label): kind for label, kind in how.labels}
    stated = {normalise(label) for label, _ in source.kinds}
    for row in _labels(ratings):
        known = meaning(row.label)
        sure = known is not None and known.certain and known.kind == row.kind
        by: By = "user" if normalise(row.label) in told else "file" if normalise(row.label) in stated else "vocabulary"
        yield Answer(
            f"label {row.label or EMPTY_CELL}", row.kind, by if by != "vocabulary" or sure or row.label == "" else "user"
        )
    if ratings.scheme.order:
        yield Answer("order", " < ".join(ratings.scheme.order), "user" if how.order else "file")
    if how.where:
        yield Answer("filter", conditions_words(how.where), "user")
    for criterion, scale in ratings.scheme.scales:
        yield Answer(f"scale of {criterion}", scale, "user")


def _role_said(ratings: Ratings, place: int, said: Mapping[str, str]) -> bool:
    """Return whether somebody said the role of a rater, or of one of its sources."""
    stated = [key.removeprefix("role:") for key in said if key.startswith("role:")]
    if not stated:
        return False
    names, column = {ratings.raters[place].name, "*"}, dict(ratings.columns).get("role")
    if column is not None and ratings.table is not None:
        cells = ratings.table[column].take(pa.array(ratings.row[ratings.rater == place])).cast(pa.string())
        names |= {cell.strip() for cell in cells.unique().to_pylist()}
    return any(key in names or any(key.startswith(f"{name}/") for name in names) for key in stated)
