"""What a figure says, in a sentence computed from the numbers drawn.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.special import bdtrc

from metrics.analyses.records import Block
from metrics.data.abstention import Coverage
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA, TURNED
from metrics.results import words
from metrics.results.estimate import Estimate

Name = Callable[[str], str]
NEARLY_ONE = 0.95
"""Share of one label above which a reading calls a judge's answers nearly constant."""
RARE = 0.4
"""Part of an even share up to which a reading calls a label rare: a fifth of the decisions of two labels."""
COMMONER = 0.05
"""p, for all confusions at once, at which one is commoner than of errors spread evenly."""
WHOLE_RANGE = "over the whole range"
"""How far a choice moves a number that alone makes its lowest and its highest: their rounded difference need not be that of the
rounded ends.
"""


def plain_name(text: str) -> str:
    return text


def confusion_reading(block: Block, *, unit: str = "decisions", name: Name = plain_name) -> str:
    """Return which errors the judge makes, and to which side.

    Parameters
    ----------
    block : Block
    unit : str
        What the table counts, in the plural.
    name : callable
        A label to how it is written.
    """
    if block.confusion is None or not block.n:
        return "no decision is left."
    if block.withheld:
        told = of_one_verdict(block, "it", "the reference calls", unit, name)
        return f"{block.withheld}. {told}; what the reference says of the others is not known."
    if len(block.labels) == 2:
        return _two_by_two(block, unit, name)
    return _many(block, unit, name)


def of_one_verdict(block: Block, judge: str, reference_calls: str, unit: str = "decisions", name: Name = plain_name) -> str:
    """Return how often the one verdict whose decisions people labelled is wrong: "Of 93 decisions that gpt calls yes, …".

    Parameters
    ----------
    block : Block
    judge, reference_calls : str
        How each is named in the sentence, the reference with its verb.
    unit : str
    name : callable
        Name of a label to how it is written.
    """
    table = np.asarray(block.confusion)
    place = int(table.sum(0).argmax())
    given, other = (name(words.marked(block.labels[each])) for each in (place, place - 1))
    other = other if len(block.labels) == 2 else "otherwise"
    wrong, of = words.count(table[:, place].sum() - table[place, place]), words.several(int(table[:, place].sum()), unit)
    return f"Of {of} that {judge} calls {given}, {reference_calls} {wrong} {other}"


def _two_by_two(block: Block, unit: str, name: Name) -> str:
    (tp, fn), (fp, tn) = np.asarray(block.confusion).tolist()
    positive, negative = (name(words.marked(label)) for label in block.labels)
    missed = f"of {words.several(tp + fn, unit)} the reference calls {positive}, the judge calls {words.count(fn)} {negative}"
    passed = f"of {words.count(fp + tn)} it calls {negative}, the judge calls {words.count(fp)} {positive}"
    if not fp + fn:
        return f"{missed}; {passed}. The two never differ."
    sentences = [f"{missed}; {passed}.", label_rates_words(block, name=name), error_rates_words(block, name=name)]
    return " ".join(filter(None, sentences))


def bias_sign(block: Block) -> int | None:
    """Return +1 where the judge gives the positive label more often than the reference, -1 less often, 0 where neither is
    shown.

    A mean over criteria has no units of its own, so its interval decides. None where there is neither test nor interval.
    """
    if block.directions is not None and block.directions.label_rates is not None:
        return block.directions.label_rates.sign
    ends = block["drift"].ends if block.confusion is None else None
    return None if ends is None else int(ends[0] > 0) - int(ends[1] < 0)


def label_rates_words(block: Block, *, name: Name = plain_name, weight: str = "") -> str:
    """Return which label the judge gives too often, where the data show it; empty without a test.

    Parameters
    ----------
    block : Block
    name : callable
        Name of a label to how it is written.
    weight : str
        What names the weight of a weighted block; empty for others.
    """
    label_rates = block.directions and block.directions.label_rates
    if not label_rates or block.directions is None:
        return ""
    if label_rates.sign:
        label = name(words.marked(block.labels[0]))
        more = more_or_less(label_rates.sign)
        return f"Label-rate bias{weight}: the judge says {label} {more} often than the reference{_by(block)}."
    if sentence := opposite_words(block, name=name):
        return sentence
    if label_rates.n_uneven >= label_rates.needed:
        return f"There is no significant label-rate bias{weight}."
    word, n = block.directions.word, label_rates.n_uneven
    what = "an error" if word == "decisions" else "more of one error than of the other"
    which = f"only {words.several(n, word)} {'has' if n == 1 else 'have'}" if n else f"no {words.one_of(word)} has"
    few = f"{which} {what}, and a test needs {label_rates.needed}"
    return f"There is no significant label-rate bias{weight}: {few}."


