"""Many games at once: the same games as one by one, whatever the batch; and what it refuses."""

import copy
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from byzanz_env import Batch, ByzanzError, IllegalActionError, OutOfOrderError, byzanz_v0, game_seed
from byzanz_env.actions import ACTION_OF, NUM_ACTIONS
from byzanz_env.batch import table_of, table_sizes
from byzanz_env.chance import seed_at, seed_stream
from byzanz_env.full_state import full_state
from byzanz_env.state import OVER


def started(*args, **options) -> Batch:
    batch = Batch(*args, **options)
    batch.reset()
    return batch


def play_games(size: int, count: int, **options) -> dict[int, tuple]:
    """The first `count` games of a run, each as its moves, rewards and views, played in a batch of some size."""
    batch = started(size, **options)
    stories: dict[int, list] = {}
    done: dict[int, tuple] = {}
    while len(done) < count:
        ids, seats = batch.ids.copy(), batch.seats.copy()
        views = batch.observations.copy()
        actions = batch.draw().copy()
        batch.step(actions)
        for row in range(size):
            story = stories.setdefault(int(ids[row]), [])
            story.append((int(seats[row]), int(actions[row]), views[row].tobytes(), tuple(batch.rewards[row])))
            if batch.dones[row] and ids[row] < count:
                done[int(ids[row])] = tuple(story)
    return done


@pytest.mark.parametrize("players", [4, (3, 4, 5, 6)])
def test_game_i_is_the_same_in_every_batch(players):
    games = play_games(1, 12, players=players, seed=5)
    assert len(games) == 12
    for size in (3, 7, 64):
        assert play_games(size, 12, players=players, seed=5) == games


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_batch_plays_the_games_of_the_pettingzoo_door(players):
    batch = started(4, players=players, seed=9, reward={"outcome": 1, "profit": 0.5})
    doors = []
    for row in range(4):
        door = byzanz_v0.env(num_players=players, reward={"outcome": 1, "profit": 0.5})
        door.reset(seed=game_seed("play", 9, row))
        doors.append(door)
    running = set(range(4))
    while running:
        actions = batch.draw().copy()
        for row in running:
            seen = doors[row].last()[0]
            assert doors[row].agent_selection == f"player_{batch.seats[row]}"
            assert (seen["observation"] == batch.observations[row]).all()
            assert (seen["action_mask"] == batch.masks[row]).all()
            doors[row].step(int(actions[row]))
        batch.step(actions)
        for row in sorted(running):
            assert list(doors[row].rewards.values()) == batch.rewards[row, :players].tolist()
            assert all(doors[row].terminations.values()) == batch.dones[row]
            if batch.dones[row]:
                running.remove(row)


def test_given_seeds_deal_the_games_that_reset_deals():
    batch = Batch(3, players=5)
    batch.reset(seeds=[11, 12, 13])
    for row, seed in enumerate((11, 12, 13)):
        door = byzanz_v0.env(num_players=5)
        door.reset(seed=seed)
        assert full_state(batch.games, row).tobytes() == door.state().tobytes()


def test_games_that_end_are_followed_by_the_next_of_the_run_in_row_order():
    batch = started(8, players=3, seed=2)
    handed_out = list(range(8))
    for _ in range(2000):
        batch.step(batch.draw(), checked=False)
        handed_out += batch.ids[batch.dones].tolist()
    assert handed_out == list(range(len(handed_out)))
    assert len(handed_out) > 40


def test_mixed_tables_are_drawn_by_the_number_of_the_game():
    tables = table_sizes((3, 4, 5, 6))
    sizes = [int(table_of(77, game, tables)) for game in range(4000)]
    assert min(sizes.count(size) for size in (3, 4, 5, 6)) > 900
    batch = started(50, players=(3, 6), seed=1)
    assert set(batch.games["players"]) == {3, 6}


def test_without_auto_reset_finished_games_stay_as_they_are():
    batch = started(5, players=4, seed=3, auto_reset=False)
    ends = 0
    while (batch.games["phase"] != OVER).any():
        batch.step(batch.draw())
        ends += batch.dones.sum()
    assert ends == 5
    before = batch.games.tobytes()
    batch.step(np.zeros(5, dtype=int))
    assert batch.games.tobytes() == before
    assert not batch.masks.any()
    assert not batch.dones.any()


def test_arrays_are_written_in_place():
    batch = started(6)
    arrays = [batch.observations, batch.masks, batch.seats, batch.rewards, batch.dones]
    places = [array.ctypes.data for array in arrays]
    for _ in range(10):
        batch.step(batch.draw())
    after = [batch.observations, batch.masks, batch.seats, batch.rewards, batch.dones]
    assert all(one is other for one, other in zip(arrays, after, strict=True))
    assert [array.ctypes.data for array in after] == places


def test_without_observations_the_games_are_the_same():
    one, two = started(9, seed=4), started(9, seed=4, observe=False)
    for _ in range(300):
        one.step(one.draw()), two.step(two.draw())
    assert one.games.tobytes() == two.games.tobytes()
    assert (one.masks == two.masks).all()


