"""Games read in both ways, by the compiled reader and by the robust one, and by python-chess."""

from __future__ import annotations

import io
from typing import Any
from unittest.mock import Mock, patch

import chess
import chess.pgn
import numpy as np

from boomslang.core.system.files import FileError
from boomslang.engine.games import scan
from boomslang.engine.games.columns import Games, join
from boomslang.engine.games.reader import PgnReader

ARRAYS = ("offsets", "moves", "clocks", "evals", "nag_plies", "nags")


def read(data: Any, compiled: bool, batch: int | None = None) -> Games | str:
    """The games, read in both ways or by the other reader alone; or why there are none."""
    kernel = scan.scan_games if compiled else Mock(return_value=scan.ODD)
    try:
        with patch.object(scan, "scan_games", kernel):
            games = PgnReader(data, ("WhiteTitle", "Variant"))
            return join(list(games.batches(batch)))
    except FileError as problem:
        return str(problem)


def differences(one: Games | str, other: Games | str) -> list[str]:
    if isinstance(one, str) or isinstance(other, str):
        return [] if one == other else ["the sentence"]
    pairs = {name: (one[name], other[name]) for name in one.columns}
    pairs |= {name: (getattr(one, name), getattr(other, name)) for name in ARRAYS}
    found = [
        name
        for name, (left, right) in pairs.items()
        if left.dtype != right.dtype
        or not np.array_equal(left, right, equal_nan=left.dtype.kind in "fM")
    ]
    return [*found, *["problems"] * (one.problems != other.problems)]


def check_against_python_chess(data: str, games: Games) -> None:
    """Moves, tags, clocks, scores and annotations of main lines."""
    file = io.StringIO(data)
    for index in range(len(games)):
        game = chess.pgn.read_game(file)
        assert game
        nodes = list(game.mainline())
        assert games.uci(index) == [node.move.uci() for node in nodes]
        first, end = games.offsets[index : index + 2]
        clocks = [np.nan if (clock := node.clock()) is None else clock for node in nodes]
        assert np.array_equal(games.clocks[first:end], clocks, equal_nan=True)
        scores = [
            np.nan if (score := node.eval()) is None else score.white().score(mate_score=100_000)
            for node in nodes
        ]
        assert np.array_equal(games.evals[first:end], np.array(scores, np.float32), equal_nan=True)
        nags = [(first + ply, nag) for ply, node in enumerate(nodes) for nag in sorted(node.nags)]
        inside = (games.nag_plies >= first) & (games.nag_plies < end)
        assert list(zip(games.nag_plies[inside], games.nags[inside], strict=True)) == nags
        assert games["white"][index] == game.headers["White"]
        assert games["time_control"][index] == game.headers["TimeControl"]
    assert chess.pgn.read_game(file) is None
