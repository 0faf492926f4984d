"""The command line, as a person calls it."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

BYZANZ = str(Path(sys.executable).with_name("byzanz"))


def byzanz(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BYZANZ, *map(str, words)], capture_output=True, text=True, check=False, cwd=cwd, stdin=subprocess.DEVNULL
    )


@pytest.fixture(scope="module")
def games(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    run = byzanz("record", "--players", 4, "--games", 5, "--seed", 7, "--agents", "random", "--legal", "--out", path)
    assert run.returncode == 0, run.stderr
    return path


def test_record_then_verify(games):
    run = byzanz("verify", games, games)
    assert run.returncode == 0
    assert run.stdout.count("5 games with") == 2


def test_record_is_the_same_for_the_same_seed(games, tmp_path):
    byzanz("record", "--games", 5, "--seed", 7, "--legal", "--agents", "random,random", "--agents", "random,random",
           "--out", tmp_path / "again")  # fmt: skip
    assert (tmp_path / "again").read_text() == games.read_text()


def test_verify_names_file_game_move_and_reason(games, tmp_path):
    lines = games.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace('"moves":[[0,', '"moves":[[1,', 1)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join(lines))
    run = byzanz("verify", broken)
    assert run.returncode == 1
    assert run.stderr.startswith(f"byzanz: {broken}, game 3: move 1: player_1 is to ")
    assert run.stderr.count("\n") == 1


def test_replay_tells_the_whole_game(games):
    run = byzanz("replay", games, "--game", 3)
    assert run.returncode == 0
    assert "round 6 of 6" in run.stdout
    assert "wins" in run.stdout or "share the win" in run.stdout
    assert "hand of player_3" in run.stdout
    assert "  of: " in run.stdout


def test_replay_for_a_seat_hides_the_rest(games):
    run = byzanz("replay", games, "--seat", 2)
    hands = {line.split(":")[0] for line in run.stdout.splitlines() if line.startswith("hand of")}
    assert hands == {"hand of player_2"}


def test_replay_steps_by_key_in_a_terminal(games):
    """Enter goes on, q ends: in a real terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BYZANZ, "replay", str(games)], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, b"\nq\n")
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal is closed with its last process
            break
        if not part:
            break
        text += part
    assert process.wait(timeout=60) == 0
    assert b"auction 2 of 4" in text
    assert b"auction 3 of 4" not in text


def test_agents_are_listed_with_a_sentence():
    run = byzanz("agents")
    assert run.returncode == 0
    assert "random" in run.stdout
    assert "every legal action" in run.stdout


@pytest.mark.parametrize("command", ["record", "verify", "replay", "agents"])
def test_every_command_has_help_with_an_example(command):
    run = byzanz(command, "--help")
    assert run.returncode == 0
    assert f"Example: byzanz {command}" in run.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("record", "--players", 7, "--out", "x"), "Byzanz is for 3 to 6 players, not 7"),
        (("record", "--agents", "randm", "--out", "x"), "there is no agent 'randm'; did you mean random?"),
        (("record", "--agents", "random,random", "--out", "x"), "2 agents for 4 seats"),
        (("record", "--out", "no/such/folder/x"), "No such file or directory"),
        (("record", "--seed", -1, "--out", "x"), "a seed must be a whole number from 0 up, not -1"),
        (("verify", "nothing.jsonl"), "nothing.jsonl cannot be read: No such file or directory"),
        (("replay", "nothing.jsonl"), "nothing.jsonl cannot be read"),
        (("verify", "."), "cannot be read: Is a directory"),
    ],
)
def test_bad_input_gets_one_sentence_and_leaves_nothing_behind(words, sentence, tmp_path):
    run = byzanz(*words, cwd=tmp_path)
    assert run.returncode == 1
    assert sentence in run.stderr
    assert run.stderr.startswith("byzanz: ")
    assert run.stderr.count("\n") == 1
    assert "Traceback" not in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_replay_of_a_game_or_seat_that_is_not_there(games):
    assert "has 5 games; there is no game 9" in byzanz("replay", games, "--game", 9).stderr
    assert "there is no seat 4 at this table of 4" in byzanz("replay", games, "--seat", 4).stderr


def test_cut_file_is_reported(games, tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text(games.read_text()[:-50])
    run = byzanz("verify", cut)
    assert run.returncode == 1
    assert "game 5: the last line was cut off" in run.stderr


def test_replay_and_verify_do_not_tell_of_what_did_not_happen(games, tmp_path):
    edited = tmp_path / "edited.jsonl"
    edited.write_text(re.sub(r'"winners":\[[^]]*\]', '"winners":[9]', games.read_text()))
    run = byzanz("replay", edited)
    assert run.returncode == 1
    assert "game 1: at the end: winners are" in run.stderr
    (tmp_path / "empty.jsonl").touch()
    assert "empty.jsonl has no games in it" in byzanz("verify", tmp_path / "empty.jsonl").stderr
