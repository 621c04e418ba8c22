// The phrases of the analysis, its tree, the review and teaching: verdicts, exercises, hints.

import { addWords } from "./words.js";

const en = {
  "brief.win": "W", "brief.loss": "L", "brief.draw": "D", comma: ", ",
  atMost: "at most {s}", atLeast: "at least {s}", notKnown: "not known", toWin: "{p} % to win", about: "about {s} {unit}",
  "by.win": "win by {n} {unit}", "by.loss": "loss by {n} {unit}",
  "in.win": "win in {n} moves", "in.loss": "loss in {n} moves", "inOne.win": "win in 1 move", "inOne.loss": "loss in 1 move",
  provenIn: "Proven: {who} wins in {n} moves", provenInOne: "Proven: {who} wins in 1 move", provenBy: "Proven: {who} wins by {n} {unit}",
  "source.book": "opening book", "source.solver": "solver", "source.uct": "UCT search", "source.network": "search with a network", networkEstimate: "network estimate", "source.textbook": "textbook UCT", "source.alphabeta": "alpha-beta search", "source.random": "random moves", "source.bot": "another program", "source.": "search",
  numbersFrom: "numbers from the {source}", simulations: "{n} simulations", positions: "{n} positions", depthOf: "depth {d}", secondsOf: "{s} s",
  "candidates.verdict": "Verdict", "candidates.lost": "Lost", "candidates.lostMeans": "what the move gives away, by estimates", "candidates.unseen": "not looked at yet",
  kind: "Number", "kind.exact": "proven", "kind.bound": "bound", "kind.estimate": "estimate", from: "From",
  "tree.source": "The tree of the search that answered: {source}", "tree.step": "One simulation", "tree.went": "This simulation went {path} and on from there.",
  "tree.legendPlain": "The best move of each position stands on top; blue is the principal line. A plain number is proven, ≤ and ≥ are bounds: enough to know that a move is not better. Numbers are for the player who makes the move.",
  "tree.words.solver": "A solver proves the score of every move; nothing is left to chance.", "tree.words.book": "The opening book holds scores that were worked out before.",
  "tree.words.alphabeta": "Alpha-beta keeps a value or a bound for each position it looked at: a bound is enough to rule a move out.", "tree.words": "What the search found.",
  "soon.win": "win in {n}", "soon.loss": "loss in {n}",
  "review.accuracy": "accuracy", "review.accuracyMeans": "100 % where no move cost anything; forced moves are left out", "review.turning": "the turning point", "review.lostMeans": "what the moves gave away in all",
  "exercise.title": "Find the better move", "exercise.question": "Move {ply}: {who} played {move} ({kind}, {cost}). What is better? Try it on the board.",
  "exercise.looking": "Looking at {move} …", "exercise.wait": "The review is still running; try other moves when it is done.",
  "a.inaccuracy": "an inaccuracy", "a.mistake": "a mistake", "a.blunder": "a blunder", "exercise.wrong": "{move} is {kind}: {cost}.", "exercise.reply": "It is answered by {line}.", "exercise.right": "Yes, {move} is best.", "exercise.rightToo": "{move} is good, too; the review prefers {best}.",
  "exercise.shown": "Best is {best}, then {line}", "exercise.show": "Show",
  "The search prefers {best}.": "The search prefers {best}.", "{best} wins by force, {move} draws.": "{best} wins by force, {move} draws.",
  "{best} wins by force, {move} loses.": "{best} wins by force, {move} loses.", "{best} draws by force, {move} loses.": "{best} draws by force, {move} loses.",
  hint: "Hint", "hint.looking": "Looking for a hint …", "hint.columns": "Look at columns {a} to {b}. Press again for the move.", "hint.area": "Look between {a} and {b}. Press again for the move.", "hint.move": "Hint: {move} ({words})",
  teach: "Teaching", "teach.hint": "Asks before a move that would be a mistake", "teach.clock": "Not in a game with a clock", "teach.on": "Teaching is on: you are asked before a mistake.", "teach.off": "Teaching is off.",
  "teach.sure": "Sure?", "teach.words": "{move} would be {kind}: {cost}.", "teach.back": "Take back", "teach.play": "Play anyway",
};

