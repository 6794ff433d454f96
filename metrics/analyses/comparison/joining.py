"""Two files of labels as one: joined on item and criterion, so that judges from both can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import refuse_tally
from metrics.analyses.comparison.joined_runs import left_out_of_both, runs_of_both, source_of_both
from metrics.asker import flag, worded
from metrics.data.checks import takes_ratings
from metrics.data.labels import Scheme
from metrics.data.ratings import Rater, Ratings
from metrics.data.vocabulary import Kind, normalise
from metrics.errors import InputError
from metrics.readers import Proposal, TextTable, build, open_table, propose
from metrics.readers.crossing import with_joint
from metrics.readers.names import OVERALL
from metrics.results.words import NEEDS_ROWS

FILE = "file"


class OtherReference(InputError):
    """Two files in which one human says different things of the same item and criterion."""


Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Joined:
    """Both files as one.

    Attributes
    ----------
    ratings : Ratings
    names : (mapping, mapping)
        Of each file: judge as the file names it, and as `ratings` does.
    unmatched : DataFrame
        Judges' rows whose item and criterion no judge of the other file has: file, row, item, criterion, judge.
    """

    ratings: Ratings
    names: tuple[dict[str, str], dict[str, str]]
    unmatched: pd.DataFrame

    def judge(self, name: str, file: int) -> str:
        """Return the joined name of a judge; a name both files use is that of the given file (0 or 1)."""
        order = (self.names[file], self.names[1 - file])
        return next((names[name] for names in order if name in names), name)

    def pair(self, a: str | None, b: str | None) -> tuple[str, str]:
        """Return names of A and B; where a file has one judge, it need not be named.

        Raises
        ------
        InputError
            Where a file has several judges and none is named.
        """
        return self._chosen(a, 0), self._chosen(b, 1)

    def _chosen(self, name: str | None, file: int) -> str:
        if name is not None:
            return self.judge(name, file)
        judges = list(self.names[file].values())
        if len(judges) > 1:
            way = (flag("--a", page="the first of the two"), flag("--b", page="the second of the two"))[file]
            raise InputError(f"File {file + 1} has {len(judges)} judges. Name one as {way}: {', '.join(judges[:12])}.")
        return judges[0]

    def unmatched_counts(self) -> dict[str, int]:
        """Return unmatched rows by file."""
        counts = self.unmatched[FILE].value_counts(sort=False)
        return {str(name): int(count) for name, count in counts.items()}


@takes_ratings
def join(first: Ratings, second: Ratings) -> Joined:
    """Return two files as one, on the same items: the ratings of both are its `ratings`.

    Where each file has one judge and both have the same name, the judges are named after the files; of several, those whose
    names occur in both get the file's name in brackets. Humans of the same name are the same person.

    Returns
    -------
    Joined
        `metrics.compare(joined.ratings, *joined.pair(None, None))` compares the judges of the two files.

    Raises
    ------
    InputError
        For counts, tallies, a label with two meanings, files that share no item and criterion, and humans of one name who say
        different things about the same item and criterion; the first such item is named.
    """
    both = (first, second)
    for ratings in both:
        if not ratings.has_items:
            raise InputError(f"{ratings.source.name} is a table of counts: it has no items to join on.")
        refuse_tally(ratings)
        if not ratings.judges:
            raise InputError(f"{ratings.source.name}: no judge is among the raters. A comparison needs a judge in each file.")
    files = file_names(first.source.name, second.source.name)
    names = _judge_names(both, files)
    raters, rater = _raters(both, names)
    items, item = _items(both)
    criteria, criterion = _merged([ratings.criteria for ratings in both])
    labels, label = _merged([ratings.labels for ratings in both])
    scheme = _scheme(first, second)
    codes = [
        np.stack(
            [
                item[place][ratings.item],
                criterion[place][ratings.criterion],
                rater[place][ratings.rater],
                label[place][ratings.label],
            ]
        )
        for place, ratings in enumerate(both)
    ]
    n_rows = [ratings.table.num_rows if ratings.table is not None else 0 for ratings in both]
    rows = [first.row, second.row + n_rows[0]]
    again = _repeated_ratings(both, codes, raters, items, criteria, labels, scheme, len(criteria))
    parts = [codes[0], codes[1][:, ~again]]
    row = np.concatenate([rows[0], rows[1][~again]])
    merged = np.concatenate(parts, axis=1)
    scores = [np.full(ratings.item.shape, np.nan) if ratings.score is None else ratings.score for ratings in both]
    score = np.concatenate([scores[0], scores[1][~again]])
    table, numbers = _table(both, files)
    ratings = Ratings(
        source=source_of_both(both, files, names), scheme=scheme, items=items, criteria=criteria, raters=raters, labels=labels,
        item=merged[0], criterion=merged[1], rater=merged[2], label=merged[3], row=row,
        score=None if np.isnan(score).all() else score, left_out=left_out_of_both(both, files),
        rows_used=first.rows_used + second.rows_used, table=table,
        columns=tuple(dict.fromkeys((*first.columns, *second.columns))), numbers=numbers,
        runs=runs_of_both(both, item, criterion, rater, label),
    )  # fmt: skip
    unmatched = _unmatched(both, codes, files, names, items, criteria)
    if len(unmatched) == sum(int(ratings.by_role("judge").sum()) for ratings in both):
        _refuse_nothing_shared(both, files)
    return Joined(ratings, names, unmatched)


def read_second(source: Any, first: Ratings, **how: Any) -> Ratings:
    """Return a second file, which may leave the human's label to the first.

    Parameters
    ----------
    source : path, bytes, file object or DataFrame
    first : Ratings
        The first file.
    how
        Options of `metrics.read`.
    """
    opened = {name: how.pop(name, None) for name in ("delimiter", "encoding", "sheet")}
    table = open_table(source, skip_bad_rows=bool(how.pop("skip_bad_rows", False)), **opened)
    criteria = how.pop("criteria", None)
    second = build(*propose_second(table, first, **how))
    return second if criteria is None else second.on_criteria(criteria)


def propose_second(table: TextTable, first: Ratings, **how: Any) -> tuple[TextTable, Proposal]:
    """Return what is understood of a second file, with the human labels of the first where it has none."""
    proposal = propose(table, **how)
    if proposal.shape == "pairs" and proposal.missing == ("human",):
        table = with_humans_of(first, table, proposal)
        proposal = propose(table, **how)
    return table, proposal


def with_humans_of(first: Ratings, table: TextTable, proposal: Proposal) -> TextTable:
    """Return a table of verdicts with the human labels that another file has for the same items and criteria.

    Parameters
    ----------
    first : Ratings
        File with human labels.
    table : Table
        File without them.
    proposal : Proposal
        What is understood of `table`.

    Returns
    -------
    Table
        With the columns `human` and `rater`, empty where the other file has no label; unchanged where no column holds the item.

    Raises
    ------
    InputError
        For a tally, merged rows, or a table that shares no labelled item and criterion with the other file.
    """
    item, criterion = proposal.column("item"), proposal.column("criterion")
    if item is None:
        return table
    if first.source.tallied or table.merged is not None:
        raise InputError(f"{first.source.name if first.source.tallied else table.name}: {NEEDS_ROWS}")
    items = with_joint(table, dict(proposal.columns)).data[item].to_pylist()
    criteria = table.data[criterion].to_pylist() if criterion else [OVERALL] * len(items)
    known = _human_labels(first)
    human_labels = [known.get((item_id, name.strip()), ("", "")) for item_id, name in zip(items, criteria, strict=True)]
    if not any(label for label, _ in human_labels):
        raise InputError(
            f"{table.name} has no human labels, and shares no item and criterion with {first.source.name}, which has: "
            f"first items ‘{items[0]}’ and ‘{first.items[0]}’. Make ids and criterion names equal."
        )
    data = table.data
    for column, values in (("human", [label for label, _ in human_labels]), ("rater", [name for _, name in human_labels])):
        data = data.append_column(column, pa.array(values, pa.string()))
    return replace(table, data=data, memo={})


def _human_labels(ratings: Ratings) -> dict[tuple[str, str], tuple[str, str]]:
    """Return label and name of one human for every item and criterion that has any."""
    human = np.flatnonzero(~ratings.by_role("judge"))
    items = ratings.items.take(pa.array(ratings.item[human])).to_pylist()
    codes = zip(ratings.criterion[human].tolist(), ratings.label[human].tolist(), ratings.rater[human].tolist(), strict=True)
    return {
        (item, ratings.criteria[criterion]): (ratings.labels[label], ratings.raters[rater].name)
        for item, (criterion, label, rater) in zip(items, codes, strict=True)
    }


def file_names(first: str, second: str) -> tuple[str, str]:
    """Return names of the files that tell them apart."""
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def _stem(file: str) -> str:
    name, _, mark = file.partition(" (")
    stem = PurePath(name.removesuffix(".gz")).stem or name
    return f"{stem} ({mark}" if mark else stem


def _judge_names(both: Sequence[Ratings], files: tuple[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    first, second = (ratings.judges for ratings in both)
    stems = [_stem(file) for file in files]
    if stems[0] == stems[1]:
        stems = list(files)
    if len(first) == len(second) == 1 and first == second:
        return {first[0]: stems[0]}, {second[0]: stems[1]}
    shared = set(first) & set(second)
    name_maps = [
        {name: f"{name} ({stem})" if name in shared else name for name in ratings.judges}
        for ratings, stem in zip(both, stems, strict=True)
    ]
    return name_maps[0], name_maps[1]


def _raters(both: Sequence[Ratings], names: Sequence[dict[str, str]]) -> tuple[tuple[Rater, ...], list[Ints]]:
    renamed = [
        tuple(Rater(new_names[rater.name], "judge") if rater.role == "judge" else rater for rater in ratings.raters)
        for ratings, new_names in zip(both, names, strict=True)
    ]
    return _merged(renamed)


def _merged(lists: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], list[Ints]]:
    """Return distinct entries in order of first appearance, and the new code of each old one."""
    places = {entry: place for place, entry in enumerate(dict.fromkeys(entry for entries in lists for entry in entries))}
    return tuple(places), [np.array([places[entry] for entry in entries], np.int32) for entries in lists]


def _items(both: Sequence[Ratings]) -> tuple[pa.StringArray, list[Ints]]:
    """Return the items of both files byte for byte."""
    texts = [ratings.items.cast(pa.string()) for ratings in both]
    fresh = texts[1].filter(pc.invert(pc.is_in(texts[1], value_set=texts[0])))
    items = pa.concat_arrays([texts[0], fresh])
    second = np.asarray(pc.index_in(texts[1], value_set=items), np.int32)
    return items, [np.arange(len(texts[0]), dtype=np.int32), second]


def _scheme(first: Ratings, second: Ratings) -> Scheme:
    """Return the meanings of both files; a label must mean the same in both."""
    mend = worded(
        f"Say what it means with {flag('--labels')}.",
        f"Read both files with the same {flag('--labels')}.",
        "Open one of them on the Data page, change the meaning there, and add it here again.",
    )
    kinds: dict[str, Kind] = dict(first.scheme.kinds)
    known = {normalise(label): (label, kind) for label, kind in first.scheme.kinds}
    for label, kind in second.scheme.kinds:
        other, other_kind = known.get(normalise(label), (label, kind))
        if other_kind != kind:
            raise InputError(
                f"‘{other}’ is {other_kind} in {first.source.name}, and ‘{label}’ is {kind} in {second.source.name}. {mend}"
            )
        kinds.setdefault(label, kind)
    order = max(first.scheme.order, second.scheme.order, key=len)
    if not all(_in_sequence(ratings.scheme.order, order) for ratings in (first, second)):
        way = worded(
            f"Give one order with {flag('--order')}.",
            f"Read both files with the same {flag('--order')}.",
            "Open one of them on the Data page, change the order there, and add it here again.",
        )
        raise InputError(f"The two files order the labels differently. {way}")
    scales = tuple((dict(second.scheme.scales) | dict(first.scheme.scales)).items())
    scheme = Scheme(tuple(kinds.items()), order, first.scheme.handling, scales=scales)
    if scheme.scale != first.scheme.scale:
        raise InputError(
            f"The labels of {first.source.name} are positive and negative, those of {second.source.name} are classes. {mend}"
        )
    return scheme


def _in_sequence(some: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether the labels stand in an order one after the other, as those of a file that uses not all of them do."""
    places = {normalise(label): place for place, label in enumerate(order)}
    positions = [places.get(normalise(label), -1) for label in some]
    return positions == sorted(set(positions)) and -1 not in positions


