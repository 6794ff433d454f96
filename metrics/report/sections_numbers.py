"""The numbers of the headline: one judge at one level, its table, all levels side by side, every criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.agreement import tables
from metrics.analyses.agreement.readings import confusion_reading, criteria_reading, one_sided_words
from metrics.analyses.agreement.standing import standing
from metrics.analyses.agreement.tables import CELLS, mean_of
from metrics.analyses.leading import read_first
from metrics.analyses.records import Block, JudgeReport
from metrics.data.aggregation import LEVELS
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.report.document import Figure, Part, Section
from metrics.report.material import Material
from metrics.report.parts import (
    NUMBER,
    RATES,
    association_keys,
    based,
    declaration,
    drawn_cells,
    interval_notes,
    keys_of,
    lettered,
    method_of,
    numbers_of,
    rows_of,
    undefined_notes,
)
from metrics.results import words
from metrics.results.prose import Paragraph
from metrics.results.tables import ENDS, Column, Table, by_metric, cell, counts_table, form_of, selected, with_column, with_ends


def headline(material: Material) -> Section | None:
    """Return the numbers of the headline's judge with their intervals."""
    judge, block = material.headline, material.block
    if judge is None or block is None:
        return None
    shown = numbers_of(material, block)
    by_mean = block.n is None
    keys = [key for _, key in shown]
    notes = (
        *undefined_notes({"": block}, keys),
        *_one_number(material, block),
        *_without_interval(material, block, keys),
        *interval_notes({"": block}, keys),
    )
    title = f"Agreement of {words.plain(judge.name)} with the reference"
    caption = f"{words.plain(judge.name)} and the reference. {declaration(material, judge.name)}"
    value = Column("value", NUMBER, ENDS)
    table = by_metric("numbers", caption, Column("metric"), rows_of(shown), [(value, block)], notes)
    methods = [method_of(material, block, key) for key in keys]
    if {method for method in methods if method and method not in caption}:
        table = with_column(table, Column("interval"), methods)
    if by_mean:
        table = with_column(table, Column("criteria with a value"), (mean_of(block, key) for key in keys))
    first = standing(judge, material.declaration.confidence)
    return Section("numbers", title, (*(Paragraph(warning.message, "warning") for warning in first), table))


def _without_interval(material: Material, block: Block, keys: Sequence[str]) -> tuple[str, ...]:
    """Return numbers that have a value and no interval although intervals were asked for."""
    if material.declaration.interval["method"] == "none":
        return ()
    names = [BY_KEY[key].symbol for key in dict.fromkeys(keys) if not block[key].undefined and block[key].ends is None]
    return (f"Without an interval: {', '.join(names)}.",) if names else ()


def _one_number(material: Material, block: Block) -> tuple[str, ...]:
    """Return that several names of one number are one."""
    names = [name for name, key in association_keys(material, block) if key == "phi"]
    return (f"{', '.join(names)} are equal on two labels.",) if len(names) > 1 else ()


def confusion(material: Material) -> Section | None:
    """Return the table of the headline's judge as a figure and in numbers, and those of all others."""
    judge = material.headline
    if judge is None or material.agreement is None or not material.contents.has("confusion"):
        return None
    block = judge.item if material.contents.level == "item" else judge.micro
    parts: list[Part] = []
    if block.confusion is not None and block.n:
        unit = "items" if material.contents.level == "item" else "decisions"
        parts.append(_mosaic(material, judge.name, block, unit))
        parts.append(Paragraph(words.capital(confusion_reading(block, unit=unit)), "note"))
    parts.append(_counts(material, judge, "confusion"))
    if material.contents.has("judges"):
        others = [report for report in material.agreement.judges.values() if report is not judge]
        parts += [_counts(material, report, f"confusion-{lettered(place)}") for place, report in enumerate(others)]
    return Section("confusion", "Confusion matrices", tuple(parts))


def _counts(material: Material, judge: JudgeReport, key: str) -> Table:
    """Return the table of decisions; at item level that of items, and the caption says so."""
    block = judge.item if material.contents.level == "item" else judge.micro
    unit = "items" if material.contents.level == "item" else "decisions, all criteria together"
    caption = f"Confusion matrix of {words.plain(judge.name)} ({unit}). {based(material, judge.name, intervals=False)}"
    if block.confusion is None:
        return Table(key, caption, (Column("reference \\ judge"),), ())
    return counts_table(key, caption, block.labels, block.confusion.tolist())


def _mosaic(material: Material, judge: str, block: Block, unit: str) -> Figure:
    from metrics.figures import error_table as figure

    counts = np.asarray(block.confusion)
    place = len(block.labels) - 1 if material.three else None
    order = material.findings.scores.order if material.findings.scores is not None else None
    ordered = QUADRATIC_KAPPA.key in block.values and order is not None and order.classes == block.labels
    alt = figure.alt(counts, block.labels, judge=judge, ordered=ordered, abstention=place, unit=unit)
    shows: dict[str, Any] = {"counts": counts.tolist(), "labels": list(block.labels), "abstention": place}
    shows |= {"judge": judge, "unit": unit, **({"ordered": True} if ordered else {})}
    scales = material.findings.scales
    shows |= {"named": True} if scales is not None and scales.named_errors else {}
    return Figure("confusion", "confusion", f"Confusion matrix of {words.plain(judge)}", alt, shows)


