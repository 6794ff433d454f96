"""Which column is what: stated by the user, named exactly, or guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from metrics.data.ratings import Shape
from metrics.data.reasons import ROLES as REASONS
from metrics.data.reasons import names_reasons
from metrics.readers.crossing import parts_of
from metrics.readers.messages import brief, listed, refusal, refuse
from metrics.readers.names import EACH_ROW, LABEL, ROLES, exact, fold_name, role_called, spaced
from metrics.readers.proposal import Doubt
from metrics.readers.rater_roles import check_role, role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant

WIDE = ("human:", "judge:", "rater:")
PAIRS = (
    "item",
    "criterion",
    "judge",
    "human",
    "verdict",
    "score",
    "human_score",
    "rater",
    "timestamp",
    "prompt",
    "run",
    "weight",
    "confidence",
)
RATERS = ("item", "criterion", "rater", "label", "role", "score", "timestamp", "prompt", "run", "weight", "confidence")


@dataclass
class Layout:
    """Column roles as far as they are known, and what is in doubt."""

    shape: Shape
    columns: dict[str, str]
    guessed: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def doubt(self, sentence: str, *, column: str | None = None) -> None:
        self.doubts.append(Doubt(sentence, "columns", column=column))

    def lack(self, role: str, sentence: str) -> None:
        """Note a role that the shape needs and no column seems to have."""
        self.missing.append(role)
        self.doubt(sentence)

    def guess(self, role: str, column: str) -> None:
        self.columns[role] = column
        self.guessed.append(role)


@dataclass(frozen=True)
class CheckedColumns:
    """The user's `columns`, checked against the table."""

    columns: dict[str, str]
    roles: dict[str, str]
    none: frozenset[str]
    """Roles that no column has, although one carries the name."""
    other_files: tuple[frozenset[str], ...] = ()
    """Columns of each file that this one is joined with."""
    alike: frozenset[str] = frozenset()
    """Columns that say the same in every row of another file: what is known of the items, rather than labels."""


def check_columns(table: TextTable, columns: Mapping[str, str] | None) -> CheckedColumns:
    """Find the stated columns.

    Raises
    ------
    InputError
        For a role that does not exist, or a column that is not in the file.
    """
    column_by_role: dict[str, str] = {}
    roles: dict[str, str] = {}
    none = set()
    counted = dict(table.merged.columns) if table.merged is not None else {}
    for key, value in (counted | dict(columns or {})).items():
        role = _role(key)
        if role.startswith("role:"):
            roles[role[5:]] = check_role(value, role)
        elif not value:
            none.add(role)
            column_by_role.pop(role, None)
        elif role == "rows":
            column_by_role[role] = check_role(value, role)
        elif role == "item" and value == EACH_ROW:
            column_by_role[role] = EACH_ROW
        else:
            column_by_role[role] = _find(table, str(value))
    if "item" in counted and column_by_role.get("item") != counted["item"]:
        refuse(
            f"{brief(table.name)} is a tally of the items in ‘{brief(counted['item'])}’; no other column names them. "
            "Count its source again with that column.",
            column=counted["item"],
        )
    return CheckedColumns(column_by_role, roles, frozenset(none))


def _role(key: str) -> str:
    folded = role_called(key) or fold_name(key)
    if folded in (*ROLES, *REASONS, "rows"):
        return folded
    head, mark, tail = key.partition(":")
    if mark and tail.strip() and fold_name(head) in ("human", "judge", "rater", "role"):
        return f"{fold_name(head)}:{tail.strip()}"
    known = ", ".join((*ROLES, *REASONS))
    raise refusal(f"‘{brief(key)}’ is no role of a column. Roles: {known}; in a wide table human:NAME and judge:NAME.")


def _find(table: TextTable, name: str) -> str:
    if name in table.columns or parts_of(name, table.columns):
        return name
    alike = [column for column in table.columns if fold_name(column) == fold_name(name)]
    if len(alike) == 1:
        return alike[0]
    raise refusal(f"{brief(table.name)} has no column ‘{brief(name)}’. It has: {listed(table.columns, 12)}.", column=name)


