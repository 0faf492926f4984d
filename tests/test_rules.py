"""Every rule of the game, one test each, under the name of the rule. Rulings of the project say so in their names."""

from collections import Counter

import numpy as np
import pytest
from table import Table, names

from byzanz_env.cards import BIDDER_CARDS, CARD_NAMES, DECK, GOODS, ROUNDS, STOCK_SIZE
from byzanz_env.scoring import goods_in_hand, winners_of

FOUR = "cloth-1 grain-2 olives-3 spices-4"

# ------------------------------------------------------------------------------------- material and set-up


def test_each_good_has_six_ones_five_twos_three_threes_two_fours():
    for good in GOODS:
        assert [int(DECK[CARD_NAMES.index(f"{good}-{value}")]) for value in (1, 2, 3, 4)] == [6, 5, 3, 2]


def test_sixteen_merchants_and_112_cards_of_25_kinds():
    assert int(DECK[CARD_NAMES.index("merchant")]) == 16
    assert int(DECK.sum()) == 112
    assert len(CARD_NAMES) == 25


@pytest.mark.parametrize(
    ("players", "bidder_cards", "removed", "rounds", "stock"),
    [
        (3, (2, 4, 6), 4, 8, 96),
        (4, (2, 3, 4, 5), 12, 6, 84),
        (5, (1, 2, 3, 4, 5), 2, 6, 90),
        (6, (1, 2, 3, 4, 5, 6), 4, 4, 84),
    ],
)
def test_table_of_player_counts(players, bidder_cards, removed, rounds, stock):
    assert BIDDER_CARDS[players] == bidder_cards
    assert ROUNDS[players] == rounds
    assert STOCK_SIZE[players] == stock
    assert stock == rounds * sum(bidder_cards) == 112 - 4 * players - removed
    table = Table(players)
    assert 112 - int(table.game.drawn) == stock - bidder_cards[-1]
    assert all(table.game.hand_size[:players] == 4)
    assert not table.game.hand_size[players:].any()


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_stock_is_used_up_exactly(players):
    table = Table(players).play_first_legal("FINAL")
    assert int(table.game.drawn) == 112
    assert int(table.game.round_number) == ROUNDS[players]


def test_whole_deck_is_dealt():
    assert Table(5, seed=3).all_cards() == Counter(names(DECK).split())


# ------------------------------------------------------------------------------------- the auction


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_bundle_has_as_many_cards_as_the_bidder_card_and_the_highest_is_sold_first(players):
    table = Table(players)
    for card in BIDDER_CARDS[players][:0:-1]:
        assert table.game.on_sale == card == table.game.bundle.sum()
        table.pass_all().settle()


def test_seat_0_opens_the_first_auction():
    table = Table(4)
    assert (table.turn, table.phase) == (0, "BID")


def test_bidding_goes_clockwise():
    table = Table(4).hold(0, FOUR).hold(1, FOUR).hold(2, FOUR)
    table.play("0 bid 1, 0 pay cloth-1, 1 pass, 2 bid 2, 2 pay grain-2, 3 pass")
    assert table.turn == 0


def test_next_auction_opens_with_the_first_participant_clockwise_from_the_winner():
    table = Table(4).hold(1, FOUR).offer("5*cloth-1")
    table.play("0 pass, 1 bid 1, 1 pay cloth-1, 2 pass, 3 pass, 1 give cloth-1")
    assert (table.turn, table.phase, table.game.auction) == (2, "BID", 2)


def test_next_opener_skips_who_holds_a_bidder_card():
    table = Table(4).hold(3, FOUR).offer("5*cloth-1").pass_all().settle()
    assert table.turn == 1
    table.play("1 pass, 2 pass, 3 bid 1, 3 pay cloth-1").act(int(np.argmax(table.mask)))
    assert (table.turn, table.game.auction) == (1, 3)  # clockwise from 3 comes 0, who has won already


def test_later_round_opens_with_the_holder_of_the_lowest_bidder_card():
    table = Table(4).hand_out(3, 2, 4, 5).lay_out_market("cloth-1")
    table.game.auction = 4
    table.at(1, "PICK").play("1 pick cloth")
    assert (table.game.round_number, table.game.auction, table.turn) == (2, 1, 1)
    table.settle().hand_out(5, 4, 3, 2).offer("").lay_out_market("wine-1").game.auction = 4
    table.at(3, "PICK").play("3 pick wine").settle()
    assert (table.game.round_number, table.game.auction, table.turn) == (3, 1, 3)


