"""Something to bring about by hand, which notices when it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import ConfusionTable
from metrics.content.lab.terms import counted, part
from metrics.results import words

# Numbers that differ by less are equal: it is the noise of the arithmetic.
NOISE = 1e-9
TWO_LABELS = "with no verdict as a class of its own there are three labels; this task is about two"
BESIDE = "a second table has to stand beside this one"

Holds = Callable[[Picture, Picture], bool]
Shows = Callable[[Picture, Picture], str]


@dataclass(frozen=True)
class Goal:
    """One thing that has to be so: where it stands, what is asked, and whether it is met; of A and B, or of A alone."""

    shows: Shows
    asks: str
    met: Holds


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes
    ----------
    hints : pair of str
        Where to look, and then how it is done.
    start : Table
        Where it begins; it is not solved there.
    second_table : Table or None
        The second table it begins with, where it is about two.
    """

    key: str
    title: str
    text: str
    hints: tuple[str, str]
    start: ConfusionTable
    goals: tuple[Goal, ...]
    why: str
    """What a table that solves it shows."""
    second_table: ConfusionTable | None = None

    @property
    def two(self) -> bool:
        """Whether it is about two tables, A and B."""
        return self.second_table is not None

    def solved(self, a: Picture, b: Picture | None = None) -> bool:
        pair = self._pair(a, b)
        return pair is not None and all(goal.met(*pair) for goal in self.goals)

    def state(self, a: Picture, b: Picture | None = None) -> str:
        """Return how near it is: "agreement 78 % (goal: 80 % or more), κ −0.12 ✓"; plain text."""
        pair = self._pair(a, b)
        if pair is None:
            return BESIDE if self.two and b is None else TWO_LABELS
        clauses = (f"{goal.shows(*pair)} {'✓' if goal.met(*pair) else f'(goal: {goal.asks})'}" for goal in self.goals)
        return ", ".join(clauses)

    def _pair(self, a: Picture, b: Picture | None) -> tuple[Picture, Picture] | None:
        """Return what the goals are asked of; None where they cannot be."""
        second = b if self.two else a
        return None if second is None or not (a.two and second.two) else (a, second)


def _agreement(p: Picture) -> float:
    return p.values["accuracy"]


def _kappa(p: Picture) -> float:
    return p.values["kappa"]


def _misses(p: Picture) -> float:
    return float(p.counts[0, 1])


def _alarms(p: Picture) -> float:
    return float(p.counts[1, 0])


def _drifts(p: Picture) -> bool:
    return abs(_alarms(p) - _misses(p)) > NOISE


def _association(p: Picture) -> float:
    """Return by how much the verdicts go together, TP · TN − FN · FP, as a share of the larger product; 0 where they do not."""
    (tp, fn), (fp, tn) = p.counts
    larger = max(tp * tn, fn * fp)
    return float((tp * tn - fn * fp) / larger) if larger else 0.0


def _named(key: str, symbol: str) -> Callable[[Picture], str]:
    def shown(p: Picture) -> str:
        x = p.values[key]
        if math.isnan(x):
            return f"{symbol} undefined"
        return f"{symbol} {words.three(x) if 0 < abs(x) < 0.005 else words.number(x)}"

    return shown


def _share(key: str, symbol: str) -> Callable[[Picture], str]:
    return lambda p: f"{symbol} {'undefined' if math.isnan(p.values[key]) else part(p.values[key])}"


def _alone(shown: Callable[[Picture], str]) -> Shows:
    return lambda a, b: shown(a)


def _of_both(shown: Callable[[Picture], str]) -> Shows:
    return lambda a, b: f"{shown(a)} in A and {shown(b).split(' ', 1)[1]} in B"


def _errors(a: Picture, b: Picture) -> str:
    clauses = (
        f"{name} has {counted(_misses(p), 'missed passes')} and {counted(_alarms(p), 'false passes')}"
        for name, p in (("A", a), ("B", b))
    )
    return "; ".join(clauses)


def _opposite(a: Picture, b: Picture) -> bool:
    return _drifts(a) and _drifts(b) and (_misses(a) > _alarms(a)) != (_misses(b) > _alarms(b))


def _higher(key: str) -> Holds:
    return lambda a, b: b.values[key] > a.values[key] + NOISE


_K, _PHI, _F1 = _named("kappa", "κ"), _named("phi", "φ"), _named("f1", "F1")
_AGREES, _TPR, _TNR = _share("accuracy", "agreement"), _share("recall", "TPR"), _share("specificity", "TNR")
START = ConfusionTable((45, 5, 5, 45))
UPHILL = ConfusionTable((40, 10, 10, 40))

