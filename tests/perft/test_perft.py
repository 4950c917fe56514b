"""Counts of move sequences: kernels, threads, table, suites."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import chess
import pytest

from boomslang.core.jit.jit import DISABLED
from boomslang.core.system.files import FileError
from boomslang.core.system.threads import in_threads
from boomslang.engine.errors import CommandError
from boomslang.engine.notation.positions import is_chess960
from boomslang.perft.count import new_table
from boomslang.perft.divide import PerftCounter, divide, divide_lines
from boomslang.perft.suite import (
    STANDARD,
    Check,
    SuiteEntry,
    SuiteError,
    parse_line,
    plan,
    read_suite,
    run_suite,
)
from tests.support.oracle import KIWIPETE, random_placement
from tests.support.places import SUITES

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

NO_SUITES = "no perft suites beside this checkout"
QUICK, LARGE = 1_000_000, 5_000_000


def slow_count(board: chess.Board, depth: int) -> int:
    """The same by python-chess."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += slow_count(board, depth - 1)
        board.pop()
    return total


def wrong_counts(path: Path, max_nodes: int) -> list[Check]:
    return [check for check in run_suite(plan(read_suite(path), max_nodes)) if not check.right]


def test_the_first_plies() -> None:
    counter = PerftCounter()
    assert [counter.count(chess.Board(), depth) for depth in range(4)] == [1, 20, 400, 8902]


def test_divide_splits_the_count() -> None:
    board = chess.Board(KIWIPETE)
    pairs = divide(board, 2)
    assert {move for move, _ in pairs} == set(board.legal_moves)
    for move, number in pairs:
        board.push(move)
        assert number == board.legal_moves.count()
        board.pop()
    assert divide(board, 0) == []
    assert {number for _, number in divide(board, 1)} == {1}


def test_ctrl_c_waits_for_no_long_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PerftCounter, "_below", lambda counter, stack, depth: depth)
    assert {number for _, number in divide(chess.Board(), 6)} == {20 * 4}


@pytest.mark.jit_only
def test_ctrl_c_leaves_no_thread_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before, until = threading.active_count(), time.monotonic() + 60
    monkeypatch.setattr("concurrent.futures.wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        divide(chess.Board(), 9, threads=2)
    while threading.active_count() > before:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_divide_prints_as_other_engines_do() -> None:
    board = chess.Board("8/8/8/8/8/1k6/8/K7 w - - 0 1")
    assert divide_lines(divide(board, 1)) == ["a1b1: 1", "", "Nodes searched: 1"]


def test_castling_is_spelled_for_the_board() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert "e1g1" in {move.uci() for move, _ in divide(chess.Board(fen), 1)}
    assert "e1h1" in {move.uci() for move, _ in divide(chess.Board(fen, chess960=True), 1)}


def test_mate_and_stalemate_have_no_moves() -> None:
    for fen in ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):
        assert PerftCounter().count(chess.Board(fen), 3) == 0
        assert divide(chess.Board(fen), 3) == []


@pytest.mark.parametrize("depth", [-1, 32])
def test_depths_out_of_range(depth: int) -> None:
    with pytest.raises(ValueError, match="depth must be between 0 and 31"):
        PerftCounter().count(chess.Board(), depth)


def test_a_board_that_cannot_be_counted_is_refused() -> None:
    negative = chess.Board()
    negative.halfmove_clock = -5
    for board in (chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"), negative):
        with pytest.raises(CommandError):
            divide(board, 1)
    with pytest.raises(TypeError):
        divide("startpos", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        divide(chess.Board(), 1.5)  # type: ignore[arg-type]


def test_a_table_changes_no_count() -> None:
    counter = PerftCounter(hash_mb=1)
    depth = 3 if DISABLED else 5
    for _ in range(2):  # the second time the table is full of the first
        assert counter.count(chess.Board(), depth) == (8902 if DISABLED else 4865609)
    if not DISABLED:
        assert counter.count(chess.Board(KIWIPETE), 4) == 4085603
    ordinary = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    other = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", chess960=True)
    for board in (ordinary, other, ordinary):
        assert counter.count(board, 3) == slow_count(board, 3)


def test_the_table_fits_into_its_size() -> None:
    assert new_table(1).nbytes == 1 << 20
    assert new_table(3).nbytes == 2 << 20


@pytest.mark.jit_only
def test_threads_change_no_count() -> None:
    board = chess.Board(KIWIPETE)
    assert divide(board, 4, threads=3) == divide(board, 4)
    assert PerftCounter(threads=2).count(board, 4) == 4085603
    assert PerftCounter(hash_mb=1, threads=2).count(chess.Board(), 6) == 119060324


def test_few_threads_on_few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.perft.divide._THREADS_FROM_DEPTH", 3)
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert divide(board, 3, threads=2) == divide(board, 3)
    assert PerftCounter(threads=2).count(board, 3) == PerftCounter().count(board, 3)


def test_a_problem_in_a_thread_is_not_lost() -> None:
    def work(number: int) -> None:
        if number == 1:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        in_threads(work, [0, 1, 2])


def test_shipped_suite() -> None:
    assert wrong_counts(STANDARD, 300 if DISABLED else LARGE) == []


def test_random_placements() -> None:
    import random

    rng = random.Random(9)
    counter = PerftCounter()
    for _ in range(3 if DISABLED else 40):
        board = random_placement(rng)
        assert counter.count(board, 2) == slow_count(board, 2), board.fen()


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "name",
    [
        *("perftsuite", "talkchess_sedlak", "peterellisjones", "tricky"),
        "chess960_xfen",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("chess960_a", "random_a")),
    ],
)
def test_suites_beside_the_checkout(name: str) -> None:
    path = SUITES / "perft" / f"{name}.epd"
    if not path.exists():
        pytest.skip(NO_SUITES)
    assert wrong_counts(path, LARGE) == []


def test_suite_lines() -> None:
    entry = parse_line(f"{chess.STARTING_FEN} ;D1 20 ;D2 400", "here:1")
    assert entry == SuiteEntry("here:1", chess.STARTING_FEN, False, {1: 20, 2: 400})
    assert plan([entry], 100) == [(entry, 1)]
    assert plan([entry]) == [(entry, 1), (entry, 2)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (chess.STARTING_FEN, "no counts"),
        (f"{chess.STARTING_FEN} ;D1", "found 'D1'"),
        (f"{chess.STARTING_FEN} ;D99 5", "found 'D99 5'"),
        ("what ;D1 20", "no such board"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3", "Black has no king"),
    ],
)
def test_bad_suite_lines_are_named(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "bad.epd"
    path.write_text(f"# a comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(SuiteError) as caught:
        read_suite(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert words in str(caught.value)


def test_a_binary_file_is_no_suite(tmp_path: Path) -> None:
    path = tmp_path / "binary.epd"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="not UTF-8 text"):
        read_suite(path)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (chess.STARTING_FEN, False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", True),
        ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", True),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", False),
    ],
)
def test_chess960_is_recognised(fen: str, expected: bool) -> None:
    assert is_chess960(fen) == expected


def test_a_wrong_count_is_found() -> None:
    seen: list[Check] = []
    entry = SuiteEntry("here:1", chess.STARTING_FEN, False, {1: 20, 2: 401})
    checks = run_suite(plan([entry]), threads=2, on_check=seen.append)
    assert [check.right for check in checks] == [True, False]
    assert len(seen) == 2
