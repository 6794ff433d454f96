"""Colours, type and the parts every figure shares. One role has one colour and one symbol."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from metrics.results.words import percent, plain, shorten, tick

Theme = Literal["light", "dark"]

FONT = '"Source Sans", sans-serif'
TEXT, TICK, SMALL = 14, 13, 12
WHISKER = 2.5
TOP = 20
"""Px that stay free at the top of a figure with something in its right upper corner, for the download button."""
NARROWEST = 340
"""Width in px, before scaling, at which no two texts of a figure may meet."""
WIDTHS = (
    (" \u00a0\u202f", 0.21),
    ("',.:;Iijl|·", 0.27),
    ("!()-[]f{}▴▾/\\\\rt", 0.35),
    ('*?sczvxy"', 0.47),
    ("0123456789#$+<=>FJLVXY^_aegk~–−κ", 0.52),
    ("mwMW%@", 0.86),
)
"""Width of a letter of Source Sans in em."""
BOLD = 1.07
"""How much broader a bold letter is."""
NOTHING = "No decision to show"


@dataclass(frozen=True)
class Tokens:
    page: str
    sidebar: str
    text: str
    muted: str
    grid: str
    axis: str
    selected: str
    reference: str
    judge: str
    correct: str
    correct_fill: str
    false_positive: str
    false_negative: str
    abstention: str
    kappa: str
    phi: str
    neutral: str
    warning: str
    warning_fill: str
    below_zero: str
    """The end of the sequential scale (page colour to κ) on the other side of 0."""
    series: tuple[str, ...]


LIGHT = Tokens(
    page="#FFFFFF",
    sidebar="#F5F6F8",
    text="#0F151D",
    muted="#565D6B",
    grid="#E3E6EB",
    axis="#C4C9D2",
    selected="#E6F1EF",
    reference="#111822",
    judge="#0A5C55",
    correct="#3A6FC4",
    correct_fill="#DFE9F8",
    false_positive="#B91509",
    false_negative="#5C1A4A",
    abstention="#6B6D74",
    kappa="#2410A8",
    phi="#43744A",
    neutral="#888C96",
    warning="#7A5200",
    warning_fill="#F0E6D2",
    below_zero="#F6E3D6",
    series=("#2F6C9E", "#9E890E", "#440054", "#BE6670", "#329BA4", "#7F4A02", "#A569FD", "#3D4D49", "#501902", "#050506"),
)

DARK = Tokens(
    page="#14171C",
    sidebar="#1F242B",
    text="#E9ECF1",
    muted="#A9B0BB",
    grid="#2A3038",
    axis="#454D58",
    selected="#173033",
    reference="#F8EFCB",
    judge="#2BB5B5",
    correct="#96BCF8",
    correct_fill="#21385A",
    false_positive="#E0702E",
    false_negative="#BA5EBA",
    abstention="#8E9096",
    kappa="#8888FA",
    phi="#D2E62E",
    neutral="#6E7076",
    warning="#DDB06E",
    warning_fill="#3A3122",
    below_zero="#4A2A1C",
    series=("#51BFFA", "#B3B600", "#DE68A1", "#C6EFE8", "#9A671F", "#5582FE", "#FBFDB6", "#C6A389", "#C627A1", "#6E6E6F"),
)


def tokens(theme: Theme) -> Tokens:
    return DARK if theme == "dark" else LIGHT


def coefficient(symbol: str, colours: Tokens) -> tuple[str, str]:
    """Return colour and marker of a coefficient: κ a circle, φ a diamond, any other a hexagon in the text colour."""
    if symbol.startswith("κ"):
        return colours.kappa, "circle"
    if symbol.startswith("φ"):
        return colours.phi, "diamond"
    return colours.text, "hexagon"


def layout(colours: Tokens, *, height: float, scale: float = 1.0, **changes: Any) -> dict[str, Any]:
    """Return the layout every figure starts from: no title, no legend, nothing to zoom."""
    base: dict[str, Any] = {
        "template": "none",
        "height": round(height),
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0, "autoexpand": False},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": TEXT * scale, "color": colours.text},
        "hoverlabel": {
            "bgcolor": colours.sidebar,
            "bordercolor": colours.axis,
            "font": {"family": FONT, "size": TICK * scale, "color": colours.text},
            "align": "left",
        },
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colours.muted, "activecolor": colours.text},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "clickmode": "event+select",
        "datarevision": 0,
        "bargap": 0,
    }
    return base | changes


def margin(left: float, right: float, bottom: float, top: float = 0) -> dict[str, Any]:
    """Return whole px around a plot; nothing in the figure moves them."""
    return {"l": round(left), "r": round(right), "t": round(top), "b": round(bottom), "pad": 0, "autoexpand": False}


def hidden_axis(low: float, high: float, **changes: Any) -> dict[str, Any]:
    base = {"range": [low, high], "fixedrange": True, "visible": False, "showgrid": False, "zeroline": False}
    return base | changes


def value_axis(
    colours: Tokens, low: float, high: float, ticks: Sequence[float], scale: float, texts: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return an axis with its line; `texts` are what stands at the ticks where that is not `words.tick`."""
    return {
        "range": [low, high],
        "fixedrange": True,
        "visible": True,
        "tickvals": list(ticks),
        "ticktext": [tick(value) for value in ticks] if texts is None else list(texts),
        "tickfont": {"size": TICK * scale, "color": colours.muted},
        "tickcolor": colours.axis,
        "tickangle": 0,
        "ticks": "outside",
        "ticklen": 4,
        "linecolor": colours.axis,
        "showline": True,
        "showgrid": False,
        "zeroline": False,
    }


