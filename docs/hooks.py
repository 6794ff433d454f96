"""What mkdocs does beside building: formulas of docstrings become MathML, and tables can be scrolled by keyboard."""

from __future__ import annotations

import html as texts
import re
from typing import Any

from latex2mathml.converter import convert

MATH = re.compile(r"(\.\. math:: (?P<block>[^<]+)|:math:\s*<code>(?P<inline>.*?)</code>)", re.DOTALL)

PARAMETERS = re.compile(r"Parameters:</span></p>\s*<ul>.*?</ul>", re.DOTALL)
TYPED = re.compile(r"(<b><code>[^<]*</code></b>)\s*\((?:(?!<b>).)*?\)\s*–(\s*<div)", re.DOTALL)
LONG = 30
"""Letters of a formula that may be wider than a telephone, and is then scrolled."""


def on_page_content(html: str, **_: Any) -> str:
    html = MATH.sub(_formula, html)
    # Parameters described together would all get the type and the default of the first; the signature has those of each.
    html = PARAMETERS.sub(lambda section: TYPED.sub(r"\1\2", section[0]), html)
    return html.replace("<table>", '<div class="wide" tabindex="0"><table class="of-text">').replace("</table>", "</table></div>")


def _formula(found: re.Match[str]) -> str:
    text = texts.unescape(" ".join((found["block"] or found["inline"]).split()))
    return convert(text).replace("<math ", '<math tabindex="0" ' if len(text) > LONG else "<math ", 1)


def on_post_page(output: str, **_: Any) -> str:
    """The search of the theme is a dialogue without a name."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
