"""Which criterion labels of several files are on, where their own file names none or has a column for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from metrics.asker import flag
from metrics.data.labels import NOT_READ
from metrics.data.vocabulary import is_number, meaning, normalise
from metrics.readers.columns import WIDE, CheckedColumns, Layout
from metrics.readers.crossing import with_joint
from metrics.readers.headers import NUMBERED
from metrics.readers.joining_alike import labels_by_item
from metrics.readers.joining_files import ALL_ALIKE, SIDES, FileLayout, file_layout, rater_of_file
from metrics.readers.label_columns import MOST_SHARED, is_label, label_columns
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.name_parts import HELD, are_criteria, common_heads, common_tail, cuts
from metrics.readers.names import OVERALL, fold_name, spaced
from metrics.readers.outputs import tell_outputs_apart
from metrics.readers.rater_roles import called_after, file_stem, role_of_column
from metrics.readers.raters_as_rows import may_answer, may_grade, note_of_constants, with_constant_criteria
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_empty, without_unlikely
from metrics.readers.wide import WideColumn, wide_columns
from metrics.readers.wide_names import short_names, split_names

_SCALE = re.compile(r"\s*[(\[][^()\[\]]*[\d/][^()\[\]]*[)\]]\s*$|\s*\?\s*$")
"""What stands behind the name of a criterion in a form: the steps of its scale, a question mark."""
FEWEST_ALIKE = 6
"""Items of which two files say the same in a column that may be no label, from which that is no accident."""


def with_columns_as_criteria(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> list[FileLayout]:
    """Return files whose columns of labels are called like criteria of the other files as one rater each, on those criteria.

    Columns of one name in several files are criteria too: a rater would hardly have a column in each.
    """
    files = _by_what_differs(files, stated)
    files = [_by_words_of_others(*pair, of) for pair, of in zip(_with_rest(files), stated, strict=True)]
    for step in (_of_constants, _with_constants, _with_others, _on_criterion_of_name, _on_criterion_of_column):
        files = [step(*pair) for pair in _with_rest(files)]
    files = [_of_one_column(*pair, of) for pair, of in zip(_with_rest(files), stated, strict=True)]
    spelled = dict[str, str]()
    for names in (*(file.criteria for file in files), *map(_names, files)):  # what stands in rows is spelled as it is
        for name in names:
            spelled.setdefault(fold_name(name), name)
    return [_by_criterion(*pair, of, spelled) for pair, of in zip(_with_rest(files), stated, strict=True)]


def _with_rest(files: Sequence[FileLayout]) -> list[tuple[FileLayout, list[FileLayout]]]:
    """Return each file with all others."""
    return [(file, [other for other in files if other is not file]) for file in files]


def _by_what_differs(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> list[FileLayout]:
    """Return the files of one rater each by the columns in which they differ, where the one that was guessed is the same for all
    items, and in words that nobody knows: what is known of an item is alike in all files.
    """
    sides = {(side, file.layout.columns.get(side, "")) for file in files for side in [_only_side(file)]}
    side, column = sides.pop() if len(sides) == 1 else ("", "")
    pairs = list(combinations(files, 2))
    guessed = all(side in file.layout.guessed and not is_label(file.table, column) for file in files)
    if not pairs or not side or not guessed or not all(_are_alike(*pair, column) for pair in pairs):
        return list(files)
    free = [c for c in files[0].table.columns if all(_is_free(file, c) for file in files)]
    found = [c for c in free if any(_both_answer(*pair, c, may_answer, may_grade) for pair in pairs)]
    if len(found) == 1:
        return [_by_label(file, found[0], of) for file, of in zip(files, stated, strict=True)]
    return [_on_criteria(file, side, found) if found else file for file in files]


def _are_alike(file: FileLayout, other: FileLayout, column: str) -> bool:
    """Return whether two files share several items, and say the same of each in a column."""
    n, apart = _shared_and_apart(file, other, column)
    return n >= FEWEST_ALIKE and not apart


def _is_free(file: FileLayout, column: str) -> bool:
    return column in without_unlikely(file.table, file.table.columns) and column not in file.layout.columns.values()


def _by_label(file: FileLayout, column: str, stated: CheckedColumns) -> FileLayout:
    """Return a file with another guess of its column of labels."""
    known = file_layout(file.table, replace(stated, columns={**stated.columns, "label": column}))
    known.layout.guessed.append("label")
    return known


def _on_criteria(file: FileLayout, side: str, columns: Sequence[str]) -> FileLayout:
    """Return a file of one rater with several columns of labels, each a criterion, in place of one."""
    rater, role = rater_of_file(file.table)
    return _as_wide(file, side, [WideColumn(name, rater, role, name) for name in columns])


def _by_words_of_others(file: FileLayout, others: Sequence[FileLayout], stated: CheckedColumns) -> FileLayout:
    """Return a file whose labels share no word with those of the others by its one column that does: `bucket` beside numbers.

    Numbers are shared by accident too: by them in a file without names of columns alone.
    """
    own = _label_columns(file)
    words = [_words(other, column) for other in others for column in _label_columns(other)]
    if file.table.format or not own or not words or not set(own).isdisjoint(stated.columns.values()):
        return file
    said = set[str]().union(*words)
    numbers = any(map(is_number, said)) and not all(map(NUMBERED.fullmatch, own))
    if not said or numbers or any(said & _words(file, column) for column in own):
        return file
    free = [c for c in file.table.columns if c not in file.layout.columns.values() and len(file.table.raw(c)[1]) <= MOST_SHARED]
    hits = [column for column in free if len(said & _words(file, column)) >= min(2, len(said))]
    if len(hits) != 1:
        return file
    return _by_label(file, hits[0], stated)


def _label_columns(file: FileLayout) -> list[str]:
    """Return the columns of labels of a file, which nothing but a guess may have found."""
    wide = [column.column for column in wide_columns(file.layout.columns)]
    return wide + [file.layout.columns[side] for side in SIDES if side in file.layout.columns]


def _words(file: FileLayout, column: str) -> set[str]:
    return set(map(normalise, file.table.coded(column).names))


def _on_criterion_of_name(file: FileLayout, others: Sequence[FileLayout]) -> FileLayout:
    """Return a file of one column of labels on the criterion of the others that its name holds: `tone_gpt4.csv`.

    The rater is what is left of the name. Another file of the same columns shows that each has a criterion of its own.
    """
    if not (side := _only_side(file)):
        return file
    names = {name for other in others if len(wide_columns(other.layout.columns)) > 1 for name in _names(other)}
    stem = f" {spaced(file_stem(file.table.name))} "
    held = [name for name in names if f" {spaced(name)} " in stem]
    alike = [other for other in others if other.layout.columns == file.layout.columns]
    if len(held) != 1 or not alike:
        return file
    rater = stem.replace(f" {spaced(held[0])} ", " ").strip() or file_stem(file.table.name)
    return _as_wide(file, side, [WideColumn(file.layout.columns[side], rater, file.role or role_of_column(rater), held[0])])


def _on_criterion_of_column(file: FileLayout, others: Sequence[FileLayout]) -> FileLayout:
    """Return a file whose one column of labels is called after its side and a column of the others on that criterion:
    `human_overall` beside `overall` and `tone`.
    """
    side = _only_side(file)
    if side not in file.layout.guessed or not file.role or not file.raters:
        return file
    column = file.layout.columns[side]
    asked = {fold_name(name) for other in others if len(wide_columns(other.layout.columns)) > 1 for name in _names(other)}
    ends = [pair for head, _, tail in cuts(column) for pair in ((head, tail), (tail, head))]
    parts = [part for who, part in ends if called_after(who) == file.role]
    parts += [head for part in parts for head, _, tail in cuts(part) if HELD.fullmatch(spaced(tail))]
    named = [part for part in parts if fold_name(part) in asked and are_criteria([part])]
    return _as_wide(file, side, [WideColumn(column, file.raters[side], file.role, named[0])]) if named else file


def _only_side(file: FileLayout) -> str:
    """Return the role of the one column of labels of a file that names neither criteria nor raters; empty for any other file."""
    sides = [role for role in SIDES if role in file.layout.columns]
    known = file.table.format or {"criterion", "rater"} & file.layout.columns.keys()
    return sides[0] if len(sides) == 1 and not known else ""


def _as_wide(file: FileLayout, side: str, columns: Sequence[WideColumn]) -> FileLayout:
    """Return a file with columns of labels that are a rater's on criteria, in place of its one column of labels."""
    kept = {role: name for role, name in file.layout.columns.items() if role != side}
    guessed = [role for role in file.layout.guessed if role in kept]
    wide = replace(file.layout, shape="wide", columns=kept, guessed=guessed, doubts=[])
    for column in columns:
        wide.guess(column.key, column.column)
    return FileLayout(file.table, wide, {}, None, file.roles)


