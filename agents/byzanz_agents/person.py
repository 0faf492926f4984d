"""A person as an agent: asks on the terminal, in the words of the game. It knows the person's own observation only.

`Question` is the dialogue without any input or output; `news` tells what a move did; `Person` puts them to somebody.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Final, TypeVar

import numpy as np

from byzanz_env.actions import (
    ACTION_NAMES,
    BID_ZERO,
    FIRST_BID,
    FIRST_DISCARD,
    FIRST_PAY,
    FIRST_SALE,
    PASS,
    family_of,
)
from byzanz_env.cards import CARD_NAMES, CARD_VALUES, HAND_LIMIT, KIND_OF, MERCHANT, MERCHANT_PROFIT, SET_SIZE
from byzanz_env.explain import seat_name
from byzanz_env.observation import view
from byzanz_env.rendering import by_type, cards, legal_text, render
from byzanz_env.state import PHASES

from .hands import cards_in
from .hands import payments as exact_payments

T = TypeVar("T")

HELP: Final = f"""\
The game
  Each round, as many bundles are sold as there are players, and everybody wins exactly one of them. A bid is goods
  cards laid from the hand, worth the sum of their values; a raise adds cards, who passes takes the cards back.
  The winner's laid cards and one card of the bundle go into the market, the rest of the bundle to the hand.
  If all pass, who passed first takes the whole bundle. After the auctions everybody takes one type from the market,
  the lowest bidder card first.
  Profit comes from sales: {SET_SIZE} cards of one good, merchants standing in for up to two. The highest card is
  kept as profit; {SET_SIZE} merchants make {MERCHANT_PROFIT}. Nobody keeps more than {HAND_LIMIT} cards.
  Most profit wins, then most goods cards left in the hand.

What you can type (a bare number is a bid in an auction, else a number of the list)
  4   bid 4            bid a total of 4; then say which cards to lay: a number, or  wine-3 cloth-1
  pass                 pass; in the last sales it ends them, and done does too
  sell 2               sell set 2 of the list; or name it:  sell wine 4+1+M   sell wine   sell merchant
  give   pick   discard     with a number or a name:  give wine-3   pick wood   discard 2
  table                show the table again
  ?   help             this page
  quit                 leave; the rest of the game is then played at random (so do Ctrl-C and Ctrl-D)
