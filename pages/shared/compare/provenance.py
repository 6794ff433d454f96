"""What the page says above a comparison, and the number it lets one copy."""

from __future__ import annotations

import math
from typing import Literal

from metrics import Comparison
from metrics.analyses.comparison.readings import by_weight_words, some_count, unit_of
from metrics.analyses.comparison.result import Side
from metrics.analyses.provenance import Header, citation_line, columns_of, handling_of, item_level_words, mode_words, panel_words
from metrics.analyses.records import Declaration
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import several


def header(comparison: Comparison) -> Header:
    d = comparison.declaration
    bold = d.scale_words(comparison.criterion).capitalize(), _treated(comparison), _where(comparison)
    rest = f"Reference: {d.reference_words()}. {_extent(comparison)}. {_interval(comparison)}"
    names = f"{_name(comparison.a)} and {_name(comparison.b)}"
    coverage = f"{words.percent(comparison.a.coverage)} and {words.percent(comparison.b.coverage)}"
    level = comparison.level if comparison.criterion is None else f"on {comparison.criterion}"
    columns = columns_of(d, judge=names, level=level, coverage=coverage)
    return Header.of(d, bold, rest, columns, comparison.a.name, comparison.b.name)


def citation(comparison: Comparison) -> str:
    """Return the difference with everything needed to quote it."""
    record, difference = BY_KEY[comparison.metric], comparison.decisive[0].difference
    number = words.estimate(difference, unit_of(comparison))
    context = [*_on_both(comparison), _interval(comparison).rstrip("."), f"permutation test {_p(comparison)}"]
    name = f"{_name(comparison.b)} less {_name(comparison.a)}, {record.symbol}{by_weight(comparison)}"
    return citation_line(name, number, context, reason=difference.undefined)


def by_weight(comparison: Comparison) -> str:
    """Return by which column items count, behind a name; nothing where each counts once."""
    return "" if comparison.weighted is None else f" {by_weight_words(comparison.weighted)}"


def side_estimate(comparison: Comparison, side: Side) -> Estimate:
    """Return the number of one of the two, by weight where items have weights."""
    if comparison.weighted is None:
        return side.estimate
    return comparison.weighted.a if side is comparison.a else comparison.weighted.b


def side_citation(comparison: Comparison, side: Side) -> str:
    """Return the number of one of the two on the decisions both judged."""
    record, estimate = BY_KEY[comparison.metric], side_estimate(comparison, side)
    confidence = f"interval {words.percent(comparison.settings.confidence)}" if estimate.ends else ""
    reason = "" if estimate.defined else comparison.difference.why
    shown = words.estimate(estimate, record.unit)
    return citation_line(
        f"{record.symbol} of {_name(side)}{by_weight(comparison)}", shown, [*_on_both(comparison), confidence], reason=reason
    )


def p_citation(comparison: Comparison) -> str:
    """Return the p of the permutation test."""
    names = f"{_name(comparison.b)} and {_name(comparison.a)}, {BY_KEY[comparison.metric].symbol}{by_weight(comparison)}"
    p, difference = p_of(comparison), comparison.decisive[0].difference
    reason = difference.undefined or "no item separates them" if math.isnan(p) else ""
    return citation_line(f"permutation test p of {names}", words.p3(p), [swaps(comparison), *_on_both(comparison)], reason=reason)


def p_of(comparison: Comparison) -> float:
    """Return p of the permutation test, by weight where items have weights."""
    return comparison.permutation.p if comparison.weighted is None else comparison.weighted.p


def discordant_citation(comparison: Comparison, outcome: Literal["only_a", "only_b"]) -> str:
    """Return on how many one judge is right and the other wrong."""
    right, wrong = (comparison.a, comparison.b) if outcome == "only_a" else (comparison.b, comparison.a)
    return citation_line(
        f"{_name(right)} right where {_name(wrong)} is wrong", words.count(comparison.outcomes[outcome]), _on_both(comparison)
    )


def _on_both(comparison: Comparison) -> list[str]:
    d = comparison.declaration
    scale, extent, reference = (
        d.scale_words(comparison.criterion),
        f"n = {_extent(comparison)}",
        f"reference: {d.reference_words()}",
    )
    parts = [scale, _treated(comparison), _where(comparison), extent, reference]
    return [*parts, *_panels(comparison), d.taken]


def _p(comparison: Comparison) -> str:
    p = words.p3(p_of(comparison))
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def _name(side: Side) -> str:
    return words.plain(side.name)


