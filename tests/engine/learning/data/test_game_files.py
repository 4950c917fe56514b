"""Files of games: whole ones, cut ones, damaged ones, and others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boomslang.core.system.files import FileError
from boomslang.engine.learning.data.game_files import (
    FORMAT,
    MAGIC,
    DamagedBlock,
    GameFileError,
    GameFileReader,
    warn,
)
from tests.support.written_games import Written, bytes_of, write_games

EMPTY = Written((518, 518), (), 0, (), 1)
BODIES = (b"", b"some bytes", bytes(range(256)), b"\0" * 40, b"x")
GAMES = tuple(bytes_of(number, EMPTY, body=body) for number, body in enumerate(BODIES))
ANY_FILE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.bin"
    write_games(path, GAMES, nodes=300)
    return path


def walked(path: Path) -> tuple[list[bytes], DamagedBlock | None, int]:
    """The games of a file, what is wrong, and where its sound part ends."""
    with GameFileReader(path) as walk:
        found = [game.data for game in walk]
        assert walk.games == len(found)
        return found, walk.damage, walk.end


def ends_of_games(path: Path) -> list[int]:
    """Where the header and each game end."""
    end = path.stat().st_size - sum(map(len, GAMES))
    return [end := end + size for size in (0, *map(len, GAMES))]


def test_whole_files(path: Path) -> None:
    assert walked(path) == (list(GAMES), None, path.stat().st_size)
    with GameFileReader(path) as walk:
        assert walk.header == {"seed": 1, "nodes": 300}
        assert walk.start % 64 == 0
        offsets = [game.offset for game in walk]
    assert offsets == ends_of_games(path)[:-1]


def test_a_file_may_be_cut_anywhere(path: Path) -> None:
    whole, ends = path.read_bytes(), ends_of_games(path)
    for size in range(ends[0], len(whole)):
        path.write_bytes(whole[:size])
        found, damage, end = walked(path)
        sound = sum(place <= size for place in ends[1:])
        assert found == list(GAMES[:sound]) and end == ends[sound]
        if size in ends:
            assert damage is None
        else:
            assert damage and (damage.game, damage.offset) == (sound, end)
            assert f"at byte {end}, in game {sound} (cut" in str(damage)


def test_a_cut_header_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for size in range(ends_of_games(path)[0]):
        path.write_bytes(whole[:size])
        with pytest.raises(GameFileError, match=r"not a file|header of the games is damaged"):
            GameFileReader(path)


@ANY_FILE
@given(st.data())
def test_a_flipped_bit_is_seen(path: Path, data: st.DataObject) -> None:
    write_games(path, GAMES, nodes=300)
    content, ends = bytearray(path.read_bytes()), ends_of_games(path)
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    if place < ends[0]:
        with pytest.raises(GameFileError):
            GameFileReader(path)
        return
    found, damage, end = walked(path)
    sound = sum(place >= end for end in ends[1:])
    assert found == list(GAMES[:sound]) and end == ends[sound]
    assert damage and damage.game == sound


@ANY_FILE
@given(st.binary(max_size=2000))
def test_anything_may_follow_the_header(path: Path, content: bytes) -> None:
    write_games(path, [*GAMES[:2], content])
    found, damage, _ = walked(path)
    assert found == [*GAMES[:2]] and (damage is None) == (not content)


def test_games_in_another_place_are_damage(path: Path) -> None:
    write_games(path, [GAMES[0], GAMES[2], GAMES[1]])
    found, damage, _ = walked(path)
    assert found == [GAMES[0]] and damage and damage.reason == "the checksum is wrong"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a file of Boomslang's self-play games"),
        (b"PNG", "not a file of Boomslang's self-play games"),
        (b"\0" * 500, "not a file of Boomslang's self-play games"),
        (
            MAGIC + b"\1\0\0\0\x30\0\0\0{}" + b" " * 500,
            "games of format 1; this version reads format 2",
        ),
        (MAGIC + b"\x63\0\0\0" + b"\0" * 64, "games of format 99; this version reads format 2"),
        (MAGIC + b"\2\0\0\0\xff\xff\xff\xff" + b"\0" * 64, "header of the games is damaged"),
        (MAGIC + b"\2\0\0\0\2\0\0\0\0\0\0\0[]", "header of the games is damaged"),
    ],
)
def test_other_files_are_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=words) as raised:
        GameFileReader(path)
    assert "other.bin" in str(raised.value)
    assert FORMAT == 2


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(FileError):
            GameFileReader(path)


def test_damage_may_be_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match="'x' is damaged at byte 7, in game 3"):
        warn(DamagedBlock(Path("x"), 7, 3, "cut"))
