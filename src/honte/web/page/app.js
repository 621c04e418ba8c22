// The page: assembles the parts and wires buttons, keys and the address to them.

import { readAddress } from "./address.js";
import { Annotate } from "./annotate.js";
import { Board } from "./board.js";
import { dialog, dialogOpen } from "./dialog.js";
import { byId, el, memory } from "./dom.js";
import { Exercise } from "./exercise.js";
import { Hint } from "./hint.js";
import { History, stored, title } from "./history.js";
import { Panel } from "./panel.js";
import { Play } from "./play.js";
import { openGame, shareGame } from "./records.js";
import { Review } from "./review.js";
import { Session } from "./session.js";
import { Scoring } from "./scoring.js";
import { askForGame } from "./setup.js";
import { Socket } from "./socket.js";
import { Teacher } from "./teacher.js";
import { Thinking } from "./thinking.js";
import { openTree } from "./tree.js";
import { language, setLanguage, t, translate } from "./words.js";
import { serverWords } from "./words_errors.js";
import "./words_table.js";

const QUIET = 400; // milliseconds: a shorter drop of the connection is not shown
const KEPT = 12; // moves of a line that a note keeps
const TREE_EVERY = 1000;
const AFTER_PIECE = 50;

let hello = null;
let lost = null; // timer of the banner
let wasLost = false;
let later = null; // timer of the parts that are drawn after the piece

const socket = new Socket(onLine);
const play = new Play(socket);
const thinking = new Thinking(socket, play);
const scoring = new Scoring(socket, play);
play.counted = () => scoring.result;
const board = new Board(byId("board"));
const review = new Review(byId("review"), { stream: (name, fields, onPart) => socket.stream(name, fields, onPart) });
const notes = new Annotate(play);
const past = new History(play);
const parts = { play, thinking, review, board, socket, say };
const exercise = new Exercise(parts);
const hint = new Hint(parts);
const teacher = new Teacher(parts);
const panel = new Panel({ play, thinking, review, show: (line) => board.showPv(line ?? exercise.line ?? []), pick });

/** A person chose a move: an attempt in an exercise, else played, after the teacher's question if that is enabled. */
function pick(move) {
  if (exercise.active) exercise.attempt(move);
  else teacher.move(move);
}

// ---- messages to the user -------------------------------------------------------------------

function say(words) {
  byId("live").textContent = words;
}

function banner(words, { kind = "", button = null } = {}) {
  const node = byId("banner");
  node.hidden = !words;
  node.className = `banner ${kind}`;
  node.replaceChildren(...(words ? [words] : []), ...(button ? [button] : []));
}

/** The connection dropped or came back; `why`: the server's reason, if it refused the page. */
function onLine(up, why) {
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
    banner(why || t("offline"));
  }, why || wasLost ? 0 : QUIET);
}

function trouble({ words, again, button = t(again ? "tryAgain" : "close"), kind = "bad" }) {
  if (!words) {
    if (byId("banner").classList.contains("bad")) banner("");
    return;
  }
  const act = () => {
    banner("");
    again?.();
  };
  banner(words, { kind, button: el("button", { onclick: act, text: button }) });
}

// ---- drawing -----------------------------------------------------------------------------------

function show({ animate }) {
  const { session } = play;
  if (!session.state) return;
  board.draw(session.game, session.state, { animate, hints: play.mayMove && !notes.tool });
  notes.show(board);
  drawPass(session);
  scoring.look();
  thinking.look();
  // Draw the clicked piece before the graph and the list of moves.
  clearTimeout(later);
  if (session.state.guess) later = setTimeout(showRest, AFTER_PIECE);
  else showRest();
}

/** A pass leaves no piece on the board, so it is shown in words. */
function drawPass({ state, states, at }) {
  const passed = at > 0 && state.last && state.last[0] < 0;
  byId("passed").hidden = !passed;
  if (passed) byId("passed").replaceChildren(el("span", { class: `token ${play.session.game.sides[states[at - 1].to_move].color}` }), t("passedBoard", { who: play.side(states[at - 1].to_move) }));
}

