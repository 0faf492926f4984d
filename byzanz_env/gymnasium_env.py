"""Byzanz for Gymnasium: one seat against opponents, as a single environment and as a native vector environment.

    >>> import gymnasium, byzanz_env
    >>> env = gymnasium.make("byzanz/Byzanz-v0", opponents="random", num_players=4)
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].shape
    ((473,), (309,))
    >>> envs = gymnasium.make_vec("byzanz/Byzanz-v0", num_envs=1024, num_players=(3, 4, 5, 6), skip_forced=True)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1024, 473), (1024, 309))

Observation and actions are those of `byzanz_v0`. The learner is asked only at its own decisions; its reward is what its
seat earned since the one before. A finished row's mask allows action 0 alone, which is ignored. An illegal action ends
the game with a reward below any loss (`illegal="terminate"`, since environment checkers sample without the mask), or
raises (`illegal="raise"`). What a door returns is never written to again.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any, ClassVar, Final, Literal

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from .actions import NUM_ACTIONS
from .batch import as_actions
from .chance import check_game_seed, whole_number
from .errors import ByzanzError, IllegalActionError, OutOfOrderError
from .explain import why_illegal
from .observation import DTYPE, LAYOUT, WIDTH
from .opponents import Opponents
from .rendering import render
from .seats import FINISHED, LEARNER, Seats

try:
    from gymnasium.vector import AutoresetMode
except ImportError:  # Gymnasium 1.0 knows only the first mode and has no name for it

    class AutoresetMode(Enum):  # type: ignore[no-redef]
        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


ENV_ID: Final = "byzanz/Byzanz-v0"
ILLEGAL: Final = ("terminate", "raise")


def observation_space() -> gymnasium.spaces.Box:
    return gymnasium.spaces.Box(np.zeros(WIDTH, dtype=DTYPE), LAYOUT.high, dtype=DTYPE)


class ByzanzEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of one game. `reset(seed=s)` deals the very game that `byzanz_v0` deals for the seed s."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        opponents: Opponents = "random",
        num_players: int | Sequence[int] = 4,
        seat: int | str = "rotate",
        reward: str | dict[str, float] = "outcome",
        illegal: Literal["terminate", "raise"] = "terminate",
        skip_forced: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_illegal(illegal)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ByzanzError(f"there is no render mode {render_mode!r}; the modes are ansi, human")
        self.render_mode = render_mode
        self.illegal = illegal
        self.table = Seats(
            1, opponents, players=num_players, seat=seat, reward=reward, skip_forced=skip_forced, privileged=privileged
        )
        self.observation_space = observation_space()
        self.action_space = gymnasium.spaces.Discrete(NUM_ACTIONS)
        self._seeded = False
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new game: dealt by the seed, or the next one of the door's own sequence."""
        if seed is not None:
            check_game_seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self.table.seed_run(seed)
        elif not self._seeded:
            self.table.seed_run(int(np.random.SeedSequence().entropy))  # type: ignore[arg-type]
        self._seeded = self._begun = True
        self.table.restart(np.zeros(1, dtype=np.int64), None if seed is None else [seed])
        self._show()
        return self.table.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and all that follows up to its next decision."""
        if not self._begun:
            raise OutOfOrderError("there is no game to step: call reset first")
        if self.table.asked[0] == FINISHED:
            raise OutOfOrderError("the game is over: call reset first")
        number = whole_number(action)
        actions = np.array([number if number is not None and 0 <= number < NUM_ACTIONS else -1])
        if self.table.first_illegal(actions) < 0:
            self.table.play(actions)
        elif self.illegal == "raise":
            raise IllegalActionError(why_illegal(self.table.games[0], action))
        else:
            self.table.give_up(np.zeros(1, dtype=np.int64))
        self._show()
        over = bool(self.table.asked[0] == FINISHED)
        return self.table.observations[0].copy(), float(self.table.rewards[0]), over, False, self._info()

    def action_masks(self) -> np.ndarray:
        """The learner's mask as booleans, as sb3-contrib asks for it."""
        return self.table.masks[0].astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.table.masks[0].copy()}
        if self.table.privileged.shape[1]:
            info["privileged"] = self.table.privileged[0].copy()
        return info

    def render(self) -> str | None:  # type: ignore[override]
        """The table as the learner sees it: returned in the mode `ansi`, printed in `human`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: make the environment with one")
            return None
        if not self._begun:
            raise OutOfOrderError("there is no game to show: call reset first")
        mask = None if self.table.asked[0] == FINISHED else self.table.masks[0]
        text = render(self.table.observations[0], mask, int(self.table.learner[0]))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class ByzanzVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """One seat in each of many games, stepped at once. Row r begins with game r of the run that the seed names."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "random",
        num_players: int | Sequence[int] = 4,
        seat: int | str = "rotate",
        reward: str | dict[str, float] = "outcome",
        illegal: Literal["terminate", "raise"] = "terminate",
        skip_forced: bool = False,
        privileged: bool = False,
        purpose: str = "train",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        records: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_illegal(illegal)
        if render_mode is not None:
            raise ByzanzError("many games at once cannot be rendered: make a single environment for that")
        self.autoreset_mode = check_autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.illegal = illegal
        self.purpose = purpose
        self.render_mode = None
        self.table = Seats(
            num_envs, opponents, players=num_players, seat=seat, reward=reward, skip_forced=skip_forced,
            privileged=privileged, purpose=purpose, records=records,
        )  # fmt: skip
        self.num_envs = self.table.num_games
        self.single_observation_space = observation_space()
        self.single_action_space = gymnasium.spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seeded = False
        self._ended = np.ones(self.num_envs, dtype=np.bool_)  # rows that must be dealt before they can be stepped
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games in all rows, or in those of `options["reset_mask"]`.

        A number as the seed names the run whose games 0, 1, ... are dealt; a list gives every row a game's own seed.
        """
        rows = self._rows_to_reset(options)
        if seed is None:
            if not self._seeded:
                self.table.seed_run(int(np.random.SeedSequence().entropy), self.purpose)  # type: ignore[arg-type]
            self.table.restart(rows)
        elif isinstance(seed, (Sequence, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ByzanzError(f"{len(seed)} seeds for {self.num_envs} environments")
            self.table.restart(rows, [seed[row] for row in rows])
        else:
            self.table.seed_run(seed, self.purpose)
            self.table.restart(rows)
        self._seeded = self._begun = True
        self._ended[rows] = False
        return self.table.observations.copy(), self._infos()

    def _rows_to_reset(self, options: dict[str, Any] | None) -> np.ndarray:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ByzanzError(f"reset_mask must be {self.num_envs} booleans, at least one of them True")
        return np.flatnonzero(mask)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action of the learner in every row."""
        if not self._begun:
            raise OutOfOrderError("there are no games to step: call reset first")
        actions = as_actions(actions, self.num_envs)
        restarting = np.flatnonzero(self._ended)
        if restarting.size and self.autoreset_mode == AutoresetMode.DISABLED:
            raise OutOfOrderError(f"row {restarting[0]} is over: reset it with reset_mask before the next step")
        self._play(actions)
        terminations = self.table.asked == FINISHED
        if restarting.size:  # NEXT_STEP: these rows were over before, their action is ignored
            terminations[restarting] = False
        rewards = np.where(self._ended, 0.0, self.table.rewards)
        infos: dict[str, Any] = {}
        over = np.flatnonzero(terminations)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            if over.size:
                infos = self._final_infos(terminations)
            self.table.restart(over)
        else:
            self.table.restart(restarting)
            self._ended = terminations.copy()
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        return self.table.observations.copy(), rewards, terminations, truncations, {**self._infos(), **infos}

    def _play(self, actions: np.ndarray) -> None:
        if self.illegal == "terminate":
            inside = (actions >= 0) & (actions < NUM_ACTIONS)
            legal = self.table.masks[np.arange(self.num_envs), np.where(inside, actions, 0)] > 0
            self.table.give_up(np.flatnonzero((self.table.asked == LEARNER) & ~(inside & legal)))
        self.table.play(actions)

    def action_masks(self) -> np.ndarray:
        """The masks as booleans, one row per environment."""
        return self.table.masks.astype(np.bool_)

    def _infos(self) -> dict[str, Any]:
        everybody = np.ones(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {"action_mask": self.table.masks.copy(), "_action_mask": everybody}
        if self.table.privileged.shape[1]:
            infos |= {"privileged": self.table.privileged.copy(), "_privileged": everybody}
        return infos

    def _final_infos(self, over: np.ndarray) -> dict[str, Any]:
        """The last observation and info of the games that just ended, in the form of Gymnasium's own environments."""
        final = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            final[row] = self.table.observations[row].copy()
        last = {name: over.copy() if name.startswith("_") else value for name, value in self._infos().items()}
        return {"final_obs": final, "_final_obs": over.copy(), "final_info": last, "_final_info": over.copy()}

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to release."""


def check_illegal(illegal: object) -> None:
    if illegal not in ILLEGAL:
        raise ByzanzError(f"illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}")


def check_autoreset(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode) if not isinstance(mode, AutoresetMode) else mode
    except ValueError as error:
        modes = ", ".join(m.value for m in AutoresetMode)
        raise ByzanzError(f"there is no autoreset mode {mode!r}; the modes are {modes}") from error


def register() -> None:
    """Tell Gymnasium of the game."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="byzanz_env.gymnasium_env:ByzanzEnv",
            vector_entry_point="byzanz_env.gymnasium_env:ByzanzVectorEnv",
        )
