"""Links to the lab that a class can take from a screen: the address in words, and as a QR code."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from html import escape
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
        with st.container(key=key):
            st.html(image(qr_svg(whole), "QR code of this link", width=220))


def image(svg: str, alt: str, width: int = 0) -> str:
    """Return an `svg` element as an `img` that holds it, since a page shows no other."""
    whole = svg if "xmlns" in svg else svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    coded = b64encode(whole.encode())
    wide = f' width="{width}"' if width else ""
    return f'<img src="data:image/svg+xml;base64,{coded.decode()}" alt="{escape(alt)}"{wide}>'
