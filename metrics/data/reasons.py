"""What people and judges write beside their labels: which column of a file holds the reason of which rating, by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

REASONING = ("reason", "explanation", "rationale", "justification", "reasoning", "critique")
"""Names of what is given for a verdict; alone in a table of pairs it is the judge's, as a score is."""
WORDS = (*REASONING, "comment", "comments", "notes", "note", "feedback")
"""All names, the plainest first: of several columns the first counts."""
ROLES = ("reason", "human_reason", "judge_reason")
"""What a column can be stated to be."""
SIDES = {
    "human": ("human", "annotator", "expert", "reviewer", "gold", "person"),
    "judge": ("judge", "llm", "model", "ai", "grader", "evaluator", "verdict"),
}
_LABEL = re.compile(r" (label|verdict|score|rating|answer|value|choice|assessment)$")


@dataclass(frozen=True, eq=False)
class ReasonColumns:
    """Where the reasons of ratings stand.

    Attributes
    ----------
    names : tuple of str
        Columns of the file.
    place : ndarray of int16, shape (n_raters, n_criteria)
        Of each rater on each criterion its place in `names`, -1 where no column holds a reason.
    """

    names: tuple[str, ...]
    place: NDArray[np.int16]

    def texts(
        self, table: pa.Table, rater: NDArray[np.int32], criterion: NDArray[np.int32], row: NDArray[np.int64]
    ) -> list[str | None]:
        """Return the reason of each rating as it stands in the file, trimmed; None where there is none.

        Parameters
        ----------
        table : pa.Table
            The file.
        rater, criterion : ndarray of int32, shape (n,)
        row : ndarray of int64, shape (n,)
        """
        reasons: list[str | None] = [None] * len(row)
        places = self.place[rater, criterion]
        for place, name in enumerate(self.names):
            where = np.flatnonzero(places == place)
            cells = table[name].take(pa.array(row[where])).cast(pa.string()).to_pylist()
            for rating, cell in zip(where.tolist(), cells, strict=True):
                reasons[rating] = (cell or "").strip() or None
        return reasons

    def filled(self, table: pa.Table, rater: NDArray[np.int32], criterion: NDArray[np.int32], row: NDArray[np.int64]) -> set[int]:
        """Return the raters that give a reason anywhere; parameters as in `texts`."""
        givers: set[int] = set()
        places = self.place[rater, criterion]
        for place, name in enumerate(self.names):
            given = cells_where(table[name], _filled)
            givers |= set(np.unique(rater[(places == place) & given[row]]).tolist())
        return givers


def cells_where(column: pa.ChunkedArray, test: Callable[[pa.Array], pa.Array]) -> NDArray[np.bool_]:
    """Return which cells of a column of texts pass a test; no text is copied, and one that is often there is tested once.

    Parameters
    ----------
    column : pa.ChunkedArray
    test : callable
        Of texts; what it knows nothing of does not pass.
    """
    parts = [np.empty(0, bool)]
    for chunk in column.chunks:
        coded = chunk if pa.types.is_dictionary(chunk.type) else None
        passed = test(chunk if coded is None else coded.dictionary)
        mask = np.asarray(pc.fill_null(passed, False)).astype(bool)
        parts.append(mask if coded is None else np.append(mask, False)[np.asarray(pc.fill_null(coded.indices, len(mask)))])
    return np.concatenate(parts)


def _filled(texts: pa.Array) -> pa.Array:
    """Return which texts hold more than blanks."""
    return pc.match_substring_regex(texts, r"\S")


