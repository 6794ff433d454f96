"""What to label next: the strata, the items drawn and their weights, and the blind sheet made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from metrics.analyses.sampling.strata import Purpose, Spared
from metrics.results.report import Json, Report

LABEL, WEIGHT = "human", "weight"
"""Columns of a sheet that hold the label, and the weight; both are read back without a question."""


@dataclass(frozen=True)
class Stratum:
    """Items of which judges say the same.

    Attributes
    ----------
    name : str
    n_items, n_labelled, n_wrong : int
        Items; those with a label; and those of them on which the judge differs from it somewhere.
    n_free, n_drawn : int
        Items without a label, and how many of them are drawn.
    """

    name: str
    n_items: int
    n_labelled: int
    n_wrong: int
    n_free: int
    n_drawn: int

    @property
    def weight(self) -> float:
        """Items without a label that each one drawn stands for; 0 where none is."""
        return self.n_free / self.n_drawn if self.n_drawn else 0.0

    def to_dict(self) -> Json:
        return asdict(self) | {"weight": self.weight or None}


@dataclass(frozen=True, eq=False)
class LabelPlan(Report):
    """The items to label next.

    Attributes
    ----------
    purpose : {"kappa", "rare", "difference"}
    other : str
        The judge compared with; empty where none is.
    criterion : str
        Empty for all.
    criteria : tuple of str
        Those that a label is asked for.
    labels : tuple of str
        What may be answered, as the file spells it.
    strata : tuple of Stratum
    items, weights : tuple, length n
        In the order of the sheet, which is shuffled.
    texts : mapping of str to tuple of str
        Columns of texts of the items.
    spared : Spared or None
        None where too few labelled items are there to try it out.
    """

    TEXT, OF = "analyses.sampling.readings", "a plan of what to label"

    file: str
    sha256: str
    where: tuple[str, ...]
    purpose: Purpose
    judge: str
    other: str
    criterion: str
    criteria: tuple[str, ...]
    reference: str
    labels: tuple[str, ...]
    seed: int
    strata: tuple[Stratum, ...]
    items: tuple[str, ...]
    weights: tuple[float, ...]
    texts: Mapping[str, tuple[str, ...]]
    spared: Spared | None = None

    @property
    def n(self) -> int:
        """Items drawn."""
        return len(self.items)

    @property
    def n_effective(self) -> float:
        """Items of equal weight that would say as much of a number that strata do not touch (Kish)."""
        return sum(self.weights) ** 2 / sum(weight**2 for weight in self.weights)

    def to_dict(self) -> Json:
        """Return the JSON object of the command `label-next`."""
        return {
            "version": 1, "file": self.file, "sha256": self.sha256, "where": list(self.where), "purpose": self.purpose,
            "judge": self.judge, "other": self.other or None, "criterion": self.criterion or None,
            "criteria": list(self.criteria), "reference": self.reference, "labels": list(self.labels), "seed": self.seed,
            "n": self.n, "n_effective": self.n_effective, "strata": [stratum.to_dict() for stratum in self.strata],
            "items": [{"item": item, "weight": weight} for item, weight in zip(self.items, self.weights, strict=True)],
            "spared": None if self.spared is None else asdict(self.spared),
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """Return the blind sheet: a row for every item and criterion, no verdict of a judge, an empty label, the weight last."""
        each = len(self.criteria)
        columns: dict[str, list[Any]] = {"item": [item for item in self.items for _ in range(each)]}
        if each > 1 or self.criterion:
            columns["criterion"] = list(self.criteria) * self.n
        columns |= {name: [text for text in texts for _ in range(each)] for name, texts in self.texts.items()}
        columns[LABEL] = ["" for _ in range(self.n * each)]
        columns[WEIGHT] = [float(f"{weight:.6g}") for weight in self.weights for _ in range(each)]
        return pd.DataFrame(columns)
