"""STATE and REPORT: what the page receives about a position."""

from __future__ import annotations

from typing import Any

import pytest

import honte
from honte.core.report import Candidate
from honte.core.scoring import Count, Line
from honte.web.games import game_of
from honte.web.position import (
    candidates_json,
    cell_of,
    count_json,
    read_states,
    report_json,
    state_json,
)
from tests.web.live import Client


def state_of(spec: str, moves: str = "", start: str | None = None) -> dict[str, Any]:
    return state_json(read_states(game_of(spec), start, moves.split()))


def test_a_game_has_a_most_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honte.web.position.MOST_MOVES", 3)
    assert len(read_states(game_of("connect4"), None, ["4"] * 3)) == 4
    with pytest.raises(ValueError, match=r"^a game of 4 moves; 3 is the most$"):
        read_states(game_of("connect4"), None, ["4"] * 4)


def test_a_piece_lies_where_it_has_fallen() -> None:
    state = state_of("connect4:rows=4,cols=4,blocked=2/1", "2 2")
    assert (state["rows"], state["cols"]) == (4, 4)
    assert state["cells"] == "....\n.O..\n.#..\n.X..".replace("\n", "")
    assert state["last"] == [5, "2"]
    assert [1, "2"] in state["legal"]
    assert state["counts"] == [1, 1]
    assert state["to_move"] == 0


def test_the_winning_line_is_shown() -> None:
    state = state_of("connect4", "1 2 1 2 1 2 1")
    assert (state["over"], state["winner"], state["legal"]) == (True, 0, [])
    assert state["lines"] == [[14, 21, 28, 35]]
    assert state_of("connect4", "1 2 1 2 1 2")["lines"] == []


@pytest.mark.parametrize(("values", "winner"), [((3, 2), 0), ((2, 3), 1), ((2.5, 2.5), None)])
def test_the_winner_of_a_count_has_more(values: tuple[float, float], winner: int | None) -> None:
    count = count_json(Count((), (), (Line("area", values), Line("captures", (9, 0), False))))
    assert (count["totals"], count["winner"]) == (values, winner)


def test_discs_that_turned_are_told() -> None:
    state = state_of("othello", "f5")
    assert state["changed"] == [4 * 8 + 4]
    assert state["last"] == [4 * 8 + 5, "f5"]
    assert state["counts"] == [4, 1]
    small = state_of("othello:size=6")
    assert (small["rows"], len(small["cells"])) == (6, 36)
    assert all(small["cells"][cell] == "." for cell, _ in small["legal"])


def test_stones_that_were_captured_are_told() -> None:
    state = state_of("go:size=5", "B5 A5 A4")
    assert state["changed"] == [0]
    assert state["cells"].startswith(".X...X")
    assert state["legal"][-1] == [-1, "pass"]


def test_a_pass_is_on_no_cell() -> None:
    state = state_of("go:size=5", "pass")
    assert state["last"] == [-1, "pass"]
    assert state_of("go:size=5", "pass pass")["over"]


