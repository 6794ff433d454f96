"""How far a judge could agree with people at best: as far as one of them agrees with the others."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from metrics import InputError
from metrics.analyses.leading import leading
from metrics.analyses.raters.alternative import HUMANS, alternative_annotator
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling, rule_for
from metrics.analyses.raters.provenance import alternative_citation, ceiling_citation
from metrics.analyses.raters.readings_ceiling import (
    OTHERS,
    alternative_reading,
    ceiling_reading,
    margin_reading,
    together_reading,
)
from metrics.analyses.raters.result import RatersReport
from metrics.data.references import AUTO
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, apart, count, p3, percent, plain, value
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
MARGIN = "raters_ceiling_margin"
MARGIN_HELP = "How much worse than a human the judge may be. State it before you look; of shares, 0.05 is 5 points."
Side = Literal["judge", "human", "difference"]
NO_HUMANS = "The ceiling is what one human reaches against the other humans; these raters are judges, or one human alone."
KIND_HELP = "By how much the judge may be worse than a human and still pass. The dearer the humans, the more."


def section(dataset: state.Dataset, report: RatersReport) -> None:
    if len(dataset.ratings.humans) < 2:
        st.info(NO_HUMANS, icon=":material/info:")
        return
    chosen = state.choices()
    judge = chosen.judge if chosen is not None else None
    rule = rule_for(dataset.ratings, chosen.reference if chosen else AUTO)
    parts.headed(
        "How well could a judge do here?",
        f"one human left out at a time: {'that human and the judge, both' if judge else 'that human'} against {OTHERS[rule]}",
    )
    known = tuple(dict.fromkeys((leading(dataset.ratings, report.declaration.abstention), *METRICS)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        asking.metric(known, METRIC, 220)
        asking.criterion(dataset.ratings.criteria, CRITERION, 240, every="All criteria pooled")
        if judge is not None:
            st.number_input(
                "Margin", 0.001, 0.999, None, step=0.01, format="%.3g", placeholder="none", key=MARGIN, help=MARGIN_HELP,
                width=120, **asking.BOUND,
            )  # fmt: skip
    criterion = asking.chosen_criterion(report.criteria, CRITERION)
    try:
        ceiling = human_ceiling(
            dataset.ratings, judge, asking.held(METRIC, known), abstention=report.declaration.abstention,
            reference=rule, criterion=criterion,
        )  # fmt: skip
    except InputError as error:
        parts.refused(error)
        return
    parts.headline(_headline(report, ceiling), "headline_ceiling")
    margin = st.session_state.get(MARGIN) if judge is not None else None
    of_margin = f" {margin_reading(ceiling, float(margin), emphasis)}" if margin else ""
    parts.reading(f"{ceiling_reading(ceiling, emphasis)}{of_margin}")
    _table(ceiling)
    if judge is not None:
        _alternative(dataset, report, judge, ceiling, criterion)


def _headline(report: RatersReport, ceiling: Ceiling) -> list[parts.Headline]:
    record = BY_KEY[ceiling.metric]

    def card(side: Side, label: str, estimate: Estimate, unit: str, what: str) -> parts.Headline:
        text = ceiling_citation(report, ceiling, side)
        return parts.Headline(label, *apart(estimate, unit, "no interval"), what, citation=text)

    symbol, unit = record.symbol, record.unit
    human = card("human", f"A human, {symbol}", ceiling.human, unit, "Mean over the humans left out.")
    if ceiling.judge is None:
        return [human]
    against, paired = "Against the same remaining humans.", "Paired: the same decisions and humans on both sides."
    return [
        card("judge", f"The judge, {symbol}", ceiling.value, unit, against),
        human,
        card("difference", "Judge less human", ceiling.difference, "points" if unit else "", paired),
    ]


def _table(ceiling: Ceiling) -> None:
    record = BY_KEY[ceiling.metric]
    sheets.frame(
        {
            "left out": [plain(left_one_out.name) for left_one_out in ceiling.left_out],
            "decisions": [left_one_out.n for left_one_out in ceiling.left_out],
            f"human, {record.symbol}": [value(left_one_out.human, record.unit) for left_one_out in ceiling.left_out],
            **(
                {f"judge, {record.symbol}": [value(left_one_out.judge, record.unit) for left_one_out in ceiling.left_out]}
                if ceiling.judge else {}
            ),
            "note": [
                left_one_out.undefined or ("" if left_one_out.counted else f"fewer than {ceiling.least} decisions")
                for left_one_out in ceiling.left_out
            ],
        },
        "Humans left out (CSV)", "ceiling.csv", "raters.ceiling", placeholder=UNDEFINED,
        alt="The judge and each human against the other humans",
    )  # fmt: skip


def _alternative(dataset: state.Dataset, report: RatersReport, judge: str, ceiling: Ceiling, criterion: str | None) -> None:
    parts.headed(
        "Is the judge less than ε worse than a human?",
        "alternative-annotator test: against each human, who of the two agrees more with the others, item by item",
    )
    if len(dataset.ratings.humans) < HUMANS:
        st.markdown(f"The test needs {HUMANS} humans or more; there are {count(len(dataset.ratings.humans))}.")
        return
    kind = asking.one_of("The humans are", KINDS, WHO, help=KIND_HELP)
    epsilon = _epsilon() if kind == OWN else kind
    alternative_test = alternative_annotator(
        dataset.ratings, judge, epsilon=epsilon, abstention=report.declaration.abstention, criterion=criterion
    )
    parts.headline(
        [
            parts.Headline(
                "Winning rate ω", percent(alternative_test.winning_rate.value),
                f"{count(alternative_test.n_won)} of {count(len(alternative_test.tested))} humans",
                "Share of humans than whom the judge is less than ε worse.", alternative_test.winning_rate.undefined,
                citation=alternative_citation(report, alternative_test, rate=True),
            ),
            parts.Headline(
                "Advantage probability ρ",
                *apart(alternative_test.advantage, "%", "no interval"),
                "How often the judge agrees with the others at least as much as the human does.",
                citation=alternative_citation(report, alternative_test, rate=False),
            ),
        ],
        "headline_alternative",
    )  # fmt: skip
    parts.reading(alternative_reading(alternative_test, emphasis))
    beside = together_reading(ceiling, alternative_test)
    if beside:
        st.markdown(f"**Beside the ceiling:** {beside}")
    sheets.frame(
        {
            "human": [plain(annotator.name) for annotator in alternative_test.annotators],
            "items": [annotator.n_items for annotator in alternative_test.annotators],
            "judge as like": [value(annotator.advantage) for annotator in alternative_test.annotators],
            "human as like": [value(annotator.human_advantage) for annotator in alternative_test.annotators],
            "p, corrected": [p3(annotator.corrected) for annotator in alternative_test.annotators],
            "judge wins": ["yes" if annotator.won else annotator.undefined or "no" for annotator in alternative_test.annotators],
        },
        "The judge against each human (CSV)", "alternative.csv", "raters.alternative", placeholder=UNDEFINED,
        alt="The judge against each human",
    )  # fmt: skip


def _epsilon() -> float:
    return float(st.number_input("ε", 0.0, 0.5, value=0.15, step=0.01, width=120, key=EPSILON_KEY, **asking.BOUND))