def test_only_players_without_a_bidder_card_take_part():
    table = Table(4).pass_all().settle()
    assert table.game.bidder_card[0] == 5
    assert [row.taking_part for row in table.see(0).seats] == [0, 1, 1, 1]
    table.play("1 pass, 2 pass, 3 pass")
    assert table.game.bidder_card[1] == 4  # seat 0 was never asked


def test_bid_is_at_least_1():
    assert Table().hold(0, "cloth-2").legal("bid") == {"bid 2"}
    assert "bid 1" in Table().hold(0, "cloth-1").legal()


def test_bid_must_exceed_the_highest_bid():
    table = Table(3).hold(0, "cloth-2").hold(1, "grain-1 grain-2 wine-3")
    table.play("0 bid 2, 0 pay cloth-2")
    assert table.legal("bid") == {"bid 3", "bid 4", "bid 5", "bid 6"}


def test_amount_is_the_sum_of_values_whatever_the_types():
    table = Table().hold(0, "cloth-1 grain-2 wine-3")
    table.play("0 bid 6, 0 pay wine-3, 0 pay grain-2, 0 pay cloth-1")
    assert (table.turn, int(table.game.highest_bid)) == (1, 6)


def test_bid_must_be_payable_exactly():
    assert Table().hold(0, "cloth-4 grain-4 wine-2").legal("bid") == {"bid 2", "bid 4", "bid 6", "bid 8", "bid 10"}
    assert Table().hold(0, "cloth-2 grain-2 wine-2").legal("bid") == {"bid 2", "bid 4", "bid 6"}


def test_payment_must_leave_the_rest_exactly_payable():
    table = Table().hold(0, "cloth-4 grain-3 wine-2 wood-2").play("0 bid 4")
    assert table.legal() == {"pay cloth-4", "pay wine-2", "pay wood-2"}
    assert table.play("0 pay wine-2").legal() == {"pay wood-2"}


def test_merchant_cannot_be_bid():
    table = Table().hold(0, "5*merchant")
    assert table.legal("bid") == set()
    table.hold(0, "cloth-1 2*merchant").play("0 bid 1")
    assert table.legal() == {"pay cloth-1"}


def test_raise_adds_cards_to_the_laid_ones():
    table = Table(3).hold(0, "cloth-1 grain-3").hold(1, "wine-2").hold(2, "wine-1")
    table.play("0 bid 1, 0 pay cloth-1, 1 bid 2, 1 pay wine-2, 2 pass")
    assert table.legal("bid") == {"bid 4"}  # 1 is laid, 3 is added; 3 alone would not count anew
    table.play("0 bid 4, 0 pay grain-3")
    assert names(table.game.laid[0]) == "cloth-1 grain-3"


def test_laid_card_cannot_be_taken_back_or_exchanged():
    table = Table(3).hold(0, "cloth-2 grain-3").hold(1, "wine-3 wine-1").hold(2, "wine-1")
    table.play("0 bid 2, 0 pay cloth-2, 1 bid 4, 1 pay wine-3, 1 pay wine-1, 2 pass, 0 bid 5")
    assert table.legal() == {"pay grain-3"}
    assert table.hand(0) == "grain-3"


def test_who_passes_takes_the_laid_cards_back():
    table = Table(3).hold(0, "cloth-1 grain-3").hold(1, "wine-2").hold(2, "wine-1")
    table.play("0 bid 1, 0 pay cloth-1, 1 bid 2, 1 pay wine-2, 2 pass, 0 pass")
    assert table.hand(0) == "cloth-1 grain-3"
    assert not table.game.laid[0].any()


def test_who_passed_is_out_of_this_auction():
    table = Table(4).hold(1, FOUR).hold(2, FOUR).hold(3, FOUR)
    table.play("0 pass, 1 bid 1, 1 pay cloth-1, 2 bid 2, 2 pay grain-2, 3 bid 3, 3 pay olives-3")
    assert table.turn == 1


