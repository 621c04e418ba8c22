"""A game to step through in a notebook or a page: one self-contained piece of HTML.

    honte.replay(record)                        a game as `honte.core.record` reads it
    honte.replay("f5d6c3", game)                moves as people write them
    honte.replay([3, 3, 4], game)               moves as ints; a game may be its spec
    honte.replay(states)                        positions

Where scripts do not run (an untrusted notebook) the last position is shown.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from honte.core import games as registry
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record
from honte.drawing.svg import draw

MAX_STATES = 5000

# A picture is cut into tags, path steps and words, most of which recur from one position to the
# next. A game is thus a list of pieces and, for each position, a string of their indices with a few
# digits each.
_PIECES = re.compile(r'<path d="|M[^M"<>]*|<[^>]*>|[^<]+')
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_ID = re.compile(r"\bh[0-9a-f]{8}(?=[a-z])")


@dataclass(frozen=True)
class Replay:
    """The positions of a game with a line of text for each; a notebook draws it."""

    states: list[State]
    lines: list[str]
    title: str = ""
    dark: bool = False
    size: int = 420
    start: int = field(default=0)

    @property
    def html(self) -> str:
        """The replay as one element with its own id, so that a page can hold several."""
        name = f"honte-{secrets.token_hex(6)}"
        pictures = [draw(state, self.dark, self.size) for state in self.states]
        pieces, frames = _cut([_ID.sub(f"{name}-", picture) for picture in pictures])
        last = len(frames) - 1
        start = min(max(self.start, 0), last)
        wide = 1 + (len(pieces) > 64) + (len(pieces) > 64**2) + (len(pieces) > 64**3)
        strings = ["".join(_number(piece, wide) for piece in frame) for frame in frames]
        data = json.dumps({"pieces": pieces, "frames": strings, "lines": self.lines})
        for sign, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
            data = data.replace(sign, code)  # so that nothing in it ends the script
        shown = "".join(pieces[number] for number in frames[-1])
        # A light replay takes the page's own colours; a dark one brings its own background.
        ground = "color:#d7dde6;background:#1b2028;padding:10px;border-radius:10px;"
        return _TEMPLATE % {
            "name": name,
            "title": escape(self.title),
            "picture": shown,
            "line": escape(self.lines[-1]),
            "last": last,
            "start": start,
            "data": data,
            "wide": wide,
            "digits": _DIGITS,
            "ground": ground if self.dark else "",
            "size": self.size,
        }

    def _repr_html_(self) -> str:
        return self.html

    def save(self, path: str | PathLike[str]) -> None:
        """Write a standalone page."""
        ground = "#1b2028" if self.dark else "#ffffff"
        Path(path).write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title or 'A game')}</title>"
            f'<body style="background:{ground}">{self.html}</body></html>',
            encoding="utf-8",
        )

    def __repr__(self) -> str:
        return f"<a replay of {len(self.states) - 1} moves; a notebook shows it>"


def replay(
    game: Record | str | Iterable[Any],
    of: Game | str | None = None,
    *,
    dark: bool = False,
    size: int = 420,
    start: int = 0,
) -> Replay:
    """Step through a game: a record, positions, or moves `of` a game.

    >>> import honte
    >>> honte.replay("4455", "connect4")
    <a replay of 4 moves; a notebook shows it>
    """
    if isinstance(game, Record):
        return _of_record(game, dark, size, start)
    if not isinstance(game, str):
        game = list(game)
        if game and isinstance(game[0], State):
            states = _checked(game)
            lines = [_line(number, states) for number in range(len(states))]
            return Replay(states, lines, states[0].game.spec, dark, size, start)
    if of is None:
        raise ValueError(
            Message("moves alone do not say which game they are of; give its spec as `of`")
        )
    rules = registry.game(of) if isinstance(of, str) else of
    moves = rules.read_moves(game) if isinstance(game, str) else _ints(game)
    return _of_record(Record(rules.spec, moves=moves), dark, size, start)


def _ints(moves: Sequence[Any]) -> list[int]:
    for move in moves:
        if not isinstance(move, int):
            raise ValueError(
                Message("{move} is no move; give ints, positions, or one text", move=quote(move))
            )
    return list(moves)


def _checked(states: Sequence[Any]) -> list[State]:
    for state in states:
        if not isinstance(state, State):
            raise ValueError(
                Message("{state} is no position; give positions only", state=quote(state))
            )
    if len(states) > MAX_STATES:
        raise ValueError(
            Message(
                "a replay of {count:,} positions; {max_states:,} is the most",
                count=len(states),
                max_states=MAX_STATES,
            )
        )
    return list(states)


def _of_record(record: Record, dark: bool, size: int, start: int) -> Replay:
    if len(record.moves) >= MAX_STATES:
        raise ValueError(
            Message(
                "a replay of {count:,} moves; {max_states:,} is the most",
                count=len(record.moves),
                max_states=MAX_STATES - 1,
            )
        )
    states = list(record.states())
    names = [name or "?" for name in record.players] if any(record.players) else []
    title = " – ".join(names) or record.game_spec
    if record.result:
        title += f"   {record.result}"
    lines = []
    for number in range(len(states)):
        line = _line(number, states)
        value = record.meta.get("evals", {}).get(number)
        seconds = record.meta.get("times", {}).get(number)
        comment = record.meta.get("comments", {}).get(number)
        line += "" if value is None else f", value {value:+.2f}"
        line += "" if seconds is None else f", {seconds:.2f} s"
        lines.append(f"{line}. {comment}" if comment else line)
    return Replay(states, lines, title, dark, size, start)


def _line(number: int, states: Sequence[State]) -> str:
    """The line below a position: its number, and the move that led there."""
    move = states[number].last_move if number else None
    words = f"{number} of {len(states) - 1}"
    return words if move is None else f"{words}: {states[number].game.format(move)}"


def _cut(pictures: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Cut pictures into shared pieces; return the pieces, and each picture as their indices."""
    numbers: dict[str, int] = {}
    frames = [
        [numbers.setdefault(piece, len(numbers)) for piece in _PIECES.findall(picture)]
        for picture in pictures
    ]
    return list(numbers), frames


