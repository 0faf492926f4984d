"""For authors of bots: write `decide` for one decision; `Bot` lifts it to the Agent protocol of many decisions at once.

A `Turn` is one decision in the words of the game: names of cards and actions instead of counts and masks, chance
from the decision's key, and the exact helpers of `hands` about selling and paying. There is no speed here: for
millions of decisions write `act` over arrays.

    class Cautious(Bot):
        def decide(self, turn):
            return "pass" if "pass" in turn.legal else turn.choice(turn.legal)

A bot keeps no notes between its decisions: an observation holds all that a perfect memory knows of where the cards
are, and one bot may sit at several seats of a game.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import TypeVar

import numpy as np

from byzanz_env.actions import (
    ACTION_NAMES,
    ACTION_OF,
    BID_ZERO,
    FIRST_BID,
    FIRST_DISCARD,
    FIRST_PAY,
    FIRST_SALE,
    NUM_ACTIONS,
)
from byzanz_env.agent import agent_name
from byzanz_env.cards import TYPES
from byzanz_env.chance import LOW_62, advance, below, spread, whole_number
from byzanz_env.errors import AgentError, ByzanzError
from byzanz_env.observation import view
from byzanz_env.state import PHASES

from .hands import (
    Cards,
    Payment,
    best_sales,
    cards_in,
    cheapest_payment,
    did_you_mean,
    outlook,
    payments,
    potential,
    profit_of_sale,
    worth,
)

Choice = TypeVar("Choice")


# ------------------------------------------------------------------------------------- one decision


class Turn:
    """One decision of one seat: what it sees, what it may do, and helpers that count with its hand.

    `game` is the game's id and `key` the decision's only source of chance.
    """

    def __init__(
        self,
        observation: np.ndarray,
        mask: np.ndarray,
        game: int = 0,
        key: int = 0,
    ) -> None:
        self.observation = _read_only(observation)
        self.mask = _read_only(mask)
        self.game = int(game)
        self.key = int(key)
        self._chance = spread(self.key & LOW_62)

    # --- what the seat sees

    @cached_property
    def view(self) -> SimpleNamespace:
        """The whole observation by name, with counts by kind: see `byzanz_env.observation.FIELDS`."""
        return view(self.observation)

    @cached_property
    def phase(self) -> str:
        """What is asked: BID, PAY, GIVE, PICK, LIMIT or FINAL."""
        return PHASES[int(np.argmax(self.view.phase))]

    @cached_property
    def hand(self) -> list[str]:
        """The own cards by name. Cards laid in a bid are not in the hand: `cards_in(turn.me.laid)`."""
        return cards_in(self.view.hand)

    @cached_property
    def bundle(self) -> list[str]:
        """The cards on sale."""
        return cards_in(self.view.bundle)

    @cached_property
    def market(self) -> dict[str, list[str]]:
        """The cards in the market by type, as they are taken; only types of which there is a card."""
        cards = cards_in(self.view.market)
        by_type = {of: [card for card in cards if card.partition("-")[0] == of] for of in TYPES}
        return {of: found for of, found in by_type.items() if found}

    @property
    def me(self) -> SimpleNamespace:
        """The own seat's row: profit, bid, laid, ...: see `byzanz_env.observation.SEAT_FIELDS`."""
        return self.view.seats[0]  # type: ignore[no-any-return]

    @property
    def others(self) -> list[SimpleNamespace]:
        """The rows of the other seats, clockwise."""
        return self.view.seats[1:]  # type: ignore[no-any-return]

    # --- what it may do

    @cached_property
    def legal(self) -> list[str]:
        """The names of all legal actions."""
        return [ACTION_NAMES[action] for action in np.flatnonzero(self.mask)]

    @cached_property
    def bids(self) -> list[int]:
        """The totals that may be bid, rising. What has to be laid for one is the total less `turn.me.bid`."""
        return [int(step) + FIRST_BID - BID_ZERO for step in np.flatnonzero(self.mask[FIRST_BID:FIRST_PAY])]

    @cached_property
    def sales(self) -> list[str]:
        """The names of the sales that may be made now."""
        return [ACTION_NAMES[FIRST_SALE + s] for s in np.flatnonzero(self.mask[FIRST_SALE:FIRST_DISCARD])]

    # --- chance, from the key alone

    def random(self) -> float:
        """A random number from 0 up to but not including 1; the next call draws the next one."""
        return self._draw(1 << 30) / (1 << 30)

    def choice(self, options: Sequence[Choice]) -> Choice:
        """One of the options, all equally likely. A set will not do: its order differs between processes."""
        if not len(options):
            raise ByzanzError("there is nothing to choose from")
        return options[self._draw(len(options))]

    def _draw(self, limit: int) -> int:
        self._chance = advance(self._chance)
        return int(below(spread(self._chance), limit))

    # --- counting with the own hand

    def profit_of_sale(self, sale: str) -> int:
        """The value of the card that a sale keeps."""
        return profit_of_sale(sale)

    def potential(self) -> int:
        """The most profit the hand can earn if sets are sold now."""
        return potential(self.hand)

    def best_sales(self) -> list[str]:
        """The sales that earn the hand's potential. While a bid is being paid for none of them is legal."""
        return best_sales(self.hand)

    def worth(self, cards: Cards) -> int:
        """What cards, such as the bundle, would add to the hand's potential."""
        return worth(cards, self.hand)

    def payments(self, amount: int | None = None) -> list[Payment]:
        """Every choice of cards that pays an amount exactly; by default what is still to be laid."""
        return payments(self.hand, self._amount(amount))

    def cheapest_payment(self, amount: int | None = None, worth: Callable[[list[str]], float] = outlook) -> Payment:
        """The payment that leaves the hand worth most, for an amount; by default for what is still to be laid."""
        return cheapest_payment(self.hand, self._amount(amount), worth)

    def _amount(self, amount: int | None) -> int:
        return self.view.to_pay if amount is None else amount


