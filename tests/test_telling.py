"""What is told during a search, and how often."""

from __future__ import annotations

import threading

import chess
import pytest

from engine.limits import Current, Info, Score
from uci import telling
from uci.telling import Telling

MOVE = chess.Move.from_uci("e2e4")


def info(depth: int, multipv: int = 1) -> Info:
    return Info(depth, depth, multipv, Score(centipawns=1), "", 1, 1, 0, 0, 1, (MOVE,))


def test_the_first_depths_pass_and_a_flood_is_cut_to_its_last() -> None:
    told: list[Info | Current] = []
    with Telling(told.append, lambda: None) as search:
        for depth in range(1, 1001):
            search.line(info(depth))
    assert told[:60] == [info(depth) for depth in range(1, 61)]
    assert told[-1] == info(1000)
    assert len(told) < 200


def test_lines_of_a_depth_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "_AT_ONCE", 2)
    told: list[Info | Current] = []
    with Telling(told.append, lambda: None) as search:
        for depth in range(1, 5):
            for rank in (1, 2, 3):
                search.line(info(depth, rank))
    assert told == [info(depth, rank) for depth in (1, 2, 4) for rank in (1, 2, 3)]


def test_the_current_move_is_told_late_and_a_score_comes_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telling, "_GLANCE", 0.001)
    told: list[Info | Current] = []
    looking = Current(4, MOVE, 1)
    enough = threading.Event()

    def tell(news: Info | Current) -> None:
        told.append(news)
        if isinstance(news, Current):
            enough.set()

    with Telling(tell, lambda: looking) as search:
        search.line(info(3))
        assert not enough.wait(0.05)
        monkeypatch.setattr(telling, "_CURRENT_AFTER", 0.0)
        assert enough.wait(30)
    assert told == [info(3), looking, info(3)]
