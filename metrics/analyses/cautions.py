"""What every command says of the file that its numbers come from."""

from __future__ import annotations

import numpy as np

from metrics.analyses.records import Warn
from metrics.data.abstention import Mode
from metrics.data.nonverdicts import recodable
from metrics.data.ratings import Ratings
from metrics.data.similar_names import alike_sentences
from metrics.results.words import several, shorten


def cautions(ratings: Ratings, *, of_labels: bool = True, role: str | None = None, mode: Mode = "exclude") -> list[Warn]:
    """Warn of names that are probably one, and, where labels are counted, of ratings that have a score and no label.

    Parameters
    ----------
    role : {"human", "judge"}, optional
        Whose ratings; default all.
    mode : {"exclude", "as_unmet", "as_category"}
        Warned of where it takes a tie, or no answer, for the second of two answers, which no page offers.
    """
    warns = [Warn("alike_names", text) for text in alike_sentences(ratings)]
    if mode == "as_unmet" and ratings.scheme.scale == "binary" and not recodable(ratings):
        second = shorten(ratings.scheme.classes[1])
        text = f"as_unmet counts a tie, and no answer, as {second}. Neither is a win of {second}: take exclude or as_category."
        warns.append(Warn("tie_as_negative", text))
    return warns + [Warn("score_alone", text) for text in scores_alone(ratings, role) if of_labels]


def scores_alone(ratings: Ratings, role: str | None = None) -> list[str]:
    """Return for each rater whose score stands alone how often it does, and what takes it."""
    rows = np.flatnonzero(ratings.state == ratings.scheme.state("missing"))
    times = np.bincount(ratings.rater[rows], weights=ratings.weight[ratings.item[rows]], minlength=len(ratings.raters))
    return [
        f"{shorten(rater.name)}: {several(int(n), 'ratings')} with a score and without a label "
        f"{'gives no verdict and counts' if n == 1 else 'give no verdict and count'} as not rated. ROC curves take the scores."
        for rater, n in zip(ratings.raters, times.tolist(), strict=True)
        if n and role in (None, rater.role)
    ]
