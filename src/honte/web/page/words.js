// All phrases of the page, in English and Chinese. `t("undo")`, `t("moveNo", {n: 3})`.

import { memory } from "./dom.js";

const en = {
  title: "Honte — play, analyse, review",
  newGame: "New game", open: "Open", share: "Share", help: "Help", theme: "Theme", watch: "Tournaments", bots: "Your bot", class: "Class",
  language: "中文", themeName: "Switch between light and dark",
  board: "Board", automatic: "auto", moreOptions: "More", yes: "yes", no: "no",
  cellsHint: "Click cells to choose them.", clearCells: "Clear", cellAt: "Row {r}, column {c}",
  who: "Who plays", first: "I move first", second: "I move second", both: "Two people", none: "Engine against engine",
  opponent: "Opponent", firstEngine: "First engine", secondEngine: "Second engine",
  level: "Level", levelN: "Level {n}", levelLenient: "Level {n}, lenient", lenient: "Lenient: does not punish mistakes", best: "Strongest engine", levelWords: "{words} · about {elo} Elo",
  kyu: "like {n} kyu", dan: "like {n} dan",
  time: "Time", thinking: "Engine thinks for", clock: "Clock for each side", noClock: "No clock",
  seconds: "{n} s", minutes: "{n} min", minutesPlus: "{n} min + {i} s a move",
  start: "Start", cancel: "Cancel", close: "Close",
  person: "Person", you: "You",
  toMove: "{who} to move", yourMove: "Your move ({who})", engineThinks: "{who} is thinking …",
  wins: "{who} wins", winsBy: "{who} wins by {n} {unit}", draw: "A draw", byResign: "{who} wins; {other} resigned", byTime: "{who} wins on time",
  undo: "Undo", redo: "Redo", pass: "Pass", resign: "Resign", pause: "Pause", resume: "Go on", moveNow: "Move now",
  resignSure: "Resign this game?",
  firstMove: "To the start", previous: "One move back", next: "One move on", lastMove: "To the end", position: "Move",
  analysis: "Analysis",
  value: "Chances", idle: "Switch analysis on to see every candidate, the line it expects, and its tree.",
  provenForSoon: "Proven: {who} wins", provenDraw: "Proven: a draw",
  chances: "{who} {p} %", valueBar: "Chances of {who}: {p} %",
  line: "Expected line: {line}",
  candidates: "Candidates", graph: "Chances over the game", graphLead: "Lead over the game", showChances: "Chances", moves: "Moves", noMoves: "No move played yet.", tree: "Search tree", territory: "Territory",
  review: "Review", reviewRun: "Review this game", reviewHint: "The engine goes through every move and marks the mistakes.",
  inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder",
  variation: "A variation from move {n}.", backToGame: "Back to the game", keepVariation: "Go on from here",
  loadTitle: "Open a game",
  loadText: "Game", loadFile: "Choose a file", loadGo: "Open", loadAs: "Read as", loadAuto: "Find out by itself", loadMany: "{n} games found; choose one.", loadFailed: "Could not read it: {why}",
  exportTitle: "Share and save", shareLink: "Link to this game", copy: "Copy", copied: "Copied", exportAs: "Save as", download: "Download",
  helpTitle: "Keys", helpPlay: "play on the square of the cursor", helpArrows: "move the cursor, while the board shows one",
  helpDigits: "play that column, where pieces drop", helpUndo: "undo, redo", helpNew: "new game", helpAnalysis: "analysis on and off", helpPass: "pass",
  helpSteps: "one move back, one move on", helpMistakes: "previous, next mistake", helpHelp: "this help", helpFocus: "show the cursor on the board (so do Tab, and Shift with an arrow)", helpLeave: "put the cursor away: the arrows step again",
  offline: "The connection was lost; trying again. Your game is safe here.", online: "Connected again.",
  engineFailed: "The engine gave no answer: {why}", tryAgain: "Try again", badLink: "This game could not be read: {why}",
  passed: "{who} passes.", undone: "Move taken back.", turned: "{n} turned.", captured: "{n} captured.",
  mustPass: "{who} cannot move and must pass.", illegal: "You cannot play there.",
  cell: "{place}, {what}", empty: "empty", blocked: "blocked", legalHere: "you can play here", lastHere: "last move",
  boardOf: "{game} board, {rows} by {cols}", stones: "{n} discs", skip: "Skip to the board",
  comment: "Comment", result: "Result", moveN: "Move {n}", of: "of {n}",
  even: "even",
};

