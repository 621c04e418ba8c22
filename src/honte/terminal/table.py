"""A game on the screen and whoever sits at it: what is shown, and when the machine thinks."""

from __future__ import annotations

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, ScrollableContainer
from textual.filter import NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from honte.arena.review import Remark
from honte.games import text
from honte.games.contract import State
from honte.games.text import Cell
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit
from honte.search.report import Report
from honte.terminal import panel
from honte.terminal.annotating import SIGNS, Annotator, words_of
from honte.terminal.dialogs import Wish
from honte.terminal.session import PERSON, Session, must_pass
from honte.terminal.thinking import Job, Thinker, Thought
from honte.terminal.views import BoardView

ANALYSIS_SECONDS = 60.0
REVIEW_SECONDS = 0.25
"""For a position; a review cannot be stopped within one."""
ANALYST = "best"
MARKS = {"connect4": ("X", "O"), "othello": ("●", "○"), "go": ("●", "○")}
SIDES = {"connect4": ("X", "O"), "othello": ("Black", "White"), "go": ("Black", "White")}
TITLES = {"connect4": "Connect Four", "othello": "Othello", "go": "Go"}


class ThoughtCame(Message):
    """A thought from the thinker's thread."""

    def __init__(self, thought: Thought) -> None:
        super().__init__()
        self.thought = thought


class RemarkCame(Message):
    """A remark from an annotator's thread; None when it has done, a sentence when it cannot."""

    def __init__(self, annotator: Annotator, remark: Remark | str | None) -> None:
        super().__init__()
        self.annotator, self.remark = annotator, remark


class Room(ScrollableContainer):
    """The place for the board; it says when its size changes."""

    class Changed(Message):
        """The room is larger or smaller than it was."""

    def on_resize(self) -> None:
        self.post_message(self.Changed())


