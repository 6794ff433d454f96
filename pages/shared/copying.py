"""Buttons that copy a text, or the address of the page, to the clipboard; one beside every large number."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.results.words import plain
from pages.shared import component

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

# Without the clipboard of a secure page, the text is selected and copied as by hand. What is said aloud stands outside of what
# the page draws anew, where a screen reader keeps listening.
ALOUD = """
function sayAloud(words) {
  let aloud = document.querySelector("body > .said-aloud");
  if (!aloud) {
    aloud = document.createElement("div");
    aloud.className = "said-aloud";
    aloud.setAttribute("role", "status");
    aloud.style.cssText = "position: fixed; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
    document.body.append(aloud);
  }
  aloud.textContent = words;
  clearTimeout(aloud.fading);
  aloud.fading = setTimeout(() => { aloud.textContent = ""; }, 3000);
}
"""
TO_CLIPBOARD = """
async function toClipboard(text) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    const before = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    before?.focus?.();
  }
  return done;
}
"""

JS = f"""{ALOUD}{TO_CLIPBOARD}
export default function ({{ data, parentElement }}) {{
  const button = parentElement.querySelector("button");
  const label = parentElement.querySelector(".label");
  const host = parentElement.getRootNode().host ?? parentElement;
  if (data.declaration) host.dataset.declaration = data.declaration;
  button.className = data.narrow ? "narrow" : "";
  button.title = data.text ?? "";
  button.setAttribute("aria-label", data.label);
  label.textContent = data.label;
  button.onclick = async () => {{
    const said = await toClipboard(data.text ?? window.location.href) ? "Copied" : "Not copied";
    label.textContent = said;
    button.setAttribute("aria-label", said);
    sayAloud(said);
    setTimeout(() => {{ label.textContent = data.label; button.setAttribute("aria-label", data.label); }}, 1500);
  }};
}}
"""

# One part of the page for all numbers of a row, which puts a button into the box of each: a part to each number would cost every
# redraw as much again. A box that is drawn anew gets its button again.
NUMBERS_JS = (
    ALOUD
    + TO_CLIPBOARD
    + """
const ICON = "<svg viewBox='0 0 16 16' width='14' height='14' aria-hidden='true' fill='none' stroke='currentColor'>" +
  "<g class='sheets'><rect x='5.5' y='1.5' width='9' height='10' rx='1.5'/>" +
  "<path d='M3.5 4.5h-1a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1v-1'/></g>" +
  "<path class='tick' d='M2 8.5l4 4 8-9' stroke-width='2'/></svg>";

async function copy(button) {
  const done = await toClipboard(button.text);
  button.dataset.done = done ? "yes" : "no";
  sayAloud(done ? "Copied" : "Not copied");
  clearTimeout(button.fading);
  button.fading = setTimeout(() => delete button.dataset.done, 1500);
}

function buttonOf(box) {
  let button = box.querySelector(":scope > .copy-number");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "copy-number";
    button.innerHTML = ICON;
    button.onclick = () => copy(button);
    box.append(button);
  }
  return button;
}

function place(group, numbers) {
  const boxes = [...group.querySelectorAll("[data-testid=stMetric]")];
  boxes.forEach((box, at) => {
    const number = numbers[at];
    if (!number) return box.querySelector(":scope > .copy-number")?.remove();
    const button = buttonOf(box), label = `Copy ${number.label}`;
    button.text = number.text;
    if (button.title !== number.text) button.title = number.text;
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  });
}

export default function ({ data, parentElement }) {
  const group = (parentElement.getRootNode().host ?? parentElement).closest(`.st-key-${CSS.escape(data.group)}`);
  if (!group) return;
  const own = (parentElement.copies ??= { watching: new MutationObserver(() => place(own.group, own.numbers)) });
  Object.assign(own, { group, numbers: data.numbers });
  own.watching.disconnect();
  own.watching.observe(group, { childList: true, subtree: true });
  place(group, data.numbers);
  return () => own.watching.disconnect();
}
"""
)


def copy_button(label: str, key: str, text: str | None = None, *, narrow: bool = False, declaration: str = "") -> None:
    """Without a text, the address of the page is copied; `narrow` shows the icon alone below 1200 px.

    `declaration` is what the page says above its numbers, whole, where a saved figure finds it.
    """
    data = {"label": label, "text": text, "narrow": narrow, "declaration": plain(declaration)}
    component.mount("copy_to_clipboard", JS, key=key, data=data, html=HTML, css=CSS)


def copy_numbers(group: str, numbers: Sequence[tuple[str, str]]) -> None:
    """A button to copy each large number of a container, inside of which this must be called.

    Parameters
    ----------
    group : str
        Key of the container.
    numbers : sequence of (label, text)
        Of its numbers, in their order; both plain text.
    """
    data = {"group": group, "numbers": [{"label": label, "text": text} for label, text in numbers]}
    component.mount("copy_numbers", NUMBERS_JS, key=f"unseen_copies_{group}", data=data)
