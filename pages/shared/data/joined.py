"""Several files that were joined: what each is taken for and which of its ids another file has, as one picture."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics import InputError
from metrics.data.join import BY_ROWS, Join
from metrics.data.ratings import Shape
from metrics.readers.columns import CheckedColumns
from metrics.readers.joining import joined
from metrics.readers.joining_columns import columns_by_file
from metrics.readers.joining_files import file_layout
from metrics.readers.table import TextTable
from metrics.results.safe_csv import safe_csv
from metrics.results.words import count, listed
from pages.shared import parts, sheets
from pages.shared.data import pending
from pages.shared.data.pending import Draft
from pages.shared.data.questions import question
from pages.shared.plain import escape, sentence, short

HEADING = "How the files are joined"
MATCHED = "ids in another file"
NONE = "–"
WHO = ("human", "judge", "none")
UNKNOWN = "not known, counts as human"
ROLES = {"item": "Item", "label": "Labels", "criterion": "Criterion", "rater": "Name of the rater", "score": "Scores"}
MATCHES = {"": "not chosen", "exact": "exactly", "loose": "ignoring case, blanks, leading zeros and the like"}


def shape_and_columns(draft: Draft, place: DeltaGenerator) -> tuple[Shape, dict[str, str]]:
    """Return the shape of joined files and what is stated of their columns and raters; the picture goes to its own place."""
    stated = _columns(draft)
    with place:
        try:
            table = joined(draft.table, draft.columns_with(stated), pending.match(draft)).table
        except InputError as error:
            st.error(sentence(str(error)), icon=":material/error:")
            table = draft.table
        if table.join is not None:
            picture(table.join)
        _match(draft, stated, table.join)
        return "raters", stated | _people(draft, table)


def _match(draft: Draft, stated: dict[str, str], join: Join | None) -> None:
    """How ids are compared, with the question why it is asked and the proposed answer chosen."""
    match, proposed = pending.match(draft), pending.proposed_match(draft)
    asked: list[str] = []
    with contextlib.suppress(InputError):
        doubts = joined(draft.table, draft.columns_with(stated), "").doubts
        asked = [doubt.sentence for doubt in doubts if doubt.about == "match"]
    if not (asked or match or join is None or not join.is_enough):
        return
    for text in asked if pending.waiting() and match in ("", proposed) else ():
        question(text)
    st.segmented_control(
        "Compare ids", list(MATCHES), default=proposed, required=True, format_func=MATCHES.get, key=pending.match_key(draft),
        persist_state="session", help="Asked where another file has less than 90 % of the ids of the smallest one.",
    )  # fmt: skip


def _people(draft: Draft, table: TextTable) -> dict[str, str]:
    """Return who is human and who is a judge, where it is not what the files say.

    Beside people only, or judges only, the others are proposed as what is missing.
    """
    if not table.n_rows:
        return {}
    keys = [column for column in ("rater", "role") if column in table.columns]
    pairs = table.data.select(keys).group_by(keys).aggregate([]).to_pylist()
    known = {pair["rater"]: pair.get("role", "") if pair.get("role") in WHO else "" for pair in pairs if pair["rater"]}
    others = {("human",): "judge", ("judge",): "human"}.get(tuple({who for who in known.values() if who}), UNKNOWN)
    frame = draft.memo.setdefault(("people", *known), {"rater": list(known), "is": [who or others for who in known.values()]})
    if not all(known.values()):
        with st.container(key="asked_people"):
            st.markdown(":material/help: Who is human, and who is a judge? Choose it in the table.")
    edited = st.data_editor(
        frame,
        key=pending.key(draft, "people", " ".join(known)),
        hide_index=True,
        disabled=["rater"],
        column_config={"is": st.column_config.SelectboxColumn("is", options=[UNKNOWN, *WHO], required=True)},
        height=min(38 + 35 * len(known), 250),
        alt="Who is human and who is a judge",
    )
    shown = zip(edited["rater"], edited["is"], known.values(), strict=True)
    return {f"role:{name}": who for name, who, before in shown if who in WHO and who != before}


def picture(join: Join) -> None:
    """One row for each file: what it is, how many of its ids another file has, and the first of the others."""
    st.subheader(HEADING, anchor=False)
    shown: dict[str, Sequence[Any]] = {
        "file": [file.name for file in join.files],
        MATCHED: [file.share for file in join.files],
        "taken for": [file.taken_for for file in join.files],
    }
    look = sheets.text_columns(shown) | {
        MATCHED: st.column_config.ProgressColumn(MATCHED, min_value=0.0, max_value=1.0, format="percent", color="primary"),
    }
    st.dataframe(shown, hide_index=True, key="data.join", column_config=look, alt=HEADING)
    raters = [f" Raters: {escape(listed(file.raters, 4))}." if file.raters else "" for file in join.files]
    ids = [f"{escape(file.ids_words())}." for file in join.files]
    st.markdown("  \n".join(f":small[{of_file}{who}]" for of_file, who in zip(ids, raters, strict=True)))
    if join.by_rows:
        st.info(BY_ROWS, icon=":material/help:")
    missing = sum(len(file.unmatched) for file in join.files)
    if missing:
        label = f"Ids without a partner ({count(missing)}, CSV)"
        parts.download(label, lambda: safe_csv(_unmatched(join)), "ids_without_partner.csv", "data.unmatched")


def _unmatched(join: Join) -> dict[str, list[str]]:
    return {
        "file": [file.name for file in join.files for _ in file.unmatched],
        "id": [item for file in join.files for item in file.unmatched],
    }


def _columns(draft: Draft) -> dict[str, str]:
    """Return what is stated of the columns of each file, as far as it differs from what the file is taken for."""
    stated: dict[str, str] = {}
    given, _ = columns_by_file(draft.table.parts, dict(draft.given.columns))
    with st.expander("What the columns of each file hold", expanded=bool(pending.missing(draft))):
        for place, (part, known) in enumerate(zip(draft.table.parts, given, strict=True)):
            stated |= _of_file(draft, place, part, known)
    return stated


def _of_file(draft: Draft, place: int, part: TextTable, given: CheckedColumns) -> dict[str, str]:
    try:
        file = file_layout(part, given)
    except InputError as error:
        st.error(sentence(str(error)), icon=":material/error:")
        return {}
    known = file.layout.columns
    labels = [role for role in ("label", "human", "verdict") if role in known]
    if len(labels) > 1 or any(":" in role for role in known):
        return {}
    stated: dict[str, str] = {}
    st.markdown(f"**{short(part.name)}**")
    with st.container(horizontal=True, key=f"roles_{place}"):
        for role, label in ROLES.items():
            named = labels[0] if role == "label" and labels else role
            options = [NONE, *file.table.columns]
            before = known.get(named, NONE)
            chosen = st.selectbox(
                label, options, index=options.index(before) if before in options else 0, width=180, persist_state="session",
                key=pending.key(draft, f"column of file {place}", role),
            )  # fmt: skip
            if chosen != (before if before in options else NONE):
                stated[f"{part.name}:{named}"] = "" if chosen == NONE else chosen
    return stated
