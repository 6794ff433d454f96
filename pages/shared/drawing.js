const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 24;
const GAP = 28; // px between two figures, whatever stands there on the page
const NARROWEST = 320;
const FINEST = 16000; // px of a canvas' longer side, which every browser can draw
const PARTS_OF_THE_MOUSE = ".draglayer, .hoverlayer, .zoomlayer, .selectionlayer";
const REFERENCES = ["href", "xlink:href", "src"];
const LOOKS = [
  "display", "visibility", "opacity", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width",
  "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "shape-rendering", "vector-effect",
  "font-family", "font-size", "font-style", "font-weight", "letter-spacing", "text-anchor", "dominant-baseline", "white-space",
];
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function seen(element) {
  const box = element.getBoundingClientRect();
  const shown = element.checkVisibility ? element.checkVisibility({ visibilityProperty: true }) : true;
  return shown && box.width > 0 && box.height > 0;
}

function make(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function rounded(x) {
  return Math.round(100 * x) / 100;
}

/* A letter's place on the page is asked for one by one: only the page knows where its lines break. */
function linesOf(element) {
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, style = getComputedStyle(node.parentElement);
    let at = 0, line = null;
    for (const letter of node.data) {
      range.setStart(node, at);
      range.setEnd(node, (at += letter.length));
      const box = range.getClientRects()[0];
      if (!box || (!box.width && !letter.trim())) continue;
      if (!line || Math.abs(box.top - line.box.top) > box.height / 2) found.push((line = { text: "", box, style }));
      line.text += letter;
    }
  }
  return found;
}

function measured(font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return pen;
}

function textBlock(element) {
  const box = element.getBoundingClientRect();
  const draw = (x, y) => linesOf(element).map(({ text, box: own, style }) => {
    const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = measured(font).measureText(text);
    const base = own.top + (own.height - above - below) / 2 + above;
    return make("text", {
      x: rounded(own.left - box.left + x), y: rounded(base - box.top + y), fill: style.color,
      style: `font: ${font}; white-space: pre`,
    }, text.trimEnd());
  });
  return { box, draw };
}

/* What style sheets of the page give to a figure is written into the copy, which lies where none of them reaches. */
function standAlone(pairs) {
  for (const [original, copy] of pairs) {
    const wanted = getComputedStyle(original), own = getComputedStyle(copy);
    for (const look of LOOKS) {
      const value = wanted.getPropertyValue(look);
      if (value !== own.getPropertyValue(look)) copy.style.setProperty(look, value);
    }
  }
}

/* Names are made the figure's own, and nothing points outside. */
function ownNames(copies, prefix) {
  const names = new Set(copies.flatMap((copy) => [...copy.querySelectorAll("[id]")].map((element) => element.id)));
  const inside = (text) => text.replace(/url\((["']?)[^"'()#]*#([^"')]+)\1\)/g, (_, quote, name) => `url(#${prefix}${name})`);
  for (const element of copies.flatMap((copy) => [copy, ...copy.querySelectorAll("*")])) {
    for (const { name, value } of [...element.attributes]) {
      if (name === "id") element.id = prefix + value;
      else if (name === "class" || name.startsWith("data-") || name.startsWith("on")) element.removeAttribute(name);
      else if (REFERENCES.includes(name)) {
        if (value.startsWith("#") && names.has(value.slice(1))) element.setAttribute(name, `#${prefix}${value.slice(1)}`);
        else if (!value.startsWith("data:image/")) element.removeAttribute(name);
      } else if (value.includes("url(")) element.setAttribute(name, inside(value));
    }
  }
}

function copied(plot, prefix) {
  const host = document.createElement("div");
  host.style.cssText = "all: initial; position: fixed; visibility: visible; width: 0; height: 0; overflow: hidden";
  document.body.append(host);
  const shadow = host.attachShadow({ mode: "open" });
  const layers = [...plot.querySelectorAll(".main-svg")].filter((layer) => !layer.parentElement.closest(".main-svg"));
  const copies = layers.map((layer) => layer.cloneNode(true));
  shadow.append(...copies);
  standAlone(layers.flatMap((layer, place) => {
    const inside = copies[place].querySelectorAll("*");
    return [...layer.querySelectorAll("*")].map((original, at) => [original, inside[at]]);
  }));
  for (const copy of copies) {
    for (const element of copy.querySelectorAll(PARTS_OF_THE_MOUSE)) element.remove();
    copy.removeAttribute("style");
  }
  host.remove();
  ownNames(copies, prefix);
  return { layers, copies };
}

