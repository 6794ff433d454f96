"""A second file after the rubric was changed: the same items, labelled or judged again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from metrics import InputError, Ratings
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.changes import BeforeAfter, Change
from metrics.analyses.review.readings import declared_words, reads, whole_words
from metrics.analyses.settings import Settings
from metrics.results.safe_csv import safe_csv
from metrics.results.words import NEEDS_ROWS, bounds, count, estimate, p3, several, signed
from pages.shared import cached, intervals, parts, session_cache, sheets, state
from pages.shared.compare import second
from pages.shared.keeping import asking, device
from pages.shared.plain import emphasis, escape, sentence
from pages.shared.review import showing

UPLOAD, OPEN, JUDGE, FILES, ERROR, UNPAIRED = (
    f"review.again{what}" for what in ("", "_open", "_judge", "_files", "_error", "_unpaired")
)
HELP = (
    "Joined on item and criterion. It may hold new human labels, new verdicts, or both; labels must be spelled as in the first."
)
MARKS = {1: "▲ ", -1: "▼ ", 0: ""}


def paired_files(dataset: state.Dataset, chosen: state.Choices) -> BeforeAfter | None:
    """Return both files beside each other; None without a second, or where they cannot be compared, which is then said."""
    other: Ratings | None = session_cache.held(FILES).get(dataset.id)
    if other is None:
        return None
    wanted = st.session_state.get(JUDGE)
    judge = wanted if wanted in other.judges else chosen.judge if chosen.judge in other.judges else next(iter(other.judges), None)
    try:
        both = _paired_files(dataset, _key(other), intervals.jackknife_settings(dataset, chosen), judge, _second=other)
    except InputError as error:
        session_cache.held(UNPAIRED)[dataset.id] = str(error)
        return None
    session_cache.held(UNPAIRED).pop(dataset.id, None)
    return both


def _key(other: Ratings) -> str:
    return repr((other.source.sha256, other.columns, other.scheme.kinds, other.scheme.order))


@cached.of_file(max_entries=16, show_spinner="Pairing the two files")
def _paired_files(dataset: state.Dataset, other: str, settings: Settings, judge: str | None, _second: Ratings) -> BeforeAfter:
    return before_after(dataset.ratings, _second, settings.judges[0], settings, judge)


def change_of(both: BeforeAfter | None, criterion: str) -> Change | None:
    return None if both is None else both.of(criterion)


def section(dataset: state.Dataset, chosen: state.Choices, both: BeforeAfter | None, criterion: str) -> None:
    """The second file, every criterion beside it, the matrices of the one in view, and the labels that are others."""
    other: Ratings | None = session_cache.held(FILES).get(dataset.id)
    with st.expander("Before and after: a second file of the same items", expanded=other is not None):
        if not dataset.ratings.has_items:
            st.markdown("This is a table of counts: it has no items, so a second file cannot be paired with it.")
            return
        if not dataset.ratings.has_rows:
            st.markdown(NEEDS_ROWS)
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            keys = UPLOAD, OPEN, "review.take"
            second.choose(dataset, "After relabelling or sharpening", "Take it as after", keys, HELP, take_upload, take_open)
        for problem in (session_cache.held(where).get(dataset.id) for where in (ERROR, UNPAIRED)):
            if problem:
                st.error(sentence(problem), icon=":material/error:")
        if other is not None:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.markdown(f"After: {emphasis(other.source.name)}", width="content")
                if len(other.judges) > 1:
                    st.selectbox("Its judge", other.judges, None, key=JUDGE, placeholder="The one of the same name", width=240)
                st.button("Remove this file", key="review.away", on_click=_away, args=(dataset.id,), icon=":material/close:")
            asking.offer()
        if both is not None:
            _table(both)
            if (change := both.of(criterion)) is not None:
                showing.two_matrices(change)


def take_upload(dataset: state.Dataset, file: Any) -> None:
    """Hold an upload beside a data set as what came after, or say why not."""
    try:
        _keep(dataset.id, second.uploaded(dataset.ratings, file), second.beside_upload(device.AFTER, file))
    except InputError as problem:
        session_cache.held(ERROR)[dataset.id] = second.page_words(problem)


def take_open(dataset: state.Dataset, other: state.Dataset) -> None:
    """Hold a data set that is open beside another one, as `take_upload`."""
    _keep(dataset.id, other.ratings, second.beside_open(device.AFTER, other))


def _keep(data: str, other: Ratings, its_file: device.Beside | None) -> None:
    session_cache.held(ERROR).pop(data, None)
    session_cache.put(session_cache.held(FILES), data, other, 4)
    device.take_beside(data, its_file)


def _away(data: str) -> None:
    device.take_beside(data, None)
    for what in (ERROR, UNPAIRED, FILES):
        session_cache.held(what).pop(data, None)


def _difference(change: Change) -> str:
    difference = change.difference
    ends = bounds(difference.ends, without=difference.no_interval or "the difference is undefined")
    return f"{signed(difference.value, 2)} {ends}"


def _table(both: BeforeAfter) -> None:
    parts.reading(escape(whole_words(both)))
    parts.notes([declared_words(both)])
    changes = both.changes
    if changes:
        shown = {
            "criterion": [change.criterion for change in changes],
            "before": [estimate(change.before.estimate) for change in changes],
            "after": [estimate(change.after.estimate) for change in changes],
            "difference": [_difference(change) for change in changes],
            "p (Holm)": [p3(change.p_holm) for change in changes],
            "reads as": [f"{MARKS[change.direction]}{reads(change)}" for change in changes],
            "n in both": [count(change.n) for change in changes],
        }
        # Columns that repeat the one before, or say 0 of each criterion, would push the others out of view.
        if any(set(change.n_alone) != {change.n} for change in changes):
            shown["n before, after"] = [" · ".join(map(count, change.n_alone)) for change in changes]
        if any(sum(change.n_only) for change in changes):
            shown["n in one"] = [count(sum(change.n_only)) for change in changes]
        parts.rows(shown, len(changes), "criteria", "review.changes", height="content")
    # Its rows rest on two files, not on what the page declares of the criterion in view.
    sheets.button(
        "Before and after (CSV)", lambda: safe_csv(both.to_frame(), {"declaration": declared_words(both)}), "before_after.csv",
        "review.changes_csv",
    )  # fmt: skip
    if both.n_relabelled:
        label = f"{several(both.n_relabelled, 'labels')} that changed (CSV)"
        relabelled = both.relabelled_frame
        sheets.button(label, lambda: safe_csv(relabelled(), {"declaration": declared_words(both)}), "labels_changed.csv",
                      "review.relabelled_csv")  # fmt: skip
