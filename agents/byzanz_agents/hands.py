"""What a hand can earn and pay, exactly, in card names: for bots and for people who count.

It knows what sets keep and what cards are worth; what may be done when is for the engine to say.
"""

import difflib
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Final

from byzanz_env.actions import (
    ACTION_NAMES,
    ACTION_OF,
    FIRST_DISCARD,
    FIRST_SALE,
    NUM_SETS,
    SELL_MERCHANTS,
    SET_NEEDS,
    SET_PROFIT,
    SETS,
)
from byzanz_env.cards import (
    CARD_NAMES,
    CARD_VALUES,
    DECK,
    KIND_OF,
    MERCHANT,
    MERCHANT_PROFIT,
    NUM_GOODS,
    NUM_VALUES,
    SET_SIZE,
)
from byzanz_env.errors import ByzanzError

Cards = str | Iterable[str]
"""Card names; a single card may be given as its name alone."""
Payment = tuple[str, ...]


# ------------------------------------------------------------------------------------- selling


def profit_of_sale(sale: str) -> int:
    """The value of the card that a sale keeps: the highest, or 5 for three merchants.

    >>> profit_of_sale("sell grain 4+3+M"), profit_of_sale("sell merchant M+M+M")
    (4, 5)
    """
    action = ACTION_OF.get(sale, -1)
    if not FIRST_SALE <= action < FIRST_DISCARD:
        raise ByzanzError(f"{sale!r} is not a sale{did_you_mean(sale, ACTION_NAMES[FIRST_SALE:FIRST_DISCARD])}")
    return MERCHANT_PROFIT if action == SELL_MERCHANTS else int(SET_PROFIT[(action - FIRST_SALE) % NUM_SETS])


def potential(cards: Cards) -> int:
    """The most profit these cards can earn if sets are sold now, and no card twice.

    >>> potential(["cloth-4", "cloth-1", "merchant", "wine-3"])
    4
    """
    return _plan(_counts(cards))[0]


def best_sales(cards: Cards) -> list[str]:
    """The sales that earn the potential, the most profitable first.

    Of equal plans it is the one that gives up fewest merchants, then the least value.

    >>> best_sales(["wine-4", "wine-3", "wine-1", "wine-1", "merchant"])
    ['sell wine 4+1+1']
    """
    _, sales = _plan(_counts(cards))
    return sorted((ACTION_NAMES[action] for action in sales), key=profit_of_sale, reverse=True)


def worth(cards: Cards, hand: Cards) -> int:
    """What cards add to a hand: the potential with them minus the potential without them.

    >>> worth("merchant", ["cloth-4", "cloth-1"])
    4
    """
    cards, hand = _listed(cards), _listed(hand)
    return potential([*hand, *cards]) - potential(hand)


def outlook(cards: Cards) -> float:
    """The mean of the potentials with no, one and two merchants more: pairs and high single cards count too."""
    hand = _counts(cards)
    return sum(_plan((*hand[:MERCHANT], hand[MERCHANT] + more))[0] for more in range(SET_SIZE)) / SET_SIZE


_Counts = tuple[int, ...]
_Score = tuple[int, int, int]  # profit, and then with a minus: merchants sold, value of the goods sold
_NEEDS: Final = [tuple(int(needed) for needed in column) for column in SET_NEEDS.T]
_SET_SCORES: Final = [(int(SET_PROFIT[s]), -cards.count(0), -sum(cards)) for s, cards in enumerate(SETS)]


@lru_cache(maxsize=65_536)  # a bot weighs the same hands again and again
def _plan(hand: _Counts) -> tuple[int, tuple[int, ...]]:
    """The best profit of a hand, and its sales. Goods share nothing but the merchants: these are lent good by good."""
    best: dict[int, tuple[_Score, tuple[int, ...]]] = {hand[MERCHANT]: ((0, 0, 0), ())}  # by merchants left
    for good in range(NUM_GOODS):
        of_good = hand[NUM_VALUES * good : NUM_VALUES * (good + 1)]
        if not any(of_good):
            continue
        after: dict[int, tuple[_Score, tuple[int, ...]]] = {}
        for merchants, (score, sales) in best.items():
            for lent in range(merchants + 1):
                more, sets = _best_sets(of_good, lent)
                plan = _sum(score, more), (*sales, *(FIRST_SALE + NUM_SETS * good + s for s in sets))
                left = merchants - lent
                if left not in after or plan[0] > after[left][0]:
                    after[left] = plan
        best = after
    ends = []
    for merchants, (score, sales) in best.items():
        triples = merchants // SET_SIZE
        of_merchants = (MERCHANT_PROFIT * triples, -SET_SIZE * triples, 0)
        ends.append((_sum(score, of_merchants), (*sales, *(SELL_MERCHANTS,) * triples)))
    score, sales = max(ends)
    return score[0], sales


