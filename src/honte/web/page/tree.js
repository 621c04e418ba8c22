// The search tree as a picture, opened node by node.
//   const tree = openTree(element, {fetch, format, toMove, game, position, step})
//   fetch(path) -> Promise<{node: {visits, value, source}, children: [CANDIDATE], more}>, path a list of moves
//   format(move) -> text (default: the move); toMove: who moves at the root, 0 or 1, for the colours
//   game: DESCRIPTOR; position(path) -> Promise<STATE>: to draw the node under the pointer or the focus
//   step(n) -> Promise: n more simulations of a paused search, if it counts them
//   tree.refresh() asks again for every open node (while the search goes on); tree.redraw() after a
//   change of language; tree.select(path); tree.close()
// Root at the left; every column fills up from the top, the most visited child first, so the
// principal line runs straight along the top. The width of an edge is its share of all simulations. Beside it are the
// UCT scores: for each sibling its value plus its exploration term; the next simulation takes the longest.
// A solver and alpha-beta count no simulations: their nodes say what is proven, or bounded, or estimated.

import { Board } from "./board.js";
import { calm, el, svg } from "./dom.js";
import { arrange, onWidth, signed, whole } from "./figures.js";
import { percent, short } from "./numbers.js";
import { brief, sentence, sourceName } from "./verdict.js";
import { t } from "./words.js";

const FEW = 5; // children shown before "… n more"
const NODE = { width: 134, height: 40, across: 186, down: 48 };
const NARROW = 560;

/** PUCT: a policy or a network gives the move a probability, and a new move first-play urgency. */
const byPolicy = (child) => Number.isFinite(child.prior);

/** The UCB1 or PUCT score of one child, and the c of its exploration term. */
export function weigh(child, parentVisits) {
  const share = child.rave_share ?? 0;
  const value = (1 - share) * child.value + share * (child.amaf_value ?? 0);
  const exploration = child.exploration ?? 0;
  const root = byPolicy(child)
    ? (child.prior * Math.sqrt(Math.max(parentVisits, 1))) / (1 + child.visits)
    : Math.sqrt((2 * Math.log(Math.max(parentVisits, 1))) / Math.max(child.visits, 1));
  const c = root > 0 ? exploration / root : 0;
  return { share, value, exploration, sum: value + exploration, c };
}

/** The child of the next simulation; a move proven lost is not tried again. */
export function nextChild(children, parentVisits) {
  const open = children.filter((child) => child.proven !== "loss");
  const fresh = open.find((child) => child.visits === 0 && !byPolicy(child));
  if (fresh) return fresh;
  return open.reduce((best, child) => {
    const sum = weigh(child, parentVisits).sum;
    return !best || sum > best.sum ? { child, sum } : best;
  }, null)?.child;
}

export const openTree = (element, options) => new Tree(element, options);

class Tree {
  constructor(element, { fetch, format = (move) => move, toMove = 0, game = {}, position = null, step = null }) {
    Object.assign(this, { element, fetch, format, toMove, game, position, step });
    this.states = new Map(); // path -> STATE, fetched once
    this.root = { path: [], data: null, children: null, open: false };
    this.selected = this.root;
    this.edges = svg("svg", { class: "tree-edges", "aria-hidden": "true" });
    this.items = el("div", { class: "tree-items", role: "tree" });
    this.view = el("div", { class: "tree-view" }, this.edges, this.items);
    this.card = el("section", { class: "tree-card" });
    this.status = el("p", { class: "tree-status", role: "status" });
    this.legend = el("p", { class: "tree-legend" });
    this.source = el("p", { class: "tree-source" });
    this.stepper = el("button", { type: "button", class: "tree-step", onclick: () => this.one() });
    this.place = el("div", { class: "tree-board", "aria-hidden": "true" });
    this.board = position ? new Board(this.place) : null;
    this.frame = el("div", { class: "tree" },
      el("div", { class: "tree-main" }, el("div", { class: "tree-head" }, this.source, this.stepper), this.view, this.legend, this.status),
      el("div", { class: "tree-side" }, this.place, this.card));
    element.replaceChildren(this.frame);
    this.items.addEventListener("keydown", (event) => this.key(event));
    this.stopWidth = onWidth(element, (width) => {
      this.narrow = width < NARROW;
      this.frame.classList.toggle("narrow", this.narrow);
      this.frame.classList.toggle("beside", width >= 900);
      this.draw();
    });
    this.ready = this.start();
  }

