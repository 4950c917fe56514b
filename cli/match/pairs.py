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

from cli.match.contestant import Contestant
from cli.match.game import Effort, Pace, Played, Seat, play
from cli.match.opening import Opening, by_chance, shuffled
from engine.system.files import FileProblem, check_writable, read_text, shown

_LARGEST: Final = 1 << 30  # bytes
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that a match depends on; `openings` is empty where they come by chance."""

    one: Contestant
    other: Contestant
    pace: Pace
    seed: int
    openings: tuple[Opening, ...] = ()

    def told(self) -> dict[str, Any]:
        """As JSON keeps it; of the openings a digest."""
        digest = hashlib.sha256(repr(self.openings).encode()).hexdigest()[:16]
        told = {**asdict(self), "openings": digest if self.openings else None}
        return dict(json.loads(json.dumps({"version": _VERSION, **told})))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: in the first `one` has White, in the second Black."""

    number: int
    fen: str
    games: tuple[Played, Played]

    @property
    def results(self) -> tuple[int, int]:
        """Of `one`."""
        return self.games[0].result, -self.games[1].result


def player(terms: Terms) -> Callable[[int], Pair]:
    """For `engine.jobs.run`: plays the pair of a number."""
    seats = Seat(terms.one), Seat(terms.other)
    opening = shuffled(terms.openings, terms.seed) if terms.openings else by_chance(terms.seed)

    def pair(number: int) -> Pair:
        begun = opening(number)
        first = play(seats, begun, terms.pace)
        return Pair(number, begun[0], (first, play(seats[::-1], begun, terms.pace)))

    return pair


class Record:
    """A file with a line for the terms and one for each pair, in order."""

    def __init__(self, file: TextIO | None, pairs: list[Pair]) -> None:
        self._file = file
        self.pairs = pairs

    def add(self, pair: Pair) -> None:
        """Write a pair down."""
        self.pairs.append(pair)
        if self._file:
            self._file.write(json.dumps({"pair": pair.number, **asdict(pair)}) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())


@contextmanager
def opened(path: Path | None, terms: Terms) -> Iterator[Record]:
    """The record of a match, new or continued; raises FileProblem. Without a path nothing is kept."""
    if path is None:
        yield Record(None, [])
        return
    check_writable(path)
    pairs: list[Pair] = []
    sound = 0  # characters
    if path.exists() and path.stat().st_size:
        text = read_text(path, _LARGEST)
        lines = text.splitlines(keepends=True)
        pairs, sound = _read(path, lines, terms)
        with path.open("r+", encoding="ascii") as file:
            file.truncate(sound)
    with path.open("a", encoding="ascii") as file:
        if not sound:
            file.write(json.dumps(terms.told()) + "\n")
            file.flush()
        yield Record(file, pairs)


def _read(path: Path, lines: list[str], terms: Terms) -> tuple[list[Pair], int]:
    """The pairs up to the first line that is cut, and the length of these lines."""
    pairs: list[Pair] = []
    sound = 0
    for line in lines:
        try:
            told = json.loads(line) if line.endswith("\n") else None
            if sound and told:
                pairs.append(_pair(told))
        except (ValueError, KeyError, TypeError):
            told = None
        if told is None:
            break
        if not sound and told != terms.told():
            raise FileProblem(f"{shown(path)} is of another match, or of none")
        if pairs and pairs[-1].number != len(pairs) - 1:
            raise FileProblem(f"{shown(path)}: pair {pairs[-1].number} comes out of turn")
        sound += len(line)
    if lines and not sound:
        raise FileProblem(f"{shown(path)} is of another match, or of none")
    return pairs, sound


def _pair(told: dict[str, Any]) -> Pair:
    first, second = (
        Played(
            list(game["moves"]),
            int(game["result"]),
            str(game["reason"]),
            (Effort(**game["efforts"][0]), Effort(**game["efforts"][1])),
        )
        for game in told["games"]
    )
    return Pair(int(told["pair"]), str(told["fen"]), (first, second))


def in_pgn(pair: Pair, names: tuple[str, str]) -> Iterator[str]:
    """Both games, with the names of the contestants."""
    for game, (white, black) in zip(pair.games, (names, names[::-1]), strict=True):
        board = chess.Board(pair.fen)
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
        yield f"{told}\n\n"
