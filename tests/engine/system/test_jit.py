"""What spares Numba work must still find its place inside the installed Numba."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

pytestmark = pytest.mark.jit_only

PROGRAM = """
from collections import Counter

from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction

inferred_anew = 0
copy = TypeInferer.copy
def count(self, **options):
    global inferred_anew
    inferred_anew += 1
    return copy(self, **options)
TypeInferer.copy = count

looked_up = Counter()
find_overload = BaseFunction.get_call_type
def note(self, context, args, kws):
    looked_up[self, tuple(args)] += 1
    return find_overload(self, context, args, kws)
BaseFunction.get_call_type = note

from engine.system.jit import i64, jit, load_kernels

@jit(i64(i64))
def fibonacci(n):
    return fibonacci(n - 1) + fibonacci(n - 2) if n > 1 else n

@jit(i64(i64, i64, i64))
def product(a, b, c):
    return a * b * c * a * b

load_kernels()
multiplied = sum(n for (function, _), n in looked_up.items() if "mul" in str(function))
print(fibonacci(20), product(2, 3, 5), inferred_anew, multiplied)
"""


def test_numba_infers_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)  # cached functions need a file
    ended = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")],
        env={
            **os.environ,
            "BOOMSLANG_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split() == ["6765", "180", "0", "1"], ended.stderr
