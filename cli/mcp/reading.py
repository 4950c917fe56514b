"""Reads positions, moves and games of a request; what is illegal is refused with the legal moves near it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

import chess

from boomslang.engine.notation.movetext import UnreadableMoveError, quote_word, read
from boomslang.engine.notation.pgn import InputGame, games_of_text
from boomslang.engine.notation.positions import board_of
from boomslang.engine.notation.scanner import Scanner, TokenKind, has_square
from boomslang.engine.notation.text import text_lines

MAX_TEXT: Final = 300_000  # characters of a game
MAX_PLIES: Final = 1000  # of a game
_MAX_NEAR: Final = 8  # legal moves that a refusal names
_MAX_NAMED: Final = 12  # all of them are named
_FENCE: Final = re.compile(r"\A\s*```\w*\n|```\s*\Z")  # of a block of code
_MARKS: Final = r"[\s`'\"*:=>]*"  # what models write round a position
# The words of UCI, of our own answers and of people in front of a position.
_START: Final = re.compile(
    rf"{_MARKS}(?:position\b)?{_MARKS}(?:\Z|(?=moves\b)|start(?:pos|ing position)?\b){_MARKS}",
    re.IGNORECASE,
)
_FEN: Final = re.compile(
    rf"{_MARKS}(?:position\b)?{_MARKS}(?:fen\b)?{_MARKS}(?=(?:[1-8pnbrqk]+/){{2}})", re.IGNORECASE
)
_COUNTER: Final = re.compile(r"[-+]?[\d.]*\d")
_MOVES: Final = re.compile(r"\bmoves\b:?", re.IGNORECASE)
# What `words.head` says behind a FEN.
_TOLD: Final = re.compile(
    r"[,(]?\s*\b(?:White|Black) to (?:move|play)\b[.)]*"
    r"|^(?:(?:Opening|The game is over): .*|The .* a draw.*)$",
    re.MULTILINE,
)
_SEMICOLON: Final = re.compile(r";\s*(\S*)")
_NULL_MOVE: Final = "the game has a null move, which is no move of chess"
_SQUARE: Final = re.compile("[a-h][1-8]")


class RefusalError(ValueError):
    """A request that cannot be answered; the message says why, in words for a language model."""


def read_position(position: str, moves: str | Sequence[str] = "") -> chess.Board:
    """The board of a FEN, or of a game so far in PGN or as bare moves, with its history; then `moves`.

    Raises RefusalError.
    """
    text = _FENCE.sub("", position)
    if start := _START.match(text):
        board = _play(chess.Board(), _MOVES.sub(" ", text[start.end() :], 1))
    elif start := _FEN.match(text):
        fen, words = _parted(text[start.end() :])
        try:
            board = board_of(fen)
        except ValueError as problem:
            raise RefusalError(f"no such position: {problem}") from None
        board = _play(board, words)
    elif any(mark in text for mark in "[{($"):
        board = _board_after(*choose_game(text))
    else:
        board = _play(chess.Board(), text)
    return _play(board, moves if isinstance(moves, str) else " ".join(moves))


def _plain(text: str) -> str:
    """A text without the marks round positions, which no move has."""
    return re.sub("[`'\"*]", " ", text)


def _parted(text: str) -> tuple[str, str]:
    """A FEN and the moves behind it, with the word of UCI between them or without."""
    text = _TOLD.sub("", text)
    if said := _MOVES.search(text):
        return " ".join(_plain(text[: said.start()]).split()), text[said.end() :]
    fields = _plain(text).split()
    used = min(4, len(fields))
    while used < min(6, len(fields)) and _COUNTER.fullmatch(fields[used]):
        used += 1
    return " ".join(fields[:used]), " ".join(fields[used:])


def choose_game(text: str, number: int = 1) -> tuple[InputGame, bool]:
    """The game with that number in a PGN text, without variations, and whether another one follows it.

    It may be written as a position is too.

    Raises RefusalError.
    """
    if len(text) > MAX_TEXT:
        raise RefusalError(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are read")
    text = _FENCE.sub("", text)
    if start := _START.match(text):
        text = _MOVES.sub(" ", text[start.end() :], 1)
    elif start := _FEN.match(text):
        text = '[FEN "{}"]\n\n{}'.format(*_parted(text[start.end() :]))
    games = islice(games_of_text(text, main_line=True), number - 1, None)
    entry = next(games, None)
    if entry is None:
        raise RefusalError(
            "the text holds no game in PGN" if number == 1 else f"the text has no game {number}"
        )
    if not entry.analysable:
        raise RefusalError(f"the game cannot be read: {'; '.join(entry.problems)}")
    if (plies := entry.game.end().ply() - entry.game.ply()) > MAX_PLIES:
        raise RefusalError(f"the game has {plies} plies; at most {MAX_PLIES} are read")
    return entry, next(games, None) is not None


def _board_after(entry: InputGame, has_more: bool) -> chess.Board:
    if has_more:
        raise RefusalError("the text has several games; a position comes from one")
    board = entry.game.end().board()
    if entry.problems:
        word = entry.problems[0].split()[-1]
        raise RefusalError(f"the game breaks off: {'; '.join(entry.problems)}{near(board, word)}")
    if not all(board.move_stack):
        raise RefusalError(_NULL_MOVE)
    return board


def _play(board: chess.Board, text: str) -> chess.Board:
    """The board after the moves; numbers, comments, variations, signs and results are passed over."""
    for word in _words(text):
        if len(board.move_stack) == MAX_PLIES:
            raise RefusalError(f"more than {MAX_PLIES} moves")
        if move := _read_word(board, word):
            board.push(move)
    return board


def read_move(board: chess.Board, text: str) -> chess.Move:
    """The legal move of a text, in SAN or UCI; raises RefusalError with the legal moves near it."""
    moves = [move for word in _words(text) if (move := _read_word(board, word))]
    if len(moves) != 1:
        raise RefusalError(f"not a move: {quote_word(text)}{near(board, text)}")
    return moves[0]


def _read_word(board: chess.Board, word: str) -> chess.Move | None:
    """The legal move that a word spells, None for a sign such as !?; raises RefusalError."""
    try:
        move, _ = read(board, word)
    except UnreadableMoveError as problem:
        raise RefusalError(f"{problem}{near(board, word)}") from None
    if move is not None and not move:
        raise RefusalError(_NULL_MOVE)
    return move


def _words(text: str) -> Iterator[str]:
    """The words of the main line. A semicolon begins a comment, or parts two moves."""
    text = _SEMICOLON.sub(
        lambda found: f" {found[1]}" if not found[1] or has_square(found[1]) else found[0],
        _plain(text),
    )
    depth = 0
    for part in Scanner(text_lines(text)):
        if part.tags or part.unusable:
            raise RefusalError("a game with tags is a position, no list of moves")
        for kind, word in part.tokens:
            depth += (kind is TokenKind.OPEN) - (kind is TokenKind.CLOSE)
            if kind is TokenKind.STOP or depth < 0:
                reason = word if kind is TokenKind.STOP else "a ) without its ("
                raise RefusalError(f"the moves cannot be read: {reason}")
            is_null = kind is TokenKind.NUMBER and not word.strip("0")
            if not depth and (is_null or kind is TokenKind.WORD):
                yield word
    if depth:
        raise RefusalError("the moves cannot be read: a variation is not closed")


def near(board: chess.Board, word: str) -> str:
    """The legal moves that resemble a word most, as the end of a refusal."""
    if not any(board.legal_moves):
        return f". There is no legal move: {over_words(board)}"
    legal = {board.san(move): move for move in board.legal_moves}
    target = _SQUARE.findall(word)[-1:]
    piece = word[:1] if word[:1] in tuple("KQRBN") else ""

    def likeness(san: str) -> float:
        to_target = [chess.square_name(legal[san].to_square)] == target
        return 2 * to_target + san.startswith(piece) + SequenceMatcher(None, san, word[:10]).ratio()

    named = sorted(legal, key=lambda san: (-likeness(san), san))
    if len(named) > _MAX_NAMED:
        return f". Of the {len(named)} legal moves the nearest are {', '.join(named[:_MAX_NEAR])}"
    return f". The legal moves are {', '.join(sorted(named))}"


def over_words(board: chess.Board) -> str:
    """Why the game is over, with the result; empty if it goes on."""
    outcome = board.outcome()
    if outcome is None:
        return ""
    winner = {chess.WHITE: "White wins", chess.BLACK: "Black wins", None: "a draw"}[outcome.winner]
    return f"{outcome.termination.name.replace('_', ' ').lower()}, {winner}"
