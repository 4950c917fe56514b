"""Lines printed during a search, and how often."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from functools import partial

import chess
import pytest

from boomslang.engine.limits import CurrentMove, Info, Score
from boomslang.uci import output
from boomslang.uci.output import Output

MOVE = chess.Move.from_uci("e2e4")


def new_output() -> Output:
    return Output(lambda data: None, lambda: None)


def info(depth: int, multipv: int = 1) -> Info:
    return Info(depth, depth, multipv, Score(centipawns=1), "", 1, 1, 0, 0, 1, (MOVE,))


def test_the_first_depths_pass_and_a_flood_is_cut_to_its_last() -> None:
    told: list[Info | CurrentMove] = []
    with new_output().stream(told.append, lambda: None) as search:
        for depth in range(1, 1001):
            search.line(info(depth))
    assert told[:60] == [info(depth) for depth in range(1, 61)]
    assert told[-1] == info(1000)
    assert len(told) < 200


def test_lines_of_a_depth_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_AT_ONCE", 2)
    told: list[Info | CurrentMove] = []
    with new_output().stream(told.append, lambda: None) as search:
        for depth in range(1, 5):
            for rank in (1, 2, 3):
                search.line(info(depth, rank))
    assert told == [info(depth, rank) for depth in (1, 2, 4) for rank in (1, 2, 3)]


def test_the_current_move_is_reported_late_and_a_score_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "_CURRENT_MOVE_INTERVAL", 0.001)
    told: list[Info | CurrentMove] = []
    looking = CurrentMove(4, MOVE, 1)
    enough = threading.Event()

    def tell(news: Info | CurrentMove) -> None:
        told.append(news)
        if isinstance(news, CurrentMove):
            enough.set()

    with new_output().stream(tell, lambda: looking) as search:
        search.line(info(3))
        assert not enough.wait(0.05)
        monkeypatch.setattr(output, "_CURRENT_AFTER", 0.0)
        assert enough.wait(30)
    assert told == [info(3), looking, info(3)]


def test_no_current_move_comes_first_or_between_the_lines_of_a_depth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "_CURRENT_MOVE_INTERVAL", 0.001)
    monkeypatch.setattr(output, "_CURRENT_AFTER", 0.0)
    told: list[Info | CurrentMove] = []
    glances = threading.Semaphore(0)
    numbers = iter(range(1, 10**6))

    def current() -> CurrentMove:
        glances.release()
        return CurrentMove(4, MOVE, next(numbers))

    lines = [info(depth, rank) for depth in (3, 4) for rank in (1, 2, 3)]
    with new_output().stream(told.append, current) as search:
        for _ in range(3):  # there is no line yet, so no current move either
            assert glances.acquire(timeout=30)
        for line in lines[:3]:
            search.line(line)
        for line in lines[3:]:
            search.line(line)
            for _ in range(3):
                assert glances.acquire(timeout=30)
    at = told.index(lines[3])
    assert told[0] == lines[0] and told[at : at + 3] == lines[3:]
    assert any(isinstance(news, CurrentMove) for news in told)


def test_one_thread_looks_at_one_search_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_CURRENT_MOVE_INTERVAL", 0.001)
    monkeypatch.setattr(output, "_CURRENT_AFTER", 0.0)
    monkeypatch.setattr(output, "_DOZE_AFTER", 2)
    before = set(threading.enumerate())
    out, looking = new_output(), CurrentMove(4, MOVE, 0)
    for number in range(1, 20):
        told: queue.SimpleQueue[Info | CurrentMove] = queue.SimpleQueue()
        looking = replace(looking, number=number)
        with out.stream(told.put, partial(replace, looking)) as search:
            search.line(info(3))
            assert told.get(timeout=30) == info(3)
            assert told.get(timeout=30) == looking
        while number % 2 and not out._dozes:  # by turns an awake and a sleeping thread
            time.sleep(0.001)
    assert len({*threading.enumerate()} - before) <= 1


def test_an_early_line_is_not_flushed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    out = Output(written.put, lambda: None)

    def tell(news: Info | CurrentMove) -> None:
        out.news(f"depth {news.depth}")

    monkeypatch.setattr(output, "_CURRENT_MOVE_INTERVAL", 1e6)
    with out.stream(tell, lambda: None) as search:
        search.line(info(1))
        search.line(info(2))
        monkeypatch.setattr(output, "_CURRENT_MOVE_INTERVAL", 0.0)
        search.glance()
        assert written.get(timeout=30) == b"depth 1\ndepth 2\n"
        search.line(info(3))
        assert written.get(timeout=30) == b"depth 3\n"