def test_passing_is_forgotten_in_the_next_auction():
    table = Table(4).pass_all().settle().play("1 pass")
    assert [int(p) for p in table.game.passed[:4]] == [0, 1, 0, 0]


def test_bids_are_forgotten_in_the_next_auction():
    table = Table(4).hold(0, "cloth-3").hold(1, "wine-1").offer("5*cloth-1")
    table.play("0 bid 3, 0 pay cloth-3, 1 pass, 2 pass, 3 pass, 0 give cloth-1")
    assert (int(table.game.highest_bid), int(table.game.highest_bidder), table.game.bid.any()) == (0, -1, False)
    assert "bid 1" in table.legal()


def test_highest_bid_is_seven_fours():
    table = Table().hold(0, "2*cloth-4 2*grain-4 2*olives-4 wine-4")
    assert table.legal("bid") == {f"bid {total}" for total in range(4, 29, 4)}


def test_auction_ends_when_one_bidder_is_left_with_a_bid():
    table = Table(3).hold(0, FOUR).play("0 bid 1, 0 pay cloth-1, 1 pass, 2 pass")
    assert (table.turn, table.phase) == (0, "GIVE")


def test_ruling_last_participant_still_has_the_turn_when_nobody_has_bid():
    table = Table(3).hold(2, FOUR).play("0 pass, 1 pass")
    assert (table.turn, table.phase) == (2, "BID")
    assert {"pass", "bid 1"} <= table.legal()


def test_ruling_last_participant_who_bids_wins_at_once():
    table = Table(3).hold(2, FOUR).play("0 pass, 1 pass, 2 bid 1, 2 pay cloth-1")
    assert (table.turn, table.phase) == (2, "GIVE")


def test_payment_goes_to_the_market_before_a_card_is_given():
    table = Table(3).hold(0, FOUR).play("0 bid 3, 0 pay cloth-1, 0 pay grain-2, 1 pass, 2 pass")
    assert (table.phase, table.market) == ("GIVE", "cloth-1 grain-2")
    assert not table.game.laid.any()


def test_winner_gives_one_bundle_card_and_takes_the_rest_and_the_bidder_card():
    table = Table(4).hold(0, "cloth-1").offer("grain-1 grain-2 olives-1 olives-2 merchant")
    table.play("0 bid 1, 0 pay cloth-1, 1 pass, 2 pass, 3 pass, 0 give grain-2")
    assert table.market == "cloth-1 grain-2"
    assert table.hand(0) == "grain-1 olives-1 olives-2 merchant"
    assert table.game.bidder_card[0] == 5


def test_only_a_card_of_the_bundle_can_be_given():
    table = Table(3).hold(0, "cloth-1 wood-4").offer("3*grain-1 2*olives-2 wine-1")
    table.play("0 bid 1, 0 pay cloth-1, 1 pass, 2 pass")
    assert table.legal("give") == {"give grain-1", "give olives-2", "give wine-1"}


def test_ruling_a_merchant_may_be_given():
    table = Table(3).hold(0, "cloth-1").offer("5*grain-1 merchant")
    table.play("0 bid 1, 0 pay cloth-1, 1 pass, 2 pass, 0 give merchant")
    assert table.market == "cloth-1 merchant"


def test_all_passed_the_opener_takes_the_whole_bundle_and_puts_no_card_into_the_market():
    table = Table(3).hold(0, "cloth-1").offer("grain-1 grain-2 olives-1 olives-2 wine-1 merchant").pass_all()
    assert table.market == ""
    assert table.hand(0) == "cloth-1 grain-1 grain-2 olives-1 olives-2 wine-1 merchant"
    assert table.game.bidder_card[0] == 6


def test_all_passed_who_passed_first_wins_not_seat_0():
    table = Table(4).hold(0, FOUR).hold(1, FOUR).pass_all().settle().pass_all()
    assert table.game.bidder_card[1] == 4


def test_all_passed_the_opener_wins_though_seat_0_takes_part():
    table = market("cloth-1", 4, 2, 5, 3).play("1 pick cloth")
    assert (table.turn, table.phase) == (1, "BID")
    table.play("1 pass, 2 pass, 3 pass, 0 pass")
    assert [int(card) for card in table.game.bidder_card[:4]] == [0, 5, 0, 0]


