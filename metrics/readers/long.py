"""Long tables: pairs of a human label and a judge's verdict, and one rating per row."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from metrics.asker import flag
from metrics.data.ratings import Rater, Ratings
from metrics.readers.building import ROLES, Draft, Part, Repeated, assemble, criteria_of_rows, item_codes, leave_repeats, part_of
from metrics.readers.excluded_rows import (
    BESIDE_LABEL,
    CODE_ROW,
    NO_JUDGE,
    NO_RATER,
    NO_ROLE,
    OTHER_ROLE,
    Account,
)
from metrics.readers.label_codes import Ints, Labels
from metrics.readers.messages import brief, refuse, times
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import Proposal
from metrics.readers.rater_roles import KINDS, in_several_roles, roles_of_rows
from metrics.readers.repeats import Keys, compact, first_rows, is_unique, key_of
from metrics.readers.table import NO_LABEL, TextTable
from metrics.readers.unlabelled import LABELLED, NUMBER_ALONE, says_less

HUMAN, JUDGE = "human", "judge"
Extents = NDArray[np.int8]


def build_pairs(table: TextTable, proposal: Proposal) -> Ratings:
    account, labels, notes = Account(table.n_rows), Labels(proposal), list[str]()
    item, items = item_codes(table, _item_column(proposal), account)
    criterion, criteria = criteria_of_rows(table, proposal, account)
    human = labels.of(table, _needed(proposal, "human"), "human")
    verdict = labels.of(table, _needed(proposal, "verdict"), "judge")
    judge, judges = _names(table, proposal.column("judge"), JUDGE)
    person, people = _names(table, proposal.column("rater"), HUMAN)
    of_human = _needed(proposal, "human"), proposal.column("human_score")
    of_judge = _needed(proposal, "verdict"), proposal.column("score")
    named = judge < len(judges)
    human, given_by = labels.of_rows(table, of_human, human, np.zeros(table.n_rows, bool))
    verdict, said_by = labels.of_rows(table, of_judge, verdict, named)
    for column, code, other, role in (("judge", verdict, human, JUDGE), ("rater", human, verdict, HUMAN)):
        out = _out(table, proposal, column, role)
        account.leave(out & (other < 0), OTHER_ROLE)
        code[out] = -1
    account.leave((judge == len(judges)) & (verdict >= 0), NO_JUDGE)
    account.leave((human < 0) & (verdict < 0), NO_LABEL)
    # a row with the human's label and another with the verdict complete each other
    filled = given_by.astype(np.int32) * (LABELLED + 1) + said_by
    runs = run_column(table, proposal.column("run"))
    codes = item, criterion, judge, person, runs.codes
    sizes = len(items), len(criteria), len(judges) + 1, len(people), len(runs.names)
    human_score, score = labels.scores(table, *of_human, notes), labels.scores(table, *of_judge, notes)
    cells = [*labels.cells(of_human[0], human, human_score, of_human[1]), *labels.cells(of_judge[0], verdict, score, of_judge[1])]
    unique = leave_repeats(account, table, proposal, (codes, sizes), cells, notes, filled)
    human = _fullest(account, human, given_by, (item, criterion, person), (*sizes[:2], len(people)))
    verdict = _fullest(account, verdict, said_by, (item, criterion, judge, runs.codes), (*sizes[:3], len(runs.names)))
    _leave_less(account, (human < 0) & (verdict < 0), (given_by == NUMBER_ALONE) | (said_by == NUMBER_ALONE))
    rows = np.flatnonzero(account.kept)
    given = part_of(item, criterion, person, human, human_score, rows)
    part = part_of(item, criterion, judge, verdict, score, rows)
    # rows that differ in nothing but the judge, the human or the run are the only ones that can still repeat a rating
    if not unique or len(judges) > 1 or len(runs.names) > 1 or (judge == len(judges)).any():
        key = _part_key(given, (*sizes[:2], len(people)))
        mend = _criterion_instead(proposal)
        given = _deduplicated(given, key, labels, table, items, "The human's label of", _needed(proposal, "human"), mend)
    if not unique or len(people) > 1:
        key = _part_key(part, (*sizes[:2], len(judges)), runs)
        part = _deduplicated(part, key, labels, table, items, "The judge's verdict on", _needed(proposal, "verdict"))
    part, repeated = _first_runs(part, runs, (*sizes[:2], len(judges)), notes)
    part = part.of(len(people))
    if repeated is not None:
        repeated = replace(repeated, part=repeated.part.of(len(people)))
    raters = (*(Rater(name, "human") for name in people), *(Rater(name, "judge") for name in judges))
    return assemble(table, proposal, labels, Draft(items, criteria, raters, [given, part], account, notes, repeated))


def _out(table: TextTable, proposal: Proposal, column: str, role: str) -> NDArray[np.bool_]:
    """Return rows of a table of pairs whose judge, or human, is stated to be neither."""
    names, stated = proposal.column(column), {name: who for name, who in proposal.roles if name != "*"}
    if names is None or not stated:
        return np.zeros(table.n_rows, bool)
    columns = {"rater": names} | ({"criterion": on} if (on := proposal.column("criterion")) else {})
    kinds = roles_of_rows(table, columns, stated)
    other = kinds == KINDS.index(HUMAN if role == JUDGE else JUDGE)
    if other.any():
        who = brief(table.coded(names).names[table.coded(names).codes[int(other.argmax())]])
        refuse(f"‘{who}’ stands in column ‘{brief(names)}’ of {brief(table.name)}, so it is a {role}. It can only be left out.")
    out: NDArray[np.bool_] = kinds == KINDS.index("none")
    return out


def _item_column(proposal: Proposal) -> str | None:
    column = proposal.column("item")
    return None if column in (None, EACH_ROW) else column


def _needed(proposal: Proposal, role: str) -> str:
    column = proposal.column(role)
    assert column is not None, role
    return column


def _names(table: TextTable, column: str | None, unnamed: str) -> tuple[Ints, tuple[str, ...]]:
    """Return codes and names of raters; an unnamed judge has the code after the last, an unnamed human is `human`."""
    if column is None:
        return np.zeros(table.n_rows, dtype=np.int32), (unnamed,)
    coded = table.coded(column)
    if not (coded.codes < 0).any():
        return coded.codes, coded.names
    names = coded.names
    if unnamed == HUMAN and HUMAN not in names:
        names = (*names, HUMAN)
    nobody = names.index(HUMAN) if unnamed == HUMAN else len(names)
    return np.where(coded.codes < 0, nobody, coded.codes).astype(np.int32), names


def _fullest(account: Account, label: Ints, extent: Extents, codes: tuple[Ints, ...], sizes: tuple[int, ...]) -> Ints:
    """Return the labels without those of rows that say less of a rating than another row of it."""
    if (extent == LABELLED).all():
        return label
    rows = np.flatnonzero(account.kept & (label >= 0))
    return np.where(says_less(extent, key_of([code[rows] for code in codes], sizes), rows), -1, label).astype(np.int32)


def _leave_less(account: Account, without: NDArray[np.bool_], number: NDArray[np.bool_]) -> None:
    """Leave out the rows whose rating another row gives in full."""
    account.leave(without & ~number, NO_LABEL)
    account.leave(without, BESIDE_LABEL)


def _part_key(part: Part, sizes: tuple[int, int, int], runs: RunColumn | None = None) -> tuple[Keys, int]:
    """Return decision and rater of each rating, and the run of its row where asked for."""
    codes = part.item, part.criterion, part.rater
    return key_of(codes, sizes) if runs is None else key_of((*codes, runs.codes[part.row]), (*sizes, len(runs.names)))


def _first_runs(part: Part, runs: RunColumn, sizes: tuple[int, int, int], notes: list[str]) -> tuple[Part, Repeated | None]:
    if len(runs.names) == 1:
        return part, None
    kept, repeated = first_runs(part, runs, *_part_key(part, sizes))
    if repeated is not None:
        notes.append(run_note(kept, repeated, runs, runs.n_rows(repeated.part) - runs.n_rows(part) + runs.n_rows(kept)))
    return kept, repeated


def _criterion_instead(proposal: Proposal) -> str:
    """Return what to do where the column called after the judge says what was judged, as far as no other can be that."""
    judge = proposal.column("judge")
    if judge is None or proposal.column("criterion") is not None:
        return ""
    answer = flag("--columns", {"criterion": judge}, "choose it as the criterion")
    return f" If ‘{brief(judge)}’ says what was judged, and not by whom: {answer}."


def _deduplicated(
    part: Part,
    keys: tuple[Keys, int],
    labels: Labels,
    table: TextTable,
    items: pa.StringArray,
    what: str,
    column: str,
    mend: str = "",
) -> Part:
    """Return one rating per key of a column that is repeated beside others; differing ones are refused, with the mend."""
    key, size = keys
    if is_unique(key, size):
        return part
    first = first_rows(key, size)
    differs = labels.same[part.label] != labels.same[part.label[first]]
    if part.score is not None and labels.number >= 0:
        differs |= (part.label == labels.number) & (part.score != part.score[first])
    if differs.any():
        here = int(differs.argmax())
        _refuse_differing(part, here, int(first[here]), labels, table, items, what, column, mend)
    if table.merged is not None and part.score is not None:
        _refuse_two_numbers(part, first, table, what)
    if (part.label != part.label[first]).any():
        part = replace(part, label=_spelled_once(part.label, key, size, labels))
    return part.where(first == np.arange(len(first)))


def _spelled_once(label: Ints, key: Keys, size: int, labels: Labels) -> Ints:
    """Return of several spellings of one label the first by its text, whatever the order of the rows."""
    by_text = np.argsort(np.array(labels.names, object)).astype(np.int32)
    rank = np.empty_like(by_text)
    rank[by_text] = np.arange(len(by_text))
    lowest = np.full(size, len(by_text), np.int32)
    np.minimum.at(lowest, key, rank[label])
    return by_text[lowest[key]]


def _refuse_two_numbers(part: Part, first: NDArray[np.int64], table: TextTable, what: str) -> None:
    """Refuse two numbers: of rows the first one's number counts; in a tally no row is the first."""
    assert part.score is not None
    scores, first_scores = part.score, part.score[first]
    differs = (scores != first_scores) & ~(np.isnan(scores) & np.isnan(first_scores))
    if differs.any():
        here = int(differs.argmax())
        numbers = [
            brief("no number" if math.isnan(number) else f"{number:g}", 20) for number in (first_scores[here], scores[here])
        ]
        refuse(
            f"{what} one item comes with two numbers (‘{numbers[0]}’ and ‘{numbers[1]}’) "
            f"in {brief(table.name)}, and in a tally none "
            "of its rows is the first, whose number would count. Make them equal in its source, and count that again."
        )


