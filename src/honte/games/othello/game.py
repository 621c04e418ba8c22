"""Othello: ``othello``, ``othello:size=6``.

A move is 8·row + column on every size, counted from 0 at a1, the top left; 64 is the
pass. People write ``f5``, letter for the column, row 1 at the top.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from honte._native import OthelloRules, OthelloState
from honte.core.contract import IllegalMove, State
from honte.core.language import Message
from honte.core.messages import quote, some, split_moves
from honte.core.spec import join
from honte.games.native import NativeGame, equip
from honte.games.othello.descriptor import DESCRIPTOR, OPTIONS, PASS

if TYPE_CHECKING:
    from honte.games.symmetry import Symmetry

BLACK, WHITE, EMPTY = "Xx*bB", "OowW", "-."
_SQUARES = {**dict.fromkeys(BLACK, 1), **dict.fromkeys(WHITE, 2), **dict.fromkeys(EMPTY, 0)}
_PASSES = {"pass", "pa", "ps", "--"}
_WORD = re.compile(r"pass|pa|ps|--|[a-z]\d+", re.IGNORECASE)


class Othello(NativeGame):
    """Othello on 8×8, 6×6 or 4×4.

    >>> import honte
    >>> game = honte.game("othello")
    >>> [game.format(move) for move in game.start().legal_moves()]
    ['d3', 'c4', 'f5', 'e6']
    """

    name = "othello"
    descriptor = DESCRIPTOR
    _rules: OthelloRules

    def __init__(self, /, **settings: object) -> None:  # `/`: a spec may say self=1
        self.size: int = OPTIONS.read(self.name, settings)["size"]
        self._rules = OthelloRules(self.size)
        self.spec = join(self.name, {} if self.size == 8 else {"size": self.size})

    def start(self) -> OthelloState:
        return self._rules.start(self)

    # -- symmetries ------------------------------------------------------------------

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The eight reflections and rotations of the board.

        The rules respect all of them. Four exchange the colours of the starting position: their
        images cannot be reached in a game, but play continues as in the original.
        """
        from honte.games.symmetry import turns

        return turns(self.size, 8, PASS + 1)

    def image(self, state: OthelloState, symmetry: Symmetry) -> OthelloState:
        from honte.games.symmetry import moved

        discs = [0, 0, 0]
        for i, cell in enumerate(moved(state.cells(), symmetry)):
            discs[cell] |= 1 << (i // self.size * 8 + i % self.size)
        image = self._rules.setup(self, discs[1], discs[2], state.to_move)
        last = state.last_move
        return image.with_last_move(None if last is None else int(symmetry.actions[last]))

    # -- moves -----------------------------------------------------------------------

    def parse(self, text: str) -> int:
        word = text.strip().lower() if len(text) < 40 else ""
        if word in _PASSES:
            return PASS
        if len(word) == 2 and word.isascii() and word[0].isalpha() and word[1].isdigit():
            row, col = int(word[1]) - 1, ord(word[0]) - ord("a")
            if 0 <= row < self.size and col < self.size:
                return 8 * row + col
        last = "abcdefgh"[self.size - 1]
        raise ValueError(
            Message(
                "{given} is not a square; write a1 to {last}{size}, or pass",
                given=quote(text),
                last=last,
                size=self.size,
            )
        )

    def format(self, move: int) -> str:
        if move == PASS:
            return "pass"
        row, col = divmod(move, 8)
        if not (0 <= row < self.size and col < self.size):
            raise ValueError(
                Message(
                    "{move} is not a square of a board of size {size}",
                    move=quote(move),
                    size=self.size,
                )
            )
        return "abcdefgh"[col] + str(row + 1)

    def read_moves(self, text: str, state: State | None = None) -> list[int]:
        """A transcript, joined (``f5d6c3``) or not; passes may be left out."""
        position = self.start() if state is None else state
        moves: list[int] = []
        for word in split_moves(text):
            parts = _WORD.findall(word)
            if "".join(parts) != word:
                raise ValueError(
                    Message("{word} is not a list of squares like f5d6c3", word=quote(word))
                )
            for part in parts:
                move = self.parse(part)
                if move != PASS and position.legal_moves() == [PASS]:
                    position = position.play(PASS)
                    moves.append(PASS)
                position = position.play(move)
                moves.append(move)
        return moves

    def illegal(self, state: State, move: object) -> IllegalMove:
        try:
            name = self.format(move) if isinstance(move, int) else None
        except ValueError:
            name = None
        if name is None or state.is_over:
            return super().illegal(state, move)
        side = self.descriptor.message(self.descriptor.sides[state.to_move].name)
        legal = some(map(self.format, state.legal_moves()), 16)
        if move == PASS:
            return IllegalMove(
                Message(
                    "{side} has a move and may not pass; choose one of {legal}",
                    side=side,
                    legal=legal,
                )
            )
        if legal == "pass":
            return IllegalMove(
                Message(
                    "{side} has no move, so {name} cannot be played; pass", side=side, name=name
                )
            )
        return IllegalMove(
            Message(
                "{name} turns no disc for {side}; choose one of {legal}",
                name=name,
                side=side,
                legal=legal,
            )
        )

    # -- positions -------------------------------------------------------------------

    def to_text(self, state: OthelloState) -> str:
        return "".join("-XO"[cell] for cell in state.cells()) + (" O" if state.to_move else " X")

    def from_text(self, text: str) -> OthelloState:
        """The squares row by row from a1, then the side to move; blanks do not count.

        Black is any of ``X x * b B``, White any of ``O o w W``, empty ``-`` or ``.``.
        """
        if len(text) > 1000:
            raise ValueError(
                Message(
                    "a position of {count:,} characters; a board has at most 64 squares",
                    count=len(text),
                )
            )
        symbols = "".join(text.replace("/", " ").split())
        squares = self.size * self.size
        if len(symbols) != squares + 1:
            raise ValueError(
                Message(
                    "the position has {count} characters; it needs {squares} squares and then the "
                    "side to move, X or O",
                    count=len(symbols),
                    squares=squares,
                )
            )
        discs = [0, 0]
        for i, symbol in enumerate(symbols[:-1]):
            row, col = divmod(i, self.size)
            if symbol not in _SQUARES:
                name = self.format(8 * row + col)
                raise ValueError(
                    Message(
                        "{symbol} on {name} is not a disc; write X, O or -",
                        symbol=quote(symbol),
                        name=name,
                    )
                )
            if _SQUARES[symbol]:
                discs[_SQUARES[symbol] - 1] |= 1 << (8 * row + col)
        if symbols[-1] not in BLACK + WHITE:
            raise ValueError(
                Message("the side to move is {symbols}; write X or O", symbols=quote(symbols[-1]))
            )
        return self._rules.setup(self, discs[0], discs[1], int(symbols[-1] in WHITE))


def leaves(state: OthelloState, depth: int, pass_free: bool = False) -> int:
    """Perft leaves; a finished game counts as one, as in the published counts."""
    return state.leaves(depth, pass_free)


equip(OthelloState)
