"""The questions of an exam: what follows from positions by quiet moves, judged by an engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import chess
import chess.engine

from boomslang.cli.labels.positions import blocks, read
from boomslang.cli.match.engine_spec import EngineSpec, started
from boomslang.engine.notation.positions import read_line

_MOVES: Final = 12  # that are tried from a position
_DECIDED: Final = 500  # centipawns; which move is better does not matter any more
_NEAR: Final = 250  # centipawns behind the best move that was tried: any search sees what is worse
_PATIENCE: Final = 60.0  # seconds for a position, for judges that know no nodes
_MATE: Final = 3000  # centipawns
_AT_ONCE: Final = 1000  # lines of a file
_WANTED: Final = chess.engine.INFO_SCORE | chess.engine.INFO_PV


@dataclass(frozen=True, slots=True)
class Terms:
    """Who judges, and how long."""

    judge: EngineSpec
    nodes: int  # positions that it may visit for each
    seed: int  # of the moves that are tried


class Root(NamedTuple):
    """A position from which others follow."""

    number: int
    text: str  # FEN or EPD


def roots(files: Iterable[str], count: int, seed: int) -> list[Root]:
    """So many positions of files, drawn by lot, or all if there are less; raises FileError.

    What is no position is passed over.
    """
    found = dict.fromkeys(
        entry.text
        for file in files
        for block in blocks(read(file), _AT_ONCE)
        for entry in block.entries()
        if not entry.problem
    )
    texts = list(found)
    random.Random(seed).shuffle(texts)  # noqa: S311
    sound = (text for text in texts if _board(text))
    return [Root(number, text) for number, text in enumerate(islice(sound, count))]


def _board(text: str) -> chess.Board | None:
    try:
        return read_line(text)[0]
    except ValueError:
        return None


def setter(terms: Terms) -> Callable[[Root], list[str]]:
    """For `engine.jobs.run`: the lines of an exam that a position gives, none if it is no good for one.

    Nor is one that the judge cannot play, such as Chess960 to many. The function raises OSError, ValueError
    or EngineError if the judge cannot be started.
    """

    def questions(root: Root) -> list[str]:
        board = _board(root.text)
        if board is None:
            return []
        with started(terms.judge) as engine:
            try:
                return list(_questions(engine, board, root.number, terms))
            except (chess.engine.EngineError, TimeoutError):
                return []

    return questions


def _questions(
    engine: chess.engine.SimpleEngine, board: chess.Board, number: int, terms: Terms
) -> Iterator[str]:
    limit = chess.engine.Limit(nodes=terms.nodes, time=_PATIENCE)
    score, _ = _judged(engine, board, limit)
    moves = [move for move in board.legal_moves if _is_calm(board, move)]
    random.Random(f"{terms.seed} {number}").shuffle(moves)  # noqa: S311
    found: list[tuple[int, str]] = []
    for move in moves[:_MOVES] if abs(score) < _DECIDED else ():
        board.push(move)
        score, reply = _judged(engine, board, limit)
        # Whether something can be taken is for the quiescence search to say, not for an evaluation.
        if reply and not board.is_capture(reply) and not reply.promotion:
            found.append((score, board.epd(shredder=board.chess960)))
        board.pop()
    best = min((score for score, _ in found), default=0)  # for the opponent of who moved
    near = [(score, epd) for score, epd in found if score - best < _NEAR]
    for score, epd in near if len(near) > 1 else ():
        yield f'{epd} id "{number}"; ce {score};'


def _is_calm(board: chess.Board, move: chess.Move) -> bool:
    return not (board.is_capture(move) or move.promotion or board.gives_check(move))


def _judged(
    engine: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit
) -> tuple[int, chess.Move | None]:
    """Centipawns for the side to move, and its best move; decided where there is none."""
    info = engine.analyse(board, limit, info=_WANTED)
    line, score = info.get("pv"), info.get("score")
    if not line or score is None:
        return _MATE, None
    return score.relative.score(mate_score=_MATE), line[0]