  /** Open the root, its children, and those of the first: enough to show what a tree is. */
  async start() {
    await this.toggle(this.root, true);
    const [first] = this.root.children ?? [];
    if (first && this.opens(first)) await this.toggle(first, true);
  }

  /** Whether the search counts simulations; a solver and alpha-beta do not. */
  get counted() {
    return (this.root.below ?? 0) > 0;
  }

  /** Whether a node can be opened. */
  opens(node) {
    if (node === this.root) return true;
    const { proven, distance, visits } = node.data;
    return !node.leaf && !(proven && distance === 1) && (!this.counted || visits > 1);
  }

  /** Run one more simulation, and show its path as far as it is visible. */
  async one() {
    if (this.stepping) return;
    this.stepping = true;
    try {
      await this.step(0); // the search has paused
      await this.refresh();
      const before = new Map(this.shown.filter((node) => node.data).map((node) => [node, node.data.visits]));
      await this.step(1);
      await this.refresh();
      const way = this.shown.filter((node) => before.has(node) && node.data.visits > before.get(node)).sort((a, b) => a.depth - b.depth);
      for (const node of this.shown) node.stepped = way.includes(node);
      this.draw();
      const last = way.at(-1);
      this.say(last ? t("tree.went", { path: last.path.map((move) => this.format(move)).join(" ") }) : t("tree.went", { path: "…" }));
    } catch (error) {
      this.say(error.message);
    } finally {
      this.stepping = false;
    }
  }

  /** Draw the position of a node. */
  async look(node) {
    if (!this.board || node.rest) return;
    this.looked = node;
    const path = node.path.join(" ");
    try {
      if (!this.states.has(path)) this.states.set(path, await this.position(node.path));
    } catch {
      return; // keep the picture
    }
    if (this.looked !== node || !this.frame.isConnected) return;
    this.board.draw(this.game, { ...this.states.get(path), legal: [] }, { animate: false, hints: false });
    for (const row of this.board.svg.querySelectorAll("[role=row]")) row.remove();
    this.board.svg.removeAttribute("role");
  }

  close() {
    this.stopWidth();
    this.element.replaceChildren();
  }

  // -- the tree and its server ---------------------------------------------------------

  async load(node) {
    node.asking = !node.children;
    if (node.asking) this.draw();
    try {
      const answer = await this.fetch(node.path);
      const children = answer.children ?? [];
      children.sort((a, b) => b.visits - a.visits);
      const kept = new Map((node.children ?? []).map((child) => [child.data.move, child]));
      node.children = children.map((data) => {
        const child = kept.get(data.move) ?? { path: [...node.path, data.move], parent: node, children: null };
        child.data = data;
        return child;
      });
      node.more = answer.more ?? 0;
      node.below = answer.node?.visits ?? children.reduce((sum, child) => sum + child.visits, 0);
      node.told = answer.node;
      node.leaf = !children.length;
      if (node === this.root && node.leaf) this.say(t("tree.none"));
      else this.say("");
    } catch (error) {
      this.say(error.message);
      if (!node.children) node.open = false;
    }
    node.asking = false;
  }

  async toggle(node, open = !node.open) {
    if (!this.opens(node)) return;
    node.open = open;
    if (open && !node.children) await this.load(node);
    if (node.leaf) node.open = false;
    if (!open && this.below(this.selected, node)) this.selected = node;
    this.draw();
    if (node.open && !this.narrow) this.reveal(node);
  }

