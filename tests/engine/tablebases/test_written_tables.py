"""Tables that the tests write: what is in them is found again, and what is wrong with them is refused."""

from __future__ import annotations

import errno
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import U
from boomslang.core.board.position import POSITION, new_record, position_t
from boomslang.core.jit.jit import i64, kernel, load_kernels, record_type, u64
from boomslang.engine import bridge
from boomslang.engine.tablebases import table_files as files
from boomslang.engine.tablebases.decoding import value_at
from boomslang.engine.tablebases.geometry import leading_pawns
from boomslang.engine.tablebases.header import MAGIC, TableError, read_table
from boomslang.engine.tablebases.index import find_part, index_of
from boomslang.engine.tablebases.probe_record import PROBE, probe_t
from boomslang.engine.tablebases.table_files import DTZ, WDL, TableFiles
from boomslang.engine.tablebases.table_records import (
    FLAG_CONSTANT,
    FLAG_MAPPED,
    FLAG_WIN_PLIES,
    PART,
    TABLE,
    TABLES,
)
from tests.support.oracle import rules
from tests.support.syzygy import Reader, random_board
from tests.support.table_writer import QUEEN as PIECES
from tests.support.table_writer import QUEEN_SIZE as SIZE
from tests.support.table_writer import PartWriter, queen_distances, queen_results, write_table

KING, QUEEN, PAWN = 5, 4, 0
PAWN_SIZES = [leading_pawns(1, file) * 62 * 63 for file in range(4)]
# The pawn leads, and its file has a part for each side.
KPVK = (bytes([0x00, 0x11, 0x66, 0xEE]),) * 4


@kernel(i64(record_type(PART), u64))
def _value_at(part: Any, index: np.uint64) -> np.int64:
    return value_at(part, index)


@kernel(u64(record_type(TABLES), record_type(TABLE), position_t, probe_t, u64))
def _index(tables: Any, table: Any, position: Any, probe: Any, side: np.uint64) -> np.uint64:
    number = find_part(tables, table, position, U(0), side, probe)
    part = table.parts[number]
    return number << U(32) | index_of(tables, table, part, position, U(0), probe)


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    import boomslang.engine.tablebases.checksum
    import boomslang.engine.tablebases.probe  # noqa: F401

    load_kernels()


