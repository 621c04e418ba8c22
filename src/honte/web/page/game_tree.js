// A game with its variations: nodes that know their parent. The first child of a node continues its
// line, the others are variations. Marks lie on cells named "row/column", counted from the top left.

export const SHAPES = ["circle", "square", "triangle", "cross"];

/** A node after `parent`: reached by a move, or by setting up the position `setup`. */
export function node(parent = null, { move = null, setup = null, comment = "", marks = {}, labels = {}, other = {} } = {}) {
  return { parent, move, setup, comment, marks: { ...marks }, labels: { ...labels }, other: { ...other }, children: [], state: null };
}

/** Add a node under `parent`: in front, as the continuation, or as a variation. */
export function grow(parent, fields, { first = false } = {}) {
  const child = node(parent, fields);
  parent.children[first ? "unshift" : "push"](child);
  return child;
}

export function detach(child) {
  const { children } = child.parent;
  const place = children.indexOf(child);
  if (place >= 0) children.splice(place, 1);
  return place;
}

export function attach(child, place) {
  child.parent.children.splice(place, 0, child);
}

/** Make a node the main continuation of its parent. */
export function prefer(child) {
  if (child.parent.children[0] === child) return;
  detach(child);
  attach(child, 0);
}

/** The path to a node, without the root. */
export function lineTo(last) {
  const line = [];
  for (let one = last; one.parent; one = one.parent) line.push(one);
  return line.reverse();
}

/** The continuation of the line after a node. */
export function onwards(from) {
  const line = [];
  for (let [one] = from.children; one; [one] = one.children) line.push(one);
  return line;
}

export const isAnnotated = ({ comment, marks, labels, other }) =>
  Boolean(comment) || [marks, labels, other].some((map) => Object.keys(map).length > 0);

/** All nodes, parents before children. */
export function* walk(root) {
  const todo = [root];
  while (todo.length) {
    const one = todo.pop();
    yield one;
    for (let i = one.children.length - 1; i >= 0; i--) todo.push(one.children[i]);
  }
}

export const size = (root) => [...walk(root)].length;

/** Whether the tree is just a line of moves. */
export const isPlain = (root) => [...walk(root)].every((one) => one.children.length < 2 && !one.setup && !isAnnotated(one));

/** The tree as a list for the wire and the store: each node has the index of its parent. */
export function toNodes(root) {
  const places = new Map([[root.parent, -1]]);
  const list = [];
  for (const one of walk(root)) {
    places.set(one, list.length);
    const kept = { parent: places.get(one.parent) };
    for (const key of ["move", "setup", "comment"]) if (one[key]) kept[key] = one[key];
    for (const key of ["marks", "labels", "other"]) if (Object.keys(one[key]).length) kept[key] = one[key];
    list.push(kept);
  }
  return list;
}

export function fromNodes(list) {
  const made = [];
  for (const fields of list) {
    const parent = made[fields.parent] ?? null;
    made.push(parent ? grow(parent, fields) : node(null, fields));
  }
  return made[0] ?? node();
}

/** The tree of a game without variations. */
export function fromMoves(moves, comments = {}) {
  const root = node(null, { comment: comments[0] ?? "" });
  let at = root;
  moves.forEach((move, i) => (at = grow(at, { move, comment: comments[i + 1] ?? "" })));
  return root;
}

// ---- as text, for links; the server writes and reads the same: honte.core.variations --------------

const escaped = (text, end) => text.replaceAll("\\", "\\\\").replaceAll(end, `\\${end}`);
const plain = (text) => text.replace(/\\(.)/gs, "$1");
const inOrder = (a, b) => {
  const [[r, c], [row, col]] = [a, b].map((cell) => cell.split("/").map(Number));
  return r - row || c - col;
};

function words({ move, setup, comment, marks, labels, other }) {
  const found = setup ? [`[set ${escaped(setup, "]")}]`] : move ? [move] : [];
  if (comment) found.push(`{${escaped(comment, "}")}}`);
  for (const shape of SHAPES) {
    const cells = Object.keys(marks).filter((cell) => marks[cell] === shape).sort(inOrder);
    if (cells.length) found.push(`[${shape} ${cells.join(" ")}]`);
  }
  for (const cell of Object.keys(labels).sort(inOrder)) found.push(`[label ${cell} ${escaped(labels[cell], "]")}]`);
  for (const key of Object.keys(other).sort()) found.push(...other[key].map((value) => `[${key} ${escaped(value, "]")}]`));
  return found;
}

export function write(root) {
  const found = [];
  const todo = [["after", root], ["node", root]];
  while (todo.length) {
    const [what, one] = todo.pop();
    if (what === "node") found.push(...words(one));
    else if (what !== "after") found.push(what);
    else if (one.children.length) {
      const [first, ...others] = one.children;
      const steps = [["node", first], ...others.flatMap((other) => [["("], ["node", other], ["after", other], [")"]]), ["after", first]];
      todo.push(...steps.reverse());
    }
  }
  return found.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
}

const TOKEN = /\{((?:[^\\}]|\\.)*)\}|\[((?:[^\\\]]|\\.)*)\]|([()])|([^\s,(){}[\]]+)|([{}[\]])/gs;

/** Read what `write` wrote; an Error names what is wrong. */
export function read(text) {
  const root = node();
  let at = root;
  const open = [];
  const wrong = (what) => { throw new Error(what); };
  for (const [, comment, mark, bracket, move, stray] of text.matchAll(TOKEN)) {
    if (stray !== undefined) wrong(stray);
    if (comment !== undefined) at.comment += plain(comment);
    else if (move !== undefined) at = grow(at, { move });
    else if (bracket === "(") {
      open.push(at.parent ? at : wrong("("));
      at = at.parent;
    } else if (bracket === ")") at = open.pop() ?? wrong(")");
    else {
      const [, kind, value] = plain(mark).match(/^(\S*) ?(.*)$/s);
      const [, cell, label] = value.match(/^(\S*) ?(.*)$/s);
      if (kind === "set") at = grow(at, { setup: value });
      else if (SHAPES.includes(kind)) for (const one of value.split(" ").filter(Boolean)) at.marks[one] = kind;
      else if (kind === "label") at.labels[cell] = label;
      else if (/^[A-Z]{1,8}$/.test(kind)) (at.other[kind] ??= []).push(value);
      else wrong(kind);
    }
  }
  return open.length ? wrong("(") : root;
}
