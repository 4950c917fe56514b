"""Words of movetext: the move that each spells, or the reason why it is not a move; never a guess."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

import chess

from boomslang.core.system.sanitize import printable

_MAX_QUOTE: Final = 40  # maximum length of a quoted word
_LETTERS: Final = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBN KQRBN ", strict=True))
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
_SIGNS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
# Annotation signs behind a move or by themselves, and their NAG numbers.
_EVALUATIONS: Final = {
    "□": 7,
    "=": 10,
    "∞": 13,
    "+/=": 14,
    "+=": 14,
    "⩲": 14,
    "=/+": 15,
    "=+": 15,
    "⩱": 15,
    "+/-": 16,
    "±": 16,
    "-/+": 17,
    "∓": 17,
    "+-": 18,
    "-+": 19,
    "N": 146,
    "D": 201,  # a diagram
}
# Behind a move, apart from it.
_ASIDE: Final = ("e.p.", "e.p", "ep", "ep.", "+", "++", "#", "†", "‡")
_NULL: Final = ("--", "Z0", "z0", "0000", "@@@@", "null", "Null", "NULL", "pass", "<>")
# Signs that are part of no move: neither letters nor figurines nor dashes.
_SIGN: Final = re.compile("[!-,./:-@^_`|~\u2190-\u22ff\u2300-\u23ff\u25a0-\u25ff\u2a00-\u2aff]+")
_CASTLING: Final = re.compile(r"[O0o]-[O0o](-[O0o])?")
_PLAIN: Final = re.compile(
    r"([KQRBN])?([a-h])?([1-8])?([-x:])?([a-h])([1-8])(?:=?([QRBNqrbn])|[/(]([QRBNqrbn])\)?)?"
)
_TAIL: Final = re.compile(
    r"/?(?:e\.?p\.?)?[+#†‡]*([!?]{0,2})"
    r"(?:(\+/-|-/\+|\+/=|=/\+|\+=|=\+|\+-|-\+|[±∓⩲⩱∞=□])([!?]{0,2}))?\.*"
)


class UnreadableMoveError(ValueError):
    """A word that is not a move in its position; the message is short and safe to print."""


class Shape(NamedTuple):
    """A parsed word."""

    san: str  # plain SAN or, in lower case, origin and target; empty: a sign without a move
    nags: tuple[int, ...]


@lru_cache(maxsize=1 << 14)
def shape(word: str) -> Shape | None:
    """Parse a word regardless of the position; None if it is unknown."""
    if number := _SIGNS.get(word) or _EVALUATIONS.get(word):
        return Shape("", (number,))
    if not word.strip(".…") or word in _ASIDE:
        return Shape("", ())
    text = _in_ascii(word)
    for null in _NULL:
        if text.startswith(null):
            return _with_tail("--", text[len(null) :])
    if match := _CASTLING.match(text):
        return _with_tail("O-O-O" if match[1] else "O-O", text[match.end() :])
    match = _PLAIN.match(text)
    if not match:
        return None
    piece, file, rank, sign, to_file, to_rank, *promotions = match.groups()
    promotion = next(filter(None, promotions), "").upper()
    if promotion and (piece or to_rank not in "18"):
        return None
    if not piece and not (file and rank):
        # A pawn captures on an adjacent file; "bb5" is a bishop move written in lower case.
        beside = bool(file) and abs(ord(file) - ord(to_file)) == 1
        if rank or ((sign or file) and not beside):
            return None
    takes = "x" if sign in ("x", ":") else ""
    equals = f"={promotion}" if promotion else ""
    san = f"{piece or ''}{file or ''}{rank or ''}{takes}{to_file}{to_rank}{equals}"
    return _with_tail(san, text[match.end() :])


def read(board: chess.Board, word: str) -> tuple[chess.Move | None, tuple[int, ...]]:
    """The legal or null move that a word spells, and the NAGs of its signs; None for signs alone.

    Raises UnreadableMoveError.
    """
    token = shape(word) if len(word) <= _MAX_QUOTE else None
    if token is None:
        raise UnreadableMoveError(f"not a move: {_at(board)}{quote_word(word)}")
    if not token.san:
        return None, token.nags
    if token.san == "--" and board.is_check():
        raise UnreadableMoveError(f"a null move in check: {_at(board)}{quote_word(word)}")
    try:
        return board.parse_san(token.san), token.nags
    except chess.AmbiguousMoveError:
        raise UnreadableMoveError(f"ambiguous move: {_at(board)}{quote_word(word)}") from None
    except ValueError:
        raise UnreadableMoveError(f"illegal move: {_at(board)}{quote_word(word)}") from None


def is_sign(word: str) -> bool:
    """True for signs between moves whose meaning is unknown, which change no move."""
    return bool(_SIGN.fullmatch(word)) and shape(word) is None


def move_of(board: chess.Board, word: str) -> chess.Move:
    """The legal move that a word spells; raises UnreadableMoveError."""
    move, _ = read(board, word)
    if not move:
        raise UnreadableMoveError(f"not a move: {quote_word(word)}")
    return move


def quote_word(word: str) -> str:
    """A word as written, shortened and safe to print."""
    text = printable(word)
    return text if len(text) <= _MAX_QUOTE else f"{text[:_MAX_QUOTE]}..."


def _at(board: chess.Board) -> str:
    return f"{board.fullmove_number}{'.' if board.turn else '...'} "


def _in_ascii(word: str) -> str:
    """Figurines as letters, dashes as ASCII hyphens; without invisible characters."""
    if word.isascii():
        return word
    text = word.translate(_DASHES)
    letters = (_LETTERS.get(letter, letter) for letter in text)
    return "".join(
        letter.strip() for letter in letters if unicodedata.category(letter) not in ("Cf", "Mn")
    )


def _with_tail(san: str, tail: str) -> Shape | None:
    """The move with the signs that follow it in the same word."""
    if not tail:
        return Shape(san, ())
    match = _TAIL.fullmatch(tail)
    if not match:
        return None
    if any(sign and sign not in _SIGNS for sign in match.group(1, 3)):
        return None
    signs = (_SIGNS.get(match[1] or match[3]), _EVALUATIONS.get(match[2] or ""))
    return Shape(san, tuple(number for number in signs if number))
