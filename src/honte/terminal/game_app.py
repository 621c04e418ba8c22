"""The game on the screen: what is shown, and when the engine thinks."""

from __future__ import annotations

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, ScrollableContainer
from textual.filter import NoColor
from textual.message import Message
from textual.widgets import Footer, Static

from honte.analysis.review import DEFAULT_LIMIT, Remark
from honte.core.contract import State
from honte.core.descriptor_parts import Cell
from honte.core.language import tr
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.report import Report
from honte.core.request import Limit
from honte.core.scoring import Count, scoring_of
from honte.drawing import text
from honte.terminal import panel
from honte.terminal.annotating import SIGNS, Annotator, words_of
from honte.terminal.counting import Counting, result_words, table
from honte.terminal.dialogs import GameSetup
from honte.terminal.engine_thread import Answer, EngineThread, Job
from honte.terminal.session import PERSON, Session, must_pass
from honte.terminal.views import BoardView

ANALYSIS_SECONDS = 60.0
ANALYST = "best"


class AnswerCame(Message):
    """An answer from the engine's thread."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


class RemarkCame(Message):
    """A remark from an annotator's thread; None when it has finished, a sentence if it failed."""

    def __init__(self, annotator: Annotator, remark: Remark | str | None) -> None:
        super().__init__()
        self.annotator, self.remark = annotator, remark


class CountCame(Message):
    """A count from its thread."""

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        self.counting = counting


class BoardPane(ScrollableContainer):
    """The part of the screen that holds the board; it posts a message when its size changes."""

    class Changed(Message):
        """The size has changed."""

    def on_resize(self) -> None:
        self.post_message(self.Changed())


