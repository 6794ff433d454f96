"""What preferences say, in sentences computed from the numbers shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.preferences.compute import CONVENTIONS, Convention, Preferences
from metrics.analyses.preferences.positions import Positions
from metrics.analyses.preferences.systems import System
from metrics.analyses.provenance import Header, citation_line, columns_of, items_behind
from metrics.measures.arrays import safe_ratio
from metrics.measures.catalogue import record_of
from metrics.results import words
from metrics.results.estimate import Estimate

NAMES: Mapping[Convention, str] = {"exclude": "Left out", "class": "Third answer", "half": "Half a win"}
AGREEMENT: Mapping[Convention, str] = {"exclude": "accuracy", "class": "accuracy", "half": "accuracy:half"}
KAPPA: Mapping[Convention, str] = {"exclude": "kappa", "class": "kappa", "half": "weighted_kappa:half"}
SYMBOLS = {"accuracy:half": "mean credit", "weighted_kappa:half": "κ, ties halfway"}
NAME_ANSWERS = "Check that the verdicts of the other order name the answer and not its place."
CLOSE = 0.02
"""κ closer than this reads as the same under two conventions."""
METHODS = {"jackknife": "item jackknife", "dirichlet": "Dirichlet", "wilson": "Wilson", "beta": "Beta"}


def symbol_of(key: str) -> str:
    return SYMBOLS.get(key) or record_of(key).symbol


def header(preferences: Preferences, convention: Convention, criterion: str | None) -> Header:
    """Return what stands above the numbers of one convention.

    Parameters
    ----------
    preferences : Preferences
    convention : {"exclude", "class", "half"}
        How ties are counted.
    criterion : str or None
        None: all criteria together.
    """
    d, preference = preferences.declaration, preferences.on(convention, criterion)
    total = preferences.total(criterion)
    ties = {"exclude": "ties left out", "class": "a tie is a third answer", "half": "a tie is half a win"}[convention]
    treated = (
        f"{ties}, coverage {words.percent(preference.n / total)}"
        if preference.n < total
        else (ties if preferences.n_ties else "no ties")
    )
    many = f"on {words.shorten(criterion)}" if criterion else f"pooled over {words.count(len(d.criteria))} criteria"
    bold = "Pairwise", treated, many if len(d.criteria) > 1 else ""
    of = "" if preference.n == total else f" of {words.count(total)}"
    items = items_behind(preference.n_items, preferences.n_items) if criterion is None else ""
    extent = f"{words.count(preference.n)}{of} decisions{items}."
    rest = f"Reference: {d.reference_words()}. {extent} {_method(preferences, preference.values[KAPPA[convention]])}"
    level = "pooled" if criterion is None else f"on {criterion}"
    columns = columns_of(d, judge=preferences.judge, level=level, coverage=float(safe_ratio(preference.n, total)))
    columns["declared_abstention"] = ties
    return Header.of(d, bold, rest, columns, preferences.judge)


def _method(preferences: Preferences, kappa: Estimate) -> str:
    if kappa.interval is None:
        return "No intervals."
    first, _, second = kappa.interval.method.partition("+")
    widened = f" widened by {METHODS.get(second, second)} (small cell)" if second else ""
    confidence = words.percent(preferences.declaration.confidence)
    return f"Intervals {confidence}, {METHODS.get(first, first)}{widened}."


def citation(preferences: Preferences, convention: Convention, criterion: str | None, key: str = "") -> str:
    """Return a number with everything needed to quote it, at first κ; `wins_judge` is how often the first answer wins.

    Parameters
    ----------
    its, convention, criterion
        As in `header`.
    key : str
        Of the number.
    """
    preference, key = preferences.on(convention, criterion), key or KAPPA[convention]
    parts = (words.plain(preferences.judge), *header(preferences, convention, criterion).provenance())
    if key == "wins_judge":
        name = f"{words.plain(preferences.labels[0])} wins by the judge"
        beside = f"by the reference {estimate_text(preference.wins.reference, '%')}"
        return citation_line(
            name, estimate_text(preference.wins.judge, "%"), parts, reason=preference.wins.judge.undefined, beside=beside
        )
    estimate, unit = preference.values[key], "" if key in KAPPA.values() else "%"
    return citation_line(symbol_of(key), estimate_text(estimate, unit), parts, reason=estimate.undefined)


def order_citation(preferences: Preferences, orders: Positions, which: Literal["same", "first"]) -> str:
    """Return how often both orders name the same answer, or a changed winner is the answer shown first.

    Parameters
    ----------
    preferences : Preferences
    orders : Positions
        Of the same judge.
    which : {"same", "first"}
        The first of the two shares, or the second.
    """
    share, name = {
        "same": (orders.consistent, "same answer in both orders"),
        "first": (orders.first_place, "changed winner is the answer shown first"),
    }[which]
    d = preferences.declaration
    many = f"pooled over {words.count(len(d.criteria))} criteria" if len(d.criteria) > 1 else ""
    p = words.p3(orders.p)
    tested = "" if which == "same" or math.isnan(orders.p) else f"p {p if p.startswith('<') else f'= {p}'}"
    parts = [
        words.plain(orders.judge), "pairwise", many, f"n = {words.several(share.total, 'decisions')} answered in both orders",
        f"exact test against one half {tested}" if tested else "",
        f"interval {words.percent(d.confidence)}" if share.ends else "", d.file_words,
    ]  # fmt: skip
    return citation_line(
        name, words.estimate(share, "%"), parts, reason="" if share.total else "no decision changes with the order"
    )


def estimate_text(estimate: Estimate, unit: str = "") -> str:
    """Return a number with its interval; a dash where it is undefined."""
    return words.estimate(estimate, unit)


def reading(preferences: Preferences, criterion: str | None, name: Name = plain_name) -> str:
    """Return what the way of counting ties does to the judge's number.

    Parameters
    ----------
    preferences : Preferences
    criterion : str or None
        None: all criteria together.
    name : callable
        Wraps names from the file.
    """
    if not preferences.n_ties:
        return "Neither side ever says tie, so that all three ways of counting ties give the same agreement and κ."
    kappas = {convention: preferences.on(convention, criterion).values[KAPPA[convention]].value for convention in CONVENTIONS}
    defined = {convention: value for convention, value in kappas.items() if not math.isnan(value)}
    if len(defined) < 2:
        return "κ is defined under fewer than two of the three ways of counting ties."
    low, high = min(defined, key=lambda convention: defined[convention]), max(defined, key=lambda convention: defined[convention])
    if defined[high] - defined[low] < CLOSE:
        text = f"How ties are counted moves κ of {name(preferences.judge)} by less than {words.number(CLOSE)}."
    else:
        text = (
            f"κ of {name(preferences.judge)} is {words.number(defined[high])} where {_clause(high)}, "
            f"{words.number(defined[low])} where {_clause(low)}: state which."
        )
    return f"{text} {_ties(preferences, criterion)}"


def _clause(convention: Convention) -> str:
    return {"exclude": "ties are left out", "class": "a tie is a third answer", "half": "a tie is half a win"}[convention]


def _ties(preferences: Preferences, criterion: str | None) -> str:
    counts = preferences.on("class", criterion).counts
    n = counts.sum()
    reference, judge = counts[2].sum() / n, counts[:, 2].sum() / n
    return f"The reference says tie on {words.percent(reference)} of the decisions, the judge on {words.percent(judge)}."


def wins_reading(preferences: Preferences, convention: Convention, criterion: str | None, name: Name = plain_name) -> str:
    """Return whether the judge prefers the first answer as often as the reference.

    Parameters
    ----------
    its, convention, criterion
        As in `header`.
    name : callable
        Wraps names from the file.
    """
    wins = preferences.on(convention, criterion).wins
    first = name(preferences.labels[0])
    if math.isnan(wins.difference.value):
        return f"How often {first} wins is undefined: {wins.difference.undefined}."
    shares = words.percent(wins.reference.value), words.percent(wins.judge.value)
    text = f"{first} wins {shares[0]} by the reference and {shares[1]} by the judge, {words.points(wins.difference.value)}"
    ends = wins.difference.ends
    if ends is None:
        return f"{text}."
    clear = ends[0] > 0 or ends[1] < 0
    verdict = "more than chance explains" if clear else "no more than chance may explain"
    return f"{text} {words.bounds(ends, 'points')}: {verdict}."


def order_reading(positions: Positions, name: Name = plain_name) -> str:
    """Return what the order of the answers does."""
    if not positions.n:
        return f"{name(positions.judge)} answered no decision in both orders."
    same = f"{words.estimate(positions.consistent, '%')} of {words.several(positions.n, 'decisions')}"
    text = f"{name(positions.judge)} gives the same answer in both orders on {same}."
    if not positions.first_place.total:
        return f"{text} No winner changes with the order."
    n, first = positions.first_place.total, positions.first_place.count
    text += f" Where the order changes the winner, {words.count(first)} of {words.count(n)} times the answer shown first wins"
    check = f" {NAME_ANSWERS}" if positions.by_place else ""
    return f"{text} {_lean(positions)}{check}"


def _lean(positions: Positions) -> str:
    ends = positions.first_place.ends
    if not math.isnan(positions.p):
        p = words.p3(positions.p)
        evidence = f"exact test against one half, p {p if p.startswith('<') else f'= {p}'}"
    elif ends is None:
        return "."
    else:
        evidence = words.bounds(ends, "%")
    lean = "the place decides more than chance would" if positions.place_decides else "no leaning beyond chance"
    return f"({evidence}): {lean}."


def systems_reading(systems: Sequence[System], judge: str, name: Name = plain_name) -> str:
    """Return whom the judge favours, and whether it puts the systems in the reference's order.

    Parameters
    ----------
    systems : sequence of System
        In the order of the reference.
    judge : str
    name : callable
        Wraps names from the file.
    """
    clear = [system for system in systems if system.sign]
    by_judge = sorted(systems, key=lambda system: (-system.judge.value, system.name))
    same = [system.name for system in by_judge] == [system.name for system in systems]
    order = f"Its order of the systems is {'that' if same else 'not that'} of the reference in this sample."
    if not clear:
        return f"{name(judge)} lets no system win more, or less, often than the reference beyond chance. {order}"
    most = max(clear, key=lambda system: (not system.may_be_place, abs(system.difference.value), system.difference.value))
    shares = words.percent(most.judge.value), words.percent(most.reference.value)
    wins = f"wins {shares[0]} by the judge and {shares[1]} by the reference, {estimate_text(most.difference, 'points')}"
    if most.may_be_place:
        verb = "favours" if most.sign > 0 else "holds back"
        more = "more" if most.for_first > 0 else "fewer"
        return (
            f"whether {name(judge)} {verb} {name(most.name)} or its place cannot be told: {name(most.name)} {wins}, and gave the "
            f"first answer in {words.percent(most.first)} of decisions. First answers of all systems win {more} by the judge, "
            f"{words.points(most.for_first)}. {order}"
        )
    others = sum(not system.may_be_place for system in clear) - 1
    rest = f" The shares of {words.several(others, 'systems')} more differ beyond chance." if others else ""
    verb = "favours" if most.difference.value > 0 else "holds back"
    return f"{name(judge)} {verb} {name(most.name)}: it {wins}: beyond chance.{rest} {order}"
