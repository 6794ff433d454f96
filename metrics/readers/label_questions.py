"""What is asked of labels whose meaning is open: one question for each reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metrics.asker import worded
from metrics.data.vocabulary import SENTINELS, Kind, normalise
from metrics.readers.messages import brief, listed, times
from metrics.readers.proposal import Doubt, LabelRow

NUMBERS = "number"
PREFERENCE = "preference"
LETTERS = "letters"
UNKNOWN = "unknown"
"""Reasons why a meaning is open, of which the sentence is one for all labels."""


def questions_of(rows: list[LabelRow]) -> list[Doubt]:
    """Return one doubt per reason; the sentences of the rows are completed on the way."""
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row.in_doubt and row.sentence in (NUMBERS, PREFERENCE, LETTERS, UNKNOWN):
            groups.setdefault(row.sentence, []).append(place)
        elif row.in_doubt and not row.sentence.endswith("."):
            groups.setdefault(f"{row.label}\0{row.sentence}", []).append(place)
    doubts = []
    names = [next((r.label for r in rows if r.kind == kind and not r.in_doubt), word) for kind, word in _WORDS]
    names.append("a class of its own")
    for reason, places in groups.items():
        members = [rows[place] for place in places]
        doubts.append(
            Doubt(
                _sentence(reason, members, names),
                "labels",
                labels=tuple(m.label for m in members),
                row=members[0].row,
                told=reason == PREFERENCE,
            )
        )
        for place in places:
            rows[place] = replace(rows[place], sentence=_sentence(reason, [rows[place]], names))
    return doubts


_WORDS: tuple[tuple[Kind, str], ...] = (("positive", "MET"), ("negative", "UNMET"))


def _label_place(row: LabelRow) -> str:
    if row.row is None:
        return f"‘{brief(row.label)}’ ({times(row.count, 'time', 'times')})"
    return f"‘{brief(row.label)}’ in row {row.row}" + (f" (and {row.count - 1} more)" if row.count > 1 else "")


def _sentence(reason: str, rows: Sequence[LabelRow], names: Sequence[str]) -> str:
    if reason == PREFERENCE:
        return f"The labels say which of two is better: {listed(r.label for r in rows)}. Confirm which side counts as positive."
    if reason == LETTERS:
        return f"The labels {listed(r.label for r in rows)} are letters. Confirm them as classes, " + worded(
            "or say --scale nominal; of preferences say which letter is a tie.",
            'or say scale="nominal"; of preferences say which letter is a tie.',
            "or say that the scale is nominal; of preferences say which letter is a tie.",
        )
    if reason == NUMBERS and all(normalise(row.label) in SENTINELS for row in rows):
        return f"{', '.join(map(_label_place, rows))} may mean that a label is missing, or be a number of the scale. Say which."
    if reason == NUMBERS:
        numbers = sorted((r.label for r in rows), key=lambda label: float(label.replace(",", ".")))
        return f"The labels {listed(numbers, 8)} are numbers. Confirm them as classes, " + worded(
            "or give their order with --order, or say --scale ordinal or --scale continuous.",
            'or give their order with order=, or say scale="ordinal" or scale="continuous".',
            "give their order, or say that the scale is ordinal or continuous.",
        )
    places = [_label_place(r) for r in rows[:3]]
    where = ", ".join(places) + (f" and {times(len(rows) - 3, 'other label', 'other labels')}" if len(rows) > 3 else "")
    single, reason = len(rows) == 1, reason.rpartition("\0")[2]
    if reason == UNKNOWN:
        choices = ", ".join([*(brief(name, 30) for name in names), "no verdict"])
        # A page lists the labels below, each with its row.
        where = where if single else worded(where, where, times(len(rows), "label", "labels"))
        return (
            f"{where} {'has' if single else 'have'} no meaning yet. Say whether "
            f"{'it' if single else 'each'} is {choices} or invalid."
        )
    return f"{where} may mean: {reason}. Say which."
