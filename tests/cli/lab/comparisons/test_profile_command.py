"""`boomslang profile`: when its shares are not to be trusted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from boomslang.cli.lab.comparisons import profile_command


@pytest.mark.parametrize(
    ("seconds", "own", "others", "warning"),
    [
        (10.0, 9.9, 0.5, ""),
        (10.0, 6.0, 0.0, "the search got 60% of a processor"),
        (10.0, 9.9, 9.0, "other programs used 0.9 processors"),
        (0.8, 0.4, 0.4, "the search got 50% of a processor"),
        (0.8, 0.8, 0.0, "0.8 s are too short"),
        (10.0, 10.0, -10.0, ""),  # a system that does not tell of others
    ],
)
def test_warnings(seconds: float, own: float, others: float, warning: str) -> None:
    said = profile_command._warning(seconds, own, others)
    assert warning in said and bool(said) == bool(warning)


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="the system does not tell")
def test_the_work_of_all_programs_is_counted() -> None:
    own, all_programs = time.process_time(), profile_command._processor_time()
    while time.process_time() - own < 0.3:
        pass
    assert profile_command._processor_time() - all_programs > 0.2  # it counts in ticks
