"""The fit of the ladder to people: its arrays must choose as a level does, and its judge must count right."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.levels.ladder import BALANCED, LADDER, level_of_elo
from boomslang.engine.levels.style import BY_NAME
from tools.levels.fit import Band, ladder_of
from tools.levels.model import Positions
from tools.levels.store import Judge, Row, pair_of, read_rows, sight_of

ROW: Final[Row] = {
    "id": "game-1",
    "band": 1000,
    "source": "lichess",
    "human": "e1d2",
    "fen": "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
    "last": [],
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


def test_the_model_of_the_fit_chooses_as_a_level_does() -> None:
    level, handicap, sight = level_of_elo(1000), Handicap(), sight_of(ROW)
    (modelled,) = Positions.of([ROW] * 1, BY_NAME["balanced"]).chances(level)
    many = Positions.of([ROW] * 300, BY_NAME["balanced"]).chances(level).mean(0)
    chosen = Counter[str]()
    for game in range(1000):
        handicap.reseed(str(game))
        chosen[handicap.choose(level, sight).pv[0].uci()] += 1
    assert modelled.sum() == pytest.approx(1)
    for chance, (_, _, line) in zip(many, ROW["lines"], strict=True):
        assert chance == pytest.approx(chosen[line[0]] / 1000, abs=0.06)


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
    rows = [ROW, ROW | {"id": "game-2"}]  # the second is not judged
    band = Band.of(pair_of(ROW), Positions.of(rows, BY_NAME[BALANCED]), judge, 1)
    chances = np.array([[0.3, 0.1, 0.6, 0.0]] * 2, np.float32)
    own, people = band.errors(chances)
    assert own.tolist() == [[pytest.approx(0.75)] * 3] and people.tolist() == [[0.0] * 3]
    assert band.share_judged(chances).tolist() == [pytest.approx(0.4)]


def test_a_file_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b', encoding="utf-8")
    assert read_rows(path) == [{"id": "a"}]
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "c"}\n')
    assert read_rows(path) == [{"id": "a"}, {"id": "c"}]


def test_rows_of_today_give_the_ladder_of_today() -> None:
    ladder = ladder_of([level for elo, level in LADDER if elo <= 2200])
    assert all(ladder(elo) == level_of_elo(elo) for elo in range(600, 3001, 100))


@pytest.mark.parametrize(
    ("rating", "pair"), [(700, 800), (800, 800), (1199, 800), (1200, 1200), (2600, 2000)]
)
def test_positions_go_by_pairs_of_bands(rating: int, pair: int) -> None:
    assert pair_of({"source": "otb", "band": rating}).split() == ["otb", str(pair)]
