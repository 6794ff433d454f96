"""The numbers about the raters: headline, which are one number, and what can be taken away."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.raters import tables
from metrics.analyses.raters.equivalences import same_numbers
from metrics.analyses.raters.provenance import citation
from metrics.analyses.raters.result import MEAN_KAPPAS, STATISTICS, WEIGHTED, RaterBlock, RatersReport, of_pairs, pairs_rule
from metrics.measures.catalogue import keys_at
from metrics.results.tables import Column, as_text, in_full, with_column, with_interval_columns
from metrics.results.words import UNDEFINED, apart, capital, count, value
from pages.shared import as_lines, documents, parts, sheets, state
from pages.shared.plain import escape
from pages.shared.raters import asking

KEYS = keys_at("raters headline", records=STATISTICS)
ANSWERS = {
    "alpha": "Agreement beyond what the pooled labels would give by chance. Takes any pattern of missing labels.",
    WEIGHTED: "κ with quadratic weights of every two raters that share 10 units or more, averaged: near labels disagree less.",
    "mean_pairwise_kappa": "Cohen’s κ of every two raters that share 10 units or more, averaged.",
    "gwet_ac1": "Agreement beyond a chance that supposes little guessing. High where one label is rare, also when α is low.",
    "gwet_ac2": "As AC1, where near labels disagree less.",
    "percent_agreement": "How often two raters drawn at random gave a unit the same label.",
}
BESIDE = {"gwet_ac2": "gwet_ac1", WEIGHTED: "mean_pairwise_kappa"}
"""Numbers at the level of the labels, and the nominal ones that stand behind a click where there are these."""
SAYS = {"same": "One number", "differ": "Not the same here", "unrelated": "Another question"}


def headline(report: RatersReport) -> list[parts.Headline]:
    return [number_of(report, key) for key in headline_keys(report)]


def headline_keys(report: RatersReport) -> list[str]:
    there = report.pooled.values
    behind = {nominal for leading_key, nominal in BESIDE.items() if leading_key in there}
    return [key for key in KEYS if key in there and key not in behind]


def view(dataset: state.Dataset, report: RatersReport) -> as_lines.View:
    """Return the call behind the headline, and where its first number is."""
    return as_lines.View(asking.call(dataset, report), as_lines.path("pooled", [headline_keys(report)[0]]))


def number_of(report: RatersReport, key: str) -> parts.Headline:
    block, metric = report.pooled, STATISTICS[key]
    estimate = block[key]
    third = _pairs(block, key) if key in block.mean_of else _mean(report, key)
    return parts.Headline(
        MEAN_KAPPAS.get(key, metric.name), *apart(estimate, metric.unit, "no interval"),
        documents.help_of(metric, ANSWERS[key]), block[key].undefined, third, citation(report, key),
    )  # fmt: skip


def _mean(report: RatersReport, key: str) -> str:
    """Return the mean over the criteria, which stands beside a number pooled over them."""
    if len(report.criteria) < 2 or key != "alpha":
        return ""
    mean = report.mean(key)
    return f"mean of {count((mean.of or (0, 0))[0])} criteria {value(mean.value)}"


def warnings(report: RatersReport) -> None:
    for warning in parts.not_above(report.warnings):
        st.markdown(f":material/info: {escape(warning.message)}")


def same(report: RatersReport) -> None:
    """Which coefficients are one number on these data; behind a click, the others."""
    equivalences = same_numbers(report.pooled)
    if not equivalences:
        return
    with st.expander("The same number again? Fleiss’ κ, mean φ, AC1 beside α"):
        for equivalence in equivalences:
            st.markdown(
                f"**{escape(equivalence.title(report.pooled))}: {SAYS[equivalence.kind]}.** {escape(capital(equivalence.why))}"
            )
        _all(report)


def _all(report: RatersReport) -> None:
    """Every statistic of all criteria together, with what it rests on."""
    block = report.pooled
    table = with_interval_columns(tables.statistics(report, [(block.symbol(key), key) for key in block.values], "value"))
    shown = as_text(with_column(table, Column("rests on"), (_rests_on(block, key) for key in block.values)))
    st.dataframe(shown, hide_index=True, key="raters.all", placeholder=UNDEFINED, alt="All statistics of agreement")


def _pairs(block: RaterBlock, key: str) -> str:
    return f"{of_pairs(block, key)} {pairs_rule(block)}".rstrip()


def _rests_on(block: RaterBlock, key: str) -> str:
    if key in block.undefined:
        return f"undefined: {block.undefined[key]}"
    if key in block.mean_of:
        return _pairs(block, key)
    if key == "fleiss_kappa":
        return f"{count(block.fleiss_n_items)} with {block.fleiss_n_ratings} labels each"
    return f"{count(block.n_pairable)} with two labels or more"


def downloads(report: RatersReport) -> None:
    with st.container(horizontal=True):
        sheets.download("All numbers (CSV)", report.to_frame, "raters.csv", "raters.csv")
        sheets.download("Pairs of raters (CSV)", lambda: in_full(tables.pairs(report)), "rater_pairs.csv", "raters.pairs_csv")
