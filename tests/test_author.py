"""The base for bot authors: its helpers against plain search, its answers in any batch, its sentences."""

import doctest
import re
import shlex
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import byzanz_agents.hands
import numpy as np
import pytest
from byzanz_agents.author import Bot, Turn
from byzanz_agents.hands import (
    best_sales,
    cards_in,
    cheapest_payment,
    outlook,
    payments,
    potential,
    profit_of_sale,
    without,
    worth,
)
from random_play import random_game
from table import Table

from byzanz_env import ACTION_NAMES, ACTION_OF, CARD_NAMES, AgentError, ByzanzError, make_agent, play, play_many

ROOT = Path(__file__).parent.parent
DECK = [f"{good}-{value}" for good in ("cloth", "grain", "olives", "spices", "wine", "wood")
        for value in (1,) * 6 + (2,) * 5 + (3,) * 3 + (4,) * 2] + ["merchant"] * 16  # fmt: skip
FEW_GOODS = [card for card in DECK if card.startswith(("cloth", "wine"))] + ["merchant"] * 8


# ------------------------------------------------------------------------------------- plain search, told by the rules


def value_of(card):
    return 0 if card == "merchant" else int(card[-1])


def kept_by(three):
    """What a sale of these three cards keeps, or None where they are no set."""
    goods = {card[:-2] for card in three if card != "merchant"}
    if len(goods) > 1:
        return None
    return max(map(value_of, three)) if goods else 5


@cache
def searched_potential(hand):
    """Every way to sell three cards of a sorted hand, one sale after the other."""
    best = 0
    for three in set(combinations(hand, 3)):
        if (kept := kept_by(three)) is not None:
            best = max(best, kept + searched_potential(tuple(sorted((Counter(hand) - Counter(three)).elements()))))
    return best


def searched_payments(hand, amount):
    """Every subset of the hand that makes the amount."""
    subsets = (subset for size in range(len(hand) + 1) for subset in combinations(sorted(hand), size))
    return {s for s in subsets if "merchant" not in s and sum(map(value_of, s)) == amount}


def searched_outlook(hand):
    return sum(searched_potential(tuple(sorted([*hand, *["merchant"] * more]))) for more in range(3)) / 3


def sold_cards(sale):
    """The cards that a sale's name lists."""
    _, good, cards = sale.split()
    return ["merchant" if card == "M" else f"{good}-{card}" for card in cards.split("+")]


