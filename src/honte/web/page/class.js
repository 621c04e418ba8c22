// A class: sign in, see the table and your own games; the teacher starts rounds and exports.

import { byId, el } from "./dom.js";
import { duration } from "./figures.js";
import { listenToHead } from "./head.js";
import { Replay } from "./replay.js";
import { Socket } from "./socket.js";
import { drawRatings, ifNew } from "./standings.js";
import { inWords, language, t, translate } from "./words.js";
import { serverWords } from "./words_errors.js";
import "./words_class.js";
import "./words_table.js";

const EVERY = 2000; // milliseconds between polls
let socket = null;
let found = null; // the last answer of `class`
let timer = 0;
let ownCode = null; // {key, name, code}: shown until the user leaves the page
let began = null; // the first poll of this round, for the estimate of the time left
let replay = null;

// -- signing in ---------------------------------------------------------------------------

async function post(path, fields) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(serverWords(told.error));
  return told;
}

async function enter(code, name) {
  byId("said").textContent = "";
  try {
    const told = await post("/class/sign-in", { code, name });
    const isNew = told.code !== code.toUpperCase().trim() && !told.teaches;
    ownCode = isNew ? { key: "class.ownCode", name: told.name, code: told.code } : null;
    connect();
  } catch (error) {
    byId("said").textContent = error.message;
    showSignIn();
  }
}

function showSignIn() {
  byId("sign-in").hidden = false;
  byId("signed-in").hidden = true;
  document.documentElement.dataset.ready = "";
}

byId("sign-in-form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(byId("code").value, byId("name").value);
});

byId("sign-out").addEventListener("click", async () => {
  await post("/class/sign-out", {});
  location.reload();
});

/** Ask the server who is signed in: nobody gets the sign-in form, anybody else a socket. */
async function connect() {
  const { name } = await (await fetch("/class/me")).json();
  if (!name) return showSignIn();
  socket = new Socket((up, why) => {
    byId("banner").hidden = up;
    byId("banner").textContent = up ? "" : why || t("offline");
    if (up) look();
  });
  replay = new Replay(byId("replay"), socket);
}

async function look() {
  clearTimeout(timer);
  try {
    found = await socket.request("class");
    byId("sign-in").hidden = true;
    byId("signed-in").hidden = false;
    draw();
    document.documentElement.dataset.ready = "";
  } catch (error) {
    byId("told").textContent = error.message;
  }
  timer = setTimeout(look, EVERY);
}

// -- actions of the teacher ----------------------------------------------------------------

async function act(action, fields = {}) {
  byId("told").textContent = "";
  try {
    const told = await socket.request("class_act", { action, ...fields });
    await look();
    return told;
  } catch (error) {
    byId("told").textContent = error.message;
    return null;
  }
}

byId("controls").addEventListener("submit", (event) => {
  event.preventDefault();
  const seconds = Number(byId("seconds").value);
  act("round", { games: Number(byId("games").value), ...(seconds > 0 ? { seconds } : {}) });
});
byId("stop").addEventListener("click", () => act("stop"));
byId("freeze").addEventListener("click", () => act(found.frozen ? "unfreeze" : "freeze"));

// -- drawing ---------------------------------------------------------------------------------

function draw() {
  document.title = t("class.title", { name: found.class });
  byId("class-name").textContent = found.class;
  for (const [id, shown] of [["to-bots", !found.teaches], ["to-board", true], ["to-watch", found.teaches], ["to-projector", found.teaches], ["sign-out", true]]) byId(id).hidden = !shown;
  byId("own-code").hidden = !ownCode;
  if (ownCode) byId("own-code").replaceChildren(t(ownCode.key, { name: ownCode.name }), " ", el("strong", {}, ownCode.code), " ", el("span", { class: "note" }, t("class.keepCode")));
  drawRound();
  drawTable();
  byId("controls").hidden = byId("exports").hidden = byId("students-card").hidden = !found.teaches;
  byId("games-card").hidden = found.teaches;
  if (found.teaches) drawStudents();
  else drawGames();
}

function drawRound() {
  const { round, progress, playing } = found;
  byId("start").disabled = playing;
  byId("stop").disabled = !round || Boolean(round.ended); // one that broke off can be stopped too
  byId("freeze").textContent = t(found.frozen ? "class.unfreeze" : "class.freeze");
  if (!byId("seconds").value) byId("seconds").value = found.seconds;
  byId("round-title").textContent = round ? t("class.roundN", { n: round.number }) : t("class.round");
  const state = !round ? t("class.noRound")
    : playing ? t("class.playing")
    : round.ended ? t("class.ended", { words: inWords(round.words) }) : t("class.broken");
  if (!playing || !began || began.round !== round.number || progress.done < began.done) began = playing ? { round: round.number, done: progress.done, at: Date.now() } : null;
  const rate = began ? (progress.done - began.done) / (Date.now() - began.at) : 0;
  const left = rate > 0 ? t("class.left", { time: duration((progress.total - progress.done) / rate / 1000) }) : "";
  ifNew(byId("round-state"), [state, progress, left, found.frozen, found.error, round?.seconds], () => {
    byId("round-state").replaceChildren(
      el("p", { class: "run-head" }, el("span", { class: playing ? "pulse live" : "pulse" }), el("b", {}, state),
        el("span", {}, round ? t("class.progress", progress) : ""), el("span", { class: "note" }, left),
        el("span", { class: "note" }, t("class.rules", { game: found.game, s: round?.seconds ?? found.seconds }))),
      ...(round && progress.total ? [el("progress", { max: progress.total, value: progress.done, "aria-label": t("class.progress", progress) })] : []),
      ...(found.frozen ? [el("p", { class: "note" }, t("class.frozenNote"))] : []),
      ...(found.error ? [el("p", { class: "bad" }, serverWords(found.error))] : []));
  });
}

