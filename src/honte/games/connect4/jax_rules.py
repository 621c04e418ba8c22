"""Connect Four on accelerators: the native core's rules rewritten in JAX, for batches.

A column is a word of bits, bit 0 at the bottom; a board is a row of such words on a canvas that is
as wide as it is high. Boards of any shape up to the canvas lie in its bottom left corner.

    row 2   . . o .        own   = [0, 0b001, 0b011, 0]     (x, to move)
    row 1   . # x .        other = [0, 0,     0b100, 0]
    row 0   . x x .        playable lacks bit 1 of column 1: the blocked cell

`tests/nets/test_connect4_twin.py` checks both implementations against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from honte.core.spec import Options, whole
from honte.games.connect4.planes import PLANES

OPTIONS = Options(
    whole("canvas", None, 4, 16, "rows and columns of the planes"),
    whole("rows", None, 4, 16, "rows of every board"),
    whole("cols", None, 4, 16, "columns of every board"),
)
"""The options of a spec for training."""
WORD = jnp.uint16
"""The storage type of positions; arithmetic uses 32 bits, so that shifts lose nothing."""


class Position(NamedTuple):
    """A batch of positions; every array is [..., columns]."""

    own: Array
    """Stones of the side to move."""
    other: Array
    playable: Array
    """Cells on the board that are not blocked."""
    inside: Array
    """Cells on the board."""


class Tactics(NamedTuple):
    """What reading two plies ahead proves, and the candidate moves that remain."""

    landing: Array
    """The cell that each column's next piece lands on."""
    own_threats: Array
    """Empty cells that complete four for the side to move."""
    other_threats: Array
    candidates: Array
    """Moves [..., columns] that neither miss a block nor open a cell for the opponent's four."""
    over: Array
    """Won in one, lost in two, or the board is full."""
    value: Array
    """The result for the side to move, where it is over."""


def widen(position: Position) -> Position:
    return Position(*(words.astype(jnp.uint32) for words in position))


def narrow(position: Position) -> Position:
    return Position(*(words.astype(WORD) for words in position))


def stones(position: Position) -> Array:
    return count(position.own | position.other)


def count(words: Array) -> Array:
    return lax.population_count(words).astype(jnp.int32).sum(-1)


def shifted(words: Array, columns: int, rows: int) -> Array:
    """Shift boards: each cell takes the bit `columns` to its right and `rows` above it."""
    width = words.shape[-1]
    margin = [(0, 0)] * (words.ndim - 1) + [(3, 3)]
    words = jnp.pad(words, margin)[..., 3 + columns : 3 + columns + width]
    return words >> rows if rows >= 0 else words << -rows


def threats(words: Array) -> Array:
    """Cells, occupied or not, that complete four stones in a row."""
    found = (words << 1) & (words << 2) & (words << 3)
    for rows in (0, 1, -1):
        right1, right2, right3 = (shifted(words, k, k * rows) for k in (1, 2, 3))
        left1, left2, left3 = (shifted(words, -k, -k * rows) for k in (1, 2, 3))
        found |= (right1 & right2 & right3) | (left1 & right1 & right2)
        found |= (left2 & left1 & right1) | (left3 & left2 & left1)
    return found


def has_four(words: Array) -> Array:
    """Whether four stones stand in a row."""
    words = words.astype(jnp.uint32)
    found = words & (words >> 1) & (words >> 2) & (words >> 3)
    for rows in (0, 1, -1):
        found |= (
            words & shifted(words, 1, rows) & shifted(words, 2, 2 * rows)
            & shifted(words, 3, 3 * rows)
        )  # fmt: skip
    return (found != 0).any(-1)


def lowest(words: Array) -> Array:
    return words & (~words + jnp.uint32(1))


def landing(position: Position) -> Array:
    """The lowest empty cell of each column; 0 where it is full."""
    position = widen(position)
    return lowest(position.playable & ~(position.own | position.other))