def _repeated_ratings(
    both: Sequence[Ratings],
    codes: Sequence[Ints],
    raters: Sequence[Rater],
    items: pa.StringArray,
    criteria: Sequence[str],
    labels: Sequence[str],
    scheme: Scheme,
    n_criteria: int,
) -> NDArray[np.bool_]:
    """Return ratings of the second file that the first has too, by the same human; differing ones are refused."""
    keys = [(code[0].astype(np.int64) * n_criteria + code[1]) * len(raters) + code[2] for code in codes]
    order = np.argsort(keys[0], kind="stable")
    sorted_keys = keys[0][order]
    place = np.minimum(np.searchsorted(sorted_keys, keys[1]), max(len(sorted_keys) - 1, 0))
    again: NDArray[np.bool_] = sorted_keys[place] == keys[1] if len(sorted_keys) else np.zeros(len(keys[1]), bool)
    states = scheme.states(labels)
    answers = [states[codes[0][3][order[place]]], states[codes[1][3]]]
    differs = again & (answers[0] != answers[1])
    if differs.any():
        here = int(differs.argmax())
        there = int(order[place[here]])
        _refuse_differing(both, codes, raters, items, criteria, labels, (there, here), int(differs.sum()))
    return again


def _refuse_differing(
    both: Sequence[Ratings],
    codes: Sequence[Ints],
    raters: Sequence[Rater],
    items: pa.StringArray,
    criteria: Sequence[str],
    labels: Sequence[str],
    where: tuple[int, int],
    count: int,
) -> None:
    rating_codes = [codes[file][:, place] for file, place in enumerate(where)]
    rows = [int(ratings.record_numbers(ratings.row[[place]])[0]) for ratings, place in zip(both, where, strict=True)]
    phrases = [
        f"‘{labels[int(code[3])]}’ in row {row} of {ratings.source.name}"
        for code, row, ratings in zip(rating_codes, rows, both, strict=True)
    ]
    more = f" ({count - 1} more differ)" if count > 1 else ""
    item = str(items[int(rating_codes[1][0])])
    raise OtherReference(
        f"{raters[int(rating_codes[1][2])].name} says {phrases[0]}, but {phrases[1]}, about item ‘{item}’, criterion "
        f"‘{criteria[int(rating_codes[1][1])]}’{more}. Both files must carry the same human labels: correct one of them.",
        row=rows[1],
    )


