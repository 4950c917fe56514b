"""Games of a match as PGN, with the scores, depths and clocks of the engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import chess
import chess.pgn
from chess.engine import Cp, Mate, PovScore

from boomslang.engine.match.match_game import MoveScore
from boomslang.engine.match.pairs import Pair
from boomslang.engine.notation.pgn_writer import format_pgn


def in_pgn(pair: Pair, names: Sequence[str]) -> Iterator[str]:
    """Both games as PGN, with the names of the engines. Raises ValueError for moves that are not legal."""
    one, other = (names[number] for number in pair.players)
    for game, (white, black) in zip(pair.games, ((one, other), (other, one)), strict=True):
        board = chess.Board(pair.opening.fen, chess960=pair.opening.chess960)
        try:
            for move in game.moves:
                board.push_uci(move)
        except ValueError as problem:
            raise ValueError(
                f"pair {pair.number + 1} of the journal is damaged: {problem}"
            ) from None
        pgn = chess.pgn.Game.from_board(board)
        headers = {
            "Event": "boomslang match",
            "Round": str(pair.number + 1),
            "White": white,
            "Black": black,
            "Result": ("0-1", "1/2-1/2", "1-0")[game.result + 1],
            "Termination": game.reason,
        }
        for name, value in headers.items():
            pgn.headers[name] = value
        played = list(pgn.mainline())[len(pair.opening.moves) :]
        for node, score in zip(played, game.scores, strict=True):
            _add_score(node, score)
        yield f"{format_pgn(pgn)}\n\n"


def _add_score(node: chess.pgn.ChildNode, score: MoveScore) -> None:
    if score.mate is not None:
        node.set_eval(PovScore(Mate(score.mate), chess.WHITE), score.depth)
    elif score.centipawns is not None:
        node.set_eval(PovScore(Cp(score.centipawns), chess.WHITE), score.depth)
    if score.clock is not None:
        node.set_clock(max(score.clock, 0.0))
