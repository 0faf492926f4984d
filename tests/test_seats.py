"""Credit: what the learner sees and earns through every door is what the record of the game says.

The expectations are made from the records alone, replayed with the engine's own kernels: a learner's decisions are
those of its seat in the record, and its payoff follows from the record's profits and winners.
"""

import copy
import pickle
import re

import gymnasium
import numpy as np
import pytest

from byzanz_env import AgentError, ByzanzError, IllegalActionError, OutOfOrderError, Seats, replay, verify
from byzanz_env.actions import ACTION_OF
from byzanz_env.batch import draw_all
from byzanz_env.engine import look, new_mask
from byzanz_env.full_state import FULL_LAYOUT, full_state
from byzanz_env.gymnasium_env import ByzanzVectorEnv
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.seats import FINISHED, LEARNER

ALL = np.arange


def payoff(record, seat, reward="outcome") -> float:
    """What a seat's game is worth, from the record's result alone."""
    players = record.players
    if reward == "profit":
        return float(record.profits[seat])
    if reward == "margin":
        others = [profit for other, profit in enumerate(record.profits) if other != seat]
        return record.profits[seat] - sum(others) / len(others)
    share = 1 / len(record.winners) if seat in record.winners else 0
    return (players * share - 1) / (players - 1)


def decisions_of(record, seat, skip_forced):
    """A seat's decisions in a record: what it saw, its mask and what it did; and what it saw when the game was over."""
    decisions = []
    for position in replay(record):
        if position.move is None:
            last, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
            look(position.games, 0, seat, last, mask)
            return decisions, last.tobytes()
        mover, name = position.move
        if mover == seat and not (skip_forced and position.mask.sum() == 1):
            decisions.append((position.observation.tobytes(), position.mask.tobytes(), ACTION_OF[name]))
    raise AssertionError("a record always has an end")


class Diary:
    """What a learner went through in each row, put together by game."""

    def __init__(self, rows):
        self.steps = [[] for _ in range(rows)]
        self.rewards = [[] for _ in range(rows)]
        self.games = []

    def write(self, row, observation, mask, action, reward):
        self.steps[row].append((observation.tobytes(), mask.astype(np.int8).tobytes(), int(action)))
        self.rewards[row].append(float(reward))

    def end(self, row, last):
        self.games.append((self.steps[row], last.tobytes(), self.rewards[row]))
        self.steps[row], self.rewards[row] = [], []


def assert_diary_agrees(diary, records, skip_forced, reward):
    """Every game of the diary is one of the records, seen and paid rightly."""
    assert len(diary.games) >= 10
    expected = {}
    for record in records:
        verify(record)
        seat = record.agents.index("learner")
        decisions, last = decisions_of(record, seat, skip_forced)
        expected[tuple(decisions)] = (last, payoff(record, seat, reward), [d[2] for d in decisions], record)
    for steps, last, rewards in diary.games:
        true_last, true_payoff, _, _ = expected[tuple(steps)]
        assert last == true_last
        assert sum(rewards) == pytest.approx(true_payoff)
        if reward != "profit":
            assert not any(rewards[:-1])  # paid at the end only
        else:
            sales = [85 <= action < 284 for *_, action in steps]
            assert all(paid or not earned for paid, earned in zip(sales[:-1], np.array(rewards[:-1]) > 0, strict=True))


def learner_actions(table):
    actions = np.zeros(table.num_games, dtype=np.int64)
    draw_all(table.masks, table.ids, table.learner, table.decisions, 3, actions)
    return actions


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("reward", ["outcome", "profit", "margin"])
def test_credit_of_every_seat_follows_the_record(players, skip_forced, reward):
    table = Seats(12, "random", players=players, skip_forced=skip_forced, reward=reward, records=True, seed=players)
    table.restart(ALL(12))
    diary = Diary(12)
    for _ in range(150):
        seen, masks, actions = table.observations.copy(), table.masks.copy(), learner_actions(table)
        table.play(actions)
        for row in range(12):
            diary.write(row, seen[row], masks[row], actions[row], table.rewards[row])
            if table.asked[row] == FINISHED:
                diary.end(row, table.observations[row])
        table.restart(np.flatnonzero(table.asked == FINISHED))
    assert {record.agents.index("learner") for record in table.finished} == set(range(players))
    assert_diary_agrees(diary, table.finished, skip_forced, reward)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_credit_through_the_gymnasium_vector_door(mode):
    envs = ByzanzVectorEnv(10, num_players=(3, 4, 5, 6), records=True, skip_forced=True, autoreset_mode=mode)
    observations, infos = envs.reset(seed=4)
    diary, over = Diary(10), np.zeros(10, dtype=bool)
    for _ in range(160):
        actions = learner_actions(envs.table)
        masks = infos["action_mask"]
        next_observations, rewards, terminations, _, infos = envs.step(actions)
        for row in range(10):
            if mode == "NextStep" and over[row]:
                assert (rewards[row], terminations[row]) == (0, False)
                continue
            diary.write(row, observations[row], masks[row], actions[row], rewards[row])
            if terminations[row]:
                last = infos["final_obs"][row] if mode == "SameStep" else next_observations[row]
                diary.end(row, last)
                final = infos["final_info"] if mode == "SameStep" else infos
                assert np.flatnonzero(final["action_mask"][row]).tolist() == [0]
        observations, over = next_observations, terminations
        if mode == "Disabled" and terminations.any():
            observations, infos = envs.reset(options={"reset_mask": terminations})
    assert_diary_agrees(diary, envs.table.finished, True, "outcome")


