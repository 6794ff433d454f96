"""The three ways to treat an abstention, as maps of the verdict axis; coverage and abstention rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.data.labels import AFTER_CLASSES, Handling, Scheme
from metrics.data.vocabulary import Kind
from metrics.errors import InputError
from metrics.measures.coefficients import cohen_kappa

Mode = Literal["exclude", "as_unmet", "as_category"]
MODES: tuple[Mode, ...] = get_args(Mode)
MODE_NAMES: dict[Mode, str] = {"exclude": "Exclude", "as_unmet": "Count as negative", "as_category": "Keep as a class"}
SILENT: tuple[Kind, ...] = ("abstention", "tie", "invalid")
"""Kinds that give no verdict. A failed call (`error`) and a missing rating are no rating at all, and not among them."""


def mode_map(scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return 0/1 matrix from the raw verdict axis to the axis of the mode, shape (K or K + 1, R).

    Raises
    ------
    InputError
        When a kind is handled in a way that the mode or the scale does not have.
    """
    k = scheme.n_classes
    to_mode = np.zeros((k + (mode == "as_category"), scheme.n_states), np.int64)
    to_mode[:k, :k] = np.eye(k, dtype=np.int64)
    for kind in AFTER_CLASSES[:-1]:
        becomes = _becomes(scheme, kind, mode)
        if becomes != "exclude":
            to_mode[1 if becomes == "as_unmet" else k, scheme.state(kind)] = 1
    return to_mode


def _becomes(scheme: Scheme, kind: Kind, mode: Mode) -> Handling:
    """Return what an answer without a verdict is in a mode; never `abstention`."""
    handling = scheme.handled(kind)
    if handling == "as_category" and mode != "as_category":
        raise InputError(f"{kind}=as_category needs a class to go to. Use it with the abstention mode as_category.")
    if handling == "as_unmet" and scheme.scale != "binary":
        raise InputError(f"{kind}=as_unmet needs a negative label; these labels are classes. Use exclude or abstention.")
    return mode if handling == "abstention" else handling


