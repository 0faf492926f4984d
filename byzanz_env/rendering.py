"""The table as text, as one seat sees it. It is drawn from that seat's observation alone, so it cannot show more."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from .actions import ACTION_NAMES, FIRST_BID, FIRST_PAY
from .cards import CARD_NAMES, GOODS, MERCHANT, NUM_VALUES, ROUNDS
from .explain import seat_name
from .observation import view
from .state import PHASES

_RULE = "─" * 100


def render(observation: np.ndarray, mask: np.ndarray | None, seat: int, *, hand: bool = True) -> str:
    """The table seen from a seat; with `mask` its legal actions too, without `hand` only what everybody sees."""
    seen = view(observation)
    lines = [_headline(seen, seat), _RULE, *_middle(seen, seat), "", *_seats(seen, seat)]
    if hand:
        lines += ["", f"hand of {seat_name(seat)}:  {cards(seen.hand) or 'no cards'}"]
    if mask is not None and mask.any():
        lines += [f"{seat_name(seat)} may:  {legal_text(np.flatnonzero(mask))}"]
    return "\n".join(lines) + "\n"


def cards(counts: Sequence[int] | np.ndarray) -> str:
    """Cards by name, each as often as it is there.

    >>> cards([2] + [0] * 23 + [1])
    'cloth-1 cloth-1 merchant'
    """
    return " ".join(name for name, count in zip(CARD_NAMES, counts, strict=True) for _ in range(count))


def by_type(counts: Sequence[int] | np.ndarray) -> str:
    """Cards sorted by type with their values: `cloth 1 1 3 · merchant x2`."""
    parts = []
    for number, good in enumerate(GOODS):
        values = [v + 1 for v in range(NUM_VALUES) for _ in range(counts[NUM_VALUES * number + v])]
        if values:
            parts.append(f"{good} {' '.join(map(str, values))}")
    if counts[MERCHANT]:
        parts.append(f"merchant x{counts[MERCHANT]}")
    return " · ".join(parts)


def legal_text(actions: Sequence[int] | np.ndarray) -> str:
    """Legal actions by name, prices run together: `pass, bid 3-5 7, sell wine 4+1+M`."""
    prices = [int(a) - FIRST_BID + 1 for a in actions if FIRST_BID <= a < FIRST_PAY]
    names = [ACTION_NAMES[a] for a in actions if not FIRST_BID <= a < FIRST_PAY]
    if prices:
        names.insert(1 if names[:1] == ["pass"] else 0, f"bid {_runs(prices)}")
    return ", ".join(names)


def _runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _headline(seen: SimpleNamespace, seat: int) -> str:
    players = len(seen.seats)
    turn = [seat_name((seat + row) % players) for row, s in enumerate(seen.seats) if s.on_turn]
    parts = ["Byzanz", f"round {seen.round} of {ROUNDS[players]}"]
    if turn:
        phase = PHASES[int(np.argmax(seen.phase))]
        if phase not in ("FINAL", "PICK"):
            parts.append(f"auction {seen.auction} of {players}")
        return " · ".join([*parts, phase, f"{turn[0]} to act"])
    return "Byzanz · the game is over"


def _middle(seen: SimpleNamespace, seat: int) -> list[str]:
    lines = []
    if seen.bidder_card_on_sale:
        lines.append(f"on sale  bidder card {seen.bidder_card_on_sale} with {cards(seen.bundle)}")
    if seen.highest_bidder:
        who = seat_name((seat + seen.highest_bidder - 1) % len(seen.seats))
        rest = f", {seen.to_pay} still to pay" if seen.to_pay else ""
        lines.append(f"bid      {seen.highest_bid} by {who}{rest}")
    lines.append(f"market   {by_type(seen.market) or 'empty'}")
    lines.append(f"stock    {seen.stock_left} cards left, {int(seen.gone.sum())} out of the game")
    return lines


def _seats(seen: SimpleNamespace, seat: int) -> list[str]:
    players = len(seen.seats)
    lines = [f"  {'seat':<10}{'profit':>6}{'hand':>6}{'bidder card':>13}{'bid':>8}   known cards in hand"]
    for absolute in range(players):
        row = seen.seats[(absolute - seat) % players]
        mark = "▶" if row.on_turn else " "
        bid = "passed" if row.passed else str(row.bid or "·")
        known = by_type(row.known)
        hidden = f"{row.unknown} hidden" if row.unknown else ""
        lines.append(
            f"{mark} {seat_name(absolute):<10}{row.profit:>6}{row.hand_size:>6}{row.bidder_card or '·':>13}{bid:>8}   "
            + " · ".join(part for part in (known, hidden) if part)
        )
        if row.laid.any():
            lines.append(f"{'':>45}   laid: {cards(row.laid)}")
    return lines
