"""Whether a file leaves anything to ask that would change a number."""

from __future__ import annotations

from metrics.readers.crossing import repeats, with_joint
from metrics.readers.names import CRITERION, EACH_ROW, HUMAN, ITEM, JUDGE, LABEL, SCORE, spaced
from metrics.readers.proposal import Proposal
from metrics.readers.table import TextTable
from metrics.readers.unnamed_columns import beside_item, is_unique_on_each

BY_NAME = {"item": ITEM, "criterion": CRITERION}
"""Roles beside those of the two sides of which a name gives the column away, where no other column has such a name."""


def settled(table: TextTable, proposal: Proposal) -> bool:
    """Return whether a file leaves nothing to ask that would change a number."""
    others = [doubt for doubt in proposal.doubts if doubt.about != "columns" and not doubt.told]
    return bool(proposal.labels) and not others and columns_settled(table, proposal)


def columns_settled(table: TextTable, proposal: Proposal) -> bool:
    """Return whether it is clear what the columns hold.

    A guessed column counts as known where its name fits its role and that of no other column does. A guessed item that stands in
    several rows, without a criterion or a rater that tells them apart, is not known.
    """
    table = with_joint(table, dict(proposal.columns))
    if _item_repeats(table, proposal):
        return False
    if proposal.missing or any(doubt.about == "columns" and doubt.column is not None for doubt in proposal.doubts):
        return False
    return all(
        _known_by_name(table, role, proposal.column(role)) or (role == "item" and _known_by_rows(table, proposal))
        for role in proposal.guessed
    )


def _item_repeats(table: TextTable, proposal: Proposal) -> bool:
    columns = [column for role in ("item", "criterion", "judge", "rater") if (column := proposal.column(role)) is not None]
    return "item" in proposal.guessed and EACH_ROW not in columns and repeats(table, columns)


def _known_by_rows(table: TextTable, proposal: Proposal) -> bool:
    """Return whether the guessed item has one row for each criterion and judge, several in all."""
    column, beside = proposal.column("item"), beside_item(dict(proposal.columns))
    return column is not None and column != EACH_ROW and bool(beside) and is_unique_on_each(table, column, beside)


def _known_by_name(table: TextTable, role: str, column: str | None) -> bool:
    side, _, of_wide = role.partition(":")
    fit = [name for name in table.columns if _fits(side, name)]
    labels = [name for name in fit if LABEL.search(spaced(name)) or SCORE.search(spaced(name))]
    fit = labels if side in ("human", "verdict") and not of_wide and len(fit) > 1 else fit
    return column in fit if of_wide else fit == [column]


def _fits(role: str, name: str) -> bool:
    """Return whether a name fits a role; that of a judge may hold "label" too, as in "judge_label"."""
    words = spaced(name)
    of_judge = JUDGE.search(words) is not None
    if role == "human":
        return HUMAN.search(words) is not None and not of_judge
    if role in ("verdict", "judge"):
        return of_judge
    return role in BY_NAME and BY_NAME[role].search(words) is not None
