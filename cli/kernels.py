"""The kernels that most people need."""

from __future__ import annotations


def import_common() -> None:
    """Import the kernels of play, with either algorithm, of `eval` and of perft.

    Those of learning and of comparisons are compiled by the command that first needs them.
    """
    import engine.mcts
    import engine.player  # noqa: F401
    import eval.classical.trace
    import eval.network.trace  # noqa: F401
    import perft.count  # noqa: F401