function showRest() {
  const { session } = play;
  if (session.notes !== reviewed) renewReview();
  if (review.running && session.played < review.of) review.stop(); // its moves were taken back
  const between = session.at + 0.5; // the mistake after this position is the next one
  if (session.main) review.at = between; // the mistakes are the game's, not the variation's
  else review.show(exercise.active ? exercise.ply : between);
  exercise.draw();
  hint.look();
  teacher.look();
  drawReviewButton();
  panel.draw();
  notes.draw();
  drawThoughts();
  // Set last: by now the whole page shows this position.
  byId("board").dataset.ply = session.at;
  byId("board").dataset.turn = session.state.over ? "over" : play.mayMove ? "person" : "engine";
}

function drawThoughts() {
  const { on, report } = thinking;
  const { state } = play.session;
  const shown = on && report && !state.over && !state.guess;
  board.showCandidates(shown ? report.candidates : [], { best: report?.move });
  board.showOwners(shown ? thinking.owned : (scoring.shown?.owners ?? []));
  board.showDead(scoring.shown?.dead ?? []);
}

scoring.addEventListener("change", () => {
  panel.drawPlayers();
  drawThoughts();
  say(`${play.verdict()}. ${t("deadCount", { n: scoring.shown?.dead.length ?? 0 })}`);
});

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
    board.showPv(exercise.active ? exercise.line : []);
    return;
  }
  const line = await thinking.line(move);
  if (pointed === move) board.showPv(line);
});

board.onPick((move, cell) => {
  if (notes.tool) notes.mark(`${Math.floor(cell / board.cols)}/${cell % board.cols}`);
  else if (move) pick(move);
  else if (scoring.active) scoring.toggle(cell);
  else if (play.mayMove) say(t("illegal"));
});

board.onPreview((move) => {
  byId("confirm").hidden = !move;
  byId("confirm-text").textContent = move ?? "";
  if (move) say(t("previewed", { move }));
});
byId("confirm-play").addEventListener("click", () => pick(board.aimed));
byId("confirm-drop").addEventListener("click", () => board.unaim());

play.addEventListener("show", ({ detail }) => show(detail));
play.addEventListener("say", ({ detail }) => say(detail.words));
play.addEventListener("trouble", ({ detail }) => trouble(detail));
play.addEventListener("tick", () => panel.drawClocks());
play.addEventListener("thinking", () => {
  thinking.look();
  panel.drawButtons();
});
play.addEventListener("new", () => {
  review.names = [play.side(0), play.side(1)];
  review.game = play.session.game;
});

/** Show the remarks of the session: it is another one, or its game has taken another course. */
function renewReview() {
  reviewed = play.session.notes;
  exercise.ply = null;
  const kept = { ...reviewed };
  review.clear();
  restoreReview(kept);
}

// ---- review ------------------------------------------------------------------------------------

let reviewed = null; // the notes of a session that the review shows
const reviewButton = el("button", { id: "review-run", onclick: startReview });
byId("review").before(reviewButton);

/** Restore the review after a reload. */
function restoreReview(kept) {
  const plies = Object.keys(kept).map(Number);
  if (!plies.length) return;
  review.of = play.session.played;
  review.toMove = play.session.states[0].to_move;
  for (const ply of plies) review.take(kept[ply], ply);
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
  thinking.hold(true); // one search at a time: the review's
  reviewed = session.notes = {};
  const done = review.start(session.position(session.moves.length), { toMove: session.states[0].to_move });
  drawReviewButton();
  return done;
}

/** Follow a link to a lost game: review it, go to the move that lost it for a side, and say what was better. */
async function showLoss(side) {
  const { session } = play;
  const { at, played } = session;
  if (!played) return;
  if (review.count() < played) {
    const words = t("review.looking");
    banner(words);
    await startReview();
    if (byId("banner").textContent === words) banner("");
  }
  // Do not interfere if the user has stopped the review or moved elsewhere meanwhile.
  if (play.session !== session || review.count() < played || session.at !== at || session.main) return;
  const ply = review.lossOf(side);
  if (!ply) return trouble({ words: t("review.noLoss", { who: play.side(side) }), kind: "" });
  await toMistake(ply);
  exercise.reveal();
}

