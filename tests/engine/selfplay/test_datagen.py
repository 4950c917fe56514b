"""Self-play: the same games for the same seed, files that survive a kill, records that tell the truth."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from cli.commands import datagen
from engine import bridge
from engine.board.position import POSITION, new_record
from engine.search.history import is_quiet
from engine.selfplay.datagen import Match, Settings, generate
from engine.selfplay.games import KEPT_BELOW, KEPT_FROM
from eval.classical.weights import PIECE_SQUARE
from eval.training.records import MAGIC, RECORD, read, read_all, unpack
from tests.support.places import ROOT
from tests.support.uci_process import PATIENCE

pytestmark = [pytest.mark.usefixtures("kernels"), pytest.mark.jit_only]

SETTINGS = Settings(seed=5, nodes=100, engine="test")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.bin"
    assert generate(path, SETTINGS, games=6)[0] == 6
    return path


def board_of(record: np.void) -> chess.Board:
    board = chess.Board(None)
    squares = [square for square in range(64) if int(record["occupied"]) >> square & 1]
    for number, square in enumerate(squares):
        piece = int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15
        board.set_piece_at(square, chess.Piece(piece % 6 + 1, piece < 6))
    board.turn = not record["side"]
    rights = [(chess.H1, 1), (chess.A1, 2), (chess.H8, 4), (chess.A8, 8)]
    for square, bit in rights:
        if record["castling"] & bit:
            board.castling_rights |= chess.BB_SQUARES[square]
    board.ep_square = None if record["ep"] == 64 else int(record["ep"])
    board.halfmove_clock = int(record["halfmoves"])
    return board


def test_what_is_kept(games: Path) -> None:
    header, records = read(games)
    assert header == {"seed": 5, "nodes": 100, "engine": "test"}
    assert len(records) > 100
    assert (np.diff(records["game"].astype(int)) >= 0).all()
    assert (records["ply"] >= KEPT_FROM).all()
    assert (np.abs(records["score"]) < KEPT_BELOW).all()
    for game in np.unique(records["game"]):
        mine = records[records["game"] == game]
        assert len(set(mine["result"])) == 1
        assert (np.diff(mine["ply"].astype(int)) > 0).all()
    assert not records["unused"].any()


def test_records_are_legal_quiet_positions(games: Path) -> None:
    for record in read(games)[1]:
        board = board_of(record)
        assert board.is_valid()
        assert not board.is_check()
        move = bridge.to_move(int(record["move"]), board)
        assert board.is_legal(move)
        assert not board.is_capture(move) and not move.promotion


def test_a_record_becomes_the_position_that_it_was(games: Path) -> None:
    rules = bridge.new_rules(None, PIECE_SQUARE)
    found, wanted = new_record(POSITION), new_record(POSITION)
    for record in read(games)[1].view(np.recarray):
        board = board_of(record)
        unpack(rules, record, found)
        bridge.to_position(rules, board, wanted)
        assert found.tobytes() == wanted.tobytes(), board.fen()
        move = np.uint64(record["move"])
        assert is_quiet(found, move)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    match = Match(SETTINGS)
    first = match.play(3).tobytes()
    match.play(4)
    assert match.play(3).tobytes() == first
    assert Match(Settings(seed=6, nodes=100, engine="test")).play(3).tobytes() != first


@pytest.mark.parametrize("cut", [1, RECORD.itemsize, 30 * RECORD.itemsize + 7])
def test_a_killed_run_is_continued(games: Path, tmp_path: Path, cut: int) -> None:
    whole = games.read_bytes()
    path = tmp_path / "cut.bin"
    path.write_bytes(whole[:-cut])
    generate(path, SETTINGS, games=6)
    assert path.read_bytes() == whole


def test_positions_instead_of_games(tmp_path: Path) -> None:
    path = tmp_path / "positions.bin"
    calls: list[tuple[int, int]] = []
    games, positions = generate(
        path, SETTINGS, positions=60, progress=lambda games, kept: calls.append((games, kept))
    )
    assert positions >= 60 and len(read(path)[1]) == positions
    assert calls[0] == (0, 0) and calls[-1] == (games, positions)


def test_other_settings_and_other_engines_are_refused(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(games.read_bytes())
    with pytest.raises(ValueError, match="nodes"):
        generate(path, Settings(seed=5, nodes=200, engine="test"), games=7)
    changed = bytearray(games.read_bytes())
    changed[-RECORD.itemsize] ^= 1
    path.write_bytes(changed)
    with pytest.raises(ValueError, match="other games"):
        generate(path, SETTINGS, games=7)
    assert path.read_bytes() == changed


def test_several_files_are_read_as_one(games: Path) -> None:
    records, number = read_all([games, games])
    assert number == 2 * (int(read(games)[1]["game"][-1]) + 1)
    assert len(np.unique(records["game"])) == 2 * len(np.unique(read(games)[1]["game"]))


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    for content in (b"", b"PNG", MAGIC + b"\x63\0\0\0\0\0\0\0", MAGIC + b"\1\0\0\0\2\0\0\0[]"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="records"):
            read(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("occupied", 2**64 - 1), ("pieces", 0xFF), ("pieces", 0), ("side", 2), ("result", 3)],
)
def test_damaged_records_are_refused(games: Path, tmp_path: Path, field: str, value: int) -> None:
    path = tmp_path / "damaged"
    data = games.read_bytes()
    records = read(games)[1]
    records[field][7] = value
    path.write_bytes(data[: len(data) - records.nbytes] + records.tobytes())
    with pytest.raises(ValueError, match="damaged"):
        read(path)


@pytest.mark.slow
def test_more_processes_write_the_same_file(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.bin"
    generate(path, SETTINGS, games=6, jobs=2)
    assert path.read_bytes() == games.read_bytes()


def members(group: int) -> list[int]:
    """The processes of a group that are alive."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, process_group = path.read_text().rpartition(")")[2].split()[:3]
            if int(process_group) == group and state not in "ZX":
                found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nobody_stays_behind(games: Path, tmp_path: Path, how: signal.Signals) -> None:
    path = tmp_path / "many.bin"
    command = [sys.executable, "-m", "cli", "datagen", "--games", "100000", "--nodes", "100"]
    command += ["--seed", "5", "--jobs", "2", "--out", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stderr=pipe, start_new_session=True) as process:
        try:
            until(lambda: path.exists() and path.stat().st_size > games.stat().st_size)
            assert len(members(process.pid)) >= 3
            if how == signal.SIGINT:
                os.killpg(process.pid, how)  # as a terminal does
                words = b"boomslang datagen: interrupted; repeat the command to go on\n"
                assert process.stderr and process.stderr.read() == words
            else:
                process.kill()
            assert process.wait(PATIENCE) == (130 if how == signal.SIGINT else -how)
            until(lambda: not members(process.pid))
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    ours, known = read(path)[1], read(games)[1]
    assert (ours["score"][: len(known)] == known["score"]).all()


def until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.bin"
    arguments = ["--games", "1", "--nodes", "100", "--out", str(path)]
    assert datagen.main(arguments) == 0
    assert "positions of 1 games" in capsys.readouterr().out
    path.write_bytes(b"something else")
    assert datagen.main(arguments) == 2
    assert "not a file of Boomslang's" in capsys.readouterr().err
