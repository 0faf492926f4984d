"""Who can sit at a table: the Agent protocol, and finding agents by name.

An agent sees observations and masks and nothing else. Specs, the same everywhere:
`[alias=]name[?key=value&...]`, `[alias=]path/to/file.py:Class[?...]`, `[alias=]cmd:command line`.
Names are entry points of the group `byzanz.agents`; each is a callable `(**options) -> Agent`.
"""

import difflib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from .actions import ACTION_NAMES, NUM_ACTIONS
from .errors import AgentError

GROUP: Final = "byzanz.agents"


@runtime_checkable
class Agent(Protocol):
    """The one way every agent plays: many decisions at once, one row each.

    observations: int8[N, W]; masks: int8[N, 309]; games: int64[N], opaque ids; keys: int64[N], the agent's only source
    of chance. The answer is N actions. The same row must give the same action in any batch, order and process.
    An agent may also have `begin(games)`, `end(games, results)` with each game's profits, goods_left and winners, and
    `close()`: `play` and `byzanz record` call them, and close the agents they made; the training doors do not.
    """

    def act(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray, keys: np.ndarray) -> np.ndarray: ...


class AgentSpec(NamedTuple):
    """An agent by description: what it is called at the table, what makes it, and with which options."""

    alias: str
    target: str
    options: dict[str, Any]


def parse_spec(text: str) -> AgentSpec:
    """Read an agent spec.

    >>> parse_spec("bob=search?playouts=64")
    AgentSpec(alias='bob', target='search', options={'playouts': 64})
    """
    match = re.fullmatch(r"(?:(?P<alias>[\w.@-]+)=)?(?P<rest>.+)", text.strip(), flags=re.DOTALL)
    if match is None:
        raise AgentError(f"{text!r} is not an agent: write a name, path/to/file.py:Class or cmd:command line")
    alias, rest = match["alias"], match["rest"]
    if rest.startswith("cmd:"):
        command = rest.removeprefix("cmd:").strip()
        if not command:
            raise AgentError(f"{text!r} names no command line")
        return AgentSpec(alias or command, "cmd", {"command": command})
    target, _, query = rest.partition("?")
    if not target:
        raise AgentError(f"{text!r} is not an agent: the name is missing")
    return AgentSpec(alias or rest, target, dict(_option(part, text) for part in query.split("&") if part))


def _option(part: str, spec: str) -> tuple[str, Any]:
    key, equals, value = part.partition("=")
    if not key.isidentifier() or not equals:
        raise AgentError(f"{part!r} in {spec!r} is not an option: write key=value")
    return key, _plain_value(value)


def _plain_value(text: str) -> Any:
    """A whole number, a number, true or false where the text is one; else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def make_agent(spec: "str | AgentSpec | Agent") -> Agent:
    """The agent of a spec; an agent that is one already is handed back."""
    if not isinstance(spec, (str, AgentSpec)):
        if isinstance(spec, type):
            raise AgentError(f"{spec.__name__} is a class, not an agent: make one with {spec.__name__}()")
        if not isinstance(spec, Agent):
            raise AgentError(f"{spec!r} is not an agent: it has no method act(observations, masks, games, keys)")
        return spec
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    maker = _from_file(parsed.target) if ".py:" in parsed.target else _from_entry_point(parsed.target)
    _check_options(parsed, maker)
    agent = maker(**parsed.options)
    if not isinstance(agent, Agent):
        raise AgentError(f"{parsed.target!r} makes no agent: what it makes has no method act")
    return agent


def agent_name(spec: "str | AgentSpec | Agent") -> str:
    """What an agent is called in a record: its alias, or for an object its `name` or class."""
    if isinstance(spec, str):
        return parse_spec(spec).alias
    if isinstance(spec, AgentSpec):
        return spec.alias
    return str(getattr(spec, "name", type(spec).__name__))


def known_agents() -> dict[str, EntryPoint]:
    """All agents that can be named, by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def _from_entry_point(name: str) -> Callable[..., Any]:
    known = known_agents()
    if name == "cmd" and name not in known:
        raise AgentError("programs outside Python (cmd:) cannot play yet")
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known) or 'none'}"
        raise AgentError(f"there is no agent {name!r}{hint}")
    try:
        return known[name].load()  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise AgentError(f"the agent {name!r} cannot be loaded: {error}") from error


def _from_file(target: str) -> Callable[..., Any]:
    file, _, class_name = target.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise AgentError(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(f"byzanz_bot_{path.stem}", path)
    assert spec is not None and spec.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    sys.path.insert(0, str(path.parent.resolve()))  # a bot may have helpers beside it
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a stranger's file may fail in any way
        raise AgentError(f"{file} does not import: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    if not hasattr(module, class_name):
        raise AgentError(f"{file} has no class {class_name!r}")
    return getattr(module, class_name)  # type: ignore[no-any-return]


def _check_options(spec: AgentSpec, maker: Callable[..., Any]) -> None:
    try:
        inspect.signature(maker).bind(**spec.options)
    except TypeError as error:
        raise AgentError(f"the agent {spec.target!r} cannot be made with these options: {error}") from error


def checked_actions(answer: object, masks: np.ndarray, name: str, games: Iterable[int]) -> np.ndarray:
    """An agent's answer as int64[N], or a sentence that says which agent, game and action is wrong."""
    rows = len(masks)
    try:
        actions = np.asarray(answer)
    except ValueError as error:  # rows of different lengths
        raise AgentError(f"the agent {name!r} must answer with {rows} whole numbers: {error}") from error
    if actions.shape != (rows,) or not np.issubdtype(actions.dtype, np.integer):
        raise AgentError(
            f"the agent {name!r} must answer with {rows} whole numbers, not with {actions.dtype} of {actions.shape}"
        )
    inside = (actions >= 0) & (actions < NUM_ACTIONS)
    legal = inside & (masks[np.arange(rows), np.where(inside, actions, 0)] > 0)
    if not legal.all():
        row = int(np.argmin(legal))
        action = int(actions[row])
        what = ACTION_NAMES[action] if inside[row] else f"action {action}"
        raise AgentError(f"the agent {name!r} chose {what!r} in game {list(games)[row]}, which is not legal there")
    return actions.astype(np.int64)
