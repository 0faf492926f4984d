"""Why an action is refused: one sentence a player would understand. The verdict itself comes from the mask."""

import numpy as np

from .actions import ACTION_NAMES, FIRST_PAY, NUM_ACTIONS, family_of
from .chance import whole_number
from .state import BID, FINAL, GIVE, LIMIT, OVER, PAY, PHASES, PICK

_ASKED = {
    BID: "to bid or pass",
    PAY: "to lay cards for the bid just named",
    GIVE: "to give a card of the bundle to the market",
    PICK: "to pick a type from the market",
    LIMIT: "to sell or discard down to seven cards",
    FINAL: "to sell sets or finish with a pass",
}
_PHASES_OF = {
    "pass": (BID, FINAL),
    "bid": (BID,),
    "pay": (PAY,),
    "give": (GIVE,),
    "pick": (PICK,),
    "sell": (BID, GIVE, PICK, LIMIT, FINAL),
    "discard": (LIMIT,),
}


def seat_name(seat: int) -> str:
    """How a seat is called everywhere: `player_0` and so on."""
    return f"player_{seat}"


def why_illegal(game: np.record, action: object) -> str:
    """The sentence for an action that the mask forbids to the seat on turn."""
    who = seat_name(game.turn)
    number = whole_number(action)
    if number is None:
        return f"{who} cannot play {action!r}: an action is a whole number from 0 to {NUM_ACTIONS - 1}"
    if not 0 <= number < NUM_ACTIONS:
        return f"{who} cannot play action {number}: the actions are numbered 0 to {NUM_ACTIONS - 1}"
    return f"{who} cannot {ACTION_NAMES[number]}: {_reason(game, number)}"


def _reason(game: np.record, action: int) -> str:
    family = family_of(action)
    if game.phase == OVER:
        return "the game is over"
    if game.phase not in _PHASES_OF[family]:
        return f"in the phase {PHASES[game.phase]} the seat is asked {_ASKED[int(game.phase)]}"
    name = ACTION_NAMES[action]
    if family == "bid":
        total = int(name.split()[1])
        if total <= game.highest_bid:
            return f"the highest bid is {game.highest_bid} already"
        return f"its hand has no goods cards worth exactly {total - int(game.bid[game.turn])}"
    if family == "pay":
        if game.hands[game.turn, action - FIRST_PAY] == 0:
            return "that card is not in its hand"
        return f"the rest of the {game.to_pay} still to pay could not be laid exactly"
    if family == "give":
        return "that card is not in the bundle"
    if family == "pick":
        return "the market has no such card"
    return "its hand does not hold these cards" if family == "sell" else "that card is not in its hand"
