"""Syzygy tables: scores on the right side of the draw, wins that are won, damage that does no harm."""

from __future__ import annotations

import functools
import operator
import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy
import pytest

from boomslang.engine.engine import Engine
from boomslang.engine.limits import Info, Limits, Result, Score
from boomslang.engine.tablebases import tablebase
from boomslang.engine.tablebases.known_moves import KnownMoves
from boomslang.engine.tablebases.syzygy import Probed
from boomslang.engine.tablebases.tablebase import Grade, Knowledge, Tablebase, grade
from tests.support.perfect_defence import play_out
from tests.support.places import SUITES
from tests.support.uci_conversation import Conversation
from tests.support.uci_process import STARTUP, UciProcess

TABLES = SUITES / "syzygy"
SUITE = SUITES / "endgame" / "syzygy_wdl_dtz.epd"
PATIENCE = 30.0  # seconds; only a hang takes so long

needs_tables = pytest.mark.skipif(not TABLES.is_dir(), reason="the tables are not here")


def suite() -> Iterator[tuple[chess.Board, int]]:
    """Each position with its WDL value."""
    for line in SUITE.read_text("ascii").splitlines():
        board = chess.Board()
        yield board, int(board.set_epd(line)["wdl"])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def said() -> list[str]:
    return []


@pytest.fixture(scope="module")
def tables(said: list[str]) -> Iterator[Tablebase]:
    tables = Tablebase(said.append)
    tables.open(str(TABLES))
    tables.wait(PATIENCE)
    yield tables
    tables.open("")


def look(tables: Tablebase, board: chess.Board, limits: Limits | None = None) -> Knowledge | None:
    return tables.look(board, limits or Limits(depth=9), lambda: False)


def worth(knowledge: Knowledge) -> int:
    return max(found.result for found in knowledge.grades.values())


# Looking up


@needs_tables
def test_all_positions_of_the_suite_are_known(tables: Tablebase, said: list[str]) -> None:
    assert said == ["70 tablebase files, up to 4 men"]
    for board, wdl in suite():
        knowledge = look(tables, board)
        assert knowledge and worth(knowledge) == wdl, board.fen()
        assert knowledge.grades.keys() == set(board.legal_moves)
        assert knowledge.hits == 1 + len(knowledge.grades)


@needs_tables
def test_the_options_say_when_to_look(tables: Tablebase) -> None:
    board = chess.Board("8/8/8/8/8/4k3/4P3/4K2R w - - 0 1")
    assert look(tables, board)
    assert not look(tables, chess.Board("8/8/8/8/8/4k3/4P3/4K2R w K - 0 1"))  # may castle
    assert not look(tables, chess.Board("8/8/8/8/8/4k3/3PP3/4K2R w - - 0 1"))  # five men
    for name, value, depth, known in [
        ("SyzygyProbeLimit", 3, 9, False),
        ("SyzygyProbeLimit", 4, 9, True),
        ("SyzygyProbeDepth", 7, 6, False),
        ("SyzygyProbeDepth", 7, 7, True),
    ]:
        set_option = tables.set_limit if name == "SyzygyProbeLimit" else tables.set_depth
        set_option(value)
        assert bool(look(tables, board, Limits(depth=depth))) == known
        assert look(tables, board, Limits(movetime=60_000)) or name == "SyzygyProbeLimit"
        tables.set_limit(7)
        tables.set_depth(1)


@needs_tables
def test_nobody_waits_after_stop(tables: Tablebase) -> None:
    asked: list[bool] = []

    def stopped() -> bool:
        asked.append(True)
        return True

    board = chess.Board("8/8/8/8/8/4k3/4P3/4K2R w - - 0 1")
    with tables._lock:  # the worker is busy
        assert tables.look(board, Limits(infinite=True), stopped) is None
    assert len(asked) == 1


