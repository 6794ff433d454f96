"""The right side of the page: what the file seems to say, each part editable, then one button."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics import InputError
from metrics.data.labels import EMPTY_CELL
from metrics.data.similar_names import groups_text
from metrics.data.threshold import Threshold
from metrics.readers import Proposal
from metrics.readers.crossing import parts_of
from metrics.readers.merging import groups_of
from metrics.readers.names import EACH_ROW
from metrics.readers.rater_roles import guess_role
from metrics.readers.settled import columns_settled
from metrics.readers.unnamed_columns import NO_ITEM
from metrics.results.words import count, listed
from pages.shared import parts, state
from pages.shared.data import joined, meanings, pending, scales
from pages.shared.data.pending import Draft
from pages.shared.data.questions import REST, Questions, question
from pages.shared.plain import escape, sentence, short

NONE, BOTH = "–", ""
MOST_NOTES = 3
"""Sentences on how the file was read that stand above the questions; all are in what was read, once it is used."""
MOST_OTHERS = 8
"""Columns without a role that are named; all are in the lists of each role."""
FORGET = "Ask everything again, for this file and for others with these columns."
AS_OTHERS = "like all others"
NOBODY_SAYS = "Who is human, who is a judge? No column of the file says it."
SHAPES = {
    "pairs": "a human's and a judge's verdict on one item",
    "raters": "one rater's verdict on one item",
    "wide": "one item, with a column for each rater",
    "counts": "a count of decisions",
}
ROLES: dict[str, dict[str, str]] = {
    "pairs": {
        "item": "Item", "criterion": "Criterion", "judge": "Name of the judge", "human": "The human's verdict",
        "verdict": "The judge's verdict", "rater": "Name of the human", "score": "The judge's score",
    },
    "raters": {
        "item": "Item", "criterion": "Criterion", "rater": "Name of the rater", "role": "Human or judge", "label": "The verdict",
        "score": "The score",
    },
    "wide": {"item": "Item", "criterion": "Criterion"},
    "counts": {"human": "The human's verdict", "judge": "The judge's verdict", "n": "How many"},
}  # fmt: skip
REPEATS = {"refuse": "Do not open the file", "last": "The last one counts", "first": "The first one counts"}
WHO = {"human": "human", "judge": "judge", "none": "left out"}
WIDE_WHO = {"not read": "", "a human's verdicts": "human", "a judge's verdicts": "judge"}


def column(draft: Draft) -> None:
    """Everything stated on this side goes to the package, which says what it makes of it; one question at a time stands first."""
    _head(draft)
    start = draft.start()
    problem, pictured, asked, button = (st.container() for _ in range(4))
    rest = st.expander(REST, expanded=not pending.waiting(), key="data.rest")
    questions = Questions(draft, asked, rest)
    if isinstance(start, InputError):
        problem.error(sentence(str(start)), icon=":material/error:")
    with problem:
        _repeats(draft)
    read = _read(draft, start, questions, problem, pictured)
    if read is None:
        return
    stated, read, item_open = read
    scaled = scales.ask(draft, _answered(draft, stated, read), questions)
    if scaled:
        measured = draft.proposal(stated, {}, (), scaled)
        if isinstance(measured, InputError):
            problem.error(sentence(str(measured)), icon=":material/error:")
            return
        read = measured
    meaning = rest.container()
    with questions.place("labels", is_open=any(doubt.about == "labels" and not doubt.told for doubt in read.doubts)):
        of_labels = st.container()
        labels, order = meanings.ask(draft, read)
    final = draft.proposal(stated, labels, order, scaled) if stated or labels or order else read
    with of_labels:
        _doubts(read if isinstance(final, InputError) else final, "labels")
    if isinstance(final, InputError):
        problem.error(sentence(str(final)), icon=":material/error:")
        return
    with meaning:
        scales.means(draft, final)
    questions.next()
    with button:
        _small(final.notes)
        _positive(draft, final)
        _use(draft, final, item_open)


def _read(
    draft: Draft, start: Proposal | InputError, questions: Questions, problem: DeltaGenerator, pictured: DeltaGenerator
) -> tuple[dict[str, str], Proposal, bool] | None:
    """Return what is stated of columns, names and people, what the package makes of it, and whether the item is open."""
    known, both = start if isinstance(start, Proposal) else None, None
    in_doubt = known is None or not (known.labels and columns_settled(draft.table, known))
    with questions.place("columns", is_open=in_doubt and not _two_people(known)):
        of_columns = st.container()
        shape, stated = joined.shape_and_columns(draft, pictured) if draft.table.parts else _columns(draft, start)
    if known is not None and shape == known.shape and _two_people(known) and not stated:
        with questions.place("both", is_open=True):
            both = _both(draft, dict(known.columns))
        stated |= both or {}
    read = draft.proposal(stated, {}, ()) if stated else start
    if isinstance(read, InputError):
        if stated:
            problem.error(sentence(str(read)), icon=":material/error:")
        return None
    with of_columns:
        _doubts(read, "columns")
    _merging(draft, read, questions)
    stated |= _people(draft, read, questions) if both is None and not draft.table.parts else {}
    return stated, read, _item_open(draft, start, shape)


def _head(draft: Draft) -> None:
    st.header("What we understood", anchor=False)
    merged = draft.table.merged
    n_rows = draft.table.n_rows if merged is None else merged.n_rows
    rows, columns = _number(n_rows, "row", "rows"), _number(len(draft.table.columns), "column", "columns")
    tallied = "" if merged is None else " A tally: items that are alike were merged when the rows were counted."
    sheet = f" Sheet {short(draft.table.sheets[0])} of {count(len(draft.table.sheets))}." if draft.table.sheets else ""
    recognised = f" Recognised: {escape(draft.table.format)}." if draft.table.format else ""
    st.markdown(f"**{short(draft.table.name)}**: {rows}, {columns}.{sheet}{tallied}{recognised}")
    of_join = () if draft.table.join is None else draft.table.join.sentences()
    _small([note for note in draft.table.notes if note not in of_join])
    _as_before(draft)


def _small(notes: Sequence[str]) -> None:
    """How the file is read, and what of it is not; that it is joined is a picture of its own."""
    if notes:
        st.markdown(f":small[{escape(' '.join(notes[:MOST_NOTES]))}]")


def _as_before(draft: Draft) -> None:
    """Which answers to another file are taken over, and which are not."""
    if not draft.like or not pending.waiting():
        return
    why = sentence(draft.unlike)
    if not draft.as_before and not why:
        return
    how = ("In part as" if why else "As") if draft.as_before else "Not as"
    line = f"{how} you answered for **{short(draft.like)}**{f': {why}' if why else ''}."
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="as_before"):
        st.markdown(line, width="content")
        st.button("Forget", key="data.forget_answers", on_click=pending.forget_answers, type="tertiary", help=FORGET)


def _repeats(draft: Draft) -> None:
    """Which row counts where two contradict each other; asked once the file was refused for it."""
    if not (draft.memo.get(pending.CONTRADICTS) or draft.given.repeats):
        return
    st.segmented_control(
        "Rows that contradict each other",
        list(REPEATS),
        default=draft.given.repeats or "refuse",
        required=True,
        format_func=REPEATS.get,
        key=pending.repeats_key(draft),
        on_change=pending.forget_error,
        help="Rows that give the same rating twice, and differently. Rows that agree count once.",
        persist_state="session",
    )


def _columns(draft: Draft, start: Proposal | InputError) -> tuple[str, dict[str, str]]:
    """Return shape and stated columns, as far as they differ from what was understood from the file alone."""
    proposal = start if isinstance(start, Proposal) else Proposal("pairs", ())
    shape = st.selectbox(
        "Each row is",
        list(SHAPES),
        index=list(SHAPES).index(proposal.shape),
        format_func=SHAPES.get,
        key=pending.key(draft, "shape"),
        persist_state="session",
    )
    proposed = dict(proposal.columns) if shape == proposal.shape else {}
    open_roles = {"item"} if _lacks_item(proposal) else set()
    stated = _roles(draft, shape, proposed, open_roles)
    if shape == "wide":
        stated |= _wide(draft, proposed)
    if shape == "counts" and "rows" in proposed:
        who = st.selectbox(
            "The rows hold", ("human", "judge"), index=("human", "judge").index(proposed["rows"]), key=pending.key(draft, "rows")
        )
        stated = {"rows": who}
    changed = any(stated.get(role, "") != column for role, column in proposed.items()) or any(
        column and role not in proposed for role, column in stated.items()
    )
    return shape, stated if changed else {}


def _roles(draft: Draft, shape: str, proposed: Mapping[str, str], open_roles: Collection[str]) -> dict[str, str]:
    stated: dict[str, str] = {}
    if shape == "counts" and "rows" in proposed:
        return stated
    with st.container(horizontal=True, key="roles"):
        for role, label in ROLES[shape].items():
            made = role in proposed and proposed[role] not in draft.table.columns
            extra_options = [proposed[role]] if made else []
            options = [NONE, *extra_options, *draft.table.columns]
            default_column = NONE if role in open_roles else proposed.get(role, NONE)
            chosen = st.selectbox(
                label,
                options,
                index=options.index(default_column) if default_column in options else 0,
                format_func=lambda column: "each row is an item" if column == EACH_ROW else column,
                key=pending.key(draft, f"column {shape}", role),
                persist_state="session",
                width=200,
            )
            if chosen != NONE:
                stated[role] = chosen
            elif role in proposed:
                stated[role] = EACH_ROW if proposed[role] == EACH_ROW else ""
    joint = parts_of(stated.get("item", ""), draft.table.columns)
    if joint:
        st.markdown(f":small[Several items share one {short(joint[0])}; intervals leave them out together.]")
    if shape != "wide":
        unasked = (column for role, column in proposed.items() if role not in ROLES[shape])
        parts = (part for name in stated.values() for part in parts_of(name, draft.table.columns))
        taken = {*stated.values(), *parts, *unasked}
        _without_role([column for column in draft.table.columns if column not in taken])
    return stated


def _without_role(columns: list[str]) -> None:
    """Name the columns that no question is about, and what can use them."""
    if columns:
        which = "this column" if len(columns) == 1 else "these columns"
        names = listed([short(column) for column in columns], MOST_OTHERS)
        st.markdown(f":small[Without a role: {names}. Filters, groups and lists can use {which}.]")


def _wide(draft: Draft, proposed: Mapping[str, str]) -> dict[str, str]:
    """Return who gave the verdicts of which column; one row per column of the file."""
    names = {column: role for role, column in proposed.items() if ":" in role}
    holds = {who: what for what, who in WIDE_WHO.items()}
    of_item = {proposed.get("item", ""), *parts_of(proposed.get("item", ""), draft.table.columns)}
    columns = [name for name in draft.table.columns if name not in of_item]
    frame = draft.memo.setdefault(
        "wide", {"column": columns, "holds": [holds.get(names.get(name, "").split(":")[0], "not read") for name in columns]}
    )
    edited = st.data_editor(
        frame,
        key=pending.key(draft, "wide"),
        hide_index=True,
        disabled=["column"],
        column_config={"holds": st.column_config.SelectboxColumn("holds", options=list(WIDE_WHO), required=True)},
        alt="What each column holds",
    )
    stated = {}
    for column, what in zip(edited["column"], edited["holds"], strict=True):
        who = WIDE_WHO[what]
        if who:
            rest = names.get(column, f":{column}").split(":", 1)[1]
            stated[f"{who}:{rest}"] = column
    return stated


def _merging(draft: Draft, read: Proposal, questions: Questions) -> None:
    """Whether criteria and raters that differ in case or blanks alone are one; nothing where no names are alike."""
    groups = groups_of(draft.table, dict(read.columns))
    if not groups:
        return
    names = sentence(groups_text([group for column_groups in groups.values() for group in column_groups]))
    with questions.place("names", is_open=True):
        st.checkbox(
            f"Merge names that differ in case or blanks alone: {names}", value=bool(draft.given.merge_spellings),
            key=pending.merging_key(draft), persist_state="session",
        )  # fmt: skip


def _two_people(proposal: Proposal | None) -> list[tuple[str, str]]:
    """Return role and column of two columns of labels of one question that are taken for those of two people.

    Nothing where a judge is known.
    """
    roles = [] if proposal is None else list(proposal.columns)
    people = [(role, column) for role, column in roles if role.startswith("human:") and "::" not in role]
    others = any(role.startswith(("judge:", "rater:")) for role, _ in roles)
    return people if len(people) == 2 and not others else []


def _both(draft: Draft, proposed: Mapping[str, str]) -> dict[str, str]:
    """Return whether two columns of labels are of two people, or which of them is the judge's."""
    people = [(role, column) for role, column in proposed.items() if role.startswith("human:")]
    who = st.segmented_control(
        "Who gave the labels?",
        [BOTH, *(column for _, column in people)],
        default=BOTH,
        required=True,
        format_func=lambda column: "Both are people" if column == BOTH else f"{short(column)} is the judge",
        key=pending.key(draft, "both"),
        persist_state="session",
    )
    if who == BOTH:
        return {}
    turned = {f"judge:{role.split(':', 1)[1]}" if column == who else role: column for role, column in people}
    return {role: column for role, column in proposed.items() if not role.startswith("human:")} | turned


