"""Who gives no verdict, and on what: rates by criterion, prompt, judge and label; and what a column says beside a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.abstention.shares import Share, share_of, shares_by
from metrics.analyses.settings import Settings
from metrics.data.abstention import class_of_state
from metrics.data.item_columns import values_of_rows
from metrics.data.item_texts import has_own_prompts
from metrics.data.labels import Scheme
from metrics.data.pairs import cell_ratings, cells_of, patterns_of, reference_states, verdicts
from metrics.data.patterns import NOT_ASKED, Patterns
from metrics.data.ratings import Ratings

# A column with more distinct values than this is not taken for prompts to compare.
MOST_PROMPTS = 2000
NO_VERDICT, SPLIT = "no verdict", "split vote"


@dataclass(frozen=True)
class Group:
    """The decisions of one criterion, prompt, judge or label, and the share of them each side left open.

    Attributes
    ----------
    split : Share or None
        Share on which the people's votes split; None where they nowhere did.
    is_label : bool
        Whether a group by label is one, and not what stands in its place.
    """

    name: str
    judge: Share | None
    human: Share | None = None
    split: Share | None = None
    is_label: bool = True

    @property
    def sides(self) -> list[tuple[str, Share]]:
        """Each side that has a share, by its name."""
        return [(side, share) for side, share in (("judge", self.judge), ("human", self.human)) if share is not None]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Every decision with a row of both sides, one per place.

    Attributes
    ----------
    reference, judge : ndarray of int64, shape (n,)
        Class, or K where the side gave no verdict; of the reference K + 1 where the people's votes split.
    weight : ndarray of int64, shape (n,)
        How often it counts: 1, or more in a table of counts and in a tally.
    cell : ndarray of int64, shape (n,)
        Its (item, criterion) cell of the ratings.
    """

    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    reference: NDArray[np.int64]
    judge: NDArray[np.int64]
    weight: NDArray[np.int64]
    cell: NDArray[np.int64]
    k: int

    @property
    def split(self) -> NDArray[np.bool_]:
        return self.reference > self.k

    @property
    def n_split(self) -> int:
        return int(self.weight[self.split].sum())

    def unsplit(self) -> Decisions:
        """Return those without a split vote."""
        kept = np.flatnonzero(~self.split)
        sides = self.reference[kept], self.judge[kept], self.weight[kept], self.cell[kept]
        return Decisions(self.item[kept], self.criterion[kept], *sides, self.k)


def decisions_of(ratings: Ratings, judge: str, reference: str) -> Decisions:
    """Return the decisions of a judge beside the reference.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        See `metrics.agreement`.
    """
    place = places(ratings.scheme)
    cells = cells_of(ratings)
    states, k = reference_states(ratings, reference), ratings.scheme.n_classes
    human = np.where(states == ratings.scheme.state("split"), k + 1, place[states])
    verdict = place[verdicts(ratings, judge, "judge")]
    both = np.flatnonzero((human >= 0) & (verdict >= 0))
    item = cells.item[both]
    return Decisions(item, cells.criterion[both], human[both], verdict[both], ratings.weight[item], both, k)


def places(scheme: Scheme) -> NDArray[np.int64]:
    """Return of every raw state its class, K for no verdict, -1 for no rating.

    As for coverage, whatever is made of ties and invalid answers: who gave no verdict does not depend on what that counts as.
    """
    return class_of_state(replace(scheme, handling=()), "as_category")


def by_criterion(ratings: Ratings, decisions: Decisions, confidence: float = 0.95) -> list[Group]:
    """Return both sides' rates on each criterion.

    Parameters
    ----------
    ratings : Ratings
    decisions : Decisions
        Of these ratings.
    confidence : float
        Of the intervals, in (0, 1).
    """
    return _groups(decisions, ratings.criteria, decisions.criterion.astype(np.int64), confidence)


