"""`nodestime`: a clock that nodes move."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from boomslang.engine.driver.clock import NodeClock
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits


def test_without_a_rate_the_real_clock_counts() -> None:
    clock, limits = NodeClock(), Limits(white_time=500)
    clock.spend(1000, limits, white=True)
    assert clock.read(limits, white=True) is limits


def test_the_clock_of_the_first_move_runs_on_by_nodes() -> None:
    clock = NodeClock()
    clock.rate = 10
    first = Limits(white_time=1000, black_time=800, black_increment=5)
    assert clock.read(first, white=False).black_time == 800
    clock.spend(2000, first, white=False)
    later = clock.read(Limits(white_time=1, black_time=1), white=False)
    assert (later.white_time, later.black_time) == (1, 800 + 5 - 200)
    clock.spend(10**9, first, white=False)
    assert clock.read(first, white=False).black_time == 1
    clock.reset()
    assert clock.read(first, white=False).black_time == 800


@pytest.mark.parametrize("later", [40, 1, None])
def test_a_time_control_that_is_reached_gives_time(later: int | None) -> None:
    clock = NodeClock()
    clock.rate = 10
    left = []
    for moves_to_go in (2, 1, later, later):
        limits = Limits(white_time=1000, black_time=1, moves_to_go=moves_to_go)
        left.append(clock.read(limits, white=True).white_time)
        clock.spend(4000, limits, white=True)
    assert left == [1000, 600, 1200, 1800 if later == 1 else 800]
    clock.reset()
    fresh = Limits(white_time=500, moves_to_go=40)
    assert clock.read(fresh, white=True).white_time == 500


def test_a_second_search_for_a_move_gains_no_time() -> None:
    clock = NodeClock()
    clock.rate = 10
    first = Limits(white_time=1000, white_increment=50, moves_to_go=1)
    clock.read(first, white=True)
    clock.spend(1000, first, white=True)
    assert clock.read(first, white=True, again=True).white_time == 1000 - 100 + 50
    clock.spend(1000, first, white=True, again=True)
    after = Limits(white_time=1, white_increment=50, moves_to_go=40)
    assert clock.read(after, white=True).white_time == 2000 - 200 + 50


def test_a_ponder_search_that_was_in_vain_gains_nothing() -> None:
    clock = NodeClock()
    clock.rate = 10
    left = []
    for moves_to_go, counts in ((2, True), (1, False), (1, True), (40, False), (40, True)):
        limits = Limits(white_time=1000, moves_to_go=moves_to_go, ponder=not counts)
        left.append(clock.read(limits, white=True).white_time)
        if counts:
            clock.spend(4000, limits, white=True)
    assert left == [1000, 600, 600, 1200, 1200]


def test_a_search_without_a_clock_costs_nothing() -> None:
    clock = NodeClock()
    clock.rate = 10
    limits = Limits(white_time=1000)
    assert clock.read(limits, white=True).white_time == 1000
    clock.spend(4000, Limits(depth=3), white=True)
    assert clock.read(limits, white=True).white_time == 1000


def test_limits_without_a_clock_are_left_alone() -> None:
    clock = NodeClock()
    clock.rate = 10
    limits = Limits(depth=3)
    assert clock.read(limits, white=True) is limits


@pytest.mark.jit_only
@pytest.mark.parametrize("limits", [Limits(white_time=1000, black_time=1000), Limits(movetime=100)])
def test_searches_on_the_clock_repeat(limits: Limits) -> None:
    def play() -> list[tuple[str, int]]:
        player, board, played = Searcher(hash_mb=1), chess.Board(), []
        player.set_node_clock(100)
        for _ in range(4):
            player.clear_stop()
            infos: list[Info] = []
            result = player.search(board, limits, infos.append)
            assert result.best and result.info
            played.append((result.best.uci(), result.info.nodes))
            board.push(result.best)
        return played

    first = play()
    assert first == play()
    assert all(nodes <= 0.8 * 100 * 1000 + 1024 for _, nodes in first)


@pytest.mark.jit_only
def test_pondering_in_vain_costs_nothing() -> None:
    player, board = Searcher(hash_mb=1), chess.Board()
    player.set_node_clock(100)
    limits, infos = Limits(white_time=1000, black_time=1000, depth=30), list[Info]()
    for ponder in (True, False):
        player.clear_stop()
        player.new_game()
        if ponder:
            player.search(board, replace(limits, ponder=True, depth=5), lambda info: None)
            assert player._node_clock.read(limits, white=True).white_time == 1000
        else:
            player.search(board, limits, infos.append)
            left = player._node_clock.read(limits, white=True).white_time
            assert left == round(1000 - infos[-1].nodes / 100)


@pytest.mark.jit_only
def test_a_level_gains_the_increment_of_a_move_that_it_began_to_ponder() -> None:
    """It searches twice for the move, the second time after the hit."""
    player, board = Searcher(hash_mb=1), chess.Board()
    player.set_node_clock(100)
    limits, infos = Limits(white_time=1000, white_increment=50, depth=5), list[Info]()
    player.search(board, replace(limits, ponder=True), lambda info: None, 1.0)
    spent = 0
    for _ in range(2):
        player.search(board, limits, infos.append, 1.0)
        spent += infos[-1].nodes
    left = player._node_clock.read(limits, white=True).white_time
    assert left == round(1000 + 50 - spent / 100)
