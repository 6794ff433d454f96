const DOTS = 100; // at most, for all decisions of a table
const WALK = 0.22; // part of its way that a dot goes in a frame
const TURN = 480; // ms from one state of the figure to another
const MARGIN = { left: 27, right: 27, top: 34, bottom: 30 };
const NARROWEST = 110; // px of a table with its handles
const SHELF = 0.2; // part of the width for what has no verdict
const STEERS = ".st-key-room_dock, .st-key-declaration"; // what stands at the room's lower edge
const ABOVE = 8, LOWEST = 170; // px between a table of the room and what steers, and of a table in the room
const LATE = 250; // ms until one looks again for what is not there yet
const FINE = 12; // digits beyond which a number is noise of the arithmetic
const NOISE = 1e-9; // by so much a whole count may differ from itself, as a share of it
const MINUS = "\u2212", HARD = "\u00a0", THIN = "\u202f";
const ROUND = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z", DIAMOND = "M0 -1.12L1.12 0L0 1.12L-1.12 0Z"; // agreement, and an error
const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");

/* Numbers as the page writes them: a half goes up, what is not 0 or 1 does not read as such. */
function decimals(x, digits) {
  if (!Number.isFinite(x)) return "–";
  const up = Math.round(Number((Math.abs(x) * 10 ** digits).toPrecision(FINE))) / 10 ** digits;
  return (x < 0 && up ? MINUS : "") + up.toFixed(digits);
}

function share(x) {
  if (!Number.isFinite(x)) return "–";
  const whole = Math.round(100 * x), edge = whole === 0 || whole === 100;
  if (Math.abs(100 * x - whole) < (edge ? 1e-12 : 1e-6)) return `${whole}${HARD}%`;
  const tenths = decimals(100 * x, 1);
  if (tenths === "0.0") return `<1${HARD}%`;
  return tenths === "100.0" ? `>99${HARD}%` : `${tenths}${HARD}%`;
}

/* A count, which may be one on average. */
function count(n) {
  const whole = Math.round(n), even = Math.abs(n - whole) <= NOISE * Math.max(n, 1);
  if (!even && n < 0.05) return "<0.1";
  const [ones, tenths] = (even ? String(whole) : decimals(n, 1)).split(".");
  return ones.replace(/\B(?=(\d{3})+$)/g, THIN) + (tenths && tenths !== "0" ? `.${tenths}` : "");
}

function written(key, x) {
  if (!Number.isFinite(x)) return "undefined";
  return ["accuracy", "expected_agreement"].includes(key) ? share(x) : decimals(x, 2);
}

/* So many of each kind, together `total`; what is missing goes to the kinds that lost most. */
function apportioned(counts, total) {
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  if (!all) return new Map();
  const exact = [...counts].map(([kind, n]) => [kind, (n * total) / all]);
  const dots = new Map(exact.map(([kind, n]) => [kind, Math.floor(n)]));
  const missing = total - [...dots.values()].reduce((sum, n) => sum + n, 0);
  const lost = exact.map(([kind, n]) => [kind, n - Math.floor(n)]).sort((a, b) => b[1] - a[1]);
  for (const [kind] of lost.slice(0, missing)) dots.set(kind, dots.get(kind) + 1);
  return dots;
}

/* Points that a judge earned of those that chance left, as a fraction that comes to the value printed; without such, the value. */
function fraction(seen, chance, value) {
  const result = decimals(value, 2);
  if (!(value >= 0)) return written("kappa", value);
  const points = [100 * (seen - chance), 100 * (1 - chance)], whole = points.every((x) => Math.abs(x - Math.round(x)) < 1e-9);
  for (const digits of whole ? [0] : [1, 2]) {
    const [earned, left] = points.map((x) => decimals(x, digits));
    if (decimals(Number(earned) / Number(left), 2) === result) return `${earned} / ${left} = ${result}`;
  }
  return result;
}

/* Where those points come from, before that fraction; nothing where agreement and chance are no whole points. */
function difference(seen, chance) {
  const points = [100 * seen, 100 * chance];
  if (points.some((x) => Math.abs(x - Math.round(x)) > 1e-9)) return "";
  const [all, luck] = points.map(Math.round);
  return `(${all} ${MINUS} ${luck}) / (100 ${MINUS} ${luck}) = `;
}

