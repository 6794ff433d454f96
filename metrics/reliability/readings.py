"""What the gate and the numbers of raters say, in one sentence each."""

from __future__ import annotations

import math

from metrics import words
from metrics.readings import Name, plain_name
from metrics.reliability.report import STATISTICS, RaterBlock, RatersReport, shown


def gate_reading(report: RatersReport, name: Name = plain_name) -> str:
    """The criterion that needs attention most, and whether the labels are ready for a judge."""
    worst = report.by_need()[0]
    block = report.criteria[worst]
    key, line = report.bands.value_key, words.three(report.bands.line)
    value = f"{name(worst)}: {STATISTICS[key].symbol} {shown(block, key)}"
    if math.isnan(block.values[key]):
        return f"{value}, undefined: {block.gate.reason}. There is nothing to hold against the floor of {line} yet."
    said = {
        "fails": f"below the floor of {line}, so the rubric is not ready.",
        "undecided": f"the interval takes in the floor of {line}, so these items do not tell whether the rubric is ready.",
        "passes": f"above the floor of {line}, so the labels are ready to hold a judge against.",
    }[block.gate.verdict]
    rest = " Every other criterion passes too." if block.gate.verdict == "passes" and len(report.criteria) > 1 else ""
    if block.gate.verdict == "undecided" and block.gate.reason:
        said = f"no verdict: {block.gate.reason}."
    return f"{value} – {said}{rest}"


def pair_reading(block: RaterBlock, name: Name = plain_name) -> str:
    """How far two raters agree, where there are only two."""
    one, other = (name(rater) for rater in block.raters)
    if not len(block.pairs):
        return f"{one} and {other} share no item, so their agreement is undefined."
    n, kappa = int(block.pairs.n[0]), float(block.pairs.kappa[0])
    if math.isnan(kappa):
        return f"{one} and {other} share {words.count(n)}, on which both give one and the same label only: κ is undefined."
    ends = block.ends("mean_pairwise_kappa")
    interval = f" {words.interval(ends)}" if ends else ""
    return f"{one} and {other} reach κ {words.number(kappa)}{interval} on the {words.count(n)} they share."
