"""The few rules of style and of touch that Streamlit cannot express. Static text only."""

from __future__ import annotations

import streamlit as st

from pages.shared import access, page_records, parts, screen, stage
from pages.shared.page_records import Page

# Streamlit paints the pulse of its grey places sixty times a second, while the browser has to read what is to stand there; here
# they are still.
BASE = """<style>
[data-testid="stMainBlockContainer"] {padding-top: 4.2rem; padding-bottom: 4rem;}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-wide_"]) {flex: 1 1 340px; min-width: min(340px, 100%);}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-third_"]) {flex: 1 1 280px; min-width: min(280px, 100%);}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-third_ensemble_"]) {max-width: max(340px, 33.3% - .7rem);}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-items_said_"]) {flex: 1 1 200px; min-width: min(200px, 100%);}
[data-testid="stLayoutWrapper"]:has(> .st-key-items_list) {flex: 2 1 260px; min-width: min(260px, 100%);}
[data-testid="stLayoutWrapper"]:has(> .st-key-items_read) {flex: 3 1 340px; min-width: min(340px, 100%);}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-most_"]) {flex: 2 1 640px; min-width: min(640px, 100%);}
[data-testid="stElementContainer"]:has(> [data-testid="stHtml"] > script), [class*="st-key-unseen_"] {display: none;}
:is([data-testid^="stBaseButton"], [data-testid="stButtonGroup"] button):focus-visible {
  outline: 2px solid currentColor; outline-offset: -3px;
}
[data-testid="stCheckbox"] label:has(input:focus-visible), [data-testid="stRadioOption"]:has(input:focus-visible) {
  outline: 2px solid currentColor; outline-offset: 2px;
}
[data-testid="stApp"] :is(a, summary, [role="tab"]):focus-visible {
  outline: 2px solid light-dark(#0F151D, #E9ECF1); outline-offset: 1px;
}
:is([data-testid^="stTopNav"], [data-testid^="stMainMenu"], [data-testid="stTooltipHoverTarget"]) :focus-visible,
:is([data-testid^="stTopNav"], [data-testid^="stMainMenu"], [data-testid="stPopoverButton"]):focus-visible {
  outline: 2px solid currentColor; outline-offset: -2px;
}
[data-testid="stSlider"] [data-focus-visible="true"] {outline: 2px solid light-dark(#0F151D, #E9ECF1); outline-offset: 2px;}
[data-testid="stMain"]:focus-visible {outline: 2px solid light-dark(#0F151D, #E9ECF1); outline-offset: -3px;}
[data-testid="stPopoverBody"]:focus {outline: none;}
[data-testid="stPopoverButton"][aria-expanded="true"] {color: inherit;}
.keep-typed {
  max-width: 20rem; padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: .5rem;
  font: inherit; color: inherit; background: light-dark(#FFFFFF, #14171C);
}
.keep-typed p {margin-bottom: .75rem;}
.keep-typed button {
  min-height: 2.5rem; margin: 0 .5rem 0 0; padding: .25rem .75rem; font: inherit; color: inherit;
  background: none; border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: .5rem; cursor: pointer;
}
.keep-typed button:is(:hover, :focus-visible) {border-color: currentColor;}
.keep-typed button:focus-visible {outline: 2px solid currentColor; outline-offset: -3px;}
[data-testid="stSidebar"][data-collapsed="true"], [data-testid="stSidebar"][data-collapsed="true"] * {
  visibility: hidden !important;
}
[data-testid="stWidgetLabel"][disabled] {color: inherit;}
[data-testid="stWidgetLabel"][disabled] [data-testid="stMarkdownContainer"] {color: inherit;}
[data-testid="stWidgetLabel"][disabled] > span {opacity: .75;}
[data-testid="stBaseButton-primary"]:not(:disabled), [data-testid="stMultiSelect"] [data-tag] {
  color: light-dark(#FFFFFF, #14171C);
}
[data-testid="stApp"] h2 {padding: .75rem 0 1rem;}
[class*="st-key-lead_"] h2 {padding: 1rem 0; font-size: 1.25rem; font-weight: 650;}
[data-testid="stFileUploaderDropzoneInstructions"] span {overflow: visible; white-space: normal;}
[data-testid="stSkeleton"] {animation: none !important;}
[data-testid="stMetric"] {position: relative;}
.copy-number {
  position: absolute; top: 1px; right: 1px; width: 24px; height: 24px; padding: 0; border: 0; border-radius: .25rem;
  display: flex; align-items: center; justify-content: center; cursor: pointer; background: none; color: inherit; opacity: .6;
}
.st-key-modes [data-testid="stMetric"], .st-key-modes [data-testid="stElementContainer"] {overflow: visible;}
.st-key-modes [data-testid="stMetricValue"] {font-size: 1.75rem;}
.st-key-modes .copy-number {top: 31px; right: -8px;}
.copy-number:is(:hover, :focus-visible, [data-done]) {opacity: 1; background: color-mix(in srgb, currentColor 8%, transparent);}
.copy-number:focus-visible {outline: 2px solid currentColor; outline-offset: -2px;}
.copy-number .tick, .copy-number[data-done="yes"] .sheets {visibility: hidden;}
.copy-number[data-done="yes"] .tick {visibility: visible;}
[data-testid="stPlotlyChart"] {position: relative;}
.save-figure {position: absolute; top: 1px; right: 2px; z-index: 5; display: flex; gap: 2px; opacity: 0; pointer-events: none;}
[data-testid="stPlotlyChart"]:is(:hover, :focus-within) > .save-figure {opacity: 1; pointer-events: auto;}
.save-figure button {
  height: 24px; padding: 0 6px; font-size: 12px; color: inherit; background: var(--ground); cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: .25rem;
}
.save-figure button:is(:hover, :focus-visible) {border-color: currentColor;}
.save-figure button:focus-visible {outline: 2px solid currentColor; outline-offset: -1px;}
/* Three segments do not fit side by side: they wrap, and Streamlit leaves the first of a row without its edge. */
[data-testid="stSidebar"] button[data-variant="segmented_control"] {flex: 1 1 auto; border-radius: .35rem;}
[data-testid="stSidebar"] button[data-variant="segmented_control"]:not([data-selected="true"]) {
  border-color: color-mix(in srgb, currentColor 30%, transparent) !important;
}
[class*="st-key-asked_"] {border-left: 4px solid #B07A10 !important; padding-left: .8rem;}
@media (forced-colors: active) {
  [data-testid="stPlotlyChart"] {forced-color-adjust: none; background: var(--ground);}
  [data-testid="stSlider"] [data-orientation] > div {forced-color-adjust: none;}
  [data-testid="stCheckbox"] > label {border: 1px solid;}
  :is([data-testid="stRadioOption"], [data-testid="stCheckbox"] > label):has(input:checked),
  [data-testid="stButtonGroup"] button:is([aria-checked="true"], [aria-pressed="true"], [data-selected="true"]) {
    &, & * {forced-color-adjust: none; background-color: SelectedItem !important; color: SelectedItemText !important;}
  }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after {
    animation-duration: .01ms !important; animation-iteration-count: 1 !important; scroll-behavior: auto !important;
    transition: none !important; /* the shortest one still hides a new colour from Streamlit, which reads it at once for tables */
  }
}
@media (max-width: 1100px) {
  .st-key-headline > [data-testid="stElementContainer"] {flex: 1 1 40%; min-width: 0; max-width: calc(50% - .5rem);}
  .st-key-headline div:has(> [data-testid="stMetricDelta"]) {flex-wrap: wrap;}
}
@media (min-width: 641px) {
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-only_narrow"]) {display: none;}
}
@media (max-width: 640px) {
  :is(.st-key-raters_level, .st-key-labels-question) [role="radiogroup"] {flex-wrap: wrap; mask-image: none;}
  .st-key-headline > [data-testid="stElementContainer"] > [data-testid="stMetric"] {min-width: 0;}
  .st-key-headline [data-testid="stMetricValue"] {font-size: 1.75rem;}
  .st-key-headline [data-testid="stMetricLabel"] {padding-right: 1.25rem;}
  .st-key-headline [data-testid="stMetricLabel"] p {white-space: normal;}
  .st-key-headline :is([data-testid="stMetricDelta"], [data-testid="stMetricDeltaDescription"]),
  .st-key-headline :is([data-testid="stMetricDelta"], [data-testid="stMetricDeltaDescription"]) * {
    min-width: 0; max-width: 100%; overflow: visible; white-space: normal;
  }
  .st-key-headline [data-testid="stMetric"] :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) {
    overflow: visible; white-space: normal;
  }
  .st-key-declaration [data-testid="stMarkdownContainer"] > p:has(> strong) {font-size: 0;}
  .st-key-declaration [data-testid="stMarkdownContainer"] > p > strong {font-size: 1rem;}
  .st-key-declaration [data-testid="stMarkdownContainer"] > p:has(> strong) > code {display: none;}
  [data-testid="stMainBlockContainer"] {padding-left: 1rem; padding-right: 1rem;}
  .st-key-review-dots {max-height: 7.6rem; overflow-y: auto;}
  [data-testid="stLayoutWrapper"]:has(> .st-key-third_review_decide) {order: -1;}
  [data-testid="stLayoutWrapper"]:has(> .st-key-review_choose) {order: -1;}
}
</style>"""