@pytest.mark.parametrize("players", [3, 4])
def test_last_auction_of_3_or_4_players_one_of_two_cards_goes_to_the_market_by_choice(players):
    table = Table(players)
    for seat in range(players):
        table.hold(seat, "cloth-1")
    table.play_first_legal("GIVE")
    seat = table.turn
    assert (table.game.on_sale, int(table.game.auction)) == (2, players)
    table.offer("grain-1 wood-4").lay_out_market("").play(f"{seat} give grain-1")
    assert (table.market, table.game.bidder_card[seat]) == ("grain-1", 2)
    assert "wood-4" in table.hand(seat)


@pytest.mark.parametrize("players", [5, 6])
def test_last_auction_of_5_or_6_players_the_single_card_goes_to_the_market_without_choice(players):
    table = Table(players)
    for _ in range(players - 1):
        table.pass_all().settle()
    last = players - 1
    assert (table.phase, table.turn) == ("PICK", last)
    assert (table.game.market.sum(), table.game.bidder_card[last], table.game.hand_size[last]) == (1, 1, 4)


# ------------------------------------------------------------------------------------- the market


def market(cards: str, *bidder_cards: int, players: int = 4) -> Table:
    """The first pick of a round."""
    table = Table(players).hand_out(*bidder_cards).lay_out_market(cards)
    for seat in range(players):
        table.hold(seat, "")
    table.offer("").game.auction = players
    return table.at(int(np.argmin(bidder_cards)), "PICK")


def test_picks_go_in_ascending_order_of_bidder_cards():
    table = market("cloth-1 grain-1 olives-1 wine-1", 4, 2, 5, 3)
    table.play("1 pick cloth, 3 pick grain, 0 pick olives, 2 pick wine")


def test_pick_takes_all_cards_of_one_type_and_nothing_else():
    table = market("cloth-1 cloth-1 cloth-4 grain-1 olives-1 wine-1", 2, 3, 4, 5).play("0 pick cloth")
    assert table.hand(0) == "cloth-1 cloth-1 cloth-4"
    assert table.market == "grain-1 olives-1 wine-1"


def test_merchants_are_a_type_of_their_own():
    table = market("wood-1 3*merchant", 2, 3, 4, 5)
    assert table.legal("pick") == {"pick wood", "pick merchant"}
    assert table.play("0 pick merchant").hand(0) == "merchant merchant merchant"


def test_each_player_picks_once():
    table = market("cloth-1 grain-1 olives-1 spices-1 wine-1", 2, 3, 4, 5)
    table.play("0 pick cloth, 1 pick grain, 2 pick olives, 3 pick spices")
    assert table.game.round_number == 2


def test_ruling_a_pick_is_mandatory_while_a_type_is_left():
    assert market("wood-1", 2, 3, 4, 5).legal() == {"pick wood"}


def test_ruling_who_finds_the_market_empty_is_skipped():
    table = market("cloth-1 merchant", 2, 3, 4, 5).play("0 pick cloth, 1 pick merchant")
    assert (table.game.round_number, table.phase) == (2, "BID")


def test_what_is_left_over_in_the_market_leaves_the_game():
    table = market("cloth-1 grain-1 olives-1 spices-1 wine-1 wood-2", 2, 3, 4, 5)
    table.play("0 pick cloth, 1 pick grain, 2 pick olives, 3 pick spices")
    assert (table.market, table.gone) == ("", "wine-1 wood-2")


def test_what_is_left_over_in_the_last_market_leaves_the_game():
    table = market("cloth-1 grain-1 olives-1 spices-1 wine-1", 2, 3, 4, 5)
    table.game.drawn = 112
    table.play("0 pick cloth, 1 pick grain, 2 pick olives, 3 pick spices")
    assert (table.phase, table.market, table.gone) == ("FINAL", "", "wine-1")


def test_bidder_cards_are_collected_after_the_market():
    table = market("cloth-1", 2, 3, 4, 5).play("0 pick cloth")
    assert not table.game.bidder_card.any()
    assert not table.game.picked.any()


