"""All that a picture of the lab rests on, as it stands in an address: a step or a table of one's own, beside another or alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from metrics.analyses.provenance import mode_words
from metrics.content.lab.lessons import BLIND, EVEN, STEPS, Step, against, step_name
from metrics.content.lab.pictures import BARS, BARS_OF_THREE, UNITS, Picture, Source
from metrics.content.lab.tables import BETWEEN, FULL_SCALE, MOST, WORDS, ConfusionTable, read
from metrics.content.lab.tasks import TASKS_BY_KEY
from metrics.data.abstention import MODES, Mode
from metrics.errors import InputError
from metrics.results.words import count, shorten

KEYS = tuple(f"lab_{name}" for name in ("step", "a", "b", "mode", "lit", "words", "task", "unit", "left", "from"))
STEP, A, B, MODE, LIT, NAMES, TASK, UNIT, LEFT, FROM = KEYS
FIRST = next(iter(STEPS))
TOPS = "lab_top"
"""How far the sliders of counts reach, of A and of B; not a part of the picture."""
FORMER: dict[str, tuple[str, ConfusionTable, ConfusionTable | None]] = {
    "1a": ("asleep", EVEN, None), "1b": ("asleep", BLIND, None),
    "1c": ("chance", ConfusionTable((250, 250, 250, 250)), None),
    "1d": ("chance", ConfusionTable((5, 95, 95, 1805)), None),
    "1e": ("minus", EVEN, BLIND), "1f": ("kappa", EVEN, BLIND),
}  # fmt: skip
"""Steps that older addresses name: the step that tells the same now, and the tables that stood there."""
ALONE = "none"
"""What stands for B where the step has a second table and the picture has none."""
JOINT = "~"


@dataclass(frozen=True)
class Scene:
    """What is drawn.

    Attributes
    ----------
    step : str
        Key of the step it began with, or from which the task was taken; empty for a table from elsewhere.
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
    source : Source or None
        Where table A came from, if it came from a page. An address has only a key of it, which says nothing elsewhere.
    """

    step: str
    a: ConfusionTable
    b: ConfusionTable | None = None
    mode: Mode = "exclude"
    lit: str = "kappa"
    words: tuple[str, ...] = WORDS
    task: str = ""
    unit: str = UNITS[0]
    left: int = 0
    source: Source | None = None

    @property
    def origin(self) -> Step | None:
        return STEPS.get(self.step)

    @property
    def custom(self) -> bool:
        """Whether somebody has touched what the step shows."""
        step = self.origin
        return step is None or (self.a, self.b, self.mode) != (step.table, step.second_table, step.mode)

    @cached_property
    def picture(self) -> Picture:
        # A and B may have changed places, and then nothing is known of A.
        source = self.source if self.b is None or not self._came(self.b) or self._came(self.a) else None
        name, touched = "A" if self.b is not None else "", not self._came(self.a)
        return Picture(self.a, self.mode, name, self.words, self.unit, self.left, self.abstains, source, touched)

    @cached_property
    def other(self) -> Picture | None:
        """Table B, or what the picture is compared with: the step before, or the step a table of one's own began with.

        Nothing where a task is in hand: its table is not the step's it was taken from.
        """
        if self.b is not None:
            left, source = self.left if self.b == self.a else 0, self.source if self._came(self.b) else None
            return Picture(self.b, self.mode, "B", self.words, self.unit, left, self.abstains, source)
        step = self.origin
        if step is None or self.task:
            return None
        return Picture(step.table, step.mode, step_name(step.key), self.words) if self.custom else against(step.key, self.words)

    def _came(self, table: ConfusionTable) -> bool:
        """Return whether a table is the one that came from a page."""
        return self.source is not None and self.source.is_of(table, self.mode)

    @property
    def abstains(self) -> bool:
        return self.a.abstains or (self.b is not None and self.b.abstains)

    @property
    def recoded(self) -> bool:
        """Whether abstentions became negative before there was a table: no other mode can be made of it."""
        return self.mode == "as_unmet" and not self.abstains

    def with_table(self, table: ConfusionTable, *, second: bool = False) -> Scene:
        """Return the scene with another table.

        Nothing was left out before one that is made by hand, and a mode ends with the last abstention.
        """
        same = (table.confusion_counts, table.silent) == (self.a.confusion_counts, self.a.silent)
        new = replace(self, b=table) if second else replace(self, a=table, left=self.left if same else 0)
        return replace(new, mode="exclude") if new.recoded and not self.recoded else new

    def address(self) -> dict[str, str]:
        """Return as few parameters as say it whole."""
        scene = at_step(self.step) if self.step else Scene("", self.a)
        parameters = {A: self.a.text()} if self.a != scene.a or not self.step else {}
        if self.step and (parameters or self.step != FIRST):
            parameters[STEP] = self.step
        if self.b != scene.b:
            parameters[B] = self.b.text() if self.b is not None else ALONE
        choices = (
            (MODE, self.mode, scene.mode),
            (LIT, self.lit, scene.lit),
            (TASK, self.task, ""),
            (UNIT, self.unit, scene.unit),
        )
        for key, chosen, start in (*choices, (LEFT, str(self.left), str(scene.left))):
            if chosen != start:
                parameters[key] = chosen
        if self.source is not None:
            parameters[FROM] = self.source.key
        if self.words != WORDS:
            parameters[NAMES] = JOINT.join(self.words)
        return parameters


def treated(scene: Scene) -> str:
    """Return what became of the abstentions of a table that comes from a page; nothing where it does not say whether there were
    any.
    """
    if not scene.abstains and scene.mode != "as_unmet":
        return "" if scene.left else "no abstentions"
    return mode_words(scene.mode, scene.words[1])


def at_step(key: str) -> Scene:
    """Return a step of a lesson as it begins."""
    step = STEPS[key]
    return Scene(step.key, step.table, step.second_table, step.mode, step.lit)


def _former(key: str) -> Scene:
    """Return what an older address showed, beside the step that tells it now."""
    step, a, b = FORMER[key]
    return replace(at_step(step), a=a, b=b)


def from_address(parameters: Mapping[str, str]) -> Scene:
    """Return the picture of a link.

    Raises
    ------
    InputError
        Naming what the link says that there is not, a sentence for each parameter, and what may stand there.
    """
    key = parameters.get(STEP) or ("" if A in parameters else FIRST)
    scene = _former(key) if key in FORMER else at_step(key if key in STEPS else FIRST)
    key = scene.step if key in FORMER else key
    if not key:
        scene = Scene("", scene.a)
    metrics = tuple(dict.fromkeys((*BARS, *BARS_OF_THREE)))
    readers: dict[str, Callable[[], Any]] = {
        "step": lambda: key and _one_of(key, "the step", tuple(STEPS), f"one of {', '.join(STEPS)}"),
        "a": lambda: read(parameters[A], "table A") if A in parameters else scene.a,
        "b": lambda: scene.b if B not in parameters else None if parameters[B] == ALONE else read(parameters[B], "table B"),
        "mode": lambda: _one_of(parameters.get(MODE, scene.mode), "what a missing verdict counts as", MODES),
        "lit": lambda: _one_of(parameters.get(LIT, scene.lit), "the metric", metrics),
        "words": lambda: words_of(parameters[NAMES].split(JOINT)) if NAMES in parameters else scene.words,
        "task": lambda: (parameters.get(TASK) or "") and _one_of(parameters[TASK], "the task", tuple(TASKS_BY_KEY)),
        "unit": lambda: _one_of(parameters.get(UNIT, scene.unit), "what is counted", UNITS),
        "left": lambda: _number(parameters.get(LEFT, "0"), "how many were left out", 0),
        TOPS: lambda: read_tops(parameters.get(TOPS, "")),
    }
    value_by_field: dict[str, Any] = {}
    refused: list[str] = []
    for name, reader in readers.items():
        try:
            value_by_field[name] = reader()
        except InputError as error:
            refused.append(str(error))
    if refused:
        raise InputError(" ".join(refused))
    del value_by_field[TOPS]
    return Scene(**value_by_field)


def read_tops(text: str) -> list[int]:
    """Return how far the sliders of a link reach; none where it does not say.

    Raises
    ------
    InputError
        For what is no whole number that a slider can reach to.
    """
    parts = text.split(BETWEEN)[:2] if text else []
    return [_number(part, "how far the sliders reach", FULL_SCALE) for part in parts]


def words_of(labels: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return names of the two labels and of "no verdict"; those of the lab where there are none."""
    given = [shorten(label).replace(JOINT, " ") for label in labels]
    return tuple(given[i] if i < len(given) and given[i] else WORDS[i] for i in range(len(WORDS)))


def _number(text: str, what: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text[: len(str(MOST)) + 1]) <= MOST):
        allowed = f"write a whole number from {count(least)} to {count(MOST)}"
        raise InputError(f"‘{shorten(text)}’ cannot be {what}: {allowed}.")
    return int(text)


def _one_of(wanted: str, what: str, known: Sequence[str], allowed: str = "") -> str:
    if wanted not in known:
        allowed = allowed or f"{', '.join(known[:-1])} or {known[-1]}"
        raise InputError(f"‘{shorten(wanted)}’ cannot be {what}: write {allowed}.")
    return wanted
