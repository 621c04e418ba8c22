// The verdict of a search on a move, in figures and in words: the wording is that of
// honte/drawing/verdict.py; a test keeps the two in step. An exact score is an integer in the game's
// unit, an estimate is marked as one, and a bound is written as a bound, never as a chance.

import { gameText, t } from "./words.js";
import "./words_analysis.js";

const MOVES = "moves"; // the unit of scores in moves to the end: only the sign says who wins
const NONE = 1e9; // JSON has no infinity: from here on there is no bound

/** Format `x` with 0 or 1 digits, rounding half to even as Python does. */
export function fixed(x, digits = 0) {
  const tie = Math.abs(x * (digits ? 4 : 2)) % 2 === 1; // only these are exact ties
  if (!tie) return x.toFixed(digits);
  const scale = 10 ** digits;
  return ((2 * Math.round((x * scale) / 2)) / scale).toFixed(digits);
}

/** A score with its sign: "+3", "−4.2", "0". */
export function scoreText(score, digits = 0) {
  const text = fixed(Math.abs(score), digits);
  if (Number(text) === 0) return "0";
  return (score > 0 ? "+" : "−") + text;
}

/** An exact score: komi has halves. */
export const exactText = (score) => scoreText(score, Number.isInteger(score) ? 0 : 1);

/** The chance to win in per cent. */
export const chanceText = (value) => fixed(100 * ((1 + Math.max(-1, Math.min(1, value))) / 2));

/** The tighter side of a bound, rounded so that it still holds: ["≤", score], ["≥", score] or null. */
function tighter({ bounds }) {
  const [low, high] = bounds ?? [-NONE, NONE];
  if (high <= -low) return high < NONE ? ["≤", Math.ceil(high)] : null;
  return low > -NONE ? ["≥", Math.floor(low)] : null;
}

/** The winner's moves in a game that ends after `plies` plies. */
export const movesIn = (plies) => Math.floor((plies + 1) / 2);

const scored = ({ score }) => Number.isFinite(score);

/** At most five characters, for a cell of the board. */
export function brief(candidate) {
  const { kind, proven, score, distance = 0, value } = candidate;
  if (kind === "exact" && scored(candidate)) return exactText(score);
  if (proven) return distance > 0 && distance < 200 ? `${t(`brief.${proven}`)} ${movesIn(distance)}` : t(`brief.${proven}`);
  if (kind === "bound") return tighter(candidate)?.map((part, i) => (i ? scoreText(part) : part)).join("") ?? "?";
  if (scored(candidate)) return scoreText(score, Math.abs(score) < 9.95 ? 1 : 0);
  return `${chanceText(value)}%`;
}

/** The same in words; `game` is the DESCRIPTOR. `short`: without the score, which is shown beside it. */
export function sentence(candidate, game = {}, { short = false } = {}) {
  const { kind, proven, score, value, low, high, visits } = candidate;
  if (proven) return provenWords(candidate, game);
  if (kind === "bound") {
    const side = tighter(candidate);
    return side ? t(side[0] === "≤" ? "atMost" : "atLeast", { s: scoreText(side[1]) }) : t("notKnown");
  }
  const percent = t("toWin", { p: chanceText(value) });
  if (scored(candidate) && !short) return `${t("about", { s: scoreText(score, 1), unit: unitOf(game) }).trim()}${t("comma")}${percent}`;
  const error = Math.max(1, Number(fixed((100 * (high - low)) / 4)));
  return visits || (!scored(candidate) && (100 * (high - low)) / 4 < 50) ? `${percent}${t("comma")}± ${error}` : percent;
}

/** A margin without its sign. */
const plain = (score) => exactText(score).replace(/^[+−]/, "");

/** The unit of a search's scores. */
export const unitOf = (game) => gameText(game, game.score_unit ?? "");

function provenWords({ proven, score, distance }, game) {
  if (proven === "draw") return t("proven.draw");
  if (game.score_unit && game.score_unit !== MOVES && Number.isFinite(score)) {
    return t(`by.${proven}`, { n: plain(score), unit: unitOf(game) });
  }
  if (!distance) return t(`proven.${proven}`);
  const n = movesIn(distance);
  return t(n === 1 ? `inOne.${proven}` : `in.${proven}`, { n });
}

/** The verdict on a position for the panel: REPORT of the side to move; `side(player)` names a side. */
export function positionWords(report, game, mover, side) {
  if (report.proven === "draw") return t("provenDraw");
  const best = report.candidates?.find(({ move }) => move === report.move) ?? report;
  if (report.proven) {
    const who = side(report.proven === "win" ? mover : 1 - mover);
    const score = best.score ?? report.score;
    if (game.unit && Number.isFinite(score)) return t("provenBy", { who, n: plain(score), unit: gameText(game, game.unit) });
    const n = movesIn(report.distance);
    return t(n > 1 ? "provenIn" : n ? "provenInOne" : "provenForSoon", { who, n });
  }
  if (best.kind === "bound") return `${side(mover)}: ${sentence(best, game)}`;
  const p = Number(chanceText(report.value));
  const words = [[mover, p], [1 - mover, 100 - p]].sort().map(([player, c]) => t("chances", { who: side(player), p: c })).join("  ·  ");
  // An estimate in discs or points, not a proof.
  if (game.unit && Number.isFinite(report.score)) {
    const who = side(report.score >= 0 ? mover : 1 - mover);
    return `${words}\n${t("leads", { who, n: fixed(Math.abs(report.score), 1), unit: gameText(game, game.unit) })}`;
  }
  return words;
}

/** The translated name of a search; one of another package keeps its own name. */
export function sourceName(source = "") {
  const words = t(`source.${source}`);
  return words.startsWith("source.") ? source : words;
}

/** The search behind the numbers, and its size. */
export function sourceWords(report, short) {
  const numbers = report.candidates?.find(({ move }) => move === report.move)?.source || report.source;
  const estimated = numbers === "network" && !report.proven;
  const parts = [estimated ? t("networkEstimate") : sourceName(report.source)];
  if (numbers === "book" && report.source !== "book") parts.unshift(t("numbersFrom", { source: sourceName("book") }));
  if (report.iterations) parts.push(t("simulations", { n: short(report.iterations) }));
  else if (report.nodes) parts.push(t("positions", { n: short(report.nodes) }));
  if (report.depth) parts.push(t("depthOf", { d: report.depth }));
  parts.push(t("secondsOf", { s: report.seconds.toFixed(1) }));
  return parts.join(" · ");
}
