"""The speed of other environments, measured in the same run and by the same method as ours.

One decision of a player is one unit; the actions are given, and observation and legal actions (as a dense mask where
the peer has none) are visible to Python at every decision. Peers that are not installed are named as absent.
"""

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from .bench import Figure, best_of, digest, pettingzoo_figure

OPEN_SPIEL_GAMES: Final = ("bridge(use_double_dummy_result=false)", "hearts", "spades", "gin_rummy")
PETTINGZOO_GAMES: Final = ("tictactoe.tictactoe", "rlcard_envs.leduc_holdem", "rlcard_envs.texas_holdem_no_limit")
RLCARD_GAMES: Final = ("bridge", "gin-rummy", "uno")
PGX_GAMES: Final = ("leduc_holdem", "connect_four")


class Absent(NamedTuple):
    """A peer that could not be measured, and why."""

    peer: str
    reason: str


def measure_peers(games: int = 100) -> Iterator[Figure | Absent]:
    """Every peer that is there, one figure per game; the others by name."""
    measures: dict[str, Callable[[int], Iterator[Figure]]] = {
        "pyspiel": _open_spiel,
        "pettingzoo": _pettingzoo,
        "rlcard": _rlcard,
        "pgx": _pgx,
        "pufferlib": _pufferlib,
    }
    for package, measure in measures.items():
        if importlib.util.find_spec(package) is None:
            yield Absent(package, "not installed")
            continue
        try:
            yield from measure(games)
        except Exception as error:  # a stranger's library may fail in any way; the others are still measured
            yield Absent(package, f"{type(error).__name__}: {error}")


# ------------------------------------------------------------------------------------------- OpenSpiel


def _open_spiel(games: int) -> Iterator[Figure]:
    import pyspiel
    from open_spiel.python.observation import make_observation

    for name in OPEN_SPIEL_GAMES:
        game = pyspiel.load_game(name)
        try:
            observer = make_observation(game)
        except (RuntimeError, ValueError, pyspiel.SpielError):
            observer = None
        if observer is None:  # no observation: the information state is what the game offers
            recall = pyspiel.IIGObservationType(perfect_recall=True)
            observer = make_observation(game, recall)
        given, expected = _spiel_games(game, games)
        mask = np.zeros(game.num_distinct_actions(), dtype=np.int8)

        def run(
            game: Any = game, observer: Any = observer, given: Any = given, expected: Any = expected, mask: Any = mask
        ) -> tuple[int, str]:
            decisions, ends = 0, []
            for actions in given:
                state = game.new_initial_state()
                for action in actions:
                    if not state.is_chance_node():
                        observer.set_from(state, state.current_player())
                        mask[:] = 0
                        mask[state.legal_actions()] = 1
                        decisions += 1
                    state.apply_action(action)
                ends.append(state.returns())
            assert ends == expected, "the measured games are not the ones played beforehand"
            return decisions, digest(ends)

        speed, checksum = best_of(run)
        short = name.partition("(")[0]
        yield Figure(f"OpenSpiel {short}, Python", game.num_players(), 1, False, "decisions", speed, checksum)


def _spiel_games(game: Any, count: int) -> tuple[list[list[int]], list[list[float]]]:
    rng, given, ends = np.random.default_rng(0), [], []
    for _ in range(count):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            choices = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            actions.append(int(rng.choice(choices)))
            state.apply_action(actions[-1])
        given.append(actions)
        ends.append(state.returns())
    return given, ends


# ------------------------------------------------------------------------------------------- PettingZoo, RLCard


def _pettingzoo(games: int) -> Iterator[Figure]:
    for name in PETTINGZOO_GAMES:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError:  # some classic games need packages of their own
            continue
        short = name.rpartition(".")[2]
        for label, make in (("raw", module.raw_env), ("wrapped", module.env)):
            env = make()
            yield pettingzoo_figure(f"PettingZoo {short}, {label}", env, len(env.possible_agents), games)


def _rlcard(games: int) -> Iterator[Figure]:
    import rlcard

    for name in RLCARD_GAMES:
        env = rlcard.make(name, config={"seed": 0})
        mask = np.zeros(env.num_actions, dtype=np.int8)

        def play(
            given: list[list[int]] | None, env: Any = env, mask: Any = mask
        ) -> tuple[int, list[list[int]], list[Any]]:
            """Seeded games: with `given` actions, else random ones, which are handed back."""
            rng, made, ends, decisions = np.random.default_rng(0), [], [], 0
            env.seed(0)
            for number in range(games):
                state, _ = env.reset()
                moves: list[int] = []
                while not env.is_over():
                    legal = list(state["legal_actions"])
                    mask[:] = 0
                    mask[legal] = 1
                    moves.append(given[number][len(moves)] if given else int(rng.choice(legal)))
                    state, _ = env.step(moves[-1])
                made.append(moves)
                decisions += len(moves)
                ends.append([float(payoff) for payoff in env.get_payoffs()])
            return decisions, made, ends

        _, given, expected = play(None)

        def run(play: Any = play, given: Any = given, expected: Any = expected) -> tuple[int, str]:
            decisions, _, ends = play(given)
            assert ends == expected, "the measured games are not the ones played beforehand"
            return decisions, digest(ends)

        speed, checksum = best_of(run)
        yield Figure(f"RLCard {name}", env.num_players, 1, False, "decisions", speed, checksum)


# ------------------------------------------------------------------------------------------- batches


def _pgx(games: int, size: int = 1024, ticks: int = 100) -> Iterator[Figure]:
    """PGX's batch on the CPU; the draw from the mask is inside its compiled step, as its users write it."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    for name in PGX_GAMES:
        env = pgx.make(name)  # type: ignore[arg-type]
        step = auto_reset(env.step, env.init)

        def tick(state: Any, key: Any, step: Any = step) -> Any:
            draw_key, step_key = jax.random.split(key)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(draw_key, logits, axis=1)
            return jax.vmap(step)(state, action, jax.random.split(step_key, size))

        compiled_tick = jax.jit(tick)
        first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), size))
        jax.block_until_ready(compiled_tick(first, jax.random.PRNGKey(1)))

        def run(first: Any = first, compiled_tick: Any = compiled_tick) -> tuple[int, str]:
            state = first
            for number in range(ticks):
                state = compiled_tick(state, jax.random.PRNGKey(number))
            jax.block_until_ready(state)
            return ticks * size, digest(np.asarray(state.observation).sum())

        speed, checksum = best_of(run)
        yield Figure(f"PGX {name}, CPU", env.num_players, size, True, "decisions", speed, checksum)


def _pufferlib(games: int, size: int = 1024, ticks: int = 500) -> Iterator[Figure]:
    """PufferLib's C card game, with actions drawn beforehand, illegal ones included: it has no masks."""
    from pufferlib.ocean import env_creator

    env = env_creator("puffer_tripletriad")(num_envs=size)
    env.reset(0)
    actions = np.random.default_rng(0).integers(0, env.single_action_space.n, (ticks, size))
    start = time.process_time()
    for row in actions:
        env.step(row)
    speed = ticks * size / (time.process_time() - start)
    yield Figure("PufferLib tripletriad, no masks", 2, size, False, "decisions", speed, "")
