"""Who gives no verdict, and on what: rates by criterion, prompt, judge and label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.abstaining.beside import texts_beside
from metrics.abstaining.shares import Share, share_of, shares_by
from metrics.abstention import mode_map
from metrics.choices import Settings
from metrics.labels import Scheme
from metrics.pairs import cells_of, patterns_of, reference_states, verdicts
from metrics.patterns import NOT_ASKED, Patterns
from metrics.ratings import Ratings

MOST_PROMPTS = 2000
NO_VERDICT = "no verdict"


@dataclass(frozen=True)
class Group:
    """The decisions of one criterion, prompt, judge or label, and the share of them each side left open."""

    name: str
    judge: Share | None
    human: Share | None = None


@dataclass(frozen=True, eq=False)
class Decisions:
    """Every decision with a row of both sides, one per place.

    Attributes
    ----------
    reference, judge : ndarray of int64, shape (n,)
        Class, or K where the side gave no verdict.
    weight : ndarray of int64, shape (n,)
        How often it counts: 1, or more in a table of counts and in a tally.
    cell : ndarray of int64, shape (n,)
        Its (item, criterion) cell of the ratings.
    n_split : int
        Decisions with a row of the judge on which the people's votes split; they are none of these.
    """

    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    reference: NDArray[np.int64]
    judge: NDArray[np.int64]
    weight: NDArray[np.int64]
    cell: NDArray[np.int64]
    k: int
    n_split: int = 0


def decisions_of(ratings: Ratings, judge: str, reference: str) -> Decisions:
    """The decisions of a judge beside the reference."""
    place = places(ratings.scheme)
    cells = cells_of(ratings)
    human, own = place[reference_states(ratings, reference)], place[verdicts(ratings, judge, "judge")]
    both = np.flatnonzero((human >= 0) & (own >= 0))
    item = cells.item[both]
    split = (reference_states(ratings, reference) == ratings.scheme.state("split")) & (own >= 0)
    n_split = int(ratings.weight[cells.item[np.flatnonzero(split)]].sum())
    sides = human[both], own[both], ratings.weight[item]
    return Decisions(item, cells.criterion[both], *sides, both, ratings.scheme.n_classes, n_split)


def places(scheme: Scheme) -> NDArray[np.int64]:
    """Of every raw state: its class, K for no verdict, -1 for no rating.

    As for coverage, whatever is made of ties and invalid answers: who gave no verdict does not depend on what it then counts as.
    """
    to_mode = mode_map(replace(scheme, handling=()), "as_category")
    return np.where(to_mode.any(0), to_mode.argmax(0), -1)


def by_criterion(ratings: Ratings, decisions: Decisions, confidence: float = 0.95) -> list[Group]:
    """Both sides' rates on each criterion."""
    return _groups(decisions, ratings.criteria, decisions.criterion.astype(np.int64), confidence)


def by_prompt(ratings: Ratings, judge: str, decisions: Decisions, confidence: float = 0.95) -> list[Group]:
    """Both sides' rates by the file's prompt column, as it stands beside the judge's verdict; empty without one."""
    beside = texts_beside(ratings, judge, decisions.cell, "prompt")
    if beside is None or not 1 < len(beside[0]) <= MOST_PROMPTS:
        return []
    found = _groups(decisions, beside[0], beside[1], confidence)
    return [group for group in found if group.judge is not None and group.judge.of]


def _groups(decisions: Decisions, names: Sequence[str], group: NDArray[np.int64], confidence: float) -> list[Group]:
    sides = [
        shares_by(group, decisions.item, own == decisions.k, decisions.weight, len(names), confidence)
        for own in (decisions.judge, decisions.reference)
    ]
    return [Group(name, judge, human) for name, judge, human in zip(names, *sides, strict=True)]


def by_label(scheme: Scheme, decisions: Decisions, confidence: float = 0.95) -> tuple[list[Group], list[Group]]:
    """The judge's rate by what the reference said, and the reference's by what the judge said; last by no verdict."""
    names = (*scheme.classes, NO_VERDICT)
    judge = _one_sided(decisions, decisions.reference, decisions.judge, len(names), confidence)
    human = _one_sided(decisions, decisions.judge, decisions.reference, len(names), confidence)
    return [Group(n, share) for n, share in zip(names, judge, strict=True)], [
        Group(n, None, share) for n, share in zip(names, human, strict=True)
    ]


def _one_sided(decisions: Decisions, label: NDArray[np.int64], own: NDArray[np.int64], n: int, confidence: float) -> list[Share]:
    return shares_by(label, decisions.item, own == decisions.k, decisions.weight, n, confidence)


def by_judge(ratings: Ratings, settings: Settings, confidence: float = 0.95) -> list[Group]:
    """Every judge's rate, and the reference's on the decisions of that judge."""
    return [
        Group(name, *_sides(patterns_of(ratings, name, settings.reference), ratings.scheme, confidence))
        for name in ratings.judges
    ]


def _sides(patterns: Patterns, scheme: Scheme, confidence: float) -> tuple[Share, Share]:
    human, judge, counted = placed(patterns, scheme)
    k, of = scheme.n_classes, counted.sum(0)
    return (
        share_of((counted & (judge == k)).sum(0), of, patterns.multiplicity, confidence),
        share_of((counted & (human == k)).sum(0), of, patterns.multiplicity, confidence),
    )


def placed(patterns: Patterns, scheme: Scheme) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Place of both sides and whether the decision counts, shape (C, n_patterns)."""
    place = places(scheme)
    human, judge = place[patterns.reference], place[patterns.judge]
    counted = (patterns.reference != NOT_ASKED) & (human >= 0) & (judge >= 0)
    return human, judge, counted
