/* What this browser keeps of the data sets that were opened in it: in its own storage, and nowhere else. Small things lie in
   `localStorage` under the id of the data set: a text that only the server reads, and the addresses of the pages that were
   looked at. Files lie in IndexedDB as they are, where their owner allowed it. After a reload they are handed to the page's own
   uploader, so that they come to the server as every upload does. */
const HEAD = "kappascope ", DATABASE = "kappascope", FILES = "files", ABOUT = "about";
const MOST_SETS = 30, MOST_WITH_FILES = 8, MOST_SEEN = 50;
const OFTEN = 500, SOON = 50, PATIENCE = 15000; // ms: between two looks, and until the uploader must be there
const STUCK = 5000, ASKED = 8; // ms after which storage that says nothing is asked anew; how often it is asked
const LEAVING = 10000; // ms: as long as the next page may take to have an address
const MOST_TOLD = 90000; // letters of one message
const TRIES = 6; // looks until files of which nothing is seen are handed over again

const own = (window.keptOnDevice ??= { seen: [], written: new Map(), why: {}, forgets: 0, feeding: "", left: -LEAVING });

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/* Small things. */

function entry(id) {
  try {
    return JSON.parse(localStorage.getItem(HEAD + id)) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const kept = () => Object.keys(localStorage).filter((key) => key.startsWith(HEAD)).map((key) => key.slice(HEAD.length));

function write(id, change) {
  const next = { ...entry(id), ...change, at: Date.now() }, others = kept().filter((other) => other !== id);
  if (!next.text && !Object.values(next.choices ?? {}).some(Boolean)) return localStorage.removeItem(HEAD + id);
  const value = JSON.stringify(next);
  others.sort((a, b) => (entry(a).at ?? 0) - (entry(b).at ?? 0));
  while (others.length >= MOST_SETS) localStorage.removeItem(HEAD + others.shift());
  for (;;) {
    try {
      return localStorage.setItem(HEAD + id, value);
    } catch (error) {
      if (!others.length) throw error;
      localStorage.removeItem(HEAD + others.shift()); // there is no more room: the oldest goes
    }
  }
}

/* Files. */

function database() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => [FILES, ABOUT].forEach((store) => asked.result.createObjectStore(store));
    asked.onsuccess = () => done(asked.result);
    asked.onerror = asked.onblocked = () => failed(asked.error ?? new Error("blocked"));
  });
}

/* Storage that is held may refuse, or say nothing at all. */
function read(act) {
  const stuck = pause(STUCK).then(() => { throw new Error("storage says nothing"); });
  return Promise.race([within("readonly", act), stuck]);
}

async function within(mode, act) {
  const opened = await database();
  try {
    return await new Promise((done, failed) => {
      const going = opened.transaction([FILES, ABOUT], mode);
      const asked = act(going.objectStore(FILES), going.objectStore(ABOUT));
      going.oncomplete = () => done(asked?.result);
      going.onerror = going.onabort = () => failed(going.error);
    });
  } finally {
    opened.close();
  }
}

async function abouts() {
  const found = {};
  await read((_, about) => {
    const asked = about.openCursor();
    asked.onsuccess = () => {
      const at = asked.result;
      if (!at) return;
      found[at.key] = at.value;
      at.continue();
    };
  });
  return found;
}

