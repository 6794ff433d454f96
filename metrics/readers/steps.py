"""Labels that are words for the steps of a scale: classes, in an order that a person confirms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from metrics.asker import worded
from metrics.data.labels import CLASSES, Scale
from metrics.data.vocabulary import Kind, is_number, normalise, steps_of
from metrics.readers.messages import listed
from metrics.readers.names import OVERALL
from metrics.readers.proposal import Doubt, LabelRow

Used = Mapping[str, frozenset[str]]
"""Label to the criteria that use it; a label without an entry is used on the whole file."""
WHOLE = frozenset({OVERALL})


@dataclass(frozen=True)
class Steps:
    """The steps among the labels of a file.

    Attributes
    ----------
    words : tuple of str
    order : tuple of str
        The same, low to high, where the words tell it.
    used : mapping of label to criteria
    """

    words: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    used: Used = field(default_factory=dict)

    @classmethod
    def of(cls, names: Sequence[str], given: Mapping[str, Kind], used: Callable[[], Used], stated: Mapping[str, Scale]) -> Steps:
        """Return steps whose meaning somebody left open, on criteria that nobody put on another scale than an ordinal one.

        Parameters
        ----------
        names : sequence of str
            All labels.
        given : mapping of label to kind
            Stated meanings.
        used : callable
            Returns label to the criteria that use it; called only where there are steps.
        stated : mapping of criterion to scale
        """
        if not steps_of(names)[0]:
            return cls()
        by_label, known = used(), {normalise(label): kind for label, kind in given.items()}
        free = [
            name
            for name in names
            if known.get(normalise(name), "class") == "class"
            and any(stated.get(criterion, "ordinal") == "ordinal" for criterion in by_label.get(name, WHOLE))
        ]
        words, order = steps_of(free)
        return cls(words, order, by_label) if any(normalise(word) not in known for word in words) else cls()

    @property
    def kinds(self) -> dict[str, Kind]:
        """Every step is a class of its own."""
        return dict.fromkeys(self.words, "class")

    def rows_and_doubts(
        self, rows: tuple[LabelRow, ...], order: Sequence[str]
    ) -> tuple[tuple[LabelRow, ...], tuple[str, ...], tuple[Doubt, ...]]:
        """Return the rows, the order and what is asked: to confirm the order of the words, else that they are classes."""
        given = {normalise(label) for label in order}
        left = tuple(word for word in self.words if normalise(word) not in given)
        if not left:
            return rows, tuple(order), ()
        proposed_order = () if order else self._proposed_order(rows)
        are = f"The labels {listed(proposed_order or left, 10)} are steps of a scale. Confirm"
        if proposed_order:
            how = worded(" with --labels", " with labels=", "")
            doubt = Doubt(f"{are} this order, low to high, or say{how} what each label means.", "labels", labels=proposed_order)
            return rows, proposed_order, (doubt,)
        how = worded(" with --order", " with order=", "")
        sentence = f"{are} them as classes, or give{how} the order of all labels, low to high."
        open_words = {normalise(word) for word in left}
        rows = tuple(
            replace(row, in_doubt=True, sentence=sentence) if normalise(row.label) in open_words else row for row in rows
        )
        return rows, tuple(order), (Doubt(sentence, "labels", labels=left),)

    def _proposed_order(self, rows: Sequence[LabelRow]) -> tuple[str, ...]:
        """Return the order of the words, where no criterion of theirs has another class, and no other one an order by numbers."""
        steps = {normalise(word) for word in self.words}
        step_criteria = frozenset[str]().union(*(self.used.get(word, WHOLE) for word in self.words))
        others = [row for row in rows if row.kind in CLASSES and normalise(row.label) not in steps]
        beside = any(
            self.used.get(row.label, WHOLE) & step_criteria or (row.kind == "class" and is_number(row.label)) for row in others
        )
        return () if beside else self.order
