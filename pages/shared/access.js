/* Numbers that change without a word are read aloud once they stand still, and a table that is broader than its place can be
   scrolled with the arrow keys. */
const STILL = 700; // ms without a change on the page
const MOST_SAID = 6;

const seen = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;
const words = (element) => element.innerText.replace(/\s+/g, " ").trim();

/* Every large number by its place and its name, and the sentence that stands for a table in the lab. */
function numbers() {
  const main = document.querySelector("[data-testid=stMain]") ?? document.body, found = new Map();
  for (const [place, box] of [...main.querySelectorAll("[data-testid=stMetric]")].filter(seen).entries()) {
    const name = box.querySelector("[data-testid=stMetricLabel]");
    found.set(`${place} ${name && words(name)}`, words(box));
  }
  const said = main.querySelector(".st-key-lab_said :is(h1, h2)");
  if (said) found.set("said", words(said));
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

function settled() {
  if (document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running") return later();
  reachable();
  const now = numbers(), before = own.before;
  own.before = now;
  if (!before || before.page !== now.page) return;
  const changed = [...now.found].filter(([name, text]) => before.found.has(name) && before.found.get(name) !== text);
  if (changed.length) sayAloud(changed.slice(0, MOST_SAID).map(([, text]) => text).join("; "));
}

function later() {
  clearTimeout(own.timer);
  own.timer = setTimeout(settled, STILL);
}

const own = { before: null, timer: 0 };
sayAloud(""); // the place must stand before anything is said in it
new MutationObserver(later).observe(document.getElementById("root"), { childList: true, characterData: true, subtree: true });
addEventListener("resize", later);
later();
