"""The set-up of a game: from a seed, or from cards given by name.

After the deal chance is over: the order of the stock is fixed, and the rest of the game is decided by the players.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from .cards import (
    CARD_NAMES,
    DECK,
    DECK_SIZE,
    FIRST_HAND,
    KIND_OF,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NUM_KINDS,
    REMOVED,
    REMOVED_FOR,
    STOCK_SIZE,
)
from .chance import check_game_seed, shuffle, spread, whole_number
from .compiled import compiled
from .errors import ByzanzError, DealError
from .rules import begin
from .state import NOBODY

SORTED_DECK: Final = np.repeat(np.arange(NUM_KINDS), DECK).astype(np.int8)


class Deal(NamedTuple):
    """A deal by card names, as it stands in a game record."""

    hands: list[list[str]]
    removed: list[str]
    stock: list[str]


# ------------------------------------------------------------------------------------------- compiled


@compiled
def deal_from_seed(game, players, seed):
    """Shuffle all cards by the seed and set up the table."""
    game.deck[:] = SORTED_DECK
    shuffle(game.deck, 0, DECK_SIZE, spread(seed))
    set_up(game, players)


@compiled
def set_up(game, players):
    """Deal the deck as it lies: four cards to each seat, some removed unseen, the rest is the stock. Seat 0 opens."""
    clear_table(game)
    game.players = players
    for seat in range(players):
        for i in range(FIRST_HAND):
            game.hands[seat, game.deck[seat * FIRST_HAND + i]] += 1
        game.hand_size[seat] = FIRST_HAND
        game.unknown[seat] = FIRST_HAND
    game.drawn = players * FIRST_HAND + REMOVED_FOR[players]
    begin(game)


@compiled
def clear_table(game):
    """Empty every place but the deck."""
    game.round_number = 0
    game.auction = 0
    game.on_sale = 0
    game.opener = 0
    game.turn = 0
    game.highest_bid = 0
    game.highest_bidder = NOBODY
    game.to_pay = 0
    game.bid[:] = 0
    game.passed[:] = 0
    game.bidder_card[:] = 0
    game.picked[:] = 0
    game.hands[:] = 0
    game.laid[:] = 0
    game.known[:] = 0
    game.kept[:] = 0
    game.bundle[:] = 0
    game.market[:] = 0
    game.gone[:] = 0
    game.hand_size[:] = 0
    game.unknown[:] = 0
    game.profit[:] = 0


@compiled
def deal_game(games, index, players, seed):
    """Kernel: `deal_from_seed` for one game of an array."""
    deal_from_seed(games[index], players, seed)


@compiled
def set_up_game(games, index, players):
    """Kernel: `set_up` for one game of an array whose deck lies ready."""
    set_up(games[index], players)


# ------------------------------------------------------------------------------------------- by name


def start_from_seed(games: np.ndarray, index: int, players: int, seed: int) -> None:
    """Deal game `index` by a seed that has been given by a person: it is checked."""
    deal_game(games, index, check_players(players), check_game_seed(seed))


def start_from_deal(games: np.ndarray, index: int, players: int, deal: object) -> None:
    """Deal game `index` from named cards; refuse a deal that is not complete before anything is changed."""
    deck = _deck_from_names(check_players(players), deal)
    games["deck"][index] = deck
    set_up_game(games, index, players)


def deal_of(game: np.ndarray | np.record) -> Deal:
    """The deal a game started from, by names."""
    players = int(game["players"])
    if (game["deck"] < 0).any():
        raise ByzanzError("a determinised game has no deal: how its cards were dealt is not known")
    names = [CARD_NAMES[kind] for kind in game["deck"]]
    in_hands = players * FIRST_HAND
    in_stock = in_hands + REMOVED[players]
    hands = [names[seat * FIRST_HAND : (seat + 1) * FIRST_HAND] for seat in range(players)]
    return Deal(hands, names[in_hands:in_stock], names[in_stock:])


def check_players(players: object) -> int:
    """The number of players as an int, or a refusal."""
    number = whole_number(players)
    if number is None or not MIN_PLAYERS <= number <= MAX_PLAYERS:
        raise ByzanzError(f"Byzanz is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players!r}")
    return number


def _deck_from_names(players: int, deal: object) -> np.ndarray:
    if isinstance(deal, Deal):
        deal = deal._asdict()
    if not isinstance(deal, dict) or set(deal) != set(Deal._fields):
        raise DealError("a deal is a mapping with the keys 'hands', 'removed' and 'stock'")
    hands = deal["hands"]
    if not isinstance(hands, Sequence) or isinstance(hands, str) or len(hands) != players:
        count = len(hands) if isinstance(hands, Sequence) and not isinstance(hands, str) else "no list of"
        raise DealError(f"the deal has {count} hands, but {players} players sit at the table")
    names: list[str] = []
    for seat, hand in enumerate(hands):
        names += _checked_cards(hand, f"the hand of player_{seat}", FIRST_HAND)
    names += _checked_cards(deal["removed"], "the removed cards", REMOVED[players])
    names += _checked_cards(deal["stock"], "the stock", STOCK_SIZE[players])
    _check_whole_deck(names)
    return np.array([KIND_OF[name] for name in names], dtype=np.int8)


def _checked_cards(cards: object, place: str, size: int) -> list[str]:
    if not isinstance(cards, Sequence) or isinstance(cards, str):
        raise DealError(f"{place} must be a list of card names")
    for name in cards:
        if not isinstance(name, str) or name not in KIND_OF:
            raise DealError(f"there is no card {name!r} ({place})")
    if len(cards) != size:
        raise DealError(f"{place} must have {size} cards, not {len(cards)}")
    return list(cards)


def _check_whole_deck(names: list[str]) -> None:
    counts = Counter(names)
    for name, copies in zip(CARD_NAMES, DECK, strict=True):
        if counts[name] != copies:
            raise DealError(f"the deal has {counts[name]} cards {name}, but the game has {copies}")
