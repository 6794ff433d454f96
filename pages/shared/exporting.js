const OFTEN = 400; // ms between two looks for figures that are new: cheaper than to be told of every mark that is drawn
const SELDOM = 10; // looks until the names of all buttons are read off the page again, for which it must be laid out
const KINDS = ["svg", "png"];
const LONGEST = 120;
const HALF_LIGHT = 383; // of red, green and blue together

const precedes = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

function plain(element) {
  return element.textContent.replace(/[ \t\r\n]+/g, " ").trim();
}

function firstWords(alt) {
  const words = alt.split(/(?<=[.:]) /)[0].replace(/[.:]$/, "");
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

/* The heading above a figure with the small line under it; where several stand under one heading, which of them it is. */
function wordsAbove(chart) {
  const main = chart.closest("[data-testid=stMain]") ?? document.body;
  const heading = [...main.querySelectorAll("h2, h3, h4")].filter((one) => seen(one) && precedes(one, chart)).pop();
  const own = firstWords(chart.getAttribute("aria-label") ?? "");
  if (!heading) return { title: own, which: "", lines: [] };
  const next = [...main.querySelectorAll("h2, h3, h4")].find((one) => seen(one) && precedes(chart, one));
  const others = [...main.querySelectorAll("[data-testid=stPlotlyChart]")].filter(
    (one) => one !== chart && seen(one) && precedes(heading, one) && (!next || precedes(one, next)));
  const together = heading.closest("[data-testid=stVerticalBlock]") ?? main;
  const line = [...together.querySelectorAll("p > span[style*=font-size]")].find(
    (one) => seen(one) && precedes(heading, one) && precedes(one, chart));
  const which = others.length ? own : "";
  return { title: plain(heading), which, lines: [which, line ? plain(line) : ""].filter(Boolean) };
}

function declared() {
  const whole = document.querySelector("[data-declaration]");
  if (whole) return [whole.dataset.declaration];
  const words = document.querySelector(".st-key-declaration_words");
  return words ? [plain(words)] : [];
}

function nameOf(chart) {
  const keyed = [...(chart.closest("[class*=st-key-]")?.classList ?? [])].find((name) => name.startsWith("st-key-"));
  return keyed ? keyed.slice("st-key-".length) : "figure";
}

async function composed(chart, data) {
  const plot = chart.querySelector(".js-plotly-plot");
  const { title, lines } = wordsAbove(chart), below = declared();
  const { box, draw } = plotBlock(plot, 0);
  const inner = Math.max(NARROWEST, Math.ceil(box.width)), family = getComputedStyle(chart).fontFamily;
  const svg = sheet(title, [...lines, ...below], data);
  const head = written(svg, titled(title, data), MARGIN, inner, family);
  const start = Math.round(written(svg, small(lines, data), head + 4, inner, family) + GAP / 2);
  svg.append(...draw(MARGIN, start));
  const foot = written(svg, small(below, data), start + box.height + GAP / 2, inner, family);
  return finished(svg, inner + 2 * MARGIN, foot + MARGIN);
}

async function save(chart, kind, data) {
  try {
    await given(await composed(chart, data), kind, nameOf(chart));
    sayAloud("Saved");
  } catch (error) {
    sayAloud("Not saved");
    console.warn(error);
  }
}

function barOf(chart, own) {
  let bar = chart.querySelector(":scope > .save-figure");
  if (bar) return bar;
  bar = document.createElement("div");
  bar.className = "save-figure";
  for (const kind of KINDS) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind.toUpperCase();
    button.onclick = () => save(chart, kind, own.data);
    bar.append(button);
  }
  for (const come of ["pointerenter", "focusin"]) bar.addEventListener(come, () => name(chart, bar, own));
  chart.append(bar);
  return bar;
}

function name(chart, bar, own) {
  const { title, which } = wordsAbove(chart), what = [title, which].filter(Boolean).join(": ") || "the figure";
  for (const button of bar.children) {
    const label = `${button.textContent}: save ${what}`;
    if (button.title === label) continue;
    button.title = label;
    button.setAttribute("aria-label", label);
  }
}

function dress(own) {
  own.looks = (own.looks ?? 0) + 1;
  for (const chart of document.querySelectorAll("[data-testid=stPlotlyChart]")) {
    const bare = !chart.querySelector(":scope > .save-figure");
    if (!chart.querySelector(".js-plotly-plot") || !(bare || own.looks % SELDOM === 0)) continue;
    const bar = barOf(chart, own);
    if (seen(chart)) name(chart, bar, own);
  }
}

/* Figures have the colours of the scheme that the server knows of, and it is told of another one with the next run only. */
function follow(own) {
  const app = document.querySelector("[data-testid=stApp]");
  if (app?.dataset.testScriptState !== "notRunning") return;
  const [red, green, blue] = getComputedStyle(app).backgroundColor.match(/\d+/g).map(Number);
  const now = red + green + blue < HALF_LIGHT ? "dark" : "light";
  const asked = own.asked;
  own.asked = now === own.data.theme ? null : now; // once, whatever the answer
  if (own.asked && own.asked !== asked) own.setTriggerValue("theme", now);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const own = (parentElement.exporting ??= {});
  Object.assign(own, { data, setTriggerValue });
  document.documentElement.style.setProperty("--ground", data.colours.page);
  clearInterval(own.timer);
  own.timer = setInterval(() => { dress(own); follow(own); }, OFTEN);
  return () => clearInterval(own.timer);
}
