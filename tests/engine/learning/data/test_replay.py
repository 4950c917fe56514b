"""Games become positions as python-chess would have them, and nonsense becomes none."""

from __future__ import annotations

import math
import zlib
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.core.board.position import POSITION, new_record
from boomslang.core.jit.jit import DISABLED
from boomslang.engine.learning.data.game_encoding import ALL, FIT, PositionFilter
from boomslang.engine.learning.data.game_files import DamagedBlock, game_bytes
from boomslang.engine.learning.data.game_reader import GameReader, read
from boomslang.engine.learning.data.records import (
    CHESS960,
    IN_SIDELINE,
    RANDOM,
    has_true_result,
    unpack,
)
from boomslang.engine.learning.data.replay import HEAD, Replay
from tests.support.oracle import fixed_positions, moves_of, position_of, rules, without_history
from tests.support.written_games import Written, bytes_of, check_record, random_written, write_games

pytestmark = pytest.mark.usefixtures("kernels")

PLIES = 50 if DISABLED else 150
SECOND = random_written(1, PLIES)


@cache
def written() -> tuple[Written, ...]:
    """The games of all tests here."""
    return tuple(random_written(seed, PLIES) for seed in range(4 if DISABLED else 10))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "games.bin"
    write_games(path, [bytes_of(number, game) for number, game in enumerate(written())])
    return path


def test_every_position_is_that_of_python_chess(path: Path) -> None:
    records = read(path, ALL)[1]
    records = records[records["traits"] & IN_SIDELINE == 0]
    assert len(records) == sum(len(game.moves) for game in written())
    rows = iter(records)
    seen = np.zeros(3, dtype=int)
    for number, game in enumerate(written()):
        scores = chain([0] * game.random, game.scores)
        for (board, move), score in zip(game.boards(), scores, strict=True):
            record = next(rows)
            check_record(record, board, move)
            assert int(record["game"]) == number and int(record["result"]) == game.result
            assert int(record["score"]) == score
            assert bool(record["traits"] & RANDOM) == (board.ply() < game.random)
            assert bool(record["traits"] & CHESS960) == (game.arrays != (518, 518))
            seen += board.is_castling(move), board.is_en_passant(move), bool(move.promotion)
    assert DISABLED or (seen > 2).all()


def test_sidelines_lead_where_python_chess_says(path: Path) -> None:
    records = read(path, replace(ALL, half_life=5.0))[1]
    rows = iter(records[records["traits"] & IN_SIDELINE != 0])
    for number, game in enumerate(written()):
        for ply, (board, _) in enumerate(game.boards()):
            if ply not in game.sidelines:
                continue
            moves, best, score = game.sidelines[ply]
            end = board.copy()
            for move in moves:
                end.push(move)
            record = next(rows)
            check_record(record, end, best, ply)
            assert (int(record["game"]), int(record["score"])) == (number, score)
    assert next(rows, None) is None and sum(len(game.sidelines) for game in written()) > 20


def test_a_record_becomes_a_position_again(path: Path) -> None:
    records = read(path, ALL)[1]
    records = records[records["traits"] & IN_SIDELINE == 0].view(np.recarray)
    found = new_record(POSITION)
    for (board, _), record in zip(
        chain.from_iterable(game.boards() for game in written()), records, strict=True
    ):
        wanted = position_of(board)
        unpack(rules(), record, found)
        assert without_history(found) == without_history(wanted)


def test_what_is_fit(path: Path) -> None:
    everything = read(path, ALL)[1]
    fit = read(path, FIT)[1]
    assert (everything[FIT.takes(everything)] == fit).all()
    assert 0 < len(fit) < len(everything)
    assert (fit["ply"] >= 16).all() and (np.abs(fit["score"].astype(int)) < 1500).all()
    assert not (fit["traits"] & 7).any()
    for position_filter in (
        PositionFilter(first_ply=40),
        PositionFilter(in_check=True, score_below=50),
        PositionFilter(noisy=True),
    ):
        assert (
            everything[position_filter.takes(everything)] == read(path, position_filter)[1]
        ).all()


