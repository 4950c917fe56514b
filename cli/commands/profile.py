"""`boomslang profile`: time spent in each part of the search."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, run_command, whole_number
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import page, say
from boomslang.cli.terminal.progress import load_kernels
from boomslang.engine.core.system import installation

if TYPE_CHECKING:
    from boomslang.engine.core.system.profiling import Part

_PAGE: Final = 100  # columns without a terminal
_SWITCH: Final = "BOOMSLANG_PROFILE"
_DESCRIPTION: Final = """\
Search the bench positions in an instrumented build and show the exclusive time of each part of the search.
The build is compiled anew each time, in about a minute.

Nothing else should run meanwhile. The overhead of the timers is measured and subtracted. A memory access is
charged where its value is used, which may be in another part, so the shares are approximate. To compare two
versions, alternate runs of "boomslang bench" instead.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang profile", _DESCRIPTION)
    parser.add_argument(
        "depth",
        nargs="?",
        type=whole_number(1, 64),
        metavar="DEPTH",
        help="search depth in plies (that of bench)",
    )
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `profile`; return the exit status."""
    return run_command(new_parser(), argv, _profile)


def _profile(arguments: argparse.Namespace) -> int:
    if os.environ.get(_SWITCH) != "1":  # kernels are defined at import, so a new process is needed
        words = [sys.executable, "-P", installation.ENTRY_POINT, "profile"]
        words += [str(arguments.depth)] if arguments.depth else []
        return subprocess.run(words, env=os.environ | {_SWITCH: "1"}).returncode  # noqa: S603
    from boomslang.engine import bench
    from boomslang.engine.core.system import profiling
    from boomslang.engine.core.system.jit import jit

    load_kernels()
    profiling.now(jit)  # it is compiled now, and no clock runs yet
    profiling.reset()
    seconds, begun = time.perf_counter(), profiling.now(jit)
    nodes = bench.run(arguments.depth or bench.DEPTH, write=lambda _: None)
    seconds, total = time.perf_counter() - seconds, profiling.now(jit) - begun
    parts, overhead = profiling.parts(jit)
    _print_parts(parts, nodes, total - overhead, seconds / total)
    say(f"{nodes:,} nodes; the timers took {overhead / total:.0%} of {seconds:.1f} s")
    return 0


def _print_parts(parts: list[Part], nodes: int, total: float, second: float) -> None:
    """Print a row for each part; `total` and the times of the parts are ticks of `second` seconds."""
    table = Table("part", box=None)
    for name in ("share", "calls/node", "ns/call"):
        table.add_column(name, justify="right")
    for part in sorted(parts, key=lambda part: -part.own):
        nanoseconds = part.own / part.calls * second * 1e9 if part.calls else 0.0
        table.add_row(
            part.name, f"{part.own / total:.1%}", f"{part.calls / nodes:.2f}", f"{nanoseconds:.0f}"
        )
    rest = total - sum(part.own for part in parts)
    table.add_row("the search itself", f"{rest / total:.1%}", "", "")
    Console(width=page(_PAGE)).print(table)
