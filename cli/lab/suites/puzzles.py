"""Tactics: positions in which only one move wins, verified by searches of this engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from boomslang.core.system.sanitize import printable
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.search_settings import TacticCriteria

_FIRST_PART: Final = 16  # the first look takes this fraction of the nodes of the first check
_MIN_FIRST_NODES: Final = 2_000  # nodes
_EASY_DEPTH: Final = 2  # a move found by such a search is no tactic
_MAX_SCORE: Final = 600  # centipawns; beyond, the position is won and differences do not count
_HASH_MB: Final = 16
_FROM_PLY: Final = 12  # openings give no tactics


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position of a game, and its place."""

    fen: str
    chess960: bool
    game: str
    ply: int  # half moves since the start


def candidates(path: Path, report: Callable[[object], None]) -> Iterator[Candidate]:
    """The candidates of a PGN file, game after game; raises FileError. `report` gets what cannot be read."""
    for entry in read_games(path, main_line=True):
        for problem in entry.messages:
            report(f"{path}:{entry.line}: game {entry.number}: {printable(problem)}")
        if not entry.analysable:
            continue
        board = entry.game.board()
        for move in entry.game.mainline_moves():
            if not move:
                break  # the rest after a null move is no game
            board.push(move)
            if board.ply() >= _FROM_PLY:
                fen = board.fen(shredder=board.chess960)
                place = f"{path.name} game {entry.number}"
                yield Candidate(fen, board.chess960, place, board.ply())


@dataclass(frozen=True, slots=True)
class Tactic:
    """A verified tactic."""

    candidate: Candidate
    move: str  # in UCI notation
    score: int  # centipawns, _MOST or more if it is won
    second: int
    depth: int

    def epd(self, name: str) -> str:
        """The EPD line of a suite."""
        board = chess.Board(self.candidate.fen, chess960=self.candidate.chess960)
        record = f"{self.candidate.game}, ply {self.candidate.ply}; second best {self.second}"
        return board.epd(
            bm=[chess.Move.from_uci(self.move)],
            ce=self.score,
            acd=self.depth,
            id=name,
            c0=record,
            hmvc=board.halfmove_clock,
            fmvn=board.fullmove_number,
        )


def verifier(demand: TacticCriteria) -> Callable[[Candidate], Tactic | None]:
    """For `engine.jobs.run`: a function that verifies a candidate; None if it is no tactic."""
    load()
    searcher = Searcher(_HASH_MB)

    def examine(candidate: Candidate) -> Tactic | None:
        board = chess.Board(candidate.fen, chess960=candidate.chess960)
        if board.legal_moves.count() < 2:
            return None
        short = max(demand.nodes // _FIRST_PART, _MIN_FIRST_NODES)
        glance = searcher.analyse(board, Limits(nodes=short, multipv=2))
        if not _wins(glance, demand):
            return None
        move = glance[0].pv[0]
        if searcher.analyse(board, Limits(depth=_EASY_DEPTH))[0].pv[0] == move:
            return None
        for nodes in (demand.nodes, demand.deep_nodes):
            lines = searcher.analyse(board, Limits(nodes=nodes, multipv=2))
            if lines[0].pv[0] != move or not _wins(lines, demand):
                return None
        best, second = (in_centipawns(info.score) for info in lines)
        return Tactic(candidate, move.uci(), best, second, lines[0].depth)

    return examine


def in_centipawns(score: Score) -> int:
    """A score in centipawns; a mate counts 10,000 less its moves."""
    if score.mate is None:
        return score.centipawns or 0
    return (10_000 - abs(score.mate)) * (1 if score.mate > 0 else -1)


def _wins(lines: list[Info], demand: TacticCriteria) -> bool:
    best, second = (max(-_MAX_SCORE, min(in_centipawns(info.score), _MAX_SCORE)) for info in lines)
    return best >= demand.least and best - second >= demand.margin
