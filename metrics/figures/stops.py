"""A mark of a figure that can be held: the places it stops at, and what is drawn and said at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Path = Sequence[tuple[float, float]]
HELD = "held"
"""What the parts of a figure are called that make way while its mark is taken elsewhere."""


@dataclass(frozen=True, eq=False)
class Stops:
    """Places of a mark, in the order in which keys step through them, in the figure's own coordinates.

    Attributes
    ----------
    spots : sequence of (x, y), length n
    words : sequence of str, length n
        The numbers there.
    lines, bands : sequence of (colour, sequence of paths, length n)
        What is drawn with it: lines through their points, and rectangles between two corners.
    """

    spots: Path
    words: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Path]]]
    bands: Sequence[tuple[str, Sequence[Path]]] = ()

    def __post_init__(self) -> None:
        if any(len(each) != len(self.spots) for each in (self.words, *(paths for _, paths in (*self.lines, *self.bands)))):
            raise ValueError("every stop needs its words, lines and bands")

    def nearest(self, place: float, *, up: bool = False) -> int:
        """Return the stop nearest to a place across, or to one up."""
        return min(range(len(self.spots)), key=lambda stop: abs(self.spots[stop][up] - place))

    def to_dict(self) -> dict[str, Any]:
        """Return what a browser draws them from."""
        drawn = {
            name: [{"colour": colour, "paths": [[list(spot) for spot in path] for path in paths]} for colour, paths in parts]
            for name, parts in (("lines", self.lines), ("bands", self.bands))
        }
        return {"spots": [list(spot) for spot in self.spots], "words": list(self.words), **drawn}
