"""What slices say, in sentences computed from the numbers shown; none has a direction where the test leaves it open."""

from __future__ import annotations

import math

from scipy.special import ndtri

from metrics.analyses.cautions import weights_unused_words
from metrics.analyses.slices.composition import all_or_none, one_label_there
from metrics.analyses.slices.control_chart import Change
from metrics.analyses.slices.heterogeneity import Beside, Heterogeneity
from metrics.analyses.slices.ordering import order_reading
from metrics.analyses.slices.result import TESTED, Departing, JudgeSlices, Search, Slice, SliceReport, Step
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import quoted

MOST_NAMED = 5
"""Groups that sentences name; of more the table has the rest."""
LEAST_EXPLAINED = 0.2
"""Part of a distance from which on it is worth a sentence that prevalence explains it."""
LEAST_LEFT_OPEN = 0.02
"""How far the coverage of two groups must lie apart for what is left open to be named."""


def headline(report: SliceReport, judge: JudgeSlices) -> str:
    """Return whether the groups differ, and which of them departs.

    Parameters
    ----------
    report : SliceReport
    judge : JudgeSlices
        Of it.
    """
    symbol, test = BY_KEY[judge.metric].symbol, judge.test
    groups = f"groups by {quoted(report.by)}"
    if text := all_or_none(report.by, judge):
        return f"{text}."
    if math.isnan(test.q):
        return f"whether {symbol} differs between {groups} is not tested: {test.why}."
    if math.isnan(test.p):
        return f"whether {symbol} differs between {groups} cannot be told: {test.why}."
    if named := judge.below or judge.departing:
        side, rest = ("lower", "") if judge.below else ("higher", "; no group is lower")
        which = words.listed([quoted(each.value) for each in named], MOST_NAMED)
        each_one = "" if len(named) == 1 else "each of "
        held = f"than in all other {groups} together{_holm(judge)}"
        return f"{symbol} is {side} in {each_one}{which} {held}{rest}{one_label_there(report.by, named)}."
    if judge.differs:
        return f"{symbol} differs between {groups}, and no single one differs significantly from the others ({_q(judge)})."
    over_time = judge.chart is not None and bool(judge.chart.outside or judge.chart.drift is not None)
    if judge.within is not None and judge.within.p > TESTED and (judge.apart_pooled or test.p <= TESTED):
        return f"{_pooled_alone(judge, groups, over_time=over_time)}."
    if over_time:
        return f"{symbol} changes over time, and no single group differs significantly from all others together ({_q(judge)})."
    return f"no group differs significantly: {symbol} differs between {groups} no more than chance explains ({_q(judge)})."


def _pooled_alone(judge: JudgeSlices, groups: str, *, over_time: bool) -> str:
    """Return what the pooled decisions tell apart, and that κ within criteria does not; limits over time allow for criteria."""
    symbol, within, named = BY_KEY[judge.metric].symbol, judge.within, judge.apart_pooled
    assert within is not None
    parts = [
        f"{side} in {words.listed([quoted(each.value) for each in own], MOST_NAMED)}"
        for side, sign in (("lower", -1), ("higher", 1))
        if (own := [each for each in named if each.departs_pooled(judge.metric) == sign])
    ]
    pooled = f"is {words.listed(parts)}" if parts else "differs"
    first = f"{symbol} changes over time, though no group" if over_time else "no group"
    why = "" if over_time else ", so the criteria asked, or their label rates, may make the difference"
    return (
        f"{first} is shown to differ within criteria: over the pooled decisions {symbol} {pooled}, and within criteria {groups} "
        f"are not told apart (p {words.p_value(within.p)}){why}"
    )


def _holm(judge: JudgeSlices) -> str:
    tested = sum(1 for each in judge.slices if not math.isnan(each.p[judge.metric]))
    return words.corrected(tested if tested > 2 else 1, "groups")


def _q(judge: JudgeSlices) -> str:
    test = judge.test
    how = "groups permuted" if test.method == "permutation" else "chi-square"
    return f"Q {words.number(test.q)} on {test.df}, p {words.p_value(test.p)}, {how}"


