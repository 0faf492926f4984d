"""What must hold in every position, over random games of every table; and what `known` means."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import random_game
from table import Table

from byzanz_env.actions import ACTION_NAMES
from byzanz_env.cards import CARD_NAMES, DECK, KIND_OF
from byzanz_env.engine import look, new_mask
from byzanz_env.invariants import FAULTS, NOTHING, find_fault, soak
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.state import new_games


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_keep_every_invariant(players):
    """2,000 games in all: 112 cards, one seat on turn with a legal action, known + unknown = hand, limits, an end."""
    observation = np.zeros(WIDTH, dtype=DTYPE)
    games, _, fault = soak(new_games(1), 0, 500, players, 1, new_mask(), observation)
    assert FAULTS[fault] == FAULTS[NOTHING], f"game {games}"
    assert games == 500


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda game: game.market.__setitem__(0, 1), "a card is lost or doubled"),
        (lambda game: game.hand_size.__setitem__(0, 5), "a hand, its size or its known cards do not fit together"),
        (lambda game: game.profit.__setitem__(1, 3), "profit is not the value of the kept cards"),
        (lambda game: game.bid.__setitem__(1, 3), "laid cards are not worth the bid"),
        (lambda game: game.bidder_card.__setitem__(1, 3), "bidder cards do not fit the auction"),
    ],
)
def test_invariants_notice_a_fault(spoil, fault):
    table = Table()
    spoil(table.game)
    assert FAULTS[find_fault(table.game, table.mask, table.observation)] == fault


@settings(max_examples=60, deadline=None)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**53 - 1), choices=st.data())
def test_any_legal_choice_keeps_the_invariants(players, seed, choices):
    """Hypothesis chooses deal and moves, and shrinks what it breaks."""
    table = Table(players, seed)
    for _ in range(40):
        legal = np.flatnonzero(table.mask)
        table.act(int(legal[choices.draw(st.integers(0, len(legal) - 1))]))
        assert FAULTS[find_fault(table.game, table.mask, table.observation)] == "nothing"
        assert table.all_cards() == Counter({name: int(n) for name, n in zip(CARD_NAMES, DECK, strict=True) if n})
        if table.over:
            break


@pytest.mark.parametrize("players", [3, 6])
def test_exactly_one_seat_is_on_turn_with_a_legal_action(players):
    observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
    for table in random_game(players, 5):
        with_actions = []
        for seat in range(players):
            look(table.games, 0, seat, observation, mask)
            if mask.any():
                with_actions.append(seat)
        assert with_actions == [table.turn]


def test_every_legal_action_steps():
    """Every legal action of every 10th position leads to a sound position."""
    before = new_games(1)
    stepped = 0
    for players in (3, 4, 5, 6):
        for table in random_game(players, players):
            if len(table.moves) % 10:
                continue
            before[0] = table.games[0]
            for action in np.flatnonzero(table.mask):
                table.act(int(action))
                assert FAULTS[find_fault(table.game, table.mask, table.observation)] == "nothing"
                table.games[0] = before[0]
                table.refresh()
                stepped += 1
    assert stepped > 300


# ------------------------------------------------------------------------------------- known cards


def events(table: Table, seat: int, action: int) -> None:
    """Write down what everybody sees of `seat`: cards given up and cards taken, in order, as counts by kind."""
    before = table.game.hands[seat].copy(), table.turn
    table.act(action)
    change = table.game.hands[seat].astype(int) - before[0]
    if (change < 0).any():
        table.story.append(("gives", np.maximum(-change, 0)))
    if (change > 0).any():
        table.story.append(("takes", np.maximum(change, 0)))


def least_known(story, pool) -> np.ndarray:
    """The least number of each kind that the hand holds over all first hands that fit the story."""
    least = None
    for first in itertools.combinations_with_replacement(range(len(CARD_NAMES)), 4):
        hand = np.bincount(first, minlength=len(CARD_NAMES))
        if (hand > pool).any():
            continue
        for what, cards in story:
            hand = hand + cards if what == "takes" else hand - cards
            if (hand < 0).any():
                break
        else:
            least = hand if least is None else np.minimum(least, hand)
    return least


@pytest.mark.parametrize(("players", "seed"), [(3, 1), (4, 2), (6, 3)])
def test_known_is_the_least_over_all_first_hands_that_fit(players, seed):
    """By enumeration of all 20,475 first hands, after each of a seat's first events."""
    table, checked = Table(players, seed), 0
    table.story, seat = [], 1
    pool = DECK.astype(int)
    for number, choice in enumerate(np.random.default_rng(seed).random(400)):
        legal = np.flatnonzero(table.mask)
        told = len(table.story)
        events(table, seat, int(legal[int(choice * len(legal))]))
        if len(table.story) > told:
            expected = least_known(table.story, pool)
            assert (table.game.known[seat] == expected).all(), (number, ACTION_NAMES[0])
            checked += 1
        if checked == 8:
            return
    pytest.fail("too few events")


def test_known_example_a_like_card_taken_before_a_hidden_one_is_given_up():
    wine = KIND_OF["wine-1"]
    story = [("takes", np.bincount([wine], minlength=25)), ("gives", np.bincount([wine], minlength=25))]
    assert least_known(story, DECK.astype(int))[wine] == 0
    story = story[::-1]
    assert least_known(story, DECK.astype(int))[wine] == 1