def test_all_autoreset_modes_play_the_same_games():
    ends = {}
    for mode in ("NextStep", "SameStep", "Disabled"):
        envs = ByzanzVectorEnv(1, records=True, autoreset_mode=mode)
        envs.reset(seed=3)
        while len(envs.table.finished) < 3:
            terminations = envs.step(learner_actions(envs.table))[2]
            if mode == "Disabled" and terminations.any():
                envs.reset(options={"reset_mask": terminations})
        ends[mode] = [record.to_json() for record in envs.table.finished]
    assert ends["NextStep"] == ends["SameStep"] == ends["Disabled"]


def test_row_of_a_batch_plays_the_games_of_a_single_environment():
    """The same game for the same seed, through the vector door and the single one."""
    envs = gymnasium.make_vec("byzanz/Byzanz-v0", num_envs=3, seat=0)
    single = gymnasium.make("byzanz/Byzanz-v0", seat=0)
    envs.reset(seed=[21, 22, 23])
    for row, seed in enumerate((21, 22, 23)):
        observation, info = single.reset(seed=seed)
        assert (observation == envs.unwrapped.table.observations[row]).all()
        assert (info["action_mask"] == envs.unwrapped.table.masks[row]).all()


def test_records_of_seats_replay_from_their_seed():
    table = Seats(4, "random", records=True, seed=1)
    table.restart(ALL(4))
    while len(table.finished) < 6:
        table.play(learner_actions(table))
        table.restart(np.flatnonzero(table.asked == FINISHED))
    for record in table.finished:
        verify(record)
        assert sorted(record.agents) == ["learner", "random", "random", "random"]


# ------------------------------------------------------------------------------------- opponents, seats, tables


class Passer:
    """Plays the lowest legal action and counts how often it is asked."""

    name = "passer"

    def __init__(self):
        self.calls = []

    def act(self, observations, masks, games, keys):
        self.calls.append(len(masks))
        return np.argmax(masks, axis=1)


def seated(opponents, games=600, **options):
    table = Seats(games, opponents, **options)
    table.restart(ALL(games))
    return table


def test_opponents_as_a_list_sit_clockwise_from_the_learner():
    table = seated(["a=random", "b=random", "a=random"], seat=1)
    assert table.line.names == ["a", "b"]
    assert table.owner[0, :4].tolist() == [1, LEARNER, 1, 2]


def test_opponents_from_a_pool_come_by_their_weights():
    table = seated({"a=random": 3, "b=random": 1}, players=(3, 4, 5, 6))
    owners = np.concatenate([table.owner[row, : table.games["players"][row]] for row in range(600)])
    share = (owners == 1).sum() / (owners > 0).sum()
    assert 0.70 < share < 0.80


def test_learner_rotates_through_the_seats_or_stays():
    assert seated("random", 8).learner.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert set(seated("random", 8, seat=2).learner) == {2}


def test_each_opponent_is_asked_once_per_tick():
    one, two = Passer(), Passer()
    table = Seats(50, [one, two, one])
    table.restart(ALL(50))
    for _ in range(20):
        before = len(one.calls), len(two.calls)
        table.play(learner_actions(table))
        table.restart(np.flatnonzero(table.asked == FINISHED))
        assert len(one.calls) - before[0] < 60
    assert max(one.calls) > 20


def test_what_opponents_do_does_not_depend_on_the_batch():
    stories = []
    for size in (1, 5):
        table = Seats(size, "random", seed=6, records=True)
        table.restart(ALL(size))
        while len(table.finished) < 5:
            table.play(learner_actions(table))
            table.restart(np.flatnonzero(table.asked == FINISHED))
        stories.append({record.seed: record.to_json() for record in table.finished})
    both = set(stories[0]) & set(stories[1])
    assert len(both) >= 3
    assert all(stories[0][seed] == stories[1][seed] for seed in both)