def play_unchecked(position: Position, column: Array) -> Position:
    """Drop a piece and switch the side to move; a full column stays as it is."""
    chosen = jnp.arange(position.own.shape[-1]) == column[..., None]
    piece = jnp.where(chosen, landing(position), 0).astype(position.own.dtype)
    return position._replace(own=position.other, other=position.own | piece)


def tactics(position: Position) -> Tactics:
    """Read two plies: wins in one, forced blocks, and moves below a threat."""
    own, other, playable, _ = widen(position)
    empty = playable & ~(own | other)
    lands = lowest(empty)
    above = lowest(empty ^ lands)
    own_threats, other_threats = threats(own) & empty, threats(other) & empty
    legal = lands != 0
    wins = ((own_threats & lands) != 0).any(-1)
    forced = (other_threats & lands) != 0
    blocks = forced.sum(-1)
    safe = (other_threats & above) == 0
    candidates = jnp.where((blocks > 0)[..., None], forced, legal) & safe
    playing = legal.any(-1)
    lost = ~wins & playing & ((blocks >= 2) | ~candidates.any(-1))
    return Tactics(
        lands,
        own_threats,
        other_threats,
        candidates,
        wins | lost | ~playing,
        wins.astype(jnp.float32) - lost.astype(jnp.float32),
    )


