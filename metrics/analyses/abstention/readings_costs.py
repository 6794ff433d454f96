"""What it does to the numbers that no verdict counts as something, in sentences and tables that follow from them.

It may count by a mode, by a cost matrix or as a third answer.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them; `why` wraps reasons,
which may hold such words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.abstention.third_answer import NEAR, CostPath, Weighted
from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.records import Block
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.aggregation import Level
from metrics.measures.coefficients import phi
from metrics.measures.cost_matrices import CODES, Correlations, affine, correlations, cost_text, place_of, preset_of
from metrics.results import words

Columns = dict[str, list[Any]]
PRESET_NAMES = {"nominal": "Nominal", "halfway": "Halfway", "as-negative": "As good as {}", "as-positive": "As good as {}"}


def preset_names(labels: tuple[str, str, str]) -> dict[str, str]:
    """Return the presets as they are called on screen."""
    positive, negative, _ = labels
    return PRESET_NAMES | {
        "as-negative": PRESET_NAMES["as-negative"].format(negative), "as-positive": PRESET_NAMES["as-positive"].format(positive),
    }  # fmt: skip


def slide_reading(slide: CostPath, weighted: Weighted, *, name: Name = plain_name, why: Name = plain_name) -> str:
    """Return how far weighted κ moves with the cost of no verdict, and whether that is much beside its interval.

    Parameters
    ----------
    slide : CostPath
    weighted : Weighted
        Under the chosen matrix.
    name, why : callable
        Wrap labels of the file, and reasons.
    """
    positive, negative, silent = (name(label) for label in slide.labels)
    values = [point.value for _, point in slide.along if not math.isnan(point.value)]
    if not values:
        reason = why(slide.along[0][1].why)
        return f"κ_w is undefined wherever {silent} stands between {negative} and {positive}: {reason}."
    first, last = slide.along[0][1], slide.along[-1][1]
    start = f"κ_w is {_value(first)} when {silent} is as good as {negative}, and {_value(last)} when it is as good as {positive}"
    return (
        f"{start}{_way(first.value, last.value, values)}. {_range_versus_interval(slide, values)}{_chosen_matrix(weighted, why)}"
    )


def _value(point: Weighted) -> str:
    return "undefined" if math.isnan(point.value) else words.number(point.value)


def _way(first: float, last: float, values: list[float]) -> str:
    if math.isnan(first) or math.isnan(last):
        return ""
    inside = [value for value in (min(values), max(values)) if not min(first, last) - NEAR <= value <= max(first, last) + NEAR]
    bend = f", with {words.number(inside[0])} in between" if inside else ""
    if abs(last - first) < NEAR:
        return f": it ends where it began{bend}" if bend else ": it hardly moves"
    return f": it {'rises' if last > first else 'falls'} by {words.number(_written_apart(last, first))} on the way{bend}"


def _written_apart(value: float, other: float) -> float:
    """Return distance of two values as they are written."""
    return abs(round(value, 2) - round(other, 2))


def _range_versus_interval(slide: CostPath, values: list[float]) -> str:
    """Return the range along the line against the reach of the interval in its middle."""
    ends = slide.presets["halfway"].ends
    if ends is None:
        return ""
    moved, reach = _written_apart(max(values), min(values)), (ends[1] - ends[0]) / 2
    both = f"{words.number(moved)} along the line, {words.number(reach)} to either side by the interval"
    if moved <= reach:
        return f"Which items were labelled matters more here than the cost of giving no verdict ({both}). "
    return f"The cost of giving no verdict matters more here than which items were labelled ({both}). "


def _chosen_matrix(weighted: Weighted, why: Name) -> str:
    if math.isnan(weighted.value):
        return f"Under the chosen matrix κ_w is undefined: {why(weighted.why)}."
    where = "" if place_of(weighted.cost) is not None else ", which is not on this line,"
    return f"The chosen matrix{where} gives {words.estimate(weighted)}."


def rates_reading(
    kappa: float, r_k: float, table: NDArray[np.int64], labels: tuple[str, str, str], level: Level, *, name: Name = plain_name
) -> str:
    """Return how κ and R_K differ on three answers, and why.

    Parameters
    ----------
    kappa, r_k : float
        In [-1, 1]; NaN where undefined.
    table : ndarray of int64, shape (3, 3)
        Decisions of the level; reference in rows, judge in columns.
    labels : (str, str, str)
        Positive, negative, no verdict.
    level : {"micro", "macro", "item"}
        At macro level both numbers are means over criteria.
    name : callable
        Wraps labels of the file.
    """
    if math.isnan(kappa) or math.isnan(r_k):
        return "κ and R_K cannot be compared: one of them is undefined."
    both = f"κ is {words.p3(kappa)} and R_K {words.p3(r_k)}"
    if level == "macro":
        return f"{both}, both averaged over the criteria. On each criterion κ is no farther from 0 than R_K."
    apart = table.sum(0) - table.sum(1)
    if not apart.any():
        return f"{both}: equal, because human and judge give each answer equally often."
    place = int(np.abs(apart).argmax())
    judge, human = (words.percent1(table.sum(axis)[place] / table.sum()) for axis in (0, 1))
    rates = f"in this sample the judge says {name(labels[place])} on {judge} of decisions, the human on {human}"
    if abs(kappa) < 1e-12:
        return f"{both}: equal at 0 although {rates}."
    return (
        f"{both}: κ is {'lower' if kappa > 0 else 'nearer to 0'}, because the two give the answers at different rates; {rates}."
    )


def correlation_reading(coefficients: Correlations, labels: tuple[str, str, str], *, name: Name = plain_name) -> str:
    """Return whether Pearson and Spearman part on these three answers, and whether they had to agree.

    Parameters
    ----------
    coefficients : Correlations
    labels : (str, str, str)
        Positive, negative, no verdict.
    name : callable
        Wraps labels of the file.
    """
    if math.isnan(coefficients.pearson):
        side = "human" if sum(count > 0 for count in coefficients.reference) < 2 else "judge"
        return f"Pearson and Spearman are undefined: the {side} gives one answer only."
    why = _why(coefficients, labels, name)
    if coefficients.guaranteed:
        return f"Pearson and Spearman are both {words.p3(coefficients.pearson)}, and had to be: {why}."
    if coefficients.equal:
        return f"Pearson and Spearman are both {words.p3(coefficients.pearson)} here, but nothing forces them to be: {why}."
    pearson, spearman = words.p3(coefficients.pearson), words.p3(coefficients.spearman)
    close = ", and differ beyond the third decimal" if pearson == spearman else ""
    return f"Pearson is {pearson} and Spearman {spearman}{close}: with three answers they differ, because {why}."


def _why(coefficients: Correlations, labels: tuple[str, str, str], name: Name) -> str:
    positive, negative = name(labels[0]), name(labels[1])
    sides = {"human": coefficients.reference, "judge": coefficients.judge}
    uneven = [(side, counts) for side, counts in sides.items() if not affine(counts)]
    if uneven:
        clauses = [
            f"the {side} says {positive} {words.count(counts[0])} times and {negative} {words.count(counts[1])}"
            for side, counts in uneven
        ]
        return ", and ".join(clauses)
    if all(counts[0] == counts[1] for counts in sides.values()):
        return f"both say {positive} as often as {negative}"
    two = [f"the {side}" for side, counts in sides.items() if counts[0] != counts[1]]
    verb = "uses" if len(two) == 1 else "use"
    return f"{' and '.join(two)} {verb} two answers only, and ranks of two values follow them in a straight line"


def correlation_table(table: NDArray[np.int64], labels: tuple[str, str, str]) -> Columns:
    """Return Pearson and Spearman with three answers, and with two, where both are φ.

    Parameters
    ----------
    table : ndarray of int64, shape (3, 3)
        Decisions; reference in rows, judge in columns.
    labels : (str, str, str)
        Positive, negative, no verdict.

    Returns
    -------
    dict of list
        Columns, a row to each way of taking the answers; NaN where a side gives one answer only.
    """
    merged = np.array([[table[0, 0], table[0, 1:].sum()], [table[1:, 0].sum(), table[1:, 1:].sum()]])
    three = correlations(table)
    silent, negative = labels[2], labels[1]
    two = [(f"{silent} left out", table[:2, :2]), (f"{silent} counted as {negative}", merged)]
    both = [float(phi(counts)) for _, counts in two]
    return {
        "answers": [f"three, coded {CODES[0]:g}, ½ and {CODES[1]:g}", *(f"two, {what}" for what, _ in two)],
        "decisions": [int(table.sum()), *(int(counts.sum()) for _, counts in two)],
        "Pearson": [three.pearson, *both],
        "Spearman": [three.spearman, *both],
    }


def slide_table(slide: CostPath, weighted: Weighted, constants: Mapping[str, str]) -> Columns:
    """Return weighted κ at every point of the line, under the presets and under the chosen matrix.

    Parameters
    ----------
    slide : CostPath
    weighted : Weighted
        Under the chosen matrix.
    constants : mapping
        Column to what stands in every row.

    Returns
    -------
    dict of list
        Columns. NaN stands where κ is undefined, with the reason beside it, for the ends where there is no interval, and for the
        place of a matrix that is off the line.
    """
    rows: list[tuple[str, float | None, Weighted]] = [("line", s, point) for s, point in slide.along]
    rows += [(f"preset {name}", place_of(point.cost), point) for name, point in slide.presets.items()]
    rows.append(
        (f"chosen{f' ({preset_of(weighted.cost)})' if preset_of(weighted.cost) else ''}", place_of(weighted.cost), weighted)
    )
    ends = [point.ends or (math.nan, math.nan) for *_, point in rows]
    columns: Columns = {
        "what": [what for what, *_ in rows],
        "s": [math.nan if s is None else s for _, s, _ in rows],
        "cost": [cost_text(point.cost) for *_, point in rows],
        "weighted_kappa": [point.value for *_, point in rows],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "interval": ["" if point.interval is None else point.interval.method for *_, point in rows],
        "undefined": [point.why for *_, point in rows],
    }
    return columns | {key: [value] * len(rows) for key, value in constants.items()}


def mode_question(mode: Mode, negative: str) -> str:
    """Return the question a number answers in a mode."""
    return {
        "exclude": "How good where both answer?",
        "as_unmet": f"How good if no verdict means {negative}?",
        "as_category": "How good if no verdict is an answer of its own?",
    }[mode]


def modes_reading(blocks: Mapping[Mode, Block]) -> str:
    """Return how far the question alone moves κ."""
    known = {mode: block.values["kappa"] for mode, block in blocks.items() if not math.isnan(block.values.get("kappa", math.nan))}
    if not known:
        return "κ is undefined whichever question is asked."
    if len(known) < len(blocks):
        return _some_modes(known, [mode for mode in blocks if mode not in known])
    low, high = min(known.values()), max(known.values())
    if words.number(low) == words.number(high):
        return f"κ is {words.number(low)} whichever question is asked; its meaning still differs."
    *first, last = (f"{words.number(value)} under {MODE_NAMES[mode]}" for mode, value in known.items())
    shown = f"{', '.join(first)} and {last}"
    apart = words.number(high - low)
    return f"the same verdicts give κ {shown}. No verdict changed, only the question: that alone moves κ by {apart}."


def _some_modes(known: Mapping[Mode, float], missing: Sequence[Mode]) -> str:
    """Return κ of every mode that gives one, and the modes that give none."""
    values = ", ".join(f"{words.number(value)} under {MODE_NAMES[mode]}" for mode, value in known.items())
    return f"κ is undefined under {' and '.join(MODE_NAMES[mode] for mode in missing)}; it is {values}."
