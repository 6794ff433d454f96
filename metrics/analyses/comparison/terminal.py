"""The text of a comparison of two judges on a terminal."""

from __future__ import annotations

from metrics.analyses.comparison.readings import p_words, share_words, unit_of
from metrics.analyses.comparison.result import Comparison
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import several

OUTCOME_WORDS = {
    "both": "both right", "only_a": "only A right", "only_b": "only B right", "neither": "neither right", "open": "left open",
}  # fmt: skip


def summary(comparison: Comparison) -> str:
    """Return a comparison as text."""
    record, d = BY_KEY[comparison.metric], comparison.declaration
    lines = [
        f"{comparison.b.name} against {comparison.a.name}, {record.symbol}, {_where(comparison)} "
        f"({d.abstention}; reference: {d.reference}). {d.file_words}"
    ]
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        estimate = side.estimate
        shown, ends = words.apart(estimate, record.unit, "")
        lines.append(
            f"  {letter}  {words.shorten(side.name):<30}{shown:>8} {ends:<20}"
            f"n = {words.count(side.block.n)}, {share_words(comparison, side)}"
            f"{f' ({estimate.note})' if estimate.note else ''}"
        )
    difference = f"{words.value(comparison.difference.value, unit_of(comparison))} {_interval(comparison)}"
    lines.append(f"  B − A {difference}, permutation {p_words(comparison.permutation.p)} ({_replicates(comparison)})")
    if comparison.mcnemar is None:
        lines.append(f"  McNemar: {comparison.no_mcnemar}.")
    elif comparison.mcnemar.n:
        lines.append(f"  McNemar exact (accuracy) {p_words(comparison.mcnemar.p)}")
    else:
        lines.append("  McNemar: no item separates them.")
    lines.append("  " + ", ".join(f"{OUTCOME_WORDS[key]} {words.count(n)}" for key, n in comparison.outcomes.items() if n))
    left = [f"{words.count(side.n_only)} only {side.name} judged" for side in (comparison.a, comparison.b) if side.n_only]
    left += [f"{words.count(comparison.n_no_reference)} without a reference"] if comparison.n_no_reference else []
    lines += [f"  left out: {', '.join(left)}"] if left else []
    return "\n".join(
        [*lines, *(f"  {note}" for note in comparison.notes), "", f"{comparison.reading[0].upper()}{comparison.reading[1:]}"]
    )


def _interval(comparison: Comparison) -> str:
    if comparison.difference.interval is None:
        return f"no interval: {comparison.no_interval}"
    by = f", {comparison.units} left out" if comparison.settings.by_column else ""
    by = ", MOVER" if comparison.difference.method == "mover" else by
    return (
        f"{words.bounds(comparison.difference.ends, unit_of(comparison))} ({words.percent(comparison.settings.confidence)}{by})"
    )


def _where(comparison: Comparison) -> str:
    criteria = comparison.declaration.criteria
    if comparison.criterion or (len(criteria) == 1 and comparison.level != "item"):
        return f"on {comparison.criterion or criteria[0]}"
    if comparison.level == "item":
        return "item level"
    level = "" if comparison.metric == "kappa_within" else f"{comparison.level} "
    return f"{level}over {words.count(len(criteria))} criteria"


def _replicates(comparison: Comparison) -> str:
    permutation = comparison.permutation
    differ = f"{several(permutation.n_differ, comparison.units)} that {'differs' if permutation.n_differ == 1 else 'differ'}"
    if permutation.exact:
        return f"all swaps of {differ}"
    undefined = f", {words.count(permutation.undefined)} undefined" if permutation.undefined else ""
    return f"{words.count(permutation.replicates)} swaps of {differ}{undefined}"