# A rule with `:has` over the whole page is looked at whenever anything on it changes, so that these are sent to the lab alone.
LAB = """<style>
.st-key-lab_said {scroll-margin-top: 4.5rem;}
[data-testid="stMain"]:has(.st-key-lab_story) h1 {padding: 0; font-size: 1.1rem; font-weight: 600;}
.st-key-lab_story h2 {padding: .25rem 0 .1rem; font-size: 1.6rem;}
.st-key-lab_said [data-testid="stMarkdownContainer"] {margin-bottom: 0;}
.st-key-lab_bet:has([role="radiogroup"]) {min-height: 102px;} /* with a line that says why, so that the figure stays in place */
@media (min-width: 769px) {
  [data-testid="stApp"]:has(.st-key-lab_story) :is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"]) {
    display: none;
  }
}
@media (min-width: 641px) {
  [data-testid="stMainBlockContainer"]:has(.st-key-lab_views) {padding-left: 3rem; padding-right: 3rem;}
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"]:has(.st-key-lab_story) {padding-top: 3.6rem;}
  .st-key-lab_story h2 {font-size: 1.3rem;}
  .st-key-lab_bet:has([role="radiogroup"]) {min-height: 110px;}
  [data-testid="stMain"]:has(:is(.st-key-lab_views, .st-key-lab_story))
  :is([data-testid="stButtonGroup"] button, [data-testid="stPageLink-NavLink"]) {
    min-height: 2.5rem;
  }
  [data-testid="stMain"]:has(.st-key-lab_views) :is([data-testid="stRadioOption"], [data-testid="stCheckbox"] > label) {
    display: flex; align-items: center; min-height: 2.5rem;
  }
  [data-testid="stMain"]:has(.st-key-lab_views) [data-testid="stNumberInputContainer"] {height: calc(2.5rem + 2px);}
  [data-testid="stMain"]:has(.st-key-lab_views) [data-testid="stTooltipHoverTarget"] > button {padding: 12px; margin: -12px;}
  [data-testid="stMain"]:has(:is(.st-key-lab_views, .st-key-lab_story)) [data-testid="stSelectbox"] :is(button, input) {
    min-height: 2.5rem;
  }
  [data-testid="stLayoutWrapper"]:has(> .st-key-most_lab), .st-key-most_lab,
  [data-testid="stLayoutWrapper"]:has(> .st-key-wide_lab_beside), .st-key-wide_lab_beside,
  [data-testid="stLayoutWrapper"]:has(> .st-key-lab_table), .st-key-lab_table {display: contents;}
  .st-key-lab_table > [data-testid="stLayoutWrapper"]:has(> .st-key-wide_lab_mosaic) {order: -3;}
  .st-key-lab_views [data-testid="stLayoutWrapper"]:has(> [class*="st-key-lab_own_"]) {order: -2;}
  [data-testid="stLayoutWrapper"]:has(> .st-key-lab_below) {order: 9;}
  [data-testid="stLayoutWrapper"]:has(> .st-key-third_lab_drive) {order: -1;}
  [data-testid="stMain"]:not(:has(.st-key-lab_more input:checked)) [data-testid="stLayoutWrapper"]:has(> .st-key-lab_split),
  [data-testid="stMain"]:not(:has(.st-key-lab_more input:checked)) [data-testid="stLayoutWrapper"]:has(> .st-key-lab_space) {
    display: none;
  }
}
</style>"""

