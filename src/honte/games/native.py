"""Python methods of the native states: text, drawing, pickling.

The rules are in C++; text and drawing are attached to the native classes here, so that
``print(state)`` and notebooks work.
"""

from __future__ import annotations

from typing import Any

from honte.core.contract import Game
from honte.core.games import game as game_from_spec


class NativeGame(Game):
    """A game whose rules are native.

    It is pickled as its spec, its states as text.
    """

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
    state_class.svg = svg
    state_class._repr_svg_ = svg
    state_class.__str__ = draw
    state_class.__repr__ = describe
    state_class.__reduce__ = reduce
    state_class.__copy__ = itself
    state_class.__deepcopy__ = itself


def to_text(state: Any, **options: Any) -> str:
    """The position, whole, on one line."""
    return str(state.game.to_text(state, **options))


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