def _unmatched(
    both: Sequence[Ratings],
    codes: Sequence[Ints],
    files: tuple[str, str],
    names: Sequence[dict[str, str]],
    items: pa.StringArray,
    criteria: tuple[str, ...],
) -> pd.DataFrame:
    judged = [ratings.by_role("judge") for ratings in both]
    cells = [code[0].astype(np.int64) * len(criteria) + code[1] for code in codes]
    frames = []
    for place, side_ratings in enumerate(both):
        other = 1 - place
        alone = np.flatnonzero(judged[place] & ~np.isin(cells[place], cells[other][judged[other]]))
        frames.append(
            pd.DataFrame(
                {
                    FILE: files[place],
                    "row": side_ratings.record_numbers(side_ratings.row[alone]),
                    "item": items.take(pa.array(codes[place][0][alone])).to_pylist(),
                    "criterion": np.array(criteria, dtype=object)[codes[place][1][alone]],
                    "judge": [names[place][side_ratings.raters[code].name] for code in side_ratings.rater[alone].tolist()],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _refuse_nothing_shared(both: Sequence[Ratings], files: tuple[str, str]) -> None:
    descriptions = [
        f"{file} has items such as ‘{ratings.items[0]}’ and criteria such as ‘{ratings.criteria[0]}’"
        for ratings, file in zip(both, files, strict=True)
    ]
    raise InputError(
        f"The judges of the two files share no item and criterion: {descriptions[0]}; "
        f"{descriptions[1]}. Make ids and names equal."
    )


def _table(both: Sequence[Ratings], files: tuple[str, str]) -> tuple[pa.Table | None, NDArray[np.int64] | None]:
    """Return the rows of both files, with a column that says which."""
    tables = [ratings.table for ratings in both if ratings.table is not None]
    if len(tables) < len(both):
        return None, None
    name = FILE
    while any(name in table.column_names for table in tables):
        name += "_"
    marked = []
    for table, file in zip(tables, files, strict=True):
        plain = table.cast(pa.schema([(column, pa.string()) for column in table.column_names]))
        marked.append(plain.append_column(name, pa.array([file]).take(pa.array(np.zeros(table.num_rows, np.int64)))))
    whole = pa.concat_tables(marked, promote_options="default")
    filled = [pc.fill_null(column, "") for column in whole.columns]
    numbers = [ratings.record_numbers(np.arange(table.num_rows)) for ratings, table in zip(both, tables, strict=True)]
    return pa.table(filled, names=whole.column_names), np.concatenate(numbers).astype(np.int64)
