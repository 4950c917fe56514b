"""Several threads: what a helper finds is used, and an old answer is never mistaken for a new one."""

from __future__ import annotations

import chess
import pytest

from engine import bridge
from engine.limits import Info, Limits
from engine.player import Player
from engine.search.deepening import Line

pytestmark = [pytest.mark.usefixtures("kernels"), pytest.mark.jit_only]

ROOK_MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def after_helping(depth_limit: int) -> Player:
    """A player whose one helper has searched the first position to the end, unlike its main thread."""
    player = Player(hash_mb=1)
    player.arm()
    player._set_root(chess.Board(), Limits())
    player._crew.resize(1)
    player._crew.start(player._search, player._table, depth_limit)
    for thread in player._crew._threads:
        thread.join()
    return player


def test_a_helper_tells_its_deepest_line_once() -> None:
    player = after_helping(depth_limit=5)
    line = player._crew.stop()
    assert line is not None and line.depth == 5 and line.rank == 1
    move = bridge.to_move(line.moves[0], chess.Board())
    assert chess.Board().is_legal(move)
    assert player._crew.stop() is None


def test_the_first_helper_runs_an_iteration_ahead() -> None:
    player = after_helping(depth_limit=1)  # it begins with 2 plies: nothing to do
    assert player._crew.stop() is None and player._crew.nodes == 0


@pytest.mark.parametrize(
    ("fen", "deeper_by", "lines", "taken"),
    [
        (chess.STARTING_FEN, 1, 1, True),
        (chess.STARTING_FEN, 0, 1, False),
        (chess.STARTING_FEN, 1, 2, False),  # all lines are of one depth
        (ROOK_MATE, 1, 1, False),  # a mate is better than any depth
    ],
)
def test_a_deeper_answer_of_a_helper_counts(
    monkeypatch: pytest.MonkeyPatch, fen: str, deeper_by: int, lines: int, taken: bool
) -> None:
    board = chess.Board(fen)
    move = list(board.legal_moves)[-1]  # nobody would choose it
    line = Line(4 + deeper_by, 9, 1, 77, 1000, (bridge.from_move(move, board),))
    player = Player(hash_mb=1)
    player.configure("MultiPV", lines)
    monkeypatch.setattr(player._crew, "stop", lambda: line)
    infos: list[Info] = []
    player.arm()
    result = player.search(board, Limits(depth=4), infos.append)
    assert (result.best == move) is taken
    assert (infos[-1].pv[0] == move and infos[-1].score.centipawns == 77) is taken
    assert result.info == infos[-lines]
