"""Repeated runs of one judge: does it agree with itself, and how much of its disagreement is its own noise?"""

from __future__ import annotations

import streamlit as st

from metrics.ensembles.runs import SelfAgreement, raters_with_runs
from metrics.ensembles.said import runs_reading
from metrics.ensembles.tables import run_row
from metrics.estimate import Estimate
from metrics.words import TENTHS, UNDEFINED, count, estimate, plain
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking
from pages.shared.plain import emphasis

PLAIN, WEIGHTED = "κ of two runs", "κ quadratic of two runs"
HELP = {
    "agrees with itself": "How often two runs of one decision give the same label.",
    PLAIN: "The same beyond what the label shares of its runs would give by chance.",
    WEIGHTED: "The same beyond chance, where near labels disagree less: quadratic weights, as these labels are ordered.",
    "differs from the reference": "How often a run differs from the reference, on decisions asked twice or more.",
    "its own noise": "The part of that which would go if its answers to each item were averaged over many runs.",
}
READ = 4
"""Judges whose runs are put into words."""


def there(its: state.Dataset) -> bool:
    """Return whether a judge of the file was asked more than once."""
    return bool(raters_with_runs(its.ratings))


def section(its: state.Dataset) -> None:
    found = asking.runs(its)
    parts.headed(
        "Does a judge agree with itself?",
        "asked more than once for the same decision · everywhere else its first run counts",
    )
    for own in found[:READ]:
        parts.reading(runs_reading(own, emphasis))
    kappa = WEIGHTED if any(own.weighted for own in found) else PLAIN
    shown = {
        "judge": [plain(own.name) for own in found],
        "decisions": [count(own.n_decisions) for own in found],
        "runs, at most": [count(own.n_runs) for own in found],
        "agrees with itself": [_percent(own.agreement) for own in found],
        kappa: [_kappa(own) for own in found],
        "differs from the reference": [_percent(own.disagreement) for own in found],
        "its own noise": [_percent(own.share) for own in found],
    }
    st.dataframe(
        shown, hide_index=True, key="ensemble.runs", placeholder=UNDEFINED, alt="How far each judge agrees with itself",
        column_config={name: st.column_config.TextColumn(name, help=text) for name, text in HELP.items()},
    )  # fmt: skip
    sheets.download("Repeated runs (CSV)", lambda: [run_row(own) for own in found], "runs.csv", "ensemble.runs_csv")


def _percent(share: Estimate) -> str:
    return share.undefined or estimate(share, TENTHS)


def _kappa(own: SelfAgreement) -> str:
    return own.kappa.undefined or estimate(own.kappa)
