from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import chess
import numpy as np
import pytest

import boomslang
from boomslang.engine.games.columns import Games
from boomslang.engine.games.find import find
from boomslang.engine.games.games import read_games
from tests.support.pgn_writer import written_game

pytestmark = pytest.mark.jit_only

_Test = Callable[[chess.Board, int], bool]


@pytest.fixture(scope="module")
def games() -> Games:
    source = random.Random(21)
    return read_games("".join(written_game(source) for _ in range(40)).encode())


def boards(games: Games, game: int) -> list[chess.Board]:
    fen, is_free = games["fen"][game] or chess.STARTING_FEN, bool(games["chess960"][game])
    board = chess.Board(fen, chess960=is_free)
    found = [board.copy(stack=False)]
    for move in games.uci(game):
        board.push_uci(move)
        found.append(board.copy(stack=False))
    return found


def army(board: chess.Board, colour: chess.Color) -> Counter[str]:
    pieces = (board.piece_at(square) for square in chess.scan_forward(board.occupied_co[colour]))
    return Counter(piece.symbol().upper() for piece in pieces if piece)


def is_army(board: chess.Board, colour: chess.Color, letters: str) -> bool:
    own = army(board, colour)
    if "K" not in letters:
        del own["K"]
        if "P" not in letters:
            del own["P"]
    return own == Counter(letters)


def a_condition(source: random.Random, board: chess.Board, ply: int) -> tuple[str, _Test]:
    """A condition that this position meets, nearly always, and slow code for it."""
    squares = source.sample(chess.SQUARES, 2)
    match source.randrange(6):
        case 0:
            white, black = (
                "".join(sorted(army(board, colour).elements(), key="KQRBNP".index))
                for colour in (True, False)
            )
            if source.random() < 0.5:
                white, black = (
                    white.replace("K", "").replace("P", ""),
                    black.replace("K", "").replace("P", ""),
                )
            if not white or not black:
                return "white to move", lambda board, _: board.turn
            return f"{black} v {white}", lambda board, _: any(
                is_army(board, colour, white) and is_army(board, not colour, black)
                for colour in (True, False)
            )
        case 1:
            pieces = [board.piece_at(square) for square in squares]
            words = [
                f"{piece or '-'}{chess.square_name(square)}"
                for piece, square in zip(pieces, squares, strict=True)
            ]
            return " ".join(
                words
            ), lambda board, _: [board.piece_at(square) for square in squares] == pieces
        case 2:
            side = "white" if board.turn else "black"
            return f"{side} to move", lambda board, _: board.turn == (side == "white")
        case 3:
            move = ply // 2 + 1
            return f"move = {move}", lambda _, ply: ply // 2 + 1 == move
        case 4:
            rows = [list(row) for row in str(board).replace(".", "1").replace(" ", "").split("\n")]
            hidden = source.sample(chess.SQUARES, 58)
            for square in hidden:
                rows[7 - square // 8][square % 8] = "?"
            shown = [square for square in chess.SQUARES if square not in hidden]
            pieces = [board.piece_at(square) for square in shown]
            text = "/".join(map("".join, rows))
            return text, lambda board, _: [board.piece_at(square) for square in shown] == pieces
        case _:
            low = source.randrange(1, 40)
            return f"move >= {low}, move < {low + 9}", lambda _, ply: low <= ply // 2 + 1 < low + 9


def test_random_patterns_find_what_slow_code_finds(games: Games) -> None:
    source = random.Random(2)
    played = [boards(games, game) for game in range(len(games))]
    for _ in range(120):
        positions = source.choice(played)
        ply = source.randrange(len(positions))
        chosen = [a_condition(source, positions[ply], ply) for _ in range(source.choice([1, 1, 2]))]
        pattern = ", ".join(text for text, _ in chosen)
        if pattern.count(" v ") > 1:
            continue
        expected = [
            (0, game + 1, ply)
            for game, positions in enumerate(played)
            for ply, board in enumerate(positions)
            if all(test(board, ply) for _, test in chosen)
        ]
        assert find(pattern, games, every=True).tolist() == expected, pattern
        firsts = {game: (0, game, ply) for _, game, ply in reversed(expected)}
        assert find(pattern, games).tolist() == sorted(firsts.values()), pattern


def test_conditions_on_games(games: Games) -> None:
    for pattern, expected in (
        ("1-0", games["result"] == 1.0),
        ("1/2-1/2, white >= 2400", (games["result"] == 0.5) & (games["white_elo"] >= 2400)),
        ("rating < 2350", (games["white_elo"] > 0) & (games["white_elo"] < 2350)),
        ("black > 2300", games["white_elo"] < 0),
    ):
        assert find(pattern, games)["game"].tolist() == (np.flatnonzero(expected) + 1).tolist()


def test_files_and_pawns() -> None:
    kings = b'[FEN "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"]\n\n1. Ke2 Ke7 *\n'
    pawn = kings.replace(b"3R4", b"3R3P")
    assert find("R v K, no pawns", [kings, pawn])["source"].tolist() == [0]
    assert find("KRP v K", [kings, pawn]).tolist() == [(1, 1, 0)]
    assert find("KR v K, white to move, move > 1", [kings, pawn]).tolist() == [(0, 1, 2)]


def test_a_game_without_a_position_has_none() -> None:
    unplayable = b'[FEN "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]\n\n1. Ke2 *\n\n[Event "x"]\n\n1. e4 *\n'
    found = read_games([unplayable, unplayable])
    assert found["odd"].tolist() == [2, 0, 2, 0]
    assert find("white to move", found)["game"].tolist() == [2, 2]
    assert len(found.positions()) == 2


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "not a condition: ''"),
        ("KR versus K", "not a condition: 'KR versus K'; a condition is material"),
        ("RK v K", "K comes first"),
        ("KR v K, KQ v K", "given twice"),
        ("KRP v K, no pawns", "no pawns, and pawns"),
        ("8/8/8/8/8/8/8/9", "not a condition"),
        ("8/8/8/8/8/8/8/7", "rank 1 of '8/8/8/8/8/8/8/7' has 7 squares"),
        ("Nd9", "not a condition"),
        ("white > 24000", "not a condition"),
    ],
)
def test_what_is_no_pattern(pattern: str, message: str) -> None:
    with pytest.raises(boomslang.CommandError, match=message):
        find(pattern, b"1. e4 *")
