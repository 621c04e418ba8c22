// Analysis of the position on the board. Reports are cached by position, so that hiding the
// analysis and stepping through the game lose nothing. An opponent's own reports are not cached: it
// may be weak, and there is only one analysis.

import { lineOf } from "./cells.js";
import { memory } from "./dom.js";

const SECONDS = 60; // of analysis per position
const MOST = 600; // maximum cached reports

/** Put into a map of bounded size. */
function keep(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST) map.delete(map.keys().next().value);
}

export class Thinking extends EventTarget {
  constructor(socket, play) {
    super();
    this.socket = socket;
    this.play = play;
    this.on = memory.get("analysis", false);
    this.territory = memory.get("territory", true);
    this.reports = new Map(); // by the moves so far: REPORT
    this.owners = new Map(); // by the moves so far: ownership of each cell, in games that have it; 1 is player 0's
    this.lines = new Map(); // by position and candidate: its line through the tree
    this.held = false; // the engine is in use elsewhere: a review, a single step
    this.stream = null;
    this.key = null; // the position that the stream analyses
    play.addEventListener("new", () => {
      this.stop();
      this.reports.clear();
      this.owners.clear();
      this.lines.clear();
    });
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  toggle(on = !this.on) {
    this.on = on;
    memory.set("analysis", on);
    this.look();
    this.tell();
  }

  toggleTerritory() {
    this.territory = !this.territory;
    memory.set("territory", this.territory);
    this.tell();
  }

  /** The ownership of the position on the board, if it is known and shown. */
  get owned() {
    return (this.territory && this.owners.get(this.play.session.key())) || [];
  }

  /** The report of the position on the board, if there is one. */
  get report() {
    if (this.secret) return null;
    return this.reports.get(this.play.session.key()) ?? null;
  }

  stop() {
    this.stream?.stop();
    this.stream = null;
    this.key = null;
    this.paused = 0; // seconds after which the analysis of this position paused
  }

  /** Hide the analysis while the user is looking for a move. */
  keepSecret(secret) {
    if (this.secret === secret) return;
    this.secret = secret;
    this.tell();
  }

  /** Release the engine for another use, or take it back. */
  hold(held) {
    this.held = held;
    this.look();
  }

  /** Analyse the position on the board, unless an engine is thinking or nothing would be shown. */
  look() {
    const { session } = this.play;
    const { state } = session;
    const key = session.key();
    const wanted = this.on && state && !state.over && !state.guess && !this.play.thinking && !this.play.engineSoon && !this.held && !document.hidden;
    if (!wanted) {
      this.stop();
      return;
    }
    if (this.key === key) return;
    this.stop();
    this.key = key;
    const ply = session.at;
    const stream = this.socket.stream("analyse", { ...session.position(), seconds: SECONDS }, ({ report, ownership }) => {
      if (this.stream !== stream) return;
      if (ownership) keep(this.owners, key, ownership);
      if (report) this.take(key, report, ply);
    });
    this.stream = stream;
    stream.done.then(
      (answer) => this.ended(stream, answer),
      (error) => this.stream === stream && this.play.tell("trouble", { words: error.message }),
    );
  }

  ended(stream, answer) {
    if (this.stream !== stream) return;
    this.stream = null;
    this.paused = answer?.report?.stopped === "time" ? SECONDS : 0;
    this.tell();
  }

  /** After a pause, analyse the same position further. */
  goOn() {
    this.key = null;
    this.look();
    this.tell();
  }

  take(key, report, ply) {
    const { session } = this.play;
    const state = session.states[ply];
    if (!state || session.key(ply) !== key) return;
    if (!report.candidates || !report.has_value) return;
    keep(this.reports, key, report);
    const sign = state.to_move === 0 ? 1 : -1;
    const lead = Number.isFinite(report.score) ? sign * report.score : null;
    session.values[key] = { value: sign * report.value, proven: report.proven, lead };
    this.tell();
  }

  /** Chances of player 0 after each ply, null where nothing was searched: from one source, the review
   *  if there is one, else the analysis. */
  values(review = null) {
    const won = ({ winner }) => (winner === null ? 0 : winner === 0 ? 1 : -1);
    return this.course(review?.values, "value", won);
  }

  /** Likewise the lead of player 0 in the game's unit, if known. */
  leads(review = null) {
    return this.course(review?.leads, "lead", ({ score }) => score);
  }

  course(reviewed, name, atEnd) {
    const { session } = this.play;
    const known = session.main?.from ?? Infinity; // the review covers only the game, not its variations
    return session.states.map((state, ply) => {
      if (state.over) return atEnd(state);
      const own = session.values[session.key(ply)];
      if (own?.proven && Number.isFinite(own[name])) return own[name]; // a proof overrides any estimate
      return (reviewed?.length && ply <= known ? reviewed[ply] : own?.[name]) ?? null;
    });
  }

  /** The line of a candidate, [cell, text] each: the report's own for the best, else from the tree. */
  async line(move) {
    const { report } = this;
    const first = this.play.session.state.legal.find(([, text]) => text === move) ?? [-1, move];
    if (!report) return [first];
    if (report.pv?.[0] === move) return lineOf(report);
    const candidate = report.candidates.find((one) => one.move === move);
    if (candidate?.pv_cells) return lineOf(candidate);
    if (!report.iterations) return [first]; // an engine without a tree
    const key = `${this.play.session.key()} ${move}`;
    if (this.lines.has(key)) return this.lines.get(key);
    const line = [first];
    try {
      for (let depth = 0; depth < 6; depth++) {
        const { children } = await this.socket.request("tree", { path: line.map(([, text]) => text) });
        if (!children?.length || children[0].visits < 2) break;
        line.push([children[0].cell, children[0].move]);
      }
      this.lines.set(key, line);
    } catch {
      // Not searched: the move alone.
    }
    return line;
  }
}
