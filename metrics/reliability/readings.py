"""What the gate and the numbers of raters say, in one sentence each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics import words
from metrics.readings import Name, plain_name
from metrics.reliability.gate import GOLD_FLOOR
from metrics.reliability.rare import RareLabel
from metrics.reliability.report import STATISTICS, RaterBlock, RatersReport, shown

NAMED = 3
"""Names in one sentence; of more, the rest are counted."""


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
    if block.gate.fails_on_rare:
        said = f"below the floor of {line}."
    rest = " Every other criterion passes too." if block.gate.verdict == "passes" and len(report.criteria) > 1 else ""
    if block.gate.verdict == "undecided" and block.gate.reason:
        said = f"no verdict: {block.gate.reason}."
    paradox = f" {rare_words(block.gate.rare, name)}" if block.gate.rare is not None else ""
    return f"{value} – {said}{paradox}{rest}{gold_words(report)}"


def rare_words(rare: RareLabel, name: Name = plain_name) -> str:
    """The prevalence paradox: how rare the label is, how far the raters agree nevertheless, and what follows for the rubric."""
    agreed = f"{words.percent(rare.agreement)} {words.bounds(rare.agreement_ends, '%')}"
    ac1 = f"{words.number(rare.ac1)} {words.bounds(rare.ac1_ends)}"
    return (
        f"{rare_label_words(rare, name)}, and that lowers α and κ (prevalence paradox): the raters agree on {agreed} of pairs, "
        f"AC1 is {ac1}. The same agreement at equal label rates gives α {words.number(rare.balanced)}. So these labels do not "
        "show that the rubric is unclear."
    )


def rare_label_words(rare: RareLabel, name: Name = plain_name) -> str:
    """Which labels are rare, and how rare: "UNMET is rare (4 % of labels)"."""
    verb = "is" if len(rare.labels) == 1 else "are"
    return f"{listed_names(rare.labels, name)} {verb} rare ({words.percent(rare.share)} of labels)"


def add_rare_words(rare: RareLabel, name: Name = plain_name) -> str:
    """What a rare label asks for: "Add items that should get UNMET"."""
    return f"Add items that should get {listed_names(rare.labels, name, 'or')}"


def listed_names(names: Sequence[str], name: Name = plain_name, between: str = "and") -> str:
    """Names in one sentence; of more than `NAMED` the rest are counted."""
    shown = [name(one) for one in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(f"{words.count(len(names) - NAMED)} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {between} {shown[-1]}"


def gold_words(report: RatersReport) -> str:
    """Whether the labels would also do as a gold set, where a criterion passes a floor that is lower; else empty."""
    verdicts = [report.criteria[name].gate.verdict for name in report.criteria]
    if report.role != "human" or report.bands.line >= GOLD_FLOOR or "passes" not in verdicts:
        return ""
    key, bar = report.bands.value_key, f"{GOLD_FLOOR:g}"
    ends = [block.ends(key) for block in report.criteria.values()]
    reach = sum(own is not None and own[0] >= GOLD_FLOOR for own in ends)
    short = sum(own is not None and own[1] < GOLD_FLOOR for own in ends)
    what = "a gold set, on which judges are calibrated or a release decided"
    if len(ends) == 1:
        if reach:
            return f" It also reaches {bar}, the bar for {what}."
        return f" The bar for {what}, is {bar}: " + ("it falls short of that." if short else "of that these items do not tell.")
    some, to = words.count(reach) if reach else "none", "reaches" if reach == 1 else "reach"
    parts = [f"{some} of {words.count(len(ends))} criteria {to} it"]
    parts += [f"{words.count(short)} fall{'s' if short == 1 else ''} short"] if short else []
    rest = len(ends) - reach - short
    parts += [f"of {words.count(rest)} these items do not tell"] if rest else []
    return f" The bar for {what}, is {bar}: {', '.join(parts)}."


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
