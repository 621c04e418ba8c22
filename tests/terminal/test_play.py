"""A scripted game in the terminal: its prompts, its output, its effects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import honte
from honte.terminal.play import HELP, play_game
from tests.pictures import after

NO_UNDO = "There is no move of yours to take back."


class Scripted(honte.Player):
    """Plays the moves it was given, then the first legal one; notes what it was asked."""

    spec = "scripted"

    def __init__(self, game: honte.Game, moves: str = "") -> None:
        self.moves = [game.parse(move) for move in moves.split()]
        self.limits: list[honte.Limit | None] = []
        self.histories: list[tuple[int, ...] | None] = []

    def think(self, request: honte.Request) -> honte.Report:
        self.limits.append(request.limit)
        self.histories.append(request.history)
        moves = self.moves or request.state.legal_moves()
        return honte.Report(moves.pop(0))


class Terminal:
    """Answers as scripted, then ends the input."""

    def __init__(self, answers: str | Iterable[str]) -> None:
        self.answers = answers.split() if isinstance(answers, str) else list(answers)
        self.shown: list[str] = []

    def ask(self, question: str) -> str:
        assert question == "Your move: "
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def play(
    spec: str, answers: str | Iterable[str], machine: str = "", person: int = 0
) -> tuple[Any, Terminal]:
    game = honte.game(spec)
    terminal = Terminal(answers)
    player = Scripted(game, machine)
    state = play_game(game, player, person, terminal.ask, terminal.shown.append)
    return state, terminal


def test_a_game_is_played_to_its_end() -> None:
    state, terminal = play("connect4", "1 1 1 1", machine="2 2 2")
    assert (state.is_over, state.winner) == (True, 0)
    assert state == after("connect4", "1212121")
    assert terminal.shown[0] == HELP
    assert terminal.shown[-1].endswith("X wins")
    assert terminal.text.count("scripted plays 2") == 3


@pytest.mark.parametrize("person", [0, 1])
@pytest.mark.parametrize(
    "spec",
    ["connect4", "connect4:rows=12,cols=12,blocked=5/6", "othello", "othello:size=4", "go:size=3"],
)
def test_every_game_can_be_played_from_either_side(spec: str, person: int) -> None:
    game = honte.game(spec)
    state: Any = game.start()
    answers: list[str] = []
    while not state.is_over:
        moves = state.legal_moves()
        if state.to_move == person and [game.format(move) for move in moves] != ["pass"]:
            answers.append(game.format(moves[-1] if len(answers) % 2 else moves[0]))
            state = state.play(game.parse(answers[-1]))
        else:
            state = state.play(moves[0])
    ended, terminal = play(spec, answers, person=person)
    assert ended == state
    assert ended.is_over
    assert terminal.answers == []
    assert terminal.shown[-1] == f"\n{state}"


def test_the_machine_begins_when_the_person_is_second() -> None:
    state, terminal = play("connect4", "5", machine="4 4", person=1)
    assert terminal.shown[1] == "scripted plays 4"
    assert state == after("connect4", "454")


def test_the_board_is_shown_before_every_question() -> None:
    _, terminal = play("connect4", "4", machine="4")
    assert terminal.shown[1] == f"\n{after('connect4')}\n"
    assert terminal.shown[3] == f"\n{after('connect4', '44')}\n"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("x", "'x' is not a column; write 1 to 7 or row/column like 5/6."),
        ("8", "'8' is off the board; columns are 1 to 7."),
        ("4 4", "'4 4' is not a column; write 1 to 7 or row/column like 5/6."),
        ("\0", "'\\x00' is not a column; write 1 to 7 or row/column like 5/6."),
    ],
)
def test_a_wrong_answer_gets_a_sentence_and_another_chance(answer: str, sentence: str) -> None:
    state, terminal = play("connect4", [answer, "4"], machine="4")
    assert sentence in terminal.shown
    assert state == after("connect4", "44")


def test_an_illegal_move_gets_a_sentence_and_another_chance() -> None:
    state, terminal = play("connect4", "1 1 1 1 2", machine="1 1 1 2")
    assert "column 1 is full on move 7; choose one of 2 3 4 5 6 7." in terminal.shown
    assert state == after("connect4", "11111122")
    _, terminal = play("othello", "pass a1")
    assert "Black has a move and may not pass; choose one of d3 c4 f5 e6." in terminal.shown
    assert "a1 turns no disc for Black; choose one of d3 c4 f5 e6." in terminal.shown


def test_an_empty_answer_asks_again() -> None:
    state, _ = play("connect4", ["", "   ", " 4 "], machine="4")
    assert state == after("connect4", "44")


@pytest.mark.parametrize("answer", ["help", "?"])
def test_help_is_shown_again(answer: str) -> None:
    _, terminal = play("connect4", [answer])
    assert terminal.shown.count(HELP) == 2


def test_the_legal_moves_are_shown() -> None:
    _, terminal = play("othello", "moves")
    assert "d3 c4 f5 e6" in terminal.shown


@pytest.mark.parametrize("answer", ["quit", "q", "exit"])
def test_one_may_leave(answer: str) -> None:
    state, terminal = play("connect4", ["4", answer], machine="5")
    assert not state.is_over
    assert terminal.shown[-1] == f"\n{after('connect4', '45')}"


def test_the_end_of_the_input_ends_the_game_without_a_fuss() -> None:
    state, terminal = play("go:size=5", [])
    assert state == honte.game("go:size=5").start()
    assert terminal.shown[-1] == f"\n{state}"


# -- taking back -----------------------------------------------------------------------


def test_undo_takes_back_the_user_s_move_and_the_reply() -> None:
    state, terminal = play("connect4", "4 3 undo undo 1", machine="4 4 5")
    assert state == after("connect4", "15")
    assert NO_UNDO not in terminal.shown


def test_there_is_nothing_to_undo_at_the_start() -> None:
    state, terminal = play("connect4", "undo 4 undo undo 3", machine="4 5")
    assert terminal.shown.count(NO_UNDO) == 2
    assert state == after("connect4", "35")


def test_the_machine_s_first_move_is_not_taken_back() -> None:
    state, terminal = play("connect4", "undo 5 undo 6", machine="4 4 4", person=1)
    assert terminal.shown.count(NO_UNDO) == 1
    assert state == after("connect4", "464")


def test_a_side_without_a_move_passes_by_itself() -> None:
    """The earliest pass of Othello: Black is the person, and White answers with d2."""
    state, terminal = play("othello", "c4 f5 a4 c2", machine="c3 b4 a5 a3 d2")
    assert terminal.shown.count("You have no move: you pass.") == 1
    assert state == after("othello", "c4c3f5b4a4a5c2a3passd2")


def test_undo_goes_back_beyond_a_pass_that_was_no_choice() -> None:
    """Otherwise the pass would be replayed at once, and the undo would have no effect."""
    state, _ = play("othello", "c4 f5 a4 c2 undo", machine="c3 b4 a5 a3 d2")
    assert state == after("othello", "c4c3f5b4a4a5")


def test_the_machine_is_told_the_moves_after_an_undo_too() -> None:
    game = honte.game("connect4")
    player, terminal = Scripted(game, "1 2 3"), Terminal("4 5 undo 6")
    play_game(game, player, ask=terminal.ask, show=terminal.shown.append)
    assert player.histories == [(3,), (3, 0, 4), (3, 0, 5)]


# -- the machine -----------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, honte.Limit(iterations=7)])
def test_the_machine_thinks_for_a_second_unless_told_otherwise(given: honte.Limit | None) -> None:
    game = honte.game("connect4")
    player, terminal = Scripted(game), Terminal("4 4")
    play_game(game, player, ask=terminal.ask, show=terminal.shown.append, limit=given)
    assert player.limits == [given or honte.Limit(seconds=1)] * 2