/* One table: its dots, its dividers, its numbers. */
class Panel {
  constructor(own, parent, place) {
    Object.assign(this, { own, place, dots: [], views: null, from: null, rates: [0.5, 0.5] });
    this.box = node("section", "panel", parent);
    this.title = node("div", "name", this.box);
    this.stage = make("svg", { class: "stage", role: "group" }, this.box);
    this.grounds = make("g", { "aria-hidden": "true" }, this.stage);
    this.crowd = make("g", { "aria-hidden": "true" }, this.stage);
    this.texts = make("g", { "aria-hidden": "true" }, this.stage);
    this.handles = make("g", {}, this.stage);
    this.side = node("div", "side", this.box);
    this.line = node("p", "live", this.side);
    this.guess = node("p", "live", this.side);
    this.bars = make("svg", { class: "bars", role: "img" }, this.side);
    this.space = make("svg", { class: "space", role: "group" }, this.side);
    this.knobs = [
      { name: "hits", label: () => `${this.labels[0]} that the judge finds`, max: () => this.P, get: () => this.tp,
        put: (n) => this.become(n, this.P - n, this.fp, this.tn), text: () => `${count(this.tp)} of ${count(this.P)} ${this.labels[0]} found` },
      { name: "alarms", label: () => `${this.labels[1]} that the judge passes`, max: () => this.M, get: () => this.fp,
        put: (n) => this.become(this.tp, this.fn, n, this.M - n), text: () => `${count(this.fp)} of ${count(this.M)} ${this.labels[1]} passed` },
      { name: "prevalence", label: () => `Decisions that are ${this.labels[0]}`, max: () => this.N, get: () => this.P,
        put: (n) => this.mixed(n), text: () => `${count(this.P)} of ${count(this.N)} are ${this.labels[0]}` },
    ];
    this.grips = this.knobs.map((knob) => this.grip(knob));
    this.sentence();
    this.point();
  }

  get labels() { return this.own.data.labels; }
  get P() { return this.tp + this.fn; }
  get M() { return this.fp + this.tn; }
  get N() { return this.P + this.M; }
  get folded() { return this.own.data.drawn === "folded"; }
  get guessed() { return this.own.data.drawn === "guessed" && this.table.held && this.N > 0; }
  get held() { return this.table.held && !this.folded && !this.guessed && this.N > 0; }

  /* The counts that are drawn: the table's, or those of its labels given at random. */
  get counts() {
    if (!this.guessed) return this.table.counts;
    const met = (this.tp + this.fp) / this.N;
    return [this.P, this.M].map((all) => [all * met, all * (1 - met)]);
  }

  value(key) {
    if (this.table.values) return this.table.values[key] ?? NaN;
    const x = METRICS[key](this.tp, this.fn, this.fp, this.tn);
    return this.table.whole && Math.abs(x) < 10 ** -FINE ? 0 : x;
  }

  /* Another table from the page. */
  take(table) {
    this.table = table;
    const before = [this.tp, this.fn, this.fp, this.tn].join(), [[tp, fn], [fp, tn]] = table.counts;
    Object.assign(this, { tp, fn, fp, tn });
    if (before !== [tp, fn, fp, tn].join()) this.rates = this.rates.map((rate, at) => table.rates[at] ?? rate);
    this.turn();
  }

  remember() {
    if (this.P) this.rates[0] = this.tp / this.P;
    if (this.M) this.rates[1] = this.fp / this.M;
  }

  /* What such a judge gives on average becomes whole decisions under the hand; whether it was none before. */
  settle() {
    if (!this.table.whole) return false;
    const [tp, fn, fp, tn] = this.table.whole;
    Object.assign(this, { tp, fn, fp, tn });
    return delete this.table.whole;
  }

  /* The hand moved: geometry at once, dots on their way. */
  become(tp, fn, fp, tn, keep = true) {
    Object.assign(this, { tp, fn, fp, tn });
    Object.assign(this.table, { counts: [[tp, fn], [fp, tn]], why: {} });
    if (keep) this.remember();
    this.views = this.shares();
    this.from = null;
    this.own.moved();
  }

  mixed(positives) {
    const [tpr, fpr] = this.rates, tp = Math.round(tpr * positives), fp = Math.round(fpr * (this.N - positives));
    this.become(tp, positives - tp, fp, this.N - positives - fp, false);
  }

  shares() {
    const columns = this.counts.map((row) => row.reduce((sum, n) => sum + n, 0));
    const all = columns.reduce((sum, n) => sum + n, 0) || 1;
    return [
      columns.map((n) => n / all),
      ...this.counts.map((row, at) => row.map((n) => (columns[at] ? n / columns[at] : 1 / row.length))),
    ];
  }

  turn() {
    const before = this.views, now = this.shares();
    const like = before && before.length === now.length && !CALM.matches;
    this.from = like ? { views: before, start: performance.now() } : null;
    if (!like) this.views = now;
  }