ROOM = """<style>
[data-testid="stApp"] h2 {padding: .6rem 0; font-size: 1.25rem;}
[data-testid="stHeader"] {display: none;}
[data-testid="stMainBlockContainer"] {padding-top: 1rem;}
[data-testid="stMainBlockContainer"]:has(.st-key-lab_room) {padding-top: .5rem; padding-bottom: 104px;}
.st-key-lab_room [data-testid="stVerticalBlock"] {gap: .5rem;}
.st-key-lab_room .st-key-lab_said {flex-direction: row; flex-wrap: wrap; align-items: baseline; gap: 0 24px;}
.st-key-lab_said [data-testid="stElementContainer"] {width: auto !important;}
.st-key-lab_said [data-testid="stElementContainer"]:has(h2) {order: 1; width: 100% !important;}
.st-key-lab_said p, .st-key-lab_said p * {font-size: 24px !important;}
.st-key-lab_room [data-testid="stMarkdownContainer"] p {line-height: 1.4;}
.st-key-lab_room [data-testid="stMarkdownContainer"], .st-key-lab_room [data-testid="stMarkdownContainer"] p {margin-bottom: 0;}
.st-key-lab_room :is(h1, h2, h3) {padding: .2rem 0;}
.st-key-lab_room h2 {font-size: 1.25rem;}
.st-key-lab_room h3 {font-size: 1.2rem;}
.st-key-lab_said h1 {font-size: 30px;}
.st-key-lab_said h2 {font-size: 26px;}
@media (min-width: 1700px) and (min-height: 1000px) {
  .st-key-lab_said h1 {font-size: 38px;}
  .st-key-lab_said h2 {font-size: 29px;}
  .st-key-lab_room h2 {font-size: 1.6rem;}
  .st-key-lab_room h3 {font-size: 1.4rem;}
}
@media (max-height: 800px) {
  .st-key-lab_room, .st-key-lab_room [data-testid="stVerticalBlock"] {gap: .25rem;}
  .st-key-lab_room :is(h1, h2, h3) {padding: 0;}
  .st-key-lab_said h1 {font-size: 28px;}
  .st-key-lab_said h2 {font-size: 24px; line-height: 1.25;}
}
@media (max-width: 640px) {
  .st-key-lab_beside [role="radiogroup"] {flex-wrap: wrap; mask-image: none;}
}
</style>"""

