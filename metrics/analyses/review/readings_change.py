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


def change_words(change: Change) -> str:
    """Return whether κ changes, κ before and after with the paired difference, and what they rest on."""
    values = (
        f"{BY_KEY[change.metric].symbol} {words.number(change.before.estimate.value)} "
        f"→ {words.number(change.after.estimate.value)}"
    )
    apart = change.difference
    if not apart.defined:
        return f"Undefined difference: {values}; {apart.why}. {_rests_on(change)}"
    if not change.n_differ:
        return f"No change: {values}. {_rests_on(change)}"
    alone = " (this criterion alone)" if change.n_tested > 1 else ""
    ends = f"{words.behind(apart.ends)}{alone}" if apart.ends else f", no interval: {apart.no_interval}"
    note = f" ({apart.note})" if apart.note else ""
    return (
        f"{reads(change).capitalize()}: {values}, difference {words.signed(apart.value, 2)}{ends}{note}; "
        f"{p_words(change.p_holm)}{words.corrected(change.n_tested, 'criteria')}. {_rests_on(change)}"
    )


def reads(change: Change) -> str:
    """Return the change in a word or two; significant only after the correction over the criteria."""
    return READS[change.direction] if change.difference.defined else "undefined"


def _rests_on(change: Change) -> str:
    """Return the decisions that count, each file's own where it answers others, and what changed."""
    if change.n_alone == (change.n_shared, change.n_shared):
        text = f"On {words.several(change.n_shared, 'decisions')} of both files"
    else:
        before, after = (words.count(n) for n in change.n_alone)
        shared = words.several(change.n_shared, "decisions")
        text = f"On {words.count(change.n)} answered in both files, of {shared}: {before} answered before, {after} after"
    changed = [
        f"{who} changed on {words.count(n)}"
        for who, n in (("the judge", change.n_judge), ("the reference", change.n_reference))
        if n
    ]
    text += f"; {', '.join(changed)}" if changed else ""
    left = [f"{words.count(n)} only {when}" for n, when in zip(change.n_only, ("before", "after"), strict=True) if n]
    text += f"; left out: {', '.join(left)}." if left else "."
    if change.n_alone == (change.n, change.n):
        return text
    first, second = (words.number(value) for value in change.alone)
    return f"{text} On all that each file answers, κ is {first} before and {second} after: not the same decisions."


def whole_words(before_after: BeforeAfter) -> str:
    """Return how many criteria got better, and which could not be compared."""
    ways = [reads(change) for change in before_after.changes]
    parts = [
        f"{words.count(ways.count(way))} {'with ' if way == READS[0] else ''}{way}"
        for way in (*READS.values(), "undefined")
        if way in ways
    ]
    tested = before_after.changes[0].n_tested if before_after.changes else 0
    text = "No criterion could be compared."
    if ways:
        text = (
            f"Of {words.several(len(ways), 'criteria')} in both files: {', '.join(parts)}{words.corrected(tested, 'criteria')}."
        )
    for names, where in ((before_after.only_before, before_after.files[0]), (before_after.only_after, before_after.files[1])):
        if names:
            text += f" Only in {words.shorten(where)}: {', '.join(words.shorten(name) for name in names)}."
    for name, why in before_after.refused.items():
        text += f" {words.shorten(name)}: {why}."
    return text


def declared_words(before_after: BeforeAfter) -> str:
    """Return what the numbers rest on."""
    asked = before_after.settings
    unit = "items" if not asked.by_column else f"groups by ‘{words.shorten(asked.unit)}’"
    sides = (
        f"{when}: {words.shorten(file)}, judge {words.shorten(judge)}, reference {reference_words(reference)}"
        for when, file, judge, reference in zip(
            ("Before", "After"), before_after.files, before_after.judges, before_after.references, strict=True
        )
    )
    how = f"Intervals {words.percent(asked.confidence)}; of the difference the paired jackknife, {unit} left out of both files"
    other = [change.criterion for change in before_after.changes if change.abstention != asked.abstention]
    but = f", but excluded on {', '.join(map(words.shorten, other))}" if other else ""
    return (
        f"{'. '.join(sides)}. {MODES[asked.abstention]}{but}. {how}, each criterion alone. "
        "Only decisions with a verdict of judge and reference in both files count."
    )
