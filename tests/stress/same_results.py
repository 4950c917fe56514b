"""What must be the same on every processor, as JSON: the bench, three perfts, and a Monte Carlo search.

    python -m tests.stress.same_results

Kernels are compiled first, with a line on standard error every now and then. `make arm` runs this program on
two kinds of processor and compares.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from typing import Any, Final

import chess

NODES: Final = 3000  # of the Monte Carlo search
_REPORT_EVERY: Final = 20.0  # seconds
_MIDDLEGAME: Final = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
# The position, its depth, and the known count.
PERFTS: Final = (
    (chess.STARTING_FEN, 4, 197281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624),
)


def load() -> None:
    """Compile or load all kernels that play."""
    from boomslang.core.jit import jit
    from boomslang.engine.driver.precompiling import import_kernels

    begun = last = time.monotonic()
    import_kernels()

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() > last + _REPORT_EVERY or done == total:
            last = time.monotonic()
            print(f"kernels: {done} of {total}, {last - begun:.0f} s", file=sys.stderr, flush=True)

    jit.load_kernels(report)


def monte_carlo() -> dict[str, Any]:
    """The last line of a search with a fixed number of nodes on one thread."""
    from boomslang.engine.driver.searcher import Searcher
    from boomslang.engine.limits import Info, Limits

    player = Searcher(hash_mb=16)
    player.set_algorithm("mcts")
    player.clear_stop()
    infos: list[Info] = []
    result = player.search(chess.Board(_MIDDLEGAME), Limits(nodes=NODES), infos.append)
    last = infos[-1]
    return {
        "best": str(result.best),
        "nodes": last.nodes,
        "score": str(last.score),
        "pv": " ".join(move.uci() for move in last.pv),
    }


def results() -> dict[str, Any]:
    """All of it; kernels must be loaded."""
    from boomslang.engine.driver import bench
    from boomslang.perft.divide import PerftCounter

    return {
        "bench": bench.run(write=lambda _: None),
        "perft": [PerftCounter().count(chess.Board(fen), depth) for fen, depth, _ in PERFTS],
        "Monte Carlo": monte_carlo(),
    }


def main() -> int:
    """Print machine, processor and results."""
    load()
    from boomslang.core.jit import jit

    begun = time.monotonic()
    found = {"machine": platform.machine(), "processor": jit.cpu_name(), **results()}
    print(f"searched for {time.monotonic() - begun:.0f} s", file=sys.stderr)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
