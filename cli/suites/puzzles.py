"""Tactics: positions in which one move wins and no other does, told apart by searches of this engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.cli.suites.candidates import Candidate
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.searcher import Searcher, load

_GLANCE_PART: Final = 16  # the first look costs this part of the nodes of the first check
_SHORTEST_GLANCE: Final = 2_000  # nodes
_EASY_DEPTH: Final = 2  # what such a search finds is no tactic
_MOST: Final = 600  # centipawns; more than that is won, and differences no longer count
_HASH_MB: Final = 16


@dataclass(frozen=True, slots=True)
class Demand:
    """What a tactic must have; scores in centipawns for the side to move."""

    nodes: int = 50_000  # of the first check
    deep_nodes: int = 500_000  # of the second
    margin: int = 200  # between the best move and the next
    least: int = 150  # that the best move brings


@dataclass(frozen=True, slots=True)
class Tactic:
    """A position that has passed."""

    candidate: Candidate
    move: str  # in UCI's spelling
    score: int  # centipawns, _MOST or more if it is won
    second: int
    depth: int

    def epd(self, name: str) -> str:
        """The line for a suite."""
        board = chess.Board(self.candidate.fen, chess960=self.candidate.chess960)
        note = f"{self.candidate.game}, ply {self.candidate.ply}; second best {self.second}"
        return board.epd(
            bm=[chess.Move.from_uci(self.move)],
            ce=self.score,
            acd=self.depth,
            id=name,
            c0=note,
            hmvc=board.halfmove_clock,
            fmvn=board.fullmove_number,
        )


def prospector(demand: Demand) -> Callable[[Candidate], Tactic | None]:
    """For `engine.jobs.run`: a function that tells whether a candidate is a tactic."""
    load()
    player = Searcher(_HASH_MB)

    def examine(candidate: Candidate) -> Tactic | None:
        board = chess.Board(candidate.fen, chess960=candidate.chess960)
        if board.legal_moves.count() < 2:
            return None
        short = max(demand.nodes // _GLANCE_PART, _SHORTEST_GLANCE)
        glance = _two_best(player, board, Limits(nodes=short))
        if not _wins(glance, demand):
            return None
        move = glance[0].pv[0]
        if _best(player, board, Limits(depth=_EASY_DEPTH)) == move:
            return None
        for nodes in (demand.nodes, demand.deep_nodes):
            found = _two_best(player, board, Limits(nodes=nodes))
            if found[0].pv[0] != move or not _wins(found, demand):
                return None
        best, second = (in_centipawns(info.score) for info in found)
        return Tactic(candidate, move.uci(), best, second, found[0].depth)

    return examine


def in_centipawns(score: Score) -> int:
    """A score in which a mate is ten thousand, less its moves."""
    if score.mate is None:
        return score.centipawns or 0
    return (10_000 - abs(score.mate)) * (1 if score.mate > 0 else -1)


def _wins(lines: list[Info], demand: Demand) -> bool:
    best, second = (max(-_MOST, min(in_centipawns(info.score), _MOST)) for info in lines)
    return best >= demand.least and best - second >= demand.margin


def _two_best(player: Searcher, board: chess.Board, limits: Limits) -> list[Info]:
    """The last word on the two best moves."""
    last: dict[int, Info] = {}
    player.set_option("MultiPV", 2)
    player.new_game()
    player.arm()
    player.search(board, limits, lambda info: last.update({info.multipv: info}))
    return [last[1], last[2]]


def _best(player: Searcher, board: chess.Board, limits: Limits) -> chess.Move | None:
    player.set_option("MultiPV", 1)
    player.new_game()
    player.arm()
    return player.search(board, limits, lambda info: None).best
