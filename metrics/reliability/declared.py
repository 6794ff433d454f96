"""What the numbers of a report on raters rest on: the header of the page, and a number to quote."""

from __future__ import annotations

from metrics import words
from metrics.declaration import Header, handling_of
from metrics.reliability.report import STATISTICS, RaterBlock, RatersReport, shown

TREATED = {
    "exclude": "answers without a verdict are missing",
    "as_unmet": "answers without a verdict count as negative",
    "as_category": "answers without a verdict are a class of their own",
}


def header(report: RatersReport, criterion: str | None = None) -> Header:
    """What stands above the numbers of all criteria together, or of one."""
    d, block = report.declaration, report.block(criterion)
    treated = "; ".join(part for part in (TREATED[d.abstention], handling_of(d)) if part)
    bold = " · ".join(part for part in (d.scale_words(criterion).capitalize(), treated, _over(report, criterion)) if part)
    rest = f"{_extent(report, block)}. α at the {report.level} level. {_method(report, block)}"
    return Header(f"{bold}.", rest.strip(), d.file, d.sha256[:4])


def copied(report: RatersReport, key: str, criterion: str | None = None) -> str:
    """A number with everything needed to quote it."""
    d, block = report.declaration, report.block(criterion)
    reason = f", undefined: {block.undefined[key]}" if key in block.undefined else ""
    parts = [
        d.scale_words(criterion), TREATED[d.abstention], handling_of(d),
        f"{report.level} level" if key in ("alpha", "gwet_ac2") else "",
        _over(report, criterion), f"n = {_extent(report, block)}", _method(report, block).rstrip("."),
    ]  # fmt: skip
    start = f"{STATISTICS[key].symbol} among {words.several(block.n_raters, f'{report.role}s')} = {shown(block, key)}"
    return f"{start}{reason} ({'; '.join(part for part in parts if part)})"


def _over(report: RatersReport, criterion: str | None) -> str:
    if criterion is not None:
        return f"on {words.shorten(criterion)}"
    n = len(report.criteria)
    return f"pooled over {words.count(n)} criteria" if n > 1 else ""


def _extent(report: RatersReport, block: RaterBlock) -> str:
    """Labels, units and raters: "2 997 labels on 999 items by 3 humans, every one with all"."""
    whole = f"{words.count(block.n_ratings)} labels on {words.several(block.n_items, block.unit)}"
    who = words.several(block.n_raters, f"{report.role}s")
    if block.complete:
        return f"{whole}, each by {f'both {report.role}s' if block.n_raters == 2 else f'all {who}'}"
    return f"{whole} by {who}, {words.count(block.n_pairable)} of them with two labels or more"


def _method(report: RatersReport, block: RaterBlock) -> str:
    if not block.intervals:
        return ""
    confidence = words.percent(float(str(report.declaration.interval["confidence"])))
    return f"{confidence} intervals, item jackknife."
