"""Table and confirmed proposal -> Ratings, with an account of every row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.labels import Scheme
from metrics.data.part import ELSEWHERE
from metrics.data.ratings import Rater, Ratings, Role, Runs, Source
from metrics.data.vocabulary import is_number
from metrics.readers.excluded_rows import BLANK, NO_CRITERION, NO_ITEM, REPEATED, REPEATED_EARLIER, Account, blank_rows
from metrics.readers.label_codes import Ints, Labels
from metrics.readers.labelling import check_classes
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import OVERALL
from metrics.readers.proposal import Proposal
from metrics.readers.repeats import Cells, compact, counting_rows, is_unique, key_of
from metrics.readers.table import Merged, TextTable

ROLES: tuple[Role | None, ...] = ("human", "judge", None)
MOST_COMPARED, FEWEST_COMPARED = 1000, 10
"""Criteria up to which labels of both sides are compared, and ratings of either side from which they share one by chance."""


@dataclass(frozen=True)
class Part:
    """Ratings of one column: codes by rating, label -1 where there is none."""

    item: Ints
    criterion: Ints
    rater: Ints
    label: Ints
    row: NDArray[np.int64]
    score: NDArray[np.float64] | None = None

    def of(self, shift: int) -> Part:
        """Return the same ratings with their raters behind `shift` others."""
        return replace(self, rater=self.rater + np.int32(shift))

    def where(self, kept: NDArray[np.bool_]) -> Part:
        """Return some of the ratings.

        Parameters
        ----------
        kept : ndarray of bool, shape (n,)
            One entry per rating.
        """
        if kept.all():
            return self
        score = None if self.score is None else self.score[kept]
        return Part(self.item[kept], self.criterion[kept], self.rater[kept], self.label[kept], self.row[kept], score)


@dataclass(frozen=True)
class Repeated:
    """Ratings that differ in nothing but the run, with codes of it; codes otherwise as in a part."""

    part: Part
    run: Ints
    names: tuple[str, ...]


def part_of(
    item: Ints, criterion: Ints, rater: Ints, label: Ints, score: NDArray[np.float64] | None, rows: NDArray[np.int64]
) -> Part:
    """Return the ratings of some rows of a column, those with a label.

    Parameters
    ----------
    item, criterion, rater, label : ndarray of int32, shape (n_rows,)
        Codes; a label is -1 where there is none.
    score : ndarray of float64, shape (n_rows,), or None
    rows : ndarray of int64, shape (n,)
    """
    everything = len(rows) == len(item)
    kept = (label if everything else label[rows]) >= 0
    if everything and kept.all():
        return Part(item, criterion, rater, label, rows, score)
    rows = rows[kept]
    return Part(item[rows], criterion[rows], rater[rows], label[rows], rows, None if score is None else score[rows])


def criteria_of_rows(table: TextTable, proposal: Proposal, account: Account) -> tuple[Ints, tuple[str, ...]]:
    """Return the criterion of each row, and what criteria there are; `overall` where no column names them.

    Parameters
    ----------
    table : TextTable
    proposal : Proposal
    account : Account
        Takes the rows without a criterion, and those on one that was not asked for.
    """
    column = proposal.column("criterion")
    if column is None:
        return np.zeros(table.n_rows, dtype=np.int32), (OVERALL,)
    coded = table.coded(column)
    account.leave(coded.codes < 0, NO_CRITERION)
    if proposal.left:
        account.leave(np.array([*(name in proposal.left for name in coded.names), False])[coded.codes], ELSEWHERE)
    return coded.codes, coded.names


def leave_repeats(
    account: Account,
    table: TextTable,
    proposal: Proposal,
    coded: tuple[tuple[Ints, ...], tuple[int, ...]],
    cells: Sequence[Cells],
    notes: list[str],
    filled: Ints | None = None,
) -> bool:
    """Leave out all rows of a key but the one that counts, of rows that are filled in the same cells; return whether no key
    repeated.

    Parameters
    ----------
    account : Account
        Takes the rows that are left out.
    table : TextTable
    proposal : Proposal
    coded : (tuple of ndarray of int32, shape (n_rows,), tuple of int)
        Codes that make the key, and how many there are of each.
    cells : sequence of Cells
        What the rows of the whole table say.
    notes : list of str
        Takes a sentence where rows contradict each other.
    filled : ndarray of int32, shape (n_rows,), optional
        Which cells of a row are filled.

    Raises
    ------
    InputError
        In a tally, where no row is later than another; else as `counting_rows`.
    """
    codes, sizes = coded
    everything = bool(account.kept.all())
    rows = np.flatnonzero(account.kept)
    key, size = key_of(codes if everything else tuple(code[rows] for code in codes), sizes)
    if is_unique(key, size):
        return True
    if filled is not None:
        ways = int(filled.max()) + 1
        key, size = compact(key * np.int64(ways) + filled[rows], size * ways)
        if is_unique(key, size):
            return False
    _refuse_repeats_of_kinds(table)
    of_both = proposal.shape in ("pairs", "wide") and not {"judge", "rater", "run"} & set(dict(proposal.columns))
    how = proposal.column("timestamp"), proposal.how.repeats
    chosen = counting_rows(table, *how, (key, size), rows, cells, of_both=of_both and table.join is None)
    repeated = np.zeros(table.n_rows, dtype=bool)
    repeated[rows] = chosen.place != np.arange(len(rows))
    account.leave(repeated, REPEATED_EARLIER if proposal.how.repeats == "first" else REPEATED)
    notes += filter(None, [chosen.note])
    return False


def _refuse_repeats_of_kinds(table: TextTable) -> None:
    """Refuse repeats in a tally: no row is later than another.

    A count finds what repeats, but only under its own columns and labels.
    """
    if table.merged is not None:
        refuse(
            f"Under these columns and labels, rows of {brief(table.name)} give the same item, criterion and rater again, and in "
            "a tally none of them is the later one. Count its source again with these columns, or leave them as they were."
        )


def row_names(numbers: NDArray[np.int64]) -> pa.StringArray:
    """Return "row 7" and so on.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Record numbers.
    """
    return pc.binary_join_element_wise("row", pa.array(numbers).cast(pa.string()), " ")


def item_codes(table: TextTable, column: str | None, account: Account) -> tuple[Ints, pa.StringArray]:
    """Return codes of the items, byte for byte; each row its own item where no column names them.

    Parameters
    ----------
    table : Table
    column : str or None
        Names the items.
    account : Account
        Takes the rows without an id: those that are blank, and the others.

    Returns
    -------
    codes : ndarray of int32, shape (n_rows,)
    names : pa.StringArray
        Name of the item of each code.
    """
    if column is None:
        return np.arange(table.n_rows, dtype=np.int32), row_names(table.record_numbers)
    codes, values = table.raw(column)
    empty = [place for place, value in _short(values) if not value.strip()]
    if empty:
        nameless = np.isin(codes, empty)
        account.leave(blank_rows(table, nameless), BLANK)
        account.leave(nameless, NO_ITEM)
    return codes, values


def _short(values: pa.StringArray) -> list[tuple[int, str]]:
    """Return values that trimming may empty; looking at the short and the blank ones is enough."""
    hits = pc.equal(pc.utf8_trim_whitespace(values), "")
    return [(int(place), values[int(place)].as_py()) for place in np.flatnonzero(np.asarray(hits))]


@dataclass
class Draft:
    """Parts of the ratings before they are put together."""

    items: pa.StringArray
    criteria: tuple[str, ...]
    raters: tuple[Rater, ...]
    parts: list[Part]
    account: Account
    notes: list[str]
    repeated: Repeated | None = None
    """Ratings of decisions that have several runs; those of them that are the verdicts are in the parts too."""


def assemble(table: TextTable, proposal: Proposal, labels: Labels, draft: Draft) -> Ratings:
    """Return ratings of a draft, with the items and raters that have any.

    Parameters
    ----------
    table : Table
    proposal : Proposal
    labels : Labels
    draft : Draft

    Raises
    ------
    InputError
        Where no row can be used, all ratings come from one rater, human and judge share no item or no label, or the only label
        is a class.
    """
    check_classes(table.name, proposal.scheme)
    parts = [part.where(part.label >= 0) for part in draft.parts]
    item, criterion, rater, label, row = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("item", "criterion", "rater", "label", "row")
    )
    left_out = draft.account.left_out(table)
    if not len(item):
        reasons = "; ".join(f"{count} × {why}" for why, count in left_out.counts().items())
        columns = ", ".join(f"{role}={brief(column, 30)}" for role, column in proposal.columns)
        refuse(f"No row of {brief(table.name)} can be used: {reasons}. Check the columns: {columns}.")
    before = item
    item, items = _only_used(item, draft.items)
    used = np.bincount(rater, minlength=len(draft.raters)) > 0
    to_rater = (np.cumsum(used) - 1).astype(np.int32)
    rater = to_rater[rater]
    raters = tuple(r for r, there in zip(draft.raters, used, strict=True) if there)
    if len(raters) == 1 or not _same_rows(parts):
        _check_overlap(table, item, items, rater, raters)
    roles = np.array([ROLES.index(one.role) for one in raters])[rater]
    _check_words(table, proposal.scheme, draft.criteria, criterion, roles, labels.same[label])
    source = Source(
        table.name,
        table.sha256,
        proposal.shape,
        table.n_read,
        table.columns,
        (*table.notes, *proposal.remarks, *draft.notes),
        table.first_row,
        runs="" if draft.repeated is None else "first",
        rubric=table.rubric,
        how=proposal.how,
        tallied=table.merged is not None,
        join=table.join,
        format=table.format,
        kinds=table.kinds,
    )
    return Ratings(
        source,
        proposal.scheme,
        items,
        draft.criteria,
        raters,
        labels.names,
        item,
        criterion,
        rater,
        label,
        row,
        score=_scores(parts),
        multiplicity=None if table.merged is None else _items_of_kinds(table.merged, item, row),
        left_out=left_out,
        rows_used=source.rows - left_out.n,
        table=table.data,
        columns=proposal.columns,
        numbers=table.numbers,
        runs=None if draft.repeated is None else _runs(draft.repeated, before, item, to_rater),
    )


def _items_of_kinds(merged: Merged, item: Ints, row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return items of each kind, which all its rows give alike."""
    counts = np.zeros(int(item.max()) + 1, np.int64)
    counts[item] = merged.times[row]
    return counts


