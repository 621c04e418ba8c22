// Playing: moves of people and engines, taking back, clocks, variations. Tells the page by events:
// "show" (draw again; detail.animate), "say" (for the screen reader), "trouble" (detail: text or null),
// "report" (an engine thinking about its own move), "new" (another game).

import { sides } from "./cells.js";
import { Session } from "./session.js";
import { t } from "./words.js";

const BREATH = 350; // between two engines' moves, so that people can follow
const AGAIN = 700; // before an engine that failed is asked once more
const TICK = 100;
const SLOW = 2; // seconds a move from which on somebody may lose patience

export class Play extends EventTarget {
  constructor(socket) {
    super();
    this.socket = socket;
    this.session = new Session();
    this.turn = 0; // grows with every change of the position; answers of an older turn are dropped
    this.thinking = null; // the stream of an engine choosing its move
    this.busy = false; // a person's move is drawn and not confirmed yet
    setInterval(() => this.tick(), TICK);
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  say(words) {
    this.tell("say", { words });
  }

  side(player) {
    return t(sides(this.session.kind)[player]);
  }

  /** A name for a side: "You", "Level 40", or the name in an opened game. */
  name(player) {
    const { players, names } = this.session;
    if (names?.[player]) return names[player];
    const who = players[player];
    if (who === "person") return players.filter((p) => p === "person").length === 1 ? t("you") : t("person");
    if (who.startsWith("level:")) return t("levelN", { n: who.slice(6) });
    return who === "best" ? t("best") : who;
  }

  // ---- beginning -------------------------------------------------------------------------------

  /** Take up a session: a new one, one from the address, one that was opened. */
  async begin(session) {
    this.stopEngine();
    const turn = ++this.turn;
    this.busy = false;
    const answer = await this.socket.request("position", { ...session.position(session.moves.length), all: true });
    if (turn !== this.turn) return;
    session.spec = answer.game;
    session.states = answer.states;
    session.at = Math.min(session.at, session.moves.length);
    this.session = session;
    this.since = null;
    this.tell("new");
    this.changed({ animate: false });
  }

  /** After every change: keep it, draw it, and let whoever is to move go on. */
  changed({ animate = true } = {}) {
    this.session.save();
    this.tell("show", { animate });
    this.startClock();
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

  /** A person plays `text`; the piece is drawn before the server has heard of it. */
  async play(text) {
    const { session } = this;
    const { state } = session;
    const move = state?.legal.find(([, word]) => word === text);
    if (!move || !this.mayMove) {
      if (state && !state.over) this.say(t("illegal"));
      return;
    }
    if (session.moves[session.at] === text) {
      this.step(session.at + 1);
      return;
    }
    if (session.ended && session.at === session.moves.length) {
      session.main ??= { moves: session.moves, from: session.at, notes: session.notes };
    }
    session.fork();
    if (session.withPerson) session.paused = false;
    await this.put(move);
  }

  /** Put a move at the end of the line: drawn at once, then as the server says. */
  async put([cell, text]) {
    const { session } = this;
    this.stopEngine();
    const turn = ++this.turn;
    const before = session.state;
    this.busy = true;
    this.chargeClock(before.to_move, session.at);
    session.moves = [...session.moves, text];
    session.states = [...session.states, guess(before, cell, text)];
    session.at = session.moves.length;
    if (!session.main) session.redo = [];
    this.tell("show", { animate: true });
    try {
      const { state } = await this.socket.request("position", session.position());
      if (turn !== this.turn) return;
      this.busy = false;
      session.states = [...session.states.slice(0, -1), state];
      this.announce(before.to_move, state);
      this.changed();
    } catch (error) {
      if (turn !== this.turn) return;
      this.busy = false;
      session.cut(session.moves.length - 1);
      this.tell("trouble", { words: error.message });
      this.changed({ animate: false });
    }
  }

  announce(mover, state) {
    const who = this.side(mover);
    const [cell, move] = state.last ?? [-1, ""];
    const words = [cell < 0 ? t("passed", { who }) : t("played", { who, move })];
    const n = state.changed?.length;
    if (n) words.push(t(this.session.kind === "go" ? "captured" : "turned", { n }));
    words.push(this.verdict(state));
    this.say(words.join(" "));
  }

  /** Who moves, or how it ended, in words. */
  verdict(state = this.session.state) {
    const { session } = this;
    if (!state) return "";
    const { ended } = session;
    if (ended && !session.main && session.at === session.moves.length) {
      const gaps = { who: this.side(ended.winner), other: this.side(1 - ended.winner) };
      return t(ended.reason === "time" ? "byTime" : "byResign", gaps);
    }
    if (state.over) {
      if (state.winner === null) return t("draw");
      const who = this.side(state.winner);
      if (session.kind === "connect4") return t("wins", { who });
      return t(session.kind === "go" ? "winsByPoints" : "winsBy", { who, n: Math.abs(state.score) });
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

  pass() {
    const move = this.session.state?.legal.find(([cell]) => cell < 0);
    if (move) this.play(move[1]);
  }

  // ---- engines ---------------------------------------------------------------------------------

  /** Whether an engine is about to move at the end of the line. */
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
    const stream = this.socket.stream("choose", fields, ({ report }) => {
      if (report && this.thinking === stream) this.tell("report", { report, ply });
    });
    this.thinking = stream;
    this.tell("thinking");
    try {
      const answer = await stream.done;
      if (this.thinking !== stream || turn !== this.turn || !answer) return;
      this.thinking = null;
      // One that was told to move now says what it had found so far.
      const found = answer.move ?? answer.report?.move;
      const move = state.legal.find(([, word]) => word === found);
      if (!move) throw new Error(String(found));
      const watching = session.at === ply;
      const at = session.at;
      session.at = ply;
      this.tell("trouble", { words: null });
      const done = this.put(move);
      // Somebody looking at an earlier move is left there.
      if (!watching) this.step(at, { quiet: true });
      await done;
    } catch (error) {
      if (this.thinking !== stream && this.thinking) return;
      if (turn !== this.turn) return;
      this.thinking = null;
      const words = t("engineFailed", { why: error.message });
      // An engine that crashed is asked once more by itself; after that a person decides.
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

  /** Whether somebody in this game can be told to move now: programs of others cannot. */
  get mayHurry() {
    const { live, seconds, players } = this.session;
    return live && seconds >= SLOW && players.some(ours);
  }

  /** Whether whoever is thinking just now can. */
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

  // ---- taking back, going back and forth ---------------------------------------------------------

  get mayUndo() {
    const { session } = this;
    return session.moves.length > 0 && !this.busy;
  }

  /** Take moves back until a person is to move again. */
  undo() {
    const { session } = this;
    if (!this.mayUndo) return;
    if (session.main && session.moves.length - 1 <= session.main.from) {
      this.backToGame();
      return;
    }
    this.stopEngine();
    ++this.turn;
    session.ended = null;
    const mine = (ply) => !session.isEngine(session.states[ply].to_move);
    let ply = session.moves.length - 1;
    if (session.withPerson && !session.main) while (ply > 0 && !mine(ply)) ply--;
    if (!session.main) session.redo = [...session.redo, ...session.moves.slice(ply).reverse()];
    session.cut(ply);
    session.at = ply;
    this.turnBackClock(ply);
    if (!session.withPerson || !mine(ply)) session.paused = true;
    this.say(t("undone"));
    this.changed();
  }

  async redo() {
    const { session } = this;
    if (!session.redo.length || session.main || this.busy) return;
    this.stopEngine();
    const turn = ++this.turn;
    const rest = [...session.redo];
    const moves = [...session.moves, rest.pop()];
    // The engine's answer comes back with the move it answered.
    if (session.withPerson && rest.length) {
      let mover = 1 - session.states[session.moves.length].to_move;
      while (rest.length && session.isEngine(mover)) {
        moves.push(rest.pop());
        mover = 1 - mover;
      }
    }
    const answer = await this.socket.request("position", { ...session.position(), moves, all: true });
    if (turn !== this.turn) return;
    Object.assign(session, { moves, states: answer.states, at: moves.length, redo: rest });
    this.changed();
  }

  /** Look at another ply; nothing is taken back. */
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

  async backToGame() {
    const { session } = this;
    if (!session.main) return;
    const { moves, from, notes } = session.main;
    Object.assign(session, { moves, notes: notes ?? {}, at: from, main: null });
    await this.begin(session);
  }

  /** The variation becomes the game. */
  keepVariation() {
    const { session } = this;
    Object.assign(session, { main: null, redo: [], ended: null, names: null });
    this.changed({ animate: false });
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

  // ---- clocks ----------------------------------------------------------------------------------

  startClock() {
    const { session } = this;
    const running = session.clock && session.live && !session.paused && session.moves.length > 0;
    this.since = running ? (this.since ?? performance.now()) : null;
  }

  /** What a side has left, the running move counted in. */
  left(side) {
    const { session } = this;
    if (!session.clock) return null;
    const mover = session.states[session.moves.length]?.to_move;
    const running = this.since !== null && mover === side && session.live;
    return session.clock.left[side] - (running ? performance.now() - this.since : 0);
  }

  chargeClock(side, ply) {
    const { clock, main } = this.session;
    if (!clock || main) return;
    clock.past = [...(clock.past ?? []).slice(0, ply)];
    clock.past[ply] = [...clock.left];
    const used = this.since === null ? 0 : performance.now() - this.since;
    clock.left[side] += clock.increment * 1000 - used;
    this.since = null;
  }

  /** A move that is taken back gives its time back too. */
  turnBackClock(ply) {
    const { clock, main } = this.session;
    if (!clock?.past?.[ply] || main) return;
    clock.left = clock.past[ply];
    clock.past = clock.past.slice(0, ply);
    this.since = null;
  }

  /** Before the page goes: what this move has used so far is not given back by a reload. */
  keepClock() {
    const { session } = this;
    if (!session.clock || this.since === null) return;
    const side = session.states[session.moves.length].to_move;
    session.clock.left[side] = this.left(side);
    this.since = performance.now();
    session.save();
  }

  tick() {
    const { session } = this;
    if (!session.clock || this.since === null || !session.live) return;
    const side = session.states[session.moves.length].to_move;
    this.tell("tick");
    if (this.left(side) > 0) return;
    this.stopEngine();
    ++this.turn;
    this.busy = false;
    session.clock.left[side] = 0;
    this.since = null;
    session.ended = { winner: 1 - side, reason: "time" };
    this.say(this.verdict());
    this.changed({ animate: false });
  }
}

const ours = (player) => player === "best" || player.startsWith("level:");

/** What the board will look like, as far as the page can know: the piece where it comes to lie. */
function guess(before, cell, text) {
  const cells = cell < 0 ? before.cells
    : before.cells.slice(0, cell) + "XO"[before.to_move] + before.cells.slice(cell + 1);
  return {
    ...before, cells, to_move: 1 - before.to_move, ply: before.ply + 1, legal: [], last: [cell, text],
    changed: [], line: [], guess: true,
  };
}
