"""κ of a rubric before and after it was changed: the records, and their way out to a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from metrics.choices import Settings
from metrics.comparison.contrasts import Side
from metrics.intervals.scale import Interval


@dataclass(frozen=True, eq=False)
class Change:
    """κ of one criterion before and after, on the decisions that both files have.

    Attributes
    ----------
    metric : {"kappa", "weighted_kappa_quadratic"}
        Quadratic weights on an ordinal criterion.
    before, after : Side
        Value, interval and table of each file.
    difference : float
        After less before; NaN for the reason in `undefined`.
    interval : Interval or None
        Paired; None for the reason in `no_interval`.
    n_shared : int
        Decisions that judge and reference rated in both files.
    n_differ : int
        Items whose cell of the matrix changed.
    n_judge, n_reference : int
        Shared decisions on which the judge's answer, or the reference's, is another.
    n_only : (int, int)
        Decisions that judge and reference rated in one file only; they are left out.
    """

    criterion: str
    metric: str
    before: Side
    after: Side
    difference: float
    undefined: str
    interval: Interval | None
    no_interval: str
    n_shared: int
    n_items: int
    n_differ: int
    n_judge: int
    n_reference: int
    n_only: tuple[int, int]

    @property
    def ends(self) -> tuple[float, float] | None:
        return None if self.interval is None else self.interval.ends

    @property
    def told(self) -> int:
        """1 where κ has risen beyond the noise, −1 where it has fallen, else 0."""
        if self.ends is None or self.ends[0] <= 0 <= self.ends[1]:
            return 0
        return 1 if self.ends[0] > 0 else -1


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """Two files of one rubric.

    Attributes
    ----------
    changes : tuple of Change
        Criteria that could be compared, in the order of the first file.
    refused : mapping of criterion to reason
        Criteria of both files that could not.
    only_before, only_after : tuple of str
        Criteria of one file only.
    files, judges, references : (str, str)
    """

    changes: tuple[Change, ...]
    refused: Mapping[str, str]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    files: tuple[str, str]
    judges: tuple[str, str]
    references: tuple[str, str]
    settings: Settings

    def of(self, criterion: str) -> Change | None:
        return next((one for one in self.changes if one.criterion == criterion), None)

    def to_frame(self) -> pd.DataFrame:
        """One row per criterion of either file, each with what the numbers rest on."""
        rows = [_row(one) for one in self.changes]
        rows += [{"criterion": name, "why_not": why} for name, why in self.refused.items()]
        rows += [{"criterion": name, "why_not": "only in the file before"} for name in self.only_before]
        rows += [{"criterion": name, "why_not": "only in the file after"} for name in self.only_after]
        sides: dict[str, Any] = {
            f"{what}_{when}": own
            for what, both in (("file", self.files), ("judge", self.judges), ("reference", self.references))
            for when, own in zip(("before", "after"), both, strict=True)
        }
        asked = self.settings
        how: dict[str, Any] = {"abstention": asked.abstention, "unit": asked.unit, "confidence": asked.confidence}
        return pd.DataFrame(rows, columns=list(_COLUMNS)).assign(**sides, **how)


_COLUMNS = (
    "criterion", "metric", "before", "before_low", "before_high", "after", "after_low", "after_high", "difference", "low", "high",
    "interval", "interval_note", "n_shared", "n_before", "n_after", "n_items", "n_differ", "n_judge_changed",
    "n_reference_changed",    "n_only_before", "n_only_after", "why_not",
)  # fmt: skip


def _row(one: Change) -> dict[str, Any]:
    nowhere = math.nan, math.nan
    own = [nowhere if side.interval is None else side.interval.ends or nowhere for side in (one.before, one.after)]
    low, high = one.ends or nowhere
    return {
        "criterion": one.criterion, "metric": one.metric,
        "before": one.before.value, "before_low": own[0][0], "before_high": own[0][1],
        "after": one.after.value, "after_low": own[1][0], "after_high": own[1][1],
        "difference": one.difference, "low": low, "high": high,
        "interval": "" if one.interval is None else one.interval.method,
        "interval_note": "" if one.interval is None else one.interval.note,
        "n_shared": one.n_shared, "n_before": one.before.block.n, "n_after": one.after.block.n, "n_items": one.n_items,
        "n_differ": one.n_differ, "n_judge_changed": one.n_judge, "n_reference_changed": one.n_reference,
        "n_only_before": one.n_only[0], "n_only_after": one.n_only[1], "why_not": one.undefined or one.no_interval,
    }  # fmt: skip
