"""Seeds and chance: the same everywhere, spread well, and apart by purpose."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import chisquare

from byzanz_env import ByzanzError
from byzanz_env.cards import CARD_NAMES, DECK
from byzanz_env.chance import (
    PURPOSES,
    SEED_LIMIT,
    advance,
    below,
    decision_key,
    game_seed,
    key_stream,
    seed_at,
    seed_stream,
    spread,
)
from byzanz_env.deal import deal_game
from byzanz_env.state import new_games

NUMBERS = """
from byzanz_env.chance import *
print([spread(n * 987654321987) for n in range(50)], [seed_at(5, 6, 1, n) for n in range(50)],
      [decision_key(9, n, n % 4, n) for n in range(50)], game_seed("arena", 2**100, 3), key_stream(8, "bob"))
"""


def test_same_numbers_with_and_without_the_compiler_and_for_every_hash_seed():
    outputs = set()
    for compiler_off, hash_seed in (("0", "0"), ("1", "1")):
        env = {**os.environ, "NUMBA_DISABLE_JIT": compiler_off, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run([sys.executable, "-c", NUMBERS], env=env, capture_output=True, text=True, check=True)
        outputs.add(run.stdout)
    assert len(outputs) == 1


def test_game_seeds_are_below_2_to_53_and_pinned():
    assert game_seed("play", 7, 0) == 1224562239916456
    assert all(0 <= game_seed("train", 2**128 - 1, i) < SEED_LIMIT for i in range(1000))


def test_seeds_of_different_purposes_never_meet():
    for purpose in PURPOSES:
        assert {game_seed(purpose, seed, i) % 8 for seed in range(20) for i in range(20)} == {PURPOSES.index(purpose)}


def test_no_two_games_of_a_run_share_a_seed():
    stream = seed_stream("train", 3)
    assert len({seed_at(*stream, i) for i in range(100_000)}) == 100_000


def test_runs_of_different_seeds_have_different_games():
    assert len({game_seed("eval", seed, 0) for seed in range(1000)}) == 1000


@pytest.mark.parametrize("limit", [2, 7, 112, 309])
def test_draws_are_uniform(limit):
    draws = np.bincount([below(spread(n), limit) for n in range(50_000)], minlength=limit)
    assert chisquare(draws).pvalue > 0.001


def test_every_bit_depends_on_every_other():
    flips = np.zeros((62, 62))
    for n in range(400):
        state = n * 1_234_567
        for bit in range(62):
            change = spread(state) ^ spread(state ^ (1 << bit))
            flips[bit] += [(change >> other) & 1 for other in range(62)]
    assert 0.35 < (flips / 400).min() <= (flips / 400).max() < 0.65


def test_keys_of_decisions_differ():
    keys = {decision_key(1, game, seat, n) for game in range(20) for seat in range(6) for n in range(100)}
    assert len(keys) == 20 * 6 * 100
    assert key_stream(1) != key_stream(2) != key_stream(2, "bob")


def test_generator_does_not_stand_still():
    state = 0
    seen = {state := advance(state) for _ in range(1000)}
    assert len(seen) == 1000


def test_first_card_of_the_deck_is_any_card_equally_often():
    games, counts = new_games(1), np.zeros(len(CARD_NAMES))
    for seed in range(20_000):
        deal_game(games, 0, 4, seed)
        counts[games["deck"][0, 0]] += 1
    assert chisquare(counts, 20_000 * (DECK / DECK.sum())).pvalue > 0.001


@pytest.mark.parametrize(
    ("purpose", "seed", "index", "sentence"),
    [
        ("fun", 1, 0, "no seed purpose 'fun'"),
        ("play", -1, 0, "a seed must be a whole number"),
        ("play", 1.5, 0, "a seed must be a whole number"),
        ("play", 1, -1, "game -1 of a run"),
    ],
)
def test_bad_seeds_are_refused(purpose, seed, index, sentence):
    with pytest.raises(ByzanzError, match=sentence):
        game_seed(purpose, seed, index)
