"""Headline, table by criterion and download of the ROC page."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.provenance import citation_line
from metrics.analyses.roc import provenance, readings
from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.provenance import short_cut
from metrics.analyses.roc.result import RocBlock
from metrics.analyses.roc.tables import by_criterion
from metrics.data.scales import scales_of
from metrics.results.tables import as_text
from metrics.results.words import UNDEFINED, apart, bounds, count, number
from pages.shared import as_lines, parts, sheets
from pages.shared.plain import escape, escaped, short
from pages.shared.roc import asking

J_HELP = "True positive rate minus false positive rate: 0 is chance, 1 is perfect. It does not depend on prevalence."
AUC_HELP = "How often a positive has the higher score than a negative, a tie counting one half. 0.5 is chance."
HELD_HELP = (
    "J on held-out items, at the threshold that the other items chose. *Best threshold* is chosen on all of them; on the items "
    "that chose it J is too high."
)


def headline(asked: asking.RocView) -> list[parts.Headline]:
    block, where = asked.block, (asked.report, asked.chosen.judge, asked.criterion)
    verdict_card = replace(_verdict(block), citation=provenance.verdict_citation(*where, "youden_j"))
    if block.curve is None:
        text = citation_line(
            "decisions", count(block.n), provenance.declaration_parts(*where), beside=f"{count(block.n_positive)} positive"
        )
        help_text = "On which both gave a verdict."
        n = parts.Headline("Decisions", count(block.n), f"{count(block.n_positive)} positive", help_text, citation=text)
        return [verdict_card, *_rates(asked, partial(provenance.verdict_citation, *where)), n]
    curve = block.curve
    interval = curve.area.interval
    note = f" Interval: {escape(interval.note)}." if interval is not None and interval.note else ""
    mean = asked.judge.mean
    beside = ""
    if asked.criterion is None and len(asked.judge.criteria) > 1:
        beside = f"mean over criteria {number(mean.area.value)}"
    area = parts.Headline(
        "AUC",
        number(curve.area.value),
        _ends(curve.area.ends),
        AUC_HELP + note,
        curve.area.undefined,
        beside,
        provenance.citation(*where),
    )
    held, best = provenance.held_out_citation(*where), provenance.best_cut_citation(*where)
    return [verdict_card, area, replace(_held(block), citation=held), replace(_best(block), citation=best)]


def view(asked: asking.RocView) -> as_lines.View:
    """Return the call behind the page, and where J of the verdicts is; without verdicts the area."""
    where = ("pooled",) if asked.criterion is None else ("criteria", [asked.criterion])
    first = ("verdict", ["youden_j"]) if asked.block.verdict is not None else ("curve", "area")
    return as_lines.View(asking.call(asked), as_lines.path("judges", [asked.chosen.judge], *where, *first))


def _verdict(block: RocBlock) -> parts.Headline:
    point = block.verdict
    if point is None:
        return parts.Headline("J of the verdicts", UNDEFINED, "no verdicts", J_HELP)
    j = point["youden_j"].value
    reason = "the reference has one label only" if math.isnan(j) else ""
    return parts.Headline("J of the verdicts", number(j), _ends(point["youden_j"].ends), J_HELP, reason)


def _rates(asked: asking.RocView, copied: Callable[[str], str]) -> list[parts.Headline]:
    point = asked.block.verdict
    if point is None:
        return []
    hits, alarms = "True positives", "False positives"
    if scales_of(asked.dataset.ratings).named_errors:
        positive, negative = short(provenance.positive_of(asked.report)), short(provenance.negative_of(asked.report))
        hits, alarms = f"{positive} called {positive}", f"{negative} called {positive}"
    rates = ((f"{hits}, TPR", "tpr", "Share of the positives that the judge finds."),
            (f"{alarms}, FPR", "fpr", "Share of the negatives that the judge calls positive."))  # fmt: skip
    return [
        parts.Headline(
            label, *apart(point[key], "%", "no interval"), text, citation=copied(key)
        )
        for label, key, text in rates
    ]  # fmt: skip


def _held(block: RocBlock) -> parts.Headline:
    held = None if block.curve is None else block.curve.held_out
    if not isinstance(held, HeldOut):
        return parts.Headline("Held-out J", UNDEFINED, "no interval", HELD_HELP, held or "")
    value, ends = number(held.cut["youden_j"].value), _ends(held.cut["youden_j"].ends)
    return parts.Headline("Held-out J", value, ends, HELD_HELP, "", f"{number(held.in_sample_j)} where chosen")


def _best(block: RocBlock) -> parts.Headline:
    help_text = "The highest threshold at which J is largest, on all decisions shown."
    best = None if block.curve is None else block.curve.best
    if best is None or block.curve is None:
        return parts.Headline("Best threshold", UNDEFINED, "none", help_text)
    if block.curve.best_spot is None:
        return parts.Headline("Best threshold", "none", "none beats chance", help_text)
    others = block.curve.n_optimal - 1
    third = f"{count(others)} more as good" if others else ""
    j = f"J {number(best['youden_j'].value)} here"
    return parts.Headline("Best threshold", short_cut(best.threshold, block.curve.tally), j, help_text, "", third)


def _ends(ends: tuple[float, float] | None) -> str:
    return bounds(ends, "", without="no interval")


def table(asked: asking.RocView) -> None:
    """The same numbers for every criterion, the pooled row and the mean beside each other."""
    judge = asked.judge
    many = len(judge.criteria) > 1
    with st.expander(f"The same as a table: {'every criterion' if many else 'J, AUC and the best threshold'}"):
        st.table(escaped(as_text(by_criterion(judge))), hide_index=True)
        if text := readings.in_sample(judge):
            st.markdown(f":small[{text}]")
    sheets.download("Curves and points of all judges (CSV)", asked.report.to_frame, "roc.csv", "roc.csv")
