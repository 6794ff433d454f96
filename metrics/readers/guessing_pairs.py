"""The human’s and the judge’s column of a table of pairs, where nobody named them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from metrics.asker import flag, worded
from metrics.data.answer_orders import single_orders
from metrics.data.ratings import Role
from metrics.data.vocabulary import normalise
from metrics.readers.columns import Layout, choose_words, free_columns
from metrics.readers.derived import outcomes_of_judge
from metrics.readers.label_columns import MOST_SHARED, are_grades, are_shares, first_question, is_id, label_columns
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.name_parts import HELD, are_criteria, told_apart
from metrics.readers.names import AGREES, COUNTED, GIVEN, JUDGES, LABEL, PROBABILITY, RESULT, SCORE, fold_name, spaced
from metrics.readers.rater_roles import called_after, file_stem, role_of_column, role_of_file
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_empty, is_numeric, is_unique, without_unlikely
from metrics.readers.wide import WideColumn

_PERSONS = re.compile(rf"humans? ({GIVEN})s?")
"""What a person gave and nothing else, in whatever words: `human_label` beside `in_gold`."""
FEWEST_RATERS = 2
LEAST_EMPTY = 0.3
"""Share of empty columns from which they are named where labels are missing."""


def complete_pairs(table: TextTable, layout: Layout) -> None:
    """Find the columns of labels of a human and of a judge; what is missing is noted.

    Parameters
    ----------
    table : Table
    layout : Layout
        Takes the guesses, and what is missing.
    """
    taken = set(layout.columns.values())
    shared = [column for column in label_columns(table) if column not in taken and not COUNTED.fullmatch(spaced(column))]
    words: tuple[tuple[str, str, Role], ...] = (
        ("human", "the human's verdict", "human"), ("verdict", "the judge's verdict", "judge"),
    )  # fmt: skip
    shared = named_sides(table, shared, free_columns(table, layout)) or first_question(table, shared)
    outcomes = outcomes_of_judge(table, layout, shared)
    shared = [column for column in shared if column not in outcomes]
    for role, what, who in words:
        if role in layout.columns:
            continue
        named = [column for column in shared if role_of_column(column) == who]
        named = [column for column in named if column not in single_orders(shared)] or named
        scored = _score_of(role) in layout.columns
        nobodys = [c for c in shared if role_of_column(c) is None and not (scored and is_numeric(table, c))]
        hits = named or nobodys
        if role == "human" and not any("human" in spaced(column) for column in hits):
            hits = [column for column in _called(table, layout, who) if _PERSONS.fullmatch(spaced(column))] or hits
            shared += [column for column in hits if column not in shared]
        if role == "human" and hits == shared and len(shared) == 1 and _numbers_are_all(layout):
            shared = shared if _is_binary(table, layout.columns["human_score"]) else []
            hits = _scores(table, layout, role)
            shared += hits
        elif role == "human" and not hits and "score" in layout.columns and role_of_file(file_stem(table.name)) == "human":
            hits = _scores(table, layout, "verdict")
            shared += hits
        if role == "verdict" and outcomes and not _is_scale(table, layout.columns.get("human")):
            hits, shared = outcomes, [*shared, *outcomes]
        if not hits:
            hits = _called(table, layout, who)
            shared += hits
        if not hits:
            hits = _scores(table, layout, role)
            shared += hits
        if hits:
            layout.guess(role, hits[0])
            shared.remove(hits[0])
        else:
            empty = "" if layout.missing else _empty(table)
            why = f"{empty}{_agreeing(table, role)}"
            how = f"{choose_words(table, role)}{_if_a_person(table, layout, role)}{_elsewhere(table)}"
            layout.lack(role, f"No column holds {what}.{why} {how}")
    if {"human", "verdict"} <= set(layout.missing):
        _refuse_results(table)
    _doubt_by_rater(table, layout)


def _doubt_by_rater(table: TextTable, layout: Layout) -> None:
    """Say how columns of numbers are read as one rater's each, where one is called after a rater and the human's is missing."""
    known = {role: column for role, column in layout.columns.items() if role not in ("judge", "verdict")}
    free = [column for column in table.columns if column not in known.values()]
    numbers = [c for c in without_unlikely(table, free) if is_numeric(table, c) and not (is_empty(table, c) or is_id(table, c))]
    if "human" not in layout.missing or len(numbers) < FEWEST_RATERS or not any(map(role_of_column, numbers)):
        return
    shown = listed((f"‘{brief(column, 30)}’" for column in numbers), 4)
    raters = {f"{role_of_column(column) or 'human'}:{column}": column for column in numbers}
    how = flag("--columns", raters, "choose ‘one item, with a column for each rater’")
    layout.doubt(f"{shown} hold numbers. If each column is a rater’s, say so: {how}.")


def named_sides(table: TextTable, labels: Sequence[str], free: Sequence[str]) -> list[str]:
    """Return the one score or label of a human and that of a judge, by their names, beside columns that are called after nobody.

    Parameters
    ----------
    table : TextTable
    labels : sequence of str
        Columns that share their words.
    free : sequence of str
        Columns without a role.
    """
    if any(map(role_of_column, labels)):
        return []
    given = [c for c in without_unlikely(table, free) if any(known.search(spaced(c)) for known in (LABEL, SCORE))]
    given = [column for column in given if is_numeric(table, column) and not (is_id(table, column) or is_empty(table, column))]
    sides = [[column for column in given if role_of_column(column) == who] for who in ("human", "judge")]
    return [column for side in sides for column in side] if list(map(len, sides)) == [1, 1] else []


def _numbers_are_all(layout: Layout) -> bool:
    """Return whether a person's number is all that is known, so that it is the human's label, and no column beside it."""
    return "human_score" in layout.columns and layout.columns.keys().isdisjoint(("verdict", "score"))


def _is_binary(table: TextTable, column: str) -> bool:
    """Return whether numbers are 0 and 1, which words of a verdict beside them may be too."""
    return set(map(normalise, table.coded(column).names)) == {"0", "1"}


def _is_scale(table: TextTable, column: str | None) -> bool:
    """Return whether a column holds more numbers than two labels would be: beside it the judge’s score is its verdict."""
    return column is not None and is_numeric(table, column) and len(table.coded(column).names) > 2


def _empty(table: TextTable) -> str:
    """Return which columns nobody has filled in, where they are many: a sheet that waits for its labels."""
    empty = [column for column in table.columns if is_empty(table, column)]
    empty = empty if len(empty) >= LEAST_EMPTY * len(table.columns) else []
    names = listed((f"‘{brief(column)}’" for column in empty), 6)
    return f" {names} {'is' if len(empty) == 1 else 'are'} empty in every row." if empty else ""


def _agreeing(table: TextTable, role: str) -> str:
    """Return what is wrong with a column that says whether somebody agrees, where people's labels are missing."""
    hit = next((column for column in table.columns if role == "human" and AGREES.search(spaced(column))), None)
    return f" ‘{brief(hit)}’ says who agrees with another label, and gives none." if hit else ""


