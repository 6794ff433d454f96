"""What the gate and the numbers of raters say, in one sentence each; what leaving out ties does to them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.raters.alpha import alpha_of, coincidences
from metrics.analyses.raters.gate import GOLD_FLOOR, RareLabel
from metrics.analyses.raters.provenance import silent_of
from metrics.analyses.raters.result import STATISTICS, RaterBlock, RatersReport, estimate_text
from metrics.analyses.raters.tally import tally_of
from metrics.analyses.raters.units import units_of
from metrics.data.order import values_of
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.results import words

NAMED = 3
"""Names in one sentence; of more, the rest are counted."""
SIDES = {"fails": "below", "undecided": "the interval includes", "passes": "above"}
READY = {
    "fails": ", so {} are not ready to serve as a reference",
    "undecided": ", so it is undecided whether the labels can serve as a reference",
    "passes": ", so the labels can serve as a reference",
}
"""What follows for the labels of people; from the agreement of judges nothing does."""
MANY_EACH = 5
"""Ratings of an item from which on its majority is spoken of beside single raters."""
OF_JUDGES = "Agreement among judges says nothing about the rubric, nor whether a judge is right. Compare each judge with people."


def gate_reading(report: RatersReport, name: Name = plain_name) -> str:
    """Return the criterion that needs attention most; of people, whether their labels can serve as a reference."""
    worst = report.by_need()[0]
    block = report.criteria[worst]
    key, line = block.judged, words.three(report.bands.line)
    value = f"{name(worst)}: {STATISTICS[key].symbol} {estimate_text(block, key)}"
    if math.isnan(block.values[key]):
        value = _undefined_alike(report, key) or f"{value}, undefined"
        return f"{value}: {block.gate.reason}. There is nothing to hold against the floor of {line} yet."
    judges = report.role == "judge"
    gate, many = block.gate, len(report.criteria) > 1
    if gate.verdict == "undecided" and gate.reason:
        verdict = f"no verdict: {gate.reason}."
    else:
        which = "the labels of single people" if single_people(report) else "these labels"
        so = "" if judges or gate.fails_on_rare else READY[gate.verdict].format(which)
        verdict = f"{SIDES[gate.verdict]} the floor of {line}{so}."
    paradox = f" {rare_words(gate.rare, name, report.role)}" if gate.rare is not None else ""
    rest = f" Every other criterion {'does' if judges else 'passes'} too." if gate.verdict == "passes" and many else ""
    return f"{value} – {verdict}{paradox}{rest}{f' {OF_JUDGES}' if judges else gold_words(report)}"


def single_people(report: RatersReport) -> bool:
    """Return whether the gate is spoken of as that of single people, since the vote of an item's many is another matter."""
    return report.role == "human" and ratings_each(report) >= MANY_EACH


def ratings_each(report: RatersReport) -> float:
    """Return ratings of an item, on average."""
    return report.pooled.n_ratings / report.pooled.n_pairable if report.pooled.n_pairable else 0.0


def _undefined_alike(report: RatersReport, key: str) -> str:
    """Return that the judged number is undefined on all of several criteria for one reason; else empty."""
    blocks = report.criteria.values()
    reasons = {block.gate.reason for block in blocks if math.isnan(block.values[block.judged]) and block.judged == key}
    if len(blocks) < 2 or len(reasons) > 1 or any(not math.isnan(block.values[key]) for block in blocks):
        return ""
    return f"{STATISTICS[key].symbol} is undefined on each of {words.count(len(blocks))} criteria"


def rare_words(rare: RareLabel, name: Name = plain_name, role: str = "human") -> str:
    """Return the prevalence paradox: how rare the label is, how far the raters agree, and what follows for the rubric.

    Where α is hardly lower than at equal label rates, the label is merely too rare for a narrow interval.

    Parameters
    ----------
    rare : RareLabel
    name : callable
        How a label is written.
    role : {"human", "judge"}
        Of judges nothing follows for the rubric.
    """
    agreed = f"the {role}s agree on {words.estimate(rare.agreement, '%')} of pairs, AC1 is {words.estimate(rare.ac1)}"
    if rare.lowers:
        text = (
            f"{rare_label_words(rare, name)}, and that lowers α and κ (prevalence paradox): {agreed}. The same agreement at "
            f"equal label rates gives α {words.number(rare.balanced)}."
        )
    else:
        text = f"{rare_label_words(rare, name)}, too few to tell how far α reaches: {agreed}."
    return text if role == "judge" else f"{text} So these labels do not show that the rubric is unclear."


