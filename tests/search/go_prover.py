"""Prove who wins a small Go position, move by move, by exhaustive search.

`Search(game, side).wins(state)` asks whether the side wins for certain: area scoring with komi,
positional superko, two passes end the game. True is a proof. False says only that the search found
none, so a move is proven to win by a search for the mover, and to lose by one for the opponent.

The search looks at every legal move of the opponent and at some move of the side that wins
against them all. What it does not look at can only help the opponent:

- **Settled points.** Chains that share one-point eyes, each chain touching two of them and each
  eye touching only such chains, cannot be captured, nor can their eyes be played by the enemy
  (Benson 1976). They stay settled however the game goes on, as long as nobody fills the eyes.
- **The side never fills its settled eyes.** It may decline any of its own moves.
- **Enough safe points win.** The stones of all chains that are unconditionally alive (Benson, with
  eyes of any size) are safe without an answer. So is a point that only they enclose: it cannot be
  entered. So are two empty points that only settled chains enclose: whoever enters is taken at
  once, which leaves an eye. (Superko does not forbid it: the stone that takes joins a settled
  chain, so it has not stood there before.) The side answers so and passes otherwise.
- **The opponent may fill its settled eyes**, which gains no point but is a move that is no pass,
  and after which no earlier position can come back: superko starts afresh. The search gives the
  opponent this move as often as there are eyes, and lets the chains stay settled all the same.
  That is more than the rules allow: whoever fills too many eyes can be captured. The side
  declines to do that, so that the stones are where the search thinks they are: once two eyes are
  filled, it does not take the last other liberty of a settled chain.

Positions are remembered although superko makes them depend on the way to them. A result holds for
another history if none of the boards that the winner makes in its proof (`made`) was on the board
before, and if all boards that forbade the loser a move (`bans`) were. More history than that only
takes moves from the loser. `made` is a Bloom filter: where it errs, a position is searched again.
Boards from before the settled points grew cannot come back, so they are dropped from the history.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

FILTER = 8191
"""Bits of the Bloom filters, a prime."""
DEEPEST = 120
"""Boards in a row; long cycles of captures are given up."""
BLACK = bytes(49 if cell == 1 else 48 for cell in range(256))
WHITE = bytes(49 if cell == 2 else 48 for cell in range(256))


class Exhausted(Exception):
    """The search reached its limit of positions, or of depth."""


class Settled(NamedTuple):
    """For Black and White: the settled stones and eyes, as bits of a Board."""

    stones: tuple[int, int]
    eyes: tuple[int, int]


class Board:
    """Sets of points of a square board as integers: bit m is the point of move m."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.full = (1 << size * size) - 1
        column = sum(1 << row * size for row in range(size))
        self.not_first, self.not_last = self.full ^ column, self.full ^ column << size - 1

    def beside(self, points: int) -> int:
        """All points adjacent to these, possibly including some of them."""
        sideways = (points & self.not_last) << 1 | (points & self.not_first) >> 1
        return (points << self.size | points >> self.size | sideways) & self.full

    def chain(self, points: int, within: int) -> int:
        """The points of a set that are connected to these."""
        while (grown := (points | self.beside(points)) & within) != points:
            points = grown
        return points

    def chains(self, points: int, within: int) -> list[tuple[int, int]]:
        """The chains within a set that have one of these points, and what is beside each."""
        found = []
        while points:
            chain = self.chain(points & -points, within)
            found.append((chain, self.beside(chain)))
            points &= ~chain
        return found

    def stones(self, cells: bytes) -> tuple[int, int, int]:
        """Black's stones, White's and the empty points."""
        backwards = cells[::-1]
        black, white = int(backwards.translate(BLACK), 2), int(backwards.translate(WHITE), 2)
        return black, white, self.full & ~(black | white)

    def settled(self, cells: bytes) -> Settled:
        black, white, empty = self.stones(cells)
        lonely = empty & ~self.beside(empty)
        found = [
            self._alive(stones, lonely & ~self.beside(other))
            for stones, other in ((black, white), (white, black))
        ]
        return Settled((found[0][0], found[1][0]), (found[0][1], found[1][1]))

    def _alive(self, stones: int, eyes: int) -> tuple[int, int]:
        """Benson's algorithm with one-point eyes only."""
        chains = self.chains(self.beside(eyes) & stones, stones)
        while True:
            alive = [chain for chain in chains if (chain[1] & eyes).bit_count() >= 2]
            together = sum(chain for chain, _ in alive)
            whole = eyes & ~self.beside(stones & ~together)
            if whole == eyes and len(alive) == len(chains):
                return together, eyes
            chains, eyes = alive, whole

    def safe_points(self, stones: int, empty: int, settled: int) -> int:
        """How many points a colour keeps if it only answers; see the top of this file."""
        chains = self.chains(stones, stones)
        regions = [
            (region, region & empty) for region, _ in self.chains(empty, self.full & ~stones)
        ]
        while True:
            alive = [
                (chain, beside)
                for chain, beside in chains
                if sum(not liberties & ~beside for _, liberties in regions) >= 2
            ]
            lost = self.beside(stones & ~sum(chain for chain, _ in alive))
            closed = [region for region in regions if not region[0] & lost]
            if len(alive) == len(chains) and len(closed) == len(regions):
                break
            chains, regions = alive, closed
        kept = sum(chain for chain, _ in chains)
        for region, liberties in regions:
            enclosed = region.bit_count() == 2 and not self.beside(region) & stones & ~settled
            if region == liberties and (enclosed or region.bit_count() == 1):
                kept |= region
        return kept.bit_count()


