"""Games of agents, from a spec each to a record. Games run side by side, and each agent is asked once per tick."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from .actions import ACTION_NAMES, NUM_ACTIONS
from .agent import Agent, AgentSpec, agent_name, checked_actions, make_agent
from .chance import decision_key, game_seed, key_stream
from .compiled import compiled
from .deal import check_players, deal_of, start_from_deal, start_from_seed
from .errors import ByzanzError
from .legal import mark_legal
from .observation import DTYPE, WIDTH, observe
from .records import Move, Record, result_of
from .rules import step
from .state import OVER, new_games

SIDE_BY_SIDE: Final = 256
"""How many games run at once; no result depends on it."""

Player = str | AgentSpec | Agent


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
    players = check_players(len(agents))
    with _seated(agents) as table:
        table.clear(np.zeros(1, dtype=np.int64), seed if agent_seed is None else agent_seed)
        if deal is None:
            start_from_seed(table.games, 0, players, seed)
        else:
            start_from_deal(table.games, 0, players, deal)
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
    players = check_players(len(agents))
    with _seated(agents) as table:
        for first in range(0, count, SIDE_BY_SIDE):
            ids = np.arange(first, min(first + SIDE_BY_SIDE, count))
            seeds = [game_seed(purpose, seed, int(i)) for i in ids]
            table.clear(ids, seed if agent_seed is None else agent_seed)
            for row, one in enumerate(seeds):
                start_from_seed(table.games, row, players, one)
            yield from table.play_out(seeds, legal=legal)


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
        made.setdefault(_identity(player), make_agent(player))
    try:
        yield _Table([made[_identity(player)] for player in players], [agent_name(player) for player in players])
    finally:
        for player in players:
            if isinstance(player, (str, AgentSpec)):  # who brings an agent of its own also closes it
                _tell(made[_identity(player)], "close")


def _identity(player: Player) -> int | str:
    return str(player) if isinstance(player, (str, AgentSpec)) else id(player)


def _tell(agent: Agent, what: str, *facts: Any) -> None:
    """Call one of an agent's optional methods."""
    if hasattr(agent, what):
        getattr(agent, what)(*facts)


class _Table:
    """Games of the same agents, side by side."""

    def __init__(self, agents: list[Agent], names: list[str]) -> None:
        self.agents = agents
        self.names = names
        self.clear(np.zeros(0, dtype=np.int64), 0)

    def clear(self, ids: np.ndarray, agent_seed: int) -> None:
        """Make room for as many games as there are `ids`, their numbers in the run; they are dealt next."""
        self.ids = ids
        self.stream = key_stream(agent_seed)
        self.games = new_games(len(ids))
        self.observations = np.zeros((len(ids), WIDTH), dtype=DTYPE)
        self.masks = np.zeros((len(ids), NUM_ACTIONS), dtype=np.int8)
        self.keys = np.zeros(len(ids), dtype=np.int64)
        self.decisions = 0

    def play_out(self, seeds: Sequence[int | None], *, legal: bool) -> list[Record]:
        """Play all games to their end."""
        for agent in dict.fromkeys(self.agents):
            _tell(agent, "begin", self.ids)
        self._look()
        count = len(self.games)
        deals = [deal_of(game) for game in self.games]
        moves: list[list[Move]] = [[] for _ in range(count)]
        choices: list[list[list[str]]] = [[] for _ in range(count)]
        while (waiting := np.flatnonzero(self.games["phase"] != OVER)).size:
            actions = self._ask(waiting)
            for row in waiting:
                moves[row].append((int(self.games["turn"][row]), ACTION_NAMES[actions[row]]))
                if legal:
                    choices[row].append([ACTION_NAMES[a] for a in np.flatnonzero(self.masks[row])])
            step_all(self.games, actions)
            self.decisions += 1
            self._look()
        results = [result_of(game) for game in self.games]
        for agent in dict.fromkeys(self.agents):
            _tell(agent, "end", self.ids, results)
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
            for row in range(count)
        ]

    def _look(self) -> None:
        look_all(self.games, self.ids, self.stream, self.decisions, self.observations, self.masks, self.keys)

    def _ask(self, waiting: np.ndarray) -> np.ndarray:
        """One action per game, each agent asked once for all games that wait for it."""
        actions = np.zeros(len(self.games), dtype=np.int64)
        turns = self.games["turn"][waiting]
        for agent in dict.fromkeys(self.agents):
            seats = [seat for seat, other in enumerate(self.agents) if other is agent]
            rows = waiting[np.isin(turns, seats)]
            if rows.size:
                masks, ids = self.masks[rows], self.ids[rows]
                answer = agent.act(self.observations[rows], masks, ids, self.keys[rows])
                actions[rows] = checked_actions(answer, masks, self.names[seats[0]], ids)
        return actions


@compiled
def look_all(games, ids, stream, decision, observations, masks, keys):
    """Observation, mask and key of the seat on turn, for every game."""
    for i in range(games.size):
        game = games[i]
        observe(game, game.turn, observations[i])
        mark_legal(game, masks[i])
        keys[i] = decision_key(stream, ids[i], game.turn, decision)


@compiled
def step_all(games, actions):
    """One step in every game that is not over."""
    for i in range(games.size):
        if games[i].phase != OVER:
            step(games[i], actions[i])
