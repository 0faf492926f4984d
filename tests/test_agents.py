"""Finding agents and playing with them."""

import re

import numpy as np
import pytest

from byzanz_env import AgentError, ByzanzError, Seats, play, play_many
from byzanz_env.agent import agent_name, make_agent, parse_spec
from byzanz_env.playing import agents_for

BOT = """
import numpy as np

class Lowest:
    def __init__(self, skip=0):
        self.skip = skip

    def act(self, observations, masks, games, keys):
        return np.argmax(masks, axis=1)

class Silent:
    pass
"""


@pytest.fixture
def bot_file(tmp_path):
    path = tmp_path / "bots.py"
    path.write_text(BOT)
    return path


class Lowest:
    """A bot of the tests: the lowest legal action."""

    def __init__(self):
        self.told = []

    def act(self, observations, masks, games, keys):
        self.told.append(len(masks))
        return np.argmax(masks, axis=1)


# ------------------------------------------------------------------------------------- specs


@pytest.mark.parametrize(
    ("text", "alias", "target", "options"),
    [
        ("random", "random", "random", {}),
        ("bob=random", "bob", "random", {}),
        ("search?playouts=64&depth=0.5&fast=true&way=flat", None, "search",
         {"playouts": 64, "depth": 0.5, "fast": True, "way": "flat"}),
        ("path/to/file.py:Bot?x=1", "path/to/file.py:Bot?x=1", "path/to/file.py:Bot", {"x": 1}),
        ("eve=cmd:python bot.py --deep=3?", "eve", "cmd", {"command": "python bot.py --deep=3?"}),
    ],
)  # fmt: skip
def test_specs_are_read(text, alias, target, options):
    assert parse_spec(text) == (alias or text, target, options)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("randm", "there is no agent 'randm'; did you mean random?"),
        ("xyz", "there is no agent 'xyz'; known are"),
        ("", "is not an agent"),
        ("?x=1", "the name is missing"),
        ("random?fast", "'fast' in 'random?fast' is not an option: write key=value"),
        ("random?speed=1", "the agent 'random' cannot be made with these options"),
        ("nowhere.py:Bot", "there is no file nowhere.py"),
        ("cmd:", "names no command line"),
        (3, "3 is not an agent: it has no method act"),
    ],
)
def test_what_is_no_agent_is_refused_with_a_sentence(spec, sentence):
    with pytest.raises(AgentError, match=re.escape(sentence)):
        make_agent(spec)


def test_agent_from_a_file(bot_file):
    record = play([f"low={bot_file}:Lowest?skip=1", "random", "random"], seed=1)
    assert record.agents == ["low", "random", "random"]


@pytest.mark.parametrize(
    ("name", "sentence"), [("Nobody", "has no class 'Nobody'"), ("Silent", "what it makes has no method act")]
)
def test_agent_missing_from_a_file(bot_file, name, sentence):
    with pytest.raises(AgentError, match=sentence):
        make_agent(f"{bot_file}:{name}")


def test_file_that_does_not_import(tmp_path):
    (tmp_path / "broken.py").write_text("import nothing_of_the_sort")
    with pytest.raises(AgentError, match="does not import: ModuleNotFoundError"):
        make_agent(f"{tmp_path}/broken.py:Bot")


def test_names_of_agents():
    assert agent_name("bob=random") == "bob"
    assert agent_name(Lowest()) == "Lowest"
    assert agent_name(make_agent("random")) == "random"


# ------------------------------------------------------------------------------------- playing


def test_play_is_one_line_and_the_same_every_time():
    one, two = (play(["random", Lowest(), "random"], seed=1) for _ in range(2))
    assert one == two
    assert one.agents == ["random", "Lowest", "random"]
    assert one != play(["random", Lowest(), "random"], seed=2)


def test_game_of_a_run_does_not_depend_on_the_games_beside_it():
    many = list(play_many(["random"] * 4, 300, seed=5))
    assert many[:3] == list(play_many(["random"] * 4, 3, seed=5))
    assert len({game.to_json() for game in many}) == 300


