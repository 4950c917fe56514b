"""The model of people's moves: chances over exactly the legal moves, in positions of every kind."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import numpy as np
import pytest

from boomslang.engine.limits import Info, Score
from boomslang.engine.people import file
from boomslang.engine.people.model import (
    MoveValue,
    PeopleModel,
    shipped_model,
    values_of,
)

pytestmark = pytest.mark.jit_only

POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",  # promotions, with captures
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",  # en passant
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # the most moves of all
    "4k3/8/8/8/8/8/8/4K3 w - - 99 120",
    "k7/8/8/8/8/8/1r6/K7 w - - 0 1",  # one move
)


@pytest.fixture(scope="module")
def model() -> PeopleModel:
    return shipped_model()


@pytest.mark.parametrize("fen", POSITIONS)
def test_chances_are_those_of_the_legal_moves(model: PeopleModel, fen: str) -> None:
    board = chess.Board(fen)
    for rating in (-5, 600, 1500.5, 2600, 1e30):
        chances = model.chances(board, rating)
        assert set(chances) == set(board.legal_moves)
        assert sum(chances.values()) == pytest.approx(1)
        assert list(chances.values()) == sorted(chances.values(), reverse=True)
        assert all(0 < chance <= 1 for chance in chances.values())
    assert model.chances(board, 1e30) == model.chances(board, 2600)


def test_games_of_chess960_and_of_chess(model: PeopleModel) -> None:
    dice = random.Random(3)
    for number in range(12):
        board = chess.Board.from_chess960_pos(number * 80) if number % 2 else chess.Board()
        while not board.is_game_over() and board.ply() < 60:
            chances = model.chances(board, 1500, "rapid", time_left=dice.uniform(0, 200))
            assert set(chances) == set(board.legal_moves), board.fen()
            board.push(dice.choice(list(chances)))


def test_no_legal_move(model: PeopleModel) -> None:
    assert model.chances(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 1200) == {}


def test_both_sides_are_seen_alike(model: PeopleModel) -> None:
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5", "d5", "exd5"]:
        board.push_san(san)
    ours = model.chances(board, 1400)
    turned = chess.Board(board.fen())  # without the moves
    unknown = model.chances(turned, 1400)
    other = model.chances(turned.mirror(), 1400)
    for move, chance in unknown.items():
        seen = chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
        assert other[seen] == pytest.approx(chance, abs=1e-3)
    assert ours != unknown  # the last moves count


def test_left_and_right_are_alike_where_nobody_may_castle(model: PeopleModel) -> None:
    board = chess.Board("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10")
    other = model.chances(board.transform(chess.flip_horizontal), 1400)
    for move, chance in model.chances(board, 1400).items():
        turned = chess.Move(move.from_square ^ 7, move.to_square ^ 7, move.promotion)
        assert other[turned] == pytest.approx(chance)


def test_people_recapture_and_better_players_see_more(model: PeopleModel) -> None:
    board = chess.Board()
    for san in ["e4", "d5", "exd5"]:
        board.push_san(san)
    assert next(iter(model.chances(board, 1500))) == chess.Move.from_uci("d8d5")
    mate = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    found = [model.chances(mate, rating)[chess.Move.from_uci("d1d8")] for rating in (700, 2000)]
    assert found[0] < found[1]


def test_several_ratings_at_once_are_the_same_as_one_by_one(model: PeopleModel) -> None:
    board = chess.Board(POSITIONS[1])
    moves, table = model.chances_by_rating(board, [800, 1600, 2400], "bullet")
    for row, rating in zip(table, (800, 1600, 2400), strict=True):
        one = model.chances(board, rating, "bullet")
        assert row.tolist() == [one[move] for move in moves]


def test_a_search_raises_what_it_prefers(model: PeopleModel) -> None:
    board = chess.Board(POSITIONS[1])
    plain = model.chances(board, 1800)
    *_, rarest = plain

    def line(move: chess.Move) -> Info:
        score = Score(300 if move == rarest else -200)
        return Info(1, 1, 1, score, "", 0, 0, 0, 0, 0, (move,))

    lines = [line(move) for move in plain]
    values = values_of(lines, lines)
    searched = model.chances(board, 1800, values=values)
    assert searched[rarest] > 5 * plain[rarest]
    assert sum(searched.values()) == pytest.approx(1)
    some = {move: values[move] for move in list(values)[:3]}  # a level above 2400 has few lines
    assert set(model.chances(board, 2500, values=some)) == set(plain)


def test_people_may_not_have_seen_a_move_that_is_much_better(model: PeopleModel) -> None:
    board = chess.Board(POSITIONS[1])
    third = list(model.chances(board, 2400))[2]

    def chance(worth: float) -> float:
        """That of the third likeliest move at the top, where all others lose so much."""
        values = {move: MoveValue(0.7 - worth, 0.7) for move in board.legal_moves}
        return model.chances(board, 2400, values=values | {third: MoveValue(0.7, 0.7)})[third]

    assert chance(0.02) < chance(0.1) < chance(0.4) < 0.35


def test_a_speed_that_there_is_none_of(model: PeopleModel) -> None:
    with pytest.raises(ValueError, match="lightning"):
        model.chances(chess.Board(), 1500, "lightning")


def test_damaged_files_are_refused(model: PeopleModel, tmp_path: Path) -> None:
    whole = file.SHIPPED.read_bytes()
    path = tmp_path / "some.net"
    for damaged in (whole[:-1], whole[:9], b"", whole[:-1] + bytes([whole[-1] ^ 1]), b"x" * 99):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"some\.net"):
            file.read(path)
    parameters = model.parameters.copy()
    parameters[7] = np.nan
    with np.errstate(invalid="ignore"):
        file.write(path, parameters, model.combination, {})
    with pytest.raises(ValueError, match="numbers that are none"):
        file.read(path)


def test_threads_do_not_mix_their_positions(model: PeopleModel) -> None:
    boards = [chess.Board(fen) for fen in POSITIONS]
    expected = [model.chances(board, 1500) for board in boards]
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda board: model.chances(board, 1500), boards * 20)
        assert list(found) == expected * 20