async function digest(bytes) {
  if (!globalThis.crypto?.subtle) return null; // a page that came without TLS from another machine
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function bytesOf(name, size, wanted) {
  for (const file of own.seen.filter((one) => one.name === name && one.size === size).reverse()) {
    const bytes = await file.arrayBuffer().catch(() => null); // it was changed or moved on the disk
    if (bytes && [null, wanted].includes(await digest(bytes))) return bytes;
  }
  return null;
}

async function remember(id, sent) {
  const files = [];
  for (const [name, size, wanted] of sent) {
    const bytes = await bytesOf(name, size, wanted);
    if (!bytes) throw new Error("gone");
    files.push({ name, bytes });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  const before = Object.entries(await abouts()).filter(([other]) => other !== id).sort(([, a], [, b]) => a.at - b.at);
  await within("readwrite", (store, about) => {
    for (const [old] of before.slice(0, Math.max(0, before.length + 1 - MOST_WITH_FILES))) [store, about].forEach((one) => one.delete(old));
    store.put(files, id);
    about.put({ bytes, at: Date.now(), sent: JSON.stringify(sent) }, id);
  });
}

const drop = (id) => within("readwrite", (...stores) => { stores.forEach((store) => store.delete(id)); });

/* Right after a reload storage may be held by the page before: it is asked once more at once, and then in longer pauses. */
async function inventory(again = true) {
  try {
    const files = Object.fromEntries(Object.entries(await abouts()).map(([id, { bytes }]) => [id, bytes]));
    return { sets: kept().length, files, why: own.why, off: false };
  } catch (error) {
    if (again) {
      await pause(OFTEN);
      return inventory(false);
    }
    console.warn(error);
    return { sets: 0, files: {}, why: own.why, off: true };
  }
}

async function askAgain() {
  for (let time = 1; time <= ASKED; time += 1) {
    await pause(Math.min(2 ** time * OFTEN, STUCK));
    const now = await inventory(false);
    if (!now.off) return own.setStateValue("inventory", now);
  }
}

/* What the server asks for with every run. */

const here = () => window.location.pathname.split("/").at(-1);

/* Tells the server what is kept of a data set that it has not heard of yet; returns whether it must be heard before anything
   is written. */
async function answer({ id, unknown }) {
  let known = {};
  try {
    known = entry(id);
  } catch { /* storage is off, which the inventory says */ }
  const choices = known.choices ?? {}, text = known.text ?? "";
  if (unknown || text || Object.keys(choices).some((page) => page !== here())) {
    const at = known.at ? new Date(known.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "";
    const now = await inventory();
    own.setStateValue("found", { id, text, at, choices, inventory: now });
    if (now.off) askAgain();
  }
  return Boolean(text);
}

function keepText({ id, text }) {
  if (hearOther(id, text)) return;
  const before = own.written.get(id) ?? (own.forgotten ? text : entry(id).text ?? "");
  own.written.set(id, text);
  if (before !== text) write(id, { text });
}

/* Another tab may have written since: the server puts both together before anything is written anew. Returns whether it must. */
function hearOther(id, text) {
  const before = own.written.get(id), theirs = entry(id).text ?? "";
  if (before === undefined || !theirs || theirs === before) return false;
  own.written.set(id, theirs);
  if (theirs === text) return false;
  own.heardOthers = (own.heardOthers ?? 0) + 1;
  own.setStateValue("other", { id, text: theirs, base: before.length + theirs.length > MOST_TOLD ? "" : before, n: own.heardOthers });
  return true;
}

function onStorage({ key, storageArea }) {
  const { id, unknown } = own.data ?? {};
  if (storageArea === localStorage && id && !unknown && key === HEAD + id) look(false, () => hearOther(id, null));
}

/* A page of which only the data set is in the address was looked at, and nothing chosen. */
const chosen = (search) => [...new URLSearchParams(search).keys()].some((name) => name !== "data") ? search : "";

/* The address holds most choices of a page, of this page alone. */
function keepAddress(leaving = false) {
  const app = document.querySelector("[data-testid=stApp]")?.dataset ?? {}, search = chosen(window.location.search), { id, unknown } = own.data;
  const page = `${id} ${here()} `, place = page + search, rests = app.testScriptState === "notRunning";
  if (!rests && !(leaving && own.place?.startsWith(page))) return;
  if (performance.now() - own.left < LEAVING || !id || unknown || own.place === place) return;
  own.place = place;
  const known = entry(id);
  if ((known.choices?.[here()] ?? "") === search || (own.forgotten && !known.text)) return;
  write(id, { choices: { ...known.choices, [here()]: search } });
}

/* A second file that comes beside kept ones, or goes, makes them other files. */
async function keepFile({ id, text, remember: asked, sent }) {
  const about = (await abouts())[id], wanted = asked ?? Boolean(about);
  const changed = about?.sent && sent.length && JSON.stringify(sent) !== about.sent && own.tried !== JSON.stringify(sent);
  if (wanted === Boolean(about) && !(wanted && changed)) return;
  own.tried = JSON.stringify(sent);
  delete own.why[id];
  try {
    await (wanted ? remember(id, sent) : drop(id));
    if (wanted) write(id, { text });
  } catch (error) {
    own.why[id] = error.message === "gone" ? "gone" : "full";
  }
}

/* What is in view is not written again before it changes. */
async function forget({ id, text }) {
  for (const other of kept()) localStorage.removeItem(HEAD + other);
  own.written.set(id, text);
  own.forgotten = true;
  await within("readwrite", (...stores) => { stores.forEach((store) => store.clear()); });
}

function hand(files) {
  const input = document.querySelector(`.${own.data.uploader} input[type=file]`);
  if (!input) return;
  input.files = files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

async function feed(id) {
  own.feeding = id;
  const until = performance.now() + PATIENCE;
  const soon = async (look) => {
    for (;;) {
      const found = await look();
      if (found || performance.now() > until) return found;
      await pause(SOON);
    }
  };
  const files = await soon(() => read((store) => store.get(id)).catch(() => null));
  const input = await soon(() => document.querySelector(`.${own.data.uploader} input[type=file]`));
  if (!input || !files) return failed(id);
  const given = new DataTransfer(), there = (part) => document.querySelector(`.${own.data.uploader} [data-testid=${part}]`);
  for (const { name, bytes } of files) given.items.add(new File([bytes], name));
  for (let tries = 0; own.data.feed === id; tries += 1) {
    if (there("stFileChipIconError")) return failed(id);
    // An uploader that was drawn anew in the meantime has heard nothing, and is told again.
    if (!(tries % TRIES) && !there("stFileChip")) hand(given.files);
    await pause(OFTEN);
  }
}

const failed = (id) => own.setStateValue("failed", id);

async function follow(data) {
  const { id, session, heard, unknown, text, forgets, gone, asks, feed: fed } = data;
  try {
    if (own.session !== session) Object.assign(own, { session, forgets: 0, feeding: "", written: new Map() });
    if (forgets !== own.forgets) {
      own.forgets = forgets;
      await forget(data);
    }
    for (const other of gone) {
      localStorage.removeItem(HEAD + other);
      await drop(other);
    }
    const wait = id && !heard && !own.written.has(id) && (await answer(data));
    if (id && !unknown && !wait && text !== null) keepText(data);
    if (!wait) keptNow();
    own.unkept = data.work && text === null;
    await keepFile(data);
  } catch (error) {
    console.warn(error); // storage is off or full: the page works without it
    own.unkept = data.work;
  }
  if (asks) {
    const now = await inventory();
    if (JSON.stringify(now) !== JSON.stringify(data.inventory)) own.setStateValue("inventory", now);
  }
  if (fed && own.feeding !== fed) feed(fed);
}

function look(leaving, act = keepAddress) {
  try {
    act(leaving);
  } catch { /* as above */ }
}

/* A page that is left loses its choices from the address before the address of the next one comes. */
function lookBeforeLeaving() {
  const push = history.pushState;
  history.pushState = function (state, unused, url) {
    const next = new URL(url ?? "", window.location.href);
    if (next.pathname !== window.location.pathname) own.left = -LEAVING;
    else if (!next.search) {
      look(true);
      own.left = performance.now();
    }
    return push.apply(this, arguments);
  };
}

function see(files) {
  own.seen = [...own.seen, ...(files ?? [])].slice(-MOST_SEEN);
}

if (!own.listens) {
  own.listens = true;
  lookBeforeLeaving();
  addEventListener("change", ({ target }) => target.type === "file" && see(target.files), true);
  addEventListener("storage", onStorage);
  listenToTyping();
  addEventListener("drop", ({ dataTransfer }) => see(dataTransfer?.files), true);
}

export default function ({ data, setStateValue }) {
  Object.assign(own, { data, setStateValue });
  own.turn = (own.turn ?? Promise.resolve()).then(() => follow(data));
  clearInterval(own.timer);
  own.timer = setInterval(() => look(false), OFTEN);
  return () => clearInterval(own.timer);
}
