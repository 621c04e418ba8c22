// The candidates drawn on the board: plates over the columns if pieces drop, otherwise on the cells
// themselves.

import { svg } from "./dom.js";
import { brief, chanceText, fixed } from "./verdict.js";
import { t } from "./words.js";

const LARGE = 13; // on wider boards there is room for only one figure per cell

/** Whether a move has a number: an unvisited move has none. */
export const seen = ({ visits, kind, proven, score }, counted) =>
  visits > 0 || Boolean(proven) || !counted || kind === "bound" || Number.isFinite(score);

/** Whether a candidate is the best move, or proven to be equally good. */
export const asGood = (candidate, best) =>
  candidate.move === best?.move
  || (candidate.kind === "exact" && best?.kind === "exact" && Number.isFinite(best.score) && candidate.score === best.score);

/** Draw candidates on `board`; `move` is the best one, the first `top` get figures on every board. */
export function chips(board, list, move, top) {
  const counted = list.some(({ visits }) => visits > 0); // alpha-beta and solvers have none
  const known = list.filter((one) => one.cell >= 0 && seen(one, counted));
  const most = Math.max(...known.map(({ visits }) => visits), 1);
  const best = list.find((one) => one.move === move);
  const draw = board.shape === "columns" ? chip : heat;
  return known.map((candidate, i) => {
    const strength = counted ? Math.sqrt(candidate.visits / most) : 1;
    return draw(board, candidate, { best: asGood(candidate, best), told: i < top, strength });
  });
}

function chip(board, candidate, { best }) {
  const [upper, lower] = figures(candidate);
  return svg("g", { class: `chip ${look(candidate, best)}`, "data-move": candidate.move, transform: `translate(${board.x(candidate.cell)} 8)` },
    svg("rect", { x: -47, y: 0, width: 94, height: 80, rx: 16 }),
    svg("text", { y: lower ? 39 : 51, class: big(upper), text: upper }),
    svg("text", { y: 66, class: "small", text: lower }));
}

/** A heat colour on the cell, with figures on the best few, or on all if there is room. */
function heat(board, candidate, { best, told, strength }) {
  const all = told || board.shape === "cells";
  const group = svg("g", {
    class: `heat ${all ? look(candidate, best) : "warmth"}`, "data-move": candidate.move,
    transform: `translate(${board.x(candidate.cell)} ${board.y(candidate.cell)})`,
  });
  const radius = board.shape === "points" ? 46 : 42;
  const plate = svg("circle", { class: "plate", r: all ? radius : 12 + (radius - 12) * strength });
  plate.style.opacity = all ? 0.8 + 0.2 * strength : 0.08 + 0.6 * strength;
  group.append(plate);
  if (!all) return group;
  const [upper, lower] = figures(candidate);
  // On a large board only one figure is readable.
  if (board.cols > LARGE) group.append(svg("text", { y: 15, class: "big", text: upper.replace("%", "") }));
  else group.append(svg("text", { y: lower ? 6 : 11, class: big(upper), text: upper }), svg("text", { y: 29, class: "small", text: lower }));
  return group;
}

/** CSS classes of a plate: the kind of its number, the quality of the move, and whether it is the best. */
function look({ kind = "estimate", proven, value }, best) {
  const estimated = value >= 0.1 ? "good" : value <= -0.1 ? "poor" : "even";
  const tone = proven ? { win: "won", loss: "lost", draw: "even" }[proven] : kind === "bound" ? "even" : estimated;
  return `${tone} ${kind}${best ? " best" : ""}`;
}

/** Four or more characters need a smaller font. */
const big = (text) => (text.length > 3 ? "big long" : "big");

/** The two lines of a plate: the number, and its kind. */
export function figures(candidate) {
  const { proven, kind, value, score, visits, low, high } = candidate;
  const upper = brief(candidate);
  if (proven) return [upper, t(`proven.${proven}`)];
  if (kind === "bound") return [upper, ""];
  if (Number.isFinite(score)) return [upper, `≈${chanceText(value)}%`];
  return [upper, visits ? `±${Math.max(1, Number(fixed((100 * (high - low)) / 4)))}` : "≈"];
}
