"""BOOMSLANG_BOUNDS=1: every way in which kernels index is checked, and the fast build stays apart."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT
from tests.support.process import run_python

pytestmark = [pytest.mark.jit_only, pytest.mark.slow]  # its kernels are compiled with checks

# Behind each array lies another field, so what the fast build reads is ours.
PROGRAM = """
import json
import sys
import threading

import numpy as np

from boomslang.core.board.position import new_record
from boomslang.core.jit.jit import _file, _signed, i64, jit, kernel, load_kernels, record_type, u64

U, I = np.uint64, np.int64
INNER = np.dtype([("small", "u1", (2,)), ("rest", "u1", (6,))])
RECORD = np.dtype(
    [("row", "i8", (4,)), ("square", "u2", (3, 5)), ("inner", INNER, (3,)), ("rest", "i8", (99,))],
    align=True,
)
record_t = record_type(RECORD)

@kernel(i64(u64, record_t, record_t[::1], i64[::1], i64[:, ::1], u64, u64, i64))
def ways(way, record, records, array, table, i, j, signed):
    if way == U(0):
        return array[i]
    if way == U(1):
        return array[signed]
    if way == U(2):
        return table[i, j]
    if way == U(3):
        return record.row[i]
    if way == U(4):
        return record.row[signed]
    if way == U(5):
        record.row[i] = 1
    if way == U(6):
        record.row[i] += 1
    if way == U(7):
        return I(record.square[i, j])
    if way == U(8):
        record.square[i, j] = 1
    if way == U(9):
        return I(record.square[i][j])
    if way == U(10):
        return I(record.inner[i].small[j])
    if way == U(11):
        record.inner[i] = record.inner[U(0)]
    if way == U(12):
        return records[i].row[j]
    return I(0)

@jit
def helper(record, i):
    return record.row[i]

@jit(i64(record_t, u64))
def shared(record, i):
    return record.row[i]

@kernel(i64(u64, record_t, u64))
def calls(way, record, i):
    return helper(record, i) if way == U(13) else shared(record, i)

@kernel(i64(record_t, i64, u64))
def recursive(record, depth, i):
    return recursive(record, depth - I(1), i) if depth > I(0) else record.row[i]

load_kernels()
record, records = new_record(RECORD), np.zeros(2, RECORD)
array, table = np.zeros(4, np.int64)[:3], np.zeros((3, 5), np.int64)
said = {"kernels": [_file(number) for number in range(len(_signed))]}

def attempt(name, way, first, second):
    i = U(first % 2**64)
    try:
        if way < 13:
            ways(U(way), record, records, array, table, i, U(second), i.astype(I))
        elif way < 15:
            calls(U(way), record, i)
        else:
            recursive(record, I(3), i)
        said[name] = ""
    except IndexError as problem:
        said[name] = str(problem)

for call in json.loads(sys.argv[1]):
    thread = threading.Thread(target=attempt, args=call)
    thread.start()
    thread.join()
print(json.dumps(said))
"""

# The number of the way, two indices, and what is told: index, axis, size and function.
WAYS = {
    "array": (0, 3, 0, "3 is out of bounds for axis 0 with size 3 in program.ways"),
    "array, far off": (
        0,
        1 << 63,
        0,
        "-9223372036854775808 is out of bounds for axis 0 with size 3",
    ),
    "array, minus one": (0, -1, 0, "-1 is out of bounds for axis 0 with size 3"),
    "array, signed": (1, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "array, signed minus one": (1, -1, 0, "-1 is out of bounds for axis 0 with size 3"),
    "first axis": (2, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "second axis": (2, 0, 5, "5 is out of bounds for axis 1 with size 5"),
    "row": (3, 4, 0, "4 is out of bounds for axis 0 with size 4"),
    "row, signed": (4, 4, 0, "4 is out of bounds for axis 0 with size 4"),
    "row, signed minus one": (4, -1, 0, "-1 is out of bounds for axis 0 with size 4"),
    "row, stored": (5, 4, 0, "4 is out of bounds for axis 0 with size 4"),
    "row, changed": (6, 4, 0, "4 is out of bounds for axis 0 with size 4"),
    "square, first axis": (7, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "square, second axis": (7, 0, 5, "5 is out of bounds for axis 1 with size 5"),
    "square, stored": (8, 1, 5, "5 is out of bounds for axis 1 with size 5"),
    "square by row, first": (9, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "square by row, second": (9, 0, 5, "5 is out of bounds for axis 0 with size 5"),
    "inner record": (10, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "in an inner record": (10, 0, 2, "2 is out of bounds for axis 0 with size 2"),
    "inner record, copied": (11, 3, 0, "3 is out of bounds for axis 0 with size 3"),
    "record of an array": (12, 2, 0, "2 is out of bounds for axis 0 with size 2"),
    "row of a record of an array": (12, 1, 4, "4 is out of bounds for axis 0 with size 4"),
    "helper": (13, 4, 0, "4 is out of bounds for axis 0 with size 4 in program.helper"),
    "shared function": (14, 4, 0, "4 is out of bounds for axis 0 with size 4 in program.shared"),
    "recursive": (15, 4, 0, "4 is out of bounds for axis 0 with size 4 in program.recursive"),
}


def run(folder: Path, checked: str, *names: str) -> dict[str, str]:
    """What the program says of its calls in one build; the cache lies in `folder`."""
    (folder / "program.py").write_text(PROGRAM)  # cached functions need a file
    calls: list[tuple[Any, ...]] = [(name, *WAYS[name][:3]) for name in names or WAYS]
    ended = run_python(
        *("-c", "import program", json.dumps([*calls, ("in bounds", 15, 3, 0)])),
        variables={
            "BOOMSLANG_BOUNDS": checked,
            "BOOMSLANG_CACHE_DIR": str(folder / "cache"),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder))),
        },
    )
    assert ended.returncode == 0, ended.stderr
    said: dict[str, str] = json.loads(ended.stdout)
    return said


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the checked build says when it is new, when it comes from the cache, and the fast one."""
    folder = tmp_path_factory.mktemp("bounds")
    return run(folder, "1"), run(folder, "1"), run(folder, "0", "row", "square, stored")


@pytest.mark.parametrize("name", WAYS)
def test_an_index_out_of_bounds_is_reported(builds: Any, name: str) -> None:
    new, cached, _ = builds
    assert new[name] == cached[name]
    assert f"index {WAYS[name][3]}" in new[name] and "\n" not in new[name], new[name]
    assert new[name].startswith("kernel program.") and ", line " in new[name]


def test_the_kernel_is_named_beside_the_function(builds: Any) -> None:
    assert builds[0]["helper"].startswith("kernel program.calls: ")


def test_a_call_within_bounds_and_the_fast_build_report_nothing(builds: Any) -> None:
    new, cached, fast = builds
    assert new["in bounds"] == fast["row"] == fast["square, stored"] == ""
    assert set(new["kernels"]) == set(cached["kernels"])
    assert not set(new["kernels"]) & set(fast["kernels"])
