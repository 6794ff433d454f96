"""Links to the lab that a class can take from a screen: the address in words, and as a QR code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from pages.shared.page_records import LAB

LONGEST = 1200
"""Letters of an address that a camera still reads off a wall."""


def address(parameters: Mapping[str, str]) -> str:
    """Return the whole address of the lab with these parameters, at the place this page was opened from."""
    base = urlsplit(st.context.url or "")
    root = base.path.rsplit("/", 1)[0]
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{base.scheme}://{base.netloc}{root}/{LAB.name}{query}"


@lru_cache(maxsize=200)
def qr_svg(text: str) -> str:
    """Return the QR code of a text as an `svg` element, black on white in either theme."""
    return str(segno.make(text, micro=False, error="m").svg_inline(scale=6, border=4, dark="#000", light="#fff"))


def link(parameters: Mapping[str, str], key: str) -> None:
    """The address to copy, and its code."""
    whole = address(parameters)
    st.code(whole, language=None, wrap_lines=True)
    if len(whole) <= LONGEST:
        with st.container(key=key.replace(".", "_")):
            st.html(f'<div role="img" aria-label="QR code of this link" style="max-width: 260px">{_scaled(qr_svg(whole))}</div>')


def _scaled(svg: str) -> str:
    """Return the code at the width of its place."""
    wide = svg.split('width="', 1)[1].split('"', 1)[0]
    return svg.replace(f'width="{wide}" height="{wide}"', f'viewBox="0 0 {wide} {wide}" width="100%"', 1)
