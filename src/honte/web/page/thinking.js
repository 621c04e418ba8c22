// Seeing it think. Every report that arrives is kept for its position, whoever asked for it, so
// that analysis can be hidden and shown again, and steps back and forth lose nothing.

import { memory } from "./dom.js";

const SECONDS = 60; // how long one position is looked at
const MOST = 600; // reports kept

/** Put into a map what is not to grow for ever. */
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
    this.reports = new Map(); // moves so far -> REPORT
    this.owners = new Map(); // moves so far -> in Go, whose each point will be: 1 is player 0's
    this.lines = new Map(); // position and candidate -> its line, walked through the tree
    this.held = false; // somebody else needs the engine
    this.stream = null;
    this.key = null; // the position that the stream looks at
    play.addEventListener("report", ({ detail }) => this.take(play.session.key(detail.ply), detail.report, detail.ply));
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

  /** Whose the points of the position on the board will be, if that is known and wanted. */
  get owned() {
    return (this.territory && this.owners.get(this.play.session.key())) || [];
  }

  /** The report of the position on the board, if there is one. */
  get report() {
    return this.reports.get(this.play.session.key()) ?? null;
  }

  stop() {
    this.stream?.stop();
    this.stream = null;
    this.key = null;
  }

  /** Look at the position on the board, unless an engine is thinking or there is nothing to see. */
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
      () => this.ended(stream),
      (error) => this.stream === stream && this.play.tell("trouble", { words: error.message }),
    );
  }

  ended(stream) {
    if (this.stream === stream) this.stream = null;
  }

  take(key, report, ply) {
    const { session } = this.play;
    const state = session.states[ply];
    if (!state || session.key(ply) !== key) return;
    // A level that made a careless move has not looked at the board: its report says nothing.
    if (!report.candidates || !(report.iterations || report.nodes || report.proven)) return;
    const known = this.reports.get(key);
    // A short look by a weak engine does not push out a long one.
    const effort = ({ iterations, nodes }) => Math.max(iterations, nodes);
    if (known && effort(known) > effort(report) && !report.proven) return;
    keep(this.reports, key, report);
    const sign = state.to_move === 0 ? 1 : -1;
    session.values[key] = { value: sign * report.value, proven: report.proven };
    this.tell();
  }

  /** Chances of player 0 after each ply, null where nobody has looked. */
  values() {
    const { session } = this.play;
    return session.states.map((state, ply) => {
      if (state.over) return state.winner === null ? 0 : state.winner === 0 ? 1 : -1;
      return session.values[session.key(ply)]?.value ?? session.notes[ply + 1]?.value ?? null;
    });
  }

  /** The line behind a candidate: the report's own for the best, else walked through the tree. */
  async line(move) {
    const { report } = this;
    if (!report) return [move];
    if (report.pv?.[0] === move) return report.pv;
    if (!report.iterations) return [move]; // an engine without a tree: there is nothing to walk
    const key = `${this.play.session.key()} ${move}`;
    if (this.lines.has(key)) return this.lines.get(key);
    const path = [move];
    try {
      for (let depth = 0; depth < 6; depth++) {
        const { children } = await this.socket.request("tree", { path });
        if (!children?.length || children[0].visits < 2) break;
        path.push(children[0].move);
      }
      this.lines.set(key, path);
    } catch {
      // Nothing searched here: the move alone.
    }
    return path;
  }
}