def _if_a_person(table: TextTable, layout: Layout, role: str) -> str:
    """Return what to do where a person gave the only verdicts, in a file that is not called after a judge."""
    verdict = layout.columns.get("verdict", "")
    if role != "human" or fold_name(verdict) != "verdict" or "judge" in layout.columns or is_empty(table, verdict):
        return ""
    return "" if role_of_file(file_stem(table.name)) == "judge" else f" If a person gave ‘{brief(verdict)}’, choose that one."


def _refuse_results(table: TextTable) -> None:
    """Refuse a table whose columns are worked out of labels, of which it has none."""
    found = [f"‘{brief(column, 30)}’" for column in table.columns if RESULT.search(spaced(column))]
    if found:
        are = "is a result" if len(found) == 1 else "are results"
        refuse(f"{brief(table.name)}: {listed(found, 4)} {are} of an analysis. Send the labels that it was made from.")


def _called(table: TextTable, layout: Layout, who: Role) -> list[str]:
    """Return free columns of few words that are called like labels of a person, or of a judge, whatever the words."""
    few = [
        column for column in without_unlikely(table, free_columns(table, layout)) if 1 < len(table.raw(column)[1]) <= MOST_SHARED
    ]
    return [
        column
        for column in few
        if role_of_column(column) == who
        and (LABEL.search(spaced(column)) or spaced(column).startswith("expected "))
        and not is_numeric(table, column)
        and not is_id(table, column)
    ]


def _scores(table: TextTable, layout: Layout, role: str) -> list[str]:
    """Return the score that stands for a verdict where there is none; else free columns of numbers.

    Of people those whose name says whose they are; of the judge those that are called scores, first the judge's by name, else
    its own by name, else a probability. In a file that is called after people the one score that is called after nobody is
    theirs, and no judge's.
    """
    if _score_of(role) in layout.columns:
        return [layout.columns.pop(_score_of(role))]
    of_people = role_of_file(file_stem(table.name)) == "human"
    numbers = [column for column in without_unlikely(table, free_columns(table, layout)) if is_numeric(table, column)]
    if role == "human":
        numbers = [column for column in numbers if not (is_empty(table, column) or is_id(table, column))]
        theirs = [column for column in numbers if of_people and not role_of_column(column) and SCORE.search(spaced(column))]
        return [c for c in numbers if role_of_column(c) == "human"] or (theirs if len(theirs) == 1 else [])
    if of_people and not role_of_column(layout.columns.get("human", "")):
        numbers = [column for column in numbers if role_of_column(column) == "judge"]
    scores = [column for column in numbers if SCORE.search(spaced(column))]
    if scores:
        return sorted(scores, key=lambda column: role_of_column(column) != "judge")
    numbers = [column for column in numbers if not is_id(table, column) and not is_empty(table, column)]
    by_word = [column for column in numbers if JUDGES.search(spaced(column)) and are_grades(table, column)]
    by_word += [c for c in numbers if c not in by_word and len(table.raw(c)[1]) <= MOST_SHARED and are_grades(table, c)]
    own = [column for column in numbers if called_after(column) == "judge" and (column in by_word or are_shares(table, column))]
    likely = [column for column in numbers if PROBABILITY.fullmatch(spaced(column)) and are_shares(table, column)]
    return own or (likely if len(likely) == 1 else [])


