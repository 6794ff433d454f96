"""Which judge ranks my models best, at what cost?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.choosing import said
from metrics.choosing.candidates import NAMES
from metrics.choosing.ranking import Ranking
from metrics.declaration import copied, header
from metrics.figures import ranks
from metrics.words import count, percent
from pages.shared import cached, intervals, opening, parts, state
from pages.shared.choose import asking, numbers
from pages.shared.plain import emphasis

TITLE, ASKS = "Choose a judge", "Which judge ranks my models best, at what cost?"
ONE_JUDGE = "This file has one judge. Add a second file with the same items on Compare judges, or look at a published table here."
MANY = "These labels are more than two classes, so judges have no TPR here. These are published tables."
PUBLISHED = "Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges. Each judge on 1\u202f000 answers."


def page() -> None:
    its, chosen = state.dataset(), state.choices()
    parts.title(TITLE, ASKS)
    opening.asked(its, chosen, asking.choosers, "" if asking.usable(its, chosen) else MANY)
    from_file = asking.source(its, chosen) == "file"
    if its is not None and from_file and not state.in_room_view():
        parts.sample_note(its)
    found = asking.asked(its, chosen)
    if isinstance(found, InputError):
        parts.refused(found)
        return
    if from_file and its is not None and chosen is not None:
        _declare(its, replace(chosen, judge=found.first.name))
    else:
        st.markdown(PUBLISHED)
    show(found)


def _declare(its: state.Dataset, chosen: state.Choices) -> None:
    report = cached.report(its, chosen, chosen.two_class_mode, intervals.jackknifed(its))
    where = report, chosen.judge, "micro", "youden_j"
    parts.declaration(header(*where), copied(*where))
    if len(its.ratings.judges) < 2:
        st.info(ONE_JUDGE, icon=":material/info:")


def show(ranking: Ranking) -> None:
    headline = partial(parts.headline, numbers.headline(ranking))
    drawings = [partial(_ranked, ranking), partial(_slopes, ranking)]
    if state.in_room_view():
        parts.one_at_a_time([headline, *drawings])
        return
    headline()
    for warning in said.warnings(ranking, emphasis):
        st.markdown(f":material/info: {warning}")
    with st.container(horizontal=True, gap="large"):
        for name, draw in zip(("wide_ranked", "wide_slopes"), drawings, strict=True):
            with st.container(key=name):
                draw()
    st.subheader("All judges", anchor=False)
    numbers.table(ranking)
    numbers.details(ranking)


def _ranked(ranking: Ranking) -> None:
    low, high = ranking.benchmark.models
    more = f" · the first {ranks.MOST} of {count(len(ranking.order))}" if len(ranking.order) > ranks.MOST else ""
    cost = f"answers: per model, to tell {percent(low)} from {percent(high)}"
    line = f"line: {percent(ranking.benchmark.confidence)} interval · bracket: cannot be told apart · {cost}{more}"
    with parts.heading(f"{NAMES[ranking.by]}: judges in order", line):
        pass
    drawn = ranks.ranked_dots(ranking, theme=parts.theme(), scale=parts.scale())
    parts.figure(drawn, "choose.ranked", ranks.alt(ranking))
    parts.reading(said.reading(ranking, emphasis))


def _slopes(ranking: Ranking) -> None:
    with parts.heading("Rank by metric", "1 is best · coloured: the rank changes with the metric"):
        pass
    drawn = ranks.rank_slopes(ranking, theme=parts.theme(), scale=parts.scale())
    parts.figure(drawn, "choose.slopes", ranks.slopes_alt(ranking))
    why = said.disagreements(ranking, emphasis)
    if why:
        parts.reading(why[0])
        for line in () if state.in_room_view() else why[1:]:
            st.markdown(line)


page()