def _lacks_item(start: Proposal | InputError) -> bool:
    """Return whether no column seems to hold the item's id; where one does that is no item, each row is proposed as one."""
    return isinstance(start, Proposal) and any(doubt.sentence == NO_ITEM for doubt in start.doubts)


def _item_open(draft: Draft, start: Proposal | InputError, shape: str) -> bool:
    """Return whether no column seems to hold the item's id, and nobody has said which does, or that each row is an item."""
    return _lacks_item(start) and st.session_state.get(pending.key(draft, f"column {shape}", "item"), NONE) == NONE


def _doubts(proposal: Proposal, about: str) -> None:
    """What is in doubt of a file that waits; a file in use has its answers."""
    if not pending.waiting():
        return
    for text in dict.fromkeys(doubt.sentence for doubt in proposal.doubts if doubt.about == about and not doubt.told):
        question(text)


def _of_one(read: Proposal) -> bool:
    """Return whether the columns of a file are those of one rater of a known role, who is compared with nobody."""
    return read.shape == "wide" and len(read.roles) == 1 and read.roles[0][1] is not None


def _people(draft: Draft, read: Proposal, questions: Questions) -> dict[str, str]:
    """Return who is human and who is a judge, where no column says it."""
    unsaid = any(role is None for _, role in read.roles) or (
        not _of_one(read) and any(doubt.about == "roles" for doubt in read.doubts)
    )
    if not read.roles or not (unsaid or any(key.startswith(pending.ROLE) for key, _ in draft.given.columns)):
        return {}
    with questions.place("people", is_open=unsaid):
        st.markdown(f":material/help: {NOBODY_SAYS}" if questions.asks("people") else "**Who is human and who is a judge**")
        everyone = st.selectbox("All others are", ("human", "judge"), key=pending.key(draft, "everyone"), persist_state="session")
        frame = draft.memo.setdefault(
            "people",
            {
                "rater": [name for name, _ in read.roles],
                "is": [role or guess_role(name) or AS_OTHERS for name, role in read.roles],
            },
        )
        edited = st.data_editor(
            frame,
            key=pending.key(draft, "people"),
            hide_index=True,
            disabled=["rater"],
            column_config={"is": st.column_config.SelectboxColumn("is", options=[AS_OTHERS, *WHO], required=True)},
            height=min(38 + 35 * len(read.roles), 250),
            alt="Who is human and who is a judge",
        )
    role_by_rater = {f"role:{name}": who for name, who in zip(edited["rater"], edited["is"], strict=True) if who in WHO}
    return role_by_rater | {"role:*": everyone}


