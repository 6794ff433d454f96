"""What codes of disagreements count up to, and what agreement is where people were wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.coding.checked import Checked, checked_of
from metrics.analyses.coding.codes import ALL, CODES, Code, Coding, Key
from metrics.analyses.disagreements.listing import Listing
from metrics.analyses.leading import read_first
from metrics.data.pairs import cell_ratings, cells_of
from metrics.data.ratings import Ratings
from metrics.intervals.single_table import wilson
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

OVERALL = ""
"""Key of all criteria together."""


@dataclass(frozen=True)
class Counted:
    """Codes of the disagreements of one criterion, or of all.

    Attributes
    ----------
    n : int
        Disagreements of judge and reference.
    codes : mapping of Code to int
        How many have each code.
    confidence : float
    by_item : bool
        Whether each item counts once, so that a share has an interval of its own.
    n_unsure : int
        Disagreements that were looked at and on which the reader could not tell; they are among those without a code.
    """

    n: int
    codes: Mapping[Code, int]
    confidence: float
    by_item: bool = True
    n_unsure: int = 0

    @property
    def n_coded(self) -> int:
        return sum(self.codes.values())

    def share(self, code: Code) -> Estimate:
        """Return share of a code among the coded disagreements with Wilson's interval; undefined where none is coded."""
        n = self.n_coded
        if not n:
            return Estimate(float("nan"), None, "no disagreement is coded")
        if not self.by_item:
            return Estimate(self.codes[code] / n, None, "an item counts once for each criterion")
        return Estimate(self.codes[code] / n, Interval(*wilson(self.codes[code], n, self.confidence), "wilson"))


@dataclass(frozen=True)
class Recount:
    """One number as the file has it, and with the reference corrected where people were wrong.

    Attributes
    ----------
    metric : str
        Key of the number.
    as_labelled, corrected : Estimate
    n_corrected : int
        Decisions whose reference was set to the judge's label.
    """

    metric: str
    as_labelled: Estimate
    corrected: Estimate
    n_corrected: int


@dataclass(frozen=True)
class CodingReport:
    """Codes of the disagreements of one judge.

    Attributes
    ----------
    judge : str
    criteria : mapping of criterion to Counted
    overall : Counted
    recounts : mapping of criterion to Recount
        Of the criteria with a corrected label, and of all decisions under `OVERALL`.
    checked : mapping of criterion to Checked
        Of the criteria with a coded agreement.
    """

    judge: str
    criteria: Mapping[str, Counted]
    overall: Counted
    recounts: Mapping[str, Recount]
    checked: Mapping[str, Checked]


def coding_report(listing: Listing, coding: Coding) -> CodingReport:
    """Return what the codes of one judge's disagreements count up to.

    Parameters
    ----------
    listing : Listing
        Of labels, with a judge.
    coding : Coding
    """
    assert listing.judge is not None
    ratings, confidence, judge = listing.ratings, listing.settings.confidence, listing.judge.name
    codes = codes_of(listing, coding)
    counted = {}
    for place, name in enumerate(ratings.criteria):
        of_criterion = listing.cells.criterion == place
        counted[name] = _counted(listing.differs & of_criterion, codes, confidence, by_item=True)
    overall = _counted(listing.differs, codes, confidence, by_item=len(ratings.criteria) == 1)
    return CodingReport(judge, counted, overall, _recounts(listing, codes), checked_of(listing, codes))


def codes_of(listing: Listing, coding: Coding) -> NDArray[np.int64]:
    """Return the place in `ALL` of the code of every decision, shape (n_cells,); -1 where it has none."""
    found = np.full(len(listing.cells), -1, np.int64)
    keys = {key: place for place, key in enumerate(ALL)}
    wanted = {key[:2]: keys[coded.code] for key, coded in coding.codes.items() if coded.code and key[2] == _judge(listing)}
    if not wanted:
        return found
    items = {str(listing.ratings.items[int(item)]): int(item) for item in np.unique(listing.cells.item)}
    criteria = {name: place for place, name in enumerate(listing.ratings.criteria)}
    at = listing.cells.item.astype(np.int64) * max(1, len(criteria)) + listing.cells.criterion
    for (item, criterion), code in wanted.items():
        if item in items and criterion in criteria:
            key = items[item] * max(1, len(criteria)) + criteria[criterion]
            place = int(np.searchsorted(at, key))
            if place < len(at) and at[place] == key:
                found[place] = code
    return found


def key_of(listing: Listing, cell: int) -> Key:
    """Return item, criterion and judge of a decision."""
    ratings = listing.ratings
    item, criterion = int(listing.cells.item[cell]), int(listing.cells.criterion[cell])
    return str(ratings.items[item]), ratings.criteria[criterion], _judge(listing)


def code_of_own(listing: Listing, cell: int, own: str) -> Code:
    """Return who was wrong by a label that the reader gave without seeing others; empty where both sides say another one.

    Parameters
    ----------
    listing : Listing
        Of labels, with a judge.
    cell : int
        A decision on which both sides have a verdict.
    own : str
        One of the labels of the listing.
    """
    assert listing.judge is not None
    people, judge = listing.labels[int(listing.reference[cell])], listing.labels[int(listing.judge.verdict[cell])]
    if people == judge:
        return "right" if own == people else "wrong"
    return "judge" if own == people else "human" if own == judge else ""


def corrected(ratings: Ratings, judge: str, cells: NDArray[np.int64]) -> Ratings:
    """Return ratings in which people give the judge's label on some decisions.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    cells : ndarray of int64, shape (n,)
        Decisions on which people were wrong; the judge gives a label on each.
    """
    of_judge = cell_ratings(ratings, judge, "judge")
    wanted = np.zeros(len(cells_of(ratings)), bool)
    wanted[cells] = True
    of_rating = cells_of(ratings).of_rating
    turned = ratings.by_role("human") & wanted[of_rating]
    label = np.where(turned, ratings.label[of_judge[of_rating]], ratings.label).astype(ratings.label.dtype)
    return replace(ratings, label=label, memo={})


def _judge(listing: Listing) -> str:
    return "" if listing.judge is None else listing.judge.name


def _counted(among: NDArray[np.bool_], codes: NDArray[np.int64], confidence: float, *, by_item: bool) -> Counted:
    counts = np.bincount(codes[among & (codes >= 0) & (codes < len(CODES))], minlength=len(CODES))
    n_unsure = int((codes[among] == list(ALL).index("unsure")).sum())
    return Counted(int(among.sum()), dict(zip(CODES, counts.tolist(), strict=True)), confidence, by_item, n_unsure)


def _recounts(listing: Listing, codes: NDArray[np.int64]) -> dict[str, Recount]:
    cells = np.flatnonzero((codes == list(CODES).index("human")) & listing.differs)
    if not len(cells) or listing.numbers is not None:
        return {}
    ratings, settings, judge = listing.ratings, listing.settings, _judge(listing)
    before = judge_report(ratings, judge, settings)
    after = judge_report(corrected(ratings, judge, cells), judge, settings)
    key = read_first(before)
    of_criterion = np.bincount(listing.cells.criterion[cells], minlength=len(ratings.criteria))
    made = {OVERALL: Recount(key, before.micro[key], after.micro[key], len(cells))}
    for name, n in zip(ratings.criteria, of_criterion.tolist(), strict=True):
        if n:
            made[name] = Recount(key, before.criteria[name][key], after.criteria[name][key], n)
    return made
