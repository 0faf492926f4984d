"""Which actions the seat on turn may choose from: it fills the mask. What an action does stands in `rules`."""

from .actions import (
    BID_ZERO,
    FIRST_DISCARD,
    FIRST_GIVE,
    FIRST_PAY,
    FIRST_PICK,
    FIRST_SALE,
    NUM_SETS,
    PASS,
    SELL_MERCHANTS,
    SET_NEEDS,
)
from .cards import HIGHEST_BID, MERCHANT, MERCHANT_TYPE, NUM_GOODS, NUM_KINDS, NUM_VALUES, SET_SIZE
from .compiled import compiled
from .state import BID, FINAL, GIVE, LIMIT, OVER, PAY, PICK


@compiled
def mark_legal(game, mask):
    """Set mask[action] to 1 for every legal action of the seat on turn and to 0 for all others."""
    mask[:] = 0
    if game.phase == OVER:
        return
    hand = game.hands[game.turn]
    if game.phase == PAY:
        mark_payments(hand, game.to_pay, mask)
        return
    mark_sales(hand, mask)  # ruling: on turn, in every phase but while paying
    if game.phase == BID:
        mask[PASS] = 1
        mark_bids(hand, game.bid[game.turn], game.highest_bid, mask)
    elif game.phase == GIVE:
        mark_kinds(game.bundle, FIRST_GIVE, mask)
    elif game.phase == PICK:
        mark_picks(game.market, mask)
    elif game.phase == LIMIT:
        mark_kinds(hand, FIRST_DISCARD, mask)
    elif game.phase == FINAL:
        mask[PASS] = 1


@compiled
def mark_bids(hand, laid, highest_bid, mask):
    """A new total above the highest bid whose difference to what is laid can be paid exactly."""
    ones, twos, threes, fours = goods_by_value(hand)
    amounts = payable_amounts(ones, twos, threes, fours)
    for total in range(highest_bid + 1, HIGHEST_BID + 1):
        mask[BID_ZERO + total] = (amounts >> (total - laid)) & 1


@compiled
def mark_payments(hand, to_pay, mask):
    """A goods card after which the rest can still be paid exactly."""
    ones, twos, threes, fours = goods_by_value(hand)
    for value in range(1, min(to_pay, NUM_VALUES) + 1):
        rest = payable_amounts(ones - (value == 1), twos - (value == 2), threes - (value == 3), fours - (value == 4))
        if (rest >> (to_pay - value)) & 1:
            for kind in range(value - 1, MERCHANT, NUM_VALUES):
                mask[FIRST_PAY + kind] = hand[kind] > 0


@compiled
def goods_by_value(hand):
    """How many goods cards of value 1, 2, 3 and 4 a hand holds. Merchants cannot be bid: they are not counted."""
    ones, twos, threes, fours = 0, 0, 0, 0
    for good in range(NUM_GOODS):
        ones += hand[NUM_VALUES * good]
        twos += hand[NUM_VALUES * good + 1]
        threes += hand[NUM_VALUES * good + 2]
        fours += hand[NUM_VALUES * good + 3]
    return ones, twos, threes, fours


@compiled
def payable_amounts(ones, twos, threes, fours):
    """The amounts that cards of these values can pay exactly, as a set of bits: bit a for amount a."""
    amounts = 1
    for _ in range(ones):
        amounts |= amounts << 1
    for _ in range(twos):
        amounts |= amounts << 2
    for _ in range(threes):
        amounts |= amounts << 3
    for _ in range(fours):
        amounts |= amounts << 4
    return amounts


@compiled
def mark_sales(hand, mask):
    """Three cards of one good, merchants standing in for at most two of them; or three merchants."""
    merchants = hand[MERCHANT]
    for good in range(NUM_GOODS):
        ones, twos, threes, fours = hand[4 * good], hand[4 * good + 1], hand[4 * good + 2], hand[4 * good + 3]
        of_good = ones + twos + threes + fours
        if of_good == 0 or of_good + merchants < SET_SIZE:
            continue
        first = FIRST_SALE + NUM_SETS * good
        for s in range(NUM_SETS):
            mask[first + s] = (
                SET_NEEDS[s, 0] <= ones
                and SET_NEEDS[s, 1] <= twos
                and SET_NEEDS[s, 2] <= threes
                and SET_NEEDS[s, 3] <= fours
                and SET_NEEDS[s, 4] <= merchants
            )
    mask[SELL_MERCHANTS] = merchants >= SET_SIZE


@compiled
def mark_kinds(place, first, mask):
    """One action for every kind of card that lies in a place."""
    for kind in range(NUM_KINDS):
        mask[first + kind] = place[kind] > 0


@compiled
def mark_picks(market, mask):
    """Every type of which the market has a card."""
    for good in range(NUM_GOODS):
        for value in range(NUM_VALUES):
            if market[NUM_VALUES * good + value] > 0:
                mask[FIRST_PICK + good] = 1
    mask[FIRST_PICK + MERCHANT_TYPE] = market[MERCHANT] > 0
