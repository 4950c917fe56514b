from __future__ import annotations

import bz2
import gzip
import io
import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

import boomslang
from boomslang.core.jit.jit import load_kernels
from boomslang.engine.games import reader, sources
from boomslang.engine.games.columns import TAKEN, Games, join
from boomslang.engine.games.games import read_games
from boomslang.engine.notation import text
from tests.support.both_ways import check_against_python_chess, differences, read
from tests.support.pgn_writer import damaged, written_game
from tests.support.places import SUITES

pytestmark = pytest.mark.jit_only

ONE = b"""[Event "A"]
[White "Tal, M"]
[Black "?"]
[Result "1-0"]
[WhiteElo "2700"]
[UTCDate "1960.05.07"]
[TimeControl "180+2"]

1. e4 {[%clk 0:03:00.5] [%eval 0.29]} e5 $1 2. Qh5! ( 2. Nf3 Nc6 ) Ke7?? {[%eval #1]} 3. Qxe5# 1-0
"""


@pytest.fixture(autouse=True)
def kernels() -> None:
    load_kernels()


@pytest.fixture
def only_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is left to the other reader fails."""

    def refuse(*_: object) -> None:
        raise AssertionError("not ordinary")

    monkeypatch.setattr(reader, "Scanner", refuse)


def test_a_game_as_columns() -> None:
    games = boomslang.read_games(ONE, tags=["White", "Nothing"])
    assert len(games) == 1
    assert {name: column.tolist()[0] for name, column in games.columns.items()} | {
        "date": str(games["date"][0])
    } == {
        **{"source": 0, "game": 1, "line": 1, "event": "A", "site": "?", "round": "?"},
        **{"white": "Tal, M", "black": "?", "eco": "", "opening": "", "time_control": "180+2"},
        **{"termination": "", "fen": "", "white_elo": 2700, "black_elo": 0, "result": 1.0},
        **{"base": 180, "increment": 2, "date": "1960-05-07", "chess960": False, "plies": 5},
        **{"odd": 0, "White": "Tal, M", "Nothing": ""},
    }
    assert games.uci(0) == ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]
    assert games.moves.tolist()[0] == chess.E2 + 64 * chess.E4
    assert games.clocks[0] == 180.5
    assert np.isnan(games.clocks[1:]).all()
    assert games.evals[[0, 3]].tolist() == [29.0, 99_999.0]
    assert np.isnan(games.evals[[1, 2, 4]]).all()
    assert games.nag_plies.tolist() == [1, 2, 3]
    assert games.nags.tolist() == [1, 1, 4]
    assert games.problems == []


@pytest.mark.usefixtures("only_compiled")
def test_ordinary_games_are_read_by_the_kernel() -> None:
    source = random.Random(3)
    data = "".join(written_game(source) for _ in range(60))
    games = read(data.encode(), True)
    assert isinstance(games, Games)
    assert len(games) == 60
    check_against_python_chess(data, games)


@pytest.mark.parametrize("block", [64, 1 << 20])
@pytest.mark.parametrize("seed", range(6))
def test_both_readers_say_the_same(seed: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(seed)
    data = "".join(written_game(source, odd=0.02) for _ in range(8)).encode()
    files = [data, *(damaged(source, data[: source.randrange(4000)]) for _ in range(8))]
    for file in files:
        expected = read(file, False)
        with monkeypatch.context() as small:
            small.setattr(text, "_BLOCK", block)
            small.setattr(text, "_SAMPLE", 64)
            assert differences(read(file, True, source.choice([None, 1, 3])), expected) == [], file


@pytest.mark.skipif(not (SUITES / "pgn").is_dir(), reason="no PGN of other programs")
def test_games_of_other_programs() -> None:
    for path in sorted((SUITES / "pgn").glob("*.pgn")):
        assert differences(read(path, True), read(path, False)) == [], path


# What a reader may take for the end of a game, or for another move, and is not; or the other way round.
ODD = {
    "no number": "e4 e5 Nf3 *",
    "no blank": "1.e4 e5 2.Nf3*",
    "no check": "1. f3 e5 2. g4 Qh4 0-1",
    "no sign of promotion": "1. a4 b5 2. axb5 a6 3. bxa6 c5 4. a7 c4 5. axb8Q *",
    "zeros": "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *",
    "more than needed": "1. Ng1f3 Nb8c6 2. Nf3-e5 Nc6xe5 *",
    "null": "1. e4 -- 2. d4 *",
    "by squares": "1. e2e4 e7-e5 *",
    "illegal": "1. e4 e5 2. Ke3 *",
    "ambiguous": "1. Nf3 e5 2. Nc3 e4 3. Ng1 e3 4. Nf3 a6 5. Ng1 a5 6. Nb5 a4 7. Nd4 *",
    "pinned": "1. e4 e5 2. d4 Bb4+ 3. Nc3 a6 4. Nd5 *",
    "number": "1. e4 e5 3. Nf3 *",
    "another game": "1. e4 e5\n1. d4 d5 *",
    "no result": "1. e4 e5\n",
    "result twice": "1. e4 1-0 0-1",
    "the other result": '1. e4 0-1\n\n[Event "B"]\n[Result "1-0"]\n\n1. d4 0-1',
    "behind the result": "1. e4 * {[%clk 0:00:05]} $3",
    "twice": "1. e4 {[%clk 0:00:05]} {[%clk 0:00:06]} $3 $3 e5 *",
    "quotation": '1. e4 {see\n[Event "B"]\n\n1. d4 *} e5 *',
    "not closed": '1. e4 {see\n\n[Event "B"]\n\n1. d4 *',
    "not closed before others": '1. e4 {see\n\n[Event "B"]\n\n1. d4 {two\nlines} d5 *',
    "of no game": "1. e4 *\n\nprose",
    "variation": "1. e4 (1. d4 (1. c4) {)} d5) e5 *",
    "variation with a game": "1. e4 (1. d4 d5\n1. c4) e5 *",
    "tag again": '[Event "B"]\n1. e4 *',
    "misnamed": '[White.Title "GM"]\n\n1. e4 *',
    "forfeit": "1-0F",
    "no words": "{nothing}",
    "tag behind": '1. e4 * [Event "B"]\n1. d4 *',
    "nothing that is seen": '1. e4 {\n\u200b[Event "B"]\n} e5 *',
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_game_between_others(name: str) -> None:
    data = f'{ONE.decode()}\n[Event "Odd"]\n\n{ODD[name]}\n\n{ONE.decode()}'.encode()
    games = read(data, True)
    assert differences(games, read(data, False)) == []
    assert isinstance(games, Games)
    assert games["white"][0] == games["white"][-1] == "Tal, M"


@pytest.mark.parametrize(
    ("data", "ours", "theirs"),
    [
        ("1. e4\n\n1... e5 *", [("?", 2)], [("?", 1), ("?", 0)]),
        ('1. e4\n[Event "A"]\n\n1. d4 d5 *', [("?", 1), ("A", 2)], [("?", 1), ("?", 2)]),
        ("1. e4 * {so} e5 2. d4 d5", [("?", 1), ("?", 0)], [("?", 4)]),
        ('[Event "A"][White "W"]\n\n1. e4 *', [("A", 1)], [('A"][White "W', 1)]),
        ('[Event "\xe4"]\n\n1. e4 *', [("\xe4", 1)], [("\ufffd", 1)]),
    ],
)
def test_where_python_chess_reads_otherwise(
    data: str, ours: list[tuple[str, int]], theirs: list[tuple[str, int]]
) -> None:
    encoded = data.encode("cp1252")
    games = read_games(encoded)
    assert list(zip(games["event"].tolist(), games["plies"].tolist(), strict=True)) == ours
    file, found = io.StringIO(encoded.decode("utf-8", "replace")), []
    while game := chess.pgn.read_game(file):
        found.append((game.headers["Event"], sum(1 for _ in game.mainline())))
    assert found == theirs
    assert read_games(b"1. e4 [%clk 0:01:02] *").clocks.tolist() == [62.0]  # without braces


def test_what_is_refused_is_named() -> None:
    games = read_games([ONE + b"\n1. e4 e5 2. Ke3\n\n", ONE])
    assert games["odd"].tolist() == [0, 2, 0]
    assert games["source"].tolist() == [0, 0, 1]
    assert games["game"].tolist() == [1, 2, 1]
    assert games.problems == [("", 2, 11, 2, "illegal move: 2. Ke3")]


@pytest.mark.parametrize("gap", [b"\n", b" \n", b"\0", b"x", b"{x "])
def test_games_behind_much_of_anything_are_copied_from_their_lines(gap: bytes) -> None:
    games = [ONE.replace(b'"A"', b'"%d"' % number) + b"\n" for number in range(3)]
    data = games[0] + gap * 1_500_000 + b"\n\n" + games[1] + games[2]
    read = read_games(data)
    lines = read["line"][read["event"] != "?"]  # a megabyte of anything may be a game without tags
    assert lines.tolist() == [1 + data[: data.index(game)].count(b"\n") for game in games]
    for number in range(3):
        file = io.BytesIO()
        sources.copy_games(data, read["line"], read["event"] == str(number), file)
        assert b"\0" not in file.getvalue()
        assert file.getvalue().strip().startswith(games[number].strip())
        assert file.getvalue().count(b"[Event") == 1


def test_batches_are_the_whole() -> None:
    source = random.Random(5)
    data = "".join(written_game(source, odd=0.01) for _ in range(30)).encode()
    parts = list(read_games([data, data], batch=7))
    assert [len(part) for part in parts] == [7, 7, 7, 7, 2] * 2
    assert differences(join(parts), read_games([data, data])) == []


class _Endless(io.RawIOBase):
    """The same game again and again."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = (ONE + b"\n") * (len(buffer) // (len(ONE) + 1))
        buffer[: len(data)] = data
        self.given += len(data)
        return len(data)


