"""Real files as rows and as tallies of them, to be compared to the last digit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import metrics
from metrics.ratings import Ratings
from tests.tallies import tally_of

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
AB = {"A": "positive", "B": "negative", "tie": "tie"}
LEVELS = dict.fromkeys(["full_compliance", "full_refusal", "partial_refusal"], "class")
HOW: dict[str, dict[str, Any]] = {
    "rao_two_criteria": {},
    "support_answers": {},
    "dices350_expert_vs_crowd": {},
    "dices350_raters": {},
    "llmrubric_real_binary": {},
    "llmrubric_real_ordinal": {"order": ["1", "2", "3", "4"]},
    "ragas_annotated": {},
    "mtbench_gpt4_pairwise": {"labels": AB},
    "mtbench_raters": {"labels": AB},
    "llmbar_natural": {"labels": {"output_1": "positive", "output_2": "negative"}},
    "xstest_refusal": {"labels": LEVELS},
    "xstest_raters": {"labels": LEVELS},
    "topicalchat_unieval": {"scale": "continuous"},
    "viescore_t2i_raters": {"labels": dict.fromkeys(["0", "0.5", "1"], "class")},
}
"""How each file is read."""


def path_of(name: str) -> Path:
    sample = ROOT / "assets" / f"{name}.csv"
    return sample if sample.exists() else DATA / f"{name}.csv"


def there(*names: str) -> list[str]:
    """Those of the files that are here."""
    return [name for name in names if path_of(name).exists()]


@cache
def both(name: str) -> tuple[Ratings, Ratings]:
    """The rows of a file, and a tally of them."""
    return metrics.read(path_of(name), **HOW[name]), tally_of(path_of(name), **HOW[name])


def told(found: Any) -> str:
    """A result as JSON, without the digest of the file."""
    return json.dumps(_without(found.to_dict() if hasattr(found, "to_dict") else found), sort_keys=True)


def _without(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without(own) for key, own in found.items() if key != "sha256"}
    return [_without(own) for own in found] if isinstance(found, (list, tuple)) else found


def plain(found: Any) -> Any:
    """Whatever a result is made of, as JSON knows it: numbers to the last digit, NaN as null."""
    if isinstance(found, np.ndarray):
        return plain(found.tolist())
    if is_dataclass(found):
        return {own.name: plain(getattr(found, own.name)) for own in fields(found)}
    if isinstance(found, Mapping):
        return {str(key): plain(own) for key, own in found.items()}
    if isinstance(found, (list, tuple)):
        return [plain(own) for own in found]
    if isinstance(found, float):
        return None if math.isnan(found) else repr(found)
    return found.item() if isinstance(found, np.generic) else found if isinstance(found, (int, str, bool)) else str(found)

from metrics.reliability.ceiling import human_ceiling
from metrics.reliability.alternative import alternative_annotator
from metrics.reliability.evidence import evidence
from metrics.reliability.entropy import disagreements
from metrics.reliability.rates import label_rates
def _nof(e):
    d=e.to_dict()
    for one in d.values(): one.pop("fatigue")
    return d
J=lambda r: r.judges[0] if r.judges else None
MORE={
"ceil":lambda r: human_ceiling(r,J(r)),
"ceilu":lambda r: human_ceiling(r,J(r),"accuracy",reference="unanimous"),
"alt":lambda r: alternative_annotator(r,r.judges[0]),
"alts":lambda r: alternative_annotator(r,r.judges[0],scoring="scores"),
"evid":lambda r: _nof(evidence(r)),
"dis":lambda r: disagreements(r),
"rates":lambda r: plain(label_rates(r)),
}
from metrics.ensembles.errors import shared_errors
from metrics.ensembles.growth import panel_growth
from metrics.ensembles.matrices import judge_matrices
from metrics.ensembles.clusters import think_alike
from metrics.ensembles.weighted import weighted_agreement
from metrics.ensembles.split import split_decisions
from metrics.ensembles.panel import with_panel
from metrics.ensembles.said import split_reading
from metrics.ensembles.runs import self_agreement
def _panel(r):
    p=with_panel(r); return {"p":plain(p.source.panels), "a":metrics.agreement(p).to_dict(), "raters":metrics.roc(p).to_dict()}
MORE|={
"err":lambda r: plain(shared_errors(r)),
"grow":lambda r: plain(panel_growth(r)),
"mat":lambda r: plain(judge_matrices(r)),
"alike":lambda r: plain(think_alike(r)),
"wei":lambda r: plain(weighted_agreement(r)),
"split":lambda r: {"s":split_reading(split_decisions(r))},
"panel":_panel,
"runs":lambda r: plain(self_agreement(r)),
"codes":lambda r: plain(r.items),
}
