"""κ of a rubric before and after it was changed: the records, and their way out to a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from metrics.analyses.comparison.result import Side
from metrics.analyses.settings import Settings
from metrics.results.estimate import Estimate


@dataclass(frozen=True)
class Relabelled:
    """A decision on which the reference or the judge answers otherwise in the second file; "no verdict" where it is left open."""

    item: str
    reference_before: str
    reference_after: str
    judge_before: str
    judge_after: str


@dataclass(frozen=True, eq=False)
class Change:
    """κ of one criterion before and after, on the decisions that have a verdict of both sides in both files.

    Attributes
    ----------
    metric : {"kappa", "weighted_kappa_quadratic"}
        Quadratic weights on an ordinal criterion.
    abstention : str
        The mode on this criterion; `exclude` where the mode of the settings does not fit its labels.
    before, after : Side
        Value, interval and table of each file on those decisions; the coverage is of all `n_shared`.
    difference : Estimate
        After less before, paired, of this criterion alone.
    p, p_holm : float
        Of the permutation test that swaps both files' labels of an item, alone and after Holm's correction over the
        `n_tested` criteria whose difference is defined; NaN where the difference is undefined.
    n_shared : int
        Decisions that judge and reference rated in both files.
    n_differ : int
        Items whose cell of the matrix changed.
    n_judge, n_reference : int
        Shared decisions on which the judge's answer, or the reference's, is another.
    n_only : (int, int)
        Decisions that judge and reference rated in one file only; they are left out.
    alone, n_alone : (float, float), (int, int)
        κ of each file on all of the shared decisions that it answers, and how many those are.
    direction : int
        1 where κ rises, −1 where it falls, else 0: beyond chance by both the interval and the corrected p.
    relabelled : tuple of Relabelled
        Shared decisions on which somebody's answer is another.
    """

    criterion: str
    metric: str
    abstention: str
    before: Side
    after: Side
    difference: Estimate
    p: float
    n_shared: int
    n_items: int
    n_differ: int
    n_judge: int
    n_reference: int
    n_only: tuple[int, int]
    alone: tuple[float, float]
    n_alone: tuple[int, int]
    p_holm: float = math.nan
    n_tested: int = 1
    direction: int = 0
    relabelled: tuple[Relabelled, ...] = ()

    @property
    def n(self) -> int:
        """Decisions that count: those with a verdict of both sides in both files."""
        return self.before.block.n or 0


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
    one_each : (bool, bool)
        Whether a rule for several humans meets one of them at most on every decision of a file.
    """

    changes: tuple[Change, ...]
    refused: Mapping[str, str]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    files: tuple[str, str]
    judges: tuple[str, str]
    references: tuple[str, str]
    settings: Settings
    one_each: tuple[bool, bool] = (False, False)

    def of(self, criterion: str) -> Change | None:
        return next((change for change in self.changes if change.criterion == criterion), None)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per criterion of either file, each with what the numbers rest on."""
        rows = [_row(change) for change in self.changes]
        rows += [{"criterion": name, "why_not": why} for name, why in self.refused.items()]
        rows += [{"criterion": name, "why_not": "only in the file before"} for name in self.only_before]
        rows += [{"criterion": name, "why_not": "only in the file after"} for name in self.only_after]
        sides: dict[str, Any] = {
            f"{what}_{when}": value
            for what, both in (("file", self.files), ("judge", self.judges), ("reference", self.references))
            for when, value in zip(("before", "after"), both, strict=True)
        }
        asked = self.settings
        how: dict[str, Any] = {"unit": asked.unit, "confidence": asked.confidence}
        return pd.DataFrame(rows, columns=list(_COLUMNS)).assign(**sides, **how)

    @property
    def n_relabelled(self) -> int:
        """Decisions on which somebody's answer is another, over all criteria."""
        return sum(len(change.relabelled) for change in self.changes)

    def relabelled_frame(self) -> pd.DataFrame:
        """Return one row per decision on which the reference or the judge says another thing, with both answers of each."""
        rows = [{"criterion": change.criterion, **asdict(one)} for change in self.changes for one in change.relabelled]
        columns = ["item", "criterion", *(field.name for field in fields(Relabelled) if field.name != "item")]
        return pd.DataFrame(rows, columns=columns)


_COLUMNS = (
    "criterion", "metric", "abstention", "n", "before", "before_low", "before_high", "after", "after_low", "after_high",
    "difference", "low", "high", "interval", "interval_note", "p", "p_holm", "n_tested", "direction", "n_shared", "n_before",
    "before_all", "coverage_before", "n_after", "after_all", "coverage_after", "n_items", "n_differ", "n_judge_changed",
    "n_reference_changed", "n_only_before", "n_only_after", "why_not",
)  # fmt: skip


def _row(change: Change) -> dict[str, Any]:
    before, after, difference = change.before.estimate, change.after.estimate, change.difference
    (low_1, high_1), (low_2, high_2), (low, high) = (it.ends or (math.nan, math.nan) for it in (before, after, difference))
    return {
        "criterion": change.criterion, "metric": change.metric, "abstention": change.abstention, "n": change.n,
        "before": before.value, "before_low": low_1, "before_high": high_1,
        "after": after.value, "after_low": low_2, "after_high": high_2,
        "difference": difference.value, "low": low, "high": high,
        "interval": difference.method, "interval_note": difference.note,
        "p": change.p, "p_holm": change.p_holm, "n_tested": change.n_tested,
        "direction": change.direction, "n_shared": change.n_shared,
        "n_before": change.n_alone[0], "before_all": change.alone[0], "coverage_before": change.before.coverage,
        "n_after": change.n_alone[1], "after_all": change.alone[1],
        "coverage_after": change.after.coverage, "n_items": change.n_items,
        "n_differ": change.n_differ, "n_judge_changed": change.n_judge, "n_reference_changed": change.n_reference,
        "n_only_before": change.n_only[0], "n_only_after": change.n_only[1], "why_not": change.difference.why,
    }  # fmt: skip
