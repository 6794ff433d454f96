"""Where raters disagree: units by the entropy of their labels, side by side, and the labels a team settles on, as a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import MAX_RATERS, free_texts, reason_of
from metrics.analyses.raters.levels import levels_of_scales
from metrics.analyses.raters.units import Units, rating_places, units_of
from metrics.data.abstention import Mode
from metrics.data.order import Measurement
from metrics.data.ratings import Ratings, Role
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.readers.wide import wide_columns
from metrics.results import words

Decided = Mapping[tuple[str, str], str]
"""(item, criterion) to the label settled on."""
COLUMN, BEFORE, ENTROPY = "adjudicated", "label before", "entropy, bits"
# Shapes of a file in which a row is one label or one pair.
LONG = ("raters", "pairs")


@dataclass(frozen=True)
class RaterLabel:
    """What one rater said of a unit: the label and the reason as they stand in the file, and the file's other columns."""

    rater: str
    label: str
    texts: Mapping[str, str]
    reason: str = ""


def key_of(ratings: Ratings, disagreements: Disagreements, place: int) -> tuple[str, str]:
    """Return item and criterion of a unit, as they stand in the file.

    Parameters
    ----------
    ratings : Ratings
    disagreements : Disagreements
        Of these ratings.
    place : int
        Of the unit in `found.units`.
    """
    units = disagreements.units
    return ratings.items[int(units.item[place])].as_py(), ratings.criteria[int(units.criterion[place])]


def unit_frame(ratings: Ratings, disagreements: Disagreements, places: NDArray[np.int64], decided: Decided) -> pd.DataFrame:
    """Return one row per unit: item, criterion, the label settled on, what each rater wrote, and how far they are apart.

    Labels of up to 12 raters, each with its reason where there is any, stand side by side; of more, the votes alone.

    Parameters
    ----------
    ratings : Ratings
    disagreements : Disagreements
        Of these ratings.
    places : ndarray of int64, shape (n,)
        Of the units in `found.units`, in the order of the rows.
    decided : mapping
        Labels settled on so far.
    """
    units = disagreements.units
    keys = [key_of(ratings, disagreements, int(place)) for place in places]
    columns: dict[str, object] = {
        "item": [item for item, _ in keys],
        "criterion": [criterion for _, criterion in keys],
        COLUMN: [decided.get(key, "") for key in keys],
        "votes": [_votes(disagreements, int(place)) for place in places],
    }
    if len(units.raters) <= MAX_RATERS:
        rated = rating_places(ratings, units.at(places))
        labels = np.array([*ratings.labels, ""], dtype=object)
        shown = labels[np.where(rated >= 0, ratings.label[rated], len(ratings.labels))]
        for rater, name in enumerate(units.raters):
            columns[f"{units.role}: {name}"] = shown[:, rater]
            reasons = ratings.reasons(rated[:, rater])
            if any(reasons):
                columns[reason_of(f"{units.role}: {name}")] = [reason or "" for reason in reasons]
    columns[ENTROPY] = disagreements.entropy[places]
    return pd.DataFrame(columns)


def rater_labels_of(
    ratings: Ratings, disagreements: Disagreements, place: int, columns: Sequence[str] | None = None
) -> list[RaterLabel]:
    """Return what each rater of a unit said, in the order of the file.

    Parameters
    ----------
    ratings, disagreements, place
        As in `key_of`.
    columns : sequence of str, optional
        Which of the file's other columns, in their order; default all.
    """
    rated = rating_places(ratings, disagreements.units.at(np.array([place])))[0]
    places = rated[rated >= 0]
    texts, reasons = free_texts(ratings, ratings.row[places], columns), ratings.reasons(places)
    beside = texts.to_dict("records") if len(texts.columns) else [{}] * len(places)
    return [
        RaterLabel(
            disagreements.units.raters[rater],
            ratings.labels[ratings.label[rating]],
            {str(column): str(text) for column, text in beside[i].items() if text is not None and str(text).strip()},
            reasons[i] or "",
        )
        for i, (rater, rating) in enumerate(zip(np.flatnonzero(rated >= 0), places, strict=True))
    ]


