"""Table -> Proposal: column roles and label meanings, with the doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from metrics.asker import answer, flag, worded
from metrics.data.join import Match
from metrics.data.ratings import Role
from metrics.data.read_options import Repeats
from metrics.data.scales import stated_scales
from metrics.data.threshold import threshold_in
from metrics.data.vocabulary import Kind, is_number, normalise
from metrics.readers.columns import WIDE, Layout, check_columns
from metrics.readers.counting import counts_verdicts, with_classes
from metrics.readers.crossing import with_item
from metrics.readers.guessing import layout_of
from metrics.readers.joining import check_match, joined
from metrics.readers.labelling import Use, Verdicts, check_kinds, check_number_of_labels, interpret
from metrics.readers.limits import check_names, check_raters
from metrics.readers.measuring import Numbered
from metrics.readers.merging import merged_spellings
from metrics.readers.messages import brief, refusal, refuse
from metrics.readers.names import OVERALL
from metrics.readers.own_criteria import own_criteria
from metrics.readers.proposal import Doubt, Proposal
from metrics.readers.rater_roles import KINDS, as_columns, check_names_of_roles, in_several_roles, rater_roles, roles_of_rows
from metrics.readers.repeats import check_repeats
from metrics.readers.role_doubts import everybody, give_roles, guessed_sentence, read_as, roles_and_doubts
from metrics.readers.scaling import Scaled, Source, sources_of
from metrics.readers.steps import Steps
from metrics.readers.table import Coded, TextTable
from metrics.readers.threshold import notes_on, proposed_threshold, with_threshold
from metrics.readers.unlabelled import with_rows_of_meaning, with_scores_as_labels
from metrics.readers.wide import wide_columns
from metrics.results.words import count

# More names of criteria are ids of items.
MOST_CRITERIA = 2000
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
        Whether ids of joined files are the same byte for byte only, or whatever their case, blanks and leading zeros.
    roles : mapping of name to "human", "judge" or "out", optional
        Of raters, of words of a role column, or of one of them on a criterion: ``{"gpt-4": "judge", "api/tone": "out"}``;
        ``*`` is every other.

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
    table, stated = join.table, check_columns(join.table, join.columns)
    order = tuple(order or table.order)
    table = with_item(table, stated.columns)
    layout = layout_of(table, stated)
    table = with_item(table, layout.columns)
    if (own := own_criteria(table, layout.columns)) is not None:
        table, layout = own.table(table), replace(layout, columns=own.columns(layout.columns), notes=[*layout.notes, own.note])
    if roles and not layout.missing:
        criteria = () if layout.shape == "counts" else _criteria(table, layout)
        check_names_of_roles(table.name, roles, everybody(table, layout), criteria)
    if layout.shape == "wide" and stated.roles:
        give_roles(layout, stated.roles)
    if merge_spellings:
        table = merged_spellings(table, layout.columns)
    if layout.missing:
        return replace(_unfinished(layout, order), how=how)
    threshold, meanings = threshold_in(labels)
    given, ordered = _given(table, meanings), list(map(str, order or ()))
    _check_names(table, layout)
    asked = None
    if threshold is None and not (ordered or scale or any(map(is_number, given))):
        asked = proposed_threshold(table, layout.shape, layout.columns, layout.roles)
        threshold = None if asked is None else asked[0]
    table, _ = with_threshold(table, layout.shape, layout.columns, layout.roles, threshold, given)
    table, filled = with_scores_as_labels(table, layout.shape, layout.columns)
    sources, scaled = _scaled(table, layout, given, scale, order)
    verdicts = _verdicts(table, layout, scaled.numbered)
    steps = Steps.of(verdicts.names, given, partial(scaled.labels, table, sources), scaled.stated_scales)
    given = steps.kinds | scaled.kinds(table, sources, given, ordered) | given
    if layout.shape == "counts":
        given = with_classes(verdicts.names, given)
    rows, doubts, extra = interpret(verdicts, given, ordered)
    rows = with_rows_of_meaning(rows, table, layout.shape, layout.columns, _judged(table, layout), scaled.numbered, given)
    rows, in_order, stepped = steps.rows_and_doubts(rows, ordered)
    doubts = (
        *(asked[1:] if asked else ()),
        *scaled.doubts(),
        *stepped,
        *doubts,
        *scaled.unordered(table, sources, given, in_order),
    )
    of_raters, role_doubts = roles_and_doubts(table, layout)
    return Proposal(
        layout.shape,
        tuple((layout.columns if own is None else own.columns_of_file(layout.columns)).items()),
        of_raters,
        rows,
        in_order,
        (*join.doubts, *layout.doubts, *_confirm_guesses(layout), *role_doubts, *doubts),
        tuple(layout.guessed),
        (
            *layout.notes,
            *notes_on(threshold, layout.shape, layout.columns),
            *filled,
            *scaled.notes(table, sources),
        ),
        extra,
        scales=scaled.scales,
        scales_in_doubt=scaled.in_doubt,
        order_in_doubt=in_order != tuple(ordered),
        threshold=str(threshold or ""),
        threshold_in_doubt=asked is not None,
        criteria=scaled.criteria,
        how=how,
        of_files=join.answers,
    )


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
    criteria = (() if layout.shape == "counts" else _criteria(table, layout)) or (OVERALL,)
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
    return (Doubt(guessed_sentence(read_as(layout)), "columns"),)


def _verdicts(table: TextTable, layout: Layout, numbered: Numbered) -> Verdicts:
    if layout.shape == "counts":
        return counts_verdicts(table, layout.columns)
    criteria = _criteria(table, layout)
    sources = sources_of(layout.shape, layout.columns)
    measured = [numbered.labels(table, column, criterion) for column, _, criterion in sources]
    for (column, _, _), coded in zip(sources, measured, strict=True):
        check_number_of_labels(table.name, column, coded.names)
    names = tuple(dict.fromkeys(name for coded in measured for name in coded.names))
    places = {name: place for place, name in enumerate(names)}
    firsts = _first_rows(table, measured, names)
    uses: list[Use] = []
    for (column, role, _), coded in zip(sources, measured, strict=True):
        move = np.array([places[name] for name in coded.names], dtype=np.int64)
        uses += _uses(table, layout, coded, move, len(names), (column, role))
    return Verdicts(names, firsts, tuple(uses), criteria)


def _criteria(table: TextTable, layout: Layout) -> tuple[str, ...]:
    if layout.shape == "wide":
        names: tuple[str, ...] = tuple(dict.fromkeys(w.criterion for w in wide_columns(layout.columns) if w.criterion))
        return names or (table.coded(layout.columns["criterion"]).names if "criterion" in layout.columns else ())
    column = layout.columns.get("criterion")
    if column is None:
        return ()
    if len(table.raw(column)[1]) > MOST_CRITERIA:
        number = len(table.coded(column).names)
        if number > MOST_CRITERIA:
            refuse(f"{brief(table.name)}: {count(number)} criteria found. Is ‘{brief(column)}’ an item id?", column=column)
    return table.coded(column).names


def _first_rows(table: TextTable, columns: Sequence[Coded], names: Sequence[str]) -> tuple[int | None, ...]:
    if table.merged is not None or table.join is not None:
        return (None,) * len(names)
    first_by_name: dict[str, int] = {}
    for coded in columns:
        for code, name in enumerate(coded.names):
            first = coded.first(code)
            if first >= 0:
                first_by_name[name] = min(first_by_name.get(name, first), first)
    return tuple(table.number(first_by_name[name]) if name in first_by_name else None for name in names)


def _uses(
    table: TextTable, layout: Layout, coded: Coded, move: NDArray[np.int64], n_labels: int, who: tuple[str, Role | None]
) -> list[Use]:
    """Return uses of one column: one, or one per rater of a long file."""
    column, role = who
    if layout.shape == "raters":
        group, roles = _groups(table, layout)
    else:
        group, roles = np.zeros(table.n_rows, dtype=np.int32), [role]
    counts = np.zeros((len(roles), n_labels), dtype=np.int64)
    times = None if table.merged is None else table.merged.times
    counts[:, move] = _cross(group, coded.codes, len(roles), len(coded.names), times)
    blanks = 0 if layout.shape == "raters" else table.counted(coded.codes < 0) + table.left_blank
    together = _LabelsByCriterion(table, layout, coded, group, move, n_labels)
    return [Use(column, group_role, counts[place], blanks, partial(together.of, place)) for place, group_role in enumerate(roles)]


@dataclass(eq=False)
class _LabelsByCriterion:
    """Which labels each rater gives on the same criterion, found once and only where somebody mixes words."""

    table: TextTable
    layout: Layout
    coded: Coded
    group: NDArray[np.int32]
    move: NDArray[np.int64]
    n_labels: int

    @cached_property
    def criterion(self) -> Coded | None:
        return self.table.coded(self.layout.columns["criterion"]) if "criterion" in self.layout.columns else None

    @property
    def span(self) -> int:
        return (1 if self.criterion is None else len(self.criterion.names)) * self.n_labels

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """Distinct (rater, criterion, label), sorted."""
        used = (self.coded.codes >= 0) & (self.group >= 0)
        key = self.group.astype(np.int64) * self.span + np.append(self.move, 0)[self.coded.codes]
        if self.criterion is not None:
            used &= self.criterion.codes >= 0
            key += self.criterion.codes.astype(np.int64) * self.n_labels
        return np.unique(key[used])

    def of(self, place: int) -> NDArray[np.int64]:
        """Return one row of 0 and 1 per criterion that the rater judged, one column per label."""
        start, stop = np.searchsorted(self.keys, [place * self.span, (place + 1) * self.span])
        criteria, labels = np.divmod(self.keys[start:stop] - place * self.span, self.n_labels)
        distinct, rows = np.unique(criteria, return_inverse=True)
        indicators = np.zeros((len(distinct), self.n_labels), dtype=np.int64)
        indicators[rows, labels] = 1
        return indicators


def _cross(
    groups: NDArray[np.int32], codes: NDArray[np.int32], n_groups: int, n_codes: int, times: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Return the number of rows by group and code, in a tally each as often as it stands for.

    Rows without either are not counted.
    """
    if n_groups == 1 and not (groups < 0).any():
        return np.bincount(codes + 1, weights=times, minlength=n_codes + 1)[None, 1:].astype(np.int64)
    key = (groups + 1) * np.int64(n_codes + 1) + codes + 1
    counts = np.bincount(key, weights=times, minlength=(n_groups + 1) * (n_codes + 1)).astype(np.int64)
    return counts.reshape(n_groups + 1, n_codes + 1)[1:, 1:]


