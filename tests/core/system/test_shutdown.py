"""How a process ends that is asked to: small programs, whose main thread is at this or that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boomslang.core.system import shutdown
from tests.support.places import ROOT
from tests.support.process import run_python, session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")

TERM, INT, HUP = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
TIMEOUT = 20.0  # seconds; a lost signal would take for ever

BEGIN = """
import hashlib, os, sys, threading, time
from pathlib import Path
from boomslang.core.system import shutdown
left = Path(sys.argv[1])
if sys.argv[2] != "None":
    shutdown.watch(float(sys.argv[2]))
shutdown.say_at_end("broken off")
shutdown.at_end(lambda: left.write_text("done"))
def begin(): print("begun", flush=True)
def kernel(): hashlib.pbkdf2_hmac("sha1", b"", b"", 2**31 - 1)  # Python never has its turn
def stubborn(work):
    while True:
        try:
            begin()
            work()
        except KeyboardInterrupt:
            pass  # as ctypes does
"""
# What the main thread does; the signal comes when it has begun.
STUBBORN = {
    "kernel": "stubborn(kernel)",
    "callback": "stubborn(lambda: time.sleep(600))",
    "whole": "with shutdown.delay_interrupts():\n print('begun', flush=True)\n time.sleep(600)",
    "finally": "try:\n begin()\n time.sleep(600)\nfinally: time.sleep(600)",
}
KERNEL = STUBBORN["kernel"]
ORDERLY = """
try:
    begin()
    time.sleep(600)
except KeyboardInterrupt:
    time.sleep(0.1)
    left.write_text("in order")
    shutdown.leave(shutdown.status(130))
"""


class Program:
    """A process in a session of its own."""

    def __init__(
        self, text: str, left: Path, before: str = "", grace: float | None = shutdown.GRACE
    ) -> None:
        python = [sys.executable, "-c", BEGIN + text, str(left), str(grace)]
        command = ["sh", "-c", f'{before} exec "$@"', "sh", *python] if before else python
        self.process = subprocess.Popen(
            command,
            bufsize=0,  # what is read is not kept from `communicate`
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdout and self.process.stderr
        assert self.process.stdout.readline() == b"begun\n"

    def end(self) -> tuple[int, str, str]:
        """Status and what was said, on standard output and on standard error."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert session(self.process.pid) == []
        return self.process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize(
    ("work", "number"), [*((work, TERM) for work in STUBBORN), ("kernel", INT), ("kernel", HUP)]
)
def test_nothing_holds_it_up(work: str, number: int, tmp_path: Path) -> None:
    program = Program(STUBBORN[work], tmp_path / "left")
    program.process.send_signal(number)
    status, _, said = program.end()
    assert (status, said) == (128 + number, "broken off\n")
    assert (tmp_path / "left").read_text() == "done"


@pytest.mark.parametrize("times", [1, 2, 5])
def test_there_is_time_to_end_in_order(times: int, tmp_path: Path) -> None:
    program = Program(ORDERLY, tmp_path / "left", grace=TIMEOUT)  # a busy machine takes longer
    for _ in range(times):
        program.process.send_signal(TERM)
        time.sleep(0.01)
    program.process.send_signal(HUP if times > 1 else TERM)
    status, _, said = program.end()
    assert (status, said) == (128 + TERM, "")
    # What is left to do at the end comes after what was done in order, and is not done twice.
    assert (tmp_path / "left").read_text() == "done"


def test_an_import_is_not_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        """
import time
try:
    print("begun", flush=True)
    time.sleep(0.25)
except KeyboardInterrupt:
    raise ImportError("broken")  # as Numba does
"""
    )
    text = """
sys.path.append(str(left.parent))
try:
    import slow
    time.sleep(600)
except KeyboardInterrupt:
    print("whole", flush=True)
    shutdown.leave(shutdown.status(130))
"""
    program = Program(text, tmp_path / "left", grace=TIMEOUT)  # a busy machine takes longer
    program.process.send_signal(TERM)
    assert program.end() == (128 + TERM, "whole\n", "")


@pytest.mark.parametrize("number", [HUP, INT, TERM])
def test_what_shall_be_ignored_is_ignored(number: signal.Signals, tmp_path: Path) -> None:
    name = number.name.removeprefix("SIG")
    program = Program(
        "begin(); time.sleep(0.3); print('slept')", tmp_path / "left", f"trap '' {name};"
    )
    program.process.send_signal(number)
    status, out, said = program.end()
    assert (status, out, said) == (0, "slept\n", "")


def test_closed_output_pipes_end_the_process(tmp_path: Path) -> None:
    program = Program(KERNEL, tmp_path / "left")
    assert program.process.stdout
    time.sleep(0.1)  # it has said so, and is at work
    program.process.stdout.close()
    assert program.process.wait(TIMEOUT) == 141
    assert (tmp_path / "left").read_text() == "done"
    assert program.process.stderr
    program.process.stderr.close()


