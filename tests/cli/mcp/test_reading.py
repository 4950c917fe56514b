"""Positions and moves as language models write them, all of one position: after 1. e4 e5."""

from __future__ import annotations

import chess
import pytest

from boomslang.cli.mcp.reading import RefusalError, read_move, read_position
from boomslang.cli.mcp.words import head

START = chess.STARTING_FEN
AFTER = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("startpos moves e2e4 e7e5", ""),
        ("position startpos moves e2e4 e7e5", ""),
        ("Starting position", "e4 e5"),
        ("startpos: 1. e4 e5", ""),
        ("moves e2e4 e7e5", ""),
        (f"position fen {START} moves e2e4", "e5"),
        (f"{START} moves e2e4 e7e5", ""),
        (f"{START} 1. e4 e5", ""),
        (" ".join(START.split()[:4]) + " 1. e4 e5", ""),
        (f"`{AFTER}`", ""),
        (f"**FEN:** `{AFTER}`", ""),
        (f'"{AFTER}"', ""),
        (f"```fen\n{AFTER}\n```\n", ""),
        (f"fen={AFTER}", ""),
        (f"FEN: `{AFTER}` (White to move)", ""),
        (f"{START}, White to play.\n1. e4", "e5"),
        (f"FEN: {START}\nWhite to move.\nOpening: None in Two Moves (A00).", "e4 e5"),
        ("```pgn\n1. e4 e5 *\n```", ""),
        (f'[FEN "{START}"]\n\n1. e4 e5', ""),
        ("", "1. e4 {the king's pawn} e5"),
        ("", ["e4 {best by test}", "1... e5"]),
        ("", "1. e4 (1. d4 d5 (1... Nf6) 2. c4) 1... e5!? $5 (1... c5) *"),
        ("", "1. e4 ; the king's pawn\n1... e5"),
        ("", "e4; e5"),
        ("", "e4,e5"),
        ("", "`e4` `e5`"),
    ],
)
def test_it_reads_what_models_write(position: str, moves: str | list[str]) -> None:
    assert read_position(position, moves).fen() == AFTER


@pytest.mark.parametrize("moves", ["", "f3 e5 g4 Qh4", "Nf3 Nf6 Ng1 Ng8 " * 2, "e4 e5 Nf3"])
def test_it_reads_the_head_of_its_own_answers(moves: str) -> None:
    board = read_position("", moves)
    assert read_position("\n".join(head(board))).fen() == board.fen()


@pytest.mark.parametrize("word", ["1. e4", "e4", "e4!", "e2e4", "e4 {best}", "`e4`", "1.e4 ($10)"])
def test_it_reads_a_single_move(word: str) -> None:
    assert read_move(chess.Board(), word) == chess.Move.from_uci("e2e4")


@pytest.mark.parametrize(
    ("position", "moves", "why"),
    [
        ("", "1. Nf3 Nf3", "illegal move: 1... Nf3."),
        ("1. e4 NF3", "", "not a move: 1... NF3."),
        (f"{START} moves Nf6", "", "illegal move: 1. Nf6."),
        (f"{START} ?", "e5", "illegal move: 1. e5."),
        (f"{START} white wins", "", "not a move: 1. white."),
        ("startpos of chess", "", "not a move: 1. of."),
        ("", "e4 -- d4", "null move"),
        ("", "e4 0000 d4", "null move"),
        ("", "e4 {never closed", "not closed"),
        ("", "e4 (d4", "not closed"),
        ("", "e4 )", "without its"),
        ("", "e4 is best", "not a move: 1... is."),
        ("", '[Event "x"]\n\n1. e4', "no list of moves"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "", "Black has no king"),
        (f"{START[:-5]} z 0 1", "", "en passant square, not|no such|not a move"),
    ],
)
def test_it_guesses_nothing_and_keeps_the_case(position: str, moves: str, why: str) -> None:
    with pytest.raises(RefusalError, match=why.replace("(", r"\(")):
        read_position(position, moves)
