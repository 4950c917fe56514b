"""The inside of a searcher, for tests of its parts."""

from __future__ import annotations

from boomslang.engine.searcher.alphabeta import AlphaBetaSearcher
from boomslang.engine.searcher.searcher import Searcher


def alpha_beta(searcher: Searcher) -> AlphaBetaSearcher:
    """The algorithm of a searcher that has not been told to use another."""
    assert isinstance(searcher._algorithm, AlphaBetaSearcher)
    return searcher._algorithm
