"""Which label means what, and which must be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from metrics.asker import worded
from metrics.data.labels import CLASSES, LABEL_KINDS, Scale, Scheme
from metrics.data.vocabulary import (
    ANSWERING_FAMILIES,
    NAMING_FAMILIES,
    NOT_A_NUMBER,
    SENTINELS,
    Kind,
    is_inverted,
    is_number,
    meaning,
    normalise,
    number_said,
    steps_of,
    token,
)
from metrics.readers.label_kinds import LETTERS, NUMBERS, PREFERENCE, UNKNOWN, VERDICT_KINDS, Verdicts, rows_of
from metrics.readers.messages import brief, listed, refuse, times
from metrics.readers.names import OVERALL
from metrics.readers.proposal import Doubt, LabelRow
from metrics.results.words import count

# Different values beyond which a column holds free text or a score.
MOST_LABELS = 50


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
    rows = rows_of(verdicts, given, stated, ordered)
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
    extra += [(label, _by_word(label)) for label in order if normalise(label) not in present | set(stated)]
    return tuple(rows), tuple(doubts), tuple(extra)


def _by_word(label: str) -> Kind:
    """Return what a label of an order would be if it occurred: a side where it is a word that can be nothing else."""
    known = None if is_number(label) else meaning(label)
    return known.kind if known is not None and known.certain and known.kind in ("positive", "negative") else "class"


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
        classes = {families[p] for p in np.flatnonzero(use.counts) if rows[p].kind in VERDICT_KINDS and not rows[p].in_doubt}
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


def questions_of(rows: list[LabelRow]) -> list[Doubt]:
    """Return one doubt per reason; the sentences of the rows are completed on the way."""
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row.in_doubt and row.sentence in (NUMBERS, PREFERENCE, LETTERS, UNKNOWN):
            groups.setdefault(row.sentence, []).append(place)
        elif row.in_doubt and not row.sentence.endswith("."):
            groups.setdefault(f"{row.label}\0{row.sentence}", []).append(place)
    doubts = []
    names = [next((r.label for r in rows if r.kind == kind and not r.in_doubt), word) for kind, word in _WORDS]
    names.append("a class of its own")
    for reason, places in groups.items():
        members = [rows[place] for place in places]
        doubts.append(
            Doubt(
                _sentence(reason, members, names),
                "labels",
                labels=tuple(m.label for m in members),
                row=members[0].row,
                told=reason == PREFERENCE,
            )
        )
        for place in places:
            rows[place] = replace(rows[place], sentence=_sentence(reason, [rows[place]], names))
    return doubts


_WORDS: tuple[tuple[Kind, str], ...] = (("positive", "MET"), ("negative", "UNMET"))


def _label_place(row: LabelRow) -> str:
    if row.row is None:
        return f"‘{brief(row.label)}’ ({times(row.count, 'time', 'times')})"
    return f"‘{brief(row.label)}’ in row {row.row}" + (f" (and {row.count - 1} more)" if row.count > 1 else "")


def _sentence(reason: str, rows: Sequence[LabelRow], names: Sequence[str]) -> str:
    if reason == PREFERENCE:
        return f"The labels say which of two is better: {listed(r.label for r in rows)}. Confirm which side counts as positive."
    if reason == LETTERS:
        return f"The labels {listed(r.label for r in rows)} are letters. Confirm them as classes, " + worded(
            "or say --scale nominal; of preferences say which letter is a tie.",
            'or say scale="nominal"; of preferences say which letter is a tie.',
            "or say that the scale is nominal; of preferences say which letter is a tie.",
        )
    if reason == NUMBERS and all(normalise(row.label) in SENTINELS for row in rows):
        return f"{', '.join(map(_label_place, rows))} may mean that a label is missing, or be a number of the scale. Say which."
    if reason == NUMBERS:
        numbers = sorted((r.label for r in rows), key=lambda label: float(label.replace(",", ".")))
        return f"The labels {listed(numbers, 8)} are numbers. Confirm them as classes, " + worded(
            "or give their order with --order, or say --scale ordinal or --scale continuous.",
            'or give their order with order=, or say scale="ordinal" or scale="continuous".',
            "give their order, or say that the scale is ordinal or continuous.",
        )
    places = [_label_place(r) for r in rows[:3]]
    where = ", ".join(places) + (f" and {times(len(rows) - 3, 'other label', 'other labels')}" if len(rows) > 3 else "")
    single, reason = len(rows) == 1, reason.rpartition("\0")[2]
    if reason == UNKNOWN:
        choices = ", ".join([*(brief(name, 30) for name in names), "no verdict"])
        # A page lists the labels below, each with its row.
        where = where if single else worded(where, where, times(len(rows), "label", "labels"))
        return (
            f"{where} {'has' if single else 'have'} no meaning yet. Say whether "
            f"{'it' if single else 'each'} is {choices} or invalid."
        )
    return f"{where} may mean: {reason}. Say which."


Used = Mapping[str, frozenset[str]]
"""Label to the criteria that use it; a label without an entry is used on the whole file."""
WHOLE = frozenset({OVERALL})


@dataclass(frozen=True)
class Steps:
    """The steps among the labels of a file.

    Attributes
    ----------
    words : tuple of str
    order : tuple of str
        The same, low to high, where the words tell it.
    used : mapping of label to criteria
    """

    words: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    used: Used = field(default_factory=dict)

    @classmethod
    def of(cls, names: Sequence[str], given: Mapping[str, Kind], used: Callable[[], Used], stated: Mapping[str, Scale]) -> Steps:
        """Return steps whose meaning somebody left open, on criteria that nobody put on another scale than an ordinal one.

        Parameters
        ----------
        names : sequence of str
            All labels.
        given : mapping of label to kind
            Stated meanings.
        used : callable
            Returns label to the criteria that use it; called only where there are steps.
        stated : mapping of criterion to scale
        """
        if not steps_of(names)[0]:
            return cls()
        by_label, known = used(), {normalise(label): kind for label, kind in given.items()}
        free = [
            name
            for name in names
            if known.get(normalise(name), "class") == "class"
            and any(stated.get(criterion, "ordinal") == "ordinal" for criterion in by_label.get(name, WHOLE))
        ]
        words, order = steps_of(free)
        return cls(words, order, by_label) if any(normalise(word) not in known for word in words) else cls()

    @property
    def kinds(self) -> dict[str, Kind]:
        """Every step is a class of its own."""
        return dict.fromkeys(self.words, "class")

    def rows_and_doubts(
        self, rows: tuple[LabelRow, ...], order: Sequence[str]
    ) -> tuple[tuple[LabelRow, ...], tuple[str, ...], tuple[Doubt, ...]]:
        """Return the rows, the order and what is asked: to confirm the order of the words, else that they are classes."""
        given = {normalise(label) for label in order}
        left = tuple(word for word in self.words if normalise(word) not in given)
        if not left:
            return rows, tuple(order), ()
        proposed_order = () if order else self._proposed_order(rows)
        are = f"The labels {listed(proposed_order or left, 10)} are steps of a scale. Confirm"
        if proposed_order:
            how = worded(" with --labels", " with labels=", "")
            doubt = Doubt(f"{are} this order, low to high, or say{how} what each label means.", "labels", labels=proposed_order)
            return rows, proposed_order, (doubt,)
        how = worded(" with --order", " with order=", "")
        sentence = f"{are} them as classes, or give{how} the order of all labels, low to high."
        open_words = {normalise(word) for word in left}
        rows = tuple(
            replace(row, in_doubt=True, sentence=sentence) if normalise(row.label) in open_words else row for row in rows
        )
        return rows, tuple(order), (Doubt(sentence, "labels", labels=left),)

    def _proposed_order(self, rows: Sequence[LabelRow]) -> tuple[str, ...]:
        """Return the order of the words, where no criterion of theirs has another class, and no other one an order by numbers."""
        steps = {normalise(word) for word in self.words}
        step_criteria = frozenset[str]().union(*(self.used.get(word, WHOLE) for word in self.words))
        others = [row for row in rows if row.kind in CLASSES and normalise(row.label) not in steps]
        beside = any(
            self.used.get(row.label, WHOLE) & step_criteria or (row.kind == "class" and is_number(row.label)) for row in others
        )
        return () if beside else self.order
