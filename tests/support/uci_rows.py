"""What the numbered rules of UCI (U1, U2 ...) look at in an engine's lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import chess

from tests.support.process import UciProcess

START_MOVES: Final = [move.uci() for move in chess.Board().legal_moves]
BESTMOVE: Final = (
    r"bestmove ([a-h][1-8][a-h][1-8][nbrq]?( ponder [a-h][1-8][a-h][1-8][nbrq]?)?|\(none\))$"
)
FULL: Final = (
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( (lower|upper)bound)?"
    r"( wdl \d+ \d+ \d+)? nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+ pv( [a-h]\w{3,4})+$"
)

CHECKMATED: Final = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATED: Final = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE: Final = "7k/8/8/8/8/8/6r1/K7 w - - 0 1"
MATE_IN_ONE: Final = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def search(engine: UciProcess, *lines: str) -> list[str]:
    """Everything up to the bestmove that these lines lead to."""
    engine.send(*lines)
    return engine.until("bestmove")


def full_lines(lines: Iterable[str]) -> list[str]:
    """The lines of thinking among `lines`."""
    return [line for line in lines if line.startswith("info ") and " score " in line]


def value(line: str, name: str) -> int:
    """The number after a word of an info line."""
    found = re.search(rf" {name} (-?\d+)", line)
    assert found, line
    return int(found[1])


def pv(line: str) -> list[str]:
    """The moves of an info line."""
    return line.partition(" pv ")[2].split()


def check_answer(lines: list[str], board: chess.Board) -> str:
    """An orderly answer: full lines, the last of them exact, then a legal bestmove; returns that."""
    assert re.match(BESTMOVE, lines[-1]), lines[-1]
    best = lines[-1].split()[1]
    assert chess.Move.from_uci(best) in board.legal_moves
    told = full_lines(lines)
    assert told and all(re.match(FULL, line) for line in told), lines
    assert "bound" not in told[-1]
    assert pv([line for line in told if " multipv 1 " in line][-1])[0] == best
    return best