  /* Where each kind of decision stands. */
  regions() {
    const { width, height } = this.size, shelf = this.table.shelf ? SHELF : 0;
    const inner = width - MARGIN.left - MARGIN.right, plot = inner * (1 - shelf) - (shelf ? REACH : 0);
    const left = MARGIN.left, top = MARGIN.top + (this.own.data.scale > 1 ? 8 : 0), high = height - top - MARGIN.bottom;
    this.plot = { left, top, width: plot, height: high };
    const found = new Map();
    if (this.folded) {
      const agreed = this.value("accuracy") || 0;
      found.set("agree", { x: left, y: top, w: agreed * plot, h: high });
      found.set("differ", { x: left + agreed * plot, y: top, w: (1 - agreed) * plot, h: high });
    } else {
      let x = left;
      this.views[0].forEach((wide, row) => {
        let y = top + high;
        this.views[row + 1].forEach((tall, column) => {
          y -= tall * high;
          found.set(`${row}${column}`, { x, y, w: wide * plot, h: tall * high });
        });
        x += wide * plot;
      });
    }
    if (shelf) found.set("silent", { x: left + inner * (1 - shelf) + 4, y: top, w: inner * shelf - 4, h: high });
    return found;
  }

  regionOf(kind) {
    if (!this.folded || kind === "silent") return kind;
    return kind[0] === kind[1] ? "agree" : "differ";
  }

  /* Dots change their kind as the counts do; those nearest to the divider go. */
  muster() {
    const counts = new Map();
    this.counts.forEach((row, at) => row.forEach((n, column) => counts.set(`${at}${column}`, n)));
    counts.set("silent", this.table.shelf);
    const all = [...counts.values()].reduce((sum, n) => sum + n, 0), total = Math.min(Math.round(all), DOTS);
    this.each = total ? all / total : 0;
    const wanted = apportioned(counts, total), ranks = new Map([...counts.keys()].map((kind) => [kind, []]));
    const free = [];
    for (const dot of this.dots) (ranks.get(dot.kind) ?? free).push(dot);
    for (const [kind, rank] of ranks) free.push(...rank.splice(wanted.get(kind) ?? 0));
    for (const [kind, rank] of ranks) {
      while (rank.length < (wanted.get(kind) ?? 0)) {
        const dot = free.pop() ?? { shape: make("path", { "vector-effect": "non-scaling-stroke" }, this.crowd) };
        dot.kind = kind;
        rank.push(dot);
      }
    }
    for (const dot of free) dot.shape.remove();
    this.dots = [...ranks.values()].flat();
    this.ranks = ranks;
  }

  places(regions) {
    const crowd = new Map();
    for (const [kind, rank] of this.ranks) {
      const region = this.regionOf(kind);
      crowd.set(region, [...(crowd.get(region) ?? []), ...rank]);
    }
    const { width, height } = this.plot, most = 0.4 * Math.sqrt((width * height) / Math.max(this.dots.length, 1));
    for (const [kind, dots] of crowd) {
      const region = regions.get(kind);
      if (!region || !dots.length) continue;
      const { x, y, w, h } = region, columns = clamp(Math.round(Math.sqrt((dots.length * w) / Math.max(h, 1))), 1, dots.length);
      const rows = Math.ceil(dots.length / columns), across = w / columns, down = h / rows;
      const r = clamp(Math.min(most, 0.42 * across, 0.42 * down), 2.2, 12 * Math.max(1, this.own.data.scale / 1.5));
      const upward = kind !== "01" && kind !== "11"; // away from the divider
      dots.forEach((dot, at) => {
        const row = Math.floor(at / columns);
        dot.to = [x + (at % columns + 0.5) * across, y + (upward ? rows - row - 0.5 : row + 0.5) * down, r];
        dot.at ??= [...dot.to];
      });
    }
  }

  /* One reading in all steps: a diamond is an error, what is filled got the positive label from the judge, and what is pale hides
     its label. */
  paint(dot) {
    const { colours } = this.own.data, { folded } = this, [row, column] = dot.kind, shelved = dot.kind === "silent";
    const wrong = row !== column && !shelved, silent = shelved || row === "2" || column === "2";
    const colour = folded ? (wrong ? colours.neutral : colours.correct)
      : silent ? colours.abstention : !wrong ? colours.correct : row === "0" ? colours.missed : colours.alarm;
    const inside = folded ? (wrong ? colours.grid : colours.correctFill) : column === "0" && !shelved ? colour : "transparent";
    const look = `${colour} ${inside} ${wrong}`;
    if (dot.look === look) return;
    dot.look = look;
    set(dot.shape, { d: wrong ? DIAMOND : ROUND, fill: inside, stroke: colour, "stroke-width": 2 });
  }

