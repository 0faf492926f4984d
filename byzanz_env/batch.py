"""Many games at once: arrays in, arrays out, written in place. Every seat's decision is asked for here.

For one seat against opponents see `seats`; for trainers see `gymnasium_env` and `byzanz_train.vec_env`.

    >>> batch = Batch(3, players=4, seed=7)
    >>> batch.reset()
    >>> for _ in range(10):
    ...     batch.step(batch.draw(), checked=False)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.shape
    ((3, 473), (3, 309), (3,))
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .actions import NUM_ACTIONS
from .cards import MAX_PLAYERS
from .chance import (
    below,
    check_game_seed,
    check_run_seed,
    decision_key,
    key_stream,
    seed_at,
    seed_stream,
    spread,
    whole_number,
)
from .compiled import compiled
from .deal import check_players, deal_from_seed
from .engine import draw_action
from .errors import ByzanzError, IllegalActionError, OutOfOrderError
from .explain import why_illegal
from .legal import mark_legal
from .observation import DTYPE, WIDTH, observe
from .rules import step
from .scoring import is_rewarded, reward_weights, write_rewards
from .state import GAME, OVER, CopiesGames, new_games

TABLE_STREAM: Final = "tables"
"""Player counts, seats and opponents are drawn from a stream of their own, apart from the deals."""


class Batch(CopiesGames):
    """N games, each with its own number of players and its own seed.

    Row r begins with game r of the run; when a game ends, its row goes on with the next game not yet handed out, in row
    order. Game i is the same game whatever N is: its seed is `game_seed(purpose, seed, i)`, and with several
    `players` to draw from, its table too depends on i alone.
    """

    def __init__(
        self,
        num_games: int,
        players: int | Sequence[int] = 4,
        seed: int = 0,
        *,
        purpose: str = "play",
        reward: str | dict[str, float] = "outcome",
        auto_reset: bool = True,
        observe: bool = True,
    ) -> None:
        count = check_num_games(num_games)
        self.num_games = count
        self.auto_reset = auto_reset
        self.tables = table_sizes(players)
        self.weights = reward_weights(reward)
        self.games = new_games(count)
        self.observations = np.zeros((count, WIDTH), dtype=DTYPE)  # of the acting seat
        self.masks = np.zeros((count, NUM_ACTIONS), dtype=np.int8)  # of the acting seat; all 0 once a game is over
        self.seats = np.zeros(count, dtype=np.int64)  # who acts
        self.rewards = np.zeros((count, MAX_PLAYERS))  # of every seat, for the last step
        self.dones = np.zeros(count, dtype=np.bool_)  # whether the last step ended the game
        self.ids = np.zeros(count, dtype=np.int64)  # which game of the run is in the row
        self.decisions = np.zeros(count, dtype=np.int64)  # how many decisions the game has had
        self._actions = np.zeros(count, dtype=np.int64)
        self._observe = observe
        self._keys = 0
        self._next = np.zeros(1, dtype=np.int64)
        self.seed(seed, purpose)

    def seed(self, seed: int, purpose: str = "play") -> None:
        """Choose the run whose games are dealt from the next reset on."""
        self.stream = np.array(seed_stream(purpose, seed), dtype=np.int64)
        self.table_stream = key_stream(check_run_seed(seed), TABLE_STREAM)
        self._keys = key_stream(check_run_seed(seed), "draws")

    def reset(self, seeds: Sequence[int] | np.ndarray | None = None) -> None:
        """Deal every row: games 0 ... N - 1 of the run, or games with seeds of their own."""
        self._next[0] = 0
        if seeds is None:
            deal_next(
                self.games, self.ids, self._next, self.stream, self.table_stream, self.tables, np.arange(self.num_games)
            )
        else:
            for row, one in enumerate(self._checked_seeds(seeds)):
                self.ids[row] = row
                deal_row(self.games, row, table_of(self.table_stream, row, self.tables), one)
            self._next[0] = self.num_games
        self.look()

    def look(self) -> None:
        """Take the games as they have just been dealt, by `reset` or by hand: nothing has happened in them yet."""
        self.decisions[:] = 0
        self.dones[:] = False
        self.rewards[:] = 0.0
        look_all(self.games, self.seats, self.observations, self.masks, self._observe)

    def _checked_seeds(self, seeds: Sequence[int] | np.ndarray) -> list[int]:
        if not isinstance(seeds, (Sequence, np.ndarray)) or isinstance(seeds, str):
            raise ByzanzError(f"seeds are given as a list, one for each game, not as {seeds!r}; see also Batch.seed")
        if len(seeds) != self.num_games:
            raise ByzanzError(f"{len(seeds)} seeds for {self.num_games} games")
        return [check_game_seed(seed) for seed in seeds]

    def step(self, actions: np.ndarray, *, checked: bool = True) -> None:
        """One action per game. Unchecked only for actions drawn from the masks: an illegal one corrupts the game.

        Games that are over and not dealt anew (`auto_reset=False`) are left alone, whatever their action.
        """
        actions = self._as_actions(actions)
        if checked:
            row = first_illegal(self.games, actions, self.masks)
            if row >= 0:
                raise IllegalActionError(
                    f"row {row}, game {self.ids[row]}: {why_illegal(self.games[row], actions[row])}"
                )
        step_all(
            self.games, actions, self.weights, self.rewards, self.dones, self.seats, self.decisions,
            self.observations, self.masks, self._observe, self.auto_reset,
            self.ids, self._next, self.stream, self.table_stream, self.tables,
        )  # fmt: skip

    def _as_actions(self, actions: Any) -> np.ndarray:
        if not self.games["players"][0]:
            raise OutOfOrderError("the batch has no games yet: call reset first")
        return as_actions(actions, self.num_games)

    def draw(self) -> np.ndarray:
        """A uniform draw from every mask; the array is used again by the next draw. A game's draws are its own."""
        draw_all(self.masks, self.ids, self.seats, self.decisions, self._keys, self._actions)
        return self._actions

    def keys(self, stream: int, out: np.ndarray) -> None:
        """The agents' keys for the decisions at hand, into an int64 array."""
        write_keys(stream, self.ids, self.seats, self.decisions, out)

    def waiting_for(self, agent: int, agent_of: np.ndarray) -> np.ndarray:
        """The rows whose acting seat belongs to an agent; `agent_of[row, seat]` says whose each seat is."""
        turns = agent_of[np.arange(self.num_games), self.seats]
        return np.flatnonzero((turns == agent) & (self.games["phase"] != OVER))

    # --------------------------------------------------------------------------------- single games

    def snapshot(self, row: int) -> bytes:
        """A game as it stands, to be put into a row again, of this batch or another."""
        return self.games[self._row(row)].tobytes()

    def restore(self, row: int, snapshot: bytes) -> None:
        """Put a game into a row. What the row knew of its own game, id and decisions, stays."""
        row = self._row(row)
        if not isinstance(snapshot, bytes) or len(snapshot) != GAME.itemsize:
            raise ByzanzError("this is not a snapshot of a game")
        self.games[row] = np.frombuffer(snapshot, dtype=GAME)[0]
        look_row(self.games, row, self.seats, self.observations, self.masks)

    def _row(self, row: object) -> int:
        number = whole_number(row)
        if number is None or not 0 <= number < self.num_games:
            raise ByzanzError(f"there is no row {row!r} in a batch of {self.num_games} games")
        return number


