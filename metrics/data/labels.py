"""What a label means: kinds, verdict states, and the confirmed scheme; and what a file itself says of its criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.data.vocabulary import Kind, counterpart, is_number, normalise, number_said, synonym

Axis = Literal["binary", "nominal"]
Scale = Literal["binary", "pairwise", "ordinal", "continuous", "nominal"]
Handling = Literal["abstention", "exclude", "as_unmet", "as_category"]

#: States after the K classes, in the order of the verdict axis. See `Scheme.states`.
AFTER_CLASSES: tuple[Kind, ...] = ("abstention", "tie", "invalid", "split", "error", "missing")
#: Kinds that are classes, in the order of the verdict axis.
CLASSES: tuple[Kind, ...] = ("positive", "negative", "class", "number")
#: Kinds of a label; a split vote is what several people come to, and no label says it.
LABEL_KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "split")
#: Kinds that can be given a handling of their own, with the one they have otherwise: a failed call is missing.
HANDLED: dict[Kind, Handling] = {"tie": "abstention", "invalid": "abstention", "error": "exclude"}
NUMBER = "(number)"
"""The one label that stands for every number of a continuous scale; the number itself is the score of the rating."""
SCORE_ALONE = "(score without a label)"
"""Stands for the label of a rating that has a number and none: no verdict, and a score all the same."""
EMPTY_CELL = "(empty cell)"
"""What the label of an empty cell is called where it is shown."""
DEFAULT_POSITIVE, DEFAULT_NEGATIVE, DEFAULT_ABSTENTION = "MET", "UNMET", "CANNOT_ASSESS"

NO_NUMBER = "neither a number nor a word for no verdict"
"""What a cell of scores holds that is left out, in the note that says so."""
NOT_READ = ("Labels of another question are not read", "Not read, because each label there is a list")
"""How notes begin on labels that the file holds and nothing counts: in columns of other words, and on criteria of lists."""
NO_VERDICT = "no verdict"
LONGEST_NAME = 16
"""Letters of the user's own words for several kinds in one class; beyond them the class is called `NO_VERDICT`."""