/* A figure that only says why there is nothing to draw takes no more room than these words, which are lifted to its top. */
function room(plot) {
  const box = plot.getBoundingClientRect();
  const words = [...plot.querySelectorAll(".main-svg text")].filter(seen).map((text) => text.getBoundingClientRect());
  if (plot.data.length || !words.length) return { box, lift: 0 };
  const top = Math.min(...words.map((one) => one.top)), bottom = Math.max(...words.map((one) => one.bottom));
  return { box: new DOMRect(box.left, box.top, box.width, bottom - top), lift: top - box.top };
}

function plotBlock(plot, place) {
  const { box, lift } = room(plot);
  const named = plot.closest("[aria-label]");
  const draw = (x, y) => {
    const { layers, copies } = copied(plot, `figure${place}-`);
    const group = make("g", {});
    if (named) group.append(make("desc", {}, named.getAttribute("aria-label")));
    copies.forEach((copy, at) => {
      const own = layers[at].getBoundingClientRect();
      copy.setAttribute("x", rounded(own.left - box.left + x));
      copy.setAttribute("y", rounded(own.top - box.top + y - lift));
      group.append(copy);
    });
    return [group];
  };
  return { box, draw };
}

function wrapped(text, font, width) {
  const pen = measured(font), fits = (line) => pen.measureText(line).width <= width;
  const lines = [""];
  for (const word of text.split(/[ \n]+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (fits(longer)) { lines[lines.length - 1] = longer; continue; }
    if (lines.at(-1)) lines.push("");
    for (const letter of word) {
      if (!fits(lines.at(-1) + letter)) lines.push("");
      lines[lines.length - 1] += letter;
    }
  }
  return lines;
}

/* Lines of text of their own sizes below each other; returns where they end. */
function written(svg, lines, start, width, family) {
  let y = start;
  for (const { text, size, weight, fill } of lines) {
    for (const line of wrapped(text, `${weight} ${size}px ${family}`, width)) {
      y += size * 1.35;
      svg.append(make("text", {
        x: MARGIN, y: rounded(y - size * 0.35), fill, style: `font: ${weight} ${size}px ${family}; white-space: pre`,
      }, line));
    }
  }
  return y;
}

function titled(text, { colours, scale }) {
  return text ? [{ text, size: 20 * scale, weight: 700, fill: colours.text }] : [];
}

function small(lines, { colours, scale }) {
  return lines.map((text) => ({ text, size: 14 * scale, weight: 400, fill: colours.muted }));
}

/* A sheet with its ground, still without its size; what is read aloud of it is its title and its lines. */
function sheet(title, lines, { colours }) {
  const svg = make("svg", { xmlns: SVG, role: "img" });
  const ground = make("rect", { width: "100%", height: "100%", fill: colours.page });
  svg.append(make("title", {}, title), make("desc", {}, lines.join("\n")), make("style", {}), ground);
  return svg;
}

async function finished(svg, wide, high) {
  const width = Math.ceil(wide), height = Math.ceil(high);
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) svg.setAttribute(key, value);
  svg.querySelector("style").textContent = await fonts(svg);
  return { text: new XMLSerializer().serializeToString(svg).replace(NOT_IN_XML, ""), width, height };
}

async function asData(address) {
  const reader = new FileReader();
  const read = new Promise((done, fail) => { reader.onload = () => done(reader.result); reader.onerror = fail; });
  reader.readAsDataURL(await (await fetch(address)).blob());
  return read;
}

/* The faces the picture is set in, as they are served with the page. */
async function fonts(svg) {
  const used = new Set([...svg.querySelectorAll("text, tspan")].flatMap((text) => {
    const slanted = /italic|oblique/.test(text.style.fontStyle) ? "italic" : "normal";
    return text.style.fontFamily.split(",").map((family) => `${family.replace(/["']/g, "").trim()} ${slanted}`);
  }));
  const faces = [];
  for (const sheet of document.styleSheets) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { continue; }
    for (const rule of rules) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const face = rule.style, name = face.getPropertyValue("font-family").replace(/["']/g, "");
      const slant = face.getPropertyValue("font-style") || "normal", weight = face.getPropertyValue("font-weight") || "normal";
      const source = face.getPropertyValue("src").match(/url\(["']?([^"')]+)["']?\)/);
      const address = source && new URL(source[1], sheet.href ?? document.baseURI);
      if (!address || address.origin !== location.origin || !used.has(`${name} ${slant}`)) continue;
      const bytes = await asData(address);
      faces.push(`@font-face {font-family: "${name}"; font-style: ${slant}; font-weight: ${weight}; src: url(${bytes})}`);
    }
  }
  return faces.join("\n");
}

async function painted({ text, width, height }) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const fine = Math.min(2, FINEST / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * fine);
    canvas.height = Math.round(height * fine);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("The canvas gave no picture.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function given(picture, kind, name) {
  const blob = kind === "png" ? await painted(picture) : new Blob([picture.text], { type: "image/svg+xml" });
  hand(blob, `${name}.${kind}`);
}
