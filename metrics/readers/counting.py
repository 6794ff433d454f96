"""Tables of counts: a grid of labels by labels, or one row per pair of labels."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from metrics.data.memo import memoised
from metrics.data.ratings import LeftOut, Rater, Ratings, Role, Source
from metrics.data.vocabulary import Kind, is_number, meaning, normalise
from metrics.readers.label_kinds import Use, Verdicts
from metrics.readers.labelling import Steps, check_classes, check_kinds, interpret
from metrics.readers.limits import EXACT
from metrics.readers.messages import brief, refuse
from metrics.readers.names import COUNT, HUMAN, JUDGE, OVERALL, TOTALS, fold_name, spaced
from metrics.readers.proposal import LabelRow, Proposal
from metrics.readers.repeats import compact, is_unique
from metrics.readers.table import TextTable
from metrics.results.words import count

MOST_COUNTED = 200
"""Labels of one side of a table of counts."""
TOTAL_ROW = "row of totals"
_PREFIX = re.compile(r"^(human|judge|reference)s?\s*[:=]\s*", re.IGNORECASE)
_AXES = re.compile(r"(?:(?<!\s)\s+)?(?:\\|/|\||×|\bvs\.?\b|\bby\b)\s*")


@dataclass(frozen=True)
class Grid:
    """Counts with the human in rows; `rows` are the indices of the data rows they came from."""

    human: tuple[str, ...]
    judge: tuple[str, ...]
    counts: NDArray[np.int64]
    rows: NDArray[np.int64]
    totals: tuple[int, ...] = ()


def _count(text: str) -> int | None:
    match = re.fullmatch(r"\s*(\d+)(?:\.0*)?\s*", text)
    return int(match[1]) if match and len(match[1]) < 16 else None


def _bare(label: str) -> str:
    return _PREFIX.sub("", label.strip())


def _is_total(label: str) -> bool:
    return normalise(_bare(label)) in TOTALS


def looks_like_grid(table: TextTable) -> bool:
    """Return whether row labels are among column labels, or the other way round, with integers elsewhere, at least 2 × 2."""
    heads = [normalise(_bare(column)) for column in table.columns[1:] if not _is_total(column)]
    if table.n_rows > 60 or len(heads) < 2:
        return False
    sides = [normalise(_bare(cell)) for cell in table.data[table.columns[0]].to_pylist() if cell.strip() and not _is_total(cell)]
    if len(set(sides)) < len(sides) and all(map(is_number, sides)):  # answers under the numbers of columns
        return False
    if len(sides) < 2 or not (set(sides) <= set(heads) or set(heads) <= set(sides)):
        return False
    return all(
        _count(cell) is not None for column in table.columns[1:] for cell in table.data[column].to_pylist() if cell.strip()
    )


def looks_like_counts(table: TextTable) -> tuple[str, str, str] | None:
    """Return (label, label, count) columns of a table of three columns, if that is what it is; numbers of its rows are none."""
    columns = table.columns[_is_numbered(table) :]
    counting = [column for column in columns if fold_name(column) in COUNT]
    if len(columns) != 3 or len(counting) != 1:
        return None
    a, b = [column for column in columns if column != counting[0]]
    (codes, names), (others, other_names) = table.raw(a), table.raw(b)
    key, size = compact(codes.astype(np.int64) * len(other_names) + others, len(names) * len(other_names))
    return (a, b, counting[0]) if is_unique(key, size) else None


def _is_numbered(table: TextTable) -> bool:
    """Return whether the first of four columns, or more, has no name and the numbers of the rows, as pandas writes them."""
    first, corner = table.columns[0], table.corner.strip().lower()
    if len(table.columns) < 4 or not (corner in ("", "index") or first.lower().startswith("unnamed")):
        return False
    return list(table.coded(first).names) == list(map(str, range(table.n_rows)))


def axis_of_rows(table: TextTable) -> tuple[Role | None, bool]:
    """Return whose verdicts the rows of a grid hold, and whether the file says so itself."""
    parts = _AXES.split(table.corner)
    heads = {m[1].lower() for column in table.columns[1:] if (m := _PREFIX.match(column))}
    sides = {m[1].lower() for cell in table.data[table.columns[0]].to_pylist() if (m := _PREFIX.match(cell.strip()))}
    for row_words, other in ((sides, heads), ({spaced(parts[0])}, {spaced(part) for part in parts[1:]})):
        if (row_words & {"human", "reference"} and not other & {"human", "reference"}) or (
            other == {"judge"} and row_words != {"judge"}
        ):
            return "human", True
        if row_words == {"judge"} or other & {"human", "reference"}:
            return "judge", True
    if JUDGE.search(spaced(parts[0])) or (len(parts) > 1 and HUMAN.search(spaced(parts[1]))):
        return "judge", False
    return "human" if HUMAN.search(spaced(parts[0])) else None, False


def read_grid(table: TextTable, columns: Mapping[str, str]) -> Grid:
    """Read the counts of either form, the human in rows.

    Raises
    ------
    InputError
        For a cell that is no count, a label that stands twice, or totals that do not add up.
    """
    square = "rows" in columns
    return memoised(
        table, ("grid", *columns.items()), lambda: _square(table, columns["rows"]) if square else _long(table, columns)
    )


def _cell(table: TextTable, index: int, column: str) -> int:
    text = table.cell(index, column)
    count = _count(text) if text.strip() else 0
    if count is None:
        row = table.number(index)
        refuse(
            f"Row {row}, column ‘{brief(column)}’ of {brief(table.name)} holds ‘{brief(text, 30)}’, which is no count.",
            row=row,
            column=column,
        )
    return count


def _square(table: TextTable, rows_are: str) -> Grid:
    head, *others = table.columns
    _check_sides(table, table.n_rows, len(others))
    labels = [_bare(cell) for cell in table.data[head].to_pylist()]
    heads = [column for column in others if not _is_total(column)]
    kept = [place for place, label in enumerate(labels) if label and not _is_total(label)]
    sides = tuple(labels[place] for place in kept)
    for side in (sides, tuple(map(_bare, heads))):
        _check_distinct(table, side)
    counts = np.array([[_cell(table, place, column) for column in heads] for place in kept], dtype=np.int64)
    _check_totals(table, labels, heads, others, kept, counts)
    dropped = tuple(place for place in range(table.n_rows) if place not in kept)
    rows = np.repeat(np.array(kept), len(heads)).reshape(counts.shape)
    bare = tuple(map(_bare, heads))
    if rows_are == "judge":
        return Grid(bare, sides, counts.T, rows.T, dropped)
    return Grid(sides, bare, counts, rows, dropped)


def _check_sides(table: TextTable, *labels: int) -> None:
    """Refuse too many labels: every one of a side takes a cell for every label of the other."""
    if max(labels) > MOST_COUNTED:
        refuse(
            f"{brief(table.name)} counts {count(max(labels))} labels on one side; {count(MOST_COUNTED)} can be read. "
            "Does it hold one rating in each row?"
        )


def _check_distinct(table: TextTable, labels: Sequence[str]) -> None:
    for place, label in enumerate(labels):
        if label in labels[:place]:
            refuse(f"The label ‘{brief(label)}’ stands twice on one side of the counts in {brief(table.name)}. Add them up.")


def _check_totals(
    table: TextTable,
    labels: Sequence[str],
    heads: Sequence[str],
    others: Sequence[str],
    kept: Sequence[int],
    counts: NDArray[np.int64],
) -> None:
    for column in set(others) - set(heads):
        for place, total in zip(kept, counts.sum(1), strict=True):
            _check_total(table, place, column, int(total))
    for place, label in enumerate(labels):
        if _is_total(label):
            for column, total in zip(heads, counts.sum(0), strict=True):
                _check_total(table, place, column, int(total))


def _check_total(table: TextTable, place: int, column: str, total: int) -> None:
    stated_total = _cell(table, place, column)
    if stated_total != total and table.cell(place, column).strip():
        row = table.number(place)
        refuse(
            f"Row {row}, column ‘{brief(column)}’ of {brief(table.name)} says {stated_total}, but the cells add up to {total}.",
            row=row,
            column=column,
        )


def _long(table: TextTable, columns: Mapping[str, str]) -> Grid:
    human, judge = (table.coded(columns[role]) for role in ("human", "judge"))
    _check_sides(table, len(human.names), len(judge.names))
    counts = np.zeros((len(human.names), len(judge.names)), dtype=np.int64)
    rows = np.full(counts.shape, -1, dtype=np.int64)
    dropped = []
    for index, (a, b) in enumerate(zip(human.codes.tolist(), judge.codes.tolist(), strict=True)):
        if a < 0 or b < 0 or _is_total(human.names[a]) or _is_total(judge.names[b]):
            dropped.append(index)
            continue
        if rows[a, b] >= 0:
            row = table.number(index)
            refuse(
                f"Row {row} of {brief(table.name)} counts ‘{brief(human.names[a], 30)}’ and ‘{brief(judge.names[b], 30)}’ again, "
                f"as row {table.number(int(rows[a, b]))} did. Add them up.",
                row=row,
            )
        counts[a, b], rows[a, b] = _cell(table, index, columns["n"]), index
    keep_a = np.array([not _is_total(name) for name in human.names], dtype=bool)
    keep_b = np.array([not _is_total(name) for name in judge.names], dtype=bool)
    names = [
        tuple(n for n, kept in zip(side.names, keep, strict=True) if kept) for side, keep in ((human, keep_a), (judge, keep_b))
    ]
    return Grid(names[0], names[1], counts[keep_a][:, keep_b], rows[keep_a][:, keep_b], tuple(dropped))


def counts_verdicts(table: TextTable, columns: Mapping[str, str]) -> Verdicts:
    return _verdicts(read_grid(table, columns), table)


def _verdicts(grid: Grid, table: TextTable | None) -> Verdicts:
    names = tuple(dict.fromkeys((*grid.human, *grid.judge)))
    uses = []
    for side, role, totals in ((grid.human, "human", grid.counts.sum(1)), (grid.judge, "judge", grid.counts.sum(0))):
        counts = np.zeros(len(names), dtype=np.int64)
        counts[[names.index(name) for name in side]] = totals
        uses.append(Use(role, "human" if role == "human" else "judge", counts))
    rows = tuple(_row_of(grid, name, table) for name in names)
    return Verdicts(names, rows, tuple(uses), ())


def _row_of(grid: Grid, name: str, table: TextTable | None) -> int | None:
    if table is None:
        return None
    places = grid.rows[grid.human.index(name)] if name in grid.human else grid.rows[:, grid.judge.index(name)]
    there = places[places >= 0]
    return table.number(int(there.min())) if len(there) else None


def with_classes(names: Sequence[str], given: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return the stated meanings, where more than two classes are counted: words the vocabulary does not know are classes."""
    stated = {normalise(label) for label in given}
    classes: list[str] = []
    unknown: list[str] = []
    numbers = {normalise(name) for name in names if is_number(name)}
    for name in names:
        known = meaning(name)
        sure = known is not None and known.certain and (not is_number(name) or numbers <= {"0", "1"})
        if not sure:
            unknown.append(name)
        if not sure or (known is not None and known.kind in ("positive", "negative")):
            classes.append(name)
    if len({normalise(name) for name in classes}) <= 2:
        return dict(given)
    return {**{name: "class" for name in unknown if normalise(name) not in stated}, **given}


