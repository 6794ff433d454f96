"""Which decisions a list of items is made of, and which of them is the clearest disagreement: a row to a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import item_verdicts_of
from metrics.analyses.disagreements.numbers import Numbers, numbers_in
from metrics.analyses.ensembles.split import split_decisions
from metrics.analyses.raters.adjudicating import disagreements
from metrics.analyses.review.informative import Against, against, steps_apart
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, mode_map, on_axis
from metrics.data.aggregation import ABSENT, UNDECIDED, Level
from metrics.data.labels import NUMBER
from metrics.data.pairs import Cells, cells_of, patterns_of, reference_name, reference_states, verdicts, votes_of
from metrics.data.ratings import Ratings, Role

Rows = Literal["disagreements", "no_verdict", "most", "people", "judges", "only_judge", "only_other", "neither", "check", "all"]
"""Which decisions: the judge differs from the reference, a side gives no verdict, most judges that answered are wrong, raters of
one role differ; of two judges who is right; disagreements and a random part of agreements; or all.
"""
LEAST_CHECKED, MOST_CHECKED = 10, 100
"""Agreements on one label of a criterion that are drawn: as many as there are disagreements, between these."""
DIGITS = 9
"""What differs by rounding only is alike."""
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Side:
    """What a judge says beside the reference, a row to a cell; -1 where there is no verdict in the mode.

    Attributes
    ----------
    name : str
    verdict : ndarray of int64, shape (n_cells,)
    counted : (ndarray of int64, ndarray of int64), shape (n_cells,) each
        Reference and judge as the level counts them: at the item level the verdict of the whole item, else the decision.
    rated : ndarray of bool, shape (n_cells,)
        Both sides have a row, a failed call counted.
    """

    name: str
    verdict: Ints
    counted: tuple[Ints, Ints]
    rated: Mask

    @property
    def settled(self) -> Mask:
        """Both sides have a verdict that counts."""
        return (self.counted[0] >= 0) & (self.counted[1] >= 0)

    @property
    def right(self) -> Mask:
        return np.asarray(self.settled & (self.counted[0] == self.counted[1]))

    @property
    def wrong(self) -> Mask:
        return np.asarray(self.settled & (self.counted[0] != self.counted[1]))


@dataclass(frozen=True, eq=False)
class Listing:
    """Everything that a list of items is chosen from, of one judge beside the reference or of raters alone.

    Attributes
    ----------
    settings : Settings
        With the judge, and no judge where raters are alone.
    labels : tuple of str
        Of the axis of the mode; empty of numbers.
    reference : ndarray of int64, shape (n_cells,)
        On that axis; -1 where it gives no verdict.
    judge, other : Side or None
        The judge, and another one that it is compared with.
    by_item : bool
        Items are counted, by their item verdicts.
    numbers : Numbers or None
        Where labels are numbers.
    people, judges : ndarray of int64, shape (n_cells, K), or None
        Votes of the raters of a role; None with fewer than two of them, and of numbers.
    """

    ratings: Ratings
    settings: Settings
    labels: tuple[str, ...]
    reference: Ints
    judge: Side | None = None
    other: Side | None = None
    by_item: bool = False
    numbers: Numbers | None = None
    people: Ints | None = None
    judges: Ints | None = None
    memo: dict[tuple[str, Rows], Any] = field(default_factory=dict, repr=False)
    """Orders, worked out once for each kind of rows."""

    @property
    def cells(self) -> Cells:
        return cells_of(self.ratings)

    @property
    def first(self) -> Rows:
        """What is listed unless something else is asked for."""
        return next(iter(self.kinds))

    @property
    def settled(self) -> Mask:
        """Both sides have a verdict that counts, or a number; nowhere without a judge."""
        if self.judge is None:
            return np.zeros(len(self.cells), bool)
        return self.judge.settled if self.numbers is None else np.asarray(self.numbers.distance >= 0)

    @cached_property
    def differs(self) -> Mask:
        """Decisions on which the judge differs from the reference, whatever the level."""
        if self.numbers is not None:
            return np.asarray(self.numbers.distance > 0)
        if self.judge is None:
            return np.zeros(len(self.cells), bool)
        return self._differs(self.judge)

    @cached_property
    def n_answered(self) -> tuple[Ints, Ints]:
        """Judges of all in the file that gave a verdict beside the reference on each decision, and those of them that differ."""
        answered, wrong = np.zeros((2, len(self.cells)), np.int64)
        for name in raters_of(self.ratings, "judge"):
            labels = on_axis(verdicts(self.ratings, name, "judge"), self.ratings.scheme, self.settings.abstention)
            both = (labels >= 0) & (self.reference >= 0)
            answered += both
            wrong += both & (labels != self.reference)
        return answered, wrong

    @cached_property
    def checked(self) -> Mask:
        """Agreements of judge and reference that are read beside the disagreements: a random part by criterion and label, the
        same one every time.
        """
        part = np.zeros(len(self.cells), bool)
        if self.judge is None or self.numbers is not None or self.by_item or not self.differs.any():
            return part
        agreed = (self.reference >= 0) & (self.judge.verdict == self.reference)
        stratum = self.cells.criterion.astype(np.int64) * len(self.labels) + np.maximum(self.reference, 0)
        order = np.random.default_rng(0).permutation(np.flatnonzero(agreed))
        order = order[np.argsort(stratum[order], kind="stable")]
        counts = np.bincount(stratum[order])
        n_differ = np.bincount(self.cells.criterion[self.differs], minlength=len(self.ratings.criteria))
        wanted = np.repeat(np.clip(n_differ // 2, LEAST_CHECKED, MOST_CHECKED), len(self.labels))[: len(counts)]
        rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        part[order[rank < wanted[stratum[order]]]] = True
        return part

    def _differs(self, side: Side) -> Mask:
        return np.asarray((self.reference >= 0) & (side.verdict >= 0) & (self.reference != side.verdict))

    @cached_property
    def kinds(self) -> Mapping[Rows, Mask]:
        """Decisions of each kind that the data have; at the item level all decisions of the items of that kind."""
        kinds: dict[Rows, Mask] = {}
        if self.judge is not None:
            kinds["disagreements"] = self.judge.wrong if self.numbers is None else self.differs
            kinds["no_verdict"] = self.judge.rated & ~self.settled
        if self.other is not None and self.judge is not None and self.numbers is None:
            kinds["only_judge"] = self.judge.right & self.other.wrong
            kinds["only_other"] = self.judge.wrong & self.other.right
            kinds["neither"] = self.judge.wrong & self.other.wrong
        if self.judge is not None and self.judges is not None:
            answered, wrong = self.n_answered
            most = 2 * wrong > answered
            kinds["most"] = np.isin(self.cells.item, self.cells.item[most]) if self.by_item else most
        if self.checked.any():
            kinds["check"] = self.differs | self.checked
        among: Mapping[Rows, Ints | None] = {"people": self.people, "judges": self.judges}
        kinds |= {role: (votes > 0).sum(1) > 1 for role, votes in among.items() if votes is not None and votes.sum(1).max() > 1}
        if self.numbers is not None and self.numbers.several:
            kinds["people"] = self.numbers.spread > 0
        kinds["all"] = np.ones(len(self.cells), bool) if self.judge is None else self.judge.rated
        return kinds

    def disputed(self, rows: Rows) -> Mask:
        """Return the decisions that a list of some rows is about: those on which the sides that it names differ."""
        if rows in ("people", "judges", "most"):
            return self.kinds[rows]
        if self.judge is None:
            return self.kinds[self.first] if self.first != "all" else np.zeros(len(self.cells), bool)
        return self._differs(self.other) if rows == "only_judge" and self.other is not None else self.differs

    def speaks(self, rows: Rows) -> Against | None:
        """Return what speaks against the judge that some rows are about; None of numbers, and of raters among each other."""
        side = self.other if rows == "only_judge" else self.judge
        if side is None or self.numbers is not None or rows in ("people", "judges", "most"):
            return None
        if ("speaks", rows) not in self.memo:
            self.memo["speaks", rows] = self._speaks(rows, side)
        speaks: Against = self.memo["speaks", rows]
        return speaks

    def _speaks(self, rows: Rows, side: Side) -> Against:
        places = np.flatnonzero(self.disputed(rows))
        scheme, k = self.ratings.scheme, len(self.labels)
        steps = np.zeros(len(places), np.int64)
        if 3 <= k <= scheme.n_classes:
            steps = steps_apart(scheme, self.reference[places], side.verdict[places])
        return against(self.ratings, side.name, self.settings, places, self.reference, side.verdict, steps)

    def rank(self, rows: Rows) -> Ints:
        """Return place of each decision in the order of the clearest disagreement, shape (n_cells,); those without one last."""
        if ("rank", rows) not in self.memo:
            self.memo["rank", rows] = _ranked(len(self.cells), self._order(rows))
        rank: Ints = self.memo["rank", rows]
        return rank

    def _order(self, rows: Rows) -> Ints:
        """Return the cells with a disagreement, the clearest first; of raters as their own pages have them."""
        if rows == "check":
            return np.random.default_rng(1).permutation(np.flatnonzero(self.kinds[rows]))
        if rows == "most":
            places, wrong = np.flatnonzero(self.kinds[rows]), self.n_answered[1]
            of_item = np.bincount(self.cells.item[places], wrong[places], self.ratings.n_unique)
            return places[np.lexsort((places, -wrong[places], -of_item[self.cells.item[places]]))]
        if self.votes(rows) is not None:
            return self._of_raters(self.first if rows == "all" else rows)
        if self.numbers is not None:
            places = np.flatnonzero(self.disputed(rows))
            far = self.numbers.spread if rows == "people" or self.judge is None else self.numbers.distance
            return places[np.lexsort((places, -np.round(far[places], DIGITS)))]
        speaks = self.speaks(rows)
        return np.flatnonzero(self.disputed(rows)) if speaks is None else speaks.place[speaks.order()]

    def _of_raters(self, role: Rows) -> Ints:
        mode = self.settings.abstention
        if role == "judges":
            split = split_decisions(self.ratings, reference=self.settings.reference, abstention=mode).verdict_matrix
            return self._cells_of(split.item, split.criterion)
        people = disagreements(self.ratings, role="human", abstention=mode)
        units = people.units.at(people.places())
        return self._cells_of(units.item, units.criterion)

    def _cells_of(self, item: NDArray[np.int32], criterion: NDArray[np.int32]) -> Ints:
        n = len(self.ratings.criteria)
        keys = self.cells.item.astype(np.int64) * n + self.cells.criterion
        return np.searchsorted(keys, item.astype(np.int64) * n + criterion)

    def votes(self, rows: Rows) -> Ints | None:
        """Return the votes that some rows are about; None where they are about a judge, and of numbers."""
        role = rows if rows in ("people", "judges") else self.first
        return {"people": self.people, "judges": self.judges}.get(role)

    def count(self, mask: Mask) -> int:
        """Return decisions, at the item level items, in a mask of cells."""
        return self.n_items(mask) if self.by_item else int(np.count_nonzero(mask))

    def n_items(self, mask: Mask) -> int:
        """Return items with a decision in a mask of cells."""
        there = np.zeros(self.ratings.n_unique, bool)
        there[self.cells.item[mask]] = True
        return int(np.count_nonzero(there))


def _ranked(n: int, order: Ints) -> Ints:
    """Return rank of each of n cells: as in the order, the others behind it as in the file."""
    rank = n + np.arange(n, dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def listing_of(ratings: Ratings, settings: Settings, *, level: Level = "micro", other: str = "") -> Listing:
    """Return what lists of items are chosen from.

    Parameters
    ----------
    ratings : Ratings
        With a row per rating.
    settings : Settings
        With the one judge that is looked at; without one raters are looked at among each other.
    level : {"micro", "macro", "item"}
        Items are counted by their verdicts at the item level of two labels, else decisions.
    other : str
        A second judge, to be compared with the first.

    Raises
    ------
    InputError
        As `metrics.agreement` for a reference or a mode that the data do not have.
    """
    ratings = settings.on(ratings)
    continuous = NUMBER in ratings.scheme.classes and len(ratings.scheme.classes) == 1
    n = len(cells_of(ratings))
    judged = bool(settings.judges) and bool(ratings.humans)
    by_item = judged and level == "item" and ratings.scheme.scale == "binary"
    reference, sides = np.full(n, -1), []
    if judged:
        settings = replace(settings, reference=reference_name(ratings, settings.reference))
        states = reference_states(ratings, settings.reference)
        reference = on_axis(states, ratings.scheme, settings.abstention)
        names = [settings.judges[0], *([other] if other else [])]
        sides = [_side(ratings, settings, name, states, reference, by_item=by_item) for name in names]
    votes = {} if continuous else {role: _votes(ratings, settings, role) for role in ("human", "judge")}
    return Listing(
        ratings,
        settings,
        () if continuous else mode_labels(ratings.scheme, settings.abstention),
        reference,
        sides[0] if sides else None,
        sides[1] if len(sides) > 1 else None,
        by_item,
        numbers_in(ratings, settings) if continuous else None,
        votes.get("human"),
        votes.get("judge"),
    )


def _side(ratings: Ratings, settings: Settings, name: str, states: NDArray[np.int8], reference: Ints, *, by_item: bool) -> Side:
    scheme = ratings.scheme
    given = verdicts(ratings, name, "judge")
    verdict = on_axis(given, scheme, settings.abstention)
    missing = scheme.state("missing")
    rated = (states < scheme.state("error")) & (given != missing)
    counted = (reference, verdict)
    if by_item:
        item = cells_of(ratings).item
        decided = item_verdicts_of(ratings, name, settings)
        of_item = patterns_of(ratings, name, settings.reference).of_item
        last = UNDECIDED if settings.abstention == "as_category" else UNDECIDED - 1
        both = [side[of_item].astype(np.int64) for side in (decided.reference, decided.judge)]
        rated = ((both[0] != ABSENT) & (both[1] != ABSENT))[item]
        counted = np.where(both[0] <= last, both[0], -1)[item], np.where(both[1] <= last, both[1], -1)[item]
    return Side(name, verdict, counted, rated)


def raters_of(ratings: Ratings, role: Role) -> list[str]:
    """Return the raters of a role; raters without one count as humans, and panels are no raters."""
    panels = {panel.name for panel in ratings.source.panels}
    return [rater.name for rater in ratings.raters if (rater.role or "human") == role and rater.name not in panels]


def _votes(ratings: Ratings, settings: Settings, role: Role) -> Ints | None:
    names = raters_of(ratings, role)
    if len(names) < 2:
        return None
    to_mode = mode_map(ratings.scheme, settings.abstention).T
    votes = votes_of(ratings, names, role)
    if role == "human":
        votes = votes + votes_of(ratings, names, None)
    return np.asarray(votes @ to_mode)
