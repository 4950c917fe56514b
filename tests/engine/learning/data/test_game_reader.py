"""Positions of files, all at once and in random order: each comes once, and the order can be had again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from boomslang.engine.learning.data import game_reader as module
from boomslang.engine.learning.data.game_encoding import ALL, FIT, FIT_OF_GAMES, PositionFilter
from boomslang.engine.learning.data.game_files import DamagedBlock
from boomslang.engine.learning.data.game_reader import GameReader, is_held_out, read, read_all
from boomslang.engine.learning.data.records import IN_SIDELINE, RECORD, has_true_result
from tests.support.written_games import bytes_of, random_written, write_games

pytestmark = pytest.mark.jit_only

GAMES = 48


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three files, one of a single game; the seed is what tells their games apart."""
    folder = tmp_path_factory.mktemp("reader")
    paths = [folder / f"{number}.bin" for number in range(3)]
    games = [random_written(seed, 60) for seed in range(GAMES)]
    for number, (path, size) in enumerate(zip(paths, (30, GAMES - 31, 1), strict=True)):
        mine = [games.pop() for _ in range(size)]
        written = [bytes_of(place, game) for place, game in enumerate(mine)]
        write_games(path, written, seed=number)
    return paths


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 100)


def together(parts: Iterable[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    return np.concatenate([np.empty(0, RECORD), *parts])


def rows(records: npt.NDArray[np.void]) -> list[bytes]:
    return [record.tobytes() for record in records]


def all_of(paths: Sequence[Path], position_filter: PositionFilter = ALL) -> list[bytes]:
    return rows(together(records for _, records in GameReader(paths).in_order(position_filter)))


@pytest.mark.parametrize(("pool", "batch"), [(1, 7), (100, 64), (1 << 16, 1 << 16), (0, 1)])
def test_each_position_comes_once(paths: list[Path], pool: int, batch: int) -> None:
    parts = list(
        GameReader(paths).shuffle(5, position_filter=ALL, validation=0.0, pool=pool, batch=batch)
    )
    assert Counter(rows(together(parts))) == Counter(all_of(paths))
    assert {len(part) for part in parts[:-1]} <= {batch} and 0 < len(parts[-1]) <= batch
    assert all(part.dtype == RECORD for part in parts)


def test_the_order_depends_on_seed_and_pass_alone(paths: list[Path]) -> None:
    reader = GameReader(paths)

    def order(seed: int, number: int) -> list[bytes]:
        return rows(together(reader.shuffle(seed, number, position_filter=ALL, pool=200)))

    first = order(1, 0)
    assert first == rows(
        together(GameReader(paths).shuffle(1, 0, position_filter=ALL, pool=200, batch=11))
    )
    others = [order(1, 1), order(2, 0)]
    assert all(sorted(other) == sorted(first) and other != first for other in others)
    assert others[0] != others[1]


def test_neighbours_come_apart(paths: list[Path]) -> None:
    found = together(GameReader(paths).shuffle(3, position_filter=ALL, validation=0.0))
    follow = (np.diff(found["ply"].astype(int)) == 1) & (np.diff(found["game"].astype(int)) == 0)
    assert follow.mean() < 0.05
    early, late = np.array_split(found["game"].astype(float), 2)
    assert abs(early.mean() - late.mean()) < 3.0  # of 16 in the files' order


def test_games_kept_aside_are_others(paths: list[Path]) -> None:
    reader = GameReader(paths)
    kept = rows(together(reader.shuffle(1, position_filter=ALL, validation=0.3)))
    validation = rows(
        together(reader.shuffle(9, 4, position_filter=ALL, validation=0.3, held_out=True))
    )
    assert validation and not set(kept) & set(validation)
    assert sorted(kept + validation) == sorted(all_of(paths))
    assert not list(reader.shuffle(1, validation=0.0, held_out=True))


def test_the_share_that_is_kept_aside() -> None:
    games = np.arange(100_000, dtype=np.uint64)
    one, other = is_held_out(1, games, 0.02), is_held_out(2, games, 0.02)
    assert one.mean() == pytest.approx(0.02, rel=0.1)
    assert (one & other).mean() == pytest.approx(0.0004, rel=0.5)
    assert (is_held_out(1, games[500:600], 0.02) == one[500:600]).all()
    assert is_held_out(1, games, 1.0).all() and not is_held_out(1, games, 0.0).any()


def test_only_what_is_chosen(paths: list[Path]) -> None:
    for position_filter in (
        FIT,
        PositionFilter(first_ply=30, noisy=True),
        PositionFilter(score_below=100),
    ):
        found = rows(
            together(GameReader(paths).shuffle(1, position_filter=position_filter, validation=0.0))
        )
        assert sorted(found) == sorted(all_of(paths, position_filter))


def test_several_files_are_read_as_one(paths: list[Path]) -> None:
    records, games = read_all(paths)
    assert games == GAMES
    of_games = [read(path, FIT_OF_GAMES)[1] for path in paths]
    true = sum(np.count_nonzero(has_true_result(found)) for found in of_games)
    assert len(records) == true < sum(map(len, of_games))  # before a random move there is no result
    assert (np.diff(records["game"].astype(int)) >= 0).all()
    assert (records["game"] >= 30).any()


def test_counts(paths: list[Path]) -> None:
    reader = GameReader(paths)
    assert reader.games == [30, GAMES - 31, 1]
    of_games = [records["traits"] & IN_SIDELINE == 0 for _, records in reader.in_order(ALL)]
    assert reader.plies == np.count_nonzero(np.concatenate(of_games)) < len(all_of(paths))
    assert [header["seed"] for header in reader.headers] == [0, 1, 2]


def test_files_without_positions(paths: list[Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty.bin"
    write_games(empty, [])
    with pytest.raises(ValueError, match=r"empty\.bin' has no positions"):
        read_all([*paths, empty])
    assert not list(GameReader([empty]).shuffle(1))
    assert len(read(empty)[1]) == 0


def test_damage_is_reported_and_the_rest_is_read(paths: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    path.write_bytes(paths[0].read_bytes()[:-1])
    told: list[DamagedBlock] = []
    reader = GameReader([path, paths[2]], told.append)
    assert len(told) == 1 and told[0].game == 29 and reader.games == [29, 1]
    found = together(reader.shuffle(1, position_filter=ALL, validation=0.0))
    assert sorted(rows(found)) == sorted(
        all_of([paths[0]])[: -len(last_game(paths[0]))] + all_of([paths[2]])
    )
    with pytest.warns(RuntimeWarning, match="cut"):
        read_all([path])


def last_game(path: Path) -> list[bytes]:
    records = read(path, ALL)[1]
    return rows(records[records["game"] == records["game"][-1]])


def test_a_file_that_shrinks_while_it_is_read(paths: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "shrinking.bin"
    path.write_bytes(paths[0].read_bytes())
    told: list[DamagedBlock] = []
    reader = GameReader([path], told.append)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    found = together(reader.shuffle(1, position_filter=ALL, validation=0.0))
    assert told and 0 < len(found) < reader.plies