class Result(NamedTuple):
    won: bool
    """By the side that the search is for."""
    bans: frozenset[bytes]
    """Earlier boards that the loser may not repeat, where the proof uses it."""
    made: int
    """Boards that the winner makes, as a Bloom filter."""
    fills: int = 0
    """How often the opponent had filled an eye before."""

    def holds_with(self, fills: int) -> bool:
        """Does it hold if this is the number of eyes that the opponent has filled?

        One that may fill fewer has fewer moves. But from two on the side declines moves, too, so
        before that the number must be the same.
        """
        if min(fills, self.fills) < 2:
            return fills == self.fills
        return fills >= self.fills if self.won else fills <= self.fills


class Child(NamedTuple):
    move: int
    state: Any
    past: frozenset[bytes]
    seen: int
    made: int
    """The bit of its board, if that may come back."""
    keeps: bool
    """Can boards from before the move come back after it?"""


NO_BANS: frozenset[bytes] = frozenset()


class Search:
    """Whether one side wins; a search may be asked about several positions of one game."""

    def __init__(
        self, game: Any, side: int, budget: int = 10**9, declined: int | None = None
    ) -> None:
        """`declined`: a move that the side never makes."""
        self.game, self.side, self.budget, self.declined = game, side, budget, declined
        self.visited = 0
        self._board = Board(game.size)
        self._settled: dict[bytes, Settled] = {}
        self._safe: dict[bytes, bool | None] = {}
        self._fresh: dict[tuple[bytes, int], Any] = {}
        self._results: defaultdict[tuple[bytes, int, int], list[Result]] = defaultdict(list)
        self._wins: defaultdict[tuple[int, int | None], Counter[int]] = defaultdict(Counter)
        sign = -1 if side else 1
        self._needed = game.size**2 + sign * game.komi
        """Twice the points of the side must be more than this; see `_decided`."""
        self._spared = game.size**2 - sign * game.komi

    def settled(self, cells: bytes) -> Settled:
        if cells not in self._settled:
            self._settled[cells] = self._board.settled(cells)
        return self._settled[cells]

    def wins(self, state: Any, move: int | None = None) -> bool:
        """Does the side win, after this move if one is given?

        `state` is a position from text: of earlier ones it knows the points that ko forbids.
        """
        past = frozenset(map(self._after_ko(state), state.forbidden()))
        fills = 0
        if move is not None:
            cells = state.cells()
            mover = state.to_move
            if self.settled(cells).eyes[mover] >> move & 1:
                if mover == self.side:
                    return False
                state, past, fills = self._without_history(cells, self.side), NO_BANS, 1
            else:
                state, past = state.play(move), past | {cells}
        past -= {state.cells()}
        seen = 0
        for board in past:
            seen |= self._bit(board)
        return self._search(state, past, seen, fills).won

    def _after_ko(self, state: Any) -> Any:
        """Of a forbidden move, the board that it would repeat."""
        fresh = self._without_history(state.cells(), state.to_move)
        return lambda move: fresh.play(move).cells()

    def _without_history(self, cells: bytes, to_move: int) -> Any:
        key = cells, to_move
        if key not in self._fresh:
            size = self.game.size
            rows = ["".join(".XO"[c] for c in cells[i : i + size]) for i in range(0, size**2, size)]
            self._fresh[key] = self.game.from_text(f"{'/'.join(rows)} {'XO'[to_move]}")
        return self._fresh[key]

    @staticmethod
    def _bit(cells: bytes) -> int:
        return 1 << zlib.crc32(cells) % FILTER

    def _decided(self, cells: bytes) -> bool | None:
        """Who has won by the points that are safe already.

        With p points of n for the side and at most n − p for the opponent it is ahead by 2p − n.
        """
        *stones, empty = self._board.stones(cells)
        settled = self.settled(cells).stones
        ours, theirs = (
            2 * self._board.safe_points(stones[side], empty, settled[side])
            for side in (self.side, 1 - self.side)
        )
        return True if ours > self._needed else False if theirs >= self._spared else None

    def _leads(self, state: Any) -> bool:
        return bool(state.score * (-1 if self.side else 1) > 0)

    def _declines(self, cells: bytes, settled: Settled, fills: int) -> int:
        """The points that the side does not play, apart from its own eyes."""
        declined = 0 if self.declined is None else 1 << self.declined
        if fills >= 2:
            stones, eyes = settled.stones[1 - self.side], settled.eyes[1 - self.side]
            other = self._board.stones(cells)[2] & ~eyes
            for _, beside in self._board.chains(stones, stones):
                if (beside & other).bit_count() == 1:
                    declined |= beside & other
        return declined

    def _moves(self, state: Any, settled: Settled, fills: int) -> list[int]:
        mover = state.to_move
        omitted = settled.eyes[mover]
        if mover == self.side:
            omitted |= self._declines(state.cells(), settled, fills)
        moves = [move for move in state.legal_moves() if not omitted >> move & 1]
        if state.passes and self._leads(state) == (mover == self.side):
            moves.insert(0, moves.pop())  # the pass ends the game
        else:
            here, anywhere = self._wins[mover, state.last_move], self._wins[mover, None]
            moves.sort(key=lambda move: -8 * here[move] - anywhere[move])
        return moves

    def _search(self, state: Any, past: frozenset[bytes], seen: int, fills: int) -> Result:
        """`past`: the boards before this one that may come back, `seen`: the same as a filter."""
        found = self._known(state, past, seen, fills)
        if found is not None:
            return found
        self.visited += 1
        if self.visited > self.budget or len(past) > DEEPEST:
            raise Exhausted
        cells = state.cells()
        result = self._expand(state, self.settled(cells), past, seen, fills)
        self._results[cells, state.to_move, state.passes].append(result)
        return result

    def _known(self, state: Any, past: frozenset[bytes], seen: int, fills: int) -> Result | None:
        """The result, if it is decided or was found before."""
        if state.is_over:
            return Result(self._leads(state), NO_BANS, 0)
        cells = state.cells()
        for result in self._results[cells, state.to_move, state.passes]:
            if not result.made & seen and result.bans <= past and result.holds_with(fills):
                return result
        if cells not in self._safe:
            self._safe[cells] = self._decided(cells)
        decided = self._safe[cells]
        return None if decided is None else Result(decided, NO_BANS, 0)

    def _expand(
        self, state: Any, settled: Settled, past: frozenset[bytes], seen: int, fills: int
    ) -> Result:
        cells, mover = state.cells(), state.to_move
        ours = mover == self.side
        here, seen_here = past | {cells}, seen | self._bit(cells)
        bans, made = NO_BANS, 0
        children = []
        for move in self._moves(state, settled, fills):
            after = state.play(move)
            if move == self.game.pass_move:
                child = Child(move, after, past, seen, made=0, keeps=True)
            elif self.settled(after.cells()) != settled:
                child = Child(move, after, NO_BANS, 0, made=0, keeps=False)
            else:
                child = Child(move, after, here, seen_here, self._bit(after.cells()), keeps=True)
            known = self._known(after, child.past, child.seen, fills)
            if known is not None and known.won == ours:  # the others need no search
                children = [child]
                break
            children.append(child)
        for child in children:
            found = self._search(child.state, child.past, child.seen, fills)
            if not child.keeps:
                found = Result(found.won, NO_BANS, 0)
            if found.won == ours:
                self._wins[mover, state.last_move][child.move] += 1
                self._wins[mover, None][child.move] += 1
                return Result(ours, found.bans - {cells}, found.made | child.made, fills)
            bans |= found.bans
            made |= found.made
        if not ours and fills < settled.eyes[mover].bit_count():
            fresh = self._without_history(cells, self.side)
            if not self._search(fresh, NO_BANS, 0, fills + 1).won:
                return Result(False, NO_BANS, 0, fills)
        if forbidden := state.forbidden():
            bans |= frozenset(map(self._after_ko(state), forbidden))
        return Result(not ours, bans - {cells}, made, fills)


def proof(state: Any, answers: Collection[int], budget: int = 10**9) -> int | None:
    """Prove that of all legal moves exactly the answers win; how many positions that took.

    None: some move could not be proven to win, or to lose.
    """
    us, them = (Search(state.game, side, budget) for side in (state.to_move, 1 - state.to_move))
    try:
        proven = all((us if m in answers else them).wins(state, m) for m in state.legal_moves())
    except Exhausted:
        return None
    return us.visited + them.visited if proven else None
