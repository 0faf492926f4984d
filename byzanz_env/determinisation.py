"""Determinisation: from what the seat on turn sees to a full state that it cannot tell from the true one.

The unknown cards are drawn uniformly, without replacement, from the unseen pool: all 112 cards less those the seat
has seen. Search bots play on in such states and never get hold of the true one. What the choices of the others
suggest about their hands is not used.
"""

import numpy as np

from .cards import DECK, DECK_SIZE, FIRST_HAND, MAX_PLAYERS, NUM_KINDS, REMOVED, REMOVED_FOR
from .chance import LOW_62, shuffle, spread
from .compiled import compiled
from .deal import clear_table
from .errors import ByzanzError
from .observation import (
    AUCTION,
    BUNDLE,
    GONE,
    HAND,
    HAND_SIZE,
    HELD_CARD,
    HIGHEST,
    HIGHEST_BIDDER,
    KNOWN,
    LAID,
    LAYOUT,
    MARKET,
    ON_SALE,
    ON_TURN,
    PASSED,
    PHASE,
    PICKED,
    PRESENT,
    ROUND,
    SEAT_BID,
    SEAT_PROFIT,
    SEAT_WIDTH,
    SEATS,
    STOCK_LEFT,
    TO_PAY,
    UNKNOWN,
    WIDTH,
)
from .state import NOBODY, NUM_PHASES, new_games


def determinise(observation: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An array of one game that fits the observation of the seat on turn; that seat is seat 0 in it.

    Profits are right, but which cards each seat kept is not in an observation: `kept` stays empty.
    """
    observation = np.asarray(observation)
    if observation.shape != (WIDTH,) or observation.dtype != np.int8:
        raise ByzanzError(f"an observation is a vector of {WIDTH} int8, not {observation.dtype} of {observation.shape}")
    if not isinstance(generator, np.random.Generator):
        raise ByzanzError(f"chance comes from a numpy Generator, not from {generator!r}")
    if (observation < 0).any() or (observation > LAYOUT.high).any() or not _adds_up(observation):
        raise ByzanzError("this vector is not an observation of a game: its cards or seats do not add up")
    if not observation[SEATS + ON_TURN]:
        raise ByzanzError("only the observation of the seat on turn can be determinised")
    games = new_games(1)
    determinise_game(observation, games, 0, int(generator.integers(LOW_62)))
    return games


def _adds_up(observation: np.ndarray) -> bool:
    """Whether the seats make a table and the cards seen leave just as many as the hidden places need."""
    seats = observation[SEATS:PHASE].reshape(MAX_PLAYERS, SEAT_WIDTH).astype(int)
    present = seats[:, PRESENT]
    players = int(present.sum())
    if players not in REMOVED or not present[:players].all():
        return False
    seen = observation[HAND : HAND + NUM_KINDS].astype(int)
    for place in (BUNDLE, MARKET, GONE):
        seen = seen + observation[place : place + NUM_KINDS]
    seen = seen + seats[:, LAID : LAID + NUM_KINDS].sum(axis=0) + seats[1:, KNOWN : KNOWN + NUM_KINDS].sum(axis=0)
    hidden = seats[1:, UNKNOWN].sum() + REMOVED[players] + int(observation[STOCK_LEFT])
    return bool((seen <= DECK).all()) and int(DECK.sum()) - int(seen.sum()) == hidden


@compiled
def determinise_game(observation, games, index, key):
    """Kernel: `determinise` into one game of an array, by a key. The observation must be of the seat on turn."""
    game = games[index]
    clear_table(game)
    restore_public(observation, game)
    draw_hidden(observation, game, key)


@compiled
def restore_public(observation, game):
    """All that the observation says, with its own seat as seat 0."""
    game.players = count_present(observation)
    for phase in range(NUM_PHASES):
        if observation[PHASE + phase]:
            game.phase = phase
    game.round_number = observation[ROUND]
    game.auction = observation[AUCTION]
    game.on_sale = observation[ON_SALE]
    game.highest_bid = observation[HIGHEST]
    game.highest_bidder = observation[HIGHEST_BIDDER] - 1 if observation[HIGHEST_BIDDER] > 0 else NOBODY
    game.to_pay = observation[TO_PAY]
    game.drawn = DECK_SIZE - observation[STOCK_LEFT]
    for kind in range(NUM_KINDS):
        game.bundle[kind] = observation[BUNDLE + kind]
        game.market[kind] = observation[MARKET + kind]
        game.gone[kind] = observation[GONE + kind]
        game.hands[0, kind] = observation[HAND + kind]
    for seat in range(game.players):
        restore_seat(observation, game, seat, SEATS + seat * SEAT_WIDTH)
    game.opener = find_opener(game)


@compiled
def restore_seat(observation, game, seat, row):
    for kind in range(NUM_KINDS):
        game.laid[seat, kind] = observation[row + LAID + kind]
        game.known[seat, kind] = observation[row + KNOWN + kind]
        if seat > 0:
            game.hands[seat, kind] = observation[row + KNOWN + kind]
    game.unknown[seat] = observation[row + UNKNOWN]
    game.hand_size[seat] = observation[row + HAND_SIZE]
    game.profit[seat] = observation[row + SEAT_PROFIT]
    game.bid[seat] = observation[row + SEAT_BID]
    game.passed[seat] = observation[row + PASSED]
    game.bidder_card[seat] = observation[row + HELD_CARD]
    game.picked[seat] = observation[row + PICKED]


@compiled
def count_present(observation):
    """The number of players at the table."""
    players = 0
    for row in range(MAX_PLAYERS):
        players += int(observation[SEATS + row * SEAT_WIDTH + PRESENT])
    return players


@compiled
def find_opener(game):
    """The opener only matters while nobody has bid: then all who passed did so in turn, up to the seat on turn."""
    opener = 0
    for back in range(1, game.players):
        seat = game.players - back
        if game.passed[seat]:
            opener = seat
    return opener


@compiled
def draw_hidden(observation, game, key):
    """Shuffle the unseen pool, fill up the other hands from it, then the removed cards and the stock."""
    pool = np.empty(DECK_SIZE, np.int8)
    size = 0
    for kind in range(NUM_KINDS):
        for _ in range(unseen(game, kind)):
            pool[size] = kind
            size += 1
    shuffle(pool, 0, size, spread(key))
    taken = 0
    for seat in range(1, game.players):
        for _ in range(game.unknown[seat]):
            game.hands[seat, pool[taken]] += 1
            taken += 1
    game.deck[:] = NOBODY  # how the cards seen so far were dealt is not known, and does not matter any more
    first_removed = game.players * FIRST_HAND
    for i in range(REMOVED_FOR[game.players]):
        game.deck[first_removed + i] = pool[taken]
        taken += 1
    for position in range(game.drawn, DECK_SIZE):
        game.deck[position] = pool[taken]
        taken += 1


@compiled
def unseen(game, kind):
    """How many cards of a kind the seat on turn has not seen. Needs the known cards, but no hidden ones, in `hands`."""
    seen = game.bundle[kind] + game.market[kind] + game.gone[kind]
    for seat in range(game.players):
        seen += game.hands[seat, kind] + game.laid[seat, kind]
    return DECK[kind] - seen
