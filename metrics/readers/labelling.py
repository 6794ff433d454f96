"""Which label means what, and which must be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.labels import LABEL_KINDS, Scheme
from metrics.data.ratings import Role
from metrics.data.vocabulary import (
    ANSWERING_FAMILIES,
    NAMING_FAMILIES,
    NOT_A_NUMBER,
    SENTINELS,
    WEAKER,
    Kind,
    Meaning,
    denied,
    denies,
    is_inverted,
    is_number,
    is_preference,
    meaning,
    normalise,
    number_said,
    preference,
    said_first,
    token,
)
from metrics.readers.label_questions import NUMBERS, PREFERENCE, UNKNOWN, questions_of
from metrics.readers.messages import brief, refuse
from metrics.readers.proposal import Doubt, LabelRow
from metrics.results.words import count

# Different values beyond which a column holds free text or a score.
MOST_LABELS = 50


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
        total = np.zeros(len(self.names), dtype=np.int64)
        for use in uses:
            total = total + use.counts
        return total


def check_classes(name: str, scheme: Scheme) -> None:
    """Check the classes: one of its own says nothing about what the others would be.

    A positive or a negative label has its opposite.
    """
    if len(scheme.classes) == 1 and not scheme.of("number"):
        only = brief(scheme.classes[0], 30)
        by = worded(" (--order)", " (order=)", "")
        refuse(
            f"{brief(name)} has one label only, ‘{only}’, as a class of its own. Say that it is positive, or negative, or "
            f"name all labels of its scale, low to high{by}."
        )


def check_kinds(labels: Mapping[str, str] | None) -> dict[str, Kind]:
    """Return the stated meanings.

    Raises
    ------
    InputError
        For a kind that does not exist.
    """
    kinds: dict[str, Kind] = {}
    for label, kind in (labels or {}).items():
        if kind not in LABEL_KINDS:
            refuse(f"‘{brief(kind)}’ (for the label ‘{brief(label)}’) is no kind of label. Kinds: {', '.join(LABEL_KINDS)}.")
        kinds[str(label).strip()] = kind
    return kinds


def check_number_of_labels(file: str, title: str, names: Sequence[str]) -> None:
    """Refuse a column with more than `MOST_LABELS` different values.

    Parameters
    ----------
    file, title : str
        Name of the file and of the column.
    names : sequence of str
        Distinct values of the column.

    Raises
    ------
    InputError
        With the number of values.
    """
    distinct = {normalise(name) for name in names[: 20 * MOST_LABELS]}
    if len(distinct) > MOST_LABELS:
        number = len(names) if len(names) > 20 * MOST_LABELS else len(distinct)
        refuse(
            f"{brief(file)}: ‘{brief(title)}’ holds {count(number)} different values. Is it free text, or a score? Choose "
            f"the column of the labels; scores alone are read with the scale ‘continuous’. At most {MOST_LABELS} labels can be "
            "told apart: of more classes, merge the rare ones into one, ‘other’.",
            column=title,
        )


def interpret(
    verdicts: Verdicts, given: Mapping[str, Kind], order: Sequence[str]
) -> tuple[tuple[LabelRow, ...], tuple[Doubt, ...], tuple[tuple[str, Kind], ...]]:
    """Return meaning of every label, the doubts, and stated labels that do not occur.

    Parameters
    ----------
    verdicts : Verdicts
    given : mapping of label to kind
        Stated meanings; they override the vocabulary.
    order : sequence of str
        Classes, low to high; labels named here that the vocabulary is not certain of are classes.

    Returns
    -------
    rows : tuple of LabelRow
        Labels that humans use most first.
    doubts : tuple of Doubt
    extra : tuple of (label, kind)
        Labels that were stated or named in the order, and do not occur.
    """
    stated = {normalise(label): kind for label, kind in given.items()}
    ordered = {form for label in order for form in (normalise(label), number_said(label)) if form}
    rows = _from_vocabulary(verdicts, given, stated, ordered)
    rows = _missing_or_failed(rows, verdicts)
    doubts: list[Doubt] = []
    for check in (_mixed, _named_beside_others, _inverted):
        rows, new_doubts = check(rows, verdicts)
        doubts += new_doubts
    if "" not in given:
        rows, new_doubts = _ticked(rows, verdicts)
        doubts += new_doubts
    doubts = questions_of(rows) + doubts
    weight = dict(zip(verdicts.names, verdicts.human_counts.tolist(), strict=True))
    rows += _stated_blank(rows, verdicts, given)
    rows.sort(key=lambda row: (-weight.get(row.label, 0), -row.count, row.label))
    present = {normalise(row.label) for row in rows} | {""}
    extra: list[tuple[str, Kind]] = [(label, kind) for label, kind in given.items() if normalise(label) not in present]
    extra += [(label, "class") for label in order if normalise(label) not in present | set(stated)]
    return tuple(rows), tuple(doubts), tuple(extra)


def _from_vocabulary(
    verdicts: Verdicts, given: Mapping[str, Kind], stated: Mapping[str, Kind], ordered: set[str]
) -> list[LabelRow]:
    counts = verdicts.counts
    open_names = [name for name in verdicts.names if name not in given and normalise(name) not in stated]
    settled = [name for name in verdicts.names if given.get(name, stated.get(normalise(name))) in _CLASSES]
    context = _Context.of(open_names, settled)
    context = replace(context, around_zero=verdicts.is_signed())
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
    others = [one for one in read if one.kind in _CLASSES]
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
    return [replace(one, kind="class") if mine else one for one, mine in zip(read, alone.tolist(), strict=True)]


_CLASSES = ("positive", "negative", "class")
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
    around_zero: bool = False
    """Whether −1 is an answer as 0 and 1 are, and stands for no missing one."""

    @classmethod
    def of(cls, names: Sequence[str], settled: Sequence[str]) -> _Context:
        numbers = {normalise(name) for name in (*names, *settled) if is_number(name)}
        binary = numbers <= {"0", "1"}
        undecided = [n for n in names if not _sure(n, binary)]
        sure = [n for n in names if _sure(n, binary)]
        classes = [n for n in sure if (m := meaning(n)) is not None and m.kind in _CLASSES]
        prefer = not classes and is_preference(undecided)
        unknown = sorted({normalise(n): n for n in undecided if meaning(n) is None and not is_number(n)}.values())
        alone = len(unknown) == 2 == len({normalise(n) for n in undecided}) and not classes and not settled
        sides = {m.kind for name in classes if (m := meaning(name)) is not None}
        steps = len(sides) == 1 and len(unknown) > 1
        begun = [said_first(name) for name in unknown]
        denials = [(name, other) for name in unknown for other in unknown if token(other) in _POSITIVE and denies(name, other)]
        return cls(
            binary, prefer, bool(classes) and not steps, tuple(unknown) if alone else (),
            all_begin={one.kind if one else "" for one in begun} == {"positive", "negative"},
            better=frozenset(other for _, other in denials), worse=frozenset(name for name, _ in denials),
        )  # fmt: skip

    def meaning(self, name: str) -> Meaning:
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


def _missing_or_failed(rows: list[LabelRow], verdicts: Verdicts) -> list[LabelRow]:
    """Ask about missing labels: `nan` is a failed call of a judge, and nothing at all from a human."""
    by_judge = verdicts.counts - verdicts.human_counts
    return [
        replace(row, kind="missing") if token(row.label) == NOT_A_NUMBER and not row.given and not by_judge[place] else row
        for place, row in enumerate(rows)
    ]


def _families(rows: Sequence[LabelRow]) -> list[str]:
    """Return family of each label that the vocabulary settled, else ""."""
    families = []
    for row in rows:
        known = None if row.given or row.kind not in ("positive", "negative") else meaning(row.label)
        families.append(known.family if known is not None and known.certain and row.sentence in ("", known.why) else "")
    return families


def _in_doubt(rows: list[LabelRow], labels: set[str], sentence: str) -> list[LabelRow]:
    return [replace(row, in_doubt=True, sentence=sentence) if row.label in labels else row for row in rows]


def _mixed(rows: list[LabelRow], verdicts: Verdicts) -> tuple[list[LabelRow], list[Doubt]]:
    families = np.array(_families(rows))
    doubts: list[Doubt] = []
    for use in verdicts.uses:
        used = sorted(set(families[use.counts > 0]) - {""})
        if len(used) < 2:
            continue
        tables = use.by_criterion() if use.by_criterion is not None else use.counts[None]
        together = [sorted(set(families[counts > 0]) - {""}) for counts in tables]
        if all(len(names) < 2 for names in together):
            continue
        names = max(together, key=len)
        sentence = f"‘{brief(use.title)}’ mixes {' and '.join(names)}. Confirm what each means."
        labels = {row.label for row, family in zip(rows, families, strict=True) if family in names}
        rows = _in_doubt(rows, labels, sentence)
        if sentence not in [doubt.sentence for doubt in doubts]:
            doubts.append(Doubt(sentence, "labels", labels=tuple(sorted(labels)), column=use.title))
    return rows, doubts


def _named_beside_others(rows: list[LabelRow], verdicts: Verdicts) -> tuple[list[LabelRow], list[Doubt]]:
    families = _families(rows)
    used = set(families) - {""}
    named = sorted(used & NAMING_FAMILIES)
    others = sorted(used & ANSWERING_FAMILIES)
    if not named or not others or any(row.in_doubt for row in rows if row.kind in ("positive", "negative")):
        return rows, []
    labels = {row.label for row, family in zip(rows, families, strict=True) if family in (*named, *others)}
    sentence = f"Some raters say {' and '.join(named)}, others {' and '.join(others)}. Confirm which belong together."
    return _in_doubt(rows, labels, sentence), [Doubt(sentence, "labels", labels=tuple(sorted(labels)))]


def _inverted(rows: list[LabelRow], verdicts: Verdicts) -> tuple[list[LabelRow], list[Doubt]]:
    inverted = [name for name in verdicts.criteria if is_inverted(name)]
    families = _families(rows)
    labels = [row.label for row, family in zip(rows, families, strict=True) if family in ANSWERING_FAMILIES and not row.in_doubt]
    if not inverted or not labels:
        return rows, []
    positive = next((row.label for row in rows if row.label in labels and row.kind == "positive"), labels[0])
    sentence = (
        f"Criterion ‘{brief(inverted[0])}’ asks for something bad. Confirm whether ‘{brief(positive)}’ there counts as positive "
        "(the thing was found) or negative."
    )
    return _in_doubt(rows, set(labels), sentence), [Doubt(sentence, "labels", labels=tuple(labels), column=inverted[0])]


def _ticked(rows: list[LabelRow], verdicts: Verdicts) -> tuple[list[LabelRow], list[Doubt]]:
    """Ask about one answer beside blanks: an exported checkbox, or verdicts that are missing."""
    families = _families(rows)
    doubts: list[Doubt] = []
    for use in verdicts.uses:
        classes = {families[p] for p in np.flatnonzero(use.counts) if rows[p].kind in _CLASSES and not rows[p].in_doubt}
        ticks = [rows[p] for p in np.flatnonzero(use.counts) if rows[p].kind == "positive"]
        one_sided = len(ticks) > 0 and not any(rows[p].kind in ("negative", "class") for p in np.flatnonzero(use.counts))
        if use.blanks and one_sided and classes and classes <= ANSWERING_FAMILIES:
            sentence = (
                f"‘{brief(use.title)}’ holds ‘{brief(ticks[0].label, 30)}’ or nothing. "
                "Confirm whether an empty cell is no verdict (missing) or a no (negative)."
            )
            doubts.append(Doubt(sentence, "labels", labels=("",), column=use.title))
    if not doubts or any(row.label == "" for row in rows):
        return rows, []
    blanks = sum(use.blanks for use in verdicts.uses)
    # A box that is not ticked is exported as nothing.
    kind: Kind = "negative" if all(family == "checked/unchecked" for family in families if family) else "missing"
    return [*rows, LabelRow("", blanks, None, kind, in_doubt=True, sentence=doubts[0].sentence)], doubts


def _stated_blank(rows: Sequence[LabelRow], verdicts: Verdicts, given: Mapping[str, Kind]) -> list[LabelRow]:
    if given.get("", "missing") == "missing" or any(row.label == "" for row in rows):
        return []
    return [LabelRow("", sum(use.blanks for use in verdicts.uses), None, given[""], given=True)]
