"""What `byzanz bench` prints: it chooses what is measured and lays out the figures."""

import json
import platform
from collections.abc import Iterator

import numba
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from .bench import Figure, batch_figure, door_figures, random_games_figure, start_times
from .cards import PLAYER_COUNTS

BATCHES = (16, 128, 1024, 8192)


def run_benchmark(*, quick: bool = False, as_json: bool = False) -> None:
    """Measure everything and print it."""
    figures = []
    with Console(stderr=True).status("measuring ...") as status:
        for figure in measure_all(quick=quick):
            figures.append(figure)
            status.update(f"measuring ... {figure.what}, {figure.players} players")
        starts = start_times()
    if as_json:
        facts = {"machine": machine(), "start_seconds": starts, "figures": [figure._asdict() for figure in figures]}
        print(json.dumps(facts, indent=1))
        return
    console = Console()
    console.width = max(console.width, 120)  # a narrower table cannot be read
    console.print(speed_table(figures))
    console.print(start_table(starts))
    console.print(f"[dim]{machine()}[/dim]", highlight=False)


def machine() -> str:
    """What the figures were measured with."""
    return (
        f"{platform.machine()} {platform.system()}, Python {platform.python_version()}, numba {numba.__version__}, "
        f"numpy {np.__version__}; one core, CPU time, best of 3"
    )


def measure_all(*, quick: bool) -> Iterator[Figure]:
    yield from door_figures(games=40 if quick else 200)
    decisions = 200_000 if quick else 1_000_000
    for players in (4,) if quick else PLAYER_COUNTS:
        yield random_games_figure(players, 1000 if quick else 5000)
        for size in (1024,) if quick else BATCHES:
            for with_observation in (True, False):
                for draw_inside in (False, True):
                    yield batch_figure(
                        players, size, with_observation=with_observation, draw_inside=draw_inside, decisions=decisions
                    )


def speed_table(figures: list[Figure]) -> Table:
    """One row per figure; ratios to the first one, our PettingZoo door, for the other PettingZoo environments."""
    table = Table(title="speed per core", title_justify="left", box=SIMPLE_HEAD)
    for name, justify in (
        ("what", "left"), ("players", "right"), ("batch", "right"), ("draw inside", "center"), ("per second", "right"),
        ("our door is", "right"), ("checksum", "left"),
    ):  # fmt: skip
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    door = figures[0].per_second
    for figure in figures:
        ratio = f"{door / figure.per_second:.1f}x" if figure.what.startswith("PettingZoo connect") else ""
        table.add_row(
            figure.what,
            str(figure.players),
            str(figure.batch),
            "yes" if figure.draw_inside else "no",
            f"{figure.per_second:,.0f} {figure.unit}",
            ratio,
            figure.checksum,
        )
    return table


def start_table(starts: dict[str, float]) -> Table:
    table = Table(title="start", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("what")
    table.add_column("seconds", justify="right")
    for what, seconds in starts.items():
        table.add_row(what, f"{seconds:.2f}")
    return table
