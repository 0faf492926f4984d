"""Byzanz for PettingZoo: the manual and the door.

    >>> from byzanz_env import byzanz_v0
    >>> env = byzanz_v0.env(num_players=4)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     done = termination or truncation
    ...     action = None if done else int(observation["action_mask"].argmax())
    ...     env.step(action)

## Facts

| fact | value |
|---|---|
| Import | `from byzanz_env import byzanz_v0` |
| Actions | Discrete(309) |
| Agents | player_0 ... player_5 |
| Players | 3, 4, 5 or 6 |
| Observation | {"observation": int8 (473,), "action_mask": int8 (309,)} |
| State | int8 (855,) |
| Parallel API | no |
| Render modes | ansi, human |

`env(num_players=4, reward="outcome", illegal="raise", render_mode=None)` and `raw_env` are the same: the checks of
PettingZoo's standard wrappers (order, bounds, legality) are built in.

- An illegal action raises `IllegalActionError`, a `ValueError` whose sentence says who cannot do what and why, and the
  game is unchanged. With `illegal="terminate"` it ends the game for all seats instead; the offender gets a reward
  below any loss, the others 0.
- `reset(seed=...)` deals by a seed from 0 to 2^53 - 1; without one the door goes on with its own sequence.
  `reset(options={"deal": {"hands": [...], "removed": [...], "stock": [...]}})` sets the table by card names, as in a
  game record. Unknown options are ignored.
- `copy.deepcopy` and `pickle` give an environment that goes on exactly like the original.
- `render()` shows the table with the hand of the seat on turn only, `render_for(seat)` what one seat sees.
- The same seat may be asked several times in a row (name a bid, lay its cards; sell a set, then bid).

## Observation

Own seat first, then clockwise, padded to six seats. A seat not on turn, or finished, has an all-zero mask.

| field | indexes | values | meaning |
|---|---|---|---|
| hand | 0-24 | copies | own cards, by kind |
| bundle | 25-49 | copies | cards on sale |
| market | 50-74 | copies | cards in the market |
| gone | 75-99 | copies | cards out of the game: sold (the kept ones too), discarded, left over |
| seats | 100-459 | rows | six rows of the seat fields, the own seat first, then clockwise |
| phase | 460-465 | 0-1 | one-hot: BID, PAY, GIVE, PICK, LIMIT, FINAL; all 0 when the game is over |
| round | 466 | 0-8 | the round, from 1 |
| auction | 467 | 0-6 | the auction begun last in this round, from 1 |
| bidder_card_on_sale | 468 | 0-6 | the bidder card being sold, 0 between auctions |
| highest_bid | 469 | 0-28 | 0 while nobody has bid |
| highest_bidder | 470 | 0-6 | row of the highest bidder, counted from 1; 0 for nobody |
| to_pay | 471 | 0-28 | what is still to be laid for the bid just named |
| stock_left | 472 | 0-96 | cards in the face-down stock |

Seat fields, the same for each of the six rows:

| field | indexes | values | meaning |
|---|---|---|---|
| laid | 0-24 | copies | cards laid in a bid |
| known | 25-49 | copies | cards of the hand that everybody knows of (own row: what the others know) |
| unknown | 50 | 0-4 | cards of the hand that only the owner knows |
| hand_size | 51 | 0-23 | cards in the hand |
| profit | 52 | 0-127 | value of the kept cards |
| bid | 53 | 0-28 | the total named in this auction |
| passed | 54 | 0-1 | 1: out of this auction |
| taking_part | 55 | 0-1 | 1: holds no bidder card yet in this round |
| bidder_card | 56 | 0-6 | the bidder card held, 0 for none |
| picked | 57 | 0-1 | 1: has taken its type from this round's market |
| present | 58 | 0-1 | 1: somebody sits here |
| on_turn | 59 | 0-1 | 1: this seat decides now |

## Actions

| indexes | names | phase | meaning |
|---|---|---|---|
| 0 | `pass` | BID, FINAL | drop out of the auction; finish selling |
| 1-28 | `bid 1` ... `bid 28` | BID | name a new total for one's bid: above the highest, and payable exactly |
| 29-52 | `pay cloth-1` ... `pay wood-4` | PAY | lay this card for the bid just named; the rest stays exactly payable |
| 53-77 | `give cloth-1` ... `give merchant` | GIVE | the bundle card that goes to the market |
| 78-84 | `pick cloth` ... `pick merchant` | PICK | the market type taken |
| 85-283 | `sell cloth 4+4+3` ... `sell merchant M+M+M` | all but PAY | three cards sold; the highest is kept |
| 284-308 | `discard cloth-1` ... `discard merchant` | LIMIT | a card out of the game, down to seven |

A sale names its three cards, values falling, merchants (M) last. A payment lies in the market before `give` is asked.
In LIMIT nobody passes, and the phase ends by itself at seven cards.

## Rewards

`reward` is a name or a mapping of names to weights. `last()` returns the sum since the seat last acted.

| name | when | value |
|---|---|---|
| `outcome` | at the end | (n w - 1) / (n - 1) with w = 1/k for each of k joint winners, 0 for the others |
| `margin` | at the end | own profit less the opponents' mean |
| `profit` | at each sale | value of the kept card |

## Version history

* v0: first version
"""

