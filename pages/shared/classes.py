"""More than two classes: each against the rest, and what balanced accuracy and macro J have to do with each other."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.judge_selection.classes import class_scores_of
from metrics.analyses.judge_selection.golden import GoldenTable, golden_of
from metrics.analyses.judge_selection.readings_classes import HOLDS, STATED, published, relation
from metrics.results.words import UNDEFINED, bounds, count, number, percent, plain
from pages.shared import cached, intervals, parts, sheets, state
from pages.shared.plain import emphasis

CLAIM = f"Collot et al. (section 5.1) say that the two remain linearly related with n classes: {STATED}."
ABOUT = {
    "TPR": "Of the decisions the reference puts into this class, the share the judge puts there too.",
    "FPR": "Of the decisions the reference puts into any other class, the share the judge puts into this one.",
    "J": "TPR less FPR of this class against all others together, one-vs-rest.",
}


def of_judge(dataset: state.Dataset, chosen: state.Choices) -> GoldenTable:
    """Return the judge in view on the decisions of all criteria, with default intervals."""
    return cached.once(golden_of, dataset, chosen.judge, intervals.jackknife_settings(dataset, chosen))


def table(golden: GoldenTable, key: str) -> None:
    """Every class of one judge."""
    scores = class_scores_of(golden)
    sheets.frame(
        {
            "class": [plain(class_score.label) for class_score in scores],
            "reference": [count(class_score.n) for class_score in scores],
            "judge": [count(class_score.judged) for class_score in scores],
            "TPR": [percent(class_score.recall) for class_score in scores],
            "FPR": [percent(class_score.fpr) for class_score in scores],
            "J": [number(class_score.youden_j.value) for class_score in scores],
            f"{percent(golden.confidence)} interval": [bounds(class_score.youden_j.ends) for class_score in scores],
        },
        "Class by class (CSV)", "classes.csv", key,
        placeholder=UNDEFINED, alt=f"Each class against the rest, {plain(golden.name)}",
        column_config={name: st.column_config.TextColumn(name, help=text) for name, text in ABOUT.items()},
    )  # fmt: skip


def note(golden: GoldenTable, rank_alike: str = "") -> None:
    """What is so on this data, when the two rank alike, and two counterexamples."""
    parts.reading(relation(golden, emphasis))
    if rank_alike:
        st.markdown(rank_alike)
    if state.in_room_view():
        return
    with st.expander("When do balanced accuracy and macro J rank alike?"):
        st.markdown(CLAIM)
        st.markdown("\n".join(f"- {text[:1].upper()}{text[1:]}" for text in (HOLDS, *published())))
