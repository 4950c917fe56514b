"""The network's loops take many numbers at a time; nothing but speed would tell if they did not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boomslang.engine.core.system.jit import DISABLED, cpu_features
from tests.support.places import ROOT

PROGRAM = """
from pathlib import Path

from boomslang.engine.core.board.fills import four_diagonal
from boomslang.engine.core.constants import I, U
from boomslang.engine.core.system.jit import compile_into, i64, kernel, u64, void
from boomslang.eval.network.accumulator import _capture, accumulators_t
from boomslang.eval.network.forward import _weigh
from boomslang.eval.network.shape import network_t

@kernel(i64(accumulators_t, network_t, u64))
def weigh(accumulators, network, ply):
    return I(_weigh(accumulators.row[ply, U(0)], network.output[U(3), U(1)]))

@kernel(void(accumulators_t, network_t, u64, u64))
def capture(accumulators, network, ply, column):
    row, before = accumulators.row[ply, U(0)], accumulators.row[ply - U(1), U(0)]
    weights = network.input
    _capture(row, before, weights[column], weights[column + U(1)], weights[column + U(2)])

@kernel(u64(u64, u64, u64, u64, u64))
def spread(first, second, third, fourth, empty):
    one, two, three, four = four_diagonal(first, second, third, fourth, empty)
    return one[0] ^ one[1] ^ two[0] ^ two[1] ^ three[0] ^ three[1] ^ four[0] ^ four[1]

for kernel in (weigh, capture, spread):
    compile_into(Path("cache"), f"__main__.{kernel.__name__}")
    (code,) = kernel.inspect_asm().values()
    print(" ".join(code.split()))
"""


@pytest.mark.skipif(DISABLED, reason="needs compiled kernels")
@pytest.mark.skipif("avx2" not in cpu_features(), reason="needs a processor with AVX2")
def test_the_loops_use_wide_instructions(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "BOOMSLANG_BOUNDS": "0",
    }
    ended = subprocess.run(
        [sys.executable, tmp_path / "program.py"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    weigh, capture, spread = (set(line.split()) for line in ended.stdout.splitlines())
    assert weigh & {"vpmaddwd", "vpdpwssd"}  # multiply pairs of 16 bits, add up 32
    assert "vpmulld" not in weigh  # three times as slow
    assert {"vpaddw", "vpsubw"} <= capture
    assert {"vpsllq", "vpsrlq"} <= spread  # shift several bitboards
    assert "shlq" not in spread and any("ymm" in word for word in spread)  # all four of them
