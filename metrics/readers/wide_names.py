"""Whose labels a column holds, and on which criterion, by its name: `tone (Ana)`, `tone__judge`, `judge_tone`, `human_ana`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from metrics.data.ratings import Role
from metrics.readers.name_parts import HELD, are_criteria, cuts, only_hold, told_apart
from metrics.readers.names import HUMAN, spaced
from metrics.readers.rater_roles import called_after, guess_role, role_of_column
from metrics.readers.wide import WideColumn

_BRACKET = re.compile(r"(.+?)(?<!\s)\s*\(([^()]+)\)")
_HOLDS = re.compile(
    r"verdicts?|labels?|scores?|ratings?|grades?|criteria|rubric|dimensions?|metrics?|answers?|results?|judge?ments?|evaluations?|"
    r"assessments?|annotations?|feedback|checks?|items?|output|response|parsed"
)
_OF_LIST = re.compile(r"(.{1,120}) (\d{1,3})")
"""An entry of a list, as lists in records are laid out."""
_ROLES: dict[str, Role] = {
    **dict.fromkeys(("gt", "ref", "true", "expected", "manual", "person", "me", "sme", "doctor", "teacher", "reviewer"), "human"),
    **dict.fromkeys(("hyp", "system", "machine", "automatic"), "judge"),
}
"""Words for a side where another stands beside it on every criterion."""
_CODER = re.compile(r"(coder|annotator|rater|reviewer|labell?er|expert|evaluator|assessor) ?(\d+|[a-d])")
"""One of several people of whom no other is told."""
_NUMBERED = re.compile(r"[a-z]|[arj]\d+|consensus|adjudicated|majority")
"""Raters that stand before the criteria, and have no name."""


def split_names(columns: Sequence[str], *, parallel: bool = False) -> list[WideColumn]:
    """Return rater, role and criterion of columns of labels; without those on a criterion that one rater alone has.

    Parameters
    ----------
    columns : sequence of str
    parallel : bool
        Whether they are the places of lists that are on the same parts of an item.
    """
    return list(_split_names(tuple(columns), parallel))


@lru_cache(8)
def _split_names(columns: tuple[str, ...], parallel: bool) -> list[WideColumn]:
    if parallel and (on_parts := _parallel_lists(columns)):
        return on_parts
    short = short_names(columns)
    names = list(short.values())
    some = (names, _with_shared_parts(names), _without_bare(names))
    if crossed := next(filter(None, map(_of_each_on_each, some)), None):
        by_name = {wide.column: wide for wide in crossed}
        return [replace(by_name[name], column=column) for column, name in short.items() if name in by_name]
    criteria = _prefixes(columns)
    one = _one_rater(short)
    return one or _of_one_role([replace(_split(short[column], criteria), column=column) for column in columns])


def _of_each_on_each(columns: Sequence[str]) -> list[WideColumn]:
    """Return columns of several raters, each on the same criteria, or on nearly the same; nothing where they are not."""
    ways = (_by_coders, _nearly_alike, _by_called, _crossed, _beside_bare, _crossed_by_ends, _lists_of_people, _grid, _on_one)
    return next(filter(None, (way(columns) for way in ways)), [])


def _with_shared_parts(columns: Sequence[str]) -> list[str]:
    """Return columns that begin or end as another does, or are what another ends with, where most do; else none: `adversarial`
    beside `human_tone, judge_tone, …` is no rater’s, nor is `gold`.
    """
    parts = {column: {column, *(part for head, _, tail in cuts(column) for part in (head, tail))} for column in columns}
    often = Counter(part for found in parts.values() for part in found)
    shared = [column for column, found in parts.items() if any(often[part] > 1 for part in found)]
    return shared if len(columns) < 2 * len(shared) < 2 * len(columns) else []


def _without_bare(columns: Sequence[str]) -> list[str]:
    """Return columns without those that two others end with: an answer as it was given, `city` beside `pred_city, gold_city`."""
    ends = Counter(tail for column in columns for tail in {tail for _, _, tail in cuts(column)})
    kept = [column for column in columns if ends[column] < 2]
    return kept if 2 < len(kept) < len(columns) else []


def _of_one_role(split: list[WideColumn]) -> list[WideColumn]:
    """Return the columns with raters called like their columns where a name is a person's and a judge's: `human 1`, `judge 1`."""
    roles: dict[tuple[str, str | None], set[Role | None]] = {}
    for wide in split:
        roles.setdefault((wide.rater, wide.criterion), set()).add(wide.role)
    return [replace(wide, rater=wide.column) if len(roles[wide.rater, wide.criterion]) > 1 else wide for wide in split]


def short_names(columns: Sequence[str]) -> dict[str, str]:
    """Return columns of nested records by what tells them apart: `faithful` for `verdicts.faithful.verdict`."""
    short = {}
    for column in columns:
        parts = column.split(".")
        left = [part for part in parts[:-1] if not _HOLDS.fullmatch(spaced(part))]
        left += [part for part in parts[-1:] if not left or not HELD.fullmatch(spaced(part))]
        short[column] = ".".join(left)
    return short if len(set(short.values())) == len(columns) else {column: column for column in columns}


def _one_rater(short: Mapping[str, str]) -> list[WideColumn]:
    """Return the columns of one rater's record of several criteria, where the names of its fields say whose it is."""
    roles = {role_of_column(column) for column in short}
    fields = [role_of_column(name) for name in short.values()]
    if len(short) < 2 or len(roles) > 1 or None in roles or any(fields) or any(column == name for column, name in short.items()):
        return []
    role = role_of_column(next(iter(short)))
    return [WideColumn(column, role or "", role, name) for column, name in short.items()]


