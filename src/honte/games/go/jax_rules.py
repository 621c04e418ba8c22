"""Go on accelerators: the native core's rules rewritten in JAX, for batches.

Points are numbered row by row on a square canvas; a smaller board lies in its top left corner.
A chain is identified by one of its points, so that comparing numbers finds the chain's stones:

    . X X .        stones  0 1 1 0      chain  . 2 2 .      liberties  0 4 4 0
    O . X O                2 0 1 2             4 . 2 7                 1 0 4 2

Liberties are counted exactly (and kept up to 4), suicide is forbidden, and so is every repetition
of an earlier position (positional superko). A game keeps 64-bit hashes of all its positions; nodes
of a search tree do not, so there a repetition is found only if the earlier position is the root, is
before it, or is among the last eight.

`tests/nets/test_go_twin.py` checks both implementations against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from honte.core.spec import Options, whole
from honte.games.go.planes import KOMI_STEPS, PLANES

OPTIONS = Options(
    whole("canvas", None, 5, 19, "rows and columns of the planes"),
    whole("size", None, 5, 19, "the size of every board"),
)
"""The options of a spec for training."""
EMPTY, BLACK, WHITE, OFF = range(4)
RECENT = 8
MOST_LIBERTIES = 4
FAIR_KOMI = {7: 9.0, 8: 9.0, 9: 7.0}
"""Fair komi by board size; 7 for all others."""
KOMI_SPREAD = 3.0
ODD_GAMES = 0.05
"""Share of games with a komi far from the fair one."""
COMMON_SIZE = 9
"""Board size of half the games if the canvas is larger; the others use the whole canvas."""
OTHER_SIZES = 0.15
"""Share of games that instead use a board of any size from 7×7 up."""


class Position(NamedTuple):
    """A batch of positions. Fields that a sample or a tree node does not need are None."""

    stones: Array
    """[batch, points]: empty, black, white, or off the board."""
    liberties: Array
    """Liberties of each stone's chain, up to 4; 0 elsewhere."""
    legal: Array
    """Points where the side to move may play."""
    white: Array
    """Whether White is to move."""
    komi: Array
    """Komi in half points."""
    last: Array
    """Point of the last move; the number of points after a pass and at the start."""
    second_last: Array
    passes: Array
    plies: Array
    chain: Array | None
    hash: Array | None
    """Hash of the stones, [batch, 2] words."""
    recent: Array | None
    """Hashes of the last positions, including this one, [batch, 8, 2]."""
    history: Array | None
    """The hashes of all positions of the game, [batch, plies, 2]; unused ones are the empty
    board's, which every game has seen."""


class Status(NamedTuple):
    """The status of positions under the rules."""

    candidates: Array
    """Legal moves that fill no own eye, [batch, points + 1]; the pass is the last."""
    over: Array
    """After two passes, or after two plies for every point of the board."""
    value: Array
    """Result for the side to move as the board stands; 0 where the game is not over."""
    lead: Array
    """Area lead of the side to move as the board stands, komi included."""
    ownership: Array
    """Owner of each point as the board stands, for the side to move: 1, 0, −1."""


