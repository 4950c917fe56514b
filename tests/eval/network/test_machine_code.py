"""What LLVM makes of the kernels that are asked most often; nothing but speed would tell if it did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from boomslang.core.jit.jit import DISABLED, cpu_features
from boomslang.engine.search.quiescence import quiescence
from tests.support.process import run_python

PROGRAM = """
from boomslang.core.board.fills import four_diagonal
from boomslang.core.board.constants import I, U
from boomslang.core.jit.jit import compile_kernel, i64, kernel, u64, void
from boomslang.eval.network.accumulator import _capture, accumulators_t, add_two
from boomslang.eval.network.forward import _weigh, _weigh_one_more, _weigh_two_more
from boomslang.eval.network.shape import network_t

@kernel(i64(accumulators_t, network_t, u64))
def weigh(accumulators, network, ply):
    return I(_weigh(accumulators.row[ply, U(0)], network.output[U(3), U(1)]))

@kernel(i64(accumulators_t, network_t, u64, u64))
def weigh_one(accumulators, network, ply, column):
    row, columns = accumulators.row[ply, U(0)], network.threatened
    return I(_weigh_one_more(row, columns[column], network.output[U(3), U(1)]))

@kernel(i64(accumulators_t, network_t, u64, u64))
def weigh_two(accumulators, network, ply, column):
    row, columns = accumulators.row[ply, U(0)], network.threatened
    first, second = columns[column], columns[column + U(1)]
    return I(_weigh_two_more(row, first, second, network.output[U(3), U(1)]))

@kernel(void(accumulators_t, network_t, u64, u64))
def capture(accumulators, network, ply, column):
    row, before = accumulators.row[ply, U(0)], accumulators.row[ply - U(1), U(0)]
    weights = network.input
    _capture(row, before, weights[column], weights[column + U(1)], weights[column + U(2)])

@kernel(void(accumulators_t, network_t, u64, u64))
def add(accumulators, network, ply, column):
    row, columns = accumulators.row[ply, U(0)], network.threatened
    add_two(accumulators.hidden, row, columns[column], columns[column + U(1)])

@kernel(u64(u64, u64, u64, u64, u64))
def spread(first, second, third, fourth, empty):
    one, two, three, four = four_diagonal(first, second, third, fourth, empty)
    return one[0] ^ one[1] ^ two[0] ^ two[1] ^ three[0] ^ three[1] ^ four[0] ^ four[1]

for kernel in (weigh, weigh_one, weigh_two, capture, add, spread):
    compile_kernel(f"__main__.{kernel.__name__}")
    (code,) = kernel.inspect_asm().values()
    print(*(" ".join(line.split()) for line in code.splitlines()), sep=";")
"""

QUIESCENCE = """
from boomslang.core.jit.jit import compile_kernel
from boomslang.engine.search.quiescence import quiescence

compile_kernel("boomslang.engine.search.quiescence.quiescence")
(code,) = quiescence.inspect_asm().values()
for line in code.splitlines():
    if line.startswith("_ZN9boomslang") and line.endswith(":"):
        print(line)
"""


def code_of(program: str, folder: Path) -> str:
    """What a program that prints the machine code of kernels has printed."""
    (folder / "program.py").write_text(program)
    # The cache is empty: only what was compiled can be read.
    variables = {"BOOMSLANG_BOUNDS": "0", "BOOMSLANG_CACHE_DIR": str(folder)}
    ended = run_python(folder / "program.py", folder=folder, variables=variables)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.skipif(DISABLED, reason="needs compiled kernels")
@pytest.mark.skipif("avx2" not in cpu_features(), reason="needs a processor with AVX2")
@pytest.mark.slow
def test_the_loops_use_wide_instructions(tmp_path: Path) -> None:
    code = code_of(PROGRAM, tmp_path)
    kernels = code.splitlines()
    for kernel in kernels[:3]:  # multiply pairs of 16 bits, add up 32, in whole registers
        products = [line for line in kernel.split(";") if "vpmaddwd" in line or "vpdpwssd" in line]
        assert products and not any("xmm" in line for line in products)
    weigh, one, two, capture, add, spread = (
        set(kernel.replace(";", " ").split()) for kernel in kernels
    )
    for loop in (weigh, one, two):
        assert "vpmulld" not in loop  # three times as slow
    assert {"vpaddw", "vpsubw"} <= capture
    for loop in (one, two, add):
        assert {"vpmovsxbw", "vpaddw"} <= loop  # widen 8 bits, add up 16
    assert {"vpsllq", "vpsrlq"} <= spread  # shift several bitboards
    assert "shlq" not in spread and any("ymm" in word for word in spread)  # all four of them


@pytest.mark.slow  # compiles the quiescence search
@pytest.mark.skipif(DISABLED, reason="needs compiled kernels")
@pytest.mark.skipif("avx2" not in cpu_features(), reason="measured on processors with AVX2")
def test_what_a_node_calls_is_inlined(tmp_path: Path) -> None:
    """The move ordering is long, and the correction comes after many returns: LLVM would call both."""
    functions = code_of(QUIESCENCE, tmp_path).splitlines()
    # What reads the clock every now and then may stay a call.
    (only,) = (name for name in functions if "polling" not in name)
    assert quiescence.__name__ in only
