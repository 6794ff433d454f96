"""Two buttons on every figure of a page, which save it with its title and declaration; and its colours follow the page's."""

from __future__ import annotations

from pathlib import Path

from metrics.figures import theme as figure_theme
from pages.shared import component, parts
from pages.shared.copying import ALOUD
from pages.shared.picture import DRAWING

JS = Path(__file__).with_suffix(".js")


def save_figures() -> None:
    """Once on a page, for all its figures.

    A figure is drawn in the browser from what stands there, and nothing is sent anywhere: its heading above it, what the numbers
    rest on below. When the page turns dark or light while it is open, it is run again, so that its figures can be read there.
    """
    theme = parts.theme()
    colours = figure_theme.tokens(theme)
    shown = {"page": colours.page, "text": colours.text, "muted": colours.muted}
    data = {"theme": theme, "scale": parts.scale(), "colours": shown}
    component.mount("save_figures", ALOUD, DRAWING, JS, key="unseen_save_figures", data=data)
