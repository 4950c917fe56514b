"""The columns of a label, and the label itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import chess

STATIC: Final = ("score",)
SEARCHED: Final = ("score", "mate", "move", "win", "draw", "loss", "depth", "nodes")
MAX_LINE: Final = 10_000  # characters of a position in the input

LabelValue: TypeAlias = int | str | None


class Label(NamedTuple):
    """A labelled position."""

    fen: str  # as it was written
    operations: str  # of EPD, behind the position
    values: tuple[LabelValue, ...]  # by column, STATIC or SEARCHED
    board: chess.Board | None = None  # of a searched one
