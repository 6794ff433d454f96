"""What each label is proposed to mean, by the vocabulary, by the labels beside it and by who gives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import Role
from metrics.data.vocabulary import (
    SENTINELS,
    WEAKER,
    Kind,
    Meaning,
    are_letters,
    denied,
    denies,
    is_number,
    is_preference,
    meaning,
    normalise,
    preference,
    said_first,
    token,
)
from metrics.readers.proposal import LabelRow

VERDICT_KINDS = ("positive", "negative", "class")
NUMBERS, PREFERENCE, LETTERS, UNKNOWN = "number", "preference", "letters", "unknown"
"""Reasons why a meaning is open, of which the sentence is one for all labels."""
LEAST_BY_PEOPLE = 3
"""Times that people gave unknown words beside known ones, from which those of theirs are classes and no slips."""
_POSITIVE = frozenset(
    "positive|pos|wahr|richtig|gut|vrai|juste|verdadero|verdadeiro|vero|correcto|correto|corretto|waar|goed|sant|sann|tak|dobry|"
    "ano|kyllä|evet|igen|nai|ναι|так|верно|правда|نعم|כן|हाँ|ใช่|有|好|对|真|ok|okay|go|ja|supported|entailed|entailment|present|"
    "on topic|harmless|non toxic|nontoxic|no issue|no issues|no error|no errors|clean|compliant|grounded|helpful|complete|useful|"
    "☑|☑️|✔|✔️|🟢|🟩|✓".split("|")
)
"""Words of the better side, which only propose: what is asked, or another language, may turn them, so that they are asked for."""
_ABSTAINED = "the rater abstained, or the answer"
"""How the vocabulary begins what a refusal may mean."""


@dataclass(frozen=True)
class Use:
    """How often one rater (or one column) gives each label; `by_criterion` tells it apart where words are mixed."""

    title: str
    role: Role | None
    counts: NDArray[np.int64]
    blanks: int = 0
    by_criterion: Callable[[], NDArray[np.int64]] | None = None


@dataclass(frozen=True)
class Verdicts:
    """All labels of a table: their texts, first record numbers, and who uses them."""

    names: tuple[str, ...]
    rows: tuple[int | None, ...]
    uses: tuple[Use, ...]
    criteria: tuple[str, ...]
    graded: bool = False
    """Whether 1 and 2 are points, for several things are asked and nothing says that two answers are compared."""

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._sum(self.uses)

    @property
    def human_counts(self) -> NDArray[np.int64]:
        return self._sum([use for use in self.uses if use.role != "judge"])

    @property
    def shared_counts(self) -> NDArray[np.int64]:
        """How often people give each label; where nobody is one, how often two raters do, so that it is no slip of one."""
        if len(self.uses) < 2 or any(use.role != "judge" for use in self.uses):
            return self.human_counts
        second: NDArray[np.int64] = np.sort([use.counts for use in self.uses], axis=0)[-2]
        return second

    def is_signed(self) -> bool:
        """Return whether people give −1 beside 1 on some criterion, and nowhere beside other numbers than 0: against and for."""
        names = list(map(normalise, self.names))
        below, above = (np.array([name == end for name in names], bool) for end in ("-1", "1"))
        others = np.array([is_number(name) and name not in ("-1", "0", "1") for name in names], bool)
        if not self.human_counts[below].any():
            return False
        said = np.concatenate([use.by_criterion() if use.by_criterion else use.counts[None] for use in self.uses]) > 0
        said = said[said[:, below].any(axis=1)]
        return bool(said[:, above].any() and not said[:, others].any())

    def _sum(self, uses: Sequence[Use]) -> NDArray[np.int64]:
        return sum((use.counts for use in uses), np.zeros(len(self.names), dtype=np.int64))


def rows_of(verdicts: Verdicts, given: Mapping[str, Kind], stated: Mapping[str, Kind], ordered: set[str]) -> list[LabelRow]:
    """Return a row for each label, with what it is stated or proposed to mean.

    Parameters
    ----------
    verdicts : Verdicts
    given : mapping of label to kind
        Stated meanings.
    stated : mapping of label to kind
        The same by normalised labels.
    ordered : set of str
        Normalised labels that are steps of a stated order.
    """
    counts = verdicts.counts
    open_names = [name for name in verdicts.names if name not in given and normalise(name) not in stated]
    settled = [name for name in verdicts.names if given.get(name, stated.get(normalise(name))) in VERDICT_KINDS]
    context = _Context.of(open_names, settled)
    points = verdicts.graded and all(map(is_number, open_names))
    context = replace(context, around_zero=verdicts.is_signed(), preferences=context.preferences and not points)
    read = [context.meaning(name) for name in verdicts.names]
    unknown = np.array([one.kind == "invalid" and one.why == UNKNOWN for one in read], bool)
    by_people = verdicts.shared_counts
    if by_people[unknown].sum() >= LEAST_BY_PEOPLE:
        people_say = {normalise(name) for name, n in zip(verdicts.names, by_people.tolist(), strict=True) if n}
        theirs = unknown & np.array([normalise(name) in people_say for name in verdicts.names], bool)
        read = [replace(one, kind="class") if mine else one for one, mine in zip(read, theirs, strict=True)]
    read = _beside_words(read, verdicts) if not settled else read
    read = _given_by_people(read, verdicts) if not settled else read
    read = _beside_no_verdict(read, verdicts)
    names = list(map(token, verdicts.names))
    read = [replace(one, kind="negative") if "+" in names and name == "-" else one for name, one in zip(names, read, strict=True)]
    rows = []
    for place, (name, known) in enumerate(zip(verdicts.names, read, strict=True)):
        row = LabelRow(name, int(counts[place]), verdicts.rows[place], "class")
        kind = given.get(name, stated.get(normalise(name)))
        if kind is not None:
            rows.append(replace(row, kind=kind, given=True))
            continue
        if not known.certain and normalise(name) in ordered:
            rows.append(replace(row, kind="class", given=True))
        else:
            rows.append(replace(row, kind=known.kind, in_doubt=not known.certain, sentence=known.why))
    return rows


def _beside_words(read: Sequence[Meaning], verdicts: Verdicts) -> list[Meaning]:
    """Return the proposals with the one unknown word beside a known one as its opposite, and refusals beside unknown words as one
    of these, where people give them: they are what the answers did.
    """
    sides = {one.kind for one in read if one.certain and one.kind in ("positive", "negative")}
    unknown = {normalise(name) for name, one in zip(verdicts.names, read, strict=True) if one.why == UNKNOWN}
    given = sum(n for n, one in zip(verdicts.human_counts.tolist(), read, strict=True) if one.why == UNKNOWN)
    by_degrees = any(WEAKER.search(name) for name in unknown) or any(one.why == NUMBERS for one in read)
    if len(unknown) == len(sides) == 1 and given >= LEAST_BY_PEOPLE and not by_degrees:
        opposite: Kind = "negative" if "positive" in sides else "positive"
        return [replace(one, kind=opposite) if one.why == UNKNOWN else one for one in read]
    if sides or not unknown:
        return list(read)
    by_people = verdicts.human_counts >= LEAST_BY_PEOPLE
    refusals = [one.why.startswith(_ABSTAINED) for one in read]
    return [
        replace(one, kind="class") if refusal and given else one
        for one, refusal, given in zip(read, refusals, by_people, strict=True)
    ]


def _given_by_people(read: Sequence[Meaning], verdicts: Verdicts) -> list[Meaning]:
    """Return the proposals with words for no verdict as classes, where both sides give them beside one unknown word alone."""
    others = [one for one in read if one.kind in VERDICT_KINDS]
    alone = len(others) == 1 and others[0].why == UNKNOWN
    by_judges = verdicts.counts - verdicts.human_counts
    shared = np.minimum(verdicts.human_counts, by_judges) >= LEAST_BY_PEOPLE
    theirs = [
        mine and alone and one.kind in ("abstention", "invalid", "error") for one, mine in zip(read, shared.tolist(), strict=True)
    ]
    return [Meaning("class", False, why=UNKNOWN) if mine else one for one, mine in zip(read, theirs, strict=True)]


def _beside_no_verdict(read: Sequence[Meaning], verdicts: Verdicts) -> list[Meaning]:
    """Return the proposals with unknown words as classes that nobody gives on a criterion on which they give a verdict."""
    unknown = np.array([one.kind == "invalid" and one.why == UNKNOWN for one in read], bool)
    known = np.array([one.kind in ("positive", "negative") for one in read], bool)
    by_criterion = [use.by_criterion for use in verdicts.uses if use.by_criterion is not None and use.counts[unknown].any()]
    beside = np.zeros(len(read), bool)
    for tables in by_criterion:
        of_rater = tables() > 0
        beside |= of_rater[of_rater[:, known].any(axis=1)].any(axis=0)
    alone = unknown & ~beside if by_criterion else np.zeros(len(read), bool)
    alone |= _refused_beside_words(read, verdicts, known)
    return [replace(one, kind="class") if mine else one for one, mine in zip(read, alone.tolist(), strict=True)]


def _refused_beside_words(read: Sequence[Meaning], verdicts: Verdicts, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the refusals that people give beside other words, and nobody where there are verdicts: what the answers did."""
    refusals = np.array([one.why.startswith(_ABSTAINED) for one in read], bool) & (verdicts.human_counts >= LEAST_BY_PEOPLE)
    if not refusals.any():
        return refusals
    words = np.array([one.kind == "class" and one.why == UNKNOWN for one in read], bool)
    said = np.concatenate([use.by_criterion() if use.by_criterion else use.counts[None] for use in verdicts.uses]) > 0
    beside_words, beside_verdicts = (said[said[:, kinds].any(axis=1)].any(axis=0) for kinds in (words, known))
    return refusals & beside_words & ~beside_verdicts


