"""What a reader must know before any number of a judge: worse than no judgment, or pooled beyond what any criterion shows."""

from __future__ import annotations

import numpy as np

from metrics import words
from metrics.exact import holm
from metrics.results import Block, JudgeReport, Warn

BELOW_CHANCE, BELOW_BASELINE, POOLED_OUTSIDE = "below_chance", "below_baseline", "pooled_kappa_outside"
CODES = (BELOW_CHANCE, BELOW_BASELINE, POOLED_OUTSIDE)
"""Warnings that stand beside the first numbers and not among the notes."""
MOST_NAMED = 3


def standing(judge: JudgeReport, confidence: float) -> tuple[Warn, ...]:
    """The warnings about one judge, the gravest first; none where the data do not show it."""
    found = [
        (BELOW_CHANCE, _opposite(judge)),
        (BELOW_BASELINE, _below(judge)),
        (BELOW_BASELINE, _criteria_below(judge, 1 - confidence)),
        (POOLED_OUTSIDE, _outside(judge)),
    ]
    return tuple(Warn(code, f"{judge.name}: {text}") for code, text in found if text)


def _opposite(judge: JudgeReport) -> str:
    """Two labels that one side seems to use the other way round; criteria pooled or not, each below chance or undefined."""
    ends = judge.micro.ends("kappa")
    kappas = [block.values["kappa"] for block in judge.criteria.values()]
    if len(judge.micro.labels) != 2 or ends is None or ends[1] >= 0 or any(kappa > 0 for kappa in kappas):
        return ""
    kappa = f"κ {words.number(judge.micro.values['kappa'])} {words.interval(ends)}"
    return f"{kappa} lies below chance. Does one side use the two labels the other way round?"


def _below(judge: JudgeReport) -> str:
    block = judge.micro
    if block.directions is None or block.directions.baseline.sign >= 0 or _one_label(block):
        return ""
    label = block.labels[int(np.asarray(block.confusion).sum(1).argmax())]
    accuracy, baseline = (words.percent(block.values[key]) for key in ("accuracy", "baseline_accuracy"))
    return (
        f"always answering {words.shorten(label)} would be right significantly more often, {baseline} of decisions against "
        f"{accuracy} (p {_equals(block.directions.baseline.p)})."
    )


def _one_label(block: Block) -> bool:
    """The reference gives one label only, so that its commoner label is right by construction."""
    return block.one_sided is not None and block.one_sided[0] == "reference"


def _criteria_below(judge: JudgeReport, level: float) -> str:
    """Criteria on which it is worse than the commoner label, the p of all criteria corrected by Holm."""
    if len(judge.criteria) < 2:
        return ""
    tested = {
        name: block.directions.baseline for name, block in judge.criteria.items() if block.directions and not _one_label(block)
    }
    corrected = holm([its.p for its in tested.values()])
    names = [name for (name, its), p in zip(tested.items(), corrected, strict=True) if its.sign < 0 and p <= level]
    if not names:
        return ""
    where = f"on {words.count(len(names))} of {words.count(len(judge.criteria))} criteria"
    listed = words.listed([words.shorten(name) for name in names], MOST_NAMED)
    return f"{where}, always answering the commoner label would be right significantly more often: {listed}."


def _outside(judge: JudgeReport) -> str:
    """A pooled κ that no criterion shows; pooling credits, or blames, knowing which criterion gets which label."""
    kappas = [
        block.values["kappa"] for block in judge.criteria.values() if not (block.degenerate or np.isnan(block.values["kappa"]))
    ]
    pooled, within = judge.micro.values["kappa"], judge.micro.values.get("kappa_within", np.nan)
    if len(kappas) < 2 or np.isnan(pooled):
        return ""
    low, high = round(min(kappas), 2), round(max(kappas), 2)
    if low <= round(pooled, 2) <= high:
        return ""
    where = "below" if round(pooled, 2) < low else "above"
    beside = "" if np.isnan(within) else f" Within criteria κ is {words.number(within)}."
    every = (
        "every criterion" if len(kappas) == len(judge.criteria) else f"all {words.count(len(kappas))} criteria with two labels"
    )
    return (
        f"pooled κ {words.number(pooled)} lies {where} κ of {every}, {words.number(low)} to {words.number(high)}: the "
        f"criteria differ in their label rates.{beside}"
    )


def _equals(p: float) -> str:
    text = words.p3(p)
    return text if text.startswith("<") else f"= {text}"
