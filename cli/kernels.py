"""The kernels that most people need, and all of them."""

from __future__ import annotations

import importlib
import pkgutil


def import_common() -> None:
    """Import the kernels of play, with either algorithm, of `eval` and of perft.

    Those of learning and of comparisons are compiled by the command that first needs them.
    """
    import boomslang.engine.mcts
    import boomslang.engine.searcher
    import boomslang.eval.classical.trace
    import boomslang.eval.network.trace
    import boomslang.perft.count  # noqa: F401


def import_all() -> None:
    """Import every kernel: those of learning, of self-play and of comparisons too."""
    for name in ("engine", "eval", "perft"):
        package = importlib.import_module(f"boomslang.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
