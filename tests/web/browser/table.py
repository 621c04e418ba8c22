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
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

WAIT = 30_000
"""Milliseconds after which something that should come never comes, on a slow and busy machine."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DROPPED = re.compile(r"WebSocket connection to .* failed|ERR_CONNECTION_REFUSED")

expect.set_options(timeout=WAIT)


class House:
    """`honte play` in a process of its own, so that it can be killed in mid-game."""

    def __init__(self, port: int = 0) -> None:
        command = [sys.executable, "-m", "honte", "play", "--no-browser", "--port", str(port)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"the server said {line!r}"
        self.address = found[0]
        self.port = int(found[1])

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


class Table:
    """One page, with everything its console said."""

    def __init__(self, context: BrowserContext, house: House) -> None:
        self.context = context
        self.house = house
        self.page: Page = context.new_page()
        self.page.set_default_timeout(WAIT)
        self.troubles: list[str] = []
        self.may_drop = False
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self._note(str(error)))

    def _listen(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self._note(said.text)

    def _note(self, words: str) -> None:
        if not (self.may_drop and DROPPED.search(words)):
            self.troubles.append(words)

    def open(self, behind: str = "") -> Table:
        self.page.goto(self.house.address + behind)
        self.page.wait_for_selector("html[data-ready]")
        return self

    def sit_down(self, spec: str, *players: str, moves: str = "", **more: Any) -> Table:
        """Begin with a game this browser is said to have had."""
        session = {
            "spec": spec,
            "players": list(players or ("person", "person")),
            "moves": [move for move in moves.split(",") if move],
            "seconds": 0.05,
            **more,
        }
        # Once only: after a reload the page finds what it has kept itself.
        put = f"localStorage.setItem('honte.session', {json.dumps(json.dumps(session))})"
        self.page.add_init_script(
            f"if (!sessionStorage.seated) {{ sessionStorage.seated = 1; {put} }}"
        )
        return self.open()

    def cell(self, number: int) -> Locator:
        return self.page.locator(f'[data-cell="{number}"]')

    def at(self, label: str) -> Locator:
        """The cell that the screen reader calls so."""
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

    def stones(self) -> int:
        return self.page.locator(".layer-stones .stone").count()

    def click(self, name: str) -> None:
        self.page.locator(f"#{name}").click()