def check_num_games(count: object) -> int:
    """How many games, as an int from 1 up."""
    number = whole_number(count)
    if number is None or number < 1:
        raise ByzanzError(f"the number of games must be a whole number from 1 up, not {count!r}")
    return number


def table_sizes(players: int | Sequence[int]) -> np.ndarray:
    """The player counts that tables are drawn from."""
    sizes = list(players) if isinstance(players, (Sequence, np.ndarray, range)) else [players]
    if not sizes or isinstance(players, str):
        raise ByzanzError(f"the numbers of players to draw from are missing in {players!r}")
    return np.array([check_players(size) for size in sizes], dtype=np.int64)


def as_actions(actions: Any, count: int) -> np.ndarray:
    """Actions as int64[count], or a sentence. Their legality is looked at elsewhere."""
    array = np.asarray(actions)
    if array.shape != (count,):
        raise ByzanzError(f"actions must have the shape ({count},), not {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise ByzanzError(f"actions must be whole numbers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.int64)


# ------------------------------------------------------------------------------------------- compiled


@compiled
def table_of(table_stream, game, tables):
    """How many players game i of a run has: drawn by i alone."""
    if tables.size == 1:
        return tables[0]
    return tables[below(spread(table_stream ^ spread(game)), tables.size)]


@compiled
def deal_row(games, row, players, seed):
    deal_from_seed(games[row], players, seed)


