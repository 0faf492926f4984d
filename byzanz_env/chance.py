"""Seeds and chance: where every random number of the project comes from.

All arithmetic is on whole numbers below 2^62 and never overflows 63 bits, so that compiled code (where a signed
overflow is undefined) and plain Python (which has none) give the same bits. Nothing here knows the game.
"""

import hashlib
from typing import Final

from .compiled import compiled
from .errors import ByzanzError

LOW_62: Final = (1 << 62) - 1
LOW_31: Final = (1 << 31) - 1
STRIDE: Final = 0x1E3779B97F4A7C15  # odd: the sequence visits every state
FACTORS: Final = (0x7FEB352D, 0x6C8E9CF5, 0x58F36A71)  # odd, of 31 bits

SEED_BITS: Final = 53
"""Game seeds stay below 2^53, so that every language reads them exactly."""
SEED_LIMIT: Final = 1 << SEED_BITS
PURPOSES: Final = ("play", "train", "eval", "arena", "data")
PURPOSE_BITS: Final = 3
INDEX_BITS: Final = SEED_BITS - PURPOSE_BITS
LOW_INDEX: Final = (1 << INDEX_BITS) - 1


@compiled
def times(number, factor):
    """number x factor modulo 2^62, for a factor of 31 bits, in two products that fit."""
    return ((number & LOW_31) * factor + ((((number >> 31) * factor) & LOW_31) << 31)) & LOW_62


@compiled
def spread(number):
    """Mix a number below 2^62 so that each bit depends on all the others. A permutation."""
    number = times(number ^ (number >> 32), FACTORS[0])
    number = times(number ^ (number >> 29), FACTORS[1])
    number = times(number ^ (number >> 31), FACTORS[2])
    return number ^ (number >> 30)


@compiled
def advance(state):
    """The generator's next state; `spread` of a state is the random number drawn."""
    return (state + STRIDE) & LOW_62


@compiled
def below(number, limit):
    """A random number below 2^62 brought to 0 ... limit - 1, by its high bits."""
    return ((number >> 31) * limit) >> 31


@compiled
def shuffle(cards, first, end, state):
    """Shuffle cards[first:end] in place and return the generator's state after it."""
    for last in range(end - 1, first, -1):
        state = advance(state)
        other = first + below(spread(state), last - first + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return state


@compiled
def decision_key(stream, game, seat, decision):
    """The agent's only source of chance at one decision; `stream` comes from `key_stream`."""
    of_game = spread(stream ^ spread(game))
    return spread((of_game + decision * 8 + seat) & LOW_62)


@compiled
def seed_at(stream_a, stream_b, purpose, index):
    """Seed number `index` of a stream: a keyed permutation, so that no two indexes share a seed."""
    number = (index + stream_a) & LOW_INDEX
    number = times(number ^ (number >> 26), FACTORS[0]) & LOW_INDEX
    number = number ^ stream_b
    number = times(number ^ (number >> 24), FACTORS[1]) & LOW_INDEX
    number = times(number ^ (number >> 25), FACTORS[2]) & LOW_INDEX
    number = number ^ (number >> 26)
    return (number << PURPOSE_BITS) | purpose


def seed_stream(purpose: str, seed: int) -> tuple[int, int, int]:
    """The first three arguments of `seed_at` for a run. The purpose stays in the low bits: deals never overlap."""
    if purpose not in PURPOSES:
        raise ByzanzError(f"there is no seed purpose {purpose!r}; the purposes are {', '.join(PURPOSES)}")
    number = _digest(f"seeds {purpose} {check_run_seed(seed)}", 16)
    return number & LOW_INDEX, (number >> 64) & LOW_INDEX, PURPOSES.index(purpose)


def game_seed(purpose: str, seed: int, index: int) -> int:
    """The seed of game `index` of a run: the same in every batch, order and process.

    >>> game_seed("play", 7, 0) == game_seed("play", 7, 0) != game_seed("train", 7, 0)
    True
    """
    if not 0 <= index <= LOW_INDEX:
        raise ByzanzError(f"game {index} of a run is not between 0 and {LOW_INDEX}")
    stream_a, stream_b, purpose_number = seed_stream(purpose, seed)
    return int(seed_at(stream_a, stream_b, purpose_number, index))


def key_stream(seed: int, agent: str = "") -> int:
    """A one-way hash of an agent's seed: no key tells anything about a deal."""
    return _digest(f"keys {agent} {check_run_seed(seed)}", 8) & LOW_62


def check_run_seed(seed: object) -> int:
    """A run's seed: a whole number, not negative, of any size."""
    number = whole_number(seed)
    if number is None or number < 0:
        raise ByzanzError(f"a seed must be a whole number from 0 up, not {seed!r}")
    return number


def check_game_seed(seed: object) -> int:
    """A single game's seed: a whole number below 2^53."""
    number = whole_number(seed)
    if number is None or not 0 <= number < SEED_LIMIT:
        raise ByzanzError(f"a game's seed must be a whole number from 0 to 2^{SEED_BITS} - 1, not {seed!r}")
    return number


def whole_number(thing: object) -> int | None:
    """The number as an int if it is a whole number (numpy's included), else None; True and False are none."""
    if isinstance(thing, bool) or not hasattr(thing, "__index__"):
        return None
    try:
        return int(thing.__index__())
    except TypeError:  # an array of several numbers has the method but no single value
        return None


def _digest(text: str, size: int) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=size).digest(), "little")
