"""Which actions the seat on turn may choose from: it fills the mask. What an action does stands in `rules`."""

from .actions import (
    BID_ZERO,
    FIRST_DISCARD,
    FIRST_GIVE,
    FIRST_PAY,
    FIRST_PICK,
    FIRST_SALE,
    NUM_ACTIONS,
    NUM_SETS,
    PASS,
    SELL_MERCHANTS,
    SET_NEEDS,
)
from .cards import MERCHANT, MERCHANT_TYPE, NUM_GOODS, NUM_KINDS, NUM_VALUES, SET_SIZE
from .compiled import compiled
from .state import BID, FINAL, GIVE, LIMIT, OVER, PAY, PICK


@compiled
def mark_legal(game, mask):
    """Set mask[action] to 1 for every legal action of the seat on turn and to 0 for all others."""
    for action in range(NUM_ACTIONS):  # a slice would be slower in compiled code
        mask[action] = 0
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
    lowest = highest_bid + 1
    amounts = payable_amounts(ones, twos, threes, fours) >> int(lowest - laid)
    totals = mask[BID_ZERO + lowest : FIRST_PAY]
    for step in range(totals.size):
        totals[step] = (amounts >> step) & 1


@compiled
def mark_payments(hand, to_pay, mask):
    """A goods card after which the rest can still be paid exactly."""
    ones, twos, threes, fours = goods_by_value(hand)
    if ones > 0 and (payable_amounts(ones - 1, twos, threes, fours) >> int(to_pay - 1)) & 1:
        mark_value(hand, 1, mask)
    if twos > 0 and to_pay >= 2 and (payable_amounts(ones, twos - 1, threes, fours) >> int(to_pay - 2)) & 1:
        mark_value(hand, 2, mask)
    if threes > 0 and to_pay >= 3 and (payable_amounts(ones, twos, threes - 1, fours) >> int(to_pay - 3)) & 1:
        mark_value(hand, 3, mask)
    if fours > 0 and to_pay >= 4 and (payable_amounts(ones, twos, threes, fours - 1) >> int(to_pay - 4)) & 1:
        mark_value(hand, 4, mask)


@compiled
def mark_value(hand, value, mask):
    """Every card of a value that the hand holds may be laid."""
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
    amounts = (2 << int(ones)) - 1  # every amount up to the number of ones
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
        first = NUM_VALUES * good
        ones, twos, threes, fours = hand[first], hand[first + 1], hand[first + 2], hand[first + 3]
        of_good = ones + twos + threes + fours
        if of_good == 0 or of_good + merchants < SET_SIZE:
            continue
        sales = mask[FIRST_SALE + NUM_SETS * good :]
        for s in range(NUM_SETS):
            sales[s] = (
                (SET_NEEDS[0, s] <= ones)
                & (SET_NEEDS[1, s] <= twos)
                & (SET_NEEDS[2, s] <= threes)
                & (SET_NEEDS[3, s] <= fours)
                & (SET_NEEDS[4, s] <= merchants)
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
