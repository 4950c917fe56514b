"""The walk down to the position in which another engine has other moves, by its `go perft`.

Where the counts of two engines differ, those below one of the moves do, or a move is missing or too many.
The walk follows that move, a ply less each time. The other engine itself plays the moves that lead on, so
that faults of its making moves, such as castling rights that it keeps, are met too.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import chess
import chess.engine

from boomslang.core.system.files import quote_path
from boomslang.engine.notation.movetext import move_of
from boomslang.engine.other_engines.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.other_engines.engine_process import SILENCE_TIMEOUT, EngineProcess
from boomslang.engine.other_engines.engine_runner import EngineRunner
from boomslang.perft.divide import PerftCounter

_CHESS960: Final = "UCI_Chess960"
_MOVE: Final = r"(?i:[a-h][1-8][a-h][1-8][nbrqk]?)"
_SAN: Final = r"[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQ])?|[O0]-[O0](?:-[O0])?"
_BELOW: Final = re.compile(rf"\s*({_MOVE}|{_SAN})(?![\w=-])\D*(?<!-)(\d{{1,19}})\s*")
_TOTAL_WORDS: Final = "Nodes searched"  # Stockfish's; other words end with the number only
_TOTAL: Final = re.compile(r"\s*(?:nodes|total)\b\D*(\d{1,19})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PerftDifference:
    """A position in which the counts of move paths differ; its moves in UCI.

    If no move is missing or surplus, `below` is the move whose count is wrong although those after it are
    right, or empty if the other engine does not list its moves.
    """

    board: chess.Board  # with the moves that lead here
    depth: int
    ours: int
    theirs: int
    missing: tuple[str, ...] = ()  # legal moves that the other engine lacks
    surplus: tuple[str, ...] = ()  # moves that it has and that are illegal, or there already
    below: str = ""


@dataclass(slots=True)
class _Answer:
    """What an engine says to `go perft`: a count for each move that it lists, and the total."""

    below: list[tuple[str, int]] = field(default_factory=list)
    total: int = 0


class _GoPerft(chess.engine.BaseCommand[_Answer]):
    def __init__(self, protocol: chess.engine.Protocol, depth: int) -> None:
        super().__init__(protocol)
        self._protocol, self._depth, self._answer = protocol, depth, _Answer()

    def start(self) -> None:
        """Called when the engine is free."""
        self._protocol.send_line(f"go perft {self._depth}")

    def line_received(self, line: str) -> None:
        """Called for each line of the engine."""
        if self.result.done():
            return
        if match := _BELOW.fullmatch(line):
            self._answer.below.append((match[1], int(match[2])))
        elif match := _TOTAL.fullmatch(line):
            self._answer.total = int(match[1])
            self.result.set_result(self._answer)
            self.set_finished()
        elif line.startswith(_TOTAL_WORDS):
            raise EngineProcessError(f"it answered {quote_path(line)}")
        elif line.startswith(("bestmove", "info depth")):
            raise EngineProcessError("it does not know 'go perft'")


class PerftWalker:
    """Compares another engine's counts with those of a counter. Kernels must be loaded."""

    def __init__(self, engine: EngineCommand, counter: PerftCounter) -> None:
        self._counter = counter
        self._process = EngineProcess(engine)
        self._runner = EngineRunner(self._process.close)

    def knows(self, board: chess.Board) -> bool:
        """Whether the engine can set up the position: it is of ordinary chess, or it has UCI_Chess960."""
        return not board.chess960 or _CHESS960 in self._runner.run(self._process.start()).options

    def compare(self, board: chess.Board, depth: int) -> PerftDifference | None:
        """The position, on the way down from `board`, in which the moves differ; None if all counts agree.

        Raises EngineError, and TimeoutError for an engine that does not answer to `isready`.
        """
        board, difference = board.copy(), None
        while here := self._difference(board, depth):
            difference = here
            if not here.below or depth == 1:
                break
            board.push_uci(here.below)
            depth -= 1
        return difference

    def _difference(self, board: chess.Board, depth: int) -> PerftDifference | None:
        ours = {board.uci(move): count for move, count in self._counter.divide(board, depth)}
        answer, total = self._runner.run(self._ask(board, depth)), sum(ours.values())
        theirs = [(_spell(board, move), count) for move, count in answer.below]
        if not theirs and answer.total:  # it lists no moves
            theirs = list(ours.items())
            if depth > 1 and total != answer.total:
                each = [(move, self._total_after(board, move, depth - 1)) for move in ours]
                if sum(count for _, count in each) == answer.total:
                    theirs = each
        moves = Counter(move for move, _ in theirs)
        missing = tuple(sorted(ours.keys() - moves.keys()))
        surplus = tuple(sorted((moves - Counter(ours.keys())).elements()))
        differing = [move for move, count in theirs if ours.get(move) != count]
        if total == answer.total and not (missing or surplus or differing):
            return None
        below = "" if missing or surplus or not differing else differing[0]
        return PerftDifference(board.copy(), depth, total, answer.total, missing, surplus, below)

    def _total_after(self, board: chess.Board, move: str, depth: int) -> int:
        after = board.copy()
        after.push_uci(move)
        return self._runner.run(self._ask(after, depth)).total

    async def _ask(self, board: chess.Board, depth: int) -> _Answer:
        protocol = await self._process.start()
        if _CHESS960 in protocol.options:
            protocol.send_line(f"setoption name {_CHESS960} value {str(board.chess960).lower()}")
        elif board.chess960:
            raise EngineProcessError(f"it has no option {_CHESS960}")
        fen = board.root().fen(shredder=board.chess960, en_passant="fen")
        played = " ".join(["moves", *(move.uci() for move in board.move_stack)])
        protocol.send_line(f"position fen {fen} {played if board.move_stack else ''}".rstrip())
        await asyncio.wait_for(protocol.ping(), SILENCE_TIMEOUT)
        return await protocol.communicate(lambda engine: _GoPerft(engine, depth))


