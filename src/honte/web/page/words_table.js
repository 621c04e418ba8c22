// The phrases of playing: previews, pauses, passes, counting, help, pictures.

import { addWords } from "./words.js";

const en = {
  playHere: "Play here", previewed: "{move}: tap again to play there.",
  paused: "Paused after {n} s.",
  passedBoard: "{who} passed",
  count: "Count", counting: "Both passed. The engine looks for dead pieces …",
  deadHint: "Both passed. The engine has marked the dead pieces; click on a group to correct it.",
  agreedHint: "The result follows from the dead pieces that were agreed on.",
  agree: "Agree", resumePlay: "Resume play", total: "Total", notCounted: "{what} (not counted)", dead: "dead", deadCount: "{n} dead pieces are marked.",
  rulesScore: "By the rules alone, every piece alive: {words}.",
  proposed: "Proposed count: {words}", agreedOn: "{words}, as agreed",
  youWon: "You won", youLost: "You lost", youWonBy: "You won by {n} {unit}", youLostBy: "You lost by {n} {unit}",
  youResigned: "You resigned; {who} wins", youWonTime: "You won on time", youLostTime: "You lost on time",
  playedAt: "{who} at {move}.", playedColumn: "{who} in column {col}, row {row}.",
  leads: "{who} leads by about {n} {unit}",
  picture: "Picture", "picture.svg": "SVG", "picture.png": "PNG", "picture.gif": "GIF of the game",
  helpRules: "Rules: {game}", helpNumbers: "What the numbers mean",
  "number.chance": "54%  ±2  ≈", "number.chanceMeans": "The chance to win for the side to move, as the engine sees it: an estimate, not a promise. ± is its error, ≈ marks an estimate.",
  "number.visits": "12k", "number.visitsMeans": "Simulations: how many games the search played through this move. More means surer.",
  "number.range": "95 % range", "number.rangeMeans": "The true chance lies in here in 95 cases of 100, as far as chance goes; the engine's own mistakes come on top.",
  "number.score": "+3.5", "number.scoreMeans": "The expected final margin in the game's own unit (discs, points). With an estimate it is a mean over playouts.",
  "number.proven": "win  loss  draw", "number.provenMeans": "Proven: no play of the other side changes it. The score above it is exact: the final margin, or in a game without one how soon it ends; +18 is won sooner than +1, −1 holds out longer than −18.",
  "number.bound": "≤ 0  ≥ +2", "number.boundMeans": "A bound: the true value is at most or at least this, and nothing more is known yet.",
  "number.line": "4 3 5 …", "number.lineMeans": "The expected line: how the engine thinks both sides go on.",
  "number.marks": "?!  ?  ??", "number.marksMeans": "Inaccuracy, mistake, blunder: what the review says of moves that cost something.",
  "number.elo": "Elo", "number.eloMeans": "Strength of a level above a player of random moves; 200 points more win about three games of four.",
};

const zh = {
  playHere: "下在这里", previewed: "{move}：再点一次即落子。",
  paused: "分析 {n} 秒后暂停。",
  passedBoard: "{who}停一手",
  count: "数子", counting: "双方停一手。引擎正在判断死子……",
  deadHint: "双方停一手。引擎已标出死子；点击一块棋可以更正。",
  agreedHint: "结果按双方同意的死子计算。",
  agree: "同意", resumePlay: "继续对局", total: "合计", notCounted: "{what}（不计入）", dead: "死子", deadCount: "已标出 {n} 个死子。",
  rulesScore: "单按规则、所有棋子都算活：{words}。",
  proposed: "建议结果：{words}", agreedOn: "{words}（双方同意）",
  youWon: "你赢了", youLost: "你输了", youWonBy: "你赢了 {n} {unit}", youLostBy: "你输了 {n} {unit}",
  youResigned: "你认输，{who}获胜", youWonTime: "对方超时，你赢了", youLostTime: "你超时，输了",
  playedAt: "{who}下在 {move}。", playedColumn: "{who}下在第 {col} 列第 {row} 行。",
  leads: "{who}约领先 {n} {unit}",
  picture: "图片", "picture.svg": "SVG", "picture.png": "PNG", "picture.gif": "全局 GIF",
  helpRules: "规则：{game}", helpNumbers: "数字的含义",
  "number.chance": "54%  ±2  ≈", "number.chanceMeans": "引擎估计的走子方胜率：是估计，不是保证。± 是误差，≈ 表示估计。",
  "number.visits": "12k", "number.visitsMeans": "模拟次数：搜索经过这一着下了多少局。越多越可靠。",
  "number.range": "95% 区间", "number.rangeMeans": "就随机误差而言，真实胜率有 95% 的可能在此区间；引擎自身的偏差另计。",
  "number.score": "+3.5", "number.scoreMeans": "预计的最终差距，以该棋的单位（子、目）计。估计值是多次模拟的平均。",
  "number.proven": "必胜  必败  必和", "number.provenMeans": "已证明：对方怎样应对都不会改变。上面的分数是精确的：最终差距；没有差距的棋则表示多快结束，+18 比 +1 胜得更快，−1 比 −18 支撑得更久。",
  "number.bound": "≤ 0  ≥ +2", "number.boundMeans": "界限：真实值至多或至少如此，其余尚不知道。",
  "number.line": "4 3 5 …", "number.lineMeans": "预期变化：引擎认为双方会怎样下。",
  "number.marks": "?!  ?  ??", "number.marksMeans": "不精确、失误、严重失误：复盘对有损失的着法的评语。",
  "number.elo": "Elo", "number.eloMeans": "等级相对于随机下棋者的强度；高 200 分约胜四局中的三局。",
};

addWords({ en, zh });
