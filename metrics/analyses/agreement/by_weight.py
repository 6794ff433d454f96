"""A judge as it is read where the file has weights: every number by weight, counts as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metrics.analyses.directions import Baseline, Directions, LabelRates
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.results import words
from metrics.results.estimate import Estimate


def report_by_weight(report: AgreementReport) -> AgreementReport:
    """Return a report with every judge as `by_weight` has it."""
    return replace(report, judges={name: by_weight(judge) for name, judge in report.judges.items()})


def by_weight(judge: JudgeReport) -> JudgeReport:
    """Return a judge whose numbers count every item by its weight; as it is where the file has no weights.

    Tables keep their counts. A direction is told where the weighted interval tells it; strict or lenient is not, for that has no
    weighted test.
    """
    if judge.weighted is None:
        return judge
    return replace(
        judge,
        micro=_weighed(judge.micro, judge.weighted_at("micro")),
        macro=_weighed(judge.macro, judge.weighted_at("macro")),
        item=_weighed(judge.item, judge.weighted_at("item")),
        criteria={name: _weighed(block, judge.weighted_at("micro", name)) for name, block in judge.criteria.items()},
    )


def of_weight(judge: JudgeReport) -> str:
    """Return " by ‘weight’", behind what is weighted; empty where the file has no weights."""
    return "" if judge.weighted is None else f" by ‘{words.shorten(judge.weighted.column)}’"


def _weighed(block: Block, estimates: Mapping[str, Estimate]) -> Block:
    if not estimates:
        return block
    directions = None if block.directions is None else _directions(block.directions, estimates)
    return replace(block, estimates={**block.estimates, **estimates}, directions=directions)


def _directions(known: Directions, estimates: Mapping[str, Estimate]) -> Directions:
    gain = estimates["accuracy"].value - estimates["baseline_accuracy"].value
    sign = known.baseline.sign if np.sign(gain) == known.baseline.sign else 0
    rates = known.label_rates
    if rates is not None:
        shown = rates.n_uneven >= rates.needed
        rates = LabelRates(estimates["drift"].sign * shown, math.nan, rates.n_uneven, rates.needed)
    return Directions(Baseline(gain, sign, math.nan), known.word, known.binary, rates)
