"""In which groups does the judge fail?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.provenance import citation, header
from metrics.analyses.slices.grouping import proposed
from pages.shared import as_lines, intervals, opening, parts, stage, state
from pages.shared.slices import asking, biases, groups

ASKS = "In which groups does the judge fail?"
NO_COLUMNS = (
    "This file has no column that groups its items. Add one beside each row, such as language, topic, model or prompt version, "
    "and open the file again."
)
SEARCH, BIASES = "slices.search", "slices.biases"


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    parts.sample_note_at_desk(dataset)
    if not proposed(dataset.ratings):
        st.info(NO_COLUMNS, icon=":material/info:")
        return
    with opening.choosers():
        asking.choosers(dataset)
    report = asking.report(dataset, chosen)
    judge = report.judges[chosen.judge]
    where = report.whole, chosen.judge, "micro", judge.metric
    parts.declaration(header(*where), citation(*where))
    figure = partial(groups.figure, dataset, report, judge)
    if state.in_room_view():
        stage.one_at_a_time([figure, partial(groups.sentences, report, judge)])
        return
    figure()
    groups.sentences(report, judge)
    groups.over_time(report, judge)
    groups.decisions(report, judge, asking.by(dataset))
    groups.table(report, judge)
    groups.steps(report, judge)
    _search(dataset, chosen)
    _biases(dataset, chosen)
    _lines(dataset, chosen)


def _asked_for(dataset: state.Dataset, label: str, key: str) -> bool:
    """Return whether what takes long is wanted: at once where items are few, else when it is asked for."""
    return dataset.ratings.n_items <= asking.SEARCHED_AT_ONCE or bool(st.toggle(label, key=key))


def _search(dataset: state.Dataset, chosen: state.Choices) -> None:
    if _asked_for(dataset, "Search all columns for the group that departs most", SEARCH):
        groups.search_section(dataset, asking.search_of(dataset, chosen))


def _biases(dataset: state.Dataset, chosen: state.Choices) -> None:
    if _asked_for(dataset, "Look for what sways the judge where the human label is the same", BIASES):
        biases.section(dataset, chosen)


def _lines(dataset: state.Dataset, chosen: state.Choices) -> None:
    wanted = asking.by(dataset)
    names = [f"length({each.column})" if each.kind == "length" else each.column for each in wanted]
    cuts = {"cuts": list(wanted[0].cuts)} if wanted[0].cuts else {}
    call = as_lines.call("slices", intervals.jackknife_settings(dataset, chosen), dataset, by=names, **cuts)
    pulls = as_lines.call("biases", intervals.jackknife_settings(dataset, chosen), dataset)
    as_lines.section(dataset, as_lines.View(call, command="agreement"), as_lines.View(replace(pulls, name="biases")))


opening.page(ASKS, answer)
