"""Numbers on abstention to quote, with what they rest on."""

from __future__ import annotations

import math

from metrics.analyses.abstention.relation import JointAbstention
from metrics.analyses.abstention.tables import f1_of
from metrics.analyses.abstention.third_answer import Weighted
from metrics.analyses.provenance import citation, citation_line, declaration_parts, who
from metrics.analyses.records import AgreementReport
from metrics.data.aggregation import Level
from metrics.measures.cost_matrices import cost_text
from metrics.results import words

ON_VERDICTS = "on whether a verdict was given"


def abstention_kappa(
    report: AgreementReport, judge: str, *, ends: tuple[float, float] | None = None, confidence: float = 0.95
) -> str:
    """Return κ of "gave a verdict".

    Parameters
    ----------
    report : AgreementReport
    judge : str
    ends : (float, float), optional
        Interval, by the default rules; default: none is quoted.
    confidence : float
        Of the interval, in (0, 1).
    """
    judge_coverage = report.judges[judge].coverage
    shown, why = words.number(judge_coverage.abstention_kappa), judge_coverage.abstention_kappa_reason
    details = [ON_VERDICTS, *_decisions(report, judge)]
    if ends is not None:
        shown, details = f"{shown} {words.bounds(ends)}", [*details, f"interval {words.percent(confidence)}"]
    undefined = math.isnan(judge_coverage.abstention_kappa)
    return citation_line("abstention κ", shown, details, reason=why if undefined else "", beside="" if undefined else why)


def coverage(report: AgreementReport, judge: str, joint: JointAbstention, side: str) -> str:
    """Return joint, judge or human coverage.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    joint : JointAbstention
        Of this judge.
    side : {"joint", "judge", "human"}
    """
    share = {"joint": joint.joint, "judge": joint.judge, "human": joint.human}[side]
    gave = {"joint": "both gave a verdict", "judge": "the judge gave a verdict", "human": "the human gave a verdict"}[side]
    reason = "" if joint.n else "there is no decision"
    return citation_line(f"{side} coverage", words.percent(share), [gave, *_decisions(report, judge)], reason=reason)


def f1(report: AgreementReport, judge: str, level: Level) -> str:
    """Return what stands for F1 in a mode.

    Parameters
    ----------
    report : AgreementReport
        In that mode.
    judge : str
    level : {"micro", "macro", "item"}
    """
    block, d = report.judges[judge].level(level), report.declaration
    for key in ("f1", "macro_f1"):
        if f1_of(block, d.abstention)[0] == {"f1": "F1", "macro_f1": "Macro-F1"}[key]:
            return citation(report, judge, level, key)
    estimate = f1_of(block, d.abstention)[1]
    reason = "" if estimate.defined else "it divides by 0"
    details = [f"of {block.labels[0]} against the rest", *declaration_parts(report, judge, level)]
    return citation_line("F1", words.number(estimate.value), details, reason=reason)


def items(report: AgreementReport, judge: str, name: str, shown: str, *more: str, reason: str = "") -> str:
    """Return a number of items with verdicts.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    name : str
        What the number is called.
    shown : str
        The number as it is written.
    more : str
        What else it rests on, before the choices of the report.
    reason : str
        Why it is undefined; empty where it is not.
    """
    return citation_line(name, shown, [*more, *declaration_parts(report, judge, "item")], reason=reason)


def weighted_kappa(report: AgreementReport, judge: str, level: Level, weighted: Weighted) -> str:
    """Return weighted κ with its cost matrix, without which it is never quoted.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    level : {"micro", "macro", "item"}
    weighted : Weighted
        Of this judge at this level.
    """
    shown = words.estimate(weighted)
    details = [
        f"costs, reference in rows: {cost_text(weighted.cost)}",
        *declaration_parts(report, judge, level, interval=weighted.interval),
    ]
    return citation_line("weighted κ", shown, details, reason=weighted.why)


def _decisions(report: AgreementReport, judge: str) -> list[str]:
    """Return all decisions that both sides rated, whatever the mode and the level."""
    d, judge_report = report.declaration, report.judges[judge]
    many = f"pooled over {words.count(len(d.criteria))} criteria" if len(d.criteria) > 1 else ""
    items = f" on {words.several(judge_report.n_items, 'items')}" if judge_report.n_items is not None else ""
    return [d.scale_words(), many, f"n = {words.count(judge_report.coverage.n_total)} decisions{items}", *who(d, judge)]
