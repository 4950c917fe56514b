"""BOOMSLANG_BOUNDS=1: every way in which kernels index is checked, and the fast build stays apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT

pytestmark = pytest.mark.jit_only

# Behind each array lies another field, so what the fast build reads is ours.
PROGRAM = """
import json
import sys
import threading

import numpy as np

from boomslang.engine.board.position import new_record
from boomslang.engine.jit.jit import (
    i64,
    jit,
    kernel,
    _file,
    _signed,
    load_kernels,
    record_type,
    u64,
    void,
)

U, I = np.uint64, np.int64
INNER = np.dtype([("small", "u1", (2,)), ("rest", "u1", (6,))])
RECORD = np.dtype(
    [("row", "i8", (4,)), ("square", "u2", (3, 5)), ("inner", INNER, (3,)), ("rest", "i8", (99,))],
    align=True,
)
record_t = record_type(RECORD)

@kernel(i64(i64[::1], u64))
def array_unsigned(array, i):
    return array[i]

@kernel(i64(i64[::1], i64))
def array_signed(array, i):
    return array[i]

@kernel(i64(i64[:, ::1], u64, u64))
def array_of_two_axes(array, i, j):
    return array[i, j]

@kernel(i64(record_t, u64))
def row_unsigned(record, i):
    return record.row[i]

@kernel(i64(record_t, i64))
def row_signed(record, i):
    return record.row[i]

@kernel(void(record_t, u64))
def row_stored(record, i):
    record.row[i] = 1

@kernel(void(record_t, u64))
def row_changed(record, i):
    record.row[i] += 1

@kernel(i64(record_t, u64, u64))
def square(record, i, j):
    return I(record.square[i, j])

@kernel(void(record_t, u64, u64))
def square_stored(record, i, j):
    record.square[i, j] = 1

@kernel(i64(record_t, u64, u64))
def square_by_row(record, i, j):
    return I(record.square[i][j])

@kernel(i64(record_t, u64, u64))
def inner(record, i, j):
    return I(record.inner[i].small[j])

@kernel(void(record_t, u64))
def inner_copied(record, i):
    record.inner[i] = record.inner[U(0)]

@kernel(i64(record_t[::1], u64, u64))
def array_of_records(records, i, j):
    return records[i].row[j]

@jit
def helper(record, i):
    return record.row[i]

@kernel(i64(record_t, u64))
def by_a_helper(record, i):
    return helper(record, i)

@jit(i64(record_t, u64))
def shared(record, i):
    return record.row[i]

@kernel(i64(record_t, u64))
def by_a_shared_function(record, i):
    return shared(record, i)

@kernel(i64(record_t, i64, u64))
def recursive(record, depth, i):
    return recursive(record, depth - I(1), i) if depth > I(0) else record.row[i]

load_kernels()
record, records = new_record(RECORD), np.zeros(2, RECORD)
array, table = np.zeros(4, np.int64)[:3], np.zeros((3, 5), np.int64)
CALLS = {
    "array_unsigned": (array_unsigned, array, U(3)),
    "array_far_off": (array_unsigned, array, U(2**63)),
    "array_minus_one": (array_unsigned, array, U(2**64 - 1)),
    "array_signed": (array_signed, array, I(3)),
    "array_signed_minus_one": (array_signed, array, I(-1)),
    "array_first_axis": (array_of_two_axes, table, U(3), U(0)),
    "array_second_axis": (array_of_two_axes, table, U(0), U(5)),
    "row_unsigned": (row_unsigned, record, U(4)),
    "row_signed": (row_signed, record, I(4)),
    "row_signed_minus_one": (row_signed, record, I(-1)),
    "row_stored": (row_stored, record, U(4)),
    "row_changed": (row_changed, record, U(4)),
    "square_first_axis": (square, record, U(3), U(0)),
    "square_second_axis": (square, record, U(0), U(5)),
    "square_stored": (square_stored, record, U(1), U(5)),
    "square_by_row_first": (square_by_row, record, U(3), U(0)),
    "square_by_row_second": (square_by_row, record, U(0), U(5)),
    "inner_record": (inner, record, U(3), U(0)),
    "inner_of_record": (inner, record, U(0), U(2)),
    "inner_copied": (inner_copied, record, U(3)),
    "record_of_array": (array_of_records, records, U(2), U(0)),
    "row_of_record_of_array": (array_of_records, records, U(1), U(4)),
    "by_a_helper": (by_a_helper, record, U(4)),
    "by_a_shared_function": (by_a_shared_function, record, U(4)),
    "recursive": (recursive, record, I(3), U(4)),
    "recursive_in_bounds": (recursive, record, I(3), U(3)),
}

