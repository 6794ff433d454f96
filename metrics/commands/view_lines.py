"""A view of the dashboard as lines to type: Python, and a command where one does the same.

A view is a call of the package. What it leaves to a default is not written, and the options of a command are those whose
name is that of the keyword: no list of names stands between the two.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

import click

import metrics
from metrics.analyses.comparison.joining import read_second
from metrics.analyses.settings import DRAWN, Settings, settings_of
from metrics.asker import answering, flag, literal, shell
from metrics.commands.cli import MODULE, commands
from metrics.data.filtering import only_where
from metrics.data.ratings import Panel, Ratings
from metrics.data.read_options import DEFAULT, ReadOptions
from metrics.readers.read_lines import command_line, completed, files_of, is_plain, python_line

SEVERAL = "…"
"""Ends the placeholder of an option whose values stand between commas; others are repeated."""
NOTHING = "none"
"""What says on the command line that a list is empty."""
SECOND = "file2"
"""The parameter of a command that takes a second file beside the first."""


@dataclass(frozen=True)
class Name:
    """What stands in a call as it is: a variable, or a part of one."""

    text: str


RATINGS = Name("ratings")


@dataclass(frozen=True)
class Call:
    """A call of the package.

    Attributes
    ----------
    function : str
        As `metrics` offers it, or with its module: "metrics.analyses.settings.settings_of".
    choices : mapping of keyword to value
        Values may be calls.
    arguments : tuple
        What stands before the keywords.
    name : str
        The variable that its result gets; empty where the call stands in another.
    part : str
        What is taken of the result; see `path`.
    """

    function: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[Any, ...] = (RATINGS,)
    name: str = ""
    part: str = ""

    def settled(self) -> dict[str, Any]:
        """Return the choices that differ from the defaults of the function."""
        known = _parameters(self.function)
        return {name: value for name, value in self.choices.items() if not _same(value, known[name].default)}


@dataclass(frozen=True)
class View:
    """A call with the number of its result that a page shows first.

    Attributes
    ----------
    number : str
        Where it is in the result; see `path`. Empty where the whole result is shown, and where it is the result.
    estimate : bool
        Whether the number has an interval.
    command : str
        Name of the command that does the same; by default the one called like the function, if there is one.
    file : str
        For what is written: the name of the file.
    options : mapping of name to value
        Of the command, in the place of choices that are calls.
    """

    call: Call
    number: str = ""
    estimate: bool = True
    command: str = ""
    file: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Reading:
    """Where the ratings of a view come from.

    Attributes
    ----------
    file : Ratings
        As they were read.
    view : Ratings
        Those in view: of some criteria, with panels of judges, with answers handled in another way.
    files : tuple of str
        Where the files lie; default their names.
    """

    file: Ratings
    view: Ratings
    files: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return self.files or files_of(self.file.source)

    @property
    def how(self) -> ReadOptions:
        """What has to be said to read the criteria in view."""
        how = completed(self.file)
        return how if self.view.criteria == self.file.criteria else replace(how, criteria=self.view.criteria)

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(panel for panel in self.view.source.panels if panel not in self.file.source.panels)

    @property
    def handling(self) -> dict[str, str]:
        return {str(kind): str(how) for kind, how in self.view.scheme.handling}


def path(*steps: str | list[Any]) -> str:
    """Return a place in a result, `.judges["gpt-4o"].micro["kappa"]`: an attribute for a text, a key for a list of one."""
    return "".join(f".{step}" if isinstance(step, str) else f"[{literal(step[0])}]" for step in steps)


def chosen(function: str, settings: Settings | None, ratings: Ratings, **own: Any) -> Call:
    """Return the call of a function under settings, as far as it takes them, and under choices of its own.

    Parameters
    ----------
    function : str
    settings : Settings or None
        None where it takes none but how ties, invalid answers and failed calls are handled.
    ratings : Ratings
        Those in view.
    own
        Further choices, or others than those of the settings.
    """
    known = _parameters(function)
    return Call(function, {name: value for name, value in _choices(settings, ratings).items() if name in known} | own)


def weights_to_say(weights: Mapping[str, float], ratings: Ratings) -> dict[str, float] | None:
    """Return weights where they are others than those of the file, without those that weigh 1 unsaid; else None."""
    of_file = ratings.rubric_weights
    given, usual = ({name: own.get(name, 1.0) for name in ratings.criteria} for own in (weights, of_file))
    return None if given == usual else {name: own for name, own in given.items() if own != 1 or name in of_file}


def python_text(views: Sequence[View], reading: Reading | None) -> str:
    """Return Python that makes the views from the file, ready to run.

    Parameters
    ----------
    views : sequence of View
    reading : Reading or None
        None where no file is behind them.
    """
    with answering("python"):
        script = _Script()
        if reading is not None:
            _read(script, reading, views)
        for view in views:
            script.add(view)
        return script.text()


def command_text(views: Sequence[View], reading: Reading | None) -> str:
    """Return the commands that print the same, a line each; empty where one of the views has none."""
    lines = [_command(view, reading) for view in views]
    return "\n".join(lines) if all(lines) else ""


def _choices(settings: Settings | None, ratings: Ratings) -> dict[str, Any]:
    """Return what differs from the usual for these ratings, by the names under which functions take it."""
    handling = {str(kind): str(how) for kind, how in ratings.scheme.handling}
    if settings is None:
        return {"handling": handling} if handling else {}
    usual = settings_of(ratings, scores=True)
    given, left = settings.keywords(), usual.keywords()
    given["judges"] = given["judges"] or left["judges"]
    given["weights"], left["weights"] = weights_to_say(given["weights"], ratings), None
    given["handling"], left["handling"] = handling, {}
    drawn = settings.interval in DRAWN
    return {
        name: list(value) if name == "judges" else value
        for name, value in given.items()
        if value != left[name] and (drawn or name not in ("replicates", "rng"))
    }


def _parameters(function: str) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function; choices that it passes on are those of `metrics.agreement`."""
    module, dot, name = function.rpartition(".")
    parameters = inspect.signature(getattr(importlib.import_module(module) if dot else metrics, name)).parameters
    passed_on = any(own.kind is inspect.Parameter.VAR_KEYWORD for own in parameters.values())
    return {**_parameters("agreement"), **parameters} if passed_on else parameters