def with_adjudicated(ratings: Ratings, decided: Decided) -> pd.DataFrame:
    """Return the whole file with what was settled on as a new last column, empty where nothing was.

    Where a row is one label or one pair, every row of the file with that item and criterion gets it, rows that a later one
    replaced and other runs too; else the rows that ratings were read from.

    Where one row of the file carries several criteria there is a column for each of them. A column of that name in the file
    keeps its name, and the new one gets a number.

    Raises
    ------
    ValueError
        For ratings without a file behind them.
    """
    frame = _file_of(ratings)
    item, criterion = ratings.items.to_pylist(), ratings.criteria
    several = len(np.unique(np.stack([ratings.row, ratings.criterion]), axis=1)[0]) > len(np.unique(ratings.row))
    named = _named(ratings) if decided else {}
    settled = {(item.index(item_name), criterion.index(on)): label for (item_name, on), label in decided.items()}
    new: dict[str, list[str]] = {} if several else {_free(COLUMN, frame): [""] * len(frame)}
    for (item_place, on), label in settled.items():
        name = _free(f"{COLUMN}: {criterion[on]}" if several else COLUMN, frame)
        column = new.setdefault(name, [""] * len(frame))
        for row in ratings.row[(ratings.item == item_place) & (ratings.criterion == on)].tolist():
            column[row] = label
        for row in named.get((item[item_place], criterion[on]), ()):
            column[row] = label
    return frame.assign(**new)


def with_labels(ratings: Ratings, decided: Decided) -> pd.DataFrame:
    """Return the whole file with people's labels replaced where others are right, and what they were in new last columns.

    The file is read again as it was: columns of people's labels keep their names.

    Parameters
    ----------
    ratings : Ratings
    decided : mapping
        The right labels.

    Raises
    ------
    ValueError
        For ratings without a file behind them.
    """
    frame = _file_of(ratings).astype(object)
    replaced = {name: _labels_of_rows(ratings, frame, decided, on) for name, on in _columns_of_people(ratings).items()}
    before = BEFORE if len(replaced) == 1 else f"{BEFORE}: {{}}"
    old = {
        _free(before.format(name), frame): [frame[name].iloc[row] if row in labels else "" for row in range(len(frame))]
        for name, labels in replaced.items()
        if labels or len(replaced) == 1
    }
    new = {name: [labels.get(row, was) for row, was in enumerate(frame[name])] for name, labels in replaced.items()}
    return frame.assign(**new, **old)


def _file_of(ratings: Ratings) -> pd.DataFrame:
    if ratings.table is None:
        raise ValueError("there is no file behind these ratings")
    frame: pd.DataFrame = ratings.table.to_pandas()
    return frame


def _columns_of_people(ratings: Ratings) -> dict[str, str | None]:
    """Return the columns of people's labels, each with the one criterion it is of; None where a row says of which."""
    columns = dict(ratings.columns)
    if ratings.source.shape in LONG:
        return {columns["human" if ratings.source.shape == "pairs" else "label"]: None}
    people = set(ratings.humans)
    return {wide.column: wide.criterion for wide in wide_columns(columns) if wide.rater in people}


def _labels_of_rows(ratings: Ratings, frame: pd.DataFrame, decided: Decided, criterion: str | None) -> dict[int, str]:
    """Return the right label of every row of the file in which a column has one of people; of one criterion, or of each row's."""
    judges, named = set(ratings.judges), _named(ratings)
    names = frame[dict(ratings.columns)["rater"]] if ratings.source.shape == "raters" else None
    out: dict[int, str] = {}
    place = {item: at for at, item in enumerate(ratings.items.to_pylist())}
    for (item, on), label in decided.items():
        if criterion in (None, on):
            cell = (ratings.item == place[item]) & (ratings.criterion == ratings.criteria.index(on))
            for row in named.get((item, on), ratings.row[cell].tolist()):
                if names is None or str(names.iloc[row]).strip() not in judges:
                    out[row] = label
    return out


def _named(ratings: Ratings) -> dict[tuple[str, str], list[int]]:
    """Return rows of the file by the item and criterion they name, where a row is one label or one pair."""
    columns, table = dict(ratings.columns), ratings.table
    if table is None or ratings.source.shape not in LONG or columns.get("item") not in table.column_names:
        return {}
    items = table.column(columns["item"]).to_pylist()
    first_criterion = ratings.criteria[0]
    criteria = table.column(columns["criterion"]).to_pylist() if "criterion" in columns else [first_criterion] * len(items)
    rows_by_pair: dict[tuple[str, str], list[int]] = {}
    for row, (item, criterion) in enumerate(zip(items, criteria, strict=True)):
        rows_by_pair.setdefault((item or "", (criterion or "").strip()), []).append(row)
    return rows_by_pair


def _free(name: str, frame: pd.DataFrame) -> str:
    return next(
        candidate
        for candidate in (name, *(f"{name} {n}" for n in range(2, len(frame.columns) + 3)))
        if candidate not in frame.columns
    )


def _votes(disagreements: Disagreements, place: int) -> str:
    votes = zip(disagreements.units.votes[place], disagreements.units.classes, strict=True)
    return " · ".join(f"{words.count(int(vote))} × {words.plain(label)}" for vote, label in votes if vote)