def test_rows_waiting_for_an_agent():
    batch = started(20, players=4, seed=1)
    agent_of = np.tile([0, 1, 0, 1, 0, 0], (20, 1))
    for _ in range(50):
        batch.step(batch.draw())
    assert batch.waiting_for(1, agent_of).tolist() == [row for row in range(20) if batch.seats[row] % 2]


def test_keys_depend_on_the_games_decision_alone():
    one, two = started(4, seed=1), started(4, seed=1)
    keys, keys_too = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    one.keys(5, keys), two.keys(5, keys_too)
    assert keys.tolist() == keys_too.tolist()
    one.step(one.draw())
    one.keys(5, keys_too)
    assert not (keys == keys_too).any()


def test_snapshot_puts_a_game_into_another_row_and_batch():
    batch = started(3, seed=6)
    for _ in range(40):
        batch.step(batch.draw())
    other = started(2, seed=99)
    other.restore(1, batch.snapshot(2))
    assert (other.observations[1] == batch.observations[2]).all()
    assert (other.masks[1] == batch.masks[2]).all()
    assert other.seats[1] == batch.seats[2]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])  # noqa: S301
def test_copy_goes_on_exactly_like_the_original(copied):
    batch = started(5, players=(3, 4), seed=8)
    for _ in range(200):
        batch.step(batch.draw())
    other = copied(batch)
    for _ in range(400):
        batch.step(batch.draw()), other.step(other.draw())
        assert (batch.observations == other.observations).all()
        assert (batch.rewards == other.rewards).all()
    assert (batch.ids == other.ids).all()


STORY = """
import hashlib
from byzanz_env import Batch
batch = Batch(3, players=(3, 4, 5, 6), seed=1, reward={"outcome": 1, "margin": 0.5})
batch.reset()
total = hashlib.sha256()
for _ in range(250):
    batch.step(batch.draw())
    total.update(batch.observations.tobytes() + batch.masks.tobytes() + batch.rewards.round(9).tobytes())
print(total.hexdigest())
"""


def test_same_games_with_the_compiler_off_and_another_hash_seed():
    outputs = set()
    for compiler_off, hash_seed in (("0", "0"), ("1", "1")):
        env = {**os.environ, "NUMBA_DISABLE_JIT": compiler_off, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", STORY], env=env, capture_output=True, text=True, check=False
        )
        outputs.add(run.stdout or run.stderr)
    assert len(outputs) == 1, outputs


def test_train_eval_and_arena_seeds_give_disjoint_deals():
    seeds = {}
    for purpose in ("train", "eval", "arena"):
        stream = seed_stream(purpose, 0)
        seeds[purpose] = {int(seed_at(*stream, index)) for index in range(20_000)}
    assert not seeds["train"] & seeds["eval"]
    assert not seeds["train"] & seeds["arena"]
    assert not seeds["eval"] & seeds["arena"]


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((0,), "the number of games must be a whole number from 1 up, not 0"),
        ((2.5,), "the number of games must be a whole number from 1 up, not 2.5"),
        ((4, 7), "for 3 to 6 players, not 7"),
        ((4, (3, 8)), "for 3 to 6 players, not 8"),
        ((4, ()), "the numbers of players to draw from are missing"),
        ((4, 4, "seven"), "a seed must be a whole number from 0 up, not 'seven'"),
        ((4, 4, -1), "a seed must be a whole number from 0 up, not -1"),
    ],
)
def test_bad_batches_are_refused(args, sentence):
    with pytest.raises(ByzanzError, match=re.escape(sentence)):
        Batch(*args)


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (np.zeros(3, dtype=int), "actions must have the shape (4,), not (3,)"),
        (np.zeros((4, 1), dtype=int), "actions must have the shape (4,), not (4, 1)"),
        (np.zeros(4), "actions must be whole numbers, not float64"),
        (["pass"] * 4, "actions must be whole numbers, not <U4"),
        (np.array([0, 0, 309, 0]), "row 2, game 2: player_0 cannot play action 309"),
        (np.array([0, -1, 0, 0]), "row 1, game 1: player_0 cannot play action -1"),
        (np.array([0, 0, 0, ACTION_OF["pick wine"]]), "row 3, game 3: player_0 cannot pick wine: in the phase BID"),
    ],
)
def test_bad_actions_are_refused_and_the_batch_is_unchanged(actions, sentence):
    batch = started(4, seed=1)
    before = pickle.dumps(batch)
    with pytest.raises((ByzanzError, IllegalActionError), match=re.escape(sentence)):
        batch.step(actions)
    assert pickle.dumps(batch) == before


def test_stepping_before_reset_is_refused():
    with pytest.raises(OutOfOrderError, match="call reset first"):
        Batch(2).step(np.zeros(2, dtype=int))


def test_bad_seeds_rows_and_snapshots_are_refused():
    batch = started(2)
    with pytest.raises(ByzanzError, match="3 seeds for 2 games"):
        batch.reset(seeds=[1, 2, 3])
    with pytest.raises(ByzanzError, match="a game's seed must be"):
        batch.reset(seeds=[1, -2])
    with pytest.raises(ByzanzError, match="there is no row 2 in a batch of 2 games"):
        batch.snapshot(2)
    with pytest.raises(ByzanzError, match="not a snapshot"):
        batch.restore(0, b"game")


def test_all_actions_fit():
    assert started(1).masks.shape[1] == NUM_ACTIONS
