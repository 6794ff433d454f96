"""How much of the data a judge's numbers speak of, in all and by criterion, and what is to be said of the rest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.records import Warn
from metrics.data.abstention import Coverage, coverage_of
from metrics.data.labels import Scheme
from metrics.data.nonverdicts import handling_words
from metrics.data.pairs import cells_of, patterns_of, verdicts, voted
from metrics.data.ratings import Ratings
from metrics.results import words

MANY_SPLIT = 0.1
"""Share of split votes above which what is left differs from the whole: those are the hard decisions."""


def coverages(ratings: Ratings, judge: str, reference: str, *, each: bool = True) -> tuple[Coverage, dict[str, Coverage]]:
    """Return coverage of a judge beside the reference, over all criteria and on each.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        A rule or a human, as `metrics.agreement` takes it.
    each : bool
        Whether that of each criterion is wanted.

    Returns
    -------
    tuple of (Coverage, dict of str to Coverage)
        Of all criteria, and by criterion.

    Raises
    ------
    InputError
        For an unknown reference.
    """
    raw, scheme, votes = patterns_of(ratings, judge, reference).raw, ratings.scheme, votes_beside(ratings, judge, reference)
    names = ratings.criteria if each else ()
    by_criterion = {n: coverage_of(raw[i], scheme, *votes[i].tolist()) for i, n in enumerate(names)}
    return coverage_of(raw.sum(0), scheme, *votes.sum(0).tolist()), by_criterion


def votes_beside(ratings: Ratings, judge: str, reference: str) -> NDArray[np.int64]:
    """Return decisions of a judge on which several people voted, and on which their median lies between two labels.

    Parameters
    ----------
    ratings, judge, reference
        As in `coverages`.

    Returns
    -------
    ndarray, shape (C, 2)
    """
    human_votes, votes = voted(ratings, reference), np.zeros((len(ratings.criteria), 2), np.int64)
    for place, those in enumerate((human_votes.several, human_votes.between_labels)):
        if not those.any():
            continue
        cells, asked = cells_of(ratings), verdicts(ratings, judge, "judge") < ratings.scheme.state("error")
        rows = np.flatnonzero(asked & those)
        weight = ratings.weight[cells.item[rows]]
        votes[:, place] = np.bincount(cells.criterion[rows], weights=weight, minlength=len(votes))
    return votes


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
    return f"The people’s median is between two labels on {share} ({words.percent(coverage.apart_rate)}); the lower one counts."


def easier_items_sentence(coverage: Coverage) -> str:
    """Return what many split votes do to the rest; empty where there are few."""
    if not coverage.split_rate > MANY_SPLIT:
        return ""
    return f"{split_votes_sentence(coverage)} What is left is easier than the whole."


def unmatched(judge: str, coverage: Coverage, ratings: Ratings) -> list[Warn]:
    """Return what only one side rated; where a score may stand without a label, what only one side labelled.

    Parameters
    ----------
    judge : str
    coverage : Coverage
        Of this judge.
    ratings : Ratings
    """
    out, given = [], "label" if (ratings.state == ratings.scheme.state("missing")).any() else "rating"
    lone = [(coverage.n_human_only, judge), (coverage.n_judge_only, "the reference")]
    parts = [f"{words.several(n, 'decisions')} without a {given} of {side}" for n, side in lone if n]
    if parts:
        out.append(Warn("unmatched", f"{judge}: not counted: {' and '.join(parts)}."))
    return out


def votes_apart(coverages: Mapping[str, Coverage]) -> list[Warn]:
    """Return what people's votes that come to none, or lie between two labels, do to the reference.

    Once where all judges share it.
    """
    out = []
    for code, say in (("split_votes", easier_items_sentence), ("median_between", median_between_sentence)):
        text_by_judge = {judge: text for judge, coverage in coverages.items() if (text := say(coverage))}
        if len(text_by_judge) == len(coverages) and len(set(text_by_judge.values())) == 1:
            out.append(Warn(code, next(iter(text_by_judge.values()))))
        else:
            out += [Warn(code, f"{judge}: {text}") for judge, text in text_by_judge.items()]
    return out


def failed(judge: str, coverage: Coverage, scheme: Scheme) -> list[Warn]:
    """Return what became of failed calls.

    Parameters
    ----------
    judge : str
    coverage : Coverage
        Of this judge.
    scheme : Scheme
    """
    n, how = coverage.n_errors, scheme.handled("error")
    if not n:
        return []
    start, single = f"{judge}: {n} judge {'call' if n == 1 else 'calls'} failed", n == 1
    if how == "exclude":
        return [Warn("failed_calls", f"{start}; {'it counts' if single else 'they count'} as missing.")]
    if how == "abstention":
        return [
            Warn("failed_calls_counted", f"{start}; {'it counts as an abstention' if single else 'they count as abstentions'}.")
        ]
    handling = handling_words("error", how, scheme.classes[1])
    return [Warn("failed_calls_counted", f"{start}, and {'is' if single else 'are'} in the numbers: {handling}.")]