  /* One frame; whether anything is still under way. */
  frame(now) {
    let moving = false;
    if (this.from) {
      const part = clamp((now - this.from.start) / TURN, 0, 1), eased = 1 - (1 - part) ** 3, aim = this.shares();
      this.views = aim.map((row, at) => row.map((x, i) => this.from.views[at][i] + eased * (x - this.from.views[at][i])));
      if (part === 1) this.from = null;
      moving = part < 1;
    }
    const regions = this.regions();
    this.places(regions);
    for (const dot of this.dots) {
      this.paint(dot);
      const gap = Math.max(...dot.to.map((x, i) => Math.abs(x - dot.at[i])));
      if (gap < 0.3 || CALM.matches) dot.at = [...dot.to];
      else {
        dot.at = dot.at.map((x, i) => x + WALK * (dot.to[i] - x));
        moving = true;
      }
      const [x, y, r] = dot.at.map((one) => one.toFixed(1));
      dot.shape.setAttribute("transform", `translate(${x} ${y}) scale(${r})`);
    }
    this.drawGrounds(regions);
    this.drawGrips();
    return moving;
  }

  drawGrounds(regions) {
    const { colours } = this.own.data, { folded } = this;
    while (this.grounds.childNodes.length < regions.size) make("rect", { rx: 2 }, this.grounds);
    while (this.grounds.childNodes.length > regions.size) this.grounds.lastChild.remove();
    [...regions].forEach(([kind, { x, y, w, h }], at) => {
      const right = kind === "agree" || (kind.length === 2 && kind[0] === kind[1]);
      const fill = folded || kind === "silent" || kind.includes("2") ? colours.grid : right ? colours.correctFill
        : kind === "01" ? colours.missed : colours.alarm;
      set(this.grounds.childNodes[at], {
        x: (x + 1).toFixed(1), y: (y + 1).toFixed(1), width: Math.max(w - 2, 0).toFixed(1), height: Math.max(h - 2, 0).toFixed(1),
        fill, "fill-opacity": right ? 0.6 : kind === "01" || kind === "10" ? 0.12 : 0.4,
      });
    });
  }

  /* Words on the figure, which change with the numbers and not with every frame. */
  drawTexts() {
    const { data } = this.own, { left, top, width } = this.plot, size = 13 * data.scale, [positive, negative] = this.labels;
    const line = top - 17 + (data.scale > 1 ? 3 : 0);
    const right = this.table.shelf ? left + width : this.size.width - 2, words = [];
    if (this.folded) {
      const { counts } = this.table, agreed = counts.reduce((sum, row, at) => sum + row[at], 0);
      const differ = counts.flat().reduce((sum, n) => sum + n, -agreed);
      words.push([2, line, "start", `agree on ${count(agreed)}`], [right, line, "end", `differ on ${count(differ)}`]);
    } else if (this.table.counts.length === 2) {
      words.push([2, line, "start", `human ${positive} ${count(this.P)}`], [right, line, "end", `${negative} ${count(this.M)}`]);
    } else {
      let x = left;
      this.shares()[0].forEach((wide, at) => {
        if (wide * width > 40 * data.scale) words.push([x + (wide * width) / 2, line, "middle", this.labels[at]]);
        x += wide * width;
      });
    }
    if (this.table.shelf) words.push([this.size.width - 2, line, "end", `no verdict ${count(this.table.shelf)}`]);
    while (this.texts.childNodes.length < words.length) make("text", {}, this.texts);
    while (this.texts.childNodes.length > words.length) this.texts.lastChild.remove();
    words.forEach(([x, y, anchor, text], at) => {
      set(this.texts.childNodes[at], { x, y, "text-anchor": anchor, "font-size": size });
      this.texts.childNodes[at].textContent = text;
    });
    this.stage.setAttribute("aria-label", this.guessed ? `At random, of ${count(this.N)}: ${this.atRandom()}` : this.table.alt ?? "");
    this.title.textContent = [this.table.name, ...(this.guessed ? ["at random"] : [])].filter(Boolean).join(", ");
    this.title.hidden = !this.title.textContent;
  }

  grip(knob) {
    const group = make("g", { class: `grip ${knob.name}` }, this.handles);
    make("line", { class: "wide" }, group);
    make("line", { class: "thin" }, group);
    make("circle", { class: "reach", r: REACH }, group);
    make("circle", { class: "knob", r: GRIP }, group);
    make("path", { class: "arrows", d: knob.name === "prevalence" ? "M-3 -4L-7 0L-3 4M3 -4L7 0L3 4" : "M-4 -3L0 -7L4 -3M-4 3L0 7L4 3" }, group);
    const value = ({ clientX, clientY }) => {
      const box = this.stage.getBoundingClientRect(), { left, top, width, height } = this.plot;
      const part = knob.name === "prevalence" ? (clientX - box.left - left) / width : 1 - (clientY - box.top - top) / height;
      return Math.round(clamp(part, 0, 1) * knob.max());
    };
    this.slide(group, knob, value, knob.name === "prevalence" ? "horizontal" : "vertical");
    return group;
  }

