from collections.abc import Callable

import chess

def divide(
    board: chess.Board, depth: int, threads: int = 1, stopped: Callable[[], bool] | None = None
) -> list[tuple[chess.Move, int]]: ...
