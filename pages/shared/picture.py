"""Two buttons that save a group of figures as one picture. It is drawn in the browser; nothing is sent anywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from metrics.figures import theme as figure_theme
from metrics.results.words import plain
from pages.shared import component, parts

JS = Path(__file__).with_suffix(".js")
DRAWING = JS.with_name("drawing.js")
"""Figures of the page as one picture: what every way of saving them shares."""

HTML = """
<button type="button" value="svg">Picture (SVG)</button>
<button type="button" value="png">Picture (PNG)</button>
<span role="status" aria-live="polite"></span>
"""

CSS = """
:host, div {display: flex; flex-wrap: wrap; align-items: center; gap: .5rem}
button {
  min-height: 2.5rem; padding: .25rem .75rem; cursor: pointer; white-space: nowrap;
  font: inherit; font-family: var(--st-font); font-size: .875rem; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius, .25rem);
}
button:hover, button:focus-visible {border-color: var(--st-primary-color); color: var(--st-primary-color)}
button:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 1px}
span {font-family: var(--st-font); font-size: .875rem; color: var(--st-text-color)}
"""


def picture_buttons(key: str, group: str, title: str, lines: Sequence[str], name: str) -> None:
    """Save what is in view of a container as an SVG or a PNG file.

    Figures stand as on the page, each under its heading; controls and readings are left out, and their room is closed.

    Parameters
    ----------
    group : str
        Key of the container that holds the figures.
    title, lines : str, sequence of str
        What stands above the figures: plain text, in which nothing is markup. The lines say what the numbers rest on.
    name : str
        Of the file, without its ending.
    """
    colours = figure_theme.tokens(parts.theme())
    data = {
        # The class that Streamlit gives to the container of this key.
        "group": re.sub(r"[^a-zA-Z0-9_-]", "-", group.strip()),
        "title": plain(title),
        "lines": [plain(line) for line in lines],
        "name": name,
        "scale": parts.scale(),
        "colours": {"page": colours.page, "text": colours.text, "muted": colours.muted},
    }
    component.mount("picture_buttons", DRAWING, JS, key=key, data=data, html=HTML, css=CSS, width="content")
