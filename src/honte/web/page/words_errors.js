// Errors of the server in Chinese: patterns of the common sentences. What matches none stays as it is.

import { language } from "./words.js";

const WORD = "('[^']*'|\\S+)";
const some = (pattern, chinese) => [new RegExp(`^${pattern.replaceAll("WORD", WORD)}$`, "s"), chinese];

// $1, $2 … are what the pattern caught; in <$1> it is a sentence of its own.
const SENTENCES = [
  some("the code is wrong; ask your teacher for it", "代码不对；请问老师"),
  some("write your name, in at most (\\d+) letters", "请写你的名字，最多 $1 个字"),
  some("nobody can join any more; ask your teacher", "现在不能加入了；请问老师"),
  some("the class is full", "班级已满"),
  some("there is a WORD already; sign in with your own code, or with another name", "已经有 $1 了；请用你自己的代码登录，或换一个名字"),
  some("your versions take (\\d+) MB, and (\\d+) MB is the most; ask your teacher", "你的各个版本占了 $1 MB，最多 $2 MB；请找老师"),
  some("(\\d+) uploads in an hour is the most; wait a little", "一小时最多上传 $1 次；请稍等"),
  some("a round needs two bots that were checked; there are (\\d+)", "一轮比赛至少要两个检查过的程序；现在有 $1 个"),
  some("a round is being played; stop it first", "有一轮正在进行；请先停止"),
  some("the round broke off; start it again", "这一轮中断了；请重新开始"),
  some("only the teacher can see and do this", "只有老师能看、能做"),
  some("students hand in here; sign in as one to try it", "这里给学生上传；要试的话请以学生登录"),
  some("your bots have not played this game; choose one of yours", "你的程序没有下过这一局；请选自己的对局"),
  some("sign in first, at /class", "请先在 /class 登录"),
  some("move (\\d+)(?: of the record)?: (.*)", "第 $1 手：<$2>"),
  some("game (\\d+): (.*)", "第 $1 局：<$2>"),
  some("line (\\d+): (.*)", "第 $1 行：<$2>"),
  some("column WORD is full on move (\\d+); choose one of (.*)", "第 $1 列已满；可选 $3"),
  some("WORD is off the board; columns are (\\S+) to (\\S+)", "$1 不在棋盘上；列号为 $2 到 $3"),
  some("WORD is not a column; write (\\S+) to (\\S+).*", "$1 不是列号；请写 $2 到 $3"),
  some("WORD turns no disc for \\S+; choose one of (.*)", "下在 $1 翻不了对方的棋子；可选 $2"),
  some("WORD is not a (?:square|point); write (\\S+) to (\\S+?)(?: \\(no I\\))?, or pass", "$1 不是棋盘上的位置；请写 $2 到 $3，或 pass"),
  some("WORD is not a list of .*", "$1 不是着法列表"),
  some("WORD is taken; .*", "$1 已有棋子；请下在空位或停一手"),
  some("WORD would repeat an earlier position .*", "下在 $1 会重复先前的局面（打劫）；请下别处或停一手"),
  some("WORD would be suicide; .*", "下在 $1 是自杀；请下别处或停一手"),
  some("WORD cannot be played: the game is over", "$1 不能下：对局已经结束"),
  some("WORD is not a legal move here; choose one of (.*)", "这里不能下 $1；可选 $2"),
  some("the game is over in this position; .*", "这个局面对局已经结束，没有着法可选"),
  some("there is no game WORD; there are (.*)", "没有 $1 这种棋；现有 $2"),
  some("there is no player WORD here; there are (.*)", "这里没有棋手 $1；现有 $2"),
  some("there is no format WORD for \\S+; there are (.*)", "没有 $1 这种格式；现有 $2"),
  some("(\\w+) has no option WORD; it has: (.*)", "$1 没有选项 $2；现有 $3"),
  some("(\\w+): (\\w+)=WORD is not a whole number from (\\S+) to (\\S+)", "$1：$2=$3 应为 $4 到 $5 的整数"),
  some("(\\w+): (\\w+)=WORD is not a number from (\\S+) to (\\S+)", "$1：$2=$3 应为 $4 到 $5 的数"),
  some("(\\w+): (\\w+)=WORD is not one of (.*)", "$1：$2=$3 应为 $4 之一"),
  some("(\\w+): (\\w+)=WORD is not yes or no", "$1：$2=$3 应为 yes 或 no"),
  some("(\\w+): handicap=(\\d+) does not (?:go with|fit) size (\\d+); (?:it may be|use) (.*)", "$1：$3 路棋盘不能让 $2 子；可以是 $4"),
  some("(\\w+): inarow=(\\d+) does not fit on .*", "$1：棋盘上放不下 $2 连"),
  some("(\\w+): every cell of .* is blocked; .*", "$1：所有格子都被封住；请留出可下的格子"),
  some("(\\w+): blocked cell (\\S+) is off .*", "$1：封住的格子 $2 不在棋盘上"),
  some("a game of ([\\d,]+) moves; ([\\d,]+) is the most", "对局有 $1 手；最多 $2 手"),
  some("the position has (\\d+) rows, the board (\\d+); .*", "局面有 $1 行，棋盘有 $2 行；各行以 / 相连"),
  some("row (\\d+) has (\\d+) (?:cells|points), the board (\\d+).*", "第 $1 行有 $2 格，棋盘有 $3 列"),
  some("the position has (\\d+) characters; .*", "局面只有 $1 个字符，长度不对"),
  some("the side to move is WORD; write X or O", "轮到谁走写的是 $1；请写 X 或 O"),
  some("a position is rows joined by /.*", "局面应为以 / 相连的各行，空一格，再写轮到谁：X 或 O"),
  some("there is nothing to load; .*", "没有内容可读；请粘贴棋谱或选择文件"),
  some("the text holds no game; .*", "文本里没有棋谱；请粘贴棋谱或着法列表"),
  some("the text holds no SGF game; .*", "文本里没有 SGF 棋谱；棋谱以 “(;” 开头"),
  some("the text ends within .*", "文本不完整，在中途断开"),
  some("the text does not say which game it is of; .*", "文本没有说明是哪种棋；请先选择"),
  some("there is no stone on that point; .*", "那里没有棋子；请点击棋子来标记一块棋"),
  some("there is nothing to agree on in this position; .*", "这个局面不需要数子；请先下完"),
  some("there is no search to look into yet; .*", "还没有搜索可看；请先让引擎思考"),
  some("a search is running; pause it .*", "搜索正在进行；请先暂停再逐次模拟"),
  some("only a search by simulations can be taken step by step", "只有模拟搜索才能逐次进行"),
  some("this player keeps no search tree; .*", "这个棋手没有搜索树；请打开分析"),
  some("the search has not looked beyond this move; .*", "搜索还没有越过这一手；请让它继续思考"),
  some("the engine is too busy to .*; try again", "引擎正忙；请再试一次"),
  some("the engine stopped unexpectedly and was started again; .*", "引擎意外停止，已重新启动；请再试一次"),
  some("the (?:engine|server) could not answer this request; .*", "无法回答这个请求；请换一个"),
  some("the bot lost the game \\((.*)\\); .*", "该程序因故判负（$1）；请换一个对手"),
  some("the bot (\\S+) cannot play here; .*", "程序 $1 无法在此对局；原因见服务器终端"),
  some("the server is full; .*", "服务器已满；请稍后再试"),
  some("too many requests at once; .*", "请求过多；请等待回答"),
  some("(\\d+) variations could not be played and are left out: (.*)", "$1 个变化无法落子，已略去：<$2>"),
  some("a variation could not be played and is left out: (.*)", "有一个变化无法落子，已略去：<$1>"),
  some("GM\\[(.*?)\\] is another game; .*", "GM[$1] 是另一种棋"),
  some("SZ\\[(.*?)\\] (?:is no board|is not|is out of).*", "SZ[$1] 不是可用的棋盘大小"),
  some("move (\\d+), (\\w+\\[.*?\\])[:,] .*", "第 $1 手 $2 不在棋盘上"),
  some("(A[BWE]\\[.*?\\]): .*", "$1 不在棋盘上"),
  some("move (\\d+) is of both colours; .*", "第 $1 手同时属于双方；请分成两个节点"),
  some("pieces are set up after move (\\d+): .*", "第 $1 手之后摆了棋子：其后的着法作为变化保留"),
  some("(\\w+) holds the moves of the game alone: .*", "$1 只能保存对局本身的着法：变化、注解和标记未写入"),
  some("the rows of the position differ in length; .*", "局面各行长度不同；各行应等长，以 / 相连"),
  some("the piece in (.*) hangs above an empty cell; .*", "$1 的棋子下方是空格；棋子会下落"),
  some("X has (\\d+) and O (\\d+) pieces, so (\\w) cannot be to move; .*", "X 有 $1 子，O 有 $2 子，因此不会轮到 $3；X 先行"),
  some("the side to move, (\\w), already has a line; .*", "轮到的一方 $1 已经连成一线，对局早已结束"),
  some("there is no version (\\d+); there are: (.*)", "没有版本 $1；现有 $2"),
  some("a bot is being tried or compared; .*", "正在检查或比较程序；请等它结束，或先停止"),
  some("the trial ended without a word; .*", "检查意外中断；请重新上传"),
  some("the comparison ended without a word; .*", "比较意外中断；请重新开始"),
  some("something went wrong here; .*", "出了点问题；请再试一次"),
];

/** An error of the server in the user's language, where it is one of the common ones. */
export function serverWords(words) {
  if (language() !== "zh") return words;
  for (const [pattern, chinese] of SENTENCES) {
    const found = words.match(pattern);
    if (found) return chinese.replace(/<\$(\d)>|\$(\d)/g, (_, sentence, part) => (sentence ? serverWords(found[sentence]) : found[part]));
  }
  return words;
}