class Table(App[None]):
    """One game on a table, and whoever sits at it."""

    TITLE = "Honte"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    #table { height: 1fr; }
    #room { width: 1fr; align: center middle; }
    #panel { width: 34; height: 100%; padding: 0 1; border-left: vkey $primary-muted; }
    .wide #panel { width: 46; padding: 1 2; }
    .narrow #panel { display: none; }
    #status { height: 1; padding: 0 1; text-style: bold; }
    """

    def __init__(
        self,
        session: Session,
        limit: Limit | None = None,
        wish: Wish | None = None,
        analysis: bool = False,
        analysis_limit: Limit | None = None,
        review_limit: Limit | None = None,
    ) -> None:
        super().__init__()
        if text.read(session.state) is None:
            raise ValueError(
                f"{session.game.name} is not played on rows and columns; use `honte play`"
            )
        self.session = session
        self.limit = limit or Limit(seconds=1)
        self.wish = wish or Wish(session.game.spec)
        self.analysis = analysis
        self.analysis_limit = analysis_limit or Limit(seconds=ANALYSIS_SECONDS)
        self.paused = False
        self.trying = False
        self.reports: dict[State, Report] = {}
        self.values: dict[int, float] = {}
        self.remarks: dict[int, Remark] = {}
        self.annotator: Annotator | None = None
        self.last_annotator: Annotator | None = None
        self.review_limit = review_limit or Limit(seconds=REVIEW_SECONDS)
        self.players: dict[str, Player] = {}
        self.cursor: Cell | None = None
        self.word = ""
        self._offered: tuple[bool, ...] = (session.record is not None, False, False)
        self.thinker = Thinker(self._told)
        if self.no_color:  # Textual's own answer is shades of grey; ours is no colour at all
            self._filters = [NoColor()]
        self.view = BoardView(color=not self.no_color)
        self.head = Static(id="title", markup=False)
        self.room = Room(self.view, id="room", can_focus=False)
        self.side = Static(id="panel", markup=False)
        self.foot = Static(id="status", markup=False)

    # -- the screen ------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield self.head
        yield Horizontal(self.room, self.side, id="table")
        yield self.foot
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.view.focus()
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        below = self.screen_stack[0]  # a dialog may stand above it
        below.set_class(event.size.width >= 110, "wide")
        below.set_class(event.size.width < 62, "narrow")

    @on(Room.Changed)
    def _refit(self) -> None:
        self.view.set_room(self.room.outer_size)  # scrollbars not taken off, or they would stay
        self.show()

    @property
    def reviewing(self) -> bool:
        return self.session.record is not None and not self.trying

    def changed(self, word: str = "") -> None:
        """Something moved: show it, and let whoever is to move think."""
        self.word = word
        self.thinker.cancel()
        offered = (self.session.record is not None, self.trying, self.session.is_over)
        if offered != self._offered:  # the footer is made anew, which is slow
            self._offered = offered
            self.refresh_bindings()
        if self.cursor is None:
            board = text.read(self.session.state)
            assert board is not None
            self.cursor = (board.rows // 2, board.cols // 2)
        self._let_think()
        self.show()

    def _let_think(self) -> None:
        session = self.session
        if session.is_over:
            return
        machine = session.seat != PERSON and not self.reviewing
        try:
            if machine and not self.paused:
                player = self.player(session.seat)
                self.thinker.think(Job(player, session.state, self.limit, "move"))
            elif not machine and not self.reviewing and must_pass(session.state):
                session.play(session.state.legal_moves()[0])
                self.call_after_refresh(self.changed, "There was no move: a pass.")
            elif self.analysis:
                player = self.player(ANALYST)
                self.thinker.think(Job(player, session.state, self.analysis_limit, "analysis"))
        except ValueError as error:
            self.word = f"{error}."

    def player(self, spec: str) -> Player:
        """The player of a spec for this game, kept for the next time."""
        if spec not in self.players:
            self.players[spec] = make_player(spec, self.session.game)
        return self.players[spec]

    def show(self) -> None:
        """Draw everything as it stands."""
        if not self.view.is_mounted:
            return
        session = self.session
        report = self.reports.get(session.state) if self._may_show() else None
        most = 9 if session.game.name == "go" else 64
        tenths = session.game.name == "connect4"
        cursor = None if session.is_over or self.reviewing else self.cursor
        marks = panel.on_board(report, most, tenths) if report and not session.is_over else {}
        self.view.set_state(session.state, marks, cursor)
        self.head.update(self._title(), layout=False)
        self.foot.update(self.word or self._verdict(), layout=False)
        self.side.update(self._beside(report), layout=False)
        if cursor is not None:
            self.call_after_refresh(self._keep_in_sight)  # once the sizes are known

    def _keep_in_sight(self) -> None:
        """On a terminal too small for the board, scroll to the cursor."""
        region = self.view.cursor_region()
        if region is not None and (self.room.max_scroll_x or self.room.max_scroll_y):
            self.room.scroll_to_region(region, animate=False, immediate=True)

    def _may_show(self) -> bool:
        """Whether what is known about the position is shown: analysis, or the machine at work."""
        return self.analysis or self.reviewing or self.session.seat != PERSON

    def _names(self) -> tuple[str, str]:
        one, two = self.session.seats
        if self.session.record is not None:
            return self.session.names[0] or "?", self.session.names[1] or "?"
        return one, two

    def _marks(self) -> tuple[str, str]:
        return MARKS.get(self.session.game.name, ("X", "O"))

    def _title(self) -> str:
        session = self.session
        board = self.view.board
        name, _, options = session.game.spec.partition(":")
        more = [
            o for o in options.split(",") if o and o.split("=")[0] not in ("rows", "cols", "size")
        ]
        words = " ".join([TITLES.get(name, name), f"{board.rows}×{board.cols}", *more])
        if session.record is not None:
            words += " · a variation" if session.off_record else " · review"
            if self.annotator is not None:
                words += f", {len(self.remarks)} of {len(session.record.moves)} moves looked at"
        elif self.paused:
            words += " · stopped; space goes on"
        if self.analysis:
            words += " · analysis"
        return words

    def _verdict(self) -> str:
        session = self.session
        board = text.read(session.state)
        assert board is not None
        names = SIDES.get(session.game.name, ("X", "O"))
        if session.resigned is not None:
            return f"{names[session.resigned]} resigned; {names[1 - session.resigned]} wins"
        words = text.verdict(session.state, board, names)
        words = words[0].upper() + words[1:]
        if self.reviewing:
            said = self.remarks.get(session.place)
            words = f"Move {session.place} of {session.length}. {words}"
            return f"{words}. {words_of(session.game, said)}" if said is not None else words
        job = self.thinker.job
        if job is not None and job.purpose == "move":
            return f"{words}; {session.seat} is thinking …"
        return words if session.is_over else f"{words}; ? for help"

    def _beside(self, report: Report | None) -> Text:
        box = self.side.content_size
        remarks = {} if self.session.off_record else self.remarks
        signs = {number: SIGNS.get(remark.mark, "") for number, remark in remarks.items()}
        return panel.beside(
            self.session,
            self._names(),
            self._marks(),
            self._value_now(report),
            report,
            self.values if self._may_show() else {},
            signs,
            max(20, box.width or 30),
            max(12, box.height or 20),
        )

    def _value_now(self, report: Report | None) -> float | None:
        """What is known about the position, seen by the first player."""
        session = self.session
        if session.is_over:
            return {0: 1.0, 1: -1.0, None: 0.0}[session.winner]
        if report is not None:
            return report.value if session.state.to_move == 0 else -report.value
        return self.values.get(session.place) if self._may_show() else None

    # -- thoughts --------------------------------------------------------------------

    def _told(self, thought: Thought) -> None:
        """Called in the thinker's thread: hand the thought over to the screen's."""
        if self.is_running:
            self.post_message(ThoughtCame(thought))

    @on(ThoughtCame)
    def _thought_came(self, event: ThoughtCame) -> None:
        thought, session = event.thought, self.session
        job, report = thought.job, thought.report
        if job.cancelled.is_set() or job.state != session.state:
            return
        if report is None:
            self.paused = True
            self.changed(f"{session.seat}: {thought.error}")
            return
        if report.iterations or report.nodes or report.proven:  # or it has only guessed
            self.reports[session.state] = report
            sign = 1 if session.state.to_move == 0 else -1
            self.values[session.place] = sign * report.value
        if thought.final and job.purpose == "move":
            try:
                session.play(report.move)
            except ValueError as error:
                self.paused = True
                self.changed(f"{session.seat}: {error}.")
                return
            self.changed()
        else:
            self.show()

    def annotate(self) -> None:
        """Let the engine remark on the game under review, or stop it."""
        record = self.session.record
        if record is None:
            return
        if self.annotator is not None:
            self.stop_annotating()
        else:
            states = list(record.states())
            self.annotator = Annotator(states, ANALYST, self.review_limit, self._remarked)
            self.last_annotator = self.annotator
        self.show()

    def stop_annotating(self) -> None:
        if self.annotator is not None:
            self.annotator.stop()
            self.annotator = None

    def _remarked(self, annotator: Annotator, remark: Remark | str | None) -> None:
        """Called in the annotator's thread."""
        if self.is_running:
            self.post_message(RemarkCame(annotator, remark))

    @on(RemarkCame)
    def _remark_came(self, event: RemarkCame) -> None:
        if event.annotator is not self.annotator:
            return
        remark = event.remark
        if isinstance(remark, Remark):
            self.remarks[remark.number] = remark
            self.values[remark.number] = remark.for_first
        else:
            self.annotator = None
            self.word = remark or ""
        self.show()

    # -- coming and leaving -----------------------------------------------------------

    def begin(self, session: Session) -> None:
        """Clear the table and put another game on it."""
        self.thinker.cancel()
        self.stop_annotating()
        self.close_players()
        self.session, self.cursor = session, None
        self.paused = self.trying = False
        self.reports, self.values, self.remarks = {}, {}, {}
        self.changed()

    def close_players(self) -> None:
        for player in self.players.values():
            player.close()
        self.players = {}

    def on_unmount(self) -> None:
        if self.last_annotator is not None:
            self.last_annotator.close()
        self.thinker.close()
        self.close_players()
