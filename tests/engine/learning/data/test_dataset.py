"""The memory of a training run holds its positions once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.process import run_python

# Positions as a reader makes them, a few hundred kilobytes at a time, and what they need beside their size.
_PROGRAM = """
import numpy as np
from boomslang.engine.learning.data import dataset
from boomslang.engine.learning.data.records import RECORD

class Reader:
    def __init__(self, paths, report):
        self.paths, self.headers = paths, [{}]
    def in_order(self, position_filter):
        for number in range(300):
            records = np.zeros(6_000, RECORD)
            records["game"] = np.arange(6_000) // 60 + 100 * number
            yield 0, records

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))

dataset.GameReader, dataset.sha256_of = Reader, lambda *arguments: ""
before = peak()
data = dataset.read_data([dataset.Path("some.bin")])
games = data.source.records["game"]
assert len(games) == data.positions > 1_700_000 and (np.diff(games.astype(int)) >= 0).all()
print((peak() - before) / data.source.records.nbytes)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's peak of memory")
@pytest.mark.jit_only
def test_positions_are_in_memory_once() -> None:
    done = run_python("-c", _PROGRAM)
    assert not done.stderr
    assert 1.0 < float(done.stdout) < 1.5
