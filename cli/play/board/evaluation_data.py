"""The static evaluation of a position, in parts, as data for a page.

This runs in a child process (`cli.play.board.helper`), which keeps the kernels loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.eval.wdl import conversion

if TYPE_CHECKING:
    from boomslang.engine.driver.searcher import Searcher


_MAX_SHARES: Final = 5


def evaluate(
    fen: str,
    chess960: bool,
    moves: Sequence[chess.Move],
    classical: bool,
    rating: int | None,
) -> dict[str, Any]:
    """The evaluation of a position by the network, or the `classical` one, and what people play.

    With a rating `people` has the most frequent moves of players with it, and their shares in per cent.

    `rows` are its parts, centipawns in White's view; they add up to `score`, which a search displays
    as `shown`. `places` is the value of each piece (classical: of its square), by square, in its owner's
    view. In check there is only `check`.
    """
    board = chess.Board(fen, chess960=chess960)
    for move in moves:
        board.push(move)
    return _evaluation(board, classical) | {"people": _people(board, rating)}


def _people(board: chess.Board, rating: int | None) -> list[dict[str, Any]]:
    if rating is None or not any(board.legal_moves):
        return []
    from boomslang.engine.analysis.people_moves import people

    shares = list(people(board, rating).items())[:_MAX_SHARES]
    return [{"san": board.san(move), "share": round(100 * share)} for move, share in shares]


def _evaluation(board: chess.Board, classical: bool) -> dict[str, Any]:
    trace = _player().explain(board, classical)
    if trace is None:
        return {"check": True}
    from boomslang.eval.network.trace import NetworkTrace

    of_network = isinstance(trace, NetworkTrace)
    rows = [
        {
            "name": row.name,
            "white": getattr(row, "white", None),
            "black": getattr(row, "black", None),
            "score": row.score,
        }
        for row in trace.rows
    ]
    return {
        "check": False,
        "network": of_network,
        "rows": rows,
        "places": {chess.square_name(square): worth for square, worth in trace.places.items()},
        "score": trace.score,
        "shown": conversion.to_cp(trace.score),
        "stage": trace.stage if isinstance(trace, NetworkTrace) else trace.phase,
        "decides": trace.decides if isinstance(trace, NetworkTrace) else True,
    }


@cache
def _player() -> Searcher:
    from boomslang.engine.driver import searcher

    searcher.load()
    return searcher.Searcher(hash_mb=1)