  /* An element becomes a slider of a knob. */
  slide(element, knob, where, orientation = "horizontal") {
    const put = (wanted) => {
      const settled = this.settle(), to = clamp(Math.round(wanted()), 0, knob.max());
      if (settled || to !== knob.get()) knob.put(to);
    };
    element.setAttribute("aria-orientation", orientation);
    hold(element, this.own.talk, {
      grab: () => knob.get(),
      move: (event, grabbed) => put(() => where(event, grabbed)),
      key: (name) => {
        const wanted = () => stepped(name, knob.get(), knob.max());
        return wanted() === undefined ? null : () => put(wanted);
      },
    });
    (this.sliders ??= []).push([element, knob]);
  }

  drawGrips() {
    this.handles.style.display = this.held ? "" : "none";
    if (!this.held) return;
    const { left, top, width, height } = this.plot, [[p], [h], [f]] = this.views;
    const split = left + p * width, at = [
      [left - GRIP - 3, top + (1 - h) * height, left, split, null],
      [left + width + GRIP + 3, top + (1 - f) * height, split, left + width, null],
      [split, top + height + GRIP + 4, null, null, [top, top + height]],
    ];
    this.grips.forEach((group, place) => {
      const [x, y, from, to, upright] = at[place], [wide, thin, reach, knob, arrows] = group.childNodes;
      const line = upright ? { x1: x, x2: x, y1: upright[0], y2: upright[1] } : { x1: from, x2: to, y1: y, y2: y };
      set(wide, line);
      set(thin, upright ? { ...line, y2: y } : place ? { ...line, x2: x } : { ...line, x1: x });
      for (const round of [reach, knob]) set(round, { cx: x.toFixed(1), cy: y.toFixed(1) });
      arrows.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    });
  }

  /* The table in a sentence, whose numbers can be pulled. */
  sentence() {
    const parts = ["The human says ", null, " to ", this.knobs[2], " of ", null, ". The judge says it to ", this.knobs[0], " of them and to ", this.knobs[1], " of the other ", null, "."];
    this.words = parts.map((part) => {
      if (part === null || typeof part === "string") return node("span", "", this.line, part ?? "");
      const pulled = node("span", `scrub ${part.name}`, this.line);
      this.slide(pulled, part, ({ clientX }, { x, start }) => start + Math.round(((clientX - x) / 4) * Math.max(this.N / DOTS, 1)));
      return pulled;
    });
  }

  drawSentence() {
    this.line.hidden = !this.held || !this.own.data.sentence;
    this.guess.hidden = !this.guessed;
    if (this.guessed) this.guess.textContent = this.atRandom();
    const [, met, , positives, , all, , hits, , alarms, , rest] = this.words;
    const texts = [[met, this.labels[0]], [positives, count(this.P)], [all, count(this.N)], [hits, count(this.tp)], [alarms, count(this.fp)], [rest, count(this.M)]];
    for (const [span, text] of texts) if (span.textContent !== text) span.textContent = text;
    const rows = this.own.data.shows.map((key) => `${this.own.data.names[key]} ${written(key, this.value(key))}`).join(", ");
    for (const [element, knob] of this.sliders) {
      if (!knob.text) continue;
      set(element, {
        "aria-label": [this.table.name, knob.label()].filter(Boolean).join(": "),
        "aria-valuemin": 0, "aria-valuemax": knob.max(), "aria-valuenow": knob.get(), "aria-valuetext": `${knob.text()}; ${rows}`,
      });
    }
  }

  /* Where somebody is right who gives as many positive labels at random. */
  atRandom() {
    const [[hits, missed], [alarms, passed]] = this.counts, [positive, negative] = this.labels;
    const whole = (n) => (Math.abs(n - Math.round(n)) < 1e-9 ? count(Math.round(n)) : decimals(n, 1));
    const rate = (hits + alarms) / this.N;
    const right = (n, of, label, given) => `${share(given)} of ${count(of)} ${label} (${whole(n)})`;
    return `${right(hits, this.P, positive, rate)} + ${right(passed, this.M, negative, 1 - rate)} =${HARD}${whole(hits + passed)}`;
  }

