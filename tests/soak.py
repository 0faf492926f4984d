"""Many random games with every position checked inside compiled code: `make soak`.

python tests/soak.py [games]
"""

import sys
import time

import numpy as np

from byzanz_env.cards import PLAYER_COUNTS
from byzanz_env.engine import new_mask
from byzanz_env.invariants import FAULTS, NOTHING, soak
from byzanz_env.observation import DTYPE, WIDTH
from byzanz_env.state import new_games


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
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