TASKS = (
    Task(
        "below-zero", "κ below zero",
        "Bring κ below 0 while judge and human still agree on 80 % or more.",
        (
            "Where does chance alone agree most? Where one label is rare.",
            "Make one label rare, and let the judge miss all of it and still give it a few times, wrongly: chance alone then "
            "does better than the judge.",
        ),
        START,
        (
            Goal(_alone(_AGREES), "80 % or more", lambda a, b: _agreement(a) >= 0.8 - NOISE),
            Goal(_alone(_K), "below 0", lambda a, b: _kappa(a) < -NOISE),
        ),
        "Chance alone agrees more often than the judge does, and κ below 0 says just that, however high the agreement.",
    ),
    Task(
        "up-and-down", "Agreement up, κ down",
        "Agreement is 80 % and κ 0.60. Raise agreement and lower κ at once.",
        (
            "κ counts what is beyond chance. Raise chance by more than agreement.",
            "Make the positive label rare: shrink what both call positive until the judge finds only half of it, then let what "
            "both call negative grow.",
        ),
        UPHILL,
        (
            Goal(_alone(_AGREES), "above 80 %", lambda a, b: _agreement(a) > 0.8 + NOISE),
            Goal(_alone(_K), "below 0.60", lambda a, b: _kappa(a) < 0.6 - NOISE),
        ),
        "Chance has risen by more than agreement, so the judge earns a smaller part of what chance leaves.",
    ),
    Task(
        "undefined", "Leave φ undefined",
        "Make φ undefined while judge and human agree on at least 90 %.",
        (
            "φ needs both labels from both sides.",
            "Let the judge say one label only, and let nearly all decisions be of that label.",
        ),
        START,
        (
            Goal(_alone(_AGREES), "90 % or more", lambda a, b: _agreement(a) >= 0.9 - NOISE),
            Goal(_alone(_PHI), "undefined", lambda a, b: bool(a.n) and math.isnan(a.values["phi"])),
        ),
        "One side gives one label only. What never varies cannot go together with anything, so φ has no value.",
    ),
    Task(
        "f1-flatters", "F1 looks good",
        "Keep F1 at 0.90 or more and bring κ below 0.10.",
        (
            "Which of the four cells does F1 not look at?",
            "F1 does not look at the decisions that both call negative, and κ does. Let them shrink to almost none.",
        ),
        START,
        (
            Goal(_alone(_F1), "0.90 or more", lambda a, b: a.values["f1"] >= 0.9 - NOISE),
            Goal(_alone(_K), "below 0.10", lambda a, b: _kappa(a) < 0.1 - NOISE),
        ),
        "F1 does not look at what both call negative. Where that is rare, chance alone gives nearly all the agreement.",
    ),
    Task(
        "equal-with-drift", "κ = φ with label-rate bias",
        "Let the judge say the positive label more or less often than the human, and keep κ and φ exactly equal and defined.",
        (
            "Label-rate bias separates κ from φ unless both are 0.",
            "Let the judge say the positive label to half of what is positive and to half of what is negative.",
        ),
        ConfusionTable((30, 10, 10, 50)),
        (
            Goal(
                lambda a, b: f"label-rate bias {words.points(a.values['drift'])}",
                "not 0",
                lambda a, b: _drifts(a),
            ),
            Goal(
                lambda a, b: f"κ {words.three(_kappa(a))} and φ {words.three(a.values['phi'])}",
                "exactly equal",
                lambda a, b: not math.isnan(a.values["phi"]) and (abs(_association(a)) < NOISE or not _drifts(a)),
            ),
        ),
        "The judge says the positive label equally often whatever the human says. κ and φ are both 0, and no bias lowers them.",
    ),
    Task(
        "equal-kappa", "Equal κ, opposite errors",
        "Make two tables with equal κ, in two decimals: one with more missed passes, the other with more false passes.",
        (
            "κ treats a missed pass and a false pass alike.",
            "Let B be A with missed passes and false passes exchanged.",
        ),
        ConfusionTable((40, 20, 5, 35)),
        (
            Goal(
                _of_both(_K), "equal",
                lambda a, b: not math.isnan(_kappa(a) + _kappa(b)) and words.number(_kappa(a)) == words.number(_kappa(b)),
            ),
            Goal(_errors, "more missed passes in one, more false passes in the other", _opposite),
        ),
        "κ counts errors of both kinds alike, so judges with opposite errors can have the same κ.",
        ConfusionTable((30, 10, 10, 50)),
    ),
    Task(
        "better-judge", "The better judge, the lower κ",
        "Let B find more of both labels than A, with higher TPR and higher TNR, and still have the lower κ.",
        (
            "TPR and TNR do not change with the mix, and κ does.",
            "Keep the TPR and TNR of B, and make one label rare in it: a tenth of the decisions or less.",
        ),
        UPHILL,
        (
            Goal(_of_both(_TPR), "higher in B", _higher("recall")),
            Goal(_of_both(_TNR), "higher in B", _higher("specificity")),
            Goal(_of_both(_K), "lower in B", lambda a, b: _kappa(b) < _kappa(a) - NOISE),
        ),
        "B finds more of both labels and has the lower κ all the same: κ follows from the mix too, not from TPR and TNR alone.",
        START,
    ),
)  # fmt: skip
_IN_ORDER = {task.key: following for task, following in pairwise(TASKS)}
TASKS_BY_KEY: dict[str, Task] = {task.key: task for task in TASKS}


def next_task(key: str) -> Task | None:
    """Return the task after one; None after the last."""
    return _IN_ORDER.get(key)
