"""The room: one figure at a time, as large as the window lets it be, and what steers it at the lower edge, never over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics.figures.traces import Figure
from pages.shared import component, state, turning
from pages.shared.page_records import page_of

JS = Path(__file__).with_suffix(".js")
MOST = 2.0
"""How far a figure is enlarged at most: it is drawn for a part of the page's width that holds its words."""
HEIGHTS = (0.45, 1.0, 1.35)
"""Of a figure of lines or points: how far it may be pressed together, as it is drawn, and pulled apart."""
PLACE = "room.place"

CSS = """<style>
@property --tried {syntax: "*"; inherits: false;}
@property --drawn {syntax: "*"; inherits: false;}
.st-key-page_head {gap: 0 24px; align-items: baseline;}
.st-key-page_head h1 {font-size: 34px; padding: 0;}
.st-key-room_slide {gap: 10px; min-width: 0; overflow: clip; overflow-clip-margin: 4px;}
.st-key-room_slide[data-long] {overflow: hidden auto;}
.st-key-room_slide[data-long] > * {flex: none;}
.st-key-room_slide[data-cut] {
  mask-image: linear-gradient(var(--above, #000), #000 32px calc(100% - 32px), var(--below, #000));
}
.st-key-room_slide[data-cut~="above"] {--above: transparent;}
.st-key-room_slide[data-cut~="below"] {--below: transparent;}
.st-key-room_slide :is(.st-key-third_review_decide, .st-key-review_choose) {gap: 6px;}
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-room_texts, .st-key-room_codes)),
.st-key-room_slide [data-testid="stLayoutWrapper"]:has(> :is(.st-key-third_review_decide, .st-key-wide_review_matrix)) {
  flex: 1 1 480px; min-width: min(480px, 100%);
}
.st-key-room_codes, .st-key-room_codes [data-testid="stVerticalBlock"] {gap: 6px;}
.st-key-room_codes > [data-testid="stLayoutWrapper"] > [data-testid="stVerticalBlock"] {padding: 8px 12px;}
[data-testid="stLayoutWrapper"]:has(> .st-key-room_codes) {position: sticky; top: 0;}
.st-key-room_slide [class*="st-key-room_part_"] {min-height: var(--part, auto); gap: 10px;}
.room-strip {position: fixed; z-index: 12; overflow: hidden; pointer-events: none; background: light-dark(#FFFFFF, #14171C);}
.room-strip[hidden] {display: none;}
.room-strip > svg {position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden;}
.st-key-room_dock .room-part {margin: 0 170px 0 auto;}
.st-key-room_slide h2 {font-size: 28px; padding: 0;}
.st-key-room_slide :is(h3, h4) {font-size: 26px; padding: 0;}
.st-key-room_slide [data-testid="stMarkdownContainer"] p {line-height: 1.3; margin-bottom: 0;}
.st-key-room_slide [data-testid="stMarkdownContainer"] {margin-bottom: 0;}
.st-key-room_slide [data-testid="stMetricValue"] {font-size: 48px;}
.st-key-room_first .st-key-modes > [data-testid="stLayoutWrapper"], .st-key-room_first [class*="st-key-third_mode_"] {
  height: var(--card, auto) !important;
}
.st-key-room_first [class*="st-key-third_mode_"] {justify-content: space-evenly;}
.st-key-room_first [class*="st-key-mode_"] {justify-content: space-between;}
.st-key-room_slide .st-key-modes [data-testid="stMetricValue"] {font-size: clamp(30px, calc(.12 * var(--card, 250px)), 72px);}
.st-key-room_slide .st-key-modes .copy-number {display: none;}
.st-key-room_slide [data-testid="stMarkdownContainer"] p * {font-size: inherit !important;}
.st-key-room_slide h2 [style*="font-size"] {font-size: 24px !important; font-weight: 400;}
.st-key-room_slide .stPrintGraphic {
  width: calc(100% / var(--tried, var(--room, 1))) !important; max-width: none; overflow: visible;
  height: var(--drawn, auto) !important; flex: none !important;
  margin-bottom: calc((var(--tried, var(--room, 1)) - 1) * var(--drawn, 0px));
}
.st-key-room_slide :is([data-testid="stFullScreenFrame"], [data-testid="stPlotlyChart"]) {overflow: visible;}
.st-key-room_slide .js-plotly-plot {transform: scale(var(--room, 1)); transform-origin: 0 0;}
[data-testid="stLayoutWrapper"]:has(> .st-key-room_square) {flex: 3 1 0; min-width: 0;}
[data-testid="stLayoutWrapper"]:has(> .st-key-room_words) {flex: 2 1 0; min-width: 0;}
.st-key-room_slide :is([data-drawn="rows"], [data-drawn="blocks"]) .annotation rect.bg {fill-opacity: 0 !important;}
.st-key-room_slide .st-key-room_first .st-key-verdict p {font-size: clamp(24px, 3.3vh, 38px);}
.st-key-room_slide .st-key-room_first .st-key-verdict h2 {font-size: clamp(28px, 4.2vh, 48px);}
.st-key-room_first [data-testid="stMetric"] {display: flex; flex-direction: column; justify-content: center; height: 100%;}
.st-key-room_first [class*="st-key-headline"] {display: grid; grid-template-columns: repeat(var(--columns, 2), 1fr); gap: 16px;}
.st-key-room_first [class*="st-key-headline"] > [data-testid="stElementContainer"] {
  width: auto !important; max-width: none; height: var(--card, auto);
}
.st-key-room_first [data-five] {grid-template-columns: repeat(6, 1fr) !important;}
.st-key-room_first [class*="st-key-headline"]:not(:has([data-testid="stMetric"])) {display: none;}
.st-key-room_first [class*="st-key-headline"] [data-testid="stMetricValue"] {
  font-size: clamp(36px, min(.42 * var(--card, 200px), var(--value, 110px)), 110px);
}
.st-key-room_first [class*="st-key-headline"] [data-testid="stMetricLabel"] p {
  font-size: clamp(24px, calc(.12 * var(--card, 200px)), 32px);
}
.st-key-room_dock {
  position: fixed; left: 0; right: 0; bottom: 0; height: 54px; z-index: 20; padding: 0 24px; gap: 12px;
  background: light-dark(#F5F6F8, #1F242B); border-top: 1px solid light-dark(#C4C9D2, #454D58); flex-wrap: nowrap;
}
.st-key-room_dock :is(p, button, button p) {font-size: 24px !important; line-height: 1.3; white-space: nowrap;}
.st-key-room_dock button {min-height: 46px; padding: 2px 12px;}
.st-key-room_switch {width: auto;}
.st-key-room_switch p {font-size: 24px !important;}
.st-key-room_switch label {align-items: center;}
.st-key-room_panel {
  display: none; position: fixed; z-index: 15; top: 0; right: 0; bottom: 0; width: 400px; padding: 16px 16px 80px;
  overflow-y: auto; flex-wrap: nowrap; background: light-dark(#F5F6F8, #1F242B);
  border-left: 1px solid light-dark(#C4C9D2, #454D58);
}
[data-testid="stLayoutWrapper"]:has(> .st-key-room_switch input:checked) + * > .st-key-room_panel {display: flex;}
.st-key-room_panel [data-testid="stHorizontalBlock"] {flex-direction: column;}
.st-key-room_panel [data-testid="stHorizontalBlock"] > * {width: 100% !important; max-width: none; flex: none;}
.st-key-room_panel :is(p, label, input, button) {font-size: 24px !important; line-height: 1.3;}
.st-key-room_panel [role="radiogroup"] {flex-wrap: wrap; mask-image: none;}
[data-testid="stMainBlockContainer"]:has(.st-key-room_switch input:checked) {padding-right: 432px !important;}
@media (max-width: 640px) {
  .st-key-room_dock {overflow-x: auto; padding-right: 190px;}
  .st-key-room_panel {max-width: 100%;}
}
</style>"""

