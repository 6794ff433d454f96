"""Whose error is it? Each disagreement coded by keys or by mouse, with tags and a note; counted, saved and loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from metrics import InputError
from metrics.analyses.coding import readings, tables
from metrics.analyses.coding.codes import (
    AGREED,
    ALL,
    CODES,
    MOST_LETTERS,
    UNSURE,
    Code,
    Coded,
    Coding,
    Key,
    both_coded,
    read_coding,
)
from metrics.analyses.coding.compute import CodingReport, code_of_own, codes_of, coding_report, key_of
from metrics.analyses.disagreements.listing import Listing
from metrics.analyses.disagreements.query import Matches
from metrics.analyses.disagreements.readings import ROWS
from metrics.analyses.raters.adjudicating import BEFORE, with_labels
from metrics.results.safe_csv import safe_csv
from metrics.results.tables import as_text
from metrics.results.words import several, shorten
from pages.shared import asking, history, parts, saved, session_cache, sheets, state, turning
from pages.shared.disagreements import matches
from pages.shared.disagreements.presets import BLIND
from pages.shared.keeping import device
from pages.shared.plain import escape, short

HISTORY = history.History[Key, Coded]("coding", Coded(), ("note",))
LOAD, REPORT = "coding.load", "coding.report"
CORRECTED = (
    f"Where you coded *Human wrong* people’s label becomes the judge’s; what it was stands in a column *{BEFORE}*. Open it as "
    "any file, or beside this one on *Rubric review* to see before and after."
)
NEAR = 60
"""Items round the one that is read of which the browser knows how many decisions are open: as many as are coded in one go."""
MOST_KEYS = 9
"""Labels of a blind reader, with *Cannot tell* behind them, that have a key each."""
NO_LABEL = ""
"""In place of a label of a blind reader who cannot tell; no label of a file is empty."""
OF_DISAGREEMENT, OF_AGREEMENT = [*CODES, *UNSURE], [*AGREED, *UNSURE]
"""Codes in the order of their keys."""


def coding_of(dataset: state.Dataset) -> Coding:
    """Return the codes given to the disagreements of a data set, with its file."""
    source = dataset.ratings.source
    return Coding(source.name, source.sha256, HISTORY.of(dataset.id))


def is_blind(listing: Listing) -> bool:
    """Return whether the reader labels decisions before anything is shown that others say of them."""
    return is_possible(listing) and bool(st.session_state.get(BLIND))


def hidden(dataset: state.Dataset, listing: Listing, cell: int) -> bool:
    """Return whether nothing is shown of a decision but what is judged."""
    return is_blind(listing) and bool(keys_of(listing, cell)) and not coding_of(dataset).of(key_of(listing, cell)).shown


def is_possible(listing: Listing) -> bool:
    """Return whether there is a judge whose labels can be wrong."""
    return listing.judge is not None and listing.numbers is None


def marks(dataset: state.Dataset, listing: Listing, item_list: Matches, place: int) -> turning.Marks | None:
    """What the keys do: they code the first open disagreement of the item that is read; or label it, of a blind reader."""
    if not is_possible(listing):
        return None
    blind = is_blind(listing)
    coding = coding_of(dataset)
    near = range(max(0, place - 1), min(len(item_list.items), place + NEAR))
    open_at = {str(at): len(_open(listing, item_list, at, coding)) for at in near}

    def put(at: int, which: int) -> None:
        left = _open(listing, item_list, at, coding_of(dataset)) or _codable(listing, item_list, at)
        if left and blind and hidden(dataset, listing, left[0]):
            if which < len(own := own_of(listing)):
                _label(dataset.id, listing, left[0], own[which])
            return
        keys = keys_of(listing, left[0]) if left else []
        if which < len(keys):
            _code(dataset.id, key_of(listing, left[0]), keys[which])

    names = [own or ALL["unsure"] for own in own_of(listing)][:MOST_KEYS] if blind else [ALL[code] for code in OF_DISAGREEMENT]
    return turning.Marks(names, open_at, put)


def own_of(listing: Listing) -> list[str]:
    """Return what a blind reader may say of a decision, in the order of the keys: a label, or that there is no telling."""
    return [*listing.labels, NO_LABEL]


def keys_of(listing: Listing, cell: int) -> list[Code]:
    """Return the codes that a decision may have; empty where there is nothing to code."""
    return OF_DISAGREEMENT if listing.differs[cell] else OF_AGREEMENT if listing.checked[cell] else []


def _codable(listing: Listing, item_list: Matches, at: int) -> list[int]:
    return [cell for cell in item_list.of(at).tolist() if keys_of(listing, cell)]


def _open(listing: Listing, item_list: Matches, at: int, coding: Coding) -> list[int]:
    blind = is_blind(listing)
    coded = ((cell, coding.of(key_of(listing, cell))) for cell in _codable(listing, item_list, at))
    return [cell for cell, one in coded if not (one.shown if blind else one.code)]


def _code(data: str, key: Key, code: Code) -> None:
    HISTORY.change(data, key, f"{key[0]}, {key[1]}: {ALL.get(code, 'no code').lower()}", code=code)


def _label(data: str, listing: Listing, cell: int, own: str) -> None:
    """Take a blind reader's label: whose error it is follows from it; who cannot tell gives none, and sees what others say."""
    key = key_of(listing, cell)
    if own == NO_LABEL:
        _code(data, key, "unsure")
        return
    HISTORY.change(data, key, f"{key[0]}, {key[1]}: own label {shorten(own)}", own=own, code=code_of_own(listing, cell, own))


