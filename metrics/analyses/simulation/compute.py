"""Choosing the judge by a metric on the golden set, and what is lost against the judge that ranks the models best."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.prevalence.power import signal_to_noise
from metrics.analyses.simulation.scenarios import Range, Setting, Worlds, draw
from metrics.data.checks import checks_arguments
from metrics.measures import rates
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.progress import shown
from metrics.results.report import Report, or_none

SNR = "snr"
CATALOGUED = keys_at("simulation")
CHOSEN_BY = (*CATALOGUED, SNR)
NAMES = {key: BY_KEY[key].name for key in CATALOGUED} | {SNR: "Signal to noise"}
SYMBOLS = {key: BY_KEY[key].symbol for key in CATALOGUED} | {SNR: "SNR"}
OUTCOMES = ("success_any_best", "success_first_index", "mean_loss")
DIGITS = 12
"""Scores that differ by rounding only are ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated(Estimate):
    """A Monte Carlo mean, two standard errors to both sides; the error is NaN after fewer than two scenarios."""

    error: float


def simulated(value: float, error: float) -> Simulated:
    """Return a mean with the interval that its standard error gives, also one of 0."""
    interval = None if math.isnan(error) else Interval(value - 2 * error, value + 2 * error, "monte carlo")
    return Simulated(value, interval, error=error)