def rare_label_words(rare: RareLabel, name: Name = plain_name) -> str:
    """Return which labels are rare, and how rare: "UNMET is rare (4 % of labels)"."""
    return f"{listed_names(rare.labels, name)} {words.are(len(rare.labels))} rare ({words.percent(rare.share)} of labels)"


def add_rare_words(rare: RareLabel, name: Name = plain_name) -> str:
    """Return what a rare label asks for: "Add items that should get UNMET"."""
    return f"Add items that should get {listed_names(rare.labels, name, 'or')}"


def listed_names(names: Sequence[str], name: Name = plain_name, between: str = "and") -> str:
    """Return names in one sentence; of more than `NAMED` the rest are counted.

    Parameters
    ----------
    names : sequence of str
        One or more.
    name : callable
        How a name is written.
    between : str
        Word before the last one.
    """
    shown = [name(entry) for entry in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(f"{words.count(len(names) - NAMED)} more")
    return words.joined(shown, between)


def gold_words(report: RatersReport) -> str:
    """Return whether the labels would also do as a gold set, where a criterion passes a floor that is lower; else empty."""
    verdicts = [report.criteria[name].gate.verdict for name in report.criteria]
    if report.role != "human" or report.bands.line >= GOLD_FLOOR or "passes" not in verdicts:
        return ""
    bar = f"{GOLD_FLOOR:g}"
    ends = [block[block.judged].ends for block in report.criteria.values()]
    reach = sum(bounds is not None and bounds[0] >= GOLD_FLOOR for bounds in ends)
    short = sum(bounds is not None and bounds[1] < GOLD_FLOOR for bounds in ends)
    what = "a gold set, on which judges are calibrated or a release decided"
    if len(ends) == 1:
        if reach:
            return f" It also reaches {bar}, the bar for {what}."
        return f" The bar for {what}, is {bar}: " + ("it is below that." if short else "these items do not decide it.")
    some, to = words.count(reach) if reach else "none", "reaches" if reach == 1 else "reach"
    parts = [f"{some} of {words.count(len(ends))} criteria {to} it"]
    parts += [f"{words.count(short)} fall{'s' if short == 1 else ''} short"] if short else []
    rest = len(ends) - reach - short
    parts += [f"{words.count(rest)} are undecided"] if rest else []
    return f" The bar for {what}, is {bar}: {', '.join(parts)}."


def pair_reading(block: RaterBlock, name: Name = plain_name) -> str:
    """Return how far two raters agree, where there are only two."""
    first, other = (name(rater) for rater in block.raters)
    if not len(block.pairs):
        return f"{first} and {other} share no item, so their agreement is undefined."
    n, kappa = int(block.pairs.n[0]), float(block.pair_kappa[0])
    symbol = block.kappa_symbol
    if math.isnan(kappa):
        return (
            f"{first} and {other} share {words.count(n)}, on which both give one and the same label only: {symbol} is undefined."
        )
    interval = words.behind(block[block.mean_kappa].ends)
    return f"{first} and {other} reach {symbol} {words.number(kappa)}{interval} on the {words.count(n)} they share."


def ties_left_out(ratings: Ratings, report: RatersReport) -> str:
    """Return how many labels are ties that the report leaves out, and α with them as a class; empty where none are left out."""
    d, block = report.declaration, report.pooled
    what = silent_of(d)
    if d.abstention != "exclude" or "ties" not in what or block.level != "nominal":
        return ""
    units = units_of(kinds_of(ratings), "judge" if report.role == "judge" else "human", mode="as_category")
    left = units.n_ratings - block.n_ratings
    if not left:
        return ""
    tally = tally_of(units)
    alpha = float(alpha_of(coincidences(tally.votes, tally.times), values_of(units.classes, "nominal"), "nominal"))
    share = words.percent(left / units.n_ratings)
    return (
        f"{words.count(left)} of {words.count(units.n_ratings)} labels are {what}, and left out ({share}). α as it stands is "
        f"{words.number(block.values['alpha'])}; kept as a class they make it {words.number(alpha)}."
    )