def _positive(draft: Draft, final: Proposal) -> None:
    scheme = final.scheme
    if not final.labels:
        return
    if scheme.of("number") or "ordinal" in dict(final.scales).values():
        return
    if scheme.scale != "binary":
        classes = listed([short(label) for label in scheme.classes], 6)
        st.markdown(f"**{count(len(scheme.classes))} classes**, none of them the positive one: {classes}.")
        return
    others = [label for label in scheme.of("positive") if label != scheme.classes[0]]
    also = f" (also {', '.join(short(label) for label in others[:4])})" if others else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        cut = f"; of a judge’s numbers **{Threshold.of(final.threshold).words}**" if final.threshold else ""
        st.markdown(f"**Positive verdict:** {short(scheme.classes[0])}{also}{cut}", width="stretch")
        turned = {"positive": "negative", "negative": "positive"}
        swapped = {meanings.key(draft, row.label): turned[row.kind] for row in final.labels if row.kind in turned}
        st.button("Swap positive and negative", key=pending.key(draft, "swap"), on_click=_swap, args=(swapped,))


def _swap(swapped: Mapping[str, str]) -> None:
    st.session_state.update(swapped)


def _answered(draft: Draft, stated: Mapping[str, str], read: Proposal) -> Proposal:
    """Return the proposal with what was already said of its labels: a scale rests on what they mean."""
    labels, order = meanings.answers(draft, read)
    proposal = draft.proposal(stated, labels, order) if labels or order else read
    return read if isinstance(proposal, InputError) else proposal


