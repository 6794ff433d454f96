"""What the page on κ and φ says, in sentences computed from the numbers drawn.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them; `why` wraps reasons,
which may hold such words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, opposite_words, plain_name
from metrics.analyses.kappa_phi.five import EQUAL, Five
from metrics.analyses.kappa_phi.rows import BY_CONSTRUCTION, POOLED, Cause, GapRow
from metrics.analyses.kappa_phi.variances import ALIKE, Error, Variances
from metrics.analyses.provenance import header
from metrics.analyses.records import AgreementReport
from metrics.data.aggregation import Level
from metrics.results import words

LEAST = 0.005
"""A gap below this is 0.00 on screen."""
# Names that a sentence lists.
MOST_NAMES = 3
NO_RATES = "a mean over criteria has no label rates of its own"


def size(drift: float) -> str:
    """Return a drift without its sign: 12 points."""
    return words.points(abs(drift)).lstrip("+")


def gap_reading(
    rows: Sequence[GapRow],
    positive: str,
    what: str = "criterion",
    *,
    pooled: GapRow | None = None,
    name: Name = plain_name,
    why: Name = plain_name,
) -> str:
    """Return where κ lies furthest from φ and why; what is 0 or undefined, and why.

    Parameters
    ----------
    rows : sequence of GapRow
    positive : str
        The positive label.
    what : {"criterion", "judge"}
        What a row is.
    pooled : GapRow or None
        All the criteria together, named where they differ from every criterion.
    name, why : callable
        See the module.
    """
    if not rows:
        return "there is no row to read."
    defined = [row for row in rows if row.state != "undefined"]
    if not defined:
        return f"φ is undefined {_everywhere(rows, what, name)}: {_reasons(rows, name, why)}."
    if any(row.state == "mean" for row in defined):
        return f"{_of_means(defined, name)}{_undefined(rows, what, name, why)}"
    drifting = [row for row in defined if row.state == "drift"]
    text = _furthest(drifting, positive, what, name) if drifting else _nowhere(rows, defined, positive, what, pooled, name)
    return f"{text}{_at_zero(defined, drifting, name)}{_undefined(rows, what, name, why)}"


def _of_means(defined: Sequence[GapRow], name: Name) -> str:
    """Return how far κ lies from φ in the mean over criteria, which no single drift explains."""
    row = max(defined, key=lambda row: abs(row.gap))
    if abs(row.gap) < EQUAL:
        return f"where both are defined, κ and φ have the same mean over criteria. {_cause_elsewhere()}"
    far = words.number(abs(row.gap)) if abs(row.gap) >= LEAST else "less than 0.01"
    share = row.share_of_criteria("kappa_phi_gap")
    over = f"the {share} criteria where both are defined" if share else "criteria"
    where = "below" if row.gap < 0 else "above"
    return f"κ is {far} {where} φ for {name(row.name)}, in the mean over {over}. {_cause_elsewhere()}"


def _cause_elsewhere() -> str:
    return f"The cause is visible on the criteria only: {NO_RATES}, and label-rate biases can cancel in it."


def means_reading(rows: Sequence[GapRow], *, name: Name = plain_name) -> str:
    """Return over how many criteria κ, φ and κ/φ are means, where that is not all of them."""
    clauses = []
    for row in rows:
        parts = [("κ", "kappa"), ("φ and κ/φ", "phi"), ("label-rate bias", "drift")]
        shares = [f"{symbol} over {share} criteria" for symbol, key in parts if (share := row.share_of_criteria(key))]
        clauses += [f"{name(row.name) if not row.pooled else row.name}: {', '.join(shares)}"] if shares else []
    more = f"; and {words.count(len(clauses) - MOST_NAMES)} more" if len(clauses) > MOST_NAMES else ""
    return f"Some means leave criteria out. {'; '.join(clauses[:MOST_NAMES])}{more}." if clauses else ""


def _everywhere(rows: Sequence[GapRow], what: str, name: Name) -> str:
    if len(rows) == 1:
        return f"on {name(rows[0].name)}" if what == "criterion" else f"for {name(rows[0].name)}"
    return "on every criterion" if what == "criterion" else "for every judge"


def _furthest(drifting: Sequence[GapRow], positive: str, what: str, name: Name) -> str:
    row = max(drifting, key=lambda row: (abs(row.gap), -row.ratio))
    far = words.number(abs(row.gap)) if abs(row.gap) >= LEAST else "less than 0.01"
    where = "below" if row.phi > 0 else "above"
    nearer = "" if row.phi > 0 else ", nearer to 0,"
    place, judge = ("on", "the judge") if what == "criterion" else ("for", "it")
    start = f"κ is {far} {where} φ{nearer} {place} {name(row.name)} because"
    if not row.bias_sign:
        return f"{start} the two label rates differ by {size(row.drift)}, not significantly."
    often = "more" if row.bias_sign > 0 else "less"
    return f"{start} {judge} says {name(positive)} {size(row.drift)} {often} often than the reference."


def _nowhere(
    rows: Sequence[GapRow], defined: Sequence[GapRow], positive: str, what: str, pooled: GapRow | None, name: Name
) -> str:
    if any(row.state == "no drift" for row in defined):
        if len(defined) == 1:
            return f"κ = φ: judge and human say {name(positive)} equally often."
        return f"κ = φ throughout: where φ is not 0, judge and human say {name(positive)} equally often."
    chance = "the verdicts go together no better than the two label rates alone would make them"
    if len(rows) == 1:
        return f"κ and φ are both 0: {chance}."
    where = _everywhere(rows, what, name) if len(rows) == len(defined) else "wherever φ is defined"
    return f"{where} κ and φ are 0: {chance}{_pooled_clause(pooled)}."


def _pooled_clause(pooled: GapRow | None) -> str:
    """Return what pooling makes of criteria whose φ is 0."""
    if pooled is None or pooled.state not in ("drift", "no drift"):
        return ""
    kappa, phi = words.number(pooled.kappa), words.number(pooled.phi)
    how = "pooled" if pooled.name == POOLED["micro"] else "over whole items"
    values = f"they are {kappa}" if kappa == phi else f"κ is {kappa} and φ {phi}"
    return f"; {how} {values} (see Every choice, Aggregation)"


def _at_zero(defined: Sequence[GapRow], drifting: Sequence[GapRow], name: Name) -> str:
    zero = [row for row in defined if row.state == "phi is 0" and row.drift != 0]
    if not zero:
        return ""
    if not drifting and len(zero) == 1:
        row = zero[0]
        shown = "" if row.bias_sign else ", not significantly"
        return (
            f" The gap is 0 although the label rates of {name(row.name)} differ by {size(row.drift)}{shown}: where φ is 0 there "
            "is nothing to lose."
        )
    return f" Where φ is 0 the gap is 0 whatever the label-rate bias: {_listed(zero, name)}."


def _undefined(rows: Sequence[GapRow], what: str, name: Name, why: Name) -> str:
    missing = [row for row in rows if row.state == "undefined"]
    if not missing:
        return ""
    place = "on" if what == "criterion" else "for"
    return f" φ is undefined {place} {_listed(missing, name)}: {_reasons(missing, name, why)}."


def _reasons(missing: Sequence[GapRow], name: Name, why: Name) -> str:
    """Return why φ is undefined, with the rows of each reason where there are several reasons."""
    of = {reason: [row for row in missing if row.reason == reason] for reason in dict.fromkeys(row.reason for row in missing)}
    if len(of) == 1:
        return why(missing[0].reason)
    return "; ".join(f"{why(reason)} ({_listed(gap_rows, name)})" for reason, gap_rows in of.items())


def _listed(rows: Sequence[GapRow], name: Name) -> str:
    names = [name(row.name) for row in rows[:MOST_NAMES]]
    if len(rows) > MOST_NAMES:
        names.append(f"{words.count(len(rows) - MOST_NAMES)} more")
    return words.joined(names)


def surface_reading(rows: Sequence[GapRow], *, name: Name = plain_name, why: Name = plain_name) -> str:
    """Return what the diagonal means, who is furthest from it, and on which side the points lie.

    Parameters
    ----------
    rows : sequence of GapRow
    name, why : callable
        See the module.
    """
    placed = [row for row in rows if row.placed]
    missing = [row for row in rows if not row.placed]
    reason = why(missing[0].reason if missing[0].has_table else NO_RATES) if missing else ""
    lost = f" Without a place: {_listed(missing, name)}, because {reason}." if missing else ""
    if not placed:
        return f"nothing has a place here: {reason}." if missing else "there is nothing to place."
    furthest = min(placed, key=lambda row: row.ratio)
    if furthest.ratio == 1:
        return f"on the diagonal κ = φ, and {'it' if len(placed) == 1 else 'every point'} lies there.{lost}"
    keeps = f"{name(furthest.name)} keeps {words.percent(furthest.ratio)} of φ"
    if furthest.state == "phi is 0":
        keeps += ", which is 0 there"
    return f"on the diagonal κ = φ; {keeps}.{_sides(placed)}{lost}"


def _sides(placed: Sequence[GapRow]) -> str:
    """Return how many points lie above the diagonal, below and on it."""
    if len(placed) < 2:
        return ""
    above, below = (sum(sign * row.drift > 0 for row in placed) for sign in (1, -1))
    counts = [(above, "above it, where the judge’s rate is the larger one"), (below, "below it, where it is the smaller one")]
    counts += [(len(placed) - above - below, "on it")]
    used = [(n, where) for n, where in counts if n]
    if len(used) == 1:
        every = "Both" if len(placed) == 2 else f"All {words.count(len(placed))}"
        return f" {every} are {used[0][1]}."
    return f" {'; '.join(f'{words.count(n)} {where}' for n, where in used)}."


def cause_reading(
    cause: Cause, unit: str = "decisions", *, named: bool = False, name: Name = plain_name, why: Name = plain_name
) -> str:
    """Return which side says the positive label more, and how far either would have to move for κ = φ.

    Parameters
    ----------
    cause : Cause
    unit : str
        What is counted.
    named : bool
        Whether errors are named by the label given, as where no criterion asks yes or no.
    name, why : callable
        See the module.
    """
    positive = name(cause.labels[0])
    human = words.percent(cause.prevalence)
    rates = f"the judge says {positive} on {words.percent(cause.predicted)} of {unit}, the human on {human}"
    if cause.state == "undefined":
        return f"{f'{rates}. There' if cause.n else 'there'} is no ratio: {why(cause.reason)}."
    if cause.drift == 0:
        same = f"both say {positive} on {words.percent(cause.prevalence)} of {unit}, so A = B and κ = φ, whatever the errors are"
        return f"{same}. φ is 0 here, so both are 0." if cause.state == "phi is 0" else f"{same}."
    word, other = ("less", "more") if cause.drift > 0 else ("more", "less")
    far = size(cause.drift)
    shown = "" if cause.bias_sign else "The difference is not significant. "
    verdicts = words.several(abs(cause.surplus), "verdicts")
    move = (
        f"{shown}For equal rates the judge would have to say {positive} {far} {word} often, "
        f"that is {verdicts} on balance ({_errors(cause, name, named=named)}), or the human {far} {other} "
        "often"
    )
    if cause.state == "phi is 0":
        held = f"The ratio {words.p3(cause.ratio)} comes from the rates alone: it is what κ would keep of a φ other than 0"
        return f"{rates}. φ is 0 (TP·TN = FP·FN), so κ is 0 too and the gap is 0 whatever the label-rate bias. {held}. {move}."
    return f"{rates}. {move}. Then κ = φ; nothing else moves the ratio."


def _errors(cause: Cause, name: Name, *, named: bool) -> str:
    if named:
        first, second = (name(label) for label in cause.labels[:2])
        return f"{words.count(cause.false_alarms)} {first} for {second} against {words.count(cause.misses)} {second} for {first}"
    counts = {"false": cause.false_alarms, "missed": cause.misses}
    return " against ".join(f"{words.count(n)} {kind} {'pass' if n == 1 else 'passes'}" for kind, n in counts.items())


def five_reading(five: Five) -> str:
    """Return whether the five are one number, to rounding."""
    if math.isnan(five.largest):
        return "none of the five is defined on this table: a side gives one label only."
    value = words.number(five.values["φ"])
    if five.equal:
        apart = f"Five routes differ by at most {small(five.largest)}, within the {small(EQUAL)} that rounding explains"
        return f"five names, one number: {value}. {apart}. Reporting all five adds no evidence."
    return f"the five routes differ by {small(five.largest)}, more than rounding explains ({small(EQUAL)})."


def small(x: float) -> str:
    """Return a tiny number as a power of ten: 2.2 × 10⁻¹⁶."""
    if x == 0:
        return "0"
    digits, _, exponent = f"{x:.1e}".partition("e")
    power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits} × 10{power}"


def all_digits(x: float, digits: int = 15) -> str:
    """Return a number to the last digit that means something; 0 where it is rounding of 0."""
    if math.isnan(x):
        return words.UNDEFINED
    rounded = f"{x:.{digits}f}" if abs(x) > EQUAL else "0"
    return rounded.replace("-", words.MINUS)


def paper_sentence(report: AgreementReport, judge: str, level: Level, row: GapRow) -> str:
    """Return what stands in a paper instead of five numbers, with what gives them their meaning.

    Parameters
    ----------
    report : AgreementReport
    judge : str
        Name in the report.
    level : Level
    row : GapRow
        One criterion, or all of them at the level.
    """
    alone = row.name in report.judges[judge].criteria and not row.pooled
    declared = header(report.on_one(judge, row.name) if alone else report, judge, level, "drift")
    reference = report.declaration.the_reference()
    start = f"Agreement of {judge} with {reference}{f' on {row.name}' if alone else ''}"
    end = f"n = {words.count(row.n)}; {words.uncapital(declared.bold)}".replace(" · ", "; ")
    if math.isnan(row.phi):
        return f"{start} has no φ: {row.reason}; Cohen’s κ {_is(row, 'kappa')}. {end}"
    drift = _bias_in_paper(row)
    return (
        f"{start}: φ {_is(row, 'phi')} (on binary verdicts the same number as MCC, Pearson’s r, Spearman’s ρ and Kendall’s τ_b, "
        f"so reported once); Cohen’s κ {_is(row, 'kappa')}; κ/φ = {words.p3(row.ratio)}; {drift}. {end}"
    )


def _bias_in_paper(row: GapRow) -> str:
    shown = "" if row.bias_sign or row.bias_sign is None or not row.drift else ", not significant"
    shown += ", opposite biases of criteria cancel" if opposite_words(row.block) else ""
    return f"label-rate bias on {row.block.labels[0]} {words.estimate(row.block['drift'], 'points')}{shown}"


def _is(row: GapRow, key: str) -> str:
    estimate = row.block[key]
    chance = f" ({BY_CONSTRUCTION})" if key == "kappa" and row.by_construction else ""
    return f"= {words.estimate(estimate)}{chance}" if estimate.defined else "is undefined"


def variance_reading(variances: Variances, *, name: Name = plain_name, why: Name = plain_name) -> str:
    """Return how the interval shown differs from the textbook's, and which coefficient has the smaller variance.

    Parameters
    ----------
    variances : Variances
    name, why : callable
        See the module.
    """
    if math.isnan(variances.kappa.error):
        return f"κ of {name(variances.name)} has no standard error: {why(variances.reason or 'it is undefined')}."
    if variances.reason:
        undefined = f"φ of {name(variances.name)} is undefined ({why(variances.reason)})"
        return f"{undefined} and κ is 0 by construction: neither has a standard error."
    if variances.kappa.flat.ends is None:
        return (
            f"the formula gives κ of {name(variances.name)} no error at all, which "
            "no finite sample has; trust the other interval."
        )
    text = f"of {name(variances.name)}, the interval of κ shown elsewhere is {_wider(variances.kappa)}"
    if abs(variances.gap) < EQUAL:
        return f"{text}. κ and φ have the same standard error here, as they do wherever the two label rates are equal."
    if _variance(variances.kappa) == _variance(variances.phi):
        return (
            f"{text}. κ and φ have nearly the same variance, N·Var {_variance(variances.kappa)}: the two label rates are close."
        )
    smaller = "φ" if variances.gap < 0 else "κ"
    return (
        f"{text}. {smaller} has the smaller variance: N·Var is {_variance(variances.kappa)} "
        f"for κ and {_variance(variances.phi)} for φ."
    )


def _wider(error: Error) -> str:
    if math.isnan(error.times):
        return "missing"
    if abs(error.times - 1) <= ALIKE:
        return "as wide as the textbook’s"
    return f"{words.number(error.times)} times as wide as the textbook’s, which takes decisions as independent"


def _variance(error: Error) -> str:
    return words.p3(error.times_n)


def order_reading(drifts: Sequence[float], gaps: Sequence[float]) -> str:
    """Return how the gap of the two variances grows with the drift, from the smallest drift to the largest."""
    start = f"without label-rate bias the gap is {all_digits(gaps[0], 5)}"
    points = [(drift, gap) for drift, gap in zip(drifts, gaps, strict=True) if drift > 0 and abs(gap) > EQUAL]
    if len(points) < 2:
        return f"{start}."
    (first_drift, first), (other, second) = points[0], points[1]
    times = f"{words.number(other / first_drift)} times the bias gives {words.number(second / first)} times the gap"
    squared = f"{words.number((other / first_drift) ** 2)} would be its square"
    return f"{start}; from {size(first_drift)} to {size(other)}, {times}, where {squared}."