def _same(value: object, default: object) -> bool:
    """Return whether a choice is the default; what a function asks for has none."""
    return type(value) is type(default) and value == default


class _Script:
    """Lines of Python, with the imports they need."""

    def __init__(self) -> None:
        self.imports: dict[str, set[str]] = {}
        self.lines: list[str] = []

    def text(self) -> str:
        """Return the imports, those of others first, and the lines."""
        modules = sorted(self.imports.items(), key=lambda own: (own[0].startswith("metrics"), own[0]))
        imports = [
            f"from {module} import {', '.join(sorted(names))}" if names else f"import {module}" for module, names in modules
        ]
        return "\n".join([*imports, "", *self.lines])

    def add(self, view: View) -> None:
        """Add a view: its call, and what is printed of it."""
        if view.file:
            self.function("pathlib.Path")
            self.lines.append(f"Path({literal(view.file)}).write_bytes({self.written(view.call)})")
            return
        name = view.call.name or "report"
        self.lines += [""] * bool(self.lines and self.lines[-1].startswith("print("))
        if not view.number:
            whole = self.written(replace(view.call, name=name if view.estimate else "number"))
            self.lines.append(f"print({whole}.summary())" if view.estimate else f"print({whole})")
            return
        self.lines.append(f"number = {self.written(replace(view.call, name=name))}{view.number}")
        self.lines.append(f"print({'number.value, number.ends' if view.estimate else 'number'})")

    def written(self, value: object) -> str:
        """Return a value as it stands in a call; a call with a name becomes a line of its own before."""
        if isinstance(value, Name):
            return value.text
        if not isinstance(value, Call):
            return literal(value)
        inside = [self.written(argument) for argument in value.arguments]
        inside += [f"{name}={self.written(own)}" for name, own in value.settled().items()]
        made = f"{self.function(value.function)}({', '.join(inside)})"
        if value.name:
            self.lines.append(f"{value.name} = {made}")
            made = value.name
        return f"{made}{value.part}"

    def function(self, function: str) -> str:
        """Return how a function is called, and take down what has to be imported for it."""
        module, dot, name = function.rpartition(".")
        self.imports.setdefault(module or "metrics", set()).update([name] if dot else [])
        return name if dot else f"metrics.{name}"


