"""How much of the data a judge's numbers speak of, in all and by criterion."""

from __future__ import annotations

import numpy as np

from metrics.data.abstention import Coverage, coverage_of
from metrics.data.pairs import cells_of, patterns_of, verdicts, voted
from metrics.data.ratings import Ratings
from metrics.results import words


def coverages(ratings: Ratings, judge: str, reference: str) -> tuple[Coverage, dict[str, Coverage]]:
    """Return coverage of a judge beside the reference, over all criteria and on each.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        A rule or a human, as `metrics.agreement` takes it.

    Returns
    -------
    tuple of (Coverage, dict of str to Coverage)
        Of all criteria, and by criterion.

    Raises
    ------
    InputError
        For an unknown reference.
    """
    raw, scheme, human_votes = patterns_of(ratings, judge, reference).raw, ratings.scheme, voted(ratings, reference)
    cells, asked = cells_of(ratings), verdicts(ratings, judge, "judge") < ratings.scheme.state("error")
    votes = np.zeros((len(ratings.criteria), 2), np.int64)
    for place, those in enumerate((human_votes.several, human_votes.between_labels)):
        rows = np.flatnonzero(asked & those)
        weight = ratings.weight[cells.item[rows]]
        votes[:, place] = np.bincount(cells.criterion[rows], weights=weight, minlength=len(votes))
    by_criterion = {n: coverage_of(raw[i], scheme, *votes[i].tolist()) for i, n in enumerate(ratings.criteria)}
    return coverage_of(raw.sum(0), scheme, *votes.sum(0).tolist()), by_criterion


MANY_SPLIT = 0.1
"""Share of split votes above which what is left differs from the whole: those are the hard decisions."""


def split_votes_sentence(coverage: Coverage) -> str:
    """Return on how many decisions the people's votes split, and what becomes of them."""
    share = f"{words.count(coverage.n_split)} of {words.several(coverage.n_voted, 'decisions')} with several votes"
    return f"The people’s votes split on {share} ({words.percent(coverage.split_rate)}); these are left out."


def median_between_sentence(coverage: Coverage) -> str:
    """Return on how many decisions the median lies between two labels, and which counts; empty where on none."""
    if not coverage.apart_rate > 0:
        return ""
    n = round(coverage.apart_rate * coverage.n_voted)
    share = f"{words.count(n)} of {words.several(coverage.n_voted, 'decisions')} with several votes"
    return f"The people’s median lies between two labels on {share} ({words.percent(coverage.apart_rate)}); the lower one counts."


def easier_items_sentence(coverage: Coverage) -> str:
    """Return what many split votes do to the rest; empty where there are few."""
    if not coverage.split_rate > MANY_SPLIT:
        return ""
    return f"{split_votes_sentence(coverage)} What is left is easier than the whole."