const zh = {
  title: "本手 Honte — 对弈、分析、复盘",
  newGame: "新对局", open: "打开", share: "分享", help: "帮助", theme: "主题", watch: "比赛", bots: "你的程序", class: "班级",
  language: "English", themeName: "切换明暗主题",
  board: "棋盘", automatic: "自动", moreOptions: "更多", yes: "是", no: "否",
  cellsHint: "点击格子即可选择。", clearCells: "清除", cellAt: "第 {r} 行第 {c} 列",
  who: "对局方式", first: "我先手", second: "我后手", both: "双人对弈", none: "引擎对引擎",
  opponent: "对手", firstEngine: "先手引擎", secondEngine: "后手引擎",
  level: "难度", levelN: "难度 {n}", levelLenient: "难度 {n}（宽容）", lenient: "宽容：不惩罚失误", best: "最强引擎", levelWords: "{words} · 约 {elo} Elo",
  kyu: "约业余 {n} 级", dan: "约业余 {n} 段",
  time: "时间", thinking: "引擎每步用时", clock: "双方限时", noClock: "不计时",
  seconds: "{n} 秒", minutes: "{n} 分钟", minutesPlus: "{n} 分钟，每步加 {i} 秒",
  start: "开始", cancel: "取消", close: "关闭",
  person: "人", you: "你",
  toMove: "轮到{who}", yourMove: "轮到你（{who}）", engineThinks: "{who}正在思考…",
  wins: "{who}获胜", winsBy: "{who}胜 {n} {unit}", draw: "和棋", byResign: "{other}认输，{who}获胜", byTime: "{other}超时，{who}获胜",
  undo: "悔棋", redo: "重做", pass: "停一手", resign: "认输", pause: "暂停", resume: "继续", moveNow: "立即落子",
  resignSure: "确定认输吗？",
  firstMove: "回到开局", previous: "上一手", next: "下一手", lastMove: "到最后一手", position: "手数",
  analysis: "分析",
  value: "胜率", idle: "打开分析，可以看到每个候选着法、预期变化和搜索树。",
  provenForSoon: "已证明：{who}获胜", provenDraw: "已证明：和棋",
  chances: "{who} {p}%", valueBar: "{who}胜率 {p}%",
  line: "预期变化：{line}",
  candidates: "候选着法", graph: "全局胜率", graphLead: "全局领先", showChances: "胜率", moves: "棋谱", noMoves: "还没有落子。", tree: "搜索树", territory: "形势",
  review: "复盘", reviewRun: "复盘本局", reviewHint: "引擎逐手检查并标出失误。",
  inaccuracy: "不精确", mistake: "失误", blunder: "严重失误",
  variation: "从第 {n} 手开始的变化。", backToGame: "回到对局", keepVariation: "从这里继续",
  loadTitle: "打开棋谱",
  loadText: "棋谱", loadFile: "选择文件", loadGo: "打开", loadAs: "识别为", loadAuto: "自动识别", loadMany: "找到 {n} 局，请选择。", loadFailed: "无法读取：{why}",
  exportTitle: "分享与保存", shareLink: "本局链接", copy: "复制", copied: "已复制", exportAs: "另存为", download: "下载",
  helpTitle: "快捷键", helpPlay: "在光标处落子", helpArrows: "棋盘上有光标时移动光标",
  helpDigits: "下在该列（棋子下落的棋）", helpUndo: "悔棋、重做", helpNew: "新对局", helpAnalysis: "开关分析", helpPass: "停一手",
  helpSteps: "上一手、下一手", helpMistakes: "上一处、下一处失误", helpHelp: "本帮助", helpFocus: "显示棋盘光标（Tab、Shift+方向键亦可）", helpLeave: "收起光标，方向键恢复翻看棋局",
  offline: "连接中断，正在重连。对局保存在本页。", online: "已重新连接。",
  engineFailed: "引擎没有应答：{why}", tryAgain: "重试", badLink: "无法读取此对局：{why}",
  passed: "{who}停一手。", undone: "已悔一步。", turned: "翻转 {n} 子。", captured: "提 {n} 子。",
  mustPass: "{who}无处可下，必须停一手。", illegal: "不能下在那里。",
  cell: "{place}，{what}", empty: "空", blocked: "封住", legalHere: "可以下", lastHere: "最后一手",
  boardOf: "{game}棋盘，{rows} 行 {cols} 列", stones: "{n} 子", skip: "跳到棋盘",
  comment: "注解", result: "结果", moveN: "第 {n} 手", of: "共 {n} 手",
  even: "平",
};