review.addEventListener("part", ({ detail }) => {
  const { session } = play;
  const { id, done, pv, pv_cells: cells, reply, why, ...part } = review.parts[detail.ply];
  const lines = part.mark ? { pv: pv?.slice(0, KEPT), pv_cells: cells?.slice(0, KEPT), reply, why } : {};
  session.notes[detail.ply] = { ...part, ...lines };
  panel.drawGraph();
  panel.drawMoves();
});
review.addEventListener("end", () => {
  play.session.save();
  drawReviewButton();
  thinking.hold(false);
});
review.addEventListener("jump", ({ detail }) => toMistake(detail.ply));

/** Go to the position before a mistake. */
async function toMistake(ply) {
  await play.backToGame(); // the mistakes are the game's, not the variation's
  play.step(ply - 1, { quiet: true });
  exercise.begin(ply);
  review.show(ply);
}

// ---- buttons -----------------------------------------------------------------------------------

async function begin(session) {
  try {
    await play.begin(session);
    if (session.review !== null && play.session === session) showLoss(session.review);
    return true;
  } catch (error) {
    if (play.session.game) play.session.save(); // a reload goes on with the game on the board
    trouble({ words: t("badLink", { why: error.message }) });
    return false;
  }
}

async function newGame() {
  await greeting;
  if (dialogOpen()) return;
  const wanted = await askForGame({ hello, socket });
  if (!wanted) return;
  banner("");
  await begin(new Session({ ...wanted, mine: true }));
  board.focus();
}

/** Start the same game again, with sides swapped. */
async function rematch() {
  const { spec, start, players, seconds, clock } = play.session;
  const left = clock ? clock.minutes * 60000 : 0;
  banner("");
  await begin(new Session({
    spec, start, seconds, players: [...players].reverse(), mine: true,
    clock: clock && { minutes: clock.minutes, increment: clock.increment, left: [left, left] },
  }));
  board.focus();
}

function showHistory() {
  past.show((kept) => {
    banner("");
    begin(new Session(kept));
  });
}

async function edit() {
  const [{ editPosition }] = await Promise.all([import("./editor.js"), greeting]);
  if (dialogOpen()) return;
  editPosition({ hello, socket, session: play.session, onDone: async (wanted, analyse) => {
    banner("");
    if (!(await begin(new Session(wanted)))) return;
    if (analyse) thinking.toggle(true);
    board.focus();
  } });
}

/** Offer the last unfinished game on a page that starts with another one. */
function offer() {
  const entry = past.unfinished();
  if (!entry || play.session.played || !byId("banner").hidden) return;
  const words = t("offer", { game: title(entry), who: entry.names.join(" – "), n: entry.moves });
  trouble({ words, again: () => begin(new Session(stored(entry))), button: t("goOn"), kind: "" });
}

function open() {
  openGame({
    socket, games: hello?.games ?? [], spec: play.session.spec,
    more: [["open-history", "myGames", showHistory], ["open-editor", "editPosition", edit]],
    onOpen: async ({ linked, game, start, moves, nodes, players, result, facts, left_out: words }) => {
      banner("");
      if (linked) return begin(new Session(linked));
      const names = players?.some(Boolean) ? players : null;
      const opened = await begin(new Session({ spec: game, start: start || null, moves, nodes, names, result, facts, at: 0 }));
      if (opened && words) trouble({ words: serverWords(words), kind: "" });
      return opened;
    },
  });
}

