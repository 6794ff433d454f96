"""What results of Label Studio say, and the fields of its tasks that hold labels of the same questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from metrics.data.vocabulary import meaning, normalise
from metrics.readers.formats.cells import LONGEST_LABEL, MOST_LABELS, NESTED, Answer, answer_of
from metrics.readers.frames import text
from metrics.readers.messages import brief

MARKED, SEVERAL = "a mark in the text or the image, no label", "several answers to one question"
VERDICTS = ("choices", "rating", "number", "selected")
"""Keys of a result that answers a question; the others mark places, or hold what somebody wrote."""


def result_of(value: Mapping[str, Any]) -> tuple[Answer, str]:
    """Return the answer that a result holds, or the words that somebody wrote."""
    for kind in VERDICTS:
        if kind in value:
            return answer_of(value[kind]), ""
    if "text" in value and not {"start", "labels"} & value.keys():
        words = value["text"]
        return ("", "", ""), "\n".join(map(text, words)) if isinstance(words, list) else text(words)
    return ("", "", MARKED if {"x", "start", "labels"} & value.keys() else NESTED), ""


def is_about(reason: str, question: str, questions: Collection[str]) -> bool:
    """Return whether written words are about a question: their name holds that of the question, or that of no other.

    Parameters
    ----------
    reason, question : str
        Names of the two controls.
    questions : collection of str
        Names of all that were answered.
    """
    return question in reason or not any(other in reason for other in questions)


def question_of(column: str, values: Collection[str], questions: Mapping[str, Collection[str]]) -> str | None:
    """Return the question whose answers a column of the tasks holds; None where there is none, or more than one.

    Parameters
    ----------
    column : str
    values : collection of str
        Its distinct values.
    questions : mapping of str to collection of str
        Labels or numbers that people answered with.
    """
    words = {normalise(value) for value in values if not _says_nothing(value)}
    alike = [name for name, answers in questions.items() if words and words <= {normalise(answer) for answer in answers}]
    if len(alike) > 1:
        alike = [name for name in alike if name.casefold() in column.casefold()]
    return alike[0] if len(alike) == 1 else None


def _says_nothing(value: str) -> bool:
    known = meaning(value)
    return known is not None and known.kind in ("abstention", "error", "missing")


def beside_note(column: str, question: str) -> str:
    return f"Column ‘{brief(column, 30)}’ of the tasks holds labels of ‘{brief(question, 30)}’: it is a rater of its own."


class Beside:
    """Answers by question, and fields of the tasks that may hold those of a judge, as long as no prediction does."""

    def __init__(self) -> None:
        self.questions: dict[str, set[str]] = {}
        self._scored: set[str] = set()
        self._more: dict[str, dict[str, str]] = {}
        self._long: set[str] = set()
        self._open = True

    def heard(self, question: str, label: str, score: str) -> None:
        """Remember an answer.

        Parameters
        ----------
        question, label, score : str
        """
        self.questions.setdefault(question, set()).add(label or score)
        if score:
            self._scored.add(question)

    def close(self) -> None:
        """Look for no judge among the fields: the file holds predictions."""
        self._open, self._more = False, {}

    def add(self, item: str, more: dict[str, str]) -> None:
        """Remember the fields of a task."""
        if self._open:
            self._more[item] = more
            self._long.update(name for name, cell in more.items() if len(cell) > LONGEST_LABEL)

    def ratings(self, note: Callable[[str], None]) -> Iterator[tuple[str, str, str, str, str, dict[str, str]]]:
        """Yield item, question, field, label, number and data of the fields that hold labels of a question: few short ones."""
        for name in dict.fromkeys(chain.from_iterable(self._more.values())):
            short = name not in self._long
            values = {item: more[name].strip() for item, more in self._more.items() if short and name in more}
            distinct = set(values.values())
            question = question_of(name, distinct, self.questions) if len(distinct) <= MOST_LABELS else None
            if question is None:
                continue
            note(beside_note(name, question))
            scored = question in self._scored
            for item, value in values.items():
                yield item, question, name, "" if scored else value, value if scored else "", self._more[item]
