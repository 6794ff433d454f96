"""The numbers about the raters: headline, which are one number, and what can be taken away."""

from __future__ import annotations

import streamlit as st

from metrics.export import safe_csv
from metrics.reliability.report import STATISTICS, RatersReport
from metrics.reliability.same import same_numbers
from metrics.words import bounds, count, several, value
from pages.shared import parts
from pages.shared.plain import escape

KEYS = ("alpha", "mean_pairwise_kappa", "gwet_ac1", "percent_agreement")
ANSWERS = {
    "alpha": "Agreement beyond what the pooled labels would give by chance. Takes any pattern of missing labels.",
    "mean_pairwise_kappa": "Cohen’s κ of every two raters that share 10 units or more, averaged.",
    "gwet_ac1": "Agreement beyond a chance that supposes little guessing. High where one label is rare, also when α is low.",
    "percent_agreement": "How often two raters drawn at random gave a unit the same label.",
}
SHORT = {"mean_pairwise_kappa": "Mean κ of pairs"}
SAYS = {"same": "One number", "differ": "Not the same here", "unrelated": "Another question"}


def headline(report: RatersReport) -> list[parts.Headline]:
    return [number_of(report, key) for key in KEYS if key in report.pooled.values]


def number_of(report: RatersReport, key: str) -> parts.Headline:
    block, own = report.pooled, STATISTICS[key]
    ends = block.ends(key)
    pairs = block.mean_of.get(key)
    third = f"{several(pairs, 'pairs')}" if pairs is not None else ""
    return parts.Headline(
        SHORT.get(key, own.name), value(block.values[key], own.unit), bounds(ends, own.unit) if ends else "no interval",
        ANSWERS[key], block.undefined.get(key, ""), third,
    )  # fmt: skip


def same(report: RatersReport) -> None:
    """Which coefficients are one number on these data; behind a click, the others."""
    found = same_numbers(report.pooled)
    if not found:
        return
    with st.expander("The same number again? Fleiss’ κ, mean φ, AC1 beside α"):
        for one in found:
            st.markdown(f"**{escape(one.title(report.pooled))}: {SAYS[one.kind]}.** {escape(one.why)}")
        block = report.pooled
        if block.fleiss_n_items:
            st.markdown(
                f"Fleiss’ κ rests on the {count(block.fleiss_n_items)} units with exactly {block.fleiss_n_ratings} labels each."
            )


def downloads(report: RatersReport) -> None:
    with st.container(horizontal=True):
        parts.download("All numbers (CSV)", lambda: safe_csv(report.to_frame()), "raters.csv", "raters.csv")
        parts.download("Pairs of raters (CSV)", lambda: safe_csv(report.pairs_frame()), "rater_pairs.csv", "raters.pairs_csv")
