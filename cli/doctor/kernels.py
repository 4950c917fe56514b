"""Imports of the kernels: those needed for play, or all of them."""

from __future__ import annotations

import importlib
import pkgutil


def import_common() -> None:
    """Import the kernels of both searches, of tablebases, of `eval` and of perft.

    Those of training and of the comparisons are compiled by the command that first needs them.
    """
    import boomslang.engine.searcher.mcts
    import boomslang.engine.searcher.searcher
    import boomslang.engine.tablebases.checksum
    import boomslang.engine.tablebases.probe
    import boomslang.eval.classical.trace
    import boomslang.eval.network.trace
    import boomslang.perft.count  # noqa: F401


def import_all() -> None:
    """Import every kernel, including those of training, self-play and the comparisons."""
    for name in ("engine", "eval", "perft"):
        package = importlib.import_module(f"boomslang.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            # Jobs have no kernels, and clusters need Dask, which may just be being installed.
            if not module.name.startswith("boomslang.engine.jobs."):
                importlib.import_module(module.name)
