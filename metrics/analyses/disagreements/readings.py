"""On how much the sides differ, in sentences: the answer that stands above a list of items.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import numpy as np

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.disagreements.listing import Listing, Mask, Rows
from metrics.data.pairs import one_human_each, reference_phrase
from metrics.data.scales import scales_of
from metrics.results import words

LABEL = 60
"""Letters of a label in the name of a cell."""
NO_ITEMS = "This is a table of counts: there are no items behind its cells. Open the table that was counted."
ROWS: dict[Rows, str] = {
    "disagreements": "Disagreements", "no_verdict": "No verdict", "most": "Most judges wrong", "people": "People disagree",
    "judges": "Judges disagree",
    "only_judge": "Only the judge right", "only_other": "Only the other judge right", "neither": "Both wrong",
    "check": "Disagreements and some agreements", "all": "All decisions",
}  # fmt: skip
"""What a list can be of, as it is called on the page and in its address."""


def opening(listing: Listing, name: Name = plain_name) -> str:
    """Return on how many decisions and items the sides differ, and in which direction."""
    if listing.judge is None:
        return _of_raters(listing)
    if listing.numbers is not None:
        return _of_numbers(listing, name)
    wrong, settled = listing.kinds["disagreements"], listing.settled
    n, total = listing.count(wrong), listing.count(settled)
    who = f"{name(listing.judge.name)} and {_the_reference(listing, name)}"
    unit = "items" if listing.by_item else "decisions"
    if not total:
        return f"There is no {unit[:-1]} on which {who} both give a verdict."
    preferences = scales_of(listing.ratings).used == ("pairwise",)
    if not n:
        return f"{who} agree on all {words.several(total, unit)}.{_silent(listing)}"
    differ = "prefer different answers on" if preferences else "disagree on"
    text = f"{who} {differ} {words.count(n)} of {words.several(total, unit)} ({words.percent(n / total)})"
    on_items = "" if listing.by_item else _on_items(listing, wrong, settled)
    return f"{text}{on_items}.{_errors(listing, name)}{_silent(listing)}"


def _on_items(listing: Listing, those: Mask, of: Mask) -> str:
    """Return on how many items some decisions are; nothing where each is one."""
    n, total = listing.n_items(those), listing.n_items(of)
    if (n, total) == (int(those.sum()), int(of.sum())):
        return ""
    return f", on {words.count(n)} of {words.several(total, 'items')}"


def cell_words(reference: str, judge: str) -> str:
    """Return a cell of the table of both sides, as a list of cells and an address have it."""
    return f"reference {words.shorten(reference, LABEL)}, judge {words.shorten(judge, LABEL)}"


def _the_reference(listing: Listing, name: Name) -> str:
    ratings, reference = listing.ratings, listing.settings.reference
    if one_human_each(ratings, reference):
        return "people"
    phrase = reference_phrase(ratings, reference, article=True)
    return name(phrase) if phrase == reference else phrase


def _errors(listing: Listing, name: Name) -> str:
    """Return how many errors there are of each kind, where there are two."""
    if len(listing.labels) < 2 or listing.judge is None or listing.ratings.scheme.n_classes != 2:
        return ""
    reference, judge = listing.judge.counted
    false, missed = (listing.count((reference == row) & (judge == 1 - row)) for row in (1, 0))
    if scales_of(listing.ratings).named_errors:
        first, second = (name(words.marked(words.shorten(label))) for label in listing.labels[:2])
        return f" {first} for {second} {words.often(false)}, {second} for {first} {words.often(missed)}."
    return f" {_passes(false, 'false')}, {_passes(missed, 'missed')}."


def _passes(n: int, kind: str) -> str:
    return f"{words.count(n)} {kind} {'pass' if n == 1 else 'passes'}"


def _silent(listing: Listing) -> str:
    n = listing.count(listing.kinds["no_verdict"])
    unit = "items" if listing.by_item else "decisions"
    lacking = "preference" if scales_of(listing.ratings).used == ("pairwise",) else "verdict"
    return f" On {words.several(n, unit)} a side gives no {lacking}." if n else ""


def _of_numbers(listing: Listing, name: Name) -> str:
    assert listing.numbers is not None
    assert listing.judge is not None
    numbers = listing.numbers
    who = f"{name(listing.judge.name)} and {_the_reference(listing, name)}"
    both = listing.settled
    if not both.any():
        return f"There is no decision on which {who} both give a number."
    cell = int(np.argmin(listing.rank("disagreements")))
    if not listing.differs.any():
        total = words.several(int(both.sum()), "decisions")
        return f"{who} {f'rank all {total} alike' if numbers.by_rank else f'give the same number on all {total}'}."
    on = f" on {name(listing.ratings.criteria[listing.cells.criterion[cell]])}" if len(listing.ratings.criteria) > 1 else ""
    item = name(str(listing.ratings.items[int(listing.cells.item[cell])]))
    given = f"{words.number(numbers.reference[cell])} and {words.number(numbers.judge[cell])}"
    n, total = words.count(int(listing.differs.sum())), words.several(int(both.sum()), "decisions")
    how_many = f"They differ on {n} of {total}."
    if numbers.by_rank:
        how_many = "The two sides use two units, so distances are between ranks."
    return f"{who} differ most on item {item}{on}: reference and judge give {given}. {how_many}"


def _of_raters(listing: Listing) -> str:
    role = listing.first
    if role == "all":
        return "Fewer than two raters of one role are in this file, so there is nothing to compare."
    who = "The judges" if role == "judges" else "People"
    votes, split = listing.votes(role), listing.kinds[role]
    several = (
        split | (votes.sum(1) > 1) if votes is not None else np.isfinite(listing.numbers.spread) if listing.numbers else split
    )
    n, total = int(split.sum()), int(several.sum())
    if not total:
        return f"{who} share no decision."
    if not n:
        return f"{who} agree on all {words.several(total, 'decisions')} that two or more rated."
    text = f"{who} disagree on {words.count(n)} of {words.several(total, 'decisions')} ({words.percent(n / total)})"
    return f"{text}{_on_items(listing, split, several)}."