Words may be cut short while they stay clear:  b 4   pa   se wi 41m   gi wi3   di m.  No move can be taken back."""

WIDTH: Final = 100
LONGEST_ANSWER: Final = 120  # seven cards by their full names, and room to spare
MOST_PAYMENTS: Final = 9
"""How many ways to pay are listed; the others can still be typed by card names."""

_VERBS: Final = {"BID": "bid", "PAY": "pay", "GIVE": "give", "PICK": "pick", "LIMIT": "discard", "FINAL": "sell"}
_ALL_VERBS: Final = ("pass", "bid", "pay", "give", "pick", "sell", "discard")
_GOODS_LETTERS: Final = ("g", "s")  # `g 3` is grain-3 and `s 2` is spices-2: these letters alone never stand for a verb


class UnclearError(Exception):
    """An answer that is no action; its text is the sentence for the person."""


class LeftError(Exception):
    """The person has left the table."""


# ------------------------------------------------------------------------------------------- one decision


class Question:
    """One decision of the person: what may be done, and what an answer means."""

    def __init__(self, observation: np.ndarray, mask: np.ndarray) -> None:
        self.seen = view(observation)
        self.phase = PHASES[int(np.argmax(self.seen.phase))]
        self.verb = _VERBS[self.phase]
        legal = [int(action) for action in np.flatnonzero(mask)]
        self.bids = [action for action in legal if FIRST_BID <= action < FIRST_PAY]
        self.sales = [action for action in legal if FIRST_SALE <= action < FIRST_DISCARD]
        self.choices = [action for action in legal if family_of(action) == self.verb and action not in self.bids]
        self.can_pass = PASS in legal
        self.payments = payments(self.seen.hand, self.seen.to_pay) if self.phase == "PAY" else []
        self.only = self._only_answer(legal)

    def _only_answer(self, legal: list[int]) -> list[int]:
        """What is played without asking: the only legal action, or the only cards that pay the bid."""
        if len(self.payments) == 1:
            return _pay_actions(self.payments[0])
        return legal if len(legal) == 1 else []

    def text(self) -> str:
        """What is asked, and the choices."""
        lines = [self._asked()]
        if self.phase == "BID":
            bids = legal_text(self.bids) if self.bids else "no bid is possible"
            lines += _listed(f"{bids}, or pass" if self.bids else f"pass ({bids})", [])
        elif self.phase == "PAY":
            lines += _listed("pay", [" ".join(CARD_NAMES[kind] for kind in way) for way in self._shown_payments()])
            if len(self.payments) > MOST_PAYMENTS:
                lines.append("  or name other cards")
        elif self.phase != "FINAL":
            lines += _listed(self.verb, [self._label(action) for action in self.choices])
        if self.sales:
            lines += _listed("sell", [_object_of(action) for action in self.sales])
        if self.phase == "FINAL":
            lines += ["  pass, when you have sold enough"]
        return "\n".join(lines)

    def _asked(self) -> str:
        seen, own = self.seen, self.seen.seats[0]
        if self.phase == "BID":
            laid = f" (a bid is the new total: {own.bid} of yours lies there already)" if own.bid else ""
            return f"Bid or pass{laid}."
        return {
            "PAY": f"Lay goods cards worth exactly {seen.to_pay}; your hand: {cards(seen.hand)}.",
            "GIVE": "Put one card of your new bundle into the market.",
            "PICK": "Take all cards of one type from the market.",
            "LIMIT": f"Sell or discard down to {HAND_LIMIT} cards; you hold {own.hand_size}.",
            "FINAL": "Sell what you like for the last time, then pass.",
        }[self.phase]

    def _shown_payments(self) -> list[tuple[int, ...]]:
        return self.payments[:MOST_PAYMENTS]

    def _label(self, action: int) -> str:
        """A choice by name; a type of the market with the cards one would take."""
        name = _object_of(action)
        return by_type(_of_type(self.seen.market, name)) if self.verb == "pick" else name

    # --------------------------------------------------------------------------------- reading an answer

    def read(self, answer: str) -> list[int]:
        """The actions an answer means, several only for a payment; or a sentence why it means none."""
        text = " ".join(answer.lower().replace(",", " ").split())
        if not text:
            raise UnclearError("Enter alone does nothing: type your choice, or ? for help.")
        if len(text) > LONGEST_ANSWER:
            raise UnclearError("That is too long for an answer: type your choice, or ? for help.")
        verb, rest = self._split(text)
        if verb in ("pass", "done"):
            return self._read_pass(verb, rest)
        if verb == "sell":
            return [self._read_sale(rest)]
        if verb == "bid":
            return [self._read_bid(rest)]
        return self._read_payment(rest) if verb == "pay" else [self._read_choice(rest)]

    def _split(self, text: str) -> tuple[str, str]:
        """The verb, in full, and the rest. Without a verb the answer is to what the phase asks."""
        found = re.fullmatch(r"([a-z]+)\s*(.*)", text)
        if found is None or found[1] in _GOODS_LETTERS:
            return self.verb, text
        word, rest = found[1], found[2]
        for verb in self._verbs():
            if verb.startswith(word):
                return verb, rest
        for verb in _ALL_VERBS:
            if verb.startswith(word) and len(word) > 1:
                asked = self._asked()
                raise UnclearError(f"You cannot {verb} now: {asked[0].lower()}{asked[1:]}")
        return self.verb, text

    def _verbs(self) -> list[str]:
        passes = [*(["pass"] if self.can_pass else []), *(["done"] if self.phase == "FINAL" else [])]
        return [*passes, self.verb, *([] if self.phase == "PAY" else ["sell"])]

    def _read_pass(self, verb: str, rest: str) -> list[int]:
        if rest:
            raise UnclearError(f"Type {verb} alone if you want to pass.")
        return [PASS]

    def _read_bid(self, text: str) -> int:
        if not re.fullmatch("[0-9]{1,3}", text):
            raise UnclearError(f"{text!r} is no bid: type a number such as 4, or pass, or ? for help.")
        amount = int(text)
        if BID_ZERO + amount in self.bids:
            return BID_ZERO + amount
        if amount <= self.seen.highest_bid:
            raise UnclearError(f"A bid of {amount} is too low: it must be above {self.seen.highest_bid}.")
        missing = amount - self.seen.seats[0].bid
        raise UnclearError(f"You cannot bid {amount}: no goods cards of your hand are worth exactly {missing}.")

    def _read_choice(self, text: str) -> int:
        """A card or a type, by number or name."""
        if number := _number(text):
            return _numbered(number, self.choices)
        return self.choices[_named(text, [_object_of(action) for action in self.choices], f"to {self.verb}")]

    def _read_sale(self, text: str) -> int:
        if not self.sales:
            raise UnclearError(
                f"You have no set to sell: it takes {SET_SIZE} cards of one good, or merchants among them."
            )
        if number := _number(text):
            return _numbered(number, self.sales)
        fitting = [action for action in self.sales if _is_sale(_object_of(action), text)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise UnclearError(f"Which set: {', '.join(_object_of(action) for action in fitting)}?")
        raise UnclearError(f"You have no set {text!r} to sell: type sell and a number of the list.")

    def _read_payment(self, text: str) -> list[int]:
        """A number of the list, or all cards to lay by name."""
        if number := _number(text):
            return _pay_actions(_numbered(number, self._shown_payments()))
        hand = [kind for kind in range(MERCHANT) if self.seen.hand[kind]]
        words = re.findall(r"[a-z]+[\s-]*[0-9]*|\S+", text.replace("+", " "))
        if not words:
            raise UnclearError("Say which cards to lay: a number of the list, or their names.")
        names = [CARD_NAMES[kind] for kind in hand]
        way = sorted(hand[_named(word.strip(), names, "among your goods cards")] for word in words)
        worth = int(CARD_VALUES[way].sum())
        if worth != self.seen.to_pay:
            raise UnclearError(f"These cards are worth {worth}: lay cards worth exactly {self.seen.to_pay}.")
        if tuple(way) not in self.payments:
            raise UnclearError("You do not hold so many of these cards.")
        return _pay_actions(way)


def payments(hand: np.ndarray, amount: int) -> list[tuple[int, ...]]:
    """All ways to lay exactly this amount, each as card kinds in order; the fewest cards first."""
    ways = (tuple(KIND_OF[card] for card in way) for way in exact_payments(cards_in(hand), amount))
    return sorted(ways, key=lambda way: (len(way), way))


def _pay_actions(way: Sequence[int]) -> list[int]:
    return [FIRST_PAY + kind for kind in way]


def _object_of(action: int) -> str:
    """An action's name without its verb: `wine-3`, `wine`, `wine 4+1+M`."""
    return ACTION_NAMES[action].split(" ", 1)[1]


