"""The card game Byzanz as an environment for agents: one compiled engine, many doors.

The rooms, in the order of the game: `cards`, `actions`, `state`, `chance`, `deal`, `legal`, `rules`, `scoring`.
What is seen of it: `observation`, `full_state`, `determinisation`, `rendering`, `explain`.
The doors: `byzanz_v0` (PettingZoo), `gymnasium_env`, `batch` (all seats of many games), `seats` (one seat of
many games, with `opponents`), `engine` (kernels), `records`, `agent`, `playing`, `cli`.
"""

from importlib.metadata import PackageNotFoundError, version

from . import byzanz_v0, gymnasium_env
from .actions import ACTION_NAMES, ACTION_OF, NUM_ACTIONS
from .agent import Agent, make_agent
from .batch import Batch
from .cards import CARD_NAMES
from .chance import game_seed
from .determinisation import determinise
from .errors import AgentError, ByzanzError, DealError, IllegalActionError, OutOfOrderError, RecordError
from .observation import view
from .playing import play, play_many
from .records import Record, read_records, replay, verify, write_records
from .seats import Seats

try:
    __version__ = version("byzanz-env")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "0"

__all__ = [
    "byzanz_v0",
    "gymnasium_env",
    "Batch",
    "Seats",
    "play",
    "play_many",
    "Record",
    "read_records",
    "write_records",
    "replay",
    "verify",
    "view",
    "determinise",
    "game_seed",
    "Agent",
    "make_agent",
    "ACTION_NAMES",
    "ACTION_OF",
    "NUM_ACTIONS",
    "CARD_NAMES",
    "ByzanzError",
    "IllegalActionError",
    "OutOfOrderError",
    "DealError",
    "RecordError",
    "AgentError",
]


def _register() -> None:
    """Tell Gymnasium of the game, and PettingZoo's registry where the installed version has one (1.27 and later)."""
    import pettingzoo

    gymnasium_env.register()
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", "byzanz/byzanz-v0", "byzanz_env.byzanz_v0:env")


_register()
