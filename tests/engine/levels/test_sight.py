"""What a level sees: which moves are hard to find, and how far a line is followed."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import pytest

from boomslang.engine.levels.sight import Sight, effort
from boomslang.engine.limits import Info, Score


def line(score: Score, *moves: str) -> Info:
    """A line of thinking."""
    return Info(9, 9, 1, score, "", 1, 1, 0, 0, 0, tuple(map(chess.Move.from_uci, moves)))


def look(**scores: int) -> list[Info]:
    """A first look at some moves."""
    return [line(Score(score), move) for move, score in scores.items()]


def effort_of(fen: str, move: str, before: str = "", first: bool = True) -> float:
    """The effort of finding a move."""
    last = chess.Move.from_uci(before) if before else None
    return effort(chess.Board(fen), chess.Move.from_uci(move), last, first)


OPEN = "r3k2r/8/2n5/8/8/8/4Q3/R3K2R w KQkq - 0 1"
TAKE = "4k3/8/8/3q3r/8/8/8/3RK2B w - - 0 1"


@pytest.mark.parametrize(
    ("easy", "hard"),
    [
        ((OPEN, "e2e5"), (OPEN, "e2d2")),  # a check, a quiet move
        ((TAKE, "d1d5"), (TAKE, "d1c1")),  # a capture, a quiet move
        ((OPEN, "e2d2", "", False), (OPEN, "e2d2")),  # in the middle of a line, at its start
        ((TAKE, "d1d5", "e6d5"), (TAKE, "d1d5", "e6e5")),  # a recapture, another capture
        (("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1"), ("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", "a4a3")),
        (("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1"), ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "a1d4")),
        (("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a4"), ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a6")),
        (("3rk3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1"), ("1r2k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1")),
    ],
    ids=["check", "capture", "later", "recapture", "backward", "diagonal", "far", "en prise"],
)
def test_what_is_harder(easy: Sequence[str], hard: Sequence[str]) -> None:
    assert effort_of(*easy) < effort_of(*hard)  # type: ignore[arg-type]


def test_a_piece_is_seen_hanging_sooner_than_a_pawn() -> None:
    assert effort_of(TAKE, "d1d5") < effort_of(TAKE.replace("q", "p"), "d1d5")


# A fork two moves deep: the knight gives check on c7, and takes the rook.
FORK = chess.Board("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1")
LINES = [
    line(Score(600), "b5c7", "e8d7", "c7a8"),
    line(Score(-150), "e1d2", "a8a5"),
    line(Score(-150), "e1e2", "a8a5"),
]


def test_a_line_is_followed_as_far_as_the_reach() -> None:
    sight = Sight(FORK, LINES, [])
    worths = [sight.worth(0, reach, 0.1, 500) for reach in (0.1, 0.9, 4.0)]
    assert (
        worths[0] == worths[1] == -150
    )  # the check without its point is worth as much as any move
    assert worths[2] == 600


def test_a_move_like_any_other_is_looked_for_and_no_danger() -> None:
    """Those that are worth the median are followed as far as the reach, and not as the caution goes."""
    sight = Sight(FORK, LINES, [])
    assert sight.is_seen(1, 9.0, 0.0) and not sight.is_seen(1, 0.0, 9.0)


def test_a_material_gain_counts_before_the_end_of_the_line_is_seen() -> None:
    longer = line(Score(640), "b5c7", "e8d7", "c7a8", "d7c8", "e1d2")
    sight = Sight(FORK, [longer, *LINES[1:]], [])
    assert sight.worth(0, 2.2, 0.1, 500) == pytest.approx(-150 + 500)
    assert sight.worth(0, 9.0, 0.1, 500) == 640


def test_a_first_look_counts_where_a_line_is_not_seen_to_its_end() -> None:
    sight = Sight(FORK, LINES, look(b5c7=90, e1d2=20, e1e2=-400))
    assert [sight.worth(n, 0.1, 0.1, 300) for n in range(3)] == [-150 + 70, -150, -150 - 300]
    assert [sight.worth(n, 9.0, 9.0, 300) for n in range(3)] == [600, -150, -150]
    assert sight.is_seen(0, 9.0, 0.1) and not sight.is_seen(0, 0.1, 9.0)


@pytest.mark.parametrize("caution", [0.5, 1.0])
def test_a_recapture_is_seen_by_the_weakest(caution: float) -> None:
    board = chess.Board("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1")
    sight = Sight(board, [line(Score(-300), "d1d5", "e6d5"), line(Score(500), "e1e2", "e8e7")], [])
    assert sight.worth(0, 0.1, caution, 500) == -300


def test_a_quiet_refutation_is_overlooked_by_the_weak() -> None:
    # After Rd1-d4 the bishop pins the rook against the king from afar, backward.
    board = chess.Board("4k3/8/8/8/8/b7/8/3R2K1 w - - 0 1")
    sight = Sight(
        board, [line(Score(-300), "d1d4", "a3c5", "g1f1", "c5d4"), line(Score(150), "g1g2")], []
    )
    assert sight.worth(0, 0.9, 0.9, 500) > -100
    assert sight.worth(0, 0.9, 5.0, 500) == -300


def test_a_hanging_piece_is_seen_by_caution_not_by_reach() -> None:
    # The rook leaves the knight, and the bishop takes it.
    board = chess.Board("4k3/8/8/8/1b6/2N5/8/2R1K3 w - - 0 1")
    lines = [line(Score(-250), "c1b1", "b4c3"), line(Score(100), "e1d2"), line(Score(100), "e1e2")]
    sight = Sight(board, lines, [])
    assert sight.worth(0, 9.0, 0.5, 500) > 0
    assert sight.worth(0, 0.5, 2.0, 500) == -250


def test_an_own_idea_is_seen_by_reach_not_by_caution() -> None:
    sight = Sight(FORK, LINES, [])
    assert sight.worth(0, 0.5, 9.0, 500) == -150
    assert sight.worth(0, 4.0, 0.1, 500) == 600


def test_a_mate_is_a_large_score() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    sight = Sight(board, [line(Score(mate=1), "a1a8"), line(Score(500), "a1b1")], [])
    assert sight.worth(0, 1.0, 1.0, 500) == 9900
    assert sight.worth(0, 0.01, 1.0, 500) < 1000


@pytest.mark.parametrize(("score", "worth"), [(600, 0), (-700, -700)])
def test_a_repetition_is_worth_no_more_than_a_draw(score: int, worth: int) -> None:
    board = FORK.copy()
    for move in ("b5c3", "e8d8", "c3b5"):
        board.push_uci(move)
    sight = Sight(board, [line(Score(score), "d8e8"), line(Score(600), "d8d7")], [])
    assert [sight.worth(n, 9.0, 9.0, 500) for n in range(2)] == [worth, 600]
