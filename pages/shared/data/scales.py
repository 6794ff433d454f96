"""The scale of every criterion: what is proposed and why, what can be chosen instead, and what it means for the pages."""

from __future__ import annotations

import streamlit as st

from metrics.data.labels import NUMBER
from metrics.data.scale_words import SCALE_MEANS, SCALE_NAMES, counted_on
from metrics.data.scales import SCALES, CriterionScale, Scales, scales_of
from metrics.data.vocabulary import is_number
from metrics.readers import Proposal
from metrics.readers.scaling import proposed_scales
from metrics.results.words import count
from pages.shared import state
from pages.shared.data import pending
from pages.shared.data.pending import Draft
from pages.shared.data.questions import Questions
from pages.shared.plain import escape, short

QUESTION = ":material/help: The labels are numbers. What kind of numbers?"
ONE_BY_ONE = 12
"""Criteria with a selector each; more are asked in one table."""


def ask(draft: Draft, read: Proposal, questions: Questions) -> dict[str, str]:
    """Return scales to state: those that differ from what the labels say by themselves, and numbers, which are labels or
    scores.
    """
    if not read.labels:
        return {}
    proposed = _proposed(draft, read)
    numeric = {scale.criterion for scale in proposed.criteria if scale.scale in ("ordinal", "continuous") and _numeric(scale)}
    told = all(doubt.told for doubt in read.doubts if doubt.about == "scale") and not any(
        scale.scale == "ordinal" for scale in proposed.criteria if scale.criterion in numeric
    )
    in_doubt = bool(numeric - dict(draft.given.scale).keys()) and not read.order and not told
    with questions.place("scale", is_open=in_doubt):
        if questions.asks("scale"):
            _of_all(draft, [scale for scale in proposed.criteria if scale.criterion in numeric])
    with questions.rest.container(key="scales"):
        st.markdown(f"**Scale of {'the criterion' if len(proposed.criteria) == 1 else 'each criterion'}**")
        few = len(proposed.criteria) <= ONE_BY_ONE
        chosen = _one_by_one(draft, proposed) if few else _in_a_table(draft, proposed)
    return {
        scale.criterion: chosen[scale.criterion]
        for scale in proposed.criteria
        if chosen[scale.criterion] != scale.scale or scale.criterion in numeric
    }


def _of_all(draft: Draft, numeric: list[CriterionScale]) -> None:
    """One answer for all criteria of numbers that could be labels; each has a control of its own with what can be changed."""
    possible = [scale for scale in numeric[0].possible if all(scale in other.possible for other in numeric)]
    scales = {scale.scale for scale in numeric}
    st.radio(
        QUESTION if len(numeric) == 1 else f"{QUESTION} ({count(len(numeric))} criteria)",
        possible,
        index=possible.index(scales.pop()) if len(scales) == 1 else None,
        format_func=lambda scale: f"{SCALE_NAMES[scale]}: {SCALE_MEANS[scale]}",
        key=pending.key(draft, "scale of all"),
        on_change=_take,
        args=(draft, numeric),
        persist_state="session",
    )


def _take(draft: Draft, numeric: list[CriterionScale]) -> None:
    chosen = st.session_state[pending.key(draft, "scale of all")]
    for scale in numeric if chosen else ():
        st.session_state[_key(draft, scale)] = chosen


def _key(draft: Draft, scale: CriterionScale) -> str:
    return pending.key(draft, "scale", f"{scale.criterion} {scale.scale}")


def _numeric(scale: CriterionScale) -> bool:
    return all(label == NUMBER or is_number(label) for label in scale.classes)


def means(draft: Draft, final: Proposal) -> None:
    """Which pages take which criteria."""
    _pages(_proposed(draft, final))


def summary(dataset: state.Dataset) -> None:
    """The scales of a data set that was not dropped in here."""
    st.markdown("**Scale of each criterion**")
    _pages(scales_of(dataset.ratings))


def _pages(scales: Scales) -> None:
    st.markdown("\n".join(f"- {escape(line)}" for line in counted_on(scales)))


def _proposed(draft: Draft, read: Proposal) -> Scales:
    """Return found once for a proposal."""
    kept = draft.memo.setdefault("scales", {})
    mark = repr((read.shape, read.columns, read.labels, read.order, read.scales, read.scales_in_doubt))
    if mark not in kept:
        kept.clear()
        kept[mark] = proposed_scales(draft.table, read)
    scales: Scales = kept[mark]
    return scales


def _one_by_one(draft: Draft, proposed: Scales) -> dict[str, str]:
    chosen = {}
    for criterion_scale in proposed.criteria:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch", gap=None):
                st.markdown(
                    f"**{short(criterion_scale.criterion)}**",
                    help=escape(criterion_scale.criterion) if len(criterion_scale.criterion) > 28 else None,
                )
                st.markdown(f":small[{escape(criterion_scale.why)}]")
            chosen[criterion_scale.criterion] = st.selectbox(
                f"Scale of {criterion_scale.criterion}",
                criterion_scale.possible,
                index=criterion_scale.possible.index(criterion_scale.scale),
                format_func=lambda scale: SCALE_NAMES[scale],
                key=_key(draft, criterion_scale),
                label_visibility="collapsed",
                persist_state="session",
                width=210,
            )
    return chosen


def _in_a_table(draft: Draft, proposed: Scales) -> dict[str, str]:
    names = {name: scale for scale, name in SCALE_NAMES.items()}
    frame = {
        "criterion": [scale.criterion for scale in proposed.criteria],
        "scale": [SCALE_NAMES[scale.scale] for scale in proposed.criteria],
        "why": [scale.why for scale in proposed.criteria],
    }
    made = f"table {pending.mark_of(repr(frame).encode())[:8]}"
    edited = st.data_editor(
        draft.memo.setdefault(made, frame),
        key=pending.key(draft, "scale", made),
        hide_index=True,
        disabled=["criterion", "why"],
        column_config={"scale": st.column_config.SelectboxColumn("scale", options=list(SCALE_NAMES.values()), required=True)},
        height=min(38 + 35 * len(proposed.criteria), 320),
        alt=f"Scale of {count(len(proposed.criteria))} criteria",
    )
    wanted = {str(name): names[scale] for name, scale in zip(edited["criterion"], edited["scale"], strict=True)}
    impossible = [scale for scale in proposed.criteria if wanted[scale.criterion] not in scale.possible]
    if impossible:
        first: CriterionScale = impossible[0]
        could = ", ".join(SCALE_NAMES[scale] for scale in SCALES if scale in first.possible)
        st.warning(f"{escape(first.criterion)} stays as it is: its labels allow {could}.", icon=":material/warning:")
    return {scale.criterion: wanted[scale.criterion] if scale not in impossible else scale.scale for scale in proposed.criteria}
