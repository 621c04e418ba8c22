"""Self-play by Gumbel MuZero search (Danihelka et al. 2022) on the game's own rules."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
from jax import Array, lax

from honte.nets import model
from honte.nets.games import ArrayGame, Position

NEVER = -1e9
VALUE_SCALE = 0.25
OPENINGS_A_GAME = 2
"""Fresh openings for each game of a segment; a third game in it would repeat the second's."""
OPENING_CHOICES = 4
OPENING_SPREAD = 0.35
"""Spread of the values for which openings are chosen: near 0 on average, some won or lost."""
OPENINGS_AT_RANDOM = 0.4
SCORE_UTILITY = 0.15
"""Utility of a large gain of points, added to the search's value in games with a score."""
SCORE_WIDTH = 10.0
"""Points gained that earn three quarters of `SCORE_UTILITY`."""
NOISY_PLIES = 24
"""Every game is played with full noise up to this ply."""
NOISY_GAMES = 4
"""Every fourth game keeps the full noise to its end."""


class Games(NamedTuple):
    """Games in progress."""

    position: Position
    from_start: Array
    """Whether the game began on an empty board."""


class Final(NamedTuple):
    """How a game ended, for the side to move; zeros while it goes on."""

    lead: Array
    ownership: Array


class Steps(NamedTuple):
    """One search per row: [steps, games, ...]."""

    position: Position
    policy: Array
    value: Array
    """Value of the root after the search."""
    draw: Array
    reward: Array
    sign: Array
    """+1 where the same side moves next, −1 where the other does, 0 where the game is over."""
    over: Array
    plies: Array
    """Number of plies before the move."""
    plies_after: Array
    final: Final | None = None


def evaluate(
    network: model.Arrays, game: ArrayGame, position: Position
) -> tuple[model.Outputs, Any]:
    read = game.read(position)
    outputs = model.apply(network, game, game.observe(position, read))
    policy = jnp.where(read.candidates, outputs.policy, NEVER)
    return outputs._replace(policy=policy), read


def score_utility(game: ArrayGame, lead: Any, centre: Any) -> Any:
    """Utility of the lead beyond what the root expects, as in KataGo (Wu 2019).

    It keeps play sensible in decided games, whatever the lead is.
    """
    if "score" not in game.heads:
        return 0.0
    return SCORE_UTILITY * jnp.tanh((lead - centre) / SCORE_WIDTH)


def expected_lead(outputs: model.Outputs) -> Any:
    return 0.0 if outputs.score is None else model.SCORE * outputs.score


def search(
    network: model.Arrays,
    game: ArrayGame,
    key: Array,
    position: Position,
    simulations: int,
    gumbel_scale: Any = 1.0,
) -> tuple[Any, model.Outputs]:
    """Search positions that are not over; return mctx's output and the network's at the roots."""

    node, shared = game.split(position)

    def recurrent(known: Any, _: Array, action: Array, node: Any) -> Any:
        (network, shared), (position, over, centre) = known, node
        onward, sign = game.advance(game.join(position, shared), action)
        outputs, read = evaluate(network, game, onward)
        ends = read.over & ~over
        now_over = over | read.over
        centre = sign * centre
        result = read.value
        if "score" in game.heads:
            result += score_utility(game, read.lead, centre)
        return (
            mctx.RecurrentFnOutput(
                reward=jnp.where(ends, sign * result, 0.0),
                discount=jnp.where(now_over, 0.0, sign),
                prior_logits=jnp.where(now_over[:, None], 0.0, outputs.policy),
                value=outputs.value + score_utility(game, expected_lead(outputs), centre),
            ),
            (game.split(onward)[0], now_over, centre),
        )

    outputs, read = evaluate(network, game, position)
    root = mctx.RootFnOutput(
        prior_logits=outputs.policy,
        value=outputs.value,
        embedding=(node, read.over, expected_lead(outputs) * jnp.ones_like(outputs.value)),
    )
    found = mctx.gumbel_muzero_policy(
        (network, shared),
        key,
        root,
        recurrent,
        simulations,
        invalid_actions=~read.candidates,
        max_num_considered_actions=min(game.considered, game.actions),
        gumbel_scale=gumbel_scale,
        qtransform=functools.partial(
            mctx.qtransform_completed_by_mix_value, rescale_values=False, value_scale=VALUE_SCALE
        ),
    )
    return found, outputs


