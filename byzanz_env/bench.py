"""How fast it is: every figure per core in process CPU time, tied to a checksum of the games that were played.

A figure whose games come out differently from the ones played beforehand is not printed but refused. "Draw inside" says
whether choosing the action is part of the measured time.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from . import byzanz_v0
from .actions import NUM_ACTIONS
from .batch import Batch, draw_all
from .chance import decision_key
from .compiled import compiled
from .deal import deal_from_seed
from .engine import draw_action
from .errors import ByzanzError
from .gymnasium_env import ByzanzVectorEnv
from .legal import mark_legal
from .rules import step
from .state import OVER, new_games

REPEATS: Final = 3
"""Each figure is the best of so many runs: these machines are noisy, and noise only ever slows down."""


class Figure(NamedTuple):
    """A measured speed."""

    what: str
    players: int
    batch: int
    draw_inside: bool
    unit: str
    per_second: float
    checksum: str


def best_of(run: Callable[[], tuple[int, str]], *, repeats: int = REPEATS) -> tuple[float, str]:
    """Units of work per CPU second, best of several runs, and the checksum, which must be the same each time."""
    best, checksums = 0.0, set()
    for _ in range(repeats):
        start = time.process_time()
        count, checksum = run()
        best = max(best, count / (time.process_time() - start))
        checksums.add(checksum)
    if len(checksums) != 1:
        raise ByzanzError("the benchmark's games did not come out the same twice: its figures mean nothing")
    return best, checksums.pop()


def digest(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


# ------------------------------------------------------------------------------------------- PettingZoo


def random_choice(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_beforehand(env: Any, games: int) -> tuple[list[list[int | None]], list[Any]]:
    """Random games of a PettingZoo environment: the actions of each, and the rewards it ended with."""
    rng, actions, ends = np.random.default_rng(0), [], []
    for seed in range(games):
        env.reset(seed=seed)
        moves: list[int | None] = []
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            action = None if termination or truncation else random_choice(observation["action_mask"], rng)
            if action is None and (not moves or moves[-1] is not None):
                ends.append(sorted(env.rewards.items()))
            moves.append(action)
            env.step(action)
        actions.append(moves)
    return actions, ends


def replay_given(env: Any, actions: list[list[int | None]]) -> tuple[int, list[Any]]:
    """The usual loop with the actions given; the answer counts decisions, not the closing None steps."""
    decisions, ends = 0, []
    for seed, moves in enumerate(actions):
        env.reset(seed=seed)
        given = iter(moves)
        for _ in env.agent_iter():
            env.last()
            action = next(given)
            if action is None:
                ends.append(sorted(env.rewards.items()))
                break
            env.step(action)
        decisions += sum(action is not None for action in moves)
    return decisions, ends


def pettingzoo_figure(what: str, env: Any, players: int, games: int) -> Figure:
    """Decisions per second of agent_iter / last / step on a PettingZoo environment."""
    actions, expected = play_beforehand(env, games)

    def run() -> tuple[int, str]:
        decisions, ends = replay_given(env, actions)
        if ends != expected:
            raise ByzanzError(f"{what}: the measured games are not the ones played beforehand")
        return decisions, digest(ends)

    speed, checksum = best_of(run)
    return Figure(what, players, 1, False, "decisions", speed, checksum)


def classic_environments() -> Iterator[tuple[str, Any]]:
    """PettingZoo's own connect four, bare and as it is usually made, under its three wrappers."""
    try:
        from pettingzoo.classic.connect_four import connect_four
    except ImportError:
        return
    yield "PettingZoo connect_four, raw", connect_four.raw_env()
    yield "PettingZoo connect_four, wrapped", connect_four.env()


# ------------------------------------------------------------------------------------------- batches


