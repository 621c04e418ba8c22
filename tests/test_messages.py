"""Every user-visible text is in the catalogue of every language, complete.

`tools/messages` collects the texts and compiles the catalogues; these tests find what is missing.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from honte.core.language import FOLDER, LANGUAGES
from tests.tools import load_tool

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "honte"
CATALOGUES = sorted(SOURCE.glob("locale/*/LC_MESSAGES/honte.po"))
TOOL = load_tool("messages")


def gaps(text: str) -> list[str]:
    """The gaps of a message with their formats.

    >>> gaps("{n:,} of {total}")
    ['{n:,}', '{total}']
    """
    found = [
        f"{{{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}}}"
        for _, name, form, conversion in string.Formatter().parse(text)
        if name is not None
    ]
    return sorted(found)


def texts(found: Any) -> tuple[str, ...]:
    return (found,) if isinstance(found, str) else tuple(found)


# -- the catalogues --------------------------------------------------------------------


def test_every_language_but_english_has_a_catalogue() -> None:
    assert [po.parts[-3] for po in CATALOGUES] == [name for name in LANGUAGES if name != "en"]
    assert all(str(po).startswith(FOLDER) for po in CATALOGUES)


@pytest.mark.parametrize("po", CATALOGUES, ids=lambda po: po.parts[-3])
def test_a_catalogue_has_the_messages_of_the_sources_and_no_others(po: Path) -> None:
    wanted = {texts(text) for _, _, text in TOOL.extracted()}
    with po.open("rb") as file:
        catalogue = read_po(file)
    found = {texts(message.id) for message in catalogue if message.id}
    assert found - wanted == set(), "run tools/messages: these are in no source any more"
    assert wanted - found == set(), "run tools/messages: these are not in the catalogue"
    assert not catalogue.obsolete
    assert len(wanted) > 200


@pytest.mark.parametrize("po", CATALOGUES, ids=lambda po: po.parts[-3])
def test_every_message_is_translated_with_the_same_gaps(po: Path) -> None:
    wrong = []
    with po.open("rb") as file:
        for message in read_po(file):
            if not message.id:
                continue
            if message.fuzzy or not all(texts(message.string)):
                wrong.append(f"not translated: {message.id!r}")
            wanted = set(map(tuple, map(gaps, texts(message.id))))
            for text in texts(message.string):
                # `one game` names no number; a language with one form for all does.
                if tuple(gaps(text)) not in wanted:
                    wrong.append(f"other gaps: {message.id!r} and {text!r}")
                first, last = texts(message.id)[0], text
                if re.match(r"\s", first) and not re.match(r"\s", last):
                    wrong.append(f"begins without the blank: {message.id!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("po", CATALOGUES, ids=lambda po: po.parts[-3])
def test_the_compiled_catalogue_is_what_the_text_compiles_to(po: Path) -> None:
    assert po.with_suffix(".mo").read_bytes() == TOOL.compiled(po), "run tools/messages"


# -- the sources -----------------------------------------------------------------------

FINISHED = (
    "analysis/", "arena/", "check/", "cli/", "core/", "drawing/", "games/", "nets/", "players/",
    "sandbox/", "search/", "terminal/", "tune/", "web/address.py",
)  # fmt: skip
"""Folders and files all of whose words are translated."""
UNSEEN = (
    "core/language.py",  # before a language is chosen
    "sandbox/confinement.py",  # in the bot's process, on its way to the kernel
    "sandbox/host.py",  # replies to us, which protocols/hosted.py words
    "games/connect4/jax_rules.py", "games/go/jax_rules.py", "nets/export.py", "nets/train.py",
)  # fmt: skip
"""Files that tell nothing to people, or only to those who train networks on accelerators."""
SHOWN = {
    "print", "echo", "input", "notice", "show", "ask", "_say", "changed", "Label", "Button",
}  # fmt: skip
"""Functions that show their arguments to somebody."""
MARKS = {"tr", "Message", "plural"}
ALLOWED = {
    # A number, a name or a command, the same in every language.
    "honte {}",
    "playout {}",
    "honte: {}",
}
"""What is shown as it is."""
PATTERNS = ("analysis/review.py", "check/dying.py", "cli/usage.py", "protocols/getpoint.py")
WORD = re.compile(r"[A-Za-z]{2,}")


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """The calls and errors of a file: what may show words."""
    nodes = ast.walk(ast.parse(source))
    return tuple(node for node in nodes if isinstance(node, (ast.Call, ast.Raise)))


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """Words that somebody reads and that are in no `tr` or `Message`, with their lines.

    >>> list(unmarked('print(f"{n} games")')), list(unmarked('print(tr("{n} games", n=n))'))
    ([(1, '{} games')], [])
    """
    for node in nodes_of(source):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if name_of(node.exc) not in ("AttributeError", "RuntimeError"):
                yield from literals(node.exc.args)
        elif isinstance(node, ast.Call) and name_of(node) in SHOWN:
            yield from literals(node.args)
        elif isinstance(node, ast.Call) and name_of(node) == "Binding":
            yield from literals(node.args[2:])
        elif isinstance(node, ast.Call) and name_of(node) in ("Option", "Argument"):
            yield from literals([k.value for k in node.keywords if k.arg == "help"])


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def literals(nodes: list[ast.expr]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Call) and name_of(node) in MARKS:
            continue
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.BinOp):
            yield from literals([node.left, node.right])
        elif isinstance(node, ast.IfExp):
            yield from literals([node.body, node.orelse])
        if WORD.search(text) and " " in text.strip():
            yield node.lineno, text.strip()


def name_in(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def test_what_people_read_is_marked_for_translation() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = name_in(path)
        if name.startswith(FINISHED) and name not in UNSEEN:
            lines = unmarked(path.read_text("utf-8"))
            found += [f"{name}:{line}: {text!r}" for line, text in lines if text not in ALLOWED]
    assert not found, "\n".join(found)


def test_every_gap_of_a_message_is_filled() -> None:
    """Except of patterns for what others say, and of advice that is filled later."""
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in nodes_of(path.read_text("utf-8")):
            if not isinstance(node, ast.Call) or name_of(node) not in MARKS:
                continue
            given = {keyword.arg for keyword in node.keywords}
            given |= {"n"} if name_of(node) == "plural" else set()
            messages = [a.value for a in node.args if isinstance(a, ast.Constant)]
            named = {
                name
                for text in messages
                for _, name, _, _ in string.Formatter().parse(str(text))
                if name and name.isidentifier() and (given or name_in(path) not in PATTERNS)
            }
            if messages and None not in given and not named <= given:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {messages[0]!r}")
            if any(isinstance(a, ast.JoinedStr) for a in node.args):
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}: an f-string")
    assert not wrong, "\n".join(wrong)