def sentences(report: SliceReport, judge: JudgeSlices) -> tuple[str, ...]:
    """Return what stands below the figure: each group that departs, what prevalence explains, the rates, and small groups.

    Parameters
    ----------
    report : SliceReport
    judge : JudgeSlices
        Of it.
    """
    # Of two groups each is all the others of the other: one sentence says it.
    two = judge.test.df == 1
    # One group far below the others takes all the others above the rest: they are named where none is below.
    named = judge.below or judge.departing
    lines = [departing(judge, each) for each in named[: 1 if two else MOST_NAMED]]
    lines += [] if two else _above(judge)
    if judge.departing and not math.isnan(judge.test.p):
        lines.append(f"{'Both' if two else f'All {words.count(judge.test.df + 1)}'} groups together: {_q(judge)}.")
    over_time = [text] if (text := chart_reading(judge)) else []
    return (
        *over_time,
        *filter(None, [order_reading(judge)]),
        *lines,
        *(_not_within(judge, each) for each in judge.apart_pooled[: 1 if two else MOST_NAMED]),
        *_rates(judge),
        *_left_open(judge),
        *_pooled(judge),
        *_small(judge),
        *_without(report),
        *_weights(report, judge),
    )


def _above(judge: JudgeSlices) -> list[str]:
    """Return the groups above the others where some lie below, and why they are not named as those are."""
    above = [quoted(each.value) for each in judge.departing if each.departs(judge.metric) > 0]
    if not above or not judge.below:
        return []
    low, many = [quoted(each.value) for each in judge.below], len(above) > 1
    rest = f"{'each of them' if many else 'it'} is held against a rest that holds {words.listed(low, MOST_NAMED)}"
    p = words.p_value(max(each.p[judge.metric] for each in judge.departing if each.departs(judge.metric) > 0))
    return [
        f"{words.listed(above, MOST_NAMED)} {words.are(len(above))} higher than the others ({'p up to' if many else 'p'} {p}), "
        f"but {rest}: groups above are named only where none is below."
    ]


def departing(judge: JudgeSlices, each: Slice) -> str:
    """Return one group that departs: its value, its size, and how much of the distance the prevalence explains."""
    record = BY_KEY[judge.metric]
    whole = judge.numbers[judge.metric].value
    side = "lower than" if each.departs(judge.metric) < 0 else "higher than"
    # Runs are of the same items, and the whole is the first run of each.
    beside = "" if judge.of_runs else f", {words.value(whole, record.unit)} in the whole file"
    text = (
        f"{quoted(each.value)} is {side} the others: {record.symbol} {words.estimate(each[judge.metric], record.unit)} in "
        f"{words.several(each.n_items, 'items')}{beside} (p {words.p_value(each.p[judge.metric])})."
    )
    # Of other criteria no part can be told from that of the errors.
    explained = _mixed(judge.metric, each.mixed, each.lacking) or _explained(judge, each)
    return " ".join(filter(None, [text, _within(judge.metric, each.within.get(judge.metric)), explained]))


def _within(metric: str, beside: Beside | None) -> str:
    """Return a group and the others within criteria; empty of one criterion."""
    if beside is None:
        return ""
    return f"Within criteria and within groups {BY_KEY[metric].symbol} is {_against(metric, beside)}."


def _against(metric: str, beside: Beside) -> str:
    here, elsewhere = (words.value(value, BY_KEY[metric].unit) for value in (beside.value, beside.rest))
    return f"{here} there and {elsewhere} in all others (p {words.p_value(beside.p)})"


def _not_within(judge: JudgeSlices, each: Slice) -> str:
    """Return a group that the pooled decisions alone tell apart."""
    metric = judge.metric
    side = "lower" if each.departs_pooled(metric) < 0 else "higher"
    text = (
        f"{quoted(each.value)} is {side} than the others over the pooled decisions alone (p {words.p_value(each.p[metric])}): "
        f"within criteria and within groups {BY_KEY[metric].symbol} is {_against(metric, each.within[metric])}."
    )
    return " ".join(filter(None, [text, _mixed(metric, each.mixed, each.lacking)]))