def pattern(size: int, seed: int) -> np.ndarray:
    """Results with long rows of the same, and with noise."""
    source = np.random.default_rng(seed)
    values = np.repeat(source.integers(0, 5, size // 50 + 1), 50)[:size]
    noise = source.random(size) < 0.1
    values[noise] = source.integers(0, 5, int(noise.sum()))
    return values


def read(data: bytes, suffix: str, white: list[int], black: list[int]) -> Any:
    """The TABLE record of a file in memory; the bytes are kept with it."""
    held = np.frombuffer(data, np.uint8)
    return read_table(held, suffix, white, black), held


@pytest.mark.jit_only
def test_every_value_is_found_again() -> None:
    sides = [pattern(SIZE, seed) for seed in (1, 2)]
    table, _held = read(queen_results(*sides), WDL, [KING, QUEEN], [KING])
    for side, values in enumerate(sides):
        part = table.parts[side]
        assert int(part.positions) == SIZE
        found = [int(_value_at(part, U(index))) for index in range(SIZE)]
        assert found == values.tolist()
        assert int(_value_at(part, U(SIZE))) == -1


def boards(name: str, kings: tuple[chess.Square, ...]) -> Iterator[chess.Board]:
    """Every placement of White's second piece and Black's king, legal or not."""
    piece = chess.Piece.from_symbol(name[1])
    for white in kings:
        for black in chess.SQUARES:
            if chess.square_distance(white, black) < 2:
                continue
            for square in range(8, 56) if piece.piece_type == chess.PAWN else chess.SQUARES:
                if square not in (white, black):
                    board = chess.Board(None)
                    board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
                    board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
                    board.set_piece_at(square, piece)
                    yield board


@pytest.mark.jit_only
def test_a_damaged_index_leads_nowhere_beyond_the_file() -> None:
    data = queen_results(pattern(SIZE, 1), pattern(SIZE, 2))
    table, held = read(data, WDL, [KING, QUEEN], [KING])
    start = int(table.parts[0].sparse_index) - int(held.__array_interface__["data"][0])
    size = 6 * int(table.parts[0].sparse_count)
    noise = np.random.default_rng(1)
    for block in (0xFFFFFFFF, 0x7FFFFFFF, 0x100000, None):
        index = (
            noise.bytes(size) if block is None else (block.to_bytes(4, "little") + b"\0\0") * size
        )
        damaged = data[:start] + index[:size] + data[start + size :]
        table, _held = read(damaged, WDL, [KING, QUEEN], [KING])
        for number in range(0, SIZE, 7):
            assert int(_value_at(table.parts[0], U(number))) in range(-1, 5)


@pytest.mark.jit_only
def test_a_changed_bit_in_the_blocks_is_found_by_the_checksum(tmp_path: Path) -> None:
    data = bytearray(queen_results(pattern(SIZE, 1), pattern(SIZE, 2)))
    path, dice = tmp_path / "KQvK.rtbw", random.Random(1)
    path.write_bytes(data)
    assert TableFiles([str(tmp_path)], check_up_to=1 << 20).open("KQvK", WDL)
    for _ in range(40):
        place, bit = dice.randrange(len(data) // 2, len(data)), 1 << dice.randrange(8)
        data[place] ^= bit
        path.write_bytes(data)
        files = TableFiles([str(tmp_path)], check_up_to=1 << 20)
        assert not files.open("KQvK", WDL)
        assert "its checksum is wrong" in files.problems[path]
        assert TableFiles([str(tmp_path)]).open("KQvK", WDL)  # the head is sound
        data[place] ^= bit


@pytest.mark.jit_only
def test_positions_have_numbers_of_their_own(tmp_path: Path) -> None:
    values = [pattern(size, 5) for size in PAWN_SIZES for _ in range(2)]
    data = write_table(WDL, 3, KPVK, [PartWriter(part) for part in values])
    table, _held = read(data, WDL, [KING, PAWN], [KING])
    tables, probe, position = TableFiles([]).record, new_record(PROBE), new_record(POSITION)
    seen: dict[int, str] = {}
    mirrored = 0
    # White's king on two squares, each the mirror image of the other.
    for board in boards("KP", (chess.C3, chess.F3)):
        bridge.to_position(rules(), board, position)
        number = int(_index(tables, table, position, probe, U(0)))
        file = chess.square_file(board.pieces(chess.PAWN, chess.WHITE).pop())
        assert number >> 32 == 2 * min(file, 7 - file)
        assert number & 0xFFFFFFFF < int(table.parts[number >> 32].positions)
        place = board.board_fen()
        if number in seen:
            mirror = board.transform(chess.flip_horizontal).board_fen()
            assert seen[number] == mirror
            mirrored += 1
        seen[number] = place
    assert mirrored == len(seen)


@pytest.mark.jit_only
def test_probes_of_a_written_table(tmp_path: Path) -> None:
    constant = [np.full(SIZE, 4), np.full(SIZE, 0)]  # White to move wins
    (tmp_path / "KQvK.rtbw").write_bytes(queen_results(*constant))
    reader = Reader(tmp_path)
    dice = random.Random(3)
    for _ in range(300):
        board = random_board("KQvK", dice)
        has_queen = bool(board.pieces(chess.QUEEN, board.turn))
        takes = any(board.is_capture(move) for move in board.legal_moves)
        assert reader.wdl(board) == (0 if takes else 2 if has_queen else -2), board.fen()
        assert reader.dtz(board) is None or takes  # there are no distances
    assert reader.wdl(chess.Board("8/8/8/3k4/8/8/8/K6R w - - 0 1")) is None
    assert reader.wdl(chess.Board("8/8/8/3k4/8/8/8/K7 w - - 0 1")) == 0
    assert not reader.files.problems


@pytest.mark.jit_only
def test_distances_are_mapped_and_rounded(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(queen_results(np.full(SIZE, 4), np.full(SIZE, 0)))
    maps = bytes([5, 30, 31, 32, 33, 34, 5, 10, 11, 12, 13, 14, 0, 0])
    for form, factor in ((FLAG_MAPPED, 2), (FLAG_MAPPED | FLAG_WIN_PLIES, 1)):
        (tmp_path / "KQvK.rtbz").write_bytes(queen_distances(pattern(SIZE, 4), form, maps))
        reader = Reader(tmp_path)
        assert reader.files.open("KvKQ", DTZ), reader.files.problems
        dice = random.Random(factor)
        found = set()
        for board in (random_board("KQvK", dice) for _ in range(100)):
            if board.pieces(chess.QUEEN, board.turn):
                found.add(reader.dtz(board))
            else:  # a ply more than what White does after the best answer, or a mate, or a queen is lost
                assert reader.dtz(board) in {0, -1, *range(-2 - 34 * factor, -30 * factor)}
        assert found <= {1 + factor * plies for plies in range(30, 35)}
        assert len(found) > 1


DAMAGE = {
    "cut in the middle of a line": lambda data: data[:-40],
    "too long": lambda data: data[:-16] + bytes(128) + data[-16:],
    "of another kind": lambda data: b"\xd7\x66\x0c\xa5" + data[4:],
    "without its sides": lambda data: data[:4] + b"\x00" + data[5:],
    "an order beyond its groups": lambda data: data[:5] + b"\x77" + data[6:],
    "large blocks": lambda data: data[:11] + b"\x30" + data[12:],
    "many blocks": lambda data: data[:14] + b"\xff\xff\xff\x7f" + data[18:],
    "long codes": lambda data: data[:18] + b"\x60" + data[19:],
    "codes that overlap": lambda data: data[:20] + b"\x09\x00" + data[22:],
    "no symbols": lambda data: data[:26] + b"\x00\x00" + data[28:],
    "pairs within themselves": lambda data: data[:43] + b"\x05\x50\x00" + data[46:],
    "pairs of symbols that are not there": lambda data: data[:43] + b"\x05\x55\x55" + data[46:],
    "results that cannot be": lambda data: data[:28] + b"\x09" + data[29:],
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_what_is_wrong_in_a_header_is_refused(kind: str, tmp_path: Path) -> None:
    data = queen_results(pattern(SIZE, 1), pattern(SIZE, 2))
    read(data, WDL, [KING, QUEEN], [KING])
    damaged = DAMAGE[kind](data)
    assert damaged != data
    with pytest.raises(TableError):
        read(damaged, WDL, [KING, QUEEN], [KING])
    (tmp_path / "KQvK.rtbw").write_bytes(damaged)
    files = TableFiles([str(tmp_path)])
    assert not files.open("KQvK", WDL)
    (problem,) = files.problems.values()
    assert "KQvK.rtbw" in problem


@pytest.mark.parametrize("value", [4, 5, 200])
def test_a_constant_result_is_a_result(value: int) -> None:
    data = MAGIC[WDL] + bytes([1]) + PIECES[0]
    data += b"\0" * (len(data) % 2) + bytes([FLAG_CONSTANT, value]) * 2
    data += b"\0" * (-len(data) % 64 + 16)
    if value > 4:
        with pytest.raises(TableError, match="results"):
            read(data, WDL, [KING, QUEEN], [KING])
    else:
        read(data, WDL, [KING, QUEEN], [KING])


def test_a_lack_of_descriptors_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(queen_results(pattern(SIZE, 1), pattern(SIZE, 2)))
    tables = TableFiles([str(tmp_path)])

    def lacking(path: Path) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as context:
        context.setattr(files, "_read", lacking)
        assert not tables.open("KQvK", WDL)
    assert not tables.problems
    assert tables.open("KQvK", WDL)


@pytest.mark.jit_only
def test_checked_tables_are_closed_again(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(queen_results(pattern(SIZE, 1), pattern(SIZE, 2)))
    tables = TableFiles([str(tmp_path)], check_up_to=1 << 20)
    assert tables.check("KQvK", WDL)
    assert not tables.record.wdl.any() and not tables.problems


def test_a_table_of_another_material_is_refused() -> None:
    data = queen_results(pattern(SIZE, 1), pattern(SIZE, 2))
    for white, black in (
        ([KING, 3], [KING]),
        ([KING], [KING, QUEEN]),
        ([KING, QUEEN], [KING, QUEEN]),
        ([KING, PAWN], [KING]),
    ):
        with pytest.raises(TableError):
            read(data, WDL, white, black)
