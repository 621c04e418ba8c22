// The table of candidates beside the board.
//   drawCandidates(element, {report, game, format, onShow, onPick, most})
//   report: REPORT or null; game: DESCRIPTOR; format(move) -> text; onShow(pv or null): pointer or focus is on a move
//   whose line is pv, [cell, text] each; onPick(move): it was clicked or chosen by Enter; most: maximum number of rows,
//   ignored if there are at most ALL.
// Calling it again moves the numbers of the rows that are there: no flicker, the focus stays.

import { lineOf } from "./cells.js";
import { el, svg } from "./dom.js";
import { asGood, seen } from "./chips.js";
import { arrange, whole } from "./figures.js";
import { percent, short } from "./numbers.js";
import { brief, chanceText, scoreText, sentence } from "./verdict.js";
import { t } from "./words.js";

const ALL = 12;
const tables = new WeakMap();

export function drawCandidates(element, given) {
  let table = tables.get(element);
  if (!table) tables.set(element, (table = new Table(element)));
  table.take(given);
}

/** How much lower a candidate's score is than the best move's, by estimates. */
function lostText(one, best) {
  if (one.move === best.move || !Number.isFinite(one.score) || one.score >= best.score) return "";
  return scoreText(one.score - best.score, Number.isInteger(one.score) && Number.isInteger(best.score) ? 0 : 1);
}

/** The 95 % confidence interval: a bar from low to high, a tick at the value. */
function range(low, value, high) {
  const x = (v) => (Math.max(-1, Math.min(1, v)) + 1) * 50;
  return svg(
    "svg",
    { class: "range", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "axis", d: "M0 6H100M50 2V10" }),
    svg("rect", { class: "span", x: x(low), y: 3.5, width: Math.max(1.5, x(high) - x(low)), height: 5 }),
    svg("rect", { class: "tick", x: x(value) - 1, y: 1, width: 2, height: 10 }),
  );
}

class Table {
  constructor(element) {
    this.rows = new Map();
    this.head = el("tr");
    this.body = el("tbody");
    this.caption = el("caption", { class: "unseen" });
    this.empty = el("p", { class: "candidates-empty" });
    this.table = el("table", { class: "candidates" }, this.caption, el("thead", {}, this.head), this.body);
    element.replaceChildren(this.table, this.empty);
  }

  take({ report, game = {}, format = (move) => move, onShow, onPick, most = ALL }) {
    const all = report?.candidates ?? [];
    const list = all.slice(0, all.length > ALL ? most : ALL);
    this.empty.textContent = list.length ? "" : t("candidates.none");
    this.table.hidden = !list.length;
    this.caption.textContent = t("candidates.caption");
    // Alpha-beta and solvers have neither visits nor intervals.
    const counted = list.some((one) => one.visits > 0);
    const scored = list.some((one) => Number.isFinite(one.score) || one.bounds);
    const ranged = counted && !scored; // if there is room
    const top = all.find((one) => one.move === report.move) ?? all[0];
    // The loss in discs or points; differences of scores in moves to the end are not a loss.
    const lossy = scored && Boolean(game.unit) && Number.isFinite(top?.score);
    const names = ["move", ...(scored ? ["score"] : []), ...(lossy ? ["lost"] : []), "verdict", ...(counted ? ["visits"] : []), ...(ranged ? ["interval"] : [])];
    this.head.replaceChildren(...names.map((name) => el("th", { scope: "col", class: name }, t(`candidates.${name}`))));
    const most_visits = Math.max(1, ...list.map((one) => one.visits));
    list.forEach((one, place) => {
      let row = this.rows.get(one.move);
      if (!row) this.rows.set(one.move, (row = this.row(one.move)));
      const known = seen(one, counted);
      const words = known ? sentence(one, game) : t("candidates.unseen");
      row.pv = place === 0 && report.pv_cells?.length ? lineOf(report) : one.pv_cells ? lineOf(one) : [[one.cell, one.move]];
      row.calls = { onShow, onPick };
      row.line.classList.toggle("best", asGood(one, top));
      row.line.setAttribute("aria-label", `${format(one.move)}, ${words}${counted ? `, ${whole(one.visits)} ${t("candidates.visits")}` : ""}`);
      row.line.title = words;
      row.move.textContent = format(one.move);
      row.score.hidden = !scored;
      row.score.className = `score ${one.kind ?? "estimate"}`;
      row.score.textContent = known && scored ? brief(one) : "";
      row.lost.hidden = !lossy;
      row.lost.title = t("candidates.lostMeans");
      row.lost.textContent = lossy && known ? lostText(one, top) : "";
      row.verdict.className = `verdict-cell ${one.kind ?? "estimate"} ${one.proven ?? ""}`;
      // Beside score, loss and visits there is only room for the chance.
      const full = known ? sentence(one, game, { short: scored }) : "–";
      const alone = lossy && counted && known && !one.proven && one.kind !== "bound";
      row.verdict.textContent = alone ? `${chanceText(one.value)}\u202f%` : full;
      row.visits.hidden = !counted;
      row.count.textContent = short(one.visits);
      row.bar.style.width = `${(100 * one.visits) / most_visits}%`;
      row.range.hidden = !ranged;
      const spread = known && !one.proven && one.kind !== "bound";
      row.range.replaceChildren(spread ? range(one.low, one.value, one.high) : "");
      row.range.title = spread ? `${percent(one.low)} – ${percent(one.high)}` : "";
    });
    const moves = list.map((one) => one.move);
    for (const move of [...this.rows.keys()]) if (!moves.includes(move)) this.rows.delete(move);
    arrange(this.body, moves.map((move) => this.rows.get(move).line));
  }

  row(move) {
    const row = {
      move: el("th", { scope: "row", class: "move" }),
      count: el("span", { class: "count" }),
      bar: el("span", { class: "fill" }),
      visits: el("td", { class: "visits" }),
      verdict: el("td", {}),
      range: el("td", { class: "interval" }),
      score: el("td", { class: "score" }),
      lost: el("td", { class: "lost" }),
    };
    const show = () => row.calls.onShow?.(row.pv);
    const hide = () => row.calls.onShow?.(null);
    const pick = () => row.calls.onPick?.(move);
    row.line = el(
      "tr",
      {
        tabindex: 0, onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: pick,
        onkeydown: (event) => {
          const next = { ArrowDown: row.line.nextElementSibling, ArrowUp: row.line.previousElementSibling }[event.key];
          if (next) next.focus();
          else if (event.key === "Enter") pick();
          else return;
          event.preventDefault();
          event.stopPropagation();
        },
      },
      row.move,
      row.score, row.lost, row.verdict, row.visits, row.range,
    );
    row.visits.append(el("span", { class: "track" }, row.bar), row.count);
    return row;
  }
}