@cache  # the goods are alike: a few thousand entries serve every hand
def _best_sets(of_good: _Counts, merchants: int) -> tuple[_Score, tuple[int, ...]]:
    """The best sets of one good, from its cards by value and at most so many merchants."""
    best: tuple[_Score, tuple[int, ...]] = ((0, 0, 0), ())
    for s, needs in enumerate(_NEEDS):
        rest = tuple(have - needed for have, needed in zip((*of_good, merchants), needs, strict=True))
        if min(rest) >= 0:
            more, sets = _best_sets(rest[:NUM_VALUES], rest[NUM_VALUES])
            score = _sum(_SET_SCORES[s], more)
            if score > best[0]:
                best = score, (s, *sets)
    return best


def _sum(one: _Score, two: _Score) -> _Score:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


# ------------------------------------------------------------------------------------- paying


def payments(hand: Cards, amount: int) -> list[Payment]:
    """Every choice of cards that pays the amount exactly, each once. Merchants cannot be bid.

    >>> payments(["wine-2", "wood-1", "wood-1", "merchant"], 2)
    [('wood-1', 'wood-1'), ('wine-2',)]
    """
    counts = _counts(hand)
    kinds = [kind for kind in range(MERCHANT) if counts[kind]]
    return _pay(counts, kinds, amount)


def cheapest_payment(hand: Cards, amount: int, worth: Callable[[list[str]], float] = outlook) -> Payment:
    """The payment after which the rest of the hand is worth most; then the one with fewest cards.

    `worth` puts a number on what is left of the hand.
    """
    hand = _listed(hand)
    choices = payments(hand, amount)
    if not choices:
        raise ByzanzError(f"no cards of the hand make exactly {amount}")
    return min(choices, key=lambda payment: (-worth(without(hand, payment)), len(payment), _counts(payment)))


def _pay(counts: _Counts, kinds: list[int], amount: int) -> list[Payment]:
    if amount <= 0 or not kinds:
        return [()] if amount == 0 else []
    kind, others = kinds[0], kinds[1:]
    value = int(CARD_VALUES[kind])
    return [
        (CARD_NAMES[kind],) * laid + rest
        for laid in range(min(counts[kind], amount // value) + 1)
        for rest in _pay(counts, others, amount - laid * value)
    ]


# ------------------------------------------------------------------------------------- cards


def cards_in(place: Iterable[int]) -> list[str]:
    """Counts by kind, as in the `view`, as card names."""
    return [name for name, count in zip(CARD_NAMES, place, strict=True) for _ in range(count)]


def without(hand: Cards, cards: Cards) -> list[str]:
    """A hand less some of its cards."""
    rest = list(_listed(hand))
    for card in _listed(cards):
        if card not in rest:
            raise ByzanzError(f"there is no {card!r} left in the hand to take away")
        rest.remove(card)
    return rest


def _listed(cards: Cards) -> list[str]:
    return [cards] if isinstance(cards, str) else list(cards)


def _counts(cards: Cards) -> _Counts:
    """Card names as counts by kind."""
    counts = [0] * len(CARD_NAMES)
    for card in _listed(cards):
        if card not in KIND_OF:
            raise ByzanzError(f"there is no card {card!r}{did_you_mean(card, CARD_NAMES)}")
        kind = KIND_OF[card]
        counts[kind] += 1
        if counts[kind] > DECK[kind]:
            raise ByzanzError(f"nobody can hold {counts[kind]} cards {card}: the game has {DECK[kind]}")
    return tuple(counts)


def did_you_mean(name: object, *lists: Iterable[str]) -> str:
    """The nearest name of the first list that has a near one."""
    for names in lists:
        if near := difflib.get_close_matches(str(name), list(names), n=1):
            return f"; did you mean {near[0]!r}?"
    return ""