# A tap on a mark chooses the mark that plotly saw the pointer over; a finger is over none before it taps.
TOUCH = """<script>
if (!window.marksKnowFingers) {
  window.marksKnowFingers = true;
  document.addEventListener("touchstart", ({ target, touches }) => {
    if (touches.length !== 1 || !target.closest?.(".js-plotly-plot")) return;
    const { clientX, clientY } = touches[0];
    target.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true, view: window }));
  }, { capture: true, passive: true });
}
</script>"""

# A drag of a slider is told when it ends, but keys tell each position, which would be a place each on the browser's way back.
ONE_RUN = """<script>
if (!window.keysAreOnePlace) {
  window.keysAreOnePlace = true;
  const REST = 1500; // ms without a key, after which the next one begins a place of its own
  const push = history.pushState.bind(history);
  let run = null;
  addEventListener("pointerdown", () => { run = null; }, true);
  addEventListener("keydown", ({ target, timeStamp: now }) => { // when it was pressed, however late it is heard
    const name = target.closest?.("[data-testid=stSlider]") && target.getAttribute("aria-label");
    if (!name) run = null;
    else run = { ...(run?.name === name && now < run.until ? run : { name, entered: false }), until: now + REST };
  }, true);
  history.pushState = (...entry) => {
    if (run?.entered) return history.replaceState(...entry); // however late the server answers a key
    if (run) run.entered = true;
    return push(...entry);
  };
}
</script>"""