def test_another_round_while_stock_is_left():
    table = market("cloth-1", 2, 3, 4, 5).play("0 pick cloth")
    assert (table.phase, table.game.on_sale, table.game.bundle.sum()) == ("BID", 5, 5)


# ------------------------------------------------------------------------------------- selling


@pytest.mark.parametrize(
    ("hand", "sales"),
    [
        ("3*cloth-1", {"sell cloth 1+1+1"}),
        ("2*cloth-1 grain-1", set()),
        ("cloth-4 cloth-1 merchant", {"sell cloth 4+1+M"}),
        ("cloth-2 2*merchant", {"sell cloth 2+M+M"}),
        ("3*merchant", {"sell merchant M+M+M"}),
        ("2*merchant", set()),
        ("2*cloth-4 cloth-1 cloth-2", {"sell cloth 4+4+1", "sell cloth 4+4+2", "sell cloth 4+2+1"}),
        ("wood-1 wood-2 2*merchant", {"sell wood 2+1+M", "sell wood 1+M+M", "sell wood 2+M+M"}),
    ],
)
def test_sale_is_three_cards_of_one_good_with_merchants_standing_in(hand, sales):
    assert Table().hold(0, hand).legal("sell") == sales


def test_sale_keeps_the_highest_card_and_all_three_leave_the_hand():
    table = Table().hold(0, "cloth-1 cloth-2 cloth-3 wood-1").play("0 sell cloth 3+2+1")
    assert (table.hand(0), int(table.game.profit[0])) == ("wood-1", 3)
    assert names(table.game.kept[0]) == "cloth-3"
    assert table.gone == "cloth-1 cloth-2 cloth-3"


@pytest.mark.parametrize(
    ("hand", "sale", "kept"),
    [
        ("wine-2 wine-1 merchant", "sell wine 2+1+M", "wine-2"),
        ("wine-3 2*merchant", "sell wine 3+M+M", "wine-3"),
    ],
)
def test_merchants_in_a_set_always_leave_the_game(hand, sale, kept):
    table = Table().hold(0, hand).play(f"0 {sale}")
    assert (names(table.game.kept[0]), int(table.game.profit[0]), table.hand(0)) == (kept, int(kept[-1]), "")
    assert table.gone.count("merchant") == hand.count("2*merchant") + 1


def test_three_merchants_are_worth_5():
    table = Table().hold(0, "4*merchant").play("0 sell merchant M+M+M")
    assert (int(table.game.profit[0]), table.hand(0)) == (5, "merchant")
    assert names(table.game.kept[0]) == "merchant"


def test_player_chooses_which_cards_are_sold():
    table = Table().hold(0, "cloth-4 3*cloth-1").play("0 sell cloth 1+1+1")
    assert (table.hand(0), int(table.game.profit[0])) == ("cloth-4", 1)


def test_laid_cards_cannot_be_sold():
    table = Table(3).hold(0, "3*cloth-1").hold(1, "wine-2").hold(2, "wine-1")
    table.play("0 bid 1, 0 pay cloth-1, 1 bid 2, 1 pay wine-2, 2 pass")
    assert table.turn == 0
    assert table.legal("sell") == set()


@pytest.mark.parametrize("phase", ["BID", "GIVE", "PICK", "LIMIT", "FINAL"])
def test_ruling_a_sale_is_possible_on_turn_in_every_phase_but_pay(phase):
    table = Table().hold(0, "3*cloth-1 wood-1").lay_out_market("wine-1").at(0, phase)
    assert "sell cloth 1+1+1" in table.legal()


def test_ruling_no_sale_while_paying():
    assert Table().hold(0, "4*cloth-1").play("0 bid 2").legal() == {"pay cloth-1"}


@pytest.mark.parametrize("phase", ["BID", "GIVE", "PICK", "FINAL"])
def test_ruling_a_sale_does_not_use_up_the_turn(phase):
    table = Table().hold(0, "3*cloth-1 3*wine-1").lay_out_market("wood-1").at(0, phase)
    table.play("0 sell cloth 1+1+1, 0 sell wine 1+1+1")
    assert (table.turn, table.phase) == (0, phase)


# ------------------------------------------------------------------------------------- the hand limit

EIGHT = "cloth-1 cloth-2 cloth-3 grain-1 grain-2 olives-1 wine-1"


