"""The engine as a program in Python uses it: `from boomslang import Engine`."""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import chess
import pytest

import boomslang
from boomslang import CommandError, Engine, Info, Limits, Result
from boomslang.engine.levels.ladder import level_of_elo
from boomslang.engine.options import OPTIONS
from tests.support.uci_rows import MATE_IN_ONE

pytestmark = pytest.mark.jit_only


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(Hash=1) as engine:
        yield engine


def test_everything_public_is_there() -> None:
    for name in boomslang.__all__:
        assert getattr(boomslang, name) is not None and name in dir(boomslang)
    with pytest.raises(AttributeError, match="no attribute 'Enigne'"):
        _ = boomslang.Enigne


def test_a_move_and_its_reasons(engine: Engine) -> None:
    told: list[Info] = []
    engine.set_position(moves=["e2e4", "e7e5"])
    result = engine.go(Limits(nodes=3000), told.append)
    assert result.info and told[-1] == result.info
    assert result.best == told[-1].pv[0] and engine.board.is_legal(result.best)
    assert [info.depth for info in told] == sorted(info.depth for info in told)


def test_an_analysis(engine: Engine) -> None:
    """At full strength, whatever the options say, which stay as they were."""
    engine.set_option("UCI_LimitStrength", True)
    engine.set_option("UCI_Elo", 1350)
    lines = engine.analyse(Limits(depth=8), multipv=3)
    assert [info.multipv for info in lines] == [1, 2, 3] and lines[0].depth == 8
    assert len({info.pv[0] for info in lines}) == 3
    assert len(engine.analyse(Limits(depth=3))) == 1 == engine.value_of("MultiPV")
    assert len(engine.analyse(Limits(depth=3, multipv=2))) == 2
    engine.set_option("MultiPV", 4)
    assert len(engine.analyse(Limits(depth=3))) == 4
    assert len(engine.go(Limits(depth=3, analysing=True)).lines) == 4
    engine.set_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(Limits(depth=3)) == []
    with pytest.raises(TypeError, match="analyse takes Limits"):
        engine.analyse(3)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="multipv is a whole number from 1"):
        engine.analyse(Limits(depth=3), multipv=-1)


def test_positions_of_all_kinds(engine: Engine) -> None:
    engine.set_position(MATE_IN_ONE)
    assert engine.go(Limits(depth=3)).best == chess.Move.from_uci("a1a8")
    board = chess.Board()
    for san in ("f3", "e5", "g4"):
        board.push_san(san)
    engine.set_position(board)
    assert engine.board.move_stack == board.move_stack
    assert engine.go(Limits(depth=2)).best == chess.Move.from_uci("d8h4")
    board.push_san("Qh4")  # the engine has a copy
    assert engine.board.fullmove_number == 2 and not engine.board.is_checkmate()
    engine.set_position(board)
    assert engine.go(Limits(depth=2)) == Result(None, None)


def test_a_position_that_is_refused(engine: Engine) -> None:
    for bad in ("nonsense", "8/8/8/8/8/8/8/8 w - - 0 1"):
        with pytest.raises(CommandError, match="position refused"):
            engine.set_position(bad)
        with pytest.raises(CommandError, match="there is no position"):
            engine.go(Limits(depth=1))
    with pytest.raises(ValueError, match="e2e5"):
        engine.set_position(moves=["e2e5"])
    engine.set_position()
    assert engine.go(Limits(depth=1)).best


def test_options(engine: Engine) -> None:
    assert engine.options.keys() == {option.name for option in OPTIONS}
    assert engine.value_of("move overhead") == 100
    engine.set_option("MultiPV", 3)
    told: list[Info] = []
    engine.go(Limits(depth=3), told.append)
    assert {info.multipv for info in told} == {1, 2, 3}
    assert Engine(Move_Overhead=9999).value_of("Move Overhead") == 5000  # clipped
    for name, value, message in (
        ("Hush", 1, r"unknown option 'Hush'; did you mean Hash\?"),
        ("Contempt", 1, r"unknown option 'Contempt' \(options: Hash, Threads, "),
        ("Hash", "much", "Hash is a whole number from 1 to 131072"),
        ("OwnBook", "maybe", "OwnBook is true or false"),
        ("Search Algorithm", "luck", "one of alphabeta, mcts"),
    ):
        with pytest.raises(CommandError, match=message):
            engine.set_option(name, value)


