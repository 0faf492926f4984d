"""The material: goods, merchants, bidder cards, and how much of each a table of 3 to 6 players uses.

Facts only; what is done with the cards stands in `rules`. A card *kind* is a number from 0 to 24 in the order of
`CARD_NAMES`; places that hold cards (a hand, the market, ...) are counts by kind.
"""

from typing import Final

import numpy as np

GOODS: Final = ("cloth", "grain", "olives", "spices", "wine", "wood")
VALUES: Final = (1, 2, 3, 4)
COPIES_BY_VALUE: Final = (6, 5, 3, 2)
MERCHANTS: Final = 16

NUM_GOODS: Final = len(GOODS)
NUM_VALUES: Final = len(VALUES)
NUM_KINDS: Final = NUM_GOODS * NUM_VALUES + 1
MERCHANT: Final = NUM_KINDS - 1
CARD_NAMES: Final = (*(f"{good}-{value}" for good in GOODS for value in VALUES), "merchant")
KIND_OF: Final = {name: kind for kind, name in enumerate(CARD_NAMES)}

# The market is sorted by type: the six goods, and the merchants as a type of their own.
TYPES: Final = (*GOODS, "merchant")
NUM_TYPES: Final = len(TYPES)
MERCHANT_TYPE: Final = NUM_TYPES - 1

CARD_VALUES: Final = np.array([*VALUES * NUM_GOODS, 0], dtype=np.int64)
"""What a card is worth in a bid, by kind. A merchant is worth nothing."""
DECK: Final = np.array([*COPIES_BY_VALUE * NUM_GOODS, MERCHANTS], dtype=np.int8)
"""How many cards of each kind there are."""
DECK_SIZE: Final = int(DECK.sum())

FIRST_HAND: Final = 4
HAND_LIMIT: Final = 7
SET_SIZE: Final = 3
MERCHANT_PROFIT: Final = 5
HIGHEST_BID: Final = HAND_LIMIT * VALUES[-1]
LARGEST_HAND: Final = HAND_LIMIT + MERCHANTS
"""Seven cards and a market pick of a whole type: the most a hand can hold before the limit is enforced."""

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6
PLAYER_COUNTS: Final = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
BIDDER_CARDS: Final = {3: (2, 4, 6), 4: (2, 3, 4, 5), 5: (1, 2, 3, 4, 5), 6: (1, 2, 3, 4, 5, 6)}
ROUNDS: Final = {3: 8, 4: 6, 5: 6, 6: 4}
REMOVED: Final = {3: 4, 4: 12, 5: 2, 6: 4}
STOCK_SIZE: Final = {n: DECK_SIZE - FIRST_HAND * n - REMOVED[n] for n in PLAYER_COUNTS}
LARGEST_STOCK: Final = max(STOCK_SIZE.values())


def _by_players(facts: dict[int, int]) -> np.ndarray:
    """A table for compiled code, indexed by the number of players."""
    return np.array([facts.get(n, 0) for n in range(MAX_PLAYERS + 1)], dtype=np.int64)


REMOVED_FOR: Final = _by_players(REMOVED)
STOCK_FOR: Final = _by_players(STOCK_SIZE)
LOWEST_BIDDER_CARD: Final = _by_players({n: cards[0] for n, cards in BIDDER_CARDS.items()})
BIDDER_CARD: Final = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS), dtype=np.int64)
"""`BIDDER_CARD[players, a]`: the number sold in auction a (from 0) of a round: the highest lies on top."""
for _players, _cards in BIDDER_CARDS.items():
    BIDDER_CARD[_players, :_players] = _cards[::-1]
