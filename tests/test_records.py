"""Records: what is written can be read, replayed and believed; what was touched is found out."""

import json
import re

import pytest

from byzanz_env import ByzanzError, DealError, Record, RecordError, byzanz_v0, play, play_many, replay, verify
from byzanz_env.actions import ACTION_OF
from byzanz_env.records import read_records, write_records


@pytest.fixture(scope="module")
def game() -> Record:
    return play(["random"] * 4, seed=7, legal=True)


def edited(game: Record, changes) -> Record:
    """The record after somebody has written into its line."""
    fields = {**json.loads(game.to_json()), **changes}
    return Record.from_json(json.dumps(fields))


def test_record_goes_through_json_unchanged(game):
    assert Record.from_json(game.to_json()) == game


def test_record_has_the_agreed_fields_in_the_agreed_order(game):
    fields = list(json.loads(game.to_json()))
    assert fields == [
        "format", "players", "seed", "agents", "hands", "removed", "stock", "moves", "legal", "profits", "goods_left",
        "winners",
    ]  # fmt: skip


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_recorded_games_verify(players):
    for record in play_many(["random"] * players, 5, seed=players, legal=True):
        verify(record)


def test_record_replays_on_the_pettingzoo_door_from_its_seed(game):
    env = byzanz_v0.env()
    env.reset(seed=game.seed)
    for seat, name in game.moves:
        assert env.agent_selection == f"player_{seat}"
        env.step(ACTION_OF[name])
    assert all(env.terminations.values())
    assert [env.rewards[f"player_{seat}"] > 0 for seat in range(4)] == [seat in game.winners for seat in range(4)]


def test_record_replays_on_the_pettingzoo_door_from_its_deal(game):
    env = byzanz_v0.env()
    env.reset(options={"deal": game.deal._asdict(), "colour": "blue"})
    for _, name in game.moves:
        env.step(ACTION_OF[name])
    assert all(env.terminations.values())


def test_game_of_a_given_deal_has_no_seed(game):
    other = play(["random"] * 4, seed=1, deal=game.deal)
    assert other.seed is None
    assert other.hands == game.hands
    verify(other)


def test_replay_gives_every_position(game):
    positions = list(replay(game))
    assert [p.number for p in positions] == list(range(len(game.moves) + 1))
    assert positions[-1].move is None
    assert len({position.observation.tobytes() for position in positions}) > 100  # each keeps its own arrays


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda g: {"profits": [99, *g.profits[1:]]}, "at the end: profits are"),
        (lambda g: {"winners": [0, 1, 2, 3]}, "at the end: winners are"),
        (lambda g: {"goods_left": [9, 9, 9, 9]}, "at the end: goods_left are"),
        (lambda g: {"moves": [[1, g.moves[0][1]], *g.moves[1:]]}, "move 1: player_1 is to"),
        (lambda g: {"moves": [[0, "bid 28"], *g.moves[1:]]}, "move 1: player_0 cannot bid 28: its hand"),
        (lambda g: {"moves": [[0, "bluff"], *g.moves[1:]]}, "move 1: there is no action 'bluff'"),
        (lambda g: {"moves": g.moves[:-1], "legal": g.legal[:-1]}, "the game is not over after its"),
        (lambda g: {"moves": [*g.moves, [0, "pass"]], "legal": [*g.legal, ["pass"]]}, "the game is over, but player_0"),
        (lambda g: {"legal": [["pass"], *g.legal[1:]]}, "move 1: the legal actions are"),
        (lambda g: {"seed": 8}, "the deal is not that of the seed 8"),
        (lambda g: {"removed": g.removed[1:]}, "the deal is not that of the seed"),
        (lambda g: {"removed": g.removed[1:], "seed": None}, "the removed cards must have 12 cards, not 11"),
        (lambda g: {"removed": ["gold-1", *g.removed[1:]], "seed": None}, "there is no card 'gold-1'"),
    ],
)
def test_edited_record_is_found_out(game, change, sentence):
    with pytest.raises(ByzanzError, match=re.escape(sentence)):
        verify(edited(game, change(game)))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "it is not a whole line of JSON"),
        ("[]", "it is not a JSON object"),
        ("{}", "its format is None, not byzanz/1"),
        ('{"format":"byzanz/2"}', "its format byzanz/2 is newer than byzanz/1"),
        ('{"format":"chess/1"}', "its format is 'chess/1'"),
        ('{"format":"byzanz/1"}', "the field 'players' is missing"),
    ],
)
def test_what_is_no_record_is_refused(text, sentence):
    with pytest.raises(RecordError, match=re.escape(sentence)):
        Record.from_json(text)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": 7}, "the number of players is 7"),
        ({"players": "4"}, "the number of players is '4'"),
        ({"seed": -1}, "a game's seed must be"),
        ({"moves": "none"}, "the field 'moves' is not a list"),
        ({"moves": [[0]]}, "move 1 is [0], not a seat and an action's name"),
        ({"legal": []}, "there are 0 legal lists for"),
        ({"profits": [1]}, "the field 'profits' has 1 entries for 4 seats"),
        ({"colour": "blue"}, "there is no field 'colour' in a record"),
    ],
)
def test_misshapen_fields_are_named(game, changes, sentence):
    with pytest.raises(RecordError, match=re.escape(sentence)):
        edited(game, changes)


