"""Pieces that several sections share: a number as cells, why it is undefined, how its interval was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics.analyses.leading import read_first
from metrics.analyses.provenance import basis, header, interval_words
from metrics.analyses.records import Block, JudgeReport
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.report.checklist.contents import ASSOCIATIONS
from metrics.report.material import Material
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.tables import Cell, Format, Table, cell, form_of, with_column, with_ends

NUMBER: Format = "number"
PERCENT: Format = "percent"
RATES = ("precision", "recall", "specificity")
SHOWN = keys_at("report")
"""Numbers of a headline, in reading order; the JSON and the sheet of all numbers hold every other one too."""
OF_SEVERAL = ("baseline_accuracy_by_criterion", "kappa_within")
"""On one criterion they are the number before them."""
BASELINES = ("baseline_accuracy", "baseline_accuracy_by_criterion")
KAPPAS = ("weighted_kappa_quadratic", "kappa", "kappa_within", "weighted_kappa")


def rows_of(numbers: Iterable[tuple[str, str]]) -> list[tuple[str, str, Format]]:
    """Return name, key and format of every number of the catalogue, as the rows of a table take them."""
    forms = ((name, key, form_of(BY_KEY[key])) for name, key in numbers)
    return [(row_name(name, form), key, form) for name, key, form in forms]


def row_name(name: str, form: Format) -> str:
    """Return the name of a row; where its cells are in points it says so."""
    return f"{name}, points" if form == "points" else name


def keys_of(material: Material, block: Block) -> tuple[str, ...]:
    """Return the numbers of a block that the report shows."""
    contents = material.contents
    hidden = {*(() if contents.has("kappa") else KAPPAS), *(() if contents.has("rates") else RATES)}
    hidden |= {"weighted_kappa"} if not contents.has("mode") else set()
    hidden |= {"macro_f1"} if "f1" in block.values else set()
    hidden |= set(OF_SEVERAL) if len(material.declaration.criteria) < 2 else set()
    return tuple(key for key in SHOWN if key in block.values and key not in hidden)


def association_keys(material: Material, block: Block) -> tuple[tuple[str, str], ...]:
    """Return name and key of every association reported: on two labels each name of the one number, on more R_K."""
    if "phi" in block.values:
        return tuple((ASSOCIATIONS[name], "phi") for name in material.contents.associations)
    return (("R_K", "mcc_multiclass"),) if material.contents.associations and "mcc_multiclass" in block.values else ()


def numbers_of(material: Material, block: Block) -> tuple[tuple[str, str], ...]:
    """Return name and key of every number shown, in reading order: associations after the coefficients of the family of κ."""
    keys = keys_of(material, block)
    first = next((place for place, key in enumerate(keys) if key not in ("accuracy", *BASELINES, *KAPPAS)), len(keys))
    named_keys = [(BY_KEY[key].name, key) for key in keys]
    return (*named_keys[:first], *association_keys(material, block), *named_keys[first:])


def notes_of(head: str, reasons: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Return one sentence to a place and a reason, which names the numbers.

    `reasons` has place, reason and symbol of each number.
    """
    symbols: dict[str, list[str]] = {}
    for where, why, symbol in reasons:
        symbols.setdefault(f"{where}{': ' if where else ''}{why}", []).append(symbol)
    return tuple(f"{head}, {why} ({', '.join(group)})." for why, group in symbols.items())


def undefined_notes(blocks: Mapping[str, Block], keys: Iterable[str]) -> tuple[str, ...]:
    """Return why numbers are undefined; keys of `blocks` say where."""
    shown = tuple(dict.fromkeys(keys))
    return notes_of(
        "Undefined",
        (
            (where, block[key].undefined, BY_KEY[key].symbol)
            for where, block in blocks.items()
            for key in shown
            if block[key].undefined
        ),
    )


def interval_notes(blocks: Mapping[str, Block], keys: Iterable[str]) -> tuple[str, ...]:
    """Return what a reader must know of the intervals; keys of `blocks` say where."""
    shown = tuple(dict.fromkeys(keys))
    return notes_of(
        "Interval",
        ((where, block[key].note, BY_KEY[key].symbol) for where, block in blocks.items() for key in shown if block[key].note),
    )


def method_of(material: Material, block: Block, key: str) -> str:
    """Return how the interval of a number was found; empty where it has none.

    Parameters
    ----------
    material : Material
    block : Block
    key : str
        Of the number.
    """
    interval = block[key].interval
    return "" if interval is None or interval.ends is None else interval_words(material.declaration, interval)


def drawn_cells(estimate: Estimate) -> tuple[Cell, float | None, float | None]:
    """Return a value and both ends of its interval, null where there is none, as the rows of a figure have them."""
    return cell(estimate.value), estimate.low, estimate.high


def declaration(material: Material, judge: str) -> str:
    """Return the declaration of a judge's numbers at the level of the headline, for a caption."""
    assert material.agreement is not None
    declaration = header(material.agreement, judge, material.contents.level)
    return f"{declaration.bold} {declaration.rest}"


def based(material: Material, judge: str, *, intervals: bool = True) -> str:
    """Return what `declared` does for a table that holds several levels or criteria, or counts alone.

    Parameters
    ----------
    material : Material
    judge : str
    intervals : bool
        Whether the table has intervals, so that their confidence is said.
    """
    assert material.agreement is not None
    asked = intervals and material.declaration.interval["method"] != "none"
    sentence = f" Intervals {confidence_words(material)}." if asked else " No intervals." if intervals else ""
    return f"{basis(material.agreement, judge)}{sentence}"


def beside_decisions(material: Material, judge: JudgeReport, table: Table, criteria: Sequence[str]) -> tuple[Table, str]:
    """Return a table of criteria with how far a judge agrees on each, and what its caption says of that."""
    record = BY_KEY[read_first(judge)]
    blocks = [judge.criteria.get(name) for name in criteria]
    table = with_column(table, with_ends(record.symbol), (None if block is None else block[record.key] for block in blocks))
    return table, f" {record.symbol} of {words.plain(judge.name)}. {based(material, judge.name)}"


def confidence_words(material: Material) -> str:
    return words.percent(material.declaration.confidence)


def lettered(place: int) -> str:
    """Return a place as letters, for keys: a, b, … z, aa."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
