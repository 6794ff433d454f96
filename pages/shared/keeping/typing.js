/* What is typed: handed over after a short pause, so that little of it can be lost, and asked about where a key would hide it. A
   part of `device.js`, whose `own` it shares. */
const TYPED_ON = 400; // ms: pause after which a field hands over what is typed
const HEARD_IN = 50; // ms until a field has passed on what it was told; closed sooner it tells nothing
const TEXTS = ":is([data-testid=stMain], [data-testid=stPopoverBody]) :is(textarea, input:is([type=text], :not([type])):not([role=combobox]))";
const DOWNLOADS = "[data-testid=stDownloadButton] button";
const LOOK = 50, MOST_LOOKS = 300; // ms between two looks at the run a file waits for; and looks after which it waits no longer
const SAVES = "[class*=st-key-saves_] button";
const DESK = `[data-testid=stPopoverBody]:has(${SAVES})`; // which Escape closes, and hides what is typed in it

/* Leaving is asked about only while something is nowhere but on the screen: typed and not handed over yet, or refused by storage. */
function typed({ target }) {
  if (!target.matches?.(TEXTS)) return;
  own.typed = target.value === own.before ? 0 : performance.now();
  clearTimeout(own.handing);
  if (target.tagName === "TEXTAREA") own.handing = setTimeout(handOver, TYPED_ON, target);
}

function press(field, key, ctrlKey = false) {
  const keyCode = { Enter: 13, Escape: 27 }[key];
  field.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, keyCode, ctrlKey, bubbles: true, cancelable: true }));
}

/* A broad field hands over when it is left, or on Ctrl+Enter; closed by Escape, or with the page, it would forget what is typed. */
const handOver = (field) => press(field, "Enter", field.tagName === "TEXTAREA");

function begun({ target }) {
  if (!target.matches?.(TEXTS)) return;
  own.before = target.value;
  if (target.closest(DESK) && !own.fields?.has(target)) (own.fields ??= new Map()).set(target, target.value);
}

function keptNow() {
  if (performance.now() - (own.typed ?? 0) < TYPED_ON) return;
  own.typed = 0;
  if (document.activeElement?.matches?.(TEXTS)) own.before = document.activeElement.value;
}

function askBeforeLeaving(event) {
  if (!own.typed && !own.unkept) return;
  event.preventDefault();
  event.returnValue = "";
}

/* What was typed since a popover was opened, or since it was saved, with what stood there before. */
function unsaved(popover) {
  for (const field of own.fields?.keys() ?? []) if (!field.isConnected) own.fields.delete(field);
  return [...(own.fields ?? [])].filter(([field, was]) => popover.contains(field) && field.value !== was);
}

function onKey(event) {
  const { key, target, isTrusted, ctrlKey, metaKey } = event, popover = target.closest?.(DESK);
  if (!popover || !isTrusted) return;
  const wide = target.tagName === "TEXTAREA";
  if (key === "Enter" && own.fields?.has(target) && (!wide || ctrlKey || metaKey)) own.fields.set(target, target.value);
  if (key !== "Escape" || target.ariaExpanded === "true" || !unsaved(popover).length) return;
  event.stopImmediatePropagation(); // the popover hears it on its way down, and would close
  if (target.closest("dialog")) return;
  event.preventDefault();
  ask(popover, target);
}

/* Escape is meant by some to keep and by others to take back: whoever typed says which. */
function ask(popover, from) {
  const dialog = document.createElement("dialog"), text = document.createElement("p");
  text.textContent = "Keep what you typed?";
  text.id = "keep-typed";
  dialog.className = "keep-typed";
  dialog.setAttribute("aria-labelledby", text.id);
  const offer = (label, act) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", () => { dialog.close(); act(); });
    return button;
  };
  const back = () => from.focus();
  const keep = () => close(popover, unsaved(popover).map(([field]) => field));
  dialog.append(text, offer("Keep", keep), offer("Discard", () => discard(popover)), offer("Go on typing", back));
  dialog.addEventListener("cancel", back);
  dialog.addEventListener("close", () => dialog.remove());
  popover.append(dialog);
  dialog.showModal();
}

function discard(popover) {
  const fields = unsaved(popover);
  for (const [field, was] of fields) {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, was);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  setTimeout(close, HEARD_IN, popover, fields.map(([field]) => field));
}

function close(popover, fields) {
  fields.forEach(handOver);
  own.fields?.clear();
  setTimeout(press, HEARD_IN, fields[0] ?? popover, "Escape");
}

/* A field that is left for the button hands over by itself. */
function onClick({ target }) {
  if (target.closest?.(SAVES)) setTimeout(close, HEARD_IN, target.closest(DESK), []);
}

/* A file is made of what the last run was told: asked for at once, it waits for the run with what was typed or chosen before. */
function changed({ target }) {
  if (!target.closest?.(DOWNLOADS)) own.changed = performance.now();
}

const state = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;

/* What was changed is passed on soon, or asks for no run; what was passed on is not yet answered before the run has begun. */
function upToDate() {
  const still = performance.now() - (own.changed ?? -LOOK * MOST_LOOKS) >= TYPED_ON + HEARD_IN;
  return state() === "notRunning" && still && (own.asks ?? 0) <= (own.runs ?? 0);
}

function watchRuns() {
  const app = document.querySelector("[data-testid=stApp]"), send = WebSocket.prototype.send;
  WebSocket.prototype.send = function () {
    own.asks = performance.now();
    return send.apply(this, arguments);
  };
  new MutationObserver(() => { own.runs = performance.now(); }).observe(app, { attributeFilter: ["data-test-script-state"] });
}

function waits(event) {
  const button = event.target.closest?.(DOWNLOADS);
  if (!button || !event.isTrusted || upToDate()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const place = [...(button.closest("[class*=st-key-]")?.classList ?? [])].find((name) => name.startsWith("st-key-"));
  const asked = (own.asked ??= new Set()), file = place ?? button;
  if (!asked.has(file)) askFor(asked.add(file), file, MOST_LOOKS);
}

/* Two looks one after the other: what was handed over just now is not yet answered. */
function askFor(asked, file, looks, still = 0) {
  if (still <= 1 && looks) return setTimeout(askFor, LOOK, asked, file, looks - 1, upToDate() ? still + 1 : 0);
  asked.delete(file);
  (file.click ? file : document.querySelector(`.${CSS.escape(file)} ${DOWNLOADS}`))?.click();
}

function listenToTyping() {
  for (const kind of ["input", "change", "click", "pointerup", "keyup"]) addEventListener(kind, changed, true);
  watchRuns();
  addEventListener("click", waits, true);
  addEventListener("focusin", begun, true);
  addEventListener("input", typed, true);
  addEventListener("keydown", onKey, true);
  addEventListener("click", onClick, true);
  addEventListener("beforeunload", askBeforeLeaving);
}
