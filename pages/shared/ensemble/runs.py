"""Repeated runs of one judge: does it agree with itself, and how much of its disagreement is its own noise?"""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ensembles import tables
from metrics.analyses.ensembles.readings import runs_reading
from metrics.analyses.ensembles.runs import raters_with_runs
from metrics.results.tables import as_text, in_full, selected
from metrics.results.words import UNDEFINED, plain
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking
from pages.shared.plain import emphasis

PLAIN, WEIGHTED = "κ of two runs", "κ quadratic of two runs"
HEADS = {
    "rater": "judge", "decisions": "decisions", "most_runs": "runs, at most", "agreement": "agrees with itself", "kappa": PLAIN,
    "disagreement": "differs from the reference", "share": "its own noise",
}  # fmt: skip
HELP = {
    "agrees with itself": "How often two runs of one decision give the same label.",
    PLAIN: "The same beyond what the label shares of its runs would give by chance.",
    WEIGHTED: "The same beyond chance, where near labels disagree less: quadratic weights, as these labels are ordered.",
    "differs from the reference": "How often a run differs from the reference, on decisions asked twice or more.",
    "its own noise": "The part of that which would go if its answers to each item were averaged over many runs.",
}
READ = 4
"""Judges whose runs are put into words."""


def there(dataset: state.Dataset) -> bool:
    """Return whether a judge of the file was asked more than once."""
    return bool(raters_with_runs(dataset.ratings))


def section(dataset: state.Dataset) -> None:
    runs = asking.runs(dataset)
    parts.headed(
        "Does a judge agree with itself?",
        "asked more than once for the same decision · everywhere else its first run counts",
    )
    for self_agreement in runs[:READ]:
        parts.reading(runs_reading(self_agreement, emphasis))
    heads = HEADS | {"kappa": WEIGHTED if any(rater.weighted for rater in runs) else PLAIN}
    shown = as_text(selected(tables.runs(runs, reasons=True), heads)) | {"judge": [plain(rater.name) for rater in runs]}
    st.dataframe(
        shown, hide_index=True, key="ensemble.runs", placeholder=UNDEFINED, alt="How far each judge agrees with itself",
        column_config={name: st.column_config.TextColumn(name, help=text) for name, text in HELP.items()},
    )  # fmt: skip
    sheets.download("Repeated runs (CSV)", lambda: in_full(tables.runs(runs)), "runs.csv", "ensemble.runs_csv")
