"""Python methods of the native states: text, drawing, pickling.

The rules are in C++; text and drawing are attached to the native classes here, so that
``print(state)`` and notebooks work.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol

from honte.core.contract import Game
from honte.core.games import game as game_from_spec

if TYPE_CHECKING:
    from honte.games.symmetry import Image, Symmetry


class NativeRules(Protocol):
    """The interface of every game's native rules."""

    def batch(self, game: Game, count: int, auto_reset: bool, seed: int) -> Any: ...


class NativeGame(Game):
    """A game whose rules are native.

    It is pickled as its spec, its states as text. An *action* of a learner is a move, a number from
    0 to `actions` − 1; ``state.legal_mask()`` marks the legal ones.
    """

    @property
    def actions(self) -> int:
        """The number of distinct moves on this board; a pass is the last one."""
        return len(self.start().legal_mask())

    @property
    def planes(self) -> tuple[str, ...]:
        """The names of the planes that ``state.planes()`` gives."""
        return tuple(self.start().plane_names)

    _rules: NativeRules

    @abstractmethod
    def start(self) -> Any: ...

    def make_batch(self, count: int, auto_reset: bool, seed: int) -> Any:
        """The native part of `honte.batch`."""
        return self._rules.batch(self, count, auto_reset, seed)

    @abstractmethod
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The reflections and rotations of the board, the identity first."""

    @abstractmethod
    def image(self, state: Any, symmetry: Symmetry) -> Any:
        """A position under one of the symmetries."""

    def __reduce__(self) -> tuple[Any, ...]:
        return game_from_spec, (self.spec,)

    def pickled(self, state: Any) -> tuple[object, ...]:
        return state.to_text(), state.last_move

    def unpickled(self, text: str, last_move: int | None) -> Any:
        state: Any = self.from_text(text)
        return state.with_last_move(last_move)


def equip(state_class: Any) -> None:
    """Attach the Python methods to a native state class."""
    state_class.to_text = to_text
    state_class.symmetries = symmetries
    state_class.svg = svg
    state_class._repr_svg_ = svg
    state_class.__str__ = draw
    state_class.__repr__ = describe
    state_class.__reduce__ = reduce
    state_class.__copy__ = itself
    state_class.__deepcopy__ = itself


def to_text(state: Any, **options: Any) -> str:
    """The complete position on one line."""
    return str(state.game.to_text(state, **options))


def symmetries(state: Any) -> list[Image]:
    """The position under each symmetry of its board, with what each action becomes."""
    from honte.games.symmetry import images

    return images(state)


def draw(state: Any) -> str:
    """The board as text."""
    from honte.drawing import text

    return text.draw(state)


def svg(state: Any, dark: bool = False, size: int = 480) -> str:
    """The board as SVG."""
    from honte.drawing import svg

    return svg.draw(state, dark=dark, size=size)


def describe(state: Any) -> str:
    return f"{state.game!r}.from_text({state.to_text()!r})"


def reduce(state: Any) -> tuple[Any, ...]:
    return restore, (state.game.spec, *state.game.pickled(state))


def restore(spec: str, *parts: Any) -> Any:
    game: Any = game_from_spec(spec)
    return game.unpickled(*parts)


def itself(state: Any, *_: Any) -> Any:
    """States are immutable, so a copy is the state itself."""
    return state