def _spell(board: chess.Board, text: str) -> str:
    """A move as we write it, by what engines call it: UCI, castling by either square, or SAN."""
    moves = list(board.legal_moves)
    spellings = {board.uci(move, chess960=not board.chess960): board.uci(move) for move in moves}
    spellings |= {board.uci(move): board.uci(move) for move in moves}
    if move := spellings.get(text.lower()):
        return move
    try:
        return board.uci(move_of(board, text))
    except ValueError:
        return text.lower() if re.fullmatch(_MOVE, text) else text


def describe(board: chess.Board, text: str) -> str:
    """A move, or what an engine takes for one, with the rule that it is about."""
    if not re.fullmatch(_MOVE, text):
        return text  # of SAN that is no legal move
    # An engine may take anything for a move, also one that stays where it is.
    squares = chess.parse_square(text[:2]), chess.parse_square(text[2:4])
    promoted = chess.PIECE_SYMBOLS.index(text[4]) if text[4:] else None
    move = chess.Move(*squares, promoted)
    piece = board.piece_type_at(move.from_square)
    files = abs(chess.square_file(move.from_square) - chess.square_file(move.to_square))
    rule = ""
    if piece == chess.KING and (files > 1 or board.color_at(move.to_square) == board.turn):
        rule = "castling"
    elif piece == chess.PAWN and files and not board.piece_at(move.to_square):
        rule = "en passant"
    elif piece == chess.PAWN and chess.square_rank(move.to_square) in (0, 7):
        rule = "promotion"
    elif board.is_pinned(board.turn, move.from_square):
        rule = "of a pinned piece"
    if board.is_pseudo_legal(move) and not board.is_legal(move):
        rule = f"{rule}, leaves the king in check".removeprefix(", ")
    return f"{text} ({rule})" if rule else text
