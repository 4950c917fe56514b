"""Time of a probe inside a kernel, warm, by number of pieces.

python -m tests.stress.probe_speed --tables FOLDER FOLDER5
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

import numpy as np

from boomslang.engine import bridge
from boomslang.engine.board.constants import I, U
from boomslang.engine.board.position import (
    POSITION,
    Positions,
    Rules,
    empty_position,
    new_record,
    position_t,
    rules_t,
)
from boomslang.engine.jit.instructions import clock_ns
from boomslang.engine.jit.jit import kernel, load_kernels, types, void
from boomslang.engine.tablebases.probe import probe_dtz, probe_wdl
from boomslang.engine.tablebases.probe_record import PROBE, Probe, probe_t
from boomslang.engine.tablebases.table_files import DTZ, WDL
from tests.support.oracle import rules
from tests.support.syzygy import Reader, random_board

_numbers_t: Any = types.int64[::1]
_positions_t: Any = position_t[::1]


@kernel(void(rules_t, _positions_t, probe_t, _numbers_t, _numbers_t))
def _measure(rules: Rules, positions: Positions, probe: Probe, wdl: Any, dtz: Any) -> None:
    """Nanoseconds of a probe of each position's result and distance, in place."""
    for number in range(positions.size):
        begun = clock_ns(I(0))
        probe_wdl(rules, positions[U(number)], probe)
        between = clock_ns(I(0))
        probe_dtz(rules, positions[U(number)], probe)
        wdl[U(number)] = between - begun
        dtz[U(number)] = clock_ns(I(0)) - between


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--positions", type=int, default=500, metavar="N", help="a table (500)")
    arguments = parser.parse_args()
    load_kernels()
    reader = Reader(*arguments.tables)
    source = random.Random(1)
    probe = new_record(PROBE)
    probe.tables = reader.files.address
    one = empty_position()
    for piece_count in sorted({len(name) - 1 for name in reader.files.names}):
        names = [name for name in reader.files.names if len(name) - 1 == piece_count]
        positions = np.zeros(arguments.positions * len(names), POSITION)
        for number in range(len(positions)):
            name = names[number % len(names)]
            reader.files.open(name, WDL)
            reader.files.open(name, DTZ)
            bridge.to_position(rules(), random_board(name, source), one)
            positions[number] = one
        wdl, dtz = np.zeros(len(positions), np.int64), np.zeros(len(positions), np.int64)
        for _ in range(3):  # the last is warm
            _measure(rules(), positions, probe, wdl, dtz)
        for what, times in (("results", wdl), ("distances", dtz)):
            median, mean, most = np.median(times), times.mean(), np.percentile(times, 99)
            print(
                f"{piece_count} pieces, {what}: median {median:.0f} ns, mean {mean:.0f}, 99 % {most:.0f}"
            )


if __name__ == "__main__":
    main()
