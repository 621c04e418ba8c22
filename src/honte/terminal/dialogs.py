"""What is asked in between: which game, and against whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from honte.games.registry import game as make_game
from honte.players.level import rung_of
from honte.terminal.session import PERSON

GAMES = (
    ("Connect Four 6×7", "connect4"),
    ("Connect Four 12×12, a cell blocked", "connect4:rows=12,cols=12,blocked=5/6"),
    ("Connect Four, a course board", "connect4:course,seed=1"),
    ("Connect Four 16×16", "connect4:rows=16,cols=16"),
    ("Othello 8×8", "othello"),
    ("Othello 6×6", "othello:size=6"),
    ("Go 9×9", "go"),
    ("Go 13×13", "go:size=13"),
    ("Go 19×19", "go:size=19"),
)
SIDES = (
    ("I begin", "first"),
    ("The machine begins", "second"),
    ("Machine against machine", "none"),
    ("Two people, one keyboard", "both"),
)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play."""

    spec: str = "connect4"
    side: str = "first"
    player: str = "best"
    seconds: float = 1.0

    def seats(self) -> tuple[str, str]:
        return {
            "first": (PERSON, self.player),
            "second": (self.player, PERSON),
            "none": (self.player, self.player),
            "both": (PERSON, PERSON),
        }[self.side]


def level_spec(level: str, game: str) -> str:
    """The player of a level from 1 to 100; the best there is for a game without levels."""
    if not (level.strip().isdecimal() and 1 <= int(level) <= 100):
        raise ValueError("the level is a whole number from 1 to 100")
    try:
        rung_of(game, int(level))
    except ValueError:
        return "best"
    return f"level:{int(level)}"


class NewGame(ModalScreen[Wish | None]):
    """Asks which game, which board, which side, how strong, how long."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss_none", "Cancel")]
    CSS = """
    NewGame { align: center middle; }
    NewGame > Vertical { width: 62; height: auto; max-height: 100%; padding: 1 2;
        background: $surface; border: round $primary; }
    NewGame Horizontal { height: auto; }
    NewGame Label { width: 14; }
    NewGame Select, NewGame Input { width: 1fr; margin-bottom: 1; }
    NewGame #level { margin-bottom: 0; }
    NewGame #means { height: 1; margin: 0 0 1 14; color: $text-muted; }
    NewGame #wrong { color: $text-error; height: auto; min-height: 1; }
    NewGame #buttons { align-horizontal: right; }
    NewGame Button { margin-left: 2; }
    """

    def __init__(self, wish: Wish, level: str = "50") -> None:
        super().__init__()
        self._wish, self._level = wish, level

    def compose(self) -> ComposeResult:
        known = {spec for _, spec in GAMES}
        with Vertical():
            yield Static("[b]A new game[/b]\n")
            with Horizontal():
                yield Label("Game")
                yield Select(
                    GAMES,
                    value=self._wish.spec if self._wish.spec in known else GAMES[0][1],
                    allow_blank=False,
                    compact=True,
                    id="game",
                )
            with Horizontal():
                yield Label("Its board")
                yield Input(self._wish.spec, compact=True, id="spec")
            with Horizontal():
                yield Label("You")
                yield Select(
                    SIDES, value=self._wish.side, allow_blank=False, compact=True, id="side"
                )
            with Horizontal():
                yield Label("Level 1–100")
                yield Input(self._level, compact=True, id="level")
            yield Static("", id="means", markup=False)
            with Horizontal():
                yield Label("Seconds")
                yield Input(f"{self._wish.seconds:g}", compact=True, id="seconds")
            yield Static("", id="wrong", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Play", variant="primary", compact=True, id="play")
                yield Button("Cancel", compact=True, id="cancel")

    @on(Select.Changed, "#game")
    def _game_chosen(self, event: Select.Changed) -> None:
        if self._wish.spec != event.value or self.query_one("#spec", Input).value == "":
            self.query_one("#spec", Input).value = str(event.value)

    @on(Input.Changed, "#level")
    @on(Input.Changed, "#spec")
    def _say_what_a_level_means(self) -> None:
        name = self.query_one("#spec", Input).value.partition(":")[0]
        level = self.query_one("#level", Input).value
        try:
            if level_spec(level, name) == "best":
                words = "no levels are known for this game: the best engine plays"
            else:
                rung = rung_of(name, int(level))
                words = f"{rung.words}, about {rung.rank}" if rung.rank else rung.words
        except ValueError:
            words = ""
        self.query_one("#means", Static).update(words)

    @on(Input.Submitted)
    @on(Button.Pressed, "#play")
    def _play(self) -> None:
        try:
            wish = self._read()
        except ValueError as error:
            self.query_one("#wrong", Static).update(f"{error}.")
            return
        self.dismiss(wish)

    def _read(self) -> Wish:
        game = make_game(self.query_one("#spec", Input).value)
        seconds = self.query_one("#seconds", Input).value
        try:
            time = float(seconds)
        except ValueError:
            time = 0.0
        if not 0.01 <= time <= 3600:
            raise ValueError("the seconds a move are a number from 0.01 to 3600")
        player = level_spec(self.query_one("#level", Input).value, game.name)
        side = str(self.query_one("#side", Select).value)
        return Wish(game.spec, side, player, time)

    @on(Button.Pressed, "#cancel")
    def action_dismiss_none(self) -> None:
        self.dismiss(None)


class Words(ModalScreen[None]):
    """A page of text; any key closes it."""

    CSS = """
    Words { align: center middle; }
    Words > Static { width: auto; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary; }
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        yield Static(self._words, markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)