def test_every_legal_move_lands_on_its_own_empty_cell() -> None:
    for spec in ("connect4:course,seed=4", "othello", "go:size=7"):
        state: Any = game_of(spec).start()
        while not state.is_over:
            found = [cell_of(state, move) for move in state.legal_moves()]
            assert len(set(found)) == len(found)
            cells = state.cells()
            assert all(cell == -1 or cells[cell] == 0 for cell in found)
            move = state.legal_moves()[len(found) // 2]
            after = state.play(move)
            cell = cell_of(state, move)
            assert cell == -1 or after.cells()[cell] == state.to_move + 1
            state = after
            if spec.startswith("go") and sum(map(bool, state.cells())) > 30:
                break


def test_a_candidate_has_its_score_where_the_engine_knows_it() -> None:
    state = game_of("othello").start()
    moves = [Candidate(state.legal_moves()[0], score=4.25), Candidate(state.legal_moves()[1])]
    one, two = candidates_json(state, moves, moves)
    assert one["score"] == 4.25
    assert "score" not in two


def test_a_report_has_everything_as_people_write_it() -> None:
    game = honte.game("othello")
    state = game.start()
    report = honte.player("uct:iterations=300,seed=1", game).choose(state)
    found = report_json(state, report)
    assert found["move"] in ("d3", "c4", "f5", "e6")
    assert found["iterations"] == 300
    assert sum(one["visits"] for one in found["candidates"]) == 300
    assert abs(sum(one["share"] for one in found["candidates"]) - 1) < 0.001
    assert found["pv"][0] == found["move"]
    assert found["pv_cells"][0] == found["candidates"][0]["cell"]
    assert all(-1 <= one["low"] <= one["value"] <= one["high"] <= 1 for one in found["candidates"])


@pytest.mark.parametrize(
    ("spec", "start", "moves"),
    [
        ("connect4", None, "4 4 4 4 4 4"),
        ("connect4:rows=4,cols=4", "..../..../X.../XO.. O", "1"),
        ("othello", None, "f5 d6 c3"),
        ("go:size=9", None, "E5 pass D4"),
    ],
)
def test_the_server_tells_every_ply(
    client: Client, spec: str, start: str | None, moves: str
) -> None:
    words = moves.split()
    answer = client.ask("position", game=spec, start=start, moves=words, all=True)
    assert [state["ply"] for state in answer["states"]] == list(range(len(words) + 1))
    assert answer["states"][-1] == answer["state"]
    assert [state["last"] and state["last"][1] for state in answer["states"]] == [None, *words]
    assert answer["state"]["text"] == answer["states"][-1]["text"]


def test_the_wrong_move_is_named(client: Client) -> None:
    error = client.ask("position", game="connect4", moves=["4"] * 7)["error"]
    assert error == "move 7: column 4 is full on move 7; choose one of 1 2 3 5 6 7"


def test_a_random_board_says_what_was_drawn(client: Client) -> None:
    answer = client.ask("random_board", game="connect4:course,seed=5")
    assert "course" not in answer["game"]
    assert set(answer["settings"]) == {"rows", "cols", "blocked"}
    drawn = {client.ask("random_board", game="connect4:course")["game"] for _ in range(20)}
    assert len(drawn) > 1
    assert "nothing to draw" in client.ask("random_board", game="othello")["error"]


def test_levels_are_those_of_the_board(client: Client) -> None:
    """A network plays the highest ones where it knows the board."""
    four = client.ask("levels", game="connect4:rows=12,cols=12,blocked=5/6")["levels"]
    five = client.ask("levels", game="connect4:rows=12,cols=12,inarow=5")["levels"]
    assert four[:90] == five[:90]
    assert four[99]["elo"] > five[99]["elo"] + 500
    assert client.ask("levels", game="nim:3")["error"]


# -- records ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "start", "moves"),
    [
        ("connect4:rows=12,cols=12,blocked=5/6", None, "4 a c 4"),
        ("connect4:rows=4,cols=4", "..../..../X.../XO.. O", "1 2"),
        ("othello", None, "f5 d6 c3"),
        ("othello:size=6", None, ""),
        ("go:size=9,komi=6.5", None, "E5 pass D4"),
    ],
)
def test_what_is_written_is_read_back(
    client: Client, spec: str, start: str | None, moves: str
) -> None:
    forms = ["text"] if moves else []
    forms += {"othello": ["ggf"], "go": ["sgf"]}.get(spec.partition(":")[0], [])
    for form in forms:
        text = client.ask("export", game=spec, start=start, moves=moves.split(), as_=form)["text"]
        (game,) = client.ask("load", text=text)["games"]
        assert game["moves"] == moves.split()
        found = client.ask("position", game=game["game"], start=game["start"], moves=game["moves"])
        meant = client.ask("position", game=spec, start=start, moves=moves.split())
        assert found["state"]["cells"] == meant["state"]["cells"]


STONE = (
    "........./........./........./........./....X..../........./........./........./......... X"
)
TREE = [
    {"parent": -1, "comment": "start"},
    {"parent": 0, "move": "E5", "marks": {"0/0": "circle"}, "labels": {"4/1": "A"}},
    {"parent": 1, "move": "D4"},
    {"parent": 1, "move": "C3", "comment": "or ] so"},
    {"parent": 3, "setup": STONE},
]


def test_variations_comments_and_marks_survive_a_file(client: Client) -> None:
    ended = {"winner": 0, "reason": "resign"}
    more = {"players": ["Ann", "Bob"], "facts": {"EV": "Cup"}, "ended": ended}
    for form in ("sgf", "text"):
        asked = {"game": "go", "moves": ["E5", "D4"], "as_": form, "nodes": TREE, **more}
        answer = client.ask("export", **asked)
        assert answer["lost"] == ""
        (game,) = client.ask("load", text=answer["text"])["games"]
        assert sorted(map(str, game["nodes"])) == sorted(map(str, TREE))
        assert (game["moves"], game["players"]) == (["E5", "D4"], ["Ann", "Bob"])
        assert game["facts"]["EV"] == "Cup"
        assert game["result"] == ("B+R" if form == "sgf" else "")


