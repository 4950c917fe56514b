"""The info lines of a search as data for a page: scores from White's view, moves in SAN."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import chess

from boomslang.engine.limits import ExactLines, Info, Score

_MAX_MOVES: Final = 16  # maximum number of displayed moves per line


class InfoData:
    """The newest lines of one search."""

    def __init__(self, board: chess.Board, about: dict[str, Any]) -> None:
        """`about` is added to every message."""
        self._board = board
        self._about = about
        self._exact = ExactLines()
        self._last: Info | None = None

    def record(self, info: Info) -> None:
        """Add a line; one with a bound tells nothing but how far the search is."""
        self._last = info
        self._exact.add(info)

    def hope(self) -> Score | None:
        """The score for the side to move; None if unknown."""
        return self._exact.lines[0].score if self._exact.lines else None

    def message(self) -> dict[str, Any]:
        """All lines, best first, and the progress of the search."""
        last = self._last
        return {
            **self._about,
            "fen": self._board.fen(),
            "depth": last.depth if last else 0,
            "seldepth": last.seldepth if last else 0,
            "nodes": last.nodes if last else 0,
            "nps": last.nps if last else 0,
            "seconds": last.time / 1000 if last else 0.0,
            "lines": list(map(self._line, self._exact.lines)),
        }

    def _line(self, info: Info) -> dict[str, Any]:
        is_white = self._board.turn
        score = info.score if is_white else -info.score
        return {
            "cp": score.centipawns,
            "mate": score.mate,
            "chances": info.wdl and list(info.wdl)[:: 1 if is_white else -1],
            "moves": line_data(self._board, info.pv[:_MAX_MOVES]),
        }


def line_data(start: chess.Board, moves: Iterable[chess.Move]) -> list[dict[str, Any]]:
    """The moves of a line, each with its number and the position behind it."""
    board = start.copy(stack=False)
    line = []
    for move in moves:
        squares = board.uci(move)
        number = f"{board.fullmove_number}{'.' if board.turn else '…'}"
        san = board.san_and_push(move)
        line.append({"san": san, "squares": squares, "number": number, "board": board.board_fen()})
    return line
