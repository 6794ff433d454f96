"""What the lab says of a table and its views, in sentences computed from the numbers drawn; all of it plain text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from metrics.analyses.prevalence.compute import furthest_from_chance
from metrics.analyses.prevalence.readings import extreme_words
from metrics.content.lab.formulas import worked
from metrics.content.lab.pictures import Picture
from metrics.content.lab.provenance import BOTH, extent, header
from metrics.content.lab.terms import CELL_NAMES, counted, of_split, part, short_labels
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results import words

SAME = 0.005
"""Values closer than this read as the same number."""
# Shares that differ by less are equal: it is the noise of the arithmetic.
NEAR = 1e-9
SEEN = 0.05
"""Decisions by which two counts that follow from rates may differ and be printed alike."""
FINEST = 8
"""Decimals of a share, said in points with two fewer."""
COMPARED = keys_at("lab compared")
HOW_MANY = {7: "seven", 4: "four"}
HOW_MANY_CELLS = {4: "four", 9: "nine"}


def mosaic_heading(p: Picture) -> str:
    """Return the size of a table."""
    size = extent(p) if p.n else f"No {p.unit.removesuffix('s')}"
    return f"{p.name}: {size}" if p.name else size


def mosaic_reading(p: Picture) -> str:
    """Return which errors there are, and which of the two are more."""
    if not p.n:
        return "no decision is left."
    if not p.two:
        wrong = p.n - p.counts.trace()
        return f"judge and human differ on {words.amount(wrong)} of {counted(p.n, p.unit)}."
    (tp, fn), (fp, tn) = p.counts
    positive, negative = short_labels(p)[:2]
    on_average = "on average " if p.table.on_average else ""
    missed = f"{on_average}{counted(fn, 'missed passes')} of {words.amount(tp + fn)} {positive}"
    start = f"{missed}, {counted(fp, 'false passes')} of {words.amount(fp + tn)} {negative}"
    if not fp + fn:
        return f"{start}. The two never differ."
    if abs(fp - fn) < min(NEAR * p.n, SEEN):
        return f"{start}: {counted(fn, 'errors')} each way."
    more, fewer = (positive, negative) if fp > fn else (negative, positive)
    return f"{start}. More errors say {more} than {fewer}."


def of_both(read: Callable[[Picture], str], p: Picture, other: Picture | None, between: str = " ") -> str:
    """Return a reading of the table, or of A and then of B; what is true of both is said once.

    Parameters
    ----------
    read : callable
        Returns the sentence of a picture.
    p : Picture
    other : Picture or None
        Counts only where it is B.
    between : str
        What stands between the two sentences.
    """
    if other is None or other.name != "B" or read(p) == read(other):
        return read(p)
    return f"A: {read(p)}{between}B: {read(other)}"


def split_reading(p: Picture) -> str:
    """Return what chance alone would give of the agreement, and what the judge earns beyond it."""
    seen, chance, kappa = p.values["accuracy"], p.values["expected_agreement"], p.values["kappa"]
    if math.isnan(seen):
        return f"there is no agreement to split: {p.why('accuracy')}."
    if math.isnan(kappa):
        return f"{p.why('kappa')}, so chance alone gives the whole agreement and leaves nothing to earn: κ is undefined."
    earned, left = seen - chance, 1 - chance
    if abs(earned) < NEAR:
        return f"chance alone would give just the {part(seen)} agreed: the judge earns nothing, and κ is 0.00."
    digits = of_split(seen, chance, kappa, FINEST)
    if digits is None:
        rest = f"of the rest the judge earns κ {_two(p, 'kappa')}"
        return f"chance alone would give nearly all the agreement; {rest}."
    chances, lefts, earns = (_in_points(x, digits) for x in (chance, left, abs(earned)))
    result = words.number(kappa)
    if earned > 0:
        return (
            f"of {part(seen)} agreement chance alone would give {chances} points; κ is the part of the remaining {lefts} that "
            f"the judge earns: {earns} / {lefts} = {result}."
        )
    return (
        f"chance alone would give {chances} points, more than the {part(seen)} agreed; of the remaining {lefts} the judge earns "
        f"less than nothing: κ = {words.MINUS}{earns} / {lefts} = {result}."
    )


def _in_points(share: float, digits: int) -> str:
    """Return a share in points; `digits` are its own decimals as a share, three or more."""
    return f"{100 * share:.{digits - 2}f}".rstrip("0").rstrip(".")


def mosaic_note(p: Picture, chosen: str, *, brief: bool = False) -> str:
    """Return how a table is read, in `brief` on one line; `chosen` is the metric whose cells are lit."""
    if not p.two:
        return f"colour: share of the row · rows: human · columns: judge · outlined: used by {BY_KEY[chosen].symbol}"
    if brief:
        return f"area: count · rows: human · columns: judge · outlined: used by {BY_KEY[chosen].symbol}"
    rows = "rows: human · columns within a row: judge"
    return f"area: count, at least a hairline · {rows} · outlined: used by {BY_KEY[chosen].symbol}"


def lit_cells(key: str, p: Picture) -> str:
    """Return which cells are outlined, for people who do not see it."""
    cells, symbol = worked(key, p).cells, BY_KEY[key].symbol
    if len(cells) == p.counts.size:
        return f"{symbol} uses all {HOW_MANY_CELLS[len(cells)]} cells."
    if p.two:
        return f"{symbol} uses {words.listed([name for place, name in CELL_NAMES.items() if place in cells])}."
    return f"{symbol} uses the {len(cells)} cells in which human and judge give the same label."


def split_note() -> str:
    """Return what chance is."""
    return "grey: agreement by chance alone, at the same label rates · filled: agreement beyond chance"


def bars_note(p: Picture, other: Picture | None, about: Sequence[str] = ()) -> str:
    """Return what the bars are, whose the open marks are, and which of them a lesson is about.

    Parameters
    ----------
    p : Picture
    other : Picture or None
        The one with open marks.
    about : sequence of str
        Keys of metrics.
    """
    notes = [f"the same table in {HOW_MANY[len(p.bars)]} numbers"]
    if about:
        notes.append(f"this lesson needs {words.listed([BY_KEY[key].symbol for key in about])}")
    if other is not None:
        notes.append("bars A, open marks B" if other.name == "B" else f"open marks: {other.name or 'what it is read against'}")
    return " · ".join(notes)


def has_rates(p: Picture) -> bool:
    """Return whether there is a judge that can be carried to another prevalence."""
    return not p.without_rates


def with_rates(p: Picture, other: Picture | None) -> tuple[Picture, Picture | None] | None:
    """Return what the views of a judge's rates are drawn from: B alone where A has none; None where there is nothing to draw."""
    if has_rates(p):
        return p, other
    return (other, None) if other is not None and other.name == "B" and has_rates(other) else None


