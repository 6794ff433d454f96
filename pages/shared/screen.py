"""Whether the window is as narrow as a telephone's: of a figure with two arrangements, the one that fits is sent."""

from __future__ import annotations

from typing import cast

import streamlit as st

from pages.shared import component, state

KEY = "unseen_screen"
# The width at which the style sheet goes over to one column; it must be one number for both.
NARROWEST = 640
JS = """
export default function ({ data, parentElement, setStateValue }) {
  const own = (parentElement.screen ??= { query: window.matchMedia(`(max-width: ${data.narrowest}px)`) });
  Object.assign(own, { data, setStateValue });
  document.documentElement.dataset.drawnFor = data.narrow ? "narrow" : "broad";
  const tell = () => { if (own.query.matches !== own.data.narrow) own.setStateValue("narrow", own.query.matches); };
  tell();
  if (own.end) return own.end;
  own.query.addEventListener("change", tell);
  own.end = () => {
    own.query.removeEventListener("change", tell);
    delete parentElement.screen;
  };
  return own.end;
}
"""


def watch() -> None:
    """Have the browser say when its window becomes narrow or broad; the page is then drawn once more."""
    data = {"narrow": narrow(), "narrowest": NARROWEST}
    component.mount("screen", JS, key=KEY, data=data, on_narrow_change=lambda: None)


def narrow() -> bool:
    """Return whether figures are arranged for a telephone: as the browser said, and until then as its first request tells."""
    if state.in_room_view():
        return False
    stated = st.session_state.get(KEY, {}).get("narrow")
    return _of_telephone() if stated is None else cast(bool, stated)


def _of_telephone() -> bool:
    headers = st.context.headers
    return headers.get("Sec-Ch-Ua-Mobile") == "?1" or "Mobi" in (headers.get("User-Agent") or "")
