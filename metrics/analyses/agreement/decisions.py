"""The decisions and items behind a number: which they are, what the file says about them, and one verdict an item by a rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from metrics.analyses.evaluation import Family
from metrics.analyses.records import Block
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, mode_map
from metrics.data.aggregation import ABSENT, UNDECIDED, ItemVerdicts, fold_items, item_table, item_verdicts
from metrics.data.item_texts import text_columns
from metrics.data.pairs import cell_ratings, cells_of, patterns_of, reference_states, verdicts
from metrics.data.patterns import Patterns
from metrics.data.ratings import Rater, Ratings, written_out
from metrics.errors import InputError
from metrics.measures.arrays import safe_ratio
from metrics.results.estimate import Estimate
from metrics.results.words import NEEDS_ROWS

Cell = tuple[int, int]
MAX_RATERS = 12
"""Humans shown side by side; more are summed up in the reference alone."""


def decisions_behind(
    ratings: Ratings, judge: str, settings: Settings, *, cell: Cell | None = None, criterion: str | None = None
) -> NDArray[np.int64]:
    """Return cells of the ratings that count in the mode, in one confusion cell and on one criterion where given.

    Parameters
    ----------
    cell : (int, int), optional
        Row (reference) and column (judge) on the axis of the mode.
    """
    to_mode = mode_map(settings.on(ratings).scheme, settings.abstention)
    place = np.where(to_mode.any(0), to_mode.argmax(0), -1)
    reference = place[reference_states(ratings, settings.reference)]
    verdict = place[verdicts(ratings, judge, "judge")]
    chosen = (reference >= 0) & (verdict >= 0) if cell is None else (reference == cell[0]) & (verdict == cell[1])
    if criterion is not None:
        chosen &= cells_of(ratings).criterion == ratings.criteria.index(criterion)
    return np.flatnonzero(chosen)


def items_behind(ratings: Ratings, judge: str, settings: Settings, *, cell: Cell | None = None) -> NDArray[np.int64]:
    """Return items by item verdict: those in one cell of the item table, or all that have a verdict on both sides.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    cell : (int, int), optional
        Item verdicts of the reference and of the judge.

    Returns
    -------
    ndarray of int64, shape (n,)
        Places in `ratings.items`.
    """
    decided = item_verdicts_of(ratings, judge, settings)
    if cell is None:
        chosen = (decided.reference != ABSENT) & (decided.judge != ABSENT)
    else:
        chosen = (decided.reference == cell[0]) & (decided.judge == cell[1])
    of_item = patterns_of(ratings, judge, settings.reference).of_item
    return np.flatnonzero(chosen[of_item])


def decisions_of_items(ratings: Ratings, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return cells of the given items.

    Parameters
    ----------
    ratings : Ratings
    items : ndarray of int64, shape (n,)
        Places in `ratings.items`.

    Returns
    -------
    ndarray of int64, shape (m,)
        Places among the cells of the ratings.
    """
    return np.flatnonzero(np.isin(cells_of(ratings).item, items))


def n_behind(ratings: Ratings, places: NDArray[np.int64]) -> int:
    """Return decisions that some cells stand for: in a tally more than there are cells.

    Parameters
    ----------
    ratings : Ratings
    places : ndarray of int64, shape (n,)
        Of cells of the ratings.
    """
    return int(ratings.weight[cells_of(ratings).item[places]].sum())


def refuse_tally(ratings: Ratings) -> None:
    """Stop where single items are asked for that a tally does not have.

    Raises
    ------
    InputError
    """
    if ratings.source.tallied:
        raise InputError(f"{ratings.source.name}: {NEEDS_ROWS}")


