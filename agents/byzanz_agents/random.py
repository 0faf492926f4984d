"""The bot `random`: every legal action is equally likely."""

import numpy as np

from byzanz_env.compiled import compiled
from byzanz_env.engine import draw_action


class RandomAgent:
    """plays every legal action with the same chance"""

    name = "random"

    def act(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """One uniform draw per row."""
        actions = np.empty(len(masks), dtype=np.int64)
        draw_actions(masks, keys, actions)
        return actions


@compiled
def draw_actions(masks, keys, actions):
    for row in range(len(actions)):
        actions[row] = draw_action(masks[row], keys[row])
