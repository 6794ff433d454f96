"""judgekeeper: records of its runs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.readers.formats.canonical import canonical, chosen, everywhere, first_filled, is_in, mapped, moments, text
from metrics.readers.formats.cells import fields, statuses
from metrics.readers.formats.record import Format, having
from metrics.readers.names import OVERALL
from metrics.readers.table import TextTable

NO_ITEM = "a record without target_id"
NOTHING = "neither label nor score"
_ROLES = {
    "": "judge", "LLM": "judge", "LLM_JUDGE": "judge", "JUDGE": "judge", "HUMAN": "human", "HUMAN_ANNOTATION": "human",
    "CODE": "code", "HEURISTIC": "code",
}  # fmt: skip
"""A record that names no kind is the judge's, as judgekeeper takes it."""


def read_records(table: TextTable) -> TextTable:
    """Return the ratings of a table of records."""
    label, score, item = (text(table, name) for name in ("label", "score", "target_id"))
    role = mapped(text(table, "annotator_kind"), lambda kind: _ROLES.get(kind.upper(), kind.lower()))
    human, judge = is_in(role, "human"), is_in(role, "judge")
    parts = ("model", "version", "prompt_hash")
    packed = fields(text(table, "evaluator"), *parts)
    model, version, prompt = map(first_filled, (text(table, f"evaluator.{part}") for part in parts), packed)
    criterion, notes = _criterion(first_filled(text(table, "name"), everywhere(OVERALL, table.n_rows)), human, judge)
    columns = {
        "item": item,
        "criterion": criterion,
        "rater": first_filled(chosen(judge, model, ""), role),
        "role": role,
        "label": label,
        "score": score,
        "timestamp": moments(text(table, "created_at")),
        "prompt": first_filled(version, prompt),
        "run": mapped(text(table, "run"), lambda run: run.removesuffix(".0")),
        "reason": text(table, "explanation"),
        "status": statuses(label, score, judge),
    }
    nothing = is_in(label, "") & is_in(score, "") & ~judge
    return canonical(table, columns, [(NO_ITEM, is_in(item, "")), (NOTHING, nothing)], notes)


def _criterion(name: pa.Array, human: NDArray[np.bool_], judge: NDArray[np.bool_]) -> tuple[pa.Array, list[str]]:
    """Return what was judged, and a note of names changed: the label of people under another name is of the only metric.

    Parameters
    ----------
    name : pa.Array, length n
    human, judge : ndarray of bool, shape (n,)
    """
    metrics = pc.unique(name.filter(pa.array(judge))).to_pylist()
    others = human & ~is_in(name, *metrics)
    if len(metrics) != 1 or not others.any():
        return name, []
    names = ", ".join(f"‘{other}’" for other in pc.unique(name.filter(pa.array(others))).to_pylist()[:4])
    return chosen(others, metrics[0], name), [f"Labels of people named {names} are of the only metric, ‘{metrics[0]}’."]


FORMATS: tuple[Format, ...] = (
    Format(
        "judgekeeper", "judgekeeper’s table of records",
        "Run “judgekeeper export records” on the folder of a report, which writes JSON lines.",
        "table", having("target_id", "annotator_kind", "label", "score"), read_table=read_records,
    ),
)  # fmt: skip
