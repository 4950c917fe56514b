"""Positions in text: the FEN of a tag or a line, and the EPD operations behind it."""

from __future__ import annotations

import re
from typing import Final

import chess

from boomslang.core.system.sanitize import number, quote
from boomslang.engine.notation.validity import why_invalid

_COUNTER: Final = re.compile(r"\d{1,9}", re.ASCII)
_ENDED: Final = re.compile(
    r"(\S+\s+[wb]\s+\S+\s+[^\s;]+(?:\s+\d+){0,2})\s*;[;\s]*(?!D\d)", re.ASCII
)
_MAX_FIELDS: Final = 6
_DEFAULTS: Final = ["", "w", "-", "-", "0", "1"]  # values of missing fields
_MAX_PLACEMENT: Final = 8 * 8 + 7
_EN_PASSANT: Final = re.compile(r"[a-h][36]")
_CASTLING_LETTERS: Final = frozenset("KQABCDEFGHkqabcdefgh")
_CASTLING: Final = re.compile(r"-|(?=.)[KQA-H]{0,2}[kqa-h]{0,2}")
MAX_HALFMOVES: Final = 10_000
MAX_FULLMOVES: Final = 100_000
_FEN_OF_960: Final = re.compile("[A-Ha-h]+")
_OPERATION: Final = re.compile(r"[A-Za-z]\w{0,14}", re.ASCII)
# Up to a semicolon outside quotes. A quote closes a string only where the operation or the line can end.
_OPERANDS: Final = re.compile(r'(?:\s*"(?:\\.|[^"\\]|"(?!\s*(?:;|$|")))*"|[^;"]+|"(?=[^"]*$))*')
_QUOTED: Final = re.compile(r'"(.*)"', re.DOTALL)


class InvalidPositionError(ValueError):
    """A well-formed FEN of a position that the engine cannot play."""


def is_chess960(fen: str) -> bool:
    """True if the FEN's castling rights are impossible in ordinary chess. Raises ValueError."""
    return _read_fen(fen, chess960=False, mend=False).chess960


def board_of(fen: str, chess960: bool = False, *, mend: bool = False) -> chess.Board:
    """The board of a FEN, including X-FEN and Shredder-FEN; absurd counters are clipped.

    Without `mend` Chess960 positions are recognised, and faults are errors. With `mend` harmless faults,
    which GUIs do send, are repaired: castling rights without a rook, an invalid en passant square, counters
    that are not numbers; and KQkq means ordinary chess unless `chess960` is set. Raises ValueError with the
    reason, InvalidPositionError if the engine cannot play the position.
    """
    board = _read_fen(fen, chess960, mend)
    if mend and board.status() & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    if reason := why_invalid(board):
        raise InvalidPositionError(reason if mend else f"illegal position: {reason}")
    return board


def _read_fen(fen: str, chess960: bool, mend: bool) -> chess.Board:
    fields = fen.split()
    if not (4 if mend else 1) <= len(fields) <= _MAX_FIELDS:
        raise ValueError(f"a FEN has 4 to 6 fields: {quote(fen)}")
    fields += _DEFAULTS[len(fields) :]
    placement, turn, castling, en_passant, halfmoves, fullmoves = fields
    board = chess.Board(None, chess960=chess960)
    try:
        if len(placement) > _MAX_PLACEMENT:
            raise ValueError
        board.set_board_fen(placement)
    except ValueError:
        raise ValueError(f"no such board: {quote(placement)}") from None
    if turn not in ("w", "b"):
        raise ValueError(f"the side to move is w or b, not {quote(turn)}")
    board.turn = turn == "w"
    board.halfmove_clock = min(max(_counter(halfmoves, mend), 0), MAX_HALFMOVES)
    board.fullmove_number = min(max(_counter(fullmoves, mend), 1), MAX_FULLMOVES)
    if mend:
        castling = "".join(sorted(_CASTLING_LETTERS.intersection(castling))) or "-"
    if _CASTLING.fullmatch(castling):
        _set_castling(board, castling, mend)
    elif not mend:
        raise ValueError(f"no such castling rights: {quote(castling)}")
    if _EN_PASSANT.fullmatch(en_passant):
        board.ep_square = chess.parse_square(en_passant)
    elif not mend and en_passant != "-":
        raise ValueError(f"no such en passant square: {quote(en_passant)}")
    return board


def _counter(text: str, mend: bool) -> int:
    """A move counter; raises ValueError if it is not a number, which counts as 0 with `mend`."""
    value = number(text)
    if not mend and (value is None or value < 0):
        raise ValueError(f"not a number of moves: {quote(text)}")
    return value or 0


def _set_castling(board: chess.Board, text: str, mend: bool) -> None:
    """Set the castling rights that have a king and a rook in place, and detect Chess960.

    With `mend` only file letters mean Chess960, and only if they give rights that are impossible in ordinary
    chess. Without it any such rights do, and so does a text of file letters alone.
    """
    board.set_castling_fen(text)
    by_option, board.chess960 = board.chess960, False
    ordinary = board.clean_castling_rights()
    board.chess960 = True
    differs = board.clean_castling_rights() != ordinary
    if mend:
        board.chess960 = by_option or (differs and not set(text) <= set("KQkq"))
    else:
        board.chess960 = by_option or differs or bool(_FEN_OF_960.fullmatch(text))
    board.castling_rights = board.clean_castling_rights()


def read_line(text: str) -> tuple[chess.Board, str, str]:
    """The board of a line, its FEN as written, and the EPD operations that follow.

    Raises ValueError like `board_of`. The line must have passed `tidy`.
    """
    fields = text.split(None, _MAX_FIELDS)
    if len(fields) < 4:
        raise ValueError("not a position in FEN or EPD")
    used = 4
    while used < min(len(fields), _MAX_FIELDS) and _COUNTER.fullmatch(fields[used]):
        used += 1  # a move counter; some programs write only the first
    if len(fields) > used and is_no_operation(fields[used]):
        raise ValueError(f"what is {fields[used].split()[0][:20]!r} behind the position?")
    fen = " ".join(fields[:used])
    parts = text.split(None, used)
    return board_of(fen), fen, parts[used].strip() if len(parts) > used else ""


def tidy(line: str) -> str:
    """A line of FEN or EPD without the semicolon that some programs put behind a bare position."""
    if ";" in line and (match := _ENDED.match(line)):
        return f"{match[1]} {line[match.end() :]}".rstrip()
    return line


def is_no_operation(text: str) -> bool:
    """True for text behind a position that looks like an invalid counter."""
    return text.lstrip()[:1] in tuple("+-.0123456789")


def operations_of(text: str) -> dict[str, str]:
    """EPD operations by name: the operand of each, without the quotes around it.

    Of two with the same name the first counts. Raises ValueError for an invalid operation.
    """
    operations: dict[str, str] = {}
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
        operations.setdefault(name[0], value.removeprefix('"'))
        place = end
    return operations


def whole_number(operations: dict[str, str], name: str) -> int | None:
    """The integer operand of an operation, None if it is missing; raises ValueError if it is no integer."""
    value = operations.get(name)
    if value is None:
        return None
    if not re.fullmatch(r"[+-]?\d{1,9}", value, re.ASCII):
        raise ValueError(f"{name} {value[:20]}: not a whole number")
    return int(value)
