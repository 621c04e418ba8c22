"""Golden playthroughs: whole games written down ply by ply, so that no rule changes unnoticed.

    python -m tests.golden.make     writes the files again, from the seeds below

A change in these files is a change in the rules or in the notation of a game, and the commit that
makes it says why. The test replays the moves of a file, so it does not depend on how they were
drawn.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, NamedTuple

import honte

FOLDER = Path(__file__).parent
HEADER = "ply  move  to move  legal  score  position"


class Playthrough(NamedTuple):
    """A game to record: random moves from a seed, and in Go two passes at the end."""

    spec: str
    seed: int
    longest: int = 1000


# Seeds that lead to something rare: a draw, a pass, a suicide, a ko, a blocked cell reached.
PLAYTHROUGHS = (
    Playthrough("connect4", 344),
    Playthrough("connect4:rows=12,cols=12,blocked=5/6", 224),
    Playthrough("connect4:course,seed=7", 1),
    Playthrough("connect4:rows=5,cols=10,inarow=6,blocked=0/3+1/3+4/9", 1),
    Playthrough("othello", 8),
    Playthrough("othello:size=6", 1),
    Playthrough("othello:size=4", 7),
    Playthrough("go", 1, 120),
    Playthrough("go:size=5,ko=simple,suicide=yes", 7, 80),
    Playthrough("go:size=4,ko=situational,komi=0", 23, 100),
    Playthrough("go:size=19,handicap=4", 1, 60),
)


def path_of(spec: str) -> Path:
    """``go:size=5,ko=simple`` is kept in ``go-size-5-ko-simple.txt``."""
    return FOLDER / (re.sub(r"[:,=/+]", "-", spec) + ".txt")


def choose_moves(playthrough: Playthrough) -> list[int]:
    """Random moves; in Go nobody passes before the end, as people do not."""
    game = honte.game(playthrough.spec)
    rng = random.Random(playthrough.seed)
    last_resort = getattr(game, "pass_move", None)
    state: Any = game.start()
    moves: list[int] = []
    while not state.is_over:
        choices = [move for move in state.legal_moves() if move != last_resort]
        go_on = choices and len(moves) < playthrough.longest
        moves.append(rng.choice(choices) if go_on or last_resort is None else last_resort)
        state = state.play(moves[-1])
    return moves


def write_down(spec: str, moves: list[str]) -> str:
    """Everything honte reports on every position of a game."""
    game = honte.game(spec)
    state: Any = game.start()
    lines = [f"spec   {spec}", f"game   {game.spec}", "", HEADER, line(0, "", state)]
    for ply, text in enumerate(moves, 1):
        state = state.play(game.parse(text))
        lines.append(line(ply, game.format(state.last_move), state))
    winner = "nobody" if state.winner is None else "XO"[state.winner]
    over = "over" if state.is_over else "not over"
    lines += ["", f"{over}, won by {winner}, score {state.score:g}", ""]
    return "\n".join(lines)


def line(ply: int, move: str, state: Any) -> str:
    legal = len(state.legal_moves())
    side = "-" if state.is_over else "XO"[state.to_move]
    return f"{ply:>3}  {move:<4}  {side:<7}  {legal:>5}  {state.score:>5g}  {state.to_text()}"


def read_moves(text: str) -> list[str]:
    """The moves of a file: the second column, from ply 1 on."""
    plies = text.split(HEADER)[1].strip().split("\n\n")[0].splitlines()
    return [ply.split()[1] for ply in plies[1:]]


def main() -> None:
    for playthrough in PLAYTHROUGHS:
        game = honte.game(playthrough.spec)
        moves = [game.format(move) for move in choose_moves(playthrough)]
        path = path_of(playthrough.spec)
        path.write_text(write_down(playthrough.spec, moves), encoding="utf-8")
        print(f"{path.name}: {len(moves)} plies")


if __name__ == "__main__":
    main()
