"""A loaded game with its tags, comments and variations, kept for saving."""

from __future__ import annotations

from typing import Final

import chess.pgn

from boomslang.cli.terminal.game import UserGame

# Tags about the end of a game; they are wrong if it ends otherwise.
_OF_THE_END: Final = ("Termination", "EndDate", "EndTime")


class LoadedGame:
    """The game as loaded, for saving it again."""

    def __init__(self, read: chess.pgn.Game, game: UserGame) -> None:
        """`game` is the unchanged game made from `read`."""
        self._read = read
        self._moves = game.board.move_stack.copy()
        self._outcome = game.outcome()

    def to_pgn(self, game: UserGame) -> chess.pgn.Game:
        """The current game, to be printed as PGN.

        An unchanged game is the loaded one. If it deviates from the record or continues behind it, everything
        up to there is kept, the result is the current one, and tags about the end are left out.
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
    """Make these moves the main line, without variations at the first different move; returns its end."""
    node: chess.pgn.GameNode = root
    for move in moves:
        if not node.variations or node.variations[0].move != move:
            node.variations.clear()
            node.add_main_variation(move)
        node = node.variations[0]
    node.variations.clear()
    return node
