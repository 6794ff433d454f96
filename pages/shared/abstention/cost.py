"""The cost matrix: what each disagreement costs, weighted κ under it, and what a third answer does to correlations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.abstention.provenance import weighted_kappa
from metrics.analyses.abstention.readings_costs import (
    correlation_reading,
    correlation_table,
    preset_names,
    rates_reading,
    slide_reading,
    slide_table,
)
from metrics.analyses.abstention.third_answer import CostPath, Weighted, slide_of, weighted_at
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import AgreementReport
from metrics.analyses.settings import Settings
from metrics.data.aggregation import Level
from metrics.figures.cost_path import alt, slide_line
from metrics.measures.cost_matrices import COSTS, Cost, correlations, cost_of, cost_text, parsed, preset_of
from metrics.results.words import bounds, count, number, p3, percent, shorten
from pages.shared import asking, cached, intervals, parts, sheets, state
from pages.shared.plain import emphasis, escape, sentence

TEXT, PRESET, LAST = "cost", "cost.preset", "cost.last"
FIRST = cost_text(cost_of("halfway"))
SIDES = ((0, 1, 2), (0, 1, 2))
WIDTH, LETTERS = 80, 10
"""Of a cell of the matrix: px, and letters of a label that fit."""
TEXT_HELP = "Rows are the human, columns the judge."
WEIGHTED_HELP = "κ in which each disagreement counts by its cost. Meaningless without the matrix."
FOOTNOTE = (
    "Rao and Callison-Burch (§6.2) ask for equal counts of the two labels without saying on which side. It takes both sides, and "
    "the two can be equal without it. Their footnote 4, that no coding repairs this, leaves out the mid-ranks of each list: "
    "coded so, Pearson is Spearman."
)


@dataclass(frozen=True, eq=False)
class CostView:
    """Everything the view is drawn from."""

    report: AgreementReport
    judge: str
    level: Level
    cost_path: CostPath
    weighted: Weighted


def draw(dataset: state.Dataset, chosen: state.Choices) -> None:
    """The whole view, in which no verdict is always an answer of its own."""
    why = _nothing(dataset, chosen)
    if why:
        st.info(why, icon=":material/info:")
        return
    numbers, sides = st.container(), st.container(horizontal=True, gap="medium")
    with sides, st.container(key="wide_cost"):
        cost = _editor(_cost_path(dataset, chosen).labels)
    asked = _view(dataset, chosen, cost)
    with numbers:
        _headline(asked)
    with sides, st.container(key="wide_slide"):
        _figure(asked)
    _correlations(asked)
    _download(asked)


def drawings(dataset: state.Dataset, chosen: state.Choices) -> list[Callable[[], None]]:
    """Return the figure and the table, one at a time in the room."""
    if _nothing(dataset, chosen):
        return []
    asked = _view(dataset, chosen, held())
    return [lambda: _figure(asked), lambda: _correlations(asked)]


def _nothing(dataset: state.Dataset, chosen: state.Choices) -> str:
    """Return why there is nothing for a cost to weigh; empty where there is."""
    if dataset.ratings.scheme.scale != "binary":
        return "A cost matrix weighs three answers: two labels and no verdict. The labels of this file are classes of their own."
    if chosen.level == "item" and not dataset.ratings.has_items:
        return "A table of counts has no items. Average over *decisions* or *criteria*."
    slide = _cost_path(dataset, chosen)
    what = "item verdict" if chosen.level == "item" else "decision"
    if not slide.table.any():
        return f"No {what} is left, so there is nothing to weigh."
    if slide.nothing_open:
        kappa = slide.presets["nominal"]
        kappa_text = f"undefined: {escape(kappa.why)}" if kappa.why else f"{number(kappa.value)} under all presets"
        return f"No {what} was left open here, so the cost of giving no verdict changes nothing: κ is {kappa_text}."
    return ""


def _settings(dataset: state.Dataset, chosen: state.Choices) -> Settings:
    """With the default intervals; only their confidence is chosen."""
    return replace(chosen.settings("as_category"), confidence=intervals.chosen(dataset).confidence)


def _cost_path(dataset: state.Dataset, chosen: state.Choices) -> CostPath:
    return cached.once(slide_of, dataset, chosen.judge, _settings(dataset, chosen), chosen.level)


def _view(dataset: state.Dataset, chosen: state.Choices, cost: Cost) -> CostView:
    settings = _settings(dataset, chosen)
    wanted = intervals.Intervals(confidence=settings.confidence)
    return CostView(
        cached.report(dataset, chosen, "as_category", wanted),
        chosen.judge,
        chosen.level,
        _cost_path(dataset, chosen),
        cached.once(weighted_at, dataset, chosen.judge, settings, chosen.level, cost),
    )


def _editor(labels: tuple[str, str, str]) -> Cost:
    """Return the matrix, its presets, and the same as a line of text, which is what the address carries."""
    parts.lone_heading("What does each disagreement cost?", "0: as good as agreement · 1: a disagreement in full")
    presets, cells = st.container(), st.container(gap="xsmall")
    text = st.text_input("The matrix on one line", FIRST, key=TEXT, help=TEXT_HELP, width=380, **asking.BOUND)
    cost = _checked(text or "")
    names = preset_names(labels)
    st.session_state[PRESET] = preset_of(cost) or None
    with presets:
        st.pills(
            "Presets",
            COSTS,
            format_func=lambda name: escape(shorten(names.get(name, name), 24)),
            key=PRESET,
            on_change=_take_preset,
        )
    with cells:
        _cells(labels, _typed(text or "", cost))
    return cost


def _checked(text: str) -> Cost:
    """Return the matrix of the text; the last one that could be used, with what is wrong, where it cannot."""
    try:
        st.session_state[LAST] = cost_of(text)
    except InputError as error:
        st.error(f"{sentence(str(error))} The last matrix still counts.", icon=":material/error:")
    return _last()


def held() -> Cost:
    """Return the chosen matrix where its editor is not drawn."""
    try:
        return cost_of(str(st.session_state.get(TEXT, st.query_params.get(TEXT, FIRST))))
    except InputError:
        return _last()


def _last() -> Cost:
    cost: Cost = st.session_state.get(LAST, cost_of(FIRST))
    return cost


def _typed(text: str, otherwise: Cost) -> Cost:
    """Return what stands in the cells: the numbers of the text, also when they make no cost matrix."""
    try:
        rows = tuple(tuple(row) for row in parsed(text))
    except InputError:
        return otherwise
    return rows if all(0 <= cell < float("inf") for row in rows for cell in row) else otherwise


def _cells(labels: tuple[str, str, str], cost: Cost) -> None:
    names = [escape(shorten(label, LETTERS)) for label in labels]
    with st.container(horizontal=True, gap="xsmall"):
        st.markdown(":small[human ▾ judge ▸]", width=WIDTH)
        for name in names:
            st.markdown(f":small[{name}]", width=WIDTH)
    for row in SIDES[0]:
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            st.markdown(f":small[{names[row]}]", width=WIDTH)
            for column in SIDES[1]:
                _cell(labels, row, column, cost[row][column])


def _cell(labels: tuple[str, str, str], row: int, column: int, value: float) -> None:
    key = f"cost.{row}{column}"
    st.session_state[key] = 0.0 if row == column else float(value)
    st.number_input(
        f"Cost of human {escape(labels[row])}, judge {escape(labels[column])}",
        min_value=0.0,
        step=0.25,
        format="%g",
        key=key,
        disabled=row == column,
        label_visibility="collapsed",
        on_change=_take_cells,
        width=WIDTH,
    )


def _take_cells() -> None:
    rows = [[float(st.session_state.get(f"cost.{row}{column}") or 0.0) for column in SIDES[1]] for row in SIDES[0]]
    st.session_state[TEXT] = cost_text(tuple(tuple(row) for row in rows))


def _take_preset() -> None:
    name = st.session_state.get(PRESET)
    if name is not None:
        st.session_state[TEXT] = cost_text(cost_of(name))


def _headline(asked: CostView) -> None:
    block = asked.report.judges[asked.judge].level(asked.level)
    weighted, where = asked.weighted, (asked.report, asked.judge, asked.level)
    number_of = partial(parts.number_of, block, copied=partial(citation, *where))
    ends = bounds(weighted.ends, without="no interval")
    parts.headline(
        [
            parts.Headline(
                "Weighted κ", number(weighted.value), ends, WEIGHTED_HELP, weighted.why, citation=weighted_kappa(*where, weighted)
            ),
            number_of("kappa", label="κ, all costs 1"),
            number_of("mcc_multiclass"),
            number_of("accuracy", f"baseline {percent(block.values['baseline_accuracy'])}"),
        ]
    )
    st.markdown(f"Here {emphasis(asked.cost_path.labels[2])} is an answer of its own, as under *Keep as a class* above.")


def _figure(asked: CostView) -> None:
    slide, confidence = asked.cost_path, percent(asked.cost_path.confidence)
    silent = shorten(slide.labels[2])
    parts.lone_heading(f"Weighted κ by what {silent} counts as", f"band: {confidence} interval · square: the chosen matrix")
    parts.drawing("cost.slide", slide_line, alt, slide, asked.weighted)
    parts.reading(slide_reading(slide, asked.weighted, name=emphasis, why=escape))


def _correlations(asked: CostView) -> None:
    """Pearson and Spearman with three answers beside two, and κ beside R_K."""
    slide, block = asked.cost_path, asked.report.judges[asked.judge].level(asked.level)
    pooled = asked.level == "macro" and len(asked.report.declaration.criteria) > 1
    parts.lone_heading("What does a third answer do to correlations?", "one number with two answers, several with three")
    positive, negative, silent = (shorten(label) for label in slide.labels)
    table = correlation_table(slide.table, (positive, negative, silent))
    shown = {"answers": [escape(text) for text in table["answers"]], "n": [count(n) for n in table["decisions"]]}
    shown |= {name: [p3(x) for x in table[name]] for name in ("Pearson", "Spearman")}
    sheets.show(
        shown, "Correlations (CSV)", "correlations.csv", "cost.correlations_csv", alt="Correlations with two and three answers"
    )
    if pooled:
        st.markdown("The table pools the decisions of all criteria: a mean over criteria has no table of its own.")
    parts.reading(correlation_reading(correlations(slide.table), slide.labels, name=emphasis))
    level = asked.level if pooled else "micro"
    values = block.values["kappa"], block.values["mcc_multiclass"]
    parts.reading(rates_reading(*values, slide.table, slide.labels, level, name=emphasis))
    if not state.in_room_view():
        st.markdown(f":small[{FOOTNOTE}]")


def _download(asked: CostView) -> None:
    d = asked.report.declaration
    extra_columns = {
        "judge": asked.judge, "level": asked.level, "declared": header(asked.report, asked.judge, asked.level).text(),
        **d.file_columns(),
    }  # fmt: skip
    columns = slide_table(asked.cost_path, asked.weighted, extra_columns)
    sheets.download("Weighted κ along the line (CSV)", lambda: columns, "weighted_kappa.csv", "cost.csv")
