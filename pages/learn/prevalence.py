"""What moves when only the mix of items changes?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.leading import leading
from metrics.analyses.multiverse.pooling import rates_note
from metrics.analyses.prevalence import readings
from metrics.analyses.provenance import copied, header
from metrics.content.lab import provenance
from metrics.data.labels import DEFAULT_POSITIVE
from metrics.figures import prevalence
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from pages.shared import cached, opening, parts, state
from pages.shared.lab import held
from pages.shared.page_records import LAB
from pages.shared.plain import escape
from pages.shared.prevalence import asking, numbers

TITLE, ASKS = "Prevalence sweep", "What moves when only the mix of items changes?"
EXAMPLE = "Example: these rates, TPR 90 % and TNR 90 %, come from no data. Set your own."
BY_HAND = "These rates are typed by hand and come from no data."
OF_LAB = "These are the rates of the table in the paradox lab."
MANY = "These labels are more than two classes, so the judge has no TPR here. Set the rates by hand."
POOLED = "Macro averages over the criteria and has no table of its own; the sweep carries the decisions of all criteria together."


def page() -> None:
    its, chosen = state.dataset(), state.choices()
    parts.title(TITLE, ASKS)
    if its is not None and not state.in_room_view():
        parts.sample_note(its)
    # The way out of the room is a button below: it must draw the whole page again.
    (_asked if state.in_room_view() else st.fragment(_asked))(its, chosen)


def _asked(its: state.Dataset | None, chosen: state.Choices | None) -> None:
    """The question and its answer; a moved slider draws only these again."""
    opening.asked(its, chosen, asking.choosers, "" if asking.usable(its) else MANY)
    one = asking.asked(its, chosen)
    if isinstance(one, InputError):
        parts.refused(one)
        return
    show(its, chosen, one)


def show(its: state.Dataset | None, chosen: state.Choices | None, one: asking.Asked) -> None:
    if one.from_judge and one.report is not None and chosen is not None:
        level = "item" if chosen.level == "item" else "micro"
        where = one.report, chosen.judge, level, "kappa"
        parts.declaration(header(*where), copied(*where))
        _pooled(its, chosen, one)
    else:
        _typed(one)
        _ordered(its, chosen)
    pooled = asking.unlike_within(its, one)
    if pooled:
        st.markdown(f":material/info: {escape(readings.pooled_reading(pooled))}")
    headline = partial(parts.headline, numbers.headline(one))
    if state.in_room_view():
        parts.one_at_a_time([headline, partial(_figure, its, one)])
        return
    headline()
    above = st.container()
    if one.from_judge and chosen is not None and chosen.level == "macro":
        st.markdown(POOLED)
    numbers.table(one)
    with above:
        _figure(its, one)


def _pooled(its: state.Dataset | None, chosen: state.Choices, one: asking.Asked) -> None:
    """What pooling criteria does to the two rates of the judge, where it shows."""
    if its is None or one.report is None or chosen.level == "item":
        return
    settings = chosen.settings(chosen.two_class_mode)
    note = rates_note(its.ratings, chosen.judge, settings, one.report.judges[chosen.judge])
    if note:
        st.markdown(f":material/info: {escape(note)}")


def _typed(one: asking.Asked) -> None:
    """That the rates are no judge's of the data, and the way back to the lab where they are those of its table."""
    table = held.kept()
    if table is None or not table.is_judge(one.sweep.tpr, one.sweep.fpr):
        parts.declared_in_words(EXAMPLE if asking.untouched() else BY_HAND)
        return
    parts.declared_in_words(f"{OF_LAB} {escape(provenance.came(table))}")
    if not state.in_room_view():
        st.page_link(LAB.path, label="Back to the lab", icon=":material/arrow_back:")


def _ordered(its: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Which number the labels of the data set are read by, where they are ordered."""
    if its is None or chosen is None or leading(its.ratings, chosen.mode) == "kappa":
        return
    block = cached.report(its, chosen).judges[chosen.judge].level(chosen.level)
    parts.apart_from_order(block, "prevalence is that of one label against another, and comes from typed rates")


def _figure(its: state.Dataset | None, one: asking.Asked) -> None:
    rates = f"{_rate(one, 'recall', one.sweep.tpr)}, {_rate(one, 'specificity', 1 - one.sweep.fpr)}"
    zone = f" · {readings.zone_note()}" if one.sweep.zones else ""
    band = f" · {readings.ribbon_note('kappa', one.golden)}" if "kappa" in one.metrics else ""
    with parts.heading("Same judge, other prevalence", f"{rates}{zone}{band} · dashed: does not move"):
        if not state.in_room_view():
            asking.metrics_chooser(one)
    places = [prevalence.Place("deployed", one.deployed)]
    if one.here is not None:
        places.insert(0, prevalence.Place("you are here", one.here))
    word = its.ratings.scheme.classes[0] if its is not None and asking.usable(its) else DEFAULT_POSITIVE
    own = one.ribbon if "kappa" in one.metrics else None
    look = {"theme": parts.theme(), "scale": parts.scale(), "positive": word, "ribbon": own}
    drawn = prevalence.sweep_lines(one.sweep, one.metrics, places, **look)
    picture = st.container()
    pooled = bool(asking.unlike_within(its, one))
    parts.reading(escape(readings.reading(one.sweep, one.deployed, one.here, pooled=pooled)))
    if not state.in_room_view():
        st.markdown(escape(readings.zone_reading(one.sweep, one.deployed)))
        st.markdown(escape(readings.still_reading(one.sweep)))
    # The figure last: what is sent while the browser draws it waits until it has drawn.
    with picture:
        parts.figure(drawn, "sweep.lines", prevalence.alt(one.sweep, one.metrics, places, own))


def _rate(one: asking.Asked, key: str, rate: float) -> str:
    """Return TPR or TNR: as it was typed, or that of a judge with its interval."""
    symbol = BY_KEY[key].symbol
    if not one.from_judge or one.block is None:
        return f"{symbol} {readings.typed(rate)}"
    own = one.block[key]
    return f"{symbol} {words.estimate(own, words.TENTHS) if own.ends else readings.share(rate)}"


page()
