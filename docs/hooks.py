"""What mkdocs does beside building: the formulas of docstrings, which are in another tool's markup, become MathML."""

from __future__ import annotations

import html as texts
import re
from typing import Any

from latex2mathml.converter import convert

MATH = re.compile(r"(\.\. math:: (?P<block>[^<]+)|:math:\s*<code>(?P<inline>.*?)</code>)", re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    return MATH.sub(lambda match: convert(texts.unescape(" ".join((match["block"] or match["inline"]).split()))), html)
