"""Programs that close the engine, or its tables, under a running search, or interrupt it twice.

    python -m tests.stress.closing --tables FOLDER FOLDER5 --programs 200

Each is a process of its own: it must end by itself, without a crash, and with no thread of the search left.
Then searches with two threads, each with tables set anew: none may fail. Exit status 1: something did.
"""

from __future__ import annotations

import argparse
import itertools
import random
import signal
import subprocess
import sys
import time
from typing import Final

from tests.support.places import ROOT

WAYS: Final = (
    "close",
    "close in on_info",
    "path",
    "path in on_info",
    "Ctrl-C twice",
    "end of with",
)
_TIMEOUT: Final = 120  # seconds
_PROGRAM: Final = """
import faulthandler, os, random, signal, sys, threading, time
faulthandler.enable()
from boomslang import CommandError, Engine, Limits
way, path, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
dice = random.Random(seed)
FEN = "8/1k6/2p5/3r4/8/3B1P2/4P3/4K3 w - - 0 1"
engine = Engine(lambda remark: None, Hash=1, Threads=2, SyzygyPath=path)
engine.set_position(FEN)
wait = dice.random() / 2
told = 0

def listen(info):
    global told
    told += 1
    if told == 3 and way == "close in on_info":
        engine.close()
    if told == 3 and way == "path in on_info":
        engine.set_option("SyzygyPath", "")

def search():
    try:
        engine.go(Limits(infinite=True), listen)
    except Exception as problem:
        if "in on_info" not in str(problem):
            raise

def interrupt():
    time.sleep(wait)
    for _ in range(dice.choice((2, 2, 3))):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(dice.random() / 200)

def later():
    time.sleep(0.3)
    engine.stop()

if way == "Ctrl-C twice":
    thread = threading.Thread(target=interrupt)
    thread.start()
    while thread.is_alive():
        try:
            engine.go(Limits(nodes=3000), listen)
        except KeyboardInterrupt:
            pass
    try:
        thread.join()
    except KeyboardInterrupt:
        thread.join()
else:
    thread = threading.Thread(target=search, daemon=True)
    if way == "end of with":
        with engine:
            thread.start()
            time.sleep(wait)
    else:
        thread.start()
        if "in on_info" not in way:
            time.sleep(wait)
        if way == "close":
            engine.close()
        if way == "path":
            threading.Thread(target=later).start()
            engine.set_option("SyzygyPath", "")
    thread.join(60)
left = [thread.name for thread in threading.enumerate() if thread.name.startswith("search ")]
if "close" in way or "with" in way:
    try:
        engine.go(Limits(depth=4))
        left.append("a closed engine that searches")
    except CommandError:
        pass
else:
    engine.set_option("SyzygyPath", path)
    assert engine.go(Limits(depth=4)).best
print("left", left, thread.is_alive())
"""


def run(way: str, path: str, seed: int) -> str:
    """Run one program; returns what was wrong, or nothing."""
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM, way, path, str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    good = ended.returncode == 0 and ended.stdout == "left [] False\n" and not ended.stderr
    return "" if good else f"{way}, {seed}: {ended.returncode} {ended.stdout}{ended.stderr}"


def search_anew(path: str, count: int) -> list[str]:
    """Search that often with two threads and tables set anew; returns what was said of failures."""
    from boomslang.engine.engine import Engine
    from boomslang.engine.limits import Limits
    from tests.support.syzygy import random_board

    said: list[str] = []
    dice = random.Random(1)
    names = ("KRPvKR", "KBBvKN", "KQvKP", "KPPvKP", "KRBvKP")
    with Engine(said.append, Hash=1, Threads=2) as engine:
        for _ in range(count):
            board = random_board(dice.choice(names), dice)
            if any(board.legal_moves):
                engine.set_option("SyzygyPath", path)
                engine.set_position(board)
                engine.go(Limits(movetime=20))
    return [line for line in said if "error" in line]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--programs", type=int, default=200, metavar="N", help="programs (200)")
    parser.add_argument("--searches", type=int, default=2000, metavar="N", help="searches (2000)")
    arguments = parser.parse_args()
    path = ";".join(arguments.tables)
    started = time.monotonic()
    wrong = []
    for way, seed in zip(itertools.cycle(WAYS), range(arguments.programs), strict=False):
        if problem := run(way, path, seed):
            wrong.append(problem)
            print(problem, flush=True)
        if not (seed + 1) % 20:
            print(f"{seed + 1} programs, {len(wrong)} failed", flush=True)
    print(f"{arguments.programs} programs, {len(wrong)} failed", flush=True)
    failed = search_anew(path, arguments.searches)
    print(f"{arguments.searches} searches, {len(failed)} failed", *failed, sep="\n")
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
