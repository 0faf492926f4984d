"""The rules of play: what an action does, and who is asked next. The only implementation of them in the project.

Read `step` first: it follows the turn order. Every function takes one game and changes it in place. Legality is not
checked here (a door asks the mask of `legal` before), and nothing is drawn: chance ended with the deal.
"""

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
    SET_PROFIT,
)
from .cards import (
    BIDDER_CARD,
    CARD_VALUES,
    DECK_SIZE,
    HAND_LIMIT,
    LOWEST_BIDDER_CARD,
    MERCHANT,
    MERCHANT_TYPE,
    NUM_KINDS,
    NUM_VALUES,
    SET_SIZE,
)
from .compiled import compiled
from .state import BID, FINAL, GIVE, LIMIT, NOBODY, OVER, PAY, PICK


@compiled
def step(game, action):
    """Carry out one legal action of the seat on turn and go on to the next decision, or to the end of the game."""
    seat = game.turn
    if FIRST_SALE <= action < FIRST_DISCARD:
        sell(game, seat, action - FIRST_SALE)
    elif game.phase == BID:
        if action == PASS:
            drop_out(game, seat)
        else:
            name_bid(game, seat, action - BID_ZERO)
    elif game.phase == PAY:
        lay_card(game, seat, action - FIRST_PAY)
    elif game.phase == GIVE:
        give_card(game, seat, action - FIRST_GIVE)
    elif game.phase == PICK:
        take_type(game, seat, action - FIRST_PICK)
    elif game.phase == LIMIT:
        discard(game, seat, action - FIRST_DISCARD)
    else:
        finish_selling(game, seat)


# ------------------------------------------------------------------------------------- a round


@compiled
def begin(game):
    """The first round; seat 0 opens."""
    begin_round(game, 0)


@compiled
def begin_round(game, opener):
    """Collect the bidder cards and sell the first bundle of the round."""
    game.round_number += 1
    game.auction = 0
    game.bidder_card[:] = 0
    game.picked[:] = 0
    open_auction(game, opener)


@compiled
def end_round(game):
    """What is left over in the market leaves the game. Then another round while stock is left, or the final sales."""
    for kind in range(NUM_KINDS):
        game.gone[kind] += game.market[kind]
        game.market[kind] = 0
    lowest = holder_of_lowest_card(game)
    if game.drawn < DECK_SIZE:
        begin_round(game, lowest)
    else:
        game.phase = FINAL
        game.turn = lowest


@compiled
def holder_of_lowest_card(game):
    """The seat that holds the lowest bidder card of the round."""
    for seat in range(game.players):
        if game.bidder_card[seat] == LOWEST_BIDDER_CARD[game.players]:
            return seat
    return NOBODY


# ------------------------------------------------------------------------------------- an auction


@compiled
def open_auction(game, opener):
    """Turn up the bundle and ask the opener."""
    turn_up_bundle(game)
    game.opener = opener
    game.turn = opener
    game.phase = BID


@compiled
def turn_up_bundle(game):
    """The next bidder card goes on sale, with as many stock cards as it says."""
    game.auction += 1
    game.on_sale = BIDDER_CARD[game.players, game.auction - 1]
    for _ in range(game.on_sale):
        game.bundle[game.deck[game.drawn]] += 1
        game.drawn += 1


@compiled
def sell_last_bundle(game, seat):
    """The last participant of a round has no bidding: one card of two goes to the market, a single card at once."""
    turn_up_bundle(game)
    game.turn = seat
    if game.on_sale > 1:
        game.phase = GIVE
    else:
        for kind in range(NUM_KINDS):
            game.market[kind] += game.bundle[kind]
            game.bundle[kind] = 0
        hand_over_bidder_card(game, seat)
        ask_next_pick(game)


@compiled
def name_bid(game, seat, total):
    """A bid is named first and then paid, card by card."""
    game.to_pay = total - game.bid[seat]
    game.bid[seat] = total
    game.highest_bid = total
    game.highest_bidder = seat
    game.phase = PAY


@compiled
def lay_card(game, seat, kind):
    """Lay a card face up for the bid just named; with the last one the bid stands."""
    part_with(game, seat, kind)
    game.laid[seat, kind] += 1
    game.to_pay -= CARD_VALUES[kind]
    if game.to_pay == 0:
        game.phase = BID
        go_on_bidding(game, seat)


@compiled
def drop_out(game, seat):
    """Who passes is out of this auction and takes the laid cards back."""
    game.passed[seat] = 1
    for kind in range(NUM_KINDS):
        if game.laid[seat, kind] > 0:
            receive(game, seat, kind, game.laid[seat, kind])
            game.laid[seat, kind] = 0
    go_on_bidding(game, seat)


@compiled
def go_on_bidding(game, seat):
    """The next bidder's turn, unless the auction is decided."""
    bidders = bidders_left(game)
    if bidders == 0:
        take_bundle(game, game.opener)  # all passed: who passed first wins and puts no card into the market
    elif bidders == 1 and game.highest_bidder != NOBODY:
        win_auction(game, game.highest_bidder)
    else:  # ruling: the last participant still has the turn when nobody has bid
        game.turn = next_bidder(game, seat)


@compiled
def takes_part(game, seat):
    """Who holds no bidder card yet in this round takes part in the auction."""
    return game.bidder_card[seat] == 0


@compiled
def bidders_left(game):
    """How many participants have not passed."""
    count = 0
    for seat in range(game.players):
        if takes_part(game, seat) and not game.passed[seat]:
            count += 1
    return count


