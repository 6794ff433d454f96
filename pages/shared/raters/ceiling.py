"""How far a judge could agree with people at best: as far as one of them agrees with the others."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from metrics import InputError
from metrics.analyses.leading import leading
from metrics.analyses.raters.alternative import HUMANS, alternative_annotator
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling, rule_for
from metrics.analyses.raters.provenance import alternative_copied, ceiling_copied
from metrics.analyses.raters.readings_evidence import OTHERS, alternative_reading, ceiling_reading, together_reading
from metrics.analyses.raters.result import RatersReport
from metrics.data.references import AUTO
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, bounds, count, p3, percent, plain, value
from pages.shared import asking, parts, sheets, state
from pages.shared.plain import emphasis
from pages.shared.raters.asking import CRITERION

WHO, METRIC, EPSILON_KEY = "raters_are", "raters_ceiling_metric", "raters_epsilon"
OWN = "own"
KINDS = {
    "skilled": "Skilled annotators, ε 0.15",
    "experts": "Experts, ε 0.2",
    "crowd": "Crowd workers, ε 0.1",
    OWN: "ε of your own",
}
METRICS = ("kappa", "accuracy")
Side = Literal["judge", "human", "difference"]
NO_HUMANS = "The ceiling is what one human reaches against the other humans; these raters are judges, or one human alone."
KIND_HELP = "By how much the judge may be worse than a human and still pass. The dearer the humans, the more."


def section(its: state.Dataset, report: RatersReport) -> None:
    if len(its.ratings.humans) < 2:
        st.info(NO_HUMANS, icon=":material/info:")
        return
    chosen = state.choices()
    judge = chosen.judge if chosen is not None else None
    rule = rule_for(its.ratings, chosen.reference if chosen else AUTO)
    parts.headed(
        "How well could a judge do here?",
        f"one human left out at a time: {'that human and the judge, both' if judge else 'that human'} against {OTHERS[rule]}",
    )
    known = tuple(dict.fromkeys((leading(its.ratings, report.declaration.abstention), *METRICS)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        asking.metric(known, METRIC, 220)
        asking.criterion(its.ratings.criteria, CRITERION, 240, every="All criteria pooled")
    wanted = st.session_state.get(CRITERION)
    criterion = wanted if wanted in report.criteria and len(report.criteria) > 1 else None
    try:
        found = human_ceiling(
            its.ratings, judge, asking.held(METRIC, known), abstention=report.declaration.abstention,
            reference=rule, criterion=criterion,
        )  # fmt: skip
    except InputError as error:
        parts.refused(error)
        return
    parts.headline(_headline(report, found), "headline_ceiling")
    parts.reading(ceiling_reading(found, emphasis))
    _table(found)
    if judge is not None:
        _alternative(its, report, judge, found, criterion)


def _headline(report: RatersReport, found: Ceiling) -> list[parts.Headline]:
    record = BY_KEY[found.metric]

    def one(side: Side, label: str, own: Estimate, unit: str, what: str) -> parts.Headline:
        text = ceiling_copied(report, found, side)
        return parts.Headline(label, value(own.value, unit), bounds(own.ends, unit, without="no interval"), what, copied=text)

    symbol, unit = record.symbol, record.unit
    human = one("human", f"A human, {symbol}", found.human, unit, "Mean over the humans left out.")
    if found.judge is None:
        return [human]
    against, paired = "Against the same remaining humans.", "Paired: the same decisions and humans on both sides."
    return [
        one("judge", f"The judge, {symbol}", found.value, unit, against),
        human,
        one("difference", "Judge less human", found.difference, "points" if unit else "", paired),
    ]


def _table(found: Ceiling) -> None:
    record = BY_KEY[found.metric]
    sheets.frame(
        {
            "left out": [plain(one.name) for one in found.left_out],
            "decisions": [one.n for one in found.left_out],
            f"human, {record.symbol}": [value(one.human, record.unit) for one in found.left_out],
            **({f"judge, {record.symbol}": [value(one.judge, record.unit) for one in found.left_out]} if found.judge else {}),
            "note": [one.undefined or ("" if one.counted else f"fewer than {found.least} decisions") for one in found.left_out],
        },
        "Humans left out (CSV)", "ceiling.csv", "raters.ceiling", placeholder=UNDEFINED,
        alt="The judge and each human against the other humans",
    )  # fmt: skip


def _alternative(its: state.Dataset, report: RatersReport, judge: str, ceiling: Ceiling, criterion: str | None) -> None:
    parts.headed(
        "Is the judge less than ε worse than a human?",
        "alternative-annotator test: against each human, who of the two agrees more with the others, item by item",
    )
    if len(its.ratings.humans) < HUMANS:
        st.markdown(f"The test needs {HUMANS} humans or more; there are {count(len(its.ratings.humans))}.")
        return
    kind = asking.one_of("The humans are", KINDS, WHO, help=KIND_HELP)
    epsilon = _epsilon() if kind == OWN else kind
    found = alternative_annotator(
        its.ratings, judge, epsilon=epsilon, abstention=report.declaration.abstention, criterion=criterion
    )
    parts.headline(
        [
            parts.Headline(
                "Winning rate ω", percent(found.winning_rate.value),
                f"{count(found.n_won)} of {count(len(found.tested))} humans",
                "Share of humans than whom the judge is less than ε worse.", found.winning_rate.undefined,
                copied=alternative_copied(report, found, rate=True),
            ),
            parts.Headline(
                "Advantage probability ρ", percent(found.advantage.value),
                bounds(found.advantage.ends, "%", without="no interval"),
                "How often the judge agrees with the others at least as much as the human does.",
                copied=alternative_copied(report, found, rate=False),
            ),
        ],
        "headline_alternative",
    )  # fmt: skip
    parts.reading(alternative_reading(found, emphasis))
    beside = together_reading(ceiling, found)
    if beside:
        st.markdown(f"**Beside the ceiling:** {beside}")
    sheets.frame(
        {
            "human": [plain(one.name) for one in found.annotators],
            "items": [one.n_items for one in found.annotators],
            "judge as like": [value(one.advantage) for one in found.annotators],
            "human as like": [value(one.human_advantage) for one in found.annotators],
            "p, corrected": [p3(one.corrected) for one in found.annotators],
            "judge wins": ["yes" if one.won else one.undefined or "no" for one in found.annotators],
        },
        "The judge against each human (CSV)", "alternative.csv", "raters.alternative", placeholder=UNDEFINED,
        alt="The judge against each human",
    )  # fmt: skip


def _epsilon() -> float:
    return float(st.number_input("ε", 0.0, 0.5, value=0.15, step=0.01, width=120, key=EPSILON_KEY, **asking.BOUND))
