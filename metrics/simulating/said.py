"""What a simulation shows, in sentences computed from the run; and as text for the terminal."""

from __future__ import annotations

import math

from metrics import words
from metrics.simulating.scenarios import Range
from metrics.simulating.selection import CHOSEN_BY, NAMES, SNR, Estimate, Selection
from metrics.simulating.studies import AXIS_NAMES, Run

SUCCESS, LOSS = "success_any_best", "mean_loss"
BA = "balanced_accuracy"
WIDE = 20
ERRORS = "± one Monte Carlo standard error. Loss: share of model pairs ranked wrong beyond the best judge."
CONVENTIONS = (
    "Evaluation samples are independent per judge, golden labels are shared, an estimated tie of two models counts as wrong, "
    "0/0 counts as 0 here only, and of judges with equal scores the first is chosen."
)


def reading(run: Run) -> str:
    """How often SNR and balanced accuracy pick the best judge, and which metric loses most; at the last point of an axis."""
    own = run.found[-1]
    if own.done < 2:
        return "One scenario tells nothing yet."
    worst = max(CHOSEN_BY, key=lambda key: own.outcome(LOSS, key).value)
    best = min(CHOSEN_BY, key=lambda key: own.outcome(LOSS, key).value)
    more = own.difference(LOSS, worst, best)
    where = f"at {run.study.points[-1].name}, " if run.study.along != "none" else ""
    return (
        f"{where}{NAMES[SNR].lower()} picks a best judge in {_percent(own.outcome(SUCCESS, SNR))} of "
        f"{words.count(own.done)} scenarios, {NAMES[BA].lower()} in {_percent(own.outcome(SUCCESS, BA))}; "
        f"choosing by {_name(worst)} loses {_loss(more)} more ranking accuracy than by {_name(best)}. "
        f"Seed {own.setting.seed}."
    )


def loss_reading(run: Run) -> str:
    """Which metric loses least, whether that is beyond the Monte Carlo error, and how much by the next."""
    own = run.found[-1]
    order = sorted(CHOSEN_BY, key=lambda key: own.outcome(LOSS, key).value)
    first, second = order[0], order[1]
    apart = own.difference(LOSS, second, first)
    sure = apart.error > 0 and apart.value > 2 * apart.error
    verdict = f"{_loss(apart)} less than by {_name(second)}" if sure else f"no less than by {_name(second)} within the error"
    where = f" at {run.study.points[-1].name}" if run.study.along != "none" else ""
    return f"choosing by {_name(first)} loses least{where}: {_loss(own.outcome(LOSS, first))}, {verdict}."


def declaration(run: Run) -> str:
    """The setting in one line."""
    its, along = run.study.setting, run.study.along
    done = f"{words.count(run.done)} scenario{'' if run.done == 1 else 's'}"
    asked = f" of {words.count(its.scenarios)} asked, stopped" if run.stopped else ""
    golden = f"golden set {'varied' if along == 'n_golden' else words.count(its.n_golden)}"
    answers = f"{'varied' if along == 'n_eval' else words.count(its.n_eval)} answers per model"
    at = "three prevalences" if along == "p_golden" else span(its.p_golden)
    varied = f"; varied: {AXIS_NAMES[along]}" if along != "none" else ""
    return (
        f"{done}{asked}{' at each point' if along != 'none' else ''}; {its.models} models at {span(its.p_model)}, "
        f"{its.judges} judges with TPR {span(its.tpr)} and FPR {span(its.fpr)}; {answers}; {golden} at {at}; "
        f"SNR for {words.percent(its.benchmark)}; seed {its.seed}{varied}."
    )


def span(ends: Range) -> str:
    """A range of shares: 1–50 %."""
    low, high = (f"{100 * end:.10g}" for end in ends)
    return f"{low}{words.HARD_SPACE}%" if low == high else f"{low}–{high}{words.HARD_SPACE}%"


def summary(found: Selection) -> str:
    """As text for the terminal."""
    lines = [declaration_of(found), "", f"{'':<{WIDE}}{'best judge picked':>20}{'first of the best':>20}{'mean loss':>22}"]
    for key in sorted(CHOSEN_BY, key=lambda key: found.outcome(LOSS, key).value):
        cells = [_percent(found.outcome(name, key)) for name in (SUCCESS, "success_first_index")]
        lines.append(f"{NAMES[key]:<{WIDE}}{cells[0]:>20}{cells[1]:>20}{_loss(found.outcome(LOSS, key)):>22}")
    return "\n".join([*lines, "", ERRORS, CONVENTIONS])


def declaration_of(found: Selection) -> str:
    """The setting of a single simulation in one line."""
    from metrics.simulating.studies import Study

    return declaration(Run(Study(found.setting), (found,)))


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} ± {_error(100 * estimate.error, 1)}{words.HARD_SPACE}%"


def _loss(estimate: Estimate) -> str:
    return f"{estimate.value:.4f} ± {_error(estimate.error, 4)}"


def _error(error: float, digits: int) -> str:
    """Never a bare zero: an error too small to print is said to be below the last digit."""
    if math.isnan(error):
        return words.UNDEFINED
    shown = f"{error:.{digits}f}"
    return f"<{10**-digits:.{digits}f}" if error > 0 and not float(shown) else shown


def _name(key: str) -> str:
    """Inside a sentence: names of the field keep their capitals."""
    name = NAMES[key]
    return name if len(name) < 4 or name.isupper() or "’" in name or "-F" in name else name[0].lower() + name[1:]