export const tables = { en: { ...en }, zh: { ...zh } };

/** Add the phrases of another module: `{en: {...}, zh: {...}}`. */
export function addWords(more) {
  for (const tongue of Object.keys(tables)) Object.assign(tables[tongue], more?.[tongue] ?? {});
}

// The server's English texts on levels, runs and games; a test checks that no level is missing.
const said = {
  "moves at random, nearly always": "几乎全是乱下",
  "mostly moves at random, now and then with sense": "多半乱下，偶尔有像样的着法",
  "every other move is careless": "约有一半是随手棋",
  "sensible, but careless once in a few moves": "着法合理，但隔几手就有一步随手棋",
  "sensible, with a blunder now and then": "着法合理，偶尔出错",
  "sensible, with a blunder once in a long while": "着法合理，很少出错",
  "glances at the board": "只看一眼就下",
  "looks a little ahead": "会往后算几步",
  "thinks for a moment": "略加思考",
  "thinks carefully": "仔细思考",
  "thinks hard": "深思熟虑",
  "thinks as hard as the ladder goes": "全力思考，最强的一级",
  "all games played": "全部对局已下完", "stopped by the teacher": "老师停止了", "the ranking is settled: neighbours are in order with 95 % confidence": "排名已定：相邻名次有 95 % 的把握", interrupted: "已中断", "the bot was retired": "该程序已退赛",
  "played out": "下完", draw: "和棋", "move limit": "达到手数上限", resign: "认输", retired: "已退赛",
  crash: "程序崩溃", time: "超时", flood: "输出过多", stall: "不读输入", memory: "内存超限", protocol: "回答无效", illegal: "违规着法", start: "无法启动",
};

/** A text of the server in the user's language, if it is known. */
export const inWords = (words) => (tongue === "zh" ? said[words] ?? words : words);

const spoken = () => (navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en";
let tongue = memory.get("language") ?? spoken();

export const language = () => tongue;

export function setLanguage(name, remember = true) {
  tongue = name === "zh" ? "zh" : "en";
  if (remember) memory.set("language", tongue);
  document.documentElement.lang = tongue === "zh" ? "zh-Hans" : "en";
}

/** A phrase in the user's language, its {gaps} filled in. */
export function t(key, gaps = {}) {
  const phrase = tables[tongue][key] ?? tables.en[key] ?? key;
  return phrase.replace(/\{(\w+)\}/g, (_, name) => gaps[name] ?? "");
}

/** A text of a game's DESCRIPTOR in the user's language: a title, the name of a side, a label. */
export const gameText = (game, text) => game?.words?.[tongue]?.[text] ?? text;

/** Translate every element under `root` that names its phrase: data-t, data-t-label, data-t-title. */
export function translate(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
    node.title = t(node.dataset.tLabel);
  }
}

setLanguage(tongue, false);
