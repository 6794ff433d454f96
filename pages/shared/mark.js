const CHECK = 40; // ms between two looks: the figure comes after its mark, and is put anew where the page draws it anew
const KNOB = 8, NEAR = 15; // px: a mark as it is drawn, and as far as a mouse finds it
const STYLE = `
.held-mark {position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; pointer-events: none}
.held-mark .grip {pointer-events: auto; cursor: grab; touch-action: none; outline: none}
.held-mark .grip:active {cursor: grabbing}
.held-mark .reach {fill: transparent}
.held-mark .knob {fill: var(--page); stroke: var(--tint); stroke-width: 3}
.held-mark .core {fill: var(--tint)}
.held-mark .grip:hover .knob {fill: var(--selected)}
.held-mark .grip:focus-visible .knob {stroke: var(--text); stroke-width: 4}
.held-mark path {fill: none; stroke-width: 2}
.held-mark .wide {stroke: transparent; stroke-width: 14}`;

let focused = null; // the figure whose mark has the focus, also while the page puts both anew

/* A mark of a figure that plotly drew, taken from stop to stop. While it is elsewhere than the page knows, what plotly drew of it
   makes way; the page hears of it when the hand lets go. */
class Mark {
  constructor(root) {
    Object.assign(this, { root, talk: new Talk(false), at: 0 });
    this.line = root.querySelector("p");
    this.layer = make("svg", { class: "held-mark" });
    make("style", {}, this.layer).textContent = STYLE;
    this.bands = make("g", { "aria-hidden": "true" }, this.layer);
    this.lines = make("g", { "aria-hidden": "true" }, this.layer);
    this.grip = make("g", { class: "grip" }, this.layer);
    this.wide = make("path", { class: "wide" }, this.grip);
    const coarse = window.matchMedia("(pointer: coarse)").matches;
    this.rounds = [["reach", coarse ? REACH : NEAR], ["knob", KNOB], ["core", 3]].map(([name, r]) => make("circle", { class: name, r }, this.grip));
    hold(this.grip, this.talk, {
      move: (event) => this.put(this.nearest(event)),
      key: (name) => {
        const to = stepped(name, this.at, this.data.spots.length - 1);
        return to === undefined ? null : () => this.put(clamp(to, 0, this.data.spots.length - 1));
      },
    });
    this.grip.addEventListener("focus", () => { focused = this.data.chart; });
    // A figure that is put anew is hidden before it goes, which takes the focus from its mark: only a person leaves for elsewhere.
    this.onOther = ({ target }) => { if (focused === this.data?.chart && !this.grip.contains(target)) focused = null; };
    for (const kind of ["focusin", "pointerdown"]) window.addEventListener(kind, this.onOther, true);
    this.onKey = (event) => this.between(event);
    window.addEventListener("keydown", this.onKey, true);
    this.timer = setInterval(() => this.check(), CHECK);
  }

  get left() { return focused !== this.data.chart || document.activeElement !== document.body; }