def progress_words(dataset: state.Dataset, listing: Listing, item_list: Matches) -> str:
    """Return how many are coded, or labelled blind, as Markdown; nothing where there are no codes."""
    if not is_possible(listing):
        return ""
    text = readings.progress_words(report_of(dataset, listing).overall)
    if is_blind(listing):
        codable = item_list.decisions[[bool(keys_of(listing, cell)) for cell in item_list.decisions.tolist()]]
        text = readings.blind_words(listing, coding_of(dataset), codable)
    return f":material/checklist: {escape(text)}"


def report_of(dataset: state.Dataset, listing: Listing) -> CodingReport:
    """Return what the codes count up to; worked out once for the same codes."""
    codes = HISTORY.of(dataset.id)
    own = tuple(codes_of(listing, coding_of(dataset)).tolist()) if codes else ()
    return session_cache.memoised_last(REPORT, (id(listing), own), lambda: coding_report(listing, coding_of(dataset)))


def of_judge(dataset: state.Dataset, chosen: state.Choices | None, judge: str) -> CodingReport | None:
    """Return what the codes of one judge count up to; None where none of its decisions is coded."""
    if chosen is None or not any(key[2] == judge and coded.code for key, coded in HISTORY.of(dataset.id).items()):
        return None
    try:
        listing = matches.listing(dataset, replace(chosen, judge=judge), "")
    except InputError:
        return None
    return report_of(dataset, listing) if is_possible(listing) else None


def own_section(dataset: state.Dataset, listing: Listing, cell: int) -> None:
    """The labels that a blind reader may give, and that there is no telling."""
    key = key_of(listing, cell)
    name = f"coding.own {dataset.id} {key}"
    known = own_of(listing)

    def worded(own: str) -> str:
        place, text = known.index(own) + 1, short(own) if own else ALL["unsure"]
        return f"{place} {text}" if place <= MOST_KEYS else text

    st.pills("Your label", known, key=name, on_change=_labelled, args=(dataset.id, listing, cell, name), format_func=worded)


def _labelled(data: str, listing: Listing, cell: int, name: str) -> None:
    if st.session_state[name] is not None:
        _label(data, listing, cell, st.session_state[name])


def section(dataset: state.Dataset, listing: Listing, cell: int) -> None:
    """The code of one decision, and what else is said of it."""
    key = key_of(listing, cell)
    coded, keys = HISTORY.of(dataset.id).get(key, Coded()), keys_of(listing, cell)
    # A widget of its own for each code: what a browser still has of the one before takes back no code that a key has given.
    name = f"coding.code {dataset.id} {key} {coded.code}"
    if coded.own:
        st.markdown(f"Your label, given blind: **{short(coded.own)}**")
    st.pills(
        "Whose error is it?" if listing.differs[cell] else "Are both right?", keys,
        default=coded.code if coded.code in keys else None, key=name,
        format_func=lambda code: f"{keys.index(code) + 1} {ALL[code]}",
        on_change=_chosen, args=(dataset.id, key, name),
    )  # fmt: skip
    kept = {"note": coded.note, "for the meeting": coded.meeting}
    said = [*map(shorten, coded.tags), *(what for what, value in kept.items() if value)]
    with st.popover(f"Tags and note: {escape(', '.join(said))}" if said else "Tags and note", icon=":material/edit_note:"):
        _more(dataset, key, coded)


