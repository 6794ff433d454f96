"""What moves when only the mix of items changes?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.leading import leading
from metrics.analyses.multiverse.pooling import rates_note
from metrics.analyses.prevalence import readings
from metrics.analyses.provenance import citation, header
from metrics.content.lab import provenance
from metrics.figures import prevalence
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from pages.shared import as_lines, cached, opening, parts, stage, state
from pages.shared.lab import held
from pages.shared.mark import held_mark
from pages.shared.page_records import LAB
from pages.shared.plain import escape
from pages.shared.prevalence import asking, numbers

CHART = "sweep.lines"
ASKS = "What moves when only the mix of items changes?"
EXAMPLE = "Example: these rates, TPR 90 % and TNR 90 %, come from no data. Set your own."
ANY_POSITIVE = "the positive label"
"""What prevalence is that of, where the data have no two labels."""
BY_HAND = "These rates are typed by hand and come from no data."
OF_LAB = "These are the rates of the table in the paradox lab."
MANY = "These labels are more than two classes, so the judge has no TPR here. Set the rates by hand."
POOLED = "Macro averages over the criteria and has no table of its own; the sweep carries the decisions of all criteria together."


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    parts.title(ASKS)
    asking.take_link()
    parts.sample_note_at_desk(dataset)
    # The way out of the room is a button below: it must draw the whole page again.
    (_ask_and_show if state.in_room_view() else st.fragment(_ask_and_show))(dataset, chosen)


def _ask_and_show(dataset: state.Dataset | None, chosen: state.Choices | None) -> None:
    """The question and its answer; a moved slider draws only these again."""
    opening.show_questions(dataset, chosen, asking.choosers, "" if state.two_labels(dataset) else MANY)
    asking.write_link()
    request = asking.sweep_view(dataset, chosen)
    if isinstance(request, InputError):
        parts.refused(request)
        return
    show(dataset, chosen, request)


def show(dataset: state.Dataset | None, chosen: state.Choices | None, request: asking.SweepView) -> None:
    if request.from_judge and request.report is not None and chosen is not None:
        level = "item" if chosen.level == "item" else "micro"
        where = request.report, chosen.judge, level, "kappa"
        parts.declaration(header(*where), citation(*where))
        _pooled(dataset, chosen, request)
    else:
        _typed(request)
        _ordered(dataset, chosen)
    pooled = asking.unlike_within(dataset, request)
    if pooled:
        st.markdown(f":material/info: {escape(readings.pooled_reading(pooled))}")
    headline = partial(parts.headline, numbers.headline(request))
    if state.in_room_view():
        stage.one_at_a_time([headline, partial(_figure, dataset, request)])
        return
    headline()
    above = st.container()
    if request.from_judge and chosen is not None and chosen.level == "macro":
        st.markdown(POOLED)
    numbers.table(request)
    as_lines.section(dataset if request.from_judge else None, *asking.views(dataset, chosen, request))
    with above:
        _figure(dataset, request)


def _pooled(dataset: state.Dataset | None, chosen: state.Choices, request: asking.SweepView) -> None:
    """What pooling criteria does to the two rates of the judge, where it shows."""
    if dataset is None or request.report is None or chosen.level == "item":
        return
    settings = chosen.settings(chosen.two_class_mode)
    note = rates_note(dataset.ratings, chosen.judge, settings, request.report.judges[chosen.judge])
    if note:
        st.markdown(f":material/info: {escape(note)}")


def _typed(request: asking.SweepView) -> None:
    """That the rates are no judge's of the data, and the way back to the lab where they are those of its table."""
    table = held.kept()
    if table is None or not table.is_judge(request.sweep.tpr, request.sweep.fpr):
        parts.declared_in_words(EXAMPLE if asking.untouched() else BY_HAND)
        return
    parts.declared_in_words(f"{OF_LAB} {escape(provenance.came(table))}")
    if not state.in_room_view():
        st.page_link(LAB.path, label="Back to the lab", icon=":material/arrow_back:")


def _ordered(dataset: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Which number the labels of the data set are read by, where they are ordered."""
    if dataset is None or chosen is None or leading(dataset.ratings, chosen.mode) == "kappa":
        return
    block = cached.report(dataset, chosen).judges[chosen.judge].level(chosen.level)
    parts.apart_from_order(block, "prevalence is that of one label against another, and comes from typed rates")


def _figure(dataset: state.Dataset | None, request: asking.SweepView) -> None:
    rates = f"{_rate(request, 'recall', request.sweep.tpr)}, {_rate(request, 'specificity', 1 - request.sweep.fpr)}"
    zone = f" · {readings.zone_note()}" if request.sweep.zones else ""
    ribbon = request.ribbon
    band = f" · {readings.ribbon_note('kappa', request.golden)}" if ribbon is not None else ""
    still = " · dashed: does not move" if set(request.metrics) & set(request.sweep.still) else ""
    with parts.heading("Same judge, other prevalence", f"{rates}{zone}{band}{still}"):
        if not state.in_room_view():
            asking.metrics_chooser(request)
    places = [prevalence.Place("deployed", request.deployed, held=True)]
    if request.here is not None:
        places.insert(0, prevalence.Place("you are here", request.here))
    word = dataset.ratings.scheme.classes[0] if dataset is not None and state.two_labels(dataset) else ANY_POSITIVE
    look = {"theme": parts.theme(), "scale": parts.scale(), "positive": word, "ribbon": ribbon}
    look["stretched"] = stage.HEIGHTS if state.in_room_view() else (1.0,)
    drawn = prevalence.sweep_lines(request.sweep, request.metrics, places, **look)
    picture = st.container()
    pooled = bool(asking.unlike_within(dataset, request))
    typed = not request.from_judge
    parts.reading(escape(readings.reading(request.sweep, request.deployed, request.here, pooled=pooled, typed=typed)))
    if not state.in_room_view():
        st.markdown(escape(readings.zone_reading(request.sweep, request.deployed)))
        st.markdown(escape(readings.still_reading(request.sweep)))
    # The figure last: what is sent while the browser draws it waits until it has drawn.
    with picture:
        parts.figure(drawn, CHART, prevalence.alt(request.sweep, request.metrics, places, ribbon))
        _held(request)


def _held(request: asking.SweepView) -> None:
    """The deployment prevalence under the hand."""
    percents = asking.percents(request.sweep)
    said = readings.stop_words(request.sweep, request.metrics)
    stops = prevalence.stops(request.sweep, request.metrics, said, theme=parts.theme())
    held_mark(
        CHART, stops, stops.nearest(request.deployed), lambda stop: asking.put(percents[stop]),
        label="Deployment prevalence: how common the positive label will be where the judge is used", colour=stops.lines[0][0],
        place=(request.sweep.tpr, request.sweep.fpr, request.metrics),
        address={asking.DEPLOYED: [asking.in_address(percent) for percent in percents]},
    )  # fmt: skip


def _rate(request: asking.SweepView, key: str, rate: float) -> str:
    """Return TPR or TNR: as it was typed, or that of a judge with its interval."""
    symbol = BY_KEY[key].symbol
    if not request.from_judge or request.block is None:
        return f"{symbol} {readings.typed(rate)}"
    estimate = request.block[key]
    return f"{symbol} {words.estimate(estimate, words.TENTHS) if estimate.ends else readings.share(rate)}"


page()
