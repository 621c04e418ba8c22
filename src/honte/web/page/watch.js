// The tournament page: a store of games, of a tournament or a study, followed live.

import { el, byId } from "./dom.js";
import { arrange, duration, signed, whole } from "./figures.js";
import { listenToHead } from "./head.js";
import { Replay, resultText } from "./replay.js";
import { Socket } from "./socket.js";
import { drawCross, drawRatings, drawSprt, ifNew } from "./standings.js";
import { drawStudy, shortName } from "./study.js";
import { inWords, language, t, translate } from "./words.js";

const EVERY = 2000; // milliseconds between polls of the store
const PATIENCE = 6000; // after this long without an answer, the server counts as lost
const SILENCE = 180_000; // after this long without a new game, nothing is being played

let found = null; // the last answer of `store`
let seenAt = 0;
let trouble = ""; // the server's error message, if any
let up = true;
let refused = ""; // the server's reason to close the connection, if it gave one
let first = null; // {done, at}: for the estimate of the time left
let moved = { done: -1, at: 0 }; // when the last game was seen to end
let chosen = "";
let byItself = false; // whether the game in the replay was opened automatically
const rows = new Map();

const socket = new Socket((state, why = "") => {
  up = state;
  refused = why;
  banner();
  if (state) look();
});
const replay = new Replay(byId("replay-body"), socket);
replay.onOpen = (id) => {
  const hash = id && !byItself ? `#game=${id}` : "";
  if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname + location.search);
  for (const [other, row] of rows) row.classList.toggle("open", other === id);
};

// -- following the store -----------------------------------------------------------------

let waiting = false;
let timer = 0;

async function look() {
  clearTimeout(timer);
  if (waiting) return;
  waiting = true;
  const late = setTimeout(() => {
    up = false;
    banner();
  }, PATIENCE);
  try {
    const answer = await socket.request("store");
    found = answer;
    seenAt = Date.now();
    trouble = "";
    up = true;
    draw();
  } catch (error) {
    trouble = error.message;
    up = true;
    draw();
  }
  clearTimeout(late);
  waiting = false;
  timer = setTimeout(look, document.hidden ? 5 * EVERY : EVERY);
}

document.addEventListener("visibilitychange", () => document.hidden || look());

const clock = (when) => new Date(when).toLocaleTimeString(language() === "zh" ? "zh-CN" : "en-GB");

/** Show what is wrong, and the age of the figures on the page. */
function banner() {
  const stale = found ? ` ${t("watch.stale", { time: clock(seenAt) })}` : "";
  const why = up ? watching && trouble : refused;
  const lost = up ? "" : found ? t("watch.lost", { time: clock(seenAt) }) : t("watch.lostFirst");
  const text = why ? `${why[0].toUpperCase()}${why.slice(1)}.${stale}` : lost;
  const place = byId("banner");
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
  byId("page").classList.toggle("stale", Boolean(text));
}

/** Whether there is a store at all: `hello` says so once and for all; null until then. */
let watching = null;
socket.request("hello").then((answer) => answer.watching !== false, () => true).then((answer) => {
  watching = answer;
  draw();
});

// -- drawing -----------------------------------------------------------------------------

function draw() {
  banner();
  byId("none").hidden = watching !== false;
  byId("run").hidden = !found || watching === false;
  const study = found?.study;
  const rated = Boolean(found?.players?.length);
  byId("standing").hidden = !((rated || study) && watching !== false);
  if (!found || watching === false) return;
  drawRun();
  if (!rated && !study) return;
  byId("study").hidden = !study;
  for (const id of ["ratings-card", "cross-card", "filter-label"]) byId(id).hidden = !rated;
  if (study) drawStudy(byId("study"), study);
  if (rated) drawTables();
  drawGames();
  // If there is room, open the last game at once.
  if (!replay.id && found.games?.length && matchMedia("(min-width: 60.01rem)").matches) {
    byItself = true;
    replay.open(found.games[0].id, found.games[0].result);
  }
}

function drawTables() {
  const extra = Number.isFinite(found.first_mover_elo)
    ? { elo: signed(found.first_mover_elo, 0), error: Math.round(found.first_mover_elo_error) } : null;
  drawRatings(byId("ratings"), found.players, extra);
  drawCross(byId("cross"), found.players, found.crosstable);
  const { sprt } = found;
  byId("sprt-card").hidden = !sprt?.curve?.length;
  if (sprt?.curve?.length) drawSprt(byId("sprt"), sprt);
}

const newestFirst = (runs) => [...runs].sort((a, b) => b.id - a.id);