def _panels(comparison: Comparison) -> list[str]:
    """Return of whom the two are made, where they are panels."""
    clauses = [panel_words(comparison.declaration, side.name) for side in (comparison.a, comparison.b)]
    return list(filter(None, clauses))


def swaps(comparison: Comparison) -> str:
    """Return how the permutation test was done."""
    permutation = comparison.permutation
    if permutation.exact:
        return f"all ways of swapping the {several(permutation.n_differ, comparison.units)} on which the two differ"
    stopped = f" of {words.count(permutation.asked)}, where it was stopped," if permutation.stopped else ""
    undefined = f", of which {words.count(permutation.undefined)} left it undefined" if permutation.undefined else ""
    done = f"{words.count(permutation.replicates)} random swaps{stopped}"
    return (
        f"{done} of the {several(permutation.n_differ, comparison.units)} that "
        f"{'differs' if permutation.n_differ == 1 else 'differ'}{undefined}"
    )


def unit(comparison: Comparison) -> str:
    """Return what is left out and swapped as a whole, in one."""
    return f"‘{comparison.settings.unit}’" if comparison.settings.by_column else "item"


def left_out(comparison: Comparison) -> str:
    """Return decisions that do not count because somebody did not make them; empty where there are none."""
    unit = "items" if comparison.level == "item" else "decisions"
    parts = [f"{several(side.n_only, unit)} that only {side.name} judged" for side in (comparison.a, comparison.b) if side.n_only]
    parts += [f"{several(comparison.n_no_reference, unit)} without a reference"] if comparison.n_no_reference else []
    return f"Left out: {', '.join(parts)}." if parts else ""


def _treated(comparison: Comparison) -> str:
    return "; ".join(part for part in (_mode(comparison), handling_of(comparison.declaration)) if part)


def _mode(comparison: Comparison) -> str:
    d = comparison.declaration
    if d.abstention == "exclude" and not comparison.outcomes["open"]:
        return "no abstentions"
    negative = d.labels["negative"][0] if d.labels["negative"] else "negative"
    text = mode_words(d.abstention, negative, _silent(d))
    if d.abstention != "exclude":
        return text
    shares = " and ".join(dict.fromkeys(words.percent(side.coverage) for side in (comparison.a, comparison.b)))
    return f"{text}, {f'{shares} count' if some_count(comparison) else f'coverage {shares}'}"


def _silent(d: Declaration) -> str:
    """Return what the mode treats: abstentions, or ties and invalid answers in a file that has no word for abstaining."""
    names = {"tie": "ties", "invalid": "invalid answers"}
    others = [name for kind, name in names.items() if d.labels.get(kind)]
    return "abstentions" if d.labels.get("abstention") or not others else " and ".join(others)


def _where(comparison: Comparison) -> str:
    d = comparison.declaration
    if comparison.criterion is not None:
        return f"on {comparison.criterion}"
    if comparison.level == "item":
        return item_level_words(d)
    if len(d.criteria) == 1:
        return ""
    level = "" if comparison.metric == "kappa_within" else f"{comparison.level} "
    over = f"{level}over {words.count(len(d.criteria))} criteria"
    if comparison.difference.of is None or comparison.difference.of[0] == comparison.difference.of[1]:
        return over
    defined, of = comparison.difference.of
    return f"{over}, {BY_KEY[comparison.metric].symbol} defined for both in {words.count(defined)} of {words.count(of)}"


def _extent(comparison: Comparison) -> str:
    grouped = f"{several(comparison.n_units, comparison.units)}" if comparison.settings.by_column else ""
    if comparison.level == "item":
        return f"{several(comparison.n_shared, 'items')} both judged{grouped and f' in {grouped}'}"
    shared, items = several(comparison.n_shared, "decisions"), several(comparison.n_items, "items")
    if comparison.outcomes["open"]:
        return f"{shared} both judged; {items} with one that counts{grouped and f', in {grouped}'}"
    return f"{shared} both judged on {items}{grouped and f' in {grouped}'}"


def _interval(comparison: Comparison) -> str:
    difference = comparison.decisive[0].difference
    if difference.interval is None:
        return "No interval."
    note = f" ({difference.note})" if difference.note else ""
    return f"Interval {words.percent(comparison.settings.confidence)}, {method(comparison)}{note}."


def method(comparison: Comparison) -> str:
    """Return how the interval of the difference was found."""
    if comparison.weighted is not None:
        return f"paired jackknife by {unit(comparison)}{by_weight(comparison)}"
    if comparison.difference.method == "mover":
        return "MOVER from the intervals of both judges"
    return f"paired jackknife by {unit(comparison)}"
