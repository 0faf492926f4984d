"""Tests import their helpers (`table`, ...) from this folder; a test that hangs fails."""

import os
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def time_limit():
    """A plain loop without end is stopped; compiled code cannot be."""
    seconds = int(os.environ.get("SECONDS_PER_TEST", "300"))

    def stop(*_):
        raise TimeoutError(f"the test ran for more than {seconds} s")

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, stop)
        signal.alarm(seconds)
    yield
    if hasattr(signal, "SIGALRM"):
        signal.alarm(0)