def lines_note(p: Picture) -> str:
    """Return whose lines they are."""
    if not has_rates(p):
        return "the same judge, however many are " + short_labels(p)[0]
    (tpr, fpr), (positive, negative) = p.rates, short_labels(p)[:2]
    clause = f"finds {part(tpr)} of {positive} (TPR) and {part(1 - fpr)} of {negative} (TNR)"
    return f"the same judge, which {clause}, however many are {positive}"


def lines_reading(p: Picture) -> str:
    """Return κ here, and where the same judge's would be furthest from 0."""
    if not has_rates(p):
        return f"there is no line: {p.without_rates}."
    tpr, fpr = p.rates
    if abs(tpr - fpr) < NEAR:
        return "this judge says the same whatever the human says, so κ is 0 or undefined at every prevalence."
    if min(tpr, 1 - fpr) == 1 or max(tpr, 1 - fpr) == 0:
        verdict = f"never errs, so κ is {words.number(1)}" if tpr == 1 else "always errs, so κ is below 0"
        return f"this judge {verdict} at every prevalence between 0 % and 100 %."
    positive, at, here = short_labels(p)[0], p.values["prevalence"], p.values["kappa"]
    _, extreme = furthest_from_chance(tpr, fpr)
    there = extreme_words(tpr, fpr, positive)
    changed = f"Nothing about the judge changes along the line, only how many are {positive}."
    if math.isnan(here) or math.isnan(at):
        why = f"here, where {part(at)} are {positive}, κ is undefined" if not math.isnan(at) else "the table is empty"
        return f"{why}; the same judge’s κ would be {there}. {changed}"
    now = f"has κ {words.number(here)} here, where {part(at)} are {positive}"
    if words.number(here) == words.number(extreme):
        return f"this judge {now}, and at no other mix a {'higher' if extreme > 0 else 'lower'} one, in two decimals. {changed}"
    return f"the same judge {now}, and would have {there}. {changed}"


