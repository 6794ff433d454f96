"""The rubric of an autorubric dataset: criteria with their weights, options and values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metrics.data.labels import RubricCriterion
from metrics.data.vocabulary import Kind
from metrics.readers.messages import brief, refuse

MET, UNMET, CANNOT_ASSESS = BINARY = ("MET", "UNMET", "CANNOT_ASSESS")
DEFAULT_WEIGHT = 10.0
_BINARY_KINDS: tuple[tuple[str, Kind], ...] = ((MET, "positive"), (UNMET, "negative"), (CANNOT_ASSESS, "abstention"))


@dataclass(frozen=True)
class Criterion:
    """One criterion of a rubric; `options` holds (label, value, whether it is no verdict)."""

    name: str
    weight: float
    requirement: str
    scale: Literal["binary", "ordinal", "nominal"]
    options: tuple[tuple[str, float, bool], ...]

    @property
    def binary(self) -> bool:
        return self.scale == "binary"

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for label, _, _ in self.options)

    def label(self, value: Any) -> str | None:
        """Return a label of the ground truth as the rubric writes it; None where the rubric does not have it."""
        if self.binary:
            return value if value in BINARY else None
        if isinstance(value, int) and not isinstance(value, bool):
            return self.labels[value] if 0 <= value < len(self.options) else None
        word = str(value).strip().lower()
        return next((label for label in self.labels if label.strip().lower() == word), None)

    def read_vote(self, vote: dict[str, Any]) -> tuple[str, bool]:
        """Return label of a vote, and whether it is no verdict."""
        if self.binary:
            verdict = str(vote.get("verdict") or CANNOT_ASSESS)
            return verdict, verdict == CANNOT_ASSESS
        inner = vote.get("multi_choice_verdict")
        chosen = inner if isinstance(inner, dict) else vote
        label = chosen.get("selected_label")
        if not label:
            return CANNOT_ASSESS, True
        return self.label(label) or str(label).strip(), bool(chosen.get("na"))

    def value(self, label: str) -> float | None:
        """Return value of an option; None on a binary criterion and where it is no verdict."""
        return next((value for name, value, abstains in self.options if name == label and not abstains), None)


@dataclass(frozen=True)
class Criteria:
    """The rubric of all items, or one for each."""

    shared: tuple[Criterion, ...]
    by_item: dict[int, tuple[Criterion, ...]]

    def of(self, item: int) -> tuple[Criterion, ...]:
        return self.by_item.get(item, self.shared)

    @property
    def rubrics(self) -> Iterator[tuple[Criterion, ...]]:
        if self.shared:
            yield self.shared
        yield from self.by_item.values()

    def by_name(self) -> dict[str, list[Criterion]]:
        """Return distinct criteria of one name."""
        criteria_by_name: dict[str, list[Criterion]] = {}
        for rubric in self.rubrics:
            for criterion in rubric:
                same = criteria_by_name.setdefault(criterion.name, [])
                if criterion not in same:
                    same.append(criterion)
        return criteria_by_name

    def kinds(self) -> Iterator[tuple[str, Kind]]:
        for rubric in self.rubrics:
            for criterion in rubric:
                if criterion.binary:
                    yield from _BINARY_KINDS
                for label, _, abstains in criterion.options:
                    yield label, "abstention" if abstains else "class"


def criteria_of(dataset: dict[str, Any], file: str) -> Criteria:
    """Return the criteria of a dataset.

    Raises
    ------
    InputError
        For a rubric of another form, and an item that has none.
    """
    shared = _criteria(dataset.get("rubric"), f"the rubric of {brief(file)}")
    criteria_by_item: dict[int, tuple[Criterion, ...]] = {}
    for place, item in enumerate(dataset["items"]):
        if not isinstance(item, dict):
            refuse(f"Item {place} of {brief(file)} is no JSON object.")
        rubric_criteria = _criteria(item.get("rubric"), f"the rubric of item {place} of {brief(file)}")
        if rubric_criteria:
            criteria_by_item[place] = rubric_criteria
        elif not shared:
            refuse(f"Item {place} of {brief(file)} has no rubric, and the dataset has none for all items.")
    return Criteria(shared, criteria_by_item)


def _criteria(rubric: Any, where: str) -> tuple[Criterion, ...]:
    """Return criteria of a list, of a list of sections, or of an object that holds one."""
    if rubric is None:
        return ()
    for key in ("rubric", "sections", "criteria"):
        if isinstance(rubric, dict) and key in rubric:
            rubric = rubric[key]
    if not isinstance(rubric, list) or not all(isinstance(part, dict) for part in rubric):
        refuse(f"{where[0].upper()}{where[1:]} is no list of criteria.")
    entries: list[dict[str, Any]] = []
    for section in rubric:
        entries += section["criteria"] if isinstance(section.get("criteria"), list) else [section]
    names = _names(entries)
    return tuple(_criterion(name, entry, where) for name, entry in zip(names, entries, strict=True))


def _names(entries: Sequence[Any]) -> list[str]:
    """Return names, trimmed; `C1` for the first where it has none; one that stands twice is numbered."""
    names: list[str] = []
    for place, entry in enumerate(entries, start=1):
        name = str((entry.get("name") if isinstance(entry, dict) else None) or f"C{place}").strip() or f"C{place}"
        names.append(name if name not in names else f"{name} ({place})")
    return names


def _criterion(name: str, entry: Any, where: str) -> Criterion:
    if not isinstance(entry, dict):
        refuse(f"‘{brief(name)}’ in {where} is no JSON object.")
    weight = entry.get("weight", DEFAULT_WEIGHT)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
        refuse(f"The weight of ‘{brief(name)}’ in {where} is no number.")
    given = entry.get("options")
    options = tuple(_option(option, name, where) for option in given) if isinstance(given, list) else ()
    nominal = entry.get("scale_type") == "nominal"
    scale: Literal["binary", "ordinal", "nominal"] = "binary" if not options else "nominal" if nominal else "ordinal"
    return Criterion(name, float(weight), str(entry.get("requirement") or ""), scale, options)


def _option(option: Any, name: str, where: str) -> tuple[str, float, bool]:
    fields = option if isinstance(option, dict) else {}
    label, value = str(fields.get("label") or "").strip(), fields.get("value")
    if not label or isinstance(value, bool) or not isinstance(value, int | float):
        refuse(f"An option of ‘{brief(name)}’ in {where} lacks its label or its value.")
    return label, float(value), bool(fields.get("na"))


def facts(criteria: Criteria) -> tuple[RubricCriterion, ...]:
    """Return what the rubric says of each criterion; a weight that differs between items is NaN, such options are left out."""
    rubric_criteria = []
    for name, same in criteria.by_name().items():
        keys = ("weight", "options", "scale", "requirement")
        weights, options, scales, wordings = ({getattr(criterion, key) for criterion in same} for key in keys)
        scale = same[0].scale if len(scales) == 1 else "nominal"
        ordered_options = low_to_high(same[0]) if len(options) == 1 else ()
        weight, wording = weights.pop() if len(weights) == 1 else math.nan, wordings.pop() if len(wordings) == 1 else ""
        rubric_criteria.append(RubricCriterion(name, weight, scale, ordered_options, wording.strip()))
    return tuple(rubric_criteria)


def low_to_high(criterion: Criterion) -> tuple[tuple[str, float], ...]:
    """Return options that are verdicts, turned where the rubric lists them from the highest value to the lowest."""
    kept = tuple((label, value) for label, value, abstains in criterion.options if not abstains)
    falls = all(a > b for (_, a), (_, b) in itertools.pairwise(kept))
    return kept[::-1] if falls and criterion.scale == "ordinal" else kept


def stated_order(criteria: Criteria) -> tuple[str, ...]:
    """Return labels of all ordinal criteria, low to high; empty where two criteria order them differently."""
    order: list[str] = []
    for same in criteria.by_name().values():
        for criterion in same:
            if criterion.scale != "ordinal":
                continue
            labels = [label for label, _ in low_to_high(criterion)]
            shared = [label for label in order if label in labels]
            if shared and shared != [label for label in labels if label in order]:
                return ()
            if len(shared) < len(labels) and shared:
                order = _woven(order, labels)
            elif not shared:
                order += labels
    return tuple(order)


def _woven(order: list[str], labels: list[str]) -> list[str]:
    """Return both orders in one: each new label stands right after the one before it."""
    out = list(order)
    for place, label in enumerate(labels):
        if label not in out:
            after = out.index(labels[place - 1]) + 1 if place else out.index(next(name for name in labels if name in out))
            out.insert(after, label)
    return out