# Rules of what stands around a slide and its dock are sent with these: did they look for them by `:has`, the browser would look
# at every word of the page again with each part that comes or goes.
SLIDE = """<style>
:root {font-size: 24px;}
:root [data-testid="stMainBlockContainer"] {padding: 8px 32px 104px;}
:root [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] {gap: 6px;}
:root [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] > [data-testid="stElementContainer"] p {
  font-size: 24px; line-height: 1.3;
}
:root [data-testid="stMainBlockContainer"] [data-testid="stAlertContainer"] {padding: 8px 16px;}
html:root :is(p:not([data-testid="stMetric"] *, .st-key-verdict *), input, textarea, [data-tag]) {font-size: 24px;}
</style>"""
BELOW_HEAD = """<style>
:root [data-testid="stMain"] .st-key-page_head {position: absolute; width: 1px; height: 1px; overflow: hidden;}
</style>"""
DOCK = """<style>
:root [data-testid="stMain"] :is(.st-key-declaration, .st-key-declaration_words) {
  position: fixed; z-index: 21; bottom: 53px; height: auto; left: 0; right: 0; padding: 3px 24px 0; border-radius: 0;
  border: 0; border-top: 1px solid light-dark(#C4C9D2, #454D58); background: light-dark(#F5F6F8, #1F242B);
  width: auto !important; max-width: none; min-width: 0;
}
:root [data-testid="stMain"] :is(.st-key-declaration, .st-key-declaration_words) :is(p, code, strong) {
  font-size: 24px !important; line-height: 28px; margin: 0;
}
:root [data-testid="stMain"] :is(.st-key-declaration, .st-key-declaration_words) code {
  padding: 0; background: none; white-space: normal; overflow-wrap: anywhere;
}
:root [data-testid="stMain"] :is(.st-key-declaration, .st-key-declaration_words) [data-testid="stMarkdownContainer"] {
  margin-bottom: 0;
}
:root [data-testid="stMain"] .st-key-declaration [data-testid="stColumn"]:nth-child(2) {display: none;}
:root [data-testid="stMain"] .st-key-room_switch {
  position: fixed; z-index: 22; right: 24px; bottom: 0; height: 54px; justify-content: center;
}
[data-testid="stMain"] .st-key-room_dock .st-key-room_switch {position: static; height: auto;}
[data-testid="stMain"] .st-key-room_panel {bottom: 54px;}
@media (max-width: 640px) {
  :root [data-testid="stMain"] .st-key-room_switch {
    right: 0; padding: 0 12px; background: light-dark(#F5F6F8, #1F242B);
  }
}
@media (max-width: 1100px) {
  :root [data-testid="stMain"] :is(.st-key-declaration, .st-key-declaration_words) {display: none;}
}
</style>"""