def pick(where: Array, yes: Any, no: Any) -> Any:
    """Select each row from one pytree of arrays or the other."""

    def rows(a: Array, b: Array) -> Array:
        return jnp.where(where.reshape(where.shape + (1,) * (a.ndim - where.ndim)), a, b)

    return jax.tree.map(rows, yes, no)


def fresh_openings(network: model.Arrays, game: ArrayGame, key: Array, count: int) -> Position:
    """Openings, most of them chosen so that the network's value is near a random target."""
    drawing, targets, mixing = jax.random.split(key, 3)
    drawn = game.openings(drawing, OPENING_CHOICES * count)
    outputs, _ = evaluate(network, game, drawn)
    value = outputs.value.reshape(OPENING_CHOICES, count)
    target = OPENING_SPREAD * jax.random.normal(targets, (count,))
    best = jnp.argmin(jnp.abs(value - target), 0)
    best = jnp.where(jax.random.uniform(mixing, (count,)) < OPENINGS_AT_RANDOM, 0, best)
    rows = best * count + jnp.arange(count)
    return jax.tree.map(lambda array: array[rows], drawn)


def start(game: ArrayGame, key: Array, games: int) -> Games:
    """Start games at different stages, so that they do not all end together."""
    position = game.openings(key, games, most_plies=4 * game.canvas)
    return Games(position, jnp.zeros(games, bool))


def segment(
    network: model.Arrays,
    game: ArrayGame,
    games: Games,
    key: Array,
    steps: int,
    simulations: int,
    late_noise: float = 1.0,
) -> tuple[Games, Steps, Array]:
    """Play `steps` moves in every game; also return sums over the games that ended.

    Moves are chosen with Gumbel noise, which most games scale by `late_noise` after the opening, so
    that the result of a game says more about its earlier positions.

    The sums: games, plies, draws, games from an empty board, their first player's wins − losses.
    """
    count = games.from_start.shape[0]
    opening_key, key = jax.random.split(key)
    pool = fresh_openings(network, game, opening_key, OPENINGS_A_GAME * count)
    pool = jax.tree.map(lambda a: a.reshape((OPENINGS_A_GAME, count, *a.shape[1:])), pool)

    def step(carry: tuple[Games, Array], key: Array) -> tuple[tuple[Games, Array], Any]:
        (position, from_start), used = carry
        noisy = (game.plies(position) < NOISY_PLIES) | (jnp.arange(count) % NOISY_GAMES == 0)
        noise = jnp.where(noisy, 1.0, late_noise)[:, None]
        found, root = search(network, game, key, position, simulations, noise)
        onward, sign = game.advance(position, found.action)
        read = game.read(onward)
        over = read.over
        final = None
        if game.heads:
            lead = jnp.where(over, sign * read.lead, 0.0)
            owned = jnp.where(over[:, None], sign[:, None] * read.ownership, 0)
            final = Final(lead.astype(jnp.float16), owned.astype(jnp.int8))
        steps = Steps(
            game.sample(position),
            found.action_weights.astype(jnp.float16),
            found.search_tree.summary().value,
            root.draw,
            jnp.where(over, sign * read.value, 0.0),
            jnp.where(over, 0.0, sign),
            over,
            game.plies(position),
            game.plies(onward),
            final,
        )
        first = jnp.where(game.first_to_move(onward), read.value, -read.value)
        sums = jnp.stack(
            [over, over * game.plies(onward), over & (read.value == 0), over & from_start,
             jnp.where(over & from_start, first, 0)]
        ).astype(jnp.float32).sum(-1)  # fmt: skip
        slot = jnp.minimum(used, OPENINGS_A_GAME - 1)
        fresh = jax.tree.map(lambda a: a[slot, jnp.arange(count)], pool)
        position = pick(over, fresh, onward)
        from_start = jnp.where(over, game.plies(fresh) == 0, from_start)
        return (Games(position, from_start), used + over), (steps, sums)

    carry = (games, jnp.zeros(count, jnp.int32))
    (games, _), (record, sums) = lax.scan(step, carry, jax.random.split(key, steps))
    return games, record, sums.sum(0)
