"""What a rubric was before and after a change, in sentences."""

from __future__ import annotations

import math

from metrics import words
from metrics.references import reference_words
from metrics.reviewing.changes import BeforeAfter, Change


def change_words(one: Change) -> str:
    """κ before and after, the paired difference, and whether it is told from none."""
    symbol = "κ" if one.metric == "kappa" else "κ (quadratic weights)"
    values = f"{symbol} {words.number(one.before.value)} → {words.number(one.after.value)}"
    if math.isnan(one.difference):
        return f"{values}; the difference is undefined: {one.undefined}. {_rests_on(one)}"
    if not one.n_differ:
        return f"{values}; no label changed, the difference is 0. {_rests_on(one)}"
    apart = words.signed(one.difference, 2)
    ends = f" {words.bounds(one.ends)}" if one.ends else f", no interval: {one.no_interval}"
    verdict = {1: "better beyond the noise", -1: "worse beyond the noise", 0: "within the noise"}[one.told]
    verdict = verdict if one.ends else "not to be told from noise"
    note = f" ({one.interval.note})" if one.interval is not None and one.interval.note else ""
    return f"{values}, difference {apart}{ends}{note}: {verdict}. {_rests_on(one)}"


def _rests_on(one: Change) -> str:
    changed = [
        f"{who} changed on {words.count(n)}" for who, n in (("the judge", one.n_judge), ("the reference", one.n_reference)) if n
    ]
    said = f"On {words.several(one.n_shared, 'decisions')} of both files"
    said += f"; {', '.join(changed)}" if changed else ""
    left = [f"{words.count(n)} only {when}" for n, when in zip(one.n_only, ("before", "after"), strict=True) if n]
    return f"{said}; left out: {', '.join(left)}." if left else f"{said}."


def whole_words(found: BeforeAfter) -> str:
    """How many criteria got better, and which could not be compared."""
    told = [one.told for one in found.changes]
    parts = [
        f"{words.count(told.count(way))} {what}"
        for way, what in ((1, "better"), (-1, "worse"), (0, "not told apart from no change"))
        if way in told
    ]
    said = (
        f"Of {words.several(len(told), 'criteria')} in both files: {', '.join(parts)}."
        if told
        else "No criterion could be compared."
    )
    for names, where in ((found.only_before, found.files[0]), (found.only_after, found.files[1])):
        if names:
            said += f" Only in {words.shorten(where)}: {', '.join(words.shorten(name) for name in names)}."
    for name, why in found.refused.items():
        said += f" {words.shorten(name)}: {why}."
    return said


def declared_words(found: BeforeAfter) -> str:
    """What the numbers rest on."""
    asked = found.settings
    unit = "items" if not asked.by_column else f"groups by ‘{words.shorten(asked.unit)}’"
    sides = (
        f"{when}: {words.shorten(file)}, judge {words.shorten(judge)}, reference {reference_words(reference)}"
        for when, file, judge, reference in zip(("Before", "After"), found.files, found.judges, found.references, strict=True)
    )
    mode = {
        "exclude": "Abstentions excluded",
        "as_unmet": "Abstentions counted as negative",
        "as_category": "Abstentions as a class",
    }
    how = f"Intervals {words.percent(asked.confidence)}; of the difference the paired jackknife, {unit} left out of both files"
    return (
        f"{'. '.join(sides)}. {mode[asked.abstention]}. {how}. Only decisions that judge and reference rated in both files count."
    )