def _by_coders(columns: Sequence[str]) -> list[WideColumn]:
    """Return numbered coders behind criteria of any name, also of one that begins like a side: `human_role_coder1`, …."""
    split = [next(((head, tail) for head, _, tail in cuts(column) if _CODER.fullmatch(spaced(tail))), None) for column in columns]
    pairs = [pair for pair in split if pair]
    criteria, raters = {head for head, _ in pairs}, {tail for _, tail in pairs}
    if len(pairs) < len(columns) or len(criteria) < 2 or len(raters) < 2 or not 2 * len(pairs) > len(criteria) * len(raters):
        return []
    names = dict(zip(criteria, map(_without_side, criteria), strict=True))
    names = names if len(set(names.values())) == len(names) else dict(zip(criteria, criteria, strict=True))
    return [WideColumn(column, rater, "human", names[head]) for column, (head, rater) in zip(columns, pairs, strict=True)]


def _without_side(criterion: str) -> str:
    return re.sub(r"^(human|manual)[\s_:-]+", "", criterion, flags=re.IGNORECASE)


def _by_called(columns: Sequence[str]) -> list[WideColumn]:
    """Return people and judges that stand before, or behind, criteria of any name: `human_human_likeness, judge_tone, …`.

    What stands there says a rater and nothing else in every column, and two criteria or more are of several raters.
    """
    for at in () if any(map(_BRACKET.fullmatch, columns)) else (0, 2):
        found = [
            [(called_after(cut[at]), cut[at], cut[2 - at]) for cut in cuts(column) if called_after(cut[at])] for column in columns
        ]
        often = Counter(criterion for cut in found for criterion in {name for _, _, name in cut})
        best = [max(cut, key=lambda one: _likely_cut(one[2], often[one[2]]), default=None) for cut in found]
        if None in best:
            continue
        split = [WideColumn(column, one[1], one[0], one[2]) for column, one in zip(columns, best, strict=True) if one]
        raters = Counter(wide.criterion for wide in split)
        shared = [name for name in raters if name and raters[name] > 1]
        called = sum(called_after(name) is not None for name in shared)
        sides = {"human", "judge"} <= {wide.role for wide in split}
        if sides and len(shared) > max(len(split) < 3, 2 * called) and not only_hold(shared):
            return [wide for wide in split if wide.criterion in shared]
    return []