@compiled
def next_bidder(game, seat):
    """The first participant clockwise from a seat who has not passed."""
    seat = (seat + 1) % game.players
    while game.passed[seat] or not takes_part(game, seat):
        seat = (seat + 1) % game.players
    return seat


@compiled
def win_auction(game, seat):
    """The laid cards go into the market; then the winner chooses the bundle card that follows them."""
    for kind in range(NUM_KINDS):
        game.market[kind] += game.laid[seat, kind]
        game.laid[seat, kind] = 0
    game.turn = seat
    game.phase = GIVE


@compiled
def give_card(game, seat, kind):
    """One card of the bundle goes into the market, the rest to the winner."""
    game.bundle[kind] -= 1
    game.market[kind] += 1
    take_bundle(game, seat)


@compiled
def take_bundle(game, seat):
    """What is left of the bundle goes to the hand, the bidder card in front of the player."""
    for kind in range(NUM_KINDS):
        if game.bundle[kind] > 0:
            receive(game, seat, kind, game.bundle[kind])
            game.bundle[kind] = 0
    hand_over_bidder_card(game, seat)
    game.turn = seat
    check_hand_limit(game, seat)


@compiled
def hand_over_bidder_card(game, seat):
    """The auction is over: its winner has the bidder card, and the bids are forgotten."""
    game.bidder_card[seat] = game.on_sale
    game.on_sale = 0
    game.highest_bid = 0
    game.highest_bidder = NOBODY
    game.bid[:] = 0
    game.passed[:] = 0


@compiled
def after_auction(game, seat):
    """The next auction opens with the first participant clockwise from the winner; after the last, the market."""
    auctions_left = game.players - game.auction
    if auctions_left > 1:
        open_auction(game, next_bidder(game, seat))
    elif auctions_left == 1:
        sell_last_bundle(game, next_bidder(game, seat))
    else:
        ask_next_pick(game)


# ------------------------------------------------------------------------------------- the market


@compiled
def ask_next_pick(game):
    """In ascending order of bidder cards each player takes a type; ruling: who finds the market empty is skipped."""
    seat = next_picker(game)
    if seat == NOBODY or market_is_empty(game):
        end_round(game)
    else:
        game.turn = seat
        game.phase = PICK


@compiled
def next_picker(game):
    """The holder of the lowest bidder card who has not picked yet."""
    chosen = NOBODY
    for seat in range(game.players):
        if not game.picked[seat] and (chosen == NOBODY or game.bidder_card[seat] < game.bidder_card[chosen]):
            chosen = seat
    return chosen


@compiled
def market_is_empty(game):
    for kind in range(NUM_KINDS):
        if game.market[kind] > 0:
            return False
    return True


@compiled
def take_type(game, seat, card_type):
    """All market cards of one type, a good or the merchants, go to the hand."""
    first = NUM_VALUES * card_type
    end = NUM_KINDS if card_type == MERCHANT_TYPE else first + NUM_VALUES
    for kind in range(first, end):
        if game.market[kind] > 0:
            receive(game, seat, kind, game.market[kind])
            game.market[kind] = 0
    game.picked[seat] = 1
    check_hand_limit(game, seat)


# ------------------------------------------------------------------------------------- the hand


@compiled
def receive(game, seat, kind, count):
    """Cards that come to the hand in the open: everybody knows of them."""
    game.hands[seat, kind] += count
    game.known[seat, kind] += count
    game.hand_size[seat] += count


@compiled
def part_with(game, seat, kind):
    """A card leaves the hand in the open: a known one if there is one, else one of the hidden first cards."""
    game.hands[seat, kind] -= 1
    game.hand_size[seat] -= 1
    if game.known[seat, kind] > 0:
        game.known[seat, kind] -= 1
    else:
        game.unknown[seat] -= 1


@compiled
def check_hand_limit(game, seat):
    """More than seven cards: sell or discard at once, before the game goes on."""
    if game.hand_size[seat] > HAND_LIMIT:
        game.phase = LIMIT
    elif game.picked[seat]:
        ask_next_pick(game)
    else:
        after_auction(game, seat)


@compiled
def discard(game, seat, kind):
    """A discarded card leaves the game, face up."""
    leave_game(game, seat, kind)
    check_hand_limit(game, seat)


@compiled
def leave_game(game, seat, kind):
    part_with(game, seat, kind)
    game.gone[kind] += 1


# ------------------------------------------------------------------------------------- selling


@compiled
def sell(game, seat, sale):
    """Three cards are shown and leave the game; the highest is kept as profit. It does not use up the turn."""
    good, cards = sale // NUM_SETS, sale % NUM_SETS
    if sale == SELL_MERCHANTS - FIRST_SALE:
        for _ in range(SET_SIZE):
            leave_game(game, seat, MERCHANT)
        kept, cards = MERCHANT, NUM_SETS
    else:
        for value in range(NUM_VALUES):
            for _ in range(SET_NEEDS[value, cards]):
                leave_game(game, seat, NUM_VALUES * good + value)
        for _ in range(SET_NEEDS[NUM_VALUES, cards]):
            leave_game(game, seat, MERCHANT)
        kept = NUM_VALUES * good + SET_PROFIT[cards] - 1
    game.kept[seat, kept] += 1
    game.profit[seat] += SET_PROFIT[cards]
    if game.phase == LIMIT:
        check_hand_limit(game, seat)


@compiled
def finish_selling(game, seat):
    """Everybody is asked once, clockwise from the holder of the lowest bidder card; then the game is over."""
    game.turn = (seat + 1) % game.players
    if game.turn == holder_of_lowest_card(game):
        game.phase = OVER
