"""Answers that take a search: the best lines, two moves compared, a move of a level."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import Final

import chess
import chess.pgn

from boomslang.cli.analysis.assessment import MoveReport, assess
from boomslang.cli.analysis.reason import Reason
from boomslang.cli.analysis.reasons.candidate import ReasonSearch, line_words
from boomslang.cli.analysis.reasons.choice import candidates
from boomslang.cli.analysis.segment import Segment, search_segment
from boomslang.cli.analysis.win_percent import SEVERE, win_chance
from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.reading import RefusalError, over_words
from boomslang.cli.mcp.words import SCALE, head, quoted_line, side, turn, verdict
from boomslang.engine.labels.search_position import (
    AnalysisSettings,
    Evaluation,
    evaluate,
    finished_evaluation,
)
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.limits import Limits, ignore

_EQUAL: Final = 2.0  # winning chances in per cent between moves that are called equally good


def analyse(searcher: BoundedSearcher, board: chess.Board, lines: int, nodes: int) -> str:
    """The best lines of a position, with scores in numbers and words."""
    _refuse_finished(board)
    found = evaluate(searcher, board, Limits(nodes=nodes, multipv=lines), is_new_game=True)
    return "\n".join(
        [
            *head(board),
            *(
                f"{number}. {quoted_line(board, line.moves)}: {verdict(line, board.turn)}"
                for number, line in enumerate(found.lines, 1)
            ),
            f"Depth {found.best.depth}, {found.nodes:,} nodes. {SCALE}",
        ]
    )


def compare(
    searcher: BoundedSearcher, board: chess.Board, better: chess.Move, worse: chess.Move, nodes: int
) -> str:
    """Two moves with their lines, and the proved reason why the first is better, if it is."""
    if better == worse:
        raise RefusalError("both moves are the same")
    found = [evaluate_move(searcher, board, move, nodes) for move in (better, worse)]
    lines = [
        f"{quoted_line(board, one.best.moves)}: {verdict(one.best, board.turn)}" for one in found
    ]
    first, second = (line_words(board, [move]) for move in (better, worse))
    chances = [win_chance(one.best.score) for one in found]
    difference = chances[0] - chances[1]
    share = f"by {abs(difference):.0f} % of {turn(board)}'s winning chances"
    if abs(difference) < _EQUAL:
        lines.append(f"{first} and {second} are about equally good.")
    elif difference < 0:
        lines.append(f"{first} is not better: {second} is, {share}.")
    else:
        lines.append(f"{first} is better, {share}.")
        bad = mistake(searcher, board, worse, found[0], nodes)
        lines.append(
            f"Reason, proved by searches, against {second}: {bad.reason.text}"
            if bad and bad.reason
            else "No reason proved."
        )
    return "\n".join([*head(board), *lines, SCALE])


def evaluate_move(
    searcher: BoundedSearcher, board: chess.Board, move: chess.Move, nodes: int
) -> Evaluation:
    """The evaluation of the position if this move is played."""
    return evaluate(
        searcher, board, Limits(nodes=nodes, search_moves=(move.uci(),)), is_new_game=True
    )


def mistake(
    searcher: BoundedSearcher,
    board: chess.Board,
    worse: chess.Move,
    best: Evaluation,
    nodes: int,
) -> MoveReport | None:
    """The report of a move that is a mistake beside the best line, with the reason, if that is proved.

    None if it is no mistake.
    """
    searcher.work = "looking for a reason"
    after = board.copy()
    after.push(worse)
    reply = finished_evaluation(after) or evaluate(searcher, after, Limits(nodes=nodes))
    game = chess.pgn.Game()
    game.setup(board.copy(stack=False))
    game.add_variation(worse)
    (move,) = assess(game, (best, reply)).moves
    if not (move and move.judgement in SEVERE):
        return None
    return replace(move, reason=_prove(searcher, AnalysisSettings(nodes=nodes), move, board))


def _prove(
    searcher: BoundedSearcher, settings: AnalysisSettings, move: MoveReport, history: chess.Board
) -> Reason | None:
    """The reason why a move is bad, each question of it answered by a search."""
    search = ReasonSearch(candidates(move, history))
    known: dict[Segment, Evaluation] = {}
    while isinstance(asked := search.advance(known.get), Segment):
        known[asked] = search_segment(searcher, settings, asked)[0]
    return asked


def play(
    searcher: BoundedSearcher, board: chess.Board, elo: int | None, nodes: int, seed: int | None
) -> str:
    """A move of a level of limited strength, or without `elo` the best one."""
    _refuse_finished(board)
    limits, handicap = Limits(), Handicap()
    if elo is None:
        limits = Limits(nodes=nodes)
    else:
        handicap.set_limited(True)
        handicap.set_elo(elo)
        searcher.use_tables(None)
    handicap.reseed(str(secrets.randbits(64) if seed is None else seed))
    result = handicap.search(searcher, board.copy(), limits, ignore, time.monotonic())
    if result.best is None:
        raise RefusalError("the search found no move")
    after = board.copy()
    after.push(result.best)
    strength = "full strength" if elo is None else f"a level of {elo} Elo"
    return "\n".join(
        [
            f"{side(board.turn)} plays {line_words(board, [result.best])} ({result.best.uci()}), "
            f"at {strength}.",
            *head(after),
        ]
    )


def _refuse_finished(board: chess.Board) -> None:
    if over := over_words(board):
        raise RefusalError(f"there is nothing to search, for the game is over: {over}")
