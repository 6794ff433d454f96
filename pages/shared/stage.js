/* A figure is drawn for a part of the page's width and then enlarged, so that its words grow with it: as high as the window lets
   it be, with all that stands above and below it in view. Where its words would stay small, its rows move together as well. */
const CHARTS = "[data-testid=stPlotlyChart]";
const WORDS = 24.2; // px that the smallest words of a figure are to have
const OFTEN = 250; // ms between two looks: figures come after the page, and what is read below them changes
const SAID = [24, 20, 17]; // px of what is said below a figure: smaller only where the figure would not have half the height
const LEAST = 0.25, CLOSEST = { plot: 0.5, rows: 0.72, square: 1 }, FARTHEST = 1.35;

function shown(element) {
  return element.checkVisibility({ visibilityProperty: true }) && element.offsetWidth > 0;
}

function hostOf(chart) {
  return chart.closest("[data-testid=stElementContainer]");
}

/* Of a figure: its height as it was drawn, its smallest words, and how far its rows may move together. */
function natureOf(chart) {
  const plot = chart.querySelector(".js-plotly-plot"), layout = plot?._fullLayout;
  if (!layout) return null;
  const tall = plot.layout.meta?.tall ?? layout.height, upright = layout.yaxis;
  const kind = upright?.scaleanchor || layout.xaxis?.scaleanchor ? "square" : upright?.visible ? "plot" : "rows";
  const sizes = [...plot.querySelectorAll(".main-svg text")].filter((text) => text.textContent.trim()).flatMap((text) =>
    [text, ...text.querySelectorAll("tspan")].map((one) => parseFloat(getComputedStyle(one).fontSize)));
  const host = hostOf(chart);
  host.dataset.drawn = kind;
  return { host, tall, closest: CLOSEST[kind], words: Math.min(20, ...sizes.filter((size) => size > 6)) };
}

/* Large numbers that stand alone take the whole height. */
function spread(slide, main, free) {
  const cards = slide.querySelector(".st-key-room_first :is([class*=st-key-headline], .st-key-modes)");
  if (!cards) return;
  const modes = cards.querySelectorAll("[class*=st-key-third_mode_]").length;
  const n = modes || cards.querySelectorAll("[data-testid=stMetric]").length;
  const columns = n === 4 ? 2 : Math.min(n, 3), rows = Math.ceil(n / columns);
  cards.style.setProperty("--columns", columns);
  const box = cards.getBoundingClientRect();
  const below = slide.getBoundingClientRect().bottom - box.bottom;
  const height = (main.clientHeight - free - box.top - main.scrollTop - below - 16 * (rows - 1)) / rows;
  cards.style.setProperty("--card", `${Math.max(140, Math.floor(height))}px`);
}

/* How large, and how close: words as large as wanted come first, then rows as far apart as they were drawn. */
function placed(figures, slide, main, { most, below }) {
  const bottom = main.clientHeight - below, tall = figures.map((figure) => figure.tall);
  const ends = (k, s) => {
    slide.style.setProperty("--room", k);
    figures.forEach(({ host }, at) => host.style.setProperty("--drawn", `${Math.round(tall[at] * s)}px`));
    return slide.getBoundingClientRect().bottom + main.scrollTop;
  };
  const largest = (low, high, fits) => {
    if (fits(high)) return high;
    for (let step = 0; step < 9; step += 1) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle; else high = middle;
    }
    return low;
  };
  const closest = Math.max(...figures.map((figure) => figure.closest));
  const wanted = Math.min(most, Math.max(...figures.map((figure) => WORDS / figure.words)));
  let k = largest(LEAST, most, (one) => ends(one, 1) <= bottom), s = 1;
  if (k < wanted) {
    k = largest(LEAST, wanted, (one) => ends(one, closest) <= bottom);
    s = largest(closest, 1, (one) => ends(k, one) <= bottom);
  } else if (closest < 1) {
    s = largest(1, FARTHEST, (one) => ends(k, one) <= bottom);
  }
  ends(Math.floor(200 * k) / 200, Math.floor(200 * s) / 200);
}

/* What a figure takes of the window, of several beside each other the highest. */
function highest(figures) {
  return Math.max(...figures.map(({ host }) => host.offsetHeight * parseFloat(getComputedStyle(host).getPropertyValue("--room"))));
}

function seenBy(own, slide, main, figures) {
  const window_is = [main.clientHeight, main.clientWidth, main.scrollTop, own.data.place];
  const slide_is = [slide.offsetWidth, Math.round(slide.getBoundingClientRect().bottom)];
  return JSON.stringify([window_is, slide_is, figures.map(({ tall, words }) => [tall, words])]);
}

function fit(own) {
  const slide = document.querySelector(".st-key-room_slide");
  const main = document.querySelector("[data-testid=stMain]");
  if (!slide || !main) return;
  const figures = [...slide.querySelectorAll(CHARTS)].filter(shown).map(natureOf).filter(Boolean);
  if (own.seen === seenBy(own, slide, main, figures)) return;
  slide.style.removeProperty("--said");
  spread(slide, main, own.data.below);
  for (const said of figures.length ? SAID : []) {
    slide.style.setProperty("--said", `${said}px`);
    placed(figures, slide, main, own.data);
    if (highest(figures) >= main.clientHeight / 2) break;
  }
  own.seen = seenBy(own, slide, main, figures);
}

export default function ({ data, parentElement }) {
  const own = (parentElement.stage ??= {});
  own.data = data;
  own.later ??= () => { cancelAnimationFrame(own.frame); own.frame = requestAnimationFrame(() => fit(own)); };
  own.later();
  if (own.end) return own.end;
  own.timer = setInterval(() => fit(own), OFTEN);
  window.addEventListener("resize", own.later);
  own.end = () => {
    clearInterval(own.timer);
    cancelAnimationFrame(own.frame);
    window.removeEventListener("resize", own.later);
    delete parentElement.stage;
  };
  return own.end;
}
