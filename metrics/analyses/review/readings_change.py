"""What a rubric was before and after a change, in sentences."""

from __future__ import annotations

from metrics.analyses.comparison.readings import p_words
from metrics.analyses.review.changes import BeforeAfter, Change
from metrics.data.references import reference_words
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

MODES = {
    "exclude": "Abstentions excluded",
    "as_unmet": "Abstentions counted as negative",
    "as_category": "Abstentions as a class",
}
READS = {1: "better", -1: "worse", 0: "no significant difference"}


def change_words(one: Change) -> str:
    """Return whether κ changes, κ before and after with the paired difference, and what they rest on."""
    values = f"{BY_KEY[one.metric].symbol} {words.number(one.before.estimate.value)} → {words.number(one.after.estimate.value)}"
    apart = one.difference
    if not apart.defined:
        return f"Undefined difference: {values}; {apart.why}. {_rests_on(one)}"
    if not one.n_differ:
        return f"No change: {values}. {_rests_on(one)}"
    alone = " (this criterion alone)" if one.n_tested > 1 else ""
    ends = f"{words.behind(apart.ends)}{alone}" if apart.ends else f", no interval: {apart.no_interval}"
    note = f" ({apart.note})" if apart.note else ""
    return (
        f"{reads(one).capitalize()}: {values}, difference {words.signed(apart.value, 2)}{ends}{note}; "
        f"{p_words(one.p_holm)}{words.corrected(one.n_tested, 'criteria')}. {_rests_on(one)}"
    )


def reads(one: Change) -> str:
    """Return the change in a word or two; significant only after the correction over the criteria."""
    return READS[one.direction] if one.difference.defined else "undefined"


def _rests_on(one: Change) -> str:
    """Return the decisions that count, each file's own where it answers others, and what changed."""
    if one.n_alone == (one.n_shared, one.n_shared):
        text = f"On {words.several(one.n_shared, 'decisions')} of both files"
    else:
        before, after = (words.count(n) for n in one.n_alone)
        shared = words.several(one.n_shared, "decisions")
        text = f"On {words.count(one.n)} answered in both files, of {shared}: {before} answered before, {after} after"
    changed = [
        f"{who} changed on {words.count(n)}" for who, n in (("the judge", one.n_judge), ("the reference", one.n_reference)) if n
    ]
    text += f"; {', '.join(changed)}" if changed else ""
    left = [f"{words.count(n)} only {when}" for n, when in zip(one.n_only, ("before", "after"), strict=True) if n]
    text += f"; left out: {', '.join(left)}." if left else "."
    if one.n_alone == (one.n, one.n):
        return text
    first, second = (words.number(value) for value in one.alone)
    return f"{text} On all that each file answers, κ is {first} before and {second} after: not the same decisions."


def whole_words(found: BeforeAfter) -> str:
    """Return how many criteria got better, and which could not be compared."""
    ways = [reads(one) for one in found.changes]
    parts = [
        f"{words.count(ways.count(way))} {'with ' if way == READS[0] else ''}{way}"
        for way in (*READS.values(), "undefined")
        if way in ways
    ]
    tested = found.changes[0].n_tested if found.changes else 0
    said = "No criterion could be compared."
    if ways:
        said = (
            f"Of {words.several(len(ways), 'criteria')} in both files: {', '.join(parts)}{words.corrected(tested, 'criteria')}."
        )
    for names, where in ((found.only_before, found.files[0]), (found.only_after, found.files[1])):
        if names:
            said += f" Only in {words.shorten(where)}: {', '.join(words.shorten(name) for name in names)}."
    for name, why in found.refused.items():
        said += f" {words.shorten(name)}: {why}."
    return said


def declared_words(found: BeforeAfter) -> str:
    """Return what the numbers rest on."""
    asked = found.settings
    unit = "items" if not asked.by_column else f"groups by ‘{words.shorten(asked.unit)}’"
    sides = (
        f"{when}: {words.shorten(file)}, judge {words.shorten(judge)}, reference {reference_words(reference)}"
        for when, file, judge, reference in zip(("Before", "After"), found.files, found.judges, found.references, strict=True)
    )
    how = f"Intervals {words.percent(asked.confidence)}; of the difference the paired jackknife, {unit} left out of both files"
    other = [one.criterion for one in found.changes if one.abstention != asked.abstention]
    but = f", but excluded on {', '.join(map(words.shorten, other))}" if other else ""
    return (
        f"{'. '.join(sides)}. {MODES[asked.abstention]}{but}. {how}, each criterion alone. "
        "Only decisions with a verdict of judge and reference in both files count."
    )