def _explained(judge: JudgeSlices, each: Slice) -> str:
    """Return what part of the distance of κ is that of prevalence."""
    value, whole = each["kappa"].value, judge.numbers["kappa"].value
    if judge.of_runs or judge.metric != "kappa" or math.isnan(each.matched) or math.isnan(whole):
        return ""
    prevalence, errors = value - each.matched, each.matched - whole
    return (
        f"Of the distance of {words.signed(value - whole, 2)}, {words.signed(prevalence, 2)} is that of the prevalence, "
        f"{words.percent(each['prevalence'].value)} here and {words.percent(judge.numbers['prevalence'].value)} in the file, "
        f"and {words.signed(errors, 2)} that of the errors: at the file’s prevalence κ would be {words.number(each.matched)}."
    )


def _rates(judge: JudgeSlices) -> list[str]:
    """Return whether TPR and TNR, which do not move with prevalence, differ; over several criteria within these too."""
    told = [key for key, test in judge.tests.items() if key != judge.metric and not math.isnan(test.p)]
    parts = [f"{BY_KEY[key].symbol} {_differs(judge.tests[key], judge.rates.get(key))}" for key in told]
    return [f"Between the groups {words.listed(parts)}; neither moves with prevalence alone."] if told else []


def _differs(test: Heterogeneity, within: Heterogeneity | None) -> str:
    p = f"p {words.p_value(test.p)}"
    if test.p > TESTED:
        return f"is not seen to differ ({p})"
    if within is None:
        return f"differs ({p})"
    alone = "" if within.p <= TESTED else "over the pooled decisions alone "
    return f"differs {alone}({p}, within criteria {words.p_value(within.p)})"


def _left_open(judge: JudgeSlices) -> list[str]:
    """Return the groups of the lowest and of the highest coverage, where they lie apart."""
    large = (each for each in judge.slices if each.coverage >= 0 and not each.small[judge.metric])
    covered = sorted(large, key=lambda each: each.coverage)
    if not covered or covered[-1].coverage - covered[0].coverage < LEAST_LEFT_OPEN:
        return []
    ends = [f"{words.percent(each.coverage)} in {quoted(each.value)}" for each in (covered[0], covered[-1])]
    return [f"Coverage is {ends[0]} and {ends[1]}: what is left open may make groups differ, or hide that they do."]


def _pooled(judge: JudgeSlices) -> list[str]:
    if math.isnan(judge.test.tau2):
        return []
    if judge.test.tau2 == 0:
        return ["No spread of the groups beyond chance is seen, though there may be some. Every pooled value is their mean."]
    return ["A pooled value is shrunk towards the mean of the groups, more with fewer items; groups are ranked by it."]


def _small(judge: JudgeSlices) -> list[str]:
    small = [f"{quoted(each.value)} ({each.small[judge.metric]})" for each in judge.slices if each.small[judge.metric]]
    if not small:
        return []
    return [f"Too small to be tested {words.are(len(small))} {words.listed(small, MOST_NAMED)}."]


def _without(report: SliceReport) -> list[str]:
    n = report.n_without
    return [f"{words.several(n, 'items')} without a value {words.are(n)} in no group."] if n else []


def _weights(report: SliceReport, judge: JudgeSlices) -> list[str]:
    if judge.weights:
        return [
            f"Items count by ‘{words.shorten(judge.weights)}’ in the numbers of groups, their tests and their order. Counts and "
            "coverage take every item once."
        ]
    column = report.whole.declaration.weights
    return [weights_unused_words(column, "for groups")] if column else []