def opposite_words(block: Block, *, name: Name = plain_name) -> str:
    """Return that opposite biases of criteria cancel in a pooled one; empty where they do not."""
    opposite = block.directions and block.directions.opposite
    if not opposite:
        return ""
    return opposite.sentence(name(words.marked(block.labels[0])), words.estimate(block["drift"], "points"), name)


def more_or_less(sign: int) -> str:
    """Return which way a difference goes."""
    return "more" if sign > 0 else "less"


def _by(block: Block) -> str:
    """Return the size of the bias and its interval, without the sign."""
    bias = block["drift"]
    return f", by {words.estimate(abs(bias), 'points').replace('+', '')}" if bias.defined else ""


def error_rates_words(block: Block, *, name: Name = plain_name) -> str:
    """Return whether the judge is strict or lenient, where the two error rates show it; empty without a test."""
    error_rates = block.directions and block.directions.error_rates
    if not error_rates or block.directions is None:
        return ""
    positive, negative = (name(words.marked(label)) for label in block.labels)
    if error_rates.reason:
        pair = "strict or lenient" if block.directions.binary else f"biased towards {positive} or {negative}"
        return f"The two error rates do not tell whether the judge is {pair}: {error_rates.reason}."
    (tp, fn), (fp, tn) = np.asarray(block.confusion).tolist()
    fnr, fpr = words.percent(fn / (tp + fn)), words.percent(fp / (fp + tn))
    if error_rates.sign:
        rates = f"it says {negative} on {fnr} of {positive}, and {positive} on {fpr} of {negative}"
        return f"The judge is {leaning(block, name=name)}: {rates}."
    explained = ": prevalence alone can make the bias" if bias_sign(block) else ""
    return f"The two error rates, {fnr} and {fpr}, do not differ significantly{explained}."


def leaning(block: Block, *, name: Name = plain_name) -> str:
    """Return strict, lenient, or for two classes the one that the errors favour; empty where the data do not show it."""
    error_rates = block.directions and block.directions.error_rates
    if not error_rates or not error_rates.sign or block.directions is None:
        return ""
    if block.directions.binary:
        return "strict" if error_rates.sign > 0 else "lenient"
    return f"biased towards {name(block.labels[int(error_rates.sign > 0)])}"


def _many(block: Block, unit: str, name: Name) -> str:
    table = np.asarray(block.confusion)
    off = table * (1 - np.eye(len(table), dtype=np.int64))
    differ = int(off.sum())
    start = f"of {words.count(block.n)} {unit} judge and human give different answers on {words.count(differ)}"
    if not differ:
        return f"{start}."
    commonest = commonest_confusion(off)
    if commonest is None:
        return f"{start}; no one confusion is clearly the commonest."
    row, column, times = commonest
    human, judge = name(block.labels[row]), name(block.labels[column])
    return f"{start}; most often the human says {human} and the judge {judge} ({words.often(times)})."


def commonest_confusion(off: np.ndarray) -> tuple[int, int, int] | None:
    """Return row, column and count of the largest of some errors; None where several are, or one by chance would be, as common.

    Parameters
    ----------
    off : ndarray of int, shape (K, K)
        Counts, 0 where they are no errors.
    """
    row, column = np.unravel_index(int(off.argmax()), off.shape)
    times, n, cells = int(off[row, column]), int(off.sum()), off.size - len(off)
    told = int((off == times).sum()) == 1 and (times == n or cells * bdtrc(times - 1, n, 1 / cells) <= COMMONER)
    return (int(row), int(column), times) if times and told else None


def same_everywhere(values: Sequence[Sequence[float]], coverage: Coverage) -> bool:
    """Return whether nobody abstained and every choice of mode and level that gives a number gives the same."""
    grid = np.asarray(values, dtype=np.float64)
    defined = grid[~np.isnan(grid)]
    return bool(defined.size and coverage.n_covered == coverage.n_total and np.ptp(defined) == 0)


