// The list of moves: the game, with variations indented under the move that they replace.

import { el } from "./dom.js";
import { isAnnotated, size } from "./game_tree.js";
import { scoreText } from "./verdict.js";
import { t } from "./words.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const TOLD = 0.05; // smallest loss shown for a marked move
const MANY = 500; // in larger trees, variations that are not on the board show only their first move
const DEEPEST = 6; // maximum depth of indentation

export class MoveList {
  constructor(list, play) {
    Object.assign(this, { list, play });
    this.buttons = new Map(); // node -> its button
  }

  /** `marks`: ply -> the review's mark of that move of the game; `costs`: ply -> its loss in the game's unit. */
  draw(marks, costs = new Map()) {
    const { session } = this.play;
    this.folds = size(session.root) > MANY;
    const line = this.folds ? session.line.length && session.key(session.line.length) : "";
    const shape = JSON.stringify([session.id, session.version, session.played, line, [...marks], [...costs], t("moves")]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(marks, costs);
    }
    this.follow();
  }

  build(marks, costs) {
    const { session } = this.play;
    const { mainLine } = session;
    this.buttons.clear();
    this.onBoard = new Set(session.line);
    const items = mainLine.flatMap((node, i) => [
      el("li", {}, this.button(node, i + 1, marks.get(i + 1), costs.get(i + 1))),
      ...this.sides(node.parent.children.filter((one) => one !== node), i + 1),
    ]);
    const end = mainLine.at(-1) ?? session.root;
    items.push(...this.sides(end.children, mainLine.length + 1));
    if (!items.length) items.push(el("li", { class: "faint", text: t("noMoves") }));
    this.list.replaceChildren(...items);
  }

  /** Variations of one move, each with those inside it. */
  sides(nodes, ply, depth = 1) {
    return nodes.map((node) => {
      const item = el("li", { class: `side deep-${Math.min(depth, DEEPEST)}` });
      this.fill(item, node, ply, depth);
      return item;
    });
  }

  /** A variation from its first move to its last; `todo` replaces recursion, as nesting can be deep. */
  fill(item, first, ply, depth) {
    const todo = [{ place: item, first, ply, depth }];
    while (todo.length) {
      const part = todo.pop();
      const list = el("ol", { "aria-label": t("variationAt", { n: part.ply }) });
      part.place.append(list);
      let number = part.ply;
      for (let node = part.first; node; [node] = node.children, number++) {
        list.append(el("li", {}, this.button(node, number)));
        if (this.folds && !this.onBoard.has(node)) {
          if (node.children.length) list.append(el("li", { class: "faint", text: "…" }));
          break;
        }
        const others = node === part.first ? [] : node.parent.children.slice(1);
        for (const other of others) {
          const inner = el("li", { class: `side deep-${Math.min(part.depth + 1, DEEPEST)}` });
          (part.depth < DEEPEST ? list : item).append(inner);
          todo.push({ place: inner, first: other, ply: number, depth: part.depth + 1 });
        }
      }
    }
  }

  button(node, ply, mark, cost = 0) {
    const { session } = this.play;
    const mover = node.parent.state?.to_move ?? (node.state ? 1 - node.state.to_move : this.moverAt(ply));
    const said = isAnnotated(node);
    const words = node.setup ? t("setUp") : node.move;
    const button = el("button", { class: mark ?? "", title: mark ? t(mark) : null, onclick: () => this.play.visit(node) },
      el("span", { class: "no", text: ply }), el("span", { class: `token ${session.game.sides[mover].color}` }), `${words}${mark ? SIGNS[mark] : ""}`,
      mark && cost >= TOLD ? el("span", { class: "lost", text: scoreText(-cost, 1) }) : null,
      said ? el("span", { class: "said", title: t("annotated"), text: "•" }, el("span", { class: "unseen", text: t("annotated") })) : null);
    this.buttons.set(node, button);
    return button;
  }

  /** The side of a move whose position has not arrived yet. */
  moverAt(ply) {
    return ((this.play.session.root.state?.to_move ?? 0) + ply - 1) % 2;
  }

  /** Mark the move on the board and bring it into view. */
  follow() {
    const { list } = this;
    const here = this.buttons.get(this.play.session.node);
    for (const old of list.querySelectorAll("[aria-current]")) if (old !== here) old.removeAttribute("aria-current");
    if (!here) {
      list.scrollTop = 0;
      return;
    }
    here.setAttribute("aria-current", "true");
    // Scroll only the list: on a phone the page itself must keep the board in view.
    const [inside, outside] = [here.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += inside.top - outside.top - (list.clientHeight - inside.height) / 2;
  }
}
