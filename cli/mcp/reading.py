"""Reads positions, moves and games of a request; what is illegal is refused with the legal moves near it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

import chess

from boomslang.engine.notation.movetext import UnreadableMoveError, move_of
from boomslang.engine.notation.pgn import InputGame, games_of_text
from boomslang.engine.notation.positions import board_of

MAX_TEXT: Final = 300_000  # characters of a game
MAX_PLIES: Final = 1000  # of a game
_MAX_NEAR: Final = 8  # legal moves that a refusal names
_MAX_NAMED: Final = 12  # all of them are named
_START: Final = ("", "startpos", "start")
_NUMBER: Final = re.compile(r"\d{1,4}(?:\.+|…)|\.+|…")  # in front of a move
_RESULTS: Final = frozenset({"*", "1-0", "0-1", "1/2-1/2"})
_SQUARE: Final = re.compile("[a-h][1-8]")
_FEN: Final = re.compile(r"\s*[1-8pnbrqkPNBRQK]+/")


class RefusalError(ValueError):
    """A request that cannot be answered; the message says why, in words for a language model."""


def read_position(position: str, moves: str | Sequence[str] = "") -> chess.Board:
    """The board of a FEN, or of a game so far in PGN or as bare moves, with its history; then `moves`.

    Raises RefusalError.
    """
    if position.strip().lower() in _START:
        board = chess.Board()
    elif _FEN.match(position):
        try:
            board = board_of(position)
        except ValueError as problem:
            raise RefusalError(f"no such position: {problem}") from None
    elif any(mark in position for mark in "[{($"):
        board = _board_after(*choose_game(position))
    else:
        board = _play(chess.Board(), position.split())
    words = moves.split() if isinstance(moves, str) else [str(word).strip() for word in moves]
    return _play(board, words)


def choose_game(text: str, number: int = 1) -> tuple[InputGame, bool]:
    """The game with that number in a PGN text, without variations, and whether another one follows it.

    Raises RefusalError.
    """
    if len(text) > MAX_TEXT:
        raise RefusalError(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are read")
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
        raise RefusalError("the game has a null move, which is no move of chess")
    return board


def _play(board: chess.Board, words: Sequence[str]) -> chess.Board:
    """The board after the moves; numbers and results between them are passed over."""
    for word in _moves_among(words):
        if len(board.move_stack) == MAX_PLIES:
            raise RefusalError(f"more than {MAX_PLIES} moves")
        board.push(read_move(board, word))
    return board


def _moves_among(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if (bare := word.strip(",;")) and bare not in _RESULTS:
            number = _NUMBER.match(bare)
            if rest := bare[number.end() :] if number else bare:
                yield rest


def read_move(board: chess.Board, word: str) -> chess.Move:
    """The legal move that a word spells in SAN or UCI; raises RefusalError with the legal moves near it."""
    try:
        return move_of(board, word.strip())
    except UnreadableMoveError as problem:
        raise RefusalError(f"{problem}{near(board, word)}") from None


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
