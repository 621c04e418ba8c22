"""From trials to games: common openings, fresh seeds at the end, and games found again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from honte.arena.game import Played, play_task
from honte.arena.run import Run
from honte.arena.schedule import Task
from honte.arena.store import Store
from honte.arena.workers import Workers
from honte.tune import games
from honte.tune.games import TrialScheduler
from honte.tune.optimiser import Trial
from honte.tune.plot import plot_study
from honte.tune.study import Study, parse
from honte.tune.tuning import Tuning

STUDY = """
game = "othello"
engine = "alphabeta:depth=1"
seed = 3
[parameters.weights]
free = ["squares", "mobility"]
low = -300
high = 300
[objective]
against = ["start"]
games = 4
opening_plies = 6
[optimiser]
name = "genetic"
population = 8
games = 120
[verify]
games = 20
"""
REPORT = STUDY.replace(
    "population = 8\ngames = 120", 'preset = "report"\npopulation = 8\ngenerations = 3\nrounds = 1'
)


def run_through(study: Study, run: Run) -> Tuning:
    tuning = Tuning(study)
    for _ in tuning.search(run):
        pass
    for _ in tuning.verify(run):
        pass
    run.close()
    return tuning


def quick_run(store: Store | None = None, workers: int = 1) -> Run:
    return Run(Workers(workers, games.play, 4), store, commit_every=0.1)


@pytest.mark.parametrize("text", [STUDY, REPORT], ids=["default", "report"])
def test_the_same_study_gives_the_same_winner_with_any_number_of_workers(text: str) -> None:
    found = [run_through(parse(text), quick_run(workers=workers)) for workers in (1, 2)]
    assert found[0].summary() == found[1].summary()
    assert found[0].games == (2 * 8 * 4 if text == STUDY else 8 + 24 + 7)


def test_all_trials_of_a_round_play_the_same_openings_and_the_next_round_others() -> None:
    study = parse(STUDY)
    referee = TrialScheduler(study, {}, "")
    one, two = study.space.start, study.space.from_unit([0.3] * 11)
    first = referee.games_of([Trial(one), Trial(two)], one)
    openings = [[task.opening for task in tasks] for tasks in first]
    assert openings[0] == openings[1]
    assert [task.a_first for task in first[0]] == [True, False, True, False]
    assert openings[0][0] == openings[0][1], "an opening is played from both sides"
    assert openings[0][0] != openings[0][2]
    second = referee.games_of([Trial(one)], one)
    assert not {task.opening for task in second[0]} & set(openings[0])
    assert len({task.number for tasks in first + second for task in tasks}) == 12


def test_the_population_meets_itself_and_a_challenger_the_last_best() -> None:
    people = [tuple([10.0 * place] * 11) for place in range(3)]
    trials = [Trial(point) for point in people]
    study = parse(STUDY.replace('["start"]', '"population"'))
    specs = [study.spec(point) for point in people]
    found = TrialScheduler(study, {}, "").games_of(trials, people[0])
    assert [{*task.players} for task in found[1]] == [{specs[1], specs[2]}] * 2 + [
        {specs[1], specs[0]}
    ] * 2
    study = parse(STUDY.replace('["start"]', '"last best"'))
    found = TrialScheduler(study, {}, "").games_of(trials, people[2])
    assert {*found[0][0].players} == {specs[0], specs[2]}


def test_a_single_game_is_played_by_the_candidate_first() -> None:
    study = parse(REPORT)
    one, two = study.space.start, study.space.from_unit([0.3] * 11)
    ((task,),) = TrialScheduler(study, {}, "").games_of([Trial(one, two, 1)], one)
    assert task.players == (study.spec(one), study.spec(two))
    assert task.a_first


def test_a_native_game_is_the_game_that_the_players_play() -> None:
    study = parse(STUDY)
    referee = TrialScheduler(study, {}, "")
    ((first, second, *_),) = referee.games_of([Trial(study.space.from_unit([0.4] * 11))], ())
    for task in (first, second):
        quick, slow = games.play(task), play_task(task)
        assert quick.times == (), "it went the quick way"
        assert (quick.moves, quick.result, quick.margin, quick.reason) == (
            slow.moves,
            slow.result,
            slow.margin,
            slow.reason,
        )


def test_what_is_in_the_store_is_not_played_again_and_the_end_is_the_same(tmp_path: Path) -> None:
    with Store(tmp_path / "study.db") as store:
        whole = run_through(parse(STUDY), quick_run(store))
        count = len(store)
        again = quick_run(store)
        assert run_through(parse(STUDY), again).summary() == whole.summary()
        assert again.found == count == len(store) == whole.games + 20


def test_the_verification_has_openings_of_its_own(tmp_path: Path) -> None:
    with Store(tmp_path / "study.db") as store:
        tuning = run_through(parse(STUDY), quick_run(store))
        openings = [played.moves[:6] for played in store.games()]
    searched, verified = openings[: tuning.games], openings[tuning.games :]
    assert len(verified) == 20
    assert not set(searched) & set(verified)


def test_a_verification_ends_where_a_player_is_retired() -> None:
    """The games that it would forfeit are no wins of the winner's settings."""

    class Retiring:
        max_faults = 2

        def __init__(self) -> None:
            self.retired: dict[str, str] = {}

        def play(self, tasks: Iterable[Task]) -> Iterator[Played]:
            for number, task in enumerate(tasks, 1):
                if number == self.max_faults:
                    self.retired[task.players[1]] = "crash: oh"
                yield Played(task, (), 1, 1, "crash")

    tuning = Tuning(parse(STUDY))
    assert len(list(tuning.verify(Retiring()))) == 2
    assert tuning.stopped == f"{tuning.study.verified[0]} faulted 2 times in a row (crash: oh)"


def test_the_margin_can_be_the_measure() -> None:
    study = parse(STUDY.replace("games = 4", 'games = 4\nmeasure = "margin"'))
    referee = TrialScheduler(study, {}, "")
    (tasks,) = referee.games_of([Trial(study.space.from_unit([0.9] * 11))], ())
    played = [games.play(task) for task in tasks]
    score = referee.score(played)
    mean = sum(game.margin or 0 for game in played) / 4
    assert score.margin == pytest.approx(mean)
    assert score.value == pytest.approx((1 + mean / 64) / 2)


OPTIMISERS = {
    "genetic": "population = 8",
    "annealing": "",
    "grid": "points = 2",
    "report": 'preset = "report"\npopulation = 4\ngenerations = 2\nrounds = 0',
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_study_can_be_drawn(name: str, tmp_path: Path) -> None:
    text = STUDY.replace("population = 8", OPTIMISERS[name]).replace("games = 120", "games = 60")
    text = text.replace('"genetic"', f'"{"genetic" if name == "report" else name}"')
    if name == "report":
        text = text.replace("games = 60", "")
    if name == "grid":
        text = text.replace('"squares", "mobility"', '"discs", "mobility"')
    tuning = run_through(parse(text), quick_run())
    plot_study(tuning, tmp_path / "study.svg")
    drawn = (tmp_path / "study.svg").read_text()
    assert drawn.count('id="axes_') == {"annealing": 4, "grid": 1}.get(name, 3)
