// The page: puts the parts together and wires buttons, keys and the address to them.

import { Board } from "./board.js";
import { dialog } from "./dialog.js";
import { byId, el, memory } from "./dom.js";
import { Panel } from "./panel.js";
import { Play } from "./play.js";
import { openGame, shareGame, showHelp } from "./records.js";
import { Review } from "./review.js";
import { readAddress, Session } from "./session.js";
import { askForGame } from "./setup.js";
import { Socket } from "./socket.js";
import { Thinking } from "./thinking.js";
import { openTree } from "./tree.js";
import { language, setLanguage, t, translate } from "./words.js";

const QUIET = 400; // a drop shorter than this is nobody's concern
const REVIEW_SECONDS = 0.3;
const TREE_EVERY = 1000;
const AFTER_PIECE = 50;

let hello = null;
let lost = null; // timer of the banner
let wasLost = false;
let later = null; // timer of what may be drawn after a piece

const socket = new Socket(onLine);
const play = new Play(socket);
const thinking = new Thinking(socket, play);
const board = new Board(byId("board"));
const review = new Review(byId("review"), { stream: (name, fields, onPart) => socket.stream(name, fields, onPart) });
const panel = new Panel({ play, thinking, review, show: (line) => board.showPv(line ?? []), pick: (move) => play.play(move) });

// ---- what the visitor is told ------------------------------------------------------------------

function say(words) {
  byId("live").textContent = words;
}

function banner(words, { kind = "", button = null } = {}) {
  const node = byId("banner");
  node.hidden = !words;
  node.className = `banner ${kind}`;
  node.replaceChildren(...(words ? [words] : []), ...(button ? [button] : []));
}

/** The line dropped or came back. */
function onLine(up) {
  clearTimeout(lost);
  if (up) {
    if (wasLost) {
      banner(t("online"), { kind: "good" });
      lost = setTimeout(() => banner(""), 1800);
    }
    wasLost = false;
    if (hello) socket.request("hello").then((answer) => (hello = answer), () => {});
    return;
  }
  lost = setTimeout(() => {
    wasLost = true;
    banner(t("offline"));
  }, wasLost ? 0 : QUIET);
}

function trouble({ words, again }) {
  if (!words) {
    if (byId("banner").classList.contains("bad")) banner("");
    return;
  }
  const act = () => {
    banner("");
    again?.();
  };
  banner(words, { kind: "bad", button: el("button", { onclick: act, text: t(again ? "tryAgain" : "close") }) });
}

// ---- drawing -----------------------------------------------------------------------------------

function show({ animate }) {
  const { session } = play;
  if (!session.state) return;
  board.draw(session.spec, session.state, { animate, hints: play.mayMove });
  byId("board").dataset.ply = session.at;
  byId("board").dataset.turn = session.state.over ? "over" : play.mayMove ? "person" : "engine";
  thinking.look();
  // A piece that was just clicked must not wait for the graph and the list of moves.
  clearTimeout(later);
  if (session.state.guess) later = setTimeout(showRest, AFTER_PIECE);
  else showRest();
}

function showRest() {
  const { session } = play;
  if (session.main) review.at = session.at; // the mistakes are the game's, not the variation's
  else review.show(session.at);
  drawReviewButton();
  panel.draw();
  drawThoughts();
}

function drawThoughts() {
  const { on, report } = thinking;
  const { state } = play.session;
  const shown = on && report && !state.over && !state.guess;
  board.showCandidates(shown ? report.candidates : [], { distance: report?.distance ?? 0 });
  board.showOwners(shown ? thinking.owned : []);
}

let framed = false;
thinking.addEventListener("change", () => {
  if (framed) return;
  framed = true;
  requestAnimationFrame(() => {
    framed = false;
    if (!play.session.state) return;
    panel.drawThinking();
    drawThoughts();
  });
});

let pointed = null;
board.onHover(async (move) => {
  pointed = move;
  if (!move || !thinking.on || !thinking.report) {
    board.showPv([]);
    return;
  }
  const line = await thinking.line(move);
  if (pointed === move) board.showPv(line);
});

board.onPick((move) => {
  if (move) play.play(move);
  else if (play.mayMove) say(t("illegal"));
});

play.addEventListener("show", ({ detail }) => show(detail));
play.addEventListener("say", ({ detail }) => say(detail.words));
play.addEventListener("trouble", ({ detail }) => trouble(detail));
play.addEventListener("tick", () => panel.drawClocks());
play.addEventListener("thinking", () => {
  thinking.look();
  panel.drawButtons();
});
play.addEventListener("new", () => {
  const { session } = play;
  review.names = [play.side(0), play.side(1)];
  if (session === reviewed) return;
  reviewed = session;
  const notes = { ...session.notes };
  review.clear();
  restoreReview(notes);
});

// ---- review ------------------------------------------------------------------------------------

let reviewed = null; // the session whose notes the review shows
const reviewButton = el("button", { id: "review-run", onclick: startReview });
byId("review").before(reviewButton);

/** After a reload the review is still there. */
function restoreReview(notes) {
  const plies = Object.keys(notes).map(Number);
  if (!plies.length) return;
  review.of = play.session.moves.length;
  review.toMove = play.session.states[0].to_move;
  for (const ply of plies) review.take(notes[ply], ply);
  review.redraw();
}

function drawReviewButton() {
  const { session } = play;
  reviewButton.hidden = Boolean(review.running);
  reviewButton.disabled = !session.moves.length || Boolean(session.main) || play.engineSoon;
  reviewButton.textContent = t("reviewRun");
  reviewButton.title = t("reviewHint");
}

