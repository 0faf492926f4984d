"""Who has won, and what it is worth to a learner. Profit itself is counted in `rules` as sets are sold."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from .cards import MERCHANT
from .compiled import compiled
from .errors import ByzanzError
from .state import OVER

REWARDS: Final = ("outcome", "margin", "profit")
OUTCOME, MARGIN, PROFIT = range(len(REWARDS))
HIGHEST_PROFIT: Final = 127
"""No seat can earn more. Twelve fours, eighteen threes and five sets of merchants make 127 with 105 cards; 36 sets need
108 cards, but in the last round each other winner of an auction keeps cards for good."""


@compiled
def goods_in_hand(game, seat):
    """Goods cards left in the hand: they break a tie. Ruling: merchants do not count."""
    return game.hand_size[seat] - game.hands[seat, MERCHANT]


@compiled
def ranks_above(game, seat, other):
    """Whether a seat has beaten another: more profit, or the same and more goods cards in hand."""
    if game.profit[seat] != game.profit[other]:
        return game.profit[seat] > game.profit[other]
    return goods_in_hand(game, seat) > goods_in_hand(game, other)


@compiled
def is_winner(game, seat):
    """A winner is a seat that nobody ranks above; a tie that remains is a shared win."""
    for other in range(game.players):
        if ranks_above(game, other, seat):
            return False
    return True


@compiled
def count_winners(game):
    winners = 0
    for seat in range(game.players):
        winners += is_winner(game, seat)
    return winners


@compiled
def outcome(game, seat, winners):
    """(n w - 1) / (n - 1) for n players, where w is 1/k for each of k joint winners and 0 for the others."""
    share = is_winner(game, seat) / winners
    return (game.players * share - 1.0) / (game.players - 1.0)


@compiled
def margin(game, seat):
    """The seat's profit less the mean of its opponents'."""
    total = 0
    for other in range(game.players):
        total += game.profit[other]
    return game.profit[seat] - (total - game.profit[seat]) / (game.players - 1.0)


@compiled
def is_rewarded(game, seat, profit_before):
    """Whether a step of `seat` pays anything to anybody: a sale, or the end of the game."""
    return game.profit[seat] != profit_before or game.phase == OVER


@compiled
def write_rewards(game, seat, profit_before, weights, rewards):
    """After a rewarded step of `seat`: every seat's reward for it.

    weights: float64[3] in the order of REWARDS; rewards: float64[players or more].
    """
    rewards[:] = 0.0
    rewards[seat] = weights[PROFIT] * (game.profit[seat] - profit_before)
    if game.phase == OVER:
        winners = count_winners(game)
        for other in range(game.players):
            rewards[other] += weights[OUTCOME] * outcome(game, other, winners) + weights[MARGIN] * margin(game, other)


def winners_of(game: np.record) -> list[int]:
    """The seats that have won a finished game."""
    return [seat for seat in range(int(game.players)) if is_winner(game, seat)]


def reward_weights(reward: object) -> np.ndarray:
    """The weights of `outcome`, `margin` and `profit` for a reward given by name or as a mapping of names to weights.

    >>> reward_weights({"outcome": 1, "margin": 0.05})
    array([1.  , 0.05, 0.  ])
    """
    named = {reward: 1.0} if isinstance(reward, str) else reward
    if not isinstance(named, Mapping) or not named:
        raise ByzanzError(f"a reward is one of {', '.join(REWARDS)}, or a mapping of them to weights, not {reward!r}")
    weights = np.zeros(len(REWARDS))
    for name, weight in named.items():
        if name not in REWARDS:
            raise ByzanzError(f"there is no reward {name!r}; the rewards are {', '.join(REWARDS)}")
        if not isinstance(weight, (int, float)) or isinstance(weight, bool) or not np.isfinite(weight):
            raise ByzanzError(f"the weight of the reward {name!r} must be a finite number, not {weight!r}")
        weights[REWARDS.index(name)] = weight
    return weights


def reward_bounds(weights: np.ndarray, players: int) -> tuple[float, float]:
    """Bounds of one seat's sum of rewards over a game; what is below the lower one is worse than any loss."""
    lows = np.array([-1.0 / (players - 1), -HIGHEST_PROFIT, 0.0])
    highs = np.array([1.0, HIGHEST_PROFIT, HIGHEST_PROFIT])
    ends = np.stack([weights * lows, weights * highs])
    return float(ends.min(axis=0).sum()), float(ends.max(axis=0).sum())
