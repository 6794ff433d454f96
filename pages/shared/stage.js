/* A figure is drawn for a part of the page's width and then enlarged, so that its words grow with it: as high as the window lets
   it be, with all that stands above and below it in view. Where its words would stay small, its rows move together a little; and
   where that is not enough, the slide has parts, which the keys ↓ and ↑ turn. Each part has the axis of its figure, and the names
   of its columns, as a strip at its edge. */
const CHARTS = "[data-testid=stPlotlyChart]";
const STEERS = ".st-key-room_dock, .st-key-declaration, .st-key-declaration_words";
const WORDS = 24.2; // px that the smallest words of a figure are to have
const OFTEN = 250; // ms between two looks: figures come after the page, and what is read below them changes
const LEAST = 0.25, CLOSEST = { blocks: 0.6, rows: 0.93, square: 1 }; // of a plot the page says so
const NARROW = 260, EDGES = 56; // px of a large number that stands alone, and of what is not the number in it
const LETTER = 0.56; // of its height that a letter is broad
const ABOVE = 8; // px between a slide and what steers
const PART = 0.85; // of a slide's height between its strips, which a key goes on by
const LEFT = 40; // px of a figure that are to stand beside a strip
const PARTS = "[class*=st-key-room_part_]"; // of a slide, each looked at by itself
const WRITTEN = "p, h2, h3, h4, li, td, th, button, input, .main-svg text";
const DOWN = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 };
const STEERED = "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=slider], [role=listbox], [role=combobox], [role=option]";

function shown(element) {
  return element.checkVisibility({ visibilityProperty: true }) && element.offsetWidth > 0;
}

function hostOf(chart) {
  return chart.closest("[data-testid=stElementContainer]");
}

/* Of a figure: its height as it was drawn, its smallest words, and how far its rows may move together. */
function natureOf(chart, [lowest]) {
  const plot = chart.querySelector(".js-plotly-plot"), layout = plot?._fullLayout;
  if (!layout) return null;
  const tall = plot.layout.meta?.[0]?.tall ?? layout.height, upright = layout.yaxis;
  const kind = upright?.scaleanchor || layout.xaxis?.scaleanchor ? "square" : upright?.visible ? "plot"
    : plot._fullData.some(({ type }) => type === "bar") ? "blocks" : "rows";
  const sizes = [...plot.querySelectorAll(".main-svg text")].filter((text) => text.textContent.trim()).flatMap((text) =>
    [text, ...text.querySelectorAll("tspan")].map((one) => parseFloat(getComputedStyle(one).fontSize)));
  const host = hostOf(chart);
  host.dataset.drawn = kind;
  return { host, tall, closest: CLOSEST[kind] ?? lowest, words: Math.min(20, ...sizes.filter((size) => size > 6)) };
}

/* Large numbers that stand alone, in one box, and how many they are by now. */
function cardsOf(slide) {
  const cards = slide.querySelector(".st-key-room_first :is([class*=st-key-headline], .st-key-modes)");
  const modes = cards?.querySelectorAll("[class*=st-key-third_mode_]").length;
  return [cards, modes || (cards?.querySelectorAll("[data-testid=stMetric]").length ?? 0)];
}

/* Large numbers that stand alone take the whole height. */
function spread(slide, main, free) {
  const [cards, n] = cardsOf(slide);
  if (!cards) return;
  const room = Math.max(1, Math.floor(cards.offsetWidth / NARROW));
  const columns = Math.min(n === 4 ? 2 : Math.min(n, 3), room), rows = Math.ceil(n / columns);
  cards.style.setProperty("--columns", columns);
  const letters = [...cards.querySelectorAll("[data-testid=stMetricValue]")].map((one) => one.textContent.trim().length);
  cards.style.setProperty("--value", `${(cards.offsetWidth / columns - EDGES) / (LETTER * Math.max(1, ...letters))}px`);
  const five = n === 5 && columns === 3; // three, and two that are as broad together
  cards.toggleAttribute("data-five", five);
  for (const [at, one] of [...cards.querySelectorAll("[data-testid=stMetric]")].entries()) {
    one.closest("[data-testid=stElementContainer]").style.gridColumn = five ? `span ${at < 3 ? 2 : 3}` : "";
  }
  const box = cards.getBoundingClientRect();
  const below = slide.getBoundingClientRect().bottom - box.bottom;
  const height = (main.clientHeight - free - box.top - main.scrollTop - below - 16 * (rows - 1)) / rows;
  cards.style.setProperty("--card", `${Math.max(140, Math.floor(height))}px`);
}

