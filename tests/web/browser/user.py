"""A visitor at the page: the system's Chromium, and what a person does there."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Locator, Page, expect

WAIT = 90_000
"""Milliseconds after which something that should come never comes, on a slow and busy machine."""

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The first is the same engine without windows: half the processor time."""

DROPPED = re.compile(r"WebSocket connection to .* failed|ERR_CONNECTION_REFUSED")

expect.set_options(timeout=WAIT)


class Server(Protocol):
    """What a user has to know of a server."""

    @property
    def address(self) -> str: ...

    @property
    def alive(self) -> bool: ...


class ServerProcess:
    """`honte play` in a process of its own, so that it can be killed in mid-game."""

    def __init__(
        self,
        port: int = 0,
        *arguments: str,
        environment: dict[str, str] | None = None,
        command: str = "play",
    ) -> None:
        words = [sys.executable, "-m", "honte", command, "--no-browser", "--port", str(port)]
        words += arguments
        self.arguments = arguments
        self.process = subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | (environment or {}),
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"the server said {line!r}"
        self.address = found[0]
        self.port = int(found[1])

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self._end(signal.SIGINT)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def crash_workers(self) -> None:
        """Kill every process below the server."""
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                pid, _, rest = stat.read_text().partition(" (")
                if int(rest.rpartition(") ")[2].split()[1]) == self.process.pid:
                    os.kill(int(pid), signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()


class User:
    """One page, with everything its console said."""

    def __init__(self, context: BrowserContext, server: Server, page: Page | None = None) -> None:
        self.context = context
        self.server = server
        self.page: Page = page or context.new_page()
        self.page.set_default_timeout(WAIT)
        self.troubles: list[str] = []
        self.may_drop = False
        self.page.on("console", self._listen)
        self.page.on("pageerror", self._fail)

    def _listen(self, said: ConsoleMessage) -> None:
        # A document that is no page of ours has no icon, and the browser asks for one.
        if said.type == "error" and not said.location["url"].endswith("/favicon.ico"):
            self._note(said.text)

    def _fail(self, error: Error) -> None:
        self._note(str(error))

    def _note(self, words: str) -> None:
        if not (self.may_drop and DROPPED.search(words)):
            self.troubles.append(words)

    def open(self, behind: str = "") -> User:
        self.page.goto(self.server.address + behind)
        self.page.wait_for_selector("html[data-ready]")
        return self

    def resume(self, spec: str, *players: str, moves: str = "", **more: Any) -> User:
        """Start with a saved game in this browser."""
        session = {
            "spec": spec,
            "players": list(players or ("person", "person")),
            "moves": [move for move in moves.split(",") if move],
            "seconds": 0.05,
            **more,
        }
        return self.remember("session", session).open()

    def remember(self, key: str, value: Any) -> User:
        """Keep something in this browser, as the page did on an earlier visit."""
        self.leave()
        put = "([key, value]) => localStorage.setItem(key, value)"
        self.page.evaluate(put, [f"honte.{key}", json.dumps(value)])
        return self

    def leave(self) -> None:
        """Go to a document of this server that runs no script."""
        quiet = self.server.address + "health"
        if self.page.url != quiet:
            self.page.goto(quiet)

    def forget(self) -> None:
        """Leave the tab as a new browser would have it, for the next test."""
        self.page.remove_listener("console", self._listen)
        self.page.remove_listener("pageerror", self._fail)
        if self.server.alive:
            self.leave()
            self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        else:
            self.page.goto("about:blank")
        self.context.clear_cookies()
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.page.set_viewport_size({"width": 1280, "height": 800})

    def run(self, script: str, given: Any = None) -> Any:
        """Evaluate a script; its imports from ``/static/`` are the modules that the page runs.

        The page loads them under versioned addresses; under others they would be loaded again.
        """
        source = self.page.locator("script[type=module]").get_attribute("src") or ""
        folder = source.rpartition("/")[0]
        return self.page.evaluate(script.replace('"/static/', f'"{folder}/'), given)

    def cell(self, number: int) -> Locator:
        return self.page.locator(f'[data-cell="{number}"]')

    def at(self, label: str) -> Locator:
        """The cell with this accessible name."""
        return self.page.locator(f'[role=gridcell][aria-label^="{label},"]')

    def legal(self) -> list[int]:
        cells = self.page.locator('[role=gridcell][aria-label*="you can play here"]')
        return [int(cell.get_attribute("data-cell") or -1) for cell in cells.all()]

    @property
    def ply(self) -> int:
        return int(self.page.locator("#board").get_attribute("data-ply") or -1)

    def wait_for_ply(self, ply: int) -> None:
        self.page.wait_for_selector(f'#board[data-ply="{ply}"]')

    def wait_beyond(self, ply: int) -> None:
        """Wait until more moves were made; the engine may have answered already."""
        # Not wait_for_function: our content policy forbids the eval that it polls with.
        self.page.wait_for_selector(f'#board:not([data-ply="{ply}"])')

    def wait_for_turn(self, *turns: str) -> str:
        self.page.wait_for_selector(",".join(f'#board[data-turn="{turn}"]' for turn in turns))
        return self.page.locator("#board").get_attribute("data-turn") or ""

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    @property
    def stones(self) -> Locator:
        return self.page.locator(".layer-stones .stone")

    def wait_for_address(self, part: str) -> None:
        """Wait until the address bar has this in it."""
        expect(self.page).to_have_url(re.compile(re.escape(part)))

    def click(self, name: str) -> None:
        self.page.locator(f"#{name}").click()


Visit = Callable[[Server], User]
"""Makes a user of a server, in the tab that all tests share."""
