"""Two buttons that turn one view after another, by mouse, by finger or by keys: every press counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from pages.shared import component

LEFT: dict[str, Any] = {"icon": ":material/arrow_left_alt:", "icon_position": "right"}
RIGHT: dict[str, Any] = {"icon": ":material/arrow_right_alt:", "icon_position": "right"}
"""Looks of buttons that the arrow keys stand for."""

# A button says that it was pressed, and presses that come faster than answers become one. So the browser counts, and says
# which view is wanted. What it says and what it is answered carry the number of the press: an answer to an earlier press does
# not set the count back. A key that is held down is one press. A button that is still drawn as disabled, because the answer to
# the press before is on its way, hears no click, but the finger that is lifted from it. What is said while the connection is
# gone reaches nobody, and nobody asks for it later: so it waits for the connection, and is said again while it is not answered.
# That somebody goes back by the browser's own way the browser alone knows: to the server a request that left before the last
# answer came looks the same, since both carry an older address.
JS = """
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, canvas, [contenteditable=true]";
const WRITING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";
const LETTERS = { k: -1, j: 1 };
const CHOICES = "[role=radio], [role=tab], [role=menuitem], [role=option], [role=slider], input";
const LOOK = 500, AGAIN = 3000;  // ms: between two looks at the connection, and until an unanswered press is said again
const FIRST = 150;  // ms that the page takes to ask of itself for the run that a way back leads to

function page() {
  const app = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
  return { gone: (app.testConnectionState ?? "CONNECTED") !== "CONNECTED", still: app.testScriptState === "notRunning" };
}

function tellBack(own, search) {
  const { gone, still } = page();
  clearTimeout(own.back);
  if (gone || !still) own.back = setTimeout(tellBack, FIRST, own, search);
  else own.setStateValue("back", [performance.now(), search]);
}

function tell(own) {
  const { gone, still } = page();
  const waiting = own.said === own.press && (!still || performance.now() - own.at < AGAIN);
  if (!gone && !waiting) {
    Object.assign(own, { said: own.press, at: performance.now() });
    own.setStateValue("wanted", [own.press, own.place, own.marks]);
  }
  clearTimeout(own.timer);
  own.timer = setTimeout(() => own.data.heard < own.press && tell(own), LOOK);
}

