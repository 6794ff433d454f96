"""Who is human and who is a judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import Role
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import EMAIL, GIVEN, HUMAN, JUDGE, MODELS, OVERALL, PEOPLE, PERSON, fold_name, spaced
from metrics.readers.table import Coded, TextTable

HUMAN_VALUES = frozenset({
    "human", "humans", "person", "expert", "annotator", "annotation", "physician", "crowd", "gold", "reviewer", "reference",
})  # fmt: skip
JUDGE_VALUES = frozenset({
    "judge", "llm", "llm judge", "ai", "ai judge", "model", "auto", "automatic", "machine", "eval", "evaluator", "autorater",
})  # fmt: skip
CODE_VALUES = frozenset({"code", "rule", "rule based", "heuristic"})
_JUDGE_NAME = re.compile(rf"\b(judges?|{MODELS}|autorater|o1|o3|prometheus)\b")
LONGEST_ADDRESS = 320
"""Characters of an e-mail address; to look for one in a name takes the square of its length."""
_LABEL_WORD = re.compile(r"\b(labels?|annotations?|target)\b")
_COMPARED = re.compile(r"\b(reference|target)\b")
"""What a verdict may be given with, or on."""
_BESIDE_JUDGE = re.compile(rf"\b(({GIVEN})s?|[rv]?\d\w*|mini|nano|turbo|pro|flash|raw|value|output|result)\b")
"""Words that a judge's name or its label may have beside it."""
_DIGITS = re.compile(r"\b([a-z]{3,})(\d+)\b")
_COUNTED = re.compile(r"\b[a-z]\b")
"""A letter that tells people apart."""
_ONE_OF_SEVERAL = re.compile(r"([a-z] ?)?\d+|[a-z]")
_INITIALS = re.compile(r"[A-Z]{2,3}")
"""How people, and measures, are called for short."""
_ALSO_AI = ("IA", "KI")
"""Initials that stand for AI in other languages."""
_RUN = re.compile(r"\b(run \d+|after swap(ping)?)\b")
"""A program is run several times, and is shown answers in the other order, and no person."""
_HOLDING = re.compile(r"\b(eval|evals|evaluations?|verdicts?)\b")
"""Words for what anybody gave."""
_WHO_DECIDES = re.compile(rf"\b({PEOPLE}|adjudicat\w*|qa|sme|consensus|moderator|editor|teacher)\b")
"""People whose verdict a column may hold."""
_HUMAN_NAME = re.compile(
    r"\b(humans?|experts?|annotators?\w*|physicians?|gold|golden|raters?\w*|crowd\w*|person|people|author|mensch\w*|gutachter\w*)\b"
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


def role_of_name(name: str) -> Role | None:
    """Return role that a cell which names a rater says or suggests."""
    word = spaced(name)
    return "human" if word in HUMAN_VALUES else "judge" if word in JUDGE_VALUES else guess_role(name)


def are_initials(name: str, names: Iterable[str], raters: Mapping[str, Role | None]) -> bool:
    """Return whether a name that may stand for AI is one of several in initials, and no other rater's role is known by name."""
    known = any(role for rater, role in raters.items() if rater != name)
    return name in _ALSO_AI and not known and sum(map(bool, map(_INITIALS.fullmatch, {*names} - {name}))) > 1


def role_of_giver(column: str) -> Role | None:
    """Return role that the name of a column of raters suggests: annotators are people, evaluators may be either."""
    word = spaced(column)
    return "human" if PERSON.search(word) else "judge" if JUDGE.search(word) else None


@lru_cache(maxsize=4096)
def role_of_column(name: str) -> Role | None:
    """Return role that the name of a column of labels suggests: a judge's label is the judge's, a reviewer's verdict is not."""
    if EMAIL.search(name[:LONGEST_ADDRESS]):
        return "human"
    word = _numbered(name)
    human, judge = HUMAN.search(word), JUDGE.search(word)
    if judge and _WHO_DECIDES.search(word) and not JUDGE.search(_HOLDING.sub(" ", word)):
        return "human"
    if (
        human
        and judge
        and not JUDGE.search(_HOLDING.sub(" ", word))
        and HUMAN.search(_LABEL_WORD.sub(" ", _COMPARED.sub(" ", word)))
    ):
        return "human"
    if human and judge:
        return "judge" if not HUMAN.search(_LABEL_WORD.sub(" ", word)) else None
    return "human" if human else "judge" if judge else guess_role(name) or ("judge" if _RUN.search(word) else None)


def says_verdict(name: str) -> bool:
    """Return whether a name is a judge’s only because it says that a verdict is there: `verdict_2` may be a person’s."""
    word = _HOLDING.sub(" ", _numbered(name))
    return word != _numbered(name) and not JUDGE.search(word) and guess_role(name) is None


def called_after(name: str) -> Role | None:
    """Return the role of the rater that a name says, where it says nothing else: `human_1`, `gpt-4o`, not `model_size`."""
    role, word = role_of_column(name), _numbered(name)
    if EMAIL.fullmatch(name.strip()):
        return "human"
    if role == "human":
        word = PERSON.sub(" ", _HUMAN_NAME.sub(" ", HUMAN.sub(" ", word)))
    rest = _BESIDE_JUDGE.sub(" ", (JUDGE if role == "judge" else _COUNTED).sub(" ", word))
    return role if role and not rest.strip() else None


def may_be_person(name: str) -> bool:
    """Return whether a rater of whom nothing is known is called as people are: `Ana`, `coder 2`, a letter or number."""
    word, own_name = _numbered(name), name.isalpha() and (name.istitle() or not name.isascii())
    return own_name or bool(PERSON.search(word) or _ONE_OF_SEVERAL.fullmatch(word))


def _numbered(name: str) -> str:
    """Return a name as separate words, a number behind letters as one: `human1` is `human 1`."""
    return _DIGITS.sub(r"\1 \2", spaced(name))


def file_stem(name: str) -> str:
    """Return the name of a file without its ending, that of a compressed one without both."""
    plain = name.removesuffix(".gz")
    return plain[: len(plain) - len(PurePath(plain).suffix)] or name


def role_of_file(stem: str) -> Role | None:
    """Return role that the name of a file of one rater suggests; that it holds labels says nothing."""
    return role_of_column(stem if EMAIL.search(stem[:LONGEST_ADDRESS]) else _LABEL_WORD.sub(" ", spaced(stem)))


def rater_roles(names: Sequence[str], stated: Mapping[str, str | None]) -> list[str | None]:
    """Return the stated role of each rater; `*` stands for all others."""
    return [stated.get(name, stated.get("*")) for name in names]


KINDS = ("human", "judge", "code", "none")
"""What a row can be rated by; `roles_of_rows` holds places in it, -1 where nobody says."""
ON = "/"
"""Between a name and the criterion on which alone it has a role."""
Stated = Mapping[str, str | None]


def roles_of_rows(table: TextTable, columns: Mapping[str, str], stated: Stated) -> NDArray[np.int8]:
    """Return by whom each row of a table of raters is rated.

    What is stated of a rater counts before what its source says, and either on one criterion before everywhere.

    Parameters
    ----------
    table : TextTable
    columns : mapping of role to column
        With `rater`, `role` or both.
    stated : mapping of name to role
        Names are raters, words of the role column, or one of them with a criterion: `api/correctness`; `*` is every other.

    Returns
    -------
    ndarray of int8, shape (n_rows,)
        Place in `KINDS`, -1 where nobody says it.
    """
    rater, source = (table.coded(columns[role]) if role in columns else None for role in ("rater", "role"))
    criterion = _criterion(table, columns)
    kinds = np.full(table.n_rows, -1, np.int8)
    if source is not None:
        kinds = _places(source, lambda name: role_of_value(name, stated))
        kinds = _on_criteria(kinds, source, criterion, stated)
    if rater is not None:
        named = _places(rater, stated.get if source is not None else lambda name: stated.get(name, stated.get("*")))
        kinds = np.where(named >= 0, named, kinds)
        kinds = _on_criteria(kinds, rater, criterion, stated)
    return kinds


def _criterion(table: TextTable, columns: Mapping[str, str]) -> Coded:
    if "criterion" in columns:
        return table.coded(columns["criterion"])
    return Coded(np.zeros(table.n_rows, np.int32), (OVERALL,))


def in_several_roles(table: TextTable, columns: Mapping[str, str], stated: Stated) -> bool:
    """Return whether one name of a table of raters can be two raters: where a column or a criterion says the role.

    Parameters
    ----------
    table : TextTable
    columns : mapping of role to column
    stated : mapping of name to role
        As in `roles_of_rows`.
    """
    names = table.coded(columns.get("rater") or columns["role"]).names
    return "role" in columns or any(stated_on_criteria(stated, names, _criterion(table, columns).names))


def _places(coded: Coded, role_of: Callable[[str], str | None]) -> NDArray[np.int8]:
    roles = [role_of(name) for name in coded.names]
    return np.array([*(-1 if role is None else KINDS.index(role) for role in roles), -1], np.int8)[coded.codes]


def _on_criteria(kinds: NDArray[np.int8], names: Coded, criterion: Coded, stated: Stated) -> NDArray[np.int8]:
    """Return the same with the roles that names have on one criterion."""
    for name, on, role in stated_on_criteria(stated, names.names, criterion.names):
        here = (names.codes == names.names.index(name)) & (criterion.codes == criterion.names.index(on))
        kinds = np.where(here, np.int8(KINDS.index(role)), kinds)
    return kinds


def stated_on_criteria(stated: Stated, names: Sequence[str], criteria: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield name, criterion and role of what is stated for one criterion; a name may hold the mark itself.

    Parameters
    ----------
    stated : mapping of name to role
    names, criteria : sequence of str
        Those of the file.
    """
    for key, role in stated.items():
        if ON not in key or key in names or role is None:
            continue
        parts = key.split(ON)
        for cut in range(1, len(parts)):
            name, on = ON.join(parts[:cut]).strip(), ON.join(parts[cut:]).strip()
            if name in names and on in criteria:
                yield name, on, role


def role_of_wide(rater: str, column: str, criterion: str | None, stated: Stated) -> str | None:
    """Return the role that is stated of a column of labels, by its rater's name or its own, alone or with its criterion.

    Parameters
    ----------
    rater, column : str
    criterion : str or None
    stated : mapping of name to role
    """
    keys = [f"{name}{ON}{criterion or OVERALL}" for name in (rater, column)] + [column, rater]
    return next((stated[key] for key in keys if stated.get(key)), None)


def check_role(who: object, key: str) -> str:
    """Return human, judge or none for a stated role; `out` is none.

    Raises
    ------
    InputError
        For another word.
    """
    folded = fold_name(str(who))
    if folded not in ("human", "judge", "none", "out"):
        left_out = "Say which, or out for one whose ratings are left out."
        refuse(f"‘{brief(who)}’ (for {brief(key)}) is neither human nor judge. {left_out}")
    return "none" if folded == "out" else folded


def as_columns(columns: Mapping[str, str] | None, roles: Mapping[str, str] | None) -> dict[str, str] | None:
    """Return `columns` with roles of raters as it takes them, under `role:NAME`."""
    stated = {f"role:{name}": check_role(who, str(name)) for name, who in (roles or {}).items()}
    return {**(columns or {}), **stated} or None


def check_names_of_roles(file: str, roles: Mapping[str, str] | None, names: Sequence[str], criteria: Sequence[str]) -> None:
    """Refuse a role for a name that is nobody in the file.

    Parameters
    ----------
    file : str
    roles : mapping of name to role, or None
    names : sequence of str
        Raters, and words of a role column.
    criteria : sequence of str

    Raises
    ------
    InputError
        With the names there are.
    """
    for key, role in (roles or {}).items():
        name = str(key).strip()
        if name != "*" and name not in names and not list(stated_on_criteria({name: role}, names, criteria or (OVERALL,))):
            there = f"There are {listed(names, 12)}." if names else "Its columns say who is human and who is judge."
            refuse(f"{brief(file)}: nobody is called ‘{brief(name)}’, for whom a role is given. {there}")
