"""The game record: one JSON object per line, in which games are stored, replayed, shown and checked.

A record carries its own deal, so it replays without the seed. `read_records` and `Record.from_json` check the form of
a record, `verify` replays it and checks what it says.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from .actions import ACTION_NAMES, ACTION_OF
from .cards import PLAYER_COUNTS
from .chance import check_game_seed
from .deal import Deal, deal_of, start_from_deal, start_from_seed
from .engine import GAME_OVER, REFUSED, look, new_mask, play_checked
from .errors import ByzanzError, RecordError
from .explain import seat_name, why_illegal
from .observation import DTYPE, WIDTH
from .scoring import REWARDS, goods_in_hand, winners_of
from .state import new_games

FORMAT_NAME: Final = "byzanz"
FORMAT_VERSION: Final = 1
FORMAT: Final = f"{FORMAT_NAME}/{FORMAT_VERSION}"

Move = tuple[int, str]


@dataclass
class Record:
    """A finished game."""

    players: int
    seed: int | None  # what `reset(seed=...)` takes, or None when the deal was given
    agents: list[str]  # names by seat
    hands: list[list[str]]
    removed: list[str]
    stock: list[str]  # in draw order
    moves: list[Move]
    profits: list[int]
    goods_left: list[int]  # goods cards in hand, by seat
    winners: list[int]
    legal: list[list[str]] | None = None  # parallel to moves

    @property
    def deal(self) -> Deal:
        return Deal(self.hands, self.removed, self.stock)

    def to_json(self) -> str:
        """The record as one line of JSON, without the line's end."""
        fields: dict[str, Any] = {"format": FORMAT}
        for name in _ORDER:
            value = getattr(self, name)
            if name != "legal" or value is not None:
                fields[name] = value
        return json.dumps(fields, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> "Record":
        """Read one line; refuse what is not a record in one sentence."""
        try:
            fields = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise RecordError(f"it is not a whole line of JSON ({error})") from error
        if not isinstance(fields, dict):
            raise RecordError("it is not a JSON object")
        _check_format(fields.pop("format", None))
        _check_fields(fields)
        fields["moves"] = [(seat, name) for seat, name in fields["moves"]]
        return cls(**fields)


_ORDER: Final = (
    "players", "seed", "agents", "hands", "removed", "stock", "moves", "legal", "profits", "goods_left", "winners",
)  # fmt: skip
_OPTIONAL: Final = {"legal"}


def _check_format(name: object) -> None:
    family, _, version = str(name).partition("/")
    if family != FORMAT_NAME or not version.isdigit():
        raise RecordError(f"its format is {name!r}, not {FORMAT}")
    if int(version) > FORMAT_VERSION:
        raise RecordError(f"its format {name} is newer than {FORMAT}, which is all this version reads")


def _check_fields(fields: dict[str, Any]) -> None:
    missing = [name for name in _ORDER if name not in fields and name not in _OPTIONAL]
    if missing:
        raise RecordError(f"the field {missing[0]!r} is missing")
    unknown = sorted(set(fields) - set(_ORDER))
    if unknown:
        raise RecordError(f"there is no field {unknown[0]!r} in a record")
    if fields["players"] not in PLAYER_COUNTS or not _is_count(fields["players"]):
        raise RecordError(f"the number of players is {fields['players']!r}, not 3 to 6")
    if fields["seed"] is not None:
        try:
            check_game_seed(fields["seed"])
        except ByzanzError as error:
            raise RecordError(str(error)) from error
    for name in ("agents", "hands", "removed", "stock", "moves", "profits", "goods_left", "winners"):
        if not isinstance(fields[name], list):
            raise RecordError(f"the field {name!r} is not a list")
    for name in ("agents", "profits", "goods_left"):
        if len(fields[name]) != fields["players"]:
            raise RecordError(f"the field {name!r} has {len(fields[name])} entries for {fields['players']} seats")
    for number, move in enumerate(fields["moves"], 1):
        if not (isinstance(move, list) and len(move) == 2 and _is_count(move[0]) and isinstance(move[1], str)):
            raise RecordError(f"move {number} is {move!r}, not a seat and an action's name")
    if fields.get("legal") is not None and not isinstance(fields["legal"], list):
        raise RecordError("the field 'legal' is not a list")
    if fields.get("legal") is not None and len(fields["legal"]) != len(fields["moves"]):
        raise RecordError(f"there are {len(fields['legal'])} legal lists for {len(fields['moves'])} moves")


def _is_count(thing: object) -> bool:
    return isinstance(thing, int) and not isinstance(thing, bool)


# ------------------------------------------------------------------------------------------- files


def write_records(path: Path | str, records: Iterable[Record]) -> int:
    """Write records to a new file, line by line; the answer is how many."""
    count = 0
    with Path(path).open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record.to_json() + "\n")
            count += 1
    return count