def build_counts(table: TextTable, proposal: Proposal) -> Ratings:
    grid = read_grid(table, dict(proposal.columns))
    dropped = np.array([table.number(place) for place in grid.totals] + [n for n, _ in table.skipped], dtype=np.int64)
    names = (TOTAL_ROW, *dict.fromkeys(why for _, why in table.skipped))
    reasons = np.array([0] * len(grid.totals) + [names.index(why) for _, why in table.skipped], dtype=np.int16)
    source = Source(
        table.name,
        table.sha256,
        "counts",
        table.n_rows + len(table.skipped),
        table.columns,
        (*table.notes, *proposal.remarks),
        table.first_row,
        how=proposal.how,
    )
    return _ratings(grid, proposal, source, LeftOut(names, dropped, reasons))


def _ratings(grid: Grid, proposal: Proposal, source: Source, left_out: LeftOut) -> Ratings:
    """Return one pseudo-item per cell that counts anything, labelled by one human and one judge."""
    a, b = np.nonzero(grid.counts)
    if not len(a):
        refuse(f"The counts in {brief(source.name)} add up to 0.")
    if grid.counts.astype(float).sum() > EXACT:
        refuse(f"The counts in {brief(source.name)} add up to more than {count(EXACT)}, which cannot be counted exactly.")
    check_classes(source.name, proposal.scheme)
    names = tuple(row.label for row in proposal.labels)
    cells = np.arange(len(a), dtype=np.int32)
    human = np.array([names.index(name) for name in grid.human], dtype=np.int32)[a]
    judge = np.array([names.index(name) for name in grid.judge], dtype=np.int32)[b]
    return Ratings(
        source,
        proposal.scheme,
        pa.array([f"cell {n + 1}" for n in cells.tolist()], pa.string()),
        (OVERALL,),
        (Rater("human", "human"), Rater("judge", "judge")),
        names,
        item=np.tile(cells, 2),
        criterion=np.zeros(2 * len(a), dtype=np.int32),
        rater=np.repeat(np.arange(2, dtype=np.int32), len(a)),
        label=np.concatenate([human, judge]),
        row=np.tile(grid.rows[a, b], 2),
        multiplicity=grid.counts[a, b],
        left_out=left_out,
        rows_used=source.rows - left_out.n,
        columns=proposal.columns,
    )


