"""The action table: 309 numbers, each with one meaning and one name, fixed for good.

The table is built from the words of the game, never typed; a test pins its digest. Whether an action is legal
now is for `legal` to say.
"""

from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from .cards import (
    CARD_NAMES,
    COPIES_BY_VALUE,
    GOODS,
    HIGHEST_BID,
    MERCHANT_PROFIT,
    NUM_GOODS,
    NUM_KINDS,
    NUM_VALUES,
    SET_SIZE,
    TYPES,
    VALUES,
)

ACTION_VERSION: Final = 1


def _sets_of_one_good() -> list[tuple[int, ...]]:
    """The sets of one good, as falling values with 0 for a merchant: without M, then with one, then with two."""
    falling = VALUES[::-1]
    return [
        cards + (0,) * merchants
        for merchants in range(SET_SIZE)
        for cards in combinations_with_replacement(falling, SET_SIZE - merchants)
        if all(cards.count(value) <= copies for value, copies in zip(VALUES, COPIES_BY_VALUE, strict=True))
    ]


SETS: Final = _sets_of_one_good()
NUM_SETS: Final = len(SETS)

# Where each family of actions begins, in index order.
PASS: Final = 0
FIRST_BID: Final = 1  # bid 1; `bid N` is BID_ZERO + N
BID_ZERO: Final = FIRST_BID - 1
FIRST_PAY: Final = FIRST_BID + HIGHEST_BID
FIRST_GIVE: Final = FIRST_PAY + NUM_GOODS * NUM_VALUES
FIRST_PICK: Final = FIRST_GIVE + NUM_KINDS
FIRST_SALE: Final = FIRST_PICK + len(TYPES)
SELL_MERCHANTS: Final = FIRST_SALE + NUM_GOODS * NUM_SETS
FIRST_DISCARD: Final = SELL_MERCHANTS + 1
NUM_ACTIONS: Final = FIRST_DISCARD + NUM_KINDS


def _set_name(cards: tuple[int, ...]) -> str:
    return "+".join(str(value) if value else "M" for value in cards)


ACTION_NAMES: Final = (
    "pass",
    *(f"bid {amount}" for amount in range(1, HIGHEST_BID + 1)),
    *(f"pay {card}" for card in CARD_NAMES[:-1]),
    *(f"give {card}" for card in CARD_NAMES),
    *(f"pick {card_type}" for card_type in TYPES),
    *(f"sell {good} {_set_name(cards)}" for good in GOODS for cards in SETS),
    "sell merchant M+M+M",
    *(f"discard {card}" for card in CARD_NAMES),
)
ACTION_OF: Final = {name: action for action, name in enumerate(ACTION_NAMES)}

SET_NEEDS: Final = np.array(
    [[cards.count(value) for cards in SETS] for value in VALUES] + [[cards.count(0) for cards in SETS]], dtype=np.int8
)
"""`SET_NEEDS[v, s]`: cards of value v + 1 that set s takes; the last row counts its merchants."""
SET_PROFIT: Final = np.array([cards[0] for cards in SETS] + [MERCHANT_PROFIT], dtype=np.int64)
"""The value of the card that set s keeps: its highest. The last entry is the set of three merchants."""

FAMILIES: Final = (
    ("bid", FIRST_BID, FIRST_PAY),
    ("pay", FIRST_PAY, FIRST_GIVE),
    ("give", FIRST_GIVE, FIRST_PICK),
    ("pick", FIRST_PICK, FIRST_SALE),
    ("sell", FIRST_SALE, FIRST_DISCARD),
    ("discard", FIRST_DISCARD, NUM_ACTIONS),
)
"""Name, first index and end index of each family of actions beside `pass`."""


def family_of(action: int) -> str:
    """The verb of an action: `pass`, `bid`, `pay`, `give`, `pick`, `sell` or `discard`."""
    return ACTION_NAMES[action].split(" ", 1)[0]