def _likely_cut(criterion: str, n_raters: int) -> tuple[bool, bool, int]:
    """Return how likely a name is cut so that this is the criterion; a number at its start is of the rater."""
    return n_raters > 1, not criterion[0].isdigit(), len(criterion)


def _crossed(columns: Sequence[str]) -> list[WideColumn]:
    """Return raters before the same criteria, as in `human_tone, human_depth, gpt_tone, gpt_depth`; nothing where they are not.

    Every rater has each of two criteria or more, and one of several raters is called like a person, or by a letter or number.
    """
    there = set(columns)
    for head, mark in dict.fromkeys((head, mark) for column in columns for head, mark, _ in cuts(column)):
        if role_of_column(head) != "human" and not _NUMBERED.fullmatch(spaced(head)):
            continue
        criteria = [column.removeprefix(head + mark) for column in columns if column.startswith(head + mark)]
        ends = tuple(mark + criterion for criterion in criteria)
        raters = list(dict.fromkeys(column[: -len(end)] for column in columns for end in ends if column.endswith(end)))
        criteria = [name for name in criteria if sum(rater + mark + name in there for rater in raters) > 1]
        crossed = {rater + mark + criterion: (rater, criterion) for rater in raters for criterion in criteria}
        every = {column: whose for column, whose in crossed.items() if column in there}
        if len(criteria) < 2 or len(raters) < 2 or len(there) >= 2 * len(every) or not are_criteria(criteria):
            continue
        starts = tuple(rater + mark for rater in raters)
        if all(column.startswith(starts) for column in there - every.keys()):
            whose = [(column, *every[column]) for column in columns if column in every]
            return [WideColumn(column, rater, _role(rater), criterion) for column, rater, criterion in whose]
    return []


def crossings(columns: Sequence[str]) -> Iterator[dict[str, tuple[str, str]]]:
    """Yield what stands before and behind a mark in each column, where these are every one of several before every one behind."""
    for head, mark, tail in cuts(columns[0]) if columns else ():
        tails = [column.removeprefix(head + mark) for column in columns if column.startswith(head + mark)]
        heads = [column.removesuffix(mark + tail) for column in columns if column.endswith(mark + tail)]
        crossed = {one + mark + other: (one, other) for one in heads for other in tails}
        if crossed.keys() == set(columns) and min(len(heads), len(tails)) > 1:
            yield crossed


def _role(rater: str) -> Role | None:
    """Return the role of one of several raters of all criteria."""
    return role_of_column(rater) or _ROLES.get(spaced(rater))


def _crossed_by_ends(columns: Sequence[str]) -> list[WideColumn]:
    """Return raters behind the same criteria, as in `Correct Human, Correct GPT-4, Complete Human, Complete GPT-4`.

    Beside one end of people, `coherence/human_rating`, an end that is but a score, `coherence/score`, is the judge's.
    """
    for tail, mark in dict.fromkeys((tail, mark) for column in columns for _, mark, tail in cuts(column)):
        if role_of_column(tail) != "human" or _BRACKET.fullmatch(f"x {tail}"):
            continue
        criteria = [column.removesuffix(mark + tail) for column in columns if column.endswith(mark + tail)]
        whose = {
            column: (c, column.removeprefix(c + mark)) for c in criteria for column in columns if column.startswith(c + mark)
        }
        raters = {rater for _, rater in whose.values()}
        roles = {rater: role_of_column(rater) or ("judge" if HELD.fullmatch(spaced(rater)) else None) for rater in raters}
        every = len(whose) == len(columns) == len(criteria) * len(raters)
        if every and len(criteria) > 1 and {"human", "judge"} == set(roles.values()) and are_criteria(criteria):
            return [WideColumn(column, rater, roles[rater], criterion) for column, (criterion, rater) in whose.items()]
    return []