const zh = {
  "brief.win": "胜", "brief.loss": "负", "brief.draw": "和", comma: "，",
  atMost: "至多 {s}", atLeast: "至少 {s}", notKnown: "未知", toWin: "胜率 {p}%", about: "约 {s} {unit}",
  "by.win": "必胜 {n} {unit}", "by.loss": "必败 {n} {unit}",
  "in.win": "{n} 步内必胜", "in.loss": "{n} 步内必败", "inOne.win": "1 步必胜", "inOne.loss": "1 步必败",
  provenIn: "已证明：{who} {n} 步内获胜", provenInOne: "已证明：{who} 1 步获胜", provenBy: "已证明：{who}胜 {n} {unit}",
  "source.book": "开局库", "source.solver": "求解器", "source.uct": "UCT 搜索", "source.network": "神经网络搜索", networkEstimate: "神经网络估计", "source.textbook": "教科书式 UCT", "source.alphabeta": "alpha-beta 搜索", "source.random": "随机着法", "source.bot": "其他程序", "source.": "搜索",
  numbersFrom: "数值来自{source}", simulations: "{n} 次模拟", positions: "{n} 个局面", depthOf: "深度 {d}", secondsOf: "{s} 秒",
  "candidates.verdict": "判断", "candidates.lost": "损失", "candidates.lostMeans": "这一着的损失（估计）", "candidates.unseen": "尚未分析",
  kind: "数值类型", "kind.exact": "已证明", "kind.bound": "界限", "kind.estimate": "估计", from: "来源",
  "tree.source": "给出结果的搜索的树：{source}", "tree.step": "模拟一次", "tree.went": "这次模拟走了 {path}，然后继续向下。",
  "tree.legendPlain": "每个局面的最好着法在最上面；蓝色是主要变化。单独的数字已证明，≤ 和 ≥ 是界限：足以说明这一着不会更好。数字以走这一步的一方为准。",
  "tree.words.solver": "求解器证明每一着的分数，没有随机成分。", "tree.words.book": "开局库保存着事先算好的分数。",
  "tree.words.alphabeta": "alpha-beta 对看过的每个局面保存一个值或界限：界限足以排除一着棋。", "tree.words": "搜索的结果。",
  "soon.win": "{n} 步胜", "soon.loss": "{n} 步负",
  "review.accuracy": "准确率", "review.accuracyMeans": "没有任何损失为 100%；被迫的着法不计", "review.turning": "胜负转折点", "review.lostMeans": "所有着法的损失之和",
  "exercise.title": "找出更好的着法", "exercise.question": "第 {ply} 手：{who}下了 {move}（{kind}，{cost}）。怎样更好？请在棋盘上试一试。",
  "exercise.looking": "正在看 {move}…", "exercise.wait": "复盘还在进行；完成后再试其他着法。",
  "a.inaccuracy": "不精确", "a.mistake": "失误", "a.blunder": "严重失误", "exercise.wrong": "{move} 是{kind}：{cost}。", "exercise.reply": "对方应以 {line}。", "exercise.right": "正确，{move} 最好。", "exercise.rightToo": "{move} 也不错；复盘更倾向 {best}。",
  "exercise.shown": "最好是 {best}，然后 {line}", "exercise.show": "显示答案",
  "The search prefers {best}.": "搜索更倾向 {best}。", "{best} wins by force, {move} draws.": "{best} 必胜，{move} 只能和棋。",
  "{best} wins by force, {move} loses.": "{best} 必胜，{move} 必败。", "{best} draws by force, {move} loses.": "{best} 必和，{move} 必败。",
  hint: "提示", "hint.looking": "正在寻找提示…", "hint.columns": "看第 {a} 到 {b} 列。再按一次显示着法。", "hint.area": "看 {a} 到 {b} 之间。再按一次显示着法。", "hint.move": "提示：{move}（{words}）",
  teach: "教学", "teach.hint": "要走出失误时先询问", "teach.clock": "限时对局中不可用", "teach.on": "教学已打开：失误之前会询问。", "teach.off": "教学已关闭。",
  "teach.sure": "确定吗？", "teach.words": "{move} 会是{kind}：{cost}。", "teach.back": "收回", "teach.play": "照样下",
};

addWords({ en, zh });
