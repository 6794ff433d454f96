"""Arize Phoenix: annotations of spans, and experiments."""

from __future__ import annotations

from collections.abc import Set

import pyarrow as pa
import pyarrow.compute as pc

from metrics.readers.formats import phoenix_experiments
from metrics.readers.formats.canonical import canonical, everywhere, first_filled, is_in, mapped, moments, text
from metrics.readers.formats.cells import NOBODY, fields, statuses
from metrics.readers.formats.phoenix_experiments import NOTHING, PARTS, nameless, role_of
from metrics.readers.formats.record import Format, having
from metrics.readers.names import OVERALL
from metrics.readers.table import TextTable

NOTE = "a note, no rating"
_OF_APP = "px-app:"
_TARGETS = ("span_id", "context.span_id", "trace_id", "session_id")


def _fits_annotations(names: Set[str]) -> bool:
    """Return whether columns are those of annotations, as downloaded or as uploaded; the latter may lack name or kind."""
    if "annotator_kind" in names:
        return bool(set(_TARGETS) & names) and bool({"label", "score", "result.label", "result.score", "result"} & names)
    uploaded = {"span_id", "label", "score", "explanation"} <= names and bool({"annotation_name", "name"} & names)
    return uploaded and not {"human", "judge", "rater", "role"} & names


def read_annotations(table: TextTable) -> TextTable:
    """Return the ratings of a table of annotations."""
    label, score, reason = (first_filled(text(table, f"result.{part}"), text(table, part)) for part in PARTS[:3])
    criterion = first_filled(text(table, "annotation_name"), text(table, "name"))
    role = mapped(text(table, "annotator_kind"), role_of)
    human, judge = is_in(role, "human"), is_in(role, "judge")
    identifier, person = text(table, "identifier"), _person(table)
    columns = {
        "item": _target(table),
        "criterion": first_filled(criterion, everywhere(OVERALL, table.n_rows)),
        "rater": first_filled(pc.if_else(pa.array(human), person, identifier), mapped(role, nameless)),
        "role": role,
        "label": label,
        "score": score,
        "timestamp": moments(first_filled(text(table, "updated_at"), text(table, "created_at"))),
        "prompt": first_filled(text(table, "metadata.prompt_version"), fields(text(table, "metadata"), "prompt_version")[0]),
        "reason": reason,
        "status": statuses(label, score, judge),
    }
    notes = [NOBODY] if (human & is_in(person, "")).any() else []
    nothing = is_in(label, "") & is_in(score, "") & ~judge
    return canonical(table, columns, [(NOTE, is_in(criterion, "note")), (NOTHING, nothing)], notes)


def _person(table: TextTable) -> pa.Array:
    """Return who annotated: the user, whom an annotation made in the application names in its identifier too."""
    identifier = mapped(text(table, "identifier"), lambda name: name.removeprefix(_OF_APP))
    return first_filled(text(table, "user_id"), identifier)


def _target(table: TextTable) -> pa.Array:
    """Return what was annotated: the span, within it a document, else the trace or the session."""
    target, place = first_filled(*(text(table, name) for name in _TARGETS)), text(table, "document_position")
    whole = pc.equal(place, "")
    return target if pc.all(whole).as_py() else pc.if_else(whole, target, pc.binary_join_element_wise(target, place, "/"))


_HOW = "In Python, save Phoenix’s client.spans.get_span_annotations_dataframe(…) as CSV."
_DOWNLOAD = "Open the experiment in Phoenix and download it as CSV or JSON."
FORMATS: tuple[Format, ...] = (
    Format("Phoenix", "Phoenix’s table of annotations", _HOW, "table", _fits_annotations, read_table=read_annotations),
    Format(
        "Phoenix", "Phoenix’s experiment as CSV", _DOWNLOAD, "table", phoenix_experiments.fits,
        read_table=phoenix_experiments.read_table,
    ),
    Format(
        "Phoenix", "Phoenix’s experiment as JSON", _DOWNLOAD, "records", having("example_id", "annotations"),
        read_records=phoenix_experiments.read_runs,
    ),
)  # fmt: skip
