"""One seat of many games: the learner is asked only at its own decisions, the opponents play inside.

The credit is right by construction: what the learner gets for a decision is the sum of its seat's rewards up to its own
next decision or the end of the game, and the last observation of a game is that of its own seat. The Gymnasium and
stable-baselines3 doors are thin layers over this.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .actions import ACTION_NAMES, NUM_ACTIONS, PASS
from .agent import checked_actions
from .batch import TABLE_STREAM, as_actions, check_num_games, table_of, table_sizes
from .cards import MAX_PLAYERS
from .chance import (
    below,
    check_game_seed,
    check_run_seed,
    decision_key,
    key_stream,
    seed_at,
    seed_stream,
    whole_number,
)
from .compiled import compiled
from .deal import deal_from_seed, deal_of, set_up
from .errors import ByzanzError, IllegalActionError
from .explain import why_illegal
from .full_state import FULL_WIDTH, write_full_state
from .legal import mark_legal
from .observation import DTYPE, WIDTH, observe
from .opponents import Line, Opponents
from .records import Move, Record, result_of
from .rules import step
from .scoring import PROFIT, is_rewarded, reward_bounds, reward_weights, write_rewards
from .state import OVER, CopiesGames, new_games

LEARNER: Final = 0
"""In `asked`: the row waits for the learner. Opponent k of the line is k + 1."""
FINISHED: Final = -1
"""In `asked`: the row's game is over."""
LONGEST_GAME: Final = 2048
"""No game has more decisions: at most 28 bids are named in an auction, and laid cards are never taken back."""
ROTATE: Final = -1
"""As the learner's seat: seat 0 in game 0 of the run, seat 1 in game 1, and so on around the table."""


