"""Twelve bots as beginners break them: submitted as source, each is diagnosed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from honte.check import Check
from honte.core import language
from honte.core.language import tr_value
from honte.sandbox.levels import active_level
from honte.submissions import trial as trials
from honte.submissions.trial import Event, trial
from honte.submissions.versions import Versions

BROKEN = Path(__file__).parents[1] / "bots" / "broken"
BOARD = "connect4:rows=10,cols=12,blocked=6/3"


class Case(NamedTuple):
    """The diagnosis of a broken bot: some of its words in English and in Chinese."""

    kind: str
    """``fault`` or ``warning`` of the check, ``error`` or ``warning:compiler`` of the compiler."""
    name: str
    seen: tuple[str, str]
    fix: tuple[str, str]


CASES = {
    "swapped_axes": Case(
        "fault", "rows and columns",
        ("rows and columns are swapped", "行和列写反了"),
        ("new Point(top[y] - 1, y)", "先写行"),
    ),
    "stale_state": Case(
        "fault", "forgets to reset",
        ("After another game in the same process", "同一进程"),
        ("clear all static and global variables", "静态"),
    ),
    "char_sign": Case(
        "warning:compiler", "",
        ("a plain char is compared with a number", "char"),
        ("on ARM", "signed char 或 int"),
    ),
    "overrun": Case(
        "fault", "overrun",
        ("Strategy.cpp, line 9: the index 9 is outside of an array int [9]", "第 9 行"),
        ("the indices 0 to n - 1", "0 到 n - 1"),
    ),
    "leak": Case(
        "fault", "leaks memory",
        ("Its memory grows by", "内存"),
        ("Free at the start of a game", "释放"),
    ),
    "crash": Case(
        "fault", "crash",
        ("Strategy.cpp, line 13: it uses a pointer that is NULL", "第 13 行：使用了空指针"),
        ("where the pointer comes from", "指针"),
    ),
    "piece_codes": Case(
        "fault", "piece codes",
        ("take the opponent's pieces for its own", "把对手的棋子当成了自己的"),
        ("2 is you and 1 is the opponent", "2 是自己，1 是对手"),
    ),
    "blocked_cell": Case(
        "fault", "blocked cell",
        ("which is the blocked cell", "障碍格"),
        ("top[y] - 1", "top[y] - 1"),
    ),
    "prints": Case(
        "warning", "prints",
        ("It prints while it plays, like 'I play column 0'", "对局时会输出"),
        ("It does no harm here", "没有害处"),
    ),
    "template_loop": Case(
        "error", "",
        ("the compiler was not done after 1 seconds", "1 秒"),
        ("a template or a constexpr function that uses itself", "模板"),
    ),
    "huge_globals": Case(
        "warning", "much memory",
        ("MiB of memory at its first move", "内存"),
        ("Make global arrays and tables smaller", "全局"),
    ),
    "reads_uploads": Case(
        "warning:compiler", "",
        ("it opens files, and a bot has none", "打开文件"),
        ("the files of others do not exist", "别人的文件不存在"),
    ),
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that bots may enter."""
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.fixture(autouse=True)
def few_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough to find what is wrong, on one board."""
    games = {"leak": 8, "stale_state": 4}.get(request.node.callspec.params["bot"], 2)
    monkeypatch.setattr("honte.submissions.watched.Check", partial(Check, games=games))
    monkeypatch.setattr("honte.games.connect4.check.COURSE_BOARDS", ())


@pytest.fixture
def both_languages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Events speak English and Chinese at once, so that one trial shows both."""

    def both(message: Any, /, **values: Any) -> str:
        told = []
        for code in ("en", "zh"):
            language.use(code)
            told.append(language.tr(message, **values))
        language.use("en")
        return "\n".join(told)

    monkeypatch.setattr(trials, "tr", both)
    monkeypatch.setattr(trials, "tr_value", both)
    yield
    language.use("en")
    assert tr_value("a") == "a"


def hand_in(bot: str, place: Path) -> list[Event]:
    """The events of a trial of one of the twelve."""
    given, kept = place / "given", place / "kept"
    given.mkdir()
    shutil.copy(BROKEN / "course.h", given)
    shutil.copy(BROKEN / f"{bot}.cpp", given / "Strategy.cpp")
    secret = kept / "v009" / "source" / "Strategy.cpp"
    secret.parent.mkdir(parents=True)
    secret.write_text("int secret;\n")
    (given / "others.h").write_text(f'#define OTHERS "{secret}"\n')
    limit = 1 if bot == "template_loop" else 60
    return list(trial(Versions(kept), given, BOARD, ladder=False, compile_seconds=limit))


REPEATED = ("stale_state", "leak", "blocked_cell")
"""Faults that tests/check finds in libraries too; here they are compiled and told in Chinese."""


@pytest.mark.parametrize(
    "bot",
    [pytest.param(bot, marks=pytest.mark.long) if bot in REPEATED else bot for bot in CASES],
)
def test_a_broken_bot_is_told_what_is_wrong(bot: str, place: Path, both_languages: None) -> None:
    if bot == "reads_uploads" and active_level() == "trusted":
        pytest.skip("nothing is hidden from bots here")
    case = CASES[bot]
    events = hand_in(bot, place)
    if case.kind in ("error", "warning:compiler"):
        [build] = [event for event in events if event["event"] == "build"]
        assert build["ok"] == (case.kind != "error")
        told = [
            (one["text"], one["advice"])
            for one in build["diagnostics"]
            if one["kind"] == case.kind.partition(":")[0]
        ]
    else:
        told = [
            (one["seen"], one["fix"])
            for one in events
            if one["event"] == "finding"
            and one["kind"] == case.kind
            and one["name"].startswith(case.name + "\n")
            and one["name"].partition("\n")[2] not in ("", case.name)
        ]
    assert told, events
    seen, fix = told[0]
    for word in case.seen:
        assert word in seen
    for word in case.fix:
        assert word in fix
    faults = [event["faults"] for event in events if event["event"] == "checked"]
    wanted = [] if case.kind == "error" else [[case.name] if case.kind == "fault" else []]
    assert faults == wanted  # that, and nothing else
