"""Columns of labels that are the criteria of one rater, where a file holds one side alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from metrics.data.ratings import Role
from metrics.data.vocabulary import normalise
from metrics.readers.label_columns import MOST_SHARED, is_id, is_label
from metrics.readers.name_parts import are_criteria, common_heads, common_tail, only_hold, told_apart
from metrics.readers.names import BESIDE, spaced
from metrics.readers.rater_roles import called_after, file_stem, role_of_column, role_of_file
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_counter
from metrics.readers.wide import WideColumn
from metrics.readers.wide_names import short_names

_ASKED = re.compile(
    r"\b(accura\w*|action\w*|appropriat\w*|bias\w*|brand\w*|cit\w*|clar\w*|clear\w*|coheren\w*|complet\w*|complian\w*|"
    r"complex\w*|comprehens\w*|concis\w*|consisten\w*|correct\w*|creativ\w*|depth|detail\w*|empath\w*|engag\w*|escalat\w*|fact\w*|"
    r"faithful\w*|fluen\w*|format\w*|gramma\w*|ground\w*|hallucinat\w*|harm\w*|helpful\w*|honest\w*|informat\w*|instruct\w*|"
    r"logic\w*|natural\w*|offensi\w*|original\w*|overall|plausib\w*|polite\w*|privacy|profession\w*|quality|readab\w*|reason\w*|"
    r"refus\w*|relevan\w*|respectful\w*|saf\w*|satisf\w*|specific\w*|structur\w*|style|support\w*|tone|toxic\w*|trust\w*|"
    r"understand\w*|useful\w*)\b"
)
"""Words that criteria are called by, and raters are not."""
_GOLD = re.compile(r"gold|golden|truth|ground truth|gt|consensus|adjudicated|expected|reference|ref")
"""What stands before labels that were agreed upon: nobody is called so, and none of several raters."""
_LETTERS: dict[str, Role] = {"h": "human", "j": "judge"}
_MEASURED = re.compile(
    r"\b((answer|response|context) (relevancy|recall|precision|similarity|correctness)|context (entity|entities) recall|"
    r"noise sensitivity|factual correctness)\b"
)
"""What programs that ask a model call their metrics, and people do not."""
LEAST_ASKED, FEWEST_ASKED = 1 / 2, 2
"""Share and number of columns called by a criterion’s word, or by a statement, from which all of them are criteria."""
_SCORED = re.compile(r"\b(scores?|scored|scoring|ratings?|grades?|grading|eval|evals|evaluations?)\b")
"""What a file of one rater’s answers to several questions is called; one of labels may hold a column for each rater."""
_STATEMENT = re.compile(r"(has|is|does|contains|includes|mentions|uses|shows|no|err|error|feat|feature|flag) .+|(\S+ ){3,}\S+")
"""What is stated of an item, and nobody is called by."""


def of_one_rater(split: Sequence[WideColumn], file: str, *, asked: bool = False) -> list[WideColumn]:
    """Return columns as criteria of one rater, where their names are those of criteria and of no raters; any others as they are.

    Parameters
    ----------
    split : sequence of WideColumn
    file : str
        Name of the file, which may say whose labels it holds.
    asked : bool
        Whether the columns hold answers to several questions, by their labels.
    """
    columns = [wide.column for wide in split]
    if len(columns) < 2 or any(wide.criterion for wide in split):
        return list(split)
    tail = common_tail(columns)
    head = "" if tail else _head_of_side(columns)
    criteria = [column.removeprefix(head).removesuffix(tail) for column in short_names(columns).values()]
    side = spaced(head or tail)
    known = spaced(tail) == "human" or _GOLD.fullmatch(side) or are_asked(criteria) or _is_scored_by_one(file, columns)
    stated = all(map(_is_statement, criteria)) and not only_hold(told_apart(criteria))
    if not (stated or ((known or asked) and are_criteria(criteria))):
        return list(split)
    measured: Role = "judge" if any(_MEASURED.search(spaced(name)) for name in criteria) else "human"
    role = _LETTERS.get(side) or role_of_column(side) or role_of_file(file_stem(file)) or (measured if stated or known else None)
    rater = (role or file_stem(file)) if side in ("", "label", *_LETTERS) else side
    return [WideColumn(column, rater, role, name) for column, name in zip(columns, criteria, strict=True)]


def with_asked(table: TextTable, labels: Sequence[str], taken: Collection[str]) -> list[str]:
    """Return columns of labels with those called by what was asked that say one of the labels in every row: a rater may always
    say yes.

    Where a file is called after its one side and no column shares its labels with another one that varies, all that are called
    by what was asked and share a label.

    Parameters
    ----------
    table : TextTable
    labels : sequence of str
        Columns of labels that are known.
    taken : collection of str
        Columns that are something else.
    """
    if any(map(role_of_column, labels)) or not (labels or role_of_file(file_stem(table.name))):
        return list(labels)
    more = [column for column in table.columns if column not in (*labels, *taken) and _may_be_asked(table, column)]
    more = [column for column in more if not labels or is_constant(table, column)]
    said = {column: set(map(normalise, table.coded(column).names)) for column in (*labels, *more)}
    vary = [column for column in said if not is_constant(table, column)]
    often = Counter(name for names in said.values() for name in names)
    of_those = set[str]().union(*(said[column] for column in vary))
    more = [c for c in more if said[c] & of_those and any(often[name] > 1 for name in said[c])]
    return [c for c in table.columns if c in labels or c in more] if {*labels, *more} & {*vary} else list(labels)


def _may_be_asked(table: TextTable, column: str) -> bool:
    """Return whether a column is called by what was asked, after nobody, and holds a few labels."""
    words = spaced(column)
    if not _ASKED.search(words) or role_of_column(column) or is_counter(column) or BESIDE.search(words):
        return False
    return 0 < len(table.raw(column)[1]) <= MOST_SHARED and is_label(table, column) and not is_id(table, column)


def _head_of_side(columns: Sequence[str]) -> str:
    """Return the word before all columns that says whose they are, with its mark; empty where there is none."""
    head = next(iter(common_heads(columns)), "")
    return head if spaced(head) in _LETTERS or _GOLD.fullmatch(spaced(head)) or called_after(head) else ""


def _is_scored_by_one(file: str, columns: Sequence[str]) -> bool:
    """Return whether a file is called after scores of one side, and no column like a person: `edu, skill` in `human_scores`."""
    stem = file_stem(file)
    people = all(column.istitle() for column in columns) or any(map(called_after, columns))
    people = people or any(map(str.isdigit, "".join(columns))) or only_hold(told_apart(columns))
    return role_of_file(stem) is not None and _SCORED.search(spaced(stem)) is not None and not people


def _is_statement(name: str) -> bool:
    return _STATEMENT.fullmatch(spaced(name)) is not None


def are_called_like_criteria(raters: Collection[str]) -> bool:
    """Return whether what names seem to say of raters are criteria: `text_1_fluency` is the fluency of one of several texts."""
    asked = [rater for rater in raters if _ASKED.search(spaced(rater))]
    return len(asked) >= FEWEST_ASKED and not any(map(role_of_column, raters))


def are_asked(names: Sequence[str]) -> bool:
    """Return whether what tells names apart are mostly words that criteria are called by, and none a rater."""
    words = [spaced(name) for name in told_apart(names)]
    asked = [match[0] for word in words if (match := _ASKED.search(word))]
    if len(set(asked)) < len(asked):  # one criterion of two raters
        return False
    stated = list(map(_is_statement, names))
    enough = max(len(asked), sum(stated)) >= max(FEWEST_ASKED, LEAST_ASKED * len(names))
    apart = all(map(max, map(bool, words), stated)) and not only_hold(words)
    return apart and enough and not any(map(called_after, names))
