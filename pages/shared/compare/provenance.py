"""What the page says above a comparison, and the number it lets one copy."""

from __future__ import annotations

from typing import Literal

from metrics import Comparison
from metrics.analyses.comparison.readings import some_count, unit_of
from metrics.analyses.comparison.result import Side
from metrics.analyses.provenance import Header, columns_of, handling_of, made_of, mode_words, panel_said, quoted
from metrics.analyses.records import Declaration
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import several


def header(one: Comparison) -> Header:
    d = one.declaration
    bold = " · ".join(part for part in (d.scale_words(one.criterion).capitalize(), _treated(one), _where(one)) if part)
    rest = f"Reference: {d.reference_words()}. {_extent(one)}. {_interval(one)}"
    names = f"{_name(one.a)} and {_name(one.b)}"
    coverage = f"{words.percent(one.a.coverage)} and {words.percent(one.b.coverage)}"
    level = one.level if one.criterion is None else f"on {one.criterion}"
    columns = columns_of(d, judge=names, level=level, coverage=coverage)
    return Header(f"{bold}.", f"{rest.strip()}{made_of(d, one.a.name, one.b.name)}", d.file, d.sha256[:4], columns)


def copied(one: Comparison) -> str:
    """Return the difference with everything needed to quote it."""
    record = BY_KEY[one.metric]
    number = words.estimate(one.difference, unit_of(one))
    told = [*_on_both(one), _interval(one).rstrip("."), f"permutation test {_p(one)}"]
    return quoted(f"{_name(one.b)} less {_name(one.a)}, {record.symbol}", number, told, reason=one.difference.undefined)


def side_copied(one: Comparison, side: Side) -> str:
    """Return the number of one of the two on the decisions both judged."""
    record, estimate = BY_KEY[one.metric], side.estimate
    confidence = f"interval {words.percent(one.settings.confidence)}" if estimate.ends else ""
    reason = "" if estimate.defined else one.difference.why
    shown = words.estimate(estimate, record.unit)
    return quoted(f"{record.symbol} of {_name(side)}", shown, [*_on_both(one), confidence], reason=reason)


def p_copied(one: Comparison) -> str:
    """Return the p of the permutation test."""
    names = f"{_name(one.b)} and {_name(one.a)}, {BY_KEY[one.metric].symbol}"
    reason = "" if one.permutation.p == one.permutation.p else one.difference.undefined or "no item separates them"
    p = words.p3(one.permutation.p)
    return quoted(f"permutation test p of {names}", p, [swaps(one), *_on_both(one)], reason=reason)


def only_copied(one: Comparison, outcome: Literal["only_a", "only_b"]) -> str:
    """Return on how many one judge is right and the other wrong."""
    right, wrong = (one.a, one.b) if outcome == "only_a" else (one.b, one.a)
    return quoted(f"{_name(right)} right where {_name(wrong)} is wrong", words.count(one.outcomes[outcome]), _on_both(one))


def _on_both(one: Comparison) -> list[str]:
    d = one.declaration
    scale, extent, reference = d.scale_words(one.criterion), f"n = {_extent(one)}", f"reference: {d.reference_words()}"
    told = [scale, _treated(one), _where(one), extent, reference]
    return [*told, *_panels(one)]


def _p(one: Comparison) -> str:
    p = words.p3(one.permutation.p)
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def _name(side: Side) -> str:
    return words.plain(side.name)


def _panels(one: Comparison) -> list[str]:
    """Return of whom the two are made, where they are panels."""
    said = [panel_said(one.declaration, side.name) for side in (one.a, one.b)]
    return list(filter(None, said))


def swaps(one: Comparison) -> str:
    """Return how the permutation test was done."""
    found = one.permutation
    if found.exact:
        return f"all ways of swapping the {several(found.n_differ, one.units)} on which the two differ"
    stopped = f" of {words.count(found.asked)}, where it was stopped," if found.stopped else ""
    undefined = f", of which {words.count(found.undefined)} left it undefined" if found.undefined else ""
    done = f"{words.count(found.replicates)} random swaps{stopped}"
    return f"{done} of the {several(found.n_differ, one.units)} that {'differs' if found.n_differ == 1 else 'differ'}{undefined}"