def test_more_than_seven_cards_must_be_brought_down_at_once():
    table = Table(3).hold(0, "cloth-1 cloth-2").offer("6*grain-1").pass_all()
    assert (table.turn, table.phase, table.game.hand_size[0]) == (0, "LIMIT", 8)
    assert "pass" not in table.legal()
    table.play("0 discard cloth-2")
    assert (table.phase, table.turn) == ("BID", 1)


def test_seven_cards_are_allowed_and_nobody_discards_at_seven():
    table = Table(3).hold(0, "cloth-1").offer("6*grain-1").pass_all()
    assert (table.phase, table.turn) == ("BID", 1)
    assert table.legal("discard") == set()


@pytest.mark.parametrize("phase", ["BID", "PAY", "GIVE", "PICK", "FINAL"])
def test_ruling_nobody_discards_outside_the_limit(phase):
    assert Table().hold(0, "3*cloth-1").lay_out_market("wood-1").at(0, phase).legal("discard") == set()


def test_ruling_merchants_count_for_the_hand_limit():
    table = Table(3).hold(0, "2*merchant").offer("grain-1 grain-2 olives-1 olives-2 wine-1 wine-2").pass_all()
    assert table.phase == "LIMIT"
    assert "discard merchant" in table.legal()


def test_limit_is_met_by_sales_or_discards_in_any_mix():
    table = Table(3).hold(0, "cloth-1 cloth-2 cloth-3 wine-1 wine-2 wine-3 wood-1").offer("6*grain-1").pass_all()
    table.play("0 sell cloth 3+2+1, 0 discard wood-1, 0 discard grain-1, 0 sell wine 3+2+1")
    assert (table.phase, table.game.hand_size[0]) == ("BID", 5)


def test_limit_ends_by_itself_at_seven_cards():
    table = Table(3).hold(0, "cloth-1 cloth-2 cloth-3").offer("6*grain-1").pass_all()
    table.play("0 discard cloth-1")
    assert table.phase == "LIMIT"
    assert table.play("0 discard cloth-2").phase == "BID"


def test_limit_can_be_met_by_one_sale_below_seven():
    table = Table(3).hold(0, "cloth-1 cloth-2").offer("6*grain-1").pass_all()
    table.play("0 sell grain 1+1+1")
    assert (table.phase, table.game.hand_size[0], table.turn) == ("BID", 5, 1)


def test_ruling_the_limit_is_checked_after_a_market_pick():
    table = market("6*wine-1 cloth-1", 2, 3, 4, 5).hold(0, "grain-1 grain-2")
    table.play("0 pick wine")
    assert (table.phase, table.turn, table.game.hand_size[0]) == ("LIMIT", 0, 8)
    assert table.play("0 discard grain-1").turn == 1
    assert table.phase == "PICK"


def test_ruling_the_limit_is_checked_after_the_bundle_of_the_last_auction_and_then_the_market_opens():
    table = Table(3).hand_out(6, 4, 0).hold(2, "7*cloth-1").offer("grain-1 grain-2").lay_out_market("")
    table.game.auction, table.game.on_sale = 3, 2
    table.at(2, "GIVE").play("2 give grain-1")
    assert (table.phase, table.turn) == ("LIMIT", 2)
    table.play("2 discard cloth-1")
    assert (table.phase, table.turn) == ("PICK", 2)


def test_ruling_cards_coming_back_from_a_lost_bid_never_break_the_limit():
    table = Table(3).hold(0, "7*cloth-1").hold(1, "wine-3").hold(2, "wine-1")
    table.play("0 bid 2, 0 pay cloth-1, 0 pay cloth-1, 1 bid 3, 1 pay wine-3, 2 pass, 0 pass")
    assert (int(table.game.hand_size[0]), table.turn, table.phase) == (7, 1, "GIVE")


def test_hand_of_more_than_fifteen_cards_is_possible_for_a_moment():
    table = market("6*wine-1 5*wine-2 wine-3 cloth-1", 2, 3, 4, 5).hold(0, "7*wood-1").play("0 pick wine")
    assert (table.phase, table.game.hand_size[0]) == ("LIMIT", 19)
    table.play("0 sell wood 1+1+1, 0 sell wine 2+2+2, 0 sell wine 1+1+1, 0 sell wine 1+1+1")
    assert (table.phase, table.game.hand_size[0]) == ("PICK", 7)


