"""What to label next in sentences and a table, and as plain text."""

from __future__ import annotations

from metrics.analyses.sampling.result import LabelPlan
from metrics.analyses.sampling.strata import ITEMS_EACH, LEAST_LABELLED
from metrics.asker import worded
from metrics.results import tables, words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import Column, Table
from metrics.results.words import several

WIDTHS = (-34, 8, 10, 8, 12, 8, 9)
"""Letters of the columns on a terminal."""


def goal(plan: LabelPlan) -> str:
    """Return what the labels are for, in words."""
    on = f" on {words.shorten(plan.criterion)}" if plan.criterion else ""
    judge = words.shorten(plan.judge)
    if plan.purpose == "difference":
        return f"κ of {judge} against {words.shorten(plan.other)}{on}"
    return f"κ of {judge}{on}" if plan.purpose == "kappa" else f"the share of the rarer label that {judge} finds{on}"


def drawn_words(plan: LabelPlan) -> str:
    """Return what was drawn of what, and what the weights do."""
    free = sum(stratum.n_free for stratum in plan.strata)
    return (
        f"For {goal(plan)}: {several(plan.n, 'items')} of {words.count(free)} without a label, drawn from "
        f"{several(len(plan.strata), 'strata') if len(plan.strata) > 1 else '1 stratum'} with seed {plan.seed}. Each stands for "
        f"as many as its weight says, so that together with the labels of today the numbers of all items are unbiased."
    )


def spared_words(plan: LabelPlan) -> str:
    """Return how much the strata spare, as tried out; why not where it could not be."""
    spared = plan.spared
    if len(plan.strata) < 2:
        return f"With one stratum every item is as likely as any other: from {2 * ITEMS_EACH} items on there are several."
    if spared is None:
        takes = f"{LEAST_LABELLED} labelled items, with errors in each half"
        return f"How much the strata spare cannot be tried out: that takes {takes}."
    n = several(spared.n, "items")
    tried = f"tried out on {several(spared.n_labelled, 'labelled items')}, planned on one half and drawn from the other"
    part = ""
    if spared.left_out > 0:
        part = f" {words.percent(spared.left_out)} of the items lie in strata without a labelled item, and were left out of that."
    if spared.low <= 1:
        ends = f"{words.number(spared.low)} and {words.number(spared.high)}"
        return f"The strata are not shown to spare labels: ratios {ends} in the two halves ({tried}).{part}"
    ends = f"{words.count(round(n_of(spared.low, spared.n)))} and {words.count(round(n_of(spared.high, spared.n)))}"
    return f"{n} drawn so say as much as about {words.count(spared.n_random)} at random: {ends} in the two halves, {tried}.{part}"


def n_of(ratio: float, n: int) -> float:
    """Return items at random that say as much as n drawn."""
    return ratio * n


def blind_words() -> str:
    """Return what the sheet keeps from whoever fills it, and how it is read back."""
    beside = worded("agreement FILE --with SHEET", "metrics.read([file, sheet])", "open both together under Data")
    return (
        "The sheet says nothing of any judge, and its order is shuffled. Weights differ by what judges say: hide that column "
        f"while labels are given. Fill the column human, then read it beside the file: {beside}."
    )


def strata(plan: LabelPlan) -> Table:
    """Return every stratum: its items, those labelled and wrong, those without a label, those drawn, and their weight."""
    head = (
        Column("stratum"), Column("items", "count"), Column("labelled", "count"), Column("wrong", "count"),
        Column("unlabelled", "count"), Column("drawn", "count"), Column("weight", "number"),
    )  # fmt: skip
    rows = tuple(
        (one.name, one.n_items, one.n_labelled, one.n_wrong, one.n_free, one.n_drawn, one.weight or None) for one in plan.strata
    )
    return Table("strata", "", head, rows)


def passages(plan: LabelPlan) -> tuple[Passage, ...]:
    """Return what a notebook shows."""
    notes = (Paragraph(spared_words(plan)), Paragraph(_effective(plan), "note"), Paragraph(blind_words(), "note"))
    return Paragraph(drawn_words(plan), "verdict"), strata(plan), *notes


def _effective(plan: LabelPlan) -> str:
    if len({round(one.weight, 6) for one in plan.strata if one.n_drawn}) < 2:
        return "All items drawn weigh the same."
    return (
        f"{words.capital(several(plan.n, 'items'))} of these weights say as much as {words.count(int(plan.n_effective))} of "
        "equal weight, of a number that the strata do not touch."
    )


def summary(plan: LabelPlan) -> str:
    """Return a plan as text."""
    lines = [f"  {line}" for line in tables.lines(strata(plan), WIDTHS)]
    return "\n".join([drawn_words(plan), "", *lines, "", spared_words(plan), _effective(plan), blind_words()])
