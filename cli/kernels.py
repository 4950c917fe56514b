"""The kernels that most people need, and all of them."""

from __future__ import annotations

import importlib
import pkgutil


def import_common() -> None:
    """Import the kernels of play, with either algorithm, of `eval` and of perft.

    Those of learning and of comparisons are compiled by the command that first needs them.
    """
    import engine.mcts
    import engine.player  # noqa: F401
    import eval.classical.trace
    import eval.network.trace  # noqa: F401
    import perft.count  # noqa: F401


def import_all() -> None:
    """Import every kernel: those of learning, of self-play and of comparisons too."""
    import engine
    import eval  # noqa: A004 - one of our packages
    import perft

    for package in (engine, eval, perft):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
