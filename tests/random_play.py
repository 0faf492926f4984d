"""Random games for tests: positions to look at, and replays of the same moves from another deal."""

from collections.abc import Iterator

import numpy as np
from table import Table

from byzanz_env.chance import decision_key
from byzanz_env.compiled import compiled
from byzanz_env.deal import set_up
from byzanz_env.engine import draw_action
from byzanz_env.rules import step


def random_game(players: int, seed: int, *, lazy: bool = False) -> Iterator[Table]:
    """Every position of a random game before its decision; `table.moves` holds the actions so far.

    In a `lazy` game everybody plays the lowest legal action, `pass` mostly: first cards stay hidden to the end.
    """
    table = Table(players, seed)
    table.moves = []
    while not table.over:
        yield table
        action = int(draw_action(table.mask, decision_key(seed, players, table.turn, len(table.moves))))
        if lazy:
            action = int(np.argmax(table.mask))
        table.moves.append(action)
        table.act(action)


@compiled
def replay_from_deck(games, deck, players, moves, count):
    """Deal a deck and play the first `count` moves on it, unchecked."""
    games[0].deck[:] = deck
    set_up(games[0], players)
    for number in range(count):
        step(games[0], moves[number])


def redeal(table: Table, seat: int, rng: np.random.Generator) -> np.ndarray:
    """Another deck that `seat` cannot tell from the true one after the moves so far.

    What the seat cannot know is put together and dealt anew: the removed cards, the rest of the stock, and of the first
    hands of the others the cards that have not been shown.
    """
    game, players = table.game, table.players
    deck = game.deck.copy()
    first_hands = deck[: 4 * players].reshape(players, 4)
    hidden = [
        position
        for other in range(players)
        if other != seat
        for position in unshown(game, other, first_hands[other], 4 * other)
    ]
    hidden += [*range(4 * players, 4 * players + table.removed), *range(int(game.drawn), len(deck))]
    deck[hidden] = rng.permutation(deck[hidden])
    return deck


def unshown(game: np.record, seat: int, first_hand: np.ndarray, start: int) -> list[int]:
    """Where in the deck the cards lie that only `seat` knows."""
    secret = game.hands[seat] - game.known[seat]
    positions = []
    for i, kind in enumerate(first_hand):
        if secret[kind] > 0:
            secret[kind] -= 1
            positions.append(start + i)
    assert not secret.any(), "an unknown card that was not among the first four"
    return positions