def hands(count, largest, seed):
    """Random hands, every second one of two goods and many merchants, where sets compete for cards."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        pool = FEW_GOODS if number % 2 else DECK
        yield [str(card) for card in rng.choice(pool, size=rng.integers(largest + 1), replace=False)]


# ------------------------------------------------------------------------------------- selling


@pytest.mark.parametrize(("count", "largest"), [(400, 8), (25, 12)])
def test_potential_is_what_a_full_search_finds(count, largest):
    found = Counter()
    for hand in hands(count, largest, seed=1):
        assert potential(hand) == searched_potential(tuple(sorted(hand))), hand
        found[potential(hand) > 5] += 1
    assert min(found[True], found[False]) > count // 10  # hands with several sets, and hands with few


@pytest.mark.parametrize(
    ("hand", "profit"),
    [
        ("", 0),
        ("cloth-4 wine-4 wood-4", 0),
        ("cloth-4 cloth-1 cloth-1", 4),
        ("grain-4 grain-3 merchant", 4),
        ("grain-4 merchant merchant", 4),
        ("merchant merchant merchant", 5),
        ("grain-4 merchant merchant merchant", 5),
        ("grain-4 merchant merchant merchant merchant merchant", 9),
        ("cloth-4 cloth-4 cloth-3 cloth-1 cloth-1 cloth-1", 8),
        ("cloth-4 cloth-1 wine-4 wine-1 merchant merchant", 8),
    ],
)
def test_potential_of_hands_one_can_count(hand, profit):
    assert potential(hand.split()) == profit


def test_potential_of_the_largest_hand():
    cloth = [card for card in DECK if card.startswith("cloth")]
    assert potential(cloth + ["merchant"] * 7) == 5 + 5 + 4 + 4 + 3 + 3 + 3
    assert potential(["merchant"] * 16 + ["wine-4"]) == 5 * 5


def test_best_sales_can_be_made_together_and_earn_the_potential():
    for hand in hands(300, 9, seed=2):
        sales = best_sales(hand)
        assert not Counter(card for sale in sales for card in sold_cards(sale)) - Counter(hand), hand
        kept = [kept_by(sold_cards(sale)) for sale in sales]
        assert sum(kept) == searched_potential(tuple(sorted(hand))), hand
        assert kept == sorted(kept, reverse=True)


def test_best_sales_spare_merchants_and_then_value():
    assert best_sales(["wine-4", "wine-3", "wine-1", "wine-1", "merchant"]) == ["sell wine 4+1+1"]
    assert best_sales(["wine-4", "wine-3", "wine-2", "merchant", "merchant"]) == ["sell wine 4+3+2"]


def test_every_sale_keeps_its_highest_card():
    sales = [name for name in ACTION_NAMES if name.startswith("sell")]
    for sale in sales:
        assert profit_of_sale(sale) == kept_by(sold_cards(sale)), sale
    assert len(sales) > 100


def test_worth_is_the_potential_with_less_the_potential_without():
    some = False
    for hand, more in zip(hands(150, 7, seed=3), hands(150, 3, seed=4), strict=True):
        both = Counter(hand) + Counter(more)
        if both - Counter(DECK):
            continue
        expected = searched_potential(tuple(sorted(both.elements()))) - searched_potential(tuple(sorted(hand)))
        assert worth(more, hand) == expected, (more, hand)
        some |= expected > 0
    assert some
    assert worth("merchant", ["cloth-4", "cloth-1"]) == 4


def test_helpers_take_any_iterable_of_cards():
    assert worth(iter(["merchant"]), iter(["cloth-4", "cloth-1"])) == 4
    assert cheapest_payment(iter(["cloth-4", "wine-1"]), 1) == ("wine-1",)


def test_outlook_counts_up_to_two_merchants_more():
    for hand in hands(60, 7, seed=5):
        assert outlook(hand) == searched_outlook(hand), hand
    assert outlook(["merchant"] * 16) == (25 + 25 + 30) / 3  # more merchants than there are do no harm


# ------------------------------------------------------------------------------------- paying


def test_payments_are_all_exact_choices_each_once():
    for hand in hands(120, 8, seed=6):
        for amount in range(1, sum(map(value_of, hand)) + 2):
            found = [tuple(sorted(payment)) for payment in payments(hand, amount)]
            assert len(found) == len(set(found)), (hand, amount)
            assert set(found) == searched_payments(hand, amount), (hand, amount)


def test_nothing_is_paid_with_no_cards_and_less_than_nothing_cannot_be_paid():
    assert payments(["cloth-1"], 0) == [()]
    assert payments(["cloth-1"], -1) == []


def test_cheapest_payment_leaves_the_best_hand_with_fewest_cards():
    for hand in hands(60, 7, seed=7):
        for amount in range(1, sum(map(value_of, hand)) + 1):
            choices = searched_payments(hand, amount)
            if choices:
                ranks = {p: (-searched_outlook(without(hand, p)), len(p)) for p in choices}
                chosen = cheapest_payment(hand, amount)
                assert ranks[tuple(sorted(chosen))] == min(ranks.values()), (hand, amount)


def test_cheapest_payment_spares_a_set():
    assert cheapest_payment(["cloth-2", "cloth-1", "cloth-1", "wine-2"], 2) == ("wine-2",)


def test_cheapest_payment_by_an_own_measure():
    hand = ["cloth-2", "cloth-1", "cloth-1", "wine-2"]
    assert sorted(cheapest_payment(hand, 2, worth=lambda rest: -len(rest))) == ["cloth-1", "cloth-1"]


def test_cheapest_payment_does_not_depend_on_the_order_of_the_hand():
    for hand in hands(60, 7, seed=8):
        for amount in range(1, 6):
            if payments(hand, amount):
                assert cheapest_payment(hand, amount) == cheapest_payment(hand[::-1], amount)


def test_cheapest_payment_laid_card_by_card_stays_the_same():
    for hand in hands(60, 7, seed=9):
        for amount in range(1, 9):
            if payments(hand, amount):
                first, *rest = cheapest_payment(hand, amount)
                assert cheapest_payment(without(hand, first), amount - value_of(first)) == tuple(rest), (hand, amount)


# ------------------------------------------------------------------------------------- cards that are none


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: potential(["wine5"]), "there is no card 'wine5'; did you mean 'wine-4'?"),
        (lambda: potential(["cloth-4"] * 3), "nobody can hold 3 cards cloth-4: the game has 2"),
        (lambda: profit_of_sale("bid 3"), "'bid 3' is not a sale"),
        (lambda: profit_of_sale("sell wine 4+3"), "'sell wine 4+3' is not a sale; did you mean 'sell wine 4+"),
        (lambda: cheapest_payment(["wine-2"], 3), "no cards of the hand make exactly 3"),
        (lambda: without(["wine-2"], "wine-1"), "there is no 'wine-1' left in the hand to take away"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_a_sentence(call, sentence):
    with pytest.raises(ByzanzError, match=re.escape(sentence)) as refusal:
        call()
    assert "\n" not in str(refusal.value)


# ------------------------------------------------------------------------------------- a turn


def turn_of(table, key=0):
    return Turn(table.observation, table.mask, 7, key)


def test_turn_speaks_the_words_of_the_game():
    table = (
        Table(4).hold(0, "cloth-4 2*cloth-1 wine-2 merchant").offer("wood-1 wood-3").lay_out_market("2*merchant wine-3")
    )
    turn = turn_of(table)
    assert turn.phase == "BID"
    assert turn.hand == ["cloth-1", "cloth-1", "cloth-4", "wine-2", "merchant"]
    assert turn.bundle == ["wood-1", "wood-3"]
    assert turn.market == {"wine": ["wine-3"], "merchant": ["merchant", "merchant"]}
    assert turn.bids == [1, 2, 3, 4, 5, 6, 7, 8]
    assert turn.sales == ["sell cloth 4+1+1", "sell cloth 4+1+M", "sell cloth 1+1+M"]
    assert turn.best_sales() == ["sell cloth 4+1+1"]
    assert turn.game == 7
    assert len(turn.others) == 3
    assert (turn.me.hand_size, turn.others[0].hand_size) == (5, 4)
    assert turn.view.stock_left == 79


def test_turn_counts_with_its_own_hand():
    table = Table(4).hold(0, "cloth-4 cloth-1 wine-2 wood-1 merchant").offer("cloth-3 wine-4")
    turn = turn_of(table)
    assert turn.potential() == 4
    assert turn.best_sales() == ["sell cloth 4+1+M"]
    assert turn.profit_of_sale("sell cloth 4+1+M") == 4
    assert turn.worth(turn.bundle) == 4  # cloth 4+3+1 without the merchant, and wine 4+2+M
    assert turn.payments(2) == payments(turn.hand, 2)
    assert turn.cheapest_payment(2) == ("wine-2",)


def test_turn_pays_what_is_still_to_be_laid():
    table = Table(4).hold(0, "cloth-2 wine-1 wood-4").play("0 bid 3, 0 pay wine-1")
    turn = turn_of(table)
    assert turn.phase == "PAY"
    assert turn.payments() == [("cloth-2",)]
    assert turn.cheapest_payment() == ("cloth-2",)
    assert cards_in(turn.me.laid) == ["wine-1"]


def test_bids_are_totals_also_for_a_raise():
    table = Table(3).hold(0, "wine-1 wood-2").hold(1, "2*cloth-2").hold(2, "wood-1")
    table.play("0 bid 1, 0 pay wine-1, 1 bid 2, 1 pay cloth-2, 2 pass")
    assert turn_of(table).bids == [3]
    assert turn_of(table).me.bid == 1


def test_turn_agrees_with_the_engine_at_every_decision_of_a_game():
    phases = Counter()
    for table in random_game(4, seed=3):
        turn = turn_of(table)
        phases[turn.phase] += 1
        assert turn.phase == table.phase
        assert set(turn.legal) == table.legal()
        assert {f"bid {total}" for total in turn.bids} == table.legal("bid")
        assert set(turn.sales) == table.legal("sell")
        assert {f"pick {of}" for of in turn.market} == table.legal("pick") or turn.phase != "PICK"
        assert " ".join(turn.hand) == table.hand(table.turn)
        if turn.phase == "PAY":
            assert {f"pay {card}" for payment in turn.payments() for card in payment} == table.legal()
        elif turn.best_sales():
            assert set(turn.best_sales()) <= table.legal()
    assert len(phases) == 6


def test_turn_cannot_be_changed_by_a_bot():
    table = Table(4)
    turn = turn_of(table)
    for array in (turn.view.hand, turn.mask, turn.me.laid):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    table.mask[0] = table.mask[0]  # whose array it is may still write


# ------------------------------------------------------------------------------------- chance


def test_chance_comes_from_the_key_alone():
    table = Table(4)
    draws = [[turn.random() for _ in range(5)] for turn in (turn_of(table, 1), turn_of(table, 1), turn_of(table, 2))]
    assert draws[0] == draws[1] != draws[2]
    assert len(set(draws[0] + draws[2])) == 10


def test_random_numbers_fill_the_unit_interval():
    table = Table(4)
    firsts = [turn_of(table, key).random() for key in range(4000)]
    turn = turn_of(table, 1)
    for draws in (firsts, [turn.random() for _ in range(4000)]):
        counts, _ = np.histogram(draws, bins=10, range=(0, 1))
        assert min(draws) >= 0 and max(draws) < 1
        assert counts.min() > 320 and counts.max() < 480  # 400 each; four standard deviations are 76


def test_choice_takes_every_option_equally_often():
    table = Table(4)
    found = Counter(turn_of(table, key).choice("abc") for key in range(3000))
    assert set(found) == set("abc")
    assert min(found.values()) > 890  # 1000 each; four standard deviations are 103


def test_choice_needs_options_in_an_order():
    turn = turn_of(Table(4))
    with pytest.raises(ByzanzError, match="there is nothing to choose from"):
        turn.choice([])
    with pytest.raises(TypeError):
        turn.choice({"a", "b"})


# ------------------------------------------------------------------------------------- the bot


class Thinker(Bot):
    """Uses every helper, so that its answer depends on all of them."""

    def decide(self, turn):
        if turn.phase == "PAY":
            return f"pay {turn.cheapest_payment()[0]}"
        if turn.best_sales() and turn.random() < 0.5:
            return turn.best_sales()[0]
        return ACTION_OF[turn.choice(turn.legal)]


@pytest.fixture(scope="module")
def rows():
    """Decisions of two games: observations, masks, ids of games, keys."""
    tables = [(table, game) for game in (4, 5) for table in _copies(random_game(4, seed=game))]
    observations, masks = (np.array([row[i] for row, _ in tables]) for i in (0, 1))
    games = np.array([game for _, game in tables])
    return observations, masks, games, np.random.default_rng(1).integers(1 << 62, size=len(games))


def _copies(tables):
    return [(table.observation.copy(), table.mask.copy()) for table in tables]


def test_bot_answers_the_same_in_any_batch_and_order(rows):
    together = Thinker().act(*rows)
    order = np.random.default_rng(2).permutation(len(together))
    assert (Thinker().act(*(part[order] for part in rows)) == together[order]).all()
    bot = Thinker()
    alone = [bot.act(*(part[i : i + 1] for part in rows))[0] for i in range(len(together))]
    assert alone == together.tolist()
    other_keys = (*rows[:3], rows[3][::-1])
    assert (Thinker().act(*other_keys) != together).any()


def test_bot_is_an_agent_and_answers_nothing_to_nobody(rows):
    bot = Thinker()
    assert make_agent(bot) is bot
    none = bot.act(*(part[:0] for part in rows))
    assert none.shape == (0,) and none.dtype == np.int64


def test_games_of_a_bot_do_not_depend_on_the_games_beside_them():
    many = list(play_many([Thinker(), "random", "random"], 12, seed=5))
    assert many[:3] == list(play_many([Thinker(), "random", "random"], 3, seed=5))


class Answer(Bot):
    """Answers what it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def decide(self, turn):
        return self.answer


