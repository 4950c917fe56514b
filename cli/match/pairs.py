"""Pairs of games: the work of one process of a match, and what is kept of it on the disk."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TextIO

import chess
import chess.pgn

from boomslang.cli.match.engine_spec import EngineSpec
from boomslang.cli.match.game import MoveCost, PlayedGame, Seat, TimeControl, play
from boomslang.cli.match.opening import Opening, by_chance, shuffled
from boomslang.engine.core.system.files import (
    FileError,
    check_writable,
    read_text,
    shown,
    sole_writer,
)
from boomslang.engine.notation.pgn_writer import written

_LARGEST: Final = 1 << 30  # bytes
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Everything that a match depends on.

    `openings` is empty where they come by chance. The other gets 1/`odds` of the pace.
    """

    one: EngineSpec
    other: EngineSpec
    pace: TimeControl
    seed: int
    openings: tuple[Opening, ...] = ()
    odds: float = 1.0

    def told(self) -> dict[str, Any]:
        """As JSON keeps it; of the openings a digest."""
        digest = hashlib.sha256(repr(self.openings).encode()).hexdigest()[:16]
        told = {**asdict(self), "openings": digest if self.openings else None}
        if self.odds == 1.0:
            del told["odds"]  # as in files of versions that knew of none
        return dict(json.loads(json.dumps({"version": _VERSION, **told})))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: in the first `one` has White, in the second Black."""

    number: int
    opening: Opening
    games: tuple[PlayedGame, PlayedGame]

    @property
    def results(self) -> tuple[int, int]:
        """Of `one`."""
        return self.games[0].result, -self.games[1].result


def player(terms: MatchSettings) -> Callable[[int], Pair]:
    """For `engine.jobs.run`: plays the pair of a number."""
    seats = Seat(terms.one), Seat(terms.other)
    paces = terms.pace, terms.pace.over(terms.odds)
    opening = shuffled(terms.openings, terms.seed) if terms.openings else by_chance(terms.seed)

    def pair(number: int) -> Pair:
        begun = opening(number)
        first = play(seats, begun, paces)
        return Pair(number, begun, (first, play(seats[::-1], begun, paces[::-1])))

    return pair


class PairRecord:
    """A file with a line for the terms and one for each pair, in order."""

    def __init__(self, file: TextIO | None, pairs: list[Pair]) -> None:
        self._file = file
        self.pairs = pairs

    def add(self, pair: Pair) -> None:
        """Write a pair down."""
        self.pairs.append(pair)
        if self._file:
            self._file.write(json.dumps(asdict(pair)) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def check(path: Path | None, terms: MatchSettings) -> None:
    """Raise FileError if that is there already and no record of this match."""
    if path is not None:
        check_writable(path)
        with sole_writer(path):
            _read(path, terms)


@contextmanager
def opened(path: Path | None, terms: MatchSettings) -> Iterator[PairRecord]:
    """The record of a match, new or continued; raises FileError. Without a path nothing is kept."""
    if path is None:
        yield PairRecord(None, [])
        return
    check_writable(path)
    with sole_writer(path):
        pairs, sound = _read(path, terms)
        with path.open("r+" if path.exists() else "w", encoding="ascii", newline="\n") as file:
            file.truncate(sound)
            file.seek(sound)
            if not sound:
                file.write(json.dumps(terms.told()) + "\n")
                file.flush()
            yield PairRecord(file, pairs)


def _read(path: Path, terms: MatchSettings) -> tuple[list[Pair], int]:
    """The pairs that a file holds, and the length of its whole lines. A last line may be cut."""
    text = read_text(path, _LARGEST) if path.exists() else ""
    lines = text.splitlines(keepends=True)
    first = json.dumps(terms.told()) + "\n"
    if lines and not lines[-1].endswith("\n") and (len(lines) > 1 or first.startswith(lines[0])):
        del lines[-1]
    if not lines:
        return [], 0
    if lines[0] != first:
        raise FileError(f"{shown(path)} is of another match, or of none")
    pairs: list[Pair] = []
    for number, line in enumerate(lines[1:]):
        try:
            pairs.append(_pair(json.loads(line)))
        except (ValueError, KeyError, TypeError, IndexError):
            raise FileError(f"{shown(path)}: line {number + 2} is damaged") from None
        if pairs[-1].number != number:
            raise FileError(f"{shown(path)}: line {number + 2} is out of turn")
    return pairs, sum(map(len, lines))


def _pair(told: dict[str, Any]) -> Pair:
    first, second = (
        PlayedGame(
            list(game["moves"]),
            int(game["result"]),
            str(game["reason"]),
            (MoveCost(**game["efforts"][0]), MoveCost(**game["efforts"][1])),
        )
        for game in told["games"]
    )
    fen, moves, chess960 = told["opening"]
    return Pair(int(told["number"]), Opening(fen, tuple(moves), chess960), (first, second))


def in_pgn(pair: Pair, names: tuple[str, str]) -> Iterator[str]:
    """Both games, with the names of the contestants."""
    for game, (white, black) in zip(pair.games, (names, names[::-1]), strict=True):
        board = chess.Board(pair.opening.fen, chess960=pair.opening.chess960)
        for move in game.moves:
            board.push_uci(move)
        told = chess.pgn.Game.from_board(board)
        headers = {
            "Event": "boomslang match",
            "Round": str(pair.number + 1),
            "White": white,
            "Black": black,
            "Result": ("0-1", "1/2-1/2", "1-0")[game.result + 1],
            "Termination": game.reason,
        }
        for name, value in headers.items():
            told.headers[name] = value
        yield f"{written(told)}\n\n"
