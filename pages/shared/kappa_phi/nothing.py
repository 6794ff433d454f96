"""What the page says where there are more than two classes, and so no gap."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.leading import leading
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import AgreementReport
from metrics.data.abstention import MODE_NAMES
from metrics.data.nonverdicts import recodable
from metrics.results.words import count, number
from pages.shared import parts, state
from pages.shared.plain import escape

THIRD = "With three classes φ is not defined, and there is no gap to read. Choose Exclude"
RECODE = MODE_NAMES["as_unmet"]


def to_read(dataset: state.Dataset, chosen: state.Choices, report: AgreementReport) -> None:
    where = report, chosen.judge, chosen.level, leading(dataset.ratings, chosen.mode)
    parts.declaration(header(*where), citation(*where))
    block = report.judges[chosen.judge].level(chosen.level)
    parts.apart_from_order(block, "the gap to φ is one of such a κ")
    if dataset.ratings.scheme.scale == "binary":
        two = recodable(dataset.ratings)
        st.info(f"{THIRD}{f' or {RECODE}' if two else ''}.", icon=":material/info:")
        with st.container(horizontal=True):
            st.button("Exclude", type="primary", on_click=_choose, args=("exclude",))
            if two:
                st.button(RECODE, on_click=_choose, args=("as_unmet",))
    else:
        parts.lacking(
            f"This scale has {count(len(dataset.ratings.scheme.classes))} labels. φ needs two, so it is not defined, and there "
            "is no gap to read. Where some labels stand for yes and some for no, say so on the Data page.",
            "Change what the labels mean",
        )
    kappa, many = block.values["kappa"], block.values["mcc_multiclass"]
    reason = block.undefined.get("mcc_multiclass") or block.undefined.get("kappa")
    values = f"here κ is {number(kappa)} and R_K {number(many)}" + (f" ({reason})" if reason else "")
    st.markdown(
        escape(
            f"With more classes R_K takes the place of φ: κ is at most R_K in size, and equal where both sides use every label "
            f"equally often; {values}."
        )
    )


def _choose(mode: str) -> None:
    st.session_state["mode"] = mode