/* Parts of a slide; one that has none is a part itself. */
function partsOf(slide) {
  const parts = [...slide.querySelectorAll(PARTS)];
  return parts.length ? parts : [slide];
}

/* How large, and how close: words as large as wanted come first, then rows as far apart as they were drawn. */
function placed(figures, part, slide, main, { most, below, heights }) {
  const bottom = main.clientHeight - below, farthest = heights.at(-1), tall = figures.map((figure) => figure.tall);
  const lift = () => main.scrollTop + slide.getBoundingClientRect().top - part.getBoundingClientRect().top;
  const ends = (k, s) => {
    for (const [at, { host }] of figures.entries()) {
      host.style.setProperty("--tried", k);
      host.style.setProperty("--drawn", `${Math.round(tall[at] * s)}px`);
    }
    return part.getBoundingClientRect().bottom + lift();
  };
  const largest = (low, high, fits) => {
    if (fits(high)) return high;
    for (let step = 0; step < 9; step += 1) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle; else high = middle;
    }
    return low;
  };
  const lowest = (k, s) => {
    ends(k, s);
    return Math.max(...figures.map(({ host }, at) => host.getBoundingClientRect().top + lift() + k * tall[at] * s));
  };
  const closest = Math.max(...figures.map((figure) => figure.closest));
  const wanted = Math.max(...figures.map((figure) => WORDS / figure.words));
  let k = largest(LEAST, Math.max(most, wanted), (one) => ends(one, 1) <= bottom), s = 1;
  if (k < wanted) {
    k = Math.ceil(200 * wanted) / 200;
    const fits = ends(k, closest) <= bottom ? (one) => ends(k, one) <= bottom : (one) => lowest(k, one) <= bottom;
    s = fits(closest) ? largest(closest, 1, fits) : 1;
  } else if (closest < 1) {
    s = largest(1, farthest, (one) => ends(k, one) <= bottom);
  }
  if (k * s * Math.max(...tall) < main.clientHeight / 2) { // what is said below it is the next part
    if (closest < 1) s = largest(s, farthest, (one) => lowest(k, one) <= bottom);
    else k = largest(k, most, (one) => lowest(one, s) <= bottom);
  }
  k = Math.floor(200 * k) / 200;
  part.style.setProperty("--room", k);
  return ends(k, Math.floor(200 * s) / 200) > bottom + 1;
}

/* A slide that is longer than the room, in parts. */
function part(slide, main, free, long) {
  if (long) {
    const high = `${Math.floor(main.clientHeight - free - slide.getBoundingClientRect().top - main.scrollTop)}px`;
    slide.style.maxHeight = high;
    slide.style.setProperty("--part", high);
    slide.dataset.long = "";
    for (const [name, value] of Object.entries({ tabindex: 0, role: "region", "aria-label": "Slide" })) slide.setAttribute(name, value);
  } else {
    for (const name of ["max-height", "--part"]) slide.style.removeProperty(name);
    delete slide.dataset.long;
    for (const name of ["tabindex", "role", "aria-label"]) slide.removeAttribute(name);
  }
}

/* Px of the lower edge that what steers, and what the numbers rest on above it, take. */
function taken() {
  const steers = [...document.querySelectorAll(STEERS)].filter(shown);
  return steers.length ? window.innerHeight - Math.min(...steers.map((one) => one.getBoundingClientRect().top)) : 0;
}

/* Of a figure: from which of its px to which the names of its columns stand, and its axis; nothing where there is nothing to read. */
function edgesOf(plot) {
  const { _size: size, height, yaxis } = plot._fullLayout, { head } = plot.layout.meta?.[0] ?? {}, frame = plot.getBoundingClientRect();
  const high = yaxis && head !== undefined ? yaxis._offset + yaxis.l2p(head) : yaxis?.visible ? 0 : size.t, low = size.t + size.h;
  const k = height / frame.height, words = [...plot.querySelectorAll(".main-svg text")].filter((text) => text.textContent.trim());
  const texts = words.map((text) => text.getBoundingClientRect()).map(({ top, bottom }) => [k * (top - frame.top), k * (bottom - frame.top)]);
  const heads = texts.filter(([top, bottom]) => top + bottom < 2 * high), feet = texts.filter(([top, bottom]) => top + bottom > 2 * low);
  return [
    ...(heads.length ? [["high", Math.max(0, Math.min(...heads.map(([top]) => top)) - 2), high]] : []),
    ...(feet.length ? [["low", low, Math.min(height, Math.max(...feet.map(([, bottom]) => bottom)) + 4)]] : []),
  ];
}

