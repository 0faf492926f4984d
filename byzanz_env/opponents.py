"""Who sits at the other seats: opponents by spec, as a list, or drawn from a pool with weights."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .agent import Agent, AgentSpec, agent_name, make_agent
from .errors import ByzanzError

Player = str | AgentSpec | Agent
Opponents = Player | Sequence[Player] | Mapping[str, float]


def identity(player: Player) -> int | str:
    """What makes two seats have one agent: equal specs, or the same object (which need not be hashable)."""
    return str(player) if isinstance(player, (str, AgentSpec)) else id(player)


def distinct(agents: Iterable[Agent]) -> list[Agent]:
    """Each agent once, in the order of the seats."""
    return list({id(agent): agent for agent in agents}.values())


class Line:
    """The opponents of a learner: the agents, and how they are seated.

    With a pool every opponent's seat is drawn by the pool's weights for each game; else `fixed[k]` sits k + 1 seats
    clockwise from the learner.
    """

    def __init__(self, opponents: Opponents, tables: np.ndarray) -> None:
        self.weights: np.ndarray | None = None
        if isinstance(opponents, Mapping):
            players: list[Any] = list(opponents)
            self.weights = _checked_weights(opponents)
            order = list(range(len(players)))
        elif isinstance(opponents, Sequence) and not isinstance(opponents, (str, AgentSpec)):
            if any(isinstance(player, Mapping) for player in opponents):
                raise ByzanzError("a list of opponents holds agents, one for each seat; a pool stands alone")
            by_identity = {identity(player): player for player in opponents}
            players = list(by_identity.values())
            order = [list(by_identity).index(identity(player)) for player in opponents]
            if any(len(opponents) != size - 1 for size in tables):
                sizes = " or ".join(str(size - 1) for size in tables)
                raise ByzanzError(f"{len(opponents)} opponents are listed, but the table has room for {sizes}")
        else:
            players, order = [opponents], [0] * (int(tables.max()) - 1)
        self.agents: list[Agent] = [make_agent(player) for player in players]
        self.names = [agent_name(player) for player in players]
        self.fixed = np.array(order, dtype=np.int64)

    @property
    def cumulative(self) -> np.ndarray:
        """The pool's weights added up to 1, or nothing for fixed seats: for the compiled draw."""
        return np.zeros(0) if self.weights is None else np.cumsum(self.weights / self.weights.sum())


def _checked_weights(pool: Mapping[str, float]) -> np.ndarray:
    try:
        weights = np.array(list(pool.values()), dtype=float)
    except (TypeError, ValueError):
        weights = np.array([-1.0])
    if not len(weights) or not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
        raise ByzanzError(f"the weights of the pool {dict(pool)} must be numbers from 0 up, not all 0")
    return weights
