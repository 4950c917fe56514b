"""What spares Numba work must still find its place inside the installed Numba; what kernels are made for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from boomslang.core.jit import jit
from tests.support.process import run_python

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

from boomslang.core.jit.jit import i64, jit, load_kernels

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


# Two kernels that call each other, and one that tells the time and that of its thread.
CIRCLE = """
import time

from boomslang.core.jit.instructions import KERNELS_TELL_THREAD_TIME, clock_ns
from boomslang.core.jit.jit import i64, jit, load_kernels

@jit(i64(i64))
def is_even(n):
    return is_odd(n - 1) if n > 0 else 1

@jit(i64(i64))
def is_odd(n):
    return is_even(n=n - 1) if n > 0 else 0

@jit(i64(i64))
def now(of_thread):
    return clock_ns(of_thread)

load_kernels()
print(is_even(10), is_even(7), is_odd(3))
if KERNELS_TELL_THREAD_TIME:
    usual, own = now(0), now(1)
    assert 0 <= time.monotonic_ns() - usual < 10**9
    assert 0 <= time.thread_time_ns() - own < 10**9
    time.sleep(0.2)
    assert now(0) - usual >= 2 * 10**8
    assert 0 < now(1) - own < 10**8
"""

THREADS = """
import sys, threading
from pathlib import Path

from boomslang.core.jit import jit

HEAD = "from boomslang.core.jit.jit import i64, jit\\n"
KERNEL = HEAD + "@jit(i64(i64))\\ndef {0}(n): return n + {1}\\n"
here = Path(__file__).parent
(here / "one.py").write_text(KERNEL.format("add_one", 1))
(here / "two.py").write_text(KERNEL.format("add_two", 2))
make, second_is_imported = jit.KernelPointer, threading.Event()

def late(dispatcher, signature, name):
    if name == "one.add_one":
        second_is_imported.wait(10)
    return make(dispatcher, signature, name)

jit.KernelPointer = late
first = threading.Thread(target=__import__, args=["one"])
first.start()
import two
second_is_imported.set()
first.join()
from one import add_one

@jit.jit(jit.i64(jit.i64))
def add_three(n):
    return two.add_two(add_one(n) * 10)

jit.load_kernels()
print(add_three(4))
"""

HALF_IMPORTED = """
import sys, threading
from pathlib import Path

from boomslang.core.jit import jit

MODULE = '''
import __main__
from boomslang.core.jit.jit import i64, jit
@jit(i64(i64))
def twice(n): return 2 * once(n)
__main__.twice_is_there.set()
__main__.go_on.wait(60)
@jit(i64(i64))
def once(n): return n
'''
twice_is_there, go_on = threading.Event(), threading.Event()
(Path(__file__).parent / "half.py").write_text(MODULE)
importing = threading.Thread(target=__import__, args=["half"])
importing.start()
twice_is_there.wait(60)
jit.load_kernels()
print(jit.missing_kernels())
go_on.set()
importing.join()
jit.load_kernels()
print(sys.modules["half"].twice(4))
"""


def run(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    """What a program says that defines kernels of its own."""
    (tmp_path / "program.py").write_text(program)  # cached functions need a file
    return run_python(
        tmp_path / "program.py", variables={"BOOMSLANG_CACHE_DIR": str(tmp_path / "cache")}
    )


@pytest.mark.slow
def test_numba_infers_nothing_twice(tmp_path: Path) -> None:
    ended = run(tmp_path, PROGRAM)
    assert ended.stdout.split() == ["6765", "180", "0", "1"], ended.stderr


def test_kernels_call_each_other_in_any_order_and_know_the_time(tmp_path: Path) -> None:
    for start in ("compiling", "loading"):
        done = run(tmp_path, CIRCLE)
        assert (done.stdout, done.stderr) == ("1 0 1\n", ""), start


@pytest.mark.slow
def test_modules_may_be_imported_by_several_threads(tmp_path: Path) -> None:
    ended = run(tmp_path, THREADS)
    assert (ended.stdout, ended.stderr) == ("52\n", "")


@pytest.mark.slow
def test_a_module_that_another_thread_imports_is_left_to_it(tmp_path: Path) -> None:
    ended = run(tmp_path, HALF_IMPORTED)
    assert (ended.stdout, ended.stderr) == ("[]\n8\n", "")


@pytest.mark.parametrize(
    ("name", "features", "target"),
    [
        (None, None, ["this", "-avx,+popcnt"]),
        ("x86-64-v3", None, ["x86-64-v3", "-avx,+popcnt"]),
        ("x86-64-v3", "", ["x86-64-v3", ""]),
    ],
)
def test_the_cache_is_that_of_the_target(
    name: str | None, features: str | None, target: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # On another computer, but for the same target, the same keys are found.
    present = jit.llvm.get_host_cpu_features()
    present.clear()
    present.update({"popcnt": True, "avx": False})
    monkeypatch.setattr(jit.llvm, "get_host_cpu_name", lambda: "this")
    monkeypatch.setattr(jit.llvm, "get_host_cpu_features", lambda: present)
    monkeypatch.setattr(jit._config, "CPU_NAME", name)
    monkeypatch.setattr(jit._config, "CPU_FEATURES", features)
    stamps: list[str] = []
    monkeypatch.setattr(jit, "KernelKeys", lambda stamp, *_: stamps.append(stamp))
    jit._keys.__wrapped__()
    assert stamps[0].split("\n")[-2:] == target
