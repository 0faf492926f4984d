"""Faults put into the rules one at a time: each must break a test whose name says so. `make mutants` prints the table.

A mutant is one line of the engine written wrongly. The tests of the rules run on it with the compiler off, in a copy of
the tree; the mutant is caught when the test named here is among those that fail.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Mutant(NamedTuple):
    fault: str
    file: str
    right: str
    wrong: str
    test: str


MUTANTS = [
    Mutant("seat 1 opens the game", "rules", "begin_round(game, 0)", "begin_round(game, 1)",
           "seat_0_opens_the_first_auction"),
    Mutant("the next auction skips the first participant", "rules",
           "open_auction(game, next_bidder(game, seat))", "open_auction(game, next_bidder(game, (seat + 1) % game.players))",
           "next_auction_opens_with_the_first_participant_clockwise_from_the_winner"),
    Mutant("holders of a bidder card take part", "rules", "return game.bidder_card[seat] == 0", "return True",
           "only_players_without_a_bidder_card_take_part"),
    Mutant("bidding goes anticlockwise", "rules", "    seat = (seat + 1) % game.players\n    while",
           "    seat = (seat - 1) % game.players\n    while", "bidding_goes_clockwise"),
    Mutant("an equal bid is enough", "legal", "lowest = highest_bid + 1",
           "lowest = max(highest_bid, 1)", "bid_must_exceed_the_highest_bid"),
    Mutant("the first bid is at least 2", "legal", "lowest = highest_bid + 1",
           "lowest = max(highest_bid + 1, 2)", "bid_is_at_least_1"),
    Mutant("a raise pays the whole total anew", "rules", "game.to_pay = total - game.bid[seat]", "game.to_pay = total",
           "raise_adds_cards_to_the_laid_ones"),
    Mutant("a raise is checked against the whole total", "legal", ">> int(lowest - laid)",
           ">> int(lowest)", "raise_adds_cards_to_the_laid_ones"),
    Mutant("twos cannot be paid twice", "legal", "    for _ in range(twos):\n        amounts |= amounts << 2",
           "    if twos:\n        amounts |= amounts << 2", "bid_must_be_payable_exactly"),
    Mutant("any card may be paid", "legal", "if threes > 0 and to_pay >= 3 and (payable_amounts(ones, twos, threes - 1, fours) >> int(to_pay - 3)) & 1:",
           "if threes > 0:",
           "payment_must_leave_the_rest_exactly_payable"),
    Mutant("a merchant can be bid as a 1", "legal", "    return ones, twos, threes, fours\n",
           "    return ones + hand[MERCHANT], twos, threes, fours\n", "merchant_cannot_be_bid"),
    Mutant("laid cards go back when the bid is overbid", "rules",
           "    game.highest_bidder = seat\n    game.phase = PAY",
           "    game.highest_bidder = seat\n    game.hands[seat] += game.laid[seat]\n    game.laid[seat] = 0\n"
           "    game.phase = PAY", "laid_card_cannot_be_taken_back_or_exchanged"),
    Mutant("who passes loses the laid cards", "rules",
           "            receive(game, seat, kind, game.laid[seat, kind])\n            game.laid",
           "            game.laid", "who_passes_takes_the_laid_cards_back"),
    Mutant("who passed is asked again", "rules", "while game.passed[seat] or not", "while not",
           "who_passed_is_out_of_this_auction"),
    Mutant("passes are remembered in the next auction", "rules", "    game.passed[:] = 0\n", "    pass\n",
           "passing_is_forgotten_in_the_next_auction"),
    Mutant("one bidder left wins without a bid", "rules", "elif bidders == 1 and game.highest_bidder != NOBODY:",
           "elif bidders == 1:", "last_participant_still_has_the_turn_when_nobody_has_bid"),
    Mutant("the last participant's bid goes on", "rules", "elif bidders == 1 and game.highest_bidder != NOBODY:",
           "elif bidders == 1 and game.highest_bidder != NOBODY and game.highest_bidder != seat:",
           "last_participant_who_bids_wins_at_once"),
    Mutant("the payment leaves the game", "rules", "game.market[kind] += game.laid[seat, kind]",
           "game.gone[kind] += game.laid[seat, kind]", "payment_goes_to_the_market_before_a_card_is_given"),
    Mutant("the given card stays in the bundle", "rules", "    game.bundle[kind] -= 1\n", "",
           "winner_gives_one_bundle_card_and_takes_the_rest"),
    Mutant("a merchant cannot be given", "legal", "mark_kinds(game.bundle, FIRST_GIVE, mask)",
           "mark_kinds(game.bundle, FIRST_GIVE, mask)\n        mask[FIRST_GIVE + MERCHANT] = 0", "a_merchant_may_be_given"),
    Mutant("all passed: the opener gives a card too", "rules",
           "take_bundle(game, game.opener)  #", "win_auction(game, game.opener)  #",
           "all_passed_the_opener_takes_the_whole_bundle"),
    Mutant("all passed: who passed last wins", "rules", "take_bundle(game, game.opener)  #", "take_bundle(game, seat)  #",
           "all_passed_who_passed_first_wins"),
    Mutant("the last bundle of two goes to the hand whole", "rules", "    if game.on_sale > 1:\n        game.phase = GIVE",
           "    if game.on_sale > 1:\n        take_bundle(game, seat)", "last_auction_of_3_or_4_players"),
    Mutant("the single last card goes to the hand", "rules",
           "            game.market[kind] += game.bundle[kind]\n            game.bundle[kind] = 0\n        hand_over",
           "            receive(game, seat, kind, game.bundle[kind])\n            game.bundle[kind] = 0\n        hand_over",
           "last_auction_of_5_or_6_players"),
    Mutant("the lowest bidder card is sold first", "cards", "_cards[::-1]", "_cards",
           "bundle_has_as_many_cards_as_the_bidder_card_and_the_highest_is_sold_first"),
    Mutant("picks in descending order", "rules", "game.bidder_card[seat] < game.bidder_card[chosen]",
           "game.bidder_card[seat] > game.bidder_card[chosen]", "picks_go_in_ascending_order_of_bidder_cards"),
    Mutant("a pick takes one card", "rules", "receive(game, seat, kind, game.market[kind])\n            game.market[kind] = 0",
           "receive(game, seat, kind, 1)\n            game.market[kind] -= 1", "pick_takes_all_cards_of_one_type"),
    Mutant("a pick of merchants takes the wood too", "rules", "first = NUM_VALUES * card_type\n",
           "first = NUM_VALUES * min(card_type, 5)\n", "merchants_are_a_type_of_their_own"),
    Mutant("everybody picks twice", "rules", "    game.picked[seat] = 1\n", "    game.picked[seat] = 0\n",
           "each_player_picks_once"),
    Mutant("a pick may be passed", "legal", "mark_picks(game.market, mask)", "mark_picks(game.market, mask)\n        mask[PASS] = 1",
           "a_pick_is_mandatory_while_a_type_is_left"),
    Mutant("an empty market is asked for", "rules", "if seat == NOBODY or market_is_empty(game):", "if seat == NOBODY:",
           "who_finds_the_market_empty_is_skipped"),
    Mutant("the market's rest stays for the next round", "rules",
           "        game.gone[kind] += game.market[kind]\n        game.market[kind] = 0\n", "        pass\n",
           "what_is_left_over_in_the_market_leaves_the_game"),
    Mutant("bidder cards are not collected", "rules", "    game.bidder_card[:] = 0\n", "",
           "bidder_cards_are_collected_after_the_market"),
    Mutant("seat 0 opens every round", "rules", "begin_round(game, lowest)", "begin_round(game, 0)",
           "later_round_opens_with_the_holder_of_the_lowest_bidder_card"),
    Mutant("a sale keeps the lowest card", "actions", "np.array([cards[0] for cards in SETS]",
           "np.array([max(1, min(cards)) for cards in SETS]", "sale_keeps_the_highest_card"),
    Mutant("three merchants count 4", "cards", "MERCHANT_PROFIT: Final = 5", "MERCHANT_PROFIT: Final = 4",
           "three_merchants_are_worth_5"),
    Mutant("two merchants make a set", "legal", "mask[SELL_MERCHANTS] = merchants >= SET_SIZE",
           "mask[SELL_MERCHANTS] = merchants >= 2", "sale_is_three_cards_of_one_good"),
    Mutant("merchants do not stand in", "legal", "(SET_NEEDS[4, s] <= merchants)", "(SET_NEEDS[4, s] == 0)",
           "sale_is_three_cards_of_one_good_with_merchants_standing_in"),
    Mutant("a merchant in a set stays in the hand", "rules",
           "        for _ in range(SET_NEEDS[NUM_VALUES, cards]):\n            leave_game(game, seat, MERCHANT)\n", "",
           "merchants_in_a_set_always_leave_the_game"),
    Mutant("laid cards can be sold", "legal", "mark_sales(hand, mask)  #", "mark_sales(hand + game.laid[game.turn], mask)  #",
           "laid_cards_cannot_be_sold"),
    Mutant("a sale uses up the turn", "rules", "    if game.phase == LIMIT:\n        check_hand_limit(game, seat)",
           "    game.turn = (seat + 1) % game.players", "a_sale_does_not_use_up_the_turn"),
    Mutant("sales while paying", "legal", "        mark_payments(hand, game.to_pay, mask)\n        return\n",
           "        mark_payments(hand, game.to_pay, mask)\n", "no_sale_while_paying"),
    Mutant("the limit is eight", "cards", "HAND_LIMIT: Final = 7", "HAND_LIMIT: Final = 8",
           "more_than_seven_cards_must_be_brought_down_at_once"),
    Mutant("the limit is six", "cards", "HAND_LIMIT: Final = 7", "HAND_LIMIT: Final = 6",
           "seven_cards_are_allowed_and_nobody_discards_at_seven"),
    Mutant("merchants do not count for the limit", "rules", "if game.hand_size[seat] > HAND_LIMIT:",
           "if game.hand_size[seat] - game.hands[seat, MERCHANT] > HAND_LIMIT:", "merchants_count_for_the_hand_limit"),
    Mutant("LIMIT can be passed", "legal", "        mark_kinds(hand, FIRST_DISCARD, mask)",
           "        mark_kinds(hand, FIRST_DISCARD, mask)\n        mask[PASS] = 1", "more_than_seven_cards_must_be_brought_down"),
    Mutant("no limit after a pick", "rules", "    game.picked[seat] = 1\n    check_hand_limit(game, seat)",
           "    game.picked[seat] = 1\n    ask_next_pick(game)", "the_limit_is_checked_after_a_market_pick"),
    Mutant("discards go to the market", "rules", "    part_with(game, seat, kind)\n    game.gone[kind] += 1",
           "    part_with(game, seat, kind)\n    game.market[kind] += 1", "discards_are_public_and_leave_the_game"),
    Mutant("final sales begin with seat 0", "rules", "        game.phase = FINAL\n        game.turn = lowest",
           "        game.phase = FINAL\n        game.turn = 0", "final_sales_go_clockwise_from_the_holder_of_the_lowest"),
    Mutant("the final sales end after one seat", "rules", "if game.turn == holder_of_lowest_card(game):", "if True:",
           "everybody_is_asked_once_whatever_the_hand"),
    Mutant("the tie-break counts merchants", "scoring", "return game.hand_size[seat] - game.hands[seat, MERCHANT]",
           "return game.hand_size[seat]", "merchants_do_not_count_for_the_tie_break"),
    Mutant("fewer goods break a tie", "scoring", "goods_in_hand(game, seat) > goods_in_hand(game, other)",
           "goods_in_hand(game, seat) < goods_in_hand(game, other)", "tie_goes_to_more_goods_cards_in_hand"),
    Mutant("a tie goes to the lower seat", "scoring", "goods_in_hand(game, seat) > goods_in_hand(game, other)",
           "(goods_in_hand(game, seat), other) > (goods_in_hand(game, other), seat)", "a_tie_that_remains_is_a_shared_win"),
    Mutant("joint winners each get a whole win", "scoring", "share = is_winner(game, seat) / winners",
           "share = is_winner(game, seat)", "a_tie_that_remains_is_a_shared_win"),
    Mutant("a laid card stays known in the hand", "rules", "        game.known[seat, kind] -= 1\n", "        pass\n",
           "known_cards_given_up_are_counted_off_first"),
    Mutant("a card taken in the open is hidden", "rules", "    game.known[seat, kind] += count\n", "    game.unknown[seat] += count\n",
           "cards_taken_in_the_open_are_known"),
    Mutant("a hidden card given up makes later known ones unknown", "rules", "    else:\n        game.unknown[seat] -= 1",
           "    else:\n        game.known[seat, kind] -= 1\n        game.unknown[seat] -= 1",
           "a_hidden_card_given_up_and_a_like_card_taken_later_leave_one_known"),
    Mutant("the first hand is known", "deal", "        game.unknown[seat] = FIRST_HAND\n",
           "        game.known[seat] = game.hands[seat]\n", "first_four_cards_are_hidden_from_the_others"),
    Mutant("one card more is removed", "cards", "REMOVED: Final = {3: 4, 4: 12,", "REMOVED: Final = {3: 4, 4: 13,",
           "table_of_player_counts"),
    Mutant("bids are remembered in the next auction", "rules", "    game.bid[:] = 0\n", "", "bids_are_forgotten"),
    Mutant("the highest bid is remembered in the next auction", "rules", "    game.on_sale = 0\n    game.highest_bid = 0\n",
           "    game.on_sale = 0\n", "bids_are_forgotten_in_the_next_auction"),
    Mutant("only one of two merchants in a set leaves", "rules", "range(SET_NEEDS[NUM_VALUES, cards])",
           "range(min(1, SET_NEEDS[NUM_VALUES, cards]))", "merchants_in_a_set_always_leave_the_game"),
    Mutant("all passed: seat 0 wins if it takes part", "rules", "take_bundle(game, game.opener)  #",
           "take_bundle(game, 0 if takes_part(game, 0) else game.opener)  #", "the_opener_wins_though_seat_0_takes_part"),
    Mutant("a sale ends a pick", "rules", "    if game.phase == LIMIT:\n        check_hand_limit(game, seat)",
           "    if game.phase == LIMIT:\n        check_hand_limit(game, seat)\n    if game.phase == PICK:\n        end_round(game)",
           "a_sale_does_not_use_up_the_turn"),
    Mutant("discards in the final sales", "legal", "    elif game.phase == FINAL:\n        mask[PASS] = 1",
           "    elif game.phase == FINAL:\n        mask[PASS] = 1\n        mark_kinds(hand, FIRST_DISCARD, mask)",
           "nobody_discards_outside_the_limit"),
    Mutant("the last market's rest stays", "rules", "        game.gone[kind] += game.market[kind]\n        game.market[kind] = 0\n",
           "        if game.drawn < DECK_SIZE:\n            game.gone[kind] += game.market[kind]\n            game.market[kind] = 0\n",
           "left_over_in_the_last_market"),
    Mutant("the last round opens at seat 0", "rules", "begin_round(game, lowest)",
           "begin_round(game, lowest if game.round_number < 2 else 0)", "later_round_opens_with_the_holder"),
]  # fmt: skip


def failing_tests(mutant: Mutant) -> list[str]:
    """The tests of the mutant's name that fail on it."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        shutil.copytree(ROOT / "byzanz_env", tree / "byzanz_env", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests", tree / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        source = tree / "byzanz_env" / f"{mutant.file}.py"
        text = source.read_text()
        if text.count(mutant.right) < 1:
            raise SystemExit(f"the mutant '{mutant.fault}' does not fit: {mutant.right!r} is not in {source.name}")
        source.write_text(text.replace(mutant.right, mutant.wrong, 1))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-rfE"]
        run = subprocess.run(
            [*command, "-o", "addopts=", "-k", mutant.test, str(tree / "tests" / "test_rules.py")],
            env={
                **os.environ,
                "NUMBA_DISABLE_JIT": "1",
                "PYTHONPATH": str(tree),
                "PYTHONDONTWRITEBYTECODE": "1",
                "SECONDS_PER_TEST": "10",
            },  # some faults make a game endless
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        return sorted(set(re.findall(r"^(?:FAILED|ERROR) \S*::(\w+)", run.stdout, flags=re.MULTILINE)))


def main() -> int:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(failing_tests, MUTANTS))
    survivors = 0
    for mutant, failed in zip(MUTANTS, results, strict=True):
        survivors += not failed
        print(f"{mutant.fault:<60} {f'caught by {failed[0]}' if failed else 'SURVIVED'}")
    print(f"{len(MUTANTS) - survivors} of {len(MUTANTS)} faults are caught by the test that names them")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