def read_records(path: Path | str) -> Iterator[Record]:
    """Read the records of a file one by one. A faulty line is named by its number; a cut last line is called so."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield Record.from_json(line)
                except RecordError as error:
                    if not line.endswith("\n") and isinstance(error.__cause__, json.JSONDecodeError):
                        raise RecordError(f"{path}, game {number}: the last line was cut off; {error}") from error
                    raise RecordError(f"{path}, game {number}: {error}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a text file of game records") from error
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


# ------------------------------------------------------------------------------------------- replaying


class Position(NamedTuple):
    """A moment of a replayed game: before a move, or after the last one."""

    games: np.ndarray  # one game
    number: int  # how many moves have been made
    move: Move | None  # the move made next, None at the end
    observation: np.ndarray  # of the seat on turn
    mask: np.ndarray


def replay(record: Record) -> Iterator[Position]:
    """Every position of a recorded game in turn. A move that cannot be made raises, with its number and the reason."""
    games = new_games(1)
    start_from_deal(games, 0, record.players, record.deal)
    observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
    weights, rewards = np.zeros(len(REWARDS)), np.zeros(record.players)
    look(games, 0, int(games["turn"][0]), observation, mask)
    answer = 0
    for number, move in enumerate(record.moves):
        action = _action_of(games[0], move, number + 1, over=bool(answer & GAME_OVER))
        yield Position(games.copy(), number, move, observation.copy(), mask.copy())
        answer = play_checked(games, 0, action, weights, rewards, observation, mask)
        if answer == REFUSED:
            raise RecordError(f"move {number + 1}: {why_illegal(games[0], action)}")
    if not answer & GAME_OVER:
        raise RecordError(f"the game is not over after its {len(record.moves)} moves")
    yield Position(games, len(record.moves), None, observation, mask)


def _action_of(game: np.record, move: Move, number: int, *, over: bool) -> int:
    seat, name = move
    if over:
        raise RecordError(f"move {number}: the game is over, but {seat_name(seat)} is to {name}")
    if name not in ACTION_OF:
        raise RecordError(f"move {number}: there is no action {name!r}")
    if seat != game.turn:
        raise RecordError(f"move {number}: {seat_name(seat)} is to {name}, but {seat_name(game.turn)} is on turn")
    return ACTION_OF[name]


def result_of(game: np.record) -> dict[str, Any]:
    """Profits, goods cards left and winners of a finished game, as a record names them."""
    seats = range(int(game.players))
    return {
        "profits": [int(game.profit[seat]) for seat in seats],
        "goods_left": [int(goods_in_hand(game, seat)) for seat in seats],
        "winners": winners_of(game),
    }


def verify(record: Record) -> None:
    """Replay a record and check every move, legal list, profit and winner; raise at the first fault."""
    _check_seed(record)
    for position in replay(record):
        if record.legal is not None and position.move is not None:
            legal = [ACTION_NAMES[action] for action in np.flatnonzero(position.mask)]
            if record.legal[position.number] != legal:
                raise RecordError(f"move {position.number + 1}: the legal actions are {', '.join(legal)}")
    for name, true in result_of(position.games[0]).items():
        if getattr(record, name) != true:
            raise RecordError(f"at the end: {name} are {true}, not {getattr(record, name)}")


def _check_seed(record: Record) -> None:
    if record.seed is None:
        return
    games = new_games(1)
    start_from_seed(games, 0, record.players, record.seed)
    if deal_of(games[0]) != record.deal:
        raise RecordError(f"the deal is not that of the seed {record.seed}")