  /* Agreement, what chance gives of it, and κ as the part of the rest that is earned. */
  drawBars() {
    const { data } = this.own, { colours, scale } = data, wide = this.bars.clientWidth || 200, bar = 14 * scale, line = 20 * scale;
    const x = (part) => clamp(part || 0, 0, 1) * wide, parts = [], told = []; // what is undefined has no length
    let y = 0;
    const reason = (key) => {
      const why = this.table.why?.[key];
      if (!why) return;
      told.push(why);
      parts.push(["text", { x: 0, y: y + line - 4, class: "small" }, why]);
      y += line;
    };
    const rect = (from, to, top, fill, more = {}) => parts.push(["rect", { x: x(from), y: top, width: Math.max(x(to) - x(from), 0), height: bar, fill, ...more }]);
    const broad = wide > 300 * scale;
    const head = (key, value, text = written(key, value), name = data.names[key]) => {
      told.push(`${name} ${text}`);
      parts.push(["text", { x: 0, y: y + line - 6 }, name], ["text", { x: wide, y: y + line - 6, "text-anchor": "end", class: "number" }, text]);
      y += line;
    };
    const seen = this.value("accuracy"), chance = this.value("expected_agreement"), kappa = this.value("kappa");
    const withChance = data.shows.includes("expected_agreement"), earned = data.drawn === "earned";
    const withKappa = earned || data.shows.includes("kappa");
    const agreed = broad && this.table.held && this.N ? `${count(this.tp + this.tn)} of ${count(this.N)} = ${share(seen)}` : undefined;
    head("accuracy", seen, agreed, data.drawn === "guessed" ? "real judge" : undefined); // and not the one at random
    rect(0, 1, y, colours.grid);
    if (withChance && Number.isFinite(chance)) {
      rect(0, Math.min(seen, chance), y, colours.neutral);
      if (seen > chance) rect(chance, seen, y, colours.kappa);
      else rect(seen, chance, y, "none", { stroke: colours.alarm, "stroke-dasharray": "3 3" });
      parts.push(["line", { x1: x(chance), x2: x(chance), y1: y - 3, y2: y + bar + 3, stroke: colours.text, "stroke-width": 2 }]);
    } else rect(0, seen, y, colours.correct);
    y += bar;
    if (withChance) {
      const text = `chance alone ${written("expected_agreement", chance)}`;
      told.push(text);
      const end = x(chance) > wide / 2, room = 8 * 15 * scale;
      if (withKappa && Number.isFinite(chance)) {
        parts.push(["polygon", { points: `${x(chance)},${y + 2} ${wide},${y + 2} ${wide},${y + 2 * line} 0,${y + 2 * line}`, fill: colours.kappa, "fill-opacity": 0.1 }]);
      }
      parts.push(["text", { x: end ? Math.max(x(chance), room) : Math.min(x(chance), wide - room), y: y + line - 3, "text-anchor": end ? "end" : "start", class: "small" }, text]);
      y += line;
    }
    if (withKappa) {
      const text = fraction(seen, chance, kappa), fits = broad && text.includes("/");
      const name = fits ? "share earned" : earned ? "earned" : "";
      const whole = wide > 480 * scale; // as broad as that name and the whole sum
      head("kappa", kappa, fits && whole ? `${difference(seen, chance)}${text}` : text, earned ? name : fits ? `${data.names.kappa} = ${name}` : data.names.kappa);
      rect(0, 1, y, colours.grid);
      if (kappa > 0) rect(0, kappa, y, colours.kappa);
      if (kappa < 0) parts.push(["rect", { x: 0, y, width: 4, height: bar, fill: colours.alarm }], ["text", { x: 9, y: y + bar - 2, class: "small" }, "below chance"]);
      y += bar;
      reason("kappa");
    }
    for (const key of data.shows.filter((name) => !["accuracy", "expected_agreement", "kappa"].includes(name))) {
      const value = this.value(key);
      head(key, value);
      rect(0, 1, y, colours.grid);
      if (value > 0) rect(0, value, y, key === "phi" ? colours.phi : colours.neutral);
      y += bar;
      reason(key);
    }
    this.bars.setAttribute("aria-label", told.join(", "));
    this.bars.setAttribute("height", y + 4);
    this.fill(this.bars, parts, scale);
  }

  /* The same elements again where they are the same, so that a frame stays short. */
  fill(svg, parts, scale) {
    parts.forEach(([name, attributes, text], at) => {
      let element = svg.childNodes[at];
      if (element?.nodeName !== name) {
        const made = make(name);
        if (element) element.replaceWith(made);
        else svg.append(made);
        element = made;
      }
      for (const { name: old } of [...element.attributes]) if (!(old in attributes)) element.removeAttribute(old);
      set(element, attributes);
      if (name === "text") set(element, { "font-size": (attributes.class === "small" ? 13 : 14) * scale });
      if (text !== undefined && element.textContent !== text) element.textContent = text;
    });
    while (svg.childNodes.length > parts.length) svg.lastChild.remove();
  }

