"""A button that copies a text, or the address of the page, to the clipboard."""

from __future__ import annotations

import streamlit as st

HTML = """
<button type="button">
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor">
    <rect x="5.5" y="1.5" width="9" height="10" rx="1.5"/><path d="M3.5 4.5h-1a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1v-1"/>
  </svg><span class="label"></span>
</button>
"""

CSS = """
:host, div {width: 100%}
button {
  width: 100%; min-height: 2.5rem; padding: .25rem .75rem; cursor: pointer; white-space: nowrap;
  font: inherit; font-family: var(--st-font); font-size: 1rem; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius, .25rem);
}
button:hover, button:focus-visible {border-color: var(--st-primary-color); color: var(--st-primary-color)}
button:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 1px}
.icon {margin-right: .5rem; vertical-align: -2px}
@media (max-width: 1200px) {.narrow .label {position: absolute; clip-path: inset(50%)} .narrow .icon {margin-right: 0}}
"""

JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const label = parentElement.querySelector(".label");
  button.className = data.narrow ? "narrow" : "";
  button.title = data.text ?? "";
  button.setAttribute("aria-label", data.label);
  label.textContent = data.label;
  button.onclick = async () => {
    const text = data.text ?? window.location.href;
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    const said = done ? "Copied" : "Not copied";
    label.textContent = said;
    button.setAttribute("aria-label", said);
    setTimeout(() => { label.textContent = data.label; button.setAttribute("aria-label", data.label); }, 1500);
  };
}
"""


@st.cache_resource(show_spinner=False, max_entries=1)
def _component() -> object:
    return st.components.v2.component("copy_to_clipboard", html=HTML, css=CSS, js=JS)


def copy_button(label: str, key: str, text: str | None = None, *, narrow: bool = False) -> None:
    """Without a text, the address of the page is copied; `narrow` shows the icon alone below 1200 px."""
    _component()(key=key, data={"label": label, "text": text, "narrow": narrow}, height="content")  # type: ignore[operator]