def test_a_batch_is_read_before_the_file_ends() -> None:
    file = _Endless()
    batches = read_games(io.BufferedReader(file), batch=10_000)
    for _ in range(3):
        before = file.given
        assert len(next(batches)) == 10_000
        assert file.given - before < 10_000 * 2 * len(ONE) + (4 << 20)


@pytest.mark.parametrize("line", [b"x" * (3 << 20), b"{" + b"a " * (3 << 20), b"\0" * (2 << 20)])
def test_what_is_no_game_for_megabytes(line: bytes) -> None:
    data = ONE + b"\n1. e4 " + line + b"\n\n" + ONE
    assert differences(read(data, True), read(data, False)) == []


COMPRESSORS: dict[str, Callable[[], Callable[[bytes], bytes]]] = {
    "": lambda: bytes,
    ".gz": lambda: gzip.compress,
    ".bz2": lambda: bz2.compress,
    ".zst": lambda: pytest.importorskip("zstandard").compress,
}


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_files(ending: str, tmp_path: Path) -> None:
    compress = COMPRESSORS[ending]()
    path = tmp_path / f"a.pgn{ending}"
    path.write_bytes(compress(ONE))
    assert read_games(path).uci(0) == read_games(str(path)).uci(0) == read_games(ONE).uci(0)
    if ending:
        path.write_bytes(compress(ONE * 1000)[:-20])
        with pytest.raises(boomslang.CommandError, match="cannot read"):
            read_games(path)
        path.write_bytes(b"not compressed")
        with pytest.raises(boomslang.CommandError, match="cannot read"):
            read_games(path)


