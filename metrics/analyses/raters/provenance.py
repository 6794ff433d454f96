"""What the numbers of a report on raters rest on: the header of the page, and a number to quote."""

from __future__ import annotations

from typing import Literal

from metrics.analyses.provenance import Header, citation_line, columns_of, handling_of
from metrics.analyses.raters.alternative import AlternativeTest
from metrics.analyses.raters.ceiling import Ceiling
from metrics.analyses.raters.result import AT_LEVEL, STATISTICS, RaterBlock, RatersReport, estimate_text
from metrics.analyses.records import Declaration
from metrics.data.references import reference_words
from metrics.measures.arrays import safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

SILENT = "answers without a verdict"
TREATED = {
    "exclude": "answers without a verdict are missing",
    "as_unmet": "answers without a verdict count as negative",
    "as_category": "answers without a verdict are kept as a class",
}


def treated(d: Declaration) -> str:
    """Return what becomes of answers without a verdict, by their name: ties are answers, and no abstentions."""
    return TREATED[d.abstention].replace(SILENT, silent_of(d))


def silent_of(d: Declaration) -> str:
    """Return what the mode treats: ties too where they are labels of the file and go no way of their own, or ties alone."""
    if not d.labels["tie"] or d.handling.get("tie", "abstention") != "abstention":
        return SILENT
    return f"ties and {SILENT}" if d.labels["abstention"] or d.labels["invalid"] else "ties"


def header(report: RatersReport, criterion: str | None = None) -> Header:
    """Return what stands above the numbers of all criteria together, or of one."""
    d, block = report.declaration, report.block(criterion)
    answers = "; ".join(part for part in (treated(d), handling_of(d)) if part)
    bold = d.scale_words(criterion).capitalize(), answers, _over(report, criterion)
    rest = f"{_extent(report, block)}. {report.level_words(criterion)}. {_method(report, block)}"
    shared = float(safe_ratio(block.n_pairable, block.n_items))
    columns = columns_of(d, level="pooled" if criterion is None else f"on {criterion}", coverage=shared)
    columns["reference"] = f"none: the {report.role}s among each other"
    return Header.of(d, bold, rest, columns)


def citation(report: RatersReport, key: str, criterion: str | None = None) -> str:
    """Return a number with everything needed to quote it.

    Parameters
    ----------
    report : RatersReport
    key : str
        Of `metrics.analyses.raters.result.STATISTICS`.
    criterion : str, optional
        Default: all criteria together.
    """
    d, block = report.declaration, report.block(criterion)
    parts = [
        d.scale_words(criterion), treated(d), handling_of(d),
        f"{block.level_of(key)} level" if key in AT_LEVEL else "",
        _over(report, criterion), f"n = {_extent(report, block)}", _method(report, block).rstrip("."),
        d.taken,
    ]  # fmt: skip
    name = f"{STATISTICS[key].symbol} among {words.several(block.n_raters, f'{report.role}s')}"
    return citation_line(name, estimate_text(block, key), parts, reason=block.undefined.get(key, ""))


def ceiling_citation(report: RatersReport, ceiling: Ceiling, side: Literal["judge", "human", "difference"]) -> str:
    """Return the judge or a human against the same remaining humans, or how far they lie apart, to quote.

    Parameters
    ----------
    report : RatersReport
        Of the humans of the same file.
    ceiling : Ceiling
    side : {"judge", "human", "difference"}
    """
    record, judge = BY_KEY[ceiling.metric], words.plain(ceiling.judge or "")
    values = {
        "judge": (f"{record.symbol} of {judge} against all humans but one", ceiling.value),
        "human": (f"{record.symbol} of a human against the other humans", ceiling.human),
        "difference": (f"{judge} less a human, {record.symbol}", ceiling.difference),
    }
    name, estimate = values[side]
    unit = "points" if record.unit and side == "difference" else record.unit
    parts = [
        *_treated_over(report, ceiling.criterion),
        report.declaration.taken,
        f"n = {words.count(ceiling.n_decisions)} decisions on {words.several(ceiling.n_items, 'items')}",
        f"mean over {words.several(ceiling.n_humans, 'humans')} left out one at a time",
        f"reference: {reference_words(ceiling.rule)}, of the others",
        f"item jackknife {words.percent(ceiling.confidence)}" if estimate.ends else "",
    ]
    return citation_line(name, words.estimate(estimate, unit), parts, reason=estimate.undefined)


def alternative_citation(report: RatersReport, alternative_test: AlternativeTest, *, rate: bool) -> str:
    """Return the winning rate ω, or the advantage probability ρ, to quote.

    Parameters
    ----------
    report : RatersReport
        Of the humans of the same file.
    alternative_test : AlternativeTest
    rate : bool
        Whether it is ω.
    """
    estimate = alternative_test.winning_rate if rate else alternative_test.advantage
    parts = [
        f"alternative-annotator test of {words.plain(alternative_test.judge)}, ε {words.number(alternative_test.epsilon)}",
        *_treated_over(report, alternative_test.criterion),
        report.declaration.taken,
        f"n = {words.several(alternative_test.n_items, 'items')}",
        f"{words.count(alternative_test.n_won)} of {words.several(len(alternative_test.tested), 'humans')} won",
        f"interval {words.percent(alternative_test.confidence)}" if estimate.ends else "",
    ]
    name = "winning rate ω" if rate else "advantage probability ρ"
    return citation_line(name, words.estimate(estimate, "%"), parts, reason=estimate.undefined)


def _treated_over(report: RatersReport, criterion: str | None) -> list[str]:
    d = report.declaration
    return [d.scale_words(criterion), treated(d), handling_of(d), _over(report, criterion)]


def _over(report: RatersReport, criterion: str | None) -> str:
    if criterion is not None:
        return f"on {words.shorten(criterion)}"
    n = len(report.criteria)
    return f"pooled over {words.count(n)} criteria" if n > 1 else ""


def _extent(report: RatersReport, block: RaterBlock) -> str:
    """Return labels, units and raters: "2 997 labels on 999 items by 3 humans, every one with all"."""
    whole = f"{words.count(block.n_ratings)} labels on {words.several(block.n_items, block.unit)}"
    who = words.several(block.n_raters, f"{report.role}s")
    if block.complete:
        return f"{whole}, each by {f'both {report.role}s' if block.n_raters == 2 else f'all {who}'}"
    paired = (
        f"each {block.unit.removesuffix('s')}"
        if block.n_pairable == block.n_items
        else words.several(block.n_pairable, block.unit)
    )
    return f"{whole} by {who}, {paired} with two labels or more"


def _method(report: RatersReport, block: RaterBlock) -> str:
    if not block.intervals:
        return ""
    return f"{words.percent(report.declaration.confidence)} intervals, item jackknife."