def _names(file: FileLayout) -> list[str]:
    """Return what may be criteria in a file: those that it names, and what its columns of labels are called."""
    return [*file.criteria, *(name for names in _called(file.layout) for name in names)]


def _called(layout: Layout) -> list[tuple[str, str, str]]:
    """Return what the criterion of each column of labels may be called: as within records, as its column, or without the word
    for what it holds, or its scale, as `tone` for `tone_score` and `tone (1-5)`.
    """
    fields, wide = _fields(layout), wide_columns(layout.columns)
    bare = [_SCALE.sub("", field) for field in fields]
    held = [[head for head, _, tail in cuts(field) if HELD.fullmatch(spaced(tail))] for field in bare]
    return [(field, column.rater, (*heads, name)[0]) for field, name, column, heads in zip(fields, bare, wide, held, strict=True)]


def _of_constants(file: FileLayout, others: Sequence[FileLayout]) -> FileLayout:
    """Return a file without labels that differ by its columns that hold labels in another file: somebody may always say yes.

    So do those within the same records whose words are known in both files: `scores.C1.result` beside `scores.C2.result`.
    """
    table, layout = file.table, file.layout
    if table.format or "label" not in layout.missing or layout.columns.get("item") not in table.columns:
        return file
    free = [c for c in table.columns if is_constant(table, c) and not is_empty(table, c) and c not in layout.columns.values()]
    both = {c for c in free for other in others if c in other.table.columns and all(_is_known(of, c) for of in (file, other))}
    twins = {c for c in free for other in others if c in _label_columns(other) and _words(file, c) & _words(other, c)}
    twins |= {c for c in both if any(_within_same_records(c, twin) for twin in twins)}
    if not twins:
        return file
    doubts = [doubt for doubt in layout.doubts if not doubt.sentence.startswith(ALL_ALIKE)]
    missing = [role for role in layout.missing if role != "label"]
    notes = [*layout.notes, *note_of_constants([column for column in free if column in both - twins])]
    known = Layout("wide", dict(layout.columns), [*layout.guessed], doubts, layout.roles, notes, missing)
    for column in split_names([column for column in table.columns if column in twins]):
        known.guess(column.key, column.column)
    return FileLayout(table, known, {}, None, file.roles)