def test_what_a_torn_file_still_holds(tmp_path: Path) -> None:
    path = tmp_path / "torn.pgn.gz"
    numbered = b"".join(ONE.replace(b'"A"', b'"%d"' % number) + b"\n" for number in range(9000))
    path.write_bytes(gzip.compress(numbered)[:-200])
    found = 0
    with pytest.raises(boomslang.CommandError, match=r"torn\.pgn\.gz"):
        for batch in read_games(path, batch=1000):
            found += len(batch)
            assert int(batch["event"][-1]) == found - 1
    assert found > 3000


def test_bad_usage(tmp_path: Path) -> None:
    for source, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "none.pgn", "cannot read"),
        (b"", "has no game"),
        (b"hello\nworld\n", "is not a PGN file"),
    ):
        with pytest.raises(boomslang.CommandError, match=message):
            read_games(source)
    wrong: Any
    for wrong in (5, None, [5], [[ONE]], [ONE, None], bytearray(ONE), io.StringIO("1. e4 *")):
        with pytest.raises(TypeError):
            read_games(wrong)
    batch: Any
    for batch in (True, 2.0, "2", np.bool_(True)):
        with pytest.raises(TypeError):
            read_games(ONE, batch=batch)
    assert len(list(read_games([ONE, ONE], batch=np.int64(1)))) == 2  # type: ignore[call-overload]
    with pytest.raises(boomslang.CommandError, match="no source"):
        read_games([])
    bad: dict[str, Any]
    for bad in ({"batch": 0}, {"tags": ["a b"]}, {"tags": [f"T{number}" for number in range(40)]}):
        with pytest.raises(boomslang.CommandError):
            read_games(ONE, **bad)


