"""Is one judge better than another, or is it noise?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Comparison, InputError
from metrics.analyses.agreement import readings
from metrics.analyses.comparison.compute import askable
from metrics.analyses.comparison.readings import direction, unit_of
from metrics.analyses.comparison.result import Side
from metrics.content.lab.linked import of_side
from metrics.content.lab.scenes import treated
from metrics.content.lab.sources import told_of
from metrics.data.scales import scales_of
from metrics.figures import confusion, difference
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, count, p3, percent, shorten, value
from pages.shared import asking, intervals, opening, parts, state, to_lab
from pages.shared.compare import everyone, lists, provenance, results, second, waiting
from pages.shared.plain import emphasis, escape, short

METRIC, CRITERION = "compare.metric", "compare.criterion"
NEED_ITEMS = (
    "This is a table of counts: it does not say which items both judges saw, so judges cannot be compared on it. "
    "Open a file with one row per verdict."
)


def answer(its: state.Dataset, chosen: state.Choices) -> None:
    if not _comparable(its):
        _empty(its)
        return
    state.translate({METRIC: {key: record.name for key, record in BY_KEY.items()}})
    _ask(its, chosen)
    a, b = _names(its)
    if a == b:
        st.info("A and B are the same judge. Choose two.", icon=":material/info:")
        return
    settings = replace(intervals.jackknifed(its).added_to(chosen.settings()), judges=())
    criterion = _criterion(its)
    asked = results.Asked(a, b, _metric(its, chosen), "micro" if criterion else chosen.level, criterion)
    found = results.pair(its, settings, asked)
    if isinstance(found, InputError):
        parts.refused(found)
        return
    key = results.pair_key(its, settings, asked)
    _show(its, found, partial(_whisker, found, key), partial(everyone.section, its, settings, asked))


def _question(its: state.Dataset | None) -> str:
    if its is None or not its.ratings.humans or not _comparable(its):
        return "Is one judge better than another, or is it noise?"
    a, b = _names(its)
    return f"Is **{short(b)}** better than **{short(a)}**, or is it noise?"


def _comparable(its: state.Dataset) -> bool:
    return its.ratings.has_items and len(its.ratings.judges) > 1


def _ask(its: state.Dataset, chosen: state.Choices) -> None:
    room = state.in_room_view()
    if not room:
        parts.sample_note(its)
    with opening.choosers():
        _choosers(its, chosen)
        if room:
            everyone.chooser(its, _metric(its, chosen))
    if not room:
        second.note(its)


def _empty(its: state.Dataset) -> None:
    if not its.ratings.has_items:
        st.info(NEED_ITEMS, icon=":material/info:")
        parts.to_data_page("Open a file")
    else:
        st.info("This file has one judge. Add a second file with the same items to compare them.", icon=":material/info:")
        second.chooser(its)


def _show(its: state.Dataset, one: Comparison, whisker: partial[None], forest: partial[None]) -> None:
    parts.declaration(provenance.header(one), provenance.copied(one))
    headline = partial(_headlines, one)
    if state.in_room_view():
        parts.one_at_a_time([headline, whisker, partial(_tables, its, one), forest])
        return
    headline()
    whisker()
    _tables(its, one)
    forest()
    lists.section(its, one)


def _names(its: state.Dataset) -> tuple[str, str]:
    """A and B as chosen, in the address, or as they stand in the file."""
    judges = its.ratings.judges
    wanted = [st.session_state.get(key, st.query_params.get(key)) for key in (second.A, second.B)]
    a = wanted[0] if wanted[0] in judges else judges[0]
    return a, wanted[1] if wanted[1] in judges else judges[_after(judges, a)]


def _after(judges: Sequence[str], a: str) -> int:
    """Return place of the judge that stands after A."""
    return (judges.index(a) + 1) % len(judges)


def _choosers(its: state.Dataset, chosen: state.Choices) -> None:
    judges, (a, b) = its.ratings.judges, _names(its)
    many = len(its.ratings.criteria) > 1
    for key, name in ((second.A, a), (second.B, b)):
        if st.session_state.get(key) not in judges:
            st.session_state[key] = name
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare_choices"):
        # What an address leaves out is the default, of B the judge after A; without one, B is empty after the browser’s Back.
        for key, label, start in ((second.A, "A", 0), (second.B, "B", _after(judges, a))):
            st.selectbox(
                label,
                judges,
                start,
                key=key,
                on_change=_keep,
                width=asking.width_of(judges, 168 if many else 230),
                **asking.BOUND,
            )
        asking.metric(_metrics(its, chosen), METRIC, 168)
        help_text = "On one criterion McNemar’s test is possible; the level has no meaning there."
        asking.criterion(its.ratings.criteria, CRITERION, 150, help_text=help_text)
        st.button("Swap", key="compare.swap", help="Exchange A and B", icon=":material/swap_horiz:", on_click=_swap)
        if not state.in_room_view():
            with st.popover("Add a second file", icon=":material/add:"):
                second.chooser(its)


def _keep() -> None:
    """Both names into the address as soon as one of them is chosen."""
    for key in (second.A, second.B):
        st.session_state[key] = st.session_state[key]


def _swap() -> None:
    held = st.session_state
    held[second.A], held[second.B] = held[second.B], held[second.A]


def _criterion(its: state.Dataset) -> str | None:
    chosen = st.session_state.get(CRITERION)
    return chosen if chosen in its.ratings.criteria and len(its.ratings.criteria) > 1 else None


def _metrics(its: state.Dataset, chosen: state.Choices) -> tuple[str, ...]:
    return askable(its.ratings, chosen.level, _criterion(its), chosen.mode)


def _metric(its: state.Dataset, chosen: state.Choices) -> str:
    return asking.held(METRIC, _metrics(its, chosen))


def _headlines(one: Comparison) -> None:
    """The cards; above them, where readings disagree, that they do."""
    if one.disagree:
        parts.reading(escape(one.reading))
    parts.headline(_headline(one))


def _headline(one: Comparison) -> list[parts.Headline]:
    note = f" Interval: {escape(one.difference.note)}." if one.difference.note else ""
    apart = parts.Headline(
        f"Difference in {BY_KEY[one.metric].symbol}",
        value(one.difference.value, unit_of(one)),
        bounds(one.difference.ends, unit_of(one), without="no interval"),
        f"{short(one.b.name)} less {short(one.a.name)}, with the {percent(one.settings.confidence)} interval: "
        f"{escape(provenance.method(one))}.{note}",
        one.difference.undefined,
        copied=provenance.copied(one),
    )
    test = one.permutation
    unit = "group" if one.settings.by_column else "item"
    second_line = f"1 {unit} differs" if test.n_differ == 1 else f"{count(test.n_differ)} {unit}s differ"
    if one.mcnemar is not None and one.mcnemar.n:
        second_line = f"McNemar (accuracy) {p3(one.mcnemar.p)}"
    p = parts.Headline(
        "p, permutation",
        p3(test.p),
        second_line,
        "How often judges that differ only by chance would lie as far apart. The verdicts on each "
        f"{escape(provenance.unit(one))} are swapped as a whole: {escape(provenance.swaps(one))}. "
        f"McNemar’s test: {_mcnemar(one)}.",
        copied=provenance.p_copied(one),
    )
    return [apart, *(_side(letter, side, one) for letter, side in (("A", one.a), ("B", one.b))), p]


def _mcnemar(one: Comparison) -> str:
    if one.mcnemar is None:
        return escape(one.no_mcnemar)
    if not one.mcnemar.n:
        return "no item separates them"
    only = f"{count(one.mcnemar.only_a)} only A right, {count(one.mcnemar.only_b)} only B right"
    what = "items" if one.level == "item" else "decisions"
    return f"about accuracy, exact and two-sided on the {count(one.mcnemar.n)} {what} that one of them gets right ({only})"


def _side(letter: str, side: Side, one: Comparison) -> parts.Headline:
    record, estimate = BY_KEY[one.metric], side.estimate
    note = f" Interval: {escape(estimate.note)}." if estimate.note else ""
    return parts.Headline(
        f"{letter}: {short(side.name)}",
        value(estimate.value, record.unit),
        bounds(estimate.ends, record.unit, without="no interval"),
        f"{record.answers} On what both answered.{note}",
        copied=provenance.side_copied(one, side),
    )


def _whisker(one: Comparison, key: str) -> None:
    record, confidence = BY_KEY[one.metric], percent(one.settings.confidence)
    with parts.heading(
        f"How far B is from A in {record.symbol}",
        f"dot and line: difference and its {confidence} interval · upright line: no difference",
    ):
        pass
    drawn = difference.Difference(
        one.a.name,
        one.b.name,
        one.difference.value,
        *(one.difference.ends or (None, None)),
        better=direction(one.metric),
        reason=one.difference.why,
    )
    look = {"symbol": record.symbol, "unit": record.unit}
    figure = difference.difference_whisker(drawn, theme=parts.theme(), scale=parts.scale(), **look)
    parts.figure(figure, "compare.difference", difference.alt(drawn, **look))
    if not one.disagree:
        parts.reading(escape(one.reading))
    if not state.in_room_view():
        beside = dict.fromkeys((*one.cautions, *one.notes, provenance.left_out(one)))
        parts.folded([text for text in beside if text], "this comparison")
    if one.permutation.stopped:
        st.button("Run the whole test", key="compare.again", on_click=waiting.again, args=(key,))


def _tables(its: state.Dataset, one: Comparison) -> None:
    unit = "items" if one.level == "item" else "decisions"
    with parts.heading("Where each parts from the human", f"on the {unit} both answered · row = human · split = judge"):
        pass
    with st.container(key="only_broad_compare"), st.container(horizontal=True, gap="medium"):
        for letter, side in (("a", one.a), ("b", one.b)):
            with st.container(key=f"wide_mosaic_{letter}"):
                _mosaic(its, letter, side, one, unit)
    with st.container(key="only_narrow_compare"):
        lists.two_by_two(one)
    if one.level == "macro":
        st.markdown("Macro averages over the criteria and has no table of its own: these pool the decisions of all criteria.")


def _mosaic(its: state.Dataset, letter: str, side: Side, one: Comparison, unit: str) -> None:
    block, name = side.block, shorten(side.name)
    st.markdown(f"**{letter.upper()}: {escape(name)}**")
    if block.confusion is None or not block.n:
        st.markdown("No table to draw: no decision is left.")
        return
    third = len(block.labels) - 1 if one.settings.abstention == "as_category" else None
    drawn = confusion.mosaic(
        block.confusion, block.labels, theme=parts.theme(), abstention=third, scale=parts.scale(), height=300, unit=unit,
        named=scales_of(its.ratings).named_errors,
    )  # fmt: skip
    alt = f"{name}. {confusion.alt(block.confusion, block.labels, abstention=third, unit=unit)}"
    parts.figure(drawn, f"compare.mosaic_{letter}", alt)
    parts.reading(readings.confusion_reading(block, unit=unit, name=emphasis))
    scene, other = of_side(its.ratings, one, side), one.b if side is one.a else one.a
    if scene is not None:
        shared, item = (f"{unit} answered by", f"{other.name} too"), one.level == "item"
        told = told_of(
            its.ratings, side.name, one.settings.reference, treated(scene), item=item, criterion=one.criterion, more=shared
        )
        to_lab.open_in_lab(scene, told, letter.upper())


opening.page("Compare judges", _question(state.dataset()), answer)
