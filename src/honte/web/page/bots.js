// Your bot: upload it, watch it being compiled, checked and laddered; compare its versions.

import { writeAddress } from "./address.js";
import { Comparison } from "./comparison.js";
import { byId, el, svg } from "./dom.js";
import { listenToHead } from "./head.js";
import { Socket } from "./socket.js";
import { ifNew } from "./standings.js";
import { language, t, translate } from "./words.js";
import { serverWords } from "./words_errors.js";
import "./words_bots.js";

const QUICK = 400; // milliseconds between polls while a bot is being tried
const SLOW = 4000;
const WANTED = /\.(cpp|cc|cxx|c|h|hpp|hh|hxx|inc|inl|py|zip)$/i;
const HIDDEN = /(^|\/)(\.|__MACOSX)/;
const MOST_FILES = 300;

let found = null; // the last answer of `bots`
let said = "";
let timer = 0;

const socket = new Socket((up, why) => {
  byId("banner").hidden = up;
  byId("banner").textContent = up ? "" : why || t("offline");
  if (up) look();
});

const comparison = new Comparison({ socket, look, say });

async function look() {
  clearTimeout(timer);
  try {
    found = await socket.request("bots");
    draw();
    document.documentElement.dataset.ready = "";
  } catch (error) {
    say(error.message);
  }
  timer = setTimeout(look, found?.running ? QUICK : SLOW);
}

function say(words) {
  said = words;
  byId("said").textContent = words;
}

// -- uploading -----------------------------------------------------------------------------

/** The dropped files with their paths, including those in folders: sources, and up to a bound others. */
async function dropped(items) {
  const sources = [];
  const others = [];
  const walk = async (entry, path) => {
    if (HIDDEN.test(entry.name) || sources.length > MOST_FILES) return;
    if (entry.isFile) {
      const files = WANTED.test(entry.name) ? sources : others;
      if (files.length > MOST_FILES) return;
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      files.push([path + entry.name, file]);
    } else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (!some.length) break;
        for (const one of some) await walk(one, `${path}${entry.name}/`);
      }
    }
  };
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry, "");
  return [...sources, ...others];
}

const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function send(pairs) {
  const shown = pairs.filter(([name]) => !HIDDEN.test(name));
  const sources = shown.filter(([name]) => WANTED.test(name));
  const wanted = sources.length ? sources : shown; // without sources it may be a program
  if (!wanted.length) return say(t("bots.empty"));
  say(t("bots.sending", { n: wanted.length }));
  const files = [];
  for (const [name, file] of wanted) files.push({ name, data: await base64(file) });
  handIn({ files });
}

async function handIn(what) {
  try {
    const answer = await fetch("/upload", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...what, lang: language() }),
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(serverWords(told.error));
    say("");
    look();
  } catch (error) {
    say(error.message);
  }
}

const drop = byId("drop");
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  send(await dropped(event.dataTransfer.items));
});
byId("choose").addEventListener("click", () => byId("files").click());
byId("choose-folder").addEventListener("click", () => byId("folder").click());
for (const id of ["files", "folder"]) {
  byId(id).addEventListener("change", (event) => {
    send([...event.target.files].map((file) => [file.webkitRelativePath || file.name, file]));
    event.target.value = "";
  });
}

byId("command").addEventListener("submit", (event) => {
  event.preventDefault();
  const command = byId("command-line").value.trim();
  if (command) handIn({ command });
});

// -- results ---------------------------------------------------------------------------------

function draw() {
  if (found.refused) say(serverWords(found.refused));
  byId("command").hidden = !found.commands;
  byId("choose").disabled = byId("choose-folder").disabled = Boolean(found.refused);
  const of = (kind) => found.events.filter((event) => event.event === kind);
  const [build] = of("build");
  const [checked] = of("checked");
  const [refused] = of("refused");
  const done = of("end").find((event) => event.ok);
  const games = of("game");
  const trying = found.running && found.job === "trial";
  byId("trial").hidden = !found.number;
  byId("waiting").textContent = found.before === null || found.before === undefined ? "" : t("bots.before", { n: found.before });
  byId("to-class").hidden = !found.class;
  byId("trial-title").textContent = build ? t("bots.trial", { n: build.version }) : t("bots.trialNew");
  const step = (key, good, bad, now) =>
    el("li", { class: bad ? "bad" : good ? "good" : now ? "now" : "" }, t(key));
  byId("steps").replaceChildren(
    step("bots.compile", build?.ok, refused || (build && !build.ok), trying && !build),
    step("bots.check", checked && !checked.faults.length, checked?.faults.length, build?.ok && !checked),
    step("bots.ladder", done, false, checked && !checked.faults.length && trying && !done),
  );
  byId("errors").replaceChildren(
    ...(refused ? [note("error", "", serverWords(refused.words), "")] : []),
    ...(build?.diagnostics ?? []).map((one) => {
      const where = one.file ? `${one.file}${one.line ? `:${one.line}` : ""}` : "";
      return note(one.kind, `${where} ${t(`bots.${one.kind}`)}`.trim(), one.text, one.advice);
    }),
  );
  const told = of("finding").filter((one) => one.kind !== "ok");
  byId("findings").replaceChildren(...told.map((one) => note(one.kind, one.name, one.seen, one.fix, one.picture)));
  const last = done ?? games.at(-1);
  byId("rating").textContent = !last ? ""
    : t(done ? "bots.ratingDone" : "bots.rating", { elo: last.elo, error: last.error, n: last.games, of: games[0]?.planned });
  drawLinks(build, checked);
  ifNew(byId("ladder"), games, () => drawLadder(games));
  ifNew(byId("versions"), [found.versions, found.running], drawVersions);
  comparison.draw(found);
}

