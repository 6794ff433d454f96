"""What a simulation shows, in sentences computed from the run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from math import comb
from statistics import NormalDist

from metrics.analyses.provenance import Header
from metrics.analyses.simulation.compute import CHOSEN_BY, NAMES, OUTCOMES, SNR, Selection, Simulated
from metrics.analyses.simulation.scenarios import Range, SettingError
from metrics.analyses.simulation.studies import AXIS_NAMES, Run
from metrics.errors import InputError
from metrics.results import words

SUCCESS, FIRST, LOSS = OUTCOMES
BA = "balanced_accuracy"
FARTHEST = -NormalDist().inv_cdf(0.05 / 2 / comb(len(CHOSEN_BY), 2))
"""Standard errors beyond which the farthest of all pairs of metrics differ at 95 %, all pairs together (Bonferroni)."""
NO_ERROR = "error unknown"
"""One scenario alone has none."""
RANGES: Mapping[str, str] = {
    "p_golden": "Golden prevalence", "p_model": "Model prevalence", "tpr": "TPR", "fpr": "FPR",
}  # fmt: skip
"""The ranges of `Setting` by their names on the page."""
ERRORS = "± one Monte Carlo standard error. Loss: share of model pairs ranked wrong beyond the best judge."
CONVENTIONS = (
    "Evaluation samples are independent per judge, golden labels are shared, an estimated tie of two models counts as wrong, "
    "0/0 counts as 0 here only, and of judges with equal scores the first is chosen."
)

LOST, PICKED = "Loss", "Best judge picked"
TERMS: Mapping[str, str] = {
    "Ranking accuracy": "the share of pairs of models that the rates measured by a judge put in their true order.",
    LOST: "ranking accuracy of the best judge of a scenario minus that of the judge chosen; the figure shows its mean over all "
    "scenarios.",
    PICKED: "the chosen judge ranks as well as any; where several do, each of them counts. The source counts only "
    "the first of them, and so do the claims.",
    "Monte Carlo error": "how far a mean over so many scenarios would move with another seed; ± is one standard "
    "error, a bar two. Differences between metrics are paired by scenario, and so surer than two bars suggest.",
}
"""What stands beside the numbers, each explained once."""
DECIDED = (
    "Reproduced: the difference lies beyond the Monte Carlo error at 95 %, all comparisons of the claim together (Bonferroni). "
    "Not reproduced: the opposite does, and where metrics are compared it is more than 0.001, the last digit of the paper’s "
    "Table 3. Level to the printed digits: whatever speaks against the claim is certainly smaller than that. A row of Table 3 is "
    "tested against its rounding and the error of both runs. Otherwise more scenarios may settle it. ± is one standard error. "
    "Success is counted as in the source: the judge chosen is the first of the best."
)


def reading(run: Run) -> str:
    """Return how often SNR and balanced accuracy pick the best judge, and which metric loses most.

    At the last point of an axis.
    """
    selection = run.selections[-1]
    if selection.done < 2:
        return "one scenario is not enough."
    best, *_, worst = by_loss(selection)
    more = selection.difference(LOSS, worst, best)
    loses = f"choosing by {_name(worst)} loses {loss_words(more)} more ranking accuracy than by {_name(best)}"
    if not more.value:
        loses = "all metrics lose the same"
    elif more.value <= FARTHEST * more.error:
        loses = f"no metric loses more than another beyond the Monte Carlo error ({loss_words(more)} at most)"
    where = f"at {run.study.points[-1].name}, " if run.study.along != "none" else ""
    return (
        f"{where}{NAMES[SNR].lower()} picks a best judge in {success_words(selection.outcome(SUCCESS, SNR))} of "
        f"{words.count(selection.done)} scenarios, {NAMES[BA].lower()} in {success_words(selection.outcome(SUCCESS, BA))}; "
        f"{loses}. Seed {selection.setting.seed}."
    )


def loss_reading(run: Run) -> str:
    """Return which metric loses least, whether that is beyond the Monte Carlo error, and how much by the next."""
    selection = run.selections[-1]
    if selection.done < 2:
        return "one scenario is not enough."
    first, second = by_loss(selection)[:2]
    apart = selection.difference(LOSS, second, first)
    sure = apart.error > 0 and apart.value > 2 * apart.error
    within = f"which is tied with {_name(second)}"
    verdict = f"{loss_words(apart)} less than by {_name(second)}" if sure else within
    where = f" at {run.study.points[-1].name}" if run.study.along != "none" else ""
    return f"choosing by {_name(first)} loses least{where}: {loss_words(selection.outcome(LOSS, first))}, {verdict}."


def declaration(run: Run) -> str:
    """Return the setting in one line."""
    return header(run).text()


def header(run: Run, *, running: bool = False) -> Header:
    """Return the setting as a page declares it: what was drawn and seen, then the worlds.

    `running` where more is on its way.
    """
    setting, along = run.study.setting, run.study.along
    done = f"{words.count(run.done)} scenario{'' if run.done == 1 else 's'}"
    asked = f", of {words.count(setting.scenarios)} asked, {'running' if running else 'stopped'}" if run.stopped else ""
    golden = f"golden set {'varied' if along == 'n_golden' else words.count(setting.n_golden)}"
    answers = "answers per model varied" if along == "n_eval" else f"{words.count(setting.n_eval)} answers per model"
    at = "three prevalences" if along == "p_golden" else span(setting.p_golden)
    varied = f"; varied: {AXIS_NAMES[along]}" if along != "none" else ""
    bold = f"{done}{' at each point' if along != 'none' else ''}{asked}; {answers}; {golden} at {at}."
    rest = (
        f"{setting.models} models at {span(setting.p_model)}; {setting.judges} judges with "
        f"TPR {span(setting.tpr)} and FPR {span(setting.fpr)}; "
        f"SNR for {span((setting.benchmark, setting.benchmark))}; seed {setting.seed}{varied}."
    )
    return Header(bold, rest, "", "")


def quote(run: Run) -> str:
    """Return the mean losses with all that is needed to quote them; at the last point of an axis."""
    selection = run.selections[-1]
    at = f" at {AXIS_NAMES[run.study.along]} {run.study.points[-1].name}" if run.study.along != "none" else ""
    losses = ", ".join(f"{_name(key)} {loss_words(selection.outcome(LOSS, key))}" for key in by_loss(selection))
    return f"Mean loss of ranking accuracy by the metric that chooses the judge{at}: {losses} ({declaration(run)})"


def by_loss(selection: Selection) -> list[str]:
    """Return the metrics from the least loss to the most."""
    return sorted(CHOSEN_BY, key=lambda key: selection.outcome(LOSS, key).value)


def impossible(error: InputError) -> str:
    """Return why a setting cannot be simulated, in the words and percents of the page."""
    name = RANGES.get(error.field, "") if isinstance(error, SettingError) else ""
    if not isinstance(error, SettingError) or not name or not isinstance(error.given, tuple):
        return str(error)
    low, high = (_percent(end) for end in error.given)
    if low == high:
        return f"{name}: both ends are {low}, so the models have no true order. Give a range."
    return f"{name} runs from {low} down to {high}. Swap its ends, which lie between 0 and {_percent(1)}."


def span(ends: Range) -> str:
    """Return a range of shares: 1–50 %."""
    low, high = (_percent(end) for end in ends)
    return low if low == high else f"{low.split(words.HARD_SPACE)[0]}–{high}"


def _percent(share: float) -> str:
    return f"{100 * share:.10g}{words.HARD_SPACE}%"


def success_words(estimate: Simulated) -> str:
    """Return a share of scenarios with its standard error: 82.9 ± 0.1 %."""
    value, _ = success_parts(estimate)
    if math.isnan(estimate.error):
        return f"{value}, {NO_ERROR}"
    return value.replace(words.HARD_SPACE, f" ± {_error(100 * estimate.error, 1)}{words.HARD_SPACE}")


def loss_words(estimate: Simulated) -> str:
    """Return a loss with its standard error: 0.0315 ± 0.0003."""
    value, error = loss_parts(estimate)
    return f"{value}, {error}" if math.isnan(estimate.error) else f"{value} {error}"


def success_parts(estimate: Simulated) -> tuple[str, str]:
    """Return what `success_words` writes, the value apart from its error."""
    error = NO_ERROR if math.isnan(estimate.error) else f"± {_error(100 * estimate.error, 1)} points"
    return f"{100 * estimate.value:.1f}{words.HARD_SPACE}%", error


def loss_parts(estimate: Simulated) -> tuple[str, str]:
    """Return what `loss_words` writes, the value apart from its error."""
    return f"{estimate.value:.4f}", NO_ERROR if math.isnan(estimate.error) else f"± {_error(estimate.error, 4)}"


def _error(error: float, digits: int) -> str:
    """Return never a bare zero: an error too small to print is said to be below the last digit."""
    shown = f"{error:.{digits}f}"
    return f"<{10**-digits:.{digits}f}" if error > 0 and not float(shown) else shown


def _name(key: str) -> str:
    """Inside a sentence: names of the field keep their capitals."""
    name = NAMES[key]
    return name if len(name) < 4 or name.isupper() or "’" in name or "-F" in name else name[0].lower() + name[1:]
