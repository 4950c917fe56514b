"""All kernels that there are."""

from __future__ import annotations


def import_all() -> None:
    """Import all that has kernels: those of play, and others that are wanted now and then."""
    import engine.mcts
    import engine.player  # noqa: F401
    import eval.classical.trace  # noqa: F401
    import perft.count  # noqa: F401
