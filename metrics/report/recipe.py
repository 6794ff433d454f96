"""Everything a report rests on beside the bytes of its file: read them the same way, choose the same, get the same digits."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from metrics.analyses.ensembles.panel import with_panel
from metrics.analyses.ensembles.runs import majority_of_runs
from metrics.analyses.settings import Settings, settings_of
from metrics.data.nonverdicts import handling_of
from metrics.data.pairs import reference_name
from metrics.data.part import counted
from metrics.data.ratings import Panel, Ratings, named_judges
from metrics.data.read_options import DEFAULT, LISTED, OPTIONAL, OPTIONAL_LISTED, PAIRED, ReadOptions
from metrics.data.references import AUTO
from metrics.errors import InputError
from metrics.readers import read_as

MAJORITY = "majority"
JUNK = "The report contains no usable recipe. Use a report.json that this program wrote, unchanged."


@dataclass(frozen=True)
class PanelMade:
    """A judge that was put together from others; see `metrics.with_panel`."""

    name: str
    rule: str
    judges: tuple[str, ...]
    quorum: int

    @classmethod
    def of(cls, panel: Panel) -> PanelMade:
        return cls(panel.name, panel.rule, panel.judges, panel.quorum)


@dataclass(frozen=True)
class Recipe:
    """How a file was read, what was made of its judges, and every choice of `metrics.agreement`, settled.

    Attributes
    ----------
    file, sha256 : str
        Name and digest of the file.
    reading : HowRead
    runs : str
        `majority` where the verdict is that of most runs; else the first run counts.
    panels : tuple of PanelMade
    abstention, reference, judges, item_rule, threshold, weights, cost, interval, unit, replicates, confidence, seed, handling
        As in `metrics.agreement`; `seed` is its `rng`.
    """

    file: str
    sha256: str
    reading: ReadOptions = DEFAULT
    runs: str = ""
    panels: tuple[PanelMade, ...] = ()
    abstention: str = "exclude"
    reference: str = "auto"
    judges: tuple[str, ...] = ()
    item_rule: str = "all"
    threshold: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    cost: tuple[tuple[float, ...], ...] | None = None
    interval: str = "auto"
    unit: str = "item"
    replicates: int = 2000
    confidence: float = 0.95
    seed: int = 0
    handling: Mapping[str, str] = field(default_factory=dict)

    def choices(self) -> dict[str, Any]:
        """Return what `metrics.agreement` takes beside the ratings."""
        choices = {name: getattr(self, name) for name in CHOICES if name != "seed"}
        return choices | {"rng": self.seed}

    def read(self, source: Any) -> Ratings:
        """Return the ratings of a file with the same contents.

        Raises
        ------
        InputError
            Where the file cannot be read as it was.
        """
        ratings = read_as(source, self.reading, self.file or None)
        if self.runs == MAJORITY:
            ratings = majority_of_runs(ratings)
        for panel in self.panels:
            ratings = with_panel(ratings, panel.rule, panel.judges, quorum=panel.quorum, name=panel.name)
        return ratings

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready, as `from_dict` takes it."""
        panels = [asdict(panel) | {"judges": list(panel.judges)} for panel in self.panels]
        choices = {name: getattr(self, name) for name in CHOICES}
        cost = None if self.cost is None else [list(row) for row in self.cost]
        choices |= {"judges": list(self.judges), "weights": dict(self.weights), "cost": cost, "handling": dict(self.handling)}
        return {
            "file": self.file,
            "sha256": self.sha256,
            "reading": reading_dict(self.reading),
            "runs": self.runs,
            "panels": panels,
            "choices": choices,
        }

    @classmethod
    def from_dict(cls, recipe_dict: Any) -> Recipe:
        """Return the recipe that `to_dict` wrote.

        Raises
        ------
        InputError
            For anything else: a part that is missing, unknown or of another kind.
        """
        try:
            recipe = cls(
                file=_text(recipe_dict["file"]),
                sha256=_text(recipe_dict["sha256"]),
                reading=reading_of(recipe_dict["reading"]),
                runs=_text(recipe_dict["runs"]),
                panels=tuple(_panel(panel) for panel in recipe_dict["panels"]),
                **_choices(recipe_dict["choices"]),
            )
            same = json.dumps(recipe.to_dict(), sort_keys=True) == json.dumps(recipe_dict, sort_keys=True)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
            raise InputError(JUNK) from None
        if not same or recipe.runs not in ("", MAJORITY):
            raise InputError(JUNK)
        return recipe


CHOICES = tuple(
    recipe_field.name
    for recipe_field in fields(Recipe)
    if recipe_field.name not in ("file", "sha256", "reading", "runs", "panels")
)


