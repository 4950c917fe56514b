"""A loaded game with its tags, comments and variations, which are written again."""

from __future__ import annotations

from typing import Final

import chess.pgn

from boomslang.cli.play.game import TerminalGame

# Tags that say how and when it ended; they are wrong when it ends otherwise.
_OF_THE_END: Final = ("Termination", "EndDate", "EndTime")


class LoadedGame:
    """What was read, to be written again."""

    def __init__(self, read: chess.pgn.Game, game: TerminalGame) -> None:
        """`game` is what was made of it, before anybody changes it."""
        self._read = read
        self._moves = game.board.move_stack.copy()
        self._outcome = game.outcome()

    def written(self, game: TerminalGame) -> chess.pgn.Game:
        """The game as it is now, to be printed as PGN.

        If it is the one that was read, that is what was read. If it leaves the record somewhere, or goes
        on behind it, all up to there is kept, the result is the game's own, and what was said about the
        end is left out.
        """
        moves, ended = game.board.move_stack, game.outcome()
        if moves == self._moves and ended == self._outcome:
            return self._read
        written = self._read.accept(chess.pgn.GameBuilder())
        written.headers = chess.pgn.Headers(self._read.headers)
        last = _follow(written, moves)
        if ended and game.result:
            last.comment = f"{last.comment} {game.reason}".strip()
        written.headers["Result"] = ended[0] if ended else "*"
        if "PlyCount" in written.headers:
            written.headers["PlyCount"] = f"{len(moves)}"
        for tag in _OF_THE_END:
            written.headers.pop(tag, None)
        return written


def _follow(root: chess.pgn.Game, moves: list[chess.Move]) -> chess.pgn.GameNode:
    """Make the main line these moves, without what stood beside the first that differs; returns its end."""
    node: chess.pgn.GameNode = root
    for move in moves:
        if not node.variations or node.variations[0].move != move:
            node.variations.clear()
            node.add_main_variation(move)
        node = node.variations[0]
    node.variations.clear()
    return node
