"""The criteria of a rubric as a review takes them: one after another, with what the labels say of each, sorted by κ.

What a criterion asks for is said in the words of the file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.raters.result import RaterBlock
from metrics.analyses.records import AgreementReport, Block
from metrics.analyses.scores.compute import scores
from metrics.analyses.scores.result import ScoresReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Coverage
from metrics.data.aggregation import ItemRule
from metrics.data.labels import NUMBER, Scale
from metrics.data.nonverdicts import modes_of
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.words import shorten, uncapital

KAPPA, WEIGHTED = "kappa", "weighted_kappa_quadratic"
COLUMNS = (
    "definition", "criterion definition", "criterion text", "criterion description", "requirement", "description", "rubric",
)  # fmt: skip
"""Columns that hold it, the likeliest first; their names compare as labels do."""


@dataclass(frozen=True, eq=False)
class Reviewed:
    """What the labels say of one criterion.

    Attributes
    ----------
    report : AgreementReport or None
        Of the one judge, on this criterion alone; None for the reason in `missing`.
    scores : ScoresReport or None
        On an ordinal criterion whose labels have an order: the same with weights for how far two labels lie apart.
    humans : RaterBlock or None
        How the humans agree with each other, where there are several.
    n_criteria : int
        Criteria under review, over which tests are corrected.
    ratings : Ratings
        The ratings of this criterion alone.
    """

    criterion: str
    scale: Scale
    judge: str
    settings: Settings
    ratings: Ratings
    report: AgreementReport | None = None
    scores: ScoresReport | None = None
    humans: RaterBlock | None = None
    missing: str = ""
    n_criteria: int = 1

    @property
    def block(self) -> Block | None:
        """The numbers of the labels without their order."""
        return None if self.report is None else self.report.judges[self.judge].criteria[self.criterion]

    @property
    def ordered(self) -> Block | None:
        """The classes low to high, with the weighted κ."""
        return None if self.scores is None else self.scores.judges[self.judge].pooled

    @property
    def coverage(self) -> Coverage | None:
        return None if self.report is None else self.report.judges[self.judge].coverage

    @property
    def key(self) -> str:
        """Key of the κ in view."""
        return KAPPA if self.ordered is None else WEIGHTED

    @property
    def main(self) -> Block | None:
        """The block that κ is in, and whose table is drawn."""
        return self.block if self.ordered is None else self.ordered

    @property
    def symbol(self) -> str:
        return BY_KEY[self.key].symbol

    @property
    def kappa(self) -> Estimate:
        """The κ in view."""
        return Estimate(math.nan, why=self.missing) if self.main is None else self.main[self.key]

    @property
    def one_sided(self) -> tuple[str, str] | None:
        """The side that gives one label only, and that label."""
        return None if self.block is None else self.block.one_sided

    @property
    def need(self) -> tuple[int, float, float]:
        """Place in the review."""
        kappa = self.kappa
        rank = 2 if self.scale == "continuous" else int(kappa.defined)
        return rank, kappa.value if kappa.defined else 0.0, kappa.ends[0] if kappa.ends else -1.0


def review_criteria(
    ratings: Ratings, judge: str, settings: Settings, humans: Mapping[str, RaterBlock] | None = None
) -> tuple[Reviewed, ...]:
    """Return every criterion with its numbers, sorted by κ: those without one first, scores last.

    Parameters
    ----------
    settings : Settings
        Abstention, reference, unit and confidence; where a criterion has no negative label, `as_unmet` is `exclude` there.
    humans : mapping of criterion to RaterBlock, optional
        As `metrics.raters` has them.
    """
    reviews = [_reviewed(ratings, name, judge, settings, humans or {}) for name in ratings.criteria]
    return tuple(sorted(reviews, key=lambda review: review.need))


def _reviewed(ratings: Ratings, name: str, judge: str, settings: Settings, humans: Mapping[str, RaterBlock]) -> Reviewed:
    scale = scales_of(ratings).on(name)
    try:
        part = ratings.on_criteria((name,))
    except InputError as error:
        return Reviewed(name, scale.scale, judge, settings, ratings, missing=_plain(error, ratings))
    mode = settings.abstention if settings.abstention in modes_of(part) else "exclude"
    asked = replace(settings, abstention=mode, judges=(judge,))
    bare = Reviewed(name, scale.scale, judge, asked, part, humans=humans.get(name), n_criteria=len(ratings.criteria))
    if NUMBER in scale.classes:
        return replace(bare, missing="its values are numbers, not labels")
    if judge not in part.judges:
        return replace(bare, missing=f"{shorten(judge)} has no verdict on it")
    try:
        report = agreement_of(part, replace(asked, item_rule=ItemRule(), cost=None, handling=None))
    except InputError as error:
        return replace(bare, missing=_plain(error, part))
    return replace(bare, report=report, scores=_ordered(part, asked) if scale.scale == "ordinal" else None)


def _ordered(part: Ratings, asked: Settings) -> ScoresReport | None:
    """Return the report with the weighted κ; None in the third class, which has no place in an order, and without an order."""
    if asked.abstention != "exclude":
        return None
    interval = "none" if asked.interval == "none" else "auto"
    try:
        return scores(
            part, reference=asked.reference, judges=asked.judges, abstention="exclude", interval=interval, unit=asked.unit,
            confidence=asked.confidence,
        )  # fmt: skip
    except InputError:
        return None


def _plain(error: InputError, ratings: Ratings) -> str:
    """Return a refusal as the end of a sentence."""
    refusal = str(error).removeprefix(f"{ratings.source.name}: ").rstrip(".")
    return uncapital(refusal) if refusal[:2] != refusal[:2].upper() else refusal


def habit(block: Block) -> tuple[str, float]:
    """Return the label whose share differs most between judge and reference, and by how much the judge gives it more often."""
    table = np.asarray(block.confusion, np.float64)
    gap = (table.sum(0) - table.sum(1)) / max(table.sum(), 1.0)
    place = int(np.abs(gap).argmax())
    return block.labels[place], float(gap[place])


@dataclass(frozen=True)
class Definition:
    """A wording, and where it stands.

    Attributes
    ----------
    text : str
        Empty where the file has none.
    column : str
        Of the file; empty where it is the rubric of the file.
    n_others : int
        Other wordings of the same criterion in that column.
    """

    text: str = ""
    column: str = ""
    n_others: int = 0


def definition_of(ratings: Ratings, criterion: str) -> Definition:
    """Return the wording of a criterion: from the rubric in the file, else its commonest one in a column that holds such."""
    stated = next(
        (rubric_criterion.definition for rubric_criterion in ratings.source.rubric if rubric_criterion.name == criterion), ""
    )
    if stated:
        return Definition(stated)
    column = _column(ratings)
    if ratings.table is None or column is None:
        return Definition()
    places = np.flatnonzero(ratings.criterion == ratings.criteria.index(criterion))
    rows, first = np.unique(ratings.row[places], return_index=True)
    wordings: Counter[str] = Counter()
    texts = ratings.table[column].take(pa.array(rows)).to_pylist()
    for text, times in zip(texts, ratings.weight[ratings.item[places[first]]].tolist(), strict=True):
        if text and text.strip():
            wordings[text.strip()] += times
    commonest, n = next(iter(wordings.most_common(1)), ("", 0))
    # What is another text on most rows says something of the items.
    if not commonest or 2 * n < wordings.total():
        return Definition()
    return Definition(commonest, column, len(wordings) - 1)


def _column(ratings: Ratings) -> str | None:
    """Return the column that holds the wordings, among those without a role."""
    if ratings.table is None:
        return None
    roles = {name for _, name in ratings.columns}
    free = {normalise(name): name for name in reversed(ratings.table.column_names) if name not in roles}
    return next((free[name] for name in COLUMNS if name in free), None)
