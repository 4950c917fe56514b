"""Too little address space: NumPy is not imported at all, for its libraries would end the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.places import ROOT
from tests.support.signalled import COMMAND

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(sys.platform != "linux", reason="a bound that Linux has"),
]


def bounded(kilobytes: int, *words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    script = f'ulimit -v {kilobytes}; exec "$@"'
    return subprocess.run(
        ["sh", "-c", script, "sh", *words], input=said, capture_output=True, cwd=ROOT, timeout=60
    )


@pytest.mark.parametrize("kilobytes", [100_000, 120_000, 150_000, 180_000, 220_000])
def test_a_command_ends_with_one_line(kilobytes: int) -> None:
    done = bounded(kilobytes, *COMMAND, "perft", "2")
    assert done.returncode == 1 and done.stdout == b""
    (line,) = done.stderr.splitlines()
    assert line.startswith(b"boomslang perft: cannot go on: ") and b"memory" in line


@pytest.mark.parametrize("kilobytes", [150_000, 220_000, 300_000])
def test_the_engine_ends_with_one_line(kilobytes: int) -> None:
    done = bounded(kilobytes, *COMMAND, said=b"uci\nisready\nposition startpos\ngo depth 1\n")
    assert done.returncode == 1 and done.stderr == b""
    errors = [line for line in done.stdout.splitlines() if b"error" in line]
    assert len(errors) == 1 and errors[0].startswith(b"info string error: ")


def test_where_nothing_is_bounded_nothing_is_guarded() -> None:
    code = "import os, sys; from boomslang.engine.system import address_space as a; a.guard(); "
    code += "print(any(type(f).__name__ == '_Guard' for f in sys.meta_path))"
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    assert bounded(4_000_000, *words).stdout == b"True\n"
    script = ["sh", "-c", 'ulimit -v unlimited; exec "$@"', "sh", *words]
    assert subprocess.run(script, capture_output=True).stdout == b"False\n"
