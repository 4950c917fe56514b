"""All figures of one answer agree: one scale of chances, and a difference is that of what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess
import pytest

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.reading import read_position
from boomslang.cli.mcp.search_answers import analyse, compare
from boomslang.engine.analysis.win_percent import State, state_of, win_chance
from boomslang.engine.driver.searcher import load

pytestmark = pytest.mark.jit_only

BLACKBURNE = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4"
POSITIONS = (
    "",
    BLACKBURNE,
    f"{BLACKBURNE} 4. Nxe5 Qg5",
    "1. e4 e5 2. Qh5 Nc6 3. Bc4",
    "1. d4 d5 2. c4 dxc4 3. e3 b5",
    "1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Nf3 Bg7 5. Be2",
    "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1",  # a move repeats the position
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",  # mate against all else
    "6k1/5ppp/8/r7/8/8/5PPP/6K1 b - - 0 1",
    "7k/8/5K2/8/8/8/8/R5R1 w - - 0 1",  # mates in one and in two
    "7k/8/8/8/8/q7/8/1K6 b - - 0 1",  # a stalemate is near
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/4K2Q b - - 0 1",
)
LINE = re.compile(
    r"^(?:Line \d: )?\d+\.+ .*: (?P<score>[-+]\d+\.\d\d|#-?\d+) \((?P<words>[^;)]*)"
    r"(?:; White's chances (?P<chance>\d+) %)?\)(?: The .*: a draw can be claimed\.)?$"
)
WORDS = {
    State.LOST: "Black is winning",
    State.WORSE: "Black is better",
    State.LEVEL: "level",
    State.BETTER: "White is better",
    State.WON: "White is winning",
}


def figures(text: str) -> Iterator[tuple[str, int | None]]:
    """The score and White's chances of each line, which must agree with each other and with the words."""
    for row in text.splitlines():
        if not (found := LINE.match(row)):
            assert "%" not in row
            continue
        score, words = found["score"], found["words"]
        if score.startswith("#"):
            winner, moves = ("Black", score[2:]) if "-" in score else ("White", score[1:])
            assert found["chance"] is None and words == f"{winner} mates in {moves}"
            yield score, None
            continue
        chance = int(found["chance"])
        assert chance == round(win_chance(chess.engine.Cp(round(100 * float(score)))))
        assert words == WORDS[state_of(chance)]
        yield score, chance


def value(score: str) -> float:
    """A score as a number, mates at the ends."""
    if not score.startswith("#"):
        return float(score)
    moves = int(score[1:])
    return 10_000 - moves if moves > 0 else -10_000 - moves


@pytest.fixture(scope="module")
def searcher() -> BoundedSearcher:
    load()
    return BoundedSearcher("")


@pytest.mark.parametrize("position", POSITIONS)
def test_every_figure_of_an_answer_agrees(position: str, searcher: BoundedSearcher) -> None:
    board = read_position(position)
    searcher.begin()
    seen = list(figures(analyse(searcher, board, 3, 2000).text))
    assert seen and seen == sorted(seen, key=lambda each: value(each[0]), reverse=board.turn)
    moves = sorted(board.legal_moves, key=lambda move: board.san(move))
    for better, worse in ((moves[0], moves[-1]), (moves[-1], moves[0]), (moves[0], moves[1])):
        text = compare(searcher, board, better, worse, 2000).text
        (first, chance), (second, other) = figures(text)
        sign = 1 if board.turn else -1
        points = re.search(
            r", by (\d+) percentage points of (White|Black)'s chances\.$", text, re.M
        )
        if chance is None or other is None:
            lead = sign * (value(first) - value(second))
            assert not points
        else:
            lead = sign * (chance - other)
            assert points is None or int(points[1]) == abs(lead) >= 2
            assert points is None or points[2] == ("White" if board.turn else "Black")
            lead = lead if abs(lead) >= 2 else 0
            assert bool(points) == bool(lead)
        assert ("about equally good" in text) == (lead == 0), text
        assert (" is not better: " in text) == (lead < 0), text