def _runs(repeated: Repeated, before: Ints, item: Ints, to_rater: Ints) -> Runs:
    """Return repeated ratings under the codes of the finished ratings, which have all their items and raters."""
    part = repeated.part
    to_item = np.zeros(int(before.max()) + 1, np.int32)
    to_item[before] = item
    return Runs(repeated.names, to_item[part.item], part.criterion, to_rater[part.rater], part.label, repeated.run, part.row)


def _only_used(item: Ints, items: pa.StringArray) -> tuple[Ints, pa.StringArray]:
    used = np.zeros(len(items), dtype=bool)
    used[item] = True
    if used.all():
        return item, items
    return (np.cumsum(used) - 1).astype(np.int32)[item], items.filter(pa.array(used))


def _scores(parts: list[Part]) -> NDArray[np.float64] | None:
    if all(part.score is None for part in parts):
        return None
    return np.concatenate([np.full(len(part.item), np.nan) if part.score is None else part.score for part in parts])


def _same_rows(parts: list[Part]) -> bool:
    """Return whether every row gives both a human's label and a verdict: its item is then shared."""
    return len(parts) == 2 and parts[0].item is parts[1].item


def _check_overlap(table: TextTable, item: Ints, items: pa.StringArray, rater: Ints, raters: tuple[Rater, ...]) -> None:
    if len(raters) == 1:
        only = brief(raters[0].name)
        refuse(
            f"Every row of {brief(table.name)} comes from ‘{only}’. Agreement needs a human and a judge on the same items."
            + worded(
                " If another file holds the others, join it with --with FILE.",
                " If another file holds the others, read both: metrics.read([first, second]).",
                " If another file holds the others, drop in both: they are joined by the item’s id.",
            )
        )
    sides = {}
    for role in ("human", "judge"):
        sides[role] = np.zeros(len(items), dtype=bool)
        sides[role][item[np.array([r.role == role for r in raters])[rater]]] = True
    human, judge = sides["human"], sides["judge"]
    if human.any() and judge.any() and not (human & judge).any():
        first = [brief(items[int(side.argmax())].as_py(), 40) for side in (judge, human)]
        refuse(
            f"The judge's {judge.sum()} items and the human's {human.sum()} items share none in {brief(table.name)}. "
            f"First ids: ‘{first[0]}’ and ‘{first[1]}’. Give both the same ids."
        )


