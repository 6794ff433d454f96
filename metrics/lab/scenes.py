"""All that a picture of the lab rests on, as it stands in an address: a step or a table of one's own, beside another or alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metrics.abstention import MODES, Mode
from metrics.errors import InputError
from metrics.lab.lessons import STEPS, Step, against
from metrics.lab.pictures import BARS, BARS_OF_THREE, UNITS, Picture
from metrics.lab.tables import MOST, WORDS, Table, read
from metrics.lab.tasks import TASKS_BY_KEY
from metrics.words import shorten

KEYS = tuple(f"lab_{name}" for name in ("step", "a", "b", "mode", "lit", "words", "task", "unit", "left"))
STEP, A, B, MODE, LIT, NAMES, TASK, UNIT, LEFT = KEYS
FIRST = next(iter(STEPS))
ALONE = "none"
"""What stands for B where the step has a second table and the picture has none."""
JOINT = "~"


@dataclass(frozen=True)
class Scene:
    """What is drawn.

    Attributes
    ----------
    step : str
        Key of the step it began with; empty for a table from elsewhere.
    a, b : Table
        The table, and the one beside it.
    lit : str
        Metric whose cells are lit.
    words : tuple of 3 str
        Names of the positive label, the negative one, and of "no verdict".
    task : str
        Key of the task in view; empty for none.
    unit : str
        What is counted: one of `UNITS`.
    left : int
        How many of them were left out before table A was made.
    """

    step: str
    a: Table
    b: Table | None = None
    mode: Mode = "exclude"
    lit: str = "kappa"
    words: tuple[str, ...] = WORDS
    task: str = ""
    unit: str = UNITS[0]
    left: int = 0

    @property
    def origin(self) -> Step | None:
        return STEPS.get(self.step)

    @property
    def custom(self) -> bool:
        """Whether somebody has touched what the step shows."""
        own = self.origin
        return own is None or (self.a, self.b, self.mode) != (own.table, own.beside, own.mode)

    @property
    def picture(self) -> Picture:
        return Picture(self.a, self.mode, "A" if self.b is not None else "", self.words, self.unit, self.left)

    @property
    def other(self) -> Picture | None:
        """Table B, or what the picture is compared with: the step before, or the step a table of one's own began with."""
        if self.b is not None:
            return Picture(self.b, self.mode, "B", self.words, self.unit, self.left if self.b == self.a else 0)
        own = self.origin
        if own is None:
            return None
        return Picture(own.table, own.mode, f"step {own.key}", self.words) if self.custom else against(own.key, self.words)

    @property
    def abstains(self) -> bool:
        return self.a.abstains or (self.b is not None and self.b.abstains)

    @property
    def recoded(self) -> bool:
        """Whether abstentions became negative before there was a table: no other mode can be made of it."""
        return self.mode == "as_unmet" and not self.abstains

    def with_table(self, table: Table, *, second: bool = False) -> Scene:
        """With another table; nothing was left out before one that is made by hand, and a mode ends with the last abstention."""
        same = (table.decided, table.silent) == (self.a.decided, self.a.silent)
        new = replace(self, b=table) if second else replace(self, a=table, left=self.left if same else 0)
        return replace(new, mode="exclude") if new.recoded and not self.recoded else new

    def address(self) -> dict[str, str]:
        """As few parameters as say it whole."""
        own = at_step(self.step) if self.step else Scene("", self.a)
        told = {A: self.a.text()} if self.a != own.a or not self.step else {}
        if self.step and (told or self.step != FIRST):
            told[STEP] = self.step
        if self.b != own.b:
            told[B] = self.b.text() if self.b is not None else ALONE
        choices = ((MODE, self.mode, own.mode), (LIT, self.lit, own.lit), (TASK, self.task, ""), (UNIT, self.unit, own.unit))
        for key, chosen, start in (*choices, (LEFT, str(self.left), str(own.left))):
            if chosen != start:
                told[key] = chosen
        if self.words != WORDS:
            told[NAMES] = JOINT.join(self.words)
        return told


def at_step(key: str, task: str = "") -> Scene:
    """A step of a lesson as it begins."""
    own = STEPS[key]
    return Scene(own.key, own.table, own.beside, own.mode, own.lit, task=task)


def from_address(told: Mapping[str, str]) -> Scene:
    """The picture of a link.

    Raises
    ------
    InputError
        Naming what the link says that there is not.
    """
    key = told.get(STEP) or ("" if A in told else FIRST)
    if key and key not in STEPS:
        raise InputError(f"This link points to step ‘{shorten(key)}’, which no lesson has. The lessons begin at step {FIRST}.")
    scene = at_step(key) if key else Scene("", read(told[A]))
    changes: dict[str, Any] = {"step": key, "mode": _one_of(told, MODE, MODES, scene.mode)}
    changes |= {
        "lit": _one_of(told, LIT, (*BARS, *BARS_OF_THREE), scene.lit),
        "task": _one_of(told, TASK, ("", *TASKS_BY_KEY), ""),
        "unit": _one_of(told, UNIT, UNITS, scene.unit),
        "left": _left(told.get(LEFT, "0")),
    }
    if A in told:
        changes["a"] = read(told[A])
    if B in told:
        changes["b"] = None if told[B] == ALONE else read(told[B])
    if NAMES in told:
        changes["words"] = words_of(told[NAMES].split(JOINT))
    return replace(scene, **changes)


def words_of(labels: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Names of the two labels and of "no verdict"; those of the lab where there are none."""
    given = [shorten(label).replace(JOINT, " ") for label in labels]
    return tuple(given[i] if i < len(given) and given[i] else WORDS[i] for i in range(len(WORDS)))


def _left(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[: len(str(MOST)) + 1]) <= MOST):
        raise InputError(f"This link leaves out ‘{shorten(text)}’. Write a number from 0 to {MOST}.")
    return int(text)


def _one_of(told: Mapping[str, str], key: str, known: tuple[Any, ...], start: Any) -> Any:
    wanted = told.get(key, start)
    if wanted not in known:
        raise InputError(f"This link asks for {key} ‘{shorten(wanted)}’, which the lab does not have.")
    return wanted