@compiled
def deal_next(games, ids, next_id, stream, table_stream, tables, rows):
    """Deal the next games of the run into these rows, in their order."""
    for row in rows:
        game = next_id[0]
        next_id[0] += 1
        ids[row] = game
        seed = seed_at(stream[0], stream[1], stream[2], game)
        deal_from_seed(games[row], table_of(table_stream, game, tables), seed)


@compiled
def look_row(games, row, seats, observations, masks):
    """Acting seat, observation and mask of one game."""
    game = games[row]
    seats[row] = game.turn
    observe(game, game.turn, observations[row])
    mark_legal(game, masks[row])


@compiled
def look_all(games, seats, observations, masks, with_observation):
    for row in range(games.size):
        game = games[row]
        seats[row] = game.turn
        mark_legal(game, masks[row])
        if with_observation:
            observe(game, game.turn, observations[row])


@compiled
def first_illegal(games, actions, masks):
    """The first row whose action its mask does not allow, or -1."""
    for row in range(actions.size):
        action = actions[row]
        if games[row].phase != OVER and (action < 0 or action >= NUM_ACTIONS or not masks[row, action]):
            return row
    return -1


@compiled
def step_all(
    games, actions, weights, rewards, dones, seats, decisions, observations, masks, with_observation, auto_reset,
    ids, next_id, stream, table_stream, tables,
):  # fmt: skip
    """One step in every game that is not over; deal the next game where one ends; look at all."""
    for row in range(games.size):
        game = games[row]
        dones[row] = False
        forget_rewards(rewards[row])
        if game.phase == OVER:
            continue
        seat = game.turn
        profit_before = game.profit[seat]
        step(game, actions[row])
        decisions[row] += 1
        if is_rewarded(game, seat, profit_before):
            write_rewards(game, seat, profit_before, weights, rewards[row])
        if game.phase == OVER:
            dones[row] = True
            if auto_reset:
                decisions[row] = 0
                next_game = next_id[0]
                next_id[0] += 1
                ids[row] = next_game
                seed = seed_at(stream[0], stream[1], stream[2], next_game)
                deal_from_seed(game, table_of(table_stream, next_game, tables), seed)
        seats[row] = game.turn
        mark_legal(game, masks[row])
        if with_observation:
            observe(game, game.turn, observations[row])


@compiled
def forget_rewards(rewards):
    for seat in range(MAX_PLAYERS):
        rewards[seat] = 0.0


@compiled
def draw_all(masks, ids, seats, decisions, stream, actions):
    """A uniform draw from every mask, by the key of the game's decision; 0 where nothing is legal."""
    for row in range(actions.size):
        actions[row] = max(0, draw_action(masks[row], decision_key(stream, ids[row], seats[row], decisions[row])))


@compiled
def write_keys(stream, ids, seats, decisions, keys):
    """The key of each row's decision."""
    for row in range(keys.size):
        keys[row] = decision_key(stream, ids[row], seats[row], decisions[row])
