"""Parts that pages are made of. None of them decides anything about a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.analyses.cautions import TUNING_ITEMS, WEIGHT_UNUSED, weights_unused_words
from metrics.analyses.item_weights import column_of
from metrics.analyses.leading import plain_words
from metrics.analyses.provenance import Header
from metrics.analyses.records import Block, Warn
from metrics.figures import theme as figure_theme
from metrics.measures.catalogue import BY_KEY
from metrics.results.tables import Column, by_cell, in_full, with_column
from metrics.results.words import apart, count, named, percent, several, shorten
from pages.shared import cached, documents, filters, sheets, stage, state
from pages.shared.copying import copy_button, copy_numbers
from pages.shared.keeping import device
from pages.shared.page_records import AGREEMENT, DATA, OVERVIEW, RATERS, REPORT, SCORES, Page, page_of
from pages.shared.plain import code, emphasis, escape, sentence, unescaped

MOST_IN_VIEW = 3
"""Sentences that stand below a figure; more are behind a click."""
PARAGRAPH = 280
"""Letters of several sentences up to which one paragraph is read in one go."""
ROOM_SCALE = 1.4
download = sheets.button


@dataclass(frozen=True)
class Headline:
    """One large number: what it is, its value, a second and third line, where it is undefined why, and its text to quote."""

    label: str
    value: str
    second: str
    help: str
    reason: str = ""
    third: str = ""
    citation: str = ""


def theme() -> figure_theme.Theme:
    return "dark" if st.context.theme.type == "dark" else "light"


def title(question: str, name: str = "") -> None:
    """The head of a page, below the tabs of its entry; under a name of its own only where there is no data for its usual one."""
    sheets.declare({})
    _tabs()
    with st.container(key="page_head", horizontal=True) if state.in_room_view() else nullcontext():
        st.title(name or _page().title, anchor=False)
        st.markdown(question)
    _items_counted(state.whole_dataset())
    scales = state.of_scales()
    if scales:
        st.markdown(f":material/info: {escape(scales)}")


def _items_counted(whole: state.Dataset | None) -> None:
    """Which items the page counts, and that it counts each once where they have weights."""
    page = _page()
    filters.banner(whole)
    filters.tuning_note(whole, page.why_not("where"))
    if whole is not None and page.leaves_weights and (column := column_of(whole.ratings)):
        st.markdown(f":material/info: {escape(weights_unused_words(column))}")


def _page() -> Page:
    return page_of(str(st.session_state.get(state.PAGE)))


def not_above(warnings: Iterable[Warn]) -> Iterator[Warn]:
    """Yield the warnings that the page does not say at its head already."""
    above = (TUNING_ITEMS, *([WEIGHT_UNUSED] if _page().leaves_weights else []))
    return (warning for warning in warnings if warning.code not in above)


def _tabs() -> None:
    """The pages of the entry that leads to the page in view, each at its own address."""
    pages = _page().siblings
    if len(pages) > 1 and not state.in_room_view():
        with st.container(horizontal=True, gap="xsmall", key="tabs"):
            for page in pages:
                st.page_link(page.path, label=page.label)


def nothing_open(*, here: bool = False) -> None:
    """The empty state of a page without a data set; `here` on the page where files are opened."""
    unknown = state.unknown_id()
    if unknown:
        st.info(_not_here(unknown), icon=":material/info:")
    else:
        st.info("Nothing to show yet. Drop in a file with one row per verdict, or open a sample.", icon=":material/info:")
    with st.container(horizontal=True):
        if not here and st.button("Open a file", type="primary"):
            go_to(DATA.path)
        st.button("Open the sample", on_click=state.choose, args=(state.default_id(),))


def _not_here(unknown: str) -> str:
    """Return what is said of a link to a file: to whoever opened it in this browser, and to everybody else."""
    before = device.heard(unknown)
    if before is None or not before.title:
        return (
            f"This link points to *{escape(unknown)}*, which is not open here. Uploaded files stay with the person who uploaded "
            "them. Ask for the file, or open the sample."
        )
    failed = "The copy that this browser keeps does not open. " if unknown in device.inventory().files else ""
    return (
        f"You opened {emphasis(before.title)} on this device before. {failed}Drop it in again: this browser still has your "
        "answers, choices and decisions."
    )


def sample_note(dataset: state.Dataset) -> None:
    if dataset.kind == "sample":
        what = "support answers" if dataset.id == state.default_id() else "verdicts"
        made_up = cached.samples()[dataset.id]["source"].startswith("Made up")
        what = f"You are looking at made-up {what}." if made_up else "You are looking at a published table."
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(f"**Sample data.** {what}", width="content")
            st.page_link(DATA.path, label="Open your own file")


def sample_note_at_desk(dataset: state.Dataset | None) -> None:
    """The same, but in the room."""
    if dataset is not None and not state.in_room_view():
        sample_note(dataset)


def declaration(header: Header, copied: str, exported: str = "") -> None:
    """The line that says what the numbers below rest on, with a button that copies a number to quote.

    `exported` is what stands under a figure that is saved, where that is more than this header.
    """
    sheets.declare({**header.columns, "declaration": exported or header.text()})
    with st.container(border=True, key="declaration"):
        text, button = st.columns([6, 1], vertical_alignment="center")
        rest = " ".join(part for part in (escape(header.rest), code(shorten(header.file)), code(header.digest)) if part)
        text.markdown(f"**{escape(header.bold)}** {rest}")
        with button, st.container(horizontal=True, key="declaration_buttons"):
            with st.container(key="only_narrow"), st.popover("more"):
                st.markdown(rest)
            copy_button("Copy", "copy_number", copied, narrow=True, declaration=exported or header.text())


def declared_in_words(text: str) -> None:
    """What the numbers of a page rest on that come from no file: Markdown."""
    sheets.declare({"declaration": unescaped(text)})
    with st.container(key="declaration_words"):
        st.markdown(text)


def headline(numbers: Sequence[Headline], key: str = "headline") -> None:
    with st.container(horizontal=True, key=key):
        for number in numbers:
            reason = f"\n\n**Undefined here:** {escape(number.reason)}." if number.reason else ""
            st.metric(
                number.label,
                number.value,
                delta=number.second or None,
                delta_description=number.third or None,
                delta_color="off",
                delta_arrow="off",
                help=f"{number.help}{reason}" or None,
                border=True,
            )
        copy_numbers(key, [(unescaped(number.label), number.citation) for number in numbers])
    for number in numbers:
        if number.reason:
            st.markdown(f"{number.label} is undefined: {escape(number.reason)}.")


def number_of(block: Block, key: str, second: str = "", label: str = "", copied: Callable[[str], str] | None = None) -> Headline:
    """Return a headline from the catalogue, with its interval in the second line, or in the third beside something else.

    `copied` gives the text to quote of a key.
    """
    record = BY_KEY[key]
    shown, ends = apart(block[key], record.unit, "")
    lines = [line for line in (second, ends) if line] or ["no interval"]
    lines.append("")
    reason, text = block.undefined.get(key, ""), copied(key) if copied is not None else ""
    return Headline(label or record.name, shown, lines[0], _help(block, key), reason, lines[1], text)


def _help(block: Block, key: str) -> str:
    interval = block[key].interval
    note = f" Interval: {escape(interval.note)}." if interval is not None and interval.note else ""
    return documents.help_of(BY_KEY[key], f"{BY_KEY[key].answers}{note}")


def figure(drawn: Any, key: str, alt: str, *, on_select: Callable[[], None] | None = None, broadest: int | None = None) -> None:
    """A figure as broad as the page, or at most `broadest` px."""
    selecting: dict[str, Any] = {"on_select": on_select, "selection_mode": "points"} if on_select else {}
    st.plotly_chart(
        drawn,
        theme=None,
        key=key,
        alt=alt,
        config=figure_theme.config(key.replace(".", "-")) | {"displayModeBar": False},
        width=broadest or "stretch",
        height=stage.height_of(drawn),
        **selecting,
    )


def drawing(
    key: str,
    draw: Callable[..., Any],
    alt: Callable[..., str],
    *data: Any,
    look: Mapping[str, Any] | None = None,
    lead: str = "",
    on_select: Callable[[], None] | None = None,
    **facts: Any,
) -> None:
    """A figure of some data in the theme and the size of the page, with the sentence for people who do not see it.

    `facts` go to the figure and to the sentence, `look` to the figure alone; the sentence begins with `lead`.
    """
    drawn = draw(*data, theme=theme(), scale=scale(), **(look or {}), **facts)
    figure(drawn, key, lead + alt(*data, **facts), on_select=on_select)


def clicked(key: str, place: object) -> tuple[int, ...] | None:
    """Return where a figure was clicked; None when its selection was taken back.

    A second click on the same mark takes the selection back in the browser. Where the page has moved on since (`place`
    differs), that second click is meant as a new one.
    """
    points = st.session_state[key]["selection"]["points"]
    memory = f"{key} last"
    if points:
        spot = tuple(int(part) for part in points[0]["customdata"])
        st.session_state[memory] = (spot, place)
        return spot
    spot, before = st.session_state.get(memory, (None, None))
    if before == place:
        return None
    st.session_state[memory] = (spot, place)
    return spot


def take_click(key: str, place: object, names: Sequence[Any], into: str) -> None:
    """A click on a mark is a choice of its name, which is kept under `into`; for callbacks."""
    spot = clicked(key, place)
    if spot is not None:
        st.session_state[into] = names[spot[0]]


def reading(text: str) -> None:
    """The sentence that a figure is read by."""
    st.markdown(f"**Read this as:** {text}")


def apart_from_order(block: Block, why: str) -> None:
    """The number that ordered labels are read by, before a page whose κ takes all disagreements alike."""
    text = plain_words(block, why)
    if text:
        st.markdown(escape(text))


def notes(messages: Iterable[str]) -> None:
    """What must be known of the numbers above, in one paragraph."""
    text = " ".join(messages)
    if text:
        st.markdown(f":small[{escape(text)}]")


def folded(messages: Sequence[str], what: str) -> None:
    """The first sentences on numbers, long ones as a list, and all that is left behind a click."""
    first = [escape(message) for message in messages[:MOST_IN_VIEW]]
    if first:
        st.markdown(" ".join(first) if sum(map(len, first)) <= PARAGRAPH else "\n".join(f"- {text}" for text in first))
    rest = messages[MOST_IN_VIEW:]
    if rest:
        with st.expander(f"{count(len(rest))} more {'note' if len(rest) == 1 else 'notes'} on {what}"):
            for message in rest:
                st.markdown(f"- {escape(message)}")


def rows(frame: Any, total: int, unit: str, key: str, **look: Any) -> None:
    """A table of plain text, a frame or its columns, of which a part may be shown."""
    columns = frame if isinstance(frame, Mapping) else frame.to_dict("list")
    shown = len(next(iter(columns.values())))
    look["column_config"] = sheets.text_columns(columns) | look.get("column_config", {})
    if shown < total:
        st.markdown(f"The first {count(shown)} of {count(total)} {unit}; the download holds all.")
    st.dataframe(frame, hide_index=True, key=key, placeholder="", alt=several(shown, unit), **look)


def line_with_button(text: str, label: str, key: str, act: Callable[..., None], *args: Any, no_effect: str | None = None) -> None:
    """A sentence and what can be done about it; `no_effect` says why nothing.

    One button that changes its name: a second one would stay in view beside it while the page is being drawn.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(text)
        st.button(label, key=key, on_click=act, args=args, disabled=no_effect is not None, help=no_effect)


