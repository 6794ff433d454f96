"""What preferences say, in sentences and tables computed from the numbers shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.preferences.compute import CONVENTIONS, Convention, Preference, Preferences
from metrics.analyses.preferences.positions import Positions
from metrics.analyses.preferences.systems import System
from metrics.analyses.provenance import Header, columns_of, items_behind, made_of, quoted
from metrics.measures.arrays import safe_ratio
from metrics.measures.catalogue import record_of
from metrics.results import words
from metrics.results.estimate import Estimate

NAMES: Mapping[Convention, str] = {"exclude": "Left out", "class": "Third answer", "half": "Half a win"}
AGREEMENT: Mapping[Convention, str] = {"exclude": "accuracy", "class": "accuracy", "half": "accuracy:half"}
KAPPA: Mapping[Convention, str] = {"exclude": "kappa", "class": "kappa", "half": "weighted_kappa:half"}
SYMBOLS = {"accuracy:half": "mean credit", "weighted_kappa:half": "κ, ties halfway"}
CLOSE = 0.02
"""κ closer than this reads as the same under two conventions."""
SIGNIFICANT = 0.05
METHODS = {"jackknife": "item jackknife", "dirichlet": "Dirichlet", "wilson": "Wilson", "beta": "Beta"}


def symbol_of(key: str) -> str:
    return SYMBOLS.get(key) or record_of(key).symbol


def header(its: Preferences, convention: Convention, criterion: str | None) -> Header:
    """Return what stands above the numbers of one convention.

    Parameters
    ----------
    its : Preferences
    convention : {"exclude", "class", "half"}
        How ties are counted.
    criterion : str or None
        None: all criteria together.
    """
    d, own = its.declaration, its.on(convention, criterion)
    total = its.total(criterion)
    ties = {"exclude": "ties left out", "class": "a tie is a third answer", "half": "a tie is half a win"}[convention]
    treated = f"{ties}, coverage {words.percent(own.n / total)}" if own.n < total else (ties if its.n_ties else "no ties")
    many = len(d.criteria) > 1
    over = (
        (f"on {words.shorten(criterion)}" if criterion else f"pooled over {words.count(len(d.criteria))} criteria")
        if many
        else ""
    )
    bold = " · ".join(part for part in ("Pairwise", treated, over if len(d.criteria) > 1 else "") if part)
    of = "" if own.n == total else f" of {words.count(total)}"
    items = items_behind(own.n_items, its.n_items) if criterion is None else ""
    extent = f"{words.count(own.n)}{of} decisions{items}."
    rest = f"Reference: {d.reference_words()}. {extent} {_method(its, own.values[KAPPA[convention]])}"
    level = "pooled" if criterion is None else f"on {criterion}"
    columns = columns_of(d, judge=its.judge, level=level, coverage=float(safe_ratio(own.n, total)))
    columns["declared_abstention"] = ties
    return Header(f"{bold}.", f"{rest.strip()}{made_of(d, its.judge)}", d.file, d.sha256[:4], columns)


def _method(its: Preferences, kappa: Estimate) -> str:
    if kappa.interval is None:
        return "No intervals."
    first, _, second = kappa.interval.method.partition("+")
    widened = f" widened by {METHODS.get(second, second)} (small cell)" if second else ""
    confidence = words.percent(float(str(its.declaration.interval["confidence"])))
    return f"Intervals {confidence}, {METHODS.get(first, first)}{widened}."


def copied(its: Preferences, convention: Convention, criterion: str | None, key: str = "") -> str:
    """Return a number with everything needed to quote it, at first κ; `wins_judge` is how often the first answer wins.

    Parameters
    ----------
    its, convention, criterion
        As in `header`.
    key : str
        Of the number.
    """
    own, key = its.on(convention, criterion), key or KAPPA[convention]
    told = (words.plain(its.judge), *header(its, convention, criterion).told())
    if key == "wins_judge":
        name = f"{words.plain(its.labels[0])} wins by the judge"
        beside = f"by the reference {shown(own.wins.reference, '%')}"
        return quoted(name, shown(own.wins.judge, "%"), told, reason=own.wins.judge.undefined, beside=beside)
    found, unit = own.values[key], "" if key in KAPPA.values() else "%"
    return quoted(symbol_of(key), shown(found, unit), told, reason=found.undefined)


def order_copied(its: Preferences, orders: Positions, which: Literal["same", "first"]) -> str:
    """Return how often both orders name the same answer, or a changed winner is the answer shown first.

    Parameters
    ----------
    its : Preferences
    orders : Positions
        Of the same judge.
    which : {"same", "first"}
        The first of the two shares, or the second.
    """
    share, name = {
        "same": (orders.consistent, "same answer in both orders"),
        "first": (orders.first_place, "changed winner is the answer shown first"),
    }[which]
    d = its.declaration
    many = f"pooled over {words.count(len(d.criteria))} criteria" if len(d.criteria) > 1 else ""
    p = words.p3(orders.p)
    tested = "" if which == "same" or math.isnan(orders.p) else f"p {p if p.startswith('<') else f'= {p}'}"
    told = [
        words.plain(orders.judge), "pairwise", many, f"n = {words.several(share.total, 'decisions')} answered in both orders",
        f"exact test against one half {tested}" if tested else "",
        f"interval {words.percent(float(str(d.interval['confidence'])))}" if share.ends else "", d.file,
    ]  # fmt: skip
    return quoted(name, words.estimate(share, "%"), told, reason="" if share.total else "no decision changes with the order")


def shown(its: Estimate, unit: str = "") -> str:
    """Return a number with its interval; a dash where it is undefined."""
    return words.estimate(its, unit)


def reading(its: Preferences, criterion: str | None, name: Name = plain_name) -> str:
    """Return what the way of counting ties does to the judge's number.

    Parameters
    ----------
    its : Preferences
    criterion : str or None
        None: all criteria together.
    name : callable
        Wraps names from the file.
    """
    if not its.n_ties:
        return "Neither side ever says tie, so that all three ways of counting ties give the same agreement and κ."
    kappas = {one: its.on(one, criterion).values[KAPPA[one]].value for one in CONVENTIONS}
    defined = {one: value for one, value in kappas.items() if not math.isnan(value)}
    if len(defined) < 2:
        return "κ is defined under fewer than two of the three ways of counting ties."
    low, high = min(defined, key=lambda one: defined[one]), max(defined, key=lambda one: defined[one])
    if defined[high] - defined[low] < CLOSE:
        text = f"How ties are counted moves κ of {name(its.judge)} by less than {words.number(CLOSE)}."
    else:
        text = (
            f"κ of {name(its.judge)} is {words.number(defined[high])} where {_clause(high)}, "
            f"{words.number(defined[low])} where {_clause(low)}: state which."
        )
    return f"{text} {_ties(its, criterion)}"


def _clause(convention: Convention) -> str:
    return {"exclude": "ties are left out", "class": "a tie is a third answer", "half": "a tie is half a win"}[convention]


def _ties(its: Preferences, criterion: str | None) -> str:
    counts = its.on("class", criterion).counts
    n = counts.sum()
    reference, judge = counts[2].sum() / n, counts[:, 2].sum() / n
    return f"The reference says tie on {words.percent(reference)} of the decisions, the judge on {words.percent(judge)}."


def wins_reading(its: Preferences, convention: Convention, criterion: str | None, name: Name = plain_name) -> str:
    """Return whether the judge prefers the first answer as often as the reference.

    Parameters
    ----------
    its, convention, criterion
        As in `header`.
    name : callable
        Wraps names from the file.
    """
    wins = its.on(convention, criterion).wins
    first = name(its.labels[0])
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


def order_reading(its: Positions, name: Name = plain_name) -> str:
    """Return what the order of the answers does."""
    if not its.n:
        return f"{name(its.judge)} answered no decision in both orders."
    same = f"{words.estimate(its.consistent, '%')} of {words.several(its.n, 'decisions')}"
    text = f"{name(its.judge)} gives the same answer in both orders on {same}."
    if not its.first_place.total:
        return f"{text} No winner changes with the order."
    n, first = its.first_place.total, its.first_place.count
    text += f" Where the order changes the winner, {words.count(first)} of {words.count(n)} times the answer shown first wins"
    return f"{text} {_lean(its)}"


def _lean(its: Positions) -> str:
    ends = its.first_place.ends
    if not math.isnan(its.p):
        p = words.p3(its.p)
        told, clear = f"exact test against one half, p {p if p.startswith('<') else f'= {p}'}", its.p < SIGNIFICANT
    elif ends is None:
        return "."
    else:
        told, clear = words.bounds(ends, "%"), ends[0] > 0.5 or ends[1] < 0.5
    return f"({told}): {'the place decides more than chance would' if clear else 'no leaning beyond chance'}."


def order_table(its: Positions) -> dict[str, list[str]]:
    """Return how often each way of taking the two orders agrees with the reference."""
    names = {
        "file": "Order of the file",
        "swapped": "Swapped order",
        "consistent": "Same winner in both orders only",
    }
    rows = [(names[key], own) for key, own in its.right.items()]
    return {
        "Taken as the answer": [name for name, _ in rows],
        "Agrees with the reference": [words.estimate(own, "%") if own.total else words.UNDEFINED for _, own in rows],
        "Decisions": [words.count(own.total) for _, own in rows],
    }


def systems_table(found: Sequence[System]) -> dict[str, list[str]]:
    """Return how often each system wins by either side, and the difference."""
    return {
        "System": [one.name for one in found],
        "Decisions": [words.count(one.n) for one in found],
        "Wins by the reference": [shown(one.reference, "%") for one in found],
        "Wins by the judge": [shown(one.judge, "%") for one in found],
        "Judge less reference": [shown(one.difference, "points") for one in found],
    }


def systems_reading(found: Sequence[System], judge: str, name: Name = plain_name) -> str:
    """Return whom the judge favours, and whether it puts the systems in the reference's order.

    Parameters
    ----------
    found : sequence of System
        In the order of the reference.
    judge : str
    name : callable
        Wraps names from the file.
    """
    clear = [one for one in found if one.difference.ends and (one.difference.ends[0] > 0 or one.difference.ends[1] < 0)]
    by_judge = sorted(found, key=lambda one: (-one.judge.value, one.name))
    same = [one.name for one in by_judge] == [one.name for one in found]
    order = "It puts the systems in the order of the reference." if same else "It puts the systems in another order."
    if not clear:
        return f"{name(judge)} lets no system win more, or less, often than the reference beyond chance. {order}"
    most = max(clear, key=lambda one: (abs(one.difference.value), one.difference.value))
    verb = "favours" if most.difference.value > 0 else "holds back"
    shares = words.percent(most.judge.value), words.percent(most.reference.value)
    text = f"{name(judge)} {verb} {name(most.name)}: it wins {shares[0]} by the judge and {shares[1]} by the reference"
    others = len(clear) - 1
    rest = f" The shares of {words.several(others, 'systems')} more differ beyond chance." if others else ""
    return f"{text}, {shown(most.difference, 'points')}: beyond chance.{rest} {order}"


def frame(its: Preferences) -> list[dict[str, Any]]:
    """Return every number with what it rests on, one row each, for a download."""
    d = its.declaration
    told = {"file": d.file, "sha256": d.sha256, "scale": d.scale, "reference": d.reference, "judge": its.judge}
    rows = []
    for convention in CONVENTIONS:
        for criterion, own in [("", its.pooled[convention]), *((name, one[convention]) for name, one in its.criteria.items())]:
            rows += [{**told, **_row(convention, criterion, own, key, value)} for key, value in _numbers(own).items()]
        for key, value in its.means.get(convention, {}).items():
            own = its.pooled[convention]
            rows.append({**told, **_row(convention, "mean over criteria", own, key, value)})
    return rows


def _numbers(own: Preference) -> dict[str, Estimate]:
    wins = {"wins_reference": own.wins.reference, "wins_judge": own.wins.judge, "wins_difference": own.wins.difference}
    return {**own.values, **wins}


def _row(convention: Convention, criterion: str, own: Preference, key: str, value: Estimate) -> dict[str, Any]:
    return {"ties": convention, "criterion": criterion, "n": own.n, "metric": key, **value.cells()}
