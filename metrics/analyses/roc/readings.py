"""What a ROC curve says, in sentences and as a text for the terminal."""

from __future__ import annotations

import math

from metrics.analyses.cautions import weights_unused_words
from metrics.analyses.comparison.levels import FEWEST, ONE_LABEL_EACH
from metrics.analyses.records import notes_of
from metrics.analyses.roc.calibration import Calibration
from metrics.analyses.roc.cuts import Cut
from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.provenance import cut_words, header, negative_of, positive_of, short_cut
from metrics.analyses.roc.result import JudgeRoc, MeanCurve, RocBlock, RocReport
from metrics.analyses.roc.tables import by_criterion
from metrics.analyses.roc.tallies import Ints, ScoreTally
from metrics.measures.catalogue import BY_KEY
from metrics.results import tables, words
from metrics.results.estimate import Estimate

NOT_CALIBRATED = 0.05
MANY = 2
SHOWN_TIES = 0.02
"""Share of pairs with one score from which it is shown: less, counted half, moves the share of cases by less than a point."""
LEAST = 10
"""Decisions below which nothing is said of a pooled J beside those of the criteria."""
WIDTHS = (-29, 8, 22, 22, 22, 22, 22)
"""Letters of the columns on a terminal."""
POINTS_ONLY = "These judges give verdicts, not scores, so each is one point. A score column draws the curve."
NO_MEAN = "no criterion has both labels, so there is no mean over criteria"
AT_A_STOP = ("recall", "fpr", "youden_j", "kappa")
CHOSEN_HERE = "No interval: this threshold was chosen on these decisions. The held-out J has one."


