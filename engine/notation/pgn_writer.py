"""Games as standard PGN text."""

from __future__ import annotations

from typing import Final

import chess.pgn

from boomslang.engine.notation.tags import escape

COLUMNS: Final = 80


_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


class _Exporter(chess.pgn.StringExporter):
    """Escapes quotes in tags and validates Result, which python-chess does not."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        super().visit_header(tagname, escape(tagvalue))

    def visit_result(self, result: str) -> None:
        super().visit_result(result if result in _RESULTS else "*")


def format_pgn(game: chess.pgn.Game, *, bare: bool = False) -> str:
    """The game in PGN, `bare` without comments and variations; there is no line end behind it."""
    return game.accept(_Exporter(columns=COLUMNS, comments=not bare, variations=not bare))