class Seats(CopiesGames):
    """N games seen from one seat each."""

    def __init__(
        self,
        num_games: int,
        opponents: Opponents = "random",
        *,
        players: int | Sequence[int] = 4,
        seat: int | str = "rotate",
        seed: int = 0,
        purpose: str = "train",
        reward: str | dict[str, float] = "outcome",
        skip_forced: bool = False,
        privileged: bool = False,
        records: bool = False,
    ) -> None:
        count = check_num_games(num_games)
        self.num_games = count
        self.tables = table_sizes(players)
        self.line = Line(opponents, self.tables)
        self.seat = _check_seat(seat, self.tables)
        self.skip_forced = skip_forced
        self.weights = reward_weights(reward)
        self.games = new_games(count)
        self.observations = np.zeros((count, WIDTH), dtype=DTYPE)  # of the asked seat; the learner's once finished
        self.masks = np.zeros((count, NUM_ACTIONS), dtype=np.int8)  # of the asked seat; only PASS once finished
        self.privileged = np.zeros((count, FULL_WIDTH if privileged else 0), dtype=DTYPE)  # all, learner's seat first
        self.rewards = np.zeros(count)  # of the learner, since it was asked last
        self.asked = np.full(count, FINISHED, dtype=np.int64)
        self.learner = np.zeros(count, dtype=np.int64)  # the learner's seat
        self.owner = np.zeros((count, MAX_PLAYERS), dtype=np.int64)  # LEARNER or 1 + opponent, by seat
        self.ids = np.zeros(count, dtype=np.int64)  # which game of the run is in the row
        self.seeds = np.zeros(count, dtype=np.int64)  # the seed of the row's game
        self.decisions = np.zeros(count, dtype=np.int64)  # of all seats in the row's game
        self.keys = np.zeros(count, dtype=np.int64)
        self.log = np.zeros((count, LONGEST_GAME if records else 0), dtype=np.int16)  # the actions of the row's game
        self.finished: list[Record] = []  # records of finished games, in the order in which they ended
        self._scratch = np.zeros(MAX_PLAYERS)
        self._rows = np.zeros(count, dtype=np.int64)
        self._asked_observations = np.zeros_like(self.observations)
        self._asked_masks = np.zeros_like(self.masks)
        self._next = 0
        self.seed_run(seed, purpose)

    # --------------------------------------------------------------------------------- dealing

    def seed_run(self, seed: int, purpose: str = "train") -> None:
        """Choose the run whose games are dealt from now on, beginning with its game 0."""
        seed = check_run_seed(seed)
        self._stream = np.array(seed_stream(purpose, seed), dtype=np.int64)
        self._table_stream = key_stream(seed, TABLE_STREAM)
        self._key_stream = key_stream(seed, "opponents")
        self._next = 0

    def restart(self, rows: np.ndarray, seeds: Sequence[int] | None = None) -> None:
        """Deal new games into rows and play on to the learner's first decision in each.

        The games are the next ones of the run, or have the seeds given. A game that ends before the learner had
        anything to decide (possible only with `skip_forced`) is passed over for the next one.
        """
        rows = np.asarray(rows, dtype=np.int64)
        if seeds is not None and len(seeds) != len(rows):
            raise ByzanzError(f"{len(seeds)} seeds for {len(rows)} games")
        given = [check_game_seed(one) for one in seeds] if seeds is not None else None
        while rows.size:
            ids = np.arange(self._next, self._next + len(rows))
            self._next += len(rows)
            chosen = np.array(given, dtype=np.int64) if given is not None else np.zeros(0, dtype=np.int64)
            deal_rows(
                self.games, rows, ids, chosen, self._stream, self._table_stream, self.tables, self.seat,
                self.line.fixed, self.line.cumulative, self.learner, self.owner, self.ids, self.seeds, self.decisions,
                self.rewards,
            )  # fmt: skip
            self._proceed(rows)
            self._play_opponents()
            rows, given = rows[self.asked[rows] == FINISHED], None

    # --------------------------------------------------------------------------------- playing

    def play(self, actions: Any) -> None:
        """One action of the learner in every row that waits for it; on to its next decision or the end of the game.

        Afterwards `rewards` holds what the learner earned since then, and `asked` tells the finished rows. An illegal
        action raises, says row, game, seat and action, and changes nothing.
        """
        actions = as_actions(actions, self.num_games)
        rows = np.flatnonzero(self.asked == LEARNER)
        row = self.first_illegal(actions)
        if row >= 0:
            raise IllegalActionError(f"row {row}, game {self.ids[row]}: {why_illegal(self.games[row], actions[row])}")
        self.rewards[rows] = 0.0
        self._step(rows, actions[rows])
        self._play_opponents()

    def first_illegal(self, actions: np.ndarray) -> int:
        """The first waiting row whose action is not legal, or -1."""
        inside = (actions >= 0) & (actions < NUM_ACTIONS)
        legal = inside & (self.masks[np.arange(self.num_games), np.where(inside, actions, 0)] > 0)
        wrong = np.flatnonzero((self.asked == LEARNER) & ~legal)
        return int(wrong[0]) if wrong.size else -1

    def give_up(self, rows: np.ndarray) -> None:
        """End games before their time, at the learner's cost: a reward below any loss."""
        for row in rows:
            game = self.games[row]
            low = reward_bounds(self.weights, int(game.players))[0]
            earned = float(self.weights[PROFIT] * game.profit[self.learner[row]])
            game.phase = OVER
            self.rewards[row] = low - 1.0 - earned
        self._look(np.asarray(rows, dtype=np.int64))

    def _play_opponents(self) -> None:
        """Ask every opponent once per tick for all the games that wait for it, until none waits."""
        while (self.asked > LEARNER).any():
            for number, agent in enumerate(self.line.agents):
                count = gather(
                    number + 1, self.asked, self.observations, self.masks,
                    self._rows, self._asked_observations, self._asked_masks,
                )  # fmt: skip
                if count:
                    rows, masks = self._rows[:count], self._asked_masks[:count]
                    answer = agent.act(self._asked_observations[:count], masks, self.ids[rows], self.keys[rows])
                    # against the true masks: an agent may have written into the ones it was given
                    actions = checked_actions(answer, self.masks[rows], self.line.names[number], self.ids[rows])
                    self._step(rows, actions)

    def _step(self, rows: np.ndarray, actions: np.ndarray) -> None:
        step_rows(
            self.games, rows, actions, self.weights, self._scratch, self.learner, self.rewards, self.decisions, self.log
        )
        self._proceed(rows)

    def _proceed(self, rows: np.ndarray) -> None:
        """Go on to the next question in these rows; games that end are recorded."""
        self._look(rows)
        if self.log.shape[1]:
            self.finished += [self._record(row) for row in rows[self.asked[rows] == FINISHED]]

    def _look(self, rows: np.ndarray) -> None:
        proceed_rows(
            self.games, rows, self.owner, self.learner, self.skip_forced, self.weights, self._scratch, self.rewards,
            self.decisions, self.log, self._key_stream, self.ids, self.observations, self.masks, self.asked, self.keys,
            self.privileged,
        )  # fmt: skip

    # --------------------------------------------------------------------------------- records

    def _record(self, row: int) -> Record:
        """The finished game of a row, all its decisions included."""
        actions = self.log[row, : self.decisions[row]]
        players, deal = int(self.games["players"][row]), deal_of(self.games[row])
        seats = np.zeros(len(actions), dtype=np.int64)
        retrace(self.games, row, new_games(1), actions, seats)
        moves: list[Move] = [(int(seat), ACTION_NAMES[action]) for seat, action in zip(seats, actions, strict=True)]
        names = ["learner" if owner == LEARNER else self.line.names[owner - 1] for owner in self.owner[row, :players]]
        return Record(
            players=players, seed=int(self.seeds[row]), agents=names, **deal._asdict(), moves=moves,
            **result_of(self.games[row]),
        )  # fmt: skip


