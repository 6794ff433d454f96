"""What a visitor sees, read from a run of the app."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def text_of(app: AppTest) -> str:
    """All Markdown and messages of the page."""
    found = [*app.markdown, *app.info, *app.error, *app.warning, *app.title, *app.subheader]
    return "\n".join(str(element.value) for element in found)


def numbers_of(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def figure(app: AppTest, key: str) -> dict[str, Any]:
    for chart in app.get("plotly_chart"):
        if key in chart.proto.id:
            drawn: dict[str, Any] = json.loads(chart.proto.spec)
            return drawn
    raise AssertionError(f"no figure {key}")


def words_in(chart: dict[str, Any]) -> str:
    return " ".join(str(note.get("text", "")) for note in chart["layout"]["annotations"])


def unescaped(app: AppTest) -> str:
    """The same without what keeps a file's text plain."""
    return text_of(app).replace("\\", "").replace("\u2060", "")
