"""The item level of agreement: one verdict an item on each side, by a rule over its criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.evaluation import Family
from metrics.analyses.records import Block
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels
from metrics.data.aggregation import UNDECIDED, ItemVerdicts, fold_items, item_table, item_verdicts
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.measures.arrays import safe_ratio
from metrics.results.estimate import Estimate


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