def test_the_evaluation_in_parts(engine: Engine) -> None:
    engine.set_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    network, classical = engine.evaluate(), engine.evaluate(classical=True)
    assert network and classical and network.score > 0 and classical.score > 0
    engine.set_position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    assert engine.evaluate() is None  # in check


@contextmanager
def called_after_a_line(action: Callable[[], None]) -> Iterator[Callable[[Info], None]]:
    """What hears lines, and lets another thread act after the first."""
    heard = threading.Event()

    def act() -> None:
        assert heard.wait(30)
        action()

    thread = threading.Thread(target=act)
    thread.start()
    yield lambda info: heard.set()
    thread.join()


@pytest.mark.parametrize("limits", [None, Limits(infinite=True), Limits(ponder=True, movetime=1)])
def test_another_thread_stops_it(engine: Engine, limits: Limits | None) -> None:
    with called_after_a_line(engine.stop) as heard:
        assert engine.go(limits, heard).best


def test_ponderhit_starts_the_clock(engine: Engine) -> None:
    with called_after_a_line(engine.ponderhit) as heard:
        assert engine.go(Limits(ponder=True, movetime=50), heard).best


def test_two_engines_side_by_side_are_independent() -> None:
    with Engine(Hash=1) as one, Engine(Hash=1) as other:
        one.set_position(MATE_IN_ONE)
        counted = []
        for engine in (other, one, other):
            engine.new_game()
            result = engine.go(Limits(depth=5))
            assert result.info
            counted.append(result.info.nodes)
        assert counted[0] == counted[2] != counted[1]


def test_remarks_go_to_the_callback_or_the_log(caplog: pytest.LogCaptureFixture) -> None:
    said: list[str] = []
    Engine(said.append, Threads=1024).close()
    assert len(said) == 1 and said[0].endswith(" threads are used, one for each processor")
    with caplog.at_level(logging.INFO, "boomslang"):
        Engine(Threads=1024).close()
    assert [record.getMessage() for record in caplog.records] == said


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("BookFile", "no opening book: "),
        ("EvalFile", "no other network: "),
        ("SyzygyPath", "there are no tablebases in SyzygyPath: cannot read the folder "),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(name: str, reason: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    with pytest.raises(CommandError, match=reason):
        Engine(None, None, **{name: missing})
    with Engine() as engine:
        with pytest.raises(CommandError, match=reason):
            engine.set_option(name, missing)
        assert engine.value_of(name) == ""
        assert engine.go(Limits(nodes=100)).best


def test_a_game_of_chess960_holds_up_no_other_game(engine: Engine) -> None:
    engine.set_option("UCI_Chess960", True)
    engine.set_position("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", ["b1a1"])  # castling, by Chess960 alone
    before = engine.board
    engine.set_option("UCI_Chess960", False)
    assert engine.board == before
    engine.set_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert str(engine.go(Limits(depth=1, search_moves=["e1h1"])).best) == "e1g1"


def test_an_exception_of_the_listener_reaches_the_caller(engine: Engine) -> None:
    def fail(info: Info) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        engine.go(Limits(nodes=1000), fail)
    assert engine.go(Limits(nodes=1000)).info


def test_a_board_is_checked_and_stays_what_it_was(engine: Engine) -> None:
    board = chess.Board()
    board.push_san("e4")
    moves = ["e7e5"]
    engine.set_position(board, moves)
    moves.append("g1f3")
    engine.set_option("UCI_Chess960", True)
    assert [move.uci() for move in engine.board.move_stack] == ["e2e4", "e7e5"]
    for position, played in (
        (chess.Board(), ["e2e4", "e2e4"]),
        (chess.Board("8/8/8/8/8/8/8/Q7 w - - 0 1"), []),
    ):
        with pytest.raises(CommandError, match="position refused"):
            engine.set_position(position, played)
        with pytest.raises(CommandError, match="there is no position"):
            _ = engine.board


def test_an_engine_leaves_nothing_behind() -> None:
    with Engine(Hash=1) as engine:
        engine.go(Limits(nodes=100))
    searcher = weakref.ref(engine._searcher)
    del engine
    gc.collect()
    assert searcher() is None


def test_declared_defaults_are_in_force(engine: Engine) -> None:
    engine.set_option("UCI_LimitStrength", True)
    assert engine.handicap.level == level_of_elo(int(engine.value_of("UCI_Elo")))
