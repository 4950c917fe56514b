"""The time that a level takes: like people's, never more than there is, and never where nobody wants it."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterator
from dataclasses import replace

import chess
import pytest

from boomslang.engine.driver.clock import LagEstimator
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.engine import Engine
from boomslang.engine.levels.think_time import Moment, draw_time, moment_of
from boomslang.engine.limits import Info, Limits
from tests.support.process import UciProcess

TIMEOUT = 60.0  # seconds; only a hang takes so long
FAR = 10_000.0  # seconds
CLOCK = Limits(white_time=36_000_000, black_time=36_000_000)
USUAL = Moment(1500, 120, 2, 30, 1.5, 0.5, takes_back=False)


def typical(moment: Moment) -> float:
    """The mean of the times between the quarters."""
    times = sorted(draw_time(moment, random.Random(number)) for number in range(2000))
    return sum(times[500:1500]) / 1000


def test_people_take_less_time_where_there_is_less_to_think_about() -> None:
    usual = typical(USUAL)
    assert 2 < usual < 12
    quicker = [
        USUAL._replace(left=10),
        USUAL._replace(increment=0),
        USUAL._replace(ply=2),
        USUAL._replace(entropy=0.1),
        USUAL._replace(takes_back=True),
        USUAL._replace(chance=0.99, entropy=0.5),
    ]
    assert all(typical(moment) < 0.9 * usual for moment in quicker)
    assert typical(USUAL._replace(left=600, increment=0)) > 1.2 * typical(
        USUAL._replace(increment=0)
    )


def test_a_moment_is_read_off_the_board() -> None:
    board = chess.Board()
    for move in ("e2e4", "d7d5", "e4d5"):
        board.push_uci(move)
    queen, knight = chess.Move.from_uci("d8d5"), chess.Move.from_uci("g8f6")
    chances = {queen: 0.5, knight: 0.5}
    moment = moment_of(board, queen, chances, 1500, 60, 1)
    assert moment._replace(entropy=0) == Moment(1500, 60, 1, 3, 0, 0.5, takes_back=True)
    assert moment.entropy == pytest.approx(math.log(2))
    assert not moment_of(board, knight, chances, 1500, 60, 1).takes_back
    for strange in (chess.Board(), chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")):
        first = next(iter(strange.legal_moves))
        strange.push(chess.Move.null())
        strange.push(chess.Move.null())
        assert draw_time(moment_of(strange, first, {first: 1.0}, 9000, 0, 0), random.Random(1)) > 0
        assert not moment_of(strange, first, {}, 0, 1e9, 1e9).takes_back


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("base", "increment", "to_go"),
    [(180, 2, None), (600, 0, None), (60, 0, None), (5, 0.1, None), (2, 0, None), (30, 0, 20)],
)
def test_500_games_are_not_lost_on_time(base: int, increment: float, to_go: int | None) -> None:
    """The clock is simulated: the search costs some time, and so does the way of a move."""
    cost, lag = (0.005, 0.005) if base < 10 else (0.03, 0.03)
    times, spent = list[float](), 0.0

    def wait(seconds: float) -> float:
        nonlocal spent
        spent = max(seconds, cost)
        return spent

    searcher = Searcher(1)
    for game in range(84):  # 504 in all
        searcher._lag, dice = LagEstimator(), random.Random(game)
        left, board, rating = float(base), chess.Board(), dice.randrange(600, 2600)
        for move in range(dice.randrange(30, 90)):
            if to_go and move and move % to_go == 0:
                left += base
            board.fullmove_number = move + 1
            limits = Limits(
                white_time=int(1000 * left),
                white_increment=int(1000 * increment),
                moves_to_go=to_go and to_go - move % to_go,
            )
            chance = dice.random()
            choice = chance, dice.random() < 0.2
            moment = Moment(rating, left, increment, board.ply(), dice.uniform(0, 3), *choice)
            searcher.rest(board, limits, draw_time(moment, dice), wait)
            left -= spent + lag
            times.append(spent)
            assert left > 0, (game, move)
            left += increment
    if base >= 180:  # waiting is no lag
        assert 0.008 * base < sum(times) / len(times) < 0.05 * base


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(Hash=1, Random_Seed=1, UCI_LimitStrength=True, Human_Time=True) as engine:
        yield engine


def take(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """A level takes so many seconds for each move, as far as its clock goes."""
    monkeypatch.setattr("boomslang.engine.levels.handicap.draw_time", lambda moment, dice: seconds)


@pytest.mark.jit_only
@pytest.mark.parametrize("ends", ["stop", "close", "hit"])
def test_what_ends_a_search_ends_the_wait(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """While it ponders it waits for the hit, from which the time counts."""
    take(monkeypatch, 0 if ends == "hit" else FAR)
    shown, found = threading.Event(), list[object]()

    def show(info: Info) -> None:
        shown.set()

    def go() -> None:
        found.append(engine.go(replace(CLOCK, ponder=ends == "hit"), show).best)

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    assert shown.wait(TIMEOUT)
    thread.join(0.3)
    assert thread.is_alive()
    {"stop": engine.stop, "close": engine.close, "hit": engine.ponderhit}[ends]()
    thread.join(TIMEOUT)
    assert not thread.is_alive() and isinstance(found[0], chess.Move)


@pytest.mark.jit_only
def test_only_a_level_on_a_clock_waits(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, FAR)
    waits = list[float]()

    def rest(task: SearchTask, seconds: float) -> float:
        waits.extend([seconds] if seconds else [])
        return seconds

    monkeypatch.setattr(SearchTask, "rest", rest)
    best = engine.go(CLOCK).best
    assert len(waits) == 1 and 1000 < waits[0] < 36_000 / 2
    for limits in (
        replace(CLOCK, depth=2),
        replace(CLOCK, nodes=100),
        replace(CLOCK, movetime=50),
        replace(CLOCK, mate=1, depth=3),
        Limits(depth=2),
        Limits(white_time=0, black_time=1000),
        replace(CLOCK, analysing=True, nodes=100),
    ):
        assert engine.go(limits).best and len(waits) == 1, limits
    for name, value in (("Human Time", False), ("nodestime", 1)):  # without it the move is the same
        engine.set_option(name, value)
        assert engine.go(CLOCK).best == best and len(waits) == 1
        engine.set_option("Human Time", True)
    for name, value in (("nodestime", 0), ("UCI_LimitStrength", False)):
        engine.set_option(name, value)
    assert engine.go(Limits(white_time=1000, black_time=1000)).best and len(waits) == 1


@pytest.mark.jit_only
def test_a_protocol_goes_on_while_a_level_waits() -> None:
    with UciProcess() as process:
        process.send("setoption name UCI_LimitStrength value true")
        process.send("setoption name Human Time value true", "setoption name Random Seed value 4")
        for ends in ("stop", "isready", "position startpos", "quit"):
            process.send(
                "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7"
            )
            process.send("isready")
            process.until("readyok")
            process.send("go wtime 36000000 btime 36000000")
            process.until("info depth")
            process.send(ends, *(["stop"] if ends == "isready" else []))
            said = process.until("bestmove")
            assert ends != "isready" or "readyok" in said
