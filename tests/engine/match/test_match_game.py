"""A game's end by agreement of both scores."""

from __future__ import annotations

from boomslang.engine.limits import Score
from boomslang.engine.match.match_game import Referee


def test_the_referee() -> None:
    referee = Referee()
    assert [referee.adjudicate(Score(900), ply) for ply in range(7)] == [None] * 7
    assert referee.adjudicate(Score(900), 7) == (1, "both agree that it is won")
    referee = Referee()
    heard = [referee.adjudicate(Score(-900 if ply % 2 else 900), ply) for ply in range(40)]
    assert heard == [None] * 40  # each believes in itself
    referee = Referee()
    assert [referee.adjudicate(Score(-800), ply) for ply in range(8)][-2:] == [
        None,
        (-1, "both agree that it is won"),
    ]
    referee = Referee()
    assert [referee.adjudicate(Score(10), ply) for ply in range(95)] == [None] * 95
    assert referee.adjudicate(Score(-10), 95) == (0, "both agree that it is drawn")
    referee = Referee()
    mates = [referee.adjudicate(Score(mate=-3), ply) for ply in range(8)]
    assert mates[-1] == (-1, "both agree that it is won")
    assert referee.adjudicate(None, 96) is None and referee.adjudicate(Score(0), 97) is None
