"""The levels: their tables, and the player behind each number."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import honte
from honte.arena.match import play_match, schedule
from honte.core.descriptor_parts import Levels
from honte.core.language import Message
from honte.core.spec import split
from honte.games import BUILTIN
from honte.players import level
from honte.players.level import (
    Rung,
    base_table,
    dial_at,
    engine_spec,
    levels_of,
    network_of,
    rank,
    table,
    table_path,
)
from tests.contract.nim import Nim

MEASURED = [name for name in BUILTIN if table_path(honte.game(name)).is_file()]


def iterations(rung: Rung) -> int:
    return int(split(rung.spec)[1]["iterations"])


def moves(spec: str, game: honte.Game, plies: int = 12) -> list[int]:
    """What a player does against itself."""
    player = honte.player(spec, game)
    state, found = game.start(), list[int]()
    while not state.is_over and len(found) < plies:
        found.append(player.choose(state).move)
        state = state.play(found[-1])
    return found


def test_a_rank_of_a_table_can_be_translated() -> None:
    ranks = [rung.rank for rung in table(honte.game("go:size=9"))]
    assert ranks[0] == rank(30) == "30 kyu"
    assert {rank.text for rank in ranks if isinstance(rank, Message)} == {"{n} kyu", "{n} dan"}
    assert all(isinstance(rank, Message) for rank in ranks)


@pytest.mark.parametrize("name", MEASURED)
class TestTables:
    def test_there_are_a_hundred_levels(self, name: str) -> None:
        assert [rung.level for rung in table(honte.game(name))] == list(range(1, 101))

    def test_every_level_is_as_much_stronger_than_the_one_below(self, name: str) -> None:
        elos = [0.0, *(rung.elo for rung in base_table(honte.game(name)))]
        steps = [b - a for a, b in itertools.pairwise(elos)]
        assert min(steps) > 0
        assert max(steps) - min(steps) < 0.3  # they are rounded to a tenth

    def test_higher_levels_blunder_less_and_think_more(self, name: str) -> None:
        rungs = base_table(honte.game(name))
        for lower, upper in itertools.pairwise(rungs):
            assert lower.noise >= upper.noise
            assert iterations(lower) <= iterations(upper)

    def test_level_1_is_nearly_random_and_level_100_is_the_end_of_the_dial(self, name: str) -> None:
        game = honte.game(name)
        dial = levels_of(game)
        assert base_table(game)[0].noise > 0.9
        assert base_table(game)[99].spec == engine_spec(dial, dial.top)
        assert base_table(game)[99].noise == 0
        network = network_of(game)
        if network is not None and table(game) != base_table(game):
            assert table(game)[99].spec == engine_spec(network, network.top)

    def test_a_network_plays_levels_of_the_same_strength_and_stronger_ones(self, name: str) -> None:
        game = honte.game(name)
        network = network_of(game)
        for rung, base in zip(table(game), base_table(game), strict=True):
            if network is None or rung.level <= network.kept:
                # whatever plays it now
                assert (rung.elo, rung.rank) == (base.elo, base.rank)
        elos = [rung.elo for rung in table(game)]
        assert elos == sorted({*elos})
        if table(game) != base_table(game):
            assert elos[-1] > base_table(game)[-1].elo
            temperatures = [rung.temperature for rung in table(game) if "net=" in rung.spec]
            assert temperatures == sorted(temperatures, reverse=True)

    def test_the_levels_are_told_apart_in_words(self, name: str) -> None:
        words = [rung.words for rung in table(honte.game(name))]
        assert len(set(words)) >= 8
        assert words[0] == "moves at random, nearly always"
        assert words[99] == "thinks as hard as the ladder goes"

    def test_a_table_says_how_it_was_measured(self, name: str) -> None:
        about = level.measured(honte.game(name))
        assert about["command"].startswith(f"honte calibrate {name}")
        assert honte.game(about["measured_on"]).name == name
        assert about["games"] >= 300
        assert {"date", "version", "engine", "points"} <= set(about)
        assert "levels" not in about

    def test_a_level_plays_a_whole_game(self, name: str) -> None:
        game = honte.game(levels_of(honte.game(name)).game)
        assert moves("level:5,seed=1", game, 300)


def test_with_a_seed_a_level_repeats_itself_and_another_seed_plays_otherwise() -> None:
    game = honte.game("connect4")
    assert moves("level:30,seed=4", game) == moves("level:30,seed=4", game)
    assert len({tuple(moves(f"level:30,seed={seed}", game)) for seed in range(6)}) > 1


def test_a_level_is_named_by_a_bare_number_or_by_its_key() -> None:
    game = honte.game("connect4")
    assert honte.player("level:40", game).spec == "level:40"
    assert honte.player("level:number=40", game).spec == "level:40"
    assert honte.player("level:40,seed=7", game).spec == "level:40,seed=7"
    assert honte.player("level", game, number=40).spec == "level:40"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("level", "level needs one number"),
        ("level:0", "a whole number from 1 to 100"),
        ("level:101", "a whole number from 1 to 100"),
        ("level:40,50", "given twice"),
        ("level:40,number=40", "given twice"),
        ("level:fast", "no option 'fast'"),
        ("level:-3", "no option '-3'"),
        ("level:40=no", "no option '40'"),
        ("level:40,noise=0.5,iterations=3", "level needs one number"),
        ("level:noise=0.5", "level needs one number"),
        ("level:noise=2,iterations=3", "a number from 0 to 1"),
        ("level:noise=-0.5,iterations=3", "a number from 0 to 1"),
        ("level:40,seed=-1", "a whole number from 0"),
        ("level:" + "9" * 50, "a whole number from 1 to 100"),
    ],
)
def test_an_invalid_level_is_refused_in_a_sentence(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        honte.player(spec, honte.game("connect4"))


def test_a_board_that_the_network_does_not_know_has_the_other_levels() -> None:
    for spec in ("connect4:inarow=5", "go:size=5"):
        game = honte.game(spec)
        assert table(game) == base_table(game)
        with pytest.raises(ValueError, match="a temperature needs a network"):
            honte.player("level:temperature=0.5,iterations=1", game)


def test_a_temperature_draws_moves_by_their_probability() -> None:
    game: Any = honte.game("go:size=9")
    cold, warm, hot = (
        [moves(f"level:temperature={warmth},iterations=1,seed={seed}", game, 1)[0]
         for seed in range(40)]
        for warmth in (0, 2, 6)
    )  # fmt: skip
    assert len({*cold}) == 1
    assert 1 < len({*warm}) < len({*hot})
    assert game.pass_move not in hot


def test_weak_levels_do_not_open_on_the_edge_of_a_large_board() -> None:
    game: Any = honte.game("go:size=19")
    drawn = {
        moves(f"level:temperature=9,iterations=1,seed={seed}", game, 1)[0] for seed in range(80)
    }
    assert len(drawn) > 40
    assert not {move for move in drawn if {0, 18} & {*divmod(move, 19)}}


def test_a_lenient_level_is_careless_when_it_is_ahead() -> None:
    def first_moves(spec: str, settings: str) -> list[int]:
        game = honte.game(spec)
        player = f"level:temperature=1,iterations=1{settings}"
        return [moves(f"{player},seed={seed}", game, 1)[0] for seed in range(40)]

    ahead, behind = "go:size=9,komi=-9", "go:size=9,komi=10"
    assert len({*first_moves(ahead, ",lenient=yes")}) > len({*first_moves(ahead, "")})
    assert first_moves(behind, ",lenient=yes") == first_moves(behind, "")


def test_a_game_without_levels_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="no levels for 'nim'"):
        honte.player("level:40", Nim())


def test_a_random_move_comes_with_its_candidates_and_no_opinion() -> None:
    game = honte.game("othello")
    report = honte.player("level:noise=1,iterations=5,seed=2", game).choose(game.start())
    assert report.value == 0
    assert report.iterations == 0
    assert report.pv == [report.move]
    assert [candidate.move for candidate in report.candidates] == game.start().legal_moves()


def test_without_noise_the_report_is_the_engines() -> None:
    game = honte.game("othello")
    report = honte.player("level:noise=0,iterations=50,seed=2", game).choose(
        game.start(), honte.Limit(seconds=1e-3, iterations=1)
    )
    assert report.iterations == 50, "a level's own limit stands over the request's"


def test_noise_is_the_share_of_random_moves() -> None:
    game = honte.game("othello")
    player = honte.player("level:noise=0.3,iterations=2,seed=5", game)
    thought = sum(player.choose(game.start()).iterations > 0 for _ in range(1000))
    assert 630 < thought < 770  # 700, give or take five standard errors


def test_a_finished_game_is_refused() -> None:
    game = honte.game("connect4")
    state = game.start()
    for move in game.read_moves("1212121"):
        state = state.play(move)
    with pytest.raises(ValueError, match="the game is over"):
        honte.player("level:40", game).choose(state)


def test_the_dial_runs_from_random_moves_to_the_strongest() -> None:
    dial = Levels("othello", low=10, top=1000, bend=0.5)
    assert dial_at(dial, 0) == (1.0, 10)
    assert dial_at(dial, 0.25) == (0.5, 10)
    assert dial_at(dial, 0.5) == (0.0, 10)
    assert dial_at(dial, 0.75) == (0.0, 100)
    assert dial_at(dial, 1) == (0.0, 1000)


def test_a_changed_level_has_another_signature() -> None:
    rung = Rung(40, "best:iterations=50", 0.1, 900, 20)
    assert rung.signature == Rung(40, "best:iterations=50", 0.1, 950, 10).signature
    assert rung.signature != Rung(40, "best:iterations=51", 0.1, 900, 20).signature
    assert rung.signature != Rung(40, "best:iterations=50", 0.2, 900, 20).signature
    assert len(rung.signature) == 8, "as stores have it"


def test_level_35_beats_level_5() -> None:
    games = list(play_match(schedule("level:35", "level:5", "connect4:course", 40)))
    assert sum(game.result for game in games) > 16  # 28 wins of 40: it expects 38 or more


def plies_against_random(spec: str, games: int) -> list[int]:
    """The lengths of games against random moves, all of them won."""
    game = honte.game("connect4")
    lengths = []
    for seed in range(games):
        player = honte.player(f"{spec},seed={seed}", game)
        draw = random.Random(seed)
        state, plies = game.start(), 0
        while not state.is_over:
            move = player.choose(state).move if plies % 2 else draw.choice(state.legal_moves())
            state, plies = state.play(move), plies + 1
        assert state.winner == 1
        lengths.append(plies)
    return lengths


def test_a_lenient_level_wins_later() -> None:
    usual, lenient = (
        plies_against_random(f"level:60{style}", 12) for style in ("", ",lenient=yes")
    )
    assert sum(lenient) > 1.2 * sum(usual)


def test_a_lenient_level_takes_a_win_at_once_and_blocks_one() -> None:
    game = honte.game("connect4")
    player = honte.player("level:70,lenient=yes,seed=1", game)
    assert player.spec == "level:70,lenient=yes,seed=1"
    for moves, best in (("414141", "4"), ("41414", "4")):
        state = game.start()
        for move in game.read_moves(moves):
            state = state.play(move)
        assert game.format(player.choose(state).move) == best
