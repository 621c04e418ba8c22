"""Latency of the page for a single visitor, in the system's Chromium.

    python benchmarks/page_speed.py

From the command `honte play` to a board that can be played on; from a click to the piece being
drawn; from requesting analysis to its first numbers; and the bytes transferred. Medians.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser.user import CHROMIUM, ServerProcess, User

# In the page: note the time from each press of the pointer to the frame with something new.
WATCH = """(layer) => {
    window.times = [];
    addEventListener("pointerdown", () => { window.began = performance.now(); }, true);
    new MutationObserver(() => {
        if (!window.began) return;
        const began = window.began;
        window.began = 0;
        requestAnimationFrame(() => times.push(performance.now() - began));
    }).observe(document.querySelector(layer), { childList: true, subtree: true });
}"""
DRAWN = {"connect4": ".chip", "othello": ".heat.best text", "go:size=9": ".heat.best text"}


def usable(browser: Browser) -> float:
    """Seconds from the command to a board that answers."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    began = time.perf_counter()
    server = ServerProcess()
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    seconds = time.perf_counter() - began
    context.close()
    server.close()
    return seconds


def transferred(browser: Browser, server: ServerProcess) -> int:
    """The bytes that a first visit fetches."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(bytes_of(request)))
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_timeout(300)
    context.close()
    return sum(sizes)


def bytes_of(request: object) -> int:
    sizes = request.sizes()  # type: ignore[attr-defined]
    return int(sizes["responseBodySize"] + sizes["responseHeadersSize"])


def clicks(browser: Browser, server: ServerProcess) -> list[float]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    user = User(context, server).resume("connect4")
    user.page.evaluate(WATCH, ".layer-stones")
    for ply in range(1, 21):
        user.cell((0, 2, 4, 6, 1, 3, 5)[ply % 7]).click()
        user.wait_for_ply(ply)
    times: list[float] = user.page.evaluate("times")
    context.close()
    return times


def analysis(browser: Browser, server: ServerProcess) -> list[float]:
    times = []
    for spec, drawn in DRAWN.items():
        for _ in range(3):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            user = User(context, server).resume(spec)
            user.page.evaluate(WATCH, ".layer-thoughts")
            user.click("analysis")
            user.page.wait_for_selector(f".layer-thoughts {drawn}")
            user.page.wait_for_timeout(100)
            times += user.page.evaluate("times")
            context.close()
    return times


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the server as users run it
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        usable(browser)  # Python and the browser may not have been in memory
        seconds = sorted(usable(browser) for _ in range(11))
        server = ServerProcess()
        print(
            f"usable after `honte play`: median {statistics.median(seconds):.2f} s, "
            f"worst of {len(seconds)} {seconds[-1]:.2f} s; "
            f"{transferred(browser, server) / 1000:.0f} KB transferred"
        )
        times = sorted(clicks(browser, server))
        print(
            f"click to own piece: median {statistics.median(times):.0f} ms, worst {times[-1]:.0f}"
        )
        times = sorted(analysis(browser, server))
        print(f"first numbers: median {statistics.median(times):.0f} ms, worst {times[-1]:.0f} ms")
        server.close()
        browser.close()


if __name__ == "__main__":
    main()