  async refresh() {
    const open = (node) => (node.open && node.children ? [node, ...node.children.flatMap(open)] : []);
    for (const node of open(this.root)) if (!node.parent || node.parent.children.includes(node)) await this.load(node);
    this.draw();
  }

  async select(path) {
    let node = this.root;
    for (const move of path) {
      if (!node.open) await this.toggle(node, true);
      const next = node.children?.find((child) => child.data.move === move);
      if (!next) break;
      if (node.children.indexOf(next) >= FEW) node.all = true;
      node = next;
    }
    this.selected = node;
    this.draw();
  }

  /** Scroll the opened nodes into view. */
  reveal(node) {
    const right = (node.depth + 1) * NODE.across + NODE.width + 24;
    const left = Math.max(this.view.scrollLeft, right - this.view.clientWidth);
    this.view.scrollTo({ left, behavior: calm() ? "auto" : "smooth" });
  }

  below(node, other) {
    for (; node; node = node.parent) if (node === other) return true;
    return false;
  }

  say(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // -- navigation ----------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const node = this.selected;
    const at = this.shown.indexOf(node);
    const column = this.narrow ? this.shown : this.shown.filter((other) => other.depth === node.depth);
    const place = column.indexOf(node);
    const act = {
      ArrowDown: () => this.focus(column[place + 1] ?? this.shown[at + 1]),
      ArrowUp: () => this.focus(column[place - 1] ?? this.shown[at - 1]),
      ArrowRight: () => (node.rest || !this.opens(node) ? null : node.open ? this.focus(node.children[0]) : this.toggle(node, true)),
      ArrowLeft: () => (node.open ? this.toggle(node, false) : this.focus(node.parent)),
      Home: () => this.focus(this.shown[0]),
      End: () => this.focus(this.shown.at(-1)),
      Enter: () => this.press(node),
      " ": () => this.press(node),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  focus(node) {
    if (!node) return;
    this.selected = node;
    this.draw();
    node.item?.focus();
    this.look(node);
  }

  press(node) {
    if (!node.rest) return this.toggle(node);
    if (node.rest.all) return null;
    node.rest.all = true;
    this.draw();
    this.focus(node.rest.children[FEW]);
    return null;
  }

  // -- drawing -------------------------------------------------------------------------

  redraw() {
    this.draw();
  }

  /** The visible nodes, parents before children, each with its depth and its row. */
  layout() {
    const shown = [];
    const free = []; // the first row that is free at each depth: columns fill up from the top
    const put = (node, depth, facts) => {
      const row = Math.max(free[depth] ?? 0, node.parent?.row ?? 0);
      free[depth] = row + 1;
      Object.assign(node, { depth, row, ...facts });
      shown.push(node);
    };
    const place = (node, depth, principal, sized) => {
      put(node, depth, { principal, sized });
      if (!node.open || !node.children?.length) return;
      const few = node.all ? node.children : node.children.slice(0, FEW);
      const left = node.children.length - few.length + (node.more ?? 0);
      const size = few.length + (left ? 1 : 0);
      const best = (this.counted && node.children.find((child) => child.data.proven === "win")) || node.children[0];
      few.forEach((child, index) => place(child, depth + 1, principal && child === best, [index + 1, size]));
      if (!left) return;
      node.restItem ??= { rest: node, parent: node, path: [...node.path, "…"] };
      put(node.restItem, depth + 1, { left, sized: [size, size] });
    };
    place(this.root, 0, true, [1, 1]);
    this.rows = Math.max(...free);
    return shown;
  }

  draw() {
    this.shown = this.layout();
    if (!this.shown.includes(this.selected)) this.selected = this.selected.parent ?? this.root;
    this.items.setAttribute("aria-label", t("tree.label"));
    this.legend.textContent = t(this.counted || !this.root.children ? "tree.legend" : "tree.legendPlain");
    this.frame.classList.toggle("uncounted", !this.counted);
    const { source } = this.root.told ?? {};
    this.source.textContent = source === undefined ? "" : t("tree.source", { source: sourceName(source) });
    this.stepper.textContent = t("tree.step");
    this.stepper.hidden = !this.step || !this.counted;
    if (this.board && !this.looked) this.look(this.root);
    const all = Math.max(1, this.root.below ?? 1);
    for (const node of this.shown) {
      node.item ??= this.item(node);
      this.dress(node, all);
    }
    arrange(this.items, this.shown.map((node) => node.item));
    this.drawEdges(all);
    this.drawCard();
  }

  item(node) {
    const pick = () => {
      const again = this.selected === node;
      this.focus(node);
      if (again || !node.open) this.press(node);
    };
    node.parts = {
      piece: el("span", { class: "piece" }),
      move: el("span", { class: "move" }),
      value: el("span", { class: "value" }),
      bar: el("span", { class: "fill" }),
      visits: el("span", { class: "visits" }),
      twist: el("span", { class: "twist" }),
    };
    const { piece, move, value, bar, visits, twist } = node.parts;
    return el(
      "div",
      { class: "tree-node", role: "treeitem", tabindex: -1, onclick: pick, onpointerenter: () => this.look(node), onpointerleave: () => this.look(this.selected) },
      piece, move, value, el("span", { class: "track" }, bar), visits, twist,
    );
  }

  dress(node, all) {
    const { item, parts, data } = node;
    const visits = node === this.root ? all : (data?.visits ?? 0);
    const mover = (this.toMove + node.depth + 1) % 2;
    const next = data && node.parent.coming === data;
    item.className = ["tree-node", node.principal && "principal", node === this.selected && "selected", node.rest && "rest",
      node === this.root && "root", next && "next", node.asking && "asking", node.stepped && "stepped", data?.proven && `proven-${data.proven}`].filter(Boolean).join(" ");
    item.style.left = `${node.depth * NODE.across}px`;
    item.style.top = `${node.row * NODE.down}px`;
    item.style.setProperty("--depth", node.depth);
    item.tabIndex = node === this.selected ? 0 : -1;
    item.setAttribute("aria-level", node.depth + 1);
    item.setAttribute("aria-posinset", node.sized[0]);
    item.setAttribute("aria-setsize", node.sized[1]);
    item.setAttribute("aria-selected", node === this.selected);
    if (node.rest || !this.opens(node)) item.removeAttribute("aria-expanded");
    else item.setAttribute("aria-expanded", Boolean(node.open));
    if (node.rest) {
      item.setAttribute("aria-disabled", Boolean(node.rest.all));
      parts.move.textContent = t("tree.more", { n: node.left });
      item.setAttribute("aria-label", parts.move.textContent);
      return;
    }
    // One of the moves that were not sent may be next: then it is unknown.
    if (node.children) node.coming = node.more || !this.counted ? null : nextChild(node.children.map((child) => child.data), node.below);
    const value = data?.value ?? this.root.told?.value ?? 0;
    const name = data ? this.format(data.move) : t("tree.root");
    parts.piece.className = data ? `piece p${mover}` : "piece none";
    parts.move.textContent = name;
    const told = data ? data : (node.told ?? {});
    const words = this.counted && !told.proven ? signed(value) : data ? brief(data) : this.counted ? t(`proven.${told.proven}`) : "";
    parts.value.textContent = this.counted && !visits ? "–" : words;
    parts.bar.style.width = this.counted ? `${(100 * visits) / all}%` : "0";
    parts.visits.textContent = this.counted ? short(visits) : told.proven ? t(`proven.${told.proven}`) : t(`kind.${told.kind ?? "estimate"}`);
    parts.twist.textContent = !this.opens(node) ? "" : node.open ? "−" : "+";
    item.title = next ? t("tree.next") : "";
    item.setAttribute("aria-label", this.counted
      ? t("tree.item", { move: name, visits: whole(visits), value: data?.proven ? sentence(data, this.game) : signed(value) }) + (next ? `, ${t("tree.next")}` : "")
      : `${name}${data ? `, ${sentence(data, this.game)}` : ""}`);
  }

  drawEdges(all) {
    const width = (Math.max(...this.shown.map((node) => node.depth)) + 1) * NODE.across;
    const height = this.rows * NODE.down;
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    for (const [name, value] of Object.entries(size)) this.edges.setAttribute(name, value);
    this.items.style.width = `${width - (NODE.across - NODE.width)}px`;
    this.items.style.height = `${height - (NODE.down - NODE.height)}px`;
    const lines = this.shown.filter((node) => node.parent).map((node) => {
      const share = !node.data ? 0 : this.counted ? node.data.visits / all : node.principal ? 0.2 : 0.03;
      const x1 = node.parent.depth * NODE.across + NODE.width;
      const y1 = node.parent.row * NODE.down + NODE.height / 2;
      const x2 = node.depth * NODE.across;
      const y2 = node.row * NODE.down + NODE.height / 2;
      const middle = (x1 + x2) / 2;
      const next = node.data && node.parent.coming === node.data;
      return {
        share,
        path: svg("path", {
          class: ["edge", node.principal && "principal", node.rest && "rest", next && "next"].filter(Boolean).join(" "),
          d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
          "stroke-width": (1 + 17 * share).toFixed(2),
        }),
      };
    });
    this.edges.replaceChildren(...lines.sort((a, b) => a.share - b.share).map((line) => line.path));
  }

  drawCard() {
    const node = this.selected.rest ?? this.selected;
    const family = node === this.root ? node : node.parent;
    const list = family.children ?? [];
    if (!list.length) return this.card.replaceChildren();
    const rows = [];
    const fact = (name, ...values) => rows.push(el("div", {}, el("dt", {}, t(name)), el("dd", {}, ...values)));
    if (!this.counted) {
      const { data } = node;
      if (data) fact("candidates.verdict", sentence(data, this.game));
      if (data && (Number.isFinite(data.score) || data.bounds)) fact("candidates.score", brief(data));
      if (data?.kind === "estimate" || !data) fact("kind", t(`kind.${data?.kind ?? node.told?.kind ?? "estimate"}`));
      fact("from", sourceName(data?.source || family.told?.source));
    } else if (node === this.root) {
      fact("tree.visits", whole(node.below));
      if (node.told) fact("tree.value", `${signed(node.told.value)} (${percent(node.told.value)})`);
    } else {
      const { data } = node;
      const found = weigh(data, family.below);
      fact("tree.visits", `${whole(data.visits)} (${((100 * data.visits) / Math.max(1, family.below)).toFixed(1)}\u202f%)`);
      fact("tree.value", `${signed(data.value)} (${percent(data.value)})`);
      if (found.share > 0) {
        fact("tree.amaf", signed(data.amaf_value));
        fact("tree.share", `${(100 * found.share).toFixed(1)}\u202f%`);
        fact("tree.mixed", signed(found.value));
      }
      if (byPolicy(data)) fact("tree.prior", `${(100 * data.prior).toFixed(1)}\u202f%`);
      fact("tree.exploration", signed(found.exploration));
      fact("tree.sum", signed(found.sum));
      if (data.proven) fact("proven", sentence(data, this.game));
    }
    const path = node.path.map((move) => this.format(move)).join(" ");
    this.card.replaceChildren(...[
      el("h3", {}, node === this.root ? t("tree.rootTitle") : t("tree.title", { path })),
      el("dl", {}, ...rows),
      this.counted ? this.formula(node, family) : el("p", { class: "formula words" }, this.words(family.told?.source)),
      ...(this.counted ? [el("h4", {}, t("tree.race")), this.race(node, family)] : []),
      family.more && this.counted ? el("p", { class: "tree-key" }, t("tree.unsure", { n: family.more })) : null,
      !this.counted ? null : el("p", { class: "tree-key" }, el("span", { class: "key value" }), t("tree.keyValue"), el("span", { class: "key more" }), t("tree.keyMore")),
    ].filter(Boolean));
    return null;
  }

  /** Explain the numbers of a search that counts no simulations. */
  words(source) {
    return t(["solver", "book", "alphabeta"].includes(source) ? `tree.words.${source}` : "tree.words");
  }

  /** The formula of UCB1 or PUCT with this node's numbers. */
  formula(node, family) {
    if (node === this.root) {
      return el("p", { class: "formula words" }, t(node.told?.source === "network" ? "tree.networkWords" : "tree.rootWords"));
    }
    const { data } = node;
    const found = weigh(data, family.below);
    const puct = byPolicy(data);
    if (!data.visits && !puct) return el("p", { class: "formula words" }, t("tree.fresh"));
    if (data.proven === "loss") return el("p", { class: "formula words" }, t("tree.lost"));
    // Small priors are rounded: the likeliest move gives the most accurate c.
    const likeliest = puct ? family.children.reduce((a, b) => (b.data.prior > a.data.prior ? b : a)).data : data;
    const { c } = weigh(likeliest, family.below);
    const round = Math.round(c * 100) / 100;
    const known = c > 0.005 && Math.abs(c - round) < 0.004;
    const value = found.share > 0
      ? `(1 − ${found.share.toFixed(2)})·${brackets(data.value)} + ${found.share.toFixed(2)}·${brackets(data.amaf_value)}`
      : plain(data.value);
    const term = !known ? found.exploration.toFixed(3)
      : puct ? `${round}·${data.prior.toFixed(3)}·√${whole(family.below)} / (1 + ${whole(data.visits)})`
        : `${round}·√(2 ln ${whole(family.below)} / ${whole(data.visits)})`;
    return el(
      "p", { class: "formula" },
      el("span", { class: "general" }, t(!known ? "tree.other" : puct ? "tree.puct" : "tree.ucb1")),
      el("span", {}, `${value} + ${term}`),
      el("span", {}, `= ${plain(found.value, 3)} + ${found.exploration.toFixed(3)} = `, el("b", {}, plain(found.sum, 3))),
    );
  }

  /** Bars of value plus exploration for all siblings. */
  race(node, family) {
    const counts = (data) => (data.visits > 0 || byPolicy(data)) && data.proven !== "loss";
    const list = family.children.map((child) => ({ child, ...weigh(child.data, family.below) }));
    const few = list.slice(0, 8);
    const chosen = list.find((one) => one.child === node);
    if (chosen && !few.includes(chosen)) few.push(chosen);
    const coming = list.find((one) => one.child.data === family.coming);
    if (coming && !few.includes(coming)) few.push(coming);
    const tried = few.filter((one) => counts(one.child.data));
    const low = Math.min(0, ...tried.map((one) => one.value)) - 0.05;
    const high = Math.max(low + 0.1, ...tried.map((one) => one.sum));
    const x = (value) => (100 * (Math.max(low, value) - low)) / (high - low);
    const lines = few.map((one) => {
      const { child } = one;
      const open = counts(child.data);
      const [value, more] = [el("span", { class: "part value" }), el("span", { class: "part more" })];
      value.style.width = `${open ? x(one.value) : 0}%`;
      more.style.width = `${open ? x(one.sum) - x(one.value) : 0}%`;
      const end = child.data.proven === "loss" ? t("proven.loss") : open ? signed(one.sum) : "∞";
      return el(
        "li", { class: [child === node && "this", child.data === family.coming && "next"].filter(Boolean).join(" ") },
        el("span", { class: "move" }, this.format(child.data.move)),
        el("span", { class: "bars" }, value, more),
        el("span", { class: "sum" }, end),
        el("span", { class: "arrow", title: t("tree.next") }, child.data === family.coming ? "◀" : ""),
      );
    });
    return el("ol", { class: "race" }, ...lines);
  }
}

const plain = (x, digits = 2) => x.toFixed(digits).replace("-", "−");
const brackets = (x) => (x < 0 ? `(${plain(x)})` : plain(x));
