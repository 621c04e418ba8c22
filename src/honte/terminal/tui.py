"""``honte tui``: the board on a whole terminal, with mouse and keys."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from honte.games import text
from honte.games.records import Record
from honte.games.registry import game as make_game
from honte.games.text import Cell
from honte.search.limit import Limit
from honte.terminal.dialogs import NewGame, Wish, Words
from honte.terminal.layout import move_at
from honte.terminal.session import PERSON, Session, pass_of
from honte.terminal.table import ANALYST, Table
from honte.terminal.thinking import Job
from honte.terminal.views import BoardView

HELP = """\
Arrows and Enter, or a click: play there. In Connect Four 1–9: play in that column.

u r    take back, and forward again       a    analysis on and off
p      pass                               m    let the machine move now
R      resign                             space  stop and go, machine against machine
n      a new game                         t    light or dark
q      leave

Reviewing a game:
← →  Home End   step, to the beginning, to the end
, .             to the mistake before, to the next
v               let the engine remark on the game
w               try moves of your own from here;  b  back to the game"""


class BoardApp(Table):
    """The table with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(0, -1)", "Left", show=False, priority=False),
        Binding("right", "step(0, 1)", "Right", show=False),
        Binding("up", "step(-1, 0)", "Up", show=False),
        Binding("down", "step(1, 0)", "Down", show=False),
        Binding("enter", "play_here", "Play", show=False),
        Binding("u", "undo", "Undo"),
        Binding("r", "redo", "Redo"),
        Binding("p", "pass", "Pass"),
        Binding("a", "analysis", "Analysis"),
        Binding("m", "hurry", "Move now"),
        Binding("n", "new", "New"),
        Binding("R", "resign", "Resign"),
        Binding("space", "pause", "Stop/go", show=False),
        Binding("home", "go_to(0)", "Start", show=False),
        Binding("end", "go_to(-1)", "End", show=False),
        Binding("v", "annotate", "Review"),
        Binding("full_stop", "mistake(1)", "Mistake"),
        Binding("comma", "mistake(-1)", "Mistake", show=False),
        Binding("w", "try_moves", "Try"),
        Binding("b", "back_to_game", "Back"),
        Binding("t", "light", "Light", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q,ctrl+c", "quit", "Quit", key_display="q"),
    ]

    # -- what a person does ----------------------------------------------------------

    def action_step(self, down: int, right: int) -> None:
        if self.reviewing:
            self._walk(right or down)
            return
        board = text.read(self.session.state)
        assert board is not None
        row, col = self.cursor or (0, 0)
        self.cursor = (
            min(max(row + down, 0), board.rows - 1),
            min(max(col + right, 0), board.cols - 1),
        )
        self.word = ""
        self.show()

    def _walk(self, by: int) -> None:
        if self.session.go_to(self.session.place + by):
            self.changed()

    def action_go_to(self, place: int) -> None:
        if self.reviewing:
            self.session.go_to(place if place >= 0 else self.session.length)
            self.changed()

    def action_play_here(self) -> None:
        if self.cursor is not None:
            self.play_at(self.cursor)

    @on(BoardView.Chosen)
    def _clicked(self, event: BoardView.Chosen) -> None:
        self.cursor = event.cell
        self.play_at(event.cell)

    def on_key(self, event: events.Key) -> None:
        game: Any = self.session.game
        if game.name == "connect4" and event.key.isdecimal():
            col = int(event.key) - 1
            if len(self.screen_stack) == 1 and 0 <= col < game.cols:
                event.stop()
                self.cursor = (0, col)
                self.play_at(self.cursor)

    def play_at(self, cell: Cell) -> None:
        board = text.read(self.session.state)
        assert board is not None
        self.play(move_at(board, cell))

    def play(self, move: int) -> None:
        """Make a person's move, or say why not."""
        session = self.session
        if self.reviewing:
            self._say("This game is under review; w lets you try moves of your own")
            return
        if session.is_over:
            self._say("The game is over; n starts a new one, u takes back")
            return
        if session.seat != PERSON:
            self._say(f"It is the turn of {session.seat}; m makes it move now")
            return
        try:
            session.play(move)
        except ValueError as error:
            words = str(error)
            self._say(words[0].upper() + words[1:])
            return
        self._forget_values()
        self.changed()

    def _say(self, words: str) -> None:
        self.word = words
        self.bell()
        self.show()

    def _forget_values(self) -> None:
        """Drop what was thought about positions that are on the line no more."""
        self.values = {p: v for p, v in self.values.items() if p <= self.session.length}

    def action_pass(self) -> None:
        move = pass_of(self.session.state)
        if move is None:
            self._say("Passing is not a move here")
        else:
            self.play(move)

    def action_undo(self) -> None:
        if self.reviewing:
            self._walk(-1)
            return
        if PERSON not in self.session.seats:
            self.paused = True
        if self.session.undo():
            self.changed()
        else:
            self._say("There is no move of yours to take back")

    def action_redo(self) -> None:
        if self.reviewing:
            self._walk(1)
        elif self.session.redo():
            self.changed()
        else:
            self._say("There is no move to bring back")

    def action_resign(self) -> None:
        session = self.session
        if session.is_over or self.reviewing or PERSON not in session.seats:
            self._say("There is nothing to resign")
            return
        person = session.state.to_move if session.seat == PERSON else session.seats.index(PERSON)
        session.resigned = person
        self.changed()

    def action_pause(self) -> None:
        if PERSON in self.session.seats and not self.paused:
            return
        self.paused = not self.paused
        self.changed()

    def action_hurry(self) -> None:
        """Let the machine move now: the one that is thinking, or in a person's place."""
        session, job = self.session, self.thinker.job
        if job is not None and job.purpose == "move":
            self.thinker.hurry()
        elif not session.is_over and not self.reviewing:
            spec = next((seat for seat in session.seats if seat != PERSON), ANALYST)
            try:
                self.thinker.think(Job(self.player(spec), session.state, self.limit, "move"))
            except ValueError as error:
                self._say(f"{error}.")
            self.show()

    def action_analysis(self) -> None:
        self.analysis = not self.analysis
        job = self.thinker.job
        if job is not None and job.purpose == "move":
            self.show()
        else:
            self.changed()

    def action_light(self) -> None:
        self.theme = "textual-light" if self.theme == "textual-dark" else "textual-dark"

    def action_help(self) -> None:
        self.push_screen(Words(HELP))

    def action_new(self) -> None:
        def begin(wish: Wish | None) -> None:
            if wish is not None:
                self.wish = wish
                self.limit = Limit(seconds=wish.seconds)
                self.begin(Session(make_game(wish.spec), wish.seats()))

        level = self.wish.player.partition(":")[2] if self.wish.player.startswith("level:") else ""
        self.push_screen(NewGame(self.wish, level or "50"), begin)

    # -- review ----------------------------------------------------------------------

    def action_try_moves(self) -> None:
        if self.reviewing:
            self.trying = True
            self.changed("Play what you like; b goes back to the game")

    def action_back_to_game(self) -> None:
        if self.session.record is not None:
            self.session.back_to_record()
            self.trying = False
            self.changed()

    def action_mistake(self, way: int) -> None:
        place = self.session.place
        found = [number for number, remark in self.remarks.items() if remark.mark]
        on = [n for n in found if (n > place if way > 0 else n < place)]
        if on:
            self.session.go_to(min(on) if way > 0 else max(on))
            self.changed()
        else:
            self._say("No mistake further on" if found else "No mistake is known; v looks for them")

    def action_annotate(self) -> None:
        """Annotate the game under review, or the one that was just played."""
        session = self.session
        if session.record is None:
            names = session.seats
            moves = session.moves[: session.place]
            self.begin(Session.of_record(Record(session.game.spec, names, moves=moves)))
            self.session.go_to(len(moves))
            self.changed()
        self.annotate()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys are offered: those of a review only in one, and the other way round."""
        review = self.session.record is not None
        if action == "annotate":
            return review or self.session.is_over
        if action in ("mistake", "try_moves", "back_to_game"):
            return review
        if action in ("resign", "hurry", "pass") and self.session.is_over:
            return False
        return not (self.reviewing and action in ("resign", "hurry", "undo", "redo", "pass"))
