"""The command line: `byzanz` and its sub-commands. It parses, calls and prints; the work is done elsewhere."""

import contextlib
import os
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from . import records
from .agent import known_agents
from .errors import ByzanzError, RecordError
from .narration import narrate
from .playing import agents_for, play_many

app = typer.Typer(
    help="Byzanz, the auction card game, as an environment for agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
_errors = Console(stderr=True, highlight=False, soft_wrap=True)

COMMANDS: Final = "byzanz.commands"
"""Entry points of further sub-commands: functions as typer takes them."""

Players = Annotated[int, typer.Option(help="Seats at the table, 3 to 6.")]
Seed = Annotated[int, typer.Option(help="The run's seed: the same seed gives the same games.")]


def main() -> NoReturn:
    """The console script: one sentence and exit code 1 for whatever a person can get wrong."""
    try:
        _load_commands(sys.argv[1:])
        app(standalone_mode=True)
    except ByzanzError as error:
        _fail(str(error))
    except BrokenPipeError:  # the reader, a pager perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    sys.exit(0)


def _load_commands(words: list[str]) -> None:
    """Sub-commands of the other packages: loaded only when they are called, or all for the list of commands."""
    for point in entry_points(group=COMMANDS):
        if not words or words[0] in (point.name, "--help"):
            app.command(point.name)(point.load())


def _fail(sentence: str) -> NoReturn:
    _errors.print(f"byzanz: {sentence}", markup=False)
    sys.exit(1)


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Progress]:
    """A progress bar on the terminal, for work of a known length."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_errors, transient=True, disable=not _errors.is_terminal) as bar:
        bar.add_task(what, total=total)
        yield bar


@app.command()
def record(
    out: Annotated[Path, typer.Option(help="The file to write, one game per line.")],
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    seed: Seed = 0,
    agents: Annotated[
        list[str] | None, typer.Option(help="One agent for all seats, or one per seat: repeated, or with commas.")
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Store the legal actions of every move too.")] = False,
) -> None:
    """Play games of bots and store them.

    Example: byzanz record --players 4 --games 50 --seed 7 --agents random --legal --out games.jsonl
    """
    seats = agents_for(agents or ["random"], players)
    played = play_many(seats, games, seed, legal=legal)
    unfinished = out.with_name(out.name + ".part")  # a killed run leaves no file that looks whole
    try:
        with progress("playing", games) as bar:
            records.write_records(unfinished, (_ticked(game, bar) for game in played))
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    typer.echo(f"{games} games of {', '.join(seats)} in {out}")


def _ticked(game: records.Record, bar: Progress) -> records.Record:
    bar.advance(bar.task_ids[0])
    return game


@app.command()
def verify(files: Annotated[list[Path], typer.Argument(help="Files of game records.")]) -> None:
    """Replay recorded games and check every move, legal list, profit and winner.

    Example: byzanz verify games.jsonl
    """
    for file in files:
        games = moves = 0
        for game in records.read_records(file):
            games += 1
            _verify(game, file, games)
            moves += len(game.moves)
        if not games:
            raise RecordError(f"{file} has no games in it")
        typer.echo(f"{file}: {games} games with {moves} moves are right")


def _verify(game: records.Record, file: Path, number: int) -> None:
    try:
        records.verify(game)
    except ByzanzError as error:
        raise RecordError(f"{file}, game {number}: {error}") from error


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A file of game records.")],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file, from 1.")] = 1,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat knows.")] = None,
    every: Annotated[bool, typer.Option("--every", help="Show the table before every move.")] = False,
) -> None:
    """Step through a recorded game: Enter goes on, q ends. Without a keyboard it is printed in one go.

    Example: byzanz replay games.jsonl --game 3 --seat 0
    """
    chosen = _find(file, game)
    _verify(chosen, file, game)  # a story of what did not happen would help nobody
    for part in narrate(chosen, seat=seat, every=every):
        typer.echo(part.text)
        if part.pause and sys.stdin.isatty() and sys.stdout.isatty() and input().strip().lower() == "q":
            return


def _find(file: Path, number: int) -> records.Record:
    count = 0
    for count, game in enumerate(records.read_records(file), 1):
        if count == number:
            return game
    raise RecordError(f"{file} has {count} games; there is no game {number}")


@app.command()
def agents() -> None:
    """List the agents that can be named.

    Example: byzanz agents
    """
    table = Table(box=None, pad_edge=False)
    table.add_column("agent", style="bold")
    table.add_column("what it does")
    for name, point in known_agents().items():
        table.add_row(name, (point.load().__doc__ or "").strip().splitlines()[0])
    Console().print(table)


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer table sizes and shorter runs.")] = False,
    peers: Annotated[bool, typer.Option("--peers", help="Measure other environments in the same run.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the figures into this PNG file.")] = None,
) -> None:
    """Measure the speed, per core in CPU time.

    Example: byzanz bench --quick --peers
    """
    from .bench_report import run_benchmark  # slow to import, and only needed here

    run_benchmark(quick=quick, peers=peers, as_json=as_json, plot=plot)
