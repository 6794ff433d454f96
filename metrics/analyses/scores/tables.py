"""Tables of scores: every number of all criteria together, by criterion, option by option, and of item scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import Block
from metrics.analyses.scores.item_scores import Compared
from metrics.analyses.scores.provenance import SIGNED, estimate_text
from metrics.analyses.scores.result import MEAN, JudgeScores
from metrics.results.tables import Cell, Column, Format, Table, by_metric, by_part, form_of, with_column

OPTION: tuple[tuple[str, str, Format], ...] = (
    ("precision", "Precision", "percent"),
    ("recall", "Recall", "percent"),
    ("f1", "F1", "number"),
)
ITEMS: dict[str, Format] = {"bias": "signed", "bias_p": "p"}
"""How numbers of item scores are written that are not written alike."""


def numbers(scores: JudgeScores) -> Table:
    """Return every number of all criteria together, with several beside its mean over them."""
    rows = [(RECORDS[key].name, key, _form(key)) for key in scores.pooled.values]
    table = by_metric("numbers", "", Column("number"), rows, [(Column("all", "number"), scores.pooled)])
    means = (_mean(scores.mean, key) for key in scores.pooled.values)
    return with_column(table, Column(MEAN), means) if len(scores.criteria) > 1 else table


def by_criterion(scores: JudgeScores, keys: Sequence[str], head: str = "criterion", *, whole: bool = False) -> Table:
    """Return numbers of every criterion.

    Parameters
    ----------
    scores : JudgeScores
    keys : sequence of str
        Of the numbers, a column to each.
    head : str
        Of the column of criteria.
    whole : bool
        Of several criteria, those of all together and their mean stand above.
    """
    above = [("All, pooled", scores.pooled), ("Mean over criteria", scores.mean)] if whole and len(scores.criteria) > 1 else []
    rows: list[tuple[Sequence[Cell], Block]] = [((name, block.n), block) for name, block in (*above, *scores.criteria.items())]
    metrics = [(Column(RECORDS[key].symbol, _form(key)), key) for key in keys]
    return by_part("criteria", "", (Column(head), Column("n", "count")), rows, metrics)


def by_option(block: Block) -> Table:
    """Return how often each side gave an option, and the option against all others."""
    scores = block.more.get("per_class", {})
    counts = (
        []
        if block.confusion is None or not scores
        else zip(block.confusion.sum(1).tolist(), block.confusion.sum(0).tolist(), strict=True)
    )
    head = (Column("Option"), Column("Reference", "count"), Column("Judge", "count"))
    rows = tuple(
        (name, reference, judge, *(class_scores[key] for key, *_ in OPTION))
        for (name, class_scores), (reference, judge) in zip(scores.items(), counts, strict=True)
    )
    return Table("options", "", (*head, *(Column(name, form) for _, name, form in OPTION)), rows)


def of_items(named: Iterable[tuple[str, str]], parts: Sequence[tuple[str, Compared]]) -> Table:
    """Return numbers of item scores, by key and name, on some sets of items, by heading and set."""
    rows = [(name, key, ITEMS.get(key, "number")) for key, name in named]
    return by_metric("items", "", Column("Number"), rows, [(Column(head, "number"), items.measures) for head, items in parts])


def _form(key: str) -> Format:
    return "signed" if key in SIGNED else form_of(RECORDS[key])


def _mean(block: Block, key: str) -> str:
    """Return a mean, and over how many criteria where it is not all; empty for a number that has none."""
    if key not in block.values:
        return ""
    defined, of = block[key].of or (0, 0)
    return estimate_text(block, key) + ("" if defined == of else f" ({defined} of {of})")