@pytest.mark.parametrize("name", ["game", "white", "result", "plies", "moves", "nags", "file"])
def test_a_tag_does_not_replace_a_column(name: str) -> None:
    with pytest.raises(boomslang.CommandError, match=name):
        read_games(ONE, tags=[name])
    arrays = {field.name for field in fields(Games)} - {"columns", "problems"}
    assert {*read_games(ONE).columns, *arrays} - TAKEN <= {"starts", "start_of_game"}


def test_plies_and_games_by_any_index() -> None:
    games = read_games([ONE, ONE])
    every = games.positions()["key"].tolist()
    for plies in ([3, 1], [1, 1, 0], [-1], [], (), np.array([2], np.uint64), [True] * 10, 4):
        chosen = np.arange(10)[np.array(plies, dtype=None if np.size(plies) else int)]
        assert games.positions(plies)["key"].tolist() == [every[ply] for ply in np.ravel(chosen)]
    assert games.uci(-1) == games.uci(1)
    for index in (2, -3):
        with pytest.raises(IndexError):
            games.uci(index)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_source_that_gives_a_byte_at_a_time(encoding: str) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 1))

    assert read_games(Slow(ONE.decode().encode(encoding))).uci(0) == read_games(ONE).uci(0)


@pytest.mark.parametrize("after", [False, True])
def test_positions(after: bool) -> None:
    source = random.Random(11)
    games = read("".join(written_game(source, odd=0.03) for _ in range(40)).encode(), True)
    assert isinstance(games, Games)
    positions = games.positions(after=after)
    some = np.flatnonzero(np.arange(len(games.moves)) % 7 == 3)
    assert (games.positions(some, after=after) == positions[some]).all()
    keys: dict[str, int] = {}
    assert (games["plies"] == np.bincount(games.game_of_ply, minlength=len(games))).all()
    for game in range(len(games)):
        fen, is_free = games["fen"][game] or chess.STARTING_FEN, bool(games["chess960"][game])
        board = chess.Board(fen, chess960=is_free)
        for ply, move in enumerate(games.uci(game), start=games.offsets[game]):
            if after:
                board.push_uci(move)
            found = positions[ply]
            pieces = (getattr(board, f"{name}s") for name in chess.PIECE_NAMES[1:] if name)
            assert found["by_type"].tolist() == list(pieces)
            assert found["by_colour"].tolist() == [
                board.occupied_co[True],
                board.occupied_co[False],
            ]
            assert found["side"] == (not board.turn)
            assert found["halfmoves"] == board.halfmove_clock
            assert found["ep"] == (board.ep_square if board.has_legal_en_passant() else 64)
            assert keys.setdefault(board.epd(shredder=True), found["key"]) == found["key"]
            if not after:
                board.push_uci(move)
    assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize(
    ("library", "back", "table"),
    [
        ("pandas", lambda m, column: m.Series(column, copy=False).to_numpy(), "DataFrame"),
        ("polars", lambda m, column: m.Series(column).to_numpy(), "DataFrame"),
        ("pyarrow", lambda m, column: m.array(column).to_numpy(zero_copy_only=True), "table"),
    ],
)
def test_columns_go_to_others_without_a_copy(library: str, back: Any, table: str) -> None:
    module = pytest.importorskip(library)
    games = read_games(ONE)
    for column in (games.clocks, games.moves, games["result"], games["white_elo"]):
        assert np.shares_memory(back(module, column), column)
    assert getattr(module, table)(games.columns).shape[0] == 1