  /* The judge as a point: how much of what is negative it passes, how much of what is positive it finds. */
  point() {
    this.paper = make("g", { "aria-hidden": "true" }, this.space);
    const group = (this.spot = make("g", { class: "grip spot" }, this.space));
    make("circle", { class: "reach", r: REACH }, group);
    make("circle", { class: "knob", r: GRIP - 2 }, group);
    group.setAttribute("aria-roledescription", "point of two rates");
    hold(group, this.own.talk, {
      move: ({ clientX, clientY }) => {
        const box = this.space.getBoundingClientRect(), { left, top, side } = this.square;
        this.settle();
        this.become(...this.ofRates(1 - (clientY - box.top - top) / side, (clientX - box.left - left) / side));
      },
      key: (name) => {
        const steps = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
          Home: [-Infinity, -Infinity], End: [Infinity, Infinity] };
        if (!(name in steps)) return null;
        return () => {
          const settled = this.settle(), [hits, alarms] = [this.tp, this.fp].map((n, at) => n + steps[name][at]);
          const tp = clamp(hits, 0, this.P), fp = clamp(alarms, 0, this.M);
          if (settled || tp !== this.tp || fp !== this.fp) this.become(tp, this.P - tp, fp, this.M - fp);
        };
      },
    });
  }

  ofRates(tpr, fpr) {
    const tp = Math.round(clamp(tpr, 0, 1) * this.P), fp = Math.round(clamp(fpr, 0, 1) * this.M);
    return [tp, this.P - tp, fp, this.M - fp];
  }

  drawSpace() {
    const { data } = this.own, { colours, scale } = data, room = this.own.told > 1;
    const below = this.bars.getBoundingClientRect().bottom + this.own.legend.offsetHeight + 12;
    const whole = Math.min(190 * scale, room ? this.own.floor - below : Infinity), shown = data.roc && this.held && whole > 120 * scale;
    this.space.style.display = shown ? "" : "none";
    if (!shown) return;
    const left = 30 * scale, top = 8, side = whole - left - 30 * scale;
    this.square = { left, top, side };
    set(this.space, { width: whole, height: whole - 4 });
    const tpr = this.value("recall"), fpr = this.value("fpr"), there = Number.isFinite(tpr + fpr);
    const x = left + (there ? fpr : 0) * side, y = top + (1 - (there ? tpr : 0)) * side;
    const parts = [
      ["rect", { x: left, y: top, width: side, height: side, fill: "none", stroke: colours.axis }],
      ["line", { x1: left, y1: top + side, x2: left + side, y2: top, stroke: colours.axis, "stroke-dasharray": "3 3" }],
      ["text", { x: left + side / 2, y: top + side + 18 * scale, "text-anchor": "middle", class: "small" }, `FPR ${share(fpr)}`],
      ["text", { "text-anchor": "middle", class: "small", transform: `translate(${left - 10} ${top + side / 2}) rotate(-90)` }, `TPR ${share(tpr)}`],
    ];
    if (there) parts.push(["line", { x1: x, x2: x, y1: y, y2: top + (1 - fpr) * side, stroke: colours.judge, "stroke-width": 2 }]);
    this.fill(this.paper, parts, scale);
    this.spot.style.display = there ? "" : "none";
    for (const round of this.spot.childNodes) set(round, { cx: x.toFixed(1), cy: y.toFixed(1) });
    set(this.spot, {
      "aria-label": [this.table.name, "The judge in ROC space: up and down for TPR, left and right for FPR"].filter(Boolean).join(": "),
      "aria-valuemin": 0, "aria-valuemax": this.P, "aria-valuenow": this.tp,
      "aria-valuetext": `TPR ${share(tpr)}, FPR ${share(fpr)}, Youden’s J ${decimals(tpr - fpr, 2)}`,
    });
  }

  measure() {
    const width = Math.max(this.stage.clientWidth || this.box.clientWidth, NARROWEST), alone = this.own.panels.length === 1;
    const height = clamp(width * (alone ? 0.7 : 0.86), 190, alone ? 380 : 320);
    this.size = { width, height: Math.round(this.own.data.scale > 1 ? this.left() : height) };
    set(this.stage, { height: this.size.height });
  }

  /* In the room as high as the window leaves it, above what steers. */
  left() {
    const stacked = this.side.offsetLeft <= this.stage.getBoundingClientRect().left - this.box.getBoundingClientRect().left + this.box.offsetLeft;
    const others = this.title.offsetHeight + this.own.legend.offsetHeight + (stacked ? this.side.offsetHeight : 0);
    return clamp(this.own.floor - this.own.top - others, LOWEST, 800);
  }

  draw() {
    this.muster();
    this.views ??= this.shares();
    this.drawSentence();
    this.drawBars();
    this.drawSpace();
    this.measure();
    this.regions();
    this.drawTexts();
  }
}

/* All tables of the figure, and the talk with the page. */
class Figure {
  constructor(root) {
    Object.assign(this, { root, panels: [], talk: new Talk(true), known: new WeakSet() });
    this.shelf = node("div", "tables", root);
    this.legend = node("p", "legend", root);
    this.watch = new ResizeObserver(() => this.wake());
    this.watch.observe(root);
  }

