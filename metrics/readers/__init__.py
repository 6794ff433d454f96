"""Files of labels -> ratings: parse, propose what the columns and labels mean, build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metrics.data.checks import checks_arguments
from metrics.data.filtering import Where, only_where
from metrics.data.join import Match
from metrics.data.ratings import Ratings
from metrics.data.read_options import ReadOptions, Repeats
from metrics.data.scales import scales_of
from metrics.readers.autorubric_parts import is_part
from metrics.readers.bundles import combine_files
from metrics.readers.counting import build_counts, from_counts
from metrics.readers.crossing import input_of
from metrics.readers.joining import joined
from metrics.readers.long import build_pairs, build_raters
from metrics.readers.merging import merged_spellings
from metrics.readers.messages import brief, refuse
from metrics.readers.opening import open_table
from metrics.readers.own_criteria import kept_together, with_own_criteria
from metrics.readers.proposal import Doubt, LabelRow, Proposal
from metrics.readers.proposing import confirmed, propose, with_doubts_refused
from metrics.readers.repeats import check_repeats
from metrics.readers.stated import check_labels, check_lists
from metrics.readers.table import TextTable
from metrics.readers.threshold import thresholded
from metrics.readers.unlabelled import with_scores_as_labels
from metrics.readers.wide import build_wide
from metrics.results.words import count

__all__ = [
    "Doubt",
    "LabelRow",
    "Proposal",
    "TextTable",
    "build",
    "combine_files",
    "confirmed",
    "from_counts",
    "is_part",
    "open_table",
    "propose",
    "read",
    "read_as",
]  # fmt: skip


@checks_arguments
def read(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    order: Sequence[str] | None = None,
    scale: str | Mapping[str, str] | None = None,
    criteria: Sequence[str] | None = None,
    skip_bad_rows: bool = False,
    repeats: Repeats = "refuse",
    merge_spellings: bool = False,
    match: Match = "",
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    where: Where | None = None,
) -> Ratings:
    """Return ratings from a table of labels.

    Parameters
    ----------
    source : path, bytes, file object, DataFrame, or a list of these
        Long pairs (item, criterion, judge, human, verdict), long raters (item, criterion, rater, role, label), wide
        (one column per rater), two columns, or counts; CSV, TSV, Excel, Parquet, JSON records. A run of autorubric: a folder
        or zip archive that holds its dataset too, or ``["dataset.json", "experiments/run"]``. Any other list of files is
        joined on the item and, where they have it, the criterion: ``["gold.csv", "judge.csv"]``, or a file for each rater. A
        file with one column of labels and no column of raters is one rater, called like the file; labels without a criterion
        are on the only criterion of the other files. Every file may be of any of these shapes but counts.
    columns : mapping, optional
        Role to column, where names are not those taken without asking; see `propose`. In a list of files
        ``{"item": "id"}`` holds for every file that has the column, ``{"gold.csv:item": "id"}`` for one.
    roles : mapping, optional
        Rater, or word of a role column, to human, judge or out; on one criterion as ``"api/correctness"``; see `propose`.
    labels : mapping, optional
        Label to kind: positive, negative, abstention, tie, invalid, error (a failed call), missing or class.
        ``{">=3": "positive"}``, or ``"<=3"``, makes labels of the numbers of judges; the numbers are their scores.
    order : sequence, optional
        Classes, low to high. A label that occurs nowhere is a step of the scale, unless all that occur are positive or negative
        or it is a word among numbers; then the import report names it.
    scale : str or mapping of criterion to scale, optional
        binary, pairwise, ordinal, continuous or nominal, for all criteria or by name. On a continuous scale the numbers of
        the label columns are the scores of the ratings.
    criteria : sequence of str, optional
        Take these criteria only, and ask about no label of another one; see `metrics.Ratings.on_criteria`.
    skip_bad_rows : bool
        List rows that cannot be read among those left out.
    repeats : "refuse", "last" or "first"
        Which row counts where a rating is given twice, differently, and no `timestamp` tells which is later.
    merge_spellings : bool
        Take criteria and raters whose names differ in case or blanks alone for one.
    match : "exact" or "loose", optional
        How the ids of several files are compared: byte for byte, or whatever their case, the blanks around them and leading
        zeros, as far as that makes no two ids of one file the same. By default byte for byte; it is asked where the other
        way finds more and less than 90 % of the smallest file's ids are found.
    delimiter, encoding, sheet : str, optional
        How to read, where the file does not make it plain. The sheet ``*`` is each of a workbook that holds a table, as a file.
    where : str, sequence of str, or mapping, optional
        Take only items that meet conditions on other columns: ``"language=de|fr"``, ``["tokens>=100", "topic!=law"]``, or
        column to its value or values, ``{"language": ["de", "fr"]}``; see `metrics.data.filtering.only_where`.

    Raises
    ------
    InputError
        If the file cannot be read, or its columns or labels are in doubt; the message shows how to answer.
    """
    check_lists({"order": order, "criteria": criteria})
    table = open_table(source, delimiter=delimiter, encoding=encoding, sheet=sheet, skip_bad_rows=skip_bad_rows)
    ordered = None if order is None else list(order)
    proposal = _proposal(
        table, criteria, columns=columns, labels=labels, order=ordered, scale=scale, repeats=repeats,
        merge_spellings=merge_spellings, match=match, roles=roles,
    )  # fmt: skip
    check_labels(table.name, proposal, labels, ordered or ())
    return _narrowed(build(table, proposal), criteria, where, scaled=scale is not None)


def _proposal(table: TextTable, criteria: Sequence[str] | None, **asked: Any) -> Proposal:
    """Return what a table is read as; where that leaves something to ask, of the criteria that are wanted alone."""
    proposal = propose(table, **asked)
    if criteria is None or not any(doubt.blocking for doubt in proposal.doubts):
        return proposal
    return propose(table, **asked, criteria=criteria)


def read_as(source: Any, how: ReadOptions, name: str | None = None) -> Ratings:
    """Return ratings of a file that was read before, read the same way; what was in doubt then was settled then.

    Parameters
    ----------
    name : str, optional
        What the file was called.

    Raises
    ------
    InputError
        If the file cannot be read that way.
    """
    table = open_table(
        source, name, delimiter=how.delimiter or None, encoding=how.encoding or None, sheet=how.sheet or None,
        skip_bad_rows=how.skip_bad_rows,
    )  # fmt: skip
    columns, labels, scale = (dict(pairs) or None for pairs in (how.columns, how.labels, how.scale))
    proposal = _proposal(
        table, how.criteria or None, columns=columns, labels=labels, order=how.order or None, scale=scale,
        repeats=check_repeats(how.repeats or "refuse"), merge_spellings=bool(how.merge_spellings), match=how.match,
    )  # fmt: skip
    if proposal.missing:
        with_doubts_refused(table, proposal)
    return _narrowed(build(table, confirmed(proposal)), how.criteria or None, how.where, scaled=bool(how.scale))


def _narrowed(ratings: Ratings, criteria: Sequence[str] | None, where: Where | None, *, scaled: bool) -> Ratings:
    """Return the ratings that were asked for, after scales that were stated are checked."""
    if scaled:
        scales_of(ratings if criteria is None else ratings.on_criteria(criteria))
    ratings = only_where(ratings, where)
    return ratings if criteria is None else ratings.on_criteria(criteria)


def build(table: TextTable, proposal: Proposal) -> Ratings:
    """Return ratings of a table as proposed.

    Raises
    ------
    InputError
        While doubts remain that block, or where the rows contradict each other.
    """
    with_doubts_refused(table, proposal)
    join = joined(table, dict(proposal.how.columns), proposal.how.match)
    table = join.table
    if proposal.how.merge_spellings:
        table = merged_spellings(table, dict(proposal.columns))
    asked = proposal
    table, proposal, own = with_own_criteria(table, proposal)
    table, proposal = thresholded(table, proposal)
    labelled, _ = with_scores_as_labels(table, proposal.shape, dict(proposal.columns))
    if table.left_blank and any(row.label == "" and row.kind not in ("missing", "error") for row in proposal.labels):
        refuse(
            f"{brief(table.name)} is a tally: rows without any label ({count(table.left_blank)}) were left out when it was "
            "counted, so an empty cell cannot be a label. Write one into the source, and count it again."
        )
    builders = {"pairs": build_pairs, "raters": build_raters, "wide": build_wide, "counts": build_counts}
    ratings = builders[proposal.shape](labelled, proposal)
    ratings = kept_together(ratings, own, asked, join.together or input_of(table, dict(asked.columns)))
    if proposal.lists:
        ratings = ratings.on_criteria([name for name in ratings.criteria if name not in proposal.lists])
    return ratings if labelled is table or ratings.table is None else replace(ratings, table=table.data)