function drawTable() {
  if (!found.rows.length) return byId("table").replaceChildren(el("p", { class: "note" }, t("class.empty")));
  drawRatings(byId("table"), found.rows.map((row) => ({ ...row, player: row.name })), null);
  const own = found.rows.find((row) => row.you);
  if (own?.last_fault && !byId("table").querySelector(".own-fault")) {
    byId("table").append(el("p", { class: "own-fault bad" }, t("class.yourFault", { words: own.retired || own.last_fault })));
  }
}

function drawStudents() {
  ifNew(byId("joining"), [found.join, found.open, found.waiting], () => {
    byId("joining").replaceChildren(
      ...(found.open ? [t("class.joinCode"), " ", el("strong", {}, found.join)] : [t("class.closed")]), " ",
      el("button", { type: "button", class: "quiet", onclick: () => act(found.open ? "shut" : "open") }, t(found.open ? "class.shut" : "class.open")),
      found.waiting ? el("span", { class: "note" }, ` ${t("class.waiting", { n: found.waiting })}`) : "");
  });
  ifNew(byId("students"), found.students, () => {
    const rows = found.students.map((one) => {
      const state = !one.versions ? t("class.none") : !one.checked ? t("class.unchecked") : one.faults.length ? one.faults.map(inWords).join(", ") : t("class.fine");
      return el("tr", {}, el("th", { scope: "row" }, one.name), el("td", { class: "number" }, String(one.versions)),
        el("td", { class: one.faults.length ? "bad" : "" }, state),
        el("td", { class: "number" }, one.elo === null ? "" : `${one.elo} ± ${one.error}`),
        el("td", { class: "acts" },
          el("button", { type: "button", class: "quiet", onclick: () => giveCode(one) }, t("class.giveCode")),
          el("button", { type: "button", class: "quiet", onclick: () => confirm(t("class.removeSure", { name: one.name })) && act("remove", { student: one.id }) }, t("class.remove"))));
    });
    const heads = ["class.student", "class.versions", "class.check", "class.rating"].map((key, i) => el("th", { scope: "col", class: i % 2 ? "number" : "" }, t(key)));
    byId("students").replaceChildren(el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ...heads, el("td"))), el("tbody", {}, ...rows)));
  });
}

async function giveCode(student) {
  const told = await act("code", { student: student.id });
  if (!told) return;
  ownCode = { key: "class.newCode", name: student.name, code: told.code };
  draw();
}

function drawGames() {
  const { games } = found;
  if (!games.length) return byId("games-list").replaceChildren(el("p", { class: "note" }, t("class.noGames")));
  ifNew(byId("games-list"), games, () => {
    const rows = games.map((one) => {
      const result = t(one.result > 0 ? "class.won" : one.result < 0 ? "class.lost" : "class.drawn");
      const why = [inWords(one.reason), one.detail].filter(Boolean).join(": ");
      return el("tr", {}, el("td", {}, one.bot), el("td", {}, one.opponent), el("td", {}, t(one.first ? "class.first" : "class.second")),
        el("td", {}, el("button", { type: "button", class: "result", "data-game": one.id, onclick: () => openGame(one) }, result), ` (${why})`));
    });
    const heads = ["class.bot", "class.opponent", "class.side", "class.result"].map((key) => el("th", { scope: "col" }, t(key)));
    byId("games-list").replaceChildren(el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
  });
}

function openGame(one) {
  byId("replay-card").hidden = false;
  byId("replay-card").parentElement.classList.add("open");
  replay.open(one.id, one.first ? one.result : -one.result).then(() => {
    if (matchMedia("(max-width: 60rem)").matches) byId("replay-card").scrollIntoView({ block: "start" });
  });
}

// -- the head of the page --------------------------------------------------------------------

function speak() {
  translate();
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  replay?.redraw();
  if (found) draw();
}

listenToHead(speak);
speak();
const brought = /^#code=([\w-]+)$/.exec(location.hash);
if (brought) {
  history.replaceState(null, "", location.pathname); // do not leave the code in the address bar
  enter(brought[1], "");
} else {
  connect();
}
