"""Speed of the stable-baselines3 door: registered under `byzanz.bench`, so that `byzanz bench` finds it."""

from collections.abc import Iterator

import numpy as np

from byzanz_env.batch import draw_all
from byzanz_env.bench import Figure, best_of, digest

from .vec_env import ByzanzVecEnv


def figures(players: int, sizes: tuple[int, ...], decisions: int) -> Iterator[Figure]:
    """Learner decisions per second through the VecEnv with random opponents; masks fetched at every step."""
    for size in sizes:
        env = ByzanzVecEnv(size, "random", players, skip_forced=False)
        actions = np.zeros(size, dtype=np.int64)
        ticks = max(4, decisions // size)

        def run(env: ByzanzVecEnv = env, actions: np.ndarray = actions, ticks: int = ticks) -> tuple[int, str]:
            env.seed(1)
            env.reset()
            table, earned = env.table, 0.0
            for _ in range(ticks):
                env.env_method("action_masks")
                draw_all(table.masks, table.ids, table.learner, table.decisions, 1, actions)
                earned += float(env.step(actions)[1].sum())
            return ticks * len(actions), digest(round(earned, 3), table.games.tobytes())

        run()
        speed, checksum = best_of(run)
        yield Figure("VecEnv door, random opponents", players, size, True, "learner decisions", speed, checksum)
