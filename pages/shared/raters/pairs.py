"""Every two raters: how far they agree, and who gives a label more often than the others."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Literal

import streamlit as st

from metrics.analyses.ensembles.cluster_judges import alike_of
from metrics.analyses.raters.label_rates import LabelRate, label_rates
from metrics.analyses.raters.readings import pair_reading
from metrics.analyses.raters.readings_evidence import rates_reading
from metrics.analyses.raters.result import RaterBlock, RatersReport
from metrics.analyses.raters.units import Units, units_of
from metrics.data.unique_items import kinds_of
from metrics.figures import forest
from metrics.figures.agreement_heatmap_list import n_listed
from metrics.results.words import count, plain, several
from pages.shared import asking, parts, state
from pages.shared.plain import emphasis
from pages.shared.raters import alike
from pages.shared.raters.asking import CRITERION

LABEL = "raters_label"
NOTHING_SHARED = "No two raters labelled the same item, so nobody can be compared. Have two or more label the same items."
Half = Literal["alike", "rates"]
MOST = 24
"""Raters whose rates are drawn; of more, those farthest from the others."""


def section(dataset: state.Dataset, report: RatersReport, *, shown: Collection[Half] = ("alike", "rates")) -> None:
    """Both halves, or in the room each by itself."""
    asking.criterion(dataset.ratings.criteria, CRITERION, 240, every="All criteria pooled")
    criterion = asking.chosen_criterion(report.criteria, CRITERION)
    block, mode = report.block(criterion), report.declaration.abstention
    units = units_of(kinds_of(dataset.ratings), report.role, mode=mode, criterion=criterion)
    units, pairs = units.on_classes(block.classes), len(block.pairs)
    if not pairs:
        st.info(NOTHING_SHARED, icon=":material/info:")
        return
    if "alike" in shown:
        _alike(report, block, units, pairs)
    if "rates" in shown:
        _rates(dataset, report, criterion)


def _alike(report: RatersReport, block: RaterBlock, units: Units, pairs: int) -> None:
    """How far every two agree."""
    shared = f"that {'shares' if pairs == 1 else 'share'} {'an item' if len(report.criteria) == 1 else 'a decision'}"
    whole = f"{several(pairs, 'pairs')} {shared}"
    heatmap = alike_of(
        units.raters, units.labels, len(units.classes), units.item, times=units.times, penalty=block.pairs.penalty
    )  # fmt: skip
    drawn = alike.of_clusters(heatmap, f"{report.role}s")
    how = f"{block.kappa_symbol} of every two {report.role}s, similar ones side by side · {whole}"
    if drawn.sparse:
        how = f"{block.kappa_symbol} of the {count(n_listed(drawn))} pairs that share most · n: shared decisions · {whole}"
    parts.headed("Who agrees with whom", how)
    if drawn.sparse:
        alike.listed(drawn, "raters")
    elif len(units.raters) > 2:
        alike.figure(heatmap, f"{report.role}s", "raters")
    else:
        parts.reading(pair_reading(block, emphasis))


def _rates(dataset: state.Dataset, report: RatersReport, criterion: str | None) -> None:
    """How often each gives a label, against the others on the same units."""
    labels = tuple(report.pooled.rates[0])
    label = asking.held(LABEL, labels)
    against = "the other" if len(report.raters) == 2 else "the others"
    parts.headed(
        f"Who says {plain(label)} more often",
        f"percentage points more or less often than {against} on the same items · line: interval · grey: includes 0",
    )
    if len(labels) > 2:
        st.selectbox("Label", labels, key=LABEL, width=240, **asking.BOUND)
    all_rates = label_rates(dataset.ratings, role=report.role, abstention=report.declaration.abstention, criterion=criterion)
    rates_of_label = [label_rate for label_rate in all_rates if label_rate.label == label]
    far = sorted(rates_of_label, key=_far)[:MOST]
    if len(far) < len(rates_of_label):
        st.markdown(f"The {MOST} farthest from the others, of {count(len(rates_of_label))}.")
    rows = [forest.ForestRow(one.rater, one.drift, one.rate, n=one.n, differs=one.differs) for one in far]
    alt = partial(forest.alt, baseline=against, symbol=f"share of {label}")
    parts.drawing("raters.rates", forest.forest, alt, rows, look={"symbol": "share"}, unit="%", p_head="")
    parts.reading(rates_reading(rates_of_label, label, emphasis))


def _far(label_rate: LabelRate) -> float:
    return -abs(label_rate.drift.value) if label_rate.n else 0.0
