"""Tables against clock and history: what a game has made of a position, and that sound tables stay in use."""

from __future__ import annotations

import random
import threading
import time
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest

from boomslang.core.system.files import quote_path
from boomslang.engine import bridge
from boomslang.engine.analyst import AnalysedPosition, searcher
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.search_settings import AnalysisSettings
from boomslang.engine.tablebases.table_files import WDL, TableFiles
from tests.support.syzygy import FOLDERS, random_board

pytestmark = [
    pytest.mark.skipif(len(FOLDERS) < 2, reason="the tables are not here"),
    pytest.mark.jit_only,
]

REPEATED = (
    "8/8/8/4Q3/2k5/K7/8/8 b - - 1 1 moves c4d3 e5a1 d3c4 a1e5 c4d3 e5a1 d3c4"  # a1e5 is the third
)


def opened(*folders: Path, fifty: bool = True) -> tuple[Tablebase, list[str]]:
    said: list[str] = []
    tables = Tablebase(said.append)
    tables.open(";".join(map(str, folders or FOLDERS)))
    tables.load()
    tables.set_fifty(fifty)
    said.clear()
    return tables, said


def board_of(text: str) -> chess.Board:
    fen, _, moves = text.partition(" moves ")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def search(
    tables: Tablebase,
    board: chess.Board,
    *,
    analysing: bool = True,
    nodes: int = 500,
    lines: int = 1,
) -> list[Info]:
    """All lines that are told of a position."""
    own = Searcher(1)
    own.use_tables(tables)
    told: list[Info] = []
    limits = Limits(nodes=nodes, analysing=analysing, multipv=lines)
    own.search(board, limits, told.append)
    return told


def side_of(score: Score) -> int:
    """1, 0 or -1: won, drawn or lost."""
    worth = score.mate or score.centipawns or 0
    return 0 if score.mate is None and abs(worth) < 1000 else (worth > 0) - (worth < 0)


@pytest.mark.parametrize("analysing", [True, False], ids=["analysis", "play"])
@pytest.mark.parametrize(
    ("text", "with_fifty", "without"),
    [
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 99 1", 0, 1),
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 100 1", 0, 1),
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 140 1", 0, 1),
        ("8/8/6k1/8/8/3KNB2/8/8 b - - 99 1", 0, -1),
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 40 1", 1, 1),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 99 1", 1, 1),  # mate
        ("8/8/8/3k4/8/8/4P3/4K3 w - - 99 1", 0, 0),
        ("8/8/8/8/k7/8/4P3/4K3 w - - 100 1", 1, 1),  # the pawn moves
        ("8/8/8/8/8/2k5/1q6/K7 w - - 99 1", None, None),
        (REPEATED, 1, 1),
        (f"{REPEATED} a1e5 c4d3 e5a1", 0, 0),  # there is a third repetition
        ("4K3/8/8/8/8/2n4k/8/1BB5 w - - 0 1", 0, 1),  # cursed, and sure behind the best move
        (
            "5k2/8/1Q6/8/1K1Q4/8/8/8 w - - 97 1",
            1,
            1,
        ),  # mate at the last moment: distances are rounded
        ("8/8/8/8/3K4/4Q3/8/k7 w - - 95 1", 1, 1),
    ],
)
def test_sound_tables_stay_in_use(
    text: str, with_fifty: int | None, without: int | None, analysing: bool
) -> None:
    board = board_of(text)
    for fifty, worth in ((True, with_fifty), (False, without)):
        tables, said = opened(fifty=fifty)
        if any(board.legal_moves) and worth is not None:
            assert side_of(search(tables, board.copy(), analysing=analysing)[-1].score) == worth
        assert not said and tables.files and not tables.files.problems


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 99 1", 0),
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 100 1", 0),
        ("8/8/6k1/8/8/3KNB2/8/8 b - - 99 1", 0),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 99 1", 1),
        ("8/8/8/8/k7/8/4P3/4K3 w - - 100 1", 1),
        ("8/8/6k1/8/8/3KNB2/8/8 w - - 60 1", 1),
        ("4K3/8/8/8/8/2n4k/8/1BB5 w - - 0 1", 0),
    ],
)
def test_results_alone_judge_the_moves_too(tmp_path: Path, text: str, worth: int) -> None:
    for folder in FOLDERS:
        for path in folder.glob("*.rtbw"):
            (tmp_path / path.name).symlink_to(path)
    tables, said = opened(tmp_path)
    assert side_of(search(tables, board_of(text))[-1].score) == worth
    assert not said