def reading(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return what one judge's point and curve say.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all criteria pooled.
    """
    block, name = report.judges[judge].block(criterion), words.shorten(judge)
    parts = [_point(report, name, block.verdict)] if block.verdict is not None else []
    parts += [_beside_criteria(report, judge)] if criterion is None else []
    if block.curve is not None:
        parts.append(_on_others(block))
        parts.append(_held_out(block.curve.held_out, block.curve.best, block.curve.area.undefined))
    return " ".join(part for part in parts if part) or f"{name} has no decision here."


def cut_reading(report: RocReport, cut: Cut, tally: ScoreTally) -> str:
    """Return what happens at a cut.

    Parameters
    ----------
    report : RocReport
        Names the labels.
    cut : Cut
    tally : Tally
        Scores that the cut lies among, which tell how finely it is written.
    """
    tpr, fpr, j = cut["tpr"].value, cut["fpr"].value, cut["youden_j"].value
    where = cut_words(cut.threshold, tally)
    if math.isnan(j):
        return f"at {where} J is undefined: the reference lacks a class here."
    hits, alarms = words.percent(tpr), words.percent(fpr)
    called = f" It calls nothing {positive_of(report)}." if tpr == fpr == 0 else ""
    return f"{where} {_rates(report, hits, alarms)}, J {words.number(j)}{words.behind(cut['youden_j'].ends)}.{called}"


def stop_words(tally: ScoreTally, places: Ints) -> list[str]:
    """Return the numbers at cuts of a score: "score ≥ 0.25: TPR 83 %, FPR 11 %, J 0.72, κ 0.71".

    Parameters
    ----------
    tally : Tally
    places : ndarray of int64, shape (n,)
        Of the cuts among `tally.thresholds`.
    """
    tables = tally.tables(places).astype(float)
    columns = [
        [f"{metric.symbol} {words.value(value, metric.unit)}" for value in metric.function(tables).tolist()]
        for metric in map(BY_KEY.__getitem__, AT_A_STOP)
    ]
    cuts = (cut_words(float(threshold), tally) for threshold in tally.thresholds[places])
    return [f"{cut}: {', '.join(numbers)}" for cut, *numbers in zip(cuts, *columns, strict=True)]


def area_reading(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return what the area says, with the mean over criteria beside a pooled one.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all criteria pooled.

    Returns
    -------
    str
        Empty where the judge has no curve.
    """
    judge_roc = report.judges[judge]
    curve = judge_roc.block(criterion).curve
    if curve is None:
        return ""
    if math.isnan(curve.area.value):
        return f"AUC is undefined: {curve.area.undefined}."
    drawn = f"of one {positive_of(report)} and one {negative_of(report)} drawn at random"
    pair = f"{drawn} the first has the {report.direction} score in {words.percent(curve.area.value)} of cases"
    if curve.tally.tied == 1:
        return f"every decision has the same score, so AUC is {words.number(curve.area.value)} by construction."
    if curve.tally.tied >= SHOWN_TIES:
        pair += f", with ties ({words.percent(curve.tally.tied)}) counted half"
    how, turn = _against_chance(curve.area), _turn(report, curve.area)
    if criterion is not None or len(judge_roc.criteria) == 1:
        return f"{pair}{how}.{turn}"
    return f"{pair}{how}, pooled; {_beside_the_mean(curve.area.value, judge_roc.mean)}.{turn}"


def weighted_reading(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return the numbers of a judge by the weights of items.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all criteria pooled.

    Returns
    -------
    str
        Empty where no number counts items by weights.
    """
    judge_roc = report.judges[judge]
    block = judge_roc.block(criterion)
    numbers, curve, mean = block.weighted, block.curve, judge_roc.mean.weighted
    if numbers is None:
        return ""
    shown = []
    if curve is not None:
        beside = ""
        if criterion is None and len(judge_roc.criteria) > 1 and mean is not None:
            beside = f" (mean over criteria {words.estimate(mean)})"
        shown.append(f"AUC {words.estimate(numbers.area)}{beside}")
        if not math.isnan(numbers.youden_j):
            cut = cut_words(numbers.threshold, curve.tally)
            shown.append(f"the best threshold {cut} with J {words.number(numbers.youden_j)} where it was chosen")
        shown += [f"held-out J {words.estimate(numbers.held_out['youden_j'])}"] if numbers.held_out else []
    shown += [f"J of the verdicts {words.estimate(numbers.verdict['youden_j'])}"] if numbers.verdict else []
    if numbers.calibration is not None:
        promised, happened = (words.percent(share) for share in (numbers.calibration.mean_score, numbers.calibration.prevalence))
        shown.append(f"a mean score of {promised} beside {happened} {promised_label(report, numbers.calibration)}")
    on = f"on {words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight"
    by = f"Weighted by ‘{words.shorten(numbers.column)}’"
    return f"{by}: {words.listed(shown)}, {on}. The curve and the other numbers count every item once."


def weighted_notes(report: RocReport, judge: str, criterion: str | None) -> list[str]:
    """Return the same as a note, or that a column of weights is not used; nothing without one.

    Parameters
    ----------
    report, judge, criterion
        As in `weighted_reading`.
    """
    column, text = report.declaration.weights_unused, weighted_reading(report, judge, criterion)
    return [text] if text else [weights_unused_words(column)] if column else []


def calibration_reading(report: RocReport, calibration: Calibration) -> str:
    """Return whether scores may be read as probabilities."""
    gap = calibration.prevalence - calibration.mean_score
    promised, happened = words.percent(calibration.mean_score), words.percent(calibration.prevalence)
    promise = f"the scores predict {promised} {promised_label(report, calibration)}, the reference says {happened}"
    side = "too low on the whole" if gap > 0 else "too high on the whole"
    if math.isnan(calibration.p):
        why = (
            ""
            if math.isnan(calibration.kuiper_scaled)
            else f" Calibration error (Kuiper) {words.number(calibration.kuiper)}. No p value: {calibration.why_no_p}."
        )
        return f"{promise}.{why}"
    test = f"calibration error (Kuiper) {words.number(calibration.kuiper)}, p {words.p3(calibration.p)}"
    if calibration.p > NOT_CALIBRATED:
        return f"{promise}. There is no significant calibration error ({test})."
    off = (
        f"the scores are {side}" if abs(gap) > calibration.kuiper / 2 else "they are too high in one place and too low in another"
    )
    return f"{promise}: as probabilities {off} ({test})."


def promised_label(report: RocReport, calibration: Calibration) -> str:
    """Return the user's word for the label whose probability the scores are taken for."""
    return positive_of(report) if calibration.of == "positive" else negative_of(report)


def in_sample(curve: JudgeRoc) -> str:
    """Return what J of the best cuts is worth, and its mean over criteria where there are many; empty without such a cut."""
    blocks = [curve.pooled, *curve.criteria.values()]
    if all(block.curve is None or block.curve.best_spot is None for block in blocks):
        return ""
    mean = ", and so is its mean" if len(curve.criteria) > 1 else ""
    return f"J there is J of the best threshold on the decisions that chose it, hence too good{mean}; held-out J is not."


def held_out_rows(held_out: HeldOut) -> list[tuple[str, str, str]]:
    """Return J of the best cut where it was chosen, and on the other items: on what, J, and decisions."""
    if held_out.method == "split":
        names = "chosen on one half of the items", "tested on the other half"
    else:
        names = "chosen and tested on all items", f"each fold tested at the threshold of the other {len(held_out.thresholds) - 1}"
    out = words.estimate(held_out.cut["youden_j"])
    return [
        (names[0], words.number(held_out.in_sample_j), words.count(held_out.n_chosen_on)),
        (names[1], out, words.count(held_out.cut.n)),
    ]


def held_out_note(held_out: HeldOut, tally: ScoreTally) -> str:
    """Return which cuts were chosen, and how the items were parted."""
    seed, known = held_out.seed, sorted(filter(math.isfinite, held_out.thresholds))
    if held_out.method == "split":
        if not known:
            return f"No threshold does better than chance on the half of the items that chooses, drawn at random, seed {seed}."
        half = f"half of the items, drawn at random, seed {seed}"
        return f"Threshold {short_cut(known[0], tally)}, chosen on {half}; the held-out J is that of the other half."
    folds = f"Items in {len(held_out.thresholds)} folds at random, seed {seed}; "
    if not known:
        return f"{folds}in none is a threshold better than chance."
    low, high = (short_cut(end, tally) for end in (known[0], known[-1]))
    n_without = len(held_out.thresholds) - len(known)
    who = words.count(len(known)) if n_without else "each"
    cuts = f"{who} chose the threshold {low}" if low == high else f"their thresholds are {low} to {high}"
    return f"{folds}{cuts}{f', and {n_without} found none better than chance' if n_without else ''}."


def summary(report: RocReport) -> str:
    """Return every judge and criterion, and the warnings."""
    return "\n\n".join([*(_text_of(report, curve) for curve in report.judges.values()), *notes_of(report.warnings)])


def _point(report: RocReport, name: str, cut: Cut | None) -> str:
    if cut is None:
        return ""
    j = cut["youden_j"].value
    if math.isnan(j):
        return f"J of {name} is undefined: the reference lacks a class here."
    ends = cut["youden_j"].ends
    chance = " That is indistinguishable from chance." if ends is not None and ends[0] <= 0 <= ends[1] else ""
    if (tpr := cut["tpr"].value) == cut["fpr"].value and tpr in (0, 1):
        only = positive_of(report) if tpr else negative_of(report)
        chance = f" That is chance by construction, because {name} says only {only}."
    worse = " That is worse than chance." if ends is not None and ends[1] < 0 else ""
    hits, alarms = words.percent(cut["tpr"].value), words.percent(cut["fpr"].value)
    return f"{name} {_rates(report, hits, alarms)}, J {words.number(j)}{words.behind(ends)}.{chance}{worse}"


def _on_others(block: RocBlock) -> str:
    """Return that verdicts and thresholds are on other decisions, as where scores decide abstentions; else empty."""
    n = 0 if block.verdict is None else block.verdict.n
    if not n or abs(n - block.n) < SHOWN_TIES * block.n:
        return ""
    return (
        f"J of the verdicts is on {words.count(n)} decisions and J of thresholds on {words.count(block.n)}: they do not compare."
    )


def _rates(report: RocReport, hits: str, alarms: str) -> str:
    """Return the two shares that make J; no label stands next to another one."""
    return f"finds {hits} of {positive_of(report)} and says {positive_of(report)} on {alarms} of {negative_of(report)}"


def _beside_criteria(report: RocReport, judge: str) -> str:
    """Return which speaks of seeing where J of all verdicts together lies outside those of the criteria; else empty."""
    curve = report.judges[judge]
    used = [block.verdict for block in curve.criteria.values() if block.verdict is not None and block.verdict.n]
    j_values = [cut["youden_j"].value for cut in used]
    if len(used) >= MANY and all(map(math.isnan, j_values)) and min(cut.n for cut in used) >= FEWEST:
        known_pooled = curve.pooled.verdict is not None and not math.isnan(curve.pooled.verdict["youden_j"].value)
        return f"That is pooled over criteria; {ONE_LABEL_EACH}." if known_pooled else ""
    known = [round(j, 2) for j in j_values if not math.isnan(j)]
    pooled = math.nan if curve.pooled.verdict is None else round(curve.pooled.verdict["youden_j"].value, 2)
    if len(known) < MANY or curve.pooled.n < LEAST or math.isnan(pooled) or min(known) <= pooled <= max(known):
        return ""
    span = f"on {words.several(len(known), 'criteria')} J is {words.number(min(known))} to {words.number(max(known))}"
    above = pooled > max(known)
    why = (
        "part of the pooled J comes from criteria that differ in how often they are met"
        if above
        else "a verdict does not mean the same on every criterion"
    )
    return f"That is pooled; {span}: {why}."


def _held_out(held_out: HeldOut | str, best: Cut | None, why: str) -> str:
    if best is None:
        return f"There is no threshold to test: {why}."
    if isinstance(held_out, str):
        mine = words.number(best["youden_j"].value)
        return f"The best threshold reaches J {mine} on the items that chose it. There is no held-out J: {held_out}."
    mine, theirs = words.number(held_out.in_sample_j), words.number(held_out.cut["youden_j"].value)
    if words.side_of_0((held_out.in_sample_j, held_out.in_sample_j)) <= 0:
        return "No threshold does better than chance on the items that chose it."
    kept = f"no loss on held-out items in {'this split' if held_out.method == 'split' else 'these folds'}"
    luck = "the second is the fair one" if held_out.loss > 0 and mine != theirs else kept
    held = f"{theirs}{words.behind(held_out.cut['youden_j'].ends)}"
    if held_out.method == "split":
        return f"The best threshold of one half of the items reaches J {mine} there and {held} on the other half: {luck}."
    return f"The best threshold reaches J {mine} on the items that chose it and {held} on held-out items: {luck}."


def _beside_the_mean(area: float, mean: MeanCurve) -> str:
    defined, of = mean.area.of or (0, 0)
    if not defined:
        return NO_MEAN
    clause = f"the mean over {defined} of {of} criteria is {words.estimate(mean.area)}"
    gap = area - mean.area.value
    if abs(gap) < 0.005:
        return f"{clause}, so pooling changes nothing"
    ends = mean.area.ends
    if ends is not None and ends[0] <= area <= ends[1]:
        return f"{clause}, whose interval includes the pooled one"
    why = (
        "part of the pooled AUC comes from criteria that differ in how often they are met"
        if gap > 0
        else "a score does not mean the same on every criterion"
    )
    return f"{clause}: {why}"


def _against_chance(area: Estimate) -> str:
    if area.ends is None:
        return ""
    if area.ends[0] <= 0.5 <= area.ends[1]:
        return ", indistinguishable from chance"
    return ", worse than chance" if area.ends[1] < 0.5 else ""


def _turn(report: RocReport, area: Estimate) -> str:
    """Return what to do about scores that point the other way."""
    if area.ends is None or area.ends[1] >= 0.5:
        return ""
    other = "lower" if report.direction == "higher" else "higher"
    return f" If {other} scores are meant to say {positive_of(report)}, declare it: no score is inverted by itself."


def _text_of(report: RocReport, curve: JudgeRoc) -> str:
    table = [f"  {line}" for line in tables.lines(by_criterion(curve), WIDTHS, corner="")]
    lines = [f"  {text}"] if (text := in_sample(curve)) else []
    lines += [f"  Read this as: {reading(report, curve.name, None)}"]
    area_said = area_reading(report, curve.name, None)
    lines += [f"  {area_said[:1].upper()}{area_said[1:]}"] if area_said else []
    weighted = weighted_reading(report, curve.name, None)
    lines += [f"  {weighted}"] if weighted else []
    return "\n".join([curve.name, f"  {header(report, curve.name, None).text()}", "", *table, "", *lines])
