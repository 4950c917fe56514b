"""The info lines of a search as data for a page: scores from White's view, moves in SAN."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, Final

import chess
import chess.engine

_MAX_MOVES: Final = 16  # maximum number of displayed moves per line


class InfoData:
    """The newest lines of one search, by rank."""

    def __init__(self, board: chess.Board, about: dict[str, Any]) -> None:
        """`about` is added to every message."""
        self._board = board
        self._about = about
        self._lines: dict[int, chess.engine.InfoDict] = {}
        self._last: chess.engine.InfoDict = {}

    def record(self, info: chess.engine.InfoDict) -> bool:
        """Add an info line; True if the page should show it."""
        if "score" not in info or not info.get("pv"):
            return False
        self._lines[info.get("multipv", 1)] = info
        self._last = info
        return True

    def hope(self) -> float | None:
        """The score for the side to move in centipawns, infinite for a mate; None if unknown."""
        best = self._lines.get(1)
        if best is None:
            return None
        score = best["score"].relative
        mate = score.mate()
        if mate is not None:
            return inf if mate > 0 else -inf
        return float(score.score() or 0)

    def message(self) -> dict[str, Any]:
        """All lines, best first, and the progress of the search."""
        last = self._last
        return {
            **self._about,
            "fen": self._board.fen(),
            "depth": last.get("depth", 0),
            "seldepth": last.get("seldepth", 0),
            "nodes": last.get("nodes", 0),
            "nps": last.get("nps", 0),
            "seconds": last.get("time", 0.0),
            "hashfull": last.get("hashfull", 0),
            "lines": [self._line(self._lines[rank]) for rank in sorted(self._lines)],
        }

    def _line(self, info: chess.engine.InfoDict) -> dict[str, Any]:
        score = info["score"].white()
        chances = info.get("wdl")
        return {
            "cp": score.score(),
            "mate": score.mate(),
            "chances": list(chances.white()) if chances else None,
            "depth": info.get("depth", 0),
            "moves": line_data(self._board, info.get("pv", [])[:_MAX_MOVES]),
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
