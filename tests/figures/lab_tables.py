"""Tables by hand that the lab's figures must draw, and where their texts stand."""

from __future__ import annotations

import re

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import ConfusionTable, Rates
from metrics.figures.theme import text_width

WORDS = ("MET", "UNMET", "CANNOT_ASSESS")
LONG = ("A label of forty characters, quite exact", "Another label of forty characters, right", "none")
THREE = ConfusionTable.of_counts([[30, 10, 5], [10, 20, 5], [5, 5, 10]])


def driven(prevalence: float, tpr: float = 0.9, tnr: float = 0.9, n: int = 1000) -> ConfusionTable:
    return ConfusionTable.of_rates(Rates(prevalence, tpr, tnr, n))


def counted(*cells: float) -> ConfusionTable:
    return ConfusionTable(tuple(map(float, cells)))


def seen(table: ConfusionTable, name: str = "", words=WORDS, mode="exclude") -> Picture:
    return Picture(table, mode, name, words)


RARE, EVEN = driven(0.05), driven(0.5)
NOTHING, ONLY_NEGATIVE = counted(0, 0, 0, 0), counted(0, 0, 0, 100)
PAIRS = {
    "even": (seen(EVEN), None),
    "rare beside even": (seen(RARE, "step 2b"), seen(EVEN, "step 2a")),
    "very rare beside rare": (seen(driven(0.01), "step 2c"), seen(RARE, "step 2b")),
    "no positive, by rates": (seen(driven(0), "B"), seen(RARE, "A")),
    "no negative, by rates": (seen(driven(1)), None),
    "no positive, by counts": (seen(counted(0, 0, 95, 855), "step 2b"), seen(RARE, "step 2a")),
    "no negative, by counts": (seen(counted(95, 5, 0, 0)), None),
    "Feinstein and Cicchetti": (seen(counted(80, 10, 5, 5), "step 2e"), seen(counted(40, 9, 6, 45), "step 2d")),
    "always negative": (seen(counted(0, 10, 0, 90)), None),
    "finds one": (seen(counted(1, 9, 0, 90), "B"), seen(counted(0, 10, 0, 90), "A")),
    "below zero": (seen(counted(0, 50, 50, 900), "step 1b"), seen(EVEN, "step 1a")),
    "perfect": (seen(counted(50, 0, 0, 50), "A"), seen(RARE, "B")),
    "worst": (seen(counted(0, 50, 50, 0), "A"), seen(counted(50, 0, 0, 50), "B")),
    "one label only": (seen(ONLY_NEGATIVE, "A"), seen(counted(0, 100, 0, 0), "B")),
    "nothing": (seen(NOTHING), None),
    "nothing beside": (seen(NOTHING, "A"), seen(RARE, "B")),
    "beside nothing": (seen(RARE, "A"), seen(NOTHING, "B")),
    "many": (seen(counted(10**9, 123456789, 5, 3), "B"), seen(counted(10**9, 3, 5, 10**9), "A")),
    "on average": (seen(driven(0.05, n=267), "A"), seen(driven(0.337, 0.61, 0.77, 31), "B")),
    "little chance": (seen(counted(1, 10, 10, 1), "A"), seen(counted(2, 10, 40, 3), "B")),
    "guessing": (seen(counted(20, 20, 30, 30), "A"), seen(counted(40, 10, 40, 10), "B")),
    "κ above φ": (seen(counted(10, 40, 20, 30)), None),
    "third class": (seen(THREE, "step 7c", mode="as_category"), seen(THREE, "step 7a")),
    "beside a third class": (seen(THREE, "step 7a"), seen(THREE, "step 7c", mode="as_category")),
    "long words": (seen(ONLY_NEGATIVE, "A table with a long name", LONG), seen(RARE, "B", LONG)),
    "typed words": (seen(ONLY_NEGATIVE, "", ("<b>x", "$y$", "&")), None),
}


def notes(figure) -> list[dict]:
    """Texts of a figure as they are sent, which is quicker to read than plotly's objects."""
    return list(figure.to_dict()["layout"].get("annotations", ()))


def texts(figure) -> list[str]:
    return [note["text"] for note in notes(figure)]


def said(figure) -> str:
    return " | ".join(shown(text) for text in texts(figure))


def shown(html: str) -> str:
    plain = re.sub(r"<[^<>]*>", "", html.replace("<br>", "\n"))
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&#36;", "$").replace("&amp;", "&")


def boxes(figure, width: float) -> list[tuple[str, float, float, float, float]]:
    """(text, left, top, right, bottom) of every level text at this width of the figure."""
    layout = figure.to_dict()["layout"]
    margin, found = layout["margin"], []
    across, tall = width - margin["l"] - margin["r"], layout["height"] - margin["t"] - margin["b"]
    if layout["xaxis"].get("constrain") == "domain":
        across = min(across, tall)
    for note in layout["annotations"]:
        if note.get("textangle"):
            continue
        size, lines = note["font"]["size"], shown(note["text"]).split("\n")
        wide, high = max(text_width(line, size) for line in lines), 1.2 * size * len(lines)
        axis = layout.get(f"xaxis{note['xref'][1:]}", layout["xaxis"])
        x = margin["l"] + across * _share(note["x"], note["xref"], axis) + note.get("xshift", 0)
        y = margin["t"] + tall * (1 - _share(note["y"], note["yref"], layout["yaxis"])) - note.get("yshift", 0)
        left = x - {"left": 0, "center": wide / 2, "right": wide}[note["xanchor"]]
        found.append((note["text"], left, y - high / 2, left + wide, y + high / 2))
    return found


def _share(value: float, ref: str, axis: dict) -> float:
    (low, high), (start, end) = axis["range"], axis.get("domain", (0, 1))
    return value if ref == "paper" else start + (end - start) * (value - low) / (high - low)


def assert_apart(figure, width: float) -> None:
    """No two texts meet and none leaves the figure."""
    placed, height = boxes(figure, width), figure.to_dict()["layout"]["height"]
    assert placed
    for i, (text, left, top, right, bottom) in enumerate(placed):
        assert left >= -1, text
        assert right <= width + 1, text
        assert top >= -2, text
        assert bottom <= height + 2, text
        for other, left2, top2, right2, bottom2 in placed[:i]:
            assert right <= left2 + 1 or right2 <= left + 1 or bottom <= top2 + 3 or bottom2 <= top + 3, (text, other)
