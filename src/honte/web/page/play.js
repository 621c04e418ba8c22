// Playing: moves of people and engines, takebacks, variations. Notifies the page by events:
// "show" (draw again; detail.animate), "say" (for the screen reader), "trouble" (detail: text or null),
// "leave" (another game replaces this one now), "new" (it has).

import { Clock } from "./clock.js";
import { Session } from "./session.js";
import { gameText, t } from "./words.js";

const BREATH = 350; // pause between the moves of two engines, so that people can follow
const AGAIN = 700; // pause before a failed engine is retried
const TICK = 100;
const SLOW = 2; // with at least this many seconds per move there is a "move now" button

export class Play extends EventTarget {
  constructor(socket) {
    super();
    this.socket = socket;
    this.session = new Session();
    this.turn = 0; // incremented with every change of the position; stale answers are dropped
    this.opening = 0; // incremented with every session that begins; only the last one opens
    this.thinking = null; // the stream of an engine choosing its move
    this.failed = null; // the turn in which an engine failed, until one has moved
    this.busy = false; // a person's move is drawn but not confirmed yet
    this.clock = new Clock(this);
    setInterval(() => this.clock.tick(), TICK);
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  say(words) {
    this.tell("say", { words });
  }

  side(player) {
    const { game } = this.session;
    return gameText(game, game.sides[player].name);
  }

  /** A name for a side: "You", "Level 40", or the name in an opened game. */
  name(player, { players, names } = this.session) {
    if (names?.[player]) return names[player];
    const who = players[player];
    if (who === "person") return players.filter((p) => p === "person").length === 1 ? t("you") : t("person");
    const level = /^level:(\d+)(,lenient=yes)?$/.exec(who);
    if (level) return t(level[2] ? "levelLenient" : "levelN", { n: level[1] });
    return who === "best" ? t("best") : who;
  }

  // ---- beginning -------------------------------------------------------------------------------

  /** Begin or continue a session: a new one, one from the address, or an opened one. The game on the
   *  board goes on until the server has read it, and if it cannot. */
  async begin(session) {
    if (session.fault) throw new Error(t("badTree", { sign: session.fault }));
    const opening = ++this.opening;
    await this.fetchStates(session, session.line);
    if (opening !== this.opening) return;
    this.tell("leave");
    this.stopEngine();
    ++this.turn;
    this.busy = false;
    this.session = session;
    this.clock.stop();
    this.tell("new");
    this.changed({ animate: false });
  }

  /** Request the missing STATEs of a line from the server. */
  async fetchStates(session, line) {
    const nodes = [session.root, ...line];
    const starts = nodes.flatMap(({ setup }, i) => (setup || !i ? [i] : []));
    for (const [i, from] of starts.entries()) {
      const part = nodes.slice(from, starts[i + 1]);
      if (session.game && part.every(({ state }) => state && !state.guess)) continue;
      const start = part[0].setup ?? session.start;
      const moves = part.slice(1).map(({ move }) => move);
      const answer = await this.socket.request("position", { game: session.spec, ...(start ? { start } : {}), moves, all: true });
      if (!from) Object.assign(session, { spec: answer.game, game: answer.descriptor });
      part.forEach((node, ply) => (node.state = { ...answer.states[ply], ply: from + ply }));
    }
  }

  /** After every change: save, draw, and let the side to move play. */
  changed({ animate = true } = {}) {
    this.session.save();
    this.tell("show", { animate });
    this.clock.start();
    this.engineTurn();
  }

  // ---- moves -----------------------------------------------------------------------------------

  /** Whether a person may move now in the position on the board. */
  get mayMove() {
    const { session } = this;
    const { state } = session;
    if (!state || state.over || this.busy || state.guess) return false;
    const behind = session.at < session.moves.length;
    if (behind || session.main || session.ended) return true; // a variation
    return !session.isEngine(state.to_move);
  }

  /** A person plays `text`; the piece is drawn before the server confirms it. */
  async play(text) {
    const { session } = this;
    const { state } = session;
    const move = state?.legal.find(([, word]) => word === text);
    if (!move || !this.mayMove) {
      if (state && !state.over) this.say(t("illegal"));
      return;
    }
    const known = session.node.children.find((one) => one.move === text);
    // At the end of the game the move is played, even if it exists as a variation.
    if (known && (session.at < session.line.length || session.main || session.ended)) {
      await this.visit(known);
      return;
    }
    if (session.withPerson) session.paused = false;
    session.mine = true;
    await this.put(move);
  }

  /** Add a move after the position on the board: drawn at once, then corrected by the server's answer. */
  async put([cell, text]) {
    const { session } = this;
    this.stopEngine();
    const turn = ++this.turn;
    const before = session.state;
    this.busy = true;
    if (session.live && session.at === session.line.length) this.clock.charge(before.to_move, session.at);
    const node = session.add(text);
    node.state ??= guess(before, cell, text);
    this.tell("show", { animate: true });
    try {
      const { state } = await this.socket.request("position", session.position());
      if (turn !== this.turn) return;
      this.busy = false;
      node.state = { ...state, ply: before.ply + 1 };
      this.announce(before.to_move, state);
      this.changed();
    } catch (error) {
      if (turn !== this.turn) return;
      this.busy = false;
      session.drop();
      this.tell("trouble", { words: error.message });
      this.changed({ animate: false });
    }
  }

  announce(mover, state) {
    const who = this.side(mover);
    const words = [this.moveWords(who, state)];
    const changed = state.changed ?? [];
    const captured = changed.filter((c) => state.cells[c] === ".").length;
    if (captured) words.push(t("captured", { n: captured }));
    if (changed.length > captured) words.push(t("turned", { n: changed.length - captured }));
    words.push(this.verdict(state));
    this.say(words.join(" "));
  }

  /** The last move in words: "Red in column 4, row 2.", "Black at d3." */
  moveWords(who, { last, rows, cols }) {
    const [cell, move] = last ?? [-1, ""];
    if (cell < 0) return t("passed", { who });
    if (this.session.game.shape !== "columns") return t("playedAt", { who, move });
    return t("playedColumn", { who, col: (cell % cols) + 1, row: rows - Math.floor(cell / cols) });
  }

  /** The side of the only human player, else null. */
  get you() {
    const { players, names } = this.session;
    return !names && players.filter((player) => player === "person").length === 1 ? players.indexOf("person") : null;
  }

  /** A result in words, with its unit: "You lost by 6 discs". */
  outcome(winner, score) {
    if (winner === null) return t("draw");
    const { game, main } = this.session;
    const n = Math.abs(score);
    const unit = n === 1 ? oneOf(gameText(game, game.unit)) : gameText(game, game.unit);
    const by = game.unit ? "By" : "";
    if (this.you === null || main) return t(`wins${by}`, { who: this.side(winner), n, unit });
    return t(`${winner === this.you ? "youWon" : "youLost"}${by}`, { n, unit });
  }

  /** The side to move, or the result, in words. */
  verdict(state = this.session.state) {
    const { session } = this;
    if (!state) return "";
    const { ended } = session;
    if (ended && !session.main && session.at === session.moves.length) {
      const gaps = { who: this.side(ended.winner), other: this.side(1 - ended.winner) };
      const { you } = this;
      if (ended.reason === "time") return t(you === null ? "byTime" : you === ended.winner ? "youWonTime" : "youLostTime", gaps);
      return t(you === null || you === ended.winner ? "byResign" : "youResigned", gaps);
    }
    if (state.over) {
      const counted = state === session.state ? this.counted?.() : null; // by agreement
      if (!counted) return this.outcome(state.winner, state.score);
      return t(counted.agreed ? "agreedOn" : "proposed", { words: this.outcome(counted.winner, counted.score) });
    }
    const who = this.side(state.to_move);
    if (this.engineSoon && session.at === session.moves.length) {
      return t("engineThinks", { who: this.name(state.to_move) });
    }
    const one = session.players.filter((player) => player === "person").length === 1;
    if (this.mustPass(state)) return t("mustPass", { who });
    return t(session.live && one ? "yourMove" : "toMove", { who });
  }

  mustPass(state) {
    return state.legal.length === 1 && state.legal[0][0] < 0;
  }

  // ---- engines ---------------------------------------------------------------------------------

  /** Whether an engine is to move at the end of the line. */
  get engineSoon() {
    const { session } = this;
    return session.live && !session.paused && session.isEngine(session.states[session.moves.length].to_move);
  }

  stopEngine() {
    this.thinking?.stop();
    this.thinking = null;
    clearTimeout(this.breath);
  }

  engineTurn() {
    const { session } = this;
    const ply = session.moves.length;
    const state = session.states[ply];
    if (!this.engineSoon || state.guess) {
      this.stopEngine();
      return;
    }
    if (this.thinking) return;
    const wait = session.withPerson || ply === 0 ? 0 : BREATH;
    clearTimeout(this.breath);
    const turn = this.turn;
    this.breath = setTimeout(() => turn === this.turn && !this.thinking && this.askEngine(ply, state), wait);
  }

  async askEngine(ply, state) {
    const { session } = this;
    let seconds = session.seconds;
    if (session.clock) seconds = Math.min(seconds, Math.max(0.05, session.clock.left[state.to_move] / 20000));
    const fields = { ...session.position(ply), player: session.players[state.to_move], seconds };
    const turn = this.turn;
    const stream = this.socket.stream("choose", fields);
    this.thinking = stream;
    this.tell("thinking");
    try {
      const answer = await stream.done;
      if (this.thinking !== stream || turn !== this.turn || !answer) return;
      this.thinking = null;
      // After "move now" it answers with its result so far.
      const found = answer.move ?? answer.report?.move;
      const move = state.legal.find(([, word]) => word === found);
      if (!move) throw new Error(String(found));
      const watching = session.at === ply;
      const at = session.at;
      session.at = ply;
      if (this.failed) this.tell("trouble", { words: null });
      this.failed = null;
      const done = this.put(move);
      // Do not move a user who is looking at an earlier position.
      if (!watching) this.step(at, { quiet: true });
      await done;
    } catch (error) {
      if (this.thinking !== stream && this.thinking) return;
      if (turn !== this.turn) return;
      this.thinking = null;
      const words = t("engineFailed", { why: error.message });
      // Retry once after a crash; after that the user decides.
      if (this.failed !== turn) {
        this.failed = turn;
        this.tell("trouble", { words });
        this.breath = setTimeout(() => this.engineTurn(), AGAIN);
        return;
      }
      session.paused = true;
      this.tell("trouble", { words, again: () => this.pause(false) });
      this.tell("show", { animate: false });
    }
  }

  /** Whether a player of this game supports "move now": external programs do not. */
  get mayHurry() {
    const { live, seconds, players } = this.session;
    return live && seconds >= SLOW && players.some(ours);
  }

  /** Whether the engine that is thinking supports "move now". */
  get canHurry() {
    const { players, states, moves } = this.session;
    return Boolean(this.thinking) && ours(players[states[moves.length].to_move]);
  }

  moveNow() {
    if (this.canHurry) this.thinking.finish();
  }

  pause(paused = !this.session.paused) {
    this.session.paused = paused;
    if (!paused) this.tell("trouble", { words: null });
    this.changed({ animate: false });
  }

  // ---- takebacks and navigation ------------------------------------------------------------------

  get mayUndo() {
    const { session } = this;
    return session.moves.length > 0 && !this.busy;
  }

  /** Take moves back until a person is to move again. */
  undo() {
    const { session } = this;
    if (!this.mayUndo) return;
    if (session.main) {
      session.at = session.line.length;
      this.deleteLine();
      return;
    }
    this.stopEngine();
    ++this.turn;
    session.ended = null;
    const mine = (ply) => !session.isEngine(session.states[ply].to_move);
    let ply = session.line.length - 1;
    if (session.withPerson) while (ply > 0 && !mine(ply)) ply--;
    while (session.line.length > ply) session.takeBack();
    session.at = ply;
    this.clock.turnBack(ply);
    if (!session.withPerson || !mine(ply)) session.paused = true;
    this.say(t("undone"));
    this.changed();
  }

  async redo() {
    const { session } = this;
    if (!session.redo.length || session.main || this.busy) return;
    this.stopEngine();
    const turn = ++this.turn;
    let mover = session.last.state.to_move;
    // Restore the engine's reply together with the move it answered.
    do {
      session.restore();
      mover = 1 - mover;
    } while (session.withPerson && session.redo.length && session.isEngine(mover));
    await this.fetchStates(session, session.line);
    if (turn !== this.turn) return;
    session.at = session.line.length;
    this.changed();
  }

  /** Go to another ply without taking anything back. */
  step(ply, { quiet = false } = {}) {
    const { session } = this;
    const to = Math.max(0, Math.min(session.moves.length, ply));
    if (to === session.at || !session.states[to]) return;
    const near = Math.abs(to - session.at) === 1;
    session.at = to;
    session.save();
    if (!quiet) this.say(`${t("moveN", { n: to })}. ${this.verdict()}`);
    this.tell("show", { animate: near });
  }

  /** Go to a node of the tree, in the game or in a variation. */
  async visit(node) {
    const { session } = this;
    const isMain = node === session.root || session.mainLine.includes(node);
    if (session.line.includes(node) && !(isMain && session.main)) {
      this.step(session.line.indexOf(node) + 1);
      return;
    }
    await this.follow(node, session.lineThrough(node));
  }

  /** Put another line on the board. */
  async follow(node, line) {
    const { session } = this;
    const turn = ++this.turn;
    this.busy = false;
    try {
      await this.fetchStates(session, line);
    } catch (error) {
      this.tell("trouble", { words: error.message });
      if (turn !== this.turn) return;
      this.stopEngine(); // its answer would be stale
      this.changed({ animate: false });
      return;
    }
    if (turn !== this.turn) return;
    const near = node.parent === session.node;
    session.show(node, line);
    this.say(`${t("moveN", { n: session.at })}. ${this.verdict()}`);
    this.changed({ animate: near });
  }

  /** Switch to the next or the previous sibling of the move on the board. */
  async turnAside(by) {
    const { node } = this.session;
    const ways = node.parent?.children ?? [];
    const to = ways[(ways.indexOf(node) + by + ways.length) % ways.length];
    if (to && to !== node) await this.visit(to);
  }

  async backToGame() {
    const { session } = this;
    if (!session.main) return;
    await this.follow(session.mainLine[session.main.from - 1] ?? session.root, session.mainLine);
  }

  /** Make the variation the game. */
  keepVariation() {
    const { session } = this;
    if (!session.main) return;
    session.become();
    this.changed({ animate: false });
  }

  /** Promote the variation before its siblings; directly off the game, it becomes the game. */
  promote() {
    const { session } = this;
    if (!session.main) return;
    session.promote();
    this.say(t("promoted"));
    this.changed({ animate: false });
  }

  /** Delete the variation from the move on the board on; this can be undone. */
  async deleteLine() {
    const { session } = this;
    const { main } = session;
    if (!main) return;
    if (session.at <= main.from) session.at = main.from + 1; // the whole variation
    this.stopEngine();
    const turn = ++this.turn;
    const gone = session.delete();
    await this.fetchStates(session, session.line);
    if (turn !== this.turn) return;
    const back = () => {
      session.undelete(gone);
      return this.session === session ? this.follow(session.node, session.line) : this.begin(session);
    };
    this.tell("trouble", { words: t("deleted", { move: gone.one.move ?? t("position") }), again: back, button: t("bringBack"), kind: "" });
    this.changed({ animate: false });
  }

  /** Comment on the position on the board, or mark its cells. */
  annotate(change) {
    Object.assign(this.session.node, change);
    this.session.mine = true;
    this.session.version++;
    this.session.save();
    this.tell("show", { animate: false });
  }

  resign() {
    const { session } = this;
    if (!session.live) return;
    this.stopEngine();
    ++this.turn;
    const mover = session.states[session.moves.length].to_move;
    const loser = session.isEngine(mover) && session.withPerson ? 1 - mover : mover;
    session.ended = { winner: 1 - loser, reason: "resign" };
    session.at = session.moves.length;
    this.say(this.verdict());
    this.changed({ animate: false });
  }

  /** End the game: a side has run out of time. */
  loseOnTime(side) {
    const { session } = this;
    this.stopEngine();
    ++this.turn;
    this.busy = false;
    session.ended = { winner: 1 - side, reason: "time" };
    this.say(this.verdict());
    this.changed({ animate: false });
  }
}

/** The singular of a unit, "disc" of "discs"; other languages keep one form. */
const oneOf = (unit) => unit.replace(/^([a-z]+)s$/, "$1");

const ours = (player) => player === "best" || player.startsWith("level:");

/** The expected board, as far as the page can know: the piece in its final cell. */
function guess(before, cell, text) {
  const cells = cell < 0 ? before.cells
    : before.cells.slice(0, cell) + "XO"[before.to_move] + before.cells.slice(cell + 1);
  return {
    ...before, cells, to_move: 1 - before.to_move, ply: before.ply + 1, legal: [], last: [cell, text],
    changed: [], lines: [], guess: true,
  };
}