def test_a_signal_on_its_way_when_the_pipe_is_closed_is_the_reason(tmp_path: Path) -> None:
    program = Program(f"shutdown._SIGNAL_TIMEOUT = {TIMEOUT}\n{ORDERLY}", tmp_path / "left")
    assert program.process.stdout and program.process.stderr
    program.process.stdout.close()
    time.sleep(0.3)
    program.process.send_signal(INT)
    assert program.process.wait(TIMEOUT) == 128 + INT
    program.process.stderr.close()


@pytest.mark.parametrize(
    "problem", ["BrokenPipeError", "OSError(28, 'full')", "RuntimeError", "SystemExit(2)"]
)
def test_what_fails_after_a_signal_changes_nothing_of_the_status(problem: str) -> None:
    program = f"""
import os, signal, sys
from boomslang.cli import __main__, command_line
from boomslang.core.system import shutdown
def serve(arguments):
    with shutdown.replace_interrupts(lambda: None):
        os.kill(os.getpid(), signal.SIGINT)
    raise {problem}
command_line.run = serve
sys.argv = ["boomslang", "board"]
__main__.process()
"""
    done = run_python("-c", program)
    assert done.returncode == 128 + INT, done.stderr


def test_a_full_pipe_does_not_delay_the_exit(tmp_path: Path) -> None:
    program = Program("begin(); stubborn(lambda: print('x' * 10**6))", tmp_path / "left")
    time.sleep(0.1)
    program.process.send_signal(TERM)
    assert program.process.wait(TIMEOUT) == 128 + TERM
    program.end()


def test_what_was_printed_leaves(tmp_path: Path) -> None:
    program = Program(f"begin(); print('a row'); begin = lambda: None; {KERNEL}", tmp_path / "left")
    time.sleep(0.1)
    program.process.send_signal(TERM)
    assert program.end() == (128 + TERM, "a row\n", "broken off\n")


def test_a_program_that_uses_the_package_is_broken_off_after_the_block_too(tmp_path: Path) -> None:
    text = """
import signal
begin()
signal.signal(2, signal.default_int_handler)
for times in (1, 2):
    try:
        with shutdown.delay_interrupts():
            for _ in range(times):
                signal.raise_signal(2)
            print("whole")
        print("never")
    except KeyboardInterrupt:
        print(times, signal.getsignal(2) is signal.default_int_handler)
"""
    program = Program(text, tmp_path / "left", grace=None)
    assert program.end()[1] == "whole\n1 True\n2 True\n"


def test_blocks_within_blocks_are_broken_off_once_at_the_last_end(tmp_path: Path) -> None:
    text = """
begin()
try:
    with shutdown.delay_interrupts():
        for number in (2, 15):
            with shutdown.delay_interrupts():
                os.kill(os.getpid(), number)
            print(number)
    print("never")
except KeyboardInterrupt:
    with shutdown.delay_interrupts():
        time.sleep(0.2)
    print("whole")
    shutdown.leave(shutdown.status(130))
"""
    program = Program(text, tmp_path / "left", grace=TIMEOUT)
    assert program.end() == (128 + INT, "2\n15\nwhole\n", "")


def test_what_is_done_instead(tmp_path: Path) -> None:
    text = """
begin()
asked = threading.Event()
with shutdown.replace_interrupts(asked.set):
    os.kill(os.getpid(), 2)
    print(asked.wait(9), shutdown.status(130))
"""
    program = Program(text, tmp_path / "left")
    assert program.end()[:2] == (0, "True 130\n")


def test_without_a_thread_signals_end_it_at_once(tmp_path: Path) -> None:
    text = """
begin()
def refuse(thread): raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
shutdown.watch()
print('over', flush=True)
time.sleep(600)
"""
    program = Program(text, tmp_path / "left", grace=None)
    assert program.process.stdout and program.process.stdout.readline() == b"over\n"
    program.process.send_signal(HUP)
    assert program.end()[0] == -HUP


CHILD = """
import multiprocessing, sys, time
from boomslang.core.system.worker import begin_child
import hashlib

def nap(pipe):
    begin_child()
    pipe.send(0)
    hashlib.pbkdf2_hmac("sha1", b"", b"", 2**31 - 1)

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    context.Process(target=nap, args=[theirs]).start()
    ours.recv()
    print("begun", flush=True)
    hashlib.pbkdf2_hmac("sha1", b"", b"", 2**31 - 1)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_child_does_not_outlive_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "parent.py"
    path.write_text(CHILD)
    with subprocess.Popen(
        [sys.executable, str(path)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout and process.stdout.readline() == b"begun\n"
        assert len(session(process.pid)) >= 2
        process.kill()
        until = time.monotonic() + TIMEOUT
        while session(process.pid):
            assert time.monotonic() < until
            time.sleep(0.01)
