"""The disagreements that tell most about a criterion: where the most speaks against the judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import n_behind
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_map, on_axis
from metrics.data.labels import Scheme
from metrics.data.order import order_of
from metrics.data.pairs import cell_ratings, reference_states, verdicts, votes_of
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.results.words import count, several

MOST = 5
USUAL = 0.5
"""Where a score lies that is the mean of those with the same verdict."""
Ints = NDArray[np.int64]
AS_IN_FILE = "In the order of the file."


@dataclass(frozen=True)
class Telling:
    """One decision on which judge and reference differ.

    Attributes
    ----------
    place : int
        Its cell among those of the criterion's ratings.
    steps : int
        Places apart in the order of the labels; 0 where they have none.
    humans, judges : (int, int)
        Humans, and other judges, who say what the reference says, and who say what the judge says.
    sure : float
        How far the judge's score lies on the side of its verdict, as a share of the distance between its mean scores of the two
        verdicts, measured from their middle; NaN where there is no score.
    """

    place: int
    steps: int
    humans: tuple[int, int]
    judges: tuple[int, int]
    sure: float

    @property
    def why(self) -> str:
        """What speaks against the judge, in a few words: "2 of 2 humans · sure of its verdict · 1 of 2 other judges"."""
        parts = []
        if self.steps:
            parts.append(f"{several(self.steps, 'steps')} apart")
        if sum(self.humans) > 1:
            parts.append(f"{count(self.humans[0])} of {several(sum(self.humans), 'humans')}")
        if not np.isnan(self.sure):
            parts.append(_surely(self.sure))
        if sum(self.judges):
            others = sum(self.judges)
            parts.append(f"{count(self.judges[0])} of {count(others)} other judge{'' if others == 1 else 's'}")
        return " · ".join(parts)


def _surely(sure: float) -> str:
    """Return a score beside the judge's usual one for the same verdict."""
    if sure < 0:
        return "its own score"
    return f"{'sure' if sure > USUAL else 'unsure'} of its verdict"


def ranked_words(tellings: Sequence[Telling]) -> str:
    """Return by what these disagreements are ranked: of what there is on them, the first counts most."""
    there = {
        "steps apart": any(telling.steps for telling in tellings),
        "how many more humans contradict the judge than agree": any(sum(telling.humans) > 1 for telling in tellings),
        "how sure the judge is": any(not np.isnan(telling.sure) for telling in tellings),
        "how many more other judges contradict the judge than agree": any(sum(telling.judges) for telling in tellings),
    }
    grounds = [what for what, is_there in there.items() if is_there]
    return f"Sorted by {', then by '.join(grounds)}." if grounds else AS_IN_FILE


@dataclass(frozen=True, eq=False)
class Against:
    """What speaks against a judge on decisions on which it differs from the reference, a row to a decision; see `Telling`.

    Attributes
    ----------
    place : ndarray of int64, shape (n,)
        Cells of the ratings.
    steps : ndarray of int64, shape (n,)
    humans, judges : ndarray of int64, shape (2, n)
    sure : ndarray, shape (n,)
    """

    place: Ints
    steps: Ints
    humans: Ints
    judges: Ints
    sure: FloatArray

    def order(self) -> Ints:
        """Return rows, the most telling first.

        First those farthest apart in an order; then those with more humans against the judge, less those with it; then those of
        which its score is surest; then those with more other judges against it; then as in the file.
        """
        leads = [with_it - against_it for with_it, against_it in (self.humans, self.judges)]
        return np.lexsort((self.place, -leads[1], -np.nan_to_num(self.sure, nan=-np.inf), -leads[0], -self.steps))

    def telling(self, row: int) -> Telling:
        """Return one decision."""
        return Telling(
            int(self.place[row]), int(self.steps[row]),
            (int(self.humans[0][row]), int(self.humans[1][row])), (int(self.judges[0][row]), int(self.judges[1][row])),
            float(self.sure[row]),
        )  # fmt: skip