def _is_known(file: FileLayout, column: str) -> bool:
    return all(meaning(name) for name in file.table.coded(column).names)


def _within_same_records(column: str, other: str) -> bool:
    """Return whether names differ in one part of their paths, as those of records of one form do."""
    parts = column.split("."), other.split(".")
    return len(parts[0]) == len(parts[1]) > 1 and sum(one != two for one, two in zip(*parts, strict=True)) == 1


def _with_constants(file: FileLayout, others: Sequence[FileLayout]) -> FileLayout:
    """Return a file of a row for each rater with the criteria of the others on which all its rows say the same."""
    asked = sorted({fold_name(name) for other in others for name in _names(other)})
    return file if file.table.format else replace(file, table=with_constant_criteria(file.table, asked))


def _with_others(file: FileLayout, others: Sequence[FileLayout]) -> FileLayout:
    """Return a file with further columns of labels, which it has under one name with another file.

    Those that say the same in every row and hold labels in the other one, where all of them were met, and those that say of some
    item something else in a few words that both have: what is known of an item is alike. `tone_judge` and `scores.tone` have one
    name with `tone_human`, where all columns of labels of a file end, or begin, so.
    """
    layout, table = file.layout, file.table
    there = {column.column for other in others for column in wide_columns(other.layout.columns)}
    asked = {field for other in others for field in _fields(other.layout)}
    named = [column.column for column in wide_columns(layout.columns)]
    tail, path = common_tail(named), _path_of(named)
    stems = {c: c.removeprefix(path).removesuffix(tail) for c in table.columns if c.startswith(path) and c.endswith(tail)}
    there |= {column for column, stem in stems.items() if stem in asked}
    labels = {column for role, column in layout.columns.items() if role in layout.guessed and (role in SIDES or ":" in role)}
    taken = set(layout.columns.values()) - labels
    more = [c for c in table.columns if c in there - labels - taken and is_constant(table, c) and not is_empty(table, c)]
    free = [c for c in table.columns if c not in labels | taken and c not in more]
    more += [c for c in free if len(labels) > 1 and any(_both_answer(file, other, c, may_answer) for other in others)]
    if not more or not labels <= there or any(side not in layout.guessed for side in file.sides):
        return file
    columns = {role: column for role, column in layout.columns.items() if column in taken}
    wide = Layout("wide", columns, [role for role in layout.guessed if role in columns], notes=layout.notes)
    for column in split_names([column for column in table.columns if column in labels or column in more]):
        wide.guess(column.key, column.column)
    return FileLayout(table, wide, {}, None, file.roles)