def test_the_fifty_move_rule() -> None:
    assert grade(Probed("e2e4", 2, 30), 60, True) == Grade(tablebase.WIN, 30, True)
    assert grade(Probed("e2e4", 2, 30), 70, True) == Grade(tablebase.WIN, 30, False)
    assert grade(Probed("e2e4", 2, 30), 71, True).result == tablebase.CURSED
    assert grade(Probed("e2e4", 2, 30), 71, False) == Grade(tablebase.WIN, 30, True)
    assert grade(Probed("e2e4", 2, 1), 99, True) == Grade(tablebase.WIN, 1, True)  # a pawn moves
    assert grade(Probed("e2e4", -2, -30), 71, True).result == tablebase.BLESSED
    assert grade(Probed("e2e4", 1, 104), 0, True).result == tablebase.CURSED
    assert grade(Probed("e2e4", 1, 104), 0, False).result == tablebase.WIN
    assert grade(Probed("e2e4", 0, 0), 99, True).result == tablebase.DRAW
    assert grade(Probed("e2e4", 2, None), 99, True) == Grade(tablebase.WIN, None, True)


# What follows for the search

BOARD = chess.Board("8/8/8/8/8/2k5/8/KR6 w - - 0 1")


def known(lines: int = 1, board: chess.Board = BOARD, **grades: tuple[int, int]) -> KnownMoves:
    """Moves with (result, plies)."""
    knowledge = Knowledge(
        {chess.Move.from_uci(name): Grade(*found, True) for name, found in grades.items()}, 7
    )
    return KnownMoves(board, knowledge, list(knowledge.grades), lines)


def line(name: str, score: Score, multipv: int = 1) -> Info:
    return Info(9, 9, multipv, score, "", 1, 1, 0, 0, 1, (chess.Move.from_uci(name),))


def names(found: KnownMoves) -> list[str]:
    return [move.uci() for move in found.moves]


def test_only_moves_that_keep_the_result_are_searched() -> None:
    assert names(known(b1b2=(2, 9), b1b3=(0, 0), b1b4=(2, 5), b1c1=(1, 110))) == ["b1b4", "b1b2"]
    assert names(known(b1b2=(0, 0), b1b3=(-2, -9))) == ["b1b2"]
    assert names(known(b1b2=(-2, 9), b1b3=(-2, 20))) == ["b1b3", "b1b2"]
    found = known(3, b1b2=(2, 9), b1b3=(0, 0), b1b4=(-2, 8), b1b5=(-1, 120))
    assert names(found) == ["b1b2", "b1b3", "b1b5"]


def test_a_win_that_could_slip_away_is_made_sure_of() -> None:
    unsure = Knowledge(
        {
            chess.Move.from_uci(name): Grade(tablebase.WIN, plies, False)
            for name, plies in [("b1b2", 9), ("b1b3", 5)]
        },
        3,
    )
    assert names(KnownMoves(BOARD, unsure, list(unsure.grades), 1)) == ["b1b3"]
    board = BOARD.copy()
    for name in ("b1b2", "c3c4", "b2b1", "c4c3"):
        board.push_uci(name)
    assert names(known(1, board, b1b2=(2, 5), b1b3=(2, 9))) == ["b1b3"]  # not the same again


@pytest.mark.parametrize(
    ("result", "searched", "told"),
    [
        (2, Score(-50), Score(19_993)),
        (2, Score(mate=3), Score(mate=3)),
        (2, Score(mate=-3), Score(19_993)),
        (1, Score(700), Score(1)),
        (0, Score(700), Score(0)),
        (0, Score(mate=9), Score(0)),
        (-1, Score(-700), Score(-1)),
        (-2, Score(90), Score(-19_993)),
        (-2, Score(mate=-2), Score(mate=-2)),
    ],
)
def test_the_score_is_on_the_right_side_of_the_draw(
    result: int, searched: Score, told: Score
) -> None:
    heard: list[Info] = []
    known(b1b2=(result, 7)).tell(heard.append)(line("b1b2", searched))
    assert [(info.score, info.tbhits) for info in heard] == [(told, 7)]


