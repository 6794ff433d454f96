/* Numbers that change without a word are read aloud once they stand still, and so is the name of a page that took the place of
   another; a table that is broader than its place can be scrolled with the arrow keys; the Tab key goes into an open popover;
   a button that is disabled keeps the focus; and on a telephone the menu folds once a page was chosen from it. */
const STILL = 700; // ms without a change on the page
const MOST_SAID = 6;
const NARROW = 767; // px, up to which Streamlit lays the menu over the page
const FOLDS = 150; // ms, after which the link was followed
const STOPS = "a[href], button, input, textarea, summary, canvas, [tabindex]";
const CHOICES = "[role=toolbar], [role=radiogroup]"; // one stop of the Tab key each

const seen = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;
const words = (element) => element.innerText.replace(/\s+/g, " ").trim();
const spoken = (element) => [...element.querySelectorAll("p")].map((text) => { // without the names of icons
  const copy = text.cloneNode(true);
  copy.querySelectorAll("[role=img]").forEach((icon) => icon.remove());
  return copy.textContent.trim();
}).join(" ");

/* Every large number by its place and its name, the sentence that stands for a table in the lab, and what became of a bet. */
function numbers() {
  const main = document.querySelector("[data-testid=stMain]") ?? document.body, found = new Map();
  for (const [place, box] of [...main.querySelectorAll("[data-testid=stMetric]")].filter(seen).entries()) {
    const name = box.querySelector("[data-testid=stMetricLabel]");
    found.set(`${place} ${name && words(name)}`, words(box));
  }
  const said = main.querySelector(".st-key-lab_said :is(h1, h2)");
  if (said) found.set("said", words(said));
  const bet = main.querySelector(".st-key-lab_bet");
  if (bet) found.set("bet", [...bet.querySelectorAll("[data-testid=stMarkdown]")].map(spoken).join(" "));
  return { page: location.pathname, found };
}

function reachable() {
  for (const table of document.querySelectorAll("[data-testid=stMain] table")) {
    const box = table.parentElement, broad = box.scrollWidth > box.clientWidth + 1;
    if (broad === box.hasAttribute("tabindex")) continue;
    const named = { tabindex: "0", role: "region", "aria-label": table.getAttribute("aria-label") ?? "Table" };
    for (const [name, value] of Object.entries(named)) broad ? box.setAttribute(name, value) : box.removeAttribute(name);
  }
}

function stopsOf(box) {
  const asleep = ({ dataset }) => "tabindex" in dataset; // until the focus is in the popover again
  return [...box.querySelectorAll(STOPS)].filter((one) => (one.tabIndex >= 0 || asleep(one)) && !one.disabled && seen(one));
}

/* The page ends with what is in a popover, far from the button that opens it; for the Tab key it stands behind that button. */
function throughPopover(event) {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const box = document.querySelector("[data-testid=stPopoverBody]");
  const opener = document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]");
  if (!box || !opener) return;
  box.tabIndex = -1; // words alone take the focus too, so that they are read
  const stops = stopsOf(box), first = stops[0] ?? box, last = stops.at(-1) ?? box, at = document.activeElement;
  const isAt = (one) => at === one || Boolean(one.closest(CHOICES)?.contains(at));
  if (event.shiftKey ? isAt(first) || at === box : at === opener) {
    const chosen = first.closest(CHOICES)?.querySelector(":checked, [aria-checked=true]");
    (event.shiftKey ? opener : chosen ?? first).focus();
    event.preventDefault();
  } else if (isAt(last) && !event.shiftKey) {
    opener.focus(); // from where the key goes on
    opener.click();
  } else return;
  event.stopPropagation();
}

/* The focus is lost with a button that is disabled: for a moment, while a file is made for it, or for good, as by a bet that was
   placed. Then its place keeps it, from where the Tab key goes on. */
function held() {
  const { focused } = own;
  if (document.activeElement !== document.body || !focused?.isConnected) return;
  const place = focused.disabled ? focused.closest("[data-testid=stElementContainer]") : null;
  if (place) {
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  }
  (place ?? focused).focus({ preventScroll: true });
}

function settled() {
  if (document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running") return later();
  reachable();
  held();
  const now = numbers(), before = own.before;
  own.before = now;
  if (before?.page !== now.page) return before && sayAloud(document.title);
  const changed = [...now.found].filter(([name, text]) => before.found.has(name) && text && before.found.get(name) !== text);
  if (changed.length) sayAloud(changed.slice(0, MOST_SAID).map(([, text]) => text).join("; "));
}

function later() {
  clearTimeout(own.timer);
  own.timer = setTimeout(settled, STILL);
}

/* The menu lies over the page there, which is what was asked for. */
function folded({ target }) {
  if (innerWidth > NARROW || !target.closest?.("[data-testid=stSidebarNavLink]")) return;
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click(), FOLDS);
}

const own = { before: null, timer: 0, focused: null };
sayAloud(""); // the place must stand before anything is said in it
new MutationObserver(later).observe(document.getElementById("root"), { childList: true, characterData: true, subtree: true });
addEventListener("resize", later);
addEventListener("keydown", throughPopover, true);
addEventListener("click", folded);
addEventListener("focusin", ({ target }) => { own.focused = target; });
addEventListener("pointerdown", () => { own.focused = null; }, true);
later();