  /* A key that comes while the figure is put anew, and with it the mark. */
  between(event) {
    if (this.left) return;
    const { key, altKey, ctrlKey, metaKey } = event, again = new KeyboardEvent("keydown", { key, altKey, ctrlKey, metaKey, cancelable: true });
    if (this.grip.dispatchEvent(again)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  update(data, say) {
    const other = this.data?.id !== data.id;
    this.talk.say = (move) => {
      this.write();
      say("placed", [move, data.id, this.at]);
    };
    this.talk.hear(data.heard);
    if (other) this.talk.drop();
    this.data = data;
    if (other || !this.talk.behind) this.at = data.at;
    this.drawn = null;
    this.check();
    if (this.talk.behind) this.talk.tell();
  }

  /* Into the address before the page hears of it, which then need not write it, and makes no place on the way back. */
  write() {
    const url = new URL(location.href);
    for (const [name, values] of Object.entries(this.data.address)) {
      if (values[this.at] === null) url.searchParams.delete(name);
      else url.searchParams.set(name, values[this.at]);
    }
    history.replaceState(history.state, "", url);
  }

  put(at) {
    if (at === this.at) return;
    this.at = at;
    this.wake();
    this.talk.moved();
  }

  wake() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /* The figure, once it is there; the mark lies in it, and grows and moves with it. */
  find() {
    const plot = document.querySelector(`.st-key-${CSS.escape(this.data.chart)} .js-plotly-plot`), host = plot?.querySelector(".svg-container");
    if (!host || !plot._fullLayout?.xaxis?._length) return null;
    if (this.layer.parentElement !== host) {
      host.append(this.layer);
      this.drawn = null;
    }
    if (!this.left) this.grip.focus({ preventScroll: true });
    return plot;
  }

  check() {
    const plot = this.find();
    if (!plot) return;
    const { xaxis: x, yaxis: y } = plot._fullLayout;
    const drawn = [x._offset, x._length, x.range, y._offset, y._length, y.range, plot._fullLayout.annotations?.length].join();
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.draw();
  }

  px([x, y]) {
    const { xaxis, yaxis } = this.plot._fullLayout;
    return [xaxis._offset + xaxis.l2p(x), yaxis._offset + yaxis.l2p(y)];
  }

  nearest({ clientX, clientY }) {
    const box = this.layer.getBoundingClientRect(), grown = box.width / (this.layer.clientWidth || box.width);
    const x = (clientX - box.left) / grown, y = (clientY - box.top) / grown;
    let best = this.at, least = Infinity;
    this.data.spots.forEach((spot, at) => {
      const [a, b] = this.px(spot), away = (a - x) ** 2 + (b - y) ** 2;
      if (away < least) [best, least] = [at, away];
    });
    return best;
  }

  draw() {
    const { data, at } = this, away = at !== data.at, plot = (this.plot = this.find());
    if (this.line.textContent !== data.words[at]) this.line.textContent = data.words[at];
    if (!plot) return;
    const [x, y] = this.px(data.spots[at]);
    for (const [name, colour] of Object.entries(data.colours)) this.layer.style.setProperty(`--${name}`, colour);
    for (const round of this.rounds) set(round, { cx: x.toFixed(1), cy: y.toFixed(1) });
    const way = (spots) => ({ d: spots.length ? `M${spots.map((spot) => this.px(spot).map((one) => one.toFixed(1))).join("L")}` : "" });
    set(this.wide, way(data.lines[0].paths[at]));
    this.fill(this.lines, "path", away ? data.lines : [], way);
    this.fill(this.bands, "rect", away ? data.bands : [], ([one, other]) => {
      const [left, bottom] = this.px(one), [right, top] = this.px(other);
      return { x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0) };
    });
    this.hide(plot, away);
    set(this.grip, {
      "aria-label": data.label,
      "aria-valuemin": 0, "aria-valuemax": data.spots.length - 1, "aria-valuenow": at, "aria-valuetext": data.words[at],
    });
    this.root.dataset.state = away ? "away" : "there";
    this.root.dispatchEvent(new CustomEvent("drawn"));
  }

  fill(group, name, parts, shape) {
    while (group.childNodes.length < parts.length) make(name, {}, group);
    while (group.childNodes.length > parts.length) group.lastChild.remove();
    parts.forEach(({ colour, paths }, place) => {
      const path = paths[this.at], paint = name === "path" ? { stroke: colour } : { fill: colour };
      set(group.childNodes[place], path.length ? { ...shape(path), ...paint, visibility: "visible" } : { visibility: "hidden" });
    });
  }

  hide(plot, away) {
    const { held } = this.data, { annotations = [], shapes = [] } = plot._fullLayout;
    const named = (all, layer) => all.flatMap(({ name }, at) => (name === held ? [...plot.querySelectorAll(`${layer} [data-index="${at}"]`)] : []));
    const traces = [...plot.querySelectorAll(".trace")].filter((trace) => trace.__data__?.[0]?.trace?.meta === held);
    const parts = [...traces, ...named(annotations, ".infolayer"), ...named(shapes, ".shapelayer")];
    for (const part of parts) part.style.visibility = away ? "hidden" : "";
  }

  end() {
    this.over = true;
    clearInterval(this.timer);
    cancelAnimationFrame(this.frame);
    window.removeEventListener("keydown", this.onKey, true);
    for (const kind of ["focusin", "pointerdown"]) window.removeEventListener(kind, this.onOther, true);
    this.talk.end();
    this.layer.remove();
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mark");
  if (parentElement.mark?.root !== root) {
    parentElement.mark?.end();
    parentElement.mark = new Mark(root);
  }
  const own = parentElement.mark;
  own.update(data, setStateValue);
  return () => {
    own.end();
    delete parentElement.mark;
  };
}
