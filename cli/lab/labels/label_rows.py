"""Labels blocks of the input, in any process, and writes their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess

from boomslang.cli.lab.labels.formats import LabelFormat
from boomslang.engine.labels.labeller import new_labeller
from boomslang.engine.labels.raw_positions import LabelBlock
from boomslang.engine.search_settings import AnalysisSettings


@dataclass(frozen=True, slots=True)
class Labelled:
    """The result of a block."""

    text: str  # the rows
    good: int  # their number
    bad: tuple[tuple[str, str], ...]  # places and reasons of invalid positions


def row_writer(
    style: LabelFormat,
    settings: AnalysisSettings | None,
    network: Path | None,
    classical: bool,
) -> Callable[[LabelBlock], Labelled]:
    """For `engine.jobs.run`: a function that labels a block; see `new_labeller`."""
    label_lines = new_labeller(settings, network, classical)
    row = style.row()

    def label(block: LabelBlock) -> Labelled:
        rows: list[str] = []
        bad: list[tuple[str, str]] = []
        entries = block.entries()
        labels = iter(label_lines([entry.text for entry in entries if not entry.problem]))
        for entry in entries:
            found = entry.problem or next(labels)
            if isinstance(found, str):
                bad.append((entry.place, found))
                continue
            values = dict(zip(style.columns, found.values, strict=True))
            if style.format == "epd" and found.board and (move := values.get("move")):
                values["san"] = found.board.san(chess.Move.from_uci(str(move)))
            rows.append(row(entry.place, found.fen, found.operations, values))
        return Labelled("".join(rows), len(rows), tuple(bad))

    return label