def _beside_bare(columns: Sequence[str]) -> list[WideColumn]:
    """Return one side's criteria beside the other's of the same names, before or behind: `human_tone, tone, …`."""
    bare = {spaced(column): column for column in columns}
    for at in (0, 2):
        split: dict[str, dict[str, str]] = {}
        of_criterion: dict[str, set[str]] = {}
        for column in columns:
            for cut in cuts(column):
                if criterion := bare.get(spaced(cut[2 - at])):
                    split.setdefault(cut[at], {})[column] = criterion
                    of_criterion.setdefault(criterion, set()).add(cut[at])
        for rater, criteria in split.items():
            role = None if at and HELD.fullmatch(spaced(rater)) else role_of_column(rater)
            alone = all(len(of_criterion[criterion]) == 1 for criterion in criteria.values())
            if role and alone and len(set(criteria.values())) > 1 and are_criteria(list(criteria.values())):
                other: Role = "judge" if role == "human" else "human"
                named = [WideColumn(column, rater, role, criterion) for column, criterion in criteria.items()]
                return named + [WideColumn(criterion, other, other, criterion) for criterion in criteria.values()]
    return []


def _grid(columns: Sequence[str]) -> list[WideColumn]:
    """Return columns that are every rater's on every criterion, whichever stands first: `gt_tone, gt_depth, pred_tone, …`.

    Raters are on the side where one is called like a person or a judge, and none on the other.
    """
    for crossed in () if any(map(_BRACKET.fullmatch, columns)) else crossings(columns):
        heads, tails = (list(dict.fromkeys(parts)) for parts in zip(*crossed.values(), strict=True))
        roles = {name: _role(name) for name in (*heads, *tails)}
        first, last = (any(map(roles.get, names)) for names in (heads, tails))
        criteria, at = (tails, 0) if first else (heads, 1)
        if first != last and are_criteria(criteria):
            return [WideColumn(c, crossed[c][at], roles[crossed[c][at]], crossed[c][1 - at]) for c in columns]
    return []


def _nearly_alike(columns: Sequence[str]) -> list[WideColumn]:
    """Return a person and a judge before criteria of longer names on one side: `hand_discloses, judge_discloses_conflict`."""
    heads = [next(((head, tail) for head, _, tail in cuts(column) if called_after(head)), None) for column in columns]
    sides = {head: called_after(head) for head, _ in filter(None, heads)}
    if None in heads or sorted(map(str, sides.values())) != ["human", "judge"]:
        return []
    named = [(column, *pair) for column, pair in zip(columns, heads, strict=True) if pair]
    alike = {
        column: sorted({tail, *(one for _, other, one in named if other != head and _begins_alike(one, tail))}, key=len)
        for column, head, tail in named
    }
    often = Counter(criteria[0] for criteria in alike.values())
    split = [WideColumn(column, head, sides[head], alike[column][0]) for column, head, _ in named if often[alike[column][0]] == 2]
    criteria = list(dict.fromkeys(wide.criterion or "" for wide in split))
    once = len({(wide.rater, wide.criterion) for wide in split}) == len(split) == 2 * len(criteria) > 2
    longer = any(not wide.column.endswith(wide.criterion or "") for wide in split)
    return split if once and longer and are_criteria(criteria) else []


def _begins_alike(one: str, other: str) -> bool:
    """Return whether one of two names goes on where the other ends, at a mark."""
    shorter, longer = sorted((spaced(one), spaced(other)), key=len)
    return longer.startswith(f"{shorter} ")


def _on_one(columns: Sequence[str]) -> list[WideColumn]:
    """Return raters before the one criterion that several have, where all other columns are theirs: `a_tone, b_tone, a_depth`."""
    for _, mark, tail in dict.fromkeys(cut for column in columns for cut in cuts(column)):
        raters = [column.removesuffix(mark + tail) for column in columns if column.endswith(mark + tail)]
        others = [column for column in columns if column.removesuffix(mark + tail) not in raters]
        theirs = all(any(column.startswith(rater + mark) for rater in raters) for column in others)
        known = all(_NUMBERED.fullmatch(spaced(rater)) or called_after(rater) for rater in raters)
        if len(raters) > 1 and others and theirs and known and are_criteria([tail]):
            return [WideColumn(rater + mark + tail, rater, _role(rater), tail) for rater in raters]
    return []


