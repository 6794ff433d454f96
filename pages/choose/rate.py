"""The judge says 34 %. What is the true rate?"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import citation_line
from metrics.analyses.true_rate.golden import Golden
from metrics.analyses.true_rate.readings import (
    REFUSED,
    golden_origin,
    how_far,
    quote,
    rate_origin,
    rate_words,
    reading,
    same_rows,
)
from metrics.content.lab.linked import of_table
from metrics.figures import rate
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import TENTHS, bounds, count, estimate, number, percent, percent1, plain, several
from pages.shared import as_lines, documents, opening, parts, sheets, stage, state, to_lab
from pages.shared.copying import copy_button
from pages.shared.mark import held_mark
from pages.shared.page_records import RATE
from pages.shared.plain import emphasis, escape, sentence
from pages.shared.rate import asking, more

CHART = "rate.line"
SET = "the golden set"
MANY = "These labels are more than two classes, so there is no one rate."
BY_HAND = "To correct a rate with another golden set, choose Counts or Rates above and type it."


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    # The question names the rate, which the widgets below it may take from the address.
    head = st.container()
    parts.sample_note_at_desk(dataset)
    with opening.choosers():
        asking.choosers(dataset, chosen)
    if dataset is not None and asking.golden_from(dataset, chosen) == "none":
        with head:
            parts.title("What is the true rate behind a measured one?")
        opening.nothing_here(dataset, chosen, MANY, BY_HAND)
        return
    request = asking.rate_view(dataset, chosen)
    with head:
        parts.title(_question(request))
    if isinstance(request, InputError):
        parts.refused(request)
        return
    show(request, "" if dataset is None else dataset.ratings.source.name)
    as_lines.section(dataset if request.measured else None, asking.view(dataset, chosen, request))


def _question(request: asking.RateView | InputError) -> str:
    says = "so much" if isinstance(request, InputError) else percent(request.corrected.raw.value)
    who = "The judge" if isinstance(request, InputError) or not request.example else "In this example the judge"
    return f"{who} says {says}. What is the true rate?"


def show(request: asking.RateView, file: str) -> None:
    # In a place of its own: more or fewer lines here would put the figure below anew, from under the hand.
    with nullcontext() if state.in_room_view() else st.container():
        _show_origins(request, file)
    headline = partial(parts.headline, _headline(request, file))
    if state.in_room_view():
        stage.one_at_a_time([headline, partial(_figure, request), partial(more.section, request)])
        return
    with st.container():
        if not request.corrected.defined:
            st.error(sentence(request.corrected.why), icon=":material/block:")
        headline()
    with st.container(horizontal=True, gap="large"):
        with st.container(key="wide_rate_line"):
            _figure(request)
        with st.container(key="wide_rate_words"):
            _show_details(request)
    more.section(request)
    name = "example_rate.csv" if request.example else "measured_rate.csv"
    sheets.download("The rate (CSV)", lambda: _frame(request, file), name, "rate.csv")


def _show_origins(request: asking.RateView, file: str) -> None:
    origin, rate_from = _origins(request, file)
    if request.header is None:
        parts.declared_in_words(escape(f"{origin} {rate_from}".rstrip()))
        return
    parts.declaration(request.header, request.citation)
    if rate_from:
        st.markdown(escape(rate_from))


def _origins(request: asking.RateView, file: str) -> tuple[str, str]:
    """Where the golden set and the measured rate come from; the first is empty where a declaration says it."""
    golden = "" if request.header else golden_origin(request.golden, file)
    return golden, rate_origin(request.rate, request.corrected, request.judge)


def _headline(request: asking.RateView, file: str) -> list[parts.Headline]:
    corrected, golden = request.corrected, request.corrected.golden
    origins = (text.rstrip(".") for text in _origins(request, file) if text)
    clauses = (*(request.header.provenance() if request.header else ()), *origins)
    clauses = (f"judge: {plain(request.judge)}", f"golden set of {_golden_words(golden)}", *clauses)
    n, confidence = f"{count(corrected.judge_positive)} of {count(corrected.n)} answers", percent(corrected.confidence)
    j = golden.youden_j
    raw = parts.Headline(
        "As measured", percent1(corrected.raw.value), bounds(corrected.raw.ends, TENTHS),
        f"Share of the {several(corrected.n, 'answers')} the judge called positive, with Wilson’s interval as if it never erred.",
        citation=citation_line(
            "measured rate", estimate(corrected.raw, TENTHS),
            (n, f"Wilson interval {confidence}, as if the judge never erred", *clauses),
        ),
    )  # fmt: skip
    true = parts.Headline(
        "True rate", percent1(corrected.value), bounds(corrected.ends, TENTHS, without="refused"),
        f"Measured rate minus the false positive rate, over J, with {how_far(corrected)}.",
        citation=citation_line(
            "true rate", estimate(corrected, TENTHS), (n, f"{confidence}, {how_far(corrected)}", *clauses),
            reason=corrected.undefined.rstrip("."),
        ),
    )  # fmt: skip
    size = parts.Headline(
        "Golden set", count(golden.n_positive + golden.n_negative), f"{count(golden.n_positive)} positive",
        "Decisions with a verdict of both the human and the judge.",
        citation=citation_line(
            "golden set", count(golden.n_positive + golden.n_negative), clauses[:1] + clauses[2:], beside=_golden_words(golden)
        ),
    )  # fmt: skip
    reason = "" if j.defined else golden.refusal().rstrip(".")
    text = citation_line("J", estimate(j), (f"interval {confidence}" if j.ends else "", *clauses), reason=reason)
    record = BY_KEY["youden_j"]
    about = documents.help_of(record)
    j_card = parts.Headline(record.name, number(j.value), bounds(j.ends, without="no interval"), about, citation=text)
    block = request.measured.block if request.same and request.measured else None
    if block is None:
        return [raw, true, j_card, size]
    reference = percent1(block.values["prevalence"])
    known = parts.Headline(
        "By the reference", reference, f"of {several(int(block.n or 0), 'decisions')}",
        "Share of the golden set that the reference calls positive. It needs no correction.",
        citation=citation_line("share by the reference", reference, clauses[1:]),
    )  # fmt: skip
    return [raw, known, replace(true, third="for new answers"), j_card, size]


def _golden_words(golden: Golden) -> str:
    return f"{count(golden.n_positive)} positive and {count(golden.n_negative)} negative decisions"


def _figure(request: asking.RateView) -> None:
    below = "the measured rate, across to the line, then down; drag the point · bands: intervals"
    parts.lone_heading("From the measured rate to the true one", below)
    parts.drawing(CHART, rate.rate_line, rate.alt, request.corrected, positive=request.positive)
    _held(request)
    if request.corrected.defined:
        same = same_rows(request.measured, emphasis) if request.same and request.measured else ""
        parts.reading(reading(request.corrected, request.positive, name=emphasis, same=same))
    else:
        parts.reading(escape(reading(request.corrected, "") if state.in_room_view() else f"{REFUSED}, for the reason above."))


def _held(request: asking.RateView) -> None:
    """The measured rate under the hand: let go, it is a rate that somebody typed; one press brings back the one before."""
    if request.refusal:
        return
    rates = asking.every_rate(request)
    stops = rate.stops(rates, [rate_words(one) for one in rates], theme=parts.theme())
    held_mark(
        CHART, stops, stops.nearest(request.corrected.raw.value, up=True), lambda stop: asking.put(request, rates[stop]),
        label="Measured rate: the share of answers that the judge calls positive", colour=stops.lines[0][0],
        place=(request.corrected.golden.counts.tolist(), request.corrected.n, request.corrected.confidence),
        address=asking.in_address(request, rates),
    )  # fmt: skip
    if request.rate == "typed" and not state.in_room_view():
        st.button("Back to the rate before", key="rate.before", on_click=asking.put_back, icon=":material/undo:")


def _show_details(request: asking.RateView) -> None:
    golden, corrected = request.corrected.golden, request.corrected
    same = same_rows(request.measured) if request.same and request.measured else ""
    text = quote(
        corrected,
        request.judge,
        request.positive,
        request.measured.scope if request.measured else "",
        example=request.example,
        same=same,
    )
    st.header("To quote", anchor=False)
    with st.container(border=True):
        st.markdown(escape(text))
        copy_button("Copy the sentence", "rate.copy", text)
    columns = {
        "estimate": ["as measured", "corrected"],
        "rate": [percent1(corrected.raw.value), percent1(corrected.value)],
        f"{percent(corrected.confidence)} interval": [
            escape(bounds(share.ends, TENTHS, without="refused")) for share in (corrected.raw, corrected)
        ],
    }  # fmt: skip
    st.table(columns, hide_index=True, alt="Measured and corrected rate")
    st.markdown(f"TPR {percent1(golden.tpr)}, FPR {percent1(golden.fpr)}.")
    _in_lab(request)
    for note in (*corrected.notes, request.measured.note if request.measured else ""):
        if note:
            st.markdown(escape(note))


def _in_lab(request: asking.RateView) -> None:
    """The golden decisions with those that lack a verdict, or the counts as they are typed."""
    dataset, chosen = state.dataset(), state.choices()
    if request.measured is None or dataset is None or chosen is None:
        made = f"Golden set {'of the example' if request.golden == 'example' else 'typed'} on the page {RATE.title}"
        to_lab.open_in_lab(of_table(request.corrected.golden.counts), ((made, ""),), SET)
    else:
        pooled = replace(chosen, mode=chosen.two_class_mode, level="micro")
        to_lab.open_choices(dataset, pooled, request.measured.criterion, ("golden set", ""), SET)


def _frame(request: asking.RateView, file: str) -> dict[str, list[object]]:
    row = {key: value for key, value in request.corrected.to_dict().items() if not isinstance(value, list)}
    for name, share in {
        "raw": request.corrected.raw,
        "corrected": request.corrected,
        "unclipped": request.corrected.unclipped,
    }.items():
        row |= {f"{name}_low": share.cells()["low"], f"{name}_high": share.cells()["high"]}
    golden, scope = request.corrected.golden, request.measured.scope if request.measured else ""
    row |= {
        "tp": golden.tp,
        "fn": golden.fn,
        "fp": golden.fp,
        "tn": golden.tn,
        "judge": request.judge,
        "positive": request.positive,
    }
    origin, rate_from = _origins(request, file)
    row |= {"scope": scope, "golden_from": request.golden, "rate_from": request.rate, "rate_origin": rate_from}
    row |= {"declaration": request.header.text() if request.header else origin, "notes": " ".join(request.corrected.notes)}
    return {key: [value] for key, value in row.items()}


page()
