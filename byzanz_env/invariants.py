"""What must hold in every position, checked inside compiled code: for the tests and the long soak, not for play."""

from typing import Final

import numpy as np

from .actions import NUM_ACTIONS
from .cards import (
    DECK,
    DECK_SIZE,
    FIRST_HAND,
    HAND_LIMIT,
    LOWEST_BIDDER_CARD,
    MERCHANT,
    NUM_KINDS,
    NUM_VALUES,
    REMOVED_FOR,
    STOCK_FOR,
)
from .chance import decision_key
from .compiled import compiled
from .deal import deal_from_seed
from .engine import draw_action
from .legal import mark_legal
from .observation import LAYOUT, WIDTH, observe
from .rules import step
from .scoring import HIGHEST_PROFIT, count_winners
from .state import BID, LIMIT, OVER, PAY, PICK

FAULTS: Final = (
    "nothing",
    "a card is lost or doubled",
    "a hand, its size or its known cards do not fit together",
    "a hand is above the limit outside LIMIT",
    "profit is not the value of the kept cards",
    "laid cards are not worth the bid",
    "the seat on turn has no legal action",
    "a mask entry is not 0 or 1",
    "an observation is outside its bounds",
    "bidder cards do not fit the auction",
    "a game did not end",
    "the winners are not one to all seats",
)
(
    NOTHING,
    CARDS,
    HAND,
    ABOVE_LIMIT,
    KEPT_VALUE,
    LAID_VALUE,
    NO_ACTION,
    MASK,
    BOUNDS,
    BIDDER_CARDS,
    ENDLESS,
    WINNERS,
) = range(len(FAULTS))

LONGEST_GAME: Final = 3000
HIGH: Final = LAYOUT.high


@compiled
def find_fault(game, mask, observation):
    """The first fault of a position, or NOTHING. Mask and observation are of the seat on turn."""
    if not cards_are_whole(game):
        return CARDS
    for seat in range(game.players):
        if not hand_fits(game, seat):
            return HAND
        if game.hand_size[seat] > HAND_LIMIT and not (game.phase == LIMIT and game.turn == seat):
            return ABOVE_LIMIT
        if kept_value(game, seat) != game.profit[seat] or game.profit[seat] > HIGHEST_PROFIT:
            return KEPT_VALUE
        if laid_value(game, seat) != bid_laid(game, seat):
            return LAID_VALUE
    if not bidder_cards_fit(game):
        return BIDDER_CARDS
    legal = 0
    for action in range(NUM_ACTIONS):
        if mask[action] != 0 and mask[action] != 1:
            return MASK
        legal += int(mask[action])
    if (legal == 0) != (game.phase == OVER):
        return NO_ACTION
    for entry in range(WIDTH):
        if observation[entry] < 0 or observation[entry] > HIGH[entry]:
            return BOUNDS
    return NOTHING


@compiled
def cards_are_whole(game):
    """112 cards, each kind as often as the game has it, wherever they are."""
    count = np.zeros(NUM_KINDS, np.int64)
    for kind in range(NUM_KINDS):
        count[kind] = int(game.bundle[kind]) + int(game.market[kind]) + int(game.gone[kind])
        for seat in range(game.players):
            count[kind] += int(game.hands[seat, kind]) + int(game.laid[seat, kind])
    first_removed = game.players * FIRST_HAND
    for position in range(first_removed, first_removed + REMOVED_FOR[game.players]):
        count[game.deck[position]] += 1
    for position in range(game.drawn, DECK_SIZE):
        count[game.deck[position]] += 1
    for kind in range(NUM_KINDS):
        if count[kind] != DECK[kind]:
            return False
    return DECK_SIZE - game.drawn <= STOCK_FOR[game.players]


@compiled
def hand_fits(game, seat):
    """Known + unknown = hand size, and no card is known that is not there."""
    size, known = 0, 0
    for kind in range(NUM_KINDS):
        if not 0 <= game.known[seat, kind] <= game.hands[seat, kind] or game.laid[seat, kind] < 0:
            return False
        size += int(game.hands[seat, kind])
        known += int(game.known[seat, kind])
    fits = size == game.hand_size[seat] and known + game.unknown[seat] == size
    return fits and 0 <= game.unknown[seat] <= FIRST_HAND


@compiled
def kept_value(game, seat):
    value = 5 * int(game.kept[seat, MERCHANT])
    for kind in range(MERCHANT):
        value += (kind % NUM_VALUES + 1) * int(game.kept[seat, kind])
    return value


@compiled
def laid_value(game, seat):
    value = 100 * int(game.laid[seat, MERCHANT])  # a merchant is never laid
    for kind in range(MERCHANT):
        value += (kind % NUM_VALUES + 1) * int(game.laid[seat, kind])
    return value


@compiled
def bid_laid(game, seat):
    """What a seat must have laid: its bid, less what it is still paying; nothing once it has passed or is decided."""
    if game.passed[seat]:
        return 0
    if game.phase == PAY and game.turn == seat:
        return game.bid[seat] - game.to_pay
    return game.bid[seat] if game.phase == BID or game.phase == PAY else 0


@compiled
def bidder_cards_fit(game):
    """In auction a of a round a - 1 or, once it is decided, a bidder cards are out, all different."""
    held = 0
    for seat in range(game.players):
        if game.bidder_card[seat] > 0:
            held += 1
            for other in range(seat):
                if game.bidder_card[other] == game.bidder_card[seat]:
                    return False
    if game.phase == PICK or game.phase == OVER:
        return held == game.players and game.on_sale == 0
    if game.on_sale > 0:
        return held == game.auction - 1 and game.on_sale >= LOWEST_BIDDER_CARD[game.players]
    return held == game.auction


@compiled
def soak(games, first, count, players, stream, mask, observation):
    """Play random games with every position checked. The answer is (games, decisions, fault)."""
    decisions = 0
    for i in range(first, first + count):
        game = games[0]
        deal_from_seed(game, players, i)
        for number in range(LONGEST_GAME):
            mark_legal(game, mask)
            observe(game, game.turn, observation)
            fault = find_fault(game, mask, observation)
            if fault != NOTHING:
                return i, decisions, fault
            if game.phase == OVER:
                break
            step(game, draw_action(mask, decision_key(stream, i, game.turn, number)))
            decisions += 1
        if game.phase != OVER:
            return i, decisions, ENDLESS
        if not 1 <= count_winners(game) <= players:
            return i, decisions, WINNERS
    return first + count, decisions, NOTHING
