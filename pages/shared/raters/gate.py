"""The gate: each criterion against the floor, sorted by verdict, and the next step the data point to."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.raters.advice import next_step, short_step
from metrics.analyses.raters.evidence import CriterionEvidence, Evidence
from metrics.analyses.raters.evidence import evidence as evidence_of
from metrics.analyses.raters.readings import gate_reading, single_people
from metrics.analyses.raters.readings_evidence import WEIGHTED_NOTE, evidence_readings
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.raters.tables import gate_heading, verdict_words
from metrics.figures import gate as gate_figure
from metrics.figures import gate_cards
from metrics.results.report import name_beside_all
from metrics.results.words import several, three
from pages.shared import asking, parts, screen, state
from pages.shared.plain import emphasis
from pages.shared.raters.asking import CRITERION, SHOW, level_asked

OF = "raters_evidence_of"
"""The criterion whose evidence is spelled out."""


def gate_evidence(dataset: state.Dataset, report: RatersReport) -> Evidence:
    return evidence_of(dataset.ratings, role=report.role, level=level_asked(dataset), abstention=report.declaration.abstention)


def of(report: RatersReport, label_evidence: Evidence, criterion: str) -> CriterionEvidence:
    return label_evidence.criteria[name_beside_all(criterion, report.criteria)]


def step(report: RatersReport, label_evidence: Evidence, criterion: str, name: Name = plain_name) -> str:
    gate = report.criteria[criterion].gate
    needed = gate.needed
    return next_step(
        of(report, label_evidence, criterion),
        gate.verdict,
        needed.n,
        would=gate.would,
        undefined=gate.reason,
        why_not=needed.reason,
        rare=gate.rare,
        name=name,
    )


def _short(report: RatersReport, label_evidence: Evidence, criterion: str) -> str:
    if report.role == "judge":
        return ""
    gate = report.criteria[criterion].gate
    return short_step(of(report, label_evidence, criterion), gate.verdict, gate.needed.n, undefined=gate.reason, rare=gate.rare)


def figure(report: RatersReport, label_evidence: Evidence) -> None:
    symbol, order = report.gate_symbol, " · sorted by verdict" if len(report.criteria) > 1 else ""
    whose = "of single people" if single_people(report) else f"among the {report.role}s"
    parts.headed(
        gate_heading(report),
        f"{symbol} {whose}, line: its interval · floor {three(report.bands.line)}{order}",
    )
    rows = [_row(report, label_evidence, name) for name in report.by_need()]
    key, draw = ("raters.gate_narrow", gate_cards.gate_cards) if screen.narrow() else ("raters.gate", gate_figure.gate_rows)
    parts.drawing(key, draw, gate_figure.alt, rows, asked=report.bands, symbol=symbol)
    parts.reading(gate_reading(report, emphasis))


def _row(report: RatersReport, label_evidence: Evidence, name: str) -> gate_figure.GateRow:
    block = report.criteria[name]
    return gate_figure.GateRow(
        name, block[block.judged], block.gate.verdict, block.n_pairable, block.n_raters, _short(report, label_evidence, name),
        block.undefined.get(block.judged, block.gate.reason),
        verdict_words(block.gate.verdict, "judge") if report.role == "judge" else "",
    )  # fmt: skip


def _list(criterion: str) -> None:
    """The disputed units of a criterion, in the list below."""
    st.session_state[SHOW], st.session_state[CRITERION] = "disagreements", criterion


def evidence(dataset: state.Dataset, report: RatersReport, label_evidence: Evidence) -> None:
    """Why: what the labels of one criterion show about the causes of disagreement."""
    names = report.by_need()
    with st.expander("Why do they disagree? What the labels show", expanded=False):
        if len(names) > 1:
            st.selectbox("Criterion", names, key=OF, width=320, **asking.BOUND)
        wanted = st.session_state.get(OF)
        name = wanted if wanted in names else names[0]
        criterion_evidence = of(report, label_evidence, name)
        if report.role == "human":
            st.markdown(f"**Next step:** {step(report, label_evidence, name, emphasis)}")
        if criterion_evidence.ambiguity.n_split and dataset.ratings.has_rows:
            many = several(criterion_evidence.ambiguity.n_split, criterion_evidence.ambiguity.unit)
            st.button(f"Show the {many} they differ on", key="raters.list", on_click=_list, args=(name,))
        for head, text in evidence_readings(criterion_evidence, report.role, emphasis):
            st.markdown(f"**{head}:** {text}")
        if criterion_evidence.ambiguity.weighted:
            st.markdown(WEIGHTED_NOTE)
