"""Is one judge better than another, or is it noise?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Comparison
from metrics.analyses.agreement import readings
from metrics.analyses.comparison.compute import askable
from metrics.analyses.comparison.readings import direction, unit_of
from metrics.analyses.comparison.result import Side
from metrics.analyses.leading import in_order
from metrics.content.lab.linked import of_side
from metrics.content.lab.pictures import source_lines
from metrics.content.lab.scenes import treated
from metrics.data.scales import scales_of
from metrics.figures import difference, error_table
from metrics.figures.of_reports import difference_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import apart, count, p3, percent, shorten, value
from pages.shared import as_lines, asking, documents, intervals, opening, parts, screen, stage, state, to_lab
from pages.shared.compare import everyone, lists, provenance, results, second
from pages.shared.job import Job
from pages.shared.plain import emphasis, escape, short

METRIC, CRITERION, MARGIN = "compare.metric", "compare.criterion", "compare.margin"
MARGIN_HELP = (
    "How much worse B may be to be taken in place of A. State it before you look; of shares, 0.05 is 5 points. Then the page "
    "says whether B is non-inferior."
)
NEED_ITEMS = (
    "This is a table of counts: it does not say which items both judges saw, so judges cannot be compared on it. "
    "Open a file with one row per verdict."
)


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    if not _comparable(dataset):
        _empty(dataset)
        return
    state.translate({METRIC: {key: record.name for key, record in BY_KEY.items()}})
    _ask(dataset, chosen)
    a, b = _names(dataset)
    if a == b:
        st.info("A and B are the same judge. Choose two.", icon=":material/info:")
        return
    settings = replace(intervals.jackknife_settings(dataset, chosen), judges=())
    criterion = _criterion(dataset)
    asked = results.ComparisonRequest(a, b, _metric(dataset, chosen), "micro" if criterion else chosen.level, criterion)
    asked = replace(asked, margin=_margin(asked.metric))
    comparison, job = results.pair(dataset, settings, asked), results.pair_job(dataset, settings, asked)
    _show(dataset, comparison, partial(_whisker, comparison, job), partial(everyone.section, dataset, settings, asked))
    as_lines.section(dataset, as_lines.View(results.call(dataset, settings, asked), as_lines.path("difference")))


def _question(dataset: state.Dataset | None) -> str:
    if dataset is None or not dataset.ratings.humans or not _comparable(dataset):
        return "Is one judge better than another, or is it noise?"
    a, b = _names(dataset)
    return f"Is **{short(b)}** better than **{short(a)}**, or is it noise?"


def _comparable(dataset: state.Dataset) -> bool:
    return dataset.ratings.has_items and len(dataset.ratings.judges) > 1


def _ask(dataset: state.Dataset, chosen: state.Choices) -> None:
    room = state.in_room_view()
    parts.sample_note_at_desk(dataset)
    with opening.choosers():
        _choosers(dataset, chosen)
        if room:
            everyone.chooser(dataset, _metric(dataset, chosen))
    if not room:
        second.note(dataset)


def _empty(dataset: state.Dataset) -> None:
    if not dataset.ratings.has_items:
        parts.lacking(NEED_ITEMS, "Open a file")
    else:
        second.needed(dataset)


def _show(dataset: state.Dataset, comparison: Comparison, whisker: partial[None], forest: partial[None]) -> None:
    parts.declaration(provenance.header(comparison), provenance.citation(comparison))
    headline = partial(_headlines, comparison)
    if state.in_room_view():
        stage.one_at_a_time([headline, whisker, partial(_tables, dataset, comparison), forest])
        return
    headline()
    whisker()
    _tables(dataset, comparison)
    forest()
    lists.section(dataset, comparison)


def _names(dataset: state.Dataset) -> tuple[str, str]:
    """A and B as chosen, in the address, or as they stand in the file."""
    judges = dataset.ratings.judges
    wanted = [st.session_state.get(key, st.query_params.get(key)) for key in (second.A, second.B)]
    a = wanted[0] if wanted[0] in judges else judges[0]
    return a, wanted[1] if wanted[1] in judges else judges[_after(judges, a)]


def _after(judges: Sequence[str], a: str) -> int:
    """Return place of the judge that stands after A."""
    return (judges.index(a) + 1) % len(judges)


def _choosers(dataset: state.Dataset, chosen: state.Choices) -> None:
    judges, (a, b) = dataset.ratings.judges, _names(dataset)
    many = len(dataset.ratings.criteria) > 1
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
        asking.metric(_metrics(dataset, chosen), METRIC, 168)
        help_text = "On one criterion McNemar’s test is possible; the level has no meaning there."
        asking.criterion(dataset.ratings.criteria, CRITERION, 150, help_text=help_text)
        if direction(_metric(dataset, chosen)):
            st.number_input(
                "Margin", 0.001, 1.0, None, step=0.01, format="%.3g", placeholder="none", key=MARGIN, help=MARGIN_HELP, width=120,
                **asking.BOUND,
            )  # fmt: skip
        st.button("Swap", key="compare.swap", help="Exchange A and B", icon=":material/swap_horiz:", on_click=_swap)
        if not state.in_room_view():
            with st.popover("Add a second file", icon=":material/add:"):
                second.chooser(dataset)


def _keep() -> None:
    """Both names into the address as soon as one of them is chosen."""
    for key in (second.A, second.B):
        st.session_state[key] = st.session_state[key]


def _swap() -> None:
    held = st.session_state
    held[second.A], held[second.B] = held[second.B], held[second.A]


def _criterion(dataset: state.Dataset) -> str | None:
    return asking.chosen_criterion(dataset.ratings.criteria, CRITERION)


def _margin(metric: str) -> float | None:
    """Return the margin as typed; None where none is, or the metric has no better side."""
    margin = st.session_state.get(MARGIN)
    return float(margin) if margin and direction(metric) else None


def _metrics(dataset: state.Dataset, chosen: state.Choices) -> tuple[str, ...]:
    return askable(dataset.ratings, chosen.level, _criterion(dataset), chosen.mode)


def _metric(dataset: state.Dataset, chosen: state.Choices) -> str:
    return asking.held(METRIC, _metrics(dataset, chosen))


def _headlines(comparison: Comparison) -> None:
    """The cards; above them, where readings disagree, that they do."""
    if comparison.disagree:
        parts.reading(escape(comparison.reading))
    parts.headline(_headline(comparison))


def _headline(comparison: Comparison) -> list[parts.Headline]:
    difference, column = comparison.decisive[0].difference, comparison.declaration.weights
    note = f" Interval: {escape(difference.note)}." if difference.note else ""
    note += f" Every item counts by its weight in ‘{short(column)}’, for each judge too." if column else ""
    difference_card = parts.Headline(
        f"Difference in {BY_KEY[comparison.metric].symbol}{f', by ‘{short(column)}’' if column else ''}",
        *apart(difference, unit_of(comparison), "no interval"),
        f"{short(comparison.b.name)} less {short(comparison.a.name)}, with the "
        f"{percent(comparison.settings.confidence)} interval: "
        f"{escape(provenance.method(comparison))}.{note}",
        difference.undefined,
        citation=provenance.citation(comparison),
    )
    test = comparison.permutation
    unit = "group" if comparison.settings.by_column else "item"
    second_line = f"1 {unit} differs" if test.n_differ == 1 else f"{count(test.n_differ)} {unit}s differ"
    if comparison.mcnemar is not None and comparison.weighted is not None:
        second_line = f"t test (accuracy) {p3(comparison.weighted.p_accuracy)}"
    elif comparison.mcnemar is not None and comparison.mcnemar.n:
        second_line = f"McNemar (accuracy) {p3(comparison.mcnemar.p)}"
    p = parts.Headline(
        "p, permutation",
        p3(provenance.p_of(comparison)),
        second_line,
        "How often judges that differ only by chance would lie as far apart. The verdicts on each "
        f"{escape(provenance.unit(comparison))} are swapped as a whole: {escape(provenance.swaps(comparison))}. "
        f"McNemar’s test{'' if comparison.weighted is None else ', each item once'}: {_mcnemar(comparison)}.",
        citation=provenance.p_citation(comparison),
    )
    return [difference_card, *(_side(letter, side, comparison) for letter, side in (("A", comparison.a), ("B", comparison.b))), p]


def _mcnemar(comparison: Comparison) -> str:
    if comparison.mcnemar is None:
        return escape(comparison.no_mcnemar)
    if not comparison.mcnemar.n:
        return "no item separates them"
    only = f"{count(comparison.mcnemar.only_a)} only A right, {count(comparison.mcnemar.only_b)} only B right"
    what = "items" if comparison.level == "item" else "decisions"
    return f"about accuracy, exact and two-sided on the {count(comparison.mcnemar.n)} {what} that one of them gets right ({only})"


def _side(letter: str, side: Side, comparison: Comparison) -> parts.Headline:
    record, estimate = BY_KEY[comparison.metric], provenance.side_estimate(comparison, side)
    column = comparison.declaration.weights
    once = f"unweighted {value(side.estimate.value, record.unit)}" if column else ""
    note = f" Interval: {escape(estimate.note)}." if estimate.note else ""
    return parts.Headline(
        f"{letter}: {short(side.name)}{f', by ‘{short(column)}’' if column else ''}",
        *apart(estimate, record.unit, "no interval"),
        documents.help_of(record, f"{record.answers} On what both answered.{note}"),
        third=once,
        citation=provenance.side_citation(comparison, side),
    )


def _whisker(comparison: Comparison, job: Job[Comparison]) -> None:
    record, confidence = BY_KEY[comparison.metric], percent(comparison.settings.confidence)
    parts.lone_heading(
        f"How far B is from A in {record.symbol}",
        f"dot and line: difference and its {confidence} interval · vertical line: no difference{_margin_key(comparison)}",
    )
    drawn, facts = difference_of(comparison), {"symbol": record.symbol, "unit": record.unit}
    parts.drawing("compare.difference", difference.difference_whisker, difference.alt, drawn, **facts)
    if not comparison.disagree:
        parts.reading(escape(comparison.reading))
    if not state.in_room_view():
        beside = dict.fromkeys((*comparison.cautions, *comparison.notes, provenance.left_out(comparison)))
        parts.folded([text for text in beside if text], "this comparison")
    if comparison.permutation.stopped:
        st.button("Run the whole test", key="compare.again", on_click=job.start)


def _margin_key(comparison: Comparison) -> str:
    if comparison.held is None:
        return ""
    return " · dashed: margin · dotted: as far as it may reach where so few differ"


def _tables(dataset: state.Dataset, comparison: Comparison) -> None:
    unit = "items" if comparison.level == "item" else "decisions"
    judge = error_table.judge_place(comparison.a.block.labels)
    parts.lone_heading("Errors of each judge", f"on the {unit} both answered · row = human · {judge} = judge")
    if screen.narrow():
        lists.two_by_two(comparison)
    else:
        with st.container(horizontal=True, gap="medium"):
            for letter, side in (("a", comparison.a), ("b", comparison.b)):
                with st.container(key=f"wide_mosaic_{letter}"):
                    _mosaic(dataset, letter, side, comparison, unit)
    if comparison.level == "macro":
        st.markdown("Macro averages over the criteria and has no table of its own: these pool the decisions of all criteria.")


def _mosaic(dataset: state.Dataset, letter: str, side: Side, comparison: Comparison, unit: str) -> None:
    block, name = side.block, shorten(side.name)
    st.markdown(f"**{letter.upper()}: {escape(name)}**")
    if block.confusion is None or not block.n:
        st.markdown("No table to draw: no decision is left.")
        return
    third = len(block.labels) - 1 if comparison.settings.abstention == "as_category" else None
    ordered = in_order(dataset.ratings, block.labels, comparison.settings.abstention, comparison.level)
    facts = {"ordered": ordered, "abstention": third, "unit": unit}
    look = {"height": 300, "named": scales_of(dataset.ratings).named_errors}
    table = error_table.error_table, error_table.alt, block.confusion, block.labels
    parts.drawing(f"compare.mosaic_{letter}", *table, look=look, lead=f"{name}. ", **facts)
    parts.reading(readings.confusion_reading(block, unit=unit, name=emphasis))
    scene, other = of_side(dataset.ratings, comparison, side), comparison.b if side is comparison.a else comparison.a
    if scene is not None:
        shared, item = (f"{unit} answered by", f"{other.name} too"), comparison.level == "item"
        facts = source_lines(
            dataset.ratings,
            side.name,
            comparison.settings.reference,
            treated(scene),
            item=item,
            criterion=comparison.criterion,
            more=shared,
        )
        to_lab.open_in_lab(scene, facts, letter.upper())


opening.page(_question(state.dataset()), answer)
