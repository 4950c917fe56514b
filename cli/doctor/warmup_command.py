"""`boomslang warmup`: compilation of the kernels ahead of time."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import time
from typing import Final

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import kernel_progress, load_kernels
from boomslang.core.system.installation import PACKAGES

_DESCRIPTION = "Compile the kernels before the first game, or check that they are in the cache."

_WITHOUT_KERNELS: Final = ("boomslang.engine.jobs.", "boomslang.engine.other_engines.")


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang warmup", _DESCRIPTION)
    parser.flag(
        "--all",
        "all kernels, including those of datagen, train and the algorithm comparisons",
    )
    return parser


@with_arguments(new_parser)
def main(options: argparse.Namespace) -> int:
    """Load or compile the kernels; returns 1 if they cannot be cached."""
    console = Console(soft_wrap=True)
    started = time.monotonic()
    with kernel_progress("Importing Numba") as show:
        if options.all:
            import_all()
        else:
            import_common()
        load_kernels(show)
    seconds = time.monotonic() - started

    from boomslang.core.jit import jit

    cache = jit.kernel_cache()
    console.print(f"Kernels ready after {seconds:.1f} s.")
    if cache.remark:
        console.print(cache.remark)
    if cache.folder is not None:
        console.print(f"Kernel cache: {cache.folder}")
    return 0 if cache.folder is not None or jit.DISABLED else 1


def import_common() -> None:
    """Import the kernels of both searches, of levels, of tablebases, of `eval` and of perft.

    Those of training and of the comparisons are compiled by the command that first needs them.
    """
    import boomslang.engine.driver.mcts
    import boomslang.engine.driver.searcher
    import boomslang.engine.people.model
    import boomslang.engine.tablebases.checksum
    import boomslang.engine.tablebases.probe
    import boomslang.eval.classical.trace
    import boomslang.eval.network.trace
    import boomslang.perft.count  # noqa: F401


def import_all(*left_out: str) -> None:
    """Import every kernel, including those of training, self-play and the comparisons.

    Modules whose names begin with one of `left_out` are not imported.
    """
    for name in PACKAGES[:-2]:  # the protocols and the commands have no kernels
        package = importlib.import_module(f"boomslang.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            # These have no kernels, and clusters need Dask, which may just be being installed.
            if not module.name.startswith((*_WITHOUT_KERNELS, *left_out)):
                importlib.import_module(module.name)