def apply_mode(raw: NDArray[np.int64], scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return counts on the raw axis, shape (..., R, R), as counts of the mode, shape (..., K', K').

    Parameters
    ----------
    raw : ndarray of int64, shape (..., R, R)
    scheme : Scheme
    mode : Mode

    Raises
    ------
    InputError
        As `mode_map`.
    """
    to_mode = mode_map(scheme, mode)
    return to_mode @ raw @ to_mode.T


def answered_share(raw: NDArray[np.int64], scheme: Scheme, mode: Mode) -> float:
    """Return share of the judge's answers, where the reference counts, that count for the judge too; 1 where there is none.

    Parameters
    ----------
    raw : ndarray, shape (R, R)
        Decisions by the raw states of both sides.
    """
    there = (mode_map(scheme, mode) @ raw)[:, : scheme.end_of_rated].sum()
    return float(apply_mode(raw, scheme, mode).sum() / there) if there else 1.0


def class_of_state(scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return class of every raw state in a mode, shape (R,), -1 where it does not count."""
    to_mode = mode_map(scheme, mode)
    return np.where(to_mode.any(0), to_mode.argmax(0), -1)


def on_axis(states: NDArray[np.int8], scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return states as places on the axis of a mode; -1 where an answer does not count, or there is none.

    Parameters
    ----------
    states : ndarray of int8
        Raw verdicts, of any shape.
    scheme : Scheme
    mode : {"exclude", "as_unmet", "as_category"}

    Returns
    -------
    ndarray of int64, of the shape of `states`

    Raises
    ------
    InputError
        As `mode_map`.
    """
    return np.asarray(class_of_state(scheme, mode)[states])


def mode_labels(scheme: Scheme, mode: Mode) -> tuple[str, ...]:
    """Return names on the verdict axis of a mode."""
    return (*scheme.classes, scheme.abstention_name) if mode == "as_category" else scheme.classes


NOT_IN_JSON = frozenset({"n_errors", "n_labels_open"})
"""Of a coverage, what sentences rest on and the JSON does not have."""


@dataclass(frozen=True)
class Coverage:
    """How much of the data a number speaks of. The same in all modes.

    Shares are of `n_total`, the (item, criterion) pairs with a reference and a judge row, failed calls out. A tie or an
    invalid answer counts as an abstention here and has its own rate beside it; a split vote of the people who make the
    reference is none, and neither covered. NaN where there is no such pair.

    Attributes
    ----------
    error_rate : float
        Failed judge calls as a share of all judge calls on pairs that have a reference.
    abstention_kappa : float
        Cohen's kappa of "gave a verdict" between reference and judge, split votes out.
    abstention_kappa_reason : str
        Why that is undefined, or 0 whatever the other side does; empty where it is neither, see `kappa_reason`.
    n_human_only, n_judge_only : int
        Pairs that only one side rated; they are in no number.
    n_split, n_voted : int
        Pairs on which the people's votes split, of those on which two or more gave a verdict.
    split_rate, apart_rate : float
        Share of split votes, and of medians between two labels (the lower counts), in `n_voted`; NaN where that is 0.
    """

    n_total: int
    n_covered: int
    n_errors: int
    coverage: float
    judge_coverage: float
    human_coverage: float
    judge_abstention_rate: float
    human_abstention_rate: float
    both_abstention_rate: float
    error_rate: float
    tie_rate: dict[str, float]
    invalid_rate: dict[str, float]
    abstention_kappa: float
    n_human_only: int
    n_judge_only: int
    n_split: int = 0
    n_voted: int = 0
    split_rate: float = math.nan
    apart_rate: float = math.nan
    abstention_kappa_reason: str = ""
    n_labels_open: int = 0
    """Labels that the reference gives on such pairs alone on which the judge gives no verdict; not in the JSON."""

    def answers(self, kind: Kind) -> int:
        """Return answers of a kind that gives no verdict, of both sides together; failed calls are the judge's."""
        if kind == "error":
            return self.n_errors
        if kind == "split":
            return self.n_split
        if not self.n_total:
            return 0
        by_kind = {"tie": sum(self.tie_rate.values()), "invalid": sum(self.invalid_rate.values())}
        silent = self.judge_abstention_rate + self.human_abstention_rate
        return round(self.n_total * by_kind.get(kind, silent - sum(by_kind.values())))


def coverage_of(raw: NDArray[np.int64], scheme: Scheme, n_voted: int = 0, n_apart: int = 0) -> Coverage:
    """Return coverage and abstention rates.

    Parameters
    ----------
    raw : ndarray of int, shape (R, R)
        Counts on the raw axis.
    n_voted, n_apart : int
        Pairs on which several people voted, and on which their median lies between two labels.
    """
    k, error, split = scheme.n_classes, scheme.state("error"), scheme.state("split")
    silent = slice(k, split)
    rated = raw[:error, :error]
    total = int(rated.sum())
    covered, both = int(raw[:k, :k].sum()), int(raw[silent, silent].sum())
    judge_silent, human_silent = int(rated[:, silent].sum()), int(rated[silent, :].sum())
    beside_split, n_split = int(rated[split, silent].sum()), int(rated[split, :].sum())
    errors = int(raw[:error, error].sum())
    answered = np.array([[covered, judge_silent - beside_split - both], [human_silent - both, both]])

    def share(count: int, of: int = total) -> float:
        return count / of if of else math.nan

    def by_side(kind: Literal["tie", "invalid"]) -> dict[str, float]:
        place = scheme.state(kind)
        return {"judge": share(int(rated[:, place].sum())), "human": share(int(rated[place, :].sum()))}

    return Coverage(
        n_total=total,
        n_covered=covered,
        n_errors=errors,
        coverage=share(covered),
        judge_coverage=share(total - judge_silent),
        human_coverage=share(total - human_silent - n_split),
        judge_abstention_rate=share(judge_silent),
        human_abstention_rate=share(human_silent),
        both_abstention_rate=share(both),
        error_rate=share(errors, total + errors),
        tie_rate=by_side("tie"),
        invalid_rate=by_side("invalid"),
        abstention_kappa=float(cohen_kappa(answered)),
        n_human_only=int(raw[:error, scheme.state("missing")].sum()),
        n_judge_only=int(raw[scheme.state("missing"), :error].sum()),
        n_split=n_split,
        n_voted=n_voted,
        split_rate=share(n_split, n_voted) if n_voted else math.nan,
        apart_rate=share(n_apart, n_voted) if n_voted else math.nan,
        abstention_kappa_reason=kappa_reason(*answered.ravel().tolist()),
        n_labels_open=int(((raw[:k, :k].sum(1) == 0) & (raw[:k, silent].sum(1) > 0)).sum()),
    )


def kappa_reason(neither: int, judge_only: int, human_only: int, both: int) -> str:
    """Return why κ of "gave a verdict" cannot tell anything, from how many decisions who left open; empty where it can.

    With one side constant it is 0 whatever the other side does, and with both it is undefined.

    Parameters
    ----------
    neither, judge_only, human_only, both : int
        Decisions by who left them open; `neither` are those on which both gave a verdict.
    """
    judge, human, n = judge_only + both, human_only + both, neither + judge_only + human_only + both
    if not n:
        return "there is no decision"
    if not judge and not human:
        return "neither side abstained"
    if neither + judge_only + human_only == 0:
        return "neither side gave a verdict"
    if not judge or not human:
        return f"0 by construction: only the {'judge' if judge else 'human'} abstains"
    if n in (judge, human):
        return f"0 by construction: the {'judge' if judge == n else 'human'} never gave a verdict"
    return ""
