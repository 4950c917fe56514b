"""Pairs of games: the unit of work of a match, its journal on disk, and the games as PGN."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
from chess.engine import PovScore

from boomslang.core.system.journal import Journal
from boomslang.engine.jobs.run import run_in_order
from boomslang.engine.limits import Score
from boomslang.engine.match.engine_spec import EngineSpec, engine_process
from boomslang.engine.match.match_game import MoveCost, PlayedGame, TimeControl, play
from boomslang.engine.match.opening import Opening, by_chance, shuffle_openings
from boomslang.engine.notation.pgn_writer import format_pgn
from boomslang.engine.other_engines.engine_runner import EngineRunner

_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that a match depends on.

    Without `openings` they are random. Each engine gets the time control divided by its `odds`. In a
    `gauntlet` only the first plays against the others.
    """

    engines: tuple[EngineSpec, ...]
    pace: TimeControl
    seed: int
    openings: tuple[Opening, ...] = ()
    odds: tuple[float, ...] = ()  # none: 1 for each
    gauntlet: bool = False
    adjudicated: bool = True

    def header(self) -> dict[str, Any]:
        """The header of the journal, for JSON; with a digest of the openings."""
        digest = hashlib.sha256(repr(self.openings).encode()).hexdigest()[:16]
        header = {**asdict(self), "openings": digest if self.openings else None}
        return dict(json.loads(json.dumps({"version": _VERSION, **header})))

    def pairings(self) -> list[tuple[int, int]]:
        """Who plays whom in a round, each twice, from the same opening in all pairings.

        Every engine plays once before any plays again, so that a match is fair wherever it ends.
        """
        count = len(self.engines)
        if self.gauntlet:
            return [(0, other) for other in range(1, count)]
        places: list[int | None] = [*range(count), *([None] * (count % 2))]
        pairings: list[tuple[int, int]] = []
        for _ in range(len(places) - 1):
            for one, other in zip(places[: len(places) // 2], reversed(places), strict=False):
                if one is not None and other is not None:
                    pairings.append((min(one, other), max(one, other)))
            places.insert(1, places.pop())
        return pairings


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: in the first the first of the players has White, then the second."""

    number: int
    players: tuple[int, int]  # numbers of engines
    opening: Opening
    games: tuple[PlayedGame, PlayedGame]

    @property
    def results(self) -> tuple[int, int]:
        """1, 0 or -1 for the first of the players in each game."""
        return self.games[0].result, -self.games[1].result


def player(settings: MatchPlan) -> Callable[[int], Pair]:
    """For `engine.jobs.run`: a function that plays the pair of a number."""
    engines = [engine_process(spec) for spec in settings.engines]
    paces = [settings.pace.over(odds) for odds in settings.odds or [1.0] * len(engines)]
    pairings = settings.pairings()
    runner = EngineRunner(*(engine.close for engine in engines))
    opening = lru_cache(maxsize=1)(  # that of a round
        shuffle_openings(settings.openings, settings.seed)
        if settings.openings
        else by_chance(settings.seed)
    )

    def pair(number: int) -> Pair:
        turn, place = divmod(number, len(pairings))
        begun, players = opening(turn), pairings[place]

        def game(one: int, other: int) -> PlayedGame:
            seats, limits = (engines[one], engines[other]), (paces[one], paces[other])
            return runner.run(play(seats, begun, limits, settings.adjudicated))

        return Pair(number, players, begun, (game(*players), game(*players[::-1])))

    return pair


def pair_journal(path: Path | None, settings: MatchPlan) -> Journal[Pair]:
    """The pairs of a match so far, in order; `path` None keeps nothing."""
    return Journal(path, settings.header(), partial(_pair, settings.pairings()))


def add_pair(record: Journal[Pair], pair: Pair) -> None:
    """Add a pair to the journal. Raises FileError."""
    line = asdict(pair)
    for game, kept_game in zip(pair.games, line["games"], strict=True):
        kept_game["scores"] = [
            (score and score.centipawns, score and score.mate, *others)
            for score, *others in game.scores
        ]
    record.add(line, pair)


def play_pairs(
    settings: MatchPlan,
    record: Journal[Pair],
    wanted: int,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[Pair, None, None]:
    """Play the pairs that the record lacks up to the wanted number; yields each when it is added."""
    done = len(record.entries)
    jobs = max(min(jobs, wanted - done), 1)
    make = partial(player, settings)
    with closing(run_in_order(make, range(done, wanted), jobs=jobs, cluster=cluster)) as work:
        for pair in work:
            add_pair(record, pair)
            yield pair


def _pair(pairings: Sequence[tuple[int, int]], line: Any, number: int) -> Pair:
    one, other = line["players"]
    results = {game["result"] for game in line["games"]}
    players = pairings[number % len(pairings)]
    if (line["number"], one, other) != (number, *players) or not results <= {-1, 0, 1}:
        raise ValueError
    first, second = (
        PlayedGame(
            list(game["moves"]),
            int(game["result"]),
            str(game["reason"]),
            (MoveCost(**game["efforts"][0]), MoveCost(**game["efforts"][1])),
            [_score(*row) for row in game["scores"]],
            tuple(map(str, game.get("remarks", ()))),
        )
        for game in line["games"]
    )
    fen, moves, chess960 = line["opening"]
    return Pair(number, (one, other), Opening(fen, tuple(moves), chess960), (first, second))


def _score(
    centipawns: int | None, mate: int | None, depth: int | None, clock: float | None
) -> tuple[Score | None, int | None, float | None]:
    is_known = not (centipawns is mate is None)
    return Score(centipawns, mate) if is_known else None, depth, clock


def in_pgn(pair: Pair, names: Sequence[str]) -> Iterator[str]:
    """Both games as PGN, with the names of the engines. Raises ValueError for moves that are not legal."""
    one, other = (names[number] for number in pair.players)
    for game, (white, black) in zip(pair.games, ((one, other), (other, one)), strict=True):
        board = chess.Board(pair.opening.fen, chess960=pair.opening.chess960)
        try:
            for move in game.moves:
                board.push_uci(move)
        except ValueError as problem:
            raise ValueError(
                f"pair {pair.number + 1} of the journal is damaged: {problem}"
            ) from None
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
        played = list(pgn.mainline())[len(pair.opening.moves) :]
        for node, (score, depth, clock) in zip(played, game.scores, strict=True):
            if score:
                node.set_eval(PovScore(score.to_chess(), chess.WHITE), depth)
            if clock is not None:
                node.set_clock(max(clock, 0.0))
        yield f"{format_pgn(pgn)}\n\n"