def _read_only(row: np.ndarray) -> np.ndarray:
    """The same numbers, which a bot cannot change by accident: some doors use the array again."""
    row = np.asarray(row).view()
    row.flags.writeable = False
    return row


# ------------------------------------------------------------------------------------- the bot


class Bot:
    """An agent that thinks of one decision at a time: write `decide`."""

    def decide(self, turn: Turn) -> str | int:
        """The action for one decision, by name or number. The same turn must get the same answer."""
        raise AgentError(f"the bot {agent_name(self)!r} has no method decide(self, turn)")

    def act(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """One call of `decide` per row."""
        actions = np.empty(len(masks), dtype=np.int64)
        for row, (observation, mask, game, key) in enumerate(zip(observations, masks, games, keys, strict=True)):
            turn = Turn(observation, mask, game, key)
            actions[row] = _checked_answer(self.decide(turn), turn, agent_name(self))
        return actions


def _checked_answer(answer: object, turn: Turn, bot: str) -> int:
    """An answer as the number of a legal action, or a sentence that names the bot, the game and the action."""
    said = f"the bot {bot!r} answered {answer!r} in game {turn.game}"
    if isinstance(answer, str):
        if answer not in ACTION_OF:
            raise AgentError(f"{said}, which is no action{did_you_mean(answer, turn.legal, ACTION_NAMES)}")
        action = ACTION_OF[answer]
    else:
        number = whole_number(answer)
        if number is None:
            raise AgentError(f"{said}, but an answer is the name or the number of an action")
        if not 0 <= number < NUM_ACTIONS:
            raise AgentError(f"{said}, but actions are numbered 0 to {NUM_ACTIONS - 1}")
        action = number
    if not turn.mask[action]:
        name = ACTION_NAMES[action]
        raise AgentError(
            f"the bot {bot!r} chose {name!r} in game {turn.game}, which is not legal there"
            f"{did_you_mean(name, turn.legal)}"
        )
    return action
