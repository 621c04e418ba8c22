// The table of candidates beside the board.
//   drawCandidates(element, {report, format, onShow, onPick, most})
//   report: REPORT or null; format(move) -> text; onShow(pv or null): the pointer or the focus is on a
//   move whose line is pv; onPick(move): somebody clicked it or pressed Enter; most: how many rows
// Calling it again moves the numbers of the rows that are there: no flicker, the focus stays.

import { el, svg } from "./dom.js";
import { arrange, signed, whole } from "./figures.js";
import { percent, short } from "./numbers.js";
import { t } from "./words.js";

const tables = new WeakMap();

export function drawCandidates(element, given) {
  let table = tables.get(element);
  if (!table) tables.set(element, (table = new Table(element)));
  table.take(given);
}

/** "win", "loss" or "draw" with its sign, so that it does not hang on colour. */
export function proof(proven, distance, { brief = false } = {}) {
  const sign = { win: "✓", loss: "✗", draw: "=" }[proven];
  const far = distance ? ` ${distance}` : "";
  const word = t(`proven.${proven}`);
  return brief && far
    ? el("span", { class: `proof ${proven}`, title: `${t("proven")}: ${word}${far}` }, `${sign}${far}`)
    : el("span", { class: `proof ${proven}`, title: t("proven") }, `${sign} ${word}${far}`);
}

/** Where the value lies with 95 % confidence: a bar from low to high, a tick at the value. */
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

  take({ report, format = (move) => move, onShow, onPick, most = 12 }) {
    const list = (report?.candidates ?? []).slice(0, most);
    this.empty.textContent = list.length ? "" : t("candidates.none");
    this.table.hidden = !list.length;
    this.caption.textContent = t("candidates.caption");
    const scored = list.some((one) => Number.isFinite(one.score));
    // Alpha-beta counts no visits and knows no interval.
    const counted = list.some((one) => one.visits > 0);
    const names = ["move", ...(counted ? ["visits"] : []), "chance", ...(counted ? ["interval"] : []), ...(scored ? ["score"] : [])];
    this.head.replaceChildren(...names.map((name) => el("th", { scope: "col", class: name }, t(`candidates.${name}`))));
    const most_visits = Math.max(1, ...list.map((one) => one.visits));
    list.forEach((one, place) => {
      let row = this.rows.get(one.move);
      if (!row) this.rows.set(one.move, (row = this.row(one.move)));
      row.pv = place === 0 && report.pv?.length ? report.pv : (one.pv ?? [one.move]);
      row.calls = { onShow, onPick };
      row.line.classList.toggle("best", place === 0);
      row.line.setAttribute("aria-label", `${format(one.move)}, ${counted ? `${whole(one.visits)} ${t("candidates.visits")}, ` : ""}${one.proven ? t(`proven.${one.proven}`) : percent(one.value)}`);
      row.move.textContent = format(one.move);
      row.count.textContent = short(one.visits);
      row.bar.style.width = `${(100 * one.visits) / most_visits}%`;
      row.value.replaceChildren(one.proven ? proof(one.proven, one.distance) : percent(one.value));
      row.value.title = signed(one.value);
      row.range.replaceChildren(one.proven ? "" : range(one.low, one.value, one.high));
      row.range.title = one.proven ? "" : `${percent(one.low)} – ${percent(one.high)}`;
      row.visits.hidden = row.range.hidden = !counted;
      row.score.hidden = !scored;
      row.score.textContent = Number.isFinite(one.score) ? signed(one.score, 1) : "";
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
      value: el("td", { class: "chance" }),
      range: el("td", { class: "interval" }),
      score: el("td", { class: "score" }),
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
      row.visits, row.value, row.range, row.score,
    );
    row.visits.append(el("span", { class: "track" }, row.bar), row.count);
    return row;
  }
}
