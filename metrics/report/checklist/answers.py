"""What no file of labels can tell: short answers that whoever reports gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metrics.errors import InputError

MOST = 2000
"""Letters of an answer."""


@dataclass(frozen=True)
class Question:
    """One thing to be said that the data cannot tell.

    Attributes
    ----------
    key : str
        Name in JSON and of `--tell`.
    label, hint : str
        As a field shows them: what is asked, and an example of an answer.
    practices : tuple of int
        Practices of the checklist that ask for it.
    """

    key: str
    label: str
    hint: str
    practices: tuple[int, ...] = ()


QUESTIONS: tuple[Question, ...] = (
    Question("task", "What was graded", "Support answers of our assistant, June to August", (1,)),
    Question("items", "How the items were chosen", "226 drawn at random from 41 000 tickets", ()),
    Question("annotators", "Who the annotators were", "Two support agents, each with five years in the team", ()),
    Question("instructions", "What annotators were given", "The rubric, two examples per criterion, no sight of the judge", ()),
    Question("judge_model", "Judge model and version", "name of the model, with its date or revision", ()),
    Question("prompt", "Prompt version", "v7, one call per criterion, rubric in the prompt", ()),
    Question("temperature", "Temperature and number of calls", "0, one call per decision", (10,)),
    Question(
        "abstentions", "How abstentions were asked for", "Both could answer CANNOT_ASSESS; failed calls were repeated once", (6,)
    ),
    Question("ties", "How ties were asked for", "“tie” was one of three answers", (6,)),
)
"""In the order of a form."""
BY_KEY = {question.key: question for question in QUESTIONS}
Answers = Mapping[str, str]


def checked(answers: Answers) -> dict[str, str]:
    """Return the answers that say something, in the order of the form.

    Raises
    ------
    InputError
        For an unknown question, and for an answer that is too long.
    """
    unknown = [key for key in answers if key not in BY_KEY]
    if unknown:
        raise InputError(f"Nothing is asked under the name {unknown[0]!r}. Names: {', '.join(BY_KEY)}.")
    kept_answers = {key: str(answers[key]).strip() for key in BY_KEY if str(answers.get(key, "")).strip()}
    long = [key for key, text in kept_answers.items() if len(text) > MOST]
    if long:
        raise InputError(
            f"The answer to {BY_KEY[long[0]].label!r} has {len(kept_answers[long[0]])} letters; at most {MOST} are kept."
        )
    return kept_answers
