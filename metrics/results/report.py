"""What every report and short record can do: be JSON and come back, be text, and be typed in ten lines; undefined is null."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence, Sized
from dataclasses import asdict, fields
from functools import cache
from importlib import import_module
from itertools import chain, count
from textwrap import dedent, fill
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from metrics.errors import InputError
from metrics.extras import load
from metrics.results import words
from metrics.results.prose import Paragraph, is_row

if TYPE_CHECKING:
    from cattrs import Converter

ALL = "all"
Json = dict[str, Any]
B = TypeVar("B")
FIGURES = "figures.of_reports"
"""Draws the figures of reports; a name, so that no result imports its figures."""
LINES, WIDEST = 8, 116
"""Lines of a report's numbers in its `repr`, which has ten lines at most, and their letters."""
VERSION = 1
"""Of the JSON that reports are written to; another one is refused, for what its keys mean is not known here."""
MOST_SHOWN, BROADEST = 8, 100
"""Fields and lines that are shown, and letters of one."""


def or_none(value: float) -> float | None:
    """Return the number, None where it is undefined."""
    return float(value) if math.isfinite(value) else None


def ends_or_none(ends: Sequence[float] | None) -> list[float] | None:
    """Return both ends of an interval, None where there is none."""
    return None if ends is None else list(ends)


def name_beside_all(criterion: str, criteria: Collection[str] = ()) -> str:
    """Return a criterion as it is called where all criteria together are `all`: as in the file, only `all` itself is told
    apart.

    Parameters
    ----------
    criteria : collection of str
        Names of all criteria of the file, none of which it takes: "all (criterion)", else "all (criterion) 2" and so on.
    """
    if criterion != ALL:
        return criterion
    first = f"{ALL} (criterion)"
    return next(name for name in chain([first], (f"{first} {n}" for n in count(2))) if name not in criteria)


def _fitted(line: str) -> str:
    """Return a line of text in lines that are not too long, indented alike; of a row of a table its beginning."""
    if len(line) > WIDEST and is_row(line):
        return f"{line[: WIDEST - 1]}…"
    return fill(line, WIDEST, subsequent_indent=line[: len(line) - len(line.lstrip())]) if len(line) > WIDEST else line


def _one_of(names: Collection[str]) -> str:
    return f" Use one of: {words.listed(list(names), 12)}." if names else ""


