"""What a table probably means, with the doubts a person must settle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from metrics.data.join import Match
from metrics.data.labels import AFTER_CLASSES, CLASSES, LABEL_KINDS, Axis, Scale, Scheme, missing_side
from metrics.data.ratings import Shape
from metrics.data.read_options import DEFAULT, ReadOptions
from metrics.data.vocabulary import Kind, is_number, normalise, number_said
from metrics.readers.measuring import Numbered
from metrics.readers.messages import brief, listed

About = Literal["columns", "match", "roles", "labels", "scale"]


MOST_WIDE = 4
"""Columns of raters on criteria up to which each is named in the answer; beyond it the raters are."""


@dataclass(frozen=True)
class Doubt:
    """One question: a sentence that says what is unclear and what to do.

    A doubt that is not `blocking` stops only the commands that need the answer (the roles of raters).
    """

    sentence: str
    about: About
    blocking: bool = True
    labels: tuple[str, ...] = ()
    row: int | None = None
    column: str | None = None
    roles: tuple[tuple[str, str], ...] = ()
    """Names with the roles that are proposed."""
    match: Match = ""
    """Of a question about ids, how they are compared where the answer is as proposed; empty where none is."""
    told: bool = False
    """Whether a form takes the proposed answer and says so: which of two sides counts as positive changes what an error is
    called and no number that is shown first, and more different numbers than labels could be are scores."""


@dataclass(frozen=True)
class LabelRow:
    """One label of the file: how often it occurs, in which row first, and what it is taken to mean."""

    label: str
    count: int
    row: int | None
    kind: Kind
    in_doubt: bool = False
    sentence: str = ""
    given: bool = False
    """Whether the meaning was stated, not taken from the vocabulary."""


@dataclass(frozen=True)
class Proposal:
    """Column roles and label meanings of a table.

    Attributes
    ----------
    shape : "pairs", "raters", "wide" or "counts"
    columns : tuple of (role, column)
        Roles are item, criterion, judge, human, verdict, label, rater, role, score, ...; in a wide table
        `human:<rater>`, `judge:<rater>` or `rater:<rater>`, followed by `::<criterion>` where there are several; in a
        grid of counts `rows` says whose verdicts the rows hold.
    roles : tuple of (rater, role)
        human, judge, none (left out), or None where it is unknown.
    labels : tuple of LabelRow
    order : tuple of str
        Classes, low to high, where the user gave them, or where they are words for the steps of a scale.
    doubts : tuple of Doubt
    guessed : tuple of str
        Keys of `columns` that are guesses.
    """

    shape: Shape
    columns: tuple[tuple[str, str], ...]
    roles: tuple[tuple[str, str | None], ...] = ()
    labels: tuple[LabelRow, ...] = ()
    order: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    guessed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    extra: tuple[tuple[str, Kind], ...] = ()
    """Labels that were given a meaning but do not occur."""
    missing: tuple[str, ...] = ()
    """Roles the shape needs and no column seems to have."""
    scales: tuple[tuple[str, Scale], ...] = ()
    """Criterion and scale, of those that were stated or hold too many numbers for labels."""
    scales_in_doubt: tuple[str, ...] = ()
    """Criteria whose scale was not stated and must be confirmed."""
    order_in_doubt: bool = False
    """Whether nobody gave the order, so that it must be confirmed."""
    threshold: str = ""
    """Which numbers of the judges are positive, as in ``labels``; empty where their labels are no numbers, or count as such."""
    threshold_in_doubt: bool = False
    """Whether nobody stated it, so that it must be confirmed."""
    criteria: tuple[str, ...] = ()
    """Criteria of the file; `overall` where it names none."""
    how: ReadOptions = DEFAULT
    """What was said about the file."""
    of_files: tuple[tuple[str, str], ...] = ()
    """Of files that are joined, the `columns` that confirm what was guessed."""
    lists: tuple[str, ...] = ()
    """Criteria that are left out, because each label there is a list."""
    left: tuple[str, ...] = ()
    """Criteria whose labels are not asked about: those, or all that were not asked for."""

    @property
    def blocking(self) -> tuple[Doubt, ...]:
        return tuple(doubt for doubt in self.doubts if doubt.blocking)

    def column(self, role: str) -> str | None:
        return dict(self.columns).get(role)

    @property
    def scale(self) -> Axis:
        return self.scheme.scale

    @property
    def columns_answer(self) -> dict[str, str]:
        """The `columns` that confirm what is proposed; empty if nothing was guessed."""
        answers = {role: column for role, column in self.columns if role in self.guessed}
        wide = {role: _rater_of(role) for role in answers if "::" in role}
        others = any(role.startswith(("human:", "judge:", "rater:")) for role in answers if role not in wide)
        asked = {name for doubt in self.blocking for name, _ in doubt.roles}
        if len(wide) > MOST_WIDE and all(role != "rater" or rater in asked for rater, role in wide.values()) and not others:
            known = {f"role:{rater}": role for rater, role in wide.values() if role != "rater"}
            answers = known | {role: column for role, column in answers.items() if role not in wide}
        return dict.fromkeys(self.missing, "COLUMN") | dict(self.of_files) | answers

    @property
    def roles_answer(self) -> dict[str, str]:
        """The `roles` that confirm those proposed, beside those that `columns_answer` says."""
        roles = dict(pair for doubt in self.blocking for pair in doubt.roles)
        return {name: role for name, role in roles.items() if f"role:{name}" not in self.columns_answer}

    @property
    def match_answer(self) -> Match:
        """The `match` that confirms how ids are compared; empty where nobody asks, or nothing is proposed."""
        return next((doubt.match for doubt in self.blocking if doubt.match), "")

    @property
    def labels_answer(self) -> dict[str, str]:
        """The `labels` that confirm the proposed meaning of those in doubt."""
        rows = sorted(
            (row for row in self.labels if row.in_doubt),
            key=lambda row: (LABEL_KINDS.index(row.kind), *_class_order(row.label, "class")),
        )
        threshold = {self.threshold: "positive"} if self.threshold_in_doubt else {}
        return {row.label: row.kind for row in rows} | threshold

    @property
    def order_answer(self) -> tuple[str, ...]:
        """The `order` that confirms the proposed one."""
        return self.order if self.order_in_doubt else ()

    @property
    def scale_answer(self) -> str | dict[str, str]:
        """The `scale` that confirms the scales in doubt, beside those that were stated."""
        known: dict[str, str] = dict(self.scales) if self.scales_in_doubt else {}
        scales = set(known.values()) if len(known) == len(self.criteria) else set()
        return scales.pop() if len(scales) == 1 else known

    @cached_property
    def numbered(self) -> Numbered:
        """Which numbers of the label columns are scores."""
        criteria = frozenset(criterion for criterion, scale in self.scales if scale == "continuous")
        words = frozenset(normalise(row.label) for row in self.labels if row.kind in AFTER_CLASSES)
        return Numbered(criteria, self.column("criterion"), words)

    @cached_property
    def nowhere(self) -> tuple[str, ...]:
        """Labels that were named as classes, occur in no row and are no step of the scale of those that do.

        A step is a number among numbers, or a word among words that are not positive or negative; on a scale that was stated as
        one of steps or classes, any label.
        """
        there = [row for row in self.labels if row.kind in CLASSES]
        if not there or any(scale in ("ordinal", "nominal") for _, scale in self.scales):
            return ()
        numbers = all(map(_is_step, (row.label for row in there)))
        sides = not any(row.kind in ("class", "number") for row in there)
        return tuple(label for label, kind in self.extra if kind == "class" and (not _is_step(label) if numbers else sides))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know of the reading: the notes, and labels that were stated and occur nowhere."""
        stated = {label.strip() for label, _ in self.how.labels}
        others = [label for label, _ in self.extra if label in stated and label not in self.nowhere]
        return (*self.notes, *_absent(self.nowhere, ("no class", "no classes")), *_absent(others))

    @cached_property
    def scheme(self) -> Scheme:
        """The labels as they are proposed, with the opposite of a class that stands alone."""
        kinds: list[tuple[str, Kind]] = [(row.label, row.kind) for row in self.labels]
        kinds += [pair for pair in self.extra if pair not in kinds and pair[0] not in self.nowhere]
        order = tuple(label for label in self.order if label not in self.nowhere)
        places = {normalise(label): place for place, label in enumerate(order)}
        kinds.sort(key=lambda pair: (places.get(normalise(pair[0]), len(places)) * (pair[1] == "class"), *_class_order(*pair)))
        forms = {normalise(label) for label, _ in kinds}
        kinds += [pair for pair in missing_side(kinds) if normalise(pair[0]) not in forms]
        return Scheme(tuple(kinds), order, scales=self.scales)


def _absent(labels: Sequence[str], makes: tuple[str, str] | None = None) -> list[str]:
    """Return that labels occur nowhere, and what one of them and several of them therefore make; nothing without any."""
    if not labels:
        return []
    names, one = listed((f"‘{brief(label, 30)}’" for label in labels), 6), len(labels) == 1
    end = "" if makes is None else f": it makes {makes[0]}" if one else f": they make {makes[1]}"
    return [f"{names} {'occurs' if one else 'occur'} in no row{end}."]


def _is_step(label: str) -> bool:
    return is_number(label) or bool(number_said(label))


def _rater_of(key: str) -> tuple[str, str]:
    """Return name and role of the rater of a column on one criterion, `human:ana::tone`; `rater` where nobody says the role."""
    role, _, rest = key.partition(":")
    return rest.partition("::")[0], role


def _class_order(label: str, kind: Kind) -> tuple[bool, bool, float, str]:
    if kind != "class":
        return (False, False, 0.0, "")
    if is_number(label):
        return (True, False, float(label.strip().replace(",", ".")), label)
    return (True, True, 0.0, label.casefold())
