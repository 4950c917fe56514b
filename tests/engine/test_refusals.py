"""What a program hands to the library and cannot be meant is refused there, by an exception that says so."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from boomslang import CommandError, Engine, Limits, Result, Score
from boomslang.engine.options import OPTIONS

pytestmark = pytest.mark.jit_only

COUNTS = ("depth", "nodes", "mate", "moves_to_go", "perft")
TIMES = ("movetime", "white_time", "black_time", "white_increment", "black_increment")
NO_INTEGERS = (1e6, 2.0, math.nan, math.inf, "5", b"5", True, np.True_, np.float64(3), [1], 1j)


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    with Engine(Hash=1) as engine:
        yield engine


@pytest.fixture
def engine(shared: Engine) -> Engine:
    shared.set_position()
    return shared


def limits(name: str, value: Any) -> Limits:
    return Limits(**{name: value})


@pytest.mark.parametrize("name", COUNTS + TIMES)
def test_numbers_of_limits_are_whole_and_in_range(name: str) -> None:
    for wrong in (*NO_INTEGERS, Decimal(3)):
        with pytest.raises(TypeError, match=f"^{name} is a whole number from [01], not of type "):
            limits(name, wrong)
    least, most = (1, 10**18) if name in COUNTS else (0, 10**10)
    for small in (least - 1, -(10**400)):
        with pytest.raises(CommandError, match=f"^{name} is a whole number from {least}, not -?"):
            limits(name, small)
    for given, read in ((least, least), (np.int64(7), 7), (np.uint8(9), 9), (10**400, most)):
        value = getattr(limits(name, given), name)
        assert value == read and type(value) is int


@pytest.mark.parametrize("name", ["infinite", "wait_for_stop", "ponder"])
def test_flags_of_limits_are_true_or_false(name: str) -> None:
    for wrong in (1, "yes", None):
        with pytest.raises(TypeError, match=f"^{name} is True or False, not of type "):
            limits(name, wrong)


def test_moves_of_python_chess_are_moves(engine: Engine) -> None:
    board = chess.Board()
    for _ in range(3):
        best = engine.go(Limits(nodes=200)).best
        assert best
        board.push(best)
        engine.set_position(moves=board.move_stack)
    assert engine.board.move_stack == board.move_stack
    played: list[str | chess.Move] = ["e2e4", chess.Move.from_uci("e7e5")]
    engine.set_position(moves=iter(played))
    two: list[str | chess.Move] = [chess.Move.from_uci("h2h3"), "a2a3"]
    assert str(engine.go(Limits(depth=3, search_moves=two)).best) in ("h2h3", "a2a3")
    every = Limits(depth=2, search_moves=engine.board.legal_moves)
    assert engine.go(every).best
    assert hash(every) and every.search_moves == tuple(
        move.uci() for move in engine.board.legal_moves
    )
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    engine.set_position(castling)
    move = chess.Move.from_uci("e1g1")
    assert engine.go(Limits(depth=1, search_moves=[move])).best == move


@pytest.mark.parametrize("moves", [5, None, "e2e4", [5], [None], [b"e2e4"], [chess.Board()]])
def test_what_is_no_list_of_moves(engine: Engine, moves: Any) -> None:
    with pytest.raises(TypeError, match=r"^moves are "):
        engine.set_position(moves=moves)
    assert engine.board == chess.Board()  # the position is that before
    if moves is not None:
        with pytest.raises(TypeError, match=r"^search_moves are "):
            Limits(search_moves=moves)


WRONG_CALLS: dict[str, tuple[Callable[[Engine], object], str]] = {
    "a number of limits": (lambda e: e.go(100), "^go takes Limits, not int"),  # type: ignore[arg-type]
    "a dictionary": (lambda e: e.go({"depth": 1}), "^go takes Limits, not dict"),  # type: ignore[arg-type]
    "no listener": (lambda e: e.go(Limits(depth=1), 5), "^on_info is a function"),  # type: ignore[arg-type]
    "a number as name": (lambda e: e.set_option(5), "^the name of an option is text"),  # type: ignore[arg-type]
    "None as name": (lambda e: e.set_option(None), "^the name of an option is text"),  # type: ignore[arg-type]
    "a name of None": (lambda e: e.value_of(None), "^the name of an option is text"),  # type: ignore[arg-type]
    "a position": (lambda e: e.set_position(5), "^a position is a FEN, a chess.Board or"),  # type: ignore[arg-type]
    "a list of FENs": (lambda e: e.set_position([""]), "^a position is a FEN"),  # type: ignore[arg-type]
    "a size": (lambda e: Engine(64), "^on_remark is a function"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_types_are_named(engine: Engine, name: str) -> None:
    call, message = WRONG_CALLS[name]
    with pytest.raises(TypeError, match=message):
        call(engine)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"perft": 3}, "go searches; perft counts"),
        ({"black_time": 500}, "white is to move, and white_time is missing"),
        ({"white_increment": 50}, "white_time is missing"),
        ({"moves_to_go": 3}, "white_time is missing"),
        ({"search_moves": ["e2e4", "e2e5"]}, "search_moves: move 2, 'e2e5', cannot be played"),
        ({"search_moves": [chess.Move.null()]}, "search_moves: move 1, '0000', cannot be played"),
    ],
)
def test_limits_that_do_not_fit_the_position(
    engine: Engine, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        engine.go(Limits(**given))
    assert engine.go(Limits(depth=1, black_time=500)).best  # which has an end


def test_no_move_at_all_is_no_choice() -> None:
    with pytest.raises(CommandError, match="search_moves: no move is named"):
        Limits(search_moves=[])


@pytest.mark.parametrize("wrong", [None, 5, 2.5, [], b"x"])
def test_options_of_another_type_are_refused(engine: Engine, wrong: Any) -> None:
    for option in OPTIONS:
        if option.kind == "button" or (option.kind == "spin" and wrong == 5):
            continue
        before = engine.value_of(option.name)
        with pytest.raises(CommandError, match=f"^{option.name} is "):
            engine.set_option(option.name, wrong)
        assert engine.value_of(option.name) == before


class Text(StrEnum):
    """Values of options as programs keep them."""

    PLAIN = "classical"
    ON = "true"
    TWO = "2"


def test_values_of_options_that_programs_have(engine: Engine, tmp_path: Path) -> None:
    for given, read in ((np.int32(2), 2), ("2", 2), (10**5000, 256), (-(10**5000), 1)):
        engine.set_option("MultiPV", given)
        assert engine.value_of("MultiPV") == read
    for name, text, meant in (
        ("Evaluation", Text.PLAIN, "classical"),
        ("OwnBook", Text.ON, True),
        ("MultiPV", Text.TWO, 2),
    ):
        engine.set_option(name, text)
        assert engine.value_of(name) == meant and not isinstance(engine.value_of(name), Enum)
    engine.set_option("Evaluation", "network")
    engine.set_option("OwnBook", False)
    with pytest.raises(CommandError, match="MultiPV is a whole number from 1 to 256"):
        engine.set_option("MultiPV", True)
    with pytest.raises(CommandError, match=r"no other network: .*missing"):
        engine.set_option("EvalFile", tmp_path / "missing")


def test_what_fails_in_a_search_reaches_the_caller(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> Result:
        raise ZeroDivisionError("in the search")

    with monkeypatch.context() as patch:
        patch.setattr(engine._searcher, "search", fail)
        with pytest.raises(ZeroDivisionError, match="in the search"):
            engine.go(Limits(depth=1))
        patch.setattr(engine._searcher, "search", lambda *_: Result(None, None))
        with pytest.raises(RuntimeError, match="the search answered None"):
            engine.go(Limits(depth=1))
    assert engine.go(Limits(depth=1)).best


def test_a_closed_engine_does_no_work() -> None:
    engine = Engine(Hash=1)
    assert repr(engine) == f"<Engine(Hash=1): {chess.STARTING_FEN}>"
    engine.close()
    engine.close()
    engine.stop()
    calls: list[Callable[[], object]] = [
        lambda: engine.go(Limits(depth=1)),
        lambda: engine.set_option("Hash", 1),
        *(engine.set_position, engine.evaluate, engine.new_game, engine.get_ready),
        engine.wait_for_kernels,
        engine.__enter__,
    ]
    for call in calls:
        with pytest.raises(CommandError, match="the engine is closed"):
            call()
    assert repr(engine) == "<Engine(Hash=1): closed>"


def test_scores_are_compared_and_printed() -> None:
    mates = [Score(mate=0), Score(mate=-1), Score(mate=-9)]
    pawns = [Score(centipawns=points) for points in (-20_000, -32, 0, 5, 32, 20_000)]
    ordered = [*mates, *pawns, Score(mate=9), Score(mate=1)]
    assert sorted({*ordered}) == ordered
    assert max(ordered) == ordered[-1] and Score(centipawns=5) >= Score(centipawns=5)
    shown = [str(score) for score in ordered]
    assert shown[:5] == ["#0", "#-1", "#-9", "-200.00", "-0.32"]
    assert shown[5:] == ["+0.00", "+0.05", "+0.32", "+200.00", "#9", "#1"]
    with pytest.raises(TypeError):
        operator.lt(Score(centipawns=5), 5)
