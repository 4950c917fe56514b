"""Words of movetext: each is the move that is written, or is reported as it stands."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.notation.movetext import UnreadableMoveError, move_of, read, shape

START = chess.STARTING_FEN
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
KNIGHTS = "4k3/8/8/8/8/8/8/N3K2N w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "words", "uci"),
    [
        (START, "e4 e2e4 e2-e4 ♙e4 e4! e4!? e4?? e4+- e4± e4= e4□", "e2e4"),
        (START, "Nf3 Ng1f3 Ng1-f3 g1f3 g1-f3 ♘f3 ♞f3 ♘\ufe0ef3 Nf3\u200b N-f3 Nf3!? Nf3+", "g1f3"),
        (CASTLING, "O-O 0-0 o-o O–O 0−0 O-O! e1g1 O-O+", "e1g1"),
        (CASTLING, "O-O-O 0-0-0 o-o-o O–O–O e1c1 0-0-0#", "e1c1"),
        (PROMOTION, "e8=Q e8Q e8(Q) e8/Q e8=q e7e8q e7-e8=Q e8=♕ e8=Q+ e8Q# e8=Q++!", "e7e8q"),
        (PROMOTION, "exd8=N exd8N e7xd8(N) e:d8=N ed8N", "e7d8n"),
        (EN_PASSANT, "exd6 ed6 exd6e.p. exd6ep exd6e.p.! e5d6 e5xd6 e:d6", "e5d6"),
    ],
)
def test_spellings(fen: str, words: str, uci: str) -> None:
    board = chess.Board(fen)
    for word in words.split():
        assert move_of(board, word).uci() == uci, word


# Languages, alphabets, small letters, other things that python-chess reads as a pawn move or passes over.
FOREIGN = (
    "Sf3 Cf3 Pf3 Pe4 nf3 xyzf3 Кf3 Ｎf3 سf3 Tf3 Dd1 Lb5 xe4 xf3 bb5 e4e ee4 2e4 e4.e5 1e4 e4, Nf3Nf6 "
    "P@e4 N@f3 f3N e4ch mate resigns White e9 i4 Ni3 Kf3K e4=K Nf3=Q e4=Q R 0-1-0 O-O-O-O --1 Z1 00 OO "
    "8/8 e4-- e4!!! e4?!? N \ufffdf3 é4 e\u03014x"
)


@pytest.mark.parametrize("word", FOREIGN.split())
def test_an_invalid_move_is_reported_as_it_is_written(word: str) -> None:
    board = chess.Board()
    with pytest.raises(UnreadableMoveError) as told:
        move_of(board, word)
    assert word in str(told.value) and str(told.value).isprintable()


@pytest.mark.parametrize(
    ("fen", "word", "reason"),
    [
        (START, "e5", "illegal move: 1. e5"),
        (START, "Ke2", "illegal move: 1. Ke2"),
        (KNIGHTS, "Nd5", "illegal move: 1. Nd5"),
        ("4k3/8/8/8/8/8/8/N3K1N1 w - - 0 7", "Ng3", "illegal move: 7. Ng3"),
        ("4k3/8/8/8/8/8/2N3N1/4K3 b - - 0 7", "e4", "illegal move: 7... e4"),
        ("4k3/8/8/8/8/8/2N3N1/7K w - - 0 7", "Ne3", "ambiguous move: 7. Ne3"),
        (PROMOTION, "e8", "illegal move: 1. e8"),
        (PROMOTION, "e7e8", "illegal move: 1. e7e8"),
        (START, "O-O", "illegal move: 1. O-O"),
    ],
)
def test_moves_that_cannot_be_played(fen: str, word: str, reason: str) -> None:
    with pytest.raises(UnreadableMoveError) as told:
        move_of(chess.Board(fen), word)
    assert str(told.value) == reason


@pytest.mark.parametrize("word", ["--", "Z0", "0000", "@@@@", "--!"])
def test_null_moves(word: str) -> None:
    move, _ = read(chess.Board(), word)
    assert move is not None and not move
    with pytest.raises(UnreadableMoveError):
        move_of(chess.Board(), word)


@pytest.mark.parametrize(
    ("word", "nags"),
    [
        ("!", (1,)),
        ("+/-", (16,)),
        ("=", (10,)),
        ("...", ()),
        ("e.p.", ()),
        ("+", ()),
        ("D", (201,)),
        ("N", (146,)),
    ],
)
def test_signs(word: str, nags: tuple[int, ...]) -> None:
    assert read(chess.Board(), word) == (None, nags)


def agrees(board: chess.Board, move: chess.Move, word: str) -> bool:
    """True if piece, destination and promotion of the move stand in the word, whatever reader found it."""
    if board.is_castling(move):
        return word[0] in "Oo0Ke"
    piece = board.piece_type_at(move.from_square)
    letter = chess.piece_symbol(piece or 0).upper().replace("P", "")
    figures = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "": "♙♟"}[letter]
    by_squares = chess.square_name(move.from_square) in word
    named = word[0] == letter or word[0] in figures if letter else word[0] in "abcdefgh♙♟"
    promoted = not move.promotion or chess.piece_symbol(move.promotion) in word.lower()
    return (named or by_squares) and chess.square_name(move.to_square) in word and promoted


@given(
    st.integers(0, 10**6),
    st.text("KQRBNPSLTDCFAknrbq♘♗abcdefgh12345678x-=+#oO0.", min_size=1, max_size=7),
    st.integers(0, 3),
)
def test_a_word_is_never_another_move_than_is_written(seed: int, noise: str, kind: int) -> None:
    source = random.Random(seed)
    board = chess.Board()
    for _ in range(source.randrange(60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(source.choice(moves))
    moves = list(board.legal_moves)
    word = noise
    if moves and kind:
        san = board.san(source.choice(moves))
        at = source.randrange(len(san) + 1)
        word = san[:at] + noise[: kind - 1] + san[at + source.randrange(2) :]
    try:
        move = move_of(board, word)
    except ValueError:
        return
    assert move in moves and agrees(board, move, word), (board.fen(), word, move)


def test_the_words_of_python_chess_are_understood() -> None:
    source = random.Random(3)
    board = chess.Board()
    for _ in range(200):
        moves = list(board.legal_moves)
        if not moves:
            board = chess.Board()
            continue
        for move in moves:
            assert shape(board.san(move)) is not None
            assert move_of(board, board.san(move)) == move_of(board, board.lan(move)) == move
            assert move_of(board, move.uci()) == move
        board.push(source.choice(moves))
