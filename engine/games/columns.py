"""Games as columns: NumPy arrays with an element for each game, and others with one for each ply."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from boomslang.engine.games.positions import boards_of

Column = npt.NDArray[Any]

# Columns that are texts, and their tags.
TEXTS: Final = {
    "event": "Event",
    "site": "Site",
    "round": "Round",
    "white": "White",
    "black": "Black",
    "eco": "ECO",
    "opening": "Opening",
    "time_control": "TimeControl",
    "termination": "Termination",
    "fen": "FEN",
}
# Names of other columns and arrays, here and in files, or of what NumPy takes when it saves them.
TAKEN: Final = frozenset(TEXTS) | {
    *("source", "game", "line", "white_elo", "black_elo", "result", "base", "increment", "date"),
    *("chess960", "plies", "odd", "offsets", "moves", "clocks", "evals", "nag_plies", "nags"),
    *("file", "allow_pickle"),
}
_POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
_RATING: Final = re.compile(r"\s*(\d{1,4})\s*\??\s*", re.ASCII)
_CLOCK: Final = re.compile(r"\s*(\d{1,6})(?:\+(\d{1,6}))?\s*", re.ASCII)
_DATE: Final = re.compile(r"\s*(\d{4})[.\-/](\d\d?)[.\-/](\d\d?)\s*", re.ASCII)
_REMEMBERED: Final = 1 << 14  # texts of a kind


class GameProblem(NamedTuple):
    """What is odd in a game: why its moves end where they do, or a remark on what changes no move."""

    source: str  # the name of its file; empty for bytes
    game: int  # number in the file, from 1
    line: int  # of the first line of the game, from 1
    ply: int  # plies that were read
    text: str


@dataclass(eq=False, slots=True)
class Games:
    """Games as columns; see `read_games`."""

    columns: dict[str, npt.NDArray[Any]]
    offsets: npt.NDArray[np.int64]
    moves: npt.NDArray[np.uint16]
    clocks: npt.NDArray[np.float64]
    evals: npt.NDArray[np.float32]
    nag_plies: npt.NDArray[np.int64]
    nags: npt.NDArray[np.uint8]
    problems: list[GameProblem]
    starts: npt.NDArray[np.void]  # START_POSITION
    start_of_game: npt.NDArray[np.int64]  # -1 without a playable one

    def __len__(self) -> int:
        return len(self.start_of_game)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    @property
    def game_of_ply(self) -> npt.NDArray[np.int64]:
        """The index of its game, for each ply."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def ply_in_game(self) -> npt.NDArray[np.int64]:
        """The number of its ply in the game, from 0, for each ply."""
        return np.arange(len(self.moves)) - np.repeat(self.offsets[:-1], np.diff(self.offsets))

    def positions(
        self, plies: npt.ArrayLike | None = None, *, after: bool = False
    ) -> npt.NDArray[np.void]:
        """The positions before plies, or after them, as a structured array.

        `plies` are indices of `moves`, or True for each that is wanted; None is all. Fields:
        `by_type` (uint64[6], bitboards of pawns, knights, bishops, rooks, queens and kings, a1 = bit 0),
        `by_colour` (uint64[2], White's and Black's), `key` (uint64, the same for the same position),
        `side` (0 for White to move), `castling` (bits 1 and 2 for White's king and queen side, 4 and 8),
        `ep` (square where a pawn can be taken en passant, or 64) and `halfmoves` (since a capture or a pawn
        move, at most 255).
        """
        places = np.arange(len(self.moves))
        if plies is not None:
            chosen = np.asarray(plies)
            places = np.atleast_1d(places[chosen if chosen.size else []])
        wanted = np.zeros(len(self.moves) + len(self), dtype=np.uint8)
        wanted[places + self.game_of_ply[places] + bool(after)] = 1
        boards = boards_of(self, wanted)
        if (np.diff(places) > 0).all():
            return boards
        return boards[np.unique(places, return_inverse=True)[1].reshape(places.shape)]

    def remark(self, game: int) -> str:
        """What is odd in a game of one source, in one line with its number."""
        number = int(self.columns["game"][game])
        texts = "; ".join(problem.text for problem in self.problems if problem.game == number)
        return f"game {number}: {texts}"

    def uci(self, game: int) -> list[str]:
        """The moves of a game in UCI notation; 0000 for a null move."""
        first, end = self.offsets[:-1][game], self.offsets[1:][game]
        is_960 = bool(self.columns["chess960"][game])
        return [_name_of_move(move, is_960) for move in self.moves[first:end].tolist()]


@cache
def _name_of_move(move: int, chess960: bool) -> str:
    """UCI notation of a move of 16 bits."""
    origin, target, kind = move & 63, move >> 6 & 63, move >> 14
    if not move:
        return "0000"
    if kind == 3 and not chess960:
        target = (origin & 56) + (6 if target > origin else 2)
    return (
        chess.SQUARE_NAMES[origin]
        + chess.SQUARE_NAMES[target]
        + ("nbrq"[move >> 12 & 3] * (kind == 1))
    )


@lru_cache(_REMEMBERED)
def _rating(text: str) -> int:
    match = _RATING.fullmatch(text)
    return int(match[1]) if match else 0


@lru_cache(_REMEMBERED)
def _seconds(text: str) -> tuple[int, int]:
    match = _CLOCK.fullmatch(text)
    return (int(match[1]), int(match[2] or 0)) if match else (-1, -1)


@lru_cache(_REMEMBERED)
def _day(text: str) -> date | None:
    match = _DATE.fullmatch(text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:  # 31 February
        return None


def columns_of(texts: dict[str, list[str]], others: Iterable[str]) -> dict[str, Column]:
    """The columns of games from the texts of their tags; `others` are tags that are wanted as they are."""
    columns: dict[str, Column] = {
        name: np.array(texts[tag], dtype=object) for name, tag in TEXTS.items()
    }
    for name, tag in (("white_elo", "WhiteElo"), ("black_elo", "BlackElo")):
        columns[name] = np.fromiter(map(_rating, texts[tag]), np.int16)
    points = [_POINTS.get(result, np.nan) for result in texts["Result"]]
    columns["result"] = np.array(points, np.float32)
    clocks = np.array([_seconds(text) for text in texts["TimeControl"]], np.int32).reshape(-1, 2)
    columns["base"], columns["increment"] = clocks.T.copy()
    days = [
        _day(utc) or _day(day) for utc, day in zip(texts["UTCDate"], texts["Date"], strict=True)
    ]
    columns["date"] = np.array(days, dtype="datetime64[D]")
    return columns | {tag: np.array(texts[tag], dtype=object) for tag in others}


def join(parts: list[Games]) -> Games:
    """The games of several parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    plies = np.cumsum([0, *(len(part.moves) for part in parts)])
    starts = np.cumsum([0, *(len(part.starts) for part in parts)])
    ends = [part.offsets[1:] + before for part, before in zip(parts, plies[:-1], strict=True)]
    whole: dict[str, Any] = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Games)
        if field.name not in ("columns", "problems")
    }
    for name, before in (("nag_plies", plies), ("start_of_game", starts)):
        shifts = np.repeat(before[:-1], [len(getattr(part, name)) for part in parts])
        whole[name] += shifts * (whole[name] >= 0)
    return Games(
        **whole
        | {
            "columns": {
                name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns
            },
            "offsets": np.concatenate([np.zeros(1, np.int64), *ends]),
            "problems": [problem for part in parts for problem in part.problems],
        }
    )