function note(kind, name, text, fix, picture = "") {
  return el("div", { class: `finding ${kind}` },
    name ? el("strong", {}, `${name}: `) : null, text,
    fix ? el("p", { class: "fix" }, `→ ${fix}`) : null,
    picture ? el("pre", {}, picture) : null);
}

const board = (parts) => `/${writeAddress(parts)}`;

function drawLinks(build, checked) {
  const mine = found.versions.find((one) => one.number === build?.version);
  const play = mine && checked && !checked.faults.length
    ? el("a", { class: "button primary", id: "play-it", href: board({ game: build.game || found.board, players: `person,${mine.name}` }) }, t("bots.play"))
    : null;
  const again = (build && !build.ok) || checked?.faults.length ? el("span", {}, t("bots.again")) : null;
  byId("links").replaceChildren(...[play, again].filter(Boolean));
}

function drawLadder(games) {
  if (!games.length) return byId("ladder").replaceChildren();
  const levels = new Map();
  for (const game of games) {
    const row = levels.get(game.level) ?? {};
    row[game.first ? "first" : "second"] = game;
    levels.set(game.level, row);
  }
  const lost = (game) => game.result < 0 && !game.detail; // lost on the board, not by a fault
  const cell = (game) => {
    if (!game) return el("td");
    const result = t(game.result > 0 ? "bots.won" : game.result < 0 ? "bots.lost" : "bots.drawn");
    const why = game.detail ? ` (${game.detail})` : "";
    const review = lost(game) ? (game.first ? 0 : 1) : null;
    const link = board({ game: game.game, moves: game.moves.join(","), review });
    return el("td", {}, el("a", { href: link, title: t(lost(game) ? "bots.seeLoss" : "bots.see", { result }) }, result + why));
  };
  const rows = [...levels].sort(([a], [b]) => a - b).map(([level, row]) =>
    el("tr", {}, el("th", { scope: "row" }, t("levelN", { n: level })), cell(row.first), cell(row.second)));
  byId("ladder").replaceChildren(el("table", {},
    el("thead", {}, el("tr", {}, ...["bots.level", "bots.asFirst", "bots.asSecond"].map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", {}, ...rows)),
    games.some(lost) ? el("p", { class: "faint" }, t("bots.losses")) : "");
}

function drawVersions() {
  const place = byId("versions");
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  byId("versions-card").hidden = !found.versions.length;
  const when = (seconds) => new Date(1000 * seconds).toLocaleString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "short", timeStyle: "short" });
  const rows = found.versions.map((one, i) => el("tr", {},
    el("th", { scope: "row" }, one.name), el("td", { class: "when" }, when(one.time)),
    el("td", { class: "faults", "data-label": t("bots.faults") }, one.faults.length ? one.faults.join(", ") : t("bots.noFaults")),
    el("td", { class: "number rated" }, one.elo === null ? t("bots.unrated") : `${one.elo} ± ${one.error}`),
    el("td", { class: "number ask" }, comparison.button(one, found.versions[i - 1], found)))).reverse();
  const heads = [["bots.version", ""], ["bots.when", "when"], ["bots.faults", ""], ["bots.elo", "number"]];
  place.replaceChildren(
    el("table", {},
      el("thead", {}, el("tr", {}, ...heads.map(([key, kind]) => el("th", { scope: "col", class: kind }, t(key))), el("td", {}))),
      el("tbody", {}, ...rows)),
    ...comparison.choice(found));
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  drawCurve(found.versions.filter((one) => one.elo !== null));
}

function drawCurve(rated) {
  if (rated.length < 2) return byId("curve").replaceChildren();
  const low = Math.min(...rated.map((one) => one.elo - one.error));
  const high = Math.max(...rated.map((one) => one.elo + one.error));
  const x = (i) => 40 + (540 * i) / (rated.length - 1);
  const y = (elo) => 10 + (120 * (high - elo)) / Math.max(1, high - low);
  const line = (pick) => rated.map((one, i) => `${x(i)},${y(pick(one))}`);
  const band = [...line((one) => one.elo + one.error), ...line((one) => one.elo - one.error).reverse()];
  byId("curve").replaceChildren(svg("svg", { class: "curve", viewBox: "0 0 600 160", role: "img", "aria-label": t("bots.curve") },
    svg("polygon", { class: "band", points: band.join(" ") }),
    svg("polyline", { class: "line", points: line((one) => one.elo).join(" ") }),
    ...rated.map((one, i) => svg("circle", { class: "dot", cx: x(i), cy: y(one.elo), r: 4 })),
    ...rated.map((one, i) => svg("text", { x: x(i), y: 155, "text-anchor": "middle", text: `v${one.number}` })),
    svg("text", { x: 4, y: y(high) + 4, text: String(Math.round(high)) }),
    svg("text", { x: 4, y: y(low) + 4, text: String(Math.round(low)) })));
}

// -- the head of the page --------------------------------------------------------------------

function speak() {
  document.title = t("bots.title");
  translate();
  byId("said").textContent = said;
  if (found) draw();
}

listenToHead(speak);
speak();
look();