@pytest.mark.parametrize("answer", ["pass", 0, np.int64(0), np.str_("pass")])
def test_answer_by_name_or_number(answer):
    table = Table(4)
    assert Answer(answer).act(table.observation[None], table.mask[None], [3], [0]).tolist() == [ACTION_OF["pass"]]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("bid3", "the bot 'Answer' answered 'bid3' in game 3, which is no action; did you mean 'bid 3'?"),
        (
            "bid 222",
            "answered 'bid 222' in game 3, which is no action; did you mean 'bid 2'?",
        ),  # 22 is near, but illegal
        ("discard wine4", "answered 'discard wine4' in game 3, which is no action; did you mean 'discard wine-4'?"),
        ("xyzzy", "the bot 'Answer' answered 'xyzzy' in game 3, which is no action"),
        (None, "the bot 'Answer' answered None in game 3, but an answer is the name or the number of an action"),
        (True, "answered True in game 3, but an answer is the name or the number of an action"),
        (0.0, "answered 0.0 in game 3, but an answer is the name or the number of an action"),
        (309, "the bot 'Answer' answered 309 in game 3, but actions are numbered 0 to 308"),
        (-1, "answered -1 in game 3, but actions are numbered 0 to 308"),
        ("bid 28", "the bot 'Answer' chose 'bid 28' in game 3, which is not legal there; did you mean 'bid 2'?"),
        (308, "the bot 'Answer' chose 'discard merchant' in game 3, which is not legal there"),
    ],
)
def test_wrong_answer_names_bot_game_and_action(answer, sentence):
    table = Table(4).hold(0, "cloth-1 wood-1 wine-1")
    with pytest.raises(AgentError) as refusal:
        Answer(answer).act(table.observation[None], table.mask[None], np.array([3]), np.array([0]))
    assert str(refusal.value) == sentence or str(refusal.value).endswith(sentence)