def levels(material: Material) -> Section | None:
    """Return micro, macro and item level side by side."""
    judge = material.headline
    if judge is None or not material.contents.has("levels"):
        return None
    if len(judge.criteria) < 2:
        also = "" if judge.n_items is None else ", and every item is one decision"
        text = f"There is one criterion: micro and macro are the same number{also}."
        return Section("levels", "Micro, macro and item", (Paragraph(text),))
    blocks: dict[str, Block] = {level: judge.level(level) for level in LEVELS}
    shown = numbers_of(material, judge.micro)
    keys = [key for _, key in shown]
    alone = [BY_KEY[key].symbol for key in keys if key not in judge.macro.values]
    only = (f"Over all decisions only: {', '.join(alone)}.",) if alone else ()
    notes = (*_extents(judge), *only, *undefined_notes(blocks, keys), *interval_notes(blocks, keys))
    caption = (
        f"{words.plain(judge.name)} at every level: all decisions together (micro), the mean over the criteria (macro), one "
        f"verdict per item (item). {based(material, judge.name)}"
    )
    return Section("levels", "Micro, macro and item", (tables.levels(judge, rows_of(shown), caption, notes),))


def _extents(judge: JudgeReport) -> tuple[str, ...]:
    items = f"Item level: {words.several(judge.item.n or 0, 'items')}"
    left = judge.item.more.get("left_out")
    out = f", {words.several(left, 'items')} left out because a criterion was not rated" if left else ""
    return (f"Micro: {words.several(judge.micro.n or 0, 'decisions')}. {items}{out}.",)


def criteria(material: Material) -> Section | None:
    """Return every criterion, the one-sided ones among them, with counts and reasons."""
    judge = material.headline
    if judge is None or not material.contents.has("criteria"):
        return None
    parts: list[Part] = [_criteria_counts(material, judge), _criteria_numbers(material, judge)]
    if material.contents.has("kappa") and len(judge.criteria) > 1:
        parts.insert(0, _dots(judge))
        if all(read_first(judge) in block.values for block in judge.criteria.values()):
            parts.insert(1, Paragraph(words.capital(criteria_reading(judge.criteria, read_first(judge))), "note"))
    return Section("criteria", "Every criterion", tuple(parts))


def _criteria_counts(material: Material, judge: JudgeReport) -> Table:
    """Return what was counted on each, and whether a side gave one label only."""
    two = len(judge.micro.labels) == 2
    rates = ("prevalence", "predicted_prevalence") if two else ()
    heads = ["criterion", "n", *(CELLS if two else ()), *(BY_KEY[key].symbol for key in rates)]
    heads += ["coverage"] if material.contents.has("coverage") else []
    table = selected(tables.counted(judge, rates), heads)
    one_sided = (one_sided_words(block) if block.n else "no decision" for block in judge.criteria.values())
    caption = f"{words.plain(judge.name)} by criterion: what was counted. {based(material, judge.name, intervals=False)}"
    notes = (*_degenerate(judge), *undefined_notes(judge.criteria, rates))
    return replace(with_column(table, Column("one label only"), one_sided), caption=caption, notes=notes)


def _criteria_numbers(material: Material, judge: JudgeReport) -> Table:
    """Return how far the judge agrees on each."""
    keys = _criterion_keys(material, judge.micro)
    whole = [(with_ends(name, form_of(BY_KEY[key])), key) for name, key in keys]
    shown = [(column if key == read_first(judge) else replace(column, ends=()), key) for column, key in whole]
    notes = (
        *undefined_notes(judge.criteria, [key for _, key in keys]),
        *interval_notes(judge.criteria, [read_first(judge)]),
    )
    caption = f"{words.plain(judge.name)} by criterion: agreement. {based(material, judge.name)}"
    return tables.criteria(judge, shown, caption, notes)


def _criterion_keys(material: Material, block: Block) -> list[tuple[str, str]]:
    two = len(block.labels) == 2
    wanted = ["accuracy", "baseline_accuracy", *(["kappa"] if material.contents.has("kappa") else [])]
    wanted = [QUADRATIC_KAPPA.key, *wanted] if QUADRATIC_KAPPA.key in keys_of(material, block) else wanted
    wanted += ["weighted_kappa"] if "weighted_kappa" in keys_of(material, block) else []
    named_keys = [(BY_KEY[key].symbol, key) for key in wanted]
    associations = association_keys(material, block)
    named_keys += [("φ" if key == "phi" else name, key) for name, key in associations[:1]]
    return named_keys + [(BY_KEY[key].symbol, key) for key in RATES if two and material.contents.has("rates")]


def _degenerate(judge: JudgeReport) -> tuple[str, ...]:
    """Return criteria on which a side gives one label only, or nothing is left: counted among the others, and named."""
    clauses = [
        f"{words.plain(name)} ({one_sided_words(block) or 'no decision is left'}, n = {words.count(block.n)})"
        for name, block in judge.criteria.items()
        if block.degenerate
    ]
    if not clauses:
        return ()
    many = "One criterion" if len(clauses) == 1 else f"{words.count(len(clauses))} criteria"
    return (f"{many} of {words.count(len(judge.criteria))} with one label only on a side, or none: {'; '.join(clauses)}.",)


def _dots(judge: JudgeReport) -> Figure:
    from metrics.figures import dots, of_reports

    key = read_first(judge)
    rows = of_reports.criteria_rows(judge, key)
    shown = [(row.name, *drawn_cells(row.estimate), row.n, cell(row.prevalence), row.degenerate, row.reason) for row in rows]
    symbol = BY_KEY[key].symbol
    return Figure(
        "criteria", "criteria", f"{symbol} by criterion", dots.alt(rows, symbol=symbol), {"symbol": symbol, "rows": shown}
    )
