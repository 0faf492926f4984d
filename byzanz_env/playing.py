"""Games of agents, from a spec each to a record. Games run side by side, and each agent is asked once per tick."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from .actions import ACTION_NAMES
from .agent import Agent, AgentSpec, agent_name, checked_actions, make_agent
from .batch import Batch
from .chance import check_game_seed, game_seed, key_stream
from .deal import check_players, deal_of, start_from_deal, start_from_seed
from .errors import ByzanzError
from .opponents import Player, distinct, identity
from .records import Move, Record, result_of
from .state import OVER

SIDE_BY_SIDE: Final = 256
"""How many games run at once; no result depends on it."""


def play(
    agents: Sequence[Player],
    seed: int = 0,
    *,
    deal: object = None,
    legal: bool = False,
    agent_seed: int | None = None,
) -> Record:
    """One game of the agents at seats 0, 1, ...: specs or agents, 3 to 6 of them. The answer is its record.

    `seed` deals the cards as `reset(seed=...)` does; `deal` names the cards instead. The agents' chance comes from
    `agent_seed`, by default from a one-way hash of `seed`: give one of its own where a small seed might be guessed.
    """
    players = _check_seats(agents)
    seed = check_game_seed(seed)
    with _seated(agents) as table:
        games = table.set_up(np.zeros(1, dtype=np.int64), seed if agent_seed is None else agent_seed)
        if deal is None:
            start_from_seed(games, 0, players, seed)
        else:
            start_from_deal(games, 0, players, deal)
        return table.play_out([None if deal is not None else seed], legal=legal)[0]


def play_many(
    agents: Sequence[Player],
    count: int,
    seed: int = 0,
    *,
    purpose: str = "play",
    legal: bool = False,
    agent_seed: int | None = None,
) -> Iterator[Record]:
    """Games 0 ... count - 1 of a run, in this order; game i has the seed `game_seed(purpose, seed, i)`."""
    players = _check_seats(agents)
    with _seated(agents) as table:
        for first in range(0, count, SIDE_BY_SIDE):
            ids = np.arange(first, min(first + SIDE_BY_SIDE, count))
            seeds = [game_seed(purpose, seed, int(i)) for i in ids]
            games = table.set_up(ids, seed if agent_seed is None else agent_seed)
            for row, one in enumerate(seeds):
                start_from_seed(games, row, players, one)
            yield from table.play_out(seeds, legal=legal)


def _check_seats(agents: object) -> int:
    """How many agents there are: as many as a table can seat."""
    if isinstance(agents, (str, bytes)) or not isinstance(agents, Sequence):
        raise ByzanzError(f"the agents are given as a list, one for each seat, not as {agents!r}")
    return check_players(len(agents))


def agents_for(specs: Sequence[str], players: int) -> list[str]:
    """One spec for all seats, or one per seat; a spec may itself be a list with commas."""
    named = [part.strip() for spec in specs for part in spec.split(",") if part.strip()]
    if len(named) == 1:
        named *= players
    if len(named) != players:
        raise ByzanzError(f"{len(named)} agents for {players} seats: name one for all seats, or one for each")
    return named


@contextmanager
def _seated(players: Sequence[Player]) -> Iterator["_Table"]:
    """A table with its agents, who are closed when it is left. Equal specs share one agent: it is asked once."""
    made: dict[int | str, Agent] = {}
    for player in players:
        made.setdefault(identity(player), make_agent(player))
    try:
        yield _Table([made[identity(player)] for player in players], [agent_name(player) for player in players])
    finally:
        for player in players:
            if isinstance(player, (str, AgentSpec)):  # who brings an agent of its own also closes it
                tell(made[identity(player)], "close")


def tell(agent: Agent, what: str, *facts: Any) -> None:
    """Call one of an agent's optional methods."""
    if hasattr(agent, what):
        getattr(agent, what)(*facts)


class _Table:
    """Games of the same agents, side by side."""

    def __init__(self, agents: list[Agent], names: list[str]) -> None:
        self.agents = agents
        self.names = names

    def set_up(self, ids: np.ndarray, agent_seed: int) -> np.ndarray:
        """Make room for as many games as there are `ids`, their numbers in the run; the games are dealt next."""
        self.batch = Batch(len(ids), len(self.agents), auto_reset=False)
        self.batch.ids[:] = ids
        self.keys = np.zeros(len(ids), dtype=np.int64)
        self.stream = key_stream(agent_seed)
        return self.batch.games

    def play_out(self, seeds: Sequence[int | None], *, legal: bool) -> list[Record]:
        """Play all games to their end."""
        batch = self.batch
        batch.look()
        for agent in distinct(self.agents):
            tell(agent, "begin", batch.ids)
        deals = [deal_of(game) for game in batch.games]
        moves: list[list[Move]] = [[] for _ in deals]
        choices: list[list[list[str]]] = [[] for _ in deals]
        while (waiting := np.flatnonzero(batch.games["phase"] != OVER)).size:
            actions = self._ask(waiting)
            for row in waiting:
                moves[row].append((int(batch.seats[row]), ACTION_NAMES[actions[row]]))
                if legal:
                    choices[row].append([ACTION_NAMES[a] for a in np.flatnonzero(batch.masks[row])])
            batch.step(actions, checked=False)
        results = [result_of(game) for game in batch.games]
        for agent in distinct(self.agents):
            tell(agent, "end", batch.ids, results)
        return [
            Record(
                players=len(self.agents),
                seed=seeds[row],
                agents=list(self.names),
                **deals[row]._asdict(),
                moves=moves[row],
                legal=choices[row] if legal else None,
                **results[row],
            )
            for row in range(len(deals))
        ]

    def _ask(self, waiting: np.ndarray) -> np.ndarray:
        """One action per game, each agent asked once for all games that wait for it."""
        batch, actions = self.batch, np.zeros(self.batch.num_games, dtype=np.int64)
        batch.keys(self.stream, self.keys)
        for agent in distinct(self.agents):
            seats = [seat for seat, other in enumerate(self.agents) if other is agent]
            rows = waiting[np.isin(batch.seats[waiting], seats)]
            if rows.size:
                ids = batch.ids[rows]
                answer = agent.act(batch.observations[rows], batch.masks[rows], ids.copy(), self.keys[rows])
                # against the true masks: an agent may have written into the ones it was given
                actions[rows] = checked_actions(answer, batch.masks[rows], self.names[seats[0]], ids)
        return actions
