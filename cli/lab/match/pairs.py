"""Pairs of games: the unit of work of a match, and its journal on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn

from boomslang.cli.lab.match.engine_spec import EngineSpec, engine_process
from boomslang.cli.lab.match.match_game import MoveCost, PlayedGame, TimeControl, play
from boomslang.cli.lab.match.opening import Opening, by_chance, shuffle_openings
from boomslang.engine.jobs.engine_process import EngineRunner
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.system.files import quote_path
from boomslang.engine.system.journal import Journal

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Everything that a match depends on.

    Without `openings` they are random. The second engine gets 1/`odds` of the time control.
    """

    one: EngineSpec
    other: EngineSpec
    pace: TimeControl
    seed: int
    openings: tuple[Opening, ...] = ()
    odds: float = 1.0

    def header(self) -> dict[str, Any]:
        """The header of the journal, for JSON; with a digest of the openings."""
        digest = hashlib.sha256(repr(self.openings).encode()).hexdigest()[:16]
        header = {**asdict(self), "openings": digest if self.openings else None}
        if self.odds == 1.0:
            del header["odds"]  # as in the files of versions without odds
        return dict(json.loads(json.dumps({"version": _VERSION, **header})))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: in the first `one` has White, in the second Black."""

    number: int
    opening: Opening
    games: tuple[PlayedGame, PlayedGame]

    @property
    def results(self) -> tuple[int, int]:
        """1, 0 or -1 for engine `one` in each game."""
        return self.games[0].result, -self.games[1].result


def player(settings: MatchSettings) -> Callable[[int], Pair]:
    """For `engine.jobs.run`: a function that plays the pair of a number."""
    engines = engine_process(settings.one), engine_process(settings.other)
    runner = EngineRunner(*(engine.close for engine in engines))
    paces = settings.pace, settings.pace.over(settings.odds)
    opening = (
        shuffle_openings(settings.openings, settings.seed)
        if settings.openings
        else by_chance(settings.seed)
    )

    def pair(number: int) -> Pair:
        begun = opening(number)
        first = runner.run(play(engines, begun, paces))
        second = runner.run(play(engines[::-1], begun, paces[::-1]))
        return Pair(number, begun, (first, second))

    return pair


class PairRecord:
    """The pairs of a match so far; `path` None keeps nothing."""

    def __init__(self, path: Path | None, settings: MatchSettings) -> None:
        foreign = f"{quote_path(path or '')} is not the journal of this match; name another file"
        self._journal = Journal(path, settings.header(), _pair, lambda _: foreign)

    @property
    def pairs(self) -> list[Pair]:
        """In order."""
        return self._journal.entries

    def check(self) -> None:
        """Raise FileError if the file exists and is not the journal of this match."""
        self._journal.check()

    @contextmanager
    def open(self) -> Iterator[None]:
        """A block in which pairs can be added; raises the exceptions of `Journal.open`."""
        with self._journal.open():
            yield

    def add(self, pair: Pair) -> None:
        """Add a pair to the journal. Raises FileError."""
        self._journal.add(asdict(pair), pair)


def _pair(line: Any, number: int) -> Pair:
    if line["number"] != number:
        raise ValueError
    first, second = (
        PlayedGame(
            list(game["moves"]),
            int(game["result"]),
            str(game["reason"]),
            (MoveCost(**game["efforts"][0]), MoveCost(**game["efforts"][1])),
        )
        for game in line["games"]
    )
    fen, moves, chess960 = line["opening"]
    return Pair(number, Opening(fen, tuple(moves), chess960), (first, second))


def in_pgn(pair: Pair, names: tuple[str, str]) -> Iterator[str]:
    """Both games as PGN, with the names of the engines."""
    for game, (white, black) in zip(pair.games, (names, names[::-1]), strict=True):
        board = chess.Board(pair.opening.fen, chess960=pair.opening.chess960)
        for move in game.moves:
            board.push_uci(move)
        pgn = chess.pgn.Game.from_board(board)
        headers = {
            "Event": "boomslang match",
            "Round": str(pair.number + 1),
            "White": white,
            "Black": black,
            "Result": ("0-1", "1/2-1/2", "1-0")[game.result + 1],
            "Termination": game.reason,
        }
        for name, value in headers.items():
            pgn.headers[name] = value
        yield f"{format_pgn(pgn)}\n\n"
