"""Everything there is to know about a game, as one vector: for critics that may cheat in training, never for agents.

The rows of the seats begin with a seat of the caller's choice: seat 0 gives the absolute order that PettingZoo's
`state()` returns, the learner's own seat an ego-centric one.
"""

from typing import Final

import numpy as np

from .cards import (
    DECK,
    DECK_SIZE,
    FIRST_HAND,
    HIGHEST_BID,
    LARGEST_STOCK,
    MAX_PLAYERS,
    NUM_KINDS,
    REMOVED_FOR,
    ROUNDS,
)
from .compiled import compiled
from .observation import DTYPE, Field, lay_out
from .scoring import HIGHEST_PROFIT
from .state import NUM_PHASES, OVER

FULL_FIELDS: Final = (
    Field("seats", 0, 0, "six rows of the seat fields, in clockwise order"),
    Field("bundle", NUM_KINDS, DECK, "cards on sale"),
    Field("market", NUM_KINDS, DECK, "cards in the market"),
    Field("gone", NUM_KINDS, DECK, "cards out of the game"),
    Field("removed", NUM_KINDS, DECK, "cards removed unseen"),
    Field("stock", LARGEST_STOCK, NUM_KINDS, "the stock in draw order: kind + 1, and 0 where no card is left"),
    Field("phase", NUM_PHASES, 1, "one-hot; all 0 when the game is over"),
    Field("round", 1, max(ROUNDS.values()), "the round, from 1"),
    Field("auction", 1, MAX_PLAYERS, "the auction begun last in this round, from 1"),
    Field("bidder_card_on_sale", 1, MAX_PLAYERS, "the bidder card being sold, 0 between auctions"),
    Field("highest_bid", 1, HIGHEST_BID, "0 while nobody has bid"),
    Field("to_pay", 1, HIGHEST_BID, "what is still to be laid for the bid just named"),
)
FULL_SEAT_FIELDS: Final = (
    Field("hand", NUM_KINDS, DECK, "cards in the hand"),
    Field("laid", NUM_KINDS, DECK, "cards laid in a bid"),
    Field("known", NUM_KINDS, DECK, "cards of the hand that everybody knows of"),
    Field("kept", NUM_KINDS, DECK, "cards kept as profit (counted in gone too)"),
    Field("profit", 1, HIGHEST_PROFIT, "value of the kept cards"),
    Field("bid", 1, HIGHEST_BID, "the total named in this auction"),
    Field("passed", 1, 1, "1: out of this auction"),
    Field("opener", 1, 1, "1: had the first turn of this auction"),
    Field("bidder_card", 1, MAX_PLAYERS, "the bidder card held, 0 for none"),
    Field("picked", 1, 1, "1: has taken its type from this round's market"),
    Field("present", 1, 1, "1: somebody sits here"),
    Field("on_turn", 1, 1, "1: this seat decides now"),
)
FULL_LAYOUT: Final = lay_out(FULL_FIELDS, FULL_SEAT_FIELDS)
FULL_WIDTH: Final = FULL_LAYOUT.width

ROWS: Final = FULL_LAYOUT.slices["seats"].start
ROW_WIDTH: Final = FULL_LAYOUT.seat_width
BUNDLE: Final = FULL_LAYOUT.slices["bundle"].start
MARKET: Final = FULL_LAYOUT.slices["market"].start
GONE: Final = FULL_LAYOUT.slices["gone"].start
REMOVED_CARDS: Final = FULL_LAYOUT.slices["removed"].start
STOCK: Final = FULL_LAYOUT.slices["stock"].start
PHASE: Final = FULL_LAYOUT.slices["phase"].start
ROUND: Final = FULL_LAYOUT.slices["round"].start
AUCTION: Final = FULL_LAYOUT.slices["auction"].start
ON_SALE: Final = FULL_LAYOUT.slices["bidder_card_on_sale"].start
HIGHEST: Final = FULL_LAYOUT.slices["highest_bid"].start
TO_PAY: Final = FULL_LAYOUT.slices["to_pay"].start
SEAT_HAND: Final = FULL_LAYOUT.seat_slices["hand"].start
LAID: Final = FULL_LAYOUT.seat_slices["laid"].start
KNOWN: Final = FULL_LAYOUT.seat_slices["known"].start
KEPT: Final = FULL_LAYOUT.seat_slices["kept"].start
SEAT_PROFIT: Final = FULL_LAYOUT.seat_slices["profit"].start


@compiled
def write_full_state(games, index, first_seat, out):
    """Kernel: write everything about one game into `out`, int8[FULL_WIDTH]; the rows begin with `first_seat`."""
    game = games[index]
    out[:] = 0
    for row in range(game.players):
        write_full_seat(game, (first_seat + row) % game.players, out, ROWS + row * ROW_WIDTH)
    for kind in range(NUM_KINDS):
        out[BUNDLE + kind] = game.bundle[kind]
        out[MARKET + kind] = game.market[kind]
        out[GONE + kind] = game.gone[kind]
    first_removed = game.players * FIRST_HAND
    for position in range(first_removed, first_removed + REMOVED_FOR[game.players]):
        out[REMOVED_CARDS + int(game.deck[position])] += 1
    for position in range(game.drawn, DECK_SIZE):
        out[STOCK + position - game.drawn] = game.deck[position] + 1
    if game.phase != OVER:
        out[PHASE + game.phase] = 1
    out[ROUND] = game.round_number
    out[AUCTION] = game.auction
    out[ON_SALE] = game.on_sale
    out[HIGHEST] = game.highest_bid
    out[TO_PAY] = game.to_pay


@compiled
def write_full_seat(game, seat, out, row):
    for kind in range(NUM_KINDS):
        out[row + SEAT_HAND + kind] = game.hands[seat, kind]
        out[row + LAID + kind] = game.laid[seat, kind]
        out[row + KNOWN + kind] = game.known[seat, kind]
        out[row + KEPT + kind] = game.kept[seat, kind]
    numbers = row + SEAT_PROFIT
    out[numbers] = game.profit[seat]
    out[numbers + 1] = game.bid[seat]
    out[numbers + 2] = game.passed[seat]
    out[numbers + 3] = game.opener == seat
    out[numbers + 4] = game.bidder_card[seat]
    out[numbers + 5] = game.picked[seat]
    out[numbers + 6] = 1
    out[numbers + 7] = game.turn == seat and game.phase != OVER


def full_state(games: np.ndarray, index: int = 0, first_seat: int = 0) -> np.ndarray:
    """Everything about one game as a fresh vector."""
    out = np.zeros(FULL_WIDTH, dtype=DTYPE)
    write_full_state(games, index, first_seat, out)
    return out