def entropy_of(votes: NDArray[np.integer[Any]]) -> FloatArray:
    r"""Return Shannon entropy of the labels in bits, :math:`-\sum_k p_k \log_2 p_k`.

    Parameters
    ----------
    votes : ndarray of int, shape (..., K)
        Raters per class.

    Returns
    -------
    ndarray, shape (...)
        0 where all agree, at most log2 K; NaN where fewer than two rated.

    References: Shannon (1948), doi:10.1002/j.1538-7305.1948.tb01338.x.
    """
    n = votes.sum(-1)
    share = safe_ratio(votes, n[..., None])
    terms = np.where(share > 0, -share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
    return np.where(n > 1, np.abs(terms.sum(-1)), np.nan)


@dataclass(frozen=True)
class Pattern:
    """Units with the same votes.

    Attributes
    ----------
    votes : tuple of int, length K
        Raters per class.
    entropy : float
        In bits; 0 where all agree.
    """

    votes: tuple[int, ...]
    entropy: float
    n_units: int

    @property
    def split(self) -> bool:
        return sum(vote > 0 for vote in self.votes) > 1


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Units with two or more labels, most disputed first; in a tally, kinds of them.

    Attributes
    ----------
    units : Units
        In that order: by disagreement at the level of the criterion, then by entropy, by the number of labels, as in the file.
    entropy : ndarray, shape (n_units,)
        In bits.
    pattern : ndarray of int64, shape (n_units,)
        Place of each unit's votes in `patterns`.
    patterns : tuple of Pattern
        Disputed ones first, the most frequent first among them.
    n_single : int
        Units with one label only, whose entropy is undefined; they are in nothing here.
    weighted : bool
        Whether the labels of some criterion have an order, so that those far apart come first.
    """

    units: Units
    entropy: FloatArray
    pattern: NDArray[np.int64]
    patterns: tuple[Pattern, ...]
    n_single: int
    weighted: bool = False

    @property
    def n_units(self) -> int:
        """Units with two or more labels."""
        return self.units.n

    @property
    def n_split(self) -> int:
        """Units on which the raters differ."""
        return int(self.units.times @ (self.entropy > 0))

    @property
    def unit(self) -> str:
        """What the units are, in words."""
        return "items" if len(np.unique(self.units.item)) == len(self.units) else "decisions"

    def places(self, *, criterion: int | None = None, pattern: int | None = None, split: bool = True) -> NDArray[np.int64]:
        """Return places of units, most disputed first.

        Parameters
        ----------
        criterion : int, optional
            Code of the criterion they are of. Default: any.
        pattern : int, optional
            Place in `patterns` of the votes they have. Default: any.
        split : bool
            Whether units on which all agree are left out.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        keep = (self.entropy > 0) | (not split)
        if criterion is not None:
            keep &= self.units.criterion == criterion
        if pattern is not None:
            keep &= self.pattern == pattern
        return np.flatnonzero(keep)


def disagreements(
    ratings: Ratings, *, role: Role | None = None, level: Measurement | None = None, abstention: Mode = "exclude"
) -> Disagreements:
    """Return units by how far their labels lie apart: at the nominal level, where labels are equal or not, by their entropy.

    Parameters
    ----------
    role : {"human", "judge", None}
        Whose labels; None as in `metrics.analyses.raters.units.units_of`, which says what raises.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Default: what the confirmed scale of each criterion says.
    """
    units = units_of(ratings, role, mode=abstention)
    entropy = entropy_of(units.votes)
    several = np.flatnonzero(~np.isnan(entropy))
    levels = levels_of_scales(ratings, level, abstention)
    keys = [-units.votes[several].sum(1), -entropy[several]]
    if levels.weighted:
        keys.append(-levels.disagreement(units, ratings.criteria)[several])
    order = several[np.lexsort(keys)]
    chosen, entropies = units.at(order), entropy[order]
    pattern, patterns = _patterns(chosen, entropies)
    return Disagreements(chosen, entropies, pattern, patterns, units.n - chosen.n, levels.weighted)


def _patterns(units: Units, entropy: FloatArray) -> tuple[NDArray[np.int64], tuple[Pattern, ...]]:
    distinct, first, which = np.unique(units.votes, axis=0, return_index=True, return_inverse=True)
    n = np.bincount(which.ravel(), weights=units.times, minlength=len(distinct))
    agreed = entropy[first] == 0
    order = np.lexsort((-distinct.sum(1), -entropy[first], -n, agreed))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    patterns = tuple(Pattern(tuple(distinct[row].tolist()), float(entropy[first[row]]), int(n[row])) for row in order)
    return place[which.ravel()], patterns