def test_lines_are_sorted_by_what_is_known() -> None:
    heard: list[Info] = []
    listen = known(2, b1b2=(2, 7), b1b3=(0, 0)).tell(heard.append)
    listen(line("b1b3", Score(90)))
    listen(line("b1b2", Score(60), 2))
    assert [(info.pv[0].uci(), info.multipv) for info in heard] == [("b1b2", 1), ("b1b3", 2)]


@pytest.mark.parametrize(
    ("score", "played"), [(Score(300), "b1b4"), (Score(mate=12), "b1b2")], ids=str
)
def test_a_win_without_a_mate_in_sight_gets_on(score: Score, played: str) -> None:
    heard: list[Info] = []
    info = line("b1b2", score)
    found = known(b1b2=(2, 9), b1b4=(2, 5))
    result = found.settle(Result(info.pv[0], None, info), heard.append)
    assert result.best and result.best.uci() == played
    assert [told.pv[0].uci() for told in heard] == ["b1b4"] * (played == "b1b4")


# Playing


def won(count: int) -> list[chess.Board]:
    return [board for board, wdl in suite() if wdl == 2][:count] if SUITE.exists() else []


def win_all(boards: list[chess.Board]) -> None:
    said: list[str] = []
    engine = Engine(said.append, Hash=1, SyzygyPath=str(TABLES))
    engine.tablebase.wait(PATIENCE)

    def think(board: chess.Board) -> chess.Move:
        told: list[Info] = []
        engine.set_position(board)
        best = engine.go(Limits(nodes=2000), told.append).best
        assert best and told[-1].pv[0] == best
        score = told[-1].score
        assert (score.mate or score.centipawns or 0) > 0
        return best

    for board in boards:
        fen, hero = board.fen(), board.turn
        engine.new_game()
        assert play_out(board, think, TABLES).winner == hero, fen
    assert not [line for line in said if "error" in line]
    engine.close()