def _path_of(columns: Sequence[str]) -> str:
    """Return the path within records, with its point, under which all of several columns lie; empty where there is none."""
    paths = {column.rpartition(".")[0] for column in columns}
    path = paths.pop() if len(paths) == 1 else ""
    return f"{path}." if path else ""


def _both_answer(file: FileLayout, other: FileLayout, column: str, *ways: Callable[[TextTable, str], bool]) -> bool:
    """Return whether two files say different things of an item in a column of one name, in a few words of which both have two."""
    if not any(all(column in of.table.columns and way(of.table, column) for of in (file, other)) for way in ways):
        return False
    words = [set(map(normalise, of.table.coded(column).names)) for of in (file, other)]
    return len(words[0] & words[1]) > 1 and _differ(file, other, column)


def _differ(file: FileLayout, other: FileLayout, column: str) -> bool:
    """Return whether two files that have a column say something else of an item in it; an empty cell says nothing."""
    return _shared_and_apart(file, other, column)[1] > 0


def _shared_and_apart(file: FileLayout, other: FileLayout, column: str) -> tuple[int, int]:
    """Return of how many items two files say something in a column, and of how many something else."""
    one, another = (labels_by_item(of, column) for of in (file, other))
    shared = one.keys() & another.keys()
    return len(shared), sum(one[item] != another[item] for item in shared)


def _by_criterion(
    file: FileLayout, others: Sequence[FileLayout], stated: CheckedColumns, spelled: Mapping[str, str]
) -> FileLayout:
    """Return a file with its columns of labels as criteria of one rater, spelled as the first file spells them."""
    layout = file.layout
    wide = wide_columns(layout.columns)
    if not wide or any(column.criterion or column.key not in layout.guessed for column in wide):
        return file
    often = Counter(name for other in others for name in {fold_name(name) for name in _names(other)})
    named = often.keys()
    names_of = zip(wide, _called(layout), strict=True)
    called = {column: max(names, key=lambda name: often[fold_name(name)]) for column, names in names_of}
    called = {column: name if fold_name(name) in named else column.rater for column, name in called.items()}
    criterion_of = {column: spelled.get(fold_name(name), name) for column, name in called.items()}
    shared = [column for column in wide if fold_name(called[column]) in named]
    alone = [column for column in wide if column not in shared]
    if alone and any(role_of_column(criterion_of[column]) for column in shared):
        return file
    few = bool(alone) and len(shared) < max(2, len(alone) + 1)
    if not shared or (few and not _are_answers(file, others, *([c.column for c in of] for of in (shared, alone)))):
        return file
    rater, role = rater_of_file(file.table)
    if rater in (rater_of_file(other.table)[0] for other in others):
        rater = file_stem(file.table.name)
    columns = {role: column for role, column in layout.columns.items() if not role.startswith(WIDE)}
    if "criterion" in layout.guessed:
        del columns["criterion"]
    roles = {c.column: role or (role_of_column(_said_of(c.column, called[c])) if called[c] != c.column else None) for c in shared}
    columns |= {WideColumn(c.column, rater, roles[c.column], criterion_of[c]).key: c.column for c in shared}
    guessed = [role for role in columns if role.startswith(WIDE) or role in layout.guessed]
    names = listed((f"‘{brief(column.column, 30)}’" for column in alone), 4)
    notes = layout.notes + ([f"{NOT_READ[0]}: {names}."] if alone else [])
    by_criterion = replace(layout, columns=columns, guessed=guessed, doubts=[], notes=notes)
    tell_outputs_apart(file.table, by_criterion, stated)
    return replace(file, layout=by_criterion, table=with_joint(file.table, by_criterion.columns))