def space_heading(p: Picture, other: Picture | None) -> str:
    return "In ROC space: nothing moved" if other is not None and other.name != "B" and _same_point(p, other) else "In ROC space"


def space_reading(p: Picture, other: Picture | None) -> str:
    """Return where the judge lies, and whether that is where it lay before."""
    if other is not None and other.name == "B":
        if _same_point(p, other):
            return f"A and B are on one point, {_place(p)}, {_height(p)}."
        if has_rates(p) and has_rates(other):
            return f"A is at {_place(p)}, {_height(p)}; B at {_place(other)}, {_height(other)}."
        return of_both(_point, p, other)
    if other is None or not has_rates(p) or not has_rates(other):
        return _point(p)
    since = f" since {other.name}" if other.name else ""
    if _same_point(p, other):
        return f"the point did not move{since}: {_place(p)}, {_height(p)}."
    return f"the point moved{since} from {_place(other)} to {_place(p)}, {_height(p)}."


def _point(p: Picture) -> str:
    return f"{_place(p)}, {_height(p)}." if has_rates(p) else f"there is no point: {p.without_rates}."


def _same_point(p: Picture, other: Picture) -> bool:
    return has_rates(p) and has_rates(other) and all(abs(x - y) < NEAR for x, y in zip(p.rates, other.rates, strict=True))


def _place(p: Picture) -> str:
    tpr, fpr = p.rates
    return f"TPR {part(tpr)} and FPR {part(fpr)}"


def _height(p: Picture) -> str:
    tpr, fpr = p.rates
    if abs(tpr - fpr) < NEAR:
        return "on the diagonal, where chance is (J 0.00)"
    return f"{'above' if tpr > fpr else 'below'} the diagonal of chance (J {words.number(tpr - fpr)})"


def bars_reading(p: Picture, other: Picture | None) -> str:
    """Return which coefficients moved, the furthest first, and which did not; alone, between which ends they lie."""
    if not p.n:
        return f"every coefficient is undefined: {p.why('accuracy')}."
    if other is None:
        return f"{_ends(p)}{_undefined(p)}"
    shared = [key for key in p.bars if key in other.bars and not math.isnan(p.values[key] + other.values[key])]
    shared.sort(key=lambda key: -abs(p.values[key] - other.values[key]))
    moved = [key for key in shared if abs(p.values[key] - other.values[key]) >= SAME]
    still = [BY_KEY[key].symbol for key in shared if key not in moved]
    first, second = (p, other) if other.name == "B" else (other, p)
    changes = [f"{BY_KEY[key].symbol} ({_two(first, key)} → {_two(second, key)})" for key in moved]
    if not shared:
        text = "the two tables have no defined coefficient in common"
    elif other.name == "B":
        differ = f"from A to B differ {words.listed(changes)}" if changes else "A and B differ in no coefficient"
        text = f"{differ}; {words.listed(still)} {words.are(len(still))} equal" if still else differ
    else:
        since = f"since {other.name} " if other.name else ""
        text = f"{since}{words.listed(changes)} moved" if changes else f"{since}no coefficient moved"
        text += f"; {words.listed(still)} stayed" if still and changes else ""
    return f"{text}.{_undefined(p)}{_undefined(other) if other.name == 'B' else _newly_defined(p, other)}"


