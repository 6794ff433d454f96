"""Headline, tables and downloads of the page of scores."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.scores import tables as scores_tables
from metrics.analyses.scores.provenance import citation
from metrics.analyses.scores.readings import CORRELATIONS, applies
from metrics.measures.catalogue import keys_at
from metrics.results.tables import as_text
from metrics.results.words import apart, percent, signed, value
from pages.shared import as_lines, parts, sheets
from pages.shared.plain import escape
from pages.shared.scores import asking

MIXED = ("bias", "ccc")
"""Numbers that say nothing where the two sides are in two units."""
HEADS = {"weighted_kappa_quadratic": "κ quadratic", "adjacent_agreement": "At most one off", "ccc": "Lin’s CCC"}
"""Names that a phone would cut, shorter."""
BASELINES = {"exact_agreement": "baseline_accuracy", "adjacent_agreement": "adjacent_baseline"}


def headline(asked: asking.ScoresView, *, of_mean: bool = False) -> list[parts.Headline]:
    """Return the cards, of all criteria pooled or of the mean over them, with the other one named beside it."""
    means = of_mean and asked.criterion is None and asked.many
    return [_number(asked, key, means=means) for key in _keys(asked)]


def _keys(asked: asking.ScoresView) -> list[str]:
    keys = keys_at("scores headline" if asked.on == "label" else "numbers headline", records=RECORDS)
    if asked.judge.has_two_units(asked.criterion):
        keys = [key for key in keys if key not in MIXED] if asked.on == "score" else CORRELATIONS
    return [key for key in keys if key in asked.block.values and applies(key, asked.judge)]


def view(asked: asking.ScoresView, *, of_mean: bool = False) -> as_lines.View:
    """Return the call behind the headline, and where its first number is."""
    where = ("mean",) if of_mean and asked.criterion is None and asked.many else asked.where
    return as_lines.View(asking.call(asked), as_lines.path("judges", [asked.chosen.judge], *where, [_keys(asked)[0]]))


def _number(asked: asking.ScoresView, key: str, *, means: bool) -> parts.Headline:
    record, block = RECORDS[key], asked.judge.mean if means else asked.block
    unit, interval = "%" if record.unit == "%" else "", block[key].interval
    text, second = apart(block[key], unit, "no interval")
    text = signed(block.values[key], 2) if key == "bias" else text
    note = f" Interval: {escape(interval.note)}." if interval is not None and interval.note else ""
    return parts.Headline(
        HEADS.get(key, record.name), text, second, record.answers + note, block.undefined.get(key, ""),
        _third(asked, key, means=means),
        citation(asked.report, asked.chosen.judge, key, asked.criterion, mean=means),
    )  # fmt: skip


def _third(asked: asking.ScoresView, key: str, *, means: bool) -> str:
    if key in BASELINES:
        return f"always one option {percent(asked.block.values[BASELINES[key]])}"
    if asked.criterion is None and asked.many:
        other = (asked.judge.pooled if means else asked.judge.mean).values[key]
        name = "mean; pooled" if means else "mean"
        return f"{name} {signed(other, 2) if key == 'bias' else value(other, '')}"
    return ""


def tables(asked: asking.ScoresView) -> None:
    """Every number by criterion, each option by itself, and the downloads."""
    parts.headed("All numbers", "value and interval · by criterion, pooled, and the mean over criteria")
    keys = [key for key in asked.report.keys if applies(key, asked.judge)]
    criterion_table = as_text(scores_tables.by_criterion(asked.judge, keys, "Criterion", whole=True))
    parts.rows(criterion_table, len(criterion_table["Criterion"]), "rows", "scores.criteria", height="content")
    if asked.on == "label":
        parts.headed("Option by option", "each option against all others · precision, recall and F1 of the judge")
        each = as_text(scores_tables.by_option(asked.block))
        parts.rows(each, len(each["Option"]), "options", "scores.options", height="content")
        sheets.download("Option by option (CSV)", lambda: each, "options.csv", "scores.options_csv")
    with st.container(horizontal=True):
        sheets.download("All numbers (CSV)", asked.report.to_frame, "scores.csv", "scores.csv")