def _said_of(column: str, criterion: str) -> str:
    """Return what a column's name says of its rater: `label` behind a criterion says nothing."""
    return criterion if re.fullmatch(rf"{re.escape(criterion)}[\W_]*labels?", column, re.IGNORECASE) else column


def _are_answers(file: FileLayout, others: Sequence[FileLayout], shared: Sequence[str], alone: Sequence[str]) -> bool:
    """Return whether columns that other files have too are what was asked, beside as many that they have not.

    They are criteria of the others, or differ from theirs, and nothing is called after a rater.
    """
    if any(role_of_column(name) for name in alone if not HELD.fullmatch(spaced(name))):
        return False
    named = {fold_name(name) for other in others for name in other.criteria}
    return all(fold_name(name) in named or any(_differ(file, other, name) for other in others) for name in shared)


def _of_one_column(file: FileLayout, others: Sequence[FileLayout], stated: CheckedColumns) -> FileLayout:
    """Return a file with its one column of labels as one of several, where it, or columns beside it, are called like criteria of
    the others.
    """
    layout, criteria = file.layout, {fold_name(name) for other in others for name in other.criteria}
    given = [role for role in SIDES if role in layout.columns and role not in stated.columns]
    if len(given) != 1 or file.table.format or not {"criterion", "rater"}.isdisjoint(layout.columns):
        return file
    column, named = layout.columns[given[0]], {fold_name(name) for other in others for name in _names(other)}
    beside = [name for name in label_columns(file.table) if fold_name(name) in named - {fold_name(column)}]
    beside = [name for name in beside if name not in layout.columns.values()]
    called = criteria if HELD.fullmatch(spaced(column)) or role_of_column(column) else named
    if not beside and not (given[0] in layout.guessed and fold_name(column) in called):
        return file
    kept = {role: name for role, name in layout.columns.items() if role != given[0]}
    wide = replace(layout, shape="wide", columns=kept, guessed=[role for role in layout.guessed if role in kept])
    for name in (*beside, column):
        wide.guess(WideColumn(name, name, None, None).key, name)
    return replace(file, layout=wide)


def _fields(layout: Layout) -> list[str]:
    """Return what each column of labels is called within the records of one rater: `tone` for `human_label.tone`, and for
    `tone_human` where all end so.
    """
    columns = [column.column for column in wide_columns(layout.columns)]
    names = list(short_names(columns).values())
    *_, head = ["", *common_heads(names)]
    names = [name.removeprefix(head) for name in names]
    tail = common_tail(names)
    return [name.removesuffix(tail) for name in names]


def criterion_of_others(files: Sequence[FileLayout]) -> str:
    """Return the criterion of labels for which their file names none: the only one of the other files.

    Raises
    ------
    InputError
        Where the other files have several.
    """
    without = [file for file in files if file.without_criterion]
    criteria = list(dict.fromkeys(name for file in files for name in file.criteria))
    if without and len(criteria) > 1:
        name, other = without[0].table.name, next(file.table.name for file in files if file.criteria)
        mend = flag("--columns", {f"{name}:criterion": "COLUMN"})
        refuse(
            f"{brief(name)} names no criterion, {brief(other)} has {len(criteria)}: {listed(criteria, 4)}. Nothing says which of "
            f"them its labels are on. Add a column ‘criterion’ to {brief(name)}{f', or name it: {mend}' if mend else ''}."
        )
    return criteria[0] if criteria else OVERALL
