const CLOSE = 8; // px within which edges are meant as one

/* Each heading with the small line under it and the figures that follow, up to the next heading. */
function figuresOf(root, plots) {
  const before = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const headings = [...root.querySelectorAll("h2, h3, h4")].filter(seen);
  const found = new Map();
  plots.forEach((plot, place) => {
    const heading = headings.filter((one) => before(one, plot)).pop();
    const isBetween = (line) => before(heading, line) && before(line, plot);
    if (!found.has(heading)) found.set(heading, heading ? wordsOf(heading, isBetween) : []);
    found.get(heading).push(plotBlock(plot, place));
  });
  return [...found.values()].map((blocks) => ({
    blocks,
    left: Math.min(...blocks.map(({ box }) => box.left)), right: Math.max(...blocks.map(({ box }) => box.right)),
    top: Math.min(...blocks.map(({ box }) => box.top)), bottom: Math.max(...blocks.map(({ box }) => box.bottom)),
  }));
}

function wordsOf(heading, isBetween) {
  const together = heading.closest("[data-testid=stVerticalBlock]");
  const small = [...together.querySelectorAll("p > span[style*=font-size]")].map((line) => line.parentElement);
  return [heading, ...small.filter((line) => seen(line) && isBetween(line)).slice(0, 1)].map(textBlock);
}

/* Room that controls and readings take on the page is closed: figures go up, and left to where others begin. */
function arranged(figures) {
  const left = Math.min(...figures.map((one) => one.left));
  const free = (own) => own.left - Math.max(left, ...figures.filter((one) => beside(one, own)).map((one) => one.right));
  const beside = (one, own) => one.top < own.bottom && one.bottom > own.top && one.right <= own.left;
  const alone = (own) => figures.every((one) => one === own || Math.abs(one.left - own.left) > CLOSE);
  for (const own of figures) {
    const starts = figures.map((one) => one.left).filter((start) => start >= own.left - free(own));
    own.x = (alone(own) ? Math.min(...starts, own.left) : own.left) - left;
  }
  const placed = [];
  const below = (own) => placed.filter((one) => one.x < own.x + own.right - own.left && own.x < one.x + one.right - one.left);
  for (const own of [...figures].sort((a, b) => a.top - b.top)) {
    if (own.y !== undefined) continue;
    const row = figures.filter((one) => one.y === undefined && Math.abs(one.top - own.top) < CLOSE);
    const y = Math.max(0, ...row.flatMap(below).map((one) => one.y + one.bottom - one.top + GAP));
    for (const one of row) placed.push(Object.assign(one, { y }));
  }
  return placed;
}

async function compose(root, data) {
  const plots = [...root.querySelectorAll(".js-plotly-plot")].filter(seen);
  if (!plots.length) return null;
  const figures = arranged(figuresOf(root, plots));
  const inner = Math.max(NARROWEST, ...figures.map(({ x, left, right }) => x + right - left));
  const svg = sheet(data.title, data.lines, data), family = getComputedStyle(root).fontFamily;
  const head = written(svg, titled(data.title, data), MARGIN, inner, family);
  const start = written(svg, small(data.lines, data), head + 4, inner, family) + GAP;
  for (const { blocks, x, y, left, top } of figures) {
    for (const { box, draw } of blocks) {
      // Whole px, so that edges stay sharp.
      svg.append(...draw(Math.round(box.left - left + x + MARGIN), Math.round(box.top - top + y + start)));
    }
  }
  const below = Math.max(...figures.map(({ y, top, bottom }) => y + bottom - top));
  return finished(svg, inner + 2 * MARGIN, start + below + MARGIN);
}

async function save(kind, data) {
  const root = document.querySelector(`.st-key-${CSS.escape(data.group)}`);
  const picture = root && (await compose(root, data));
  if (!picture) return "No figure in view";
  await given(picture, kind, data.name);
  return "Saved";
}

export default function ({ data, parentElement }) {
  const said = parentElement.querySelector("[role=status]");
  const say = (words) => {
    said.textContent = words;
    clearTimeout(said.fading);
    said.fading = setTimeout(() => { said.textContent = ""; }, 6000);
  };
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = async () => {
      said.textContent = "";
      try {
        say(await save(button.value, data));
      } catch (error) {
        say("Not saved");
        console.warn(error);
      }
    };
  }
}