def _listed(verb: str, names: list[str]) -> list[str]:
    """A line of numbered choices, folded where it is long."""
    numbered = " · ".join(f"{number} {name}".replace(" ", "\N{NO-BREAK SPACE}") for number, name in enumerate(names, 1))
    folded = textwrap.wrap(f"  {verb}  {numbered}".rstrip(), WIDTH, subsequent_indent="      ", break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in folded]


def _number(text: str) -> int | None:
    """The number of a list that the text is, or None."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,2}", text) else None


def _numbered(number: int, choices: Sequence[T]) -> T:
    if number > len(choices):
        raise UnclearError(f"There is no number {number}: the list goes to {len(choices)}.")
    return choices[number - 1]


def _named(text: str, names: list[str], where: str) -> int:
    """Which of the names the text means: `wine-3`, `wine 3`, `wi3`, or `wine` where there is but one."""
    found = re.fullmatch(r"([a-z]+)[\s-]*([0-9]?)", text)
    if found is None:
        raise UnclearError(f"{text!r} is no card and no number of the list; type ? for help." if text else "Which one?")
    start, value = found[1], found[2]
    start = "merchant" if start == "merchants" else start
    parts = [name.partition("-") for name in names]
    fitting = [i for i, (good, _, worth) in enumerate(parts) if good.startswith(start) and value in ("", worth)]
    if len(fitting) > 1:
        raise UnclearError(f"{text!r} may be {' or '.join(names[i] for i in fitting)}: write more of the name.")
    if not fitting:
        raise UnclearError(f"There is no {text!r} {where}.")
    return fitting[0]


def _is_sale(name: str, text: str) -> bool:
    """Whether a text, such as `wi 41m`, `wine 4+1+M` or `wine`, can mean a sale by name."""
    found = re.fullmatch(r"(?P<good>[a-z]*)[\s:-]*(?P<set>[1-4m+\s]*)", text)
    if found is None:
        return False
    good, shown = name.lower().split(" ")
    if good == "merchant" and set(text) <= set("m+ "):
        return True  # `m+m+m`
    start = "merchant" if found["good"] == "merchants" else found["good"]
    named = Counter(re.sub(r"[+\s]", "", found["set"]))
    return good.startswith(start) and (not named or named == Counter(shown.replace("+", "")))


# ------------------------------------------------------------------------------------------- what a move did


def news(mover: int, name: str, before: SimpleNamespace, after: SimpleNamespace, seat: int) -> list[str]:
    """A move told to a seat, from what that seat saw before and after: the others' moves, and who got which bundle.

    A move that pays for a bid gives a line that begins with `+`: it belongs to the line of the bid.
    """
    players = len(after.seats)
    lines = (
        [] if mover == seat else [_told(name, mover, before.seats[(mover - seat) % players].bid, before, after, seat)]
    )
    verb, _, thing = name.partition(" ")
    entered = after.market.astype(int) - before.market
    bundle = before.bundle.astype(int)
    if verb == "give":
        entered[KIND_OF[thing]] -= 1
        bundle[KIND_OF[thing]] -= 1
    # The bundle that was on sale comes before the last one of the round, which may be handed over in the same move.
    for row in sorted(range(players), key=lambda row: -after.seats[row].bidder_card):
        bidder_card = after.seats[row].bidder_card
        if not bidder_card or before.seats[row].bidder_card == bidder_card:
            continue
        what = f"{_who(row, seat, players)} bidder card {bidder_card}"
        if bidder_card == before.bidder_card_on_sale:
            lines.append(f"{what} and {cards(bundle)}")
        else:  # the last bundle of a round with five or six players: its only card goes to the market at once
            lines.append(f"{what}; {cards(entered.clip(0))} goes into the market")
    return lines


def _told(name: str, mover: int, bid: int, before: SimpleNamespace, after: SimpleNamespace, seat: int) -> str:
    verb, _, thing = name.partition(" ")
    if verb == "pay":
        return f"+{thing}"
    row = (mover - seat) % len(after.seats)
    did = {
        "pass": "has sold enough" if PHASES[int(np.argmax(before.phase))] == "FINAL" else "passes",
        "bid": f"{'raises to' if bid else 'bids'} {thing} with",
        "give": f"puts {thing} into the market",
        "pick": f"takes from the market {by_type(_of_type(before.market, thing))}",
        "sell": f"sells {thing} for a profit of {after.seats[row].profit - before.seats[row].profit}",
        "discard": f"discards {thing}",
    }[verb]
    return f"{seat_name(mover)} {did}"


def _who(row: int, seat: int, players: int) -> str:
    return "you take" if row == 0 else f"{seat_name((seat + row) % players)} takes"


def _of_type(place: np.ndarray, card_type: str) -> np.ndarray:
    """The cards of one type in a place."""
    return np.array([n if card.startswith(card_type) else 0 for card, n in zip(CARD_NAMES, place, strict=True)])


# ------------------------------------------------------------------------------------------- the agent


class Person:
    """asks a person on the terminal

    `ask(prompt)` gives a line or raises EOFError, `tell(text)` shows a text: by default the terminal does both.
    `watch` is to be called after every move of the game, whoever made it.
    """

    name = "person"

    def __init__(self, seat: int = 0, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print) -> None:
        self.seat = seat
        self._ask = ask
        self._tell = tell
        self._news: list[str] = []
        self._decided: list[int] = []  # the rest of a payment that was named in one answer

    def act(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """One answer per row; `LeftError` when the person leaves."""
        return np.array([self._decide(*row) for row in zip(observations, masks, strict=True)], dtype=np.int64)

    def watch(self, mover: int, name: str, before: np.ndarray, after: np.ndarray) -> None:
        """Remember a move until the person is asked next; the observations are those of the person's seat."""
        for line in news(mover, name, view(before), view(after), self.seat):
            if line.startswith("+"):
                self._news[-1] += f" {line[1:]}"
            else:
                self._news.append(line)

    def end(self, games: np.ndarray, results: list[dict[str, list[int]]]) -> None:
        """Tell what happened after the person's last decision."""
        self._tell_news()

    def _decide(self, observation: np.ndarray, mask: np.ndarray) -> int:
        if not self._decided:
            self._decided = self._answer(observation, Question(observation, mask))
        return self._decided.pop(0)

    def _answer(self, observation: np.ndarray, question: Question) -> list[int]:
        self._tell_news()
        if question.only:
            self._tell(f"You have no choice: {', '.join(ACTION_NAMES[action] for action in question.only)}.")
            return list(question.only)
        if question.phase != "PAY":  # paying is the second half of a bid: the table has just been shown
            self._tell(f"\n{render(observation, None, self.seat)}")
        self._tell(question.text())
        while True:
            answer = self._line()
            word = answer.strip().lower()
            if word == "quit":
                raise LeftError
            if word == "?" or (word and "help".startswith(word)):
                self._tell(HELP)
            elif word and "table".startswith(word):
                self._tell(f"\n{render(observation, None, self.seat)}\n{question.text()}")
            else:
                try:
                    return question.read(answer)
                except UnclearError as unclear:
                    self._tell(str(unclear))

    def _line(self) -> str:
        try:
            return self._ask("> ")
        except EOFError:
            raise LeftError from None
        except UnicodeDecodeError:  # a stray byte is a wrong answer, not the end of the game
            return "\N{REPLACEMENT CHARACTER}"

    def _tell_news(self) -> None:
        if self._news:
            self._tell("\n" + "\n".join(f"  {line}" for line in self._news))
            self._news.clear()