def decision_frame(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    places: NDArray[np.int64],
    texts: Sequence[str] | None = None,
    beside: Sequence[str] = (),
) -> pd.DataFrame:
    """Return one row per decision: ids, the reference, labels and reasons of each human and the judge, the file's other columns.

    Labels and texts stand as in the file; `row` counts the header as row 1.

    Parameters
    ----------
    ratings : Ratings
    judge : str
        Empty where raters are looked at among each other: without a reference, a score, or a human left out.
    settings : Settings
    places : ndarray of int64, shape (n,)
        Of cells of the ratings.
    texts : sequence of str, optional
        Which of the file's other columns, in their order; default all.
    beside : sequence of str
        Other judges, whose labels and reasons stand behind those of the judge.

    Raises
    ------
    InputError
        For a tally.
    """
    refuse_tally(ratings)
    cells = cells_of(ratings)
    columns: dict[str, object] = {
        "item": ratings.items.take(pa.array(cells.item[places])).to_pylist(),
        "criterion": np.array(ratings.criteria, dtype=object)[cells.criterion[places]],
    }
    if judge:
        columns["reference"] = state_names(ratings)[reference_states(ratings, settings.reference)[places]]
    humans = [rater for rater in ratings.raters if rater.role != "judge"]
    if len(humans) <= MAX_RATERS:
        columns |= labels_and_reasons(ratings, humans, places, label=len(humans) > 1 or not judge)
    columns |= labels_and_reasons(ratings, [Rater(name, "judge") for name in (judge, *beside) if name], places)
    rows = any_row(ratings)[places]
    if judge:
        rated = cell_ratings(ratings, judge, "judge")[places]
        if ratings.score is not None:
            columns["score"] = np.where(rated >= 0, ratings.score[rated], np.nan)
        rows = np.where(rated >= 0, ratings.row[rated], rows)
    columns["row"] = ratings.record_numbers(rows)
    shown = free_texts(ratings, rows, texts).rename(columns=lambda name: f"{name} (file)" if name in columns else name)
    return pd.concat([pd.DataFrame(columns), shown], axis=1)


def reason_of(label: str) -> str:
    """Return the name of the column of reasons that stands beside a column of labels."""
    return f"{label} reason"


def labels_and_reasons(
    ratings: Ratings, raters: Sequence[Rater], places: NDArray[np.int64], *, label: bool = True
) -> dict[str, list[object]]:
    """Return the labels of raters as columns, each with its reasons beside it where the rater gives any.

    Parameters
    ----------
    ratings : Ratings
    raters : sequence of Rater
    places : ndarray of int64, shape (n,)
        Of cells of the ratings.
    label : bool
        Whether the labels stand there, or the reasons alone.
    """
    columns: dict[str, list[object]] = {}
    labels = np.array([*ratings.labels, ""], dtype=object)
    for rater in raters:
        name, rated = f"{rater.role or 'human'}: {rater.name}", cell_ratings(ratings, rater.name, rater.role)[places]
        if label:
            columns[name] = labels[np.where(rated >= 0, ratings.label[rated], len(ratings.labels))].tolist()
        if ratings.raters.index(rater) in ratings.reasoning:
            columns[reason_of(name)] = [reason or "" for reason in ratings.reasons(rated)]
    return columns


def any_row(ratings: Ratings) -> NDArray[np.int64]:
    """Return a data row of every cell: where the judge gave nothing, somebody else's."""
    rows = np.zeros(len(cells_of(ratings)), np.int64)
    rows[cells_of(ratings).of_rating] = ratings.row
    return rows


def state_names(ratings: Ratings) -> NDArray[np.object_]:
    """Return what the reference says by its state: a class, or why there is no verdict; empty where it says nothing."""
    scheme = ratings.scheme
    silent = next(iter(scheme.of("abstention")), scheme.abstention_name)
    return np.array([*scheme.classes, silent, "tie", "invalid", "split vote", "failed call", ""], dtype=object)