def unit(one: Comparison) -> str:
    """Return what is left out and swapped as a whole, in one."""
    return f"‘{one.settings.unit}’" if one.settings.by_column else "item"


def left_out(one: Comparison) -> str:
    """Return decisions that do not count because somebody did not make them; empty where there are none."""
    unit = "item" if one.level == "item" else "decision"
    parts = [f"{_several(side.n_only, unit)} that only {side.name} judged" for side in (one.a, one.b) if side.n_only]
    parts += [f"{_several(one.n_no_reference, unit)} without a reference"] if one.n_no_reference else []
    return f"Left out: {', '.join(parts)}." if parts else ""


def _several(n: int, unit: str) -> str:
    return f"{words.count(n)} {unit}{'' if n == 1 else 's'}"


def _treated(one: Comparison) -> str:
    return "; ".join(part for part in (_mode(one), handling_of(one.declaration)) if part)


def _mode(one: Comparison) -> str:
    d = one.declaration
    if d.abstention == "exclude" and not one.outcomes["open"]:
        return "no abstentions"
    negative = d.labels["negative"][0] if d.labels["negative"] else "negative"
    text = mode_words(d.abstention, negative, _silent(d))
    if d.abstention == "as_category" and d.scale == "binary":
        return "abstentions as a third class"
    if d.abstention != "exclude":
        return text
    shares = " and ".join(dict.fromkeys(words.percent(side.coverage) for side in (one.a, one.b)))
    return f"{text}, {f'{shares} count' if some_count(one) else f'coverage {shares}'}"


def _silent(d: Declaration) -> str:
    """Return what the mode treats: abstentions, or ties and invalid answers in a file that has no word for abstaining."""
    names = {"tie": "ties", "invalid": "invalid answers"}
    others = [name for kind, name in names.items() if d.labels.get(kind)]
    return "abstentions" if d.labels.get("abstention") or not others else " and ".join(others)


def _where(one: Comparison) -> str:
    d = one.declaration
    if one.criterion is not None:
        return f"on {one.criterion}"
    if one.level == "item":
        rule = d.item_rule
        weighted = ", criteria weighted" if "weights" in rule else ""
        how = f"score ≥ {words.number(float(str(rule['threshold'])))}" if rule["rule"] == "threshold" else "all criteria met"
        return f"item level, {how}{weighted}"
    if len(d.criteria) == 1:
        return ""
    level = "" if one.metric == "kappa_within" else f"{one.level} "
    over = f"{level}over {words.count(len(d.criteria))} criteria"
    if one.difference.of is None or one.difference.of[0] == one.difference.of[1]:
        return over
    defined, of = one.difference.of
    return f"{over}, {BY_KEY[one.metric].symbol} defined for both in {words.count(defined)} of {words.count(of)}"


def _extent(one: Comparison) -> str:
    grouped = f"{several(one.n_units, one.units)}" if one.settings.by_column else ""
    if one.level == "item":
        return f"{_several(one.n_shared, 'item')} both judged{grouped and f' in {grouped}'}"
    shared, items = _several(one.n_shared, "decision"), _several(one.n_items, "item")
    if one.outcomes["open"]:
        return f"{shared} both judged; {items} with one that counts{grouped and f', in {grouped}'}"
    return f"{shared} both judged on {items}{grouped and f' in {grouped}'}"


def _interval(one: Comparison) -> str:
    if one.difference.interval is None:
        return "No interval."
    note = f" ({one.difference.note})" if one.difference.note else ""
    return f"Interval {words.percent(one.settings.confidence)}, {method(one)}{note}."


def method(one: Comparison) -> str:
    """Return how the interval of the difference was found."""
    if one.difference.method == "mover":
        return "MOVER from the intervals of both judges"
    return f"paired jackknife by {unit(one)}"
