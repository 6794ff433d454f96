"""A review as tables: the decisions with the numbers they were made on, and the disagreements of a criterion."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.agreement.decisions import decision_frame, reason_of
from metrics.analyses.provenance import Header, header
from metrics.analyses.review.compute import Reviewed, definition_of
from metrics.analyses.review.decisions import ACTIONS, Decision, Review
from metrics.analyses.review.informative import Telling
from metrics.analyses.scores import provenance as ordered
from metrics.results.tables import ENDS, Cell, Column, Table, in_full

DECIDED = tuple(map(Column, ("criterion", "decision", "owner", "due", "note", "definition")))
NUMBERS = (
    Column("scale"), Column("metric"), Column("kappa", "number", ENDS), Column("n", "count"), Column("undefined"),
    Column("judge"), Column("abstention"), Column("level"), Column("coverage", "percent"), Column("reference"), Column("file"),
    Column("sha256"), Column("declaration"),
)  # fmt: skip


def decision_table(decisions: Iterable[tuple[str, Decision]], undecided: str = "") -> Table:
    """Return what was decided on each criterion; `undecided` stands where nothing was."""
    rows = (
        (name, ACTIONS.get(decision.action, undecided), decision.owner, decision.due, decision.note, decision.definition)
        for name, decision in decisions
    )
    return Table("review", "", DECIDED, tuple(rows))


def decisions_table(review: Review, criteria: Sequence[Reviewed], date: str = "") -> Table:
    """Return one row per criterion, in the order of the review, each with what its own numbers rest on.

    A number that is undefined has its reason; `date` is that of the meeting.
    """
    table = decision_table((reviewed.criterion, _worded(review.of(reviewed.criterion), reviewed)) for reviewed in criteria)
    rows = ((*row, *_numbers(reviewed), date) for row, reviewed in zip(table.rows, criteria, strict=True))
    return replace(table, columns=(*table.columns, *NUMBERS, Column("date")), rows=tuple(rows))


def meeting_json(review: Review, criteria: Sequence[Reviewed], date: str = "") -> str:
    """Return the decisions as JSON that `read_review` reads, with the people, and each row of `decisions_table` beside."""
    columns = in_full(decisions_table(review, criteria, date))
    rows = [dict(zip(columns, map(_plain, row), strict=True)) for row in zip(*columns.values(), strict=True)]
    raters = criteria[0].ratings.raters if criteria else ()
    people = [rater.name for rater in raters if rater.role == "human"]
    return json.dumps(review.to_dict() | {"date": date, "people": people, "rests_on": rows}, ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _worded(decision: Decision, reviewed: Reviewed) -> Decision:
    """Return a decision with the wording of the file where nobody typed another."""
    known = reviewed.criterion in reviewed.ratings.criteria and not decision.definition
    return replace(decision, definition=definition_of(reviewed.ratings, reviewed.criterion).text) if known else decision


def header_of(review: Reviewed) -> Header | None:
    """Return what the numbers of a criterion rest on, as the page says it that shows its scale; None without numbers."""
    if review.scores is not None:
        return ordered.header(review.scores, review.judge)
    return None if review.report is None else header(review.report, review.judge, "micro")


def _numbers(reviewed: Reviewed) -> tuple[Cell, ...]:
    """Return the numbers of one row and their declaration."""
    head, source = header_of(reviewed), reviewed.ratings.source
    columns: Mapping[str, Any] = {} if head is None else head.columns
    n = 0 if reviewed.main is None else reviewed.main.n or 0
    return (
        reviewed.scale, reviewed.key, reviewed.kappa, n, reviewed.kappa.undefined, reviewed.judge,
        columns.get("declared_abstention", ""), "criterion", columns.get("declared_coverage"),
        columns.get("reference", reviewed.settings.reference), source.name, source.sha256, "" if head is None else head.text(),
    )  # fmt: skip


AGAINST = "against the judge"


def telling_frame(review: Reviewed, tellings: Sequence[Telling], texts: Sequence[str] | None = None) -> pd.DataFrame:
    """Return one row per disagreement: item, both labels with their reasons, what speaks against the judge, the texts of the
    file, then who said what.

    Parameters
    ----------
    review : Reviewed
    tellings : sequence of Telling
    texts : sequence of str, optional
        Which of the file's other columns, in their order; default all.
    """
    places = np.array([telling.place for telling in tellings], np.int64)
    # The wording of the criterion stands above; a column of it would say the same in every row.
    frame = decision_frame(review.ratings, review.judge, review.settings, places, texts)
    frame = frame.drop(columns=["criterion", definition_of(review.ratings, review.criterion).column], errors="ignore")
    frame[AGAINST] = [telling.why for telling in tellings]
    judge, humans = f"judge: {review.judge}", [name for name in map(str, frame) if name.startswith("human: ")]
    # the reasons of the only human are those of the reference; of several, each stands beside its label
    first = ["item", "reference", *(humans if len(review.ratings.humans) == 1 else []), judge, reason_of(judge), AGAINST]
    last = [name for name in (*humans, "score", "row") if name in frame and name not in first]
    others = [name for name in frame if name not in (*first, *last)]
    return frame[[name for name in (*first, *others, *last) if name in frame and any(map(_says, frame[name]))]]


def _says(value: object) -> bool:
    return value not in ("", None) and not (isinstance(value, float) and math.isnan(value))
