"""`boomslang.label`: the values of the command, as an array."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

import chess.variant
import numpy as np
import pytest

import boomslang
from boomslang.cli.lab.labels import command
from boomslang.engine.labels import labeller
from tests.support.oracle import random_game
from tests.support.process import run_python

pytestmark = pytest.mark.jit_only

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
NO_KING = "4k3/8/8/8/8/8/8/8 w - - 0 1"
GAMES = """\
[WhiteElo "2100"]
[BlackElo "2000"]

1. e4 {[%clk 0:00:30.5]} e5 {[%eval 0.2]} 2. Nf3 1-0

[WhiteElo "1900"]
[BlackElo "1800"]

1. d4 *
"""
SCRIPT = """\
import multiprocessing, os, signal, sys, threading
import boomslang, chess

boomslang.label([chess.STARTING_FEN])  # loads the kernels
timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
timer.start()
try:
    boomslang.label([chess.STARTING_FEN] * 4, depth=100, jobs=int(sys.argv[1]))
except KeyboardInterrupt:
    timer.join()
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join()  # for ever, if it searches on
    print("interrupted", len(multiprocessing.active_children()))
"""


def some_positions() -> list[str | chess.Board]:
    boards = [list(random_game(seed, 40, chess960=seed % 3 == 0))[-1] for seed in range(12)]
    return [MATE_IN_ONE, MATED, *boards, "8/8/4k3/8/8/4K3/4P3/8 w - - hmvc 98; fmvn 120;"]


def line_of(position: str | chess.Board) -> str:
    if isinstance(position, str):
        return position
    return position.fen(shredder=position.chess960, en_passant="fen")


@pytest.mark.parametrize("limit", [{}, {"nodes": 400}, {"depth": 3}])
def test_values_and_columns_are_those_of_the_command(
    limit: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = some_positions()
    path = tmp_path / "some.epd"
    path.write_text("".join(f"{line_of(position)}\n" for position in given))
    words = [word for name, value in limit.items() for word in (f"--{name}", str(value))]
    assert command.main([str(path), "--jobs", "1", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    found = boomslang.label(given, jobs=1, **limit)
    assert found.shape == (len(given),)
    assert ["place", "fen", *(found.dtype.names or ())] == list(rows[0])
    for row, ours in zip(rows, found, strict=True):
        for name in found.dtype.names or ():
            value = ours[name]
            is_empty = value == "" if name == "move" else bool(np.isnan(value))
            cell = "" if is_empty else str(value) if name == "move" else str(int(value))
            assert cell == row[name], (row, name)


def test_processes_arrays_and_lists_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    fens = [line_of(position) for position in some_positions()]
    monkeypatch.setattr(labeller, "_SEARCH_BLOCK", 1)  # a block of a few positions
    told: list[tuple[int, int]] = []
    one = boomslang.label(iter(fens), nodes=300, jobs=1)
    two = boomslang.label(
        np.array(fens), nodes=300, jobs=2, on_progress=lambda *at: told.append(at)
    )
    number: Any = np.int64(300)
    assert boomslang.label(fens[:1], nodes=number).tobytes() == one[:1].tobytes()
    three = boomslang.label(np.array(fens, dtype=object), nodes=300, jobs=1)
    four = boomslang.label(np.array(fens, dtype=bytes), nodes=300, jobs=1)
    assert one.tobytes() == two.tobytes() == three.tobytes() == four.tobytes()
    assert told[-1] == (len(fens), len(fens)) and len(told) > 3 and told == sorted(told)
    assert one["mate"][:2].tolist() == [1, 0] and one["move"][:2].tolist() == ["a1a8", ""]


@pytest.mark.parametrize("limit", [{}, {"nodes": 200}])
def test_games_have_the_rows_of_the_command(
    limit: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.pgn"
    path.write_text(GAMES)
    words = [word for name, value in limit.items() for word in (f"--{name}", str(value))]
    assert command.main([str(path), "--jobs", "1", *words]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    games = boomslang.read_games(path)
    found = boomslang.label(games, jobs=1, **limit)
    assert [*rows[0][:2], *rows[0][3:]] == list(found.dtype.names or ())
    for row, ours in zip(rows[1:], found.tolist(), strict=True):
        cells = ["" if value != value or value is None else str(value) for value in ours]
        assert [cell.removesuffix(".0") for cell in cells] == [*row[:2], *row[3:]]
    assert found["played"][games.offsets[1] + 1] == "d2d4"
    assert found["clock"][0] == 30.5 and found["rating"][:2].tolist() == [2100, 2000]
    other = boomslang.read_games(b'1. e4 *\n\n[Variant "Atomic"]\n\n1. e4 *\n')
    with pytest.raises(boomslang.CommandError, match="game 2: the variant Atomic"):
        boomslang.label(other)


def test_nothing_to_label() -> None:
    assert boomslang.label([]).dtype.names == ("score",)
    assert len(boomslang.label([], depth=3)) == 0


@pytest.mark.parametrize(
    ("positions", "options", "problem", "reason"),
    [
        (chess.STARTING_FEN, {}, TypeError, "not of type str"),
        (chess.Board(), {}, TypeError, "not of type Board"),
        (5, {}, TypeError, "not of type int"),
        ([chess.variant.AtomicBoard()], {}, TypeError, "position 0 .*AtomicBoard"),
        ([None], {"nodes": 5}, TypeError, "position 0"),
        ([chess.STARTING_FEN, NO_KING], {}, boomslang.CommandError, "position 1: .*king"),
        ([MATED, MATED, "x"], {"nodes": 5}, boomslang.CommandError, "position 2: not a position"),
        ([f"{MATED}\n{MATED}"], {}, boomslang.CommandError, "position 0"),
        (["x" * 20_000], {}, boomslang.CommandError, "position 0"),
        ([MATED], {"hash_mb": 4}, boomslang.CommandError, "hash_mb needs nodes"),
        ([MATED], {"nodes": 9, "tables": "/nowhere"}, boomslang.CommandError, "no tablebases"),
        ([MATED], {"network": __file__}, boomslang.CommandError, "not a network"),
        ([MATED], {"network": "x", "classical": True}, boomslang.CommandError, "exclude"),
        ([MATED], {"on_progress": 5}, TypeError, "function of two arguments"),
    ],
)
def test_refusals_say_what_and_where(
    positions: Any, options: dict[str, Any], problem: type[Exception], reason: str
) -> None:
    with pytest.raises(problem, match=reason):
        boomslang.label(positions, **options)


@pytest.mark.parametrize(("field", "value"), [("ep_square", 99), ("turn", 5), ("occupied", 0)])
def test_a_board_that_no_game_has_is_refused(field: str, value: int) -> None:
    board = chess.Board()
    setattr(board, field, value)
    with pytest.raises(boomslang.CommandError, match="position 1: "):
        boomslang.label([chess.STARTING_FEN, board])


def test_an_invalid_position_is_refused_before_anything_is_searched() -> None:
    with pytest.raises(boomslang.CommandError, match="position 2"):
        boomslang.label([chess.STARTING_FEN, MATE_IN_ONE, "no"], depth=100)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_an_interrupt_leaves_nothing_running(jobs: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"  # without a guard, and yet it runs once
    script.write_text(SCRIPT)
    done = run_python("-P", script, jobs)
    assert (done.stdout, done.returncode) == ("interrupted 0\n", 0), done.stderr


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_of_it(library: str) -> None:
    module = pytest.importorskip(library)
    found = boomslang.label([MATE_IN_ONE, chess.STARTING_FEN], nodes=100)
    table = module.DataFrame(found)
    assert list(table.columns) == list(found.dtype.names or ())
    assert (table["move"][0], table["mate"][0]) == ("a1a8", 1)
