"""Endgame tables in the engine: options, roots, probes inside the search, wins that are won, damage."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import pytest

from boomslang.engine import bridge
from boomslang.engine.analyst import AnalysedPosition, searcher
from boomslang.engine.driver.root_ranking import CURSED, WIN, RankedMoves
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.driver.tablebase import Tablebase, name_of, split
from boomslang.engine.engine import Engine
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.perfect_defence import play_out
from tests.support.places import SUITES
from tests.support.process import STARTUP, UciProcess
from tests.support.searchers import set_option
from tests.support.uci_conversation import Conversation

TABLES = SUITES / "syzygy"
SUITE = SUITES / "endgame" / "syzygy_wdl_dtz.epd"

WITH_TABLES = pytest.mark.skipif(not TABLES.is_dir(), reason="the tables are not here")


def suite() -> Iterator[tuple[chess.Board, int]]:
    """Each position with its result."""
    for line in SUITE.read_text("ascii").splitlines():
        board = chess.Board()
        yield board, int(str(board.set_epd(line)["wdl"]))


def opened(folder: Path | str) -> tuple[Tablebase, list[str]]:
    """Tables, and what is said about them."""
    said: list[str] = []
    tables = Tablebase(said.append)
    tables.open(str(folder))
    tables.load()
    return tables, said


@pytest.fixture(scope="module")
def tables(kernels: None) -> Tablebase:
    return opened(TABLES)[0]


def rank(tables: Tablebase, board: chess.Board, lines: int = 1) -> RankedMoves | None:
    return tables.rank(board, None, lines, bridge.new_search())


# Options


def test_folders_of_a_path(tmp_path: Path) -> None:
    assert split("") == split(" ") == ()
    assert split("/a; /b c ;") == ("/a", "/b c")
    if os.pathsep == ":":
        assert split("/a:/b;/c") == ("/a", "/b", "/c")
    odd = tmp_path / "a;b"
    odd.mkdir()
    assert split(str(odd)) == (str(odd),)


def test_names_of_positions() -> None:
    assert name_of(chess.Board("8/8/8/3k4/3r4/2P5/8/K6R w - - 0 1")) == "KRPvKR"
    assert name_of(chess.Board("8/8/8/3k4/3q4/8/8/K7 w - - 0 1")) == "KvKQ"


def test_folders_without_tables(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere", Path("/dev/zero")):
        tables = Tablebase(lambda remark: None)
        message = tables.open(str(folder)) or ""
        assert message.startswith("error: there are no tablebases in SyzygyPath")
        assert ("cannot read the folder" in message) == (folder != tmp_path)
        assert tables.files is None


# The root


@WITH_TABLES
@pytest.mark.jit_only
def test_positions_of_the_suite_are_known(tables: Tablebase) -> None:
    for board, wdl in islice(suite(), None, None, 5):
        ranked = rank(tables, board)
        assert ranked, board.fen()
        assert ranked.has_distances
        assert ranked.result == wdl, board.fen()
        assert set(ranked.moves) <= set(board.legal_moves)


@WITH_TABLES
@pytest.mark.jit_only
def test_the_options_say_when_the_root_is_looked_up(tables: Tablebase) -> None:
    board = chess.Board("8/8/8/8/8/4k3/4P3/4K2R w - - 0 1")
    assert rank(tables, board)
    assert not rank(tables, chess.Board("8/8/8/8/8/4k3/4P3/4K2R w K - 0 1"))  # may castle
    assert not rank(tables, chess.Board("8/8/8/8/8/4k3/3PP3/4K2R w - - 0 1"))  # five pieces
    tables.set_limit(3)
    assert not rank(tables, board)
    tables.set_limit(7)
    tables.set_fifty(False)
    ranked = rank(tables, chess.Board("8/8/6k1/3B4/3K4/4N3/8/8 w - - 80 106"))
    assert ranked and ranked.result == WIN
    tables.set_fifty(True)
    ranked = rank(tables, chess.Board("8/8/6k1/3B4/3K4/4N3/8/8 w - - 80 106"))
    assert ranked and ranked.result == CURSED


@WITH_TABLES
@pytest.mark.jit_only
def test_a_rounded_distance_at_the_edge_of_fifty_moves_is_no_sure_win(tables: Tablebase) -> None:
    ranked = rank(tables, chess.Board("8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106"))
    assert ranked and ranked.result == CURSED
    ranked = rank(tables, chess.Board("8/8/6k1/3B4/3K4/4N3/8/8 w - - 53 106"))
    assert ranked and ranked.result == WIN


@WITH_TABLES
@pytest.mark.jit_only
def test_results_alone_serve_too(tmp_path: Path) -> None:
    for path in TABLES.glob("*.rtbw"):
        shutil.copy(path, tmp_path)
    tables, said = opened(tmp_path)
    assert said == ["35 tablebase files, up to 4 pieces"]
    ranked = rank(tables, chess.Board("8/8/8/3k4/3r4/8/8/K5Q1 w - - 0 1"))
    assert ranked and ranked.result == WIN
    assert not ranked.has_distances


# Inside the search


def searched(tables: Tablebase | None, fen: str, **options: int) -> Info:
    """The last line of a search to depth 8."""
    searcher = Searcher(hash_mb=1)
    for name, value in options.items():
        set_option(searcher, name, value)
    searcher.use_tables(tables)
    told: list[Info] = []
    searcher.search(chess.Board(fen), Limits(depth=8, infinite=True), told.append)
    return told[-1]


@WITH_TABLES
@pytest.mark.jit_only
@pytest.mark.parametrize("options", [{}, {"Threads": 2}], ids=str)
def test_a_capture_into_a_known_win_is_found(tables: Tablebase, options: dict[str, int]) -> None:
    fen = "8/8/8/3k4/8/8/1P6/K1Q2n2 w - - 0 1"  # five pieces; Qxf1 leaves four
    info = searched(tables, fen, **options)
    assert info.tbhits > 0
    assert info.score.mate or (info.score.centipawns or 0) >= 19_900
    without = searched(None, fen, **options)
    assert without.tbhits == 0
    assert not without.score.mate and (without.score.centipawns or 0) < 19_900


@WITH_TABLES
@pytest.mark.jit_only
def test_an_analysis_keeps_all_lines_of_a_won_ending() -> None:
    settings = AnalysisSettings(nodes=300, multipv=3, hash_mb=1, tables=str(TABLES))
    board = chess.Board("8/8/3k4/8/8/8/1K2P1P1/8 w - - 0 1")
    found = searcher(settings)(AnalysedPosition.of(board))
    assert len({line.pv[0] for line in found.lines}) == 3
    assert all(line.wdl == (1000, 0, 0) and len(line.pv) > 1 for line in found.lines)


@WITH_TABLES
@pytest.mark.jit_only
def test_limits_of_the_search(tables: Tablebase) -> None:
    fen = "8/8/8/3k4/8/1b6/1P6/K1Q2n2 w - - 0 1"
    tables.set_limit(2)
    assert searched(tables, fen).tbhits == 0
    tables.set_limit(4)
    tables.set_depth(50)  # with four pieces; with three at any depth
    few = searched(tables, fen).tbhits
    tables.set_depth(1)
    assert few < searched(tables, fen).tbhits
    tables.set_limit(7)


# Playing


def won(count: int) -> list[chess.Board]:
    return [board for board, wdl in suite() if wdl == 2][:count] if SUITE.exists() else []


def win_all(boards: list[chess.Board]) -> None:
    said: list[str] = []
    engine = Engine(said.append, Hash=1, SyzygyPath=str(TABLES))

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


@WITH_TABLES
@pytest.mark.jit_only
def test_wins_are_won_within_the_fifty_move_rule() -> None:
    win_all([*won(1), chess.Board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1")])


@WITH_TABLES
@pytest.mark.slow
@pytest.mark.jit_only
def test_every_win_of_the_suite_is_won() -> None:
    win_all(won(200))


@pytest.mark.jit_only
@WITH_TABLES
def test_the_engine_reports_its_tablebases_and_uses_them(tmp_path: Path) -> None:
    with UciProcess() as engine:
        path = f"{tmp_path / 'nowhere'};{TABLES}"
        engine.send("uci", f"setoption name SyzygyPath value {path}")
        told = engine.ready(STARTUP)
        assert "info string 70 tablebase files, up to 4 pieces" in told
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


def test_a_level_does_without_tables() -> None:
    talk = Conversation()
    talk.ask(
        f"setoption name SyzygyPath value {TABLES}",
        "setoption name UCI_LimitStrength value true",
        "position fen 8/8/8/8/8/2k5/8/KR6 w - - 0 1",
    )
    talk.send("go depth 2")
    talk.until("bestmove")
    assert talk.puppet.tables is None


# Damage


@WITH_TABLES
@pytest.mark.jit_only
def test_damaged_files_are_refused_by_name(tmp_path: Path) -> None:
    for path in TABLES.glob("*K[QR]vK.*"):
        shutil.copy(path, tmp_path)
    (tmp_path / "KQvK.rtbw").write_bytes((TABLES / "KQvK.rtbw").read_bytes()[:-40])
    (tmp_path / "KRvK.rtbz").write_bytes(b"no table" * 64)
    (tmp_path / "KBvK.rtbw").touch()
    (tmp_path / "KPvK.rtbw").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "KNvK.rtbw")
    tables, said = opened(tmp_path)
    for fen in ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"):
        assert rank(tables, chess.Board(fen)) is None
    ranked = rank(tables, chess.Board("8/8/8/8/3k4/8/8/KR6 w - - 0 1"))
    assert ranked and ranked.result == WIN
    assert not ranked.has_distances
    for name in ("KQvK.rtbw", "KRvK.rtbz", "KPvK.rtbw"):
        assert sum(name in line for line in said) == 1


@WITH_TABLES
@pytest.mark.jit_only
@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut there")
def test_a_file_that_is_cut_while_it_is_mapped_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boomslang.engine.tablebases.table_files.SMALL", 0)
    for path in (*TABLES.glob("KQvK.*"), *TABLES.glob("KQvKR.*"), *TABLES.glob("KRvK.*")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    tables, said = opened(tmp_path)
    board = chess.Board("8/8/8/3k4/3r4/8/8/K5Q1 w - - 0 1")
    assert rank(tables, board)
    os.truncate(tmp_path / "KQvKR.rtbw", 0)
    assert rank(tables, board) is None
    assert any("KQvKR.rtbw" in line and "its size has changed" in line for line in said)


def spoil(source: Path, target: Path, dice: random.Random) -> None:
    """Copy a table with some bytes changed behind its header."""
    data = bytearray(source.read_bytes())
    for _ in range(dice.choice((1, 5, 50))):
        data[dice.randrange(5, len(data))] = dice.randrange(256)
    target.write_bytes(data)


@WITH_TABLES
@pytest.mark.jit_only
def test_damage_inside_is_survived(tmp_path: Path) -> None:
    dice = random.Random(8)
    for path in TABLES.iterdir():
        shutil.copy(path, tmp_path)
    boards = [board for board, _ in suite()]
    names = sorted(path.name for path in TABLES.iterdir())
    search = bridge.new_search()
    for _ in range(20):
        name = dice.choice(names)
        spoil(TABLES / name, tmp_path / name, dice)
        tables, said = opened(tmp_path)
        stem = name.partition(".")[0]
        hit = [b for b in boards if name_of(b) in (stem, "v".join(stem.split("v")[::-1]))] or boards
        for board in dice.sample(hit, min(len(hit), 4)):
            ranked = tables.rank(board, None, 1, search)
            assert ranked is None or set(ranked.moves) <= set(board.legal_moves)
        assert all(name in line for line in said[1:])
        shutil.copy(TABLES / name, tmp_path)