class Canvas:
    """Tables of a canvas: neighbours, hash keys, symmetries."""

    def __init__(self, side: int) -> None:
        self.side, self.points = side, side * side
        rows, cols = np.divmod(np.arange(self.points), side)
        self.rows, self.cols = rows, cols
        self.neighbours = self._steps(((-1, 0), (1, 0), (0, -1), (0, 1)))
        self.diagonals = self._steps(((-1, -1), (-1, 1), (1, -1), (1, 1)))
        rng = np.random.default_rng(0x60)
        self.keys = rng.integers(1, 1 << 32, (2, self.points + 1, 2), dtype=np.uint32)
        self.keys[:, self.points] = 0  # the pass
        grid = np.arange(self.points).reshape(side, side)
        turned = [np.rot90(grid, quarter) for quarter in range(4)]
        self.sources = np.stack([g.ravel() for t in turned for g in (t, t.T)])
        """By symmetry, the source point of each point's stone."""
        self.targets = np.argsort(self.sources, -1)
        # Words of bits for flood fill, with a free bit after each row.
        bits = rows * (side + 1) + cols
        self.words = -(-(side * (side + 1)) // 32)
        self.word, self.bit = bits // 32, (bits % 32).astype(np.uint32)

    def _steps(self, steps: tuple[tuple[int, int], ...]) -> np.ndarray[Any, Any]:
        """Neighbours [points + 1, steps]; the number of points stands for off the canvas."""
        found = np.full((self.points + 1, len(steps)), self.points, np.int32)
        for k, (down, right) in enumerate(steps):
            row, col = self.rows + down, self.cols + right
            on = (row >= 0) & (row < self.side) & (col >= 0) & (col < self.side)
            found[:-1, k] = np.where(on, row * self.side + col, self.points)
        return found

    def near(self, cells: Array, border: int, table: Any = None) -> Array:
        """The contents of each point's neighbours, [batch, points, 4]."""
        table = self.neighbours if table is None else table
        return padded(cells, border)[:, table[:-1]]

    # -- flood fill --------------------------------------------------------------------

    def pack(self, cells: Array) -> tuple[Array, ...]:
        """Words of bits, each [batch], of cells [batch, points]."""
        bits = cells.astype(jnp.uint32) << self.bit
        return tuple(
            bits[:, self.word == word].sum(-1, dtype=jnp.uint32) for word in range(self.words)
        )

    def unpack(self, words: tuple[Array, ...]) -> Array:
        return (jnp.stack(words, -1)[:, self.word] >> self.bit) & 1 == 1

    def reached(self, cells: Array, through: Array) -> Array:
        """Flood fill: the cells of `through` connected with `cells`; all are [batch, points]."""
        spaces = self.pack(through)

        def wider(words: tuple[Array, ...]) -> tuple[Array, ...]:
            sums = list(words)
            for step in (1, -1, self.side + 1, -self.side - 1):
                sums = [a | b for a, b in zip(sums, shifted(words, step), strict=True)]
            return tuple(
                old | (new & space) for old, new, space in zip(words, sums, spaces, strict=True)
            )

        def several(_: int, words: tuple[Array, ...]) -> tuple[Array, ...]:
            for _ in range(8):
                words = wider(words)
            return words

        # An upper bound on a shortest path between two cells, which never touches itself.
        longest = 2 * self.points // 3 + 2 * self.side
        return self.unpack(lax.fori_loop(0, -(-longest // 8), several, self.pack(cells))) & through


def shifted(words: tuple[Array, ...], bits: int) -> list[Array]:
    """Shift a number of several words to the left, or to the right if `bits` is negative."""
    none = jnp.zeros_like(words[0])
    count, right = len(words), bits < 0
    whole, part = divmod(abs(bits), 32)

    def word(i: int) -> Array:
        return words[i] if 0 <= i < count else none

    found = []
    for i in range(count):
        near, far = (i + whole, i + whole + 1) if right else (i - whole, i - whole - 1)
        if part == 0:
            found.append(word(near))
        elif right:
            found.append((word(near) >> part) | (word(far) << (32 - part)))
        else:
            found.append((word(near) << part) | (word(far) >> (32 - part)))
    return found


def padded(cells: Array, border: int) -> Array:
    """Pad to [batch, points + 1], with one more entry for off the canvas."""
    return jnp.concatenate([cells, jnp.full((len(cells), 1), border, cells.dtype)], 1)


def xor(words: Array, axis: int) -> Array:
    return lax.reduce(words, np.uint32(0), lax.bitwise_xor, (axis % words.ndim,))


def opponent(color: Array) -> Array:
    return (3 - color).astype(color.dtype)


class GoArrays:
    """Go for training: random komi, and a few random opening moves."""

    name = "go"
    planes = len(PLANES)
    heads: tuple[str, ...] = ("pass", "score", "ownership")
    considered = 16
    opening_plies = 6
    symmetries = 8

    def __init__(self, settings: Mapping[str, str]) -> None:
        values = OPTIONS.read(self.name, settings)
        self.size: int | None = values["size"]
        self.canvas: int = values["canvas"] or self.size or 9
        if self.size is not None and self.size > self.canvas:
            raise ValueError(f"canvas={self.canvas} is smaller than the board")
        self.points = self.canvas * self.canvas
        self.actions = self.points + 1
        self.most_plies = 2 * self.points
        self.tables = Canvas(self.canvas)

    # -- positions -------------------------------------------------------------------

    def empty_boards(self, key: Array, batch: int) -> Position:
        """9×9 and the whole canvas, some boards of other sizes; komi near the fair one."""
        sizes, common, others, komis, odd = jax.random.split(key, 5)
        if self.size is None:
            size = jnp.where(
                jax.random.uniform(common, (batch,)) < 0.5,
                self.canvas, min(COMMON_SIZE, self.canvas),
            )  # fmt: skip
            size = jnp.where(
                jax.random.uniform(others, (batch,)) < OTHER_SIZES,
                jax.random.randint(sizes, (batch,), min(7, self.canvas), self.canvas + 1), size,
            )  # fmt: skip
        else:
            size = jnp.full((batch,), self.size)
        fair = jnp.asarray([FAIR_KOMI.get(side, 7.0) for side in range(20)])[size]
        spread = jnp.where(
            jax.random.uniform(odd, (batch,)) < ODD_GAMES, 5 * KOMI_SPREAD, KOMI_SPREAD
        )
        komi = jnp.rint(2 * (fair + spread * jax.random.normal(komis, (batch,))))
        return self.start(size, komi)

    def start(self, size: Array, half_points: Array) -> Position:
        """Empty boards of these sizes, komi in half points."""
        batch = len(size)
        on = (self.tables.rows < size[:, None]) & (self.tables.cols < size[:, None])
        none = jnp.zeros((batch, self.points), jnp.uint8)
        zero = jnp.zeros(batch, jnp.uint8)
        nowhere = jnp.full(batch, self.points, jnp.int16)
        return Position(
            jnp.where(on, EMPTY, OFF).astype(jnp.uint8),
            none,
            on,
            jnp.zeros(batch, bool),
            half_points.astype(jnp.int16),
            nowhere,
            nowhere,
            zero,
            jnp.zeros(batch, jnp.int16),
            jnp.full((batch, self.points), self.points, jnp.int16),
            jnp.zeros((batch, 2), jnp.uint32),
            jnp.zeros((batch, RECENT, 2), jnp.uint32),
            jnp.zeros((batch, self.most_plies, 2), jnp.uint32),
        )

    def openings(self, key: Array, batch: int, most_plies: int = opening_plies) -> Position:
        """Empty boards after 0 to `most_plies` random moves that fill no eye."""
        boards, lengths, moves = jax.random.split(key, 3)
        plies = jax.random.randint(lengths, (batch,), 0, most_plies + 1)

        def ply(i: Array, position: Position) -> Position:
            candidates = self.candidates(position)[:, :-1]
            noise = jax.random.gumbel(jax.random.fold_in(moves, i), candidates.shape)
            point = jnp.argmax(jnp.where(candidates, noise, -jnp.inf), -1)
            onward = self.play_unchecked(position, point)
            return choose((i < plies) & candidates.any(-1), onward, position)

        played: Position = lax.fori_loop(0, most_plies, ply, self.empty_boards(boards, batch))
        return played

    # -- rules -----------------------------------------------------------------------

    def play_unchecked(self, position: Position, action: Array) -> Position:
        """Place a stone and remove what it captures, or pass."""
        tables, p = self.tables, position
        assert p.chain is not None
        assert p.hash is not None
        assert p.recent is not None
        assert p.history is not None
        batch = len(action)
        passes = action == self.points
        own = jnp.where(p.white, WHITE, BLACK).astype(jnp.uint8)
        other = opponent(own)
        near = jnp.asarray(tables.neighbours)[action]

        def there(cells: Array, border: int) -> Array:
            return jnp.take_along_axis(padded(cells, border), near, 1)

        colors, chains = there(p.stones, OFF), there(p.chain, self.points)
        taken = (colors == other[:, None]) & (there(p.liberties, 0) == 1)
        joined = colors == own[:, None]
        same = p.chain[:, :, None] == chains[:, None, :]
        captured = (same & taken[:, None, :]).any(-1)
        here = jnp.arange(self.points) == action[:, None]
        grown = (same & joined[:, None, :]).any(-1) | here
        chain = jnp.where(captured, self.points, jnp.where(grown, action[:, None], p.chain))
        stones = jnp.where(captured, EMPTY, jnp.where(here, own[:, None], p.stones))

        keys = jnp.asarray(tables.keys)
        lost = jnp.where(p.white[:, None, None], keys[0, :-1], keys[1, :-1])
        put = jnp.where(p.white[:, None], keys[1][action], keys[0][action])
        hashed = p.hash ^ put ^ xor(jnp.where(captured[..., None], lost, 0), 1)
        plies = p.plies + 1
        rows = jnp.arange(batch)
        onward = Position(
            stones.astype(jnp.uint8),
            p.liberties,
            p.legal,
            ~p.white,
            p.komi,
            action.astype(jnp.int16),
            p.last,
            jnp.where(passes, jnp.minimum(p.passes + 1, 2), 0).astype(jnp.uint8),
            plies,
            chain.astype(jnp.int16),
            hashed,
            p.recent.at[rows, plies % RECENT].set(hashed),
            p.history.at[rows, plies].set(hashed, mode="drop"),
        )
        return self._look(onward)

    def _look(self, p: Position) -> Position:
        """Count the liberties, and find the legal moves of the side to move."""
        tables = self.tables
        assert p.chain is not None
        assert p.hash is not None
        assert p.recent is not None
        assert p.history is not None
        colors, chains = tables.near(p.stones, OFF), tables.near(p.chain, self.points)
        first = [chains[..., 0] < self.points]  # each chain beside a point counts once
        for k in range(1, 4):
            again = (chains[..., :k] == chains[..., k : k + 1]).any(-1)
            first.append((chains[..., k] < self.points) & ~again)
        once = jnp.stack(first, -1)
        empty = p.stones == EMPTY
        beside = jnp.where(empty[..., None] & once, chains, -1).reshape(len(p.stones), -1)
        count = (p.chain[:, :, None] == beside[:, None, :]).sum(-1, dtype=jnp.int16)
        liberties = jnp.minimum(count, MOST_LIBERTIES).astype(jnp.uint8)

        own = jnp.where(p.white, WHITE, BLACK).astype(jnp.uint8)[:, None, None]
        near_liberties = tables.near(liberties, 0)
        takes = (colors == opponent(own)) & (near_liberties == 1)
        breathes = (colors == EMPTY) | ((colors == own) & (near_liberties > 1)) | takes

        # The position after each move, and whether it repeats an earlier one.
        keys = jnp.asarray(tables.keys[:, :-1])
        white = p.white[:, None, None]
        theirs = jnp.where(white, keys[0], keys[1])
        same = (p.chain[:, :, None] == p.chain[:, None, :]) & (p.chain < self.points)[:, None, :]
        after = jnp.where(white, keys[1], keys[0]) ^ p.hash[:, None, :]
        words = []
        for i in range(2):
            whole = xor(jnp.where(same, theirs[:, None, :, i], 0), 2)
            gone = jnp.where(takes & once, tables.near(whole, 0), 0)
            words.append(after[..., i] ^ xor(gone, 2))
        seen = jnp.concatenate([p.history, p.recent], 1)
        repeats = (
            (words[0][:, :, None] == seen[:, None, :, 0])
            & (words[1][:, :, None] == seen[:, None, :, 1])
        ).any(-1)  # fmt: skip
        return p._replace(liberties=liberties, legal=empty & breathes.any(-1) & ~repeats)

    def eyes(self, position: Position) -> Array:
        """Points surrounded by own stones, with at most one diagonal lost, none at the edge."""
        tables = self.tables
        own = jnp.where(position.white, WHITE, BLACK).astype(jnp.uint8)[:, None, None]
        colors = tables.near(position.stones, OFF)
        corners = tables.near(position.stones, OFF, tables.diagonals)
        inside = (corners != OFF).all(-1)
        lost = (corners == opponent(own)).sum(-1)
        held = jnp.where(inside, lost <= 1, lost == 0)
        surrounded = ((colors == OFF) | (colors == own)).all(-1)
        return surrounded & held & (position.stones == EMPTY)

    def candidates(self, position: Position) -> Array:
        return padded(position.legal & ~self.eyes(position), True)

    def areas(self, position: Position) -> Array:
        """The owner of each point by area: 1 Black, −1 White, 0 neither."""
        empty = position.stones == EMPTY
        colors = jnp.concatenate([position.stones == BLACK, position.stones == WHITE])
        reached = self.tables.reached(colors, jnp.concatenate([empty, empty]) | colors)
        blacks, whites = jnp.split(reached.astype(jnp.int8), 2)
        return blacks - whites

    # -- the interface of `ArrayGame` ------------------------------------------------

    def read(self, position: Position) -> Status:
        area = (position.stones != OFF).sum(-1)
        over = (position.passes >= 2) | (position.plies >= 2 * area)
        sign = jnp.where(position.white, -1, 1).astype(jnp.int8)
        ownership = self.areas(position) * sign[:, None]
        komi = position.komi.astype(jnp.float32) / 2
        lead = ownership.sum(-1, dtype=jnp.int32).astype(jnp.float32) - sign * komi
        value = jnp.where(over, jnp.sign(lead), 0.0)
        return Status(self.candidates(position), over, value, lead, ownership)

    def advance(self, position: Position, action: Array) -> tuple[Position, Array]:
        return self.play_unchecked(position, action), -jnp.ones(action.shape, jnp.float32)

    def split(self, position: Position) -> tuple[Position, Any]:
        return position._replace(history=None), position.history

    def join(self, node: Position, shared: Any) -> Position:
        return node._replace(history=shared)

    def sample(self, position: Position) -> Position:
        return position._replace(chain=None, hash=None, recent=None, history=None)

    def plies(self, position: Position) -> Array:
        return position.plies.astype(jnp.int32)

    def first_to_move(self, position: Position) -> Array:
        return ~position.white

    def observe(self, position: Position, read: Any) -> Array:
        p = position
        board = p.stones != OFF
        own = jnp.where(p.white, WHITE, BLACK).astype(jnp.uint8)[:, None]
        points = jnp.arange(self.points)
        gets = jnp.where(p.white, p.komi, -p.komi)[:, None]
        whole = [p.passes > 0, p.komi % 2 == 0]
        planes = [
            board,
            p.stones == own,
            p.stones == opponent(own),
            *(p.liberties == count for count in (1, 2, 3)),
            (p.stones == EMPTY) & ~p.legal,
            points == p.last[:, None],
            points == p.second_last[:, None],
            *(board & flag[:, None] for flag in whole),
        ]
        komi = (gets > 2 * jnp.asarray(KOMI_STEPS, jnp.int16))[:, None, :] & board[..., None]
        cells = jnp.concatenate([jnp.stack(planes, -1), komi], -1).astype(jnp.uint8)
        return cells.reshape(len(cells), self.canvas, self.canvas, self.planes)

    def policy(self, cells: Array, observed: Array) -> Array:
        """One logit per point; networks add the pass's."""
        return cells.reshape(len(cells), self.points)

    def transform(self, position: Position, symmetry: Array) -> Position:
        """Transform each sample by its symmetry, 0 to 7."""
        targets = jnp.asarray(np.pad(self.tables.targets, ((0, 0), (0, 1)),
                                     constant_values=self.points))  # fmt: skip

        def moved(point: Array) -> Array:
            return targets[symmetry, point].astype(point.dtype)

        return position._replace(
            stones=self.transform_cells(position.stones, symmetry),
            liberties=self.transform_cells(position.liberties, symmetry),
            legal=self.transform_cells(position.legal, symmetry),
            last=moved(position.last),
            second_last=moved(position.second_last),
        )

    def transform_cells(self, cells: Array, symmetry: Array) -> Array:
        return jnp.take_along_axis(cells, jnp.asarray(self.tables.sources)[symmetry], 1)

    def transform_moves(self, moves: Array, symmetry: Array) -> Array:
        points = self.transform_cells(moves[:, :-1], symmetry)
        return jnp.concatenate([points, moves[:, -1:]], 1)


def choose(where: Array, yes: Position, no: Position) -> Position:
    def rows(a: Array, b: Array) -> Array:
        return jnp.where(where.reshape((-1,) + (1,) * (a.ndim - 1)), a, b)

    chosen: Position = jax.tree.map(rows, yes, no)
    return chosen


ARRAYS = GoArrays
