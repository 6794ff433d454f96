"""Table -> Proposal: column roles and label meanings, with the doubts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from metrics.asker import answer, flag, worded
from metrics.data.join import Match
from metrics.data.labels import NOT_READ
from metrics.data.ratings import written_out
from metrics.data.read_options import Repeats
from metrics.data.scales import stated_scales
from metrics.data.threshold import Threshold, threshold_in
from metrics.data.vocabulary import Kind, is_number, normalise
from metrics.readers.columns import WIDE, CheckedColumns, Layout, check_columns
from metrics.readers.counting import with_classes
from metrics.readers.crossing import with_joint
from metrics.readers.guessing import layout_of
from metrics.readers.joining import check_match, joined
from metrics.readers.labelling import Steps, check_kinds, interpret
from metrics.readers.limits import check_names, check_raters
from metrics.readers.merging import merged_spellings
from metrics.readers.messages import brief, listed, refusal, refuse
from metrics.readers.names import OVERALL
from metrics.readers.own_criteria import OwnCriteria, own_criteria
from metrics.readers.proposal import Doubt, LabelRow, Proposal
from metrics.readers.rater_roles import as_columns, check_names_of_roles
from metrics.readers.repeats import check_repeats
from metrics.readers.role_doubts import everybody, give_roles, grid_without_roles, guessed_sentence, read_as, roles_and_doubts
from metrics.readers.scaling import Scaled, Source, sources_of
from metrics.readers.table import TextTable
from metrics.readers.threshold import notes_on, proposed_threshold, with_threshold
from metrics.readers.unlabelled import with_rows_of_meaning, with_scores_as_labels
from metrics.readers.verdict_uses import criteria_of, judged_rows, verdicts_of
from metrics.readers.wide import wide_columns

NAMING = frozenset({"criterion", "judge", "human", "verdict", "rater", "label", "role", "run"})
"""Roles whose cells are names."""
RATING: dict[str, tuple[str, ...]] = {"pairs": ("judge", "rater"), "raters": ("rater",)}
"""Roles whose cells name raters, by the shape of the table."""
LONGEST_ANSWERS, LEAST_ANSWER = 600, 60
"""Letters for all suggested answers of a refusal, and for one of them where the others take the room."""


def propose(
    table: TextTable,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    order: Sequence[str] | None = None,
    scale: str | Mapping[str, str] | None = None,
    repeats: Repeats = "refuse",
    merge_spellings: bool = False,
    match: Match = "",
    roles: Mapping[str, str] | None = None,
    criteria: Sequence[str] | None = None,
) -> Proposal:
    """Return what the columns and labels of a table mean, as far as names and the vocabulary tell.

    Parameters
    ----------
    table : Table
    columns : mapping of role to column, optional
        Stated roles: ``{"item": "id", "human": "gold"}``. An empty column name says that no column has the role.
        In a wide table ``{"human:ana": "ana_label", "judge:gpt::tone": "tone_gpt"}``, the criterion after ``::``;
        ``rater:`` where the role is unknown. ``{"item": "#row"}``: every row is an item of its own.
        ``{"role:gpt-4": "judge"}`` is the same as ``roles={"gpt-4": "judge"}``. ``{"rows": "human"}`` says whose verdicts the
        rows of a grid of counts hold.
        Of joined files: a role to the column of every file that has it; ``{"gold.csv:item": "id"}`` speaks of one file.
    labels : mapping of label to kind, optional
        Stated meanings; they override the vocabulary, other labels keep it. ``{">=3": "positive"}`` is a threshold on the numbers
        of judges.
    order : sequence of str, optional
        Classes, low to high; labels named here that the vocabulary does not know are classes.
    scale : str or mapping of criterion to scale, optional
        binary, pairwise, ordinal, continuous or nominal, for all criteria or by name; `all` stands for those not named. It
        settles what numbers and preferences mean; on a continuous scale the numbers of the label columns are scores.
    repeats : "refuse", "last" or "first"
        Which row counts where a rating is given twice, differently, and no time tells which is later.
    merge_spellings : bool
        Take criteria and raters whose names differ in case or blanks alone for one.
    match : "exact", "loose" or ""
        Whether ids of joined files are the same byte for byte only, or whatever their case, blanks, leading zeros and the like.
    roles : mapping of name to "human", "judge" or "out", optional
        Of raters, of words of a role column, or of one of them on a criterion: ``{"gpt-4": "judge", "api/tone": "out"}``;
        ``*`` is every other.
    criteria : sequence of str, optional
        Ask about the labels of these criteria only.

    Raises
    ------
    InputError
        Where nothing can be proposed: a stated column that is not there, free text as labels, thousands of criteria, files
        that share no item.
    """
    columns = as_columns(columns, roles)
    how = table.how.stating(columns, labels, order, scale, check_repeats(repeats), merge_spellings, check_match(match))
    join = joined(table, columns, match)
    if join.missing:
        return Proposal("raters", (), doubts=join.doubts, missing=join.missing, how=how, of_files=join.answers)
    order = tuple(order or join.table.order)
    table, layout, own = _laid_out(join.table, check_columns(join.table, join.columns), roles, merge_spellings)
    if layout.missing:
        return replace(_unfinished(layout, order), how=how)
    lists = () if criteria or table.merged is not None else of_lists(table, layout)
    left = _left_out(table, layout, criteria) or lists
    if isinstance(scale, Mapping):
        scale = {name: one for name, one in scale.items() if name not in left}
    meanings = _Meanings.of(*without_criteria(table, layout, left), labels, order, scale)
    of_raters, role_doubts = roles_and_doubts(table, layout)
    scaled = meanings.scaled
    return Proposal(
        layout.shape,
        tuple((layout.columns if own is None else own.columns_of_file(layout.columns)).items()),
        of_raters,
        meanings.rows,
        meanings.order,
        (*join.doubts, *layout.doubts, *_confirm_guesses(layout), *role_doubts, *meanings.doubts),
        tuple(layout.guessed),
        (*layout.notes, *meanings.notes, *([note_of_lists(lists)] if lists else [])),
        meanings.unused,
        scales=scaled.scales,
        scales_in_doubt=scaled.in_doubt,
        order_in_doubt=meanings.order != tuple(map(str, order)),
        threshold=str(meanings.threshold or ""),
        threshold_in_doubt=meanings.threshold_in_doubt,
        criteria=scaled.criteria,
        how=how,
        of_files=join.answers,
        lists=lists,
        left=left,
    )


def _left_out(table: TextTable, layout: Layout, criteria: Sequence[str] | None) -> tuple[str, ...]:
    """Return the criteria of a table that were not asked for; none where one that was asked for is not there."""
    known = () if layout.shape == "counts" or table.merged is not None or not criteria else criteria_of(table, layout)
    return tuple(name for name in known if name not in (criteria or ())) if set(criteria or ()) <= set(known) else ()


def _laid_out(
    table: TextTable, stated: CheckedColumns, roles: Mapping[str, str] | None, merge_spellings: bool
) -> tuple[TextTable, Layout, OwnCriteria | None]:
    """Return the table with the columns that its shape needs, which they are, and criteria that each item has of its own."""
    table = with_joint(table, stated.columns)
    layout = layout_of(table, stated)
    table = with_joint(table, layout.columns)
    if (own := own_criteria(table, layout.columns)) is not None:
        table, layout = own.table(table), replace(layout, columns=own.columns(layout.columns), notes=[*layout.notes, own.note])
    if roles and not layout.missing:
        criteria = () if layout.shape == "counts" else criteria_of(table, layout)
        check_names_of_roles(table.name, roles, everybody(table, layout), criteria)
    if layout.shape == "wide" and stated.roles:
        give_roles(layout, stated.roles)
    return merged_spellings(table, layout.columns) if merge_spellings else table, layout, own


@dataclass(frozen=True)
class _Meanings:
    """What the labels of a table mean.

    Attributes
    ----------
    table : Table
        With labels where numbers stood for them.
    order : tuple of str
        Classes, low to high.
    unused : tuple of (label, kind)
        Labels that were given a meaning but do not occur.
    """

    table: TextTable
    rows: tuple[LabelRow, ...]
    order: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    unused: tuple[tuple[str, Kind], ...]
    scaled: Scaled
    threshold: Threshold | None
    threshold_in_doubt: bool

    @classmethod
    def of(
        cls,
        table: TextTable,
        layout: Layout,
        labels: Mapping[str, str] | None,
        order: Sequence[str],
        scale: str | Mapping[str, str] | None,
    ) -> _Meanings:
        threshold, stated = threshold_in(labels)
        given, ordered = _given(table, stated), list(map(str, order))
        _check_names(table, layout)
        asked = None
        if threshold is None and not (ordered or scale or any(map(is_number, given))):
            asked = proposed_threshold(table, layout.shape, layout.columns, layout.roles)
            threshold = None if asked is None else asked[0]
        table, _ = with_threshold(table, layout.shape, layout.columns, layout.roles, threshold, given)
        table, filled = with_scores_as_labels(table, layout.shape, layout.columns)
        sources, scaled = _scaled(table, layout, given, scale, order)
        verdicts = verdicts_of(table, layout, scaled.numbered)
        steps = Steps.of(verdicts.names, given, partial(scaled.labels, table, sources), scaled.stated_scales)
        given = steps.kinds | scaled.kinds(table, sources, given, ordered) | given
        if layout.shape == "counts":
            given = with_classes(verdicts.names, given)
        rows, doubts, unused = interpret(verdicts, given, ordered)
        rows = with_rows_of_meaning(rows, table, layout.shape, layout.columns, judged_rows(table, layout), scaled.numbered, given)
        rows, in_order, stepped = steps.rows_and_doubts(rows, ordered)
        unordered = scaled.unordered(table, sources, given, in_order)
        doubts = (*(asked[1:] if asked else ()), *scaled.doubts(), *stepped, *doubts, *unordered)
        notes = (*notes_on(threshold, layout.shape, layout.columns), *filled, *scaled.notes(table, sources))
        return cls(table, rows, in_order, doubts, notes, unused, scaled, threshold, asked is not None)


def _check_names(table: TextTable, layout: Layout) -> None:
    """Refuse texts where names are expected, and more raters than anybody compares."""
    for role, column in layout.columns.items():
        if role in NAMING or role.startswith(WIDE):
            check_names(table, column)
            if role in RATING.get(layout.shape, ()):
                check_raters(table, column)


def _given(table: TextTable, labels: Mapping[str, str] | None) -> dict[str, Kind]:
    """Return meanings stated by the user, and by the file where the user states none."""
    given = check_kinds(labels)
    stated_labels = {normalise(label) for label in given}
    return {label: kind for label, kind in table.kinds if normalise(label) not in stated_labels} | given


def _scaled(
    table: TextTable,
    layout: Layout,
    given: Mapping[str, Kind],
    scale: str | Mapping[str, str] | None,
    order: Sequence[str] | None,
) -> tuple[list[Source], Scaled]:
    """Return the columns of labels, and the scales of their criteria as far as they are known."""
    criteria = (() if layout.shape == "counts" else criteria_of(table, layout)) or (OVERALL,)
    stated = stated_scales(scale, criteria, brief(table.name))
    if layout.shape != "counts":
        sources = sources_of(layout.shape, layout.columns)
        return sources, Scaled.of(table, sources, layout.columns.get("criterion"), criteria, stated, given, order)
    if "continuous" in stated.values():
        refuse(f"{brief(table.name)} is a table of counts: its labels are classes, no scores.")
    return [], Scaled.of(table, [], None, criteria, stated, given)


def _unfinished(layout: Layout, order: Sequence[str] | None) -> Proposal:
    doubts = (*layout.doubts, *_confirm_guesses(layout))
    return Proposal(
        layout.shape,
        tuple(layout.columns.items()),
        doubts=doubts,
        order=tuple(order or ()),
        guessed=tuple(layout.guessed),
        missing=tuple(layout.missing),
    )


def _confirm_guesses(layout: Layout) -> tuple[Doubt, ...]:
    if not layout.guessed or any(doubt.about == "columns" for doubt in layout.doubts):
        return ()
    return (Doubt(guessed_sentence(read_as(layout)), "columns", roles=tuple(grid_without_roles(layout).items())),)


def with_doubts_refused(table: TextTable, proposal: Proposal) -> Proposal:
    """Return the proposal if nothing blocks it.

    Raises
    ------
    InputError
        With the first doubts and the options that answer them as proposed.
    """
    blocking = proposal.blocking
    if not blocking:
        return proposal
    lines = _answers(proposal)
    opening = "Answer with:" if proposal.missing else "If this is right:"
    wanted = f" {opening} {worded(' ', ', ', '').join(lines)}" if lines else ""
    sentences = _unknown_labels(proposal)
    room = 960 - len(wanted) - len(brief(table.name))
    for doubt in blocking:
        if not sentences or sum(map(len, sentences)) + len(doubt.sentence) < room:
            sentences.append(doubt.sentence)
    first = blocking[0]
    text = " ".join(sentences)
    message = f"{brief(table.name)}: {text if len(text) <= room else f'{text[: room - 1]}…'}{wanted}"
    raise refusal(message, row=first.row, column=first.column)


def _unknown_labels(proposal: Proposal) -> list[str]:
    """Return, where labels are asked about, that some are stated which the file does not have: one may be misspelt."""
    unknown = [f"‘{brief(label, 30)}’" for label, _ in proposal.extra if label]
    if not unknown or not any(doubt.about == "labels" for doubt in proposal.blocking):
        return []
    return [f"{listed(unknown, 4)} {'is no label' if len(unknown) == 1 else 'are no labels'} of the file."]


def _answers(proposal: Proposal) -> list[str]:
    """Return the answers that settle the doubts as proposed, whole where they fit, in the words of who asks."""
    answers: dict[str, str | Sequence[str] | Mapping[str, str]] = {
        "columns": proposal.columns_answer, "roles": proposal.roles_answer, "match": proposal.match_answer,
        "scale": proposal.scale_answer, "labels": proposal.labels_answer,
        "order": proposal.order_answer,
    }  # fmt: skip
    lines, room = [], LONGEST_ANSWERS
    for name, value in answers.items():
        if value:
            lines.append(flag(f"--{name}", value) if isinstance(value, str) else answer(f"--{name}", value, room))
            room = max(room - len(lines[-1]), LEAST_ANSWER)
    return list(filter(None, lines))


def confirmed(proposal: Proposal) -> Proposal:
    """Return the proposal taken as it stands, without doubts; of one in which a column is missing they stay."""
    rows = tuple(replace(row, in_doubt=False) for row in proposal.labels)
    doubts = tuple(doubt for doubt in proposal.doubts if proposal.missing or not doubt.blocking)
    return replace(proposal, labels=rows, doubts=doubts, guessed=(), scales_in_doubt=(), order_in_doubt=False)


def note_of_lists(criteria: Sequence[str]) -> str:
    """Return that criteria are left out because their labels are lists."""
    return f"{NOT_READ[1]}: {listed((f'‘{brief(name, 30)}’' for name in criteria), 4)}."


def of_lists(table: TextTable, layout: Layout) -> tuple[str, ...]:
    """Return the criteria on which every label is a list, beside others; none where all are such.

    Parameters
    ----------
    table : TextTable
    layout : Layout
    """
    if layout.shape not in ("pairs", "raters") or "criterion" not in layout.columns:
        return ()
    criterion, lists, others = table.coded(layout.columns["criterion"]), set[int](), set[int]()
    for column, _, _ in sources_of(layout.shape, layout.columns):
        labels = table.coded(column)
        is_list = np.array([*(name.startswith("[") and name.endswith("]") for name in labels.names), False])
        if is_list.any():
            lists |= set(criterion.codes[is_list[labels.codes]].tolist())
        others |= set(criterion.codes[(labels.codes >= 0) & ~is_list[labels.codes]].tolist())
    found = tuple(criterion.names[code] for code in sorted(lists - others - {-1}))
    return found if others - {-1} else ()


def without_criteria(table: TextTable, layout: Layout, names: Collection[str]) -> tuple[TextTable, Layout]:
    """Return a table and its columns without those criteria, as far as others are left.

    Parameters
    ----------
    table : TextTable
    layout : Layout
    names : collection of str
        Criteria.
    """
    if not names:
        return table, layout
    gone = {column.key for column in wide_columns(layout.columns) if column.criterion in names}
    if gone and len(gone) < len(wide_columns(layout.columns)):
        layout = replace(layout, columns={key: column for key, column in layout.columns.items() if key not in gone})
    if "criterion" not in layout.columns:
        return table, layout
    coded = table.coded(layout.columns["criterion"])
    kept = np.array([*(name not in names for name in coded.names), True])[coded.codes]
    if kept.all() or not kept.any():
        return table, layout
    data = written_out(table.data.filter(pa.array(kept)))  # names that no row has any more are gone with their codes
    return replace(table, data=data, numbers=table.record_numbers[kept], origins=(), memo={}), layout
