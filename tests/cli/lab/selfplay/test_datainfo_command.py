"""`boomslang datainfo`: what it counts, and what it says of damage."""

from __future__ import annotations

import hashlib
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from boomslang.cli.lab.selfplay.datainfo_command import main
from boomslang.engine.learning.data.game_encoding import FIT
from boomslang.engine.learning.data.game_reader import read
from tests.support.process import COMMAND, STARTUP
from tests.support.written_games import Written, bytes_of, random_written, write_games

pytestmark = pytest.mark.jit_only


@pytest.fixture(scope="module")
def games() -> tuple[Written, ...]:
    """Thirty games, and the first of them again."""
    different = [random_written(seed, 80) for seed in range(30)]
    return (*different, different[0])


@pytest.fixture(scope="module")
def content(games: tuple[Written, ...], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("datainfo") / "games.bin"
    written = [bytes_of(number, game) for number, game in enumerate(games)]
    write_games(path, written, nodes=700, engine="Some 1.0")
    return path.read_bytes()


@pytest.fixture
def path(content: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "games.bin"
    path.write_bytes(content)
    return path


def test_what_is_counted(
    path: Path, games: tuple[Written, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    results = Counter(game.result for game in games)
    shares = [f"{results[result] / len(games):.1%}" for result in (2, 1, 0)]
    assert "31 games: {} won by White, {} drawn, {} lost; ".format(*shares) in shown
    chess960 = sum(game.arrays != (518, 518) for game in games)
    assert f"; {chess960 / len(games):.1%} from random Chess960" in shown
    assert f"{sum(len(game.moves) for game in games):,} positions, " in shown
    beside = sum(len(game.sidelines) for game in games)
    assert beside > 20 and f"and {beside:,} in sidelines" in shown
    assert f"{len(read(path, FIT)[1]):,} usable for training" in shown
    assert f"{path.stat().st_size:,} bytes" in shown


def test_what_is_shown(path: Path) -> None:
    """In a process of its own, which has loaded no kernels for others."""
    words = [*COMMAND, "datainfo", str(path), str(path)]
    told = subprocess.run(words, capture_output=True, text=True, timeout=STARTUP, check=True)
    assert told.stdout.count("31 games: ") == 2 and not told.stderr
    assert "engine Some 1.0, nodes 700, seed 1" in told.stdout
    assert hashlib.sha256(path.read_bytes()).hexdigest() in told.stdout


def test_damage_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    whole = path.with_name("empty.bin")
    write_games(whole, [])
    assert main([str(path), str(whole)]) == 1
    out = capsys.readouterr().out
    assert "30 games: " in out and "DAMAGED: " in out
    assert "in game 30 (the checksum is wrong)" in out
    assert "0 games: 0.0% won by White" in out


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "not a file of Boomslang's"), (None, "cannot read")]
)
def test_other_files_are_refused(
    content: bytes | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.bin"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    told = capsys.readouterr().err
    assert words in told and told.startswith("boomslang datainfo: ") and told.count("\n") == 1


def test_what_is_refused_does_not_keep_the_others_from_being_counted(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none.bin"), str(path)]) == 2
    told = capsys.readouterr()
    assert told.out.count("31 games: ") == 1 and told.err.count("\n") == 1