def test_agents_chance_can_be_apart_from_the_deal():
    one, two = (play(["random"] * 3, seed=1, agent_seed=seed) for seed in (5, 6))
    assert one.deal == two.deal
    assert one.moves != two.moves


def test_agent_is_asked_once_per_tick_for_all_its_games():
    bot = Lowest()
    games = list(play_many([bot, bot, bot], 20, seed=1))
    assert max(bot.told) == 20
    assert len(bot.told) == max(len(game.moves) for game in games)


class Wrong:
    def __init__(self, answer):
        self.answer = answer

    def act(self, observations, masks, games, keys):
        return self.answer(len(masks))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda n: np.zeros(n + 1, dtype=int), "must answer with 1 whole numbers, not with int64 of (2,)"),
        (lambda n: np.zeros(n), "must answer with 1 whole numbers, not with float64"),
        (lambda n: None, "must answer with 1 whole numbers"),
        (lambda n: np.full(n, 308), "the agent 'Wrong' chose 'discard merchant' in game 0, which is not legal there"),
        (lambda n: np.full(n, -1), "the agent 'Wrong' chose 'action -1' in game 0"),
    ],
)
def test_wrong_answer_names_agent_game_and_action(answer, sentence):
    with pytest.raises(AgentError, match=re.escape(sentence)):
        play([Wrong(answer), "random", "random"], seed=1)


def test_optional_methods_are_called():
    calls = []

    class Polite(Lowest):
        def begin(self, games):
            calls.append(("begin", games.tolist()))

        def end(self, games, results):
            calls.append(("end", games.tolist(), len(results[0]["profits"])))

    play([Polite(), "random", "random"], seed=1)
    assert calls == [("begin", [0]), ("end", [0], 3)]


def test_agents_for_one_spec_or_one_per_seat():
    assert agents_for(["random"], 4) == ["random"] * 4
    assert agents_for(["a,b", "c"], 3) == ["a", "b", "c"]
    with pytest.raises(ByzanzError, match="2 agents for 4 seats"):
        agents_for(["a", "b"], 4)


@pytest.mark.parametrize("count", [0, 2, 7])
def test_wrong_number_of_players(count):
    with pytest.raises(ByzanzError, match="3 to 6 players"):
        play(["random"] * count)


class Forger:
    """Allows itself everything by writing into its mask."""

    def act(self, observations, masks, games, keys):
        masks[:] = 1
        return np.full(len(masks), 28)


def test_agent_that_writes_into_its_mask_gains_nothing():
    with pytest.raises(AgentError, match="the agent 'Forger' chose 'bid 28' in game 0"):
        play([Forger(), "random", "random"], seed=1)
    with pytest.raises(AgentError, match="the agent 'Forger' chose 'bid 28' in game"):
        Seats(4, Forger()).restart(np.arange(4))


def test_agent_file_may_have_helpers_beside_it_and_dataclasses(tmp_path):
    (tmp_path / "helper_of_bot.py").write_text("FIRST = 0\n")
    (tmp_path / "bot.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nimport numpy as np\n"
        "from helper_of_bot import FIRST\n\n@dataclass\nclass Mine:\n    depth: int = FIRST\n\n"
        "    def act(self, observations, masks, games, keys):\n        return np.argmax(masks, axis=1)\n"
    )
    assert play([f"{tmp_path}/bot.py:Mine?depth=2", "random", "random"], seed=1).agents[1] == "random"


@pytest.mark.parametrize(
    ("agents", "sentence"),
    [
        (None, "the agents are given as a list"),
        ("random", "the agents are given as a list"),
        ([Lowest, "random", "random"], "Lowest is a class, not an agent: make one with Lowest()"),
        (["cmd:bot", "random", "random"], "programs outside Python (cmd:) cannot play yet"),
        ([Wrong(lambda n: [[1], [1, 2]]), "random", "random"], "must answer with 1 whole numbers"),
    ],
)
def test_what_cannot_be_seated_is_refused(agents, sentence):
    with pytest.raises(ByzanzError, match=re.escape(sentence)):
        play(agents)


def test_seed_may_be_a_numpy_number():
    assert play(["random"] * 3, seed=np.int64(4)).to_json() == play(["random"] * 3, seed=4).to_json()