def _score_of(role: str) -> str:
    return "score" if role == "verdict" else "human_score"


def _elsewhere(table: TextTable) -> str:
    """Return what to do where another sheet, or another file, holds what this one lacks."""
    others = listed(table.sheets[1:], 4)
    of_sheet = worded(
        f" Another sheet may hold it: name it with --sheet, of {others}.",
        f" Another sheet may hold it: name it with sheet=…, of {others}.",
        " Another sheet may hold it: choose that one.",
    )
    return (of_sheet if others else "") + worded(
        " If another file holds it, join that one with --with FILE.",
        " If another file holds it, read both: metrics.read([first, second]).",
        " If another file holds it, drop in both: they are joined by the item’s id.",
    )


_TRUE = re.compile(r"\b(gold|golden|true|truth|ground ?truth|gt|expected|reference|ref)\b")
_PREDICTED = re.compile(r"\b(pred|preds|predicted|prediction)\b")
_HELD = re.compile(rf" ({HELD.pattern})$")
LEAST_SHARED = 1 / 2
"""Share of the fewer labels of two columns that both have, from which they are of one question."""


def predicted_sides(table: TextTable, columns: Sequence[str]) -> list[WideColumn]:
    """Return a human and a judge on each criterion of which columns say what is so and what was predicted; else nothing.

    Beside one such pair, a column that is called but after the criterion is the other side too: `routing_decision` beside
    `true_routing`, `team` beside `team_predicted`.

    Parameters
    ----------
    table : TextTable
    columns : sequence of str
        Those without a role.
    """
    true, predicted = _called_by(columns, _TRUE), _called_by(columns, _PREDICTED)
    bare = {_HELD.sub("", spaced(column)): column for column in columns if role_of_column(column) is None}
    named = {name: (true[name], predicted[name]) for name in true.keys() & predicted.keys()}
    named = {name: sides for name, sides in named.items() if _are_alike(table, *sides)}
    others = {
        name: (true.get(name, bare[name]), predicted.get(name, bare[name]))
        for name in bare
        if (name in true) != (name in predicted)
    }
    pairs = named | {name: sides for name, sides in others.items() if named and _are_alike(table, *sides)}
    pairs = dict(sorted(pairs.items(), key=lambda pair: columns.index(pair[1][0])))
    criteria = _criteria(list(pairs))
    if not pairs or not are_criteria(criteria):
        return []
    found = zip(criteria, pairs.values(), strict=True)
    return [
        side
        for name, (truth, prediction) in found
        for side in (WideColumn(truth, "human", "human", name), WideColumn(prediction, "judge", "judge", name))
    ]


def _called_by(columns: Sequence[str], words: re.Pattern[str]) -> Mapping[str, str]:
    """Return columns that one of some words names, and no word of the other side, by what else their names say."""
    other = _PREDICTED if words is _TRUE else _TRUE
    names = [(column, spaced(column)) for column in columns]
    names = [(column, name) for column, name in names if words.search(name) and not other.search(name)]
    found = {" ".join(words.sub(" ", name, count=1).split()): column for column, name in names}
    return {name: column for name, column in found.items() if name}


def _are_alike(table: TextTable, *sides: str) -> bool:
    """Return whether two columns hold the labels of one question, and not each item's own words."""
    sizes = [len(table.raw(column)[1]) for column in sides]
    if max(sizes) > MOST_LABELS or any(is_unique(table, column) for column in sides):
        return False
    one, other = ({normalise(name) for name in table.coded(column).names} for column in sides)
    differ = not all(is_constant(table, column) for column in sides)
    return differ and len(one & other) >= max(1, LEAST_SHARED * min(len(one), len(other)))


def _criteria(names: Sequence[str]) -> list[str]:
    """Return what tells the names of criteria apart, as columns are written."""
    written = [name.replace(" ", "_") for name in names]
    short = told_apart(written) if len(written) > 1 else written
    return short if all(short) else written
