"""`honte --lang zh`: the same program in Chinese, and the same output for programs."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys

import msgspec
import pytest

from honte.cli.usage import SENTENCES, pattern
from honte.core.columns import width
from honte.core.games import game as make_game
from honte.core.language import Message, plain, plural, wanted
from tests.cli.command import CHINESE, COMMAND, ENVIRONMENT, ROOT, honte, in_chinese
from tests.needs import needs_bubblewrap

CHINESE_LETTER = re.compile(r"[一-鿿]")


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The real command, started as people start it."""
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "HONTE_LANG"}
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**environment, "LC_ALL": "C.UTF-8", "LANGUAGE": "", **variables},
        timeout=60,
    )


def test_the_option_chooses_the_language() -> None:
    done = run("--lang", "zh", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "用法：" in done.stdout
    assert "在浏览器里" in done.stdout
    assert all(width(line) <= 80 for line in done.stdout.splitlines())


def test_the_locale_chooses_the_language() -> None:
    done = run("nosuch", LC_ALL="zh_CN.UTF-8")
    assert done.returncode == 2
    assert done.stderr == "honte: 没有命令 'nosuch'。\n"


def test_an_unknown_language_gets_one_sentence() -> None:
    done = run("--lang", "xx", "doctor")
    assert done.returncode == 2
    assert done.stderr == "honte: there is no language 'xx'; there are en and zh\n"


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ("", {}, "en"),
        ("--lang zh", {"HONTE_LANG": "en"}, "zh"),
        ("--version --lang=zh", {}, "zh"),
        ("best --lang zh", {}, "en"),
        ("", {"HONTE_LANG": "zh", "LC_ALL": "C"}, "zh"),
        ("", {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ("", {"LANG": "zh_TW.Big5"}, "zh"),
        ("", {"LANG": "de_DE.UTF-8"}, "en"),
        ("", {"LANGUAGE": "de:zh_CN:en", "LANG": "de_DE.UTF-8"}, "zh"),
        ("--lang zh-Hans", {}, "zh"),
    ],
)
def test_the_language_that_is_asked_for(
    arguments: str, environment: dict[str, str], language: str
) -> None:
    assert wanted(arguments.split(), environment) == language


def test_a_terminal_without_chinese_letters_gets_question_marks_and_no_error() -> None:
    done = run("--lang", "zh", "--help", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "???" in done.stdout


def test_english_reads_no_catalogue() -> None:
    code = (
        "import sys; sys.argv = ['honte', '--version']; opened = []\n"
        "def heard(event, args): event == 'open' and opened.append(str(args[0]))\n"
        "sys.addaudithook(heard)\n"
        "from honte.__main__ import run\n"
        "try: run()\nexcept SystemExit: pass\n"
        "sys.exit(any('locale' in name and 'honte' in name for name in opened))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT).returncode == 0
    chinese = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=CHINESE)
    assert chinese.returncode == 1


def test_importing_honte_does_not_import_gettext() -> None:
    code = "import sys, honte; sys.exit('gettext' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


# -- messages --------------------------------------------------------------------------


def test_a_message_is_english_for_programs() -> None:
    told = Message("there is no game {name}", name="chess")
    assert told == "there is no game chess"
    assert json.dumps(told) == '"there is no game chess"'
    assert msgspec.json.encode([told], enc_hook=plain) == b'["there is no game chess"]'
    assert type(plain(told)) is str


def test_a_message_outlives_an_exception_and_a_process() -> None:
    told = Message("{n} of {what}", n=3, what=plural("{n} game", "{n} games", 4))
    kept = pickle.loads(pickle.dumps(str(ValueError(told))))
    assert isinstance(kept, Message)
    assert (kept.text, kept.values["what"].many) == ("{n} of {what}", "{n} games")


def test_a_message_keeps_the_words_of_an_error_and_not_the_error() -> None:
    told = Message("game {n}: {error}", n=2, error=ValueError(Message("no move")))
    assert told == "game 2: no move"
    assert isinstance(told.values["error"], Message)


def test_a_text_without_values_may_have_braces() -> None:
    assert Message('{"a": 1}') == '{"a": 1}'


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("connect4", "/".join(["X......", *["......."] * 5])),
        ("connect4", "/".join([*["......."] * 5, "#......"])),
        ("connect4:blocked=5/0", "/".join(["......."] * 6)),
        ("connect4", "/".join([*["......."] * 5, "XXX...."])),
        ("connect4", "/".join([*["......."] * 3, "OO.....", "OOO....", "XXXX..X X"])),
        ("go:size=2", "XX/XX X"),
    ],
)
def test_what_the_native_core_says_of_a_position_can_be_translated(spec: str, text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        make_game(spec).from_text(text)
    said = str(caught.value)
    assert any(pattern(sentence).fullmatch(said) for sentence in SENTENCES), said


# -- commands --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["best connect4 --iterations 100 --json", "perft othello 3 --json"]
)
def test_what_programs_read_stays_english(line: str) -> None:
    english, chinese = honte(*line.split()), in_chinese(*line.split())
    assert chinese.code == english.code == 0
    assert not CHINESE_LETTER.search(chinese.output)
    assert list(json.loads(chinese.output)) == list(json.loads(english.output))


def test_engines_speak_their_protocol_in_english() -> None:
    said = in_chinese("gtp", given="boardsize x\nnosuch\nquit\n").output
    assert said.startswith("? ")
    assert not CHINESE_LETTER.search(said)


# -- check -----------------------------------------------------------------------------


def test_check_says_what_is_wrong_in_chinese() -> None:
    done = in_chinese("check", "py:tests/bots/nosuch.py:choose", "--game", "connect4")
    assert done.code == 1
    assert "错误      无法启动：没有文件" in done.output
    assert "从当前文件夹开始写路径。" in done.output
    assert "1 个错误：无法启动。" in done.output


@needs_bubblewrap
def test_check_gives_programs_the_same_findings() -> None:
    line = ("check", "py:tests/bots/nosuch.py:choose", "--game", "connect4", "--json")
    assert in_chinese(*line) == honte(*line)


# -- the terminal ----------------------------------------------------------------------


def test_a_game_line_by_line_in_chinese() -> None:
    done = in_chinese("play", "connect4", "--terminal", "--player", "random", given="9\nquit\n")
    assert done.code == 0
    assert "你的着法：" in done.output
    assert "'9' 不在棋盘上；列是" in done.output
    assert "轮到 X" in done.output


SCREEN = """
import sys
from honte.core import language
language.use("zh")
from honte.core.games import game
import honte
from honte.terminal.dialogs import SIDES, presets
from honte.terminal.session import Session
from honte.terminal.tui import BoardApp
from tests import loops
app = BoardApp(Session(game("othello")))
async def main():
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        print(app._title(), app._verdict(), app._names(), SIDES[0][0], presets()[0][0])
        print([binding.description for binding in app.BINDINGS if binding.show])
loops.run(main())
"""


def test_the_board_in_a_terminal_speaks_chinese() -> None:
    pytest.importorskip("textual")
    done = subprocess.run(
        [sys.executable, "-c", SCREEN],
        capture_output=True, text=True, cwd=ROOT, env=CHINESE, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, keys = done.stdout.splitlines()[-2:]
    assert first == "黑白棋 8×8 轮到 黑方；按 ? 看帮助 ('你', '你') 我先走 四子棋 6×7"
    assert "悔棋" in keys
    assert not re.search("[A-Za-z]{2}", keys)