def grid_reading(values: Sequence[Sequence[float]], metric: str, coverage: Coverage, judge: str) -> str:
    """Return how far a number moves over abstention mode (rows) and aggregation (columns).

    Parameters
    ----------
    values : sequence of sequence of float, shape (modes, levels)
        NaN where the number is undefined.
    metric : str
        Key in the catalogue.
    coverage : Coverage
    judge : str
        Name as it is to be written.
    """
    grid = np.asarray(values, dtype=np.float64)
    record = BY_KEY[metric]
    defined = grid[~np.isnan(grid)]
    if not defined.size:
        return f"{record.symbol} is undefined under every choice."
    if same_everywhere(grid.tolist(), coverage):
        what = "All choices give" if defined.size == grid.size else "Every choice that gives a number gives"
        return f"neither {judge} nor the human abstained. {what} the same number, {words.value(defined[0], record.unit)}."
    low, high = words.value(defined.min(), record.unit), words.value(defined.max(), record.unit)
    missing = grid.size - defined.size
    gaps = f" {missing} of the {grid.size} {words.are(missing)} undefined." if missing else ""
    if low == high:
        return f"{record.symbol} is {low} under every choice. Outlined: the current setting.{gaps}"
    by_mode, by_level = _widest(grid.T), _widest(grid)
    far, less = (
        WHOLE_RANGE if math.isclose(by, np.ptp(defined)) else f"by up to {_difference(by, record.unit)}"
        for by in (max(by_mode, by_level), min(by_mode, by_level))
    )
    if far == less:
        most = f"The mode and the level each move it {far}."
    else:
        most = f"The {'mode' if by_mode > by_level else 'level'} moves it most, {far}."
    return f"the same verdicts give {record.symbol} from {low} to {high}. Outlined: the current setting. {most}{gaps}"


def _widest(grid: np.ndarray) -> float:
    """Return largest range within a row, of rows with at least two values."""
    spans = [float(np.nanmax(row) - np.nanmin(row)) for row in grid if (~np.isnan(row)).sum() > 1]
    return max(spans, default=0.0)


def _difference(value: float, unit: str) -> str:
    return words.points(value).lstrip("+") if unit == "%" else words.number(value)


def criteria_reading(criteria: Mapping[str, Block], metric: str, *, name: Name = plain_name) -> str:
    """Return where the metric is lowest, and what that criterion looks like.

    Parameters
    ----------
    criteria : mapping of str to Block
    metric : str
        Key in the catalogue.
    name : callable
        Name of a criterion to how it is written.
    """
    record = BY_KEY[metric]
    values = {key: block.values[metric] for key, block in criteria.items()}
    defined = {key: value for key, value in values.items() if not np.isnan(value)}
    undefined = [key for key in values if key not in defined]
    if not defined:
        return f"{record.symbol} is undefined on every criterion: {_reasons(undefined, criteria, metric)}."
    if len(values) == 1:
        only = next(iter(defined))
        return f"there is one criterion, {name(only)}; {_equals(metric, defined[only])}."
    built = [key for key, value in defined.items() if not value and criteria[key].one_sided and record.group == "beyond chance"]
    seen = {key: value for key, value in defined.items() if key not in built}
    lowest = _lowest(seen, criteria, metric, name) if seen else ""
    return f"{lowest}{_by_construction(built, criteria, metric, name)}{_undefined(undefined, criteria, metric)}".strip()


def _by_construction(built: Sequence[str], criteria: Mapping[str, Block], metric: str, name: Name) -> str:
    """Return criteria whose coefficient is 0 because a side gives one label only: neither low nor high agreement."""
    if not built:
        return ""
    who = f"on {name(built[0])}, where the {one_sided_words(criteria[built[0]])}"
    if len(built) > 1:
        who = f"on {words.count(len(built))} criteria, where a side gives one label only"
    return f" {BY_KEY[metric].symbol} is 0 by construction {who}."


def _lowest(defined: Mapping[str, float], criteria: Mapping[str, Block], metric: str, name: Name) -> str:
    """Return the lowest criterion; called the weakest only where it is significantly below every other."""
    worst, *rest = sorted(defined, key=lambda key: defined[key])
    value = _equals(metric, defined[worst], " ")
    tied = [key for key in rest if defined[key] == defined[worst]]
    if rest and len(tied) == len(rest):
        return f"{_equals(metric, defined[worst])} on each of {words.count(len(defined))} criteria."
    if tied:
        text = f"{BY_KEY[metric].name} is lowest on {words.count(len(tied) + 1)} criteria alike ({value})"
    elif not rest:
        return f"{_equals(metric, defined[worst])} on {name(worst)}, {_why(criteria[worst], name)}."
    else:
        text = f"{_end(metric)} on {name(worst)} ({value}), {_why(criteria[worst], name)}"
    level = next((key for key in rest if key not in tied and not is_below(criteria[worst][metric], criteria[key][metric])), None)
    if level is None:
        return f"{text}."
    if not tied:
        text = f"{BY_KEY[metric].name} is lowest on {name(worst)} ({value}), {_why(criteria[worst], name)}"
    return f"{text}. That is not significantly below {name(level)} ({_equals(metric, defined[level], ' ')})."