def batch_figure(players: int, size: int, *, with_observation: bool, draw_inside: bool, decisions: int) -> Figure:
    """Decisions per second of the batch API."""
    batch = Batch(size, players, seed=1, observe=with_observation)
    ticks = max(4, decisions // size)

    def run_drawing() -> tuple[int, str]:
        batch.reset()
        for _ in range(ticks):
            batch.step(batch.draw(), checked=False)
        return ticks * size, digest(batch.ids.sum(), batch.games.tobytes())

    batch.reset()
    given = []
    for _ in range(ticks):
        given.append(batch.draw().copy())
        batch.step(given[-1], checked=False)
    expected = digest(batch.ids.sum(), batch.games.tobytes())

    def run_given() -> tuple[int, str]:
        batch.reset()
        for actions in given:
            batch.step(actions, checked=False)
        return ticks * size, digest(batch.ids.sum(), batch.games.tobytes())

    speed, checksum = best_of(run_drawing if draw_inside else run_given)
    if checksum != expected:
        raise ByzanzError("the batch's measured games are not the ones played beforehand")
    what = "batch: step + mask + observation" if with_observation else "batch: step + mask"
    return Figure(what, players, size, draw_inside, "decisions", speed, checksum)


def vector_figure(players: int, size: int, decisions: int) -> Figure:
    """Learner decisions per second of the Gymnasium vector door, three modes being alike; random opponents inside."""
    envs = ByzanzVectorEnv(size, "random", players, autoreset_mode="SameStep")
    actions = np.zeros(size, dtype=np.int64)
    ticks = max(4, decisions // size)

    def run() -> tuple[int, str]:
        envs.reset(seed=1)
        table, earned = envs.table, 0.0
        for _ in range(ticks):
            draw_all(table.masks, table.ids, table.learner, table.decisions, 1, actions)
            earned += float(envs.step(actions)[1].sum())
        return ticks * size, digest(round(earned, 6), table.games.tobytes())

    run()
    speed, checksum = best_of(run)
    return Figure("Gymnasium vector door, random opponents", players, size, True, "learner decisions", speed, checksum)


@compiled
def random_games(games, mask, players, count):
    """Whole random games inside one kernel; the answer is decisions and the sum of all profits."""
    decisions, profits = 0, 0
    game = games[0]
    for seed in range(count):
        deal_from_seed(game, players, seed)
        number = 0
        while game.phase != OVER:
            mark_legal(game, mask)
            step(game, draw_action(mask, decision_key(1, seed, game.turn, number)))
            number += 1
        decisions += number
        for seat in range(players):
            profits += game.profit[seat]
    return decisions, profits


def random_games_figure(players: int, count: int) -> Figure:
    """Games per second without any Python between."""
    games, mask = new_games(1), np.zeros(NUM_ACTIONS, dtype=np.int8)
    random_games(games, mask, players, 1)

    def run() -> tuple[int, str]:
        return count, digest(random_games(games, mask, players, count))

    speed, checksum = best_of(run)
    return Figure("random games in one kernel", players, 1, True, "games", speed, checksum)


# ------------------------------------------------------------------------------------------- start

_FIRST_GAME = """
import time; start = time.perf_counter(); import byzanz_env; imported = time.perf_counter()
env = byzanz_env.byzanz_v0.env(); env.reset(seed=1); env.step(0)
print(imported - start, time.perf_counter() - imported)
"""


def start_times() -> dict[str, float]:
    """Seconds (wall) for the import, the first game with an empty cache, and the first game with a filled one."""
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for _ in range(1 + REPEATS):
            run = subprocess.run(
                [sys.executable, "-c", _FIRST_GAME],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            runs.append([float(seconds) for seconds in run.stdout.split()])
    cold, *warm = runs
    return {
        "import byzanz_env": min(seconds for seconds, _ in warm),
        "first game, nothing compiled yet": cold[1],
        "first game, compiled before": min(seconds for _, seconds in warm),
    }


def door_figures(players: int = 4, games: int = 100) -> list[Figure]:
    """The PettingZoo door, and in the same run PettingZoo's own connect four for comparison."""
    figures = [pettingzoo_figure("PettingZoo door, last / step", byzanz_v0.env(num_players=players), players, games)]
    figures += [pettingzoo_figure(what, env, 2, games) for what, env in classic_environments()]
    return figures
