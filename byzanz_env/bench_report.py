"""What `byzanz bench` prints: it chooses what is measured and lays out the figures."""

import json
import platform
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from .bench import Figure, batch_figure, door_figures, random_games_figure, start_times, vector_figure
from .cards import PLAYER_COUNTS
from .errors import ByzanzError
from .peers import Absent, measure_peers

BATCHES: Final = (16, 128, 1024, 8192)
USUAL_BATCH: Final = 1024
BENCH_GROUP: Final = "byzanz.bench"
"""Entry points of further doors: callables (players, sizes, decisions) -> figures."""


def run_benchmark(*, quick: bool, peers: bool, as_json: bool, plot: Path | None) -> None:
    """Measure everything, print it, and draw it where asked."""
    figures: list[Figure] = []
    absent: list[Absent] = []
    with Console(stderr=True).status("measuring ...") as status:
        for found in measure_all(quick=quick, peers=peers):
            if isinstance(found, Absent):
                absent.append(found)
            else:
                figures.append(found)
                status.update(f"measuring ... {found.what}, {found.players} players, batch {found.batch}")
        starts = start_times()
    if as_json:
        facts: dict[str, Any] = {
            "machine": machine(),
            "start_seconds": starts,
            "figures": [figure._asdict() for figure in figures],
            "absent": [missing._asdict() for missing in absent],
        }
        print(json.dumps(facts, indent=1))
    else:
        print_report(figures, absent, starts)
    if plot is not None:
        draw(figures, plot)


def measure_all(*, quick: bool, peers: bool) -> Iterator[Figure | Absent]:
    """Our doors, and the others' environments where asked."""
    decisions, sizes = (200_000, (USUAL_BATCH,)) if quick else (1_000_000, BATCHES)
    yield from door_figures(games=40 if quick else 200)
    for players in (4,) if quick else PLAYER_COUNTS:
        yield random_games_figure(players, 1000 if quick else 5000)
        for size in sizes:
            for with_observation in (True, False):
                for draw_inside in (False, True):
                    yield batch_figure(
                        players, size, with_observation=with_observation, draw_inside=draw_inside, decisions=decisions
                    )
            yield vector_figure(players, size, decisions // 5)
        for point in entry_points(group=BENCH_GROUP):
            try:
                figures = point.load()
            except ImportError as error:
                yield Absent(point.name, f"{error}; install the extra 'train'")
                continue
            yield from figures(players, sizes, decisions // 5)
    if peers:
        yield from measure_peers(20 if quick else 100)


def machine() -> str:
    """What the figures were measured with."""
    return (
        f"{platform.machine()} {platform.system()}, Python {platform.python_version()}, numba {numba.__version__}, "
        f"numpy {np.__version__}; one core, CPU time, best of 3"
    )


def yardstick(figures: list[Figure], other: Figure) -> Figure | None:
    """Which of our figures another environment's is compared with: the same kind of interface, 4 players."""
    ours = "batch: step + mask + observation" if other.batch > 1 else "PettingZoo door, last / step"
    if other.what.startswith("OpenSpiel"):  # its fastest way from Python against ours
        ours = "batch: step + mask + observation"
    for figure in figures:
        usual = figure.batch in (1, USUAL_BATCH) and figure.players == 4
        if figure.what == ours and usual and (figure.batch == 1 or figure.draw_inside == other.draw_inside):
            return figure
    return None


def is_peer(figure: Figure) -> bool:
    return figure.what.split()[0] in ("OpenSpiel", "RLCard", "PGX", "PufferLib") or (
        figure.what.startswith("PettingZoo") and "door" not in figure.what
    )


def print_report(figures: list[Figure], absent: list[Absent], starts: dict[str, float]) -> None:
    console = Console()
    console.width = max(console.width, 140)  # a narrower table cannot be read
    table = Table(title="speed per core", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("what", no_wrap=True)
    for name in ("players", "batch", "draw inside", "per second"):
        table.add_column(name, justify="right")
    table.add_column("", no_wrap=True)
    table.add_column("checksum")
    table.add_column("Byzanz is faster by", justify="right")
    for figure in figures:
        ratio = ""
        if is_peer(figure) and (ours := yardstick(figures, figure)):
            ratio = f"{ours.per_second / figure.per_second:.1f}x"
        draw_inside = "yes" if figure.draw_inside else "no"
        table.add_row(
            figure.what, str(figure.players), str(figure.batch), draw_inside, f"{figure.per_second:,.0f}", figure.unit,
            figure.checksum, ratio,
        )  # fmt: skip
    console.print(table)
    for missing in absent:
        console.print(f"absent: {missing.peer} ({missing.reason})", highlight=False, markup=False)
    start = Table(title="start", title_justify="left", box=SIMPLE_HEAD)
    start.add_column("what")
    start.add_column("seconds", justify="right")
    for what, seconds in starts.items():
        start.add_row(what, f"{seconds:.2f}")
    console.print(start)
    console.print(machine(), style="dim", highlight=False)


def draw(figures: list[Figure], path: Path) -> None:
    """A bar for every door and peer, 4 players and the usual batch where there is a choice."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ByzanzError("a plot needs matplotlib: install the extra 'plot'") from error
    chosen = [
        f for f in figures if f.unit != "games" and f.batch in (1, USUAL_BATCH) and (is_peer(f) or f.players == 4)
    ]
    chosen.sort(key=lambda figure: figure.per_second)
    names = [f"{f.what}{' (draw inside)' if f.draw_inside else ''}" for f in chosen]
    fig, ax = plt.subplots(figsize=(9, 0.32 * len(chosen) + 1.2))
    bars = ax.barh(
        names, [f.per_second for f in chosen], color=["#b0b7bf" if is_peer(f) else "#8c2f39" for f in chosen]
    )
    ax.bar_label(bars, [short_number(f.per_second) for f in chosen], padding=3, fontsize=8)
    ax.set_xscale("log")
    ax.set_xlim(right=3 * max(f.per_second for f in chosen))
    ax.set_xlabel("decisions per second on one core (CPU time), log scale")
    ax.set_title("Byzanz for 4 players (red) and other environments (grey), one run", loc="left", fontsize=10)
    ax.margins(y=0.01)
    ax.tick_params(labelsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    fig.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(path, dpi=130)


def short_number(number: float) -> str:
    """2,310,000 as 2.3 M, 41,200 as 41 k."""
    return f"{number / 1e6:.1f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"