def _refuse_differing(
    part: Part, here: int, there: int, labels: Labels, table: TextTable, items: pa.StringArray, what: str, column: str, mend: str
) -> None:
    rows = [table.number(int(part.row[place])) for place in (there, here)]
    texts = [_rating_text(part, place, labels) for place in (there, here)]
    item = brief(items[int(part.item[here])].as_py(), 40)
    refuse(
        f"{what} item ‘{item}’ differs between row {rows[0]} (‘{texts[0]}’) and row {rows[1]} (‘{texts[1]}’) "
        f"of {brief(table.name)}, column ‘{brief(column)}’. Make them equal, or name who gave each.{mend}",
        row=rows[1],
        column=column,
    )


def _rating_text(part: Part, place: int, labels: Labels) -> str:
    """Return a rating as a message shows it: its label, or its number."""
    if part.score is not None and part.label[place] == labels.number:
        return f"{part.score[place]:g}"
    return brief(labels.names[part.label[place]], 40)


def build_raters(table: TextTable, proposal: Proposal) -> Ratings:
    account, labels, notes = Account(table.n_rows), Labels(proposal), list[str]()
    item, items = item_codes(table, _item_column(proposal), account)
    criterion, criteria = criteria_of_rows(table, proposal, account)
    rater, raters = _raters(table, proposal, account)
    label = _labels_by_role(table, proposal, labels, rater, raters)
    columns = _needed(proposal, "label"), proposal.column("score")
    label, extent = labels.of_rows(table, columns, label, np.array([*(rater.role == "judge" for rater in raters), False])[rater])
    account.leave(label < 0, NO_LABEL)
    runs, sizes = run_column(table, proposal.column("run")), (len(items), len(criteria), len(raters))
    score = labels.scores(table, *columns, notes)
    cells = labels.cells(columns[0], label, score, columns[1])
    coded = (item, criterion, rater, runs.codes), (*sizes, len(runs.names))
    if not leave_repeats(account, table, proposal, coded, cells, notes, extent.astype(np.int32)):
        label = _fullest(account, label, extent, *coded)
        _leave_less(account, label < 0, extent == NUMBER_ALONE)
    part = part_of(item, criterion, rater, label, score, np.flatnonzero(account.kept))
    part, repeated = _first_runs(part, runs, sizes, notes)
    return assemble(table, proposal, labels, Draft(items, criteria, raters, [part], account, notes, repeated))


