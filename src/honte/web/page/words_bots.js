// The words of the page that takes a bot.

import { addWords } from "./words.js";

const en = {
  "bots.title": "Your bot — Honte", "bots.heading": "Your bot", "bots.board": "To the board",
  "bots.drop": "Drop your Strategy.cpp here",
  "bots.dropHow": "With its headers, as a folder or as a zip; or a Python file. It is compiled and run inside a sandbox on this computer, checked, and played against the levels.",
  "bots.choose": "Choose files", "bots.chooseFolder": "Choose a folder",
  "bots.sending": "Sending {n} files …", "bots.empty": "There is no .cpp, .h, .py or .zip file in what you dropped.",
  "bots.trial": "Version {n}", "bots.trialNew": "The new version",
  "bots.compile": "Compile", "bots.check": "Check", "bots.ladder": "Ladder",
  "bots.error": "error", "bots.warning": "warning",
  "bots.rating": "Elo {elo} ± {error} after {n} of {of} games", "bots.ratingDone": "Elo {elo} ± {error} in {n} games",
  "bots.play": "Play against it", "bots.again": "Upload the next version when you have mended it.",
  "bots.level": "Level", "bots.asFirst": "Moving first", "bots.asSecond": "Moving second",
  "bots.won": "won", "bots.lost": "lost", "bots.drawn": "drawn", "bots.see": "{result} — look at the game",
  "bots.versions": "Versions", "bots.version": "Version", "bots.when": "Handed in", "bots.elo": "Rating", "bots.faults": "Faults", "bots.noFaults": "none", "bots.unrated": "not rated",
  "bots.curve": "Rating by version, with its 95 % range",
  "bots.seeLoss": "{result} — where it was lost", "bots.losses": "A lost game opens in the review, at its turning point.",
};

const zh = {
  "bots.title": "你的程序 — 本手 Honte", "bots.heading": "你的程序", "bots.board": "回到棋盘",
  "bots.drop": "把你的 Strategy.cpp 拖到这里",
  "bots.dropHow": "连同头文件，可以是文件夹或 zip；也可以是 Python 文件。它会在本机的沙箱里编译、运行、检查，并与各个难度对弈。",
  "bots.choose": "选择文件", "bots.chooseFolder": "选择文件夹",
  "bots.sending": "正在发送 {n} 个文件……", "bots.empty": "拖入的内容里没有 .cpp、.h、.py 或 .zip 文件。",
  "bots.trial": "版本 {n}", "bots.trialNew": "新版本",
  "bots.compile": "编译", "bots.check": "检查", "bots.ladder": "天梯",
  "bots.error": "错误", "bots.warning": "警告",
  "bots.rating": "已下 {n}/{of} 局，Elo {elo} ± {error}", "bots.ratingDone": "{n} 局，Elo {elo} ± {error}",
  "bots.play": "和它对弈", "bots.again": "改好之后，再上传下一个版本。",
  "bots.level": "难度", "bots.asFirst": "先手", "bots.asSecond": "后手",
  "bots.won": "胜", "bots.lost": "负", "bots.drawn": "和", "bots.see": "{result}——看这一局",
  "bots.versions": "各版本", "bots.version": "版本", "bots.when": "提交时间", "bots.elo": "等级分", "bots.faults": "错误", "bots.noFaults": "无", "bots.unrated": "未评分",
  "bots.curve": "各版本的等级分及其 95 % 区间",
  "bots.seeLoss": "{result}——看输在哪里", "bots.losses": "输掉的对局会在复盘中打开，直接跳到转折点。",
};

addWords({ en, zh });