class ConnectFourArrays:
    """Connect Four for training: random boards, and forced moves played automatically."""

    name = "connect4"
    planes = len(PLANES)
    heads: tuple[str, ...] = ()
    considered = 12
    symmetries = 2
    plies_played_on = 4
    opening_plies = 10

    def __init__(self, settings: Mapping[str, str]) -> None:
        values = OPTIONS.read(self.name, settings)
        self.rows: int | None = values["rows"]
        self.cols: int | None = values["cols"]
        least = max(4, self.rows or 4, self.cols or 4)
        fixed = self.rows is not None and self.cols is not None
        self.canvas: int = values["canvas"] or (least if fixed else max(12, least))
        if self.canvas < least:
            raise ValueError(f"canvas={self.canvas} is smaller than the board")
        self.actions = self.canvas
        self.most_plies = self.canvas * self.canvas

    # -- positions -------------------------------------------------------------------

    def empty_boards(self, key: Array, batch: int) -> Position:
        """Boards to start from: mostly the course's, some of any shape with 0 to 3 blocked cells.

        With both rows and cols given, the plain board of that shape.
        """
        keys = jax.random.split(key, 7)
        course = (jax.random.uniform(keys[0], (batch,)) < 0.8) & (self.canvas >= 12)
        sides = []
        for i, side in enumerate((self.rows, self.cols)):
            low = jnp.where(course, 9, 4)
            high = jnp.where(course, 12, self.canvas)
            drawn = jax.random.randint(keys[1 + i], (batch,), low, high + 1)
            sides.append(drawn if side is None else jnp.full((batch,), side))
        rows, cols = sides
        column = ((jnp.uint32(1) << rows.astype(jnp.uint32)) - 1)[:, None]
        across = jnp.arange(self.canvas)
        inside = jnp.where(across < cols[:, None], column, 0).astype(jnp.uint32)
        blocked = jnp.where(course, 1, jax.random.randint(keys[3], (batch,), 0, 4))
        if self.rows is not None and self.cols is not None:
            blocked = jnp.zeros_like(blocked)
        playable = inside
        for i in range(3):
            where = jax.random.uniform(keys[4 + i], (2, batch))
            col = jnp.floor(where[0] * cols).astype(jnp.int32)
            row = jnp.floor(where[1] * rows).astype(jnp.uint32)
            hit = (across == col[:, None]) & (i < blocked)[:, None]
            playable = jnp.where(hit, playable & ~(jnp.uint32(1) << row)[:, None], playable)
        none = jnp.zeros_like(inside)
        return narrow(Position(none, none, playable, inside))

    def openings(self, key: Array, batch: int, most_plies: int = opening_plies) -> Position:
        """Random boards after 0 to `most_plies` random moves that lose nothing at once."""
        boards, lengths, moves = jax.random.split(key, 3)
        start = self.empty_boards(boards, batch)
        plies = jax.random.randint(lengths, (batch,), 0, most_plies + 1)

        def ply(i: Array, position: Position) -> Position:
            read = tactics(position)
            noise = jax.random.gumbel(jax.random.fold_in(moves, i), read.candidates.shape)
            column = jnp.argmax(jnp.where(read.candidates, noise, -jnp.inf), -1)
            return choose((i < plies) & ~read.over, play_unchecked(position, column), position)

        position = lax.fori_loop(0, most_plies, ply, start)
        return choose(tactics(position).over, start, position)

    # -- the interface of `ArrayGame` ------------------------------------------------

    def read(self, position: Position) -> Tactics:
        return tactics(position)

    def advance(self, position: Position, column: Array) -> tuple[Position, Array]:
        """Play a move, then up to `plies_played_on` forced ones; +1 where the mover moves again."""
        sign = -jnp.ones(column.shape, jnp.float32)

        def play_on(_: Array, carry: tuple[Position, Array]) -> tuple[Position, Array]:
            position, sign = carry
            read = tactics(position)
            single = ~read.over & (read.candidates.sum(-1) == 1)
            onward = play_unchecked(position, jnp.argmax(read.candidates, -1))
            return choose(single, onward, position), jnp.where(single, -sign, sign)

        start = (play_unchecked(position, column), sign)
        position, sign = lax.fori_loop(0, self.plies_played_on, play_on, start)
        return position, sign

    def split(self, position: Position) -> tuple[Position, Any]:
        return position, None

    def join(self, node: Position, shared: Any) -> Position:
        return node

    def sample(self, position: Position) -> Position:
        return position

    def plies(self, position: Position) -> Array:
        return stones(position)

    def first_to_move(self, position: Position) -> Array:
        return stones(position) % 2 == 0

    def observe(self, position: Position, read: Tactics) -> Array:
        """Input planes [..., columns, rows, planes] of 0 and 1; plane 0 is the board itself."""
        own, other, playable, inside = widen(position)
        odd = playable
        for step in (1, 2, 4, 8):  # parity of the playable cells up to here, this one included
            odd ^= odd << step
        empty = playable & ~(own | other)
        odd_empty = jnp.where((count(empty) % 2 == 1)[..., None], inside, 0)
        second = jnp.where((count(own | other) % 2 == 1)[..., None], inside, 0)
        planes = (
            inside, playable, own, other, read.landing, read.own_threats, read.other_threats,
            odd & playable, odd_empty, second,
        )  # fmt: skip
        words = jnp.stack(planes, -1)[..., :, None, :]
        return ((words >> jnp.arange(self.canvas, dtype=jnp.uint32)[:, None]) & 1).astype(jnp.uint8)

    def policy(self, cells: Array, observed: Array) -> Array:
        """Reduce values of cells [..., columns, rows] to moves: each takes its landing cell's."""
        return (cells * observed[..., 4].astype(cells.dtype)).sum(-1)

    def transform(self, position: Position, symmetry: Array) -> Position:
        return Position(*(self.transform_moves(words, symmetry) for words in position))

    def transform_moves(self, moves: Array, symmetry: Array) -> Array:
        """Mirror the moves where the symmetry is 1."""
        return jnp.where((symmetry == 1)[..., None], moves[..., ::-1], moves)

    def transform_cells(self, cells: Array, symmetry: Array) -> Array:
        return jnp.where((symmetry == 1)[..., None, None], cells[..., ::-1, :], cells)


def choose(where: Array, yes: Position, no: Position) -> Position:
    return Position(*(jnp.where(where[..., None], a, b) for a, b in zip(yes, no, strict=True)))


ARRAYS = ConnectFourArrays
