"""Positions with what a level's search finds there, and what Stockfish thinks of the moves: a file of each.

The searches are those of a level up to 2400, so that every level can choose from them again and again, in no
time. A file that was begun is gone on with.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import chess
import chess.engine
import numpy as np

from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.levels.handicap import find_mate, preferences
from boomslang.engine.levels.ladder import BALANCED, MIN_ELO, Level, level_of_elo
from boomslang.engine.levels.oversight import plain
from boomslang.engine.levels.style import BY_NAME
from boomslang.engine.limits import Info, Limits, Score, ignore
from boomslang.engine.people.model import PeopleModel

Row: TypeAlias = dict[str, Any]

BANDS: Final = (800, 1200, 1600, 2000)  # Elo: the lower of two bands of 200 points
_JUDGING: Final = 50_000  # nodes of Stockfish for a move
_MATED: Final = 10_000  # centipawns


def positions(path: Path) -> Iterator[Row]:
    """The positions of a file: moves of people (JSON lines), or rated puzzles (EPD); others are left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if path.suffix == ".jsonl":
            row = json.loads(line)
            yield {key: row[key] for key in ("id", "fen", "band", "source", "human", "moves")}
            continue
        board, operations = chess.Board.from_epd(line)
        rated, best = re.search(r"\brating (\d+)", line), operations.get("bm")
        if rated and isinstance(best, list):
            moves = [move.uci() for move in best]
            puzzle = {"best": moves, "rating": int(rated[1])}
            yield {"id": board.fen(), "fen": board.fen(), "moves": ""} | puzzle


def pair_of(row: Row) -> str:
    """The source and the lower of the two bands that a position of a person belongs to; these sort by Elo."""
    low = max((band for band in BANDS if band <= row["band"]), default=BANDS[0])
    return f"{row['source']:7s} {low:4d}"


def read_rows(path: Path) -> list[Row]:
    """The rows of a store; a last one that was not finished is removed from the file."""
    if not path.exists():
        return []
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        os.truncate(path, len(whole))
    return [json.loads(line) for line in whole.splitlines()]


def search(wanted: Iterable[Row], store: Path) -> None:
    """Search the positions that the store does not have yet, and add them."""
    known = {row["id"] for row in read_rows(store)}
    load()
    level, searcher = level_of_elo(MIN_ELO), Searcher()
    with store.open("a", buffering=1, encoding="utf-8") as file:
        for row in wanted:
            if row["id"] not in known:
                found = searched(searcher, board_of(row), level)
                file.write(json.dumps(row | found) + "\n")


def searched(searcher: Searcher, board: chess.Board, level: Level) -> Row:
    """What a level finds in a position: `first`, and `lines`, of a mate that it must play only that."""
    find = partial(searcher.search, board, on_info=ignore, started=time.monotonic())
    with searcher.fresh_memory():
        first = find(Limits(depth=1, multipv=level.lines)).lines
        lines = find(Limits(nodes=level.nodes, multipv=level.lines)).lines
        mate = find_mate(find, lines[0], Limits())
    return {
        "first": {line.pv[0].uci(): plain(line.score) for line in first},
        "lines": [
            [plain(line.score), line.score.mate, [move.uci() for move in line.pv]]
            for line in mate[:1] or lines
        ],
    }


def board_of(row: Row) -> chess.Board:
    """The position of a row, with the moves before it where they are known."""
    if not row["moves"]:
        return chess.Board(row["fen"])
    board = chess.Board()
    for move in row["moves"].split():
        board.push_uci(move)
    return board


def lines_of(row: Row) -> tuple[list[Info], list[Info]]:
    """The lines of a stored search, and those of the first look."""
    lines = [
        _info(Score(None, mate) if mate is not None else Score(round(score)), moves)
        for score, mate, moves in row["lines"]
    ]
    return lines, [_info(Score(round(score)), [move]) for move, score in row["first"].items()]


def chances(row: Row, level: Level, model: PeopleModel | None) -> dict[str, float]:
    """How often a level plays each of its moves in a stored position."""
    lines, first = lines_of(row)
    found = preferences(level, board_of(row), lines, first, model, BY_NAME[BALANCED])
    liked = np.exp(np.array(found) - max(found))
    names = (line.pv[0].uci() for line in lines)
    return dict(zip(names, (liked / liked.sum()).tolist(), strict=True))


def _info(score: Score, moves: list[str]) -> Info:
    return Info(1, 1, 1, score, "", 0, 0, 0, 0, 0, tuple(map(chess.Move.from_uci, moves)))


class Judge:
    """Winning chances of moves by Stockfish, which is asked where the file does not know them yet."""

    def __init__(self, path: Path, command: str | None) -> None:
        """Without a `command` only the file is asked."""
        self._known = {(row["id"], row["move"]): row for row in read_rows(path)}
        self._path = path
        self._engine = (
            chess.engine.SimpleEngine.popen_uci(shlex.split(command)) if command else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the engine: without that the process would wait for it for ever."""
        if self._engine:
            self._engine.close()

    def loss(self, row: Row, move: str) -> float | None:
        """Percent of the winning chances that a move loses, by a search for it; None if it is not known."""
        before = self._ask(row, "")
        if before is None or before.get("best") == move:
            return None if before is None else 0.0
        after = self._ask(row, move)
        return None if after is None else max(0.0, chance(before["s"]) - chance(after["s"]))

    def _ask(self, row: Row, move: str) -> Row | None:
        """What is known of a move in a position; "": of the position."""
        if (row["id"], move) not in self._known and self._engine:
            answer = {"id": row["id"], "move": move} | self._think(chess.Board(row["fen"]), move)
            self._known[row["id"], move] = answer
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(answer) + "\n")
        return self._known.get((row["id"], move))

    def _think(self, board: chess.Board, move: str) -> Row:
        """The score of a position, or after a move, for the side to move in the position."""
        sign = 1
        if move:
            board.push_uci(move)
            sign = -1
        if outcome := board.outcome():
            return {"s": 0 if outcome.winner is None else _MATED}
        limit = chess.engine.Limit(nodes=_JUDGING)
        assert self._engine
        said = self._engine.analyse(board, limit, game=object())
        return {"s": sign * _points(said), "best": said["pv"][0].uci()}


def _points(info: chess.engine.InfoDict) -> int:
    return info["score"].relative.score(mate_score=_MATED)


def chance(centipawns: float) -> float:
    """The winning chance of a score of Stockfish, percent."""
    return win_chance(chess.engine.Cp(round(centipawns)))