@dataclass(frozen=True)
class _Context:
    """What the labels together say about each of them."""

    only_0_and_1: bool
    preferences: bool
    words_known: bool
    two_unknown: tuple[str, ...]
    all_begin: bool
    """Whether every word that nobody listed begins with a known one, and both sides are begun with."""
    better: frozenset[str]
    """Words of the better side of which another one here is the denial."""
    worse: frozenset[str]
    letters: bool = False
    """Whether the labels that are open are A, B and C."""
    around_zero: bool = False
    """Whether −1 is an answer as 0 and 1 are, and stands for no missing one."""

    @classmethod
    def of(cls, names: Sequence[str], settled: Sequence[str]) -> _Context:
        numbers = {normalise(name) for name in (*names, *settled) if is_number(name)}
        binary = numbers <= {"0", "1"}
        undecided = [n for n in names if not _sure(n, binary)]
        sure = [n for n in names if _sure(n, binary)]
        classes = [n for n in sure if (m := meaning(n)) is not None and m.kind in VERDICT_KINDS]
        letters = not classes and are_letters(name for name in undecided if not is_number(name))
        prefer = not classes and is_preference(undecided) and not letters
        unknown = sorted({normalise(n): n for n in undecided if meaning(n) is None and not is_number(n)}.values())
        alone = len(unknown) == 2 == len({normalise(n) for n in undecided}) and not classes and not settled
        sides = {m.kind for name in classes if (m := meaning(name)) is not None}
        steps = len(sides) == 1 and len(unknown) > 1
        begun = [said_first(name) for name in unknown]
        denials = [(name, other) for name in unknown for other in unknown if token(other) in _POSITIVE and denies(name, other)]
        return cls(
            binary, prefer, bool(classes) and not steps, tuple(unknown) if alone else (),
            all_begin={one.kind if one else "" for one in begun} == {"positive", "negative"},
            better=frozenset(other for _, other in denials), worse=frozenset(name for name, _ in denials), letters=letters,
        )  # fmt: skip

    def meaning(self, name: str) -> Meaning:
        if self.letters and not (is_number(name) or _sure(name, self.only_0_and_1)):
            return Meaning("class", False, why=LETTERS)
        if self.preferences and not _sure(name, self.only_0_and_1):
            return Meaning(preference(name), False, why=PREFERENCE)
        known = meaning(name)
        if known is not None and not (is_number(name) and not self.only_0_and_1):
            return known
        if is_number(name):
            missing = normalise(name) in SENTINELS and not self.around_zero
            return Meaning("missing" if missing else "class", False, why=NUMBERS)
        if self.two_unknown:
            positive = _better(*self.two_unknown)
            return Meaning("positive" if normalise(name) == normalise(positive) else "negative", False, why=UNKNOWN)
        if name in self.better:
            return Meaning("positive", False, why=UNKNOWN)
        if name in self.worse:
            return Meaning("negative", False, why=UNKNOWN)
        if self.words_known and (other := denied(name)) is not None:
            return Meaning("negative" if other.kind == "positive" else "positive", False, why=UNKNOWN)
        if (self.words_known or self.all_begin) and (begins := said_first(name)) is not None:
            return Meaning(begins.kind, False, why=UNKNOWN)
        return Meaning("invalid" if self.words_known else "class", False, why=UNKNOWN)


def _better(first: str, second: str) -> str:
    """Return which of two opposite words, of which neither is known, is proposed as the positive one."""
    begun = [said_first(word) for word in (first, second)]
    if {one.kind for one in begun if one} == {"positive", "negative"}:
        return first if begun[0] and begun[0].kind == "positive" else second
    return second if token(first) not in _POSITIVE and (denies(first, second) or token(second) in _POSITIVE) else first


def _sure(name: str, binary: bool) -> bool:
    known = meaning(name)
    return known is not None and known.certain and (binary or not is_number(name))