@dataclass(frozen=True)
class Naming:
    """The names that a file gives its columns.

    Attributes
    ----------
    shape : str
        Of the file, as `metrics.Ratings` has it.
    roles : mapping of role to column
        What the columns hold, as far as that is known.
    columns : tuple of str
        All of the file.
    """

    shape: str
    roles: Mapping[str, str]
    columns: tuple[str, ...]

    @cached_property
    def free(self) -> dict[str, str]:
        """Column by its folded name, of those without a role; the first of several."""
        taken = set(self.roles.values())
        return {folded(name): name for name in reversed(self.columns) if name not in taken}

    @cached_property
    def labels(self) -> dict[tuple[str, str, str], str]:
        """Column of labels by role, rater and criterion (empty where it is of all), in a wide table."""
        columns = {}
        for key, column in self.roles.items():
            head, mark, tail = key.partition(":")
            if mark and head in ("human", "judge", "rater"):
                rater, _, criterion = tail.partition("::")
                columns[head, rater.strip(), criterion.strip()] = column
        return columns

    def label(self, rater: str, role: str | None, criterion: str) -> str:
        """Return the column of a rater's labels on a criterion; empty where there is none.

        Parameters
        ----------
        rater : str
        role : "human", "judge" or None
        criterion : str
        """
        if self.shape == "wide":
            keys = ((role or "rater", rater, on) for on in (criterion, ""))
            return next((self.labels[key] for key in keys if key in self.labels), "")
        by_role = {"human": "human", "judge": "verdict"} if self.shape == "pairs" else {}
        return self.roles.get(by_role.get(role or "", "label"), "")

    def of(self, rater: str, role: str | None, criterion: str) -> str | None:
        """Return the column of a rater's reasons on a criterion; None where there is none.

        Parameters
        ----------
        rater : str
        role : "human", "judge" or None
        criterion : str
        """
        stated = [f"{role}_reason"] + (["reason"] if self.shape == "raters" or role == "judge" else [])
        known = next((self.roles[key] for key in stated if key in self.roles), None)
        if known is not None:
            return known
        heads = self._heads(rater, role, criterion)
        names = (name for head in heads for word in WORDS for name in (f"{head} {word}", f"{word} {head}"))
        return next((self.free[name] for name in (*names, *self._bare(role)) if name in self.free), None)

    def _heads(self, rater: str, role: str | None, criterion: str) -> Iterator[str]:
        """Yield what the name of a column of reasons may begin with."""
        label = self.label(rater, role, criterion)
        if label:
            yield folded(label)
            yield _LABEL.sub("", folded(label))
        if self.shape == "wide":
            yield folded(rater)
        if self.shape != "wide" or len({(head, name) for head, name, _ in self.labels if head == role}) == 1:
            yield from SIDES.get(role or "", ())

    def _bare(self, role: str | None) -> Sequence[str]:
        if self.shape == "raters":
            return WORDS
        return REASONING if self.shape == "pairs" and role == "judge" else ()


def folded(name: str) -> str:
    """Return a name in a form in which case, and what stands between its words, do not matter."""
    return re.sub(r"[\s._-]+", " ", name.strip().casefold()).strip()


def reason_columns(naming: Naming, raters: Sequence[tuple[str, str | None]], criteria: Sequence[str]) -> ReasonColumns | None:
    """Return where the reasons of raters stand; None where the file has no column of them.

    Parameters
    ----------
    naming : Naming
    raters : sequence of (name, role)
    criteria : sequence of str
    """
    if naming.shape == "counts" or not (set(ROLES) & set(naming.roles) or any(names_reasons(name) for name in naming.free)):
        return None
    names: list[str] = []
    place = np.full((len(raters), len(criteria)), -1, np.int16)
    known: dict[tuple[str | None, ...], str | None] = {}
    for i, (rater, role) in enumerate(raters):
        for j, criterion in enumerate(criteria):
            key = (role, rater, criterion) if naming.shape == "wide" else (role,)
            if key not in known:
                known[key] = naming.of(rater, role, criterion)
            if (column := known[key]) is not None:
                if column not in names:
                    names.append(column)
                place[i, j] = names.index(column)
    return ReasonColumns(tuple(names), place) if names else None


def names_reasons(column: str) -> bool:
    """Return whether a column is called by one of the words for reasons, alone or beside the name of another one."""
    names = folded(column).split()
    return bool(names) and (names[0] in WORDS or names[-1] in WORDS)