def most_telling(review: Reviewed, most: int = MOST) -> tuple[tuple[Telling, ...], int]:
    """Return the first few disagreements, in the order of `Against`, and how many there are.

    Parameters
    ----------
    review : Reviewed
        With a report; of a table of counts there are none, as it has no items. A tally has disagreements, but none to look at.
    """
    speaks, n = disagreeing(review)
    return () if speaks is None else tuple(speaks.telling(row) for row in speaks.order()[:most].tolist()), n


def disagreeing(review: Reviewed) -> tuple[Against | None, int]:
    """Return what speaks against the judge on every disagreement, None without a row to look at, and how many there are."""
    ratings, asked = review.ratings, review.settings
    if review.report is None or not ratings.has_items:
        return None, 0
    scheme, mode = ratings.scheme, asked.abstention
    reference = on_axis(reference_states(ratings, asked.reference), scheme, mode)
    judge = on_axis(verdicts(ratings, review.judge, "judge"), scheme, mode)
    places = np.flatnonzero((reference >= 0) & (judge >= 0) & (reference != judge))
    n = n_behind(ratings, places)
    if not n or not ratings.has_rows:
        return None, n
    steps = np.zeros(len(places), np.int64)
    if review.ordered is not None:
        steps = steps_apart(scheme, reference[places], judge[places])
    return against(ratings, review.judge, asked, places, reference, judge, steps), n


def against(ratings: Ratings, name: str, settings: Settings, places: Ints, reference: Ints, judge: Ints, steps: Ints) -> Against:
    """Return what speaks against a judge on some decisions.

    Parameters
    ----------
    ratings : Ratings
    name : str
        The judge.
    settings : Settings
    places : ndarray of int64, shape (n,)
        Cells on which judge and reference differ.
    reference, judge : ndarray of int64, shape (n_cells,)
        On the axis of the mode.
    steps : ndarray of int64, shape (n,)
        See `steps_apart`.
    """
    to_mode = mode_map(ratings.scheme, settings.abstention)
    others = [other for other in ratings.judges if other != name]
    votes = (votes_of(ratings, ratings.humans, "human"), votes_of(ratings, others, "judge"))
    sides = reference[places], judge[places]
    humans, judges = (np.stack([(each[places] @ to_mode.T)[np.arange(len(places)), side] for side in sides]) for each in votes)
    return Against(places, steps, humans, judges, sureness(ratings, name, places, judge))


def steps_apart(scheme: Scheme, reference: Ints, judge: Ints) -> Ints:
    """Return places apart in the order of the labels, of the shape of the verdicts; 0 without an order.

    Parameters
    ----------
    scheme : Scheme
    reference, judge : ndarray of int64
        Classes; of shapes that fit each other.
    """
    try:
        order = order_of(scheme)
        rank = np.array([order.place(name) if name not in scheme.unused else 0 for name in scheme.classes])
    except InputError:
        return np.zeros(np.broadcast(reference, judge).shape, np.int64)
    return np.asarray(np.abs(rank[reference] - rank[judge]))


def sureness(ratings: Ratings, name: str, places: Ints, judge: Ints) -> FloatArray:
    """Return how far each score lies on the side of the judge's verdict, see `Telling.sure`.

    NaN but of two labels, and where the scores of the two verdicts lie no further apart than scores lie anyway: they then say
    nothing of the verdict.

    Parameters
    ----------
    ratings : Ratings
    name : str
        The judge.
    places : ndarray of int64, shape (n,)
        Cells of the ratings.
    judge : ndarray of int64, shape (n_cells,)
        Its verdicts on the axis of the mode.
    """
    nowhere = np.full(len(places), np.nan)
    if ratings.score is None or ratings.scheme.n_classes != 2:
        return nowhere
    rated = cell_ratings(ratings, name, "judge")
    score = np.where(rated >= 0, ratings.score[rated], np.nan)
    given = [score[(judge == side) & np.isfinite(score)] for side in (0, 1)]
    if not all(map(len, given)):
        return nowhere
    high, low = (float(side.mean()) for side in given)
    if abs(high - low) <= np.concatenate(given).std():
        return nowhere
    from_middle = (score[places] - (high + low) / 2) / (high - low)
    return np.where(judge[places] == 0, from_middle, np.where(judge[places] == 1, -from_middle, np.nan))
