"""What a seat sees: one vector of small integers, named piece by piece. Nothing hidden from the seat is in it.

`FIELDS` and `SEAT_FIELDS` are the only lists of what there is: the layout, the bounds, the `view` by name and the
manual's table are made from them. The vector is ego-centric: row 0 of the seats is the own one, the others follow
clockwise, empty rows pad to six seats.
"""

from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from .cards import (
    BIDDER_CARDS,
    DECK,
    DECK_SIZE,
    FIRST_HAND,
    HIGHEST_BID,
    LARGEST_HAND,
    LARGEST_STOCK,
    MAX_PLAYERS,
    NUM_KINDS,
    ROUNDS,
)
from .compiled import compiled
from .errors import ByzanzError
from .scoring import HIGHEST_PROFIT
from .state import NUM_PHASES, OVER

OBSERVATION_VERSION: Final = 1
DTYPE: Final = np.int8

_HIGHEST_CARD = max(max(cards) for cards in BIDDER_CARDS.values())


class Field(NamedTuple):
    """A named piece of the observation."""

    name: str
    size: int
    high: Any  # the largest value: one number, or one per entry; the smallest is always 0
    meaning: str


FIELDS: Final = (
    Field("hand", NUM_KINDS, DECK, "own cards, by kind"),
    Field("bundle", NUM_KINDS, DECK, "cards on sale"),
    Field("market", NUM_KINDS, DECK, "cards in the market"),
    Field("gone", NUM_KINDS, DECK, "cards out of the game: sold (the kept ones too), discarded, left over"),
    Field("seats", 0, 0, "six rows of the seat fields, the own seat first, then clockwise"),
    Field("phase", NUM_PHASES, 1, "one-hot: BID, PAY, GIVE, PICK, LIMIT, FINAL; all 0 when the game is over"),
    Field("round", 1, max(ROUNDS.values()), "the round, from 1"),
    Field("auction", 1, MAX_PLAYERS, "the auction begun last in this round, from 1"),
    Field("bidder_card_on_sale", 1, _HIGHEST_CARD, "the bidder card being sold, 0 between auctions"),
    Field("highest_bid", 1, HIGHEST_BID, "0 while nobody has bid"),
    Field("highest_bidder", 1, MAX_PLAYERS, "row of the highest bidder, counted from 1; 0 for nobody"),
    Field("to_pay", 1, HIGHEST_BID, "what is still to be laid for the bid just named"),
    Field("stock_left", 1, LARGEST_STOCK, "cards in the face-down stock"),
)
SEAT_FIELDS: Final = (
    Field("laid", NUM_KINDS, DECK, "cards laid in a bid"),
    Field("known", NUM_KINDS, DECK, "cards of the hand that everybody knows of (own row: what the others know)"),
    Field("unknown", 1, FIRST_HAND, "cards of the hand that only the owner knows"),
    Field("hand_size", 1, LARGEST_HAND, "cards in the hand"),
    Field("profit", 1, HIGHEST_PROFIT, "value of the kept cards"),
    Field("bid", 1, HIGHEST_BID, "the total named in this auction"),
    Field("passed", 1, 1, "1: out of this auction"),
    Field("taking_part", 1, 1, "1: holds no bidder card yet in this round"),
    Field("bidder_card", 1, _HIGHEST_CARD, "the bidder card held, 0 for none"),
    Field("picked", 1, 1, "1: has taken its type from this round's market"),
    Field("present", 1, 1, "1: somebody sits here"),
    Field("on_turn", 1, 1, "1: this seat decides now"),
)


class Layout(NamedTuple):
    """Where the fields lie in a vector: `slices` in the whole, `seat_slices` inside a seat's row."""

    slices: dict[str, slice]
    seat_slices: dict[str, slice]
    seat_width: int
    width: int
    high: np.ndarray  # the upper bound of every entry; the lower one is 0


def lay_out(fields: tuple[Field, ...], seat_fields: tuple[Field, ...]) -> Layout:
    """One field after the other; the field named `seats` holds a row of seat fields for each of six seats."""
    seat_slices, seat_width = _slices(seat_fields)
    row_highs = np.concatenate([_highs(field) for field in seat_fields])
    all_rows = Field("seats", MAX_PLAYERS * seat_width, np.tile(row_highs, MAX_PLAYERS), "")
    whole = tuple(all_rows if field.name == "seats" else field for field in fields)
    slices, width = _slices(whole)
    high = np.concatenate([_highs(field) for field in whole]).astype(DTYPE)
    return Layout(slices, seat_slices, seat_width, width, high)


def _slices(fields: tuple[Field, ...]) -> tuple[dict[str, slice], int]:
    slices, start = {}, 0
    for field in fields:
        slices[field.name] = slice(start, start + field.size)
        start += field.size
    return slices, start


def _highs(field: Field) -> np.ndarray:
    return np.broadcast_to(np.asarray(field.high), field.size)


LAYOUT: Final = lay_out(FIELDS, SEAT_FIELDS)
SLICES: Final = LAYOUT.slices
SEAT_SLICES: Final = LAYOUT.seat_slices
SEAT_WIDTH: Final = LAYOUT.seat_width
WIDTH: Final = LAYOUT.width