class GameApp(App[None]):
    """One game, shown and played; the keys are in `BoardApp`."""

    TITLE = "Honte"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    #main { height: 1fr; }
    #board { width: 1fr; align: center middle; }
    #panel { width: 34; height: 100%; padding: 0 1; border-left: vkey $primary-muted; }
    .wide #panel { width: 46; padding: 1 2; }
    .narrow #panel { display: none; }
    #status { height: 1; padding: 0 1; text-style: bold; }
    """

    def __init__(
        self,
        session: Session,
        limit: Limit | None = None,
        setup: GameSetup | None = None,
        analysis: bool = False,
        analysis_limit: Limit | None = None,
        review_limit: Limit | None = None,
    ) -> None:
        super().__init__()
        if text.read(session.state) is None:
            raise ValueError(
                tr(
                    "{game} is not played on rows and columns; use `honte play`",
                    game=session.game.name,
                )
            )
        self.session = session
        self.limit = limit or Limit(seconds=1)
        self.setup = setup or GameSetup(session.game.spec)
        self.analysis = analysis
        self.analysis_limit = analysis_limit or Limit(seconds=ANALYSIS_SECONDS)
        self.paused = False
        self.trying = False
        self.reports: dict[State, Report] = {}
        self.values: dict[int, float] = {}
        self.remarks: dict[int, Remark] = {}
        self.annotator: Annotator | None = None
        self.last_annotator: Annotator | None = None
        self.review_limit = review_limit or DEFAULT_LIMIT
        self.engines: dict[str, Player] = {}
        self.cursor: Cell | None = None
        self.message = ""
        self.counting: Counting | None = None
        self._offered: tuple[bool, ...] = (session.record is not None, False, False, False)
        self.engine_thread = EngineThread(self._post_answer)
        if self.no_color:  # Textual's own answer is shades of grey; ours is no colour at all
            self._filters = [NoColor()]
        self.view = BoardView(color=not self.no_color)
        self.title_bar = Static(id="title", markup=False)
        self.board_pane = BoardPane(self.view, id="board", can_focus=False)
        self.side_panel = Static(id="panel", markup=False)
        self.status_bar = Static(id="status", markup=False)

    # -- the screen ------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield self.title_bar
        yield Horizontal(self.board_pane, self.side_panel, id="main")
        yield self.status_bar
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.view.focus()
        record = self.session.record
        self.changed("" if record is None else tr(record.rest_words()).capitalize())

    def on_resize(self, event: events.Resize) -> None:
        below = self.screen_stack[0]  # a dialog may stand above it
        below.set_class(event.size.width >= 110, "wide")
        below.set_class(event.size.width < 62, "narrow")

    @on(BoardPane.Changed)
    def _refit(self) -> None:
        self.view.set_room(self.board_pane.outer_size)  # with the scrollbars, or they would stay
        self.show()

    @property
    def reviewing(self) -> bool:
        return self.session.record is not None and not self.trying

    def changed(self, message: str = "") -> None:
        """Show the new position, and start the engine whose turn it is."""
        self.message = message
        self.engine_thread.cancel()
        self._start_counting()
        asked = self.counting is not None and not self.counting.agreed
        offered = (self.session.record is not None, self.trying, self.session.is_over, asked)
        if offered != self._offered:  # this rebuilds the footer, which is slow
            self._offered = offered
            self.refresh_bindings()
        if self.cursor is None:
            board = text.read(self.session.state)
            assert board is not None
            self.cursor = (board.rows // 2, board.cols // 2)
        self._start_engine()
        self.show()

    def _start_engine(self) -> None:
        session = self.session
        if session.is_over:
            return
        engine_moves = session.mover != PERSON and not self.reviewing
        try:
            if engine_moves and not self.paused:
                player = self.engine(session.mover)
                agreed = PERSON in session.players  # between people dead pieces are agreed upon
                self.engine_thread.think(
                    Job(player, session.state, self.limit, "move", session.history, agreed)
                )
            elif not engine_moves and not self.reviewing and must_pass(session.state):
                session.play(session.state.legal_moves()[0])
                self.call_after_refresh(self.changed, tr("There was no move: a pass."))
            elif self.analysis:
                player = self.engine(ANALYST)
                self.engine_thread.think(
                    Job(player, session.state, self.analysis_limit, "analysis", session.history)
                )
        except ValueError as error:
            self.message = tr("{error}.", error=error)

    def _start_counting(self) -> None:
        """Count a game that has just ended, where people agree on dead pieces."""
        session = self.session
        ends = session.state.is_over and session.resigned is None and not self.reviewing
        if not ends or scoring_of(session.state) is None:
            self.counting = None
            return
        states = session.states[: session.place + 1]
        if self.counting is None or self.counting.states != states:
            session.agreed = None
            self.counting = Counting(states, self._post_count)

    def _post_count(self, counting: Counting) -> None:
        """Called in the thread of a count."""
        if self.is_running:
            self.post_message(CountCame(counting))

    @on(CountCame)
    def _on_count(self, event: CountCame) -> None:
        if event.counting is self.counting:
            self.message = event.counting.error and tr("{error}.", error=event.counting.error)
            self.show()

    @property
    def counted(self) -> Count | None:
        """The count on the screen."""
        return None if self.counting is None else self.counting.count

    def engine(self, spec: str) -> Player:
        """The player of a spec for this game, cached."""
        if spec not in self.engines:
            self.engines[spec] = make_player(spec, self.session.game)
        return self.engines[spec]

    def show(self) -> None:
        """Draw everything as it stands."""
        if not self.view.is_mounted:
            return
        session = self.session
        report = self.reports.get(session.state) if self._shows_analysis() else None
        shape = session.game.descriptor.board.shape
        most = 9 if shape == "points" else 64
        tenths = shape == "columns"
        correcting = self.counted is not None and session.agreed is None
        shown = correcting or not (session.is_over or self.reviewing)
        cursor = self.cursor if shown else None
        marks = panel.on_board(report, most, tenths) if report and not session.is_over else {}
        self.view.set_state(session.state, marks, cursor, self.counted)
        self.title_bar.update(self._title(), layout=False)
        self.status_bar.update(self.message or self._verdict(), layout=False)
        self.side_panel.update(self._panel_text(report), layout=False)
        if cursor is not None:
            self.call_after_refresh(self._keep_in_sight)  # once the sizes are known

    def _keep_in_sight(self) -> None:
        """On a terminal too small for the board, scroll to the cursor."""
        region = self.view.cursor_region()
        if region is not None and (self.board_pane.max_scroll_x or self.board_pane.max_scroll_y):
            self.board_pane.scroll_to_region(region, animate=False, immediate=True)

    def _shows_analysis(self) -> bool:
        """Whether the evaluation of the position is shown: analysis, or the engine at work."""
        return self.analysis or self.reviewing or self.session.mover != PERSON

    def _names(self) -> tuple[str, str]:
        one, two = self.session.players
        if self.session.record is not None:
            return self.session.names[0] or "?", self.session.names[1] or "?"
        return tr(one), tr(two)

    def _marks(self) -> tuple[str, str]:
        first, second = self.session.game.descriptor.sides
        return first.piece, second.piece

    def _title(self) -> str:
        session = self.session
        board = self.view.board
        options = session.game.spec.rpartition(":")[2] if ":" in session.game.spec else ""
        more = [
            o for o in options.split(",") if o and o.split("=")[0] not in ("rows", "cols", "size")
        ]
        words = " ".join(
            [
                tr(session.game.descriptor.message(session.game.descriptor.title))
                or session.game.name,
                f"{board.rows}×{board.cols}",
                *more,
            ]
        )
        if session.record is not None:
            words += tr(" · a variation") if session.off_record else tr(" · review")
            if self.annotator is not None:
                words += tr(
                    ", {n} of {total} moves looked at",
                    n=len(self.remarks),
                    total=len(session.record.moves),
                )
        elif self.paused:
            words += tr(" · paused; space continues")
        if self.analysis:
            words += tr(" · analysis")
        return words

    def _verdict(self) -> str:
        session = self.session
        board = text.read(session.state)
        assert board is not None
        first, second = session.game.descriptor.sides
        words_for = session.game.descriptor.message
        names = tr(words_for(first.name)), tr(words_for(second.name))
        if session.resigned is not None:
            who, other = names[session.resigned], names[1 - session.resigned]
            return tr("{who} resigned; {other} wins", who=who, other=other)
        if self.counting is not None and not self.counting.error:
            return self._count_words(self.counting)
        words = tr(text.verdict(session.state, board, names))
        words = words[0].upper() + words[1:]
        if self.reviewing:
            said = self.remarks.get(session.place)
            words = tr(
                "Move {n} of {total}. {words}", n=session.place, total=session.length, words=words
            )
            if said is None:
                return words
            return tr("{words}. {remark}", words=words, remark=words_of(session.game, said))
        job = self.engine_thread.job
        if job is not None and job.purpose == "move":
            return tr("{words}; {who} is thinking …", words=words, who=tr(session.mover))
        return words if session.is_over else tr("{words}; ? for help", words=words)

    def _count_words(self, counting: Counting) -> str:
        if counting.count is None:
            return tr("Both passed; the engine looks for dead pieces …")
        words = result_words(self.session.game, counting.count)
        if counting.agreed:
            return tr("{words}, as agreed", words=words)
        return tr(
            "{words}, proposed: Enter or a click corrects a group, y agrees, u plays on",
            words=words,
        )

    def _panel_text(self, report: Report | None) -> Text:
        box = self.side_panel.content_size
        width = max(20, box.width or 30)
        remarks = {} if self.session.off_record else self.remarks
        signs = {number: SIGNS.get(remark.mark, "") for number, remark in remarks.items()}
        return panel.render(
            self.session,
            self._names(),
            self._marks(),
            self._value_now(report),
            report,
            self.values if self._shows_analysis() else {},
            signs,
            width,
            max(12, box.height or 20),
            panel.lead_words(self.session.game, self._lead_now(report)),
            table(self.session.game, count, width) if (count := self.counted) else None,
        )

    def _value_now(self, report: Report | None) -> float | None:
        """The known value of the position, for the first player."""
        session = self.session
        if session.is_over:
            count = self.counted
            if count is not None and session.agreed is None:  # as proposed
                return float((count.score > 0) - (count.score < 0))
            return {0: 1.0, 1: -1.0, None: 0.0}[session.winner]
        if report is not None and report.kind != "bound":
            return report.value if session.state.to_move == 0 else -report.value
        return self.values.get(session.place) if self._shows_analysis() else None

    def _lead_now(self, report: Report | None) -> float | None:
        """The first player's expected margin in this position."""
        session = self.session
        if session.is_over:
            return None
        if report is not None and report.score is not None and not report.proven:
            return report.score if session.state.to_move == 0 else -report.score
        remark = None if session.off_record else self.remarks.get(session.place)
        return None if remark is None or remark.proven else remark.lead

    # -- answers --------------------------------------------------------------------

    def _post_answer(self, answer: Answer) -> None:
        """Called in the engine's thread: post it to the screen's."""
        if self.is_running:
            self.post_message(AnswerCame(answer))

    @on(AnswerCame)
    def _on_answer(self, event: AnswerCame) -> None:
        answer, session = event.answer, self.session
        job, report = answer.job, answer.report
        if job.cancelled.is_set() or job.state != session.state:
            return
        if report is None:
            self.paused = True
            self.changed(f"{tr(session.mover)}: {tr(answer.error)}")
            return
        if report.has_value:
            self.reports[session.state] = report
            if report.kind != "bound":  # a bound is not a chance
                sign = 1 if session.state.to_move == 0 else -1
                self.values[session.place] = sign * report.value
        if answer.final and job.purpose == "move":
            try:
                session.play(report.move)
            except ValueError as error:
                self.paused = True
                self.changed(tr("{who}: {error}.", who=tr(session.mover), error=error))
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
            self.annotator = Annotator(states, ANALYST, self.review_limit, self._post_remark)
            self.last_annotator = self.annotator
        self.show()

    def stop_annotating(self) -> None:
        if self.annotator is not None:
            self.annotator.stop()
            self.annotator = None

    def _post_remark(self, annotator: Annotator, remark: Remark | str | None) -> None:
        """Called in the annotator's thread."""
        if self.is_running:
            self.post_message(RemarkCame(annotator, remark))

    @on(RemarkCame)
    def _on_remark(self, event: RemarkCame) -> None:
        if event.annotator is not self.annotator:
            return
        remark = event.remark
        if isinstance(remark, Remark):
            self.remarks[remark.number] = remark
            self.values[remark.number] = remark.for_first
        else:
            self.annotator = None
            self.message = tr(remark or "")
        self.show()

    # -- start and end --------------------------------------------------------------

    def start_game(self, session: Session) -> None:
        """Replace the game."""
        self.engine_thread.cancel()
        self.stop_annotating()
        self.close_engines()
        self.session, self.cursor, self.counting = session, None, None
        self.paused = self.trying = False
        self.reports, self.values, self.remarks = {}, {}, {}
        self.changed()

    def close_engines(self) -> None:
        for player in self.engines.values():
            player.close()
        self.engines = {}

    def on_unmount(self) -> None:
        if self.last_annotator is not None:
            self.last_annotator.close()
        if self.counting is not None:
            self.counting.close()
        self.engine_thread.close()
        self.close_engines()
