"""The Gymnasium doors, by Gymnasium's and stable-baselines3's own checkers."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from test_seats import Passer

from byzanz_env import ByzanzError, IllegalActionError, OutOfOrderError, byzanz_v0
from byzanz_env.gymnasium_env import ByzanzEnv, ByzanzVectorEnv

MODES = pytest.mark.skipif(
    not hasattr(gymnasium.vector, "AutoresetMode"), reason="this Gymnasium has one autoreset mode, without a name"
)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_gymnasium_check_env(players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("byzanz/Byzanz-v0", num_players=players).unwrapped)


def test_stable_baselines3_check_env():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(ByzanzEnv(num_players=(3, 4, 5, 6)))


def test_reset_with_a_seed_deals_the_game_of_the_pettingzoo_door():
    door = byzanz_v0.env()
    for seed in range(5):
        door.reset(seed=seed)
        env = ByzanzEnv(seat=0)
        observation, info = env.reset(seed=seed)
        seen = door.observe("player_0")
        assert (observation == seen["observation"]).all()
        assert (info["action_mask"] == seen["action_mask"]).all()


def test_whole_games_with_masks():
    env = gymnasium.make("byzanz/Byzanz-v0", opponents="random", num_players=(3, 4, 5, 6), skip_forced=True)
    rng = np.random.default_rng(0)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        terminated, total = False, 0.0
        while not terminated:
            assert (env.get_wrapper_attr("action_masks")() == info["action_mask"].astype(bool)).all()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, terminated, truncated, info = env.step(action)
            assert not truncated
            total += reward
        assert -0.5 <= total <= 1
        assert np.flatnonzero(info["action_mask"]).tolist() == [0]


def test_reset_without_a_seed_goes_on_with_the_doors_own_sequence():
    one, two = ByzanzEnv(), ByzanzEnv()
    one.reset(seed=5), two.reset(seed=5)
    for _ in range(4):
        assert (one.reset()[0] == two.reset()[0]).all()


def test_render_shows_what_the_learner_sees():
    env = ByzanzEnv(render_mode="ansi", seat=2)
    env.reset(seed=1)
    assert "hand of player_2" in env.render()


@MODES
def test_make_vec_gives_the_native_vector_environment():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("byzanz/Byzanz-v0", num_envs=32, num_players=(3, 4, 5, 6))
    assert isinstance(envs.unwrapped, ByzanzVectorEnv)
    assert isinstance(envs.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == (32, 309)
    assert infos["_action_mask"].all()


@MODES
def test_vector_environment_agrees_with_gymnasiums_own_over_single_environments():
    """Games dealt by the same seeds, with opponents that need no chance: step for step what SyncVectorEnv returns."""
    seeds = list(range(30, 34))
    ours = ByzanzVectorEnv(4, Passer(), seat=1)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: ByzanzEnv(Passer(), seat=1) for _ in range(4)])
    (seen, infos), (seen_too, infos_too) = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    rng, running = np.random.default_rng(1), np.ones(4, dtype=bool)
    while running.any():
        assert (seen == seen_too)[running].all()
        assert (infos["action_mask"] == infos_too["action_mask"])[running].all()
        actions = np.argmax(infos["action_mask"] * rng.random((4, 309)), axis=1)
        seen, rewards, terminations, _, infos = ours.step(actions)
        actions[~running] = 0
        seen_too, rewards_too, terminations_too, _, infos_too = theirs.step(actions)
        assert (rewards == rewards_too)[running].all()
        assert (terminations == terminations_too)[running].all()
        running &= ~terminations


def test_what_the_vector_door_returns_is_never_written_to_again():
    envs = ByzanzVectorEnv(4)
    observations, infos = envs.reset(seed=1)
    kept = [(observations, observations.copy()), (infos["action_mask"], infos["action_mask"].copy())]
    for _ in range(200):
        masks = infos["action_mask"]
        actions = np.argmax(masks * np.random.default_rng(1).random(masks.shape), axis=1)
        observations, rewards, terminations, _, infos = envs.step(actions)
        kept += [(array, array.copy()) for array in (observations, rewards, terminations, infos["action_mask"])]
    assert all((array == copy).all() for array, copy in kept)


def test_bad_input_gets_a_sentence():
    env = ByzanzEnv(illegal="raise")
    with pytest.raises(OutOfOrderError, match="call reset first"):
        env.step(0)
    with pytest.raises(ByzanzError, match="a game's seed must be"):
        env.reset(seed=-1)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="player_0 cannot play 'pass'"):
        env.step("pass")
    with pytest.raises(IllegalActionError, match="player_0 cannot play action 309"):
        env.step(309)
    with pytest.raises(ByzanzError, match="illegal must be one of terminate, raise"):
        ByzanzEnv(illegal="ignore")
    with pytest.raises(ByzanzError, match="there is no render mode 'rgb_array'"):
        ByzanzEnv(render_mode="rgb_array")
    with pytest.raises(ByzanzError, match="the number of games must be"):
        ByzanzVectorEnv(0)
    env = ByzanzEnv()
    env.reset(seed=1)
    assert env.step(308)[2]
    with pytest.raises(OutOfOrderError, match="the game is over: call reset first"):
        env.step(0)
