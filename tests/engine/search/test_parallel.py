"""Several threads: what a helper finds is used, and an old answer is never mistaken for a new one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from boomslang.engine import bridge
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search.deepening import SearchLine
from tests.support.searchers import alpha_beta

pytestmark = pytest.mark.jit_only

ROOK_MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def after_helping(depth_limit: int, helpers: int = 1) -> Searcher:
    """A player whose helpers alone have searched the starting position to the depth limit."""
    player = Searcher(hash_mb=1)
    player.clear_stop()
    player._set_root(chess.Board(), Limits())
    alpha_beta(player).helpers.resize(helpers)
    alpha_beta(player).helpers.start(player._search, alpha_beta(player).table, depth_limit)
    for thread in alpha_beta(player).helpers._threads:
        thread.join()
    return player


def test_a_helper_reports_its_deepest_line_once() -> None:
    player = after_helping(depth_limit=5)
    line = alpha_beta(player).helpers.stop()
    assert line is not None and line.depth == 5 and line.rank == 1
    move = bridge.to_move(line.moves[0], chess.Board())
    assert chess.Board().is_legal(move)
    assert alpha_beta(player).helpers.stop() is None


def test_every_second_helper_begins_an_iteration_ahead() -> None:
    player = after_helping(depth_limit=1, helpers=4)
    idle = [int(record.nodes) == 0 for record in alpha_beta(player).helpers._records]
    assert idle == [True, False, True, False]  # those that begin with 2 plies have nothing to do


def test_helpers_that_cannot_be_started_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    begin, begun = threading.Thread.start, list[threading.Thread]()

    def start(thread: threading.Thread) -> None:
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        begin(thread)

    player = Searcher(hash_mb=1)
    alpha_beta(player).helpers.resize(3)
    monkeypatch.setattr(threading.Thread, "start", start)
    result = player.search(chess.Board(), Limits(depth=6), lambda info: None)
    assert result.best is not None
    assert len(begun) == 1 and not begun[0].is_alive()


def test_what_was_broken_off_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first helper is stopped within its fourth iteration, the second after its fifth."""

    def deepen(record: Any, *_: object, first_depth: int) -> Iterator[list[SearchLine]]:
        last = 4 if first_depth == 2 else 5
        for depth in range(first_depth, last + 1):
            record.stop = first_depth == 2 and depth == last
            yield [SearchLine(depth, depth, 1, 0, 0, (first_depth,))]

    monkeypatch.setattr("boomslang.engine.search.parallel.deepen", deepen)
    one = alpha_beta(after_helping(depth_limit=9, helpers=1)).helpers.stop()
    two = alpha_beta(after_helping(depth_limit=9, helpers=2)).helpers.stop()
    three = alpha_beta(after_helping(depth_limit=9, helpers=3)).helpers.stop()
    assert one and (one.depth, one.moves) == (3, (2,))
    assert two == three and two and (two.depth, two.moves) == (5, (1,))


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
    line = SearchLine(4 + deeper_by, 9, 1, 77, 1000, (bridge.from_move(move, board),))
    player = Searcher(hash_mb=1)
    monkeypatch.setattr(alpha_beta(player).helpers, "stop", lambda: line)
    infos: list[Info] = []
    player.clear_stop()
    result = player.search(board, Limits(depth=4, multipv=lines), infos.append)
    assert (result.best == move) is taken
    assert (infos[-1].pv[0] == move and infos[-1].score.centipawns == 77) is taken
    assert result.info == infos[-lines]


def test_two_threads_play_what_they_said_last() -> None:
    """A helper's line, where it is the deepest, is told before it is played."""
    player = Searcher(hash_mb=4)
    alpha_beta(player).helpers.resize(1)
    for nodes in range(3000, 60_000, 3000):
        infos: list[Info] = []
        player.clear_stop()
        result = player.search(chess.Board(), Limits(nodes=nodes), infos.append)
        assert result.info == infos[-1] and result.best == infos[-1].pv[0]
        assert [info.depth for info in infos] == sorted(info.depth for info in infos)
