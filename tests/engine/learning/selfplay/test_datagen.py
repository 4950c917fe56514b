"""Self-play: the same games for the same seed, files that survive a kill, games that tell the truth."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest

from boomslang.cli.lab.selfplay import datagen_command
from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.engine.learning.data.game_encoding import ALL, FIT
from boomslang.engine.learning.data.game_files import (
    DamagedBlock,
    GameFileError,
    GameFileReader,
    write_header,
)
from boomslang.engine.learning.data.game_reader import read
from boomslang.engine.learning.data.records import IN_SIDELINE, unpack
from boomslang.engine.learning.data.replay import HEAD
from boomslang.engine.learning.selfplay.datagen import (
    SelfPlayPair,
    arrays,
    generate,
)
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from tests.support.networks import random_network
from tests.support.oracle import position_of, rules, start_of, without_history
from tests.support.written_games import check_record, codes

pytestmark = pytest.mark.jit_only

SETTINGS = DatagenSettings(seed=5, nodes=100, engine="test", chess960=0.4)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.bin"
    assert generate(path, SETTINGS, games=12)[0] == 12
    return path


def test_what_is_written(games: Path) -> None:
    header, records = read(games, ALL)
    assert header == asdict(SETTINGS)
    assert (header["chess960"], header["random_moves"], header["evaluation"]) == (
        0.4,
        0.0,
        "classical",
    )
    with GameFileReader(games) as walk:
        heads = [np.frombuffer(game.data, HEAD, 1)[0] for game in walk]
        assert not walk.damage
    assert {tuple(head[["white", "black"]]) for head in heads} > {(518, 518)}
    for number, head in enumerate(heads):
        mine = records[records["game"] == number]
        assert (mine["result"] == head["result"]).all()
        assert (mine["ply"] == np.arange(head["plies"])).all()
        assert head["random"] in (8, 9)
        board = start_of(int(head["white"]), int(head["black"]))
        for record in mine:
            move = bridge.to_move(int(record["move"]), board)
            check_record(record, board, move)
            assert board.is_legal(move)
            board.push(move)
        outcome = board.outcome(claim_draw=True)
        last = int(mine["score"][-1])
        if outcome and outcome.winner is not None:
            assert head["result"] == (2 if outcome.winner else 0)
        elif head["result"] != 1:
            assert (last > 1000) if head["result"] == 2 else (last < -1000)
        else:
            assert outcome or abs(last) < 8


def test_random_moves_are_recorded(tmp_path: Path) -> None:
    """Now and then another move is played than the best, and the game goes on from there."""
    path = tmp_path / "random-moves.bin"
    generate(path, replace(SETTINGS, random_moves=0.5, chess960=0.0), games=2)
    random_moves = 0
    board, after = chess.Board(), new_record(POSITION)
    for record, following in pairwise(read(path, ALL)[1]):
        if following["ply"] == 0:
            board = chess.Board()
            continue
        unpack(rules(), following.view(np.recarray), after)
        wanted = without_history(after)
        played = []
        for move in board.legal_moves:
            board.push(move)
            if without_history(position_of(board)) == wanted:
                played.append(move)
            board.pop()
        assert len(played) == 1
        if bridge.from_move(played[0], board) != record["move"]:
            assert record["ply"] >= FIT.first_ply
            random_moves += 1
        board.push(played[0])
    assert random_moves > 10


def test_sidelines(tmp_path: Path) -> None:
    """Positions beside the game are judged, and the game goes on from where it was."""
    path = tmp_path / "sidelines.bin"
    shares = []
    for chance in (0.3, 1.0):
        path.unlink(missing_ok=True)
        settings = replace(SETTINGS, sidelines=chance)
        generate(path, settings, games=6)
        records = read(path, ALL)[1]
        beside = records["traits"] & IN_SIDELINE != 0
        shares.append(np.count_nonzero(beside) / np.count_nonzero(records["ply"] >= FIT.first_ply))
    assert 0.2 < shares[1] < 0.5 and shares[0] < 0.5 * shares[1]

    ends = records[beside]
    assert FIT.takes(ends).all()
    worth = [
        sum((1, 3, 3, 5, 9, 0, -1, -3, -3, -5, -9, 0)[code] for code in codes(end)) for end in ends
    ]
    assert np.corrcoef(worth, ends["score"])[0, 1] > 0.5  # White's view
    fit, match = read(path, FIT)[1], SelfPlayPair(settings)
    for number in range(2):
        assert match.play(number).positions == np.count_nonzero(fit["game"] == number)

    with GameFileReader(path) as walk:
        heads = [np.frombuffer(game.data, HEAD, 1)[0] for game in walk]
    for record in records[~beside]:
        if record["ply"] == 0:
            head = heads[record["game"]]
            board = start_of(int(head["white"]), int(head["black"]))
        assert not board.is_repetition() and not board.is_fifty_moves()
        move = bridge.to_move(int(record["move"]), board)
        check_record(record, board, move)
        board.push(move)
    repeated = [is_of_game(end, records[~beside]) for end in ends]
    assert sum(repeated) < len(ends) / 6  # a random move may be the best one, too


def is_of_game(record: np.void, records: np.ndarray) -> bool:
    """True if a position comes up in its game too."""
    fields = ["game", "occupied", "pieces", "side"]
    return bool((records[fields] == record[fields]).any())


def test_a_network_may_evaluate(tmp_path: Path) -> None:
    network = random_network(2)
    told = []
    for played in (None, network):
        path = tmp_path / "games.bin"
        path.unlink(missing_ok=True)
        generate(path, replace(SETTINGS, evaluation="x"), games=2, network=played)
        told.append(path.read_bytes())
    assert told[0] != told[1]


def test_five_bytes_a_position(tmp_path: Path) -> None:
    path = tmp_path / "games.bin"
    generate(path, DatagenSettings(seed=8, nodes=100), games=20)
    fit = read(path, FIT)[1]
    assert len(fit) > 400
    assert path.stat().st_size / len(fit) < 5.0


def test_a_game_depends_on_seed_and_number_alone() -> None:
    match = SelfPlayPair(SETTINGS)
    first = match.play(3)
    match.play(4)
    assert match.play(3) == first
    assert SelfPlayPair(DatagenSettings(seed=6, nodes=100, engine="test")).play(3) != first


def test_games_of_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """They look so far ahead and no further, and leave less out there."""
    settings = replace(SETTINGS, nodes=20_000, depth=2)
    match = SelfPlayPair(settings)
    first = match.play(0)
    assert match._search.root_depth == 2
    numbers = match._search.params
    assert numbers.late_move_depth == numbers.see_prune_depth == 0
    assert numbers.capture_futility_depth == numbers.history_prune_depth == -1
    assert SelfPlayPair(replace(settings, depth=3)).play(0) != first
    monkeypatch.setattr(
        "boomslang.engine.learning.selfplay.datagen.set_for_data", lambda params: None
    )
    assert SelfPlayPair(settings).play(0) != first


def test_the_share_of_chess960() -> None:
    numbers = [
        (seed * 0xD1B54A32D192ED03 + (game << 32)) % 2**64
        for seed in (1, 2)
        for game in range(5000)
    ]
    assert {arrays(number, 0.0) for number in numbers} == {(518, 518)}
    every = [arrays(number, 1.0) for number in numbers]
    assert {white for white, _ in every} == {black for _, black in every} == set(range(960))
    assert len(set(every)) > 9900
    some = [arrays(number, 0.25) for number in numbers]
    assert sum(pair != (518, 518) for pair in some) == pytest.approx(2500, rel=0.1)
    assert all(pair in ((518, 518), own) for pair, own in zip(some, every, strict=True))


@pytest.mark.parametrize("cut", [1, 100, 2000])
def test_a_killed_run_is_continued(games: Path, tmp_path: Path, cut: int) -> None:
    whole = games.read_bytes()
    path = tmp_path / "cut.bin"
    path.write_bytes(whole[:-cut])
    told: list[DamagedBlock] = []
    generate(path, SETTINGS, games=12, report=told.append)
    assert path.read_bytes() == whole
    assert len(told) == 1 and "cut" in told[0].reason


def test_damage_is_played_again(games: Path, tmp_path: Path) -> None:
    whole = games.read_bytes()
    with GameFileReader(games) as walk:
        offsets = [game.offset for game in walk]
    path = tmp_path / "damaged.bin"
    for number in (0, 1, 7):
        damaged = bytearray(whole)
        damaged[offsets[number] + 20] ^= 4
        path.write_bytes(damaged)
        told: list[DamagedBlock] = []
        generate(path, SETTINGS, games=12, report=told.append)
        assert path.read_bytes() == whole
        assert [(damage.game, damage.offset) for damage in told] == [(number, offsets[number])]


def test_what_is_enough_is_left_alone(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "enough.bin"
    path.write_bytes(games.read_bytes())
    fit = len(read(games, FIT)[1])
    assert generate(path, SETTINGS, games=5) == (12, fit)
    assert generate(path, SETTINGS, positions=fit) == (12, fit)
    assert path.read_bytes() == games.read_bytes()


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
        generate(path, DatagenSettings(seed=5, nodes=200, engine="test"), games=13)
    with pytest.raises(ValueError, match="depth 0, not 2"):
        generate(path, replace(SETTINGS, depth=2), games=13)
    with GameFileReader(games) as walk:
        *_, last = walk
        start = path.read_bytes()[: last.offset]
    other = SelfPlayPair(DatagenSettings(seed=7, nodes=100)).play(last.number).data
    path.write_bytes(start + other)
    with pytest.raises(ValueError, match="other games"):
        generate(path, SETTINGS, games=13)
    assert path.read_bytes() == start + other


@pytest.mark.parametrize("name", ["depth", "evaluation"])
def test_games_without_a_setting_are_read_and_not_continued(tmp_path: Path, name: str) -> None:
    path = tmp_path / "other.bin"
    header = asdict(SETTINGS)
    del header[name]
    with path.open("wb") as file:
        write_header(file, header)
        file.write(SelfPlayPair(SETTINGS).play(0).data)
    whole = path.read_bytes()
    assert len(read(path, ALL)[1])
    with pytest.raises(GameFileError, match=f"has no '{name}'"):
        generate(path, SETTINGS, games=2)
    assert path.read_bytes() == whole


@pytest.mark.slow
def test_more_processes_write_the_same_file(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.bin"
    generate(path, SETTINGS, games=12, jobs=2)
    assert path.read_bytes() == games.read_bytes()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.bin"
    arguments = ["--games", "1", "--nodes", "200", "--chess960", "1", "--out", str(path)]
    assert datagen_command.main(arguments) == 0
    assert "1 games, " in capsys.readouterr().out
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    assert datagen_command.main(arguments) == 0
    assert "warning: " in (told := capsys.readouterr().err) and "in game 0 (cut" in told
    assert path.read_bytes() == whole
    for limit, nodes, depth in (("--nodes", 300, 0), ("--depth", 20_000, 2)):
        path.unlink()
        value = str(depth or nodes)
        more = ["--random-moves", "0.25", "--sidelines", "0.75", "--seed", "4"]
        assert datagen_command.main(["--games", "1", limit, value, "--out", str(path), *more]) == 0
        header, _ = read(path)
        assert (header["nodes"], header["depth"], header["seed"]) == (nodes, depth, 4)
        assert (header["chess960"], header["random_moves"], header["sidelines"]) == (
            0.0,
            0.25,
            0.75,
        )
    capsys.readouterr()
    path.write_bytes(b"something else")
    assert datagen_command.main(arguments) == 2
    assert "not a file of Boomslang's" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--nodes", "20_001"], "'20_001' is not a whole number from 1 to 20,000"),
        (["--depth", "13"], "'13' is not a whole number from 0 to 12"),
        (["--positions", "4"], "--games and --positions exclude each other"),
        (["--chess960", "1.5"], "'1.5' is not a number from 0 to 1"),
    ],
)
def test_what_is_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert datagen_command.main(["--games", "1", "--out", str(tmp_path / "x"), *arguments]) == 2
    assert words in capsys.readouterr().err