def _groups(table: TextTable, layout: Layout) -> tuple[NDArray[np.int32], list[Role | None]]:
    """Return rater of each row for the check of mixed words, with the rater's role."""
    names = table.coded(layout.columns.get("rater") or layout.columns["role"])
    if not in_several_roles(table, layout.columns, layout.roles):
        stated: list[Role | None] = ["judge" if role == "judge" else None for role in rater_roles(names.names, layout.roles)]
        return names.codes, stated
    judged = roles_of_rows(table, layout.columns, layout.roles) == KINDS.index("judge")
    both: list[Role | None] = ["human", "judge"]
    group = np.where(names.codes < 0, -1, names.codes * 2 + judged).astype(np.int32)
    return group, both * len(names.names)


def _judged(table: TextTable, layout: Layout) -> dict[str, NDArray[np.bool_]]:
    """Return rows that name a judge, by the role of the column that holds its label."""
    if layout.shape == "pairs" and "judge" in layout.columns:
        return {"verdict": table.coded(layout.columns["judge"]).codes >= 0}
    if layout.shape != "raters":
        return {}
    group, roles = _groups(table, layout)
    return {"label": np.array([*(role == "judge" for role in roles), False])[group]}


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
    sentences: list[str] = []
    room = 960 - len(wanted) - len(brief(table.name))
    for doubt in blocking:
        if not sentences or sum(map(len, sentences)) + len(doubt.sentence) < room:
            sentences.append(doubt.sentence)
    first = blocking[0]
    text = " ".join(sentences)
    message = f"{brief(table.name)}: {text if len(text) <= room else f'{text[: room - 1]}…'}{wanted}"
    raise refusal(message, row=first.row, column=first.column)


def _answers(proposal: Proposal) -> list[str]:
    """Return the answers that settle the doubts as proposed, whole where they fit, in the words of who asks."""
    answers: dict[str, str | Sequence[str] | Mapping[str, str]] = {
        "columns": proposal.columns_answer, "roles": proposal.roles_answer, "scale": proposal.scale_answer,
        "labels": proposal.labels_answer,
        "order": proposal.order_answer,
    }  # fmt: skip
    lines, room = [], LONGEST_ANSWERS
    for name, value in answers.items():
        if value:
            lines.append(flag(f"--{name}", value) if isinstance(value, str) else answer(f"--{name}", value, room))
            room = max(room - len(lines[-1]), LEAST_ANSWER)
    return list(filter(None, lines))


def confirmed(proposal: Proposal) -> Proposal:
    """Return the proposal taken as it stands, without doubts."""
    rows = tuple(replace(row, in_doubt=False) for row in proposal.labels)
    doubts = tuple(doubt for doubt in proposal.doubts if not doubt.blocking)
    return replace(proposal, labels=rows, doubts=doubts, guessed=(), scales_in_doubt=(), order_in_doubt=False)
