"""Training of the model of people's moves: samples, gradient, resuming, and the fit of a search."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from boomslang.core.board.position import new_record
from boomslang.engine.games.games import read_games
from boomslang.engine.learning import checkpoint
from boomslang.engine.learning.people import training_run
from boomslang.engine.learning.people.evaluation import Tally
from boomslang.engine.learning.people.searches import Searched, board_of, fit, no_search
from boomslang.engine.people.gradient import add_gradient
from boomslang.engine.people.model import combine, soften
from boomslang.engine.people.network import PARTS, SIZE, SPEEDS, STARTS, WORKSPACE
from boomslang.engine.people.samples import (
    Describer,
    from_columns,
    read_lines,
    speed_of,
)
from boomslang.engine.people.trainer import (
    PeoplePlan,
    PeopleTrainer,
    batches,
    count_steps,
    initial,
)

pytestmark = [pytest.mark.usefixtures("people_kernels"), pytest.mark.jit_only]


@pytest.fixture(scope="module")
def people_kernels(kernels: None) -> None:
    from boomslang.core.jit.jit import load_kernels

    load_kernels()


def game_of(seed: int, plies: int = 60) -> chess.Board:
    """A game that likes captures and checks: something can be learnt from it."""
    dice, board = random.Random(seed), chess.Board()
    while board.ply() < plies and not board.is_game_over():
        moves = list(board.legal_moves)
        sharp = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
        board.push(dice.choice(sharp or moves))
    return board


def line_of(board: chess.Board, **others: Any) -> str:
    moves = " ".join(move.uci() for move in board.move_stack)
    return json.dumps({"w": 1500, "b": 1700, "base": 300, "inc": 3, "moves": moves} | others)


def described(lines: list[str]) -> tuple[Any, Any]:
    words, samples = Describer().describe(read_lines(lines))
    return np.append(words, np.zeros(1 << 11, np.uint16)), samples


def test_a_game_of_pgn_and_of_json_gives_the_same_samples() -> None:
    castling = chess.Board()
    for san in ("e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O", "O-O", "d4", "exd4", "e5", "d5"):
        castling.push_san(san)
    castling.push_san("exd6")
    for board in (castling, game_of(1), game_of(2, 120)):
        game = chess.pgn.Game.from_board(board)
        game.headers.update({"WhiteElo": "1500", "BlackElo": "1700", "TimeControl": "300+3"})
        columns = from_columns(read_games(str(game).encode()))
        words, samples = Describer().describe(columns)
        others, same = described([line_of(board)])
        assert samples.tolist() == same.tolist()
        assert np.array_equal(words, others[: len(words)])
        assert len(samples) == sum(_has_choice(board))
        assert set(samples.rating) <= {1500, 1700}


def _has_choice(board: chess.Board) -> list[bool]:
    copy, found = board.root(), []
    for move in board.move_stack:
        found.append(copy.legal_moves.count() > 1)
        copy.push(move)
    return found


def test_words_tell_the_position_and_its_moves() -> None:
    board = game_of(3, 100)
    words, samples = described([line_of(board)])
    for sample in samples:
        copy = board.root()
        for move in board.move_stack[: sample.ply]:
            copy.push(move)
        seen, moves = board_of(words[sample.start :], int(sample.inputs), int(sample.moves))
        expected = copy if copy.turn else copy.mirror()
        assert seen.board_fen() == expected.board_fen()
        assert set(moves) == set(expected.legal_moves) == set(seen.legal_moves)
        played = board.move_stack[sample.ply]
        turned = chess.Move(played.from_square ^ 56, played.to_square ^ 56, played.promotion)
        assert moves[sample.played] == (played if copy.turn else turned)


def test_who_is_left_out() -> None:
    board = game_of(4)
    clocks = [60.0 - ply for ply in range(board.ply())]
    _, whole = described([line_of(board)])
    _, owner = described([line_of(board, regular="w")])
    assert set(owner.rating) == {1700}
    assert len(owner) == sum(whole.ply % 2)
    _, bullet = described([line_of(board, base=60, inc=0, clk=clocks)])
    assert bullet.ply.max() == 32  # 30 seconds left after ply 30
    _, blitz = described([line_of(board, base=180, inc=0, clk=clocks)])
    assert len(blitz) == len(whole)
    assert blitz.time[[0, 2, -1]].tolist() == [4, 3, 0]
    _, unrated = described([line_of(board, w=0, b=None)])
    assert not len(unrated)
    _, elsewhere = described([line_of(board, site="otb")])
    assert set(elsewhere.speed) == {SPEEDS.index("otb")}
    for line in ("", "[]", '{"moves": "e2e5x"}', '{"site": "mars", "moves": ""}'):
        with pytest.raises(ValueError, match="line 1"):
            read_lines([line])
    assert [SPEEDS[speed_of(*control)] for control in ((60, 0), (180, 0), (600, 0), (1800, 0))] == [
        "bullet",
        "blitz",
        "rapid",
        "classical",
    ]
    assert SPEEDS[speed_of(-1, 0)] == ""


def test_an_illegal_move_ends_a_game() -> None:
    _, samples = described(['{"w": 1500, "b": 1500, "moves": "e2e4 e7e5 e4e5 d7d5"}'])
    assert samples.ply.tolist() == [0, 1]


def test_folds_are_those_of_games_and_can_be_chosen() -> None:
    games = read_lines([line_of(game_of(seed, 20)) for seed in range(60)])
    _, every = Describer().describe(games)
    _, some = Describer().describe(games, 25)
    assert some.fold.max() < 25 <= every.fold.max()
    assert some.fold.tolist() == every.fold[every.fold < 25].tolist()


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_gradient_is_the_slope_of_the_loss(dropout: float) -> None:
    words, samples = described([line_of(game_of(7))])
    parameters = initial(3) * np.float32(0.3)  # so that no move is rare
    workspace, order = new_record(WORKSPACE), np.arange(24)
    gradient = np.zeros(SIZE, np.float32)

    def loss() -> float:
        settings: Any = np.float32(1), np.float32(dropout), 5
        into = np.zeros(SIZE, np.float32)
        done = add_gradient(
            words, samples, order, 0, len(order), 0, parameters, into, workspace, *settings
        )
        gradient[:] = into
        return float(done)

    loss()
    slopes = gradient.copy()
    for name, (rows, columns) in PARTS.items():
        part = slice(STARTS[name], STARTS[name] + rows * columns)
        steepest = STARTS[name] + int(np.abs(slopes[part]).argmax())
        kept, step = parameters[steepest], 0.002
        found = []
        for sign in (1, -1):
            parameters[steepest] = kept + sign * step
            found.append(loss())
        parameters[steepest] = kept
        slope = (found[0] - found[1]) / (2 * step)
        assert slope == pytest.approx(slopes[steepest], rel=0.06, abs=0.02), name


@pytest.mark.slow
def test_resumed_training_gives_the_same_network(tmp_path: Path) -> None:
    words, samples = described([line_of(game_of(seed)) for seed in range(40)])
    samples.fold = 9
    plan = PeoplePlan(epochs=2, batch_size=256, jobs=1)
    steps = count_steps(samples, plan)
    origin = {"plan": 1}
    path = tmp_path / "state"
    results = []
    for stops in ([], [3, 9]):
        path.unlink(missing_ok=True)
        for stop in [*stops, None]:
            with PeopleTrainer(initial(1), plan, steps) as trainer:
                kept = training_run.resume(path, trainer, origin)
                run = kept or training_run.PeopleRun()
                for _ in islice(training_run.follow(run, trainer, words, samples), stop):
                    pass
                checkpoint.save(training_run.FILE, path, run, trainer, origin)
        results.append((trainer.parameters.tobytes(), run.losses, trainer.number))
    assert results[0] == results[1]
    assert results[0][2] == steps
    first, last = results[0][1]
    assert last < first - 0.3  # it learns
    with pytest.raises(ValueError, match="another value of plan"):
        training_run.resume(path, trainer, {"plan": 2})
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="damaged"):
        training_run.resume(path, trainer, origin)


def test_every_position_is_learnt_once_an_epoch() -> None:
    words, samples = described([line_of(game_of(seed)) for seed in range(30)])
    plan = PeoplePlan(batch_size=64)
    seen = np.concatenate([order for _, _, order, _ in batches(words, samples, plan, 0)])
    learnt = np.flatnonzero(samples.fold >= 2)
    assert len(set(seen)) == len(seen) == len(learnt) // 64 * 64
    assert set(seen) <= set(learnt)
    again = np.concatenate([order for _, _, order, _ in batches(words, samples, plan, 1)])
    assert seen.tolist() != again.tolist()


def test_the_fit_finds_how_much_a_search_counts() -> None:
    dice = np.random.default_rng(5)
    truth = no_search()
    truth[0, 0], truth[2, 0], truth[2, 1] = 0.7, -4.0, -2.0
    rows, expected = [], []
    for _ in range(2000):
        scores, numbers = dice.normal(0, 1, 12), dice.uniform(0, 1, (12, len(truth) - 2))
        numbers[:, 1:] = 0
        rating = float(dice.uniform(1000, 2200))
        chances = soften(combine(truth, scores, numbers, rating))
        played = int(dice.choice(12, p=chances))
        expected.append(chances)
        rows.append(Searched(scores, numbers, played, rating, scores))
    found = fit(rows)
    told = [soften(combine(found, row.scores, row.numbers, row.rating)) for row in rows]
    assert np.abs(np.array(told) - expected).mean() < 0.01


def test_a_model_that_is_right_is_calibrated() -> None:
    dice, tally = np.random.default_rng(6), Tally()
    for _ in range(4000):
        chances = dice.dirichlet(np.full(6, 0.5))
        tally.add(1500, chances, int(dice.choice(6, p=chances)), np.array([0.5, 0, 0, 0, 0, 0.4]))
    for _, _, told, happened in tally.calibration():
        assert told == pytest.approx(happened, abs=5)
    *_, (name, count, top, nats, by_lot) = tally.table()
    assert (name, count) == ("all", 4000)
    assert 0 < by_lot < top < 100
    assert 0 < nats < np.log(6)
    model, people = tally.errors()
    assert model == pytest.approx(people, abs=3)
    assert model[0] == pytest.approx(100 * 4 / 6, abs=3)