/* A copy of the figure from one of its px to another, which nobody can touch. */
function cut(plot, from, to) {
  const { width } = plot._fullLayout, strip = document.createElement("div");
  strip.className = "room-strip";
  strip.setAttribute("aria-hidden", "true");
  for (const svg of plot.querySelectorAll(".main-svg")) {
    const copy = svg.cloneNode(true);
    copy.setAttribute("viewBox", `0 ${from} ${width} ${to - from}`);
    copy.removeAttribute("style");
    strip.append(copy);
  }
  return strip;
}

/* Where the strips of a slide's figures stand, and which of them are wanted: what they repeat is out of view. */
function strip(own, slide) {
  const edge = slide.getBoundingClientRect(), far = edge.bottom - own.strips.low - LEFT, near = edge.top + own.strips.high + LEFT;
  for (const { plot, at, from, to, strip } of own.strips.all) {
    strip.hidden = true;
    if (!plot._fullLayout) continue; // it has gone meanwhile
    const box = plot.getBoundingClientRect(), k = box.height / plot._fullLayout.height, high = k * (to - from);
    const there = box.top + k * from, low = at === "low";
    const wanted = low ? there + high > edge.bottom + 1 && box.top < far : there < edge.top - 1 && box.bottom > near;
    const place = { left: box.left, top: low ? edge.bottom - high : edge.top, width: box.width, height: high };
    for (const [name, px] of Object.entries(place)) strip.style[name] = `${px}px`;
    strip.hidden = !wanted;
  }
}

/* The strips of a slide that has parts, cut anew where a figure has been drawn anew. */
function strips(own, slide, figures) {
  const plots = "long" in slide.dataset ? figures.map(({ host }) => host.querySelector(".js-plotly-plot")) : [];
  const seen = JSON.stringify(plots.map((plot) => [
    plot._fullLayout.width, plot._fullLayout.height, plot.querySelector(".main-svg").outerHTML.length, getComputedStyle(plot).color]));
  if (own.strips?.seen !== seen || own.strips.all.some(({ plot }) => !plots.includes(plot))) {
    own.strips?.all.forEach((one) => one.strip.remove());
    const all = plots.flatMap((plot) => edgesOf(plot).map(([at, from, to]) => ({ plot, at, from, to, strip: cut(plot, from, to) })));
    const tall = ({ plot, from, to }) => ((to - from) * plot.getBoundingClientRect().height) / plot._fullLayout.height;
    const deepest = (which) => Math.max(0, ...all.filter(({ at }) => at === which).map(tall));
    own.strips = { seen, all, high: deepest("high"), low: deepest("low") };
    slide.closest("[data-testid=stMain]").append(...all.map((one) => one.strip));
  }
  slide.onscroll = () => { strip(own, slide); fade(own, slide); };
  strip(own, slide);
}

/* Words that an edge of the slide would cut fade there; not beside a strip, which is an edge of its own. */
function fade(own, slide) {
  const edge = slide.getBoundingClientRect(), free = !own.strips?.all.some((one) => !one.strip.hidden);
  const words = "long" in slide.dataset && free ? [...slide.querySelectorAll(WRITTEN)].map((one) => one.getBoundingClientRect()) : [];
  const cuts = (px) => words.some(({ top, bottom }) => top < px - 2 && bottom > px + 2);
  const cut = [cuts(edge.top) && "above", cuts(edge.bottom) && "below"].filter(Boolean).join(" ");
  if (cut !== (slide.dataset.cut ?? "")) slide.dataset.cut = cut;
}

/* Px that a key goes on by. */
function stepOf(own, slide) {
  return PART * (slide.clientHeight - (own.strips?.high ?? 0) - (own.strips?.low ?? 0));
}

