"""The golden games: readable records with a digest of every observation. `make golden` writes them anew.

A change of these files is a change of behaviour: it belongs into the review, and into a new version of the game.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from byzanz_env.actions import ACTION_NAMES, ACTION_OF
from byzanz_env.cards import PLAYER_COUNTS
from byzanz_env.chance import decision_key, game_seed, key_stream
from byzanz_env.deal import deal_game, deal_of
from byzanz_env.engine import GAME_OVER, draw_action, look, new_mask, play_checked
from byzanz_env.full_state import FULL_WIDTH, write_full_state
from byzanz_env.legal import mark_legal
from byzanz_env.observation import DTYPE, FIELDS, SEAT_FIELDS, WIDTH
from byzanz_env.records import Record, result_of
from byzanz_env.rules import step
from byzanz_env.scoring import reward_weights
from byzanz_env.state import OVER, new_games

FOLDER = Path(__file__).parent / "golden"
SEEDS = range(12)
PERFT_DEPTH = 4
EVERYBODY_LOOKS = 40
"""Every so many decisions the other seats' views and the full state enter the digest too."""


def digest(*parts: bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(part)
    return total.hexdigest()[:16]


def golden_game(players: int, number: int) -> tuple[Record, str]:
    """A game of uniform draws: its record, and a digest of what was seen at every decision."""
    seed = game_seed("play", 2026, number)
    games, rewards = new_games(1), np.zeros(players)
    observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
    others, nothing, full = observation.copy(), new_mask(), np.zeros(FULL_WIDTH, dtype=DTYPE)
    weights = reward_weights({"outcome": 1, "margin": 0.1, "profit": 0.01})
    deal_game(games, 0, players, seed)
    deal = deal_of(games[0])
    look(games, 0, int(games["turn"][0]), observation, mask)
    moves, seen = [], hashlib.sha256()
    answer = 0
    while not answer & GAME_OVER:
        seat = int(games["turn"][0])
        seen.update(observation.tobytes() + mask.tobytes())
        if len(moves) % EVERYBODY_LOOKS == 0:
            for other in range(players):
                look(games, 0, other, others, nothing)
                seen.update(others.tobytes())
            write_full_state(games, 0, 0, full)
            seen.update(full.tobytes())
        key = decision_key(key_stream(number), players, seat, len(moves))
        action = int(draw_action(mask, key))
        moves.append((seat, ACTION_NAMES[action]))
        answer = play_checked(games, 0, action, weights, rewards, observation, mask)
    seen.update(np.round(rewards, 9).tobytes())
    record = Record(players, seed, ["random"] * players, **deal._asdict(), moves=moves, **result_of(games[0]))
    return record, seen.hexdigest()[:32]


def count_sequences(games: np.ndarray, depth: int) -> int:
    """How many action sequences of a length there are from a position ("perft"); a finished game counts as one."""
    mask = new_mask()
    mark_legal(games[0], mask)
    legal = np.flatnonzero(mask)
    if depth == 1 or games["phase"][0] == OVER:
        return max(len(legal), 1)
    before, total = games.copy(), 0
    for action in legal:
        step(games[0], int(action))
        total += count_sequences(games, depth - 1)
        games[0] = before[0]
    return total


def perft_positions() -> dict[str, np.ndarray]:
    """Fixed positions of every table: the first decision, and one of every phase from a golden game."""
    positions = {}
    for players in PLAYER_COUNTS:
        games = new_games(1)
        deal_game(games, 0, players, game_seed("play", 2026, 0))
        phases_seen = set()
        for number, (_, name) in enumerate(golden_game(players, 0)[0].moves):
            phase = int(games["phase"][0])
            if phase not in phases_seen and (number == 0 or number > 20):
                phases_seen.add(phase)
                positions[f"{players} players, move {number + 1}"] = games.copy()
            step(games[0], ACTION_OF[name])
    return positions


def perft() -> dict[str, list[int]]:
    """Counts for each fixed position, one per depth; short where they grow fast."""
    counts = {}
    for name, games in perft_positions().items():
        counts[name] = []
        for depth in range(1, PERFT_DEPTH + 1):
            counts[name].append(count_sequences(games.copy(), depth))
            if counts[name][-1] > 300:
                break
    return counts


def layout() -> dict[str, str]:
    """Digests of what agents and policies rely on for ever: action names, observation layout."""
    fields = [(f.name, f.size, np.asarray(f.high).tolist()) for f in (*FIELDS, *SEAT_FIELDS)]
    return {
        "actions": digest("\n".join(ACTION_NAMES).encode()),
        "observation": digest(json.dumps(fields).encode()),
    }


def files() -> dict[str, str]:
    """Every golden file and what belongs into it."""
    texts, seen = {}, {}
    for players in PLAYER_COUNTS:
        games = [golden_game(players, number) for number in SEEDS]
        texts[f"games_{players}.jsonl"] = "".join(record.to_json() + "\n" for record, _ in games)
        seen[f"{players} players"] = [digest for _, digest in games]
    for name, facts in (("observations", seen), ("perft", perft()), ("layout", layout())):
        texts[f"{name}.json"] = json.dumps(facts, indent=1) + "\n"
    return texts


def changed() -> list[str]:
    """The golden files that do not hold any more."""
    return [name for name, text in files().items() if (FOLDER / name).read_text() != text]


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        broken = changed()
        print("\n".join(broken) or "golden games unchanged")
        sys.exit(bool(broken))
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text)