def chart_reading(judge: JudgeSlices) -> str:
    """Return whether a batch lies outside its limits, of groups that follow each other in time; empty where they do not."""
    chart = judge.chart
    if chart is None:
        return ""
    changed = "".join(f" {changed_words(change)} with {quoted(change.value)}." for change in chart.changes)
    if chart.why:
        return f"There are no limits over time: {chart.why}.{changed}"
    record = BY_KEY[judge.metric]
    first = f"the first {words.several(chart.n_baseline, 'batches')}" if chart.n_baseline > 1 else "the first batch"
    centre = f"{words.value(chart.centre, record.unit)} in {first}"
    criteria = ", and for a batch of other criteria" if judge.within is not None else ""
    drift = ""
    if chart.drift is not None:
        side, by = "below" if chart.drift.side < 0 else "above", quoted(chart.drift.value)
        drift = f" A running mean of the batches lies {side} the baseline by {by}, further than chance takes it."
    if not chart.outside:
        return (
            f"No single batch left its limits: of {words.several(chart.n_tested, 'batches')} none lies further from "
            f"{record.symbol} {centre} than chance takes the furthest of so many.{drift}{changed}"
        )
    named = [
        f"{quoted(batch.value)} ({words.value(judge[batch.value][judge.metric].value, record.unit)}, limits "
        f"{words.bounds((batch.low, batch.high), record.unit)})"
        for batch in chart.outside
    ]
    return (
        f"{record.symbol} left its limits in {words.listed(named, MOST_NAMED)}; the limits allow for chance around {centre}, for "
        f"{words.several(chart.n_tested, 'batches')} looked back on{criteria}.{drift}{changed}"
    )


def changed_words(change: Change) -> str:
    """Return what another column changed to."""
    return f"{quoted(change.column)} changes from {quoted(change.before)} to {quoted(change.after)}"


def steps_reading(report: SliceReport, judge: JudgeSlices) -> str:
    """Return which groups differ from the one before, where groups follow each other; empty where they do not.

    By their intervals for all steps at once: of eleven that differ in nothing one leaves out 0 alone in two files of five.
    """
    if not judge.steps:
        return ""
    symbol, n = BY_KEY[judge.metric].symbol, len(judge.steps)
    if not any(step.difference.ends for step in judge.steps):
        return (
            f"Whether {symbol} differs from the group before is not measured: {judge.steps[0].difference.why or 'no interval'}."
        )
    unit = words.unit_of_difference(BY_KEY[judge.metric].unit)
    named = [
        f"{'rose' if sign > 0 else 'fell'} from {quoted(step.before)} to {quoted(step.after)} by "
        f"{words.estimate(abs(step.difference), unit).replace('+', '')} ({how_paired(step)})"
        for step in judge.steps
        if step.difference.ends and (sign := _sign_of_all(step.difference, n, report.whole.declaration.confidence))
    ]
    at_once = f", by intervals for all {words.count(n)} steps at once" if n > 1 else ""
    alone = " Each interval shown stands alone." if n > 1 else ""
    if named:
        return f"{symbol} {words.listed(named, MOST_NAMED)}{at_once}.{alone}"
    neighbours = "between the two" if n == 1 else "between any two neighbours"
    return f"{symbol} is not seen to differ {neighbours}{at_once} ({how_all_paired(judge)}).{alone}"


def _sign_of_all(one: Estimate, n: int, confidence: float) -> int:
    """Return which way a difference goes by its interval for all n at once (Bonferroni); 0 where that holds 0."""
    wider = float(ndtri((1 - confidence) / 2 / n) / ndtri((1 - confidence) / 2))
    low, high = (one.value + (end - one.value) * wider for end in one.ends or (0.0, 0.0))
    return int(low > 0) - int(high < 0)


def how_all_paired(judge: JudgeSlices) -> str:
    """Return whether groups are paired with the ones before, of all steps at once."""
    kinds = {how_paired(step) for step in judge.steps}
    return kinds.pop() if len(kinds) == 1 else "paired where items repeat"


def how_paired(step: Step) -> str:
    """Return whether a group is paired with the one before, and on what."""
    return {
        "decisions": f"paired on {words.several(step.n_shared, 'decisions')}",
        "units": f"paired by {words.count(step.n_shared)} shared groups of the unit",
        "": "independent: no item repeats",
    }[step.paired]


