"""What a page shows: one data set, and the choices of the sidebar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics import ItemRule, Ratings
from metrics.analyses.agreement.compute import Settings
from metrics.data.abstention import Mode
from metrics.data.aggregation import Level
from metrics.readers import TextTable

Kind = Literal["sample", "upload"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set that can be opened by its id.

    Attributes
    ----------
    id : str
        A sample's name, or the first eight digits of the SHA-256 of an upload.
    """

    id: str
    title: str
    kind: Kind
    ratings: Ratings
    table: TextTable | None = None

    @property
    def key(self) -> tuple[str, object]:
        """What results are cached under: the bytes of the file, the meaning given to it, criteria, items, what judges became."""
        scheme, source = self.ratings.scheme, self.ratings.source
        made = source.panels, source.runs
        criteria = self.ratings.criteria, scheme.scales, source.how.where
        return source.sha256, (self.ratings.columns, scheme.kinds, scheme.order, scheme.handling, made, criteria)


@dataclass(frozen=True)
class Choices:
    """The sidebar. Every number on a page follows from these and the data set."""

    judge: str
    reference: str
    mode: Mode
    level: Level
    rule: ItemRule

    @property
    def two_class_mode(self) -> Mode:
        """The mode of numbers that need a positive and a negative label only: a third class is left out of them."""
        return "exclude" if self.mode == "as_category" else self.mode

    def settings(self, mode: Mode | None = None) -> Settings:
        return Settings(mode or self.mode, self.reference, (self.judge,), self.rule)
