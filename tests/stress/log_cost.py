"""`make log`: how much a debug log slows the search down.

    python -m tests.stress.log_cost --pairs 20 --nodes 2000000

One engine searches the same number of nodes from the same position again and again, by turns with and
without a log. During each search it gets as many `isready` with long arguments as fill the share of a search
in the log, and answers them; without a log, too. What counts is the processor time of the searching thread,
so other programs matter little. Exit status 1: the log costs more than a hundredth. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import statistics
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

from tests.support.process import STARTUP, UciProcess

MAX_SHARE: Final = 0.01  # of the time of a search
_POSITION: Final = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
_LINE: Final = "isready " + "x" * 500
_LOGGED: Final = len(_LINE) + 75  # bytes in the log for each, with the answer


class Search:
    """An engine whose searches are timed."""

    def __init__(self, engine: UciProcess, nodes: int, floods: int) -> None:
        self._engine = engine
        self._nodes = nodes
        self._floods = floods
        engine.send("uci", "setoption name Hash value 64", "go perft 1")
        engine.until("Nodes searched: 20$", STARTUP)

    def seconds(self, log: str) -> float:
        """Processor time of the thread that searched; `log` is a file, or `<empty>`."""
        self._engine.send(
            f"setoption name Debug Log File value {log}", "ucinewgame", f"position fen {_POSITION}"
        )
        self._engine.ready()
        before = self._thread_seconds()
        feeder = threading.Thread(target=self._feed)
        self._engine.send(f"go nodes {self._nodes}")
        feeder.start()
        answers, is_done = 0, False
        while answers < self._floods or not is_done:
            last = self._engine.until("(bestmove |readyok)")[-1]
            is_done |= last != "readyok"
            answers += last == "readyok"
        feeder.join()
        after = self._thread_seconds()
        return max(after[thread] - before.get(thread, 0.0) for thread in after)

    def _feed(self) -> None:
        for _ in range(self._floods):
            self._engine.send(_LINE)

    def _thread_seconds(self) -> dict[str, float]:
        """Processor time of each thread of the engine, which Linux counts in nanoseconds."""
        tasks = Path(f"/proc/{self._engine.process.pid}/task")
        seconds = {}
        for task in tasks.iterdir():
            with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
                seconds[task.name] = int((task / "schedstat").read_text("ascii").split()[0]) / 1e9
        return seconds


def main(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.log_cost")
    parser.add_argument("--pairs", type=int, default=10, help="searches of each kind (10)")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="nodes per search (2000000)")
    parser.add_argument("--size", type=float, default=20.0, help="log of all searches in MB (20)")
    options = parser.parse_args(argv)
    floods = math.ceil(options.size * 1e6 / options.pairs / _LOGGED)
    with tempfile.TemporaryDirectory() as folder, UciProcess() as engine:
        log = Path(folder, "engine.log")
        search = Search(engine, options.nodes, floods)
        search.seconds("<empty>")
        costs = []
        for number in range(options.pairs):
            kinds = (str(log), "<empty>") if number % 2 else ("<empty>", str(log))
            seconds = {kind: search.seconds(kind) for kind in kinds}
            costs.append(seconds[str(log)] / seconds["<empty>"] - 1)
            print(f"{seconds['<empty>']:.3f} s, with a log {seconds[str(log)]:.3f} s", flush=True)
        size = log.stat().st_size / 1e6
    cost = statistics.mean(costs)
    error = 1.96 * statistics.stdev(costs) / math.sqrt(len(costs)) if len(costs) > 1 else math.inf
    print(f"a log of {size:.1f} MB costs {100 * cost:+.2f} ± {100 * error:.2f} % of the search")
    return 1 if cost > MAX_SHARE else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
