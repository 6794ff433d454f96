"""What a visitor sees, read from a run of the app."""

from __future__ import annotations

import json
import re
from typing import Any

from streamlit.testing.v1 import AppTest

from metrics.results.words import UNDEFINED

QUOTE = re.compile(r".+?( = \S.*| <0.*| undefined: \S.*) \(\S.*\)", re.DOTALL)


def text_of(app: AppTest) -> str:
    """All Markdown and messages of the page."""
    found = [*app.markdown, *app.info, *app.error, *app.warning, *app.title, *app.header]
    return "\n".join(str(element.value) for element in found)


def numbers_of(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def copies_of(app: AppTest) -> list[tuple[str, str]]:
    """Label and text to quote of every large number, in their order."""
    found = [part.proto for part in app.get("bidi_component") if part.proto.component_name == "copy_numbers"]
    return [(one["label"], one["text"]) for proto in found for one in json.loads(proto.json)["numbers"]]


def every_number_can_be_quoted(app: AppTest) -> bool:
    """Each large number has a text that gives its value, or says that there is none and why, with what it rests on."""
    copies, numbers = copies_of(app), list(app.metric)
    assert len(copies) == len(numbers), [metric.label for metric in numbers]
    for (label, text), metric in zip(copies, numbers, strict=True):
        assert label
        assert QUOTE.fullmatch(text), (metric.label, text)
        assert not re.search(r"\bnan\b|None|\\|; ;|\(;|  ", text), text
        if metric.value == UNDEFINED:
            assert " undefined: " in text, (metric.label, text)
        elif any(letter.isdigit() for letter in metric.value):
            assert metric.value in text or "\\" in metric.value, (metric.label, text)
    return True


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
