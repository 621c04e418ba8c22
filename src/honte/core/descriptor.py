"""Everything game-specific besides the rules: one `GameDescriptor` per game.

Generic code (searches, arena, page, terminal, tuning) knows no game by name; it reads
``game.descriptor``. Every field has a default that works for a game of your own: a board drawn
from ``state.cells()``, textbook UCT as ``best``, no levels.

>>> import honte
>>> from honte.games import DEFAULT
>>> [side.name for side in honte.game(DEFAULT).descriptor.sides]
['Red', 'Yellow']

A `Ref` is ``"module:attribute"``, imported on first use, so that a descriptor is cheap to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honte.core.descriptor_parts import BLACK_AND_WHITE as BLACK_AND_WHITE
from honte.core.descriptor_parts import X_AND_O, BoardStyle, Levels, RecordFormat, Ref, Side
from honte.core.descriptor_parts import Cell as Cell
from honte.core.language import Message, Worded
from honte.core.spec import Options

if TYPE_CHECKING:
    from honte.core.contract import Game, State


def load(ref: Ref) -> Any:
    """Import the object that a `Ref` names."""
    module, _, attribute = ref.partition(":")
    return getattr(import_module(module), attribute)


@dataclass(frozen=True)
class GameDescriptor:
    """What the rest of the program needs from a game besides its rules."""

    title: str = ""
    """Display name; by default the registered name."""
    about: str = ""
    """A few words for menus: ``Surround territory``."""
    sides: tuple[Side, Side] = X_AND_O
    board: BoardStyle = field(default_factory=BoardStyle)
    options: Options = field(default_factory=Options)
    """The keys of the game's spec, for the parser, its errors and the form on the page."""
    presets: tuple[tuple[str, str], ...] = ()
    """Boards offered in menus: (title, spec)."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Translations of the texts in this descriptor: ``{"zh": {"Black": "黑方"}}``."""
    rules: Ref | None = None
    """A tuple of `Rule` of honte.core.rules: the rules in words and small boards."""

    unit: str = ""
    """Unit of `state.score` if it is a margin: ``discs``, ``points``; "" if only the result
    counts."""
    proof_unit: str = ""
    """Unit of a solver's score, if different: ``moves``."""
    whole_margin: float = 0.0
    """The margin that weighs as much in a review as a win instead of a draw; 0: half the board."""
    counts: bool = False
    """Show the number of pieces on the board."""
    pass_move: Callable[[Game], int] | None = None
    forced_pass: bool = False
    """A pass is legal only when no other move is, so move counts may omit passes."""

    opening_plies: int = 2
    """Random plies that vary the games of a match without deciding them."""
    openings: Mapping[str, str] = field(default_factory=dict)
    """Files of balanced openings in the data folder, by the spec of the board."""
    drawn: Callable[[Mapping[str, str]], bool] | None = None
    """Whether a spec with these settings draws its board at random from a seed."""

    perft: Ref | None = None
    """``perft(state, depth, pass_free)``: a native leaf count."""
    benchmarks: Ref | None = None
    """Rows of ``honte bench``: see honte.search.benchmarks."""
    engines: Mapping[str, Ref] = field(default_factory=dict)
    """Players by name (``best``, ``alphabeta``, ``solver``), each called with the game and the
    spec's settings. ``best`` accepts ``memory_mb`` and ``threads``."""
    uct: Ref | None = None
    """The `UctSupport` of a game with native UCT."""
    solver: Ref | None = None
    """A class that proves scores: see honte.search.solver."""
    ownership: Ref | None = None
    """``ownership(state)``: the expected final owner of each cell, −1…1."""
    lead: Ref | None = None
    """``lead(state, effort)``: the first player's expected final score by playouts, and the
    half-width of its 95 % interval; for reviews by engines that report no score. An effort of 1
    takes a moment."""
    explain: Ref | None = None
    """``explain(state, move, best)``: `Reason`s why the best move is better than another."""
    scoring: Ref | None = None
    """The `Scoring` of honte.core.scoring, where people agree on dead pieces and then count."""
    levels: Levels | None = None
    vectors: Mapping[str, Ref] = field(default_factory=dict)
    """Vector-valued settings, keyed by ``ENGINE.SETTING``: see honte.core.vector."""
    quick_game: Ref | None = None
    """``quick_game(state, spec, spec)`` plays a whole game natively and returns its moves, or None
    if it does not support these players."""
    learner: Ref | None = None
    """The `Builder` behind ``honte learn GAME``."""
    book: Ref | None = None
    """The `Builder` behind ``honte book GAME``."""
    records: tuple[RecordFormat, ...] = ()
    transcripts: Callable[[str], bool] | None = None
    """Whether a text looks like moves of this game."""
    history: Ref | None = None
    """``history(state)``: moves from the start of the game to a position, or None; for bots that
    receive only moves."""
    with_turn: Ref | None = None
    """``with_turn(state, side)``: the position with that side to move; for controllers that let
    either side play at any time."""
    moves_left: Callable[[State], int] | None = None
    """An upper estimate of the moves a side has left, for time management."""
    check: Ref | None = None
    """The `CheckSupport` for ``honte check``: see honte.core.check_support."""
    sites: Ref | None = None
    """The `SiteSupport` for ``honte export --as``: see honte.core.site_support."""
    data: Path | None = None
    """The folder of books, learned weights and levels."""

    def message(self, text: str, /, **values: Any) -> Message:
        """A text of this descriptor, or a reason, with its translation from `words`."""
        found = Worded(text, **values)
        found.words = self.words
        return found
