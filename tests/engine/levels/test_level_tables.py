"""The tables of levels beside people: their chances are those of a level, and their judge counts right."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.levels.ladder import level_of_elo
from boomslang.engine.people.model import shipped_model
from tools.levels.show import errors_of
from tools.levels.store import Judge, Row, board_of, chances, lines_of, pair_of, read_rows

ROW: Final[Row] = {
    "id": "game-1",
    "band": 1000,
    "source": "lichess",
    "human": "e1d2",
    "fen": "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
    "moves": "",
    "first": {"b5c7": 60, "e1d2": 20, "e1e2": -10, "b5a7": -400},
    "lines": [
        [600, None, ["b5c7", "e8d7", "c7a8"]],
        [-140, None, ["e1d2", "a8a5"]],
        [-150, None, ["e1e2", "a8a5"]],
        [-500, None, ["b5a7", "a8a7"]],
    ],
}
# The person's move loses 0, the fork that is much better by the search is judged to lose most of the chances.
JUDGED: Final = (
    {"id": "game-1", "move": "", "s": 0, "best": "e1d2"},
    {"id": "game-1", "move": "b5c7", "s": -900},
)


@pytest.mark.jit_only
def test_the_chances_are_those_of_a_level() -> None:
    level, handicap, model = level_of_elo(1000), Handicap(), shipped_model()
    likely = chances(ROW, level, model)
    assert sum(likely.values()) == pytest.approx(1)
    lines, first = lines_of(ROW)
    handicap.model = model
    drawn = Counter[str]()
    for game in range(1000):
        handicap.reseed(str(game))
        number = handicap.choose(level, board_of(ROW), lines, first)
        drawn[lines[number].pv[0].uci()] += 1
    for move, chance in likely.items():
        assert chance == pytest.approx(drawn[move] / 1000, abs=0.06)


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """A judge that knows two moves of a position."""
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in JUDGED), encoding="utf-8")
    return Judge(path, None)


def test_the_judge_knows_the_best_move_and_what_another_loses(judge: Judge) -> None:
    assert judge.loss(ROW, "e1d2") == 0
    loss = judge.loss(ROW, "b5c7")
    assert loss and 40 < loss < 50
    assert judge.loss(ROW, "e1e2") is None
    assert judge.loss(ROW | {"id": "game-2"}, "e1d2") is None


def test_errors_are_counted_among_the_judged_moves(judge: Judge) -> None:
    likely = {"b5c7": 0.3, "e1d2": 0.3, "e1e2": 0.4}
    assert errors_of(ROW, likely, judge) == pytest.approx((0.6, *(0.5,) * 3, 0, 0, 0))
    assert errors_of(ROW, {"b5c7": 0.1, "e1e2": 0.9}, judge) is None
    assert errors_of(ROW | {"id": "game-2"}, likely, judge) is None


def test_a_file_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b', encoding="utf-8")
    assert read_rows(path) == [{"id": "a"}]
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "c"}\n')
    assert read_rows(path) == [{"id": "a"}, {"id": "c"}]


@pytest.mark.parametrize(
    ("rating", "pair"), [(700, 800), (800, 800), (1199, 800), (1200, 1200), (2600, 2000)]
)
def test_positions_go_by_pairs_of_bands(rating: int, pair: int) -> None:
    assert pair_of({"source": "otb", "band": rating}).split() == ["otb", str(pair)]
