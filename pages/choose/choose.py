"""Which judge ranks my models best, at what cost?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.judge_selection import readings, readings_classes, readings_disagreements
from metrics.analyses.judge_selection.candidates import NAMES, SYMBOLS
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.multiverse.pooling import rates_note
from metrics.analyses.provenance import citation, header
from metrics.figures import ranks
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import count, percent
from pages.shared import as_lines, cached, classes, intervals, opening, parts, stage, state
from pages.shared import asking as questions
from pages.shared.choose import asking, numbers
from pages.shared.plain import emphasis, escape

ASKS = "Which judge ranks my models best, at what cost?"
ONE_JUDGE = "This file has one judge. Add a second file with the same items on Compare judges, or look at a published table here."
EXAMPLES = "To see an example, choose a published table under *Judges from*."
MANY = "Several classes and no positive label: judges have no one TPR, so neither SNR nor the number of answers is stated."
THIRD = " To rank by those, do not keep abstentions as a class (sidebar)."
OF = "choose_classes_of"
ROOM = 640
"""Px that the table of ranks has at least on a projector, before scaling."""


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    parts.title(ASKS)
    with opening.choosers():
        asking.choosers(dataset, chosen)
    where = asking.source(dataset, chosen)
    if dataset is not None and where == "none":
        opening.nothing_here(dataset, chosen, "", EXAMPLES)
        return
    parts.sample_note_at_desk(dataset if where == "file" else None)
    ranking = asking.requested_ranking(dataset, chosen)
    if isinstance(ranking, InputError):
        parts.refused(ranking)
        return
    if where == "file" and dataset is not None and chosen is not None:
        clauses = _declare(dataset, replace(chosen, judge=ranking.first.name), ranking)
    else:
        source = readings.example_origin(where, "" if dataset is None else dataset.ratings.source.name)
        parts.declared_in_words(escape(source))
        clauses = (source.rstrip("."),)
    show(ranking, clauses, example=where != "file")
    as_lines.section(dataset if where == "file" else None, asking.view(dataset, chosen, ranking))


def _declare(dataset: state.Dataset, chosen: state.Choices, ranking: Ranking) -> tuple[str, ...]:
    """Return what the numbers rest on; returns it for numbers to quote."""
    report = cached.report(dataset, chosen, chosen.mode, intervals.jackknifed(dataset))
    metric = ranking.by if ranking.by in BY_KEY else "youden_j"
    where = report, chosen.judge, "micro", metric, asking.criterion(dataset)
    above = header(*where)
    parts.declaration(above, citation(*where))
    if len(dataset.ratings.judges) < 2:
        st.info(ONE_JUDGE, icon=":material/info:")
    if asking.criterion(dataset) is None:
        settings = chosen.settings()
        note = rates_note(dataset.ratings, chosen.judge, settings, report.judges[chosen.judge])
        if note:
            st.markdown(f":material/info: {emphasis(chosen.judge)}: {escape(note)}")
    if ranking.benchmark is None:
        st.info(MANY + (THIRD if dataset.ratings.scheme.n_classes == 2 else ""), icon=":material/info:")
    return above.provenance()


def show(ranking: Ranking, clauses: tuple[str, ...], *, example: bool) -> None:
    headline = partial(parts.headline, numbers.headline(ranking, clauses))
    by_metric = {"wide_ranks": partial(_ranks, ranking)} if len(ranking.order) > 1 else {}
    drawings = {"wide_ranked": partial(_ranked, ranking), **by_metric}
    many = [] if ranking.benchmark else [partial(_classes, ranking)]
    if state.in_room_view():
        stage.one_at_a_time([headline, *drawings.values(), *many])
        return
    if ranking.named is not None:
        st.markdown(" ".join(_firsts(ranking)[:1]))
    headline()
    for warning in readings.warnings(ranking, emphasis):
        st.markdown(f":material/info: {warning}")
    with st.container(horizontal=True, gap="large"):
        for name, draw in drawings.items():
            with st.container(key=name):
                draw()
    for draw in many:
        draw()
    st.header("All judges", anchor=False)
    numbers.table(ranking)
    numbers.readings(ranking)
    numbers.details(ranking, example=example)


def _classes(ranking: Ranking) -> None:
    """One judge class by class: the first, or the one asked for."""
    parts.lone_heading("Each class against the rest", "decisions in the class by reference and by judge · J one-vs-rest")
    names = [candidate.name for candidate in ranking.order]
    if len(names) > 1:
        st.selectbox("Class by class for", names, key=OF, width=260, **questions.BOUND)
    golden = next(candidate.golden for candidate in ranking.order if candidate.name == questions.held(OF, names))
    classes.table(golden, "choose.classes")
    classes.note(golden, readings_classes.ranking_agreement(ranking, emphasis))


def _ranked(ranking: Ranking) -> None:
    mark = ranking.benchmark
    over = [ranking.over] if ranking.over else []
    line = [*over, f"line: {percent(ranking.confidence)} interval", *_legend(ranks.drawn_brackets(ranking))]
    if mark is not None:
        low, high = mark.models
        line.append(f"answers: per model, to detect {percent(low)} against {percent(high)}")
    if len(ranking.order) > ranks.MOST:
        line.append(f"the first {ranks.MOST} of {count(len(ranking.order))}")
    parts.lone_heading(f"{NAMES[ranking.by]}: judges in order", " · ".join(line))
    parts.drawing("choose.ranked", ranks.ranked_dots, ranks.alt, ranking)
    parts.reading(readings.reading(ranking, emphasis))


def _legend(brackets: Sequence[ranks.Bracket]) -> list[str]:
    """Return what the brackets of the figure stand for, where it has any."""
    if not brackets:
        return []
    goes_on = any(bracket.goes_on for bracket in brackets)
    return [f"bracket: no significant difference{', open where it goes on below' if goes_on else ''}"]


def _ranks(ranking: Ranking) -> None:
    parts.lone_heading("Rank by metric", f"1 is best, the strongest colour · bold: {SYMBOLS[ranking.by]} orders the judges")
    room = {"width": ROOM} if state.in_room_view() else {}
    parts.drawing("choose.ranks", ranks.rank_table, ranks.table_alt, ranking, look=room)
    why, at_head = _firsts(ranking), ranking.named is not None and not state.in_room_view()
    if why and not at_head:
        parts.reading(why[0])
    if len(why) > 1 and not state.in_room_view():
        st.markdown("\n".join(f"- {line}" for line in why[1:]) if len(why) > 2 else why[1])


def _firsts(ranking: Ranking) -> tuple[str, ...]:
    """Which metric puts whom first, and why; the first sentence stands at the head where a judge is named."""
    return readings_disagreements.disagreements(ranking, emphasis)


page()