@dataclass(frozen=True, eq=False)
class Selection(Report):
    """What came of a simulation, or of the part of it that was run.

    Attributes
    ----------
    setting : Setting
    done : int
        Scenarios simulated; fewer than `setting.scenarios` where it was stopped.
    sums : ndarray, shape (3, M)
        Sum over the scenarios of each of `OUTCOMES`, for the M metrics of `CHOSEN_BY`.
    products : ndarray, shape (3, M, M)
        Sum of the products of an outcome under one metric with the same outcome under another.
    """

    TEXT, OF = "analyses.simulation.tables", "a simulation"

    setting: Setting
    done: int
    sums: FloatArray
    products: FloatArray

    @property
    def stopped(self) -> bool:
        return self.done < self.setting.scenarios

    def outcome(self, name: str, metric: str) -> Simulated:
        """Return mean of one of `OUTCOMES` when judges are chosen by a metric of `CHOSEN_BY`.

        `success_any_best`: the chosen judge ranks as well as the best one; `success_first_index`: it is the first of the best;
        `mean_loss`: ranking accuracy of the best judge minus that of the chosen one, in [0, 1], over all scenarios.
        """
        weights = np.zeros(len(CHOSEN_BY))
        weights[CHOSEN_BY.index(metric)] = 1
        return self._mean(name, weights)

    def difference(self, name: str, metric: str, other: str) -> Simulated:
        """Return the outcome under `metric` minus that under `other`, paired by scenario.

        Parameters
        ----------
        name : str
            One of `OUTCOMES`.
        metric, other : str
            Of `CHOSEN_BY`.
        """
        weights = np.zeros(len(CHOSEN_BY))
        weights[CHOSEN_BY.index(metric)] += 1
        weights[CHOSEN_BY.index(other)] -= 1
        return self._mean(name, weights)

    def ratio(self, name: str, metric: str, other: str) -> Simulated:
        """Return the mean outcome under `metric` over that under `other`; the error by the delta method.

        NaN where the latter is 0.

        Parameters
        ----------
        name : str
            One of `OUTCOMES`.
        metric, other : str
            Of `CHOSEN_BY`.
        """
        mean, base = self.outcome(name, metric).value, self.outcome(name, other).value
        if not base:
            return simulated(math.nan, math.nan)
        weights = np.zeros(len(CHOSEN_BY))
        weights[CHOSEN_BY.index(metric)] += 1 / base
        weights[CHOSEN_BY.index(other)] -= mean / base**2
        return simulated(mean / base, self._mean(name, weights).error)

    def to_dict(self) -> dict[str, Any]:
        """Return the outcomes as JSON takes them."""
        outcome_by_metric = {key: {name: self.outcome(name, key) for name in OUTCOMES} for key in CHOSEN_BY}
        return {
            "version": 1,
            "settings": self.setting.to_dict(),
            "scenarios_done": self.done,
            "metrics": {
                key: {name: outcome_values[name].value for name in OUTCOMES}
                | {"standard_errors": {name: or_none(outcome_values[name].error) for name in OUTCOMES}}
                for key, outcome_values in outcome_by_metric.items()
            },
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per metric and outcome, the setting on every row."""
        setting_columns = {
            name: "{:g}–{:g}".format(*value) if isinstance(value, list) else value for name, value in self._provenance.items()
        }
        return pd.DataFrame(
            {"metric": key, "outcome": name, "value": outcome.value, "standard_error": outcome.error} | setting_columns
            for key in CHOSEN_BY
            for name in OUTCOMES
            for outcome in [self.outcome(name, key)]
        )

    @property
    def _provenance(self) -> dict[str, Any]:
        return self.setting.to_dict() | {"scenarios_done": self.done}

    def _mean(self, name: str, weights: FloatArray) -> Simulated:
        """Return mean and error of a weighted sum over the metrics of one outcome."""
        place = OUTCOMES.index(name)
        mean = float(weights @ self.sums[place]) / self.done
        if self.done < 2:
            return simulated(mean, math.nan)
        square = float(weights @ self.products[place] @ weights) / self.done
        return simulated(mean, math.sqrt(max(square - mean**2, 0.0) / (self.done - 1)))


Told = Callable[[Selection], bool | None]
"""Called with what has been found so far; returning True stops the simulation."""


@checks_arguments
def select_judge(
    *,
    scenarios: int = Setting.scenarios,
    models: int = Setting.models,
    judges: int = Setting.judges,
    n_eval: int = Setting.n_eval,
    n_golden: int = Setting.n_golden,
    p_golden: Range = Setting.p_golden,
    p_model: Range = Setting.p_model,
    tpr: Range = Setting.tpr,
    fpr: Range = Setting.fpr,
    benchmark_prevalence: float | None = None,
    seed: int = Setting.seed,
    progress: Told | None = None,
) -> Selection:
    """Simulate choosing a judge by each of seven metrics, and what the choice costs.

    In every scenario judges with random TPR and FPR rate `n_eval` answers of each model, and the rates they report rank the
    models; the share of pairs of models in the true order is a judge's ranking accuracy. On a golden set every judge gets its
    score under each metric, and the highest score chooses it. Evaluation samples are independent per judge, golden labels are
    shared, an estimated tie of two models counts as wrong, a metric's 0/0 counts as 0 here only, and of judges with equal
    scores the first is chosen.

    Parameters
    ----------
    scenarios, models, judges, n_eval, n_golden, p_golden, p_model, tpr, fpr, benchmark_prevalence, seed
        As in `Setting`.
    progress : callable, optional
        Called with the part found so far after every block; it stops the simulation by returning True.

    Raises
    ------
    InputError
        For a setting that cannot be simulated.

    References: Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges, Appendix A.
    """
    setting = Setting(
        scenarios, models, judges, n_eval, n_golden, p_golden, p_model, tpr, fpr, benchmark_prevalence, seed
    )  # fmt: skip
    with shown("Simulation") as told:
        return simulate(setting, progress or (told and (lambda found: told(found.done / setting.scenarios))))


def simulate(setting: Setting, progress: Told | None = None) -> Selection:
    """Return `select_judge` for a setting."""
    selection = None
    for selection in parts(setting):
        if progress is not None and progress(selection):
            break
    assert selection is not None
    return selection


def parts(setting: Setting) -> Iterator[Selection]:
    """Yield the simulation after each of its blocks; the last is the whole."""
    rng = np.random.default_rng(setting.seed)
    selection = Selection(setting, 0, np.zeros((3, len(CHOSEN_BY))), np.zeros((3, len(CHOSEN_BY), len(CHOSEN_BY))))
    while selection.stopped:
        outcome = outcomes(draw(setting, min(setting.block, setting.scenarios - selection.done), rng), setting.benchmark)
        selection = dataclasses.replace(
            selection,
            done=selection.done + outcome.shape[-1],
            sums=selection.sums + outcome.sum(-1),
            products=selection.products + outcome @ outcome.swapaxes(-1, -2),
        )
        yield selection


def outcomes(worlds: Worlds, benchmark: float) -> FloatArray:
    """Return each of `OUTCOMES` under each metric of `CHOSEN_BY` in each scenario, shape (3, M, S)."""
    best, first = worlds.right.max(-1), worlds.right.argmax(-1)
    chosen = np.stack([np.round(score, DIGITS).argmax(-1) for score in scores(worlds.golden, benchmark)])
    reached = np.take_along_axis(worlds.right, chosen.T, axis=-1).T
    return np.stack([reached == best, chosen == first, (best - reached) / worlds.pairs]).astype(np.float64)


def scores(golden: FloatArray, benchmark: float) -> Sequence[FloatArray]:
    """Return each metric of `CHOSEN_BY` on 2 x 2 counts, each of shape (...); a share of nothing is 0 here, as in the source.

    Parameters
    ----------
    golden : ndarray, shape (..., 2, 2)
        Counts on the golden set, reference in rows.
    benchmark : float
        Prevalence that SNR is computed for, in (0, 1).
    """
    values_by_metric = {key: np.nan_to_num(BY_KEY[key].function(golden)) for key in ("accuracy", "f1", "phi", "kappa")}
    # A mean of two shares one of which is 0/0 is the mean with 0 in its place.
    values_by_metric["balanced_accuracy"] = _mean(rates.recall(golden), rates.specificity(golden))
    values_by_metric["macro_f1"] = _mean(values_by_metric["f1"], rates.f1_negative(golden))
    values_by_metric[SNR] = signal_to_noise(golden, benchmark)
    return [values_by_metric[key] for key in CHOSEN_BY]


def _mean(shares: FloatArray, other: FloatArray) -> FloatArray:
    return (np.nan_to_num(shares) + np.nan_to_num(other)) / 2
