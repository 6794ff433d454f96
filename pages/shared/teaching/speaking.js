const WRITING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable=true]";
const LOOKS = {
  blank: "position: fixed; inset: 0; z-index: 1000; background: #000; border: 0; margin: 0; padding: 0",
  notes: "position: fixed; left: 0; right: 0; bottom: 0; z-index: 900; padding: 16px 32px; font: 22px/1.4 sans-serif; " +
    "background: #FFF4D6; color: #2A2000; border-top: 3px solid #B07A10",
  code: "position: fixed; inset: 0; z-index: 900; display: flex; flex-direction: column; gap: 16px; align-items: center; " +
    "justify-content: center; background: #fff; color: #000; font: 22px/1.4 sans-serif; padding: 24px; overflow-wrap: anywhere",
};
const NAMES = { blank: "Blank screen, B to go on", notes: "Speaker’s notes", code: "Code of this step" };
const KEYS = { b: "blank", n: "notes", q: "code" };

function fill(sheet, kind, data) {
  if (kind === "notes") sheet.textContent = data.notes || "No notes for a table of one’s own.";
  if (kind === "code") {
    sheet.innerHTML = data.code; // made by the server, of an address
    const svg = sheet.querySelector("svg");
    if (svg) {
      svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
      for (const side of ["width", "height"]) svg.setAttribute(side, "60vmin");
    }
    const words = document.createElement("div");
    words.textContent = data.address;
    sheet.append(words);
  }
}

function turn(own, kind) {
  const open = own.sheets[kind];
  if (open) { open.remove(); delete own.sheets[kind]; return; }
  const sheet = document.createElement("section");
  sheet.className = `speaking-${kind}`;
  sheet.style.cssText = LOOKS[kind];
  sheet.setAttribute("aria-label", NAMES[kind]);
  sheet.setAttribute("role", kind === "notes" ? "region" : "dialog");
  fill(sheet, kind, own.data);
  sheet.onclick = () => kind !== "notes" && turn(own, kind);
  document.body.append(sheet);
  own.sheets[kind] = sheet;
}

export default function ({ data, parentElement }) {
  const own = (parentElement.speaking ??= { sheets: {} });
  own.data = data;
  for (const kind of ["notes", "code"]) if (own.sheets[kind]) fill(own.sheets[kind], kind, data);
  if (own.end) return own.end;
  const onKey = (event) => {
    const { key, altKey, ctrlKey, metaKey, target, repeat } = event;
    if (altKey || ctrlKey || metaKey || repeat || target.closest?.(WRITING)) return;
    const kind = key === "Escape" ? Object.keys(own.sheets).find((one) => one !== "notes") : KEYS[key.toLowerCase()];
    if (!kind) return;
    event.preventDefault();
    turn(own, kind);
  };
  window.addEventListener("keydown", onKey, true);
  for (const early of window.earlyKeys?.take([..."nbqNBQ"]) ?? []) onKey(early);
  document.documentElement.dataset.speaking = "heard";
  own.end = () => {
    delete document.documentElement.dataset.speaking;
    window.removeEventListener("keydown", onKey, true);
    for (const kind of Object.keys(own.sheets)) turn(own, kind);
    delete parentElement.speaking;
  };
  return own.end;
}
