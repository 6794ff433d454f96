"""What codes of disagreements count up to, and agreement with people's errors corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.agreement.weighted import WITHIN
from metrics.analyses.coding.codes import ALL, CODES, Code, Coding, Key
from metrics.analyses.disagreements.listing import Listing
from metrics.analyses.leading import read_first
from metrics.data.pairs import cell_ratings, cells_of
from metrics.data.ratings import Ratings
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

OVERALL = ""
"""Key of all criteria together."""
METHOD = "posterior of corrected labels"
DRAWS = 4000
"""Ends of an interval move by less than 0.01 between seeds."""
OF_DISAGREEMENTS, OF_AGREEMENTS = (0.5, 0.5), (1 / 3, 1.0)
"""Beta priors of the share in which people are wrong. Where both agree that is rare; Jeffreys' prior takes it for common, and
intervals with it hold the true value in 90 to 94 % only."""


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
        Key of the number: of several criteria κ within them, as the overview has it.
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
    over_all = WITHIN if key == "kappa" and len(ratings.criteria) > 1 and WITHIN in before.micro else key
    of_criterion = np.bincount(listing.cells.criterion[cells], minlength=len(ratings.criteria))
    made = {OVERALL: Recount(over_all, before.micro[over_all], after.micro[over_all], len(cells))}
    for name, n in zip(ratings.criteria, of_criterion.tolist(), strict=True):
        if n:
            made[name] = Recount(key, before.criteria[name][key], after.criteria[name][key], n)
    return made


@dataclass(frozen=True)
class Checked:
    """Coded agreements of one criterion, and what follows from them.

    Attributes
    ----------
    criterion : str
    n_agreements, n_coded, n_wrong : int
        Agreements of judge and reference, how many are coded, and how many of these are wrong on both sides.
    metric : str
        Key of the estimated number: κ of two labels, accuracy of more, where a wrong agreement does not say what is right.
    estimate : Estimate
    """

    criterion: str
    n_agreements: int
    n_coded: int
    n_wrong: int
    metric: str
    estimate: Estimate


def checked_of(listing: Listing, codes: NDArray[np.int64]) -> dict[str, Checked]:
    """Return what coded agreements say, of every criterion that has one.

    Parameters
    ----------
    listing : Listing
        Of labels, with a judge.
    codes : ndarray of int64, shape (n_cells,)
        Places in `ALL`; -1 where there is none.
    """
    return {found.criterion: found for found in _each(listing, codes)}


def _each(listing: Listing, codes: NDArray[np.int64]) -> Iterator[Checked]:
    if listing.judge is None or not listing.checked.any():
        return
    places, k = {code: place for place, code in enumerate(ALL)}, len(listing.labels)
    coded_wrong, coded_right = codes == places["wrong"], codes == places["right"]
    agreed = listing.checked & (coded_wrong | coded_right)
    for at in np.unique(listing.cells.criterion[agreed]).tolist():
        of_criterion = (listing.cells.criterion == at) & listing.settled & (listing.reference >= 0)
        coded = of_criterion & np.where(listing.differs, (codes >= 0) & (codes < places["right"]), agreed)
        wrong = coded & np.where(listing.differs, codes == places["human"], coded_wrong)
        counts, n_coded, n_wrong = (_table(listing, of, k) for of in (of_criterion, coded, wrong))
        metric = "kappa" if k == 2 else "accuracy"
        n, n_looked_at, n_both = (int(np.trace(table)) for table in (counts, n_coded, n_wrong))
        estimate = estimated(counts, n_coded, n_wrong, listing.settings.confidence)
        yield Checked(listing.ratings.criteria[at], n, n_looked_at, n_both, metric, estimate)


def _table(listing: Listing, of: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    assert listing.judge is not None
    pairs = listing.reference[of] * k + listing.judge.verdict[of]
    return np.bincount(pairs, minlength=k * k).reshape(k, k).astype(np.int64)


def estimated(
    counts: NDArray[np.int64], n_coded: NDArray[np.int64], n_wrong: NDArray[np.int64], confidence: float = 0.95
) -> Estimate:
    """Return agreement of a judge with corrected labels: κ of two labels, else accuracy.

    Each cell of the table is a stratum, of which some decisions were looked at again: the share in which people were wrong there
    carries over to the rest of the cell. The interval is that of draws from the posterior of the table and of these shares.

    Parameters
    ----------
    counts : ndarray of int64, shape (K, K)
        Reference in rows, judge in columns.
    n_coded, n_wrong : ndarray of int64, shape (K, K)
        How many of each cell were looked at, and in how many people were wrong: off the diagonal the judge is right then, on it
        both are wrong.
    confidence : float

    Returns
    -------
    Estimate
        Undefined where a cell with decisions has none that was looked at.
    """
    empty = int(counts[(counts > 0) & (n_coded == 0)].sum())
    if empty:
        return Estimate(float("nan"), None, f"of some kinds of decisions, {empty} in all, none is coded")
    shares = np.divide(n_wrong, n_coded, where=n_coded > 0, out=np.zeros(counts.shape))
    value = float(_agreement(counts.astype(np.float64), shares))
    if np.isnan(value):
        return Estimate(value, None, "a side gives one label only")
    rng, diagonal = np.random.default_rng(0), np.eye(len(counts), dtype=bool)
    a, b = (np.where(diagonal, agreed, other) for agreed, other in zip(OF_AGREEMENTS, OF_DISAGREEMENTS, strict=True))
    used = counts > 0
    tables = np.zeros((DRAWS, *counts.shape))
    tables[:, used] = rng.dirichlet(counts[used], DRAWS)
    values = _agreement(tables, rng.beta(n_wrong + a, n_coded - n_wrong + b, (DRAWS, *counts.shape)))
    tail = (1 - confidence) / 2
    low, high = (float(end) for end in np.nanquantile(values, [tail, 1 - tail]))
    return Estimate(value, Interval(min(low, value), max(high, value), METHOD))


def _agreement(tables: FloatArray, wrong: FloatArray) -> FloatArray:
    """Return the agreement of tables of shape (…, K, K) in which people are wrong in a share of each cell."""
    stays = tables * (1 - wrong)
    diagonal = np.eye(tables.shape[-1], dtype=bool)
    if tables.shape[-1] != 2:
        right = np.where(diagonal, stays, tables * wrong).sum((-2, -1))
        return np.asarray(right / tables.sum((-2, -1)))
    return np.asarray(cohen_kappa(stays + (tables * wrong)[..., ::-1, :]))
