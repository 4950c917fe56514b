"""The evaluation in parts: they add up to what the search sees, in the table and on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import chess
import pytest

from boomslang.cli.analysis.eval_command import main
from boomslang.core.board.constants import U
from boomslang.core.board.makemove import make_move
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.eval.classical.evaluate import TEMPO, evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.score import MAX_PHASE
from boomslang.eval.classical.trace import trace
from boomslang.uci import evaluation_table
from tests.support.oracle import copy_of, position_of, random_game, rules, without_history

pytestmark = pytest.mark.usefixtures("kernels")

# A lead that cannot be realised, a bare king, the fifty-move rule, Black to move.
ENDINGS = (
    "8/8/3k4/3n1b2/8/8/8/3K4 b - - 30 1",
    "8/8/3k4/3n4/8/8/8/3K4 w - - 0 1",
    "7k/8/8/6BP/8/8/8/K7 w - - 0 1",
    "8/5k2/8/2b5/P1P5/3B4/8/K7 b - - 99 90",
    "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
)


def some_positions(number: int) -> Iterator[chess.Board]:
    """Positions of random games, ordinary and Chess960."""
    games = (random_game(500 + seed, 200, seed % 3 == 0) for seed in range(number))
    return islice((board for game in games for board in game), number)


def centipawns_of(evaluator: Any, position: Any) -> int:
    """What the search sees."""
    return int(evaluate(rules(), evaluator, position))


def check_sum(evaluator: Any, board: chess.Board) -> None:
    """The rows add up to what the search sees: as the search adds, and as the table shows it."""
    position = position_of(board)
    parts = trace(rules(), position)
    totals = [row.total for row in parts.rows if row.total and row.name != "to move"]
    halves = [sum(total[half] for total in totals) for half in (0, 1)]
    sign = 1 if board.turn == chess.WHITE else -1
    most = int(MAX_PHASE)
    blended = sign * halves[0] * parts.phase + sign * halves[1] * (most - parts.phase)
    score = blended // most + int(TEMPO)
    score = score * (256 - min(board.halfmove_clock, 100)) // 256
    assert score == centipawns_of(evaluator, position), board.fen()
    assert sign * score == parts.score == sum(row.score for row in parts.rows), board.fen()
    for row in parts.rows:
        if row.white and row.black:
            both = tuple(ours - theirs for ours, theirs in zip(row.white, row.black, strict=True))
            assert row.total == both
        if row.name == "rounding":
            assert abs(row.score) <= len(totals) // 2


def check_increments(evaluator: Any, counting: Any, game: Iterator[chess.Board]) -> None:
    """What `make_move` and the memory for pawns keep up to date is what a fresh start gives."""
    start = next(game)
    position = position_of(start)
    before = start.copy(stack=False)
    for board in game:
        make_move(rules(), position, U(bridge.from_move(board.peek(), before)))
        fresh = copy_of(position)
        bridge.to_position(rules(), board, fresh)
        assert without_history(position) == without_history(fresh), board.fen()
        score = centipawns_of(evaluator, position)
        assert score == centipawns_of(counting, fresh), board.fen()
        before = board.copy(stack=False)


def counting_evaluator() -> Any:
    """One that remembers nothing and counts every term."""
    evaluator = new_evaluator()
    evaluator.tracing = 1
    return evaluator


def test_the_terms_add_up() -> None:
    evaluator = new_evaluator()
    for board in some_positions(20 if DISABLED else 120):
        check_sum(evaluator, board)


@pytest.mark.parametrize("fen", ENDINGS)
def test_the_terms_add_up_in_endings(fen: str) -> None:
    check_sum(new_evaluator(), chess.Board(fen))


def test_increments() -> None:
    evaluator, counting = new_evaluator(), counting_evaluator()
    for seed in range(1 if DISABLED else 3):
        check_increments(evaluator, counting, random_game(seed, 100, seed % 2 == 1))


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(1800)
def test_the_terms_add_up_in_many_positions() -> None:
    evaluator = new_evaluator()
    for board in some_positions(10_000):
        check_sum(evaluator, board)


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(1800)
def test_increments_in_many_games() -> None:
    evaluator, counting = new_evaluator(), counting_evaluator()
    for seed in range(1000):
        check_increments(evaluator, counting, random_game(seed, 200, seed % 3 == 0))


def test_what_each_side_gets() -> None:
    parts = trace(rules(), position_of(chess.Board("4k3/8/8/8/8/8/PP6/R3K3 b - - 0 1")))
    rows = {row.name: row for row in parts.rows}
    assert rows["material"].black == (0, 0)
    assert rows["to move"].score < 0
    assert rows["king danger"].white == (0, 0)
    assert parts.phase == 2
    assert sorted(parts.places) == [chess.A1, chess.E1, chess.A2, chess.B2, chess.E8]


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, ENDINGS[0]])
def test_the_table_adds_up(fen: str) -> None:
    board = chess.Board(fen)
    lines = evaluation_table.table(board, trace(rules(), position_of(board))).splitlines()
    scores = [re.search(r"([+-]?\d+\.\d\d)$", line) for line in lines]
    parts = [float(match[1]) for match in scores if match]
    last = re.fullmatch(r"Final evaluation       ([+-]\d+\.\d\d) \(white side\)", lines[-1])
    assert last
    assert len(parts) > 3
    assert round(sum(parts), 2) == float(last[1])


@pytest.mark.jit_only
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--classical"]) == 0
    assert f"Final evaluation       {TEMPO / 100:+.2f} (white side)" in capsys.readouterr().out


def test_in_check_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fen", "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"]) == 0
    assert capsys.readouterr().out == f"{evaluation_table.IN_CHECK}\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--fen", "nonsense"], "bad FEN"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position"),
    ],
)
@pytest.mark.jit_only
def test_bad_input(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