class Report:
    """A frozen record of results; `to_dict` is what the command line prints.

    Attributes
    ----------
    TEXT : str
        Module within `metrics` whose `summary` writes the report for a terminal, or "module:function" where it has another name;
        a name, so that no result imports its text. Where the module has `passages`, a notebook shows these, else the summary.
    OF : str
        What the report is of, in messages: "agreement".

    Two reports are equal where they are one object; numbers are compared by their `to_dict()`.
    """

    TEXT: ClassVar[str]
    OF: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Keep the `repr` of every report: a record would write each of its fields in full."""
        super().__init_subclass__()
        setattr(cls, "__repr__", Report.__repr__)  # noqa: B010

    def to_dict(self) -> Json:
        """Return the JSON object of the command line: no NaN, undefined numbers null with a reason."""
        raise NotImplementedError

    def summary(self) -> str:
        """Return a readable text, with how the files were joined where there are several."""
        text: str = getattr(self._text, self.TEXT.partition(":")[2] or "summary")(self)
        return "\n".join([text, "", *self._joined()]) if self._joined() else text

    def _joined(self) -> Sequence[str]:
        joined: Json = getattr(getattr(self, "declaration", None), "joined", {})
        return tuple(joined["text"]) if joined else ()

    def __repr__(self) -> str:
        """Return at most ten lines: the numbers that say most, and where the others are."""
        short = getattr(self._text, "short", None)
        lines = [line.rstrip() for line in (short(self) if short else self.summary().split("\n")) if line.strip()]
        shown = dedent("\n".join(map(_fitted, lines[:LINES]))).split("\n")[:LINES]
        return "\n".join([type(self).__name__, *(f"  {line}" for line in shown), "  Everything: print(report.summary())"])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: sentences and tables, in the colours of the page around them, and the headline figure."""
        from metrics.results.notebook import html_of, html_of_text

        passages = getattr(self._text, "passages", None)
        if passages is None:
            return html_of_text(self.summary()) + self._figure_html()
        return html_of((*passages(self), *map(Paragraph, self._joined()))) + self._figure_html()

    @property
    def _text(self) -> ModuleType:
        return import_module(f"metrics.{self.TEXT.partition(':')[0]}")

    def _figure_html(self) -> str:
        """Return the headline figure; nothing where it cannot be drawn, for the numbers stand above it."""
        from metrics.results.notebook import html_of

        try:
            title, svg = load(f"metrics.{FIGURES}").headline_of(self)
        except InputError:
            return ""
        return html_of([Paragraph(title)]) + svg if svg else ""

    def figures(self, *, judge: str = "") -> tuple[str, ...]:
        """Return the names of the figures that `plot` draws, the headline first; none where tables say all.

        Parameters
        ----------
        judge : str
            Whose figures, in a report of several.
        """
        return tuple(load(f"metrics.{FIGURES}").figures_of(self, judge))

    def plot(self, figure: str = "", *, judge: str = "", theme: str = "light") -> Any:
        """Return a figure of the report: `report.plot()`, `report.plot("confusion")`.

        Parameters
        ----------
        figure : str
            One of `figures`; the headline by default.
        judge : str
            Whose figure, in a report of several; by default all of them, or the first.
        theme : {"light", "dark"}

        Returns
        -------
        plotly.graph_objects.Figure
            A notebook shows it; `write_html` and `write_image` save it.

        Raises
        ------
        InputError
            For a name that is no figure of this report, an unknown judge or theme, and without plotly.
        """
        judges = getattr(self, "judges", {})
        if judge and (not isinstance(judges, Mapping) or judge not in judges):
            raise InputError(f"No judge of this report is called {judge!r}.{_one_of(judges)}")
        if theme not in ("light", "dark"):
            raise InputError(f"Unknown theme {theme!r}. Use one of: light, dark.")
        named = load(f"metrics.{FIGURES}").figures_of(self, judge)
        if not named:
            raise InputError(f"{words.capital(self.OF)} has no figure: its tables say all.")
        if figure and figure not in named:
            raise InputError(f"{words.capital(self.OF)} has no figure {figure!r}.{_one_of(named)}")
        return named[figure or next(iter(named))].draw(theme=theme)

    def to_json(self) -> str:
        """Return `to_dict` as strict JSON, with every field beside it, as `from_json` takes it."""
        return json.dumps(self.to_dict() | {"beside": _converter().unstructure(self)}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the report that `to_json` wrote.

        Raises
        ------
        InputError
            For another text, for one that was changed, and for a version that is not read here.
        """
        try:
            written = json.loads(text)
            if written["version"] != VERSION:
                raise InputError(f"This report has the version {written['version']}; {VERSION} is read here.")
            report = _converter().structure(written.pop("beside"), cls)
            same = json.loads(json.dumps(report.to_dict())) == written
        except (Exception, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"This is no report of {cls.OF} that to_json wrote.") from None
        if not same:
            raise InputError(f"This report of {cls.OF} was changed after to_json wrote it.")
        return report


class OverCriteria(Generic[B]):
    """What has a block of all criteria together, and one of each."""

    pooled: B
    criteria: Mapping[str, B]

    def block(self, criterion: str | None) -> B:
        """Return a criterion, or all of them together."""
        return self.pooled if criterion is None else self.criteria[criterion]

    def blocks(self) -> Iterator[tuple[str, B]]:
        """Yield blocks under the names of the JSON: `all`, then the criteria; a criterion of that name is told apart."""
        yield ALL, self.pooled
        for name, block in self.criteria.items():
            yield name_beside_all(name, self.criteria), block


class OfJudges:
    """What has a record for each judge."""

    declaration: Any
    judges: Mapping[str, Any]
    warnings: tuple[Any, ...]

    def declared(self) -> Json:
        """Return the declaration, JSON-ready."""
        declared: Json = self.declaration.to_dict()
        return declared

    def to_dict(self) -> Json:
        """Return the JSON object of the command line: no NaN, undefined numbers null with a reason."""
        return {
            "version": 1,
            "declaration": self.declared(),
            "judges": {name: judge.to_dict() for name, judge in self.judges.items()},
            "warnings": [asdict(warning) for warning in self.warnings],
        }


@cache
def _converter() -> Converter:
    """Return what turns records into JSON-ready values and back by their type hints; NaN and infinities are texts."""
    from cattrs.preconf.json import make_converter

    converter = make_converter()
    converter.register_unstructure_hook(float, _number)
    converter.register_unstructure_hook(frozenset, lambda names: sorted(names, key=str))
    converter.register_unstructure_hook_func(_is_array, _flat)
    converter.register_structure_hook_func(_is_array, lambda value, _: _array(value))
    converter.register_structure_hook_func(lambda kind: kind is Any or kind is object, lambda value, _: value)
    return converter


def _is_array(kind: Any) -> bool:
    return kind is np.ndarray or typing.get_origin(kind) is np.ndarray


def _number(value: float) -> float | str:
    return float(value) if math.isfinite(value) else repr(float(value))


def _flat(array: np.ndarray[Any, Any]) -> Json:
    values = array.ravel().tolist()
    return {
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "values": [_number(value) for value in values] if array.dtype.kind == "f" else values,
    }


def _array(flat: Json) -> np.ndarray[Any, Any]:
    dtype = np.dtype(flat["dtype"])
    if dtype.kind not in "biuf":
        raise ValueError(dtype)
    values = [float(value) for value in flat["values"]] if dtype.kind == "f" else flat["values"]
    return np.array(values, dtype).reshape(flat["shape"])


class Short:
    """A record whose `repr` names its fields with what each holds, and of one with a `summary` shows how that begins."""

    def __init_subclass__(cls) -> None:
        """Keep the `repr` of every such record: a data class would write each of its fields in full."""
        super().__init_subclass__()
        setattr(cls, "__repr__", Short.__repr__)  # noqa: B010

    def __repr__(self) -> str:
        """Return at most ten lines."""
        summary = getattr(self, "summary", None)
        if summary is not None:
            lines, end = [line for line in summary().split("\n") if line.strip()], ["  Everything: .summary()"]
        else:
            lines, end = [f"{field.name}: {contents_of(getattr(self, field.name))}" for field in fields(self)], []  # type: ignore[arg-type]
        room = MOST_SHOWN + (len(lines) == MOST_SHOWN + 1)  # the last one takes no more than to say that it is left out
        shown = [line if len(line) <= BROADEST else f"{line[: BROADEST - 1]}…" for line in lines[:room]]
        more = [] if len(lines) <= room else end or [f"  and {words.count(len(lines) - room)} more fields"]
        return "\n".join([type(self).__name__, *(f"  {line}" for line in shown), *more])


def contents_of(value: Any) -> str:
    """Return what a field holds: the value of a short one, else the names in it, or of what kind it is and how much of it."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}" if value.size > MOST_SHOWN else str(value.tolist())
    if isinstance(value, str):
        return value
    text = " ".join(repr(value).split()) if not isinstance(value, Sized) or len(value) <= MOST_SHOWN else ""
    if text and len(text) <= BROADEST // 2:
        return text
    if isinstance(value, Mapping):
        return f"{words.count(len(value))}: {', '.join(map(str, value))}"
    if isinstance(value, tuple | list) and value:
        named = [str(one.name) for one in value if hasattr(one, "name")]
        return ", ".join(named) or f"{words.count(len(value))} × {type(value[0]).__name__}"
    return type(value).__name__
