"""Who is human and who is a judge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from metrics.data.ratings import Role
from metrics.readers.names import EMAIL, HUMAN, JUDGE, spaced

HUMAN_VALUES = frozenset({
    "human", "humans", "person", "expert", "annotator", "annotation", "physician", "crowd", "gold", "reviewer", "reference",
})  # fmt: skip
JUDGE_VALUES = frozenset({
    "judge", "llm", "llm judge", "ai", "ai judge", "model", "auto", "automatic", "machine", "eval", "evaluator", "autorater",
})  # fmt: skip
CODE_VALUES = frozenset({"code", "rule", "rule based", "heuristic"})
_JUDGE_NAME = re.compile(
    r"\b(judges?|llm|gpt\w*|chatgpt\w*|claude\w*|gemini\w*|llama\w*|mistral\w*|mixtral\w*|qwen\w*|deepseek\w*|model|modell\w*|autorater|ai|ki|o1|o3|prometheus)\b"
)
LONGEST_ADDRESS = 320
"""Characters of an e-mail address; to look for one in a name takes the square of its length."""
_LABEL_WORD = re.compile(r"\b(labels?|annotations?|target)\b")
_HUMAN_NAME = re.compile(
    r"\b(humans?|experts?|annotators?\w*|physicians?|gold|raters?\w*|crowd\w*|person|people|author|mensch\w*|gutachter\w*)\b"
)


def role_of_value(value: str, stated: Mapping[str, str | None]) -> str | None:
    """Return what a cell of a role column says: human, judge, code, none (left out), or None for an unknown word."""
    if stated.get(value):
        return stated[value]
    word = spaced(value)
    if word in HUMAN_VALUES:
        return "human"
    if word in JUDGE_VALUES:
        return "judge"
    return "code" if word in CODE_VALUES else stated.get("*")


def guess_role(name: str) -> Role | None:
    """Return role that a rater's name suggests; never taken without asking."""
    if EMAIL.fullmatch(name.strip()):
        return "human"
    word = spaced(name)
    if _JUDGE_NAME.search(word):
        return "judge"
    return "human" if _HUMAN_NAME.search(word) else None


def role_of_column(name: str) -> Role | None:
    """Return role that the name of a column of labels suggests; a judge's label is the judge's."""
    if EMAIL.search(name[:LONGEST_ADDRESS]):
        return "human"
    word = spaced(name)
    human, judge = HUMAN.search(word), JUDGE.search(word)
    if human and judge:
        return "judge" if not HUMAN.search(_LABEL_WORD.sub(" ", word)) else None
    return "human" if human else "judge" if judge else guess_role(name)


def role_of_file(stem: str) -> Role | None:
    """Return role that the name of a file of one rater suggests; that it holds labels says nothing."""
    return role_of_column(stem if EMAIL.search(stem[:LONGEST_ADDRESS]) else _LABEL_WORD.sub(" ", spaced(stem)))


def rater_roles(names: Sequence[str], stated: Mapping[str, str | None]) -> list[str | None]:
    """Return the stated role of each rater; `*` stands for all others."""
    return [stated.get(name, stated.get("*")) for name in names]
