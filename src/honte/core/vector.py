"""Vector-valued settings, such as evaluation weights.

A game's descriptor names its vectors, and ``honte tune`` tunes them number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from honte.core.language import Message


@dataclass(frozen=True)
class Vector:
    """Names, parser and writer of a vector-valued setting."""

    names: tuple[str, ...]
    read: Callable[[str], Sequence[float]]
    """Parse a preset, a file, or the output of `write`."""
    write: Callable[[Sequence[float]], str]
    """The numbers as a spec value."""
    start: str
    """Default starting point of a study."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Named groups of numbers."""
    board: Callable[[Sequence[float]], list[list[float]]] | None = None
    """The numbers of the cells, row by row, for a picture."""

    def chosen(self, words: Sequence[str]) -> list[str]:
        """The numbers selected by names and groups; all by default."""
        found: list[str] = []
        for word in words or self.names:
            names = self.groups.get(word, (word,))
            if not set(names) <= set(self.names):
                singles = [name for name in self.names if not self._grouped(name)]
                known = [*self.groups, *singles]
                raise ValueError(
                    Message(
                        "there is no {word!r} to tune; choose from {known}, or one as in {names!r}",
                        word=word[:40],
                        known=", ".join(known),
                        names=self.names[0],
                    )
                )
            found += [name for name in names if name not in found]
        return found

    def _grouped(self, name: str) -> bool:
        return any(name in group for group in self.groups.values())
