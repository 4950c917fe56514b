"""`boomslang profile`: time spent in each part of the search."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, page, say
from boomslang.cli.terminal.progress import load_kernels
from boomslang.core.system import installation
from boomslang.engine.settings import whole

if TYPE_CHECKING:
    from boomslang.core.jit.profiling import Part

_PAGE: Final = 100  # columns without a terminal
_OWN_SHARE: Final = 0.95  # share of a processor: with less the ticks count other programs
_OTHERS_SHARE: Final = 0.3  # share of a processor: with more they compete for memory and caches
_MIN_SECONDS: Final = 1.0  # seconds
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
    parser.option("depth DEPTH", whole(1, 64), "search depth in plies (that of bench)", nargs="?")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang profile`; returns the exit status."""
    if os.environ.get(_SWITCH) != "1":  # kernels are defined at import, so a new process is needed
        words = [sys.executable, "-P", installation.ENTRY_POINT, "profile"]
        words += [str(arguments.depth)] if arguments.depth else []
        return subprocess.run(words, env=os.environ | {_SWITCH: "1"}).returncode  # noqa: S603
    from boomslang.core.jit import profiling
    from boomslang.core.jit.jit import jit
    from boomslang.engine.driver import bench

    load_kernels()
    profiling.now(jit)  # it is compiled now, and no clock runs yet
    profiling.reset()
    own, all_programs = time.process_time(), _processor_time()
    seconds, begun = time.perf_counter(), profiling.now(jit)
    nodes = bench.run(arguments.depth or bench.DEPTH, write=lambda _: None)
    seconds, total = time.perf_counter() - seconds, profiling.now(jit) - begun
    own, all_programs = time.process_time() - own, _processor_time() - all_programs
    parts, overhead = profiling.parts(jit)
    _print_parts(parts, nodes, total - overhead, seconds / total)
    say(f"{nodes:,} nodes; the timers took {overhead / total:.0%} of {seconds:.1f} s")
    if warning := _warning(seconds, own, all_programs - own):
        complain(f"boomslang profile: {warning}")
    return 0


def _processor_time() -> float:
    """Seconds that all programs together have spent on all processors; 0 where the system does not say."""
    try:
        first = Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()
    except OSError:
        return 0.0
    # Without idle and waiting.
    user, nice, system, _, _, interrupts, soft, stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _warning(seconds: float, own: float, others: float) -> str:
    """Why a profile of so many seconds is not to be trusted; empty if nothing speaks against it.

    `own` and `others` are the seconds of processor time of this and of all other processes meanwhile.
    """
    if own < _OWN_SHARE * seconds:
        why = f"the search got {own / seconds:.0%} of a processor"
    elif others > _OTHERS_SHARE * seconds:
        why = f"other programs used {others / seconds:.1f} processors"
    elif seconds < _MIN_SECONDS:
        return f"{seconds:.1f} s are too short for these shares; search deeper"
    else:
        return ""
    return (
        f"the machine is busy: {why}, so these shares are wrong; repeat with nothing else running"
    )


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
