"""What stands above the numbers of the lab: where its table came from and what was made of it; all of it plain text."""

from __future__ import annotations

import math

from metrics.analyses.provenance import Header, citation_line, mode_words
from metrics.content.lab.pictures import Picture
from metrics.content.lab.terms import CELL_NAMES, counted, part, short_labels
from metrics.data.memo import memoised
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

BOTH = ("A", "B")
"""Names of two tables that stand side by side."""
AS_GIVEN = "No intervals: the lab takes the table as given."
ON_AVERAGE = "Counts are what such a judge gives on average."


def header(p: Picture, *, whole: bool = False) -> Header:
    """Return what stands above the numbers of a table; names shortened, unless they are asked for whole."""
    return memoised(p, ("header", whole), lambda: _header(p, whole))


def _header(p: Picture, whole: bool) -> Header:
    which = f"{'table ' if p.name in BOTH else ''}{p.name}, {extent(p)}" if p.name else f"one table of {extent(p)}"
    parts = (came(p, whole=whole), _prevalence(p), _otherwise(p), AS_GIVEN, ON_AVERAGE if p.table.on_average else "", _as_set(p))
    return Header(f"Binary · {_mode(p)} · {which}.", " ".join(part for part in parts if part), "", "")


def citation(p: Picture, key: str) -> str:
    """Return a number with everything needed to quote it."""
    record = BY_KEY[key]
    x, reason = p.values[key], p.why(key)
    table = ", ".join(f"{name} {words.amount(p.table.raw[place])}" for place, name in CELL_NAMES.items())
    silent = f", without a verdict {words.amount(math.fsum(p.table.silent))}" if p.table.abstains else ""
    whence = came(p, whole=True).removesuffix(".")
    parts = ("binary", _mode(p), f"{extent(p)}: {table}{silent}", whence, "no interval: the table is taken as given")
    return citation_line(record.symbol, words.value(x, record.unit), parts, reason=reason)


def came(p: Picture, *, whole: bool = False) -> str:
    """Return where a table came from: as it came, or what it was before somebody changed it.

    Empty for one that came from no page.
    """
    if p.source is None:
        return ""
    text = p.source.text(whole=whole)
    return f"Changed by hand; started from {words.uncapital(text)}." if p.touched else f"{text}."


def title(p: Picture) -> str:
    """Return what a table is that is no step's."""
    if p.source is None:
        return "Your own table"
    return f"Your own table, started from {words.uncapital(p.source.whose)}" if p.touched else p.source.whose


def _mode(p: Picture) -> str:
    """Return what became of the abstentions, and how many were left out before there was a table."""
    left = f"{words.amount(p.left)} of {counted(p.table.n + p.left, p.unit)} left out" if p.left else ""
    treatment = ", ".join(text for text in (_treated(p), left) if text)
    return treatment or "no abstentions"


def _treated(p: Picture) -> str:
    """Return what became of the abstentions, empty where there are none; a table without any may be made of recoded ones."""
    if p.third and not p.table.abstains:
        return f"{mode_words('as_category', '')}, none here"
    if not p.table.abstains and p.mode != "as_unmet":
        return ""
    if p.table.abstains and p.mode != "exclude" and p.unit == "items":
        # The lab knows verdicts of items alone, not the decisions behind them, of which the pages speak.
        return f"items without a verdict {_folded(p)}"
    text = mode_words(p.mode, short_labels(p)[1])
    return f"{text}, coverage {part(p.table.coverage)}" if p.mode == "exclude" else text


def _folded(p: Picture) -> str:
    return "kept as a class" if p.mode == "as_category" else f"counted as {short_labels(p)[1]}"


def _otherwise(p: Picture) -> str:
    """Return what item verdicts that are recoded as a whole are not."""
    recoded = p.table.abstains and p.mode == "as_unmet" and p.unit == "items"
    return f"Decisions counted as {short_labels(p)[1]} before the items are judged can give another table." if recoded else ""


def recoded_note(p: Picture) -> str:
    """Return why no other mode can be asked for where the abstentions have gone into the table."""
    return f"Abstentions were counted as {short_labels(p)[1]} before this table was made: no other mode can be shown of it here."


def extent(p: Picture) -> str:
    """Return how many decisions the numbers count, of how many."""
    return counted(p.n, p.unit) if p.mode != "exclude" or not p.table.abstains else _of_all(p)


def _of_all(p: Picture) -> str:
    return f"{words.amount(p.n)} of {counted(p.table.n, p.unit)}"


def _prevalence(p: Picture) -> str:
    if not p.two:
        return ""
    at = p.values["prevalence"]
    if math.isnan(at):
        return "Prevalence undefined: no decision is left."
    return f"Prevalence, the share that is {short_labels(p)[0]}, {part(at)}."


def _as_set(p: Picture) -> str:
    """Return what a rate is that no decision of the table shows."""
    rates, labels = p.table.rates, short_labels(p)
    if rates is None or not p.two or not p.n:
        return ""
    sides = (
        ("TPR", rates.tpr, labels[0], p.table.confusion_counts[:2]),
        ("TNR", rates.tnr, labels[1], p.table.confusion_counts[2:]),
    )
    unseen = [(name, rate, label) for name, rate, label, row in sides if not sum(row)]
    return " ".join(
        f"{name} {part(rate)} is as set: no {p.unit.removesuffix('s')} of this table is {label}." for name, rate, label in unseen
    )