def search_reading(search: Search) -> str:
    """Return over what was searched, and whether any group departs."""
    if search.why:
        return f"columns are not searched: {search.why}."
    if not search.n_groups:
        return "no column of the file makes groups that are large enough to be compared."
    over = f"{words.several(search.n_groups, 'groups')} of {words.several(len(search.columns), 'columns')}"
    symbol, n_pooled = BY_KEY[search.metric].symbol, search.n_apart_pooled
    if not search.departing and n_pooled:
        return (
            f"none departs within criteria: of {over} {words.count(n_pooled)} {'departs' if n_pooled == 1 else 'depart'} in "
            f"{symbol} of the pooled decisions alone, which the criteria asked, or their label rates, may make."
        )
    if not search.departing:
        return f"none departs: over {over} no group is further from the others than chance takes the furthest of so many."
    n, named = search.n_departing, len(search.departing)
    furthest = "" if n == named else f" The {words.count(named)} furthest are named."
    depart = "departs" if n == 1 else "depart"
    alone = (
        f" {words.count(n_pooled)} more {words.are(n_pooled)} apart in pooled {symbol} alone, not within criteria."
        if n_pooled
        else ""
    )
    return f"{words.several(n, 'groups')} of {over} {depart} from the others, corrected for the search.{furthest}{alone}"


def found_sentences(search: Search) -> tuple[str, ...]:
    """Return a sentence for every group that departs."""
    return tuple(_found(search, each) for each in search.departing)


def _found(search: Search, each: Departing) -> str:
    record = BY_KEY[search.metric]
    said = (
        f"Where {quoted(each.by)} is {quoted(each.value)}, {record.symbol} is {words.estimate(each.estimate, record.unit)} in "
        f"{words.several(each.n_items, 'items')}, {'lower' if each.z < 0 else 'higher'} than the "
        f"{words.value(each.rest, record.unit)} of all others (p {words.p_value(each.p)})."
    )
    beside = [
        _one_label(each),
        _within(search.metric, each.within),
        _mixed(search.metric, each.mixed, each.lacking),
        _at_their_prevalence(search, each),
        _coverage(each),
    ]
    return " ".join([said, *filter(None, beside)])


def _one_label(each: Departing) -> str:
    """Return that a side gives one label in a group, as where the column was made of its answers; empty where both vary."""
    if each.only is None:
        return ""
    side, label = each.only
    return f"There the {side} answers only {words.marked(words.shorten(label))}, so the column may be made of the answers."


def _mixed(metric: str, mixed: float, lacking: int) -> str:
    """Return that a group is asked other criteria than the file, or in other shares; empty where it is not."""
    if lacking:
        return f"It has no decision on {words.several(lacking, 'criteria')} of the file, so it may differ by what is asked."
    if math.isnan(mixed):
        return ""
    record = BY_KEY[metric]
    at = words.value(mixed, record.unit)
    return f"Its criteria are in other shares than in the file; in those of the file {record.symbol} would be {at}."


def _at_their_prevalence(search: Search, each: Departing) -> str:
    """Return κ at the prevalence of the others, where that explains a part of the distance that is seen."""
    explained, distance = each.matched - each.estimate.value, each.rest - each.estimate.value
    if math.isnan(explained) or abs(explained) < LEAST_EXPLAINED * abs(distance):
        return ""
    return f"At the prevalence of the others {BY_KEY[search.metric].symbol} would be {words.number(each.matched)}."


def _coverage(each: Departing) -> str:
    """Return the coverage of a group and of the others, where they lie apart."""
    apart = abs(each.coverage - each.coverage_of_rest)
    if not apart >= LEAST_LEFT_OPEN:
        return ""
    here, elsewhere = words.percent(each.coverage), words.percent(each.coverage_of_rest)
    return f"Coverage is {here} here, {elsewhere} elsewhere: what is left open may make the difference."
