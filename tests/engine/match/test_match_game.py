"""A game's end by agreement of both scores."""

from __future__ import annotations

import json
from pathlib import Path

import chess

from boomslang.engine.limits import Score
from boomslang.engine.match.engine_spec import EngineSpec
from boomslang.engine.match.match_game import MoveCost, PlayedGame, Referee, TimeControl
from boomslang.engine.match.opening import Opening
from boomslang.engine.match.pairs import MatchPlan, Pair, add_pair, in_pgn, pair_journal


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


def test_scores_are_kept_in_the_rows_of_earlier_journals(tmp_path: Path) -> None:
    scores = [(Score(7), 2, 1.5), (None, None, None), (Score(mate=-3), 9, None)]
    moves, efforts = ["e2e4", "e7e5", "g1f3"], (MoveCost(), MoveCost())
    game = PlayedGame(moves, 0, "crash: it died", efforts, scores)
    pair = Pair(0, (0, 1), Opening(chess.STARTING_FEN), (game, game))
    spec = EngineSpec("one", ("one",))
    plan = MatchPlan((spec, spec), TimeControl(nodes=1), seed=1)
    path = tmp_path / "match.jsonl"
    record = pair_journal(path, plan)
    with record.open():
        add_pair(record, pair)
    line = json.loads(path.read_text().splitlines()[1])
    line = line.get("entry", line)
    rows = [[7, None, 2, 1.5], [None, None, None, None], [None, -3, 9, None]]
    assert [each["scores"] for each in line["games"]] == [rows, rows]
    again = pair_journal(path, plan)
    with again.open():
        assert again.entries == [pair]
    text = " ".join("".join(in_pgn(pair, ["one", "other"])).split())
    assert "1. e4 { [%eval 0.07,2]" in text and "2. Nf3 { [%eval #-3,9] }" in text
