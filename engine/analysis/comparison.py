"""The moves of a report compared with people's: what the mover's peers do, and how strongly a side played.

The model of people's moves is loaded when it is first asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import chess

from boomslang.engine.analysis.assessment import GameReport, MoveReport
from boomslang.engine.analysis.peers import Peers, share_words
from boomslang.engine.analysis.performance import GRID, LEAST, RATINGS, Reading, reading_of

if TYPE_CHECKING:
    from boomslang.engine.people.model import MoveValue

_ONLY: Final = 10.0  # winning chances in percent that any other move loses
_STRONGER: Final = 400  # points: a brilliant move is rare among players so much stronger too
_USUAL: Final = 1500  # rating of an unknown player
_OPEN: Final = (5.0, 95.0)  # winning chances in percent between which a game is not decided


def peers_of(
    report: GameReport,
    move: MoveReport,
    board: chess.Board,
    values: Mapping[chess.Move, MoveValue] | None = None,
) -> Peers:
    """What the mover's peers do; `board` has the last moves, `values` are those of a search of all moves."""
    from boomslang.engine.analysis.people_moves import speed_of
    from boomslang.engine.people.model import shipped_model

    rating = rating_of(report, move.board.turn)
    ratings = rating, rating + _STRONGER
    asked = board, ratings, speed_of(report.game)
    moves, table = shipped_model().chances_by_rating(*asked, values=values)
    (best, stronger), (played, _) = (
        table[:, moves.index(wanted)].tolist() for wanted in (move.before.best.pv[0], move.move)
    )
    return Peers(rating, best, played, stronger)


def rating_of(report: GameReport, colour: chess.Color) -> int:
    """The rating of a player: that of the tags, else as the game was played, else a usual one."""
    text = report.game.headers.get("WhiteElo" if colour else "BlackElo", "")
    low, high = RATINGS
    if text.isascii() and text.isdigit() and len(text) <= 4 and low <= int(text) <= high:
        return int(text)
    played_like = (report.white if colour else report.black).played_like
    return played_like.rating if played_like else _USUAL


def may_be_compared(move: MoveReport) -> bool:
    """True for a judged move, and for a best one in a game that is not decided."""
    best, (low, high) = move.before.best.pv[:1], _OPEN
    if not best or not move.board.is_legal(best[0]):  # as another engine may have said it
        return False
    is_open = low < move.chance_after and move.chance_before < high
    return bool(move.judgement or (move.is_best and is_open))


def is_only(move: MoveReport, other: float) -> bool:
    """True if a best move wins much more than another one, by their winning chances in percent."""
    return min(move.chance_before, move.chance_after) - other >= _ONLY


def peer_words(move: MoveReport) -> str:
    """A sentence or two about a judged or a great move; empty for others."""
    peers = move.peers
    if not peers:
        return ""
    find = share_words(peers.best, peers.rating, "find")
    if move.merit:
        return f"{move.merit.capitalize()}: {find}."
    if not move.judgement:
        return ""
    best = move.board.san(move.before.best.pv[0])
    play = share_words(peers.played, peers.rating, "play")
    return f"{best}: {find}; {move.board.san(move.move)}: {play}."


def readings_of(report: GameReport) -> tuple[Reading | None, Reading | None]:
    """White's and Black's; None for a side without moves."""
    from boomslang.engine.analysis.people_moves import speed_of
    from boomslang.engine.people.model import shipped_model

    sums = [[0.0] * len(GRID), [0.0] * len(GRID)]
    losses = [list[float](), list[float]()]
    board, speed = report.game.board(), speed_of(report.game)
    for move, played in zip(report.moves, report.game.mainline_moves(), strict=True):
        if move and board.legal_moves.count() > 1:
            side = 0 if board.turn else 1
            moves, table = shipped_model().chances_by_rating(board, GRID, speed)
            for number, chance in enumerate(table[:, moves.index(played)].tolist()):
                sums[side][number] += math.log(max(chance, LEAST))
            losses[side].append(move.chance_loss)
        board.push(played)
    white, black = map(reading_of, sums, losses)
    return white, black
