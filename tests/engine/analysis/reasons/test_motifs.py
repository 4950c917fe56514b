"""The means by which a line wins material, and the back rank, each with near misses."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import pytest

from boomslang.engine.analysis.reason import Motif
from boomslang.engine.analysis.reasons.exchange import LineStep, steps
from boomslang.engine.analysis.reasons.motifs import find_motif, is_back_rank_mate


def line_steps(fen: str, line: str) -> list[LineStep]:
    board = chess.Board(fen)
    after, moves = board.copy(), []
    for name in line.split():
        moves.append(after.push_san(name))
    return steps(board, moves, board.turn)


def found(fen: str, line: str) -> tuple[Motif, set[str]] | None:
    """The means of the last capture of the line, and the squares it attacks."""
    played = line_steps(fen, line)
    means = find_motif(played, len(played) - 1)
    if means is None:
        return None
    return means.means, set(map(chess.square_name, means.squares))


CASES: Sequence[tuple[str, str, str, Motif | None, str]] = [
    ("fork", "r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1", "Nc7+ Kd7 Nxa8", Motif.FORK, "a8 e8"),
    ("one target only", "r5k1/1b6/8/3N4/8/8/8/6K1 w - - 0 1", "Nc7 Kg7 Nxa8", None, ""),
    (
        "a defended piece of the same value is no target",
        "2b5/7k/p2np3/1p3p2/8/1N6/8/6K1 w - - 0 1",
        "Nc5 Kg7 Nxa6",
        None,
        "",
    ),
    ("pawn fork", "6k1/8/2n1b3/8/3P4/8/8/6K1 w - - 0 1", "d5 Kf7 dxc6", Motif.FORK, "c6 e6"),
    ("two pawns", "6k1/8/8/1p3p2/8/8/4N3/6K1 w - - 0 1", "Nd4 Kf7 Nxf5", Motif.UNDEFENDED, "f5"),
    (
        "discovered attack",
        "3q4/6k1/8/8/3B4/8/8/3R2K1 w - - 0 1",
        "Be5+ Kg8 Rxd8+",
        Motif.DISCOVERED,
        "d8",
    ),
    (
        "the line was open before",
        "3q4/6k1/8/8/2B5/8/8/3R2K1 w - - 0 1",
        "Be2 Kg8 Rxd8+",
        Motif.UNDEFENDED,
        "d8",
    ),
    (
        "discovered check",
        "4k3/1r6/8/8/4N3/8/8/4R1K1 w - - 0 1",
        "Nc5+ Kf7 Nxb7",
        Motif.DISCOVERED,
        "e8 b7",
    ),
    (
        "no discovered check",
        "5k2/1r6/8/8/4N3/8/8/4R1K1 w - - 0 1",
        "Nc5 Kg8 Nxb7",
        Motif.UNDEFENDED,
        "b7",
    ),
    ("skewer", "3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Rd1+ Ke6 Rxd8", Motif.SKEWER, "d5 d8"),
    (
        "what stands in front is worth less",
        "3q4/6k1/3p4/8/8/8/8/R5K1 w - - 0 1",
        "Rd1 d5 Rxd5",
        None,
        "",
    ),
    ("new pin", "4k3/8/2n5/8/8/8/4B3/6K1 w - - 0 1", "Bb5 Kd8 Bxc6", Motif.PIN, "c6 e8"),
    ("pinned", "3k4/8/5n2/4P1B1/8/8/8/6K1 w - - 0 1", "exf6", Motif.PIN, "f6 d8"),
    ("undefended", "3k4/8/5n2/4P3/8/7B/8/6K1 w - - 0 1", "exf6", Motif.UNDEFENDED, "f6"),
    ("defended", "8/4k3/5n2/4P3/8/7B/8/6K1 w - - 0 1", "exf6", None, ""),
    ("pinned defender", "6rk/8/5q2/8/8/5N2/6P1/6K1 b - - 0 1", "Qxf3", Motif.PIN, "g2 g1"),
    ("free defender", "r6k/8/5q2/8/8/5N2/6P1/6K1 b - - 0 1", "Qxf3", None, ""),
    ("trap", "6k1/8/p7/1pp5/8/1B6/PPP5/6K1 b - - 0 1", "c4 Kf2 cxb3", Motif.TRAPPED, "b3"),
    ("a way out", "6k1/8/p7/1pp5/8/1B6/PP6/6K1 b - - 0 1", "c4 Kf2 cxb3", None, ""),
    (
        "the defender is taken",
        "6k1/8/2n5/1B2b3/8/8/8/4R1K1 w - - 0 1",
        "Bxc6 Kg7 Rxe5",
        Motif.DEFENDER,
        "e5",
    ),
    (
        "the defender is drawn away",
        "3qr1k1/5ppp/8/3n4/8/8/5PPP/3RR1K1 w - - 0 1",
        "Rxe8+ Qxe8 Rxd5",
        Motif.DEFLECTION,
        "d5 d8",
    ),
    (
        "mate is threatened",
        "3r2k1/5p1p/5Pp1/r7/8/8/3Q2PP/R5K1 w - - 0 1",
        "Qh6 Rd1+ Rxd1",
        Motif.MATE_THREAT,
        "g8",
    ),
    (
        "no mate is threatened",
        "3r2k1/5p1p/6p1/r7/8/8/3Q2PP/R5K1 w - - 0 1",
        "Qh6 Rd1+ Rxd1",
        Motif.UNDEFENDED,
        "d1",
    ),
    (
        "who leaves a check threatens nothing",
        "8/5ppk/7p/3PQ3/4P3/1p3P2/1Nr1q1PP/3R3K w - - 1 35",
        "Qf5+ Kg8 Rg1 Rxb2",
        Motif.UNDEFENDED,
        "b2",
    ),
    (
        "a check in between",
        "3rk3/8/8/8/2BN4/2P5/8/6K1 b - - 0 1",
        "Rxd4 Bb5+ Kf8 cxd4",
        Motif.IN_BETWEEN,
        "d4",
    ),
    (
        "nothing in between",
        "3rk3/8/8/8/2BN4/2P5/8/6K1 b - - 0 1",
        "Rxd4 Kf1 Kf8 cxd4",
        Motif.UNDEFENDED,
        "d4",
    ),
    ("one of two defenders is free", "6rk/8/5q2/8/8/5N2/4Q1P1/6K1 b - - 0 1", "Qxf3", None, ""),
]


@pytest.mark.parametrize(
    ("fen", "line", "means", "squares"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_means(fen: str, line: str, means: Motif | None, squares: str) -> None:
    expected = means and (means, set(squares.split()))
    assert found(fen, line) == expected


@pytest.mark.parametrize(
    ("fen", "mate", "is_back_rank"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#", True),
        ("6k1/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8#", False),  # shut in by the other king
        ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "Nf7#", False),  # smothered
        ("3r2k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Rd1#", True),
    ],
)
def test_back_rank(fen: str, mate: str, is_back_rank: bool) -> None:
    board = chess.Board(fen)
    board.push_san(mate)
    assert board.is_checkmate()
    assert is_back_rank_mate(board) == is_back_rank


def test_no_back_rank_without_mate() -> None:
    assert not is_back_rank_mate(chess.Board("R5k1/5pp1/8/8/8/8/5PPP/6K1 b - - 0 1"))
