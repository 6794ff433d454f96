"""Headline, tables and downloads of the page of scores."""

from __future__ import annotations

import streamlit as st

from metrics.results import Block
from metrics.scales.declared import copied, shown
from metrics.scales.records import RECORDS
from metrics.scales.said import applies
from metrics.words import UNDEFINED, bounds, count, percent, signed, value
from pages.shared import parts, sheets
from pages.shared.plain import escape
from pages.shared.scores import asking

ON_LABELS = ("weighted_kappa_quadratic", "exact_agreement", "adjacent_agreement", "bias")
MIXED = ("bias", "ccc")
"""Numbers that say nothing where the two sides are in two units."""
HEADS = {"weighted_kappa_quadratic": "κ quadratic", "adjacent_agreement": "At most one off", "ccc": "Lin’s CCC"}
"""Names that a phone would cut, shorter."""
BASELINES = {"exact_agreement": "baseline_accuracy", "adjacent_agreement": "adjacent_baseline"}


def headline(asked: asking.Asked) -> list[parts.Headline]:
    keys = ON_LABELS if asked.on == "label" else ("pearson", "spearman", "ccc", "bias")
    return [_number(asked, key) for key in keys if key in asked.block.values and applies(key, asked.judge)]


def _number(asked: asking.Asked, key: str) -> parts.Headline:
    record, block = RECORDS[key], asked.block
    unit, ends, found = "%" if record.unit == "%" else "", block[key].ends, block[key].interval
    text = signed(block.values[key], 2) if key == "bias" else value(block.values[key], unit)
    note = f" Interval: {escape(found.note)}." if found is not None and found.note else ""
    second = bounds(ends, unit, without="no interval")
    return parts.Headline(
        HEADS.get(key, record.name), text, second, record.answers + note, block.undefined.get(key, ""), _third(asked, key),
        copied(asked.report, asked.chosen.judge, key, asked.criterion),
    )  # fmt: skip


def _third(asked: asking.Asked, key: str) -> str:
    if key in BASELINES:
        return f"baseline {percent(asked.block.values[BASELINES[key]])}"
    if key in MIXED and asked.judge.apart(asked.criterion):
        return "two units"
    if asked.criterion is None and asked.many:
        mean = asked.judge.mean.values[key]
        return f"mean {signed(mean, 2) if key == 'bias' else value(mean, '')}"
    return ""


def tables(asked: asking.Asked) -> None:
    """Every number by criterion, each option by itself, and the downloads."""
    parts.headed("All numbers", "value and interval · by criterion, pooled, and the mean over criteria")
    own = by_criterion(asked)
    parts.rows(own, len(own["Criterion"]), "rows", "scores.criteria", height="content")
    if asked.on == "label":
        parts.headed("Option by option", "each option against all others · precision, recall and F1 of the judge")
        each = by_option(asked.block)
        parts.rows(each, len(each["Option"]), "options", "scores.options", height="content")
        sheets.download("Option by option (CSV)", lambda: each, "options.csv", "scores.options_csv")
    with st.container(horizontal=True):
        sheets.download("All numbers (CSV)", asked.report.to_frame, "scores.csv", "scores.csv")


def by_criterion(asked: asking.Asked) -> dict[str, list[str]]:
    rows: list[tuple[str, Block]] = list(asked.judge.criteria.items())
    if asked.many:
        rows = [("All, pooled", asked.judge.pooled), ("Mean over criteria", asked.judge.mean), *rows]
    out = {"Criterion": [name for name, _ in rows], "n": [UNDEFINED if own.n is None else count(own.n) for _, own in rows]}
    for key in (key for key in asked.report.keys if applies(key, asked.judge)):
        out[RECORDS[key].symbol] = [shown(own, key) for _, own in rows]
    return out


def by_option(block: Block) -> dict[str, list[str]]:
    scores = block.more.get("per_class", {})
    out: dict[str, list[str]] = {"Option": list(scores)}
    totals = [] if block.confusion is None else zip(block.confusion.sum(1).tolist(), block.confusion.sum(0).tolist(), strict=True)
    given = list(totals)
    out["Reference"] = [count(reference) for reference, _ in given]
    out["Judge"] = [count(judge) for _, judge in given]
    for key, name in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1")):
        out[name] = [value(own[key], "%" if key != "f1" else "") for own in scores.values()]
    return out