def _lists_of_people(columns: Sequence[str]) -> list[WideColumn]:
    """Return the labels of several people as lists, one for each criterion, `human.tone 1, human.tone 2, human.depth 1, …`, and
    what a judge has on these criteria.
    """
    numbered: dict[str, dict[str, str]] = {}
    for column in columns:
        if (parts := _OF_LIST.fullmatch(column)) and role_of_column(parts[1]) == "human":
            numbered.setdefault(parts[1], {})[parts[2]] = column
    if len(numbered) < 2 or len({tuple(places) for places in numbered.values()}) > 1:
        return []
    criteria = dict(zip(numbered, told_apart(list(numbered)), strict=True))
    if not all(criteria.values()) or not are_criteria(list(criteria.values())):
        return []
    heads = {list_of: list_of.partition(criterion)[0].rstrip(" _.:/|-") for list_of, criterion in criteria.items()}
    theirs = [
        WideColumn(column, f"{heads[list_of]} {place}".strip(), "human", criterion)
        for list_of, criterion in criteria.items()
        for place, column in numbered[list_of].items()
    ]
    others = [(column, head, tail) for column in columns for head, _, tail in cuts(column) if tail in criteria.values()]
    judges = [WideColumn(column, head, "judge", tail) for column, head, tail in others if role_of_column(head) == "judge"]
    read = {wide.column for wide in (*theirs, *judges)}
    if any(column not in read and role_of_column(column) == "judge" for column in columns):
        return []
    return theirs + judges if len(read) == len(theirs) + len(judges) else []


def _parallel_lists(columns: Sequence[str]) -> list[WideColumn]:
    """Return lists of people and judges that are as long as each other, `human 1, human 2, judge 1, judge 2`, by place."""
    lists: dict[str, dict[str, str]] = {}
    for column in columns:
        if (parts := _OF_LIST.fullmatch(column)) is None:
            return []
        lists.setdefault(parts[1], {})[parts[2]] = column
    roles = {name: role_of_column(name) for name in lists}
    if not {"human", "judge"} <= set(roles.values()) or None in roles.values() or len(set(map(tuple, lists.values()))) > 1:
        return []
    return [WideColumn(column, name, roles[name], place) for name, at in lists.items() for place, column in at.items()]


def _prefixes(columns: Sequence[str]) -> set[str]:
    """Return first parts that several columns share, and that name no role: those are criteria where the rest names raters.

    It does where one is called like a rater, or where all stand behind another first part too.
    """
    heads: dict[str, set[str]] = {}
    for column in columns:
        head, tail = _parts(column)
        if head and tail:
            heads.setdefault(head, set()).add(tail)
    roleless = [head for head in heads if len(heads[head]) > 1 and not HELD.fullmatch(spaced(head))]
    roleless = [head for head in roleless if guess_role(head) is None and not HUMAN.search(spaced(head))]
    often = Counter(frozenset(heads[head]) for head in roleless)
    return {head for head in roleless if any(map(role_of_column, heads[head])) or often[frozenset(heads[head])] > 1}


def _split(column: str, criteria: set[str]) -> WideColumn:
    head, tail = _parts(column)
    if head in criteria and tail:
        return WideColumn(column, tail.strip(), role_of_column(tail), head.strip())
    role = role_of_column(column)
    rest = re.sub(r"^(human|judge|rater)[\s_:-]+", "", column, flags=re.IGNORECASE)
    return WideColumn(column, rest or column, role, None)


def _parts(column: str) -> tuple[str, str]:
    bracket = _BRACKET.fullmatch(column)
    head, _, tail = (bracket[1], "", bracket[2]) if bracket else column.rpartition("__" if "__" in column else "_")
    return head, tail
