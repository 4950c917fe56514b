"""Positions in text: the FEN of a tag or a line, and the operations of EPD behind it."""

from __future__ import annotations

import re
from typing import Final

import chess

from boomslang.engine.validity import why_invalid

_COUNTER: Final = re.compile(r"\d{1,9}", re.ASCII)
_ENDED: Final = re.compile(
    r"(\S+\s+[wb]\s+\S+\s+[^\s;]+(?:\s+\d+){0,2})\s*;[;\s]*(?!D\d)", re.ASCII
)
_MOST_FIELDS: Final = 6
_MOST_HALFMOVES: Final = 10_000
_MOST_FULLMOVES: Final = 100_000
_FEN_OF_960: Final = re.compile("[A-Ha-h]+")
_OPERATION: Final = re.compile(r"[A-Za-z]\w{0,14}", re.ASCII)
# Up to a semicolon outside quotes. A quote ends a text only where the operation or the text can end.
_OPERANDS: Final = re.compile(r'(?:\s*"(?:\\.|[^"\\]|"(?!\s*(?:;|$|")))*"|[^;"]+|"(?=[^"]*$))*')
_QUOTED: Final = re.compile(r'"(.*)"', re.DOTALL)


class InvalidPositionError(ValueError):
    """A FEN that is one, of a position that the engine cannot play."""


def is_chess960(fen: str) -> bool:
    """True if the FEN's castling rights cannot be those of ordinary chess. Raises ValueError."""
    fields = fen.split()
    if len(fields) > 2 and _FEN_OF_960.fullmatch(fields[2]):
        return True
    if len(fields) > 2 and fields[2] == "-":
        return False
    board = chess.Board(fen, chess960=True)
    ordinary = chess.Board(fen, chess960=False)
    return board.clean_castling_rights() != ordinary.clean_castling_rights()


def board_of(fen: str, chess960: bool = False) -> chess.Board:
    """The board of a FEN; one of Chess960 is recognised, absurd counters are cut.

    Raises ValueError, with the reason in a line, if it is none, or no position that the engine can play.
    """
    board = chess.Board(fen, chess960=chess960 or is_chess960(fen))
    board.halfmove_clock = min(max(board.halfmove_clock, 0), _MOST_HALFMOVES)
    board.fullmove_number = min(board.fullmove_number, _MOST_FULLMOVES)
    if reason := why_invalid(board):
        raise InvalidPositionError(f"illegal position: {reason}")
    return board


def read_line(text: str) -> tuple[chess.Board, str, str]:
    """The board of a line, its FEN as it stands there, and the operations of EPD that follow.

    Raises ValueError like `board_of`. The line must be tidy.
    """
    fields = text.split(None, _MOST_FIELDS)
    if len(fields) < 4:
        raise ValueError("not a position in FEN or EPD")
    used = 4
    while used < min(len(fields), _MOST_FIELDS) and _COUNTER.fullmatch(fields[used]):
        used += 1  # a counter of moves; some write the first alone
    if len(fields) > used and is_no_operation(fields[used]):
        raise ValueError(f"what is {fields[used].split()[0][:20]!r} behind the position?")
    fen = " ".join(fields[:used])
    parts = text.split(None, used)
    return board_of(fen), fen, parts[used].strip() if len(parts) > used else ""


def tidy(line: str) -> str:
    """A line of FEN or EPD without the semicolon that some put behind the position alone."""
    if ";" in line and (match := _ENDED.match(line)):
        return f"{match[1]} {line[match.end() :]}".rstrip()
    return line


def is_no_operation(text: str) -> bool:
    """True for what stands behind a position and looks like a counter that is none."""
    return text.lstrip()[:1] in tuple("+-.0123456789")


def operations_of(text: str) -> dict[str, str]:
    """The operations of EPD by their names: what follows each, without the quotes around all of it.

    Of two with the same name the first counts. Raises ValueError for what is none.
    """
    found: dict[str, str] = {}
    place = 0
    while place < len(text):
        if text[place] in "; \t":
            place += 1
            continue
        name = _OPERATION.match(text, place)
        if not name:
            raise ValueError(f"not an operation of EPD: {text[place : place + 20]!r}")
        operands = _OPERANDS.match(text, name.end())
        end = operands.end() if operands else name.end()
        value = text[name.end() : end].strip()
        if quoted := _QUOTED.fullmatch(value):
            value = quoted[1].replace('\\"', '"')
        found.setdefault(name[0], value.removeprefix('"'))
        place = end
    return found


def whole_number(operations: dict[str, str], name: str) -> int | None:
    """The number of an operation, None if there is none; raises ValueError if it is something else."""
    value = operations.get(name)
    if value is None:
        return None
    if not re.fullmatch(r"[+-]?\d{1,9}", value, re.ASCII):
        raise ValueError(f"{name} {value[:20]}: not a whole number")
    return int(value)
