const SVG = "http://www.w3.org/2000/svg";
const GRIP = 11, REACH = 22; // px: a handle as it is drawn, and as far as a finger finds it
const PACE = 120, AGAIN = 3000; // ms between two messages while the hand moves, and until one without an answer is said again
const REST = 400; // ms without a key after which a handle that keys move counts as let go

function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

function make(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  parent?.append(made);
  return made;
}

function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
}

function node(name, className, parent, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

/* The talk with the page: one message under way, and the last position always arrives; `say` gets its number, and whether the
   hand still holds. One that is not `live` waits until it lets go. */
class Talk {
  constructor(live) {
    Object.assign(this, { live, say: null, move: 0, told: 0, heard: 0, rested: 0, at: 0, holding: false });
  }

  get behind() { return this.holding || this.move > this.heard; }

  hear(heard) {
    this.heard = Math.max(this.heard, heard);
  }

  /* What was moved is no longer in view. */
  drop() {
    clearTimeout(this.later);
    this.move = this.told = this.rested = this.heard = Math.max(this.move, this.heard);
  }

  hold() {
    clearTimeout(this.resting);
    this.holding = true;
  }

  moved() {
    this.move += 1;
    this.tell();
  }

  press() {
    this.hold();
    this.resting = setTimeout(() => this.rest(), REST);
  }

  rest() {
    clearTimeout(this.resting);
    this.holding = false;
    if (this.move > this.rested) this.moved();
  }

  tell() {
    clearTimeout(this.later);
    if (this.holding && !this.live) return;
    const unsent = this.move > this.told, open = this.told > this.heard;
    if (!unsent && !open) return;
    const waited = performance.now() - this.at;
    if (open ? waited >= AGAIN : waited >= PACE || !this.holding) this.send();
    this.later = setTimeout(() => this.tell(), PACE);
  }

  send() {
    Object.assign(this, { told: this.move, at: performance.now() });
    if (!this.holding) this.rested = this.move;
    this.say(this.move, this.holding);
  }

  end() {
    clearTimeout(this.later);
    clearTimeout(this.resting);
    this.holding = false;
    if (this.move > this.rested) this.send();
  }
}

/* An element is held: mouse and finger take it along, with what `grab` gave when they took hold; of a key `key` gives what it does.
   A finger on a handle moves the handle, and not the page beneath. */
function hold(element, talk, { grab = () => null, move, key }) {
  set(element, { role: "slider", tabindex: 0 });
  let grabbed = null;
  if (element instanceof SVGElement) element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  element.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    grabbed = { x: event.clientX, start: grab() };
    talk.hold();
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (grabbed) move(event, grabbed);
  });
  const end = () => {
    if (!grabbed) return;
    grabbed = null;
    talk.rest();
  };
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(kind, end);
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = key(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    talk.press();
    act();
  });
}

/* Where a key leads on a line of places from 0 to `most`; undefined for any other key. */
function stepped(key, now, most) {
  const page = Math.max(Math.round(most / 10), 1);
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
  return key in steps ? now + steps[key] : { Home: 0, End: most }[key];
}