def free_texts(ratings: Ratings, rows: NDArray[np.int64], names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the columns of the file that carry no role and hold no reasons, and the items' own prompt, at the given rows.

    Parameters
    ----------
    ratings : Ratings
    rows : ndarray of int64, shape (n,)
        Rows of the file, from 0.
    names : sequence of str, optional
        Which of them, in their order; default all.

    Returns
    -------
    DataFrame of n rows
        Without a column where the file has none of them.
    """
    free = [name for name in text_columns(ratings) if names is None or name in names]
    if ratings.table is None or not free:
        return pd.DataFrame(index=range(len(rows)))
    free = free if names is None else [name for name in names if name in free]
    texts: pd.DataFrame = written_out(ratings.table.select(free).take(pa.array(rows))).to_pandas()
    return texts


@dataclass(frozen=True, eq=False)
class ItemLevel:
    """The item level before its metrics: tables of all and of complete items, and what goes beside them."""

    table: NDArray[np.int64]
    complete: NDArray[np.int64]
    kleene: NDArray[np.int64]
    left_out: int
    labels: tuple[str, ...]
    n_split: int = 0
    n_with_split: int = 0
    impossible: str = ""

    @property
    def tables(self) -> tuple[NDArray[np.int64], ...]:
        """Those on which there is something to compute."""
        return () if self.impossible else (self.table, self.complete)

    def finish(self, blocks: Sequence[Block], family: Family) -> Block:
        """Return the block of the item level, from the blocks of `tables`."""
        if self.impossible:
            none = dict.fromkeys(family.functions, Estimate(math.nan, why=self.impossible))
            more = {"left_out": 0, "coverage": {}, "complete": {}}
            return Block(0, family.labels, self.table, more=more, estimates=none)
        block, complete = blocks
        more = {
            "left_out": self.left_out,
            "coverage": self._coverage(),
            "complete": {
                "n": complete.n,
                "n_split": self.n_with_split,
                **{key: complete.to_dict()[key] for key in ("kappa", "accuracy")},
            },
        }
        return replace(block, more=more | dict(block.more))

    def _coverage(self) -> dict[str, object]:
        """Return share of items with a verdict on both sides, in all and by the reference's item verdict."""
        decided = self.kleene[:, :UNDECIDED].sum(1)
        total = self.kleene.sum(1)

        def share(count: int, of: int) -> float | None:
            return float(safe_ratio(count, of)) if of else None

        by_verdict = {name: share(int(decided[i]), int(total[i])) for i, name in enumerate(self.labels[:UNDECIDED])}
        covered = int(decided[:UNDECIDED].sum())
        whole = int(total.sum())
        return {"n_total": whole, "n_split": self.n_split, "coverage": share(covered, whole), "by_reference": by_verdict}


def no_item_level(ratings: Ratings, settings: Settings, why: str) -> ItemLevel:
    """Return an item level without items, for the reason given."""
    size = len(mode_labels(ratings.scheme, settings.abstention))
    empty = np.zeros((size, size), np.int64)
    return ItemLevel(empty, empty, empty, 0, ratings.scheme.classes, impossible=why)


def item_level_of(ratings: Ratings, patterns: Patterns, settings: Settings) -> ItemLevel:
    """Return the item level of the verdicts of a judge and the reference; without items where no rule makes any."""
    if not ratings.has_items:
        return no_item_level(ratings, settings, "a table of counts has no items")
    if ratings.scheme.scale != "binary":
        return no_item_level(ratings, settings, "no rule makes one item verdict of labels that are neither met nor unmet")
    mode = settings.abstention
    verdicts = item_verdicts(patterns, ratings.scheme, settings.item_rule, ratings.criteria, as_unmet=mode == "as_unmet")
    kleene = item_table(verdicts, patterns.multiplicity)
    counted = item_table(verdicts, np.where(verdicts.open, 0, patterns.multiplicity))
    complete = item_table(verdicts, np.where(verdicts.complete, patterns.multiplicity, 0))
    hanging, split = (int(patterns.multiplicity[those].sum()) for those in (verdicts.split & verdicts.open, verdicts.split))
    left_out = ratings.n_items - int(kleene.sum())
    tables = fold_items(counted, mode), fold_items(complete, mode)
    return ItemLevel(*tables, kleene, left_out, ratings.scheme.classes, hanging, split)


def item_verdicts_of(ratings: Ratings, judge: str, settings: Settings) -> ItemVerdicts:
    """Return item verdicts of one judge and the reference, per pattern.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings

    Raises
    ------
    InputError
        As `patterns_of`.
    """
    patterns = patterns_of(ratings, judge, settings.reference)
    ratings, as_unmet = settings.on(ratings), settings.abstention == "as_unmet"
    return item_verdicts(patterns, ratings.scheme, settings.item_rule, ratings.criteria, as_unmet=as_unmet)