def shape_of(stated: CheckedColumns, named: Mapping[str, list[str]], columns: tuple[str, ...]) -> Shape | None:
    """Return the shape that stated or exact names settle, or None.

    Parameters
    ----------
    stated : CheckedColumns
    named : mapping of role to list of str
        Columns that carry the name of the role.
    columns : tuple of str
        All columns of the table.
    """
    has = {*stated.columns, *(role for role in named if role not in stated.none)}
    if any(role.startswith(WIDE) for role in stated.columns):
        return "wide"
    if "rows" in stated.columns or "n" in stated.columns:
        return "counts"
    if "label" in stated.columns or ("rater" in stated.columns and "human" not in has):
        return "raters"
    if {"human", "judge", "n"} <= has and len(columns) == 3 and "verdict" not in has:
        return "counts"
    if {"human", "verdict"} <= has:
        return "pairs"
    if "rater" in has and "human" not in has and has & {"label", "verdict"}:
        return "raters"
    if {"judge", "verdict"} <= has and not has & {"rater", "role"}:
        return "pairs"
    return "pairs" if {"human", "verdict"} & set(stated.columns) else None


def named_layout(table: TextTable, shape: Shape, stated: CheckedColumns, named: Mapping[str, list[str]]) -> Layout:
    """Return roles from stated and exact names, for the roles that a shape has.

    Parameters
    ----------
    table : Table
    shape : "pairs", "raters", "wide" or "counts"
    stated : CheckedColumns
    named : mapping of role to list of str
        Columns that carry the name of the role.

    Returns
    -------
    Layout
        In doubt about a role whose name several columns carry.
    """
    layout = Layout(shape, dict(stated.columns), roles=dict(stated.roles))
    taken = set(stated.columns.values())
    wanted = {
        "pairs": PAIRS,
        "raters": (*RATERS, "verdict"),
        "wide": ("item", "criterion", "timestamp"),
        "counts": ("human", "judge", "n"),
    }[shape]
    for role in wanted:
        if role in layout.columns or role in stated.none or (shape == "raters" and _settled(role, stated)):
            continue
        hits = [
            column for column in named.get(role, []) if column not in taken and not (role == "label" and _no_label(table, column))
        ]
        if not hits:
            continue
        if len(hits) > 1:
            layout.guess(role, hits[-1])
            layout.doubt(f"{listed(f'‘{hit}’' for hit in hits)} could each be the {role}. Say which.", column=hits[0])
        else:
            layout.columns[role] = hits[0]
    if shape == "raters":
        _one_label(layout)
    return layout


def _no_label(table: TextTable, column: str) -> bool:
    """Return whether a column says the same in every row beside another that may hold the labels and varies: what was asked
    about. The columns of a known format are what they are called.
    """
    if table.format:
        return False
    others = [other for other in table.columns if other != column and LABEL.search(spaced(other))]
    return is_constant(table, column) and any(not is_constant(table, other) for other in others)


def _settled(role: str, stated: CheckedColumns) -> bool:
    """Return whether `label` and `verdict` are one role in a file of raters."""
    other = {"label": "verdict", "verdict": "label"}.get(role)
    return other in stated.columns


def _one_label(layout: Layout) -> None:
    verdict = layout.columns.pop("verdict", None)
    if verdict is None:
        return
    if "label" not in layout.columns:
        layout.columns["label"] = verdict
        layout.guessed = ["label" if role == "verdict" else role for role in layout.guessed]
    else:
        layout.guessed = [role for role in layout.guessed if role != "verdict"]
        if layout.columns["label"] != verdict:
            layout.guessed.append("label")
            layout.doubt(f"‘{layout.columns['label']}’ and ‘{verdict}’ could each hold the label. Say which.", column=verdict)


def exact_names(table: TextTable) -> dict[str, list[str]]:
    """Return role -> columns that carry its name.

    `human_score` beside `gpt4_score` and a third column of a rater is a label as they are, and no number beside a label, unless
    both labels have their names.
    """
    named = exact(table.columns)
    if "human_score" in named and "score" not in named and not {"human", "verdict"} <= named.keys():
        theirs = [column for column in table.columns if role_of_column(column) and not names_reasons(column)]
        if len(theirs) > 2 and any(
            fold_name(column).endswith("_score") for column in theirs if column not in named["human_score"]
        ):
            del named["human_score"]
    return named


def free_columns(table: TextTable, layout: Layout) -> list[str]:
    """Return columns that have no role yet, and are no part of one that has."""
    taken = {part for name in layout.columns.values() for part in (name, *parts_of(name, table.columns))}
    return [column for column in table.columns if column not in taken]


def choose_words(table: TextTable, role: str) -> str:
    """Return how a role is given to a column."""
    return f"Name it ‘{role}’, or choose one of {listed(table.columns, 8)}."
