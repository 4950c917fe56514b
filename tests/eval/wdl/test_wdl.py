"""Chances by score, and the scale on which scores are shown."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.cli.lab.training import fit_wdl_command
from boomslang.engine.driver.chances import win_draw_loss
from boomslang.engine.learning.data import game_reader
from boomslang.engine.learning.data.records import RECORD
from boomslang.engine.limits import Score
from boomslang.eval.wdl import conversion, fit, weights
from tests.support.written_games import bytes_of, random_written, write_games

SCORES = st.integers(-32_000, 32_000)
MATERIALS = st.integers(0, 200)


@given(SCORES, MATERIALS)
def test_chances_sum_to_a_thousand_and_mirror(score: int, material: int) -> None:
    win, draw, loss = conversion.win_draw_loss(score, material)
    assert win + draw + loss == 1000 and min(win, draw, loss) >= 0
    assert conversion.win_draw_loss(-score, material) == (loss, draw, win)


@given(SCORES, SCORES, MATERIALS)
def test_more_is_better(one: int, other: int, material: int) -> None:
    low, high = sorted((one, other))
    assert conversion.win_draw_loss(low, material)[0] <= conversion.win_draw_loss(high, material)[0]
    assert conversion.to_cp(low) <= conversion.to_cp(high)
    assert conversion.to_cp(-one) == -conversion.to_cp(one)


def test_a_pawn_wins_half_of_the_games_at_move_32() -> None:
    assert conversion.to_cp(round(weights.PAWN)) in (99, 100, 101)
    nearest = min(range(79), key=lambda m: abs(conversion.parameters(m)[0] - weights.PAWN))
    assert conversion.win_draw_loss(round(weights.PAWN), nearest)[0] == pytest.approx(500, abs=5)


def test_the_model_is_sane_from_the_first_move_to_the_last() -> None:
    for material in range(79):
        a, b = conversion.parameters(material)
        assert a > 0.0 and b > 0.0
        assert conversion.win_draw_loss(0, material)[1] > 200  # an even game is drawn now and then
        assert conversion.win_draw_loss(1500, material)[0] > 900


@pytest.mark.parametrize(
    ("fen", "score", "chances"),
    [
        (chess.STARTING_FEN, Score(mate=3), (1000, 0, 0)),
        (chess.STARTING_FEN, Score(mate=-3), (0, 0, 1000)),
        (chess.STARTING_FEN, Score(centipawns=31), conversion.win_draw_loss(31, 78)),
        ("4k3/8/8/8/8/8/P7/4K2Q w - - 0 1", Score(centipawns=-5), conversion.win_draw_loss(-5, 10)),
    ],
)
def test_the_board_gives_the_material(fen: str, score: Score, chances: tuple[int, ...]) -> None:
    assert win_draw_loss(score, chess.Board(fen)) == chances


def made_up(number: int) -> npt.NDArray[np.void]:
    """Records whose results follow a known model: a = 100 + m, b = 60 for material m."""
    source = np.random.default_rng(5)
    records = np.zeros(number, RECORD)
    pieces = np.zeros((number, 32), dtype=np.uint8)
    # Two kings and up to 15 rooks, so that every material from 0 to 75 in fives is there.
    rooks = source.integers(0, 16, number)
    for row, count in enumerate(rooks):
        pieces[row, : count + 2] = [5, 11, *[3] * int(count)]
    records["pieces"] = pieces[:, ::2] | pieces[:, 1::2] << 4
    records["occupied"] = (1 << (rooks + 2).astype(np.uint64)) - np.uint64(1)
    records["score"] = source.integers(-600, 600, number)
    records["ply"] = source.integers(20, 100, number)
    records["game"] = np.arange(number) // 50
    middle = 100.0 + 5.0 * rooks
    chance = source.random(number)
    win = 1.0 / (1.0 + np.exp((middle - records["score"]) / 60.0))
    loss = 1.0 / (1.0 + np.exp((middle + records["score"]) / 60.0))
    records["result"] = np.where(chance < loss, 0, np.where(chance < 1.0 - win, 1, 2))
    return records


@pytest.fixture(scope="module")
def records() -> npt.NDArray[np.void]:
    return made_up(60_000)


def test_the_material_of_records_is_counted(records: npt.NDArray[np.void]) -> None:
    rooks = np.bitwise_count(records["occupied"]).astype(int) - 2
    assert (fit.materials(records) == 5 * rooks).all()


def test_a_known_model_is_found_again(records: npt.NDArray[np.void]) -> None:
    found, outcomes = fit.fit(records)
    assert outcomes.positions == len(records)
    assert found.reference == pytest.approx(37.5, abs=1.5)
    assert found.pawn == pytest.approx(137.5, rel=0.04)
    for material in range(0, 80, 10):
        powers = (material / conversion.FULL_MATERIAL) ** np.arange(4)
        assert powers @ found.a == pytest.approx(100.0 + material, rel=0.06)
        assert powers @ found.b == pytest.approx(60.0, rel=0.1)
    # No neighbour is likelier: the search has ended where the loss is lowest.
    assert found.loss < math.log(3.0)
    for shift in (-3.0, 3.0):
        moved = fit.WdlModel(found.a + shift, found.b, found.materials, found.reference, 0.0)
        probable = fit.chances(moved, outcomes)
        loss = -(outcomes.results * np.log(probable)).sum() / outcomes.positions
        assert loss > found.loss


@pytest.mark.parametrize("fault", ["too few", "no draws", "not at move 32", "all alike"])
def test_data_that_says_nothing_is_refused(records: npt.NDArray[np.void], fault: str) -> None:
    some = records[:5000].copy()
    if fault == "too few":
        some = some[:1]
    elif fault == "no draws":
        some = some[some["result"] != 1]
    elif fault == "not at move 32":
        some["ply"] = 20
    else:
        some["pieces"], some["occupied"] = some["pieces"][0], some["occupied"][0]
    with pytest.raises(ValueError, match=r"few|missing|move 32|alike"):
        fit.fit(some)


@pytest.mark.usefixtures("kernels")
def test_the_command(
    records: npt.NDArray[np.void],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, out = tmp_path / "two words.bin", tmp_path / "weights.py"
    write_games(data, [bytes_of(0, random_written(0, 30))])
    monkeypatch.setattr(game_reader, "read_all", lambda paths, report: (records, 1200))
    assert fit_wdl_command.main([str(data), "--out", str(out)]) == 0
    assert "displayed as +1.00" in capsys.readouterr().out
    written = runpy.run_path(str(out))
    conversion, _ = fit.fit(records)
    assert written["PAWN"] == pytest.approx(conversion.pawn, abs=0.001)
    assert written["MIDPOINT"] == pytest.approx(tuple(conversion.a), abs=0.001)
    assert written["MATERIALS"] == conversion.materials
    told = " ".join(written["__doc__"].split())  # its lines are wrapped
    assert f"'{data}'" in told and "60000 positions" in told


@pytest.mark.parametrize(
    ("content", "out", "message"),
    [(None, "x.py", "no such file"), (b"", "x.py", "not a file"), (b"BOOM", "x.py", "not a file")],
)
def test_bad_input_is_one_line(
    content: bytes | None,
    out: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = tmp_path / "data.bin"
    if content is not None:
        data.write_bytes(content)
    assert fit_wdl_command.main([str(data), "--out", str(tmp_path / out)]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