def by_prompt(ratings: Ratings, judge: str, decisions: Decisions, confidence: float = 0.95) -> list[Group]:
    """Return both sides' rates by the file's prompt column, as it stands beside the judge's verdict.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    decisions : Decisions
        Of this judge.
    confidence : float
        Of the intervals, in (0, 1).

    Returns
    -------
    list of Group
        Empty without a prompt column, with one prompt, with more than `MOST_PROMPTS`, and where each item has its own.
    """
    if has_own_prompts(ratings):
        return []
    beside = texts_beside(ratings, judge, decisions.cell, "prompt")
    if beside is None or not 1 < len(beside[0]) <= MOST_PROMPTS:
        return []
    groups = _groups(decisions, beside[0], beside[1], confidence)
    return [group for group in groups if group.judge is not None and group.judge.total]


def _groups(decisions: Decisions, names: Sequence[str], group: NDArray[np.int64], confidence: float) -> list[Group]:
    judge, human, split = (
        shares_by(group, decisions.item, event, decisions.weight, len(names), confidence)
        for event in (decisions.judge == decisions.k, decisions.reference == decisions.k, decisions.split)
    )
    apart = split if decisions.n_split else [None] * len(names)
    return [Group(*shares) for shares in zip(names, judge, human, apart, strict=True)]


def by_label(scheme: Scheme, decisions: Decisions, confidence: float = 0.95) -> tuple[list[Group], list[Group]]:
    """Return the judge's rate by what the reference said, and the reference's by what the judge said; then by no verdict.

    Where people's votes split the judge's rate on those decisions is last.

    Parameters
    ----------
    scheme : Scheme
    decisions : Decisions
        On the classes of the scheme.
    confidence : float
        Of the intervals, in (0, 1).
    """
    names, k = (*scheme.classes, NO_VERDICT, SPLIT), decisions.k
    judge = _one_sided(decisions, decisions.reference, decisions.judge, k + 2, confidence)[: k + 1 + bool(decisions.n_split)]
    human = _one_sided(decisions, decisions.judge, decisions.reference, k + 1, confidence)
    return (
        [Group(names[at], share, is_label=at < k) for at, share in enumerate(judge)],
        [Group(names[at], None, share, is_label=at < k) for at, share in enumerate(human)],
    )


def _one_sided(
    decisions: Decisions, label: NDArray[np.int64], answers: NDArray[np.int64], n: int, confidence: float
) -> list[Share]:
    return shares_by(label, decisions.item, answers == decisions.k, decisions.weight, n, confidence)


def by_judge(ratings: Ratings, settings: Settings, confidence: float = 0.95) -> list[Group]:
    """Return every judge's rate, and the reference's on the decisions of that judge.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        Reference.
    confidence : float
        Of the intervals, in (0, 1).
    """
    return [
        Group(name, *_sides(patterns_of(ratings, name, settings.reference), ratings.scheme, confidence))
        for name in ratings.judges
    ]


def _sides(patterns: Patterns, scheme: Scheme, confidence: float) -> tuple[Share, Share, Share | None]:
    human, judge, counted = placed(patterns, scheme)
    split = (patterns.reference == scheme.state("split")) & (judge >= 0)
    k, of = scheme.n_classes, (counted | split).sum(0)
    share, others, apart = (
        share_of(event.sum(0), of, patterns.multiplicity, confidence)
        for event in ((counted | split) & (judge == k), counted & (human == k), split)
    )
    return share, others, apart if apart.count else None


def placed(patterns: Patterns, scheme: Scheme) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return place of both sides and whether the decision counts, shape (C, n_patterns)."""
    place = places(scheme)
    human, judge = place[patterns.reference], place[patterns.judge]
    counted = (patterns.reference != NOT_ASKED) & (human >= 0) & (judge >= 0)
    return human, judge, counted


def texts_beside(ratings: Ratings, judge: str, cells: NDArray[np.int64], role: str) -> tuple[list[str], NDArray[np.int64]] | None:
    """Return the trimmed values of the column of a role in order, and the value of each cell.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    cells : ndarray of int64, shape (n,)
        (item, criterion) cells of the ratings that the judge rated.
    role : str
        Role of the column, such as `prompt` or `confidence`.

    Returns
    -------
    (list of str, ndarray of int64, shape (n,)) or None
        Distinct values, and the place of each cell's value among them, -1 where it is empty; None where no column has the role.
    """
    column = dict(ratings.columns).get(role)
    if column is None or ratings.table is None:
        return None
    values, of_row = values_of_rows(ratings, column)
    return values, of_row[ratings.row[cell_ratings(ratings, judge, "judge")[cells]]]
