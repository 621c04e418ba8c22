// The training page: a run of `honte learn net`, followed live.

import { chart } from "./chart.js";
import { byId, el } from "./dom.js";
import { duration, onWidth, signed, whole } from "./figures.js";
import { listenToHead } from "./head.js";
import { Socket } from "./socket.js";
import { ifNew } from "./standings.js";
import { addWords, t, translate } from "./words.js";
import { training } from "./words_training.js";

addWords(training);

const EVERY = 2000; // milliseconds between polls
const SILENCE = 900; // seconds after which a run without news counts as stopped
const GAP = 16; // pixels between cards
const CARD = 34; // pixels taken by a card's own edges
const NARROW = 620; // below this width the cards are in one column
const COLOURS = ["var(--accent)", "var(--lost)", "var(--muted)"];
const PICTURES = [
  { id: "marks", keys: ["right", "right_searched", "policy_agreement"], isShare: true },
  { id: "loss", keys: ["policy_loss", "value_loss"] },
  { id: "elo", keys: ["elo"] },
];

let found = null; // the last answer of `training`
let trouble = ""; // the server's error message, if any
let lost = ""; // what to say while there is no connection
let watching = null; // whether there is a run at all; null until the server has said
let width = 0;

const socket = new Socket((up, why = "") => {
  lost = up ? "" : why || t("watch.lostFirst");
  banner();
  if (up) look();
});

let timer = 0;
let waiting = false;

async function look() {
  clearTimeout(timer);
  if (waiting || watching === false) return;
  waiting = true;
  try {
    found = await socket.request("training");
    trouble = "";
  } catch (error) {
    trouble = error.message;
  }
  waiting = false;
  draw();
  timer = setTimeout(look, document.hidden ? 5 * EVERY : EVERY);
}

document.addEventListener("visibilitychange", () => document.hidden || look());

socket.request("hello").then((answer) => {
  watching = answer.training;
  draw();
});

function banner() {
  const why = lost || (watching && trouble) || "";
  const text = `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`;
  byId("banner").textContent = text;
  byId("banner").hidden = !text;
  byId("page").classList.toggle("stale", Boolean(text));
}

function draw() {
  banner();
  byId("none").hidden = watching !== false;
  for (const id of ["run", "curves", "table-card"]) byId(id).hidden = !found;
  if (!found) return;
  ifNew(byId("run"), [found.rows.at(-1), found.quiet > SILENCE && found.quiet], () => byId("run").replaceChildren(...head()));
  byId("table-card").hidden = !found.rows.length;
  ifNew(byId("table"), found.rows, () => byId("table").replaceChildren(table()));
  if (width) ifNew(byId("curves"), [found.curves, width], () => byId("curves").replaceChildren(...pictures()));
}

function head() {
  const live = found.quiet <= SILENCE;
  const { game, size, simulations } = found.options;
  const words = [found.name, game, size, simulations && t("training.simulations", { n: simulations })];
  const last = found.rows.at(-1);
  return [
    el("p", { class: "run-head" }, el("span", { class: `pulse${live ? " live" : ""}`, "aria-hidden": "true" }),
      el("b", {}, live ? t("training.live") : t("training.quiet", { time: duration(found.quiet) })),
      el("span", {}, last ? t("training.now", { n: last.generation, time: duration(last.seconds), games: whole(last.games) }) : t("training.waiting")),
      last && el("span", {}, t("training.positions", { n: whole(last.positions) }))),
    el("p", { class: "run-words" }, words.filter(Boolean).join(" · ")),
  ];
}

function pictures() {
  const drawn = PICTURES.map((one) => ({ ...one, keys: one.keys.filter((key) => found.curves[key].length) })).filter((one) => one.keys.length);
  const wide = width > NARROW && drawn.length > 1;
  byId("curves").classList.toggle("wide", wide);
  const inner = Math.floor((wide ? (width - GAP) / 2 : width) - CARD);
  return drawn.map((one) => card(one, inner));
}

function card({ id, keys, isShare }, inner) {
  const lines = keys.map((key, place) => ({ colour: COLOURS[place], points: found.curves[key].map(([seconds, value]) => [seconds / 60, isShare ? 100 * value : value]) }));
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const minutes = lines.flatMap(({ points }) => points.map(([minute]) => minute));
  const [low, high] = isShare ? [0, 100] : [Math.min(0, ...values), Math.max(...values) * 1.05];
  const legend = keys.map((key, place) => {
    const mark = el("span", { class: "swatch" });
    mark.style.background = COLOURS[place];
    const last = found.curves[key].at(-1)[1];
    return el("li", {}, mark, `${t(`training.${key}`)} `, el("b", {}, figure(key, last)));
  });
  return el("section", { class: "card", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, t(`training.${id}`)),
    chart(inner, { x: [0, Math.max(...minutes, 0.1)], y: [low, Math.max(high, low + 0.001)], lines, xWord: t("training.minutes"), yWord: isShare ? "%" : "" }),
    el("ul", { class: "legend" }, ...legend),
    el("p", { class: "note" }, t(`training.${id}Hint`)));
}

const percent = (share) => (share === null ? "" : `${(100 * share).toFixed(1)} %`);

function figure(key, value) {
  if (key === "elo") return signed(value, 0);
  return key.endsWith("loss") ? value.toFixed(3) : percent(value);
}

const COLUMNS = [
  ["generation", (one) => whole(one.generation)],
  ["elapsed", (one) => duration(one.seconds)],
  ["games", (one) => whole(one.games)],
  ["columnLoss", (one) => (one.policy_loss === null ? "" : (one.policy_loss + one.value_loss).toFixed(3))],
  ["agreement", (one) => percent(one.policy_agreement)],
  ["right", (one) => percent(one.right)],
  ["searched", (one) => percent(one.right_searched)],
  ["score", (one) => percent(one.score)],
  ["columnElo", (one) => (one.elo === null ? "" : signed(one.elo, 0))],
];

/** The latest generations, without columns of which nothing is known. */
function table() {
  const columns = COLUMNS.filter(([, words]) => found.rows.some(words));
  return el("table", { class: "answer generations" },
    el("thead", {}, el("tr", {}, ...columns.map(([name]) => el("th", { scope: "col" }, t(`training.${name}`))))),
    el("tbody", {}, ...[...found.rows].reverse().map((one) => el("tr", {}, ...columns.map(([name, words]) =>
      el(name === "generation" ? "th" : "td", name === "generation" ? { scope: "row" } : {}, words(one)))))));
}

// -- the head of the page ----------------------------------------------------------------

function speak() {
  document.title = t("training.title");
  translate();
  draw();
}

listenToHead(speak);
onWidth(byId("page"), (now) => {
  width = now - 32; // without the page's own edges
  draw();
});
speak();
look();
