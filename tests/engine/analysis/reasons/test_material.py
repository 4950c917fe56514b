"""What a line wins for good, and its words."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.analysis.reasons.exchange import balance, winnable, winnable_on
from boomslang.engine.analysis.reasons.material import find_gain, outcome, prize_words
from tests.engine.analysis.reasons.test_motifs import line_steps


@pytest.mark.parametrize(
    ("fen", "points"),
    [
        (chess.STARTING_FEN, 0),
        ("4k3/8/5n2/4P3/8/8/8/4K3 w - - 0 1", 3.5),
        ("4k3/6p1/5n2/8/8/8/8/4KR2 w - - 0 1", 0),  # a rook for a defended knight
        ("4k3/6p1/5n2/4P3/8/8/8/4K3 w - - 0 1", 2.5),  # a pawn for it
        ("4k3/6p1/5n2/8/8/8/5R2/4KR2 w - - 0 1", 0),
        ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", 9),
        ("3qk3/8/8/3n4/8/8/8/3RK3 w - - 0 1", 0),
        ("3qk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", 3.5),  # the queen need not take back
    ],
)
def test_winnable(fen: str, points: int) -> None:
    assert winnable(chess.Board(fen)) == points


def test_winnable_on_a_square() -> None:
    board = chess.Board("4k3/6p1/5n2/4P3/8/8/1b6/B3K3 w - - 0 1")
    assert [winnable_on(board, square) for square in (chess.B2, chess.F6, chess.G7)] == [
        3.5,
        2.5,
        0,
    ]


def test_balance() -> None:
    board = chess.Board("3qk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1")
    assert balance(board, chess.WHITE) == -2.5 == -balance(board, chess.BLACK)


@pytest.mark.parametrize(
    ("fen", "line", "words"),
    [
        ("3k4/8/5n2/4P3/8/8/8/6K1 w - - 0 1", "exf6 Ke8", "the knight on f6"),
        ("4k3/6p1/5n2/4P3/8/8/8/6K1 w - - 0 1", "exf6 gxf6 Kf2", "the knight on f6 for a pawn"),
        ("2r3k1/5pb1/8/1N6/8/8/8/6K1 w - - 0 1", "Nd6 Rb8 Nc4 Rc8 Nd6", None),
        ("5rk1/5p2/6N1/8/8/8/8/6K1 w - - 0 1", "Nxf8 Kxf8 Kf2", "the exchange"),
        ("r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1", "Nc7+ Kd7 Nxa8 Kc6", "the rook on a8"),
        # The knight has moved to where it is taken.
        ("3k4/8/8/4P3/6n1/8/8/4R1K1 w - - 0 1", "Kf1 Nf6 exf6 Kd7", "a knight"),
        # It can be taken back at once, whatever else is attacked.
        ("4k3/8/8/6p1/4n2B/2N5/1P6/4K3 b - - 0 1", "Nxc3 bxc3 gxh4 Kd2", "the bishop on h4"),
        ("1r2k3/8/8/1p6/2P5/8/8/4K3 w - - 0 1", "cxb5 Kd7 Kd2", None),
        # Taken back later: won for a while only.
        ("3r2k1/8/8/3n4/8/8/8/3R2K1 w - - 0 1", "Rxd5 Rxd5 Kf2", None),
        # A new queen that is taken at once was a pawn.
        ("6k1/8/8/8/8/8/p4PPP/1R4K1 b - - 0 1", "Kg7 Ra1 Kg8 Rxa2", None),
        ("5rk1/8/8/8/8/8/p4PPP/1R4K1 w - - 0 1", "h3 a1=Q Rxa1 Kg7", None),
        ("r1b2k2/3P4/8/8/8/8/6P1/6K1 w - - 0 1", "dxc8=Q+ Rxc8 Kf2", "the bishop on c8 for a pawn"),
        # Exchanged pieces of the same kind are not named, bishop and knight are one value.
        ("3k4/4p3/3n1b2/8/3N4/8/8/B3R1K1 w - - 0 1", "Nf5 Bxa1 Nxd6 exd6", None),
        (
            "3k4/8/3q1b2/8/3N4/8/8/B5K1 w - - 0 1",
            "Nf5 Bxa1 Nxd6 Ke7",
            "the queen on d6 for a bishop",
        ),
    ],
)
def test_won(fen: str, line: str, words: str | None) -> None:
    prize = find_gain(line_steps(fen, line), chess.Board(fen).turn, 1)
    assert (prize and prize_words(prize)) == words


def test_a_line_is_shown_to_the_last_capture_only() -> None:
    played = line_steps("r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1", "Nc7+ Kd7 Nxa8 Kc6 Kf2 Kb7 Kg3 Kxa8")
    prize = find_gain(played, chess.WHITE, 1)  # the knight does not come back
    assert prize and (prize.end, prize.points, prize_words(prize)) == (7, 2, "the exchange")
    played = line_steps("r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1", "Nc7+ Kd7 Nxa8 Ke6 Nc7+ Ke5")
    prize = find_gain(played, chess.WHITE, 1)
    assert prize and (prize.end, prize.capture, prize.points) == (2, 2, 5.5)
    assert 1 <= prize.returnable < 3.5  # a pawn may be given back later, but no piece


def test_a_pawn_is_worth_a_short_line_only() -> None:
    fen, waiting = "6k1/8/8/8/4p3/8/4R3/6K1 w - - 0 1", "Kf1 Kg7 Kg1 Kg8 Kf1 Kg7 Kg1 Kg8 "
    assert find_gain(line_steps(fen, "Rxe4 Kg7"), chess.WHITE, 1) is not None
    assert find_gain(line_steps(fen, f"{waiting}Rxe4 Kg7"), chess.WHITE, 1) is None


def test_the_outcome_of_a_line_is_that_after_its_last_captures() -> None:
    fen = "4k3/6p1/5n2/4P3/8/8/8/6K1 w - - 0 1"
    assert outcome(line_steps(fen, "exf6 gxf6 Kf2"), chess.WHITE) == 2.5
    assert outcome(line_steps(fen, "exf6"), chess.WHITE) == 2.5  # it is taken back
