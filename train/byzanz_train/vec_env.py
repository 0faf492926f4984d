"""Byzanz for stable-baselines3: a `VecEnv` over one seat of many games, with masks as sb3-contrib wants them.

    from byzanz_train.vec_env import ByzanzVecEnv
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", ByzanzVecEnv(256, opponents="random"), gamma=1.0)
    model.learn(100_000)

A finished game is followed by the next one in the same step; its last observation is in `info["terminal_observation"]`.
Arrays handed over are never written to again: MaskablePPO stores its last observation only after the next step.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from byzanz_env.actions import NUM_ACTIONS
from byzanz_env.errors import OutOfOrderError
from byzanz_env.gymnasium_env import observation_space
from byzanz_env.opponents import Opponents
from byzanz_env.seats import FINISHED, Seats


class ByzanzVecEnv(VecEnv):
    """One seat in each of `num_envs` games, against opponents that play inside."""

    def __init__(
        self,
        num_envs: int,
        opponents: Opponents = "random",
        num_players: int | Sequence[int] = 4,
        seat: int | str = "rotate",
        reward: str | dict[str, float] = "outcome",
        seed: int = 0,
        purpose: str = "train",
        skip_forced: bool = True,
        privileged: bool = False,
        records: bool = False,
    ) -> None:
        self.table = Seats(
            num_envs, opponents, players=num_players, seat=seat, reward=reward, seed=seed, purpose=purpose,
            skip_forced=skip_forced, privileged=privileged, records=records,
        )  # fmt: skip
        self.purpose = purpose
        self._actions: np.ndarray | None = None
        self._begun = False
        super().__init__(self.table.num_games, observation_space(), gymnasium.spaces.Discrete(NUM_ACTIONS))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Name the run whose games are dealt from the next reset on."""
        if seed is not None:
            self.table.seed_run(seed, self.purpose)
        return [seed] * self.num_envs

    def reset(self) -> np.ndarray:  # type: ignore[override]
        """The next games of the run in all rows."""
        self.table.restart(np.arange(self.num_envs))
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._begun = True
        return self.table.observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        if not self._begun:
            raise OutOfOrderError("there are no games to step: call reset first")
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:  # type: ignore[override]
        self.table.play(self._actions)
        rewards = self.table.rewards.astype(np.float32)
        dones = self.table.asked == FINISHED
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = np.flatnonzero(dones)
        for row in over:
            infos[row] = {"terminal_observation": self.table.observations[row].copy(), "TimeLimit.truncated": False}
        self.table.restart(over)
        return self.table.observations.copy(), rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """The masks of all rows as booleans."""
        return self.table.masks.astype(np.bool_)

    def privileged_states(self) -> np.ndarray:
        """Everything about each row's game, the learner's seat first: for critics in training only."""
        return self.table.privileged.copy()

    # ------------------------------------------------------------------ what VecEnv asks of separate environments

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Masks are handed over as one array; nothing else can be called on a single row."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}")
        return self.action_masks()[self._rows(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        rows = self._rows(indices)
        if attr_name == "render_mode":
            return [None] * len(rows)
        if attr_name == "action_masks":  # wrappers ask in this way whether there are masks
            return [partial(self.env_method, "action_masks", indices=int(row)) for row in rows]
        raise AttributeError(f"the games have no attribute {attr_name!r}")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the games have no attribute {attr_name!r} that can be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(self._rows(indices))

    def _rows(self, indices: int | Iterable[int] | None) -> np.ndarray:
        everything = np.arange(self.table.num_games)
        return everything if indices is None else np.atleast_1d(everything[indices])  # type: ignore[index]

    def close(self) -> None:
        """Nothing to release."""
