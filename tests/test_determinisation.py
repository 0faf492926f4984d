"""Determinisation is honest: it fits what the seat sees, can be played on, and draws cards, not kinds."""

import numpy as np
import pytest
from random_play import random_game
from scipy.stats import chisquare
from table import Table

from byzanz_env import ByzanzError, determinise
from byzanz_env.cards import CARD_NAMES, DECK
from byzanz_env.deal import deal_of
from byzanz_env.engine import look, new_mask, play_at_random
from byzanz_env.invariants import cards_are_whole
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.state import OVER


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_sampled_states_look_the_same_and_can_be_played_on(players):
    rng, mask = np.random.default_rng(1), new_mask()
    observation = np.zeros(WIDTH, dtype=DTYPE)
    for seed in range(8):
        for table in random_game(players, seed):
            sampled = determinise(table.observation, rng)
            look(sampled, 0, 0, observation, mask)
            assert observation.tobytes() == table.observation.tobytes()
            assert mask.tobytes() == table.mask.tobytes()
            assert cards_are_whole(sampled[0])
            play_at_random(sampled, 0, int(rng.integers(2**60)), mask)
            assert sampled["phase"][0] == OVER


def middle_of_a_game() -> Table:
    """A position in which others still hold hidden cards and much has been seen."""
    for seed in range(100):
        for table in random_game(4, seed):
            others = table.game.unknown[:4].sum() - table.game.unknown[table.turn]
            if table.game.round_number == 2 and others >= 3:
                return table
    raise AssertionError("no game has such a position")


def unseen_pool(table: Table) -> np.ndarray:
    game, seat = table.game, table.turn
    seen = game.bundle + game.market + game.gone + game.laid.sum(0) + game.hands[seat] + game.known.sum(0)
    return (DECK - seen + game.known[seat]).astype(int)


def hidden_card_counts(table: Table, sample, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """How often each kind came up as an opponent's hidden card, and how often it should have."""
    hidden_seat = next(row for row in range(1, 4) if table.see(table.turn).seats[row].unknown)
    row = table.see(table.turn).seats[hidden_seat]
    counts = np.zeros(len(CARD_NAMES))
    for _ in range(draws):
        counts += sample()["hands"][0, hidden_seat] - row.known
    pool = unseen_pool(table)
    expected = draws * row.unknown * pool / pool.sum()
    return counts[pool > 0], expected[pool > 0]


def test_hidden_cards_come_up_as_often_as_in_uniform_draws_from_the_unseen_pool():
    table, rng = middle_of_a_game(), np.random.default_rng(3)
    counts, expected = hidden_card_counts(table, lambda: determinise(table.observation, rng), 20_000)
    assert chisquare(counts, expected).pvalue > 0.001


def test_top_of_the_stock_and_removed_cards_are_uniform_draws_too():
    table, rng = middle_of_a_game(), np.random.default_rng(4)
    stock, removed = np.zeros(len(CARD_NAMES)), np.zeros(len(CARD_NAMES))
    for _ in range(20_000):
        sampled = determinise(table.observation, rng)[0]
        stock[sampled.deck[sampled.drawn]] += 1
        removed[sampled.deck[16]] += 1
    pool = unseen_pool(table)
    for counts in (stock, removed):
        assert chisquare(counts[pool > 0], 20_000 * pool[pool > 0] / pool.sum()).pvalue > 0.001


def test_a_sampler_that_draws_kinds_instead_of_cards_fails_the_same_test():
    table, rng = middle_of_a_game(), np.random.default_rng(5)
    kinds = np.flatnonzero(unseen_pool(table))

    def by_kind():
        sampled = determinise(table.observation, rng)
        for row in range(1, 4):
            known, unknown = sampled["known"][0, row], int(sampled["unknown"][0, row])
            sampled["hands"][0, row] = known + np.bincount(rng.choice(kinds, unknown), minlength=len(CARD_NAMES))
        return sampled

    counts, expected = hidden_card_counts(table, by_kind, 20_000)
    assert chisquare(counts, expected * counts.sum() / expected.sum()).pvalue < 1e-6


def test_same_generator_state_gives_the_same_state():
    table = middle_of_a_game()
    one = determinise(table.observation, np.random.default_rng(9))
    assert one.tobytes() == determinise(table.observation, np.random.default_rng(9)).tobytes()
    assert one.tobytes() != determinise(table.observation, np.random.default_rng(10)).tobytes()


def test_a_determinised_game_has_no_deal_to_tell():
    with pytest.raises(ByzanzError, match="a determinised game has no deal"):
        deal_of(determinise(Table().observation, np.random.default_rng(0))[0])


def test_any_other_seat_is_refused():
    table = Table(4)
    observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
    look(table.games, 0, 2, observation, mask)
    with pytest.raises(ByzanzError, match="only the observation of the seat on turn"):
        determinise(observation, np.random.default_rng(0))


@pytest.mark.parametrize("thing", [np.zeros(3, dtype=np.int8), np.zeros(WIDTH), "observation"])
def test_what_is_no_observation_is_refused(thing):
    with pytest.raises(ByzanzError, match="an observation is a vector of 473 int8"):
        determinise(thing, np.random.default_rng(0))


def test_vector_whose_cards_do_not_add_up_is_refused():
    rng = np.random.default_rng(1)
    for _ in range(200):
        with pytest.raises(ByzanzError, match="do not add up"):
            determinise(rng.integers(0, 5, WIDTH).astype(np.int8), rng)
    table = Table(4)
    table.observation[0] += 1
    with pytest.raises(ByzanzError, match="do not add up"):
        determinise(table.observation, rng)
    with pytest.raises(ByzanzError, match="chance comes from a numpy Generator"):
        determinise(Table(4).observation, 5)