said = {"kernels": [_file(number) for number in range(len(_signed))]}
def attempt(name):
    function, *arguments = CALLS[name]
    try:
        function(*arguments)
        said[name] = ""
    except IndexError as problem:
        said[name] = str(problem)

for name in sys.argv[1:] or CALLS:
    thread = threading.Thread(target=attempt, args=(name,))
    thread.start()
    thread.join()
print(json.dumps(said))
"""

# What comes after "kernel NAME: ", up to the line number.
NAMED = {
    "array_unsigned": "index 3 is out of bounds for axis 0 with size 3 in program.array_unsigned",
    "array_far_off": "index -9223372036854775808 is out of bounds for axis 0 with size 3",
    "array_minus_one": "index -1 is out of bounds for axis 0 with size 3",
    "array_signed": "index 3 is out of bounds for axis 0 with size 3",
    "array_signed_minus_one": "index -1 is out of bounds for axis 0 with size 3",
    "array_first_axis": "index 3 is out of bounds for axis 0 with size 3",
    "array_second_axis": "index 5 is out of bounds for axis 1 with size 5",
    "row_unsigned": "index 4 is out of bounds for axis 0 with size 4 in program.row_unsigned",
    "row_signed": "index 4 is out of bounds for axis 0 with size 4",
    "row_signed_minus_one": "index -1 is out of bounds for axis 0 with size 4",
    "row_stored": "index 4 is out of bounds for axis 0 with size 4",
    "row_changed": "index 4 is out of bounds for axis 0 with size 4",
    "square_first_axis": "index 3 is out of bounds for axis 0 with size 3",
    "square_second_axis": "index 5 is out of bounds for axis 1 with size 5",
    "square_stored": "index 5 is out of bounds for axis 1 with size 5",
    "square_by_row_first": "index 3 is out of bounds for axis 0 with size 3",
    "square_by_row_second": "index 5 is out of bounds for axis 0 with size 5",
    "inner_record": "index 3 is out of bounds for axis 0 with size 3",
    "inner_of_record": "index 2 is out of bounds for axis 0 with size 2",
    "inner_copied": "index 3 is out of bounds for axis 0 with size 3",
    "record_of_array": "index 2 is out of bounds for axis 0 with size 2",
    "row_of_record_of_array": "index 4 is out of bounds for axis 0 with size 4",
    "by_a_helper": "index 4 is out of bounds for axis 0 with size 4 in program.helper",
    "by_a_shared_function": "index 4 is out of bounds for axis 0 with size 4 in program.shared",
    "recursive": "index 4 is out of bounds for axis 0 with size 4 in program.recursive",
}


def run(folder: Path, checked: str, *names: str) -> dict[str, str]:
    """What the program says of its calls in one build; the cache lies in `folder`."""
    (folder / "program.py").write_text(PROGRAM)  # cached functions need a file
    ended = subprocess.run(
        [sys.executable, "-c", "import program", *names],
        env={
            **os.environ,
            "BOOMSLANG_BOUNDS": checked,
            "BOOMSLANG_CACHE_DIR": str(folder / "cache"),
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder))),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    said: dict[str, str] = json.loads(ended.stdout)
    return said


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the checked build says when it is new, when it comes from the cache, and the fast one."""
    folder = tmp_path_factory.mktemp("bounds")
    return run(folder, "1"), run(folder, "1"), run(folder, "0", "row_unsigned", "square_stored")


@pytest.mark.parametrize("name", NAMED)
def test_an_index_out_of_bounds_is_reported(builds: Any, name: str) -> None:
    new, cached, _ = builds
    assert new[name] == cached[name]
    assert NAMED[name] in new[name] and "\n" not in new[name], new[name]
    assert new[name].startswith("kernel program.") and ", line " in new[name]


def test_a_call_within_bounds_is_none_of_its_business(builds: Any) -> None:
    assert builds[0]["recursive_in_bounds"] == ""


def test_the_kernel_is_named_beside_the_function(builds: Any) -> None:
    assert builds[0]["by_a_helper"].startswith("kernel program.by_a_helper: ")


def test_the_fast_build_checks_nothing_and_is_kept_apart(builds: Any) -> None:
    new, cached, fast = builds
    assert fast["row_unsigned"] == fast["square_stored"] == ""
    assert set(new["kernels"]) == set(cached["kernels"])
    assert not set(new["kernels"]) & set(fast["kernels"])
