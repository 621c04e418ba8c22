// The page's model of a game: rules, the tree of moves, players. The server keeps no games, so a
// reload, a link and a restarted server continue from this. It is stored in the URL and in the browser.

import { PERSON, readAddress, writeAddress } from "./address.js";
import { memory } from "./dom.js";
import * as tree from "./game_tree.js";

const LONGEST_LINK = 30_000; // maximum characters of variations in an address

export class Session {
  constructor(given = {}) {
    this.id = given.id ?? `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    this.spec = given.spec ?? "";
    this.start = given.start ?? null;
    this.game = null; // DESCRIPTOR of the game; it and the STATE of every node come from the server
    this.root = treeOf(given, this);
    const all = tree.onwards(this.root);
    this.played = Math.min(given.played ?? (given.main ?? given).moves?.length ?? all.length, all.length); // moves of the game itself
    this.version = 0; // incremented with every change of the tree
    this.line = this.follow(given.path ?? []); // the nodes of the line on the board, the root left out
    this.at = Math.min(given.at ?? this.line.length, this.line.length); // the ply on the board
    this.redo = (given.redo ?? []).map((one) => tree.fromNodes(typeof one === "string" ? [{ parent: -1, move: one }] : one)); // moves taken back, the next one last
    this.players = given.players ?? [PERSON, PERSON];
    this.names = given.names ?? null; // of a game that was opened,
    this.facts = given.facts ?? {}; // what else its file said,
    this.result = given.result ?? ""; // and how it ended
    this.seconds = given.seconds ?? 1; // an engine's time per move
    this.clock = given.clock ?? null; // {minutes, increment, left: [ms, ms]}
    this.ended = given.ended ?? null; // {winner, reason: "resign" or "time"}
    this.agreed = given.agreed ?? {}; // by the moves so far: the count that both sides agreed on, {winner, score, dead}
    this.values = given.values ?? {}; // by the moves so far: {value for player 0, proven}
    this.notes = given.notes ?? {}; // ply -> the review's remark on that move
    this.paused = given.paused ?? false;
    this.began = given.began ?? Date.now();
    this.review = given.review ?? null; // the side whose turning point the address requests
    this.mine = given.mine ?? false; // played or annotated here, so it belongs in the history
  }

  // ---- the line on the board ---------------------------------------------------------------------

  get moves() {
    return this.line.map(({ move }) => move ?? "+");
  }

  /** The STATE of every ply of the line; some may not have arrived yet. */
  get states() {
    return [this.root.state, ...this.line.map(({ state }) => state)];
  }

  get node() {
    return this.at ? this.line[this.at - 1] : this.root;
  }

  get state() {
    return this.node.state;
  }

  get last() {
    return this.line.at(-1) ?? this.root;
  }

  /** The position on the board at `ply`, as every request names it. */
  position(ply = this.at) {
    const line = this.line.slice(0, ply);
    const from = line.findLastIndex(({ setup }) => setup);
    const start = from < 0 ? this.start : line[from].setup;
    const position = { game: this.spec, moves: line.slice(from + 1).map(({ move }) => move) };
    return start ? { ...position, start } : position;
  }

  key(ply = this.at) {
    return keyOf(this.line.slice(0, ply));
  }

  /** The agreed count of the game itself, whatever is on the board; null if there is none. */
  get agreement() {
    return this.agreed[keyOf(this.mainLine)] ?? null;
  }

  /** The nodes of the game itself. */
  get mainLine() {
    return tree.onwards(this.root).slice(0, this.played);
  }

  /** null while the game itself is on the board; {from: ply} where a variation leaves it. */
  get main() {
    let [at, from] = [this.root, 0];
    while (from < this.played && from < this.line.length && at.children[0] === this.line[from]) at = this.line[from++];
    return from === this.line.length && from === this.played ? null : { from };
  }

  /** Whether the game on the board is in progress, so that clocks run and engines move. */
  get live() {
    const { state } = this.last;
    return Boolean(state) && !state.over && !this.ended && !this.main;
  }

  isEngine(side) {
    return this.players[side] !== PERSON;
  }

  get withPerson() {
    return this.players.includes(PERSON);
  }

  // ---- changes of the tree -----------------------------------------------------------------------

  /** The line through a node: the game itself, or a variation to its end. */
  lineThrough(one) {
    const { mainLine } = this;
    return one === this.root || mainLine.includes(one) ? mainLine : [...tree.lineTo(one), ...tree.onwards(one)];
  }

  /** Show a node on the board, with the line through it. */
  show(one, line = this.lineThrough(one)) {
    this.line = line;
    this.at = line.indexOf(one) + 1;
  }

  /** Add a move after the position on the board: to the game at its end, else as a variation. */
  add(move) {
    const parent = this.node;
    const isMain = this.at === this.line.length && !this.main && !this.ended;
    if (isMain) {
      this.forgetRedo();
      this.forgetNotes(this.at + (this.notes[this.at + 1]?.move === move ? 1 : 0));
    }
    const known = parent.children.find((one) => one.move === move);
    const one = known ?? tree.grow(parent, { move }, { first: isMain });
    if (isMain) {
      tree.prefer(one);
      this.played++;
    }
    this.line = [...this.line.slice(0, this.at), one];
    this.at++;
    this.version++;
    return one;
  }

  /** Remove the last move of the line. */
  drop() {
    const one = this.last;
    delete this.agreed[this.key(this.line.length)]; // it may be reached again, and counted anew
    if (!this.main) this.played--;
    tree.detach(one);
    this.line = this.line.slice(0, -1);
    this.at = Math.min(this.at, this.line.length);
    this.version++;
    return one;
  }

  /** Take the last move of the game back; `restore` undoes that. */
  takeBack() {
    this.redo.push(this.drop());
  }

  /** Replay the move that was taken back last. */
  restore() {
    const one = this.redo.pop();
    one.parent = this.last;
    tree.attach(one, 0);
    this.line = [...this.line, one];
    this.played++;
    this.version++;
  }

  /** Drop the moves taken back when the game takes another course, unless they have variations, comments or marks. */
  forgetRedo() {
    const chain = this.redo.reverse();
    this.redo = [];
    if (!chain.some((one) => one.children.length || tree.isAnnotated(one))) return;
    let parent = this.last;
    for (const one of chain) {
      one.parent = parent;
      tree.attach(one, parent === this.last ? parent.children.length : 0);
      parent = one;
    }
  }

  /** Drop the review's remarks on the moves after `ply`, which the game has replaced. */
  forgetNotes(ply) {
    const all = Object.entries(this.notes);
    const kept = all.filter(([other]) => other <= ply);
    if (kept.length < all.length) this.notes = Object.fromEntries(kept); // a new object: the page renews the review
  }

  /** Delete the move on the board and all that follows; returns the argument of `undelete`. */
  delete() {
    const one = this.node;
    const place = tree.detach(one);
    this.show(one.parent);
    this.version++;
    return { one, place };
  }

  undelete({ one, place }) {
    tree.attach(one, place);
    this.version++;
    this.show(one);
  }

  /** Promote the variation on the board before its siblings; directly off the game, it becomes the game. */
  promote() {
    const { from } = this.main;
    const at = this.line.findLastIndex((one) => one.parent.children[0] !== one);
    if (at > from) tree.prefer(this.line[at]);
    else this.become();
    this.version++;
  }

  /** Make the line on the board the game. */
  become() {
    const { from } = this.main;
    this.line.forEach(tree.prefer);
    // A set-up position ends the game itself: see honte/core/variations.py.
    const set = this.line.findIndex(({ setup }) => setup);
    this.played = set < 0 ? this.line.length : set;
    const notes = Object.entries(this.notes).filter(([ply]) => ply <= from);
    Object.assign(this, { redo: [], ended: null, names: null, result: "", notes: Object.fromEntries(notes) });
    this.version++;
  }

  // ---- store and link ------------------------------------------------------------------------------

  /** Everything, for this browser's store. */
  stored() {
    const { id, spec, start, played, at, players, names, facts, result, seconds, clock, ended, agreed, values, notes, paused, began, mine } = this;
    const path = this.line.map((one) => one.parent.children.indexOf(one));
    const redo = this.redo.map(tree.toNodes);
    return { id, spec, start, nodes: tree.toNodes(this.root), played, path: this.main ? path : [], at, redo, players, names, facts, result,
      seconds, clock, ended, agreed, values, notes, paused, began, mine };
  }

  save() {
    memory.set("session", this.stored());
    const address = this.address();
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  /** The line through these child indices, one after the other; else the game itself. */
  follow(path) {
    let at = this.root;
    const line = [];
    for (const place of path) {
      if (!at.children[place]) break;
      at = at.children[place];
      line.push(at);
    }
    return line.length ? line : this.mainLine;
  }

  /** The game with its variations as text, "" if the moves alone suffice. */
  get text() {
    if (this.written?.version !== this.version) {
      const whole = tree.isPlain(this.root) ? "" : tree.write(this.root);
      this.written = { version: this.version, whole };
    }
    return this.written.whole;
  }

  /** Whether the variations are too long for a link. */
  get tooLong() {
    return this.text.length > LONGEST_LINK;
  }

  /** The fragment of a link to this game. */
  address() {
    return writeAddress({
      game: this.spec,
      moves: this.mainLine.map(({ move }) => move).join(","),
      start: this.start,
      players: this.players.some((player) => player !== PERSON) ? this.players.join(",") : "",
      tree: this.tooLong ? "" : this.text,
    });
  }

  /** The fields of a request that exports this game. */
  record() {
    const { spec, start, names, players, result, ended, agreement, facts } = this;
    const told = players.map((player, side) => names?.[side] || (player === PERSON ? "" : player));
    return {
      game: spec, ...(start ? { start } : {}), moves: this.mainLine.map(({ move }) => move), nodes: tree.toNodes(this.root),
      players: told, result, facts, ...(ended ? { ended: { winner: ended.winner, reason: ended.reason } } : {}),
      ...(agreement ? { score: agreement.score } : {}),
    };
  }

  /** The session of the address, or the last one of this browser; null if there is neither. */
  static restore() {
    const kept = memory.get("session");
    const asked = readAddress(location.hash);
    try {
      if (!asked) return kept ? new Session(kept) : null;
      const same = kept && new Session(kept).address() === new Session(asked).address();
      return new Session(same ? { ...kept, review: asked.review } : asked);
    } catch {
      return null; // stored by an older version of the page
    }
  }
}

const keyOf = (line) => line.map(({ setup, move }) => setup ?? move).join(",");

/** The tree for a new session; its errors are reported when the game begins. */
function treeOf(given, session) {
  if (given.nodes?.length) return tree.fromNodes(given.nodes);
  if (!given.tree) return tree.fromMoves(given.main?.moves ?? given.moves ?? [], given.comments);
  try {
    return tree.read(given.tree);
  } catch (error) {
    session.fault = error.message;
    return tree.fromMoves(given.moves ?? []);
  }
}
