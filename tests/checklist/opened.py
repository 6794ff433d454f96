"""Files of every kind, as somebody who knows them would open them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from metrics import Ratings, read
from tests.shared_data import data

ASSETS = Path(__file__).resolve().parents[2] / "assets"
AB = {"A": "positive", "B": "negative", "tie": "tie"}
FIRST = {"1": "positive", "2": "negative", "tie": "tie"}
REFUSAL = dict.fromkeys(("full_compliance", "full_refusal", "partial_refusal"), "class")
REAL: dict[str, dict[str, Any]] = {
    "dices350_expert_vs_crowd": {},
    "dices350_raters": {},
    "llmbar_natural": {"labels": {"output_1": "positive", "output_2": "negative"}},
    "llmrubric_real_binary": {},
    "llmrubric_real_ordinal": {"scale": "ordinal"},
    "mtbench_gpt4_pairwise": {"labels": AB},
    "mtbench_gpt4_votes": {"labels": AB},
    "mtbench_raters": {"labels": AB},
    "pandalm_pairwise": {"labels": FIRST},
    "pandalm_raters": {"labels": FIRST},
    "ragas_annotated": {},
    "topicalchat_unieval": {"scale": "continuous"},
    "viescore_t2i": {"scale": "continuous"},
    "viescore_t2i_raters": {"scale": "ordinal"},
    "xstest_raters": {"labels": REFUSAL},
    "xstest_refusal": {"labels": REFUSAL},
}
SAMPLES = tuple(json.loads((ASSETS / "samples.json").read_text("utf-8")))
NAMES = (*(record["id"] for record in SAMPLES), *REAL)


@cache
def opened(name: str) -> Ratings:
    """A bundled sample, or one of the real files, if it is here."""
    if name in REAL:
        return read(data(f"{name}.csv"), **REAL[name])
    return read(ASSETS / next(record["file"] for record in SAMPLES if record["id"] == name))
