"""A recorded game told in the terminal: the table at each auction and market, and the moves between."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .errors import ByzanzError
from .explain import seat_name
from .observation import DTYPE, WIDTH, observe_game
from .records import Position, Record, replay
from .rendering import cards, legal_text, render
from .state import FINAL, PICK


class Part(NamedTuple):
    """A piece of the story; after a `pause` a reader may want to go on by hand."""

    text: str
    pause: bool


def narrate(record: Record, *, seat: int | None = None, every: bool = False) -> Iterator[Part]:
    """The game from deal to result. With `seat` it tells only what that seat knows, else everything."""
    if seat is not None and not 0 <= seat < record.players:
        raise ByzanzError(f"there is no seat {seat} at this table of {record.players}")
    yield Part(_title(record, told_seed=seat is None), False)
    shown: tuple[int, int, str] | None = None
    for position in replay(record):
        if position.move is None:
            break
        game = position.games[0]
        moment = (int(game.round_number), int(game.auction), _stage(game))
        if every or shown != moment:
            if shown is not None:
                yield Part("", True)
            yield Part(_table(position, seat), False)
            shown = moment
        yield Part(_line(record, position, seat), every)
    yield Part(_result(record, seat), False)


def _stage(game: np.record) -> str:
    """The parts of a round that each begin with a look at the table."""
    if game.phase == FINAL:
        return "final sales"
    return "market" if game.phase == PICK or game.picked[game.turn] else "auction"


def _title(record: Record, *, told_seed: bool) -> str:
    """Who plays; and the seed, but only for somebody who may know every card, for it tells the deal."""
    names = ", ".join(f"{seat_name(seat)} {name}" for seat, name in enumerate(record.agents))
    seed = f", seed {record.seed}" if told_seed and record.seed is not None else ""
    return f"Byzanz for {record.players}: {names}{seed}\n"


def _table(position: Position, seat: int | None) -> str:
    """What the seat sees; for somebody who may see everything the public table and all hands."""
    observation = np.zeros(WIDTH, dtype=DTYPE)
    observe_game(position.games, 0, seat or 0, observation)
    text = render(observation, None, seat or 0, hand=seat is not None)
    if seat is None:
        game = position.games[0]
        hands = (f"hand of {seat_name(s)}:  {cards(game.hands[s]) or 'no cards'}" for s in range(int(game.players)))
        text += "\n" + "\n".join(hands) + "\n"
    return text


def _line(record: Record, position: Position, seat: int | None) -> str:
    assert position.move is not None, "a line tells a move"
    mover, name = position.move
    line = f"{position.number + 1:>5}  {seat_name(mover)}  {name}"
    if record.legal is not None and seat in (None, mover):
        line = f"{line:<44}  of: {legal_text(np.flatnonzero(position.mask))}"
    return line


def _result(record: Record, seat: int | None) -> str:
    """Who has won. Goods cards left may be hidden ones: a seat is told only its own."""
    winners = " and ".join(seat_name(winner) for winner in record.winners)
    lines = ["", f"{winners} {'share the win' if len(record.winners) > 1 else 'wins'}", ""]
    for player, (name, profit, goods) in enumerate(zip(record.agents, record.profits, record.goods_left, strict=True)):
        mark = "★" if player in record.winners else " "
        left = f", {goods} goods cards left" if seat in (None, player) else ""
        lines.append(f"{mark} {seat_name(player)}  {name:<12}{profit:>4} profit{left}")
    return "\n".join(lines)