def recipe_of(ratings: Ratings, **choices: Any) -> Recipe:
    """Return the recipe that gives these ratings and these choices of `metrics.agreement` again.

    Every choice is settled: what is left to a default, or to the file, stands in the recipe as it was taken.

    Raises
    ------
    InputError
        For choices that `metrics.agreement` refuses, and for a random generator in the place of a seed.
    """
    if not (ratings.humans and ratings.judges):
        return _among_raters(ratings, **choices)
    part, reference = counted(ratings) or ratings, reference_name(ratings, choices.get("reference", AUTO))
    judges = _judges(ratings, choices.pop("judges", None))
    there = [name for name in judges if name in part.judges]
    settings = settings_of(part, **choices, judges=there or None, scores=True)
    return replace(_of_settings(ratings, settings), judges=judges, reference=reference)


def _judges(ratings: Ratings, given: Any) -> tuple[str, ...]:
    """Return those asked for, else all of the file, also one that rated other criteria than those counted in one table."""
    return named_judges(ratings, given or ratings.judges)


def _among_raters(ratings: Ratings, **choices: Any) -> Recipe:
    """Return the recipe of a file in which no judge met a human: what agreement among its raters takes, and nothing else."""
    taken = {name: choices.pop(name) for name in ("abstention", "interval", "confidence") if name in choices}
    handling = handling_of(choices.pop("handling", None), ratings.scheme, taken.get("abstention", "exclude"))
    if any(value is not None for value in choices.values()):
        settings_of(ratings, **choices)
    settings = Settings(**taken, handling=handling)
    return _of_settings(ratings, settings)


def _of_settings(ratings: Ratings, settings: Settings) -> Recipe:
    if not isinstance(settings.seed, int):
        raise InputError("A report can be made again only from a seed. Give a whole number, not a generator.")
    source, choices = ratings.source, settings.keywords()
    return Recipe(
        file=source.name,
        sha256=source.sha256,
        reading=source.how,
        runs=source.runs if source.runs == MAJORITY else "",
        panels=tuple(map(PanelMade.of, source.panels)),
        seed=choices.pop("rng"),
        **choices,
    )


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given


def _whole(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError
    return given


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise TypeError
    return given


def _texts(given: Any) -> tuple[str, ...]:
    return tuple(map(_text, given))


def _pairs(given: Any) -> tuple[tuple[str, str], ...]:
    return tuple((_text(key), _text(value)) for key, value in given.items())


def reading_dict(how: ReadOptions) -> dict[str, Any]:
    """Return how a file was read, JSON-ready, as `reading_of` takes it."""
    reading = {name: value for name, value in asdict(how).items() if value or name not in (*OPTIONAL, *OPTIONAL_LISTED)}
    lists = [name for name in (*LISTED, *OPTIONAL_LISTED) if name in reading]
    return reading | {name: dict(reading[name]) for name in PAIRED} | {name: list(reading[name]) for name in lists}


def reading_of(content: Any) -> ReadOptions:
    """Return what `reading_dict` wrote.

    Raises
    ------
    KeyError, TypeError, AttributeError
        For anything else.
    """
    if not isinstance(content["skip_bad_rows"], bool):
        raise TypeError
    options: dict[str, Any] = {name: _text(content[name]) for name in ("delimiter", "encoding", "sheet")}
    options |= {name: _pairs(content[name]) for name in PAIRED} | {name: _texts(content[name]) for name in LISTED}
    options |= {name: _text(content[name]) for name in OPTIONAL if name in content}
    options |= {name: _texts(content[name]) for name in OPTIONAL_LISTED if name in content}
    return ReadOptions(skip_bad_rows=content["skip_bad_rows"], **options)


def _panel(panel_dict: Any) -> PanelMade:
    return PanelMade(
        _text(panel_dict["name"]), _text(panel_dict["rule"]), _texts(panel_dict["judges"]), _whole(panel_dict["quorum"])
    )


def _choices(choices_dict: Any) -> dict[str, Any]:
    threshold, cost = choices_dict["threshold"], choices_dict["cost"]
    return {
        **{name: _text(choices_dict[name]) for name in ("abstention", "reference", "item_rule", "interval", "unit")},
        **{name: _whole(choices_dict[name]) for name in ("replicates", "seed")},
        "judges": _texts(choices_dict["judges"]),
        "threshold": None if threshold is None else _number(threshold),
        "weights": {_text(name): _number(weight) for name, weight in choices_dict["weights"].items()},
        "cost": None if cost is None else tuple(tuple(map(_number, row)) for row in cost),
        "confidence": _number(choices_dict["confidence"]),
        "handling": dict(_pairs(choices_dict["handling"])),
    }
