// The phrases of variations, comments, marks, the history and the position editor; added to those of words.js.

const en = {
  variationAt: "Variation at move {n}", setUp: "position", annotated: "has a comment or marks", promoted: "The variation goes first now.",
  promote: "Promote", deleteLine: "Delete from here", deleted: "The variation from {move} on was deleted.", bringBack: "Bring it back",
  marks: "Marks on the board", commentOn: "Comment on move {n}", markHint: "Click cells to put a {mark} there or to take it away.", markEnd: "Clicks play moves again.",
  "mark.circle": "circle", "mark.square": "square", "mark.triangle": "triangle", "mark.cross": "cross", "mark.label": "letter", labelled: "letter {label}",
  helpBranches: "the other variations of this move", helpComment: "comment on the position",
  loadHint: "Paste anything or choose a file: a list of moves, a position, a link to a game, or {formats}.",
  myGames: "My games", noGames: "No game has been played here yet.", when: "Date", gameName: "Game", players: "Players", moveCount: "Moves",
  unfinished: "not finished", openGame: "Open", forget: "Delete", forgotten: "The game was deleted from the list.", accuracy: "Accuracy",
  historyHint: "The last {n} games played in this browser; nobody else sees them.",
  goOn: "Go on", offer: "A game is not finished: {game}, {who}, {n} moves.", rematch: "Rematch", against: "{a} – {b}",
  editPosition: "Set up a position", editTitle: "Set up a position", editHint: "Choose a piece, then click cells; a click on the same piece takes it away.",
  editColumns: "Pieces rest on those below them.", eraser: "take away", sideToMove: "To move", clearBoard: "Clear", startBoard: "Start position", boardNow: "Board of the game",
  analyseThis: "Analyse this", playThis: "Play from here", editBoard: "Cells of the position", put: "{what} on {place}.",
  linkShort: "The variations are too long for a link; save them as a file.", badTree: "its variations cannot be read at {sign}",
};

const zh = {
  variationAt: "第 {n} 手的变化", setUp: "局面", annotated: "有注解或标记", promoted: "此变化已排到最前。",
  promote: "提前", deleteLine: "删除此后着法", deleted: "已删除从 {move} 开始的变化。", bringBack: "恢复",
  marks: "棋盘标记", commentOn: "第 {n} 手的注解", markHint: "点击格子可放上或去掉{mark}。", markEnd: "点击棋盘恢复为落子。",
  "mark.circle": "圆圈", "mark.square": "方块", "mark.triangle": "三角", "mark.cross": "叉号", "mark.label": "字母", labelled: "字母 {label}",
  helpBranches: "切换这一手的其他变化", helpComment: "给局面写注解",
  loadHint: "粘贴任意内容或选择文件：着法列表、局面、对局链接，或 {formats}。",
  myGames: "我的对局", noGames: "这里还没有下过棋。", when: "日期", gameName: "棋种", players: "对局者", moveCount: "手数",
  unfinished: "未下完", openGame: "打开", forget: "删除", forgotten: "已从列表中删除该局。", accuracy: "准确率",
  historyHint: "本浏览器最近的 {n} 局，只有你能看到。",
  goOn: "继续", offer: "有一局没有下完：{game}，{who}，已下 {n} 手。", rematch: "再来一局", against: "{a} – {b}",
  editPosition: "摆局面", editTitle: "摆局面", editHint: "选好棋子后点击格子；再点同样的棋子会拿掉它。",
  editColumns: "棋子落在下方棋子之上。", eraser: "拿掉", sideToMove: "轮到", clearBoard: "清空", startBoard: "初始局面", boardNow: "当前局面",
  analyseThis: "分析此局面", playThis: "从这里下", editBoard: "局面的格子", put: "{place}：{what}。",
  linkShort: "变化太长，无法放进链接；请保存为文件。", badTree: "变化在 {sign} 处无法读取",
};

export const branches = { en, zh };