  update(data, say) {
    const before = this.data, other = !before || before.id !== data.id || before.tables.length !== data.tables.length;
    this.talk.say = (move, holding) => say("moved", [move, this.data.id, this.panels.map(({ table, tp, fn, fp, tn }) => table.whole ?? [tp, fn, fp, tn]), holding]);
    this.talk.hear(data.heard);
    if (other) this.talk.drop();
    const behind = !other && this.talk.behind;
    this.data = behind ? { ...data, tables: before.tables } : { ...data, tables: structuredClone(data.tables) };
    this.style();
    while (this.panels.length > data.tables.length) this.panels.pop().box.remove();
    while (this.panels.length < data.tables.length) this.panels.push(new Panel(this, this.shelf, this.panels.length));
    this.root.dataset.panels = this.panels.length;
    if (!behind) this.panels.forEach((panel, at) => panel.take(this.data.tables[at]));
    this.wake();
    if (behind) this.talk.tell();
  }

  /* How the figure is read, in the colours of its dots. */
  read() {
    const { data } = this, [positive, negative] = data.labels, each = Math.round(Math.max(...this.panels.map((panel) => panel.each)));
    const parts = each > 1 ? [[`one dot: ${count(each)} ${data.unit}`]] : []; // one of each goes without saying
    if (data.drawn !== "folded") { // there the columns have names
      parts.push(...(data.tables[0].counts.length > 2 ? [["columns: human, from the bottom up the judge in the same order"]]
        : [[`filled: judge says ${positive}`, "full"], [`open: ${negative}`, "open"]]));
      parts.push(["agreement", "correct"], ["missed pass", "missed"], ["false pass", "alarm"]);
    }
    if (this.panels.some((panel) => panel.held)) parts.push(["drag", "drag"]);
    parts.push(...data.notes.map((text) => [text]));
    const text = JSON.stringify(parts);
    if (this.legend.told === text) return;
    this.legend.told = text;
    this.legend.replaceChildren();
    for (const [words, colour] of parts) node("span", colour ? `key ${colour}` : "", this.legend, words);
  }

  style() {
    for (const [name, colour] of Object.entries(this.data.colours)) this.root.style.setProperty(`--${name}`, colour);
    this.told = this.data.scale;
    this.enlarge();
  }

  /* In the room the figure stands above what steers, which may come after it. */
  stand() {
    const steers = [...document.querySelectorAll(STEERS)].filter((one) => one.offsetHeight);
    for (const one of steers.filter((it) => !this.known.has(it))) {
      this.known.add(one);
      this.watch.observe(one);
    }
    this.floor = Math.min(window.innerHeight, ...steers.map((one) => one.getBoundingClientRect().top)) - ABOVE;
    clearTimeout(this.later);
    if (steers.length < 2 && window.innerWidth > 1100) this.later = setTimeout(() => this.wake(), LATE);
  }

  /* In the room words grow with the window. */
  enlarge() {
    const room = this.told > 1, window_is = Math.min(window.innerWidth / 1440, window.innerHeight / 900);
    this.data.scale = this.told * (room ? clamp(window_is, 1, 2) : 1);
    this.root.style.setProperty("--scale", this.data.scale);
    this.root.dataset.room = room;
  }

  moved() {
    this.wake();
    this.talk.moved();
  }

  /* Drawn once a frame, however often the hand moves in it. */
  wake() {
    this.stale = true;
    this.timer ??= requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.timer = null;
    if (!this.root.isConnected || !this.data || !this.root.clientWidth) return; // its watch wakes it once it has a width
    const start = performance.now();
    if (this.stale) {
      this.enlarge();
      this.top = this.root.getBoundingClientRect().top;
      if (this.told > 1) this.stand();
      for (const panel of this.panels) panel.draw();
      this.read();
    }
    this.stale = false;
    const moving = this.panels.map((panel) => panel.frame(now)).some(Boolean);
    this.root.dataset.state = moving ? "moving" : "still";
    this.took = performance.now() - start;
    this.root.dispatchEvent(new CustomEvent("drawn", { detail: { took: this.took, move: this.talk.move } }));
    if (moving) this.timer ??= requestAnimationFrame((next) => this.frame(next));
  }

  end() {
    cancelAnimationFrame(this.timer);
    clearTimeout(this.later);
    this.watch.disconnect();
    this.talk.end();
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".held");
  if (parentElement.figure?.root !== root) {
    parentElement.figure?.end();
    parentElement.figure = new Figure(root);
  }
  const own = parentElement.figure;
  own.update(data, setStateValue);
  return () => {
    own.end();
    delete parentElement.figure;
  };
}
