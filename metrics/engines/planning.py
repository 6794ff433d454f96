"""What is counted: which columns tell rows of an item apart, which hold what was said, and which lie above the item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from metrics.data.ratings import Shape
from metrics.readers import propose
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import EACH_ROW
from metrics.readers.proposing import with_doubts_refused
from metrics.readers.table import TextTable
from metrics.readers.wide import wide_columns

KEYS = {
    "pairs": ("criterion", "judge", "rater", "run"),
    "raters": ("criterion", "rater", "role", "run"),
    "wide": ("criterion",),
}
VALUES = {"pairs": ("human", "verdict", "human_score", "score"), "raters": ("label", "score")}
SCORES = ("score", "human_score")


@dataclass(frozen=True)
class Plan:
    """Roles of the columns of a source, as far as a tally keeps them.

    Attributes
    ----------
    shape : "pairs", "raters" or "wide"
    columns : tuple of (role, column)
        All roles that were found, in the words of `propose`.
    fixed_roles : tuple of (role, column)
        What the user said of roles that no column holds.
    item, stamp : str or None
        Columns of the item's id and of the time; None for the item where every row is one of its own.
    keys, values, keep : tuple of str
        Columns.
    is_label : tuple of bool
        Of each of the values, whether it is a label, so that a row without any has none.
    """

    name: str
    shape: Shape
    columns: tuple[tuple[str, str], ...]
    fixed_roles: tuple[tuple[str, str], ...]
    item: str | None
    stamp: str | None
    keys: tuple[str, ...]
    values: tuple[str, ...]
    keep: tuple[str, ...]
    is_label: tuple[bool, ...]

    @property
    def used(self) -> tuple[str, ...]:
        """Every column of a tally but the item's."""
        return tuple(dict.fromkeys((*self.keys, *self.values, *self.keep)))

    @property
    def without(self) -> tuple[str, ...]:
        """Columns that have a role and are in no tally; time has settled which of repeated rows count."""
        roles = (column for role, column in self.columns if role != "timestamp")
        return tuple(column for column in roles if column not in (*self.used, self.item))

    @property
    def scores(self) -> tuple[str, ...]:
        """Columns of numbers beside a label."""
        return tuple(column for role, column in self.columns if role in SCORES and column in self.values)

    def column(self, role: str) -> str | None:
        return dict(self.columns).get(role)

    def kept_columns(self, item: str) -> dict[str, str]:
        """Return roles of the columns of the tally, whose ids of items stand in `item`."""
        kept = {role: column for role, column in self.columns if column in self.used and role != "item"}
        return {"item": item, **kept, **dict(self.fixed_roles)}


def plan_of(head: TextTable, columns: Mapping[str, str] | None, keep: Sequence[str]) -> Plan:
    """Return roles of the columns, found on the first rows.

    Parameters
    ----------
    head : Table
        First rows of the source.
    columns : mapping of role to column, or None
        As `metrics.read` takes it.
    keep : sequence of str
        Columns above the item that the tally keeps.

    Raises
    ------
    InputError
        While a column is in doubt, with the option that settles it; what labels mean is said when the tally is read.
    """
    proposal = propose(head, columns)
    of_columns = tuple(doubt for doubt in proposal.doubts if doubt.about == "columns")
    with_doubts_refused(head, replace(proposal, doubts=of_columns, labels=(), scales_in_doubt=()))
    if proposal.shape == "counts":
        refuse(f"{brief(head.name)} is a table of counts already: read it as it is.")
    for column in keep:
        if column not in head.columns:
            refuse(
                f"{brief(head.name)} has no column ‘{brief(column)}’ to keep. It has: {listed(head.columns, 12)}.", column=column
            )
    roles = dict(proposal.columns)
    keys = tuple(dict.fromkeys(roles[role] for role in KEYS[proposal.shape] if role in roles))
    if proposal.shape == "wide":
        wide = wide_columns(roles)
        # where every column names its own criterion, no row is on another
        keys = keys if any(column.criterion is None for column in wide) else ()
        values = tuple(dict.fromkeys(column.column for column in wide))
        label_flags = (True,) * len(values)
    else:
        is_label_by_column = {roles[role]: role not in SCORES for role in VALUES[proposal.shape] if role in roles}
        values, label_flags = tuple(is_label_by_column), tuple(is_label_by_column.values())
    item = roles.get("item")
    held = {column for _, column in proposal.columns}
    stated = tuple((str(role), str(who)) for role, who in (columns or {}).items() if role not in roles and who not in held)
    return Plan(
        head.name,
        proposal.shape,
        tuple((role, column) for role, column in proposal.columns if column in head.columns),
        stated,
        None if item in (None, EACH_ROW) else item,
        roles.get("timestamp"),
        keys,
        values,
        tuple(column for column in dict.fromkeys(keep) if column not in keys and column not in values and column != item),
        label_flags,
    )