@needs_tables
@pytest.mark.usefixtures("kernels", "shared_tables")
@pytest.mark.jit_only
def test_wins_are_won_within_the_fifty_move_rule() -> None:
    win_all([*won(2), chess.Board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1")])


@needs_tables
@pytest.mark.slow
@pytest.mark.usefixtures("kernels")
@pytest.mark.jit_only
def test_every_win_of_the_suite_is_won() -> None:
    win_all(won(200))


@needs_tables
def test_the_engine_tells_what_it_knows(tmp_path: Path) -> None:
    with UciProcess() as engine:
        path = f"{tmp_path / 'nowhere'}{os.pathsep}{TABLES}"
        engine.send("uci", f"setoption name SyzygyPath value {path}")
        told = engine.ready(STARTUP)
        assert "info string 70 tablebase files, up to 4 men" in told
        assert any("error: cannot read the folder" in text for text in told)
        # A bishop of the wrong colour: the evaluation thinks that White is winning.
        engine.send("position fen 7k/8/8/7P/6K1/8/4B3/8 w - - 0 1", "go depth 8")
        lines = [text for text in engine.until("bestmove") if " score " in text]
        assert lines and all(" score cp 0 " in text for text in lines)
        assert all(" tbhits 0 " not in text for text in lines)
        engine.send("position fen 8/8/8/8/3k4/8/8/KBN5 w - - 0 1", "go depth 4")
        last = [text for text in engine.until("bestmove") if " score " in text][-1]
        assert int(last.split(" score cp ")[1].split()[0]) > 1000
        engine.send("setoption name SyzygyPath value <empty>", "go depth 4")
        assert " tbhits 0 " in engine.until("bestmove")[-2]


# Damage


def complaints(folder: Path) -> tuple[Tablebase, list[str]]:
    said: list[str] = []
    tables = Tablebase(said.append)
    tables.open(str(folder))
    tables.wait(PATIENCE)
    return tables, said


def test_folders_without_tables(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere", Path("/dev/zero")):
        tables, said = complaints(folder)
        assert said[0] == "error: there are no tablebases in SyzygyPath"
        assert not look(tables, BOARD)
        tables.open("")


@needs_tables
def test_damaged_files_are_left_out(tmp_path: Path) -> None:
    for path in TABLES.glob("*K[QR]vK.*"):
        shutil.copy(path, tmp_path)
    (tmp_path / "KQvK.rtbw").write_bytes((TABLES / "KQvK.rtbw").read_bytes()[:-40])
    (tmp_path / "KRvK.rtbz").write_bytes(b"no table" * 64)
    (tmp_path / "KBvK.rtbw").touch()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "KNvK.rtbw")
    tables, said = complaints(tmp_path)
    assert said[1] == "error: damaged tablebases are not used: KBvK.rtbw, KQvK.rtbw, KRvK.rtbz"
    assert look(tables, chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")) is None
    knowledge = look(tables, chess.Board("8/8/8/8/3k4/8/8/KR6 w - - 0 1"))
    assert knowledge and worth(knowledge) == tablebase.WIN
    assert {found.plies for found in knowledge.grades.values()} <= {None, 0}
    tables.open("")


def spoil(source: Path, target: Path, dice: random.Random) -> None:
    """Copy a table with some bytes changed behind its header."""
    data = bytearray(source.read_bytes())
    for _ in range(dice.choice((1, 5, 50))):
        data[dice.randrange(5, len(data))] = dice.randrange(256)
    target.write_bytes(data)


def survive(folder: Path, count: int) -> None:
    """Damaged tables end in silence or a message, and soon."""
    dice = random.Random(8)
    for path in TABLES.iterdir():
        shutil.copy(path, folder)
    boards = [board for board, _ in suite()]
    names = sorted(path.name for path in TABLES.iterdir())
    for _ in range(count):
        name = dice.choice(names)
        spoil(TABLES / name, folder / name, dice)
        tables, said = complaints(folder)
        hit = [b for b in boards if chess.syzygy.calc_key(b) in name.partition(".")[0]] or boards
        for board in dice.sample(hit, min(len(hit), 4)):
            began = time.monotonic()
            look(tables, board)
            assert time.monotonic() - began < PATIENCE
        assert len(said) <= 3
        tables.open("")
        shutil.copy(TABLES / name, folder)


@needs_tables
def test_damage_inside_is_survived(tmp_path: Path) -> None:
    survive(tmp_path, 2)


@needs_tables
@pytest.mark.slow
def test_two_hundred_damaged_files_are_survived(tmp_path: Path) -> None:
    survive(tmp_path, 200)


@needs_tables
def test_a_worker_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # A call that goes on for ever, and that a new process can be told: fold a very long range.
    endless = functools.partial(functools.reduce, operator.is_, range(10**18))
    monkeypatch.setattr(tablebase, "_ANSWER_WITHIN", 2.0)
    monkeypatch.setattr(tablebase, "probe", endless)
    tables, said = complaints(TABLES)
    assert look(tables, BOARD) is None
    until = time.monotonic() + PATIENCE  # nobody who plays has to wait for the message
    while not any("not used: took more than 2 seconds" in line for line in said):
        assert time.monotonic() < until, said
        time.sleep(0.05)
    assert look(tables, BOARD) is None


def test_a_level_does_without_tables() -> None:
    talk = Conversation()
    talk.ask(
        f"setoption name SyzygyPath value {TABLES}",
        "setoption name UCI_LimitStrength value true",
        "position fen 8/8/8/8/8/2k5/8/KR6 w - - 0 1",
    )
    talk.send("go depth 2")
    talk.until("bestmove")
    assert talk.puppet.asked[-1].search_moves is None
    talk.ask("setoption name SyzygyPath value <empty>")
