"""Golden games: the same records, observations and counts, compiled or not, whatever the hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import golden
import pytest

from byzanz_env import read_records, verify


@pytest.mark.parametrize(
    ("compiler_off", "hash_seed"),
    [
        ("0", "0"),
        ("0", "4711"),
        ("1", "1"),
    ],
)
def test_golden_games_hold(compiler_off, hash_seed):
    """12 games for each of four tables, perft counts and layouts, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-W", "error", str(Path(golden.__file__)), "check"],
        env={**os.environ, "NUMBA_DISABLE_JIT": compiler_off, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == "golden games unchanged\n", run.stdout + run.stderr


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_golden_games_are_records_that_verify(players):
    games = list(read_records(golden.FOLDER / f"games_{players}.jsonl"))
    assert len(games) == 12
    for game in games:
        verify(game)


def test_golden_games_meet_every_phase_and_family_of_actions():
    verbs, sold = set(), set()
    for players in (3, 4, 5, 6):
        for game in read_records(golden.FOLDER / f"games_{players}.jsonl"):
            verbs |= {name.split()[0] for _, name in game.moves}
            sold |= {name for _, name in game.moves if name.startswith("sell")}
    assert verbs == {"pass", "bid", "pay", "give", "pick", "sell", "discard"}
    assert "sell merchant M+M+M" in sold