import warnings
from typing import Any, ClassVar, Final, Literal

import gymnasium
import numpy as np
from pettingzoo.utils.env import AECEnv

from .actions import NUM_ACTIONS
from .chance import check_game_seed, game_seed
from .deal import check_players, start_from_deal, start_from_seed
from .engine import GAME_OVER, REFUSED, REWARDED, SEAT_BITS, look, new_mask, play_checked
from .errors import ByzanzError, IllegalActionError, OutOfOrderError
from .explain import seat_name, why_illegal
from .full_state import FULL_LAYOUT, FULL_WIDTH, full_state
from .observation import DTYPE, LAYOUT, WIDTH
from .rendering import render
from .scoring import PROFIT, reward_bounds, reward_weights
from .state import OVER, CopiesGames, new_games

RENDER_MODES: Final = ("ansi", "human")
ILLEGAL: Final = ("raise", "terminate")

Observation = dict[str, np.ndarray]


class raw_env(CopiesGames, AECEnv[str, Observation, int | None]):  # noqa: N801  PettingZoo's name for it
    """One game of Byzanz, seat by seat. The module's docstring is the manual."""

    _games_field = "_games"

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "name": "byzanz_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        num_players: int = 4,
        reward: str | dict[str, float] = "outcome",
        illegal: Literal["raise", "terminate"] = "raise",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ByzanzError(f"illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ByzanzError(f"there is no render mode {render_mode!r}; the modes are {', '.join(RENDER_MODES)}")
        super().__init__()
        self.num_players = check_players(num_players)
        self.illegal = illegal
        self.render_mode = render_mode
        self.possible_agents = [seat_name(seat) for seat in range(self.num_players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._weights = reward_weights(reward)
        self._illegal_reward = reward_bounds(self._weights, self.num_players)[0] - 1.0
        self._games = new_games(1)
        self._observation = np.zeros(WIDTH, dtype=DTYPE)  # of the seat on turn; copies are handed out
        self._mask = new_mask()
        self._step_rewards = np.zeros(self.num_players)
        self._turn = ""  # the agent whose observation and mask lie ready; "" when the game is over or not begun
        self._paid = False
        self._last_seed: int | None = None
        self._resets = 0
        self._make_spaces()

    def _make_spaces(self) -> None:
        """Spaces alike for all seats, an object of its own for each, so that each can be seeded."""
        zeros = np.zeros(WIDTH, dtype=DTYPE)
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict(
                observation=gymnasium.spaces.Box(zeros, LAYOUT.high, dtype=DTYPE),
                action_mask=gymnasium.spaces.Box(0, 1, (NUM_ACTIONS,), dtype=np.int8),
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: gymnasium.spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(np.zeros(FULL_WIDTH, dtype=DTYPE), FULL_LAYOUT.high, dtype=DTYPE)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._action_spaces[agent]

    # --------------------------------------------------------------------------------- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: by a seed, by the cards in `options["deal"]`, or the next of the door's own sequence."""
        deal = (options or {}).get("deal")
        if seed is not None:
            check_game_seed(seed)
        if deal is not None:
            start_from_deal(self._games, 0, self.num_players, deal)
        else:
            start_from_seed(self._games, 0, self.num_players, self._next_seed(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False
        seat = int(self._games["turn"][0])
        look(self._games, 0, seat, self._observation, self._mask)
        self.agent_selection = self._turn = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def _next_seed(self, seed: int | None) -> int:
        if seed is not None:
            self._last_seed, self._resets = seed, 0
            return seed
        if self._last_seed is None:
            self._last_seed = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
        self._resets += 1
        return game_seed("play", self._last_seed, self._resets)

    def step(self, action: int | None) -> None:
        """Play an action of the seat on turn; None removes a seat whose game is over."""
        agent = self._turn
        if not agent:
            self._step_after_the_end(action)
            return
        if action is True or action is False:  # Python counts them as 1 and 0
            self._refuse(action)
            return
        try:
            answer = play_checked(
                self._games,
                0,
                action.__index__(),  # type: ignore[union-attr]
                self._weights,
                self._step_rewards,
                self._observation,
                self._mask,
            )
        except (AttributeError, TypeError, OverflowError):
            answer = REFUSED
        if answer == REFUSED:
            self._refuse(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self.agent_selection = self._turn = self.possible_agents[answer & SEAT_BITS]
        if answer & REWARDED:
            self._pay(self._step_rewards.tolist())
        if answer & GAME_OVER:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _pay(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._paid = True
        self._accumulate_rewards()

    def _finish(self) -> None:
        """All seats end together; each is then stepped once with None, in seat order."""
        self._turn = ""
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _refuse(self, action: object) -> None:
        """An illegal action: raise and change nothing, or end the game at the offender's cost."""
        game, offender = self._games[0], self._seat_of[self._turn]
        if self.illegal == "raise":
            raise IllegalActionError(why_illegal(game, action))
        self._clear_rewards()
        self._cumulative_rewards[self._turn] = 0.0
        earned = float(self._weights[PROFIT] * game.profit[offender])  # so that the whole game is worse than any loss
        self._pay([self._illegal_reward - earned if seat == offender else 0.0 for seat in range(self.num_players)])
        game.phase = OVER
        self._finish()

    def _step_after_the_end(self, action: object) -> None:
        if not self.agents:
            raise OutOfOrderError("there is no game to step: call reset first")
        if action is not None:
            raise OutOfOrderError(f"{self.agent_selection} cannot act: the game is over, the only step left is None")
        self._was_dead_step(None)

    # --------------------------------------------------------------------------------- looking

    def observe(self, agent: str) -> Observation:
        """What a seat sees now, at any time after reset, as fresh arrays."""
        if agent == self._turn:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        observation, mask = np.empty(WIDTH, dtype=DTYPE), new_mask()
        look(self._games, 0, self._seat(agent), observation, mask)
        return {"observation": observation, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, termination, truncation and info of the seat to step."""
        agent = self._turn
        if agent and observe:  # the usual call, without a second one
            seen = {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
            return seen, self._cumulative_rewards[agent], False, False, self.infos[agent]
        if not self.agents:
            raise OutOfOrderError("there is no game to look at: call reset first")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """Everything, hidden cards included, in absolute seat order: for critics in training, never for agents."""
        self._check_dealt()
        return full_state(self._games)

    def render(self) -> str | None:  # type: ignore[override]
        """The table with the hand of the seat on turn: returned in the mode `ansi`, printed in `human`."""
        if self.render_mode is None:
            warnings.warn("render() does nothing without a render_mode: make the environment with one", stacklevel=2)
            return None
        self._check_dealt()
        seat = int(self._games["turn"][0])
        text = render(self._observation, self._mask, seat) if self._turn else self._render(seat, hand=False)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def render_for(self, agent: str | int) -> str:
        """The table as one seat sees it, given by its name or number; legal actions only when it is on turn."""
        return self._render(self._seat(agent), hand=True)

    def _render(self, seat: int, *, hand: bool) -> str:
        seen = self.observe(self.possible_agents[seat])
        return render(seen["observation"], seen["action_mask"], seat, hand=hand)

    def close(self) -> None:
        """Nothing to release."""

    def _seat(self, agent: object) -> int:
        self._check_dealt()
        if isinstance(agent, str) and agent in self._seat_of:
            return self._seat_of[agent]
        if isinstance(agent, int) and 0 <= agent < self.num_players:
            return agent
        raise ByzanzError(f"there is no seat {agent!r} at this table; the seats are {', '.join(self.possible_agents)}")

    def _check_dealt(self) -> None:
        if self._games["players"][0] == 0:
            raise OutOfOrderError("there is no game yet: call reset first")


def env(
    num_players: int = 4,
    reward: str | dict[str, float] = "outcome",
    illegal: Literal["raise", "terminate"] = "raise",
    render_mode: str | None = None,
) -> raw_env:
    """The environment. It needs no wrapper: all checks are built in."""
    return raw_env(num_players, reward, illegal, render_mode)
