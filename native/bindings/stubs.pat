# What tools/stubs writes for arguments and results that C++ passes as plain Python objects, and
# for what honte.games.native attaches to the states. See "Pattern files" of nanobind's stubgen.

^honte\._native\.__prefix__$:
    """The native module: rules and searches in C++. Made by tools/stubs; do not edit."""

    \from os import PathLike
    \from typing import Any, Self
    \import numpy as np
    \from numpy.typing import NDArray
    \from honte.core.contract import Game
    \from honte.games.symmetry import Image

build_info:
    def build_info() -> dict[str, str]: ...

(Connect4|Othello|Go)State\.game$:
    @property
    def game(self) -> Any: ...

State\.(winner|last_move|second_last_move)$:
    @property
    def \1(self) -> int | None: ...

State\.score$:
    @property
    def score(self) -> float: ...

State\.legal_moves$:
    def legal_moves(self) -> list[int]: ...

State\.is_legal$:
    def is_legal(self, move: int) -> bool: ...

State\.play$:
    def play(self, move: int) -> Self: ...

State\.with_last_move$:
    def with_last_move(self, move: int | None) -> Self: ...

State\.__eq__$:

State\.__hash__$:

Connect4State\.landing_row$:
    def landing_row(self, col: int) -> int | None: ...

State\.planes$:
    def planes(self) -> NDArray[np.uint8]:
        \doc

State\.legal_mask$:
    def legal_mask(self) -> NDArray[np.bool_]:
        \doc

(Connect4|Othello)State\.__suffix__$:
    def to_text(self) -> str: ...
    def symmetries(self) -> list[Image]: ...
    def svg(self, dark: bool = False, size: int = 480) -> str: ...
    def _repr_svg_(self) -> str: ...

GoState\.__suffix__$:
    def to_text(self, history: bool = False) -> str: ...
    def symmetries(self) -> list[Image]: ...
    def svg(self, dark: bool = False, size: int = 480) -> str: ...
    def _repr_svg_(self) -> str: ...

(Connect4|Othello|Go)Rules\.start$:
    def start(self, game: Game, /) -> \1State: ...

(Connect4|Othello|Go)Rules\.batch$:
    def batch(self, game: Game, count: int, auto_reset: bool, seed: int) -> \1Batch: ...

Batch\.to_move$:
    def to_move(self) -> NDArray[np.int8]: ...

Batch\.scores$:
    def scores(self) -> NDArray[np.float32]: ...

Batch\.legal_mask$:
    def legal_mask(self) -> NDArray[np.bool_]: ...

Batch\.planes$:
    def planes(self) -> NDArray[np.uint8]: ...

Batch\.step$:
    def step(
        self, actions: NDArray[np.int64], rewards: NDArray[np.float32], ends: NDArray[np.bool_]
    ) -> int: ...

Batch\.choose_random$:
    def choose_random(self, actions: NDArray[np.int64]) -> None: ...

(Connect4|Othello|Go)Batch\.state$:
    def state(self, index: int) -> \1State: ...

Connect4Rules\.setup$:
    def setup(self, game: Game, cells: bytes, to_move: int, /) -> Connect4State: ...

OthelloRules\.setup$:
    def setup(self, game: Game, black: int, white: int, to_move: int, /) -> OthelloState: ...

GoRules\.setup$:
    def setup(
        self,
        game: Game,
        cells: bytes,
        to_move: int,
        passes: int,
        forbidden: list[int],
        history: list[int],
        /,
    ) -> GoState: ...

(Connect4|Othello|Go)Searches\.__init__$:
    def __init__(self, state: \1State, games: int, settings: dict[str, object]) -> None: ...

Searches\.planes$:
    def planes(self) -> NDArray[np.uint8]: ...

Searches\.legal$:
    def legal(self) -> NDArray[np.bool_]: ...

Searches\.roots$:
    def roots(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]: ...

Searches\.targets$:
    def targets(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]: ...

Searches\.to_move$:
    def to_move(self) -> NDArray[np.int8]: ...

Searches\.positions$:
    def positions(self) -> list[Any]: ...

Searches\.position$:
    def position(self, game: int) -> Any: ...

Searches\.settle$:
    def settle(
        self, priors: NDArray[np.float32], values: NDArray[np.float32]
    ) -> tuple[str, int, int, float] | None: ...

Searches\.report$:
    def report(self, game: int) -> dict[str, Any]: ...

Searches\.look$:
    def look(self, game: int, moves: Sequence[int]) -> dict[str, Any] | None: ...

(Connect4|Othello|Go)Uct\.__init__$:
    def __init__(self, state: \1State, settings: dict[str, object]) -> None: ...

Uct\.look$:
    def look(self, moves: Sequence[int]) -> dict[str, Any] | None: ...

OthelloMinimax\.run$:
    def run(
        self, state: OthelloState, depth: int, seconds: float, every: bool
    ) -> dict[str, Any] | None: ...

\.(report|thought)$:
    def \1(self) -> dict[str, Any]: ...

OthelloTrainingSet\.fit$:
    def fit(
        self, phase: int, regularization: float, spread: int, steps: int
    ) -> dict[str, Any]: ...

OthelloEngine\.probe$:
    def probe(self, state: OthelloState) -> list[tuple[int, float, float, int, bool]]: ...

^honte\._native\.Network\.__init__$:
    def __init__(
        self, source: str | PathLike[str] | bytes, *, kernel: str = ""
    ) -> None: ...

^honte\._native\.Network\.header$:
    @property
    def header(self) -> dict[str, Any]:
        \doc

^honte\._native\.Network\.evaluate$:
    def evaluate(
        self, planes: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        \doc

^honte\._native\.Network\.evaluate_heads$:
    def evaluate_heads(self, planes: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        \doc

^honte\._native\.GO_PLANES$:
    GO_PLANES: list[str]
