"""Output of UCI: options, info lines, the best move, the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from boomslang.core.system.sanitize import quote
from boomslang.engine.options import EMPTY, Option

if TYPE_CHECKING:
    import chess

    from boomslang.engine.limits import CurrentMove, Info, Result, Score

NO_MOVE: Final = "bestmove (none)"
NO_COUNT: Final = "\nNodes searched: 0\n"


def option_line(option: Option) -> str:
    """The line that declares an option to a GUI."""
    line = f"option name {option.name} type {option.kind}"
    if option.kind == "spin":
        return f"{line} default {option.default} min {option.lowest} max {option.highest}"
    if option.kind == "combo":
        return " var ".join([f"{line} default {option.default}", *option.choices])
    if option.kind == "check":
        return f"{line} default {str(option.default).lower()}"
    if option.kind == "string":
        return f"{line} default {option.default or EMPTY}"
    return line


def info_line(info: Info, with_wdl: bool = False) -> str:
    """An `info` line of a score as it is displayed, with win, draw and loss if that is wanted.

    The bound directly follows the score, because some GUIs overlook it elsewhere.
    """
    chances = (info.wdl or ()) if with_wdl else ()
    words = [
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}",
        f"score {score(info.score)}",
        info.bound,
        " ".join(["wdl", *map(str, chances)]) if chances else "",
        f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}",
        f"tbhits {info.tbhits} time {info.time}",
        " ".join(["pv", *(move.uci() for move in info.pv)]) if info.pv else "",
    ]
    return " ".join(word for word in words if word)


def current(looking: CurrentMove) -> str:
    """The root move that is being searched, as an `info` line."""
    move = looking.move.uci()
    return f"info depth {looking.depth} currmove {move} currmovenumber {looking.number}"


def score(value: Score) -> str:
    """A score in the notation of the protocol."""
    return f"cp {value.centipawns}" if value.mate is None else f"mate {value.mate}"


def over_line(board: chess.Board) -> str:
    """The line before `bestmove (none)` when the game has ended on the board."""
    return f"info depth 0 score {'mate' if board.is_check() else 'cp'} 0"


def bestmove_line(board: chess.Board, result: Result) -> str:
    """The answer to `go`; with a ponder move unless the game ends before or after it."""
    if result.best is None:
        return NO_MOVE
    line = f"bestmove {result.best.uci()}"
    spelled = ponder_move(board, result)
    return f"{line} ponder {spelled.uci()}" if spelled else line


def ponder_move(board: chess.Board, result: Result) -> chess.Move | None:
    """The expected answer to the best move; None if the game ends before or after it."""
    if result.best is None or result.ponder is None:
        return None
    after = board.copy(stack=board.halfmove_clock)
    after.push(result.best)
    if _is_over(after) or not after.is_legal(result.ponder):
        return None
    after.push(result.ponder)
    return None if _is_over(after) else result.ponder


def _is_over(board: chess.Board) -> bool:
    """True if a GUI would end the game here, also by a draw that has to be claimed."""
    drawn = board.halfmove_clock >= 100 or board.is_insufficient_material()
    return drawn or not any(board.legal_moves) or board.is_repetition(3)


def opponent(text: str) -> str:
    """`UCI_Opponent` for display: title, rating, human or computer, name; "none" is unknown."""
    words = text.split()
    known_words = [word for word in words[:3] if word.lower() != "none"]
    return (
        f"playing against {quote(' '.join([*known_words, *words[3:]]) if len(words) > 3 else text)}"
    )


def board_picture(board: chess.Board) -> str:
    """The answer to `d`, as Stockfish's: the board, and the rest of the position. The key is Polyglot's."""
    from chess import SQUARE_NAMES
    from chess.polyglot import zobrist_hash

    facts = [
        f"Legal moves: {board.legal_moves.count()}",
        f"Fen: {board.fen(shredder=board.chess960)}",
        f"Key: {zobrist_hash(board):016X}",
    ]
    checkers = "".join(f"{SQUARE_NAMES[square]} " for square in board.checkers())
    return _picture(str(board).replace(".", " ").splitlines(), facts, checkers)


def _picture(ranks: Iterable[str], facts: Iterable[str], checkers: str) -> str:
    rule = " +---+---+---+---+---+---+---+---+"
    picture = [rule]
    for number, rank in zip(range(8, 0, -1), ranks, strict=True):
        picture += [f" | {' | '.join(rank[::2])} | {number}", rule]
    letters = "   a   b   c   d   e   f   g   h"
    # The last line is the one to which wrappers read.
    return "\n".join(["", *picture, letters, "", *facts, f"Checkers: {checkers}"])


_NO_SPEED: Final = "\nNodes searched  : 0\nNodes/second    : 0"
# How the answers of commands end, behind the error of one that fails: wrappers of Stockfish read on to it. A
# number ends the missing FEN too, for they compare it with the move number, and so find out.
CLOSINGS: Final = {
    "d": _picture(["? " * 8] * 8, ["Fen: none 0"], ""),
    "eval": "Final evaluation: none\n",
    "go": NO_MOVE,
    "perft": NO_COUNT,
    "bench": _NO_SPEED,
}