def share_axis(colours: Tokens, ticks: Sequence[float], scale: float, title: str, size: float) -> dict[str, Any]:
    """Return an axis of shares from 0 to 1, with its title."""
    return value_axis(colours, 0, 1, ticks, scale, ["0" if at == 0 else percent(at) for at in ticks]) | {
        "ticklabeloverflow": "allow",
        "title": {"text": title, "font": {"size": size, "color": colours.muted}, "standoff": 6},
    }


def squared(across: dict[str, Any], upright: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the axes of a square, which stands at the left and on top of where it has room."""
    return {
        "xaxis": across | {"constrain": "domain", "constraintoward": "left"},
        "yaxis": upright | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
    }


def config(name: str) -> dict[str, Any]:
    """Return what `st.plotly_chart(config=)` gets: nothing but the download, under a name of its own."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "doubleClick": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"filename": name, "format": "png", "scale": 2},
    }


def escape(text: object) -> str:
    """Return text from a file, for plotly: shown as typed, neither as its markup nor as a formula."""
    shown = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return shown.replace("$", "&#36;")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return roughly the width in px; always a little too wide rather than too narrow."""
    em = sum(_letter(letter) for letter in text)
    return em * size * (BOLD if bold else 1.0)


@cache
def _letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF" or letter == "…":
        return 1.0
    for letters, em in WIDTHS:
        if letter in letters:
            return em
    return 0.66 if letter.isupper() else 0.58


def fit(text: object, width: float, size: float, *, bold: bool = False) -> str:
    """Return the text in the middle-shortened form that is at most `width` px wide."""
    limit = len(plain(text))
    short = plain(text)
    while limit > 3 and text_width(short, size, bold=bold) > width:
        limit -= 1
        short = shorten(text, limit)
    return short


def wrap(text: object, width: float, size: float, *, bold: bool = False, lines: int = 2) -> list[str]:
    """At most so many lines of at most `width` px, broken at a space, or else behind `_`, `-` or `/`, where there is one."""
    whole = plain(text)
    if lines == 1 or text_width(whole, size, bold=bold) <= width:
        return [fit(whole, width, size, bold=bold)]
    cut = len(whole)
    while cut > 1 and text_width(whole[:cut], size, bold=bold) > width:
        cut -= 1
    space = whole.rfind(" ", 1, cut + 1)
    joint = max(whole.rfind(mark, 1, cut) for mark in "_-/")
    cut = space if space > 0 else joint + 1 if joint > 0 else cut
    return [whole[:cut].rstrip(), *wrap(whole[cut:].lstrip(), width, size, bold=bold, lines=lines - 1)]


def blend(start: str, end: str, share: float) -> str:
    """Return the colour `share` of the way from one to the other."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(start), _rgb(end), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def see_through(colour: str, share: float) -> str:
    """Return the colour, so far covering what stands behind it."""
    red, green, blue = _rgb(colour)
    return f"rgba({red},{green},{blue},{share})"


def readable(fill: str, colours: Tokens) -> str:
    """Return the text colour or the page colour, whichever stands out more on the fill."""
    return max((colours.text, colours.page), key=lambda colour: contrast(colour, fill))


def legible(colour: str, colours: Tokens) -> str:
    """Return the colour of a line for its name; the text colour where that would be too faint to read."""
    return colour if contrast(colour, colours.page) >= 4.5 else colours.text


def contrast(colour: str, other: str) -> float:
    """Return contrast ratio of two colours after WCAG 2."""
    dark, light = sorted((_luminance(colour), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _rgb(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