def test_skipped_decisions_are_still_played_and_recorded():
    table = Seats(6, "random", skip_forced=True, records=True)
    table.restart(ALL(6))
    asked = 0
    while len(table.finished) < 6:
        assert (table.masks[table.asked == LEARNER].sum(axis=1) > 1).all()
        asked += int((table.asked == LEARNER).sum())
        table.play(learner_actions(table))
        table.restart(np.flatnonzero(table.asked == FINISHED))
    for record in table.finished:
        verify(record)


def through_pickle(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301


@pytest.mark.parametrize("copied", [copy.deepcopy, through_pickle])
def test_copy_of_a_vector_door_goes_on_exactly_like_the_original(copied):
    envs = ByzanzVectorEnv(6, num_players=(3, 4), skip_forced=True)
    envs.reset(seed=2)
    for _ in range(60):
        envs.step(learner_actions(envs.table))
    other = copied(envs)
    assert other.table.games.dtype is envs.table.games.dtype
    for _ in range(120):
        actions = learner_actions(envs.table)
        for one, two in zip(envs.step(actions)[:4], other.step(actions)[:4], strict=True):
            assert (one == two).all()


def test_privileged_vector_is_the_full_state_from_the_learners_seat():
    table = seated("random", 20, players=(3, 6), privileged=True)
    for row in range(20):
        expected = full_state(table.games, row, int(table.learner[row]))
        assert (table.privileged[row] == expected).all()
        own = FULL_LAYOUT.seat_slices["hand"]
        assert (table.privileged[row][own] == table.observations[row][:25]).all()


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("args", "options", "sentence"),
    [
        ((0,), {}, "the number of games must be a whole number from 1 up"),
        ((4, "randm"), {}, "there is no agent 'randm'; did you mean random?"),
        ((4, ["random", "random"]), {}, "2 opponents are listed, but the table has room for 3"),
        ((4, {"random": 0}), {}, "must be numbers from 0 up, not all 0"),
        ((4, {}), {}, "must be numbers from 0 up, not all 0"),
        ((4,), {"seat": 4}, "the learner's seat must be 'rotate' or a number below 4, not 4"),
        ((4,), {"players": (3, 6), "seat": 3}, "a number below 3, not 3"),
        ((4,), {"players": 2}, "for 3 to 6 players, not 2"),
        ((4,), {"seed": 1.5}, "a seed must be a whole number"),
        ((4,), {"reward": "fame"}, "there is no reward 'fame'"),
    ],
)
def test_bad_tables_are_refused(args, options, sentence):
    with pytest.raises((ByzanzError, AgentError), match=re.escape(sentence)):
        Seats(*args, **options)


def test_illegal_action_of_the_learner_changes_nothing():
    table = seated("random", 4)
    before = table.games.tobytes(), table.observations.tobytes()
    actions = learner_actions(table)
    actions[2] = 308
    with pytest.raises(IllegalActionError, match=r"row 2, game 2: player_2 cannot discard merchant"):
        table.play(actions)
    assert (table.games.tobytes(), table.observations.tobytes()) == before


def test_faulty_opponent_is_named():
    class Faulty:
        def act(self, observations, masks, games, keys):
            return np.full(len(masks), 308)

    with pytest.raises(AgentError, match="the agent 'Faulty' chose 'discard merchant' in game"):
        seated(Faulty(), 4)


def test_vector_door_refuses_with_a_sentence():
    envs = ByzanzVectorEnv(2, autoreset_mode="Disabled")
    with pytest.raises(OutOfOrderError, match="call reset first"):
        envs.step(np.zeros(2, dtype=int))
    with pytest.raises(ByzanzError, match="3 seeds for 2 environments"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ByzanzError, match="reset_mask must be 2 booleans"):
        envs.reset(seed=1, options={"reset_mask": np.zeros(2, dtype=bool)})
    with pytest.raises(ByzanzError, match="there is no autoreset mode 'Never'"):
        ByzanzVectorEnv(2, autoreset_mode="Never")
    envs.reset(seed=1)
    envs.step(np.full(2, 308))  # illegal: both games end
    with pytest.raises(OutOfOrderError, match="row 0 is over: reset it"):
        envs.step(np.zeros(2, dtype=int))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_illegal_action_ends_a_vector_row_at_the_learners_cost(mode):
    envs = ByzanzVectorEnv(3, autoreset_mode=mode)
    envs.reset(seed=1)
    actions = learner_actions(envs.table)
    actions[1] = 308
    _, rewards, terminations, _, _ = envs.step(actions)
    assert terminations.tolist() == [False, True, False]
    assert rewards[1] < -1 / 3
    envs.step(learner_actions(envs.table))
