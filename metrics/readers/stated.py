"""Answers that were stated: whether they are of the kind that is taken, and of labels that occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from metrics.data.arguments import EXAMPLES
from metrics.data.labels import CLASSES
from metrics.data.vocabulary import is_number, meaning, normalise, number_said, synonym
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.proposal import Proposal

LIKE = 0.75
"""How alike two spellings are from which on one is taken for a slip of the other."""


def check_lists(lists: Mapping[str, Any]) -> None:
    """Refuse one text where several names are taken: it would be read letter by letter.

    Raises
    ------
    InputError
    """
    for name, given in lists.items():
        if isinstance(given, str | bytes):
            refuse(f"{name}= takes a list such as {EXAMPLES[name]}, not one text.")


def check_labels(name: str, proposal: Proposal, labels: Mapping[str, str] | None, order: Sequence[str]) -> None:
    """Refuse labels that were stated and occur nowhere, where that can be a slip alone.

    One is spelled nearly like a label that was not stated, or none that the order names occurs. A mapping for many files, and a
    scale of which nobody gave a step, name such labels too.

    Raises
    ------
    InputError
    """
    nowhere = {label for label, _ in proposal.extra if not is_number(label)}
    stated = [label for label in map(str, labels or ()) if label in nowhere and meaning(label) is None]
    left = [] if proposal.blocking else [row.label for row in proposal.labels if not row.given]  # else asked about
    _refuse_slip(name, stated, left, "whose meaning is stated", "its meaning is not stated")
    forms = {form for label in map(str, order) for form in _forms(label)}
    left = [row.label for row in proposal.labels if not forms & _forms(row.label)]
    _refuse_slip(
        name,
        [label for label in map(str, order) if label in nowhere],
        left,
        "which the order names",
        "it has no place in the order",
    )
    classes = [row.label for row in proposal.labels if row.kind in CLASSES]
    if order and classes and set(classes) <= set(left):
        listed_classes = listed((f"‘{brief(label, 30)}’" for label in classes), 6)
        refuse(f"{brief(name)}: no label is in the order. Write the labels as the file has them: {listed_classes}.")


def _refuse_slip(name: str, stated: Sequence[str], left: Sequence[str], what: str, lacks: str) -> None:
    for label in stated:
        for near in get_close_matches(label, left, n=1, cutoff=LIKE):
            refuse(
                f"{brief(name)}: no label is ‘{brief(label, 30)}’, {what}; ‘{brief(near, 30)}’ is, and {lacks}. "
                "Write the labels as the file has them."
            )


def _forms(label: str) -> set[str]:
    """Return the forms in which a label may be named: its own, the number of its step, and that of its synonyms."""
    return {normalise(label), number_said(label), synonym(label)} - {""}
