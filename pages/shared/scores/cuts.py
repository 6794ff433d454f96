"""Options above a cut as the positive verdict: what the judge is worth as a yes/no judge at every cut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.agreement import readings
from metrics.analyses.raters.readings import listed_names
from metrics.analyses.scores.binarised import CutAt, CutSweep, cut_sweep
from metrics.analyses.scores.readings_two import cut_words
from metrics.analyses.scores.result import ScoresReport
from metrics.content.lab.linked import of_table
from metrics.content.lab.pictures import source_lines
from metrics.figures import confusion
from metrics.figures.levels import LevelRow, alt, levels_dots
from metrics.results.words import percent, shorten, value
from pages.shared import asking as questions
from pages.shared import cached, parts, state, to_lab
from pages.shared.plain import emphasis
from pages.shared.scores import asking

KEY, BARS, TABLE = "scores.cut", "scores.cuts", "scores.cut_table"
SHOWN = ("kappa", "phi", "balanced_accuracy", "youden_j")
NAMES = {"kappa": "κ", "phi": "φ", "balanced_accuracy": "Balanced accuracy", "youden_j": "Youden’s J"}
METRIC = "scores.cut_metric"
LARGEST = "Where κ is largest"


def section(asked: asking.ScoresView) -> None:
    if asked.on != "label" or asked.report.order is None or asked.report.order.k < 3:
        return
    parts.headed("If only a pass counts", "options at or above the threshold are positive, on both sides")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        questions.one_of("Number at each threshold", NAMES, METRIC)
        labels = [cut.label for cut in cut_sweep_of(asked).cuts]
        st.selectbox("Threshold", labels, None, cut_words, KEY, placeholder=LARGEST, width=240, **questions.BOUND)
    parts.side_by_side({"wide_scores_cuts": lambda: sweep(asked), "wide_scores_cut": lambda: table(asked)})


def drawings(asked: asking.ScoresView) -> list[Callable[[], None]]:
    if asked.on != "label" or asked.report.order is None or asked.report.order.k < 3:
        return []
    return [lambda: sweep(asked), lambda: table(asked)]


def cut_sweep_of(asked: asking.ScoresView) -> CutSweep:
    rests_on = repr((asked.report.settings, asked.report.order))
    return _cut_sweep(asked.dataset, asked.chosen.judge, rests_on, _report=asked.report)


@cached.of_file(max_entries=16)
def _cut_sweep(dataset: state.Dataset, judge: str, rests_on: str, _report: ScoresReport) -> CutSweep:
    return cut_sweep(dataset.ratings, _report, judge)


def chosen(asked: asking.ScoresView) -> CutAt:
    """Return the cut in view: the one clicked, else the one with the largest κ."""
    label_sweep = cut_sweep_of(asked)
    held = st.session_state.get(KEY)
    cut_at = next((cut for cut in label_sweep.cuts if cut.label == held), None)
    return cut_at or label_sweep.best("kappa", asked.criterion) or label_sweep.cuts[0]


def sweep(asked: asking.ScoresView) -> None:
    """One number at every cut; a click chooses the cut."""
    key = questions.held(METRIC, SHOWN)
    label_sweep, cut_at = cut_sweep_of(asked), chosen(asked)
    rows = [_row(cut, asked.criterion, key) for cut in label_sweep.cuts]
    parts.headed(
        f"{NAMES[key]} at every threshold",
        "right: how common the positive side is by the reference · click chooses the threshold",
    )
    place, names = (asked.place, st.session_state.get(KEY)), [cut.label for cut in label_sweep.cuts]
    choose, look = partial(parts.take_click, BARS, place, names, KEY), {"selected": label_sweep.cuts.index(cut_at)}
    parts.drawing(BARS, levels_dots, alt, rows, look=look, on_select=choose, symbol=NAMES[key])
    parts.reading(_reading(label_sweep, asked.criterion, key))


def _row(cut: CutAt, criterion: str | None, key: str) -> LevelRow:
    block = cut.block(criterion)
    return LevelRow(f"≥ {shorten(cut.label, 16)}", block[key], f"π {percent(block.values['prevalence'])}")


def _reading(label_sweep: CutSweep, criterion: str | None, key: str) -> str:
    best = label_sweep.largest(key, criterion)
    if not best:
        return f"{NAMES[key]} is undefined at every threshold."
    block = best[0].block(criterion)
    largest = value(block.values[key], "")
    at = listed_names([cut.label for cut in best], lambda label: f"{emphasis(label)} or above")
    how = f", where {percent(block.values['prevalence'])} are positive" if len(best) == 1 else " at each"
    return f"{NAMES[key]} is largest at {at}, {largest}{how}. Chosen on the same decisions, it is optimistic."


def table(asked: asking.ScoresView) -> None:
    """The 2 x 2 table of the cut in view."""
    cut_at = chosen(asked)
    block = cut_at.block(asked.criterion)
    parts.headed(f"{shorten(cut_at.label, 20)} or above", "rows: the reference · splits: the judge")
    parts.drawing(TABLE, confusion.mosaic, confusion.alt, block.confusion, block.labels)
    parts.reading(readings.confusion_reading(block, unit="decisions", name=emphasis))
    _in_lab(asked, cut_at)


def _in_lab(asked: asking.ScoresView, cut_at: CutAt) -> None:
    block, ratings = cut_at.block(asked.criterion), asked.dataset.ratings
    scene = of_table(block.confusion, block.labels, total=block.n)
    if scene is not None:
        facts = source_lines(
            ratings, asked.chosen.judge, asked.chosen.reference, "", criterion=asked.criterion, more=("cut at", cut_at.label)
        )
        to_lab.open_in_lab(scene, facts)
