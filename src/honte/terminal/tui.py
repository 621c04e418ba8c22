"""``honte tui``: the board on a whole terminal, with mouse and keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from honte.core.descriptor_parts import Cell
from honte.core.games import game as make_game
from honte.core.language import Message, tr
from honte.core.record import Record
from honte.core.request import Limit
from honte.drawing import text
from honte.terminal.dialogs import GameSetup, NewGameDialog, TextDialog
from honte.terminal.engine_thread import Job
from honte.terminal.game_app import ANALYST, GameApp
from honte.terminal.layout import move_at
from honte.terminal.session import PERSON, Session, pass_of
from honte.terminal.views import BoardView

HELP = Message(
    """\
Arrows and Enter, or a click: play there. Where pieces drop, 1–9: play in that column.

u r    take back, and forward again       a    analysis on and off
p      pass                               m    let the engine move now
R      resign                             space  engine against engine: pause
n      a new game                         t    light or dark
q      quit

After two passes, where dead pieces are agreed upon:
Enter, a click   this group is dead, or lives after all
y      agree with the count              u    play on

Reviewing a game:
← →  Home End   step, to the beginning, to the end
, .             to the mistake before, to the next
v               review it with the engine
w               try moves of your own from here;  b  back to the game"""
)


class BoardApp(GameApp):
    """The app with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(0, -1)", tr("Left"), show=False, priority=False),
        Binding("right", "step(0, 1)", tr("Right"), show=False),
        Binding("up", "step(-1, 0)", tr("Up"), show=False),
        Binding("down", "step(1, 0)", tr("Down"), show=False),
        Binding("enter", "play_here", tr("Play"), show=False),
        Binding("u", "undo", tr("Undo")),
        Binding("r", "redo", tr("Redo")),
        Binding("p", "pass", tr("Pass")),
        Binding("a", "analysis", tr("Analysis")),
        Binding("m", "move_now", tr("Move now")),
        Binding("n", "new", tr("New")),
        Binding("R", "resign", tr("Resign")),
        Binding("y", "agree", tr("Agree")),
        Binding("space", "pause", tr("Pause"), show=False),
        Binding("home", "go_to(0)", tr("Start"), show=False),
        Binding("end", "go_to(-1)", tr("End"), show=False),
        Binding("v", "annotate", tr("Review")),
        Binding("full_stop", "mistake(1)", tr("Mistake")),
        Binding("comma", "mistake(-1)", tr("Mistake"), show=False),
        Binding("w", "try_moves", tr("Try")),
        Binding("b", "back_to_game", tr("Back")),
        Binding("t", "light", tr("Light"), show=False),
        Binding("question_mark", "help", tr("Help"), key_display="?"),
        Binding("q,ctrl+c", "quit", tr("Quit"), key_display="q"),
    ]

    # -- actions --------------------------------------------------------------------

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
        self.message = ""
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
        board = text.read(self.session.state)
        if board is not None and board.shape == "columns" and event.key.isdecimal():
            col = int(event.key) - 1
            if len(self.screen_stack) == 1 and 0 <= col < board.cols:
                event.stop()
                self.cursor = (0, col)
                self.play_at(self.cursor)

    def play_at(self, cell: Cell) -> None:
        board = text.read(self.session.state)
        assert board is not None
        if self.counting is not None:
            self._correct(cell[0] * board.cols + cell[1])
        else:
            self.play(move_at(self.session.game, board, cell))

    def _correct(self, cell: int) -> None:
        """Mark a group as dead or as alive, as a person corrects it."""
        assert self.counting is not None
        if self.counting.agreed:
            self._say(tr("The result is agreed; n starts a new game, u plays on"))
            return
        try:
            self.counting.toggle(cell)
        except ValueError as error:
            words = tr(str(error))
            self._say(words[0].upper() + words[1:])
            return
        self.message = ""
        self.show()

    def action_agree(self) -> None:
        """Accept the current count as the result."""
        if self.counting is None or not self.counting.agree():
            self._say(tr("There is no count to agree on yet"))
            return
        assert self.counting.count is not None
        self.session.agreed = self.counting.count.score
        self.changed()

    def play(self, move: int) -> None:
        """Make a person's move, or say why not."""
        session = self.session
        if self.reviewing:
            self._say(tr("This game is under review; w lets you try moves of your own"))
            return
        if session.is_over:
            self._say(tr("The game is over; n starts a new one, u takes back"))
            return
        if session.mover != PERSON:
            self._say(tr("It is the turn of {who}; m makes it move now", who=session.mover))
            return
        try:
            session.play(move)
        except ValueError as error:
            words = tr(str(error))
            self._say(words[0].upper() + words[1:])
            return
        self._forget_values()
        self.changed()

    def _say(self, words: str) -> None:
        self.message = words
        self.bell()
        self.show()

    def _forget_values(self) -> None:
        """Drop the values of positions that are no longer on the line."""
        self.values = {p: v for p, v in self.values.items() if p <= self.session.length}

    def action_pass(self) -> None:
        move = pass_of(self.session.state)
        if move is None:
            self._say(tr("Passing is not a move here"))
        else:
            self.play(move)

    def action_undo(self) -> None:
        if self.reviewing:
            self._walk(-1)
            return
        if PERSON not in self.session.players:
            self.paused = True
        if self.session.undo():
            self.changed()
        else:
            self._say(tr("There is no move of yours to take back"))

    def action_redo(self) -> None:
        if self.reviewing:
            self._walk(1)
        elif self.session.redo():
            self.changed()
        else:
            self._say(tr("There is no move to bring back"))

    def action_resign(self) -> None:
        session = self.session
        if session.is_over or self.reviewing or PERSON not in session.players:
            self._say(tr("There is nothing to resign"))
            return
        person = session.state.to_move if session.mover == PERSON else session.players.index(PERSON)
        session.resigned = person
        self.changed()

    def action_pause(self) -> None:
        if PERSON in self.session.players and not self.paused:
            return
        self.paused = not self.paused
        self.changed()

    def action_move_now(self) -> None:
        """Make the engine move now: the one that is thinking, or in a person's place."""
        session, job = self.session, self.engine_thread.job
        if job is not None and job.purpose == "move":
            self.engine_thread.move_now()
        elif not session.is_over and not self.reviewing:
            spec = next((mover for mover in session.players if mover != PERSON), ANALYST)
            try:
                self.engine_thread.think(Job(self.engine(spec), session.state, self.limit, "move"))
            except ValueError as error:
                self._say(tr("{error}.", error=error))
            self.show()

    def action_analysis(self) -> None:
        self.analysis = not self.analysis
        job = self.engine_thread.job
        if job is not None and job.purpose == "move":
            self.show()
        else:
            self.changed()

    def action_light(self) -> None:
        self.theme = "textual-light" if self.theme == "textual-dark" else "textual-dark"

    def action_help(self) -> None:
        self.push_screen(TextDialog(tr(HELP)))

    def action_new(self) -> None:
        def begin(setup: GameSetup | None) -> None:
            if setup is not None:
                self.setup = setup
                self.limit = Limit(seconds=setup.seconds)
                self.start_game(Session(make_game(setup.spec), setup.players()))

        level = (
            self.setup.player.partition(":")[2] if self.setup.player.startswith("level:") else ""
        )
        self.push_screen(NewGameDialog(self.setup, level or "50"), begin)

    # -- review ----------------------------------------------------------------------

    def action_try_moves(self) -> None:
        if self.reviewing:
            self.trying = True
            self.changed(tr("Play what you like; b goes back to the game"))

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
            none = tr("No mistake is known; v looks for them")
            self._say(tr("No mistake further on") if found else none)

    def action_annotate(self) -> None:
        """Annotate the game under review, or the one that was just played."""
        session = self.session
        if session.record is None:
            names = session.players
            moves = session.moves[: session.place]
            self.start_game(Session.of_record(Record(session.game.spec, names, moves=moves)))
            self.session.go_to(len(moves))
            self.changed()
        self.annotate()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key is offered: review keys only in a review, playing keys only in a game."""
        review = self.session.record is not None
        if action == "agree":
            return self.counting is not None and not self.counting.agreed
        if action == "annotate":
            return review or self.session.is_over
        if action in ("mistake", "try_moves", "back_to_game"):
            return review
        if action in ("resign", "move_now", "pass") and self.session.is_over:
            return False
        return not (self.reviewing and action in ("resign", "move_now", "undo", "redo", "pass"))
