"""Kernels: the compiled functions that Python calls, each for one game of an array.

They put the rooms together (`legal`, `rules`, `scoring`, `observation`) and hold no rule themselves.
"""

from typing import Final

import numpy as np

from .actions import NUM_ACTIONS
from .chance import below, decision_key, spread
from .compiled import compiled
from .legal import mark_legal
from .observation import observe
from .rules import step
from .scoring import is_rewarded, write_rewards
from .state import OVER

REFUSED: Final = -1
"""`play_checked` answers this for an action that is not legal: nothing has changed."""
GAME_OVER: Final = 8
"""Added to `play_checked`'s answer when the step has ended the game."""
REWARDED: Final = 16
"""Added to `play_checked`'s answer when the step has paid a reward."""
SEAT_BITS: Final = 7


@compiled
def play_checked(games, index, action, weights, rewards, observation, mask):
    """Play an action if `mask` allows it; write rewards, and observation and mask of the seat that is on turn then.

    The answer is that seat, plus GAME_OVER and REWARDED where they apply; or REFUSED.
    """
    if action < 0 or action >= NUM_ACTIONS or not mask[action]:
        return REFUSED
    game = games[index]
    seat = game.turn
    profit_before = game.profit[seat]
    step(game, action)
    rewarded = is_rewarded(game, seat, profit_before)
    if rewarded:
        write_rewards(game, seat, profit_before, weights, rewards)
    observe(game, game.turn, observation)
    mark_legal(game, mask)
    return game.turn + REWARDED * rewarded + GAME_OVER * (game.phase == OVER)


@compiled
def look(games, index, seat, observation, mask):
    """Write what a seat sees, and its mask: all zero for a seat that is not on turn."""
    game = games[index]
    observe(game, seat, observation)
    if seat == game.turn:
        mark_legal(game, mask)
    else:
        mask[:] = 0


@compiled
def draw_action(mask, key):
    """A legal action drawn uniformly by a key."""
    legal = 0
    for action in range(NUM_ACTIONS):
        legal += int(mask[action])
    chosen = below(spread(key), legal)
    for action in range(NUM_ACTIONS):
        chosen -= int(mask[action])
        if chosen < 0:
            return action
    return REFUSED


@compiled
def play_at_random(games, index, stream, mask):
    """Play a game from where it stands to its end by uniform draws; the answer is the number of decisions."""
    game = games[index]
    decisions = 0
    while game.phase != OVER:
        mark_legal(game, mask)
        step(game, draw_action(mask, decision_key(stream, index, game.turn, decisions)))
        decisions += 1
    return decisions


def new_mask() -> np.ndarray:
    """An action mask with nothing allowed."""
    return np.zeros(NUM_ACTIONS, dtype=np.int8)