@dataclass(frozen=True)
class Scheme:
    """The confirmed meaning of every label of a data set.

    Parameters
    ----------
    kinds : tuple of (label, kind)
        Labels as they stand in the file (trimmed); may name labels that do not occur. `positive` and `negative` make a
        binary axis; any `class` or `number` makes a nominal one, whose classes are the labels of kind positive, negative,
        class and number.
    order : tuple of str
        Classes in the order of the verdict axis, where the user gave one.
    handling : tuple of (kind, handling)
        Ties, invalid answers and failed calls that do not follow the abstentions; see `metrics.data.nonverdicts`.
    unused : tuple of str
        Labels that occur nowhere in the data, as `Ratings` finds them; no part of what the labels mean.
    scales : tuple of (criterion, scale)
        Scales that were stated; of the other criteria `metrics.data.scales` says what their labels are.
    """

    kinds: tuple[tuple[str, Kind], ...]
    order: tuple[str, ...] = ()
    handling: tuple[tuple[Kind, Handling], ...] = ()
    unused: tuple[str, ...] = field(default=(), compare=False)
    scales: tuple[tuple[str, Scale], ...] = ()

    def handled(self, kind: Kind) -> Handling:
        """Return what becomes of an answer of a kind that gives no verdict: what becomes of an abstention, or something of its
        own.
        """
        usual: Handling = "exclude" if kind == "split" else HANDLED.get(kind, "abstention")
        return dict(self.handling).get(kind, usual)

    def of(self, kind: Kind) -> tuple[str, ...]:
        """Return labels of one kind, in scheme order."""
        return tuple(label for label, label_kind in self.kinds if label_kind == kind)

    @cached_property
    def scale(self) -> Axis:
        """What the verdict axis of all criteria together is; the judgment scale belongs to a criterion."""
        return "nominal" if self.of("class") or self.of("number") else "binary"

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Names on the verdict axis: (positive, negative), or the classes of a nominal scale."""
        if self.scale == "binary":
            return (self._first("positive", DEFAULT_POSITIVE), self._first("negative", DEFAULT_NEGATIVE))
        return tuple(dict.fromkeys(self._class_by_form.values()))

    @cached_property
    def _class_by_form(self) -> dict[str, str]:
        """Form of every label of a nominal axis -> name of its class.

        Spellings of one meaning share a class, those of the vocabulary too, and so do all positive and all negative labels, and
        numbers with the steps that name them, such as “4 - good”; labels that the order tells apart do not.
        """
        kinds: dict[str, Kind] = {normalise(label): kind for label, kind in self.kinds}
        sides = {synonym(form): kind for form, kind in kinds.items() if kind in ("positive", "negative")}
        ordered = {normalise(label): label for label in self.order}
        numbers = {number for label, _ in self.kinds if is_number(label) and (number := normalise(label))}
        plain = {meaning: label for label, _ in reversed(self.kinds) if normalise(label) == (meaning := synonym(label))}
        class_by_form: dict[str, str] = {}
        first: dict[str, str] = {}
        for label in (*self.order, *(label for kind in CLASSES for label in self.of(kind))):
            form = normalise(label)
            kind = kinds.get(form, "class")
            meaning = number if (number := number_said(label)) in numbers else synonym(form)
            key = kind if kind in ("positive", "negative") else sides.get(meaning, meaning)
            if form not in class_by_form:
                named = plain.get(meaning, label) if kind == "class" else label
                class_by_form[form] = label if form in ordered else first.get(key, named)
                first.setdefault(key, class_by_form[form])
        return class_by_form

    @cached_property
    def abstention_name(self) -> str:
        """What the class of answers without a verdict is called: the user's word, or one for all kinds that fall in it."""
        kinds = [kind for kind in AFTER_CLASSES[:-1] if self.handled(kind) in ("abstention", "as_category")]
        used = [[label for label in self.of(kind) if label not in self.unused] for kind in kinds]
        names = [labels[0] for labels in used if labels]
        if len(names) > 1:
            together = " / ".join(names)
            return together if len(together) <= LONGEST_NAME else NO_VERDICT
        return next(iter((*names, *(label for kind in kinds for label in self.of(kind)))), DEFAULT_ABSTENTION)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def n_states(self) -> int:
        """Length of the raw verdict axis: K classes, then abstention, tie, invalid, split, error, missing."""
        return self.n_classes + len(AFTER_CLASSES)

    @property
    def end_of_rated(self) -> int:
        """States below this one are answers; a failed call is one only where it is counted."""
        return self.state("error" if self.handled("error") == "exclude" else "missing")

    def state(self, kind: Kind) -> int:
        """Return index of a kind that is not a class on the raw verdict axis."""
        return self.n_classes + AFTER_CLASSES.index(kind)

    def states(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """Return state of each label on the raw verdict axis, shape (len(labels),).

        Raises
        ------
        KeyError
            For a label the scheme does not name.
        """
        return np.array([self._place(label) for label in labels], dtype=np.int8)

    @cached_property
    def _kind_by_form(self) -> dict[str, Kind]:
        return {normalise(label): kind for label, kind in self.kinds} | dict(self.kinds)

    def kind_of(self, label: str) -> Kind:
        """Return the kind of a label, whatever its spelling.

        Raises
        ------
        KeyError
            For a label the scheme does not name.
        """
        return self._kind_by_form[label if label in self._kind_by_form else normalise(label)]

    def class_of(self, label: str) -> str:
        """Return the class that a label of a nominal axis falls in; itself for one that is no class."""
        return self._class_by_form.get(normalise(label), label)

    def _place(self, label: str) -> int:
        kind = self.kind_of(label)
        if kind in AFTER_CLASSES:
            return self.state(kind)
        if self.scale == "binary":
            return 0 if kind == "positive" else 1
        return self.classes.index(self.class_of(label))

    def _first(self, kind: Kind, otherwise: str) -> str:
        return next(iter(self.of(kind)), otherwise)

    def to_dict(self) -> dict[str, list[str]]:
        """Return labels by kind, as the declaration carries them."""
        kinds: tuple[Kind, ...] = ("positive", "negative", "abstention", "tie", "invalid")
        extra: tuple[Kind, ...] = tuple(k for k in ("class", "number", "error", "missing") if self.of(k))
        return {kind: list(self.of(kind)) for kind in (*kinds, *extra)}


@dataclass(frozen=True)
class RubricCriterion:
    """A criterion as the rubric in the file has it.

    Attributes
    ----------
    name : str
    weight : float
        NaN where it is not the same on every item. Below zero where the positive verdict is the bad outcome.
    scale : {"binary", "ordinal", "nominal"}
    options : tuple of (label, value)
        Of an ordinal criterion low to high; without those that are no verdict. Empty for a binary one.
    definition : str
        What is required, in the words of the rubric; empty where it is not the same on every item.
    """

    name: str
    weight: float
    scale: Literal["binary", "ordinal", "nominal"]
    options: tuple[tuple[str, float], ...] = ()
    definition: str = ""


def missing_side(kinds: Sequence[tuple[str, Kind]], known: Sequence[tuple[str, Kind]] = ()) -> list[tuple[str, Kind]]:
    """Return the label of the side, positive or negative, that no label has: the opposite word, else one known elsewhere.

    Nothing where both sides have a label, or neither has, and beside classes.

    Parameters
    ----------
    kinds : sequence of (label, kind)
        Labels in use.
    known : sequence of (label, kind)
        Further ones; of these the opposite word in its spelling comes first.
    """
    there = {kind for _, kind in kinds}
    if there & {"class", "number"} or ("positive" in there) == ("negative" in there):
        return []
    mine: Kind = "positive" if "positive" in there else "negative"
    other: Kind = "negative" if mine == "positive" else "positive"
    opposite = counterpart(next(label for label, kind in kinds if kind == mine))
    names = [label for label, kind in known if kind == other]
    if opposite is not None:
        names = [*(name for name in names if normalise(name) == normalise(opposite)), opposite, *names]
    return [(name, other) for name in names[:1]]
