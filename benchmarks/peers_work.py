"""The workloads of `peers.py`: the same work in Honte and in other libraries.

Each worker runs in the environment of its library and imports nothing else of ours.

    python benchmarks/peers_work.py WORKER     rates per CPU second, as JSON
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

Work = Callable[[], int]
"""Does some of the work and says how much."""
BATCH = 4096
SECONDS = 0.5


def rate(work: Work, seconds: float = SECONDS) -> float:
    """Units of work a CPU second, over about half a second."""
    work()  # warm up: compilation, caches
    done, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        done += work()
    return done / spent


def honte_work() -> dict[str, Work]:
    import honte
    from honte.adapters import pettingzoo
    from honte.search.uct import Uct

    games = {
        "connect4 7×6": "connect4",
        "connect4 12×12": "connect4:rows=12,cols=12",
        "othello": "othello",
        "go 9×9": "go:size=9",
    }
    work: dict[str, Work] = {}

    def playouts(spec: str) -> Work:
        state: Any = honte.game(spec).start()

        def run() -> int:
            state.playouts(1000, 1)
            return 1000

        return run

    def simulations(spec: str) -> Work:
        game = honte.game(spec)
        plain = {"playout": "uniform", "priors": 0, "rave": "no", "forced": False, "solver": False}

        def run() -> int:
            uct = Uct(game, c=0.8, **plain)
            return uct.search(game.start(), honte.Limit(iterations=20_000)).iterations

        return run

    def one_game(spec: str) -> Work:
        """A random game driven from Python, move by move; its plies."""
        start: Any = honte.game(spec).start()
        draw = random.Random(1).random

        def run() -> int:
            state, plies = start, 0
            while not state.is_over:
                legal = state.legal_moves()
                state = state.play(legal[int(draw() * len(legal))])
                plies += 1
            return plies

        return run

    def lockstep(spec: str, planes: bool) -> Work:
        """One step of random actions: read the mask; get rewards, ends and new masks."""
        batch = honte.batch(spec, BATCH, seed=1)

        def run() -> int:
            if planes:
                batch.planes()
            batch.legal_mask()
            batch.step(batch.random_actions())
            return BATCH

        return run

    for name, spec in games.items():
        work[f"playouts, {name}"] = playouts(spec)
        work[f"UCT simulations, {name}"] = simulations(spec)
        work[f"plies, one game, {name}"] = one_game(spec)
        work[f"plies, lockstep, {name}"] = lockstep(spec, planes=False)
        work[f"plies with planes, lockstep, {name}"] = lockstep(spec, planes=True)
    for name in ("connect4 7×6", "go 9×9"):
        work[f"plies in PettingZoo, {name}"] = agents(pettingzoo.env(games[name]))
    return work


def spiel_work() -> dict[str, Work]:
    import pyspiel

    games = {
        "connect4 7×6": "connect_four",
        "connect4 12×12": "connect_four(rows=12,columns=12)",
        "othello": "othello",
        "go 9×9": "go(board_size=9,komi=7.5)",
    }
    work: dict[str, Work] = {}

    def search(spec: str, simulations: int, rollouts: int) -> Work:
        """Its C++ MCTS; with many rollouts a simulation nearly all the time is rollouts."""
        game = pyspiel.load_game(spec)
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 0.8, simulations, 0, False, 1, False)
        state = game.new_initial_state()

        def run() -> int:
            bot.step(state)
            return simulations * rollouts

        return run

    def one_game(spec: str, planes: bool) -> Work:
        game = pyspiel.load_game(spec)
        draw = random.Random(1).random

        def run() -> int:
            state, plies = game.new_initial_state(), 0
            while not state.is_terminal():
                if planes:
                    state.observation_tensor()
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                plies += 1
            return plies

        return run

    for name, spec in games.items():
        work[f"playouts, {name}"] = search(spec, simulations=4, rollouts=100)
        work[f"UCT simulations, {name}"] = search(spec, simulations=2000, rollouts=1)
        # It has no batches: games in lockstep are stepped one by one.
        work[f"plies, one game, {name}"] = one_game(spec, planes=False)
        work[f"plies, lockstep, {name}"] = one_game(spec, planes=False)
        work[f"plies with planes, lockstep, {name}"] = one_game(spec, planes=True)
    return work


def pgx_work() -> dict[str, Work]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    def lockstep(name: str, batch: int, steps: int) -> Work:
        """Random steps in one compiled loop; a step makes the observation too."""
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def play(state: Any, key: Any) -> Any:
            def one(carry: Any, _: Any) -> Any:
                state, key = carry
                key, choosing, starting = jax.random.split(key, 3)
                logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
                action = jax.random.categorical(choosing, logits, axis=-1)
                state = step(state, action, jax.random.split(starting, batch))
                return (state, key), (state.rewards, state.terminated)

            return jax.lax.scan(one, (state, key), None, length=steps)

        keys = jax.random.split(jax.random.PRNGKey(0), batch)
        compiled = jax.jit(play)
        now = [jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1)]

        def run() -> int:
            now[:], _ = jax.block_until_ready(compiled(*now))
            return batch * steps

        return run

    return {
        "plies with planes, lockstep, connect4 7×6": lockstep("connect_four", BATCH, 16),
        "plies with planes, lockstep, othello": lockstep("othello", BATCH, 4),
        "plies with planes, lockstep, go 9×9": lockstep("go_9x9", 1024, 2),
    }


def agents(env: Any) -> Work:
    """A random game in PettingZoo's loop; its plies."""
    import numpy as np

    draw = random.Random(1).choice

    def run() -> int:
        plies = 0
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(draw(np.flatnonzero(seen["action_mask"]))))
            plies += 1
        return plies

    return run


def pettingzoo_work() -> dict[str, Work]:
    from pettingzoo.classic import connect_four_v3, go_v5

    connect_four, board = connect_four_v3.env(), go_v5.env(board_size=9, komi=7.5)
    return {
        "plies in PettingZoo, connect4 7×6": agents(connect_four),
        "plies in PettingZoo, go 9×9": agents(board),
    }


def kaggle_work() -> dict[str, Work]:
    from kaggle_environments import make

    env = make("connectx")
    draw = random.Random(1).choice

    def run() -> int:
        plies = 0
        env.reset()
        while not env.done:
            board = env.state[0].observation.board
            move = draw([column for column in range(7) if board[column] == 0])
            env.step([move, None] if plies % 2 == 0 else [None, move])
            plies += 1
        return plies

    return {"plies, one game, connect4 7×6": run}


WORKERS: dict[str, Callable[[], dict[str, Work]]] = {
    "honte": honte_work,
    "open_spiel": spiel_work,
    "pgx": pgx_work,
    "pettingzoo": pettingzoo_work,
    "kaggle": kaggle_work,
}


if __name__ == "__main__":
    print(json.dumps({name: rate(work) for name, work in WORKERS[sys.argv[1]]().items()}))
