// The game as the page holds it: rules, moves, who plays. The server keeps nothing, so this is what
// a reload, a link and a restarted server go on from. It lives in the address and in the browser.

import { memory } from "./dom.js";
import { kindOf } from "./cells.js";

const PERSON = "person";

export class Session {
  constructor(given = {}) {
    this.spec = given.spec ?? "connect4";
    this.start = given.start ?? null;
    this.moves = given.moves ?? [];
    this.states = []; // STATE of every ply of `moves`; filled by the server
    this.at = given.at ?? this.moves.length; // the ply on the board
    this.redo = given.redo ?? []; // moves taken back, the next one last
    this.main = given.main ?? null; // the game's own moves while a variation is on the board
    this.players = given.players ?? [PERSON, PERSON];
    this.names = given.names ?? null; // of a game that was opened
    this.seconds = given.seconds ?? 1; // an engine's time for a move
    this.clock = given.clock ?? null; // {minutes, increment, left: [ms, ms]}
    this.ended = given.ended ?? null; // {winner, reason: "resign" or "time"}
    this.comments = given.comments ?? {};
    this.values = given.values ?? {}; // moves so far -> {value for player 0, proven}
    this.notes = given.notes ?? {}; // ply -> what the review said of that move
    this.paused = given.paused ?? false;
  }

  get kind() {
    return kindOf(this.spec);
  }

  get state() {
    return this.states[this.at];
  }

  /** The position on the board at `ply`, as every request names it. */
  position(ply = this.at) {
    const position = { game: this.spec, moves: this.moves.slice(0, ply) };
    return this.start ? { ...position, start: this.start } : position;
  }

  key(ply = this.at) {
    return this.moves.slice(0, ply).join(",");
  }

  /** Whether the game on the board is going on, so that clocks run and engines move. */
  get live() {
    const last = this.states[this.moves.length];
    return Boolean(last) && !last.over && !this.ended && !this.main;
  }

  isEngine(side) {
    return this.players[side] !== PERSON;
  }

  get withPerson() {
    return this.players.includes(PERSON);
  }

  /** Leave the line at the ply on the board, to go another way. A game's own moves are kept. */
  fork() {
    if (this.at === this.moves.length) return;
    this.main ??= { moves: this.moves, from: this.at, notes: this.notes };
    this.cut(this.at);
    this.notes = {};
  }

  cut(ply) {
    this.moves = this.moves.slice(0, ply);
    this.states = this.states.slice(0, ply + 1);
    this.at = Math.min(this.at, ply);
  }

  save() {
    const { spec, start, moves, at, redo, main, players, names, seconds, clock, ended, comments, values, notes, paused } = this;
    memory.set("session", { spec, start, moves, at, redo, main, players, names, seconds, clock, ended, comments, values, notes, paused });
    const address = this.address();
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  /** What stands behind the # of a link to this game. */
  address() {
    const parts = [["game", this.spec], ["moves", this.moves.join(",")]];
    if (this.start) parts.push(["start", this.start]);
    if (this.players.some((player) => player !== PERSON)) parts.push(["players", this.players.join(",")]);
    // Colons, commas and the like may stand in a fragment and keep the link readable.
    const plain = (text) => encodeURIComponent(text).replace(/%(3A|2C|3D|2F|2B)/g, decodeURIComponent);
    return `#${parts.map(([key, value]) => `${key}=${plain(value)}`).join("&")}`;
  }

  /** The session that the address asks for, or the one this browser had; null when there is neither. */
  static restore() {
    const kept = memory.get("session");
    const asked = readAddress(location.hash);
    try {
      if (!asked) return kept ? new Session(kept) : null;
      const same = kept && new Session(kept).address() === new Session(asked).address();
      return new Session(same ? kept : asked);
    } catch {
      return null; // What an older page left behind need not be readable.
    }
  }
}

/** The parts of an address, or null where it names no game. */
export function readAddress(hash) {
  const parts = {};
  for (const item of hash.replace(/^#/, "").split("&")) {
    const [key, value = ""] = item.split(/=(.*)/s);
    try {
      parts[key] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  if (!parts.game) return null;
  const players = (parts.players ?? "").split(",");
  return {
    spec: parts.game,
    start: parts.start || null,
    moves: (parts.moves ?? "").split(",").filter(Boolean),
    players: players.length === 2 ? players.map((name) => name || PERSON) : [PERSON, PERSON],
  };
}