def seat_slice(row: int, name: str) -> slice:
    """Where a seat field of a row lies in the vector.

    >>> seat_slice(0, "laid") == slice(SLICES["seats"].start, SLICES["seats"].start + NUM_KINDS)
    True
    """
    start = SLICES["seats"].start + row * SEAT_WIDTH
    return slice(start + SEAT_SLICES[name].start, start + SEAT_SLICES[name].stop)


# Offsets for compiled code, cut from the same lists.
HAND: Final = SLICES["hand"].start
BUNDLE: Final = SLICES["bundle"].start
MARKET: Final = SLICES["market"].start
GONE: Final = SLICES["gone"].start
SEATS: Final = SLICES["seats"].start
PHASE: Final = SLICES["phase"].start
ROUND: Final = SLICES["round"].start
AUCTION: Final = SLICES["auction"].start
ON_SALE: Final = SLICES["bidder_card_on_sale"].start
HIGHEST: Final = SLICES["highest_bid"].start
HIGHEST_BIDDER: Final = SLICES["highest_bidder"].start
TO_PAY: Final = SLICES["to_pay"].start
STOCK_LEFT: Final = SLICES["stock_left"].start
LAID: Final = SEAT_SLICES["laid"].start
KNOWN: Final = SEAT_SLICES["known"].start
UNKNOWN: Final = SEAT_SLICES["unknown"].start
HAND_SIZE: Final = SEAT_SLICES["hand_size"].start
SEAT_PROFIT: Final = SEAT_SLICES["profit"].start
SEAT_BID: Final = SEAT_SLICES["bid"].start
PASSED: Final = SEAT_SLICES["passed"].start
TAKING_PART: Final = SEAT_SLICES["taking_part"].start
HELD_CARD: Final = SEAT_SLICES["bidder_card"].start
PICKED: Final = SEAT_SLICES["picked"].start
PRESENT: Final = SEAT_SLICES["present"].start
ON_TURN: Final = SEAT_SLICES["on_turn"].start


@compiled
def observe(game, seat, out):
    """Write what a seat sees into `out`, an int8 vector of WIDTH."""
    copy_cards(game.hands[seat], out[HAND:])
    copy_cards(game.bundle, out[BUNDLE:])
    copy_cards(game.market, out[MARKET:])
    copy_cards(game.gone, out[GONE:])
    other = seat
    for row in range(game.players):
        start = SEATS + row * SEAT_WIDTH
        copy_cards(game.laid[other], out[start + LAID :])
        copy_cards(game.known[other], out[start + KNOWN :])
        observe_numbers(game, other, out[start : start + SEAT_WIDTH])
        other = other + 1 if other + 1 < game.players else 0
    empty = out[SEATS + game.players * SEAT_WIDTH : PHASE]
    for entry in range(empty.size):
        empty[entry] = 0
    for phase in range(NUM_PHASES):
        out[PHASE + phase] = game.phase == phase
    out[ROUND] = game.round_number
    out[AUCTION] = game.auction
    out[ON_SALE] = game.on_sale
    out[HIGHEST] = game.highest_bid
    out[HIGHEST_BIDDER] = (game.highest_bidder - seat) % game.players + 1 if game.highest_bid > 0 else 0
    out[TO_PAY] = game.to_pay
    out[STOCK_LEFT] = DECK_SIZE - game.drawn


@compiled
def observe_numbers(game, seat, row):
    """Write what everybody sees of a seat beside its cards into its row."""
    row[UNKNOWN] = game.unknown[seat]
    row[HAND_SIZE] = game.hand_size[seat]
    row[SEAT_PROFIT] = game.profit[seat]
    row[SEAT_BID] = game.bid[seat]
    row[PASSED] = game.passed[seat]
    row[TAKING_PART] = game.bidder_card[seat] == 0
    row[HELD_CARD] = game.bidder_card[seat]
    row[PICKED] = game.picked[seat]
    row[PRESENT] = 1
    row[ON_TURN] = (game.turn == seat) & (game.phase != OVER)


@compiled
def copy_cards(place, out):
    """Counts by kind. Indexes that are plainly not negative let the compiler copy many at a time."""
    for kind in range(NUM_KINDS):
        out[kind] = place[kind]


@compiled
def observe_game(games, index, seat, out):
    """Kernel: `observe` for one game of an array."""
    observe(games[index], seat, out)


def view(observation: np.ndarray) -> SimpleNamespace:
    """The observation by name: arrays for pieces with several entries, whole numbers for single ones.

    `view(o).hand`, `view(o).highest_bid`, `view(o).seats[0].profit`; only occupied seats are listed.
    """
    if not isinstance(observation, np.ndarray) or observation.shape != (WIDTH,):
        raise ByzanzError(f"a view is of one observation, a vector of {WIDTH} numbers")
    named = {field.name: _piece(observation, SLICES[field.name]) for field in FIELDS if field.name != "seats"}
    rows = [_row(observation, row) for row in range(MAX_PLAYERS) if observation[seat_slice(row, "present")][0]]
    return SimpleNamespace(**named, seats=rows)


def _row(observation: np.ndarray, row: int) -> SimpleNamespace:
    return SimpleNamespace(**{f.name: _piece(observation, seat_slice(row, f.name)) for f in SEAT_FIELDS})


def _piece(observation: np.ndarray, where: slice) -> Any:
    return observation[where] if where.stop - where.start > 1 else int(observation[where.start])
