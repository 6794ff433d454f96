"""Words that choices had in links of earlier versions, by the key of the address: such a link still restores its view."""

from __future__ import annotations

from metrics.data.abstention import MODE_NAMES
from metrics.data.aggregation import AVERAGED_OVER, LEVEL_NAMES
from metrics.data.labels import HANDLED
from metrics.measures.catalogue import BY_KEY

RECODE = {"Recode as negative": MODE_NAMES["as_unmet"]}
BIAS = {"Drift": BY_KEY["drift"].name}
NOW: dict[str, dict[str, str]] = {
    "mode": {**RECODE, "Third class": MODE_NAMES["as_category"]},
    "level": {LEVEL_NAMES[level]: name for level, name in AVERAGED_OVER.items()},
    **dict.fromkeys(HANDLED, RECODE),
    **dict.fromkeys(("agreement.metric", "choices.metric", "compare.metric"), BIAS),
    "choices.vary": {"No verdict": "Abstentions", "Count by": "Average over"},
    "compare.list": {"Won by A": "Only A is right", "Won by B": "Only B is right"},
    "ensemble_show": {"Who thinks alike": "Which judges agree"},
    "roc.held": {"5 parts": "5-fold"},
}
"""Key of the address to former word to the word of today."""