def _more(dataset: state.Dataset, key: Key, coded: Coded) -> None:
    tags, note, meeting = (f"coding.{what} {dataset.id} {key}" for what in ("tags", "note", "meeting"))
    for name, value in ((tags, list(coded.tags)), (note, coded.note), (meeting, coded.meeting)):
        if st.session_state.get(name) != value:
            st.session_state[name] = value
    known = list(dict.fromkeys([*coding_of(dataset).tags, *coded.tags]))
    st.multiselect(
        "Tags", known, key=tags, accept_new_options=True, placeholder="A word of your own", on_change=_said,
        args=(dataset.id, key, "tags", tags),
    )  # fmt: skip
    st.text_input(
        "Note", key=note, max_chars=MOST_LETTERS, on_change=_said, args=(dataset.id, key, "note", note), live=asking.WHILE_TYPING
    )
    st.toggle("Take into the meeting", key=meeting, on_change=_said, args=(dataset.id, key, "meeting", meeting))
    device.save_button(note)


def _chosen(data: str, key: Key, name: str) -> None:
    _code(data, key, st.session_state[name] or "")


def _said(data: str, key: Key, what: str, name: str) -> None:
    value = st.session_state[name]
    HISTORY.change(data, key, f"{key[0]}, {key[1]}: {what}", **{what: tuple(value) if what == "tags" else value})


def of_criterion(dataset: state.Dataset, listing: Listing, criterion: str) -> None:
    """What the codes say of one criterion; nothing where none of its disagreements is coded."""
    report = report_of(dataset, listing) if is_possible(listing) and HISTORY.of(dataset.id) else None
    if report is None or criterion not in report.criteria:
        return
    if report.criteria[criterion].n_coded or criterion in report.checked:
        st.markdown(f":material/checklist: **Coded.** {escape(readings.criterion_reading(report, criterion))}")


def codes_on(dataset: state.Dataset, listing: Listing, criterion: str) -> Mapping[str, int]:
    """Return how many disagreements of a criterion are put down to whom; empty where none is coded."""
    report = report_of(dataset, listing) if is_possible(listing) else None
    return {} if report is None or criterion not in report.criteria else dict(report.criteria[criterion].codes)


def summary(dataset: state.Dataset, listing: Listing) -> None:
    """What the codes count up to, and the codes as files."""
    report, coding = report_of(dataset, listing), coding_of(dataset)
    with st.expander("What the codes say: count them, save them, load those of another person", key="coding.summary"):
        if report.overall.n_coded or report.checked:
            parts.reading(" ".join(filter(None, [readings.report_reading(report), readings.own_reading(coding, report.judge)])))
            table = as_text(tables.counts_table(report))
            parts.rows(table, len(table["criterion"]), "criteria", "coding.counts", height="content")
        else:
            st.markdown("Nothing is coded yet: 1 to 5 code the disagreement in view and go on to the next.")
        if listing.checked.any() and not report.checked:
            st.markdown(
                f"To estimate agreement with people’s errors corrected, choose *{ROWS['check']}* above and code both kinds."
            )
        if any(not coded.empty for coded in coding.codes.values()):
            _away(listing, coding)
        told = "Nothing coded here is replaced. What both coded is compared."
        saved.loader(dataset, "Load codes that were saved", LOAD, told, _take)


def _away(listing: Listing, coding: Coding) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        parts.download("Save the codes (JSON)", coding.to_json, "codes.json", "coding.save", "application/json")
        sheets.download(
            "Coded disagreements (CSV)", lambda: tables.coded_frame(listing, coding), "coded.csv", "coding.csv"
        )  # fmt: skip
        parts.download(
            "Examples for a prompt (JSONL)", lambda: tables.as_json_lines(listing, coding), "coded.jsonl", "coding.jsonl",
            "application/jsonl",
        )  # fmt: skip
        parts.download(
            "To read (Markdown)", lambda: tables.as_markdown(listing, coding), "coded.md", "coding.md", "text/markdown"
        )
        if listing.ratings.has_rows and (right := tables.right_labels(listing, coding)):
            parts.download(
                f"Your file with {several(len(right), 'labels')} of people corrected (CSV)",
                lambda: safe_csv(with_labels(listing.ratings, right)), "corrected.csv", "coding.corrected",
            )  # fmt: skip
            st.markdown(f":small[{CORRECTED}]")


def _take(dataset: state.Dataset, content: bytes, name: str) -> str:
    mine, theirs = coding_of(dataset), read_coding(content, name)
    told = readings.loaded_words(mine, theirs, both_coded(mine, theirs), dataset.ratings.source.sha256)
    HISTORY.put(dataset.id, mine.with_those_of(theirs).codes, "loaded codes")
    return told
