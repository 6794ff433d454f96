"""Where a bundled sample comes from a text whose number is another one: what the text says, and what is right."""

from __future__ import annotations

from metrics.analyses.records import JudgeReport
from metrics.results.words import number, p3

TWO_CRITERIA = "rao_two_criteria"


def footnote(sample: str, report: JudgeReport, *, all_met: bool) -> str:
    """Return the footnote of an open sample; empty where the text is right or there is none."""
    if sample != TWO_CRITERIA:
        return ""
    micro, within = (report.micro.values[key] for key in ("kappa", "kappa_within"))
    kappas = " and ".join(number(block.values["kappa"]) for block in report.criteria.values())
    return (
        f"Rao and Callison-Burch, Section 5.1, give micro κ “near 0.85”, “dominated by A”. With the judge’s rates equal to the "
        f"human’s, micro κ is {p3(micro)} on these tables (κ {kappas} by criterion); 0.85 needs a judge that says MET on about "
        "10.5\u00a0% of B. And A does not dominate: both criteria bring equally many decisions, and two criteria with κ 0.20 "
        f"each can pool to 0.85. Micro is high because one criterion is common and the other rare; within criteria κ is "
        f"{number(within)}." + (_items(report) if all_met else "")
    )


def _items(report: JudgeReport) -> str:
    return (
        f" When all criteria must be met, κ of the items is {number(report.item.values['kappa'])} here, where the criteria fall "
        "together independently; the same two tables allow anything from −0.05 to 1.00."
    )
