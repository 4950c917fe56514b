"""Many static evaluations at once are those that each position gets by itself."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from boomslang.core.jit.jit import DISABLED
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.driver.static_evaluator import StaticEvaluator
from boomslang.engine.notation.validity import why_invalid
from boomslang.eval.network.file import write
from tests.support.networks import random_network
from tests.support.oracle import fixed_positions, random_game

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

GAMES, PLIES = (1, 8) if DISABLED else (2, 100)


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    load()


def boards() -> list[chess.Board]:
    """Positions with every kind of right, and without history."""
    found = [board for board in fixed_positions() if not why_invalid(board)]
    for seed in range(GAMES):
        game = random_game(seed, PLIES, chess960=bool(seed % 2))
        found += [board.copy(stack=False) for board in game]
    return found


def of_player(player: Searcher, board: chess.Board, classical: bool = False) -> int | None:
    trace = player.explain(board, classical)
    if trace is None:
        return None
    return trace.score if board.turn == chess.WHITE else -trace.score


@pytest.mark.parametrize("classical", [False, True])
def test_the_evaluation_of_play(classical: bool) -> None:
    batch, player = StaticEvaluator(classical=classical), Searcher(hash_mb=1)
    positions = boards()
    fens = [board.fen(shredder=board.chess960, en_passant="fen") for board in positions]
    scores, ends = batch.lines(fens)
    for board, fen, score, end in zip(positions, fens, scores, ends, strict=True):
        wanted = of_player(player, board, classical)
        assert batch.board(board) == wanted, fen
        assert (score, end) == (wanted, len(fen)) or (score, end) == (None, -1), fen
    assert sum(end < 0 for end in ends) < len(ends) / 10  # the fixed positions have odd armies


def test_another_network(tmp_path: Path) -> None:
    path = tmp_path / "other.net"
    write(path, random_network(3), {})
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    player = Searcher(hash_mb=1)
    player.set_network(str(path))
    found = StaticEvaluator(path).lines([board.fen()])[0][0]
    assert found == of_player(player, board) != StaticEvaluator().board(board)
    with pytest.raises(ValueError, match=r"^cannot read '.*none\.net': no such file"):
        StaticEvaluator(tmp_path / "none.net")


def test_lines_that_are_none() -> None:
    lines = ["", "x" * 5000, "ä", chess.STARTING_FEN, "\0", chess.STARTING_FEN[:-4]]
    scores, ends = StaticEvaluator().lines(lines)
    assert [end < 0 for end in ends] == [True, True, True, False, True, False]
    assert scores[3] == scores[5] is not None
    assert StaticEvaluator().lines([]) == ([], [])