def _raters(table: TextTable, proposal: Proposal, account: Account) -> tuple[Ints, tuple[Rater, ...]]:
    """Return the raters, a name and a role: one name in both roles is two raters."""
    columns, stated = dict(proposal.columns), dict(proposal.roles)
    names = table.coded(columns.get("rater") or columns["role"])
    if "rater" in columns:
        account.leave(names.codes < 0, NO_RATER)
    kinds = roles_of_rows(table, columns, stated)
    if "role" in columns:
        account.leave((table.coded(columns["role"]).codes < 0) & (kinds < 0), NO_ROLE)
    account.leave(kinds == KINDS.index("code"), CODE_ROW)
    account.leave(kinds == KINDS.index("none"), OTHER_ROLE)
    if not in_several_roles(table, columns, stated):
        roles = [next((role for role in ROLES if role == stated.get(name)), None) for name in names.names]
        return names.codes, tuple(map(Rater, names.names, roles))
    place = np.where(kinds < 0, ROLES.index(None), np.minimum(kinds, 1))
    raters = tuple(Rater(name, role) for name in names.names for role in ROLES)
    return np.maximum(names.codes * len(ROLES) + place, 0).astype(np.int32), raters


def _labels_by_role(table: TextTable, proposal: Proposal, labels: Labels, rater: Ints, raters: tuple[Rater, ...]) -> Ints:
    column = _needed(proposal, "label")
    by_judge = labels.of(table, column, "judge")
    by_human = labels.of(table, column, "human")
    if np.array_equal(by_judge, by_human):
        return by_judge
    human = np.array([r.role != "judge" for r in raters])[rater]
    return np.where(human, by_human, by_judge).astype(np.int32)


