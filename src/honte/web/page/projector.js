// A class on the projector: the table, and a replay of the most interesting recent game.

import { byId, el } from "./dom.js";
import { listenToHead } from "./head.js";
import { Replay } from "./replay.js";
import { Socket } from "./socket.js";
import { drawRatings } from "./standings.js";
import { t, translate } from "./words.js";
import "./words_class.js";
import "./words_table.js";

const EVERY = 2000;
const MOVE = 700; // milliseconds per move
const HOLD = 4000; // milliseconds that the final position stays
const MOST_ROWS = 24;

let found = null;
let timer = 0;
let playing = false;
const shown = []; // ids, in the order in which they were shown

const socket = new Socket((up, why) => {
  byId("banner").hidden = up;
  byId("banner").textContent = up ? "" : why || t("offline");
  if (up) look();
});
const replay = new Replay(byId("replay"), socket);
byId("replay").replaceChildren();

async function look() {
  clearTimeout(timer);
  try {
    found = await socket.request("class");
    draw();
    if (!playing) next();
    document.documentElement.dataset.ready = "";
  } catch (error) {
    byId("why").textContent = error.message;
  }
  timer = setTimeout(look, EVERY);
}

function draw() {
  document.title = t("class.title", { name: found.class });
  byId("class-name").textContent = found.class;
  const { round, progress } = found;
  byId("state").textContent = round ? `${t("class.roundN", { n: round.number })} · ${t("class.progress", progress)}` : t("class.noRound");
  if (!found.teaches) {
    byId("why").textContent = t("class.teacherOnly");
    return;
  }
  if (!found.rows.length) return byId("table").replaceChildren(el("p", { class: "note" }, t("class.empty")));
  drawRatings(byId("table"), found.rows.slice(0, MOST_ROWS).map((row) => ({ ...row, player: row.name })), null);
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Replay the most interesting game that was not shown recently. */
async function next() {
  const games = found.highlights ?? [];
  const game = games.find((one) => !shown.includes(one.id)) ?? games.find((one) => one.id !== shown.at(-1));
  if (!game) {
    if (!shown.length && found.teaches) byId("why").textContent = t("class.nothingNow");
    return;
  }
  playing = true;
  shown.push(game.id);
  if (shown.length > 50) shown.shift();
  const names = game.players.map((name) => name.replace(/-v\d+$/, ""));
  const elos = game.elo.map((elo) => String(Math.round(elo)).replace("-", "−"));
  // The winner first, so that an upset is recognised as one.
  const order = game.result < 0 ? [1, 0] : [0, 1];
  byId("why").textContent = t(`class.${game.kind}`, { a: names[order[0]], x: elos[order[0]], b: names[order[1]], y: elos[order[1]] });
  await replay.open(game.id, game.result);
  if (replay.game) {
    for (let ply = 0; ply <= replay.last; ply++) {
      replay.go(ply);
      await pause(MOVE);
    }
    await pause(HOLD);
  }
  playing = false;
}

function speak() {
  translate();
  if (found) draw();
}

listenToHead(speak);
speak();
