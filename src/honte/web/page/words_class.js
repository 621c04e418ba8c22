// The phrases of a class.

import { addWords } from "./words.js";

const en = {
  "class.title": "{name} — Honte", "class.heading": "Class", "class.yourBot": "Your bot", "class.board": "To the board",
  "class.watch": "All games", "class.projector": "Projector", "class.back": "To the class", "class.signOut": "Sign out",
  "class.signIn": "Sign in", "class.signInHow": "With the code of the class and your name; if you have been here before, with your own code alone.",
  "class.code": "Code", "class.name": "Your name", "class.enter": "Enter",
  "class.ownCode": "You are in, {name}. Your own code, for next time and for other computers:", "class.keepCode": "Write it down; nobody can look it up.",
  "class.newCode": "The new code of {name}:",
  "class.round": "Round", "class.roundN": "Round {n}", "class.noRound": "No round has been played yet.",
  "class.playing": "being played", "class.broken": "broken off", "class.ended": "ended: {words}",
  "class.progress": "{done} of {total} games", "class.left": "about {time} left", "class.rules": "{game}, {s} s a move",
  "class.frozenNote": "The list is frozen: new uploads are checked, and do not play.",
  "class.games": "Games per bot", "class.seconds": "Seconds a move", "class.start": "Start a round", "class.stop": "Stop",
  "class.freeze": "Freeze the list", "class.unfreeze": "Let new uploads enter",
  "class.table": "Table", "class.empty": "The table begins with the first round.",
  "class.csv": "Table as CSV", "class.html": "Table as a page", "class.zip": "All games",
  "class.students": "Students", "class.joinCode": "Code to join:", "class.closed": "Nobody can join at present.", "class.shut": "Close joining", "class.open": "Open joining",
  "class.student": "Name", "class.versions": "Uploads", "class.check": "Newest bot", "class.rating": "Ladder",
  "class.none": "nothing yet", "class.unchecked": "being checked", "class.fine": "no faults",
  "class.giveCode": "New code", "class.remove": "Remove", "class.removeSure": "Remove {name} with all bots?",
  "class.waiting": "{n} uploads wait or are being tried.",
  "class.yourGames": "Your games", "class.bot": "Bot", "class.opponent": "Opponent", "class.side": "Moving", "class.first": "first", "class.second": "second", "class.result": "Result",
  "class.won": "won", "class.lost": "lost", "class.drawn": "drawn", "class.noGames": "Your bots have played no game yet.",
  "class.now": "The game to watch", "class.upset": "Upset: {a} ({x}) against {b} ({y})", "class.close": "Close: {a} ({x}) against {b} ({y})", "class.latest": "{a} ({x}) against {b} ({y})",
  "class.nothingNow": "The first games are being played.", "class.teacherOnly": "This view is the teacher's.",
  "class.yourFault": "Your bot broke: {words}",
};

const zh = {
  "class.title": "{name} — 本手 Honte", "class.heading": "班级", "class.yourBot": "你的程序", "class.board": "回到棋盘",
  "class.watch": "全部对局", "class.projector": "投影", "class.back": "回到班级", "class.signOut": "退出",
  "class.signIn": "登录", "class.signInHow": "填班级代码和你的名字；以前来过的，只填你自己的代码。",
  "class.code": "代码", "class.name": "你的名字", "class.enter": "进入",
  "class.ownCode": "{name}，登录成功。下次或换一台电脑时，用你自己的代码：", "class.keepCode": "请记下来，之后查不到。",
  "class.newCode": "{name} 的新代码：",
  "class.round": "轮次", "class.roundN": "第 {n} 轮", "class.noRound": "还没有比赛过。",
  "class.playing": "进行中", "class.broken": "中断", "class.ended": "已结束：{words}",
  "class.progress": "已下 {done}/{total} 局", "class.left": "大约还要 {time}", "class.rules": "{game}，每步 {s} 秒",
  "class.frozenNote": "名单已冻结：新上传的程序只检查，不参赛。",
  "class.games": "每个程序的局数", "class.seconds": "每步秒数", "class.start": "开始一轮", "class.stop": "停止",
  "class.freeze": "冻结名单", "class.unfreeze": "允许新程序参赛",
  "class.table": "排名", "class.empty": "第一轮开始后才有排名。",
  "class.csv": "排名（CSV）", "class.html": "排名（网页）", "class.zip": "全部对局",
  "class.students": "学生", "class.joinCode": "加入代码：", "class.closed": "现在不能加入。", "class.shut": "停止加入", "class.open": "允许加入",
  "class.student": "名字", "class.versions": "上传次数", "class.check": "最新的程序", "class.rating": "天梯",
  "class.none": "还没有", "class.unchecked": "正在检查", "class.fine": "没有问题",
  "class.giveCode": "换代码", "class.remove": "删除", "class.removeSure": "删除 {name} 和所有程序？",
  "class.waiting": "{n} 个上传在等待或测试中。",
  "class.yourGames": "你的对局", "class.bot": "程序", "class.opponent": "对手", "class.side": "先后手", "class.first": "先手", "class.second": "后手", "class.result": "结果",
  "class.won": "胜", "class.lost": "负", "class.drawn": "和", "class.noGames": "你的程序还没有下过棋。",
  "class.now": "值得一看的对局", "class.upset": "爆冷：{a}（{x}）对 {b}（{y}）", "class.close": "势均力敌：{a}（{x}）对 {b}（{y}）", "class.latest": "{a}（{x}）对 {b}（{y}）",
  "class.nothingNow": "最初的几局正在进行。", "class.teacherOnly": "这个页面只给老师看。",
  "class.yourFault": "你的程序出错：{words}",
};

addWords({ en, zh });