UNNAMED = ""
"""Name of the run of rows whose cell is empty; it comes last."""


@dataclass(frozen=True)
class RunColumn:
    """Run of every row, codes in the order of the runs: numbers by value, other names by their first row."""

    column: str
    codes: Ints
    names: tuple[str, ...]
    times: NDArray[np.int64] | None = None
    """In a tally, how many rows each stands for."""

    def n_rows(self, part: Part) -> int:
        """Return rows of ratings."""
        return len(part.row) if self.times is None else int(self.times[part.row].sum())


def run_column(table: TextTable, column: str | None) -> RunColumn:
    """Return the runs of a table; one of them where no column tells runs apart."""
    times = None if table.merged is None else table.merged.times
    if column is None:
        return RunColumn("", np.zeros(table.n_rows, np.int32), (UNNAMED,), times)
    coded = table.coded(column)
    names = (*coded.names, UNNAMED)
    numbers = pd.to_numeric(pd.Series(coded.names, dtype="object"), errors="coerce").to_numpy(np.float64)
    order = np.arange(len(numbers)) if np.isnan(numbers).any() else np.argsort(numbers, kind="stable")
    order = np.append(order, len(numbers))
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return RunColumn(column, rank[coded.codes], tuple(names[place] for place in order), times)


def first_runs(part: Part, runs: RunColumn, keys: Keys, size: int) -> tuple[Part, Repeated | None]:
    """Return the first run of every decision, and all runs of the decisions that have several.

    Parameters
    ----------
    part : Part
        No decision twice in one run.
    runs : RunColumn
    keys : ndarray of int, shape (n,)
        Decision and rater of each rating, below `size`.
    size : int

    Returns
    -------
    part : Part
    repeated : Repeated or None
        None where no decision has several runs.
    """
    keys, size = compact(keys, size)
    if len(runs.names) == 1 or is_unique(keys, size):
        return part, None
    run = runs.codes[part.row]
    by_run = np.argsort(run, kind="stable")
    first = np.empty(size, np.int64)
    first[keys[by_run[::-1]]] = by_run[::-1]
    several = np.bincount(keys, minlength=size)[keys] > 1
    return part.where(first[keys] == np.arange(len(keys))), Repeated(part.where(several), run[several], runs.names)


def run_note(kept: Part, repeated: Repeated, runs: RunColumn, decisions: int) -> str:
    """Return how runs were read, one sentence to a choice.

    Parameters
    ----------
    kept : Part
        One run of every decision.
    repeated : Repeated
    runs : RunColumn
    decisions : int
        How many have several runs; in a tally, of the table that was counted.
    """
    used = np.flatnonzero(np.bincount(repeated.run, minlength=len(runs.names)))
    first = next((brief(runs.names[place], 30) for place in used if runs.names[place]), "")
    later = runs.n_rows(kept.where(_is_later(kept, repeated, runs)))
    stand_in = f" On {times(later, 'decision', 'decisions')} the first run has no label: a later one counts." if later else ""
    return (
        f"‘{brief(runs.column)}’ tells repeated runs apart: {times(runs.n_rows(repeated.part), 'rating', 'ratings')} of "
        f"{times(decisions, 'decision', 'decisions')} that one rater gave more than once. Its verdict on each is that of the "
        f"first run there (‘{first}’ where it is there); the other runs are kept, to see how far it agrees with itself.{stand_in}"
    )


def _is_later(kept: Part, repeated: Repeated, runs: RunColumn) -> NDArray[np.bool_]:
    """Return which decisions count with another run than the first that their rater has anywhere."""
    first = np.full(int(max(kept.rater.max(), repeated.part.rater.max())) + 1, len(runs.names))
    np.minimum.at(first, repeated.part.rater, repeated.run)
    own = runs.codes[kept.row]
    return np.asarray((first[kept.rater] < len(runs.names)) & (own > first[kept.rater]))