def test_files_are_read_back(tmp_path):
    games = list(play_many(["random"] * 3, 4, seed=1))
    path = tmp_path / "games.jsonl"
    assert write_records(path, games) == 4
    assert list(read_records(path)) == games


def test_cut_file_is_reported_with_its_game_and_the_games_before_are_read(tmp_path):
    games = list(play_many(["random"] * 3, 3, seed=1))
    path = tmp_path / "games.jsonl"
    write_records(path, games)
    path.write_text(path.read_text()[:-100])
    reader = read_records(path)
    assert [next(reader), next(reader)] == games[:2]
    with pytest.raises(RecordError, match="game 3: the last line was cut off"):
        next(reader)


def test_unreadable_paths_are_named(tmp_path):
    with pytest.raises(RecordError, match=r"nothing\.jsonl cannot be read: No such file"):
        next(read_records(tmp_path / "nothing.jsonl"))
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(RecordError, match="picture is not a text file"):
        next(read_records(tmp_path / "picture"))


# ------------------------------------------------------------------------------------- deals by name


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda d: d | {"hands": d["hands"][:3]}, "the deal has 3 hands, but 4 players"),
        (
            lambda d: d | {"hands": [d["hands"][0][:3], *d["hands"][1:]]},
            "the hand of player_0 must have 4 cards, not 3",
        ),
        (lambda d: d | {"stock": [*d["stock"], "wine-1"]}, "the stock must have 84 cards, not 85"),
        (lambda d: d | {"stock": ["wine-9", *d["stock"][1:]]}, "there is no card 'wine-9' (the stock)"),
        (lambda d: d | {"removed": ["merchant"] * 12}, "but the game has"),
        (lambda d: {"hands": d["hands"]}, "a deal is a mapping with the keys"),
        (lambda d: "cards", "a deal is a mapping with the keys"),
        (lambda d: d | {"hands": "all"}, "the deal has no list of hands"),
        (lambda d: d | {"stock": "all"}, "the stock must be a list of card names"),
    ],
)
def test_incomplete_deal_is_refused_and_the_game_goes_on(game, spoil, sentence):
    env = byzanz_v0.env()
    env.reset(seed=1)
    before = env.state().tobytes()
    with pytest.raises(DealError, match=re.escape(sentence)):
        env.reset(options={"deal": spoil(game.deal._asdict())})
    assert env.state().tobytes() == before


def test_whole_last_line_with_a_wrong_field_is_not_called_cut(game, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(game.to_json().replace('"profits"', '"profit"'))
    with pytest.raises(RecordError, match="game 1: the field 'profits' is missing"):
        next(read_records(str(path)))