@pytest.mark.parametrize("half_life", [1.0, 5.0])
def test_later_scores_are_averaged_with_a_half_life(path: Path, half_life: float) -> None:
    records = read(path, replace(ALL, half_life=half_life))[1]
    told = iter(records["score"][records["traits"] & IN_SIDELINE == 0].tolist())
    memory = 0.5 ** (1 / half_life)
    changed = 0
    for game in written():
        expected = min(max(game.result / 2, 0.01), 0.99)
        wanted = []
        for ply in range(len(game.moves) - 1, game.random - 1, -1):
            score = game.scores[ply - game.random]
            own = 1 / (1 + math.exp(-score / 220))
            expected = own if ply in game.better else own + memory * (expected - own)
            surest = min(max(expected, 1e-15), 1 - 1e-15)
            wanted.append(220 * math.log(surest / (1 - surest)))
            changed += abs(wanted[-1] - score) > 50
        found = [next(told) for _ in game.moves][game.random :]
        for one, other in zip(found, reversed(wanted), strict=True):
            assert one == pytest.approx(other, abs=1.5) or abs(other) > 5000
    assert changed > 100


def test_the_list_of_moves_keeps_its_order() -> None:
    """Files name moves by their places in it: whoever changes the order makes all data unreadable."""
    told = [moves_of(position_of(board)) for board in fixed_positions()]
    assert zlib.crc32(repr(told).encode()) == 376040420


def test_a_game_may_be_passed_over(path: Path) -> None:
    data = b"".join(bytes_of(number, game) for number, game in enumerate(written()[:4]))
    plies = sum(len(game.moves) for game in written()[:4])
    records, games = Replay(ALL).play(data, 70, plies, np.array([0, 1, 0, 1], dtype=np.uint8))
    assert games == 4
    assert sorted(set(records["game"].tolist())) == [71, 73]


@pytest.mark.parametrize(
    "changed",
    [
        {"plies": len(SECOND.moves) + 1},
        {"plies": len(SECOND.moves) - 1},
        {"arrays": (960, 518)},
        {"arrays": (518, 65535)},
        {"arrays": (1, 2)},
        {"result": 3},
        {"mark": 77},
        {"random": SECOND.random + 1},
        {"body": b""},
        {"body": b"\xff" * 500},
        {"body": b"\x80" * 500},
        {"body": b"\x00\x00\xfe" * 200},
        {"body": b"\x00" * 500},
    ],
    ids=str,
)
def test_invalid_moves_are_reported_and_earlier_ones_kept(
    changed: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "games.bin"
    games = [
        bytes_of(0, written()[0]),
        bytes_of(1, written()[1], **changed),
        bytes_of(2, written()[2]),
    ]
    write_games(path, games)
    told: list[DamagedBlock] = []
    found = [records for _, records in GameReader([path], told.append).in_order(ALL)]
    assert len(told) == 1 and told[0].game == 1 and "no sense" in str(told[0])
    assert sum(map(len, found)) == len(written()[0].moves) + len(written()[0].sidelines)


@given(
    body=st.binary(max_size=300),
    plies=st.integers(0, 400),
    random=st.integers(0, 255),
    arrays=st.tuples(st.integers(0, 970), st.integers(0, 970)),
)
def test_the_kernel_survives_anything(
    body: bytes, plies: int, random: int, arrays: tuple[int, int]
) -> None:
    data = game_bytes(0, body, plies=plies, random=random, arrays=arrays, mark=0, result=1)
    replay = Replay(ALL)
    for part in (data, data[: HEAD.itemsize], data[:-1], body):
        records, games = replay.play(part, 0, 300, np.ones(2, dtype=np.uint8))
        assert games <= 1 or not plies
        assert (np.bitwise_count(records["occupied"]) >= 2).all()


def test_the_head_is_as_it_is_written() -> None:
    game = Written((7, 959), written()[0].moves[:0], 0, (), 2)
    head = np.frombuffer(bytes_of(5, game, body=b"abc", mark=0x1234), dtype=HEAD, count=1)[0]
    assert head.tolist()[1:] == (3, 0, 7, 959, 0x1234, 0, 2)


def test_results_count_only_where_no_random_move_follows(path: Path) -> None:
    records = read(path, ALL)[1]
    seen = set()
    for record, is_true in zip(records, has_true_result(records), strict=True):
        strays = any(ply >= record["ply"] for ply in written()[int(record["game"])].better)
        assert is_true == (not strays and not record["traits"] & IN_SIDELINE)
        seen.add(bool(is_true))
    assert seen == {False, True}
