"""What the comparisons with autorubric share: its runs, and its numbers beside ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.metrics.autorubric_objects import Criteria, Run, answers, noisy

BINARY = Criteria(("a", 2.0), ("b", -1.0), ("c", 3.0))
ORDINAL = Criteria(("low", 1.0, 4), ("high", 2.0, 4))
NOMINAL = Criteria(("colour", 1.0, 3, "nominal"), ("shape", 2.0, 3, "nominal"))
MODES = ("exclude", "as_unmet", "as_category")
SEEDS = range(2)


def same(ours: float, theirs: float | None) -> bool:
    """Equal to the last digits, undefined on both sides or on neither."""
    return bool(np.isclose(float(ours), np.nan if theirs is None else float(theirs), rtol=0, atol=1e-12, equal_nan=True))


def at(its: Any, path: str) -> Any:
    """A number by its path; None on the way is undefined."""
    for name in path.split("."):
        its = None if its is None else getattr(its, name)
    return its


def run_of(criteria: tuple[Any, ...], seed: int, n: int = 60, judges: int = 1, **noise: float) -> Run:
    rng = np.random.default_rng([seed, len(criteria), n])
    human = answers(rng, criteria, n, noise.pop("silent", 0.1))
    wrong = {f"j{place}": 0.2 + 0.15 * place for place in range(judges)}
    return Run(criteria, human, {name: noisy(rng, criteria, human, share, **noise) for name, share in wrong.items()})


def check(pairs: dict[str, tuple[float, float | None]]) -> None:
    wrong = {path: pair for path, pair in pairs.items() if not same(*pair)}
    assert not wrong


def zero_for_undefined(ours: float) -> float:
    """As it writes a rate without a denominator."""
    return 0.0 if np.isnan(ours) else ours


RATES = ("precision", "recall", "f1")


def coverage(ours: Any, its: Any) -> dict[str, tuple[float, float | None]]:
    """The whole of it, of a run in which no call failed."""
    return {
        "n_total": (ours.n_total, its.n_total),
        "n_covered": (ours.n_covered, its.n_covered),
        "coverage": (ours.coverage, its.coverage),
        "judge_abstain_rate": (ours.judge_abstention_rate, its.judge_abstain_rate),
        "gt_abstain_rate": (ours.human_abstention_rate, its.gt_abstain_rate),
        "union_exclusion_rate": (1 - ours.coverage, its.union_exclusion_rate),
        "n_errored": (ours.n_errors, its.n_errored),
        "error_rate": (ours.error_rate, its.error_rate),
    }


def abstention(ours: Any, its: Any, prefix: str) -> dict[str, tuple[float, float | None]]:
    n = ours.n_total
    human, judge, both = (round(n * share) for share in (
        ours.human_abstention_rate, ours.judge_abstention_rate, ours.both_abstention_rate
    ))  # fmt: skip
    return {
        "count_true": (human, at(its, f"{prefix}count_true")),
        "count_pred": (judge, at(its, f"{prefix}count_pred")),
        "false_positive": (judge - both, at(its, f"{prefix}false_positive")),
        "false_negative": (human - both, at(its, f"{prefix}false_negative")),
        "kappa": (ours.abstention_kappa, at(its, f"{prefix}kappa")),
    }
