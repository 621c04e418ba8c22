"""The rules of a game in words and small boards, for the help of the page."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rule:
    """One rule: a few sentences, and a position that shows it."""

    text: str
    translations: dict[str, str] = field(default_factory=dict)
    """By language: ``{"zh": "…"}``."""
    spec: str = ""
    """The spec of the board's game; "" for a rule without a board."""
    start: str | None = None
    """A position as ``state.to_text()`` writes it; None for the start of the game."""
    moves: tuple[str, ...] = ()
    """The moves played from there, in notation."""
    hints: bool = False
    """Whether the legal moves are shown."""