/* Px to which the keys turn a slide: where its parts begin, and on through one that is longer than the slide. */
function stopsOf(own, slide) {
  const step = stepOf(own, slide), high = slide.clientHeight, edge = slide.getBoundingClientRect().top - slide.scrollTop;
  return partsOf(slide).flatMap((part) => {
    const top = part === slide ? 0 : part.getBoundingClientRect().top - edge;
    const end = Math.max(top, (part === slide ? slide.scrollHeight : part.getBoundingClientRect().bottom - edge) - high);
    const more = end - top > 1 ? Math.max(1, Math.ceil((end - top - 8) / step)) : 0;
    return Array.from({ length: 1 + more }, (_, at) => Math.min(top + at * step, end));
  });
}

/* Of these px, the place of those that are in view. */
function stopAt(stops, slide) {
  const far = stops.map((stop) => Math.abs(stop - slide.scrollTop));
  return far.indexOf(Math.min(...far));
}

/* Which part is in view, beside what steers. */
function tell(own, slide) {
  const dock = document.querySelector(".st-key-room_dock");
  let told = dock?.querySelector(".room-part");
  if (slide) fade(own, slide);
  if (!slide || !("long" in slide.dataset)) return void told?.remove();
  const stops = stopsOf(own, slide), all = stops.length, now = 1 + stopAt(stops, slide);
  if (!told) {
    told = document.createElement("p");
    told.className = "room-part";
    dock?.append(told);
  }
  const text = `${now < all ? "↓" : "↑"} part ${now} of ${all}`;
  if (told.textContent !== text) told.textContent = text;
}

function seenBy(own, slide, main, figures) {
  const window_is = [main.clientHeight, main.clientWidth, main.scrollTop, own.data.place, taken()];
  const [cards, n] = cardsOf(slide);
  const slide_is = [slide.offsetWidth, Math.round(slide.getBoundingClientRect().bottom), n, cards?.textContent.length];
  return JSON.stringify([window_is, slide_is, figures.map(({ tall, words }) => [tall, words])]);
}

function fit(own) {
  const slide = document.querySelector(".st-key-room_slide");
  const main = document.querySelector("[data-testid=stMain]");
  if (!slide || !main) return;
  const figures = [...slide.querySelectorAll(CHARTS)].filter(shown).map((chart) => natureOf(chart, own.data.heights)).filter(Boolean);
  if (own.seen === seenBy(own, slide, main, figures)) return void strips(own, slide, figures);
  own.data.below = taken() + ABOVE;
  part(slide, main, own.data.below, false);
  spread(slide, main, own.data.below);
  const longer = partsOf(slide).map((one) => {
    const inside = figures.filter(({ host }) => one.contains(host));
    return inside.length ? placed(inside, one, slide, main, own.data) : slide.getBoundingClientRect().bottom > main.clientHeight - own.data.below;
  });
  part(slide, main, own.data.below, longer.length > 1 || longer[0]);
  slide.scrollTop = 0;
  strips(own, slide, figures);
  tell(own, slide);
  own.seen = seenBy(own, slide, main, figures);
}

function turn(own, event) {
  const slide = document.querySelector(".st-key-room_slide[data-long]"), way = DOWN[event.key];
  if (!slide || !way || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(STEERED)) return;
  event.preventDefault();
  const stops = stopsOf(own, slide), to = stopAt(stops, slide) + way;
  slide.scrollTo({ top: stops[Math.min(Math.max(to, 0), stops.length - 1)] });
}

export default function ({ data, parentElement }) {
  const own = (parentElement.stage ??= {});
  own.data = data;
  own.later ??= () => { cancelAnimationFrame(own.frame); own.frame = requestAnimationFrame(() => fit(own)); };
  own.later();
  if (own.end) return own.end;
  own.timer = setInterval(() => { fit(own); tell(own, document.querySelector(".st-key-room_slide")); }, OFTEN);
  const onKey = (event) => turn(own, event);
  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", own.later);
  own.end = () => {
    clearInterval(own.timer);
    cancelAnimationFrame(own.frame);
    window.removeEventListener("resize", own.later);
    document.removeEventListener("keydown", onKey);
    own.strips?.all.forEach((one) => one.strip.remove());
    delete parentElement.stage;
  };
  return own.end;
}