def from_counts(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    name: str = "counts",
    kinds: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
) -> Ratings:
    """Return ratings from a typed K × K table, the human in rows, the judge in columns.

    Two labels that the vocabulary does not know are positive and negative in the order given; more than two are classes.

    Parameters
    ----------
    counts : array_like of int, shape (K, K)
        Decisions by label of the human and of the judge; at least two labels.
    labels : sequence of str, length K
        Different ones.
    name : str
        Name to show in messages and exports.
    kinds : mapping of label to kind, optional
        Stated meanings; see `propose`.
    order : sequence of str
        Classes, low to high.

    Raises
    ------
    InputError
        For a table that is not square, cells that are no counts, and counts that add up to 0 or to more than `EXACT`.
        For a kind that does not exist, and kinds that leave one class alone.
    """
    table = np.asarray(counts)
    names = tuple(str(label).strip() for label in labels)
    if table.shape != (len(names), len(names)) or len(names) < 2 or len(set(names)) < len(names):
        refuse(f"A table of counts needs one row and one column per label; got {table.shape} for {len(names)} labels.")
    if (
        not np.issubdtype(table.dtype, np.number)
        or not np.all(np.isfinite(table))
        or np.any((table < 0) | (table != np.floor(table)))
    ):
        refuse("A table of counts holds whole numbers of 0 or more.")
    # a number too large for an integer would become another one
    whole = np.minimum(table, 2 * EXACT).astype(np.int64)
    grid = Grid(names, names, whole, np.repeat(np.arange(len(names)), len(names)).reshape(whole.shape))
    stated = check_kinds(kinds)
    steps = Steps.of(names, stated, dict, {})
    given = with_classes(names, steps.kinds | stated)
    rows, _, extra = interpret(_verdicts(grid, None), given, list(order))
    rows, in_order, _ = steps.rows_and_doubts(rows, order)
    proposal = Proposal("counts", (), labels=_typed_order(rows, names), order=in_order, extra=extra)
    digest = hashlib.sha256(repr((names, whole.tolist())).encode()).hexdigest()
    return _ratings(grid, proposal, Source(name, digest, "counts", len(names), names), LeftOut())


def _typed_order(rows: Sequence[LabelRow], names: Sequence[str]) -> tuple[LabelRow, ...]:
    """Return the labels without doubt: of two in doubt, where none is settled, the first is positive, the second negative."""
    open_rows = sorted((row for row in rows if row.in_doubt), key=lambda row: names.index(row.label))
    settled: dict[str, LabelRow] = {row.label: row for row in rows}
    if len(open_rows) == 2 and not any(row.kind in ("positive", "negative") and not row.in_doubt for row in rows):
        first, second = open_rows
        settled[first.label], settled[second.label] = replace(first, kind="positive"), replace(second, kind="negative")
    return tuple(replace(settled[row.label], in_doubt=False) for row in rows)
