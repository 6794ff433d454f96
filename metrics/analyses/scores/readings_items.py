"""What item scores say, as sentences and as a text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.analyses.agreement.standing import REVERSED
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.provenance import Header, citation_line, columns_of, made_of
from metrics.analyses.records import notes_of
from metrics.analyses.scores.item_scores import FEW_VALUES, ItemScoresReport, JudgeItemScores
from metrics.analyses.scores.tables import of_items
from metrics.measures.arrays import safe_ratio
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.tables import Column, lines, with_column

SHOWN = (
    ("pearson", "Pearson"), ("spearman", "Spearman"), ("kendall_tau_b", "Kendall’s τ_b"), ("rmse", "RMSE"), ("mae", "MAE"),
    ("bias", "bias (judge − reference)"),
)  # fmt: skip
WIDTHS = (-24, 0, 0)
"""Letters of the columns on a terminal."""


def header(report: ItemScoresReport, judge: str) -> Header:
    """Return what the scores are made of, and of how many items."""
    d, judge_item_scores = report.declaration, report.judges[judge]
    left = sum(judge_item_scores.left_out.values())
    out = f" of {words.count(judge_item_scores.all.n + left)}" if left else ""
    confidence = words.percent(d.confidence)
    method = "No intervals." if d.interval["method"] == "none" else f"Intervals {confidence}, items independent."
    made = f"Weights: {_weights(report)}. Reference: {d.reference_words()}."
    count = f"{words.count(judge_item_scores.all.n)}{out} items" if out else words.several(judge_item_scores.all.n, "items")
    rest = f"{made} {count}. {method}{made_of(d, judge)}"
    columns = columns_of(
        d, judge=judge, level="item scores", coverage=float(safe_ratio(judge_item_scores.all.n, judge_item_scores.all.n + left))
    )
    return Header("Item scores from 0 to 1 · criteria without a verdict left out.", rest, d.file, d.sha256[:4], columns)


def citation(report: ItemScoresReport, judge: str, key: str = "rmse") -> str:
    """Return a number with everything needed to quote it, at first the typical distance.

    Parameters
    ----------
    report : ItemScoresReport
    judge : str
    key : str
        Of the number.
    """
    estimate = report.judges[judge].all.measures[key]
    parts = (words.plain(judge), *header(report, judge).provenance())
    return citation_line(
        f"{RECORDS[key].symbol} of item scores", estimate_text(estimate, signed=key == "bias"), parts, reason=estimate.undefined
    )


def _weights(report: ItemScoresReport) -> str:
    """Return one number where all criteria weigh alike, else the first few."""
    scored = report.worth.scoring_by_criterion()
    if len({entry["weight"] for entry in scored.values()}) == 1:
        return f"{words.several(len(scored), 'criteria')}{' alike' if len(scored) > 1 else ''}"
    first = list(scored.items())[:6]
    weights = ", ".join(f"{words.shorten(name)} {_plain(entry['weight'])}" for name, entry in first)
    return f"{weights} and {words.count(len(scored) - 6)} more" if len(scored) > 6 else weights


def _plain(weight: float) -> str:
    return f"{weight:g}".replace("-", words.MINUS)


def reading(report: ItemScoresReport, judge: str) -> str:
    """Return how far the judge's item scores lie from the reference's, and to which side."""
    judge_item_scores, who = report.judges[judge], report.declaration.the_reference()
    name, bias, rmse = words.shorten(judge), judge_item_scores.all.measures["bias"], judge_item_scores.all.measures["rmse"]
    if bias.undefined:
        return f"{name} shares no item score with {who}."
    first = f"An item’s score by {name} is typically {estimate_text(rmse)} away from that by {who}"
    if max(judge_item_scores.all.distinct) <= FEW_VALUES:  # then the two are equal or far apart
        first = f"The item scores by {name} have RMSE {estimate_text(rmse)} from those by {who}"
    if judge_item_scores.all.verdict:
        first = f"The item scores by {name} have RMSE {estimate_text(rmse)} from the verdict of {who} counted as 0 or 1"
    if bias.ends is None:
        return f"{first}."
    if not words.side_of_0(bias.ends):
        side = "on average neither higher nor lower beyond chance"
    else:
        side = f"on average {'higher' if bias.value > 0 else 'lower'} by {words.estimate(abs(bias))}"
    r = judge_item_scores.all.measures["pearson"]
    turned = r.ends is not None and r.ends[1] < 0 and r.value <= REVERSED
    check = f" Reversed? {name} scores low what {who} scores high: r is {estimate_text(r)}." if turned else ""
    return f"{first}, {side}.{check}"


def complete_reading(judge_item_scores: JudgeItemScores) -> str:
    """Return what is left where both scores rest on the same criteria."""
    if judge_item_scores.complete.n == judge_item_scores.all.n:
        return ""
    n, value = judge_item_scores.complete.n, judge_item_scores.complete.measures["rmse"]
    if not n:
        return "On every item a side gave no verdict on some criterion, so that no two scores rest on the same criteria."
    return (
        f"On the {words.count(n)} of {words.count(judge_item_scores.all.n)} items without "
        "an abstention, where both scores rest on the same "
        f"criteria, the RMSE is {estimate_text(value)}."
    )


def estimate_text(estimate: Estimate, *, signed: bool = False) -> str:
    """Return a number and, behind it, its interval."""
    return words.signed(estimate.value, 2) + words.behind(estimate.ends) if signed else words.estimate(estimate)


def summary(report: ItemScoresReport) -> str:
    """Return every judge, and the warnings."""
    parts = ["\n".join(_lines(report, name)) for name in report.judges]
    return "\n\n".join([*parts, *notes_of(report.warnings)])


def _lines(report: ItemScoresReport, judge: str) -> Iterator[str]:
    judge_item_scores = report.judges[judge]
    yield judge
    yield f"  {header(report, judge).text()}"
    yield ""
    table = of_items(SHOWN, [("", judge_item_scores.all)])
    reasons = (
        estimate.undefined or estimate.no_interval for estimate in (judge_item_scores.all.measures[key] for key, _ in SHOWN)
    )
    yield from (f"  {line}" for line in lines(with_column(table, Column("why"), reasons), WIDTHS, whole=True)[1:])
    yield ""
    yield from (f"  {text}" for text in (reading(report, judge), complete_reading(judge_item_scores)) if text)
