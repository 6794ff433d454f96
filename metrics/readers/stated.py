"""Answers that were stated: whether they are of the kind that is taken, and of labels that occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from metrics.data.checks import named
from metrics.data.vocabulary import normalise
from metrics.readers.messages import brief, refuse
from metrics.readers.proposal import Proposal

EXAMPLES = {
    "columns": '{"item": "id", "human": "gold"}', "labels": '{"yes": "positive", "no": "negative"}',
    "roles": '{"ana": "human", "gpt": "judge"}', "order": '["low", "high"]', "criteria": '["tone"]',
}  # fmt: skip
LIKE = 0.75
"""How alike two spellings are from which on one is taken for a slip of the other."""


def check_kinds(mappings: Mapping[str, Any], lists: Mapping[str, Any]) -> None:
    """Refuse one text where several answers are taken: it would be read letter by letter.

    Raises
    ------
    InputError
    """
    for name, given in mappings.items():
        if given is not None and not isinstance(given, Mapping):
            refuse(f"{name}= takes a dict such as {EXAMPLES[name]}, not {named(given)}.")
    for name, given in lists.items():
        if isinstance(given, str | bytes):
            refuse(f"{name}= takes a list such as {EXAMPLES[name]}, not one text.")


def check_order(name: str, proposal: Proposal, order: Sequence[str]) -> None:
    """Refuse an order that names a label which does not occur, and leaves out one that is spelled nearly so.

    Raises
    ------
    InputError
    """
    named_forms, there = {normalise(str(label)) for label in order}, {normalise(row.label) for row in proposal.labels}
    left = [row.label for row in proposal.labels if normalise(row.label) not in named_forms]
    for label in map(str, order):
        near = [] if normalise(label) in there else get_close_matches(label, left, n=1, cutoff=LIKE)
        if near:
            refuse(
                f"{brief(name)}: no label is ‘{brief(label, 30)}’, which the order names; ‘{brief(near[0], 30)}’ is, and it "
                "has no place in the order. Write the labels as the file has them."
            )