def _number(number: int, wide: int) -> str:
    """A number in base 64 with `wide` digits, the lowest first."""
    return "".join(_DIGITS[number >> 6 * place & 63] for place in range(wide))


_TEMPLATE = """\
<div id="%(name)s" class="honte-replay" tabindex="-1" \
style="%(ground)smax-width:%(size)dpx;font:14px system-ui,sans-serif">
<div style="font-weight:600;padding:4px 0">%(title)s</div>
<div data-part="board">%(picture)s</div>
<div style="display:flex;gap:4px;align-items:center;padding:6px 0">
<button type="button" data-go="first" aria-label="first position">«</button>
<button type="button" data-go="back" aria-label="one move back">‹</button>
<button type="button" data-go="run" aria-label="play and stop">▶</button>
<button type="button" data-go="on" aria-label="one move on">›</button>
<button type="button" data-go="last" aria-label="last position">»</button>
<input type="range" min="0" max="%(last)d" value="%(last)d" aria-label="move" \
style="flex:1;min-width:60px">
</div>
<div data-part="line" aria-live="polite" style="background:rgba(128,128,128,.15);padding:4px 8px;\
border-radius:6px;min-height:1.3em;white-space:pre-wrap;overflow-wrap:anywhere">%(line)s</div>
<script>
(() => {
  const game = %(data)s;
  const root = document.getElementById("%(name)s");
  if (!root) return;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const slider = root.querySelector("input"), last = game.frames.length - 1;
  let place = 0, running = 0;
  const digits = "%(digits)s", wide = %(wide)d;
  const picture = (codes) => {
    let svg = "";
    for (let at = 0; at < codes.length; at += wide) {
      let number = 0;
      for (let i = wide - 1; i >= 0; i--) number = number * 64 + digits.indexOf(codes[at + i]);
      svg += game.pieces[number];
    }
    return svg;
  };
  const show = (to) => {
    place = Math.min(last, Math.max(0, to));
    part("board").innerHTML = picture(game.frames[place]);
    part("line").textContent = game.lines[place];
    slider.value = place;
  };
  const stop = () => {
    clearInterval(running);
    running = 0;
    root.querySelector('[data-go="run"]').textContent = "▶";
  };
  const run = () => {
    if (running) return stop();
    if (place === last) show(0);
    root.querySelector('[data-go="run"]').textContent = "■";
    running = setInterval(() => {
      if (!root.isConnected || place === last) stop(); else show(place + 1);
    }, 700);
  };
  const ways = { first: () => 0, back: () => place - 1, on: () => place + 1, last: () => last };
  for (const button of root.querySelectorAll("button")) {
    const way = button.dataset.go;
    button.onclick = () => {
      if (way === "run") return run();
      stop();
      show(ways[way]());
    };
  }
  slider.oninput = () => { stop(); show(Number(slider.value)); };
  show(%(start)d);
})();
</script>
</div>
"""