def _use(draft: Draft, final: Proposal, item_open: bool) -> None:
    if not final.labels:
        st.markdown("Choose the columns to go on.")
    elif item_open:
        st.markdown("Choose the column of the item, or say there that each row is an item.")
    elif _of_one(final) and pending.waiting():
        who, other = ("human", "judge") if final.roles[0][1] == "human" else ("judge", "human")
        st.info(f"These are the labels of one {who}. Drop in those of a {other} beside them: they are joined by the item’s id.")
    pending.offer(draft, final)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Analyse this file",
            type="primary",
            key="data.use",
            disabled=not final.labels or item_open,
            on_click=pending.use_and_show,
            args=(draft.id,),
            icon=":material/check:",
        )
        if pending.waiting():
            st.button("Cancel", key="data.forget", on_click=pending.forget, type="tertiary")
        elif state.whole_dataset() is not None:
            parts.overview_link()


def summary(dataset: state.Dataset) -> None:
    """What a data set that was not dropped in here holds."""
    ratings = dataset.ratings
    st.header("What we understood", anchor=False)
    st.markdown(f"**{escape(dataset.title)}**: {SHAPES[ratings.source.shape]} in each row.")
    kinds = f" of {_number(ratings.n_unique, 'kind', 'kinds')} (a tally)" if ratings.source.tallied else ""
    items = f"{count(ratings.n_items)} items{kinds}, " if ratings.has_items else ""
    st.markdown(
        f"{items}{_number(len(ratings.criteria), 'criterion', 'criteria')}, {_number(len(ratings.humans), 'human', 'humans')}, "
        f"{_number(len(ratings.judges), 'judge', 'judges')}."
    )
    if ratings.columns:
        st.markdown("  \n".join(f"{escape(role)}: column *{short(name)}*" for role, name in ratings.columns_of_file[:12]))
    st.markdown("**What each label means**")
    st.markdown("\n".join(f"- {short(label or EMPTY_CELL)}: {meanings.KINDS[kind]}" for label, kind in ratings.scheme.kinds))
    scales.summary(dataset)
    parts.overview_link()


def _number(n: int, singular: str, many: str) -> str:
    return f"{count(n)} {singular if n == 1 else many}"