function wayOf(event, pointed) {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event, target = event.composedPath()[0];  // inside of a component too
  if (altKey || ctrlKey || metaKey || shiftKey || target.closest?.(FIELDS)) return 0;
  // Who came to choices with the keyboard goes through them with the arrows; who pointed at one has chosen.
  if (!pointed && target.closest?.(CHOICES)) return 0;
  return { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
}

function wayOfLetter({ key, altKey, ctrlKey, metaKey, target }) {
  return altKey || ctrlKey || metaKey || target.closest?.(WRITING) ? 0 : LETTERS[key.toLowerCase()] ?? 0;
}

function digitOf({ key, altKey, ctrlKey, metaKey, target }, most) {
  const digit = altKey || ctrlKey || metaKey || target.closest?.(WRITING) ? 0 : Number(key);
  return Number.isInteger(digit) && digit >= 1 && digit <= most ? digit : 0;
}

export default function ({ data, parentElement, setStateValue }) {
  const own = (parentElement.turning ??= { press: 0, path: window.location.pathname, marks: [] });
  Object.assign(own, { data, setStateValue });
  document.documentElement.dataset.arrows = data.arrows ? "turn" : "";
  document.documentElement.dataset.letters = data.letters ? "turn" : "";
  if (data.heard >= own.press) {
    Object.assign(own, { press: data.heard, place: data.place, marks: [], open: new Map(Object.entries(data.open)) });
  }
  if (own.end) return own.end;
  const turn = (event, way) => {
    event.preventDefault();
    event.stopPropagation();
    const place = own.place + way;
    if (event.repeat || place < 0 || place > own.data.last) return;
    Object.assign(own, { place, press: own.press + 1 });
    tell(own);
  };
  const mark = (event, digit) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    const at = String(own.place), open = (own.open.get(at) ?? 1) - 1, press = own.press + 1;
    own.marks.push([press, own.place, digit]);
    own.open.set(at, open);
    Object.assign(own, { press, place: open > 0 ? own.place : Math.min(own.place + 1, own.data.last) });
    tell(own);
  };
  const buttonOf = ({ target }, state) =>
    own.data.buttons.findIndex((name) => target.closest?.(`.${CSS.escape(name)} button${state}`));
  const onClick = (event) => {
    const at = buttonOf(event, "");
    if (at >= 0) turn(event, at ? 1 : -1);
  };
  const onLift = (event) => {
    const at = event.button ? -1 : buttonOf(event, ":disabled");
    if (at >= 0) turn(event, at ? 1 : -1);
  };
  const onKey = (event) => {
    if (event.key === "Tab") own.pointed = false;
    const way = (own.data.arrows && wayOf(event, own.pointed)) || (own.data.letters && wayOfLetter(event));
    const digit = way ? 0 : digitOf(event, own.data.marks);
    if (way) turn(event, way);
    else if (digit) mark(event, digit);
  };
  const onPoint = () => { own.pointed = true; };
  const onBack = () => {
    const { pathname, search } = window.location;
    if (!own.data.backs || pathname !== own.path) return;
    clearTimeout(own.back);
    own.back = setTimeout(tellBack, FIRST, own, search);
  };
  const heard = { click: onClick, keydown: onKey, pointerdown: onPoint, pointerup: onLift, popstate: onBack };
  for (const [kind, act] of Object.entries(heard)) window.addEventListener(kind, act, true);
  if (data.arrows) for (const early of window.earlyKeys?.take(["ArrowLeft", "ArrowRight"]) ?? []) onKey(early);
  own.end = () => {
    for (const [kind, act] of Object.entries(heard)) window.removeEventListener(kind, act, true);
    clearTimeout(own.timer);
    clearTimeout(own.back);
    delete parentElement.turning;
  };
  return own.end;
}
"""


@dataclass(frozen=True)
class Marks:
    """What digits say of a view.

    Attributes
    ----------
    names : sequence of str
        What 1, 2, … say.
    open : mapping of str to int
        How many marks each view waits for, by its place; of those near the one shown.
    put : callable
        Takes a place and which of the names was said of it.
    """

    names: Sequence[str]
    open: Mapping[str, int]
    put: Callable[[int, int], None]


def every_press_counts(
    buttons: tuple[str, str],
    place: int,
    last: int,
    go: Callable[[int], None],
    *,
    arrows: bool = False,
    letters: bool = False,
    back: Callable[[dict[str, str]], None] | None = None,
    marks: Marks | None = None,
) -> None:
    """Let each press of two buttons turn one view further, however fast they come.

    With `arrows` those of Left and Right do so too, with `letters` those of K (back) and J (on), except where somebody types.

    Parameters
    ----------
    buttons : pair of str
        Keys of the button that leads back and of the one that leads on.
    place, last : int
        The view shown and the last one, counted from 0; −1 before the first.
    go : callable
        Shows the view of a place.
    back : callable, optional
        Takes the choices in the address that the browser's own way back, or on, led to.
    marks : Marks, optional
        What the digits do; a view of which nothing is open any more turns by itself.
    """
    key = f"unseen_{buttons[1]}"
    heard = st.session_state.get(key, {}).get("wanted") or (0, place, ())
    done = f"{key} marked"
    st.session_state[done] = min(st.session_state.get(done, 0), heard[0])
    names = [f"st-key-{re.sub(r'[^a-zA-Z0-9_-]', '-', button)}" for button in buttons]
    data = {"buttons": names, "place": place, "last": last, "heard": heard[0]}
    data |= {"arrows": arrows, "letters": letters, "backs": back is not None}
    data |= {"marks": len(marks.names) if marks else 0, "open": marks.open if marks else {}}

    def turn() -> None:
        press, wanted, given = st.session_state[key]["wanted"]
        for pressed, at, digit in given:
            if marks is not None and pressed > st.session_state[done] and 0 <= at <= last:
                marks.put(int(at), int(digit) - 1)
        st.session_state[done] = press
        go(min(max(wanted, 0), last))

    def turn_back() -> None:
        if back is not None:
            back(dict(parse_qsl(st.session_state[key]["back"][1].removeprefix("?"))))

    # fmt: off
    component.mount("turning", JS, key=key, data=data, on_wanted_change=turn, on_back_change=turn_back)
    # fmt: on
