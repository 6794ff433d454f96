"""The world of the simulation: judges and models drawn at random, what is seen of them, and how well they really rank.

Source: Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges, Appendix A.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.errors import InputError
from metrics.measures.arrays import FloatArray

Range = tuple[float, float]
MOST_SCENARIOS, MOST_ANSWERS = 10_000_000, 10_000_000
MOST_MODELS, MOST_JUDGES = 100, 100
BLOCK_CELLS, BLOCK_MOST = 150_000, 10_000
"""Scenarios are drawn in blocks of at most so many (model, judge) cells, and of at most so many scenarios."""


class SettingError(InputError):
    """A value of `Setting` that cannot be simulated.

    Attributes
    ----------
    field : str
        Its name in `Setting`.
    given : any
    """

    def __init__(self, message: str, field: str, given: object) -> None:
        super().__init__(message)
        self.field = field
        self.given = given


@dataclass(frozen=True)
class Setting:
    """What is simulated. A range holds the ends between which a value is drawn evenly; equal ends fix it.

    Attributes
    ----------
    scenarios : int
        How many worlds are drawn.
    models, judges : int
        In each of them; at least 2.
    n_eval : int
        Answers of each model that each judge rates; a sample of its own for every judge.
    n_golden : int
        Answers with a known label; the same for all judges of a scenario.
    p_golden, p_model : (float, float)
        Prevalence of the golden set, and of the models.
    tpr, fpr : (float, float)
        True and false positive rate of the judges.
    benchmark_prevalence : float, optional
        What SNR is computed for; the middle of `p_model` when not given.
    seed : int
    """

    scenarios: int = 100_000
    models: int = 5
    judges: int = 3
    n_eval: int = 200
    n_golden: int = 800
    p_golden: Range = (0.01, 0.5)
    p_model: Range = (0.01, 0.5)
    tpr: Range = (0.0, 1.0)
    fpr: Range = (0.0, 1.0)
    benchmark_prevalence: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _whole("scenarios", self.scenarios, 1, MOST_SCENARIOS)
        _whole("models", self.models, 2, MOST_MODELS)
        _whole("judges", self.judges, 2, MOST_JUDGES)
        _whole("n_eval", self.n_eval, 1, MOST_ANSWERS)
        _whole("n_golden", self.n_golden, 1, MOST_ANSWERS)
        _whole("seed", self.seed, 0, 2**63 - 1)
        for name in ("p_golden", "p_model", "tpr", "fpr"):
            object.__setattr__(self, name, _range(name, getattr(self, name)))
        if self.p_model[0] == self.p_model[1]:
            why = "p_model: both ends are the same, so the models have no true order. Give a range, as in 0.01,0.5."
            raise SettingError(why, "p_model", self.p_model)
        if not 0 < self.benchmark < 1:
            why = f"benchmark_prevalence must lie between 0 and 1, got {self.benchmark:g}."
            raise SettingError(why, "benchmark_prevalence", self.benchmark)

    @property
    def benchmark(self) -> float:
        """The prevalence SNR is computed for."""
        given = self.benchmark_prevalence
        return sum(self.p_model) / 2 if given is None else float(given)

    @property
    def block(self) -> int:
        """Scenarios drawn at once; it follows from the setting alone, so that the same seed gives the same draws."""
        return min(BLOCK_MOST, max(1, BLOCK_CELLS // (self.models * self.judges)))

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as JSON takes it, the benchmark prevalence filled in."""
        value_by_field = {field.name: getattr(self, field.name) for field in fields(self)}
        shown = {name: list(value) if isinstance(value, tuple) else value for name, value in value_by_field.items()}
        return shown | {"benchmark_prevalence": self.benchmark}


@dataclass(frozen=True)
class Worlds:
    """A block of S scenarios with J judges.

    Attributes
    ----------
    golden : ndarray, shape (S, J, 2, 2)
        Counts on the golden set, reference in rows.
    right : ndarray of int, shape (S, J)
        Pairs of models that a judge's measured rates put in the true order; a tie of the rates is not right.
    pairs : int
        Pairs of models; the ranking accuracy is `right / pairs`.
    """

    golden: FloatArray
    right: NDArray[np.int64]
    pairs: int


def draw(setting: Setting, size: int, rng: np.random.Generator) -> Worlds:
    """Return a block of scenarios.

    Parameters
    ----------
    setting : Setting
    size : int
        Scenarios of the block, S.
    rng : numpy.random.Generator
    """
    prevalence = np.sort(rng.uniform(*setting.p_model, (size, setting.models)), axis=-1)
    tpr = rng.uniform(*setting.tpr, (size, setting.judges))
    fpr = rng.uniform(*setting.fpr, (size, setting.judges))
    rate = np.clip(fpr[..., None] + (tpr - fpr)[..., None] * prevalence[:, None, :], 0.0, 1.0)
    flagged = rng.binomial(setting.n_eval, rate)
    return Worlds(_golden(setting, tpr, fpr, rng), _in_order(flagged), math.comb(setting.models, 2))


def _golden(setting: Setting, tpr: FloatArray, fpr: FloatArray, rng: np.random.Generator) -> FloatArray:
    positive = rng.binomial(setting.n_golden, rng.uniform(*setting.p_golden, (tpr.shape[0], 1)))
    negative = setting.n_golden - positive
    tp, fp = rng.binomial(positive, tpr), rng.binomial(negative, fpr)
    counts = np.stack([tp, positive - tp, fp, negative - fp], axis=-1)
    return counts.reshape(*tpr.shape, 2, 2).astype(np.float64)


def _in_order(flagged: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return pairs (a, b) of models, the truth of b above that of a, in which b is flagged more often.

    Models on the last axis.
    """
    right = np.zeros(flagged.shape[:-1], np.int64)
    for a in range(flagged.shape[-1] - 1):
        right += (flagged[..., a + 1 :] > flagged[..., a : a + 1]).sum(-1)
    return right


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise SettingError(f"{name} must be a whole number from {low:,} to {high:,}, got {value!r}.", name, value)


def _range(name: str, given: Any) -> Range:
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        raise SettingError(f"{name} must be two numbers, as in 0.01,0.5; got {given!r}.", name, given) from None
    if not 0 <= low <= high <= 1:
        why = f"{name} must run upwards between 0 and 1, as in 0.01,0.5; got {low:g},{high:g}."
        raise SettingError(why, name, (low, high))
    return low, high
