// The cost of a move in the game's own measure, and why another was better, in words. `part` is a
// remark of the review; see honte/web/reviewing.py.

import { chanceText, exactText, fixed, movesIn, scoreText } from "./verdict.js";
import { gameText, t } from "./words.js";

/** "draw → loss", "win in 5 → win in 9", "−4 discs", "≈ −3.2 points, −12 %": only estimates get a percentage.
 *  The wording is that of honte/analysis/words.py; a test keeps the two in step. */
export function costWords(part, game, mover) {
  const { proven: best, played_proven: played, best_score: from, score: to } = part;
  if (best && played && best === played && best !== "draw" && !game.unit) {
    const soon = (plies) => (plies ? t(`soon.${best}`, { n: movesIn(plies) }) : t(`proven.${best}`));
    return `${soon(part.best_distance)} → ${soon(part.distance)}`;
  }
  if (best && played && best !== played) return `${t(`proven.${best}`)} → ${t(`proven.${played}`)}`;
  const sign = mover === 0 ? 1 : -1;
  if (game.unit && Number.isFinite(from) && Number.isFinite(to) && to < from) {
    const unit = gameText(game, game.unit);
    if (part.exact) return `${exactText(to - from)} ${unit}`;
    const chances = best || played ? 0 : chanceText(sign * part.value) - chanceText(sign * part.after);
    const beside = chances > 0 ? `${t("comma")}−${chances}\u202f%` : "";
    return `≈ ${scoreText(to - from, 1)} ${unit}${beside}`;
  }
  const word = (proven, value) => (proven ? t(`proven.${proven}`) : `${chanceText(sign * value)}\u202f%`);
  if (best || played) return `${word(best, part.value)} → ${word(played, part.after)}`;
  return `≈ −${fixed(part.cost * 50)}\u202f%`;
}

/** A reason that the position proves, in the user's language. */
export function reasonWords(reason, game) {
  const text = gameText(game, reason.text);
  // Sentences common to all games are in the page's own phrases.
  return t(text, reason.gaps);
}
