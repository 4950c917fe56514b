"""`bench` is a checksum of behaviour: the same number cold, warm, and wherever it is started."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boomslang.engine.driver import bench
from tests.support.places import ROOT
from tests.support.process import UciProcess, run_python

# The node total of `boomslang bench`. It changes only with a functional change, and then here too.
NODES = 1745025


@pytest.mark.jit_only
def test_the_recorded_number() -> None:
    lines: list[str] = []
    assert bench.run(write=lines.append) == NODES
    assert lines[-2:-1] == [f"Nodes searched  : {NODES}"]
    assert re.fullmatch(r"Total time \(ms\) : \d+", lines[-3])
    assert re.fullmatch(r"Nodes/second    : \d+", lines[-1])


@pytest.mark.slow
@pytest.mark.jit_only
def test_cold_warm_and_elsewhere_search_the_same_tree(tmp_path: Path) -> None:
    cold = {"BOOMSLANG_CACHE_DIR": str(tmp_path / "cache")}
    totals = []
    for folder in (ROOT, ROOT, tmp_path):
        done = run_python("-m", "cli", "bench", "6", folder=folder, variables=cold)
        found = re.search(r"Nodes searched  : (\d+)", done.stdout)
        assert found is not None
        totals.append(int(found[1]))
    assert totals[0] == totals[1] == totals[2] == bench.run(6, write=lambda line: None)


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("command", "end"),
    [("go perft 31", "info string error: perft"), ("bench 200", "The bench was")],
)
def test_long_counts_can_be_stopped(live: UciProcess, command: str, end: str) -> None:
    live.send(command)
    live.ready()
    live.send("stop")
    live.until(end)
    live.until("Nodes searched: |Nodes/second")
