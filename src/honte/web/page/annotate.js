// Comments on a position, and marks on its cells: circle, square, triangle, cross, letters.

import { byId, el, svg } from "./dom.js";
import { SHAPES } from "./game_tree.js";
import { addWords, t } from "./words.js";
import { branches } from "./words_branches.js";

addWords(branches);

const LABEL = "label";
const DRAWN = {
  circle: (r) => svg("circle", { r }),
  square: (r) => svg("rect", { x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8 }),
  triangle: (r) => svg("path", { d: `M0 ${-r * 1.1}L${r} ${r * 0.7}H${-r}Z` }),
  cross: (r) => svg("path", { d: `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}` }),
};

const icon = (tool) => svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
  tool === LABEL ? svg("text", { class: "letter", y: 6, text: "A" }) : DRAWN[tool](7));

/** The first letter that is not yet used in the position. */
function nextLabel(labels) {
  const used = new Set(Object.values(labels));
  const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((one) => !used.has(one));
  let n = 1;
  while (used.has(String(n))) n++;
  return letter ?? String(n);
}

export class Annotate {
  constructor(play) {
    this.play = play;
    this.tool = null; // the mark that a click on the board sets, instead of playing a move
    this.node = null; // the node whose comment is being edited
    this.text = byId("comment-text");
    this.text.addEventListener("input", () => this.write());
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.edit(false);
      byId("comment-edit").focus();
    });
    byId("comment-edit").addEventListener("click", () => this.edit(this.text.hidden));
    this.buttons = [...SHAPES, LABEL].map((tool) => el("button", {
      type: "button", class: "quiet icon", id: `mark-${tool}`, "aria-pressed": "false", onclick: () => this.take(tool),
    }, icon(tool)));
    byId("marks").append(...this.buttons);
  }

  /** Select a tool, or deselect it again. */
  take(tool) {
    this.tool = this.tool === tool ? null : tool;
    this.play.tell("say", { words: this.tool ? t("markHint", { mark: t(`mark.${tool}`) }) : t("markEnd") });
    this.play.tell("show", { animate: false });
  }

  /** Handle a click on the cell "row/column". */
  mark(name) {
    const { node } = this.play.session;
    const [marks, labels] = [{ ...node.marks }, { ...node.labels }];
    if (this.tool === LABEL) {
      if (labels[name]) delete labels[name];
      else labels[name] = nextLabel(labels);
    } else if (marks[name] === this.tool) delete marks[name];
    else marks[name] = this.tool;
    this.play.annotate({ marks, labels });
  }

  edit(on) {
    this.text.hidden = !on;
    this.draw();
    if (on) this.text.focus();
    this.play.tell("show", { animate: false });
  }

  write() {
    this.play.annotate({ comment: this.text.value });
  }

  draw() {
    const { node } = this.play.session;
    const editing = !this.text.hidden;
    byId("comment").hidden = editing || !node.comment;
    byId("comment").textContent = node.comment;
    if (editing && (this.node !== node || this.text.value !== node.comment)) this.text.value = node.comment;
    this.node = node;
    this.text.setAttribute("aria-label", t("commentOn", { n: this.play.session.at }));
    byId("comment-edit").setAttribute("aria-pressed", String(editing));
    this.buttons.forEach((button) => {
      const tool = button.id.slice("mark-".length);
      button.setAttribute("aria-pressed", String(this.tool === tool));
      button.setAttribute("aria-label", t(`mark.${tool}`));
      button.title = t(`mark.${tool}`);
    });
    byId("board").classList.toggle("marking", Boolean(this.tool));
  }

  /** Draw the marks of the position on the board. */
  show(board) {
    const { node, state } = this.play.session;
    const parts = [];
    const place = (name, words, draw) => {
      const [row, col] = name.split("/").map(Number);
      const cell = row * state.cols + col;
      if (row >= state.rows || col >= state.cols || !board.cells[cell]) return;
      const side = { X: 0, O: 1 }[state.cells[cell]];
      const part = svg("g", {
        class: `shape ${side === undefined ? "on-ground" : `on-${board.color(side)}`}`, transform: `translate(${board.x(cell)} ${board.y(cell)})`,
      }, ...draw(side === undefined));
      board.cells[cell].setAttribute("aria-label", `${board.cells[cell].getAttribute("aria-label")}, ${words}`);
      parts.push(part);
    };
    for (const [name, shape] of Object.entries(node.marks)) {
      if (DRAWN[shape]) place(name, t(`mark.${shape}`), () => [DRAWN[shape](24)]);
    }
    for (const [name, label] of Object.entries(node.labels)) {
      const text = svg("text", { class: "letter", y: 15, text: [...label].slice(0, 3).join("") });
      // Lines and holes shine through a letter on an empty cell.
      place(name, t("labelled", { label }), (isEmpty) => (isEmpty && !node.marks[name] ? [svg("circle", { class: "plate", r: 32 }), text] : [text]));
    }
    board.shapes.replaceChildren(...parts);
    // Do not draw the dot of the last move under a mark.
    const last = state.last?.[0] ?? -1;
    const name = `${Math.floor(last / state.cols)}/${last % state.cols}`;
    board.svg.classList.toggle("mark-on-last", name in node.marks || name in node.labels);
  }
}