def _read(script: _Script, reading: Reading, views: Sequence[View]) -> None:
    """Add the lines that give the ratings in view."""
    script.imports["metrics"] = set()
    if reading.file.source.both:
        _join(script, reading)
    else:
        script.lines.append(f"ratings = {python_line(reading.paths, reading.how)}")
    made = {panel.name for panel in reading.panels}
    free = tuple(name for name in reading.view.judges if name not in made)
    for panel in reading.panels:
        choices = {"rule": panel.rule, "judges": None if panel.judges == free else list(panel.judges)}
        script.written(Call("with_panel", choices, name="ratings"))
    if _handled_apart(views, reading):
        script.written(Call("metrics.data.nonverdicts.handled", {}, (RATINGS, tuple(reading.handling.items())), name="ratings"))


def _join(script: _Script, reading: Reading) -> None:
    """Add the lines that put a second file beside the first."""
    (first, how), (second, other) = reading.file.source.both
    script.function(f"{read_second.__module__}.{read_second.__name__}")
    script.lines += [
        f"first = {python_line([first], how)}",
        f"second = {python_line([second], other, 'first')}",
        "ratings = metrics.join(first, second).ratings",
    ]
    if reading.how.where:
        function = script.function(f"{only_where.__module__}.{only_where.__name__}")
        script.lines.append(f"ratings = {function}(ratings, {literal(list(reading.how.where))})")
    if reading.view.criteria != reading.file.criteria:
        script.lines.append(f"ratings = ratings.on_criteria({literal(list(reading.view.criteria))})")


def _handled_apart(views: Sequence[View], reading: Reading) -> bool:
    """Return whether a view does not say itself what becomes of ties, invalid answers and failed calls."""
    return bool(reading.handling) and not all("handling" in _flat(view.call) for view in views)


def _flat(call: Call) -> dict[str, Any]:
    """Return the choices of a call and of the calls in it, by their names."""
    flat: dict[str, Any] = {}
    for name, value in (*enumerate(call.arguments), *call.settled().items()):
        if isinstance(value, Call):
            flat |= _flat(value)
        elif isinstance(name, str):
            flat[name] = value
    return flat


def _command(view: View, reading: Reading | None) -> str:
    name = view.command or view.call.function.replace("_", "-")
    command = commands.commands.get(name)
    if command is None or (reading is not None and (reading.panels or _handled_apart([view], reading))):
        return ""
    parameters = {parameter.name: parameter for parameter in command.params}
    choices = {**_flat(view.call), **view.options, **({"out": [view.file]} if view.file else {})}
    if not set(choices) <= set(parameters) or (reading is not None and not _reads(reading, parameters)):
        return ""
    with answering("command"):
        options = [word for key, value in choices.items() for word in _option(parameters[key], value)]
        if reading is None:
            return " ".join([MODULE, name, *options])
        if reading.file.source.both:
            (first, _), (second, _) = reading.file.source.both
            return command_line([first], replace(DEFAULT, where=reading.how.where), name, [shell(second), *options])
        return command_line(reading.paths, reading.how, name, options)


def _reads(reading: Reading, parameters: Collection[str | None]) -> bool:
    """Return whether a command can read the ratings: a second file only beside the first, and with nothing said of either."""
    both = [replace(how, labels=tuple(pair for pair in how.labels if not is_plain(*pair))) for _, how in reading.file.source.both]
    whole = reading.view.criteria == reading.file.criteria
    return not both or (SECOND in parameters and whole and all(how == DEFAULT for how in both))


def _texts(value: Any) -> list[str]:
    return [f"{name}={own}" for name, own in value.items()] if isinstance(value, Mapping) else list(value)


def _option(option: click.Parameter, value: Any) -> Iterator[str]:
    """Yield an option with its value, once for each value where they do not stand between commas."""
    flagged = option.opts[0]
    if not isinstance(value, float | int) and not value:
        yield flag(flagged, NOTHING)
    elif option.multiple and not str(option.metavar or "").endswith(SEVERAL):
        yield from (flag(flagged, own) for own in _texts(value))
    else:
        yield flag(flagged, sorted(value) if isinstance(value, Set) else value)
