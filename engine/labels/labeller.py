"""Labels positions by static evaluation or by search, for `boomslang.label` and the command alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import chess

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.driver.static_evaluator import StaticEvaluator
from boomslang.engine.notation.positions import is_no_operation, read_line
from boomslang.engine.search_settings import AnalysisSettings
from boomslang.eval.wdl.conversion import to_cp

_STATIC_BLOCK: Final = 5000  # positions sent to a process at once
_SEARCH_BLOCK: Final = 50  # milliseconds of work, about
_NODES_A_MS: Final = 1000
_SHALLOW: Final = 5  # plies; a position takes no longer than its way to another process
_HALFMOVES: Final = re.compile(r"\bhmvc\s+(\d{1,5})\s*;")

STATIC: Final = ("score",)
SEARCHED: Final = ("score", "mate", "move", "win", "draw", "loss", "depth", "nodes", "line")
OF_POSITION: Final = 8  # of these, the first ones; the line is told of games
LabelValue: TypeAlias = int | str | None


class Label(NamedTuple):
    """A labelled position."""

    fen: str  # as it was written
    operations: str  # of EPD, behind the position
    values: tuple[LabelValue, ...]  # by column, STATIC or SEARCHED
    san: str = ""  # the best move


@cache
def _shown(score: int | None) -> int | None:
    return None if score is None else to_cp(score)


Labeller: TypeAlias = Callable[[Sequence[str]], list[Label | str]]


def block_size(settings: AnalysisSettings | None) -> int:
    """Positions per block of work, so that communication costs little."""
    if settings is None:
        return _STATIC_BLOCK
    if settings.movetime is not None:
        return max(1, _SEARCH_BLOCK // max(settings.movetime, 1))
    if settings.nodes is not None:
        return max(1, _SEARCH_BLOCK * _NODES_A_MS // settings.nodes)
    return _SEARCH_BLOCK if (settings.depth or 0) <= _SHALLOW else 1


def new_labeller(
    settings: AnalysisSettings | None, network: Path | None = None, classical: bool = False
) -> Labeller:
    """A function that labels lines of FEN or EPD, by search or, without settings, by static evaluation.

    In place of the label of an invalid position it returns the reason. Each search begins with an empty hash
    table, so a label depends on its position alone. It has a method `stop`, by which another thread ends its
    work early. Raises ValueError if `network` is not a network file.
    """
    if settings is None:
        load_kernels()
        return _StaticLabeller(network, classical)
    return _SearchingLabeller(settings, network, classical)


class _StaticLabeller:
    def __init__(self, network: Path | None, classical: bool) -> None:
        self._evaluator = StaticEvaluator(network, classical)

    def __call__(self, texts: Sequence[str]) -> list[Label | str]:
        scores, ends = self._evaluator.lines(texts)
        return [
            Label(text, "", (_shown(score),)) if end == len(text) else self._label(text, end, score)
            for text, score, end in zip(texts, scores, ends, strict=True)
        ]

    def _label(self, text: str, end: int, score: int | None) -> Label | str:
        """The label of a line with operations, or of one that the kernel has not understood."""
        fen, operations = text[: max(end, 0)], text[end + 1 :]
        if end < 0 or "hmvc" in operations or is_no_operation(operations):
            try:
                board, fen, operations = _read(text)
            except ValueError as problem:
                return str(problem)
            score = self._evaluator.board(board)
        return Label(fen, operations, (_shown(score),))

    def stop(self) -> None:
        """A block takes some milliseconds, so there is nothing to end."""


class _SearchingLabeller:
    def __init__(self, settings: AnalysisSettings, network: Path | None, classical: bool) -> None:
        from boomslang.engine.analyst import (
            new_analyst,
        )  # not for a static evaluation: it takes time

        load_kernels()
        self._analyst = new_analyst(settings, network, classical)
        self._limits = settings.limits
        self._is_stopped = False

    def __call__(self, texts: Sequence[str]) -> list[Label | str]:
        return [self._label(text) for text in texts if not self._is_stopped]

    def stop(self) -> None:
        """End the search, and label no further position."""
        self._is_stopped = True
        self._analyst.stop()

    def _label(self, text: str) -> Label | str:
        from boomslang.engine.analyst import NO_WDL, evaluate, finished_evaluation

        try:
            board, fen, operations = _read(text)
        except ValueError as problem:
            return str(problem)
        evaluation = finished_evaluation(board)
        evaluation = evaluation or evaluate(self._analyst, board, self._limits, is_new_game=True)
        best = evaluation.best
        move, san = (best.pv[0].uci(), board.san(best.pv[0])) if best.pv else (None, "")
        score, wdl, line = best.score, best.wdl or NO_WDL, " ".join(map(chess.Move.uci, best.pv))
        values = (score.centipawns, score.mate, move, *wdl, best.depth, evaluation.nodes, line)
        return Label(fen, operations, values, san)


def _read(text: str) -> tuple[chess.Board, str, str]:
    """The board, its FEN and its operations; raises ValueError with the reason."""
    board, fen, operations = read_line(text)
    if counter := _HALFMOVES.search(operations):
        board.halfmove_clock = int(counter[1])
    return board, fen, operations
