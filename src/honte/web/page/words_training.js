// The phrases of the training page; added to those of words.js.

const en = {
  "training.title": "Training — Honte", "training.heading": "Training",
  "training.none": "No training run is being watched", "training.noneHow": "Start the server with the folder of a run:",
  "training.live": "Live", "training.quiet": "Nothing new for {time}",
  "training.waiting": "The first generation has not ended yet.",
  "training.now": "generation {n} · {time} of training · {games} games",
  "training.positions": "{n} positions", "training.simulations": "{n} simulations a move",
  "training.marks": "Right moves and agreement", "training.marksHint": "Of the positions that the solver marks, without a search and with one; and how often the network's first choice is the search's.",
  "training.loss": "Loss", "training.lossHint": "The lower, the better the network predicts its own games.",
  "training.elo": "Elo", "training.eloHint": "Sums up matches against earlier generations, so its error grows along the way.",
  "training.right": "right", "training.right_searched": "right with a search", "training.policy_agreement": "agreement with the search",
  "training.policy_loss": "policy", "training.value_loss": "value", "training.minutes": "minutes",
  "training.table": "Generations", "training.generation": "generation", "training.elapsed": "elapsed", "training.games": "games",
  "training.columnLoss": "loss", "training.agreement": "agreement", "training.searched": "searched", "training.score": "score", "training.columnElo": "Elo",
};

const zh = {
  "training.title": "训练 — Honte", "training.heading": "训练",
  "training.none": "没有正在观看的训练", "training.noneHow": "用训练的文件夹启动服务器：",
  "training.live": "进行中", "training.quiet": "{time} 没有更新",
  "training.waiting": "第一代尚未完成。",
  "training.now": "第 {n} 代 · 已训练 {time} · {games} 局",
  "training.positions": "{n} 个局面", "training.simulations": "每步 {n} 次模拟",
  "training.marks": "正确着法与一致率", "training.marksHint": "在求解器评分的局面中，不搜索和搜索时的正确率；以及网络首选与搜索一致的比例。",
  "training.loss": "损失", "training.lossHint": "越低，网络对自己对局的预测越准。",
  "training.elo": "Elo", "training.eloHint": "由与早先各代的对局累加而成，误差随之增大。",
  "training.right": "正确", "training.right_searched": "搜索后正确", "training.policy_agreement": "与搜索一致",
  "training.policy_loss": "策略", "training.value_loss": "价值", "training.minutes": "分钟",
  "training.table": "各代", "training.generation": "代", "training.elapsed": "用时", "training.games": "局数",
  "training.columnLoss": "损失", "training.agreement": "一致", "training.searched": "搜索后", "training.score": "得分率", "training.columnElo": "Elo",
};

export const training = { en, zh };