def height_of(drawn: Figure) -> Literal["content", "stretch"]:
    """How high a figure stands: on a page as it was drawn; in the room as high as it is made there, told how it was drawn."""
    if not state.in_room_view():
        return "content"
    drawn.note(tall=drawn.tall)
    return "stretch"


def one_at_a_time(drawings: Sequence[Callable[[], None]]) -> None:
    """One figure, scaled to the height that is left, with keys to go on and a way back."""
    last = len(drawings) - 1
    place = min(int(st.session_state.setdefault(PLACE, 0)), last)
    name = page_of(str(st.session_state.get(state.PAGE))).title
    with dock():
        st.button("Back", key="room.left", disabled=place == 0, on_click=_turn, args=(place - 1,), **turning.LEFT)
        st.markdown(f"{place + 1} of {last + 1}", width="content")
        st.button("Next", key="room.right", disabled=place == last, on_click=_turn, args=(place + 1,), **turning.RIGHT)
        turning.every_press_counts(("room.left", "room.right"), place, last, _turn, arrows=True)
        leave()
        st.markdown(name, width="content")
    with slide(place, headed=not place):
        drawings[place]()


def dock() -> DeltaGenerator:
    """Where what steers a slide stands."""
    st.html(DOCK)
    return st.container(horizontal=True, vertical_alignment="center", key="room_dock")


def leave() -> None:
    st.button("Leave room view", key="room.leave", on_click=state.leave_room, icon=":material/close_fullscreen:")


@contextmanager
def slide(place: int, *, headed: bool) -> Iterator[None]:
    """What stands above what steers; only a slide that is `headed` has the title of its page in view."""
    st.html(SLIDE if headed else SLIDE + BELOW_HEAD)
    with st.container(key="room_slide"), st.container(key="room_first" if headed else "room_on"):
        yield
    fit(place)


def part(name: str) -> DeltaGenerator:
    """A part of a slide that is looked at by itself; the keys ↓ and ↑ turn the parts."""
    return st.container(key=f"room_part_{name}")


def fit(place: int) -> None:
    """Have the browser scale what stands in the slide."""
    data = {"most": MOST, "heights": HEIGHTS, "place": place}
    component.mount("stage", JS, key="unseen_stage", data=data)


def _turn(place: int) -> None:
    st.session_state[PLACE] = place


def choosers() -> DeltaGenerator:
    """Where the questions of a page are asked: beside the figure, which makes way for them, once they are switched on."""
    with st.container(key="room_switch"):
        st.toggle("Choices", key="room.choices")
    return st.container(key="room_panel")
