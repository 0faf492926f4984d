"""The sub-command `byzanz play`: a person against bots in the terminal. What the person is asked stands in `person`."""

import secrets
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from byzanz_env.actions import ACTION_NAMES, ACTION_OF
from byzanz_env.agent import Agent, agent_name, checked_actions, make_agent
from byzanz_env.batch import Batch
from byzanz_env.chance import SEED_LIMIT, game_seed, key_stream
from byzanz_env.deal import check_players, deal_of, start_from_seed
from byzanz_env.errors import ByzanzError
from byzanz_env.explain import seat_name
from byzanz_env.narration import narrate
from byzanz_env.observation import DTYPE, WIDTH, observe_game
from byzanz_env.opponents import distinct
from byzanz_env.playing import agents_for, tell
from byzanz_env.records import Move, Record, result_of, write_records
from byzanz_env.state import OVER

from .person import LeftError, Person
from .random import RandomAgent


def play(
    players: Annotated[int, typer.Option(help="Seats at the table, 3 to 6.")] = 4,
    opponents: Annotated[
        list[str] | None,
        typer.Option(help="One agent for all other seats, or one each, clockwise from you: repeated, or with commas."),
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat, from 0; seat 0 opens the first auction.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed deals the same cards; drawn if not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="A new file for the record of the game.")] = None,
) -> None:
    """Play a game against bots.

    Example: byzanz play --players 4 --opponents random --seat 2 --seed 7 --out game.jsonl
    """
    if not 0 <= seat < check_players(players):
        raise ByzanzError(f"there is no seat {seat} at this table of {players}")
    specs = agents_for(opponents or ["random"], players - 1)
    game = Game(players, secrets.randbelow(SEED_LIMIT) if seed is None else seed)
    bots = {spec: make_agent(spec) for spec in specs}  # equal specs share one agent
    person = Person(seat, ask=input, tell=typer.echo)
    agents: list[Agent] = [person, *(bots[spec] for spec in specs)]
    names = ["person", *(agent_name(spec) for spec in specs)]
    clockwise = [(other - seat) % players for other in range(players)]
    try:
        with _new_file(out or Path(f"byzanz-{datetime.now():%Y%m%d-%H%M%S}.jsonl")) as file:
            _play_and_save(game, [agents[i] for i in clockwise], [names[i] for i in clockwise], person, file)
    finally:
        for bot in bots.values():
            tell(bot, "close")


def _play_and_save(game: "Game", agents: list[Agent], names: list[str], person: Person, file: "NewFile") -> None:
    others = ", ".join(f"{seat_name(s)} {name}" for s, name in enumerate(names) if s != person.seat)
    typer.echo(f"Byzanz for {len(names)}: you are {seat_name(person.seat)}; {others}. Type ? for help.")
    try:
        game.play_out(agents, names, person)
    except (LeftError, KeyboardInterrupt):
        with _no_interrupt():
            left = len(game.moves)
            names[person.seat] = f"person (left after move {left})"
            file.save(game.finished_at_random().record(names))
        typer.echo(f"\nYou left after move {left}: the rest was played at random, and the game is in {file.path}.")
        raise typer.Exit(1) from None
    record = game.record(names)
    with _no_interrupt():
        file.save(record)
    (result,) = deque(narrate(record, seat=person.seat), maxlen=1)  # a narration ends with the result
    typer.echo(f"{result.text}\n\nThe game is in {file.path}; its cards are dealt again by --seed {game.run_seed}.")


# ------------------------------------------------------------------------------------------- the game


class Game:
    """One game, move by move, dealt as game 0 of a run by `playing.play_many`."""

    def __init__(self, players: int, run_seed: int) -> None:
        self.run_seed = run_seed
        self.seed = game_seed("play", run_seed, 0)
        self.players = players
        self.moves: list[Move] = []
        self._stream = key_stream(run_seed)
        self._keys = np.zeros(1, dtype=np.int64)
        self._batch = Batch(1, players, auto_reset=False)
        start_from_seed(self._batch.games, 0, players, self.seed)
        self._batch.look()
        self._deal = deal_of(self._batch.games[0])

    @property
    def over(self) -> bool:
        return bool(self._batch.games["phase"][0] == OVER)

    def play_out(self, agents: Sequence[Agent], names: Sequence[str], person: Person) -> None:
        """Ask the agents at seats 0, 1, ... until the game is over; the person is told of every move."""
        for agent in distinct(agents):
            tell(agent, "begin", self._batch.ids)
        after = self._seen_by(person.seat)
        while not self.over:
            seat = int(self._batch.seats[0])
            action = self._ask(agents[seat], names[seat])
            self._move(action)
            before, after = after, self._seen_by(person.seat)
            person.watch(seat, ACTION_NAMES[action], before, after)
        for agent in distinct(agents):
            tell(agent, "end", self._batch.ids, [result_of(self._batch.games[0])])

    def finished_at_random(self) -> "Game":
        """The same game with `random` at all seats from here on, whatever moment this one was stopped at."""
        game, bot = Game(self.players, self.run_seed), RandomAgent()
        for _, name in self.moves:
            game._move(ACTION_OF[name])
        while not game.over:
            game._move(game._ask(bot, bot.name))
        return game

    def record(self, names: Sequence[str]) -> Record:
        """The record of the finished game."""
        return Record(
            players=self.players,
            seed=self.seed,
            agents=list(names),
            **self._deal._asdict(),
            moves=self.moves,
            **result_of(self._batch.games[0]),
        )

    def _ask(self, agent: Agent, name: str) -> int:
        batch = self._batch
        batch.keys(self._stream, self._keys)
        # Copies: an agent may change or keep what it is given.
        answer = agent.act(batch.observations.copy(), batch.masks.copy(), batch.ids.copy(), self._keys.copy())
        return int(checked_actions(answer, batch.masks, name, batch.ids)[0])

    def _move(self, action: int) -> None:
        self.moves.append((int(self._batch.seats[0]), ACTION_NAMES[action]))
        self._batch.step(np.array([action]))

    def _seen_by(self, seat: int) -> np.ndarray:
        observation = np.zeros(WIDTH, dtype=DTYPE)
        observe_game(self._batch.games, 0, seat, observation)
        return observation


# ------------------------------------------------------------------------------------------- saving


class NewFile:
    """A file that appears when the record is saved, and not before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unfinished = path.with_name(path.name + ".part")

    def save(self, record: Record) -> None:
        write_records(self.unfinished, [record])
        self.unfinished.replace(self.path)


@contextmanager
def _new_file(path: Path) -> Iterator[NewFile]:
    """Refuse a file that cannot be written before the game, not after it."""
    if path.exists():
        raise ByzanzError(f"{path} is there already: name a new file with --out")
    file = NewFile(path)
    file.unfinished.touch()
    try:
        yield file
    finally:
        file.unfinished.unlink(missing_ok=True)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C while the game is being saved, perhaps an impatient second one, must not lose it."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
