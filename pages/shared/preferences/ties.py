"""Every way of counting ties side by side, the table they are counted on, and who wins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.preferences import readings, tables
from metrics.analyses.preferences.compute import CONVENTIONS, TIE, Convention, preferences
from metrics.analyses.preferences.tables import by_criterion
from metrics.figures import error_table
from metrics.figures.levels import LevelRow, alt, levels_dots
from metrics.results.estimate import Estimate
from metrics.results.tables import as_text
from metrics.results.words import apart, count, several, value
from pages.shared import as_lines, parts, sheets
from pages.shared.plain import emphasis, escape
from pages.shared.preferences import asking

WAYS_KEY = "preferences.ways"
AGREEMENT_HELP = {
    "exclude": "Share of the decisions without a tie on which judge and reference prefer the same answer.",
    "class": "Share of the decisions with the same of three answers: first, second, tie.",
    "half": "Mean credit of a decision: 1 for the same answer, ½ for a tie beside a win, 0 for opposite answers.",
}
KAPPA_HELP = "Agreement beyond what the rates of the answers alone would give. 1 is perfect, 0 is chance."
WIN_HELP = "How often the first answer wins by the judge, and by the reference."


def section(asked: asking.PreferencesView) -> None:
    parts.headline([_agreement(asked), _kappa(asked), _wins(asked)])
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_preferences_table"):
            _matrix(asked)
        with st.container(key="wide_preferences_ways"):
            _ways(asked)


def view(asked: asking.PreferencesView) -> as_lines.View:
    """Return the call behind the page, and where its first number is."""
    settings = asked.chosen.settings("exclude")
    call = as_lines.call(as_lines.named(preferences), settings, asked.dataset, judge=asked.chosen.judge)
    where = ("pooled", [asked.convention]) if asked.criterion is None else ("criteria", [asked.criterion], [asked.convention])
    return as_lines.View(call, as_lines.path(*where, "values", [readings.AGREEMENT[asked.convention]]))


def drawings(asked: asking.PreferencesView) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    return [lambda: _ways(asked), lambda: _matrix(asked)]


def _number(
    asked: asking.PreferencesView, key: str, label: str, estimate: Estimate, unit: str, help_text: str, third: str = ""
) -> parts.Headline:
    shown = apart(estimate, unit, "no interval")
    text = readings.citation(asked.report, asked.convention, asked.criterion, key)
    return parts.Headline(label, *shown, help_text, estimate.undefined, third, text)


def _agreement(asked: asking.PreferencesView) -> parts.Headline:
    label = "Mean credit" if asked.convention == "half" else "Accuracy"
    key = readings.AGREEMENT[asked.convention]
    n = several(asked.block.n, "decisions")
    return _number(asked, key, label, asked.block.values[key], "%", AGREEMENT_HELP[asked.convention], n)


def _kappa(asked: asking.PreferencesView) -> parts.Headline:
    key = readings.KAPPA[asked.convention]
    label = "κ, ties halfway" if asked.convention == "half" else "Cohen’s κ"
    return _number(asked, key, label, asked.block.values[key], "", KAPPA_HELP)


def _wins(asked: asking.PreferencesView) -> parts.Headline:
    wins, first = asked.block.wins, escape(readings.words.shorten(asked.report.labels[0], 12))
    reference = f"reference {value(wins.reference.value, '%')}"
    return _number(asked, "wins_judge", f"{first} wins", wins.judge, "%", WIN_HELP, reference)


def _matrix(asked: asking.PreferencesView) -> None:
    preference = asked.block
    labels = asked.report.labels[: len(preference.counts)]
    parts.headed("Which answer is preferred", f"rows: the reference · {error_table.judge_place(labels)}s: the judge")
    tie = TIE if len(preference.counts) > TIE else None
    look = {"abstention": tie, "named": True}
    parts.drawing("preferences.table", error_table.error_table, error_table.alt, preference.counts, labels, look=look)
    parts.reading(readings.wins_reading(asked.report, asked.convention, asked.criterion, emphasis))


def _ways(asked: asking.PreferencesView) -> None:
    parts.headed("κ by how a tie counts", "dot and line: value and interval · outlined: chosen")
    rows = [_row(asked, convention) for convention in CONVENTIONS]
    look = {"selected": CONVENTIONS.index(asked.convention)}
    choose = partial(parts.take_click, WAYS_KEY, asked.convention, CONVENTIONS, asking.TIES)
    parts.drawing(WAYS_KEY, levels_dots, alt, rows, look=look, on_select=choose, symbol="κ")
    parts.reading(readings.reading(asked.report, asked.criterion, emphasis))


def _row(asked: asking.PreferencesView, convention: Convention) -> LevelRow:
    preference = asked.report.on(convention, asked.criterion)
    return LevelRow(readings.NAMES[convention], preference.values[readings.KAPPA[convention]], f"n {count(preference.n)}")


def winners(asked: asking.PreferencesView) -> None:
    """Who wins, where the file says whose the two answers are."""
    systems = asked.systems
    if not systems:
        return
    parts.headed("Whom does the judge favour?", "share of wins by system, a tie half a win · every criterion · item jackknife")
    parts.reading(readings.systems_reading(systems, asked.report.judge, emphasis))
    shown = tables.systems_table(systems)
    parts.rows(shown, len(systems), "systems", "preferences.systems", height="content")
    sheets.download("Wins by system (CSV)", lambda: shown, "systems.csv", "preferences.systems_csv")


def table(asked: asking.PreferencesView) -> None:
    """Every criterion under the convention chosen, and the download of all."""
    if len(asked.report.criteria) > 1:
        parts.headed("By criterion", f"ties: {readings.NAMES[asked.convention].lower()} · the mean counts every criterion once")
        shown = as_text(by_criterion(asked.report, asked.convention))
        parts.rows(shown, len(shown["Criterion"]), "rows", "preferences.criteria", height="content")
    sheets.download("All numbers (CSV)", lambda: tables.frame(asked.report), "preferences.csv", "preferences.csv")
