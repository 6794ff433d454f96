"""The judge says 34 %. What is the true rate?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import quoted
from metrics.analyses.true_rate.golden import Golden
from metrics.analyses.true_rate.readings import REFUSED, golden_origin, how_far, quote, rate_origin, reading, same_rows
from metrics.content.lab.linked import of_table
from metrics.figures import rate
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import TENTHS, bounds, count, estimate, number, percent, percent1, plain, several
from pages.shared import opening, parts, sheets, state, to_lab
from pages.shared.copying import copy_button
from pages.shared.plain import emphasis, escape, sentence
from pages.shared.rate import asking, more

TITLE = "Measured rate"
SET = "the golden set"
MANY = "These labels are more than two classes, so there is no one rate."
BY_HAND = "To correct a rate with another golden set, choose Counts or Rates above and type it."


def page() -> None:
    its, chosen = state.dataset(), state.choices()
    # The question names the rate, which the widgets below it may take from the address.
    head = st.container()
    if its is not None and not state.in_room_view():
        parts.sample_note(its)
    with opening.choosers():
        asking.choosers(its, chosen)
    if its is not None and asking.golden_from(its, chosen) == "none":
        with head:
            parts.title(TITLE, "What is the true rate behind a measured one?")
        opening.nothing_here(its, chosen, MANY, BY_HAND)
        return
    found = asking.asked(its, chosen)
    with head:
        parts.title(TITLE, _question(found))
    if isinstance(found, InputError):
        parts.refused(found)
        return
    show(found, "" if its is None else its.ratings.source.name)


def _question(found: asking.Asked | InputError) -> str:
    says = "so much" if isinstance(found, InputError) else percent(found.found.raw.value)
    who = "The judge" if isinstance(found, InputError) or not found.example else "In this example the judge"
    return f"{who} says {says}. What is the true rate?"


def show(one: asking.Asked, file: str) -> None:
    origin, rate_from = _origins(one, file)
    if one.header is not None:
        parts.declaration(one.header, one.copied)
        if rate_from:
            st.markdown(escape(rate_from))
    else:
        parts.declared_in_words(escape(f"{origin} {rate_from}".rstrip()))
    headline = partial(parts.headline, _headline(one, file))
    if state.in_room_view():
        parts.one_at_a_time([headline, partial(_figure, one), partial(more.section, one)])
        return
    if not one.found.defined:
        st.error(sentence(one.found.why), icon=":material/block:")
    headline()
    with st.container(horizontal=True, gap="large"):
        with st.container(key="wide_rate_line"):
            _figure(one)
        with st.container(key="wide_rate_words"):
            _beside(one)
    more.section(one)
    name = "example_rate.csv" if one.example else "measured_rate.csv"
    sheets.download("The rate (CSV)", lambda: _frame(one, file), name, "rate.csv")


def _origins(one: asking.Asked, file: str) -> tuple[str, str]:
    """Where the golden set and the measured rate come from; the first is empty where a declaration says it."""
    golden = "" if one.header else golden_origin(one.golden, file)
    return golden, rate_origin(one.rate, one.found, one.judge)


def _headline(one: asking.Asked, file: str) -> list[parts.Headline]:
    found, golden = one.found, one.found.golden
    origins = (text.rstrip(".") for text in _origins(one, file) if text)
    told = (*(one.header.told() if one.header else ()), *origins)
    told = (f"judge: {plain(one.judge)}", f"golden set of {_golden_words(golden)}", *told)
    n, confidence = f"{count(found.judge_positive)} of {count(found.n)} answers", percent(found.confidence)
    j = golden.youden_j
    raw = parts.Headline(
        "As measured", percent1(found.raw.value), bounds(found.raw.ends, TENTHS),
        f"Share of the {several(found.n, 'answers')} the judge called positive, with Wilson’s interval as if it never erred.",
        copied=quoted(
            "measured rate", estimate(found.raw, TENTHS),
            (n, f"Wilson interval {confidence}, as if the judge never erred", *told),
        ),
    )  # fmt: skip
    true = parts.Headline(
        "True rate", percent1(found.value), bounds(found.ends, TENTHS, without="refused"),
        f"Measured rate less the false alarms, over J, with {how_far(found)}.",
        copied=quoted(
            "true rate", estimate(found, TENTHS), (n, f"{confidence}, {how_far(found)}", *told),
            reason=found.undefined.rstrip("."),
        ),
    )  # fmt: skip
    size = parts.Headline(
        "Golden set", count(golden.n_positive + golden.n_negative), f"{count(golden.n_positive)} positive",
        "Decisions with a verdict of both the human and the judge.",
        copied=quoted(
            "golden set", count(golden.n_positive + golden.n_negative), told[:1] + told[2:], beside=_golden_words(golden)
        ),
    )  # fmt: skip
    reason = "" if j.defined else golden.refusal().rstrip(".")
    text = quoted("J", estimate(j), (f"interval {confidence}" if j.ends else "", *told), reason=reason)
    record = BY_KEY["youden_j"]
    j_card = parts.Headline(record.name, number(j.value), bounds(j.ends, without="no interval"), record.answers, copied=text)
    block = one.measured.block if one.same and one.measured else None
    if block is None:
        return [raw, true, j_card, size]
    reference = percent1(block.values["prevalence"])
    known = parts.Headline(
        "By the reference", reference, f"of {several(int(block.n or 0), 'decisions')}",
        "Share of the golden set that the reference calls positive. It needs no correction.",
        copied=quoted("share by the reference", reference, told[1:]),
    )  # fmt: skip
    return [raw, known, replace(true, third="for new answers"), j_card, size]


def _golden_words(golden: Golden) -> str:
    return f"{count(golden.n_positive)} positive and {count(golden.n_negative)} negative decisions"


def _figure(one: asking.Asked) -> None:
    below = "upright the measured rate · across to the line, then down · bands: intervals"
    with parts.heading("From the measured rate to the true one", below):
        pass
    drawn = rate.rate_line(one.found, theme=parts.theme(), scale=parts.scale(), positive=one.positive)
    parts.figure(drawn, "rate.line", rate.alt(one.found, one.positive))
    if one.found.defined:
        same = same_rows(one.measured, emphasis) if one.same and one.measured else ""
        parts.reading(reading(one.found, one.positive, name=emphasis, same=same))
    else:
        parts.reading(escape(reading(one.found, "") if state.in_room_view() else f"{REFUSED}, for the reason above."))


def _beside(one: asking.Asked) -> None:
    golden, found = one.found.golden, one.found
    same = same_rows(one.measured) if one.same and one.measured else ""
    text = quote(found, one.judge, one.positive, one.measured.scope if one.measured else "", example=one.example, same=same)
    st.header("To quote", anchor=False)
    with st.container(border=True):
        st.markdown(escape(text))
        copy_button("Copy the sentence", "rate.copy", text)
    columns = {
        "estimate": ["as measured", "corrected"],
        "rate": [percent1(found.raw.value), percent1(found.value)],
        f"{percent(found.confidence)} interval": [
            escape(bounds(own.ends, TENTHS, without="refused")) for own in (found.raw, found)
        ],
    }  # fmt: skip
    st.table(columns, hide_index=True, alt="Measured and corrected rate")
    st.markdown(f"TPR {percent1(golden.tpr)}, FPR {percent1(golden.fpr)}.")
    _in_lab(one)
    for note in (*found.notes, one.measured.note if one.measured else ""):
        if note:
            st.markdown(escape(note))


def _in_lab(one: asking.Asked) -> None:
    """The golden decisions with those that lack a verdict, or the counts as they are typed."""
    its, chosen = state.dataset(), state.choices()
    if one.measured is None or its is None or chosen is None:
        made = f"Golden set {'of the example' if one.golden == 'example' else 'typed'} on the page {TITLE}"
        to_lab.open_in_lab(of_table(one.found.golden.counts), ((made, ""),), SET)
    else:
        pooled = replace(chosen, mode=chosen.two_class_mode, level="micro")
        to_lab.open_choices(its, pooled, one.measured.criterion, ("golden set", ""), SET)


def _frame(one: asking.Asked, file: str) -> dict[str, list[object]]:
    told = {key: value for key, value in one.found.to_dict().items() if not isinstance(value, list)}
    for name, own in {"raw": one.found.raw, "corrected": one.found, "unclipped": one.found.unclipped}.items():
        told |= {f"{name}_low": own.cells()["low"], f"{name}_high": own.cells()["high"]}
    golden, scope = one.found.golden, one.measured.scope if one.measured else ""
    told |= {"tp": golden.tp, "fn": golden.fn, "fp": golden.fp, "tn": golden.tn, "judge": one.judge, "positive": one.positive}
    origin, rate_from = _origins(one, file)
    told |= {"scope": scope, "golden_from": one.golden, "rate_from": one.rate, "rate_origin": rate_from}
    told |= {"declaration": one.header.text() if one.header else origin, "notes": " ".join(one.found.notes)}
    return {key: [value] for key, value in told.items()}


page()
