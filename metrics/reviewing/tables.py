"""A review as tables: the decisions with the numbers they were made on, and the disagreements of a criterion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metrics.declaration import Header, header
from metrics.reviewing.criteria import Reviewed
from metrics.reviewing.decisions import ACTIONS, Review
from metrics.reviewing.definitions import definition_of
from metrics.reviewing.telling import Telling
from metrics.scales import declared as ordered
from metrics.selecting import decision_frame

COLUMNS = (
    "criterion", "decision", "owner", "note", "definition", "scale", "metric", "kappa", "low", "high", "n", "undefined",
    "judge", "abstention", "level", "coverage", "reference", "file", "sha256", "declaration",
)  # fmt: skip


def decisions_frame(review: Review, found: Sequence[Reviewed]) -> pd.DataFrame:
    """Return one row per criterion, in the order of the review, each with what its own numbers rest on.

    A number that is undefined is NaN and has its reason.
    """
    rows = []
    for own in found:
        one, nowhere = review.of(own.criterion), (math.nan, math.nan)
        written = definition_of(own.ratings, own.criterion).text if own.criterion in own.ratings.criteria else ""
        low, high = own.kappa.ends or nowhere
        rows.append(
            {
                "criterion": own.criterion, "decision": ACTIONS[one.action] if one.action else "", "owner": one.owner,
                "note": one.note, "definition": one.definition or written, "scale": own.scale, "metric": own.key,
                "kappa": own.kappa.value, "low": low, "high": high, "n": 0 if own.main is None else own.main.n or 0,
                "undefined": own.kappa.undefined,
                **_declared(own),
            }
        )  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS))


def header_of(own: Reviewed) -> Header | None:
    """Return what the numbers of a criterion rest on, as the page says it that shows its scale; None without numbers."""
    if own.scores is not None:
        return ordered.header(own.scores, own.judge)
    return None if own.report is None else header(own.report, own.judge, "micro")


def _declared(own: Reviewed) -> dict[str, Any]:
    """Return the declaration of one row."""
    head, source = header_of(own), own.ratings.source
    columns = {} if head is None else head.columns
    return {
        "judge": own.judge, "abstention": columns.get("declared_abstention", ""), "level": "criterion",
        "coverage": columns.get("declared_coverage", math.nan), "reference": columns.get("reference", own.settings.reference),
        "file": source.name, "sha256": source.sha256, "declaration": "" if head is None else head.text(),
    }  # fmt: skip


AGAINST = "against the judge"


def telling_frame(own: Reviewed, found: Sequence[Telling]) -> pd.DataFrame:
    """Return one row per disagreement: item, both labels, what speaks against the judge, the texts of the file, then who said
    what.
    """
    places = np.array([one.place for one in found], np.int64)
    # The wording of the criterion stands above; a column of it would say the same in every row.
    frame = decision_frame(own.ratings, own.judge, own.settings, places)
    frame = frame.drop(columns=["criterion", definition_of(own.ratings, own.criterion).column], errors="ignore")
    frame[AGAINST] = [one.why for one in found]
    first = ["item", "reference", f"judge: {own.judge}", AGAINST]
    last = [name for name in map(str, frame) if name.startswith("human: ") or name in ("score", "row")]
    texts = [name for name in frame if name not in (*first, *last)]
    return frame[[name for name in (*first, *texts, *last) if any(map(_says, frame[name]))]]


def _says(value: object) -> bool:
    return value not in ("", None) and not (isinstance(value, float) and math.isnan(value))