function showTree() {
  const place = el("div", { class: "tree-place" });
  const close = () => {
    clearInterval(timer);
    tree.close();
    thinking.hold(false);
  };
  const box = dialog("tree", place, { wide: true, onclose: close });
  box.showModal();
  const { session } = play;
  const at = session.position();
  const tree = openTree(place, {
    fetch: (path) => socket.request("tree", { path }),
    toMove: session.state.to_move,
    game: session.game,
    position: async (path) => (await socket.request("position", { ...at, moves: [...at.moves, ...path] })).state,
    step: (n) => {
      thinking.hold(true); // only these simulations
      return socket.request("step", { n });
    },
  });
  const timer = setInterval(() => thinking.stream && tree.refresh(), TREE_EVERY);
}

function resign() {
  const body = el("div", { class: "dialog-actions" },
    el("button", { text: t("cancel"), onclick: () => box.close() }),
    el("button", { id: "resign-sure", class: "primary", text: t("resign"), onclick: () => { box.close(); play.resign(); } }));
  const box = dialog("resignSure", body);
  box.showModal();
}

/** Load the help on demand and show it. */
async function showHelp() {
  const help = await import("./help.js");
  if (!dialogOpen()) await help.showHelp({ socket, session: play.session });
}

function pass() {
  const move = play.session.state?.legal.find(([cell]) => cell < 0);
  if (move) pick(move[1]);
}

const step = (by) => play.step(play.session.at + by);
const actions = {
  new: newGame, open, history: showHistory, edit, rematch, share: () => shareGame({ socket, session: play.session, board }), help: showHelp,
  undo: () => play.undo(), redo: () => play.redo(), pass, hint: () => hint.press(), teach: () => teacher.toggle(), resign, pause: () => play.pause(), "move-now": () => play.moveNow(),
  "main-line": () => play.backToGame(), "keep-line": () => play.keepVariation(), promote: () => play.promote(), "delete-line": () => play.deleteLine(),
  "to-start": () => play.step(0), back: () => step(-1), forth: () => step(1), "to-end": () => play.step(Infinity),
  analysis: () => thinking.toggle(), "go-on": () => thinking.goOn(), agree: () => scoring.agree(), resume: () => scoring.resume(), territory: () => thinking.toggleTerritory(), "graph-unit": () => panel.switchGraph(), tree: showTree, language: switchLanguage, theme: switchTheme,
};
for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
byId("ply").addEventListener("input", (event) => play.step(Number(event.target.value)));
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.focus({ cursor: true });
});

// ---- keys --------------------------------------------------------------------------------------

const keys = {
  u: actions.undo, r: actions.redo, p: actions.pass, h: actions.hint, n: newGame, "?": showHelp, b: () => board.focus({ cursor: true }),
  ",": () => step(-1), ".": () => step(1), "[": () => review.previous(), "]": () => review.next(),
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => play.turnAside(-1), ArrowDown: () => play.turnAside(1),
  c: () => notes.edit(true), Escape: () => notes.tool && notes.take(notes.tool),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen()) return;
  if (event.target.matches?.("input, textarea, select, [role=slider]")) return;
  const { session } = play;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // If pieces drop, the column names are keys; otherwise "a" toggles the analysis.
  const columns = session.game?.shape === "columns" ? session.game.columns.slice(0, session.state?.cols) : "";
  if (columns.includes(key) && key.length === 1) pick(key);
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
  if (!asked || location.hash === play.session.address()) return;
  banner("");
  begin(new Session(asked));
});
addEventListener("pagehide", () => {
  play.clock.keep();
  if (play.session.state) play.session.save();
});
document.addEventListener("visibilitychange", () => thinking.look());

dress(memory.get("theme"));
speak();
const greeting = socket.request("hello").then((answer) => {
  hello = answer;
  byId("watch").hidden = !answer.watching;
  byId("class").hidden = !answer.class;
  byId("bots").hidden = answer.class === "teacher";
});

/** The game of a first visit. */
async function firstGame() {
  await greeting;
  const [game] = hello.games;
  return new Session({ spec: game.spec, players: ["person", game.levels.length ? "level:30" : "best"], seconds: 1, mine: true });
}

// A known game need not wait for the server's hello.
const known = Session.restore();
if (!known || !(await begin(known))) await begin(await firstGame());
offer();
document.documentElement.dataset.ready = "yes";
