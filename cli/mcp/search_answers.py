"""Answers that take a search: the best lines, two moves compared, a move of a level."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import chess
import chess.pgn

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.reading import RefusalError, over_words
from boomslang.cli.mcp.words import SCALE, claims, head, quoted_line, side, verdict, white_chance
from boomslang.engine.analysis.assessment import MoveReport, assess
from boomslang.engine.analysis.reason import Reason
from boomslang.engine.analysis.reasons.candidate import ReasonSearch, line_words
from boomslang.engine.analysis.reasons.choice import candidates
from boomslang.engine.analysis.segment import Segment, search_segment
from boomslang.engine.analyst import NO_WDL, Evaluation, evaluate, finished_evaluation
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.limits import Info, Limits, Score, ignore
from boomslang.engine.search_settings import AnalysisSettings

_EQUAL: Final = 2  # points of winning chances; moves that differ by less are called equally good


def analyse(searcher: BoundedSearcher, board: chess.Board, lines: int, nodes: int) -> str:
    """The best lines of a position, with scores in numbers and words."""
    _refuse_finished(board)
    evaluation = evaluate(
        searcher.analyst, board, Limits(nodes=nodes, multipv=lines), is_new_game=True
    )
    return "\n".join(
        [
            *head(board),
            *(
                f"Line {number}: {quoted_line(board, line.pv)}: {verdict(line, board.turn)}"
                for number, line in enumerate(evaluation.lines, 1)
            ),
            f"Depth {evaluation.best.depth}, {evaluation.nodes:,} nodes. {SCALE}",
        ]
    )


def compare(
    searcher: BoundedSearcher, board: chess.Board, better: chess.Move, worse: chess.Move, nodes: int
) -> str:
    """Two moves with their lines, and the proved reason why the first is better, if it is."""
    if better == worse:
        raise RefusalError("both moves are the same")
    evaluations = [evaluate_after(searcher, board, move, nodes) for move in (better, worse)]
    best, other = (
        _seen_before(after, move).best
        for after, move in zip(evaluations, (better, worse), strict=True)
    )
    lines = [
        " ".join([f"{quoted_line(board, line.pv)}: {verdict(line, board.turn)}", *draws])
        for line, draws in (
            (best, _claims_after(board, better)),
            (other, _claims_after(board, worse)),
        )
    ]
    first, second = (line_words(board, [move]) for move in (better, worse))
    lead, share = _lead(best, other, board.turn)
    if not lead:
        lines.append(f"{first} and {second} are about equally good.")
    elif lead < 0:
        lines.append(f"{first} is not better: {second} is{share}.")
    else:
        lines.append(f"{first} is better{share}.")
        bad = mistake(searcher, board, (better, worse), evaluations, nodes)
        if bad and bad.reason:
            lines.append(f"Reason, proved by searches, against {second}: {bad.reason.text}")
    return "\n".join([*head(board), *lines, f"{nodes:,} nodes for each move. {SCALE}"])


def _claims_after(board: chess.Board, move: chess.Move) -> Iterator[str]:
    after = board.copy()
    after.push(move)
    return claims(after)


def _lead(best: Info, other: Info, colour: chess.Color) -> tuple[int, str]:
    """By how much `colour` to move prefers the first line, positive if it does, and the words for that.

    It is the difference of the chances as they are shown; beside a mate only the order counts.
    """
    if best.score.mate is not None or other.score.mate is not None:
        return (best.score > other.score) - (best.score < other.score), ""
    lead = white_chance(best, colour) - white_chance(other, colour)
    share = f", by {abs(lead)} percentage points of {side(colour)}'s chances"
    return 0 if abs(lead) < _EQUAL else lead if colour else -lead, share


def evaluate_after(
    searcher: BoundedSearcher, board: chess.Board, move: chess.Move, nodes: int
) -> Evaluation:
    """The evaluation of the position behind a move, where its player may claim a draw."""
    after = board.copy()
    after.push(move)
    finished = finished_evaluation(after, final=True)
    return finished or evaluate(searcher.analyst, after, Limits(nodes=nodes), is_new_game=True)


def _seen_before(after: Evaluation, move: chess.Move) -> Evaluation:
    """The evaluation of a position by that of the one behind its move, so that both say the same."""
    line = after.best
    mate, cp = line.score.mate, line.score.centipawns
    mate = mate if mate is None else 1 - mate if mate <= 0 else -mate
    score = Score(None if cp is None else -cp, mate)
    win, draw, loss = line.wdl or NO_WDL
    before = replace(line, score=score, wdl=(loss, draw, win), pv=(move, *line.pv))
    return Evaluation((before,), after.nodes)


def mistake(
    searcher: BoundedSearcher,
    board: chess.Board,
    moves: tuple[chess.Move, chess.Move],
    after: Sequence[Evaluation],
    nodes: int,
) -> MoveReport | None:
    """The report of the second move beside the first one, with the reason, if that is proved.

    `after` are the evaluations behind the two. None if it is no mistake.
    """
    searcher.work = "looking for a reason"
    game = chess.pgn.Game()
    game.setup(board.copy(stack=False))
    game.add_variation(moves[1])
    (move,) = assess(game, (_seen_before(after[0], moves[0]), after[1])).moves
    if not (move and move.judgement):
        return None
    return replace(move, reason=_prove(searcher, AnalysisSettings(nodes=nodes), move, board))


def _prove(
    searcher: BoundedSearcher, settings: AnalysisSettings, move: MoveReport, history: chess.Board
) -> Reason | None:
    """The reason why a move is bad, each question of it answered by a search."""
    search = ReasonSearch(candidates(move, history))
    evaluations: dict[Segment, Evaluation] = {}
    while isinstance(segment := search.advance(evaluations.get), Segment):
        evaluations[segment] = search_segment(searcher.analyst, settings, segment)[0]
    return segment


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