@contextmanager
def heading(text: str, below: str) -> Iterator[None]:
    """A figure's heading with a line beneath; what is drawn inside stands beside it."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.header(escape(text), anchor=False)
            st.markdown(f":small[{escape(below)}]")
        yield


def lone_heading(text: str, below: str) -> None:
    """As `heading` with nothing beside it."""
    with heading(text, below):
        pass


def headed(text: str, below: str) -> None:
    """As `heading` with nothing beside it, in one piece, where every message to the browser counts."""
    st.markdown(f"## {escape(text)}\n:small[{escape(below)}]", anchors=False)


def counted_words(labels: Sequence[str]) -> str:
    """What stands at the end of a row: how many decisions, and of two labels how common the first is."""
    return f"n decisions{f', π share that the human calls {shorten(labels[0])}' if len(labels) == 2 else ''}"


def scale() -> float:
    return ROOM_SCALE if state.in_room_view() else 1.0


def one_side_only(dataset: state.Dataset) -> None:
    """The empty state of a data set that lacks a human or a judge."""
    names = escape(named([rater.name for rater in dataset.ratings.raters])) or "nobody"
    missing = "human" if not dataset.ratings.humans else "judge"
    st.info(
        f"No {missing} is among the raters of {escape(dataset.title)}: its rows come from {names}. "
        "Agreement needs a human and a judge on the same items.",
        icon=":material/info:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(dataset.ratings.raters) > 1:
            raters_link()
        to_data_page("Assign roles")


def only_scores(dataset: state.Dataset) -> None:
    """The empty state of a page that counts labels, for a data set of scores."""
    st.info(
        f"The criteria of {escape(dataset.title)} are continuous: their values are scores, and this page counts labels. The page "
        "Scores takes them. The Overview compares judges of scores. Where both sides use the same few numbers, say on the Data "
        "page that the numbers are ordinal.",
        icon=":material/info:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        to_data_page("Change the scale")
        scores_link()


def lacking(why: str, what: str) -> None:
    """Why the page gives no answer for this file, and the way to the page where that is mended."""
    st.info(why, icon=":material/info:")
    to_data_page(what)


def to_data_page(what: str) -> None:
    if st.button(what, type="primary"):
        go_to(DATA.path)


def go_to(page: str) -> None:
    """Another page. With no query parameters of its own, a switch stops at choices that stand in the address."""
    st.switch_page(page, query_params={})


def refused(error: InputError) -> None:
    """Why there is no answer to what was asked."""
    st.error(sentence(str(error)), icon=":material/error:")


def side_by_side(drawings: Mapping[str, Callable[[], None]]) -> None:
    """Figures in one row where there is room; by the keys of their containers, which say how wide each may be."""
    with st.container(horizontal=True, gap="medium"):
        for key, draw in drawings.items():
            with st.container(key=key):
                draw()


def confusion_table(block: Block, key: str) -> None:
    """Counts and row shares as a table that a screen reader can walk."""
    if block.confusion is None:
        return
    counts, shares = block.confusion.tolist(), block.row_shares.tolist()
    cells = [[f"{count(n)} ({percent(x)})" for n, x in zip(*both, strict=True)] for both in zip(counts, shares, strict=True)]
    columns = [f"judge: {escape(label)}" for label in block.labels]
    heads = {"Verdicts": [f"human: {escape(label)}" for label in block.labels]}
    shown = heads | dict(zip(columns, zip(*cells, strict=True), strict=True))
    each = with_column(by_cell(block.labels, counts), Column("share_of_row", "percent"), block.row_shares.ravel().tolist())
    sheets.show(shown, "This table (CSV)", "confusion.csv", key, plain=in_full(each))


def scores_link() -> None:
    st.page_link(SCORES.path, label="See how near the judge’s scores come", icon=":material/arrow_forward:")


def report_link(label: str) -> None:
    st.page_link(REPORT.path, label=label, icon=":material/arrow_forward:")


def raters_link() -> None:
    st.page_link(RATERS.path, label="See how far the raters agree", icon=":material/arrow_forward:")


def overview_link() -> None:
    """The page that answers first, whatever the file holds."""
    st.page_link(OVERVIEW.path, label="See how good the judge is", icon=":material/arrow_forward:")


def agreement_link() -> None:
    st.page_link(AGREEMENT.path, label="See how well the judge agrees", icon=":material/arrow_forward:")
