"""What the source claims, each claim beside what a run of the simulation shows.

Source: Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges, Section 6.3 and Appendix A.
A claim is reproduced or not only where the Monte Carlo error leaves no doubt at 95 %, all comparisons of the claim together.
A comparison of metrics fails by a digit that the source prints, or more; what lies closer is level.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scipy.special import ndtri

from metrics.analyses.simulation.compute import NAMES, Selection, Simulated, simulated
from metrics.analyses.simulation.studies import LIKE_TABLE_3, Run
from metrics.results import words

Verdict = Literal["reproduced", "not", "level", "unsettled"]
VERDICTS: dict[Verdict, str] = {
    "reproduced": "reproduced", "not": "not reproduced", "level": "level to the printed digits",
    "unsettled": "too few runs",
}  # fmt: skip
BA, ACCURACY, F1, MACRO = "balanced_accuracy", "accuracy", "f1", "macro_f1"
RIVALS = (ACCURACY, F1, MACRO)
BEYOND = ("phi", "kappa", "snr")
SUCCESS, LOSS = "success_first_index", "mean_loss"
"""The outcomes as the source defines them: the same judge as the first of the best; the mean loss over all scenarios."""
TABLE_3 = {BA: (0.752, 0.033), MACRO: (0.707, 0.049), ACCURACY: (0.675, 0.067), F1: (0.617, 0.094)}
DIGIT = 0.001
"""The last digit of Table 3: two of its numbers that differ by less may be printed alike."""
ROUNDED = DIGIT / 2
MORE = (0.3, 0.5)
CUT = {ACCURACY: 0.51, MACRO: 0.33, F1: 0.65}
LEADS = {ACCURACY: (0.10, 1.0), F1: (0.02, 0.05), MACRO: (0.02, 0.05)}
LEADS_SAID = {(F1, MACRO): "2–5 points above F1 and macro-F1", (ACCURACY,): "10 points or more above accuracy"}
ROUGHLY, SLIGHTLY, PLATEAU = 0.05, 0.01, 0.10
ENOUGH, LARGE = 1600, 800
"""Golden answers at the middle of "1,000–2,000", and answers per model from which on a number is "moderate to large"."""

_BA = "balanced accuracy"
NO_LOSS = "no loss to compare"


@dataclass(frozen=True)
class Claim:
    """One claim of the source on one run.

    Attributes
    ----------
    where : str
        Place in the source.
    text : str
        What it says, and how it is read here where it gives no number.
    verdict : {"reproduced", "not", "level", "unsettled"}
    evidence : str
        The numbers of this run that decide.
    """

    where: str
    text: str
    verdict: Verdict
    evidence: str


@dataclass(frozen=True)
class Gap:
    """A difference that the claim wants above zero, and its name in words."""

    value: float
    error: float
    name: str

    @property
    def sure(self) -> float:
        """In standard errors; NaN without a value or without its error."""
        return self.beyond(0.0)

    def beyond(self, digit: float) -> float:
        """Return the same of a value raised by a digit: below 0 where the claim fails by more than it."""
        value = self.value + digit
        if math.isnan(value) or math.isnan(self.error):
            return math.nan
        return value / self.error if self.error > 0 else math.copysign(math.inf, value) if value else 0.0


def claims(run: Run) -> tuple[Claim, ...]:
    """Return the claims that this run can speak about, in the order of the source; none before two scenarios are done."""
    if run.done < 2:
        return ()
    return (*_always(run), *_table_3(run), *_along(run))


def _always(run: Run) -> Iterator[Claim]:
    most, least = _over(run, SUCCESS, RIVALS), _over(run, LOSS, RIVALS)
    yield _judged(
        "Sec. 6.3", "Balanced accuracy picks the best judge most often of the four metrics compared.", most, "points", DIGIT
    )
    yield _judged("Sec. 6.3", "Balanced accuracy loses the least ranking accuracy of the four.", least, "loss", DIGIT)
    yield _judged(
        "Sec. 6.3, App. A",
        "Balanced accuracy is the scalar metric most aligned with the goal: φ, κ and signal to noise lose no less.",
        _over(run, LOSS, BEYOND),
        "loss",
        DIGIT,
    )


def _over(run: Run, outcome: str, others: Sequence[str]) -> list[Gap]:
    """Return the lead of balanced accuracy over each other metric at each point, above zero where it does better."""
    gaps = []
    for point, selection in zip(run.study.points, run.selections, strict=True):
        at = f" at {point.name}" if point.name else ""
        for other in others:
            apart = selection.difference(outcome, BA, other)
            value = apart.value if outcome != LOSS else -apart.value
            gaps.append(Gap(value, apart.error, f"{NAMES[other]}{at}"))
    return gaps


def _judged(where: str, text: str, gaps: Sequence[Gap], unit: str, digit: float = 0.0) -> Claim:
    """Return a claim with its verdict by the gaps that it wants above zero.

    Reproduced: all are, beyond doubt. Not: one lies below zero by the digit or more, beyond doubt. Level: some are not above
    zero beyond doubt, but all are when raised by the digit. Unsettled: all else, and where a gap cannot be taken.
    """
    if any(math.isnan(gap.sure) for gap in gaps):
        return Claim(where, text, "unsettled", NO_LOSS)
    z = _z(len(gaps))
    least = min(gaps, key=lambda gap: gap.sure)
    verdict: Verdict = "unsettled"
    if all(gap.sure > z for gap in gaps):
        verdict = "reproduced"
    elif any(gap.beyond(digit) < -z for gap in gaps):
        verdict = "not"
    elif all(gap.beyond(digit) > z for gap in gaps):
        verdict = "level"
    shown = f"{_amount(least, unit)} against {least.name}"
    if len(gaps) > 1:
        shown = f"{'smallest lead' if least.value >= 0 else 'worst'}: {shown}"
    return Claim(where, text, verdict, shown)


def _with(claim: Claim, evidence: str) -> Claim:
    """Return the claim with more telling numbers, where there are any."""
    return claim if claim.evidence == NO_LOSS else replace(claim, evidence=evidence)


def _z(comparisons: int) -> float:
    """Return the normal quantile of two-sided 95 % for all comparisons of a claim together (Bonferroni)."""
    return float(ndtri(1 - 0.025 / comparisons))


def _amount(gap: Gap, unit: str) -> str:
    if unit == "points":
        return f"{words.signed(100 * gap.value, 2)} ± {100 * gap.error:.2f} points"
    return f"{words.signed(gap.value, 4)} ± {gap.error:.4f} of ranking accuracy"


def _table_3(run: Run) -> Iterator[Claim]:
    selection = run.selections[0]
    alike = replace(selection.setting, scenarios=LIKE_TABLE_3.scenarios, seed=LIKE_TABLE_3.seed, benchmark_prevalence=None)
    if run.study.along != "none" or alike != LIKE_TABLE_3:
        return
    for metric, printed in TABLE_3.items():
        yield _printed(selection, metric, printed)
    yield _when_it_differs(selection)
    yield _caption(selection)
    for metric, cut in CUT.items():
        yield _cut(selection, metric, cut)
    yield _more_error(selection)


def _more_error(selection: Selection) -> Claim:
    low, high = MORE
    more = {metric: selection.ratio(LOSS, metric, BA) for metric in (ACCURACY, F1)}
    gaps = [Gap(min(r.value - 1 - low, high - (r.value - 1)), r.error, NAMES[metric]) for metric, r in more.items()]
    shown = (f"{NAMES[metric]} {words.signed(100 * (r.value - 1), 0)} ± {100 * r.error:.0f} %" for metric, r in more.items())
    claim = _judged("Sec. 6.3", "Accuracy or F1 give roughly 30–50 % more ranking error than balanced accuracy.", gaps, "loss")
    own_table = " and ".join(f"{words.signed(100 * more_than_ba(metric), 0)} %" for metric in more)
    return _with(claim, f"{', '.join(shown)}; by the paper’s own Table 3 {own_table}")


def more_than_ba(metric: str) -> float:
    """Return how much more ranking accuracy a metric loses than balanced accuracy, as a share, by the printed Table 3."""
    return TABLE_3[metric][1] / TABLE_3[BA][1] - 1


def _printed(selection: Selection, metric: str, printed: tuple[float, float]) -> Claim:
    """Return the claim of a row of Table 3; both runs have their Monte Carlo error, and the printed one its rounding."""
    success_and_loss = selection.outcome(SUCCESS, metric), selection.outcome(LOSS, metric)
    z = _z(2 * len(TABLE_3))
    room = [ROUNDED + z * math.sqrt(2) * estimate.error for estimate in success_and_loss]
    near = all(abs(e.value - p) <= r for e, p, r in zip(success_and_loss, printed, room, strict=True))
    rough = room[0] > 0.02 or room[1] > 0.006
    verdict: Verdict = "not" if not near else "unsettled" if rough else "reproduced"
    text = f"{NAMES[metric]}: success rate {printed[0]:.3f}, rank gap {printed[1]:.3f}."
    return Claim("Table 3", text, verdict, f"{_pm(success_and_loss[0], 3)}, {_pm(success_and_loss[1], 4)}")


def _when_it_differs(selection: Selection) -> Claim:
    """Return the claim of the rank gap, which section 6.3 words as a mean where the choice differs.

    Table 3 prints the mean over all scenarios.
    """
    loss, success = selection.outcome(LOSS, BA), selection.outcome(SUCCESS, BA)
    text = f"The rank gap is what is lost when another judge than the best is chosen: {TABLE_3[BA][1]:.3f} for {_BA}."
    if success.value >= 1:
        return Claim("Sec. 6.3", text, "unsettled", NO_LOSS)
    share = 1 - success.value
    gap, error = loss.value / share, math.hypot(loss.error, loss.value / share * success.error) / share
    off, room = abs(gap - TABLE_3[BA][1]), ROUNDED + _z(1) * math.sqrt(2) * error
    shown = f"{gap:.3f} over the scenarios where it differs; {loss.value:.3f} over all, which Table 3 prints"
    return Claim("Sec. 6.3", text, "not" if off > room else "unsettled", shown)


def _caption(selection: Selection) -> Claim:
    """Return the claim of the caption of Figure 5; Table 3 gives other leads, and no golden prevalence gives both."""
    leads = {metric: selection.difference(SUCCESS, BA, metric) for metric in (F1, ACCURACY)}
    gaps = [Gap(min(e.value - LEADS[m][0], LEADS[m][1] - e.value), e.error, NAMES[m]) for m, e in leads.items()]
    text = "The success rate of F1 lies 2–5 points below that of balanced accuracy, that of accuracy 10 or more."
    here = " and ".join(f"{NAMES[m]} {100 * e.value:.1f} ± {100 * e.error:.1f}" for m, e in leads.items())
    table = " and ".join(f"{100 * lead_in_table(m):.1f}" for m in leads)
    shown = f"{here} points below; by Table 3 {table}. The caption needs rare golden positives, the table common ones"
    return _with(_judged("Fig. 5", text, gaps, "points"), shown)


def lead_in_table(metric: str) -> float:
    """Return how far the success rate of balanced accuracy lies above that of a metric, by the printed Table 3."""
    return TABLE_3[BA][0] - TABLE_3[metric][0]


def _cut(selection: Selection, metric: str, cut: float) -> Claim:
    ratio = selection.ratio(LOSS, BA, metric)
    off, room = abs(1 - ratio.value - cut), _z(len(CUT)) * ratio.error
    verdict: Verdict = "reproduced" if off + room <= ROUGHLY else "not" if off - room > ROUGHLY else "unsettled"
    shown = NO_LOSS if math.isnan(off) else f"{100 * (1 - ratio.value):.1f} ± {100 * ratio.error:.1f} %"
    cuts = f"cuts the loss by roughly {words.percent(cut)} (read as within 5 points)"
    text = f"Choosing by balanced accuracy instead of {NAMES[metric]} {cuts}."
    return Claim("App. A.2", text, verdict, shown)


def _along(run: Run) -> Iterator[Claim]:
    if run.study.along == "p_golden":
        yield from _rarer(run)
    if run.study.along == "n_golden":
        yield from _more_golden(run)
    if run.study.along == "n_eval":
        yield from _more_answers(run)


def _rarer(run: Run) -> Iterator[Claim]:
    rise = _step(run.selections[0], run.selections[-1], BA)
    gap = Gap(SLIGHTLY - rise.value, rise.error, "0.01")
    text = "The loss of balanced accuracy rises only slightly as positives get rarer (read as by less than 0.01)."
    yield replace(
        _judged("Fig. 3", text, [gap], "loss"),
        evidence=f"{_signed(rise)} from {run.study.points[0].name} to {run.study.points[-1].name}",
    )
    yield _doubled(run)
    last = run.selections[-1]
    worse = []
    for outcome, sign in ((SUCCESS, -1), (LOSS, 1)):
        for other in (BA, F1, MACRO):
            apart = last.difference(outcome, ACCURACY, other)
            worse.append(Gap(sign * apart.value, apart.error, f"{NAMES[other]} in {'success' if outcome == SUCCESS else 'loss'}"))
    text = "When positives are very rare, accuracy is the worst of the four, in success and in loss."
    yield replace(_judged("App. A.2", text, worse, "loss", DIGIT), evidence=_all_four(last))


def _doubled(run: Run) -> Claim:
    before, after = (selection.outcome(LOSS, ACCURACY) for selection in (run.selections[0], run.selections[-1]))
    gap = Gap(after.value - 2 * before.value, math.hypot(after.error, 2 * before.error), NAMES[ACCURACY])
    first, *_, rarest = run.study.points
    claim = _judged("App. A.2", "The loss of accuracy more than doubles from balanced to very rare positives.", [gap], "loss")
    return replace(claim, evidence=f"{before.value:.4f} at {first.name}, {after.value:.4f} at {rarest.name}")


def _more_golden(run: Run) -> Iterator[Claim]:
    sizes = [point.size or 0 for point in run.study.points]
    middle = run.selections[sizes.index(ENOUGH)]
    gaps = []
    for metric in TABLE_3:
        whole, rest = _step(run.selections[-1], run.selections[0], metric), _step(run.selections[-1], middle, metric)
        error = math.hypot(rest.error, PLATEAU * whole.error)
        gaps.append(Gap(PLATEAU * whole.value - rest.value, error, NAMES[metric]))
    text = "Beyond about 1,000–2,000 golden answers the curves plateau (read as: at 1,600, 90 % of the fall is reached)."
    yield _judged("App. A.2", text, gaps, "loss")
    half = run.selections[-1].ratio(LOSS, BA, ACCURACY)
    claim = _judged("Fig. 4", "With a large golden set the loss of balanced accuracy is less than half that of accuracy.",
                    [Gap(0.5 - half.value, half.error, "half")], "loss")  # fmt: skip
    yield _with(claim, f"{100 * half.value:.1f} ± {100 * half.error:.1f} % of it at {run.study.points[-1].name}")


def _more_answers(run: Run) -> Iterator[Claim]:
    for metrics, text in LEADS_SAID.items():
        yield _leads(run, metrics, f"The success rate of balanced accuracy lies {text} (read as from {LARGE} answers on).")
    falls = [
        Gap(step.value, step.error, f"{NAMES[metric]} at {point.name}")
        for metric in TABLE_3
        for before, selection, point in zip(run.selections, run.selections[1:], run.study.points[1:], strict=False)
        for step in [_step(selection, before, metric)]
    ]
    yield _judged(
        "App. A.2", "The loss of every metric drops with every doubling of the answers per model.", falls, "loss", DIGIT
    )


def _leads(run: Run, metrics: Sequence[str], text: str) -> Claim:
    """Return the claim that the lead of balanced accuracy in success stays inside what the source says.

    It is read wherever answers are many.
    """
    gaps, shown = [], []
    for metric in metrics:
        low, high = LEADS[metric]
        points = [
            (p.name, selection) for p, selection in zip(run.study.points, run.selections, strict=True) if (p.size or 0) >= LARGE
        ]
        leads = [(at, selection.difference(SUCCESS, BA, metric)) for at, selection in points]
        gaps += [Gap(min(e.value - low, high - e.value), e.error, f"{NAMES[metric]} at {at}") for at, e in leads]
        shown.append(f"{NAMES[metric]} {_span([e for _, e in leads])}")
    return replace(_judged("Fig. 5", text, gaps, "points"), evidence=f"lead in points: {', '.join(shown)}")


def _step(selection: Selection, other: Selection, metric: str) -> Simulated:
    """Return loss in the other run minus loss in the one; the errors taken as independent."""
    a, b = selection.outcome(LOSS, metric), other.outcome(LOSS, metric)
    return simulated(b.value - a.value, math.hypot(a.error, b.error))


def _all_four(selection: Selection) -> str:
    return ", ".join(
        f"{NAMES[m]} {100 * selection.outcome(SUCCESS, m).value:.1f} %, {selection.outcome(LOSS, m).value:.4f}" for m in TABLE_3
    )


def _span(leads: Sequence[Simulated]) -> str:
    low, high = (100 * end(lead.value for lead in leads) for end in (min, max))
    return f"{words.signed(low, 1)} to {words.signed(high, 1)}"


def _pm(estimate: Simulated, digits: int) -> str:
    return f"{estimate.value:.{digits}f} ± {estimate.error:.{digits + 1}f}"


def _signed(estimate: Simulated) -> str:
    return f"{words.signed(estimate.value, 4)} ± {estimate.error:.4f}"