def _check_words(table: TextTable, scheme: Scheme, criteria: Sequence[str], criterion: Ints, role: Ints, state: Ints) -> None:
    """Refuse a criterion of which human and judge share no label, though either gives two or more: they are spelled in two ways.

    Numbers on both sides are of two scales, which is another matter.

    Parameters
    ----------
    table : TextTable
    scheme : Scheme
    criteria : sequence of str
    criterion, role, state : ndarray of int, shape (n,)
        Of each rating; the role by its place in `ROLES`.
    """
    if len(criteria) > MOST_COMPARED:
        return
    kept = state < scheme.n_classes
    places = (criterion[kept].astype(np.int64) * len(ROLES) + role[kept]) * scheme.n_classes + state[kept]
    counts = np.bincount(places, minlength=len(criteria) * len(ROLES) * scheme.n_classes)
    for name, given in zip(criteria, counts.reshape(len(criteria), len(ROLES), scheme.n_classes), strict=True):
        human, judge = given[0] > 0, given[1] > 0
        enough = min(human.sum(), judge.sum()) > 1 and given[:2].sum(1).min() >= FEWEST_COMPARED
        numbers = all(is_number(scheme.classes[at]) for at in np.flatnonzero(human | judge))
        if enough and not numbers and not (human & judge).any():
            words = [listed((f"‘{brief(scheme.classes[at], 20)}’" for at in np.flatnonzero(side)), 5) for side in (human, judge)]
            on = "" if len(criteria) == 1 else f" on ‘{brief(name, 30)}’"
            by = worded(" (--labels)", " (labels=)", "")
            refuse(
                f"{brief(table.name)}: human and judge share no label{on}: the human says {words[0]}, the judge {words[1]}. "
                f"Write both in the same words, or say{by} which count as positive and which as negative."
            )
