"""Dialogs: a new game, and pages of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from honte.core.descriptor import GameDescriptor
from honte.core.games import game as make_game
from honte.core.games import names
from honte.core.language import Message, tr
from honte.games import DEFAULT
from honte.players.level import rung_of
from honte.terminal.session import PERSON


def presets() -> list[tuple[str, str]]:
    """The boards to choose from: a title and a spec each."""
    return [
        (title_words(make_game(name).descriptor, title), spec)
        for name in names()
        for title, spec in make_game(name).descriptor.presets or ((name, name),)
    ]


def title_words(game: GameDescriptor, title: str) -> str:
    """The title of a board: translated as a whole, or at least the game's name in it."""
    words = tr(game.message(title))
    return words.replace(game.title, tr(game.message(game.title))) if game.title else words


SIDES = (
    (tr("I move first"), "first"),
    (tr("The engine moves first"), "second"),
    (tr("Engine against engine"), "none"),
    (tr("Two people, one keyboard"), "both"),
)


@dataclass(frozen=True)
class GameSetup:
    """The settings of a new game."""

    spec: str = DEFAULT
    side: str = "first"
    player: str = "best"
    seconds: float = 1.0

    def players(self) -> tuple[str, str]:
        return {
            "first": (PERSON, self.player),
            "second": (self.player, PERSON),
            "none": (self.player, self.player),
            "both": (PERSON, PERSON),
        }[self.side]


def level_spec(level: str, game: str) -> str:
    """The player of a level from 1 to 100; the best there is for a game without levels."""
    if not (level.strip().isdecimal() and 1 <= int(level) <= 100):
        raise ValueError(Message("the level must be a whole number from 1 to 100"))
    try:
        rung_of(make_game(game), int(level))
    except ValueError:
        return "best"
    return f"level:{int(level)}"


class NewGameDialog(ModalScreen[GameSetup | None]):
    """Asks for the game, the board, the side, the level and the time per move."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss_none", tr("Cancel"))]
    CSS = """
    NewGameDialog { align: center middle; }
    NewGameDialog > Vertical { width: 62; height: auto; max-height: 100%; padding: 1 2;
        background: $surface; border: round $primary; }
    NewGameDialog Horizontal { height: auto; }
    NewGameDialog Label { width: 14; }
    NewGameDialog Select, NewGameDialog Input { width: 1fr; margin-bottom: 1; }
    NewGameDialog #level { margin-bottom: 0; }
    NewGameDialog #means { height: 1; margin: 0 0 1 14; color: $text-muted; }
    NewGameDialog #wrong { color: $text-error; height: auto; min-height: 1; }
    NewGameDialog #buttons { align-horizontal: right; }
    NewGameDialog Button { margin-left: 2; }
    """

    def __init__(self, setup: GameSetup, level: str = "50") -> None:
        super().__init__()
        self._setup, self._level = setup, level

    def compose(self) -> ComposeResult:
        boards = presets()
        known = {spec for _, spec in boards}
        with Vertical():
            yield Static(f"[b]{tr('New game')}[/b]\n")
            with Horizontal():
                yield Label(tr("Game"))
                yield Select(
                    boards,
                    value=self._setup.spec if self._setup.spec in known else boards[0][1],
                    allow_blank=False,
                    compact=True,
                    id="game",
                )
            with Horizontal():
                yield Label(tr("Board"))
                yield Input(self._setup.spec, compact=True, id="spec")
            with Horizontal():
                yield Label(tr("You"))
                yield Select(
                    SIDES, value=self._setup.side, allow_blank=False, compact=True, id="side"
                )
            with Horizontal():
                yield Label(tr("Level 1–100"))
                yield Input(self._level, compact=True, id="level")
            yield Static("", id="means", markup=False)
            with Horizontal():
                yield Label(tr("Seconds"))
                yield Input(f"{self._setup.seconds:g}", compact=True, id="seconds")
            yield Static("", id="wrong", markup=False)
            with Horizontal(id="buttons"):
                yield Button(tr("Play"), variant="primary", compact=True, id="play")
                yield Button(tr("Cancel"), compact=True, id="cancel")

    @on(Select.Changed, "#game")
    def _game_chosen(self, event: Select.Changed) -> None:
        if self._setup.spec != event.value or self.query_one("#spec", Input).value == "":
            self.query_one("#spec", Input).value = str(event.value)

    @on(Input.Changed, "#level")
    @on(Input.Changed, "#spec")
    def _say_what_a_level_means(self) -> None:
        name = self.query_one("#spec", Input).value.partition(":")[0]
        level = self.query_one("#level", Input).value
        try:
            if level_spec(level, name) == "best":
                words = tr("this game has no levels: the best engine plays")
            else:
                rung = rung_of(make_game(name), int(level))
                words = tr(rung.words)
                if rung.rank:
                    words = tr("{words}, about {rank}", words=words, rank=rung.rank)
        except ValueError:
            words = ""
        self.query_one("#means", Static).update(words)

    @on(Input.Submitted)
    @on(Button.Pressed, "#play")
    def _play(self) -> None:
        try:
            setup = self._read()
        except ValueError as error:
            self.query_one("#wrong", Static).update(tr("{error}.", error=error))
            return
        self.dismiss(setup)

    def _read(self) -> GameSetup:
        game = make_game(self.query_one("#spec", Input).value)
        seconds = self.query_one("#seconds", Input).value
        try:
            time = float(seconds)
        except ValueError:
            time = 0.0
        if not 0.01 <= time <= 3600:
            raise ValueError(Message("the seconds per move must be a number from 0.01 to 3600"))
        player = level_spec(self.query_one("#level", Input).value, game.name)
        side = str(self.query_one("#side", Select).value)
        return GameSetup(game.spec, side, player, time)

    @on(Button.Pressed, "#cancel")
    def action_dismiss_none(self) -> None:
        self.dismiss(None)


class TextDialog(ModalScreen[None]):
    """A page of text; any key closes it."""

    CSS = """
    TextDialog { align: center middle; }
    TextDialog > Static { width: auto; max-width: 90%; height: auto; padding: 1 2;
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