def test_lines_are_in_the_order_of_their_scores() -> None:
    told = search(opened()[0], chess.Board("8/8/k3p3/8/7p/8/6K1/8 b - - 3 65"), lines=3)
    for first, second in pairwise(told):
        if second.multipv == first.multipv + 1 and first.score.mate is None is second.score.mate:
            assert (first.score.centipawns or 0) >= (second.score.centipawns or 0)
    assert {info.multipv for info in told} == {1, 2, 3}


def test_a_position_is_judged_alike_whatever_was_searched_before() -> None:
    dice = random.Random(5)
    names = ("KBBvKN", "KRPvK", "KPPvK", "KQvKP", "KBNvK")
    boards = [chess.Board("8/8/6k1/8/8/3KNB2/8/8 w - - 99 1"), board_of(REPEATED)]
    boards += [chess.Board("4K3/8/8/8/8/2n4k/8/1BB5 w - - 0 1")]
    boards += [chess.Board("8/1k6/2p5/3r4/8/3B1P2/4P3/4K3 w - - 0 1")]  # probes in the tree alone
    boards += [random_board(name, dice) for name in names]
    settings = AnalysisSettings(nodes=4000, hash_mb=1, tables=";".join(map(str, FOLDERS)))
    positions = [AnalysedPosition.of(board) for board in boards if any(board.legal_moves)]
    forwards, backwards = (
        [search(position).to_json() for position in order]  # all but the time
        for search, order in (
            (searcher(settings), positions),
            (searcher(settings), positions[::-1]),
        )
    )
    assert backwards == forwards[::-1]


@pytest.mark.parametrize(
    "fen",
    [
        "1r6/8/8/2n5/8/8/8/1K1k4 b - - 0 1",  # the king can be taken
        "8/2r2K2/8/8/8/8/8/1k6 b - - 0 1",
        "P7/8/8/3k4/8/8/8/K7 w - - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
    ],
)
def test_tables_know_nothing_of_impossible_positions(fen: str) -> None:
    tables, said = opened()
    assert tables.rank(chess.Board(fen), None, 1, bridge.new_search()) is None
    assert not said


# Files in use


def test_kernels_may_write_while_python_reads() -> None:
    files = TableFiles(list(map(str, FOLDERS)))
    ended = threading.Event()

    def write() -> None:
        source = np.random.default_rng(1)
        while not ended.is_set():
            files.record.wanted[:400] = source.integers(0, 2, 400)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(2000):
            files.open_wanted(0.0)
            files.record.damaged[:400] = 0
            files.close_damaged()
    finally:
        ended.set()
        writer.join()


@pytest.mark.parametrize("damaged", [True, False])
def test_only_a_wrong_checksum_closes_a_table_that_disagrees(
    damaged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boomslang.engine.driver import tablebase

    for path in FOLDERS[0].glob("K*vK.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    data = bytearray((tmp_path / "KQvK.rtbz").read_bytes())
    data[-17] ^= damaged  # in a block of values
    (tmp_path / "KQvK.rtbz").write_bytes(data)
    monkeypatch.setattr(tablebase, "_find", lambda folders: TableFiles(folders))  # all are large
    monkeypatch.setattr(tablebase, "agrees", lambda *values: False)
    tables, said = opened(tmp_path)
    board = chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
    until = time.monotonic() + 60
    assert side_of(search(tables, board)[-1].score) == 1  # by results
    assert tables.files
    while any(thread.name == "checksums" for thread in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.01)
    search(tables, board)
    wrong = [f"error: {quote_path(tmp_path / 'KQvK.rtbz')} is not used: its checksum is wrong"]
    assert said == wrong * damaged
    assert tables.files.open("KQvK", WDL)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_keeps_its_tables(threads: int) -> None:
    """Also with a bare Searcher, whose tables another thread, or a listener, puts away."""
    import gc
    import weakref

    tables, _ = opened()
    own = Searcher(1)
    own.set_threads(threads)
    own.use_tables(tables)
    assert tables.files
    kept = weakref.ref(tables.files)
    seen: list[bool] = []

    def listen(info: Info) -> None:
        tables.open("")
        own.use_tables(None)
        gc.collect()
        seen.append(kept() is not None)

    own.search(chess.Board("8/1k6/2p5/3r4/8/3B1P2/4P3/4K3 w - - 0 1"), Limits(depth=6), listen)
    gc.collect()
    assert seen and all(seen)
    assert kept() is None  # nobody keeps them any longer