function runWords(run) {
  const what = run.command ?? {};
  const kind = ["match", "tune"].includes(what.command) ? what.command : "tournament";
  const words = [t(`watch.${kind}`)];
  if (what.system) words.push(kind === "tune" ? what.system : t(`watch.${what.system.replace(/ /g, "")}`));
  if (what.players) words.push(what.players.length > 2 ? t("watch.players", { n: what.players.length }) : what.players.join(" – "));
  if (what.rounds) words.push(t("watch.rounds", { n: what.rounds }));
  if (what.game) words.push(what.game);
  if (run.started) words.push(t("watch.since", { time: new Date(run.started * 1000).toLocaleString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "short", timeStyle: "short" }) }));
  if (run.stopped) words.push(inWords(run.stopped));
  return words.filter(Boolean).join(" · ");
}

function drawRun() {
  const { done = 0, total = 0, runs = [] } = found;
  const [latest, ...older] = newestFirst(runs);
  const now = Date.now();
  if (!first || done < first.done) first = { done, at: now };
  if (moved.done !== done) moved = { done, at: now };
  // A killed run never records that it ended. The server knows whether a process holds the store; if
  // it cannot tell, a long silence means that nothing is running.
  const running = found.writing ?? now - moved.at < SILENCE;
  const live = Boolean(latest && !latest.ended && done < (total || Infinity) && running);
  const rate = (done - first.done) / Math.max(1, now - first.at);
  const left = live && total && rate > 0 && now - first.at > 3000 ? t("watch.left", { time: duration((total - done) / rate / 1000) }) : "";
  const count = total ? t("watch.progress", { done: whole(done), total: whole(total) }) : t("watch.games", { n: whole(done) });
  ifNew(byId("run"), [found.runs, done, total, left, live], () => {
    byId("run").replaceChildren(
      el("p", { class: "run-head" }, el("span", { class: live ? "pulse live" : "pulse" }), el("b", {}, t(live ? "watch.live" : "watch.quiet")), el("span", {}, count), el("span", { class: "note" }, left)),
      ...(total ? [el("progress", { max: total, value: Math.min(done, total), "aria-label": count })] : []),
      el("p", { class: "note run-words" }, latest ? runWords(latest) : ""),
      ...(older.length ? [el("details", {}, el("summary", {}, `${t("watch.runs")} (${runs.length})`), el("ul", {}, ...older.map((run) => el("li", {}, runWords(run)))))] : []),
      ...(done ? [] : [el("p", {}, t("watch.empty"))]),
    );
  });
}

function drawGames() {
  const names = [...new Set((found.players ?? []).map((one) => one.player))];
  ifNew(byId("filter"), names, () => {
    byId("filter").replaceChildren(el("option", { value: "" }, t("watch.all")), ...names.map((name) => el("option", { value: name }, name)));
    byId("filter").value = chosen;
  });
  const games = found.games ?? [];
  const list = chosen ? games.filter((game) => game.players.includes(chosen)) : games;
  byId("games-count").textContent = t("watch.shown", { n: list.length });
  const place = byId("games");
  if (!list.length) {
    rows.clear();
    place.replaceChildren(el("p", { class: "note" }, t("watch.noGames", { n: games.length })));
    return;
  }
  if (!place.querySelector("ul")) place.replaceChildren(el("ul", { class: "games" }));
  for (const game of list) {
    if (!rows.has(game.id)) rows.set(game.id, gameRow(game));
    rows.get(game.id).classList.toggle("open", replay.id === game.id);
  }
  const ids = new Set(list.map((game) => game.id));
  for (const id of [...rows.keys()]) if (!ids.has(id)) rows.delete(id);
  arrange(place.firstChild, list.map((game) => rows.get(game.id)));
}

function gameRow(game) {
  const [one, two] = game.players.map((spec) => shortName(spec, found.study));
  const side = (name, won) => el("span", { class: won ? "side won" : "side" }, name);
  return el("li", {},
    el("button", { type: "button", "data-game": game.id, title: [game.game, ...(found.study ? game.players : [])].join("\n"), onclick: () => openGame(game.id) },
      side(one, game.result > 0), el("span", { class: "result" }, resultText(game.result)), side(two, game.result < 0),
      el("span", { class: "about" }, `${inWords(game.reason)} · ${t("watch.plies", { n: game.plies })}`)));
}

function openGame(id) {
  byItself = false;
  replay.open(id, found.games.find((game) => game.id === id)?.result).then(() => {
    if (matchMedia("(max-width: 60rem)").matches) byId("replay").scrollIntoView({ block: "start" });
  });
}

// -- the head of the page ----------------------------------------------------------------

function speak() {
  document.title = t("watch.title");
  translate();
  rows.clear();
  byId("games").replaceChildren();
  replay.redraw();
  draw();
}

byId("filter").addEventListener("change", (event) => {
  chosen = event.target.value;
  drawGames();
});
listenToHead(speak);
const asked = /^#game=([0-9a-f]+)$/.exec(location.hash);
speak();
if (asked) replay.open(asked[1]);
look();