def test_ruling_discards_are_public_and_leave_the_game():
    table = Table(3).hold(0, "cloth-1 cloth-2", known="").offer("6*grain-1").pass_all().play("0 discard cloth-2")
    assert table.gone == "cloth-2"
    assert table.see(1).seats[2].unknown == 1
    assert names(table.see(1).gone) == "cloth-2"


# ------------------------------------------------------------------------------------- the end


def final(*bidder_cards: int) -> Table:
    """The beginning of the final sales."""
    table = market("cloth-1", *bidder_cards, players=len(bidder_cards))
    table.game.drawn = 112
    table.play(f"{table.turn} pick cloth")
    assert table.phase == "FINAL"
    return table


def test_after_the_last_market_everybody_may_sell_any_number_of_sets():
    table = final(2, 3, 4, 5).hold(0, "3*wine-1 3*wood-2")
    table.play("0 sell wine 1+1+1, 0 sell wood 2+2+2, 0 pass")
    assert (int(table.game.profit[0]), table.turn) == (3, 1)


def test_ruling_final_sales_go_clockwise_from_the_holder_of_the_lowest_bidder_card():
    table = final(4, 5, 2, 3)
    table.play("2 pass, 3 pass, 0 pass, 1 pass")
    assert table.over


def test_ruling_everybody_is_asked_once_whatever_the_hand():
    table = final(2, 4, 6)
    for seat in range(3):
        table.hold(seat, "")
    table.play("0 pass, 1 pass, 2 pass")
    assert table.over


def test_ruling_bidder_cards_of_the_last_round_stay_until_the_end():
    table = final(4, 2, 6).play("1 pass")
    assert list(table.game.bidder_card[:3]) == [4, 2, 6]


def test_profit_is_the_sum_of_kept_values_with_a_kept_merchant_counting_5():
    table = final(2, 4, 6).hold(0, "wine-4 2*wine-1 3*merchant")
    table.play("0 sell wine 4+1+1, 0 sell merchant M+M+M")
    assert int(table.game.profit[0]) == 9


def finished(profits: list[int], hands: list[str]) -> Table:
    table = final(*BIDDER_CARDS[len(profits)])
    for seat, hand in enumerate(hands):
        table.hold(seat, hand)
        table.game.profit[seat] = profits[seat]
    table.play(", ".join(f"{seat} pass" for seat in range(len(profits))))
    assert table.over
    return table


def test_most_profit_wins():
    table = finished([3, 9, 8], ["7*wood-1", "", ""])
    assert winners_of(table.game) == [1]
    assert list(table.rewards) == [-0.5, 1.0, -0.5]


def test_tie_goes_to_more_goods_cards_in_hand():
    assert winners_of(finished([9, 9, 8], ["wood-1", "wood-1 wine-1", "7*wood-1"]).game) == [1]


def test_ruling_merchants_do_not_count_for_the_tie_break():
    table = finished([9, 9, 8], ["wood-1 wood-2", "wood-1 6*merchant", ""])
    assert winners_of(table.game) == [0]
    assert goods_in_hand(table.game, 1) == 1


def test_ruling_a_tie_that_remains_is_a_shared_win():
    table = finished([9, 9, 8, 9], ["wood-1", "wine-4", "", "merchant"])
    assert winners_of(table.game) == [0, 1]
    assert table.rewards.tolist() == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3])


def test_everybody_shares_the_win_when_all_are_equal():
    table = finished([0, 0, 0], ["", "", ""])
    assert winners_of(table.game) == [0, 1, 2]
    assert table.rewards.tolist() == [0, 0, 0]


# ------------------------------------------------------------------------------------- what a player knows


def test_first_four_cards_are_hidden_from_the_others():
    table = Table(4)
    assert [(row.unknown, int(row.known.sum())) for row in table.see(2).seats] == [(4, 0)] * 4


