"""Figures of plain dicts: what plotly.js reads, written down as it is.

plotly's own objects check and copy each part of a figure several times, which takes longer than all else about it. Here they do
so only when somebody asks the figure for its parts.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

Trace = dict[str, Any]
SCALARS = (str, float, int)
"""Most of a figure's parts: sent as they are, without another look."""
HOVER = "%{hovertext}<extra></extra>"
TYPED = ("f4", "f8")
"""Kinds of numbers that travel as bytes."""


def scatter(**look: Any) -> Trace:
    return _trace("scatter", look)


def bar(**look: Any) -> Trace:
    return _trace("bar", look)


def heatmap(**look: Any) -> Trace:
    return _trace("heatmap", look)


def _trace(kind: str, look: Trace) -> Trace:
    """Return a trace whose hover is its `hovertext` alone, unless it says otherwise."""
    told = {"hovertemplate": HOVER} if "hovertext" in look else {}
    return {"type": kind, **told, **look}


class Figure(go.Figure):  # type: ignore[misc]
    """A figure of plotly that is sent as it was written down, unless it has been looked into or changed since."""

    def __init__(self, data: Any = None, layout: Any = None, **more: Any) -> None:
        self._written = {"data": data, "layout": layout, **more}

    def __getattr__(self, name: str) -> Any:
        written = self.__dict__.pop("_written", None)
        if written is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        super().__init__(**written)
        return getattr(self, name)

    @property
    def noted(self) -> Mapping[str, Any]:
        """What `layout.meta` says of the figure beside it; read without looking into the rest.

        It stands there in a list: plotly compares anything else by identity, and draws the figure a second time.
        """
        written = self._untouched
        said = self.layout.meta if written is None else written["layout"].get("meta")
        return said[0] if said else {}

    def note(self, **said: Any) -> None:
        """Add to `noted`, without looking into the rest."""
        written = self._untouched
        if written is None:
            self.update_layout(meta=[{**self.noted, **said}])
        else:
            written["layout"] = {**written["layout"], "meta": [{**self.noted, **said}]}

    @property
    def tall(self) -> float:
        """Its height in px, as it was drawn; read without looking into the rest."""
        written = self._untouched
        return float(self.layout.height if written is None else written["layout"]["height"])

    def to_dict(self) -> dict[str, Any]:
        """Return what is sent; plotly raises ValueError on a part that it does not know only where the figure was looked into."""
        written = self._untouched
        if written is None:
            parts: dict[str, Any] = super().to_dict()
            return parts
        layout = {name: part for name, part in written["layout"].items() if name != "template"}
        return {"data": [_sent(trace) for trace in written["data"]], "layout": _sent(layout)}

    @property
    def _untouched(self) -> dict[str, Any] | None:
        written: dict[str, Any] | None = self.__dict__.get("_written")
        plain = written is not None and isinstance(written["data"], list) and isinstance(written["layout"], dict)
        return written if plain else None


def drawn(
    layout: Mapping[str, Any],
    traces: Iterable[Trace],
    *,
    annotations: Iterable[Mapping[str, Any]] = (),
    shapes: Iterable[Mapping[str, Any]] = (),
) -> Figure:
    """Return a figure of what was drawn, in the order in which it covers."""
    return Figure([*traces], {**layout, "annotations": [*annotations], "shapes": [*shapes]})


def _sent(part: Any) -> Any:
    """As the browser takes it; what is None is left to its default."""
    if isinstance(part, dict):
        return {name: value if isinstance(value, SCALARS) else _sent(value) for name, value in part.items() if value is not None}
    if isinstance(part, np.ndarray):
        return _numbers(part)
    if isinstance(part, (list, tuple)) and part and isinstance(part[0], dict):
        return [_sent(entry) for entry in part]
    return part


def _numbers(array: np.ndarray[Any, Any]) -> Any:
    kind = array.dtype.str.lstrip("<")
    if kind not in TYPED:
        return array.tolist()
    typed_array = {"dtype": kind, "bdata": b64encode(array.tobytes()).decode()}
    return typed_array if array.ndim == 1 else typed_array | {"shape": ", ".join(map(str, array.shape))}