function startReview() {
  const { session } = play;
  if (!session.moves.length || session.main) return;
  thinking.held = true; // one search at a time: the review's
  thinking.look();
  session.notes = {};
  review.start(session.position(session.moves.length), { seconds: REVIEW_SECONDS, toMove: session.states[0].to_move });
  drawReviewButton();
}

review.addEventListener("part", ({ detail }) => {
  const { session } = play;
  const part = review.parts[detail.ply];
  const { value, cost, mark, best, move, pv, proven } = part;
  session.notes[detail.ply] = { value, cost, mark, best, move, pv: (pv ?? []).slice(0, 8), proven };
  panel.drawGraph();
  panel.drawMoves();
});
review.addEventListener("end", () => {
  thinking.held = false;
  play.session.save();
  drawReviewButton();
  thinking.look();
});
review.addEventListener("jump", async ({ detail }) => {
  await play.backToGame(); // the mistakes are the game's, not the variation's
  play.step(detail.ply);
});

// ---- buttons -----------------------------------------------------------------------------------

async function begin(session) {
  try {
    await play.begin(session);
    return true;
  } catch (error) {
    trouble({ words: t("badLink", { why: error.message }) });
    return false;
  }
}

async function newGame() {
  if (document.querySelector("dialog")) return;
  const wanted = await askForGame({ hello, socket });
  if (!wanted) return;
  banner("");
  await begin(new Session(wanted));
  board.focus();
}

function open() {
  const games = hello?.games?.map(({ name }) => name) ?? [];
  openGame({
    socket, games, spec: play.session.spec,
    onOpen: ({ game, start, moves, players, comments }) => {
      const names = players?.some(Boolean) ? players : null;
      begin(new Session({ spec: game, start: start || null, moves, names, comments: comments ?? {}, at: 0 }));
    },
  });
}

function showTree() {
  const place = el("div", { class: "tree-place" });
  const box = dialog("tree", place, { wide: true, onclose: () => clearInterval(timer) });
  box.showModal();
  const tree = openTree(place, {
    fetch: (path) => socket.request("tree", { path }),
    toMove: play.session.state.to_move,
  });
  const timer = setInterval(() => thinking.stream && tree.refresh?.(), TREE_EVERY);
}

function resign() {
  const body = el("div", { class: "dialog-actions" },
    el("button", { text: t("cancel"), onclick: () => box.close() }),
    el("button", { id: "resign-sure", class: "primary", text: t("resign"), onclick: () => { box.close(); play.resign(); } }));
  const box = dialog("resignSure", body);
  box.showModal();
}

const step = (by) => play.step(play.session.at + by);
const actions = {
  new: newGame, open, share: () => shareGame({ socket, session: play.session }), help: showHelp,
  undo: () => play.undo(), redo: () => play.redo(), pass: () => play.pass(), resign, pause: () => play.pause(), "move-now": () => play.moveNow(),
  "main-line": () => play.backToGame(), "keep-line": () => play.keepVariation(),
  "to-start": () => play.step(0), back: () => step(-1), forth: () => step(1), "to-end": () => play.step(Infinity),
  analysis: () => thinking.toggle(), territory: () => thinking.toggleTerritory(), tree: showTree, language: switchLanguage, theme: switchTheme,
};
for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
byId("ply").addEventListener("input", (event) => play.step(Number(event.target.value)));
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.focus();
});

// ---- keys --------------------------------------------------------------------------------------

const keys = {
  u: actions.undo, r: actions.redo, p: actions.pass, n: newGame, "?": showHelp, b: () => board.focus(),
  ",": () => step(-1), ".": () => step(1), "[": () => review.previous(), "]": () => review.next(),
  ArrowLeft: () => step(-1), ArrowRight: () => step(1),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog")) return;
  if (event.target.matches?.("input, textarea, select, [role=slider]")) return;
  const { session } = play;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // In Connect Four a…g are columns 10…16 where the board has them; elsewhere "a" is analysis.
  const columns = session.kind === "connect4" ? "123456789abcdefg".slice(0, session.state?.cols) : "";
  if (columns.includes(key) && key.length === 1) play.play(key);
  else if (key === "a" || key === "i") thinking.toggle();
  else if (keys[key]) keys[key]();
  else return;
  event.preventDefault();
});

// ---- language, theme, address ------------------------------------------------------------------

function speak() {
  document.title = t("title");
  translate();
  byId("language").lang = language() === "zh" ? "en" : "zh-Hans";
  review.names = play.session.state ? [play.side(0), play.side(1)] : null;
  review.redraw();
  show({ animate: false });
}

function switchLanguage() {
  setLanguage(language() === "zh" ? "en" : "zh");
  speak();
}

function dress(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function switchTheme() {
  const dark = getComputedStyle(document.documentElement).getPropertyValue("color-scheme").trim() === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = dark ? "light" : "dark";
  memory.set("theme", theme);
  dress(theme);
}

addEventListener("hashchange", () => {
  const asked = readAddress(location.hash);
  if (asked && location.hash !== play.session.address()) begin(new Session(asked));
});
addEventListener("pagehide", () => {
  play.keepClock();
  if (play.session.state) play.session.save();
});
document.addEventListener("visibilitychange", () => thinking.look());

dress(memory.get("theme"));
speak();
const greeting = socket.request("hello").then((answer) => {
  hello = answer;
  byId("watch").hidden = !answer.watching;
});

/** The game of somebody who comes for the first time. */
async function firstGame() {
  await greeting;
  const opponent = hello.levels?.connect4?.length ? "level:30" : "best";
  return new Session({ spec: "connect4", players: ["person", opponent], seconds: 1 });
}

// A game that is already known is not kept waiting for the greeting.
const known = Session.restore();
if (!known || !(await begin(known))) await begin(await firstGame());
document.documentElement.dataset.ready = "yes";
