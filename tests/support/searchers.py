"""The inside of a searcher, for tests of its parts."""

from __future__ import annotations

import chess

from boomslang.engine.driver.alphabeta import AlphaBetaSearcher
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits, Result
from boomslang.engine.options import Value, find


def ask(player: Searcher, board: chess.Board | str, limits: Limits) -> tuple[Result, list[Info]]:
    """The answer of a search that nobody has stopped, and its lines."""
    infos: list[Info] = []
    position = chess.Board(board) if isinstance(board, str) else board
    player.clear_stop()
    return player.search(position, limits, infos.append), infos


def alpha_beta(searcher: Searcher) -> AlphaBetaSearcher:
    """The algorithm of a searcher that has not been told to use another."""
    assert isinstance(searcher._algorithm, AlphaBetaSearcher)
    return searcher._algorithm


def set_option(searcher: Searcher, name: str, value: Value) -> str | None:
    """What the engine does for a search option; returns its message."""
    setter = find(name).search_setter
    assert setter, f"{name} is no option of a search"
    return setter(searcher, value)