def test_bot_without_decide_is_told_so():
    class Mute(Bot):
        name = "mute"

    with pytest.raises(AgentError, match=re.escape("the bot 'mute' has no method decide(self, turn)")):
        play([Mute(), "random", "random"])


# ------------------------------------------------------------------------------------- what is written about it


@pytest.fixture(scope="module")
def readme_bot(tmp_path_factory):
    """A folder with the README's bot, and the README's command line that plays it."""
    _, found, after = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Write a bot in ten lines")
    assert found, "the README has no section on writing a bot"
    section = after.split("\n## ")[0]
    folder = tmp_path_factory.mktemp("readme")
    (folder / "my_bot.py").write_text(re.search(r"```python\n(.*?)```", section, flags=re.DOTALL)[1])
    return folder, re.search(r"^byzanz (record .*my_bot.py:MyBot.*)$", section, flags=re.MULTILINE)[1]


def test_readme_bot_plays_by_its_command_line(readme_bot):
    folder, words = readme_bot
    byzanz = str(Path(sys.executable).with_name("byzanz"))
    run = subprocess.run([byzanz, *shlex.split(words)], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len((folder / "games.jsonl").read_text().splitlines()) == 100


def test_readme_bot_is_better_than_chance(readme_bot):
    spec = f"{readme_bot[0]}/my_bot.py:MyBot"
    wins = sum(0 in game.winners for game in play_many([spec, "random", "random", "random"], 40, seed=1))
    assert wins > 20  # chance wins 10


def test_readme_bot_has_about_ten_lines(readme_bot):
    lines = (readme_bot[0] / "my_bot.py").read_text().split("def decide")[1].splitlines()
    assert len([line for line in lines if line.strip()]) <= 12


def test_sessions_in_the_docstrings_run():
    result = doctest.testmod(byzanz_agents.hands)
    assert result.attempted >= 5 and result.failed == 0


def test_deck_of_these_tests_is_the_games():
    assert set(DECK) == set(CARD_NAMES) and len(DECK) == 112