def test_cards_taken_in_the_open_are_known():
    table = Table(3).hold(0, "cloth-1", known="").offer("5*grain-1 wood-4").pass_all()
    row = table.see(1).seats[2]
    assert (names(row.known), row.unknown) == ("grain-1 grain-1 grain-1 grain-1 grain-1 wood-4", 1)


def test_market_picks_are_known():
    table = market("wine-1 wine-2 cloth-1", 2, 3, 4, 5).play("0 pick wine")
    assert names(table.see(3).seats[1].known) == "wine-1 wine-2"


def test_ruling_a_hidden_card_given_up_and_a_like_card_taken_later_leave_one_known():
    table = Table(3).hold(0, "wine-1 wood-1", known="").offer("grain-1 grain-2 olives-1 olives-2 wine-2 wine-1")
    table.play("0 bid 1, 0 pay wine-1, 1 pass, 2 pass, 0 give wine-2")
    assert table.known(0).count("wine-1") == 1
    assert table.game.unknown[0] == 1


def test_ruling_known_cards_given_up_are_counted_off_first_and_never_below_zero():
    table = Table(3).hold(0, "wine-1 wine-1", known="wine-1").hold(1, "wine-2")
    table.play("0 bid 1, 0 pay wine-1")
    assert (table.known(0), int(table.game.unknown[0])) == ("", 1)
    table.play("1 bid 2, 1 pay wine-2, 2 pass, 0 pass")
    assert (table.known(0), int(table.game.unknown[0])) == ("wine-1", 1)


def test_ruling_cards_laid_in_a_bid_are_not_known_cards_of_the_hand_until_taken_back():
    table = Table(3).hold(0, "wine-1 wood-1", known="").hold(1, "cloth-2")
    table.play("0 bid 1, 0 pay wine-1")
    row = table.see(1).seats[2]
    assert (names(row.laid), names(row.known), row.unknown, row.hand_size) == ("wine-1", "", 1, 1)
    table.play("1 bid 2, 1 pay cloth-2, 2 pass, 0 pass")
    row = table.see(1).seats[2]
    assert (names(row.laid), names(row.known), row.unknown, row.hand_size) == ("", "wine-1", 1, 2)


def test_sale_shows_its_cards_so_everybody_knows_the_profit():
    table = Table(3).hold(0, "3*cloth-1 wood-1", known="").play("0 sell cloth 1+1+1")
    row = table.see(1).seats[2]
    assert (row.profit, row.unknown, names(table.see(1).gone)) == (1, 1, "cloth-1 cloth-1 cloth-1")


# ------------------------------------------------------------------------------------- the worked examples


def test_example_1_a_bid_of_4_on_a_bundle_of_five():
    table = Table(4).hold(0, "cloth-1 spices-2 wine-1").offer("grain-3 olives-3 cloth-2 grain-1 wood-1")
    table.play("0 bid 4, 0 pay cloth-1, 0 pay spices-2, 0 pay wine-1, 1 pass, 2 pass, 3 pass, 0 give wood-1")
    assert table.market == "cloth-1 spices-2 wine-1 wood-1"
    assert table.hand(0) == "cloth-2 grain-1 grain-3 olives-3"
    assert table.game.bidder_card[0] == 5


def test_example_2_four_players_take_wood_spices_merchant_cloth_and_the_rest_leaves_the_game():
    table = market("3*wood-1 2*spices-2 merchant 3*cloth-1 wine-1 wine-2 grain-3", 2, 3, 4, 5)
    table.play("0 pick wood, 1 pick spices, 2 pick merchant, 3 pick cloth")
    assert [table.hand(seat) for seat in range(4)] == [
        "wood-1 wood-1 wood-1",
        "spices-2 spices-2",
        "merchant",
        "cloth-1 cloth-1 cloth-1",
    ]
    assert table.gone == "grain-3 wine-1 wine-2"


@pytest.mark.parametrize(
    ("hand", "sale", "profit"),
    [
        ("cloth-4 2*cloth-1", "sell cloth 4+1+1", 4),
        ("grain-4 grain-3 merchant", "sell grain 4+3+M", 4),
        ("3*merchant", "sell merchant M+M+M", 5),
    ],
)
def test_example_3_what_a_sale_keeps(hand, sale, profit):
    assert int(Table().hold(0, hand).play(f"0 {sale}").game.profit[0]) == profit
