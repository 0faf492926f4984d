"""No leak: what a seat cannot know changes nothing of what it sees.

At every decision, for every seat, everything the seat cannot know is dealt anew and the same moves are replayed. Its
observation, mask and rendering must stay the same to the byte.
"""

import numpy as np
import pytest
from random_play import random_game, redeal, replay_from_deck
from table import Table

from byzanz_env.actions import ACTION_NAMES
from byzanz_env.deal import deal_of
from byzanz_env.engine import look, new_mask
from byzanz_env.legal import goods_by_value, payable_amounts
from byzanz_env.narration import narrate
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.playing import play
from byzanz_env.records import Record, result_of
from byzanz_env.rendering import render
from byzanz_env.state import PAY, new_games


def sight(games, seat):
    observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
    look(games, 0, seat, observation, mask)
    return observation, mask


def announced_bid_is_payable(game) -> bool:
    """An announced bid stays payable in every deal that fits: the payer would not have named it otherwise."""
    amounts = payable_amounts(*(int(count) for count in goods_by_value(game.hands[game.turn])))
    return game.phase != PAY or bool((amounts >> int(game.to_pay)) & 1)


def redealt_games(table: Table, seat: int, rng):
    """The same moves on another deal of what the seat cannot know."""
    games, moves = new_games(1), np.array(table.moves, dtype=np.int64)
    for _ in range(1000):
        replay_from_deck(games, redeal(table, seat, rng), table.players, moves, len(moves))
        if announced_bid_is_payable(games[0]):
            return games
    raise AssertionError("no other deal fits")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_nothing_a_seat_sees_depends_on_what_it_cannot_know(players):
    rng = np.random.default_rng(players)
    looks = differing = 0
    for seed in range(6):
        for table in random_game(players, seed):
            for seat in range(players):
                games = redealt_games(table, seat, rng)
                true, other = sight(table.games, seat), sight(games, seat)
                assert true[0].tobytes() == other[0].tobytes(), (seed, len(table.moves), seat)
                assert true[1].tobytes() == other[1].tobytes(), (seed, len(table.moves), seat)
                looks += 1
                differing += bool((games["hands"] != table.games["hands"]).any())
                if looks % 10 == 0:
                    assert render(*true, seat) == render(*other, seat)
    assert looks > 3000
    assert differing > looks / 10, "the re-deals hardly changed any hand: the test would prove nothing"


def test_the_leak_test_notices_a_leak():
    """The same comparison on the full state, which shows hidden cards, must fail."""
    rng = np.random.default_rng(0)
    table = next(random_game(4, 0))
    games = redealt_games(table, 0, rng)
    assert games["hands"][0].tobytes() != table.games["hands"][0].tobytes()


def test_replay_for_a_seat_tells_only_what_that_seat_knows():
    record = play(["random"] * 4, seed=3, legal=True)
    for seat in range(4):
        story = [part.text for part in narrate(record, seat=seat)]
        assert str(record.seed) not in story[0].split()
        for line in "\n".join(story).splitlines():
            if line.startswith("hand of"):
                assert line.startswith(f"hand of player_{seat}:")
            if "  of: " in line:
                assert f"  player_{seat}  " in line


def record_of(games, players, moves) -> Record:
    named, walk = [], Table(players).set_deck(games["deck"][0])
    for action in moves:
        named.append((walk.turn, ACTION_NAMES[action]))
        walk.act(action)
    deal, result = deal_of(games[0])._asdict(), result_of(games[0])
    return Record(players, None, ["bot"] * players, **deal, moves=named, **result)


def test_replay_for_a_seat_is_the_same_for_other_hidden_cards():
    """Of the records of two games that a seat cannot tell apart, the seat is told the same story."""
    rng, games, compared = np.random.default_rng(2), new_games(1), 0
    for seed in range(40):
        *_, table = random_game(6, seed, lazy=True)
        moves = np.array(table.moves, dtype=np.int64)
        replay_from_deck(games, redeal(table, 1, rng), 6, moves, len(moves))
        if (games["hands"] == table.games["hands"]).all():
            continue
        true, other = record_of(table.games, 6, table.moves), record_of(games, 6, table.moves)
        assert [part.text for part in narrate(true)] != [part.text for part in narrate(other)]
        if true.winners == other.winners:  # a tie broken by hidden cards is announced to all
            assert [part.text for part in narrate(true, seat=1)] == [part.text for part in narrate(other, seat=1)]
            compared += 1
    assert compared >= 3
