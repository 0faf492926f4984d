"""The state of one game: a structured record in an array of games. It knows no rule and never encodes itself.

Compiled functions take one record (`game`); kernels called from Python take the array and an index, because only
the very same dtype object dispatches fast: make arrays with `new_games`, never with a second equal dtype.
"""

from typing import Any, ClassVar, Final

import numpy as np

from .cards import DECK_SIZE, MAX_PLAYERS, NUM_KINDS

PHASES: Final = ("BID", "PAY", "GIVE", "PICK", "LIMIT", "FINAL")
BID, PAY, GIVE, PICK, LIMIT, FINAL = range(len(PHASES))
NUM_PHASES: Final = len(PHASES)
OVER: Final = NUM_PHASES
"""The phase after the last decision: nobody is on turn."""
NOBODY: Final = -1

_number = np.int16
_count = np.int8
_by_seat = (MAX_PLAYERS,)
_by_seat_and_kind = (MAX_PLAYERS, NUM_KINDS)

GAME: Final = np.dtype(
    (
        np.record,
        [
            # --- whose move, and where in the game
            ("players", _number),  # 3 ... 6; seats from `players` up are empty
            ("phase", _number),  # one of PHASES, or OVER
            ("turn", _number),  # the seat on turn
            ("round_number", _number),  # from 1
            ("auction", _number),  # the auction begun last in this round, from 1
            # --- the auction
            ("on_sale", _number),  # the bidder card being sold, 0 between auctions
            ("opener", _number),  # the seat that had the first turn of this auction
            ("highest_bid", _number),  # 0 while nobody has bid
            ("highest_bidder", _number),  # seat, or NOBODY
            ("to_pay", _number),  # what is still to be laid for the bid just named
            ("bid", _number, _by_seat),  # each seat's total, named so far in this auction
            ("passed", _number, _by_seat),  # 1: out of this auction
            # --- the round
            ("bidder_card", _number, _by_seat),  # the card won in this round, 0 for none
            ("picked", _number, _by_seat),  # 1: has taken its type from this round's market
            # --- where the cards are, by kind
            ("hands", _count, _by_seat_and_kind),
            ("laid", _count, _by_seat_and_kind),  # face up in a bid, not in the hand
            ("known", _count, _by_seat_and_kind),  # cards of the hand that everybody knows of
            ("kept", _count, _by_seat_and_kind),  # the highest card of each set sold; counted in `gone` too
            ("bundle", _count, (NUM_KINDS,)),
            ("market", _count, (NUM_KINDS,)),
            ("gone", _count, (NUM_KINDS,)),  # sold, discarded, or left over in a market
            ("deck", _count, (DECK_SIZE,)),  # kinds as dealt: first hands, removed cards, stock in draw order
            ("drawn", _number),  # how many cards of the deck have been dealt, removed or turned up
            # --- sums kept along with the cards
            ("hand_size", _number, _by_seat),
            ("unknown", _number, _by_seat),  # cards of the hand that only its owner knows
            ("profit", _number, _by_seat),
        ],
    )
)


class CopiesGames:
    """A door whose copies, by `copy` or `pickle`, go on exactly like the original: its games keep the one dtype object.

    `_games_field` names the attribute that holds the array of games.
    """

    _games_field: ClassVar[str] = "games"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, self._games_field: self.__dict__[self._games_field].tobytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__[self._games_field] = np.frombuffer(bytearray(state[self._games_field]), dtype=GAME)


def new_games(count: int) -> np.ndarray:
    """An array of games, none of them dealt yet.

    >>> new_games(2).dtype is GAME
    True
    """
    games = np.zeros(count, GAME)
    games["phase"] = OVER  # so that a game never dealt has no legal action
    return games
