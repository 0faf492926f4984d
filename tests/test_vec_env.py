"""The stable-baselines3 door: what MaskablePPO collects is what the records of the games say."""

import itertools

import numpy as np
import pytest
from test_seats import decisions_of, payoff

pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

from byzanz_train.vec_env import ByzanzVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from byzanz_env import ByzanzError, OutOfOrderError, byzanz_v0


def test_masks_are_handed_over_as_one_array():
    env = ByzanzVecEnv(5)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    assert (masks == env.table.masks.astype(bool)).all()
    assert env.env_method("action_masks", indices=[1, 3]).shape == (2, 309)


@pytest.mark.parametrize("players", [3, (4, 5, 6)])
def test_rollout_of_maskable_ppo_equals_the_records(players):
    """Every (observation, mask, action, reward) in the buffer is that of the learner's seat in the game's record."""
    env = ByzanzVecEnv(6, num_players=players, records=True, reward="outcome", seed=3)
    model = MaskablePPO("MlpPolicy", env, n_steps=120, batch_size=64, n_epochs=1, gamma=1.0, seed=1, device="cpu")
    model.learn(6 * 120)
    buffer = model.rollout_buffer
    # the buffer has been flattened for training: row by row, each row's steps in order
    observations = buffer.observations.reshape(6, 120, -1).astype(np.int8)
    masks = buffer.action_masks.reshape(6, 120, -1).astype(np.int8)
    actions = buffer.actions.reshape(6, 120).astype(int)
    rewards = buffer.rewards  # never flattened: [steps, rows]
    records = {}
    for record in env.table.finished:
        seat = record.agents.index("learner")
        decisions, _ = decisions_of(record, seat, skip_forced=True)
        records[decisions[0][0]] = (decisions, payoff(record, seat))
    starts, compared = buffer.episode_starts, 0
    for row in range(6):
        begins = [*np.flatnonzero(starts[:, row]), None]
        for begin, end in itertools.pairwise(begins):
            if end is None:
                continue  # the last game of a row is not over yet
            decisions, worth = records[observations[row, begin].tobytes()]
            assert end - begin == len(decisions)
            for step, (seen, mask, action) in zip(range(begin, end), decisions, strict=True):
                assert observations[row, step].tobytes() == seen
                assert masks[row, step].tobytes() == mask
                assert actions[row, step] == action
                assert rewards[step, row] == pytest.approx(worth if step == end - 1 else 0)
                compared += 1
    assert compared > 300


def test_monitor_around_the_games_keeps_masks_and_tells_rewards():
    env = VecMonitor(ByzanzVecEnv(16, num_players=(3, 4, 5, 6)))
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=80, batch_size=256, n_epochs=1, gamma=1.0, device="cpu")
    model.learn(16 * 80)
    assert len(model.ep_info_buffer) > 3
    assert all(-0.5 <= episode["r"] <= 1 for episode in model.ep_info_buffer)


def test_terminal_observation_is_the_learners_own():
    env = ByzanzVecEnv(8, records=True, seed=2)
    env.reset()
    rng, ends = np.random.default_rng(0), 0
    while ends < 20:
        masks = env.action_masks()
        known = len(env.table.finished)
        _, _, dones, infos = env.step(np.argmax(masks * rng.random(masks.shape), axis=1))
        lasts = {decisions_of(r, r.agents.index("learner"), skip_forced=True)[1] for r in env.table.finished[known:]}
        for row in np.flatnonzero(dones):
            assert infos[row]["terminal_observation"].tobytes() in lasts
            ends += 1
        assert all(info == {} for row, info in enumerate(infos) if not dones[row])


def test_games_are_those_of_the_pettingzoo_door():
    env = ByzanzVecEnv(4, seat=0, skip_forced=False, seed=7)
    observations = env.reset()
    for row in range(4):
        door = byzanz_v0.env()
        door.reset(seed=int(env.table.seeds[row]))
        assert (door.observe("player_0")["observation"] == observations[row]).all()


def test_what_is_returned_is_never_written_to_again():
    env = ByzanzVecEnv(4)
    observations = env.reset()
    kept = [(observations, observations.copy())]
    for _ in range(100):
        masks = env.action_masks()
        observations, rewards, dones, _ = env.step(np.argmax(masks, axis=1))
        kept += [(array, array.copy()) for array in (masks, observations, rewards, dones)]
    assert all((array == copy).all() for array, copy in kept)


def test_bad_input_gets_a_sentence():
    with pytest.raises(ByzanzError, match="the number of games must be"):
        ByzanzVecEnv(0)
    env = ByzanzVecEnv(2)
    with pytest.raises(OutOfOrderError, match="call reset first"):
        env.step(np.zeros(2, dtype=int))
    with pytest.raises(ByzanzError, match="a seed must be a whole number"):
        env.seed(-1)
    env.reset()
    with pytest.raises(ByzanzError, match=r"actions must have the shape \(2,\)"):
        env.step(np.zeros(3, dtype=int))
    with pytest.raises(ByzanzError, match="row 0, game 0: player_0 cannot discard merchant"):
        env.step(np.full(2, 308))
