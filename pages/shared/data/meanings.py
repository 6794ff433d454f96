"""What each label means, and the order of the classes: as proposed, unless somebody says otherwise."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.data.labels import EMPTY_CELL, SCORE_ALONE
from metrics.data.threshold import Threshold
from metrics.data.vocabulary import normalise
from metrics.readers import LabelRow, Proposal
from metrics.results.words import count, often
from pages.shared.data import pending
from pages.shared.data.pending import Draft
from pages.shared.plain import escape, short

KINDS = {
    "positive": "positive: it is met",
    "negative": "negative: it is not met",
    "abstention": "no verdict",
    "tie": "tie",
    "invalid": "invalid answer",
    "error": "failed call",
    "missing": "no rating at all",
    "class": "a class of its own",
    "number": "a score, no label",
}
WAYS = {True: "or more", False: "or less"}
Said = tuple[dict[str, str], tuple[str, ...]]
"""Label to kind, and the order."""


def ask(draft: Draft, read: Proposal) -> Said:
    """Return the controls, and what they say."""
    if read.threshold:
        _threshold(draft, read)
    if read.labels:
        st.markdown("**What each label means**")
        step = {label: place for place, label in enumerate(read.order)}
        rows = enumerate(read.labels)
        for place, row in sorted(rows, key=lambda pair: (not pair[1].in_doubt, step.get(pair[1].label, len(step)))):
            _label(draft, place, row)
        _order(draft, read)
    return answers(draft, read)


def answers(draft: Draft, read: Proposal) -> Said:
    """Return what was answered, as far as it differs from the proposal; all that was asked is answered with it."""
    kinds = {row.label: _chosen_kind(draft, row) for row in read.labels}
    changed = any(kinds[row.label] != row.kind for row in read.labels)
    labels = {row.label: kinds[row.label] for row in read.labels if kinds[row.label] != row.kind or (changed and row.in_doubt)}
    if (threshold := _chosen_threshold(draft, read)) != read.threshold:
        labels[threshold] = "positive"
    classes = _classes(draft, read)
    preset = _preset(read, classes)
    chosen = st.session_state.get(_order_key(draft, read), preset) if len(classes) > 1 else ()
    order = tuple(label for label in chosen if label in classes)
    if preset and not order:
        return labels | dict.fromkeys(classes, "class"), ()
    return labels, () if order == preset and not labels else order


def _threshold(draft: Draft, read: Proposal) -> None:
    """From which number on a judge's answer is positive."""
    proposed = Threshold.of(read.threshold)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "The judge’s answer is positive at", value=proposed.at, format="%g", key=pending.key(draft, "threshold"), width=220,
            persist_state="session",
        )  # fmt: skip
        st.segmented_control(
            "this number", WAYS, format_func=WAYS.__getitem__, default=proposed.above, required=True,
            key=pending.key(draft, "threshold way"), persist_state="session",
        )  # fmt: skip


def _chosen_threshold(draft: Draft, read: Proposal) -> str:
    """Return the threshold in its controls; the proposed one where they were not touched, and none where none is asked."""
    if not read.threshold:
        return ""
    proposed = Threshold.of(read.threshold)
    at = st.session_state.get(pending.key(draft, "threshold"))
    above = st.session_state.get(pending.key(draft, "threshold way"))
    return str(Threshold(proposed.at if at is None else float(at), proposed.above if above is None else bool(above)))


def _label(draft: Draft, place: int, row: LabelRow) -> None:
    asked = row.in_doubt and pending.waiting()
    name = f"asked_label_{place}" if asked else f"label_{place}"
    with st.container(horizontal=True, vertical_alignment="center", key=name, gap="small"):
        icon = ":material/help: " if asked else ""
        where = f", first in row {count(row.row)}" if row.row is not None else ""
        with st.container(width="stretch", gap=None):
            whole = escape(row.label) if len(row.label) > 28 else None
            st.markdown(f"{icon}**{short(row.label or EMPTY_CELL)}**", help=whole)
            st.markdown(f":small[{often(row.count)}{where}]")
        st.selectbox(
            f"Meaning of {row.label or EMPTY_CELL}",
            _meanings(row),
            index=_meanings(row).index(row.kind),
            format_func=partial(_meaning_words, row),
            key=key(draft, row.label),
            label_visibility="collapsed",
            persist_state="session",
            width=210,
        )


def key(draft: Draft, label: str) -> str:
    """Where the session keeps what a label means."""
    return pending.key(draft, "label", label)


def _chosen_kind(draft: Draft, row: LabelRow) -> str:
    kind = st.session_state.get(key(draft, row.label), row.kind)
    return str(kind) if kind in _meanings(row) else row.kind


def _meanings(row: LabelRow) -> list[str]:
    """Return what a label can mean; the numbers of a continuous scale nothing but scores."""
    return [kind for kind in KINDS if (kind == "number") == (row.kind == "number")]


def _meaning_words(row: LabelRow, kind: str) -> str:
    """A row with a number and no label is a rating, though no label."""
    return KINDS["number" if row.label == SCORE_ALONE and kind == "missing" else kind]


def _order(draft: Draft, read: Proposal) -> None:
    classes = _classes(draft, read)
    if len(classes) > 1:
        st.multiselect(
            "Order of the classes, low to high (only if they have one)",
            classes,
            default=_preset(read, classes),
            key=_order_key(draft, read),
            persist_state="session",
        )


def _order_key(draft: Draft, read: Proposal) -> str:
    return pending.key(draft, "order", " ".join(read.order))


def _classes(draft: Draft, read: Proposal) -> tuple[str, ...]:
    return tuple(row.label for row in read.labels if _chosen_kind(draft, row) == "class")


def _preset(read: Proposal, classes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the proposed order, as far as its labels are classes."""
    known = {normalise(label): label for label in classes}
    return tuple(known[normalise(label)] for label in read.order if normalise(label) in known)