def is_below(low: Estimate, high: Estimate) -> bool:
    """Return whether the interval of the difference of two criteria excludes 0.

    From their own intervals, taken as independent; criteria judged on the same items mostly rise and fall together, so this errs
    to saying no. References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    a, b = low.ends, high.ends
    return a is not None and b is not None and high.value - low.value > math.hypot(a[1] - low.value, high.value - b[0])


def weakest_of(criteria: Mapping[str, Estimate]) -> str:
    """Return the criterion whose number lies significantly below that of every other; empty where none does."""
    if len(criteria) < 2:
        return ""
    weakest = min(criteria, key=lambda name: criteria[name].value)
    others = (estimate for name, estimate in criteria.items() if name != weakest)
    return weakest if all(is_below(criteria[weakest], estimate) for estimate in others) else ""


def _equals(metric: str, value: float, between: str = " is ") -> str:
    return f"{BY_KEY[metric].symbol}{between}{words.value(value, BY_KEY[metric].unit)}"


def _end(metric: str) -> str:
    group = BY_KEY[metric].group
    return "agreement is weakest" if group in ("beyond chance", "agreement") else f"{BY_KEY[metric].name} is lowest"


def _why(block: Block, name: Name) -> str:
    table = np.asarray(block.confusion)
    rows, columns, n = table.sum(1), table.sum(0), words.count(table.sum())
    if block.values.get(QUADRATIC_KAPPA.key, math.nan) <= TURNED:
        return "where one side may use the labels the other way round"
    if columns.max() > max(NEARLY_ONE * table.sum(), rows.max()):
        most = int(columns.argmax())
        return f"where the judge says {name(words.marked(block.labels[most]))} on {words.count(columns[most])} of {n} decisions"
    rarest = int(np.where(rows > 0, rows, rows.max() + 1).argmin())
    if rows[rarest] <= RARE * rows.mean() and rows[rarest] < rows.sum():
        return f"where the human said {name(block.labels[rarest])} only {words.several(rows[rarest], 'times')} in {n}"
    if len(rows) == 2:
        first, second = (name(words.marked(label)) for label in block.labels)
        return (
            f"where the judge says {second} on {words.count(table[0, 1])} of {words.count(rows[0])} {first}, and "
            f"{first} on {words.count(table[1, 0])} of {words.count(rows[1])} {second}"
        )
    return f"where {words.count(table.sum() - np.trace(table))} of {n} answers differ"


def _undefined(undefined: Sequence[str], criteria: Mapping[str, Block], metric: str) -> str:
    if not undefined:
        return ""
    reasons = _reasons(undefined, criteria, metric)
    if len(undefined) == 1:
        return f" One criterion is undefined: {reasons}."
    return f" {words.count(len(undefined))} criteria are undefined: {reasons}."


def drift_words(block: Block, positive: str) -> str:
    """Return label-rate bias beside its number: a direction only where the data show one."""
    if np.isnan(block.values["drift"]):
        return "undefined"
    if block.directions and block.directions.opposite:
        return "criteria cancel"
    if block.values["drift"] == 0 and (equal := _equal_shares(block, positive)):
        return equal
    sign = bias_sign(block)
    if not sign:
        return "direction not tested" if sign is None else "not significant"
    return f"says {positive} {more_or_less(sign)}"


def _equal_shares(block: Block, positive: str) -> str:
    """Return how a bias of exactly 0 is told: as equality where nothing differs, as the sample's without an interval."""
    table, ends = block.confusion, block["drift"].ends
    if table is not None and not int(np.asarray(table).sum() - np.trace(table)):
        return f"says {positive} as often"
    return "the same share here" if ends is None else ""


def one_sided_words(block: Block) -> str:
    """Return why a criterion's coefficients say little, beside its dot: "judge says only MET"; empty where both sides vary."""
    return "{} says only {}".format(*block.one_sided) if block.one_sided else ""


def _reasons(undefined: Sequence[str], criteria: Mapping[str, Block], metric: str) -> str:
    return "; ".join(dict.fromkeys(criteria[key].undefined[metric] for key in undefined))