# What hears keys comes last on a page: a press that nothing has heard waits for it, unless something else is done first.
EARLY = """<script>
if (!window.earlyKeys) {
  const WAITS = 10000, MOST = 20; // ms, presses: a slow machine may take as long to show a page whole
  let kept = [];
  window.earlyKeys = {
    take(keys) {
      const now = performance.now(), fresh = ({ at, path }) => now - at < WAITS && path === location.pathname;
      const taken = kept.filter((one) => keys.includes(one.key) && fresh(one));
      kept = kept.filter((one) => !taken.includes(one));
      return taken;
    },
  };
  const forget = () => { kept = []; };
  for (const kind of ["pointerdown", "popstate"]) addEventListener(kind, forget, true);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const { key, altKey, ctrlKey, metaKey, shiftKey, repeat } = event, [target] = event.composedPath(), nothing = () => {};
    const pressed = { key, altKey, ctrlKey, metaKey, shiftKey, repeat, target, composedPath: () => [target] };
    const when = { at: performance.now(), path: location.pathname, preventDefault: nothing, stopPropagation: nothing };
    kept = [...kept, { ...pressed, ...when }].slice(-MOST);
  });
}
</script>"""


# Where one run follows another at once, Streamlit's browser side may lose a part of the page, and then takes the whole page away.
TORN = """<script>
if (!window.opensTornPages) {
  const LOST = "Bad delta path", AGAIN = 10000, THEN = 300; // ms: between two such reloads, and until nothing is left in view
  window.opensTornPages = true;
  const open = (message) => {
    const last = Number(sessionStorage.getItem("kappascope.torn") ?? 0);
    if (!String(message).includes(LOST) || Date.now() - last < AGAIN) return;
    setTimeout(() => {
      if (document.querySelector("[data-testid=stApp]")) return;
      sessionStorage.setItem("kappascope.torn", Date.now());
      location.reload();
    }, THEN);
  };
  addEventListener("error", ({ message }) => open(message));
  addEventListener("unhandledrejection", ({ reason }) => open(reason?.message));
}
</script>"""


# A browser runs a script when it is sent anew: once for each task.
INTO_VIEW = """<script data-task="{task}">
document.querySelector(".st-key-lab_said")?.scrollIntoView({{ block: "nearest" }});
</script>"""
SCRIPTS = EARLY, TOUCH, ONE_RUN, TORN, access.SCRIPT, INTO_VIEW.format(task="")
"""All scripts that stand in the page itself; a server that lets no others run knows them by their text."""


OF_ENTRY = """<style>
:is([data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"]):has(> span[label="{entry}"]) {{
  background: color-mix(in srgb, currentColor 10%, transparent); font-weight: 600;
}}
</style>"""
"""A page that no entry is named after is in view: the entry that leads to it stands out, as it does for its own page."""


def apply(page: Page, *, room: bool) -> None:
    # A popover stands outside of what Streamlit gives its scheme of colours.
    popovers = f'<style>[data-testid="stPopoverBody"] {{color-scheme: {parts.theme()};}}</style>'
    st.html(BASE + (LAB if page is page_records.LAB else "") + popovers)
    st.html(EARLY + TOUCH + ONE_RUN + TORN + access.SCRIPT, unsafe_allow_javascript=True)
    screen.watch()
    if room:
        st.html(ROOM + stage.CSS)
    elif not page.leads:
        st.html(OF_ENTRY.format(entry=page.entry))


def bring_into_view(task: str) -> None:
    """Scroll to what is said about the task, whose key is plain text of the package."""
    st.html(INTO_VIEW.format(task=task), unsafe_allow_javascript=True)
