"""PettingZoo's own tests for every number of players, and what our door promises beyond them."""

import copy
import pickle
import re
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from byzanz_env import ByzanzError, IllegalActionError, OutOfOrderError, byzanz_v0, manual
from byzanz_env.actions import ACTION_OF
from byzanz_env.full_state import FULL_WIDTH
from byzanz_env.observation import WIDTH

PLAYERS = (3, 4, 5, 6)
players = pytest.mark.parametrize("players", PLAYERS)


def random_actions(env, seed=0):
    """A policy that draws from the mask."""
    rng = np.random.default_rng(seed)

    def choose():
        observation, _, termination, truncation, _ = env.last()
        return None if termination or truncation else int(rng.choice(np.flatnonzero(observation["action_mask"])))

    return choose


def play_to_the_end(env, seed=0):
    choose = random_actions(env, seed)
    while not all(env.terminations.values()):
        env.step(choose())


# ------------------------------------------------------------------------------------- PettingZoo's tests


@players
def test_pettingzoo_api_test(players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # PettingZoo lists by name the games that may have dictionaries as observations, and warns for all others;
        # the same for the zero mask that a finished seat has.
        for known in (
            "Observation is not a NumPy array",
            "Observation space for each agent",
            "Action mask numpy array",
        ):
            warnings.filterwarnings("ignore", message=known)
        api_test(byzanz_v0.env(num_players=players))


@players
def test_pettingzoo_seed_test(players):
    seed_test(lambda: byzanz_v0.env(num_players=players))


@players
def test_pettingzoo_render_test(players, capsys):
    render_test(lambda render_mode: byzanz_v0.env(num_players=players, render_mode=render_mode))
    assert "player_0" in capsys.readouterr().out


@players
def test_pettingzoo_state_test(players):
    def env():
        return byzanz_v0.env(num_players=players, illegal="terminate")

    state_test(env(), turn_based_aec_to_parallel(env()))


@players
def test_pettingzoo_parallel_tests_on_the_converted_environment(players):
    def env():
        return turn_based_aec_to_parallel(byzanz_v0.env(num_players=players, illegal="terminate"))

    parallel_api_test(env())
    parallel_seed_test(env)


def test_pettingzoo_performance_benchmark(capsys):
    performance_benchmark(byzanz_v0.env())
    assert "Finished performance benchmark" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
def test_registry_makes_the_environment():
    env = pettingzoo.make("aec", "byzanz/byzanz-v0", num_players=5)
    env.reset(seed=1)
    assert env.num_agents == 5


# ------------------------------------------------------------------------------------- the manual


@pytest.mark.parametrize("table", ["observation_table", "seat_table", "action_table"])
def test_manual_shows_the_tables_of_the_code(table):
    assert getattr(manual, table)() in byzanz_v0.__doc__


def test_manual_facts_agree_with_the_code():
    facts = dict(re.findall(r"^\| (\w[\w ]*) \| (.*) \|$", byzanz_v0.__doc__, flags=re.MULTILINE))
    env = byzanz_v0.env()
    assert facts["Actions"] == f"Discrete({env.action_space('player_0').n})"
    assert f"({WIDTH},)" in facts["Observation"]
    assert facts["State"] == f"int8 ({FULL_WIDTH},)"
    assert facts["Render modes"] == ", ".join(env.metadata["render_modes"])
    assert facts["Players"] == "3, 4, 5 or 6"
    assert env.metadata["is_parallelizable"] is False


# ------------------------------------------------------------------------------------- rewards and ends


def returns(env, seed):
    """What `last()` adds up to for every seat over a game."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    choose = random_actions(env, seed)
    for agent in env.agent_iter():
        totals[agent] += env.last(observe=False)[1]
        env.step(choose())
    return list(totals.values())


@players
def test_last_sums_up_to_the_payoff_of_every_seat(players):
    for seed in range(5):
        env = byzanz_v0.env(num_players=players, reward={"outcome": 1, "profit": 0.5, "margin": 0.1})
        totals = returns(env, seed)
        profits = env._games["profit"][0][:players].astype(float)
        others = (profits.sum() - profits) / (players - 1)
        outcome = np.array(returns(byzanz_v0.env(num_players=players), seed))
        assert outcome.sum() == pytest.approx(0)
        assert totals == pytest.approx(outcome + 0.5 * profits + 0.1 * (profits - others))


def test_profit_is_paid_at_the_sale_and_only_to_the_seller():
    env = byzanz_v0.env(num_players=3, reward="profit")
    for seed in range(100):
        env.reset(seed=seed)
        sales = np.flatnonzero(env.last()[0]["action_mask"][85:284])
        if len(sales):
            env.step(85 + int(sales[0]))
            assert env.agent_selection == "player_0"
            assert env.rewards["player_0"] >= 1
            assert env.last()[1] == env.rewards["player_0"]
            assert env.rewards["player_1"] == env.rewards["player_2"] == 0
            return
    pytest.fail("no deal lets the first player sell")


def test_rewards_are_cleared_at_the_next_step():
    env = byzanz_v0.env(num_players=3, reward="profit")
    env.reset(seed=5)
    choose = random_actions(env)
    paid_before = False
    for _ in range(100):
        env.step(action := choose())
        paid = any(env.rewards.values())
        assert paid == (85 <= action < 284)
        paid_before |= paid
    assert paid_before


@pytest.mark.parametrize("reward", ["outcome", "margin", "profit", {"outcome": 1, "margin": -2}])
def test_illegal_terminate_ends_the_game_at_the_offenders_cost(reward):
    env = byzanz_v0.env(illegal="terminate", reward=reward)
    env.reset(seed=1)
    env.step(ACTION_OF["discard cloth-1"])
    assert all(env.terminations.values())
    assert env.rewards["player_0"] < min(0, *(env.rewards[f"player_{seat}"] for seat in (1, 2, 3)))
    assert [env.rewards[f"player_{seat}"] for seat in (1, 2, 3)] == [0, 0, 0]
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    assert "the game is over" in env.render_for(0)
    for _ in range(4):
        env.step(None)
    assert env.agents == []


def test_illegal_terminate_makes_the_whole_game_worse_than_any_loss():
    env = byzanz_v0.env(num_players=3, illegal="terminate", reward="profit")
    env.reset(seed=0)
    choose, total = random_actions(env), dict.fromkeys(env.possible_agents, 0.0)
    while max(total.values()) < 5:
        action = choose()
        total[env.agent_selection] += env._cumulative_rewards[env.agent_selection]
        env.step(action)
    rich = env.agent_selection
    total = env._games["profit"][0][env.possible_agents.index(rich)]
    env.step(308)
    assert total + env.rewards[rich] < 0


def test_infos_are_fresh_and_of_each_seat_alone():
    env = byzanz_v0.env()
    env.reset(seed=1)
    first = env.infos
    first["player_0"]["note"] = 1
    assert env.infos["player_1"] == {}
    env.reset(seed=1)
    assert env.infos["player_0"] == {}


def test_observations_handed_out_are_never_written_to_again():
    env = byzanz_v0.env()
    env.reset(seed=1)
    seen = env.last()[0]
    before = {key: value.copy() for key, value in seen.items()}
    play_to_the_end(env)
    assert all((seen[key] == before[key]).all() for key in seen)


@players
def test_any_seat_can_be_observed_at_any_time(players):
    env = byzanz_v0.env(num_players=players)
    env.reset(seed=2)
    choose = random_actions(env)
    while not all(env.terminations.values()):
        for agent in env.agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
        env.step(choose())
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()


# ------------------------------------------------------------------------------------- seeds, deals, copies


def test_reset_without_a_seed_goes_on_with_the_doors_own_sequence():
    one, two = byzanz_v0.env(), byzanz_v0.env()
    one.reset(seed=3), two.reset(seed=3)
    deals = []
    for _ in range(5):
        assert (one.state() == two.state()).all()
        deals.append(one.state().tobytes())
        play_to_the_end(one)  # how the games went does not matter for the next deal
        one.reset(), two.reset()
    assert len(set(deals)) == 5


def test_settings_survive_a_seeded_reset():
    env = byzanz_v0.env(num_players=5, reward="margin", illegal="terminate")
    env.reset(seed=9)
    assert (env.num_players, env.illegal, env._weights.tolist()) == (5, "terminate", [0, 1, 0])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_copy_goes_on_exactly_like_the_original(copied):
    env = byzanz_v0.env(reward={"outcome": 1, "profit": 1}, render_mode="ansi")
    env.reset(seed=4)
    choose = random_actions(env)
    for _ in range(60):
        env.step(choose())
    other = copied(env)
    assert other._games.dtype is env._games.dtype  # an equal second dtype would be slow
    rng = np.random.default_rng(1)
    for _ in range(3):
        while env.agents:
            (seen, *rest), (seen_too, *rest_too) = env.last(), other.last()
            assert rest == rest_too
            assert env.agent_selection == other.agent_selection
            assert all((seen[key] == seen_too[key]).all() for key in seen)
            assert env.render() == other.render()
            legal = np.flatnonzero(seen["action_mask"])
            action = int(rng.choice(legal)) if len(legal) else None
            env.step(action), other.step(action)
        env.reset(), other.reset()


def test_copy_is_independent():
    env = byzanz_v0.env()
    env.reset(seed=4)
    before = env.state().tobytes()
    play_to_the_end(copy.deepcopy(env))
    assert env.state().tobytes() == before


def test_spaces_are_made_per_instance_and_alike_for_all_seats():
    one, two = byzanz_v0.env(), byzanz_v0.env()
    assert one.observation_space("player_0") is one.observation_space("player_0")
    assert one.observation_space("player_0") == one.observation_space("player_3")
    assert one.action_space("player_0") is not two.action_space("player_0")


# ------------------------------------------------------------------------------------- rendering


def test_render_shows_whose_turn_bundle_market_and_the_hand_of_the_seat_on_turn_only():
    env = byzanz_v0.env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "player_0 to act" in text
    assert "on sale  bidder card 5" in text
    assert "market   empty" in text
    assert text.count("hand of") == 1
    assert "hand of player_0" in text


def test_render_for_shows_the_seats_own_hand_and_its_actions_only_on_its_turn():
    env = byzanz_v0.env()
    env.reset(seed=1)
    assert "hand of player_2" in env.render_for("player_2")
    assert "may:" not in env.render_for(2)
    assert "may:" in env.render_for(0)


def test_render_after_the_end_shows_no_hand():
    env = byzanz_v0.env(render_mode="ansi")
    env.reset(seed=1)
    play_to_the_end(env)
    assert "the game is over" in env.render()
    assert "hand of" not in env.render()


def test_render_without_a_mode_warns():
    env = byzanz_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"num_players": 2}, "for 3 to 6 players, not 2"),
        ({"num_players": 7}, "for 3 to 6 players, not 7"),
        ({"num_players": "4"}, "for 3 to 6 players, not '4'"),
        ({"num_players": 4.0}, "for 3 to 6 players, not 4.0"),
        ({"reward": "points"}, "there is no reward 'points'"),
        ({"reward": {"outcome": "much"}}, "the weight of the reward 'outcome'"),
        ({"reward": {"outcome": float("nan")}}, "the weight of the reward 'outcome'"),
        ({"reward": None}, "a reward is one of outcome, margin, profit"),
        ({"illegal": "ignore"}, "illegal must be one of raise, terminate"),
        ({"render_mode": "rgb_array"}, "there is no render mode 'rgb_array'"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(ByzanzError, match=re.escape(sentence)):
        byzanz_v0.env(**options)


@pytest.mark.parametrize("seed", [-1, 2**53, 1.5, "seven", True])
def test_bad_seeds_are_refused_and_the_game_goes_on(seed):
    env = byzanz_v0.env()
    env.reset(seed=1)
    before = env.state().tobytes()
    with pytest.raises(ByzanzError, match="a game's seed must be a whole number"):
        env.reset(seed=seed)
    assert env.state().tobytes() == before


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (ACTION_OF["bid 28"], "player_0 cannot bid 28: its hand has no goods cards worth exactly 28"),
        (ACTION_OF["pay cloth-1"], "player_0 cannot pay cloth-1: in the phase BID the seat is asked to bid or pass"),
        (ACTION_OF["sell wood 4+4+3"], "player_0 cannot sell wood 4+4+3: its hand does not hold these cards"),
        (309, "player_0 cannot play action 309: the actions are numbered 0 to 308"),
        (-1, "player_0 cannot play action -1"),
        (10**30, "player_0 cannot play action 1000000000000000000000000000000"),
        ("pass", "player_0 cannot play 'pass': an action is a whole number from 0 to 308"),
        (1.0, "player_0 cannot play 1.0: an action is a whole number"),
        (None, "player_0 cannot play None: an action is a whole number"),
        (True, "player_0 cannot play True: an action is a whole number"),
    ],
)
def test_illegal_action_raises_one_sentence_and_changes_nothing(action, sentence):
    env = byzanz_v0.env()
    env.reset(seed=1)
    before = pickle.dumps(env)
    with pytest.raises(IllegalActionError, match=re.escape(sentence)):
        env.step(action)
    assert pickle.dumps(env) == before


def test_every_illegal_action_has_its_reason():
    """At every 50th decision all illegal actions are tried: each is refused with a sentence and changes nothing."""
    tried = 0
    for players in PLAYERS:
        env = byzanz_v0.env(num_players=players)
        env.reset(seed=players)
        choose = random_actions(env)
        for number in range(10_000):
            if all(env.terminations.values()):
                break
            if number % 50 == 0:
                before = env.state().tobytes()
                for action in np.flatnonzero(env.last()[0]["action_mask"] == 0):
                    with pytest.raises(IllegalActionError, match=f"^{env.agent_selection} cannot .*: .+"):
                        env.step(action)
                    tried += 1
                assert env.state().tobytes() == before
            env.step(choose())
    assert tried > 5000


def test_before_reset_and_after_the_end_there_is_a_sentence():
    env = byzanz_v0.env()
    for call in (lambda: env.step(0), env.last, env.state, lambda: env.observe("player_0"), lambda: env.render_for(0)):
        with pytest.raises(OutOfOrderError, match="call reset first"):
            call()
    env.reset(seed=1)
    play_to_the_end(env)
    with pytest.raises(OutOfOrderError, match="the game is over"):
        env.step(0)
    for _ in range(4):
        env.step(None)
    with pytest.raises(OutOfOrderError, match="call reset first"):
        env.step(0)


def test_unknown_seat_is_refused():
    env = byzanz_v0.env(num_players=3)
    env.reset(seed=1)
    with pytest.raises(ByzanzError, match="there is no seat 'player_3' at this table"):
        env.observe("player_3")
