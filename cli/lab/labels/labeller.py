"""Labels blocks of positions, in any process, by static evaluation or by search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import chess

from boomslang.cli.analysis.search_position import (
    AnalysedPosition,
    AnalysisSettings,
    finished_evaluation,
    searcher,
)
from boomslang.cli.lab.labels.formats import LabelFormat, Value
from boomslang.cli.lab.labels.raw_positions import LabelBlock, LabelEntry
from boomslang.engine.notation.positions import is_no_operation, read_line
from boomslang.engine.searcher.searcher import load
from boomslang.engine.searcher.static_evaluator import StaticEvaluator
from boomslang.eval.wdl.conversion import to_cp

_HALFMOVES: Final = re.compile(r"\bhmvc\s+(\d{1,5})\s*;")
_shown = cache(to_cp)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The result of a block."""

    text: str  # the rows
    good: int  # their number
    bad: tuple[tuple[str, str], ...]  # places and reasons of invalid positions


def static(
    style: LabelFormat, network: Path | None, classical: bool
) -> Callable[[LabelBlock], Labelled]:
    """For `engine.jobs.run`: a function that labels a block by static evaluation."""
    load()
    batch = StaticEvaluator(network, classical)

    def label(block: LabelBlock) -> Labelled:
        rows: list[str] = []
        bad: list[tuple[str, str]] = []
        row = style.row()
        entries = block.entries()
        scores, ends = batch.lines([entry.text for entry in entries])
        for entry, found, end in zip(entries, scores, ends, strict=True):
            score, fen, operations = found, entry.text[:end], entry.text[end + 1 :]
            if end < 0 or "hmvc" in operations or is_no_operation(operations):
                try:
                    board, fen, operations = _read(entry)
                except ValueError as problem:
                    bad.append((entry.place, str(problem)))
                    continue
                score = batch.board(board)
            shown = None if score is None else _shown(score)
            rows.append(row(entry.place, fen, operations, {"score": shown}))
        return Labelled("".join(rows), len(rows), tuple(bad))

    return label


def searching(
    style: LabelFormat, network: Path | None, classical: bool, settings: AnalysisSettings
) -> Callable[[LabelBlock], Labelled]:
    """For `engine.jobs.run`: a function that labels a block by searches, each with an empty hash table."""
    search = searcher(settings, network, classical)

    def label_of(board: chess.Board) -> Mapping[str, Value]:
        found = finished_evaluation(board) or search(AnalysedPosition.of(board))
        best = found.best
        move = best.moves[0] if best.moves else None
        san = board.san(chess.Move.from_uci(move)) if move and style.format == "epd" else None
        fields = (best.centipawns, best.mate, move, *best.wdl, best.depth, found.nodes)
        values: dict[str, Value] = dict(zip(style.columns, fields, strict=True))
        return values | {"san": san} if style.format == "epd" else values

    def label(block: LabelBlock) -> Labelled:
        rows: list[str] = []
        bad: list[tuple[str, str]] = []
        row = style.row()
        for entry in block.entries():
            try:
                board, fen, operations = _read(entry)
            except ValueError as problem:
                bad.append((entry.place, str(problem)))
                continue
            rows.append(row(entry.place, fen, operations, label_of(board)))
        return Labelled("".join(rows), len(rows), tuple(bad))

    return label


def _read(entry: LabelEntry) -> tuple[chess.Board, str, str]:
    """The board, its FEN and its operations; raises ValueError with the reason."""
    if entry.problem:
        raise ValueError(entry.problem)
    board, fen, operations = read_line(entry.text)
    if counter := _HALFMOVES.search(operations):
        board.halfmove_clock = int(counter[1])
    return board, fen, operations