def test_the_result_of_a_game_is_the_score_agreed_on(client: Client) -> None:
    asked = {"game": "go:size=5", "moves": ["C3", "pass", "pass"], "as_": "sgf"}
    assert "RE[B+17.5]" in client.ask("export", **asked)["text"]  # by the rules
    assert "RE[W+3.5]" in client.ask("export", **asked, score=-3.5)["text"]
    assert "RE[0]" in client.ask("export", **asked, score=0)["text"]
    assert "RE[W+R]" in client.ask("export", **asked, score=-3.5, result="W+R")["text"]
    asked["moves"] = ["C3", "pass"]
    assert "RE[" not in client.ask("export", **asked, score=-3.5)["text"]  # it goes on


def test_a_format_without_variations_says_so(client: Client) -> None:
    nodes = [{"parent": -1}, {"parent": 0, "move": "f5"}, {"parent": 0, "move": "d3"}]
    answer = client.ask("export", game="othello", moves=["f5"], as_="ggf", nodes=nodes)
    assert answer["lost"] == (
        "GGF holds the moves of the game alone: variations, comments and marks are left out"
    )
    plain = client.ask("export", game="othello", moves=["f5"], as_="ggf", nodes=nodes[:2])
    assert plain["lost"] == ""


def test_nodes_that_make_no_tree_are_refused(client: Client) -> None:
    for nodes in (
        [{"parent": 0}],
        [{"parent": -1}, {"parent": 1, "move": "f5"}],
        [{"parent": -1}, {"parent": 0}],
        [{"parent": -1, "marks": {"9/9": "circle"}}],
        [{"parent": -1, "marks": {"1/1": "star"}}],
    ):
        assert "\n" not in client.ask("export", game="othello", nodes=nodes)["error"]


@pytest.mark.parametrize(
    ("text", "game", "first"),
    [
        ("4455", "connect4", "4"),
        ("f5d6c3", "othello", "f5"),
        ("F5 D6", "othello", "f5"),
        ("(;GM[1]SZ[9];B[aa])", "go:komi=0,ko=simple", "A9"),
    ],
)
def test_a_record_says_itself_which_game_it_is_of(
    client: Client, text: str, game: str, first: str
) -> None:
    (found,) = client.ask("load", text=text)["games"]
    assert (found["game"], found["moves"][0]) == (game, first)


FOUR = "/".join(["." * 7] * 4 + ["X......", "XO....."]) + " O"


@pytest.mark.parametrize(
    ("text", "near", "game"),
    [
        (FOUR, None, "connect4"),
        (FOUR, "go", "connect4"),
        (FOUR.replace("/", "\n").replace(" O", "\nO"), None, "connect4"),
        ("####/..../..../X.O. X", None, "connect4:rows=4,cols=4,blocked=0/0+0/1+0/2+0/3"),
        ("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X", "connect4", "othello"),
        ("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X; F5:+0;", None, "othello"),
        ("X.O/.../... O", "go:size=9,komi=0.5", "go:size=3,komi=0.5"),
        ("12a", "connect4:rows=12,cols=12", "connect4:rows=12,cols=12"),
        ("D4 E5", "go", "go"),
    ],
)
def test_positions_and_moves_are_read_as_the_game_on_the_page(
    client: Client, text: str, near: str | None, game: str
) -> None:
    answer = client.ask("load", text=text, near=near)
    assert answer["games"][0]["game"] == game


def test_an_impossible_position_is_refused_in_one_sentence(client: Client) -> None:
    for text, words in (
        ("X.../..../..../.... O", ""),
        ("XXXX/..../..../.... O", ""),
        ("XX./..../.... X", "differ in length"),
    ):
        error = client.ask("load", text=text, game="connect4")["error"]
        assert words in error
        assert "\n" not in error


def test_at_most_fifty_games_are_sent(client: Client) -> None:
    answer = client.ask("load", text="44\n" * 60, game="connect4")
    assert (len(answer["games"]), answer["more"]) == (50, 10)
