"""What several verdicts on one decision come to: of the people who make the reference, and of the members of a panel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.labels import Scheme

Votes = NDArray[np.int32]
"""Ratings per decision and state of the raw verdict axis, shape (n, R)."""


def verdicts_in(votes: Votes, scheme: Scheme) -> NDArray[np.int32]:
    """Return votes that name an answer, the classes first and then the tie, shape (n, K + 1); who abstains does not vote."""
    return np.column_stack([votes[:, : scheme.n_classes], votes[:, scheme.state("tie")]])


def settled(votes: Votes, scheme: Scheme, *, unanimous: bool = False) -> NDArray[np.int8]:
    """Return what people come to: the answer most of them gave, or all of them; where they give none such, a split vote.

    Who abstains does not vote, so one verdict beside any number of abstentions decides.

    Parameters
    ----------
    votes : ndarray of int32, shape (n, R)
        Ratings of each decision by state.
    scheme : Scheme
    unanimous : bool
        Only an answer that all gave counts.

    Returns
    -------
    ndarray of int8, shape (n,)
        State; `missing` where there is no rating.
    """
    answers = verdicts_in(votes, scheme)
    best, winner = answers.max(1), answers.argmax(1)
    clear = best == answers.sum(1) if unanimous else (answers == best[:, None]).sum(1) == 1
    state = np.append(np.arange(scheme.n_classes), scheme.state("tie"))[winner]
    return _or_silent(np.where(clear, state, scheme.state("split")), best > 0, votes, scheme)


def low_median(votes: Votes, scheme: Scheme, order: NDArray[np.int64]) -> NDArray[np.int8]:
    """Return what people come to on an ordered scale: the middle verdict, of two middle ones the lower.

    Parameters
    ----------
    order : ndarray of int, shape (K',)
        States low to high.
    """
    below = votes[:, order].cumsum(1)
    middle = (below[:, -1:] + 1) // 2
    return _or_silent(order[(below >= middle).argmax(1)], below[:, -1] > 0, votes, scheme)


def between(votes: Votes, order: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether the median lies between two verdicts, of which `low_median` takes the lower.

    Parameters
    ----------
    votes : ndarray of int32, shape (n, R)
        Ratings of each decision by state.
    order : ndarray of int64, shape (K',)
        States low to high.

    Returns
    -------
    ndarray of bool, shape (n,)
        False where nobody gave a verdict.
    """
    below = votes[:, order].cumsum(1)
    total = below[:, -1:]
    low, high = ((below >= middle).argmax(1) for middle in ((total + 1) // 2, total // 2 + 1))
    return np.asarray((total[:, 0] > 0) & (low != high))


def _or_silent(states: NDArray[np.int64], answered: NDArray[np.bool_], votes: Votes, scheme: Scheme) -> NDArray[np.int8]:
    """Return the states where there is a verdict.

    Else the kind of silence, of several kinds an abstention, or that nobody rated.
    """
    kinds = votes[:, scheme.n_classes : scheme.state("split")]
    silent = np.where((kinds > 0).sum(1) == 1, scheme.n_classes + kinds.argmax(1), scheme.state("abstention"))
    unanswered = np.where(kinds.any(1), silent, scheme.state("missing"))
    return np.where(answered, states, unanswered).astype(np.int8)


def majority_vote(votes: Votes, scheme: Scheme, *, unanimous: bool) -> NDArray[np.int8]:
    """Return what a panel's members, or the runs of one rater, come to: the most frequent answer, a tie being an abstention.

    Answers without a verdict are one option, and keep their kind where it wins and is one kind only. Failed calls do not count.

    Parameters
    ----------
    votes : ndarray of int32, shape (n, R)
        Ratings of each decision by state.
    scheme : Scheme
    unanimous : bool
        Only an answer that all gave counts; any other outcome is an abstention.

    Returns
    -------
    ndarray of int8, shape (n,)
        State; `missing` where there is no rating.
    """
    k, silent = scheme.n_classes, slice(scheme.n_classes, scheme.state("error"))
    options = np.concatenate([votes[:, :k], votes[:, silent].sum(1, keepdims=True)], axis=1)
    total, best, winner = options.sum(1), options.max(1), options.argmax(1)
    clear = best == total if unanimous else (options == best[:, None]).sum(1) == 1
    states = np.where(clear, winner, scheme.state("abstention"))
    only_one_kind = clear & (winner == k) & (votes[:, silent].max(1) == options[:, k])
    states = np.where(only_one_kind, k + votes[:, silent].argmax(1), states)
    return np.where(total == 0, scheme.state("missing"), states).astype(np.int8)
