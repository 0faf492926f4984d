"""Many random games with every position checked inside compiled code: `make soak`.

python tests/soak.py [games]
"""

import resource
import sys
import time

import numpy as np

from byzanz_env.batch import Batch
from byzanz_env.cards import PLAYER_COUNTS
from byzanz_env.compiled import compiled
from byzanz_env.engine import new_mask
from byzanz_env.invariants import FAULTS, NOTHING, find_fault, soak
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.state import new_games


@compiled
def first_fault(games, masks, observations):
    """The first row of a batch with a fault, and the fault."""
    for row in range(games.size):
        fault = find_fault(games[row], masks[row], observations[row])
        if fault != NOTHING:
            return row, fault
    return -1, NOTHING


def soak_batch(decisions: int, size: int = 1024) -> int:
    """A mixed batch with every position checked; memory must stay flat."""
    batch = Batch(size, players=PLAYER_COUNTS, seed=2026)
    batch.reset()
    start = time.process_time()
    for tick in range(decisions // size):
        batch.step(batch.draw())
        row, fault = first_fault(batch.games, batch.masks, batch.observations)
        if fault != NOTHING:
            print(f"batch, row {row}, game {batch.ids[row]}: {FAULTS[fault]}")
            return 1
        if tick in (100, decisions // size - 1):
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"batch of {size}: {(tick + 1) * size:,} decisions, no fault, peak memory {peak} MiB", flush=True)
    print(f"batch: {time.process_time() - start:.0f} s")
    return 0


def main(games: int) -> int:
    for players in PLAYER_COUNTS:
        share, start = games // len(PLAYER_COUNTS), time.process_time()
        done, decisions, fault = soak(new_games(1), 0, share, players, 2026, new_mask(), np.zeros(WIDTH, dtype=DTYPE))
        if fault != NOTHING:
            print(f"{players} players, game {done}: {FAULTS[fault]}")
            return 1
        seconds = time.process_time() - start
        print(f"{players} players: {done:,} games, {decisions:,} positions, no fault, {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    counts = [int(word) for word in sys.argv[1:]]
    sys.exit(main(counts[0] if counts else 1_000_000) or soak_batch(counts[1] if counts[1:] else 10_000_000))
