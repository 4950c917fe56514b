"""`boomslang datainfo`: what it counts, against slow code, and what it says of damage."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from boomslang.cli.lab.selfplay.datainfo_command import main
from boomslang.engine.learning.data import statistics as module
from boomslang.engine.learning.data.game_encoding import FIT
from boomslang.engine.learning.data.game_reader import read
from boomslang.engine.learning.data.records import RECORD, TO_COME_SHIFT
from boomslang.engine.learning.data.statistics import Agreement, Repetitions, take
from tests.support.written_games import Written, bytes_of, random_written, write_games

pytestmark = [pytest.mark.usefixtures("kernels"), pytest.mark.jit_only]


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


def test_what_is_counted(path: Path, games: tuple[Written, ...]) -> None:
    calls: list[tuple[int, int]] = []
    census = take(path, lambda done, total: calls.append((done, total)))
    assert not census.damage and census.header["nodes"] == 700
    assert census.games == len(games)
    assert census.chess960 == sum(game.arrays != (518, 518) for game in games)
    results = Counter(game.result for game in games)
    assert census.results.tolist() == [results[0], results[1], results[2]]
    assert census.positions == sum(len(game.moves) for game in games)
    assert census.in_sidelines == sum(len(game.sidelines) for game in games) > 20
    assert calls[-1] == (census.positions, census.positions)
    content = path.read_bytes()
    assert census.size == len(content)
    assert census.sha256 == hashlib.sha256(content).hexdigest()
    fit = read(path, FIT)[1]
    assert census.fit == len(fit) == census.scores.counts.sum()
    scores = dict(census.scores.rows())
    assert scores["-24 .. 24"] == np.count_nonzero(np.abs(fit["score"].astype(int)) < 25)
    assert scores["1000 .. 1499"] == np.count_nonzero(fit["score"] >= 1000)
    plies = dict(census.plies.rows())
    assert plies["16 .. 29"] == np.count_nonzero(fit["ply"] < 30)
    pieces = dict(census.pieces.rows())
    assert pieces["29 .. 32"] == np.count_nonzero(np.bitwise_count(fit["occupied"]) >= 29)
    names = ["occupied", "pieces", "side", "castling", "ep"]
    different = {str(row) for row in fit[names].tolist()}
    assert census.repetitions.share == pytest.approx(1 - len(different) / len(fit))


def test_results_agree_with_scores_where_they_are_true() -> None:
    source = np.random.default_rng(1)
    games = 4000
    records = np.zeros(2 * games, RECORD)
    records["game"] = np.repeat(np.arange(games), 2)
    records["ply"] = np.tile([60, 90], games)  # the position looked at, and the last one
    records["score"] = np.repeat(source.integers(-400, 400, games), 2)
    strays = np.repeat(source.integers(0, 2, games), 2)
    chance = np.repeat(source.random(games), 2)
    won = chance < 1 / (1 + np.exp(-records["score"] / 220))
    records["result"] = np.where(strays, 2 * (chance < 0.5), 2 * won)  # decided by the random move
    records["traits"] = strays << int(TO_COME_SHIFT)
    agreement = Agreement()
    for part in np.array_split(records, 4):
        agreement.add(part)
    (none, some_n, some), (one, other_n, other), *rest = agreement.rows()
    assert (none, one) == (0, 1) and some_n + other_n == games and min(some_n, other_n) > 1500
    true = records[::2][strays[::2] == 0]
    expected = 1 / (1 + np.exp(-true["score"] / 220.0))
    assert some == pytest.approx(np.corrcoef(expected, true["result"])[0, 1], abs=1e-9)
    assert some > 0.3 > 0.1 > abs(other)
    assert [count for _, count, _ in rest] == [0] * 6


def test_repetitions_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SAMPLE", 2000)
    records = np.zeros(30_000, RECORD)
    records["occupied"] = np.arange(30_000) % 20_000  # a third comes again
    repetitions = Repetitions()
    for part in np.array_split(records, 7):
        repetitions.add(part)
    assert len(repetitions._hashes) <= 2000
    assert repetitions.share == pytest.approx(1 / 3, abs=0.06)
    assert Repetitions().share == 0.0


def test_what_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path), str(path)]) == 0
    told = capsys.readouterr()
    assert told.out.count("31 games: ") == 2 and not told.err
    assert "engine Some 1.0, nodes 700, seed 1" in told.out
    assert hashlib.sha256(path.read_bytes()).hexdigest() in told.out
    for words in (
        "usable for training",
        "won by White",
        "from random Chess960 start positions",
        "in sidelines",
        "are duplicates",
        "29 .. 32",
    ):
        assert words in told.out
    assert all(len(line) < 80 for line in told.out.splitlines() if line.startswith(("│", "┃")))


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