def _newly_defined(p: Picture, other: Picture) -> str:
    """Return those that had no value before and have one now."""
    named = [_named(p, key) for key in p.bars if math.isnan(other.values.get(key, 0.0)) and not math.isnan(p.values[key])]
    return f" Defined now: {words.listed(named)}." if named else ""


def _two(p: Picture, key: str) -> str:
    return words.number(p.values[key])


def _ends(p: Picture) -> str:
    defined = sorted((key for key in p.bars if not math.isnan(p.values[key])), key=lambda key: p.values[key])
    low, high = defined[0], defined[-1]
    if p.values[high] - p.values[low] < SAME:
        return f"every defined coefficient is {_two(p, low)}."
    return f"one table, and its coefficients are between {_named(p, low)} and {_named(p, high)}."


def _named(p: Picture, key: str) -> str:
    return f"{BY_KEY[key].symbol} {_two(p, key)}"


def _undefined(p: Picture) -> str:
    """Return bars without a value, with the reason, each reason once."""
    reasons: dict[str, list[str]] = {}
    for key in p.bars:
        if math.isnan(p.values[key]):
            reasons.setdefault(p.why(key), []).append(BY_KEY[key].symbol)
    of = f" in {p.name}" if p.name in BOTH else ""
    return "".join(f" {words.listed(names)} {words.are(len(names))} undefined{of}: {why}." for why, names in reasons.items())


def differences(a: Picture, b: Picture) -> dict[str, list[str]]:
    """Return columns of a table: what A and B have, and B − A; a column of reasons where something is undefined."""
    keys = [key for key in COMPARED if key in a.values and key in b.values]
    columns = {
        "metric": [a.unit, *(BY_KEY[key].name for key in keys)],
        "A": [words.amount(a.n), *(_valued(a, key) for key in keys)],
        "B": [words.amount(b.n), *(_valued(b, key) for key in keys)],
        "B − A": [_count_difference(b.n - a.n), *(_difference(a, b, key) for key in keys)],
    }
    reasons = ["", *("; ".join(f"{p.name}: {p.why(key)}" for p in (a, b) if p.why(key)) for key in keys)]
    return columns | {"undefined because": reasons} if any(reasons) else columns


def _valued(p: Picture, key: str) -> str:
    record = BY_KEY[key]
    return part(p.values[key]) if record.unit == "%" else words.value(p.values[key], record.unit)


def _difference(a: Picture, b: Picture, key: str) -> str:
    x = b.values[key] - a.values[key]
    return words.points(x) if BY_KEY[key].unit else words.signed(x, 2)


def _count_difference(x: float) -> str:
    text = words.amount(x)
    return f"+{text}" if x > 0 else text


def frame(p: Picture, other: Picture | None = None) -> dict[str, list[object]]:
    """Return columns for a file: the counts as given, then every number with its formula and its declaration."""
    columns: dict[str, list[object]] = {
        name: [] for name in ("table", "human", "judge", "metric", "value", "formula", "undefined_because", "declaration")
    }
    for picture in (p, other):
        if picture is not None:
            for row in _rows(picture):
                for name, cell in zip(columns, row, strict=True):
                    columns[name].append(cell)
    return columns


def _rows(p: Picture) -> list[tuple[object, ...]]:
    size = 3 if p.table.abstains or p.third else 2
    names, header_text = p.words[:size], header(p, whole=True).text()
    called = p.name or "table"
    rows: list[tuple[object, ...]] = [
        (called, names[r], names[c], "count", float(p.table.raw[r, c]), "", "", header_text)
        for r in range(size)
        for c in range(size)
    ]
    for key in (key for key in (*COMPARED, "fpr", "expected_agreement") if key in p.values):
        derivation = worked(key, p)
        rows.append(
            (
                called,
                "",
                "",
                key,
                p.values[key],
                f"{derivation.general} = {derivation.substituted}",
                derivation.reason,
                header_text,
            )
        )
    return rows