def _check_seat(seat: object, tables: np.ndarray) -> int:
    if seat == "rotate":
        return ROTATE
    number = whole_number(seat)
    if number is None or not 0 <= number < tables.min():
        raise ByzanzError(f"the learner's seat must be 'rotate' or a number below {tables.min()}, not {seat!r}")
    return number


# ------------------------------------------------------------------------------------------- compiled


@compiled
def deal_rows(
    games, rows, new_ids, chosen, stream, table_stream, tables, learner_seat, fixed, cumulative,
    learner, owner, ids, seeds, decisions, rewards,
):  # fmt: skip
    """New games in these rows: deal, learner's seat and opponents, each drawn by the game's number in the run."""
    for k in range(rows.size):
        row, game = rows[k], new_ids[k]
        players = table_of(table_stream, game, tables)
        ids[row] = game
        seeds[row] = chosen[k] if chosen.size > 0 else seed_at(stream[0], stream[1], stream[2], game)
        decisions[row] = 0
        rewards[row] = 0.0
        learner[row] = learner_seat if learner_seat >= 0 else game % players
        deal_from_seed(games[row], players, seeds[row])
        owner[row, learner[row]] = LEARNER
        for place in range(1, players):
            seat = (learner[row] + place) % players
            if cumulative.size > 0:
                owner[row, seat] = 1 + draw_opponent(table_stream, game, place, cumulative)
            else:
                owner[row, seat] = 1 + fixed[place - 1]


@compiled
def draw_opponent(table_stream, game, place, cumulative):
    """Which opponent of the pool sits some places from the learner in a game."""
    share = below(decision_key(table_stream, game, place, 1), 1 << 30) / (1 << 30)
    for number in range(cumulative.size - 1):
        if share < cumulative[number]:
            return number
    return cumulative.size - 1


@compiled
def step_row(game, row, action, weights, scratch, learner, rewards, decisions, log):
    """One step of whoever is on turn; what the learner earns by it is added up."""
    seat = game.turn
    profit_before = game.profit[seat]
    step(game, action)
    if log.shape[1] > 0:
        log[row, decisions[row]] = action
    decisions[row] += 1
    if is_rewarded(game, seat, profit_before):
        write_rewards(game, seat, profit_before, weights, scratch)
        rewards[row] += scratch[learner[row]]


@compiled
def step_rows(games, rows, actions, weights, scratch, learner, rewards, decisions, log):
    """One step in each of these rows."""
    for k in range(rows.size):
        row = rows[k]
        step_row(games[row], row, actions[k], weights, scratch, learner, rewards, decisions, log)


@compiled
def proceed_rows(
    games, rows, owner, learner, skip_forced, weights, scratch, rewards, decisions, log, stream, ids,
    observations, masks, asked, keys, privileged,
):  # fmt: skip
    """On to the next question in each of these rows: who is asked, what that seat sees, its mask and its key."""
    for k in range(rows.size):
        row = rows[k]
        game = games[row]
        mask = masks[row]
        mark_legal(game, mask)
        if skip_forced:
            action = only_action(mask)
            while action >= 0:
                step_row(game, row, action, weights, scratch, learner, rewards, decisions, log)
                mark_legal(game, mask)
                action = only_action(mask)
        if game.phase == OVER:
            asked[row] = FINISHED
            mask[PASS] = 1  # a finished row accepts one action, whatever it is
            observe(game, learner[row], observations[row])
        else:
            asked[row] = owner[row, game.turn]
            observe(game, game.turn, observations[row])
            keys[row] = decision_key(stream, ids[row], game.turn, decisions[row])
        if privileged.shape[1] > 0 and asked[row] <= LEARNER:
            write_full_state(games, row, learner[row], privileged[row])


@compiled
def only_action(mask):
    """The only legal action, or -1 where there are several or none."""
    legal = 0
    for action in range(NUM_ACTIONS):
        legal += int(mask[action])
    if legal != 1:
        return -1
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return -1


@compiled
def gather(number, asked, observations, masks, rows, asked_observations, asked_masks):
    """The rows that wait for an agent, put together at the top of the buffers; the answer is how many there are."""
    count = 0
    for row in range(asked.size):
        if asked[row] == number:
            rows[count] = row
            source, target = observations[row], asked_observations[count]
            for entry in range(WIDTH):
                target[entry] = source[entry]
            mask_source, mask_target = masks[row], asked_masks[count]
            for action in range(NUM_ACTIONS):
                mask_target[action] = mask_source[action]
            count += 1
    return count


@compiled
def retrace(games, row, replayed, actions, seats):
    """Play a game's actions again on its deal and write down who made them."""
    game = replayed[0]
    game.deck[:] = games[row].deck
    set_up(game, games[row].players)
    for number in range(actions.size):
        seats[number] = game.turn
        step(game, actions[number])
